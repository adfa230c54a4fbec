/**
 * A paper as something that can be run and can fail: arms over one shared config, a quantity per run, one to three contrasts between the
 * arms and what would make the comparison unfair. All of it is fixed before the runs: its hash stands in the result.
 */
import type { Contrast } from '#math/contrasts.ts';
import { JUDGE_VERSION, type Outcome } from '#math/rule.ts';
import type { Exempt, Scale } from '#math/verdict-facts.ts';
import type { AttackMeasure, ExplainMeasure } from '../catalog/catalog.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { type JsonObject, objectOf } from '../kit/json.ts';
import { sha256 } from '../run/config-hash.ts';
import type { Expectation } from '../run/expectation.ts';
import type { Tested } from './labels.ts';
import type { Source } from './source.ts';

/** Seeds that results are reported on begin here, unless a card names a later one; settings are tuned on smaller ones. */
export const FIRST_REPORTED_SEED = 1001;

/** Numbers that every run has, or that are measured of its policy at its end. */
export type OutcomeId = Expectation['metric'];

/** Of episodes in other forms of an environment. */
export interface Elsewhere {
  /** Mean return. */
  readonly return: number;
  /** Share with a return above 0, from 0 to 1. */
  readonly solved: number;
}

/**
 * The one number of a run that contrasts compare:
 *   of       an outcome
 *   metric   a curve that the run reports: its `last` value, `best` one, or `mean` over training (all its rows alike; `until`: over its first part
 *            alone, a share of the budget), or the first step at
 *            which it `reaches` a level (the run's budget where it never does, so that a slow arm is not left out); `log10`: its logarithm;
 *            `since`: steps count from this share of the budget on, where something else was learned before
 *   measured what the environment measures of the greedy evaluation episodes at the end, by its id; `drawn`: of as many whose actions are drawn
 *            by the policy's own chances
 *   elsewhere of the greedy episodes in the configs that an arm names in `against`, the mean over them: the mean `return`, or the share that is `solved`,
 *            with a return above 0; `drawn`: of episodes whose actions are drawn
 *   tasks    of a sequence of tasks that gets one block of steps each, all equally long, from greedy returns task by task: `kept` is the mean change
 *            from right after a task's own block to the ends of later blocks, over all tasks but the last (0: nothing lost); `learned` the mean
 *            return right after the own block, over all tasks; `area` the mean return at evaluations within the own block, over all tasks but the
 *            first: how fast later tasks are learned
 */
export type Quantity = { readonly title: string; readonly unit?: string } & (
  | { readonly of: OutcomeId }
  | { readonly metric: string; readonly take: 'last' | 'best' }
  | { readonly metric: string; readonly take: 'mean'; readonly until?: number }
  | { readonly metric: string; readonly reaches: number; readonly log10?: true; readonly since?: number }
  | { readonly measured: string; readonly drawn?: true }
  | { readonly elsewhere: keyof Elsewhere; readonly drawn?: true }
  | { readonly tasks: 'kept' | 'learned' | 'area' }
);

/** What differs from the paper's shared config. Settings of another environment or algorithm than the shared one start from its defaults. */
export interface Difference {
  readonly env?: { readonly id?: string; readonly config?: JsonObject };
  readonly algo?: { readonly id?: string; readonly config?: JsonObject };
  readonly run?: JsonObject;
}

export interface Arm {
  /** Names the arm within the paper. */
  readonly id: string;
  readonly title: string;
  readonly differs?: Difference;
  /** A scripted policy of the environment plays in place of a learner: measured on as many episodes, others for every seed. */
  readonly script?: string;
  /** Configurations tried before these settings were fixed; 0: those of the method's defaults or of its source. A script has none. */
  readonly trials: number;
  /** Another number than the paper's: an arm whose runs are those of another arm, read elsewhere (after fewer steps, say). */
  readonly quantity?: Quantity;
  /** Bounds of its world, where it is another one than that of the paper's `scale`. */
  readonly scale?: Omit<Scale, 'better'>;
  /** Score that it must reach as a rival before "no worse than it" says anything. */
  readonly competent?: number;
  /** Configs of the same environment in which the policy is measured for `againstReturn` and `elsewhere`: the mean over the list. */
  readonly against?: readonly JsonObject[];
  /** An experiment whose first seed is trained before and frozen; the return against it is reported beside the verdict. */
  readonly rival?: { readonly experiment: string; readonly name: string };
  /** Asked about the trained team, for `explained`. */
  readonly explain?: ExplainMeasure | AttackMeasure;
  /** Files from outside the project that it cannot run without. */
  readonly data?: readonly string[];
}

/** What CI can afford, at most 3 core-minutes: it says only whether the direction shows. */
export interface QuickForm {
  readonly run: JsonObject;
  /** Seeds an arm, from the first reported one on. */
  readonly seeds: number;
}

/** Beyond the budget of a suite: `times` the steps of every arm, judged by the same rule under an id of its own (src/claims/longer.ts). */
export interface LongerForm {
  readonly times: number;
  /** What it could say that the form of the suite does not. */
  readonly why: string;
}

/** Papers of which a verdict would say nothing of their own: their abstract claims no result. `map`: a survey; `built`: a benchmark or a framework
 *  with nothing to decide; `ours`: a direction that this project tests on it. They are counted apart. */
export const SIGNS = { map: 'map', built: 'built, not judged', ours: 'our test' } as const;
export type Sign = keyof typeof SIGNS;

/** A number of the abstract that a number here can be held against. */
export interface Published {
  readonly value: number;
  /** The number in words, with its unit and what it was measured on. */
  readonly text: string;
  /** The contrast whose estimate, or the arm whose mean score, is the same quantity here. */
  readonly of: string;
}

/**
 * The form of a card. With an outcome: `comparison`, arms over seeds, and `dose`, one size swept. Without (src/contract/paper-forms.ts): `idea`, one
 * thing to touch; `map`, a survey as a tree; `built`, tasks by methods.
 */
export const FORMS = ['comparison', 'dose', 'idea', 'map', 'built'] as const;
export type Form = (typeof FORMS)[number];

/** One size that is swept over arms, three to five of them, and judged by a slope over the same arms. */
export interface Dose {
  /** The size in a word or two, with its unit. */
  readonly size: string;
  readonly points: readonly { readonly arm: string; readonly at: number }[];
  /** Where the paper is on this axis: from and to the same for one place; null: without an end on that side. */
  readonly place: { readonly from: number | null; readonly to: number | null; readonly text: string };
}

/** What stands in for the method, and what of it is left out. */
export interface WhatWasTested {
  readonly label: Tested;
  /** What is left out of the method, or why it is a guess or a question of ours: a sentence; '' of the method itself. */
  readonly why: string;
}

/** What the runs of a paper found, in one sentence, written for one outcome: it is not shown beside another one. */
export interface Found {
  readonly outcome: Outcome;
  readonly text: string;
}

/** A card with an outcome. */
export interface JudgedCard {
  readonly form: Extract<Form, 'comparison' | 'dose'>;
  /** Of the form `dose`; null else. */
  readonly dose: Dose | null;
  readonly tested: WhatWasTested;
  /** null: no result yet. */
  readonly found: Found | null;
  /** Which form of this paper is judged on fresh seeds, counted from 1: all of them share one error budget. */
  readonly forms: number;
  /** "P033" for a paper of the list; a claim of our own has a name of lower-case words. */
  readonly id: string;
  readonly title: string;
  readonly authors: string;
  readonly year: number;
  readonly link: string;
  /** null: the abstract claims a result. */
  readonly sign: Sign | null;
  /** What the abstract claims, in our words and with its numbers; '' for a claim of our own, whose `question` says it. */
  readonly claim: string;
  readonly published: Published | null;
  /** null: a claim of our own. */
  readonly source: Source | null;
  /** What is smaller or other here than in the paper, at most three short points. */
  readonly differs: readonly string[];
  /** The question that the contrasts answer. */
  readonly question: string;
  /** The idea in plain words. */
  readonly idea: string;
  /** The equation that matters, as text. */
  readonly equation: string;
  /** A view of src/ui/claims/ideas in which the idea is touched on the paper's own method, by its id; null: none. No part of the rule. */
  readonly touch: string | null;
  /** RunConfig that all arms share, as JSON. */
  readonly config: JsonObject;
  readonly arms: readonly Arm[];
  readonly quantity: Quantity;
  /** The main one first. */
  readonly contrasts: readonly [Contrast, ...Contrast[]];
  readonly scale: Scale;
  readonly exempt: Exempt;
  /** Seeds of the looks, fixed before the first reported seed. */
  readonly looks: readonly number[];
  /** 'pilot': the looks for which its pilot finds room take their place. */
  readonly looksFrom: 'card' | 'pilot';
  /** Core-minutes that its full form may take, beside the pilot: FORM_MINUTES, unless its suite has more. */
  readonly minutes: number;
  /** Judged on ten seeds at once, where the claim names them; otherwise on five, and on ten where these leave it open. */
  readonly tenSeeds: boolean;
  /** Where ten seeds cost more than the suite may: its command stops after five, and `--full` goes on to ten by the same rule. */
  readonly secondLook: 'always' | 'full';
  /** First of the reported seeds: later than FIRST_REPORTED_SEED where an earlier form has been judged on those. */
  readonly firstSeed: number;
  /** First and last seed on which settings were chosen; null: nothing was chosen. Below FIRST_REPORTED_SEED. */
  readonly tunedOn: readonly [first: number, last: number] | null;
  readonly quick: QuickForm | null;
  /** Why a paper of the list has none, to follow "because"; '' where it has one. */
  readonly noQuick: string;
  readonly longer: LongerForm | null;
  /** What is smaller or otherwise than in the source, and why. */
  readonly scaledDown: string;
  /** What would make the comparison dishonest. */
  readonly dishonest: string;
  /** What to try next. */
  readonly next: string;
}

/** The sentence of a card that was written for this outcome; null where the outcome has become another one since. */
export const foundFor = ({ found }: Pick<JudgedCard, 'found'>, outcome: Outcome): string | null =>
  found?.outcome === outcome ? found.text : null;

/** A paper of the list: what the gallery knows of one that is not built, and of every one beside its file. */
export interface ListedPaper {
  readonly id: string;
  /** The system's name. */
  readonly name: string;
  readonly title: string;
  readonly tier: number;
  readonly topics: readonly string[];
  readonly idea: string;
  /** Pieces that its recipe needs and that are not built, in words. Not shown once it is built. */
  readonly waitsFor: readonly string[];
}

/** One line of `list papers`. */
export interface PaperLine {
  readonly type: 'paper';
  readonly id: string;
  readonly title: string;
  readonly tier: number;
  readonly topics: readonly string[];
  /** null: planned. */
  readonly form: Form | null;
  /** null: planned, or a form without an outcome. */
  readonly tested: Tested | null;
  /** null: a form without an outcome. */
  readonly outcome: Outcome | 'planned' | null;
  /** The card's sentence for this outcome; null: it has none. */
  readonly found: string | null;
  /** Whether a second block of seeds gave the same outcome; null: none was run. */
  readonly confirmed: boolean | null;
}

function refOf(shared: JsonObject, more: { readonly id?: string; readonly config?: JsonObject } = {}): JsonObject {
  const kept = more.id === undefined || more.id === shared.id ? shared : { id: more.id };
  return { ...kept, config: { ...objectOf(kept.config), ...more.config } };
}

/** The run config of an arm, as JSON: the shared one and what differs. */
export function armConfig(paper: Pick<JudgedCard, 'config'>, arm: Pick<Arm, 'differs'>): JsonObject {
  const { env, algo, run } = paper.config;
  const { differs = {} } = arm;
  return {
    ...paper.config,
    env: refOf(objectOf(env), differs.env),
    algo: refOf(objectOf(algo), differs.algo),
    run: { ...objectOf(run), ...differs.run },
  };
}

/** What an arm is compared by, with its unit. An arm that the card has no more: the quantity of the paper. */
export function quantityTitle({ arms, quantity }: Pick<JudgedCard, 'arms' | 'quantity'>, id: string): string {
  const { title, unit } = arms.find((arm) => arm.id === id)?.quantity ?? quantity;
  return unit === undefined ? title : `${title} (${unit})`;
}

/** What decides the verdict: arms, quantity, contrasts, checks, seeds, looks and the judge's version. Words may change without it. */
export function ruleOf(paper: JudgedCard) {
  const { arms, quantity, contrasts, scale, exempt, tunedOn, tested, forms, tenSeeds, looks, firstSeed } = paper;
  return {
    arms: arms.map(({ title: _, ...arm }) => ({
      ...arm,
      ...(arm.quantity && { quantity: { ...arm.quantity, title: null } }),
      differs: null,
      config: armConfig(paper, arm),
    })),
    quantity: { ...quantity, title: null },
    contrasts,
    scale,
    exempt: exempt.map(({ check, arms: names }) => ({ check, arms: names })),
    tunedOn,
    tested: tested.label,
    ...(forms > 1 && { forms }),
    ...(tenSeeds && { tenSeeds }),
    looks,
    judge: JUDGE_VERSION,
    from: firstSeed,
  };
}

/** Reported seeds of the second block, which confirms a result, begin here. */
export const FIRST_CONFIRMING_SEED = 7001;

/** First 12 hex of the SHA-256 of the rule. */
export const ruleHash = (paper: JudgedCard): string => sha256(utf8(canonicalJson(ruleOf(paper)))).slice(0, 12);
