/** P089: recurrent memories against attention and slots where a cue must be kept, and where every corridor brings a new one that makes the last worthless. */
import type { JsonObject } from '#contract/json.ts';
import { ABSTRACT_ONLY, type Arm } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

const COMMON: JsonObject = { envs: 16, rolloutSteps: 64, minibatches: 4, lr: 1e-3, annealLr: false, hidden: [64], sequence: 16 };

/** As many parameters each, within 3 per cent. */
const MEMORIES = [
  { id: 'gru', title: 'GRU', config: { cell: 'gru', units: 64 } },
  { id: 'lstm', title: 'LSTM', config: { cell: 'lstm', units: 52 } },
  { id: 'attention', title: 'attention', config: { cell: 'attention', units: 58, memoryWindow: 64 } },
  { id: 'slots', title: 'slots', config: { cell: 'slots', units: 54, memorySlots: 8 } },
] as const;
const RATES = [0, 1] as const;

const arms = RATES.flatMap((rate) =>
  MEMORIES.map(
    ({ id, title, config }): Arm => ({
      id: `${id}-${100 * rate}`,
      title: `${title}, ${100 * rate} % of the cues new`,
      trials: 1,
      differs: { env: { config: { rewriteRate: rate } }, algo: { config } },
    }),
  ),
);
/** A recurrent memory beside another one where every cue is new. */
const PAIRS = ['attention-100', 'slots-100'].flatMap((other) => [
  ['gru-100', other],
  ['lstm-100', other],
]);

export const memoryRewriting = definePaper({
  id: 'P089',
  title: 'Memory Retention Is Not Enough to Master Memory Tasks in Reinforcement Learning',
  authors: 'Shchendrigin et al.',
  year: 2026,
  link: 'https://arxiv.org/abs/2601.15086',
  claim:
    'Recurrent agents rewrite their memory more reliably than transformers and structured memories, which fail beyond trivial retention.',
  mechanism: ABSTRACT_ONLY,
  differs: ['an endless T-maze of five corridors', 'one attention layer over 64 steps, eight slots', '400,000 steps'],
  question: 'Do recurrent memories overwrite a cue more surely than attention and slots, which keep one as well?',
  idea: 'To keep what was seen is half of a memory; the other half is to replace it when something newer holds.',
  equation: 'return = sum over corridors of 1 for a right turn, -1 and the end for a wrong one, -0.01 a step',
  config: {
    v: 1,
    env: { id: 'gridworld-memory', config: { task: 'endless-t-maze', length: 10, corridors: 5 } },
    algo: { id: 'recurrent-ppo', config: COMMON },
    run: { steps: 400_000, evalEpisodes: 200 },
  },
  arms,
  quantity: { title: 'return of greedy test episodes', of: 'evalReturn' },
  contrasts: [
    {
      id: 'where every cue is new, GRU and LSTM are each ten points above attention and above slots',
      kind: 'cells',
      cells: PAIRS,
      of: 4,
      claim: 'above',
      size: 0.47,
    },
    { id: 'two of these four pairs', kind: 'cells', cells: PAIRS, of: 2, claim: 'above', size: 0.47 },
    {
      id: 'where the first cue holds, attention and slots are at most ten points behind both',
      kind: 'cells',
      cells: [
        ['attention-0', 'gru-0', 'lstm-0'],
        ['slots-0', 'gru-0', 'lstm-0'],
      ],
      of: 2,
      claim: 'above',
      none: -0.47,
    },
  ],
  scale: { better: 'more', random: -0.97 },
  exempt: [],
  tunedOn: [1, 2],
  quick: { run: { steps: 60_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'Endless T-mazes of five corridors of ten cells, 400,000 steps. Ten points are a tenth of what lies between always turning the same way and the optimum of 4.5. Attention stands for the transformer, one layer of it over 64 steps, longer than an episode without detours; eight slots stand for structured memories. Backpropagation through time reaches over 16 steps, longer than a corridor, shorter than the episode in which one cue must be kept. One setting for all, the preset for small memory tasks with longer rollouts. On seeds 1 and 2 a larger entropy bonus (GRU) and corridors of six cells were also tried and not kept. Objects that move are left out. What ten seeds showed: attention rewrites as surely as GRU and LSTM; it is keeping one cue through all corridors that it learns worse.',
  dishonest: 'A window of attention shorter than the corridors; sequences shorter than a corridor; a memory that has fewer parameters.',
  next: 'Longer corridors: from which length on does the GRU forget, and is it sooner where cues must be kept through all of them?',
});
