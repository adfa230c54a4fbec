/** All that makes a claim: papers (papers/), comparisons by suite (suites/), and the list of papers, of which most are only planned. */

import { isJudged, type PaperCard } from '#contract/papers/forms.ts';
import { isConfirmed } from '#contract/papers/labels.ts';
import { foundFor, type JudgedCard, type ListedPaper, type PaperLine } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import list from './list.json' with { type: 'json' };
import { longerForm } from './longer.ts';
import { judgedPapers, papers } from './papers/index.ts';
import { retrainedVictim } from './suites/attacks.ts';
import { entitiesAndDense } from './suites/entities.ts';
import { limitOnHazards } from './suites/limits.ts';
import { bodies } from './suites/mujoco.ts';
import { offline } from './suites/offline.ts';
import { preferences60 } from './suites/preferences.ts';
import { single } from './suites/single.ts';
import { nineTokenMethods } from './suites/token-methods.ts';
import { tokens } from './suites/tokens.ts';
import { offlineTransformer } from './suites/transformer.ts';

/** Comparisons of our own, which stand in no list; their ids are lower-case words. By the suite that runs them together. */
export const suites: { readonly [suite: string]: readonly JudgedCard[] } = {
  offline: [...offline, offlineTransformer],
  'single-agent': single,
  mujoco: bodies,
  preferences: [preferences60],
  attacks: [retrainedVictim],
  limits: [limitOnHazards],
  'multi-agent': [entitiesAndDense],
  tokens: [...tokens, nineTokenMethods],
};

/** Headings of suites, those of claims of experiments (experiments/) among them. */
export const suiteTitles: { readonly [suite: string]: string } = {
  basics: 'First claims',
  'single-agent': 'One agent',
  'multi-agent': 'Teams and games',
  shapley: 'What agents of a team are worth',
  tokens: 'Policies on tokens',
  offline: 'Learning from recordings alone',
  preferences: 'Learning from preferences',
  attacks: 'Attacks on what is seen',
  limits: 'Limits on cost',
  mujoco: 'Bodies with joints beside published scores',
};
export const comparisons: readonly JudgedCard[] = Object.values(suites).flat();

/** The longer forms of those that have one. */
export const longer: readonly JudgedCard[] = [...judgedPapers, ...comparisons].flatMap((paper) => longerForm(paper) ?? []);

const pieces: { readonly [name: string]: string } = list.pieces;

/** All papers of the list, built or not, by number. */
export const listed: readonly ListedPaper[] = list.papers.map((paper) => ({
  ...paper,
  waitsFor: paper.waitsFor.map((piece) => pieces[piece] ?? piece),
}));

/** The card of an id, in whatever form: of a paper ("P033", "p033") or of a comparison ("offline-cartpole"); undefined where it is not built. */
export const cardOf = (id: string): PaperCard | undefined =>
  papers.find((paper) => paper.id === id.toUpperCase()) ?? [...comparisons, ...longer].find((own) => own.id === id);

/** What is judged under an id: the card, or what was judged before it took a form without an outcome; undefined: nothing. */
export const paperOf = (id: string): JudgedCard | undefined =>
  judgedPapers.find((paper) => paper.id === id.toUpperCase()) ?? [...comparisons, ...longer].find((own) => own.id === id);

/** One line for every paper of the list. Without a result a built paper is open: nothing is known yet. */
export function paperLines(resultOf: (id: string) => PaperResult | undefined): readonly PaperLine[] {
  return listed.map(({ id, title, tier, topics }): PaperLine => {
    const card = cardOf(id);
    const line = { type: 'paper', id, title, tier, topics } as const;
    if (card === undefined) return { ...line, form: null, tested: null, outcome: 'planned', found: null, confirmed: null };
    if (!isJudged(card)) return { ...line, form: card.form, tested: null, outcome: null, found: null, confirmed: null };
    const result = resultOf(id);
    const outcome = result?.outcome ?? 'open';
    const found = foundFor(card, outcome);
    return { ...line, form: card.form, tested: card.tested.label, outcome, found, confirmed: result ? isConfirmed(result) : null };
  });
}
