/**
 * Comparisons of our own about small policies on tokens: what each of them learns in a minute or two of one core, and where it does not. All
 * have 107,000 parameters and answer 16 prompts 16 times in every update. Suite: `npm run claims -- tokens`.
 */
import type { JsonObject } from '#contract/json.ts';
import type { Arm, PaperCard, Quantity } from '#contract/papers.ts';
import { definePaper } from './define.ts';

const source = {
  authors: 'RL Workbench, after Shao et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2402.03300',
  equation: 'A = (R - mean) / deviation of the group',
} as const;

const solved: Quantity = { title: 'answered right, greedy', measured: 'solved' };
const sampled: Quantity = { title: 'answered right, drawn', measured: 'solved', drawn: true };

/** A task of t-reason that pays for right answers alone, unless it says otherwise, and how it is learned. */
const reason = (task: JsonObject, algo: JsonObject, steps: number): JsonObject => ({
  v: 1,
  env: { id: 't-reason', config: { formatReward: 0, partialReward: 0, ...task } },
  algo: { id: 'group-rl', config: algo },
  run: { steps, evalEpisodes: 256 },
});
const turns = (game: JsonObject, algo: JsonObject, steps: number): JsonObject => ({
  v: 1,
  env: { id: 't-turns', config: game },
  algo: { id: 'group-rl', config: algo },
  run: { steps, evalEpisodes: 256 },
});

/** What learning by reward begins with: a run whose budget is spent when cloning is. */
const start = (trials: number, steps: number, more: Partial<Arm> = {}): Arm => ({
  id: 'start',
  title: 'its start, cloned only',
  trials,
  differs: { run: { steps } },
  ...more,
});

const reverse3 = definePaper({
  ...source,
  id: 'reverse-3',
  title: 'Three letters reversed, from nothing',
  question: 'Does a policy that writes at random learn to reverse three letters by reward alone, on every seed?',
  idea: 'Of 64 tokens at random, one answer in 16 million is right: what is paid for the right form and for right places leads there, and an entropy bonus keeps it from being certain too early.',
  config: reason({ formatReward: 0.1, partialReward: 0.5 }, { entropyCoef: 0.05 }, 380_000),
  arms: [{ id: 'learned', title: 'by reward alone', trials: 3 }],
  quantity: solved,
  contrasts: [{ id: 'every seed', kind: 'every', arm: 'learned', claim: 'above', none: 0.95 }],
  scale: { better: 'more' },
  tunedOn: [1, 9],
  noQuick: 'right answers come late in the budget, all at once',
  scaledDown:
    'Words of three letters out of four: 64 prompts, none held out. Without the bonus six of nine seeds got there, on which it was chosen.',
  dishonest: 'A right answer that was copied: nothing is cloned.',
  next: 'Leave the bonus out (entropyCoef 0), or ask for four letters.',
});

const WEAK: JsonObject = { cloneSteps: 40, cloneApart: false };
const FIVE: JsonObject = { length: 5, letters: 6 };
/** Tokens that are written in 40 updates of cloning: 256 rows of five letters and an end each; spent in the last of them. */
const FIVE_CLONED = 61_000;

const reverse5 = definePaper({
  ...source,
  id: 'reverse-5',
  title: 'Five letters reversed, from one drawn answer in a hundred',
  question: 'Does a cloned start whose drawn answers are right once in a hundred times become right nine times in ten by reward?',
  idea: 'A start may know the answer and not dare to say it: its most probable answer is right, its drawn ones are not. Reward teaches on drawn answers.',
  config: reason(FIVE, WEAK, 240_000),
  arms: [
    { id: 'learned', title: 'cloned, then by reward', trials: 1 },
    start(1, FIVE_CLONED),
    start(1, FIVE_CLONED, { id: 'start-greedy', quantity: solved }),
  ],
  quantity: sampled,
  contrasts: [
    { id: 'every seed, drawn', kind: 'every', arm: 'learned', claim: 'above', none: 0.9 },
    { id: 'every start, drawn', kind: 'every', arm: 'start', claim: 'below', none: 0.05, part: false },
  ],
  scale: { better: 'more' },
  tunedOn: [1, 1],
  noQuick: 'a third of the budget shows nothing yet',
  scaledDown: 'Words of five letters out of six; the start is 40 updates of cloning on 16 different words each.',
  dishonest: 'Showing the greedy answers of the start alone, which are right already.',
  next: 'Pay for the right form as well: that is the trap of the next comparison.',
});

const textGrid = definePaper({
  ...source,
  id: 'text-grid',
  title: 'A walk on a grid in words alone, from random moves',
  question: 'Does a policy that copied random moves learn by the outcome alone to walk to the goal, on every seed?',
  idea: 'The prompt says where it stands and where the goal is, the world answers each move with the new place. No way is shown; ten moves are allowed.',
  config: turns({}, { cloneSteps: 60 }, 380_000),
  arms: [{ id: 'learned', title: 'random moves copied, then by reward', trials: 1 }, start(1, 129_000)],
  quantity: solved,
  contrasts: [{ id: 'every seed', kind: 'every', arm: 'learned', claim: 'above', none: 0.95 }],
  scale: { better: 'more' },
  tunedOn: [1, 1],
  noQuick: 'a third of the budget is cloning',
  scaledDown: 'Four by four cells without walls.',
  dishonest: 'Demonstrations that go to the goal: those copied are uniform moves.',
  next: 'Walls that the prompt does not name (walls), or six by six cells.',
});

export const tokens: readonly PaperCard[] = [reverse3, reverse5, textGrid];
