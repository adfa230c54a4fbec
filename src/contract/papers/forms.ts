/**
 * The forms of a paper's card. Two have an outcome (`JudgedCard`: comparison and dose). Three have none, because what the paper claims cannot be
 * decided here, or because it claims nothing that could fail: an idea is one thing to touch, a map is a survey as a tree, a built one is a table
 * of tasks and methods. All ask for a prediction before the press.
 */
import type { JsonObject } from '../kit/json.ts';
import type { Form, JudgedCard, Published } from './papers.ts';

/** What every card says of its paper. */
export type CardHead = Pick<JudgedCard, 'id' | 'title' | 'authors' | 'year' | 'link' | 'claim' | 'idea' | 'equation'>;

/**
 * A question that is asked before anything is shown. One choice for each thing that is measured, in its order, and one more, the last, for "no
 * difference larger than `alike`".
 */
export interface Asked {
  readonly ask: string;
  readonly choices: readonly string[];
  /** Which number is the answer: that of the thing with the most, or with the least. */
  readonly most: 'more' | 'less';
  /** A lead that is no larger is none, in the unit of what is measured; at least 0. */
  readonly alike: number;
}

/** An arm of a stored result (public/results/papers), whose scores are read when they are shown. */
export interface ScoreRef {
  readonly result: string;
  readonly arm: string;
}

/** An arm of the card's judged form, under a title of its own. */
export interface PlayerOf {
  readonly arm: string;
  readonly title: string;
}

/** Kept policies of the card's judged form play greedy episodes, each in its own world, which a dial changes for all. */
export interface PlayedTouch {
  readonly kind: 'played';
  readonly players: readonly PlayerOf[];
  /** Settings of the world in which all of them play, over their own. */
  readonly world: JsonObject;
  /** One setting of that world and the places that it can take; null: who plays is all that changes. */
  readonly dial: { readonly key: string; readonly title: string; readonly values: readonly number[]; readonly start: number } | null;
  readonly episodes: number;
  /** What the mean over episodes is, in words. */
  readonly measured: string;
}

/** Arms of the card's judged form are trained in the tab in its quick form: seconds. */
export interface TrainedTouch {
  readonly kind: 'trained';
  readonly players: readonly PlayerOf[];
  readonly measured: string;
}

/** A view of its own, src/ui/claims/ideas/<id>.tsx, which reports what it measured: a number for each choice but the last. */
export interface WidgetTouch {
  readonly kind: 'widget';
  readonly id: string;
  readonly measured: string;
}

export type Touch = PlayedTouch | TrainedTouch | WidgetTouch;

interface NoOutcome extends CardHead {
  /** What the claim would need, to follow "No verdict: ". A sentence. */
  readonly noVerdict: string;
  readonly asked: Asked;
  /** What was judged under this id before it took this form: its result, its log and its links stay. null: nothing was. */
  readonly earlier: JudgedCard | null;
}

export interface IdeaCard extends NoOutcome {
  readonly form: 'idea';
  /** A number of the paper's own, quoted. */
  readonly quoted: Pick<Published, 'text'>;
  readonly touch: Touch;
}

/** What a leaf of a map opens: a page of this workbench. */
export interface Opens {
  readonly page: 'papers' | 'methods' | 'lessons' | 'transfer';
  readonly id?: string;
}

export type Leaf = {
  readonly title: string;
  /** How it differs from the leaves beside it, in one sentence. */
  readonly says: string;
} & ({ readonly opens: Opens } | { readonly waitsFor: string });

export interface Branch {
  /** Named as the survey names it. */
  readonly title: string;
  readonly leaves: readonly Leaf[];
}

export interface MapCard extends NoOutcome {
  readonly form: 'map';
  readonly branches: readonly Branch[];
  /** What is shown when the question is answered: one for each choice but the last. */
  readonly shown: readonly ScoreRef[];
}

export interface Task {
  readonly title: string;
  /** What its scores are, with their unit. */
  readonly unit: string;
  /** One for each method, in their order; null: not run here. */
  readonly scores: readonly (ScoreRef | null)[];
  /** The environment, which opens. */
  readonly env: string;
}

export interface BuiltCard extends NoOutcome {
  readonly form: 'built';
  /** Titles of the columns. */
  readonly methods: readonly string[];
  readonly tasks: readonly Task[];
  /** The task that the question is about, whose scores are the choices but the last, in the order of its methods that were run. */
  readonly about: string;
}

export type UnjudgedCard = IdeaCard | MapCard | BuiltCard;
export type PaperCard = JudgedCard | UnjudgedCard;

export const isJudged = (card: PaperCard): card is JudgedCard => card.form === 'comparison' || card.form === 'dose';

/** What of a card is judged: itself, or what was judged before it took another form; null: nothing. */
export const judgedFormOf = (card: PaperCard): JudgedCard | null => (isJudged(card) ? card : card.earlier);

/** What one can do with each form, in a word. */
export const VERBS: { readonly [F in Form]: string } = {
  comparison: 'compare',
  dose: 'slide',
  idea: 'touch',
  map: 'map',
  built: 'table',
};

/** What is measured of one choice: its mean or middle, in the unit of the question. */
export type Measured = readonly (number | null)[];

/**
 * The choice that came out: that of the largest (or smallest) value, the last where its lead over the next is no larger than `alike`. null
 * where a value is missing.
 */
export function cameOutOf({ choices, most, alike }: Asked, values: Measured): number | null {
  if (values.length !== choices.length - 1 || values.includes(null)) return null;
  const order = values.map((value, i) => [most === 'more' ? -(value ?? 0) : (value ?? 0), i] as const).sort((a, b) => a[0] - b[0]);
  const [first, second] = order;
  if (first === undefined || second === undefined) return null;
  return second[0] - first[0] > alike ? first[1] : choices.length - 1;
}
