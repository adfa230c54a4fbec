/** P027: attention over chunks of the past against flat attention and recurrent memories: six bits, one of them asked for, at the delay of training and at three times as much. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const COMMON: JsonObject = { envs: 16, rolloutSteps: 64, minibatches: 4, lr: 1e-3, annealLr: false, hidden: [64], sequence: 32 };

/** Six bits are shown at once; one of them is asked for at the end. */
const world: JsonObject = { bits: 6 };

/** As many parameters each, within 3 per cent. */
const MEMORIES = [
  { id: 'chunks', title: 'chunk attention', config: { cell: 'chunks', units: 58, memoryWindow: 64, memoryChunk: 8, memoryTopK: 2 } },
  { id: 'attention', title: 'flat attention', config: { cell: 'attention', units: 58, memoryWindow: 64 } },
  { id: 'lstm', title: 'LSTM', config: { cell: 'lstm', units: 52 } },
  { id: 'gru', title: 'GRU', config: { cell: 'gru', units: 64 } },
] as const;
const DELAYS = [
  { length: 16, quantity: { title: 'return at the delay of training', of: 'evalReturn' } },
  { length: 48, quantity: { title: 'return at three times the delay', of: 'againstReturn' } },
] as const;

/** The same runs, read at either delay. */
const arms = MEMORIES.flatMap(({ id, title, config }) =>
  DELAYS.map(
    ({ length, quantity }): Arm => ({
      id: `${id}-${length}`,
      title: `${title}, a delay of ${length}`,
      trials: 2,
      against: [{ ...world, memoryLength: 48 }],
      quantity,
      differs: { algo: { config } },
    }),
  ),
);
const others = (length: number): readonly string[] => [`chunks-${length}`, `lstm-${length}`, `attention-${length}`];

export const hcam = definePaper({
  id: 'P027',
  title: 'Towards mental time travel: a hierarchical memory for reinforcement learning agents',
  authors: 'Lampinen et al.',
  year: 2021,
  link: 'https://arxiv.org/abs/2105.14039',
  claim:
    'A memory in chunks with two levels of attention beats LSTM and flat attention at long recall and extrapolates far beyond the lengths trained on.',
  source: {
    read: 'Authors’ code, deepmind-research, hierarchical_transformer_memory/hierarchical_attention/htm_attention.py.',
    table: [
      { of: 'a query is scored against one summary of each chunk', ours: 'src/core/nets/chunks.ts (readRows)', state: 'kept' },
      {
        of: 'the best few are read by attention, each weighed by a softmax over those few scores',
        ours: 'src/core/nets/chunks.ts (readRows)',
        state: 'kept',
      },
      { of: 'places in a chunk are encoded', ours: 'src/core/nets/chunks.ts (readRows)', state: 'kept' },
      {
        of: 'no gradient reaches what is stored',
        ours: 'src/core/nets/chunks.ts (policyPrograms)',
        state: 'changed',
        note: 'It reaches the last 32 steps.',
      },
      { of: 'several layers', ours: 'src/core/nets/chunks.ts (policyPrograms)', state: 'changed', note: 'One.' },
      { of: 'a loss that rebuilds what was seen', ours: '', state: 'left out', note: 'PPO’s loss alone.' },
    ],
  },
  differs: [
    'six bits on a chain, asked for after 16 steps in training and 48 in the test',
    'chunks of eight steps, two of them read',
    'one layer; gradients through 32 steps',
  ],
  found: {
    outcome: 'open',
    text: 'With memory in two layers the long delay costs 0.42 of what was reached in training; that it beats LSTM and flat attention is open on twenty seeds.',
  },
  question:
    'Does an agent that looks up chunks of its past recall a cue after three times the delay it was trained on, where an LSTM and flat attention do not?',
  idea: 'What was seen is kept in chunks. A question is put to their summaries first, and only the chunks that it concerns are read.',
  equation: 'r = sum over the k most relevant chunks n of R_n attention(e, chunk n), R = softmax over these of e W mean of chunk n',
  config: {
    v: 1,
    env: { id: 'memory-chain', config: { ...world, memoryLength: 16 } },
    algo: { id: 'recurrent-ppo', config: COMMON },
    run: { steps: 400_000, evalEpisodes: 200 },
  },
  arms,
  quantity: { title: 'return of greedy test episodes', of: 'evalReturn' },
  contrasts: [
    // a tenth of the way from guessing to the optimum
    { id: 'above LSTM and flat attention at the long delay', kind: 'cells', cells: [others(48)], of: 1, claim: 'above', size: 0.1 },
    // the same
    { id: 'above both at one of the delays', kind: 'cells', cells: [others(48), others(16)], of: 1, claim: 'above', size: 0.1 },
    {
      id: 'less than a tenth is lost from the delay of training to the long one',
      kind: 'difference',
      arm: 'chunks-48',
      over: 'chunks-16',
      claim: 'above',
      none: -0.1,
    },
  ],
  scale: { better: 'more', random: 0, ceiling: 1 },
  leftOut: 'Recall of bits alone: rooms in pictures, words learned at once and several tasks in a row are not tested.',
  firstSeed: 3001,
  forms: 2,
  tunedOn: [901, 901],
  quick: { run: { steps: 100_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'The memory chain of bsuite: six bits are shown at the beginning, one of them is asked for after 16 steps in training, after 48 in the test, in place of ballets and hidden objects of rooms in pictures. A tenth of the way from guessing (0) to the optimum (1) is what is claimed and what may be lost. Chunks of eight steps, of which the two most relevant are read; one layer of attention over 64 steps, longer than the test; gradients through 32 steps, longer than the training. The same runs are read at both delays. A first form, a T-maze of one bit on ten seeds from 1,001, was inconclusive: GRU and LSTM had the optimum there, so that nothing could be above them; ballets and noise in the corridor had been tried before it, and no memory learned them. This world was chosen by its rivals on seed 901: with four bits flat attention ended at 0.91 after 16 steps and at 0.79 after 48, LSTM and GRU at 0.5 and 0.2.',
  dishonest:
    'An LSTM that learns from sequences shorter than the cue needs where attention sees all of it; a window of attention shorter than the test; unequal parameters.',
  next: 'More bits, or ballets with more steps.',
});
