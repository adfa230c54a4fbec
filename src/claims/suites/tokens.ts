/**
 * Comparisons of our own about small policies on tokens: what each of them learns in a minute or two of one core, and where it does not. All
 * have 104,000 to 108,000 parameters and, unless it says otherwise, answer 16 prompts 16 times in every update. Suite: `npm run claims -- tokens`.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm, JudgedCard, Quantity } from '#contract/papers/papers.ts';
import type { Contrast } from '#math/contrasts.ts';
import { definePaper } from '../define.ts';

const source = {
  authors: 'Shao et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2402.03300',
  equation: 'A = (R - mean) / deviation of the group',
} as const;

const solved: Quantity = { title: 'answered right, greedy', measured: 'solved' };
const sampled: Quantity = { title: 'answered right, drawn', measured: 'solved', drawn: true };

/** Every seed of what learned is above a level. */
const everySeed = (none: number): Contrast => ({ id: 'every seed', kind: 'every', arm: 'learned', claim: 'above', none });

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
  contrasts: [everySeed(0.95)],
  scale: { better: 'more' },
  tunedOn: [1, 9],
  noQuick: 'right answers come late in the budget, all at once',
  scaledDown:
    'Words of three letters out of four: 64 prompts, none held out. Without the bonus six of nine seeds got there, on which it was chosen.',
  dishonest: 'A right answer that was copied: nothing is cloned.',
  next: 'Leave the bonus out (entropyCoef 0), or ask for four letters.',
});

const WEAK: JsonObject = { cloneSteps: 50 };
const FIVE: JsonObject = { length: 5, letters: 6 };
/** Tokens that are written in 50 updates of cloning: 256 rows of five letters and an end each; spent in the last of them. */
const FIVE_CLONED = 76_500;

const reverse5 = definePaper({
  ...source,
  id: 'reverse-5',
  title: 'Five letters reversed, from one drawn answer in a hundred',
  question: 'Does a cloned start whose drawn answers are right once in a hundred times become right nine times in ten by reward?',
  idea: 'A start may know the answer and not dare to say it: its most probable answer is right, its drawn ones are not. Reward teaches on drawn answers.',
  config: reason(FIVE, WEAK, 300_000),
  arms: [
    { id: 'learned', title: 'cloned, then by reward', trials: 5 },
    start(5, FIVE_CLONED),
    start(5, FIVE_CLONED, { id: 'start-greedy', quantity: solved }),
  ],
  quantity: sampled,
  contrasts: [
    { id: 'every seed, drawn', kind: 'every', arm: 'learned', claim: 'above', none: 0.9 },
    { id: 'every start, drawn', kind: 'every', arm: 'start', claim: 'below', none: 0.05 },
  ],
  scale: { better: 'more' },
  tunedOn: [1, 5],
  noQuick: 'a third of the budget shows nothing yet',
  scaledDown:
    'Words of five letters out of six; the start is 50 updates of cloning, 45 to 60 were tried. On seeds 1 to 5 it is right in 0.008 to 0.016 of its drawn answers and in all greedy ones, and in 0.98 and more of the drawn ones at the end. An earlier start of 40 updates on 16 different words each gave no right answer in 256 drawn ones on three of five seeds, which then never met enough of them to learn from: not reproduced.',
  dishonest: 'Showing the greedy answers of the start alone, which are right already.',
  next: 'A start of fewer updates, which meets its first right answer by luck.',
});

const formTrap = definePaper({
  ...source,
  id: 'form-trap',
  title: 'A reward for form, and what heals it',
  question:
    'Does a tenth paid for the right form kill what the same start learns without it, and does a KL to the start or pay for right places save it?',
  idea: 'Many of the drawn answers have the right form, one in a hundred is right: a tenth for form outvotes a whole reward for being right, and the shortest answer of the right form wins.',
  config: reason({ ...FIVE, formatReward: 0.1 }, WEAK, 300_000),
  arms: [
    { id: 'paid', title: 'form is paid', trials: 2 },
    { id: 'held', title: 'form is paid, held near the start by a KL of 0.1', trials: 2, differs: { algo: { config: { klCoef: 0.1 } } } },
    {
      id: 'places',
      title: 'right places are paid in place of form',
      trials: 2,
      differs: { env: { config: { formatReward: 0, partialReward: 0.5 } } },
    },
  ],
  quantity: solved,
  contrasts: [
    { id: 'paid for form, no seed', kind: 'every', arm: 'paid', claim: 'below', none: 0.05 },
    { id: 'right places, every seed', kind: 'every', arm: 'places', claim: 'above', none: 0.9 },
    { id: 'a KL, every seed', kind: 'every', arm: 'held', claim: 'above', none: 0.9 },
  ],
  scale: { better: 'more' },
  tunedOn: [1, 3],
  noQuick: 'what is healed shows late in the budget',
  scaledDown:
    'Words of five letters out of six, the start of the comparison before. On seeds 1 to 3 a KL of 0.1 and one of 0.3 both healed it. From an earlier start of 40 updates on 16 different words each, which gave hardly any right answer, a KL of 0.1 healed no seed (0 to 0.42), because it holds the policy where it stands.',
  dishonest: 'A start at which right answers are as frequent as well-formed ones.',
  next: 'A KL of 0.02, or a start from fewer demonstrations (cloneSteps 40).',
});

const textGrid = definePaper({
  ...source,
  id: 'text-grid',
  title: 'A walk on a grid in words alone, from random moves',
  question: 'Does a policy that copied random moves learn by the outcome alone to walk to the goal, on every seed?',
  idea: 'The prompt says where it stands and where the goal is, the world answers each move with the new place. No way is shown; ten moves are allowed.',
  config: turns({}, { cloneSteps: 60, entropyCoef: 0.01 }, 600_000),
  arms: [{ id: 'learned', title: 'random moves copied, then by reward', trials: 3 }, start(3, 129_000)],
  quantity: solved,
  contrasts: [everySeed(0.95)],
  scale: { better: 'more' },
  tunedOn: [1, 5],
  noQuick: 'a third of the budget is cloning',
  scaledDown:
    'Four by four cells without walls. After 380,000 tokens all of seeds 1 to 5 stood at 1, but of five fresh seeds one at 0.85 and, without the bonus, two at 0.91 and 0.949: not reproduced. These were still climbing: how late it begins differs between seeds, so that the budget was raised by half.',
  dishonest: 'Demonstrations that go to the goal: those copied are uniform moves.',
  next: 'Walls that the prompt does not name (walls), or six by six cells.',
});

const guess16 = definePaper({
  ...source,
  id: 'guess-16',
  title: 'A number below 16 in five guesses',
  question:
    'Does a policy that copied mixed guesses learn a better search than guessing anywhere inside the known interval, on every seed?',
  idea: 'After each guess the world says whether the secret is higher or lower. Members of a group have different secrets: with the same one they would learn that secret.',
  config: turns({ game: 'guess', turns: 5, mistakes: 0.3 }, { lr: 5e-4, cloneSteps: 200, samePrompt: false }, 1_200_000),
  arms: [
    { id: 'learned', title: 'mixed guesses copied, then by reward', trials: 2 },
    {
      id: 'inside',
      title: 'script: anywhere inside the known interval',
      script: 'novice',
      trials: 0,
      differs: { env: { config: { mistakes: 0 } } },
    },
  ],
  quantity: solved,
  contrasts: [
    everySeed(0.9),
    { id: 'above guessing inside', kind: 'difference', arm: 'learned', over: 'inside', claim: 'above', size: 0.1 },
  ],
  scale: { better: 'more' },
  tunedOn: [1, 2],
  noQuick: 'half of the budget is cloning',
  scaledDown:
    'Sixteen numbers, five guesses: halving the interval never needs a sixth. Three of ten copied guesses are anywhere, the others inside the interval. With a step size of 0.001 from half as much cloning it was right in 0.54 and 0.80 of the games after 800,000 tokens, on seeds 1 and 2.',
  dishonest: 'Demonstrations that halve the interval; one secret for a whole group.',
  next: 'A hundred secrets and seven guesses (secrets, turns).',
});

/** Right answers to prompts that training never asks: a tenth of all, by their text. */
const heldOut = (task: JsonObject): Pick<Arm, 'quantity' | 'against'> => ({
  quantity: { title: 'right answers to held-out prompts, greedy', of: 'againstReturn' },
  against: [{ formatReward: 0, partialReward: 0, ...task, split: 'held-out' }],
});

/** Batches of 64 answers, which copy far more from as many tokens than 256 at once. */
const SMALL: JsonObject = { prompts: 8, group: 8, cloneLr: 3e-3, lr: 5e-4 };

const SORT: JsonObject = { order: 'sort', length: 5, letters: 6 };

const sort5 = definePaper({
  ...source,
  id: 'sort-5',
  title: 'Five letters put in order, own right answers copied again',
  question:
    'Does a policy whose cloned start sorts seven in ten words, and one in six of those it draws, learn by reward to sort words it never met, on every seed?',
  idea: 'Learning by reward from few right answers may undo what was copied: the noise of the wrong ones is a step too. Right answers that are kept and copied again hold against it.',
  config: reason({ ...SORT, split: 'train' }, { ...SMALL, cloneSteps: 35, replayUpdates: 4 }, 200_000),
  arms: [
    { id: 'learned', title: 'cloned, then by reward, successes copied again', trials: 3, ...heldOut(SORT) },
    {
      id: 'once',
      title: 'the same, every answer learned from once',
      trials: 5,
      differs: { algo: { config: { replayUpdates: 0 } } },
      ...heldOut(SORT),
    },
    // tokens of its cloning: 64 answers of six tokens in each update
    start(5, 13_400, heldOut(SORT)),
  ],
  quantity: solved,
  contrasts: [
    everySeed(0.9),
    { id: 'above its start', kind: 'difference', arm: 'learned', over: 'start', claim: 'above', size: 0.1, paired: true },
    { id: 'copied again or once', kind: 'difference', arm: 'learned', over: 'once', claim: 'above', size: 0.05, paired: true },
  ],
  scale: { better: 'more' },
  exempt: [{ check: 'steps', arms: ['learned', 'start'], why: 'the start is where cloning ends' }],
  tenSeeds: true,
  tunedOn: [1, 5],
  noQuick: 'right answers come late in the budget',
  scaledDown:
    'Words of five letters out of six, one in ten held out by its text; whole answers alone are paid. Four updates on own right answers after every rollout, of as many answers as a rollout has: both arms write as many tokens, the first makes five times as many updates. After 35 updates of cloning seeds 1, 2 and 4 sort 0.61, 0.59 and 0.82 of the held-out words, and 0.17, 0.10 and 0.22 of those that are drawn; with replay seed 2 was right in all of its drawn answers after 70,000 tokens, seed 4, from 45 updates, in 0.99 of the held-out words after 200,000. Two earlier forms of this comparison without replay were not reproduced: batches of 256 and a step of 0.001 came to 0.52 to 0.92; small ones from 90 updates, whose starts sort 0.83 to 0.95, to 0.96 and more on four seeds and from 0.93 down to 0.73 on one. In this form five seeds came to 0.996 and more, and left open how much of it copying again is worth beside learning once (0.73 to 0.97): judged on ten since.',
  dishonest: 'Asking for words that were trained on; calling learned by reward what was copied: the start is shown beside it.',
  next: 'Eight letters, or a start of twenty updates.',
});

const CHAIN: JsonObject = { task: 'chain', scratch: true, length: 3 };
/** Tokens of 1,100 updates of cloning on 64 answers. */
const CHAIN_CLONED = 417_000;

const chain3 = definePaper({
  ...source,
  id: 'chain-3',
  title: 'Three operations in a row, each step written down',
  question:
    'Does a policy that copied worked steps answer chains of three operations that it never met, and does reward mend a start that is too weak?',
  idea: 'The table of one operation is a hundred facts: where it was not copied, one digit in ten is right by luck, and luck is what reward would teach.',
  config: reason({ ...CHAIN, split: 'train' }, { ...SMALL, cloneSteps: 1100 }, 700_000),
  arms: [
    { id: 'learned', title: '1,100 updates of cloning, then by reward', trials: 3, ...heldOut(CHAIN) },
    start(1, CHAIN_CLONED, heldOut(CHAIN)),
    {
      id: 'weak',
      title: '750 updates of cloning, then by reward',
      trials: 1,
      differs: { algo: { config: { cloneSteps: 750 } } },
      ...heldOut(CHAIN),
    },
  ],
  quantity: solved,
  contrasts: [everySeed(0.8)],
  scale: { better: 'more' },
  tunedOn: [1, 2],
  noQuick: 'more than half of the budget is cloning',
  scaledDown:
    'Digits, + and - to the base of ten, steps and answer written down; one chain in ten held out by its text. Batches of 64 and a step size of 0.003 copy the table; of 256 and 0.001, as many tokens did not (0.11 after 1.2 million). On seed 1 a start of 0.22 was no better after 410,000 tokens of learning by reward, one of 0.25 after 320,000; after 1,100 updates the start stood at 0.95. While whole classes of chains were never held out, five seeds came to 0.988 and more, from starts of 0.94 and more: reproduced. With held-out chains drawn one by one, four of the same five come to 0.996 and more, as do their starts; on the first the table was not copied (0.34), and reward left it at 0.38, or at 0.19 from 750 updates: a weak start is not mended.',
  dishonest: 'Calling learned by reward what was copied: the start is shown beside it.',
  next: 'Paying for right steps (partialReward), or chains longer than those that were copied.',
});

const ADD: JsonObject = { task: 'add' };

/** Cloning ends where one new sum in five is right; with too small a step to move from there, the start is what remains. */
const ADD_START: JsonObject = { cloneSteps: 600, cloneUntil: 0.2 };
const STILL: JsonObject = { lr: 1e-9, replayUpdates: 0 };

const add2 = definePaper({
  ...source,
  id: 'add-2',
  title: 'Two-digit sums, from one right answer in five',
  question:
    'Does a policy whose cloned start knows one sum in five learn by reward to add numbers it never met, on every seed, where its own right answers are copied again?',
  idea: 'Where few answers of a group are right, each is learned from once and the noise of the others with it. Kept and copied again, a right answer is a demonstration.',
  config: reason({ ...ADD, split: 'train' }, { ...SMALL, ...ADD_START, replayUpdates: 4 }, 600_000),
  arms: [
    { id: 'learned', title: 'cloned to one in five, then by reward, successes copied again', trials: 3, ...heldOut(ADD) },
    {
      id: 'once',
      title: 'the same, every answer learned from once',
      trials: 6,
      differs: { algo: { config: { replayUpdates: 0 } } },
      ...heldOut(ADD),
    },
    {
      id: 'start',
      title: 'its start, not moved any more',
      trials: 1,
      differs: { algo: { config: STILL }, run: { steps: 100_000 } },
      ...heldOut(ADD),
    },
  ],
  quantity: solved,
  contrasts: [
    everySeed(0.9),
    { id: 'every start', kind: 'every', arm: 'start', claim: 'below', none: 0.3 },
    { id: 'copied again or once', kind: 'difference', arm: 'learned', over: 'once', claim: 'above', size: 0.05, paired: true },
  ],
  scale: { better: 'more' },
  firstSeed: 3001, // those from 1001 on were judged on prompts held out by an older rule
  tunedOn: [1, 5],
  noQuick: 'right answers come late in the budget',
  scaledDown:
    'Sums of two numbers of two digits, hundreds first; one pair in ten held out by its text. Cloning ends where greedy writing meets one new demonstration in five: after as many updates of cloning one seed knows a tenth, another nearly all. Four updates on own right answers after every rollout, of as many answers as a rollout has: both arms write as many tokens, the first makes five times as many updates. Seeds 1, 4 and 5 start at 0.20, 0.14 and 0.11 of the held-out sums. Without replay seed 1 came to 0.93 from such starts, seed 4 only to 0.42 after 800,000 tokens, with right digits paid to 0.62, to 0.66 with a step of 0.0002 and half as many tokens more, to 0.60 in batches of 128, and with a step of 0.001 to 0.05 and 0.53; with replay seed 4 came to 0.98 after 600,000, seed 1 to 1 after 500,000. Two earlier forms ended cloning after a fixed number of updates, 380 and 300, and passed 0.9 on five seeds of five, the second with replay at 0.996 and more, but from starts of 0.61 to 0.94 and of 0.33 to 0.96: not one in five. What five seeds showed: starts of 0.20 to 0.30 come to 0.93 and more with replay, to 0.80 to 0.99 without; how much of it copying again is worth stays open.',
  dishonest: 'Answers that were copied from a teacher: the start is shown beside it.',
  next: 'Three digits, or the units first (digitsA, digitsB, reversed).',
});

const COUNTDOWN: JsonObject = { task: 'countdown', ops: '+-*' };

const countdown3 = definePaper({
  ...source,
  id: 'countdown-3',
  title: 'Countdown with three numbers, from worked answers alone',
  question: 'Does a policy that has 108,000 parameters and copies worked answers find ways to targets it never met, on every seed?',
  idea: 'Where reward from a weak start stays at four answers in ten, more answers to copy, in small batches and with a step that falls to nothing, go on.',
  config: {
    v: 1,
    env: { id: 't-reason', config: { ...COUNTDOWN, formatReward: 0, partialReward: 0, split: 'train' } },
    algo: { id: 'token-cloning', config: { rows: 32, lr: 3e-3, annealLr: true } },
    run: { steps: 2_200_000, evalEpisodes: 256 },
  },
  arms: [{ id: 'learned', title: 'copied, two million tokens', trials: 5, ...heldOut(COUNTDOWN) }],
  quantity: solved,
  contrasts: [everySeed(0.8)],
  scale: { better: 'more' },
  firstSeed: 3001, // those from 1001 on were judged on prompts held out by an older rule
  tunedOn: [1, 2],
  noQuick: 'right answers come late in the budget',
  scaledDown:
    'Three numbers up to nine, the operations + - *, any way that the verifier accepts; one prompt in ten held out by its text. On seed 1: 0.42 after 400,000 tokens in batches of 32, 0.78 after 1.5 million in batches of 64; with a step size of 0.002 that falls 0.87 after 2.2 million, with 0.003 and batches of 32 0.95. In batches of 64 with a step of 0.002 that stays five fresh seeds came to 0.76 to 0.86 after 2.2 million: not reproduced. All these numbers are of an older rule, by which whole classes of prompts were never held out; five seeds of this form had then come to 0.84 to 0.90. By the rule of today three numbers are held out in every order: seeds from 3,001 solve 0.89 to 1.00 of the prompts of their training and 0.28 to 0.46 of those.',
  dishonest: 'Calling it learning by reward: nothing is rewarded here.',
  next: 'Learning by reward from there, with a small step; four numbers.',
});

export const tokens: readonly JudgedCard[] = [reverse3, reverse5, formTrap, sort5, chain3, add2, countdown3, textGrid, guess16];
