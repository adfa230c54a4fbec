/** P089: recurrent memories against attention and slots where every corridor brings a new cue that makes the last worthless. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const COMMON: JsonObject = { envs: 16, rolloutSteps: 64, minibatches: 4, lr: 1e-3, annealLr: false, hidden: [64], sequence: 16 };

/** More corridors than a window of attention holds: the last cue is always in it, older ones are, too. */
const world: JsonObject = { task: 'endless-t-maze', length: 10, corridors: 10, rewriteRate: 1 };

/** As many parameters each, within 3 per cent. */
const MEMORIES = [
  { id: 'gru', title: 'GRU', config: { cell: 'gru', units: 64 } },
  { id: 'lstm', title: 'LSTM', config: { cell: 'lstm', units: 52 } },
  { id: 'attention', title: 'attention', config: { cell: 'attention', units: 58, memoryWindow: 64 } },
  { id: 'slots', title: 'slots', config: { cell: 'slots', units: 54, memorySlots: 8 } },
] as const;
/** A tenth of what lies between always turning the same way (-0.2) and the optimum (9). */
const TEN_POINTS = 0.92;

const arms = MEMORIES.map(
  ({ id, title, config }): Arm => ({
    id: `${id}-100`,
    title: `${title}, every cue new`,
    trials: 1,
    differs: { algo: { config } },
  }),
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
  source: {
    read: 'Authors’ code, Quartz-Admirer/Adaptive-Memory-Envs at 240b35d, environments/endless_tmaze.py, model.py and FFM_SHM/train.py.',
    table: [
      {
        of: 'endless_tmaze.py: a cue in the first cell of a corridor alone, a wrong turn ends',
        ours: 'src/core/envs/grids/lib/memory/endless.ts (endlessTMaze)',
        state: 'kept',
      },
      {
        of: 'the same: rewards',
        ours: 'src/core/envs/grids/lib/memory/endless.ts (STEP)',
        state: 'changed',
        note: 'Each step costs 0.01, a wrong turn 1.',
      },
      { of: 'PPO with a GRU', ours: 'src/core/algos/on-policy/recurrent-ppo.ts', state: 'kept' },
      {
        of: 'model.py: an episodic transformer with cached memories',
        ours: 'src/core/nets/attention.ts (transformerBlock)',
        state: 'changed',
        note: 'One layer.',
      },
      {
        of: 'FFM_SHM/train.py: FFM and SHM',
        ours: 'src/core/nets/slots.ts (slotCell)',
        state: 'changed',
        note: 'Slots that attention reads and writes.',
      },
      { of: 'objects that move', ours: '', state: 'left out', note: 'One world.' },
    ],
  },
  differs: [
    'an endless T-maze of ten corridors',
    'one attention layer over 64 steps, eight slots',
    'the mean over 400,000 steps; keeping one cue is not judged',
  ],
  found: {
    outcome: 'not shown',
    text: 'Where every cue is new GRU and LSTM do not lead attention and slots by ten points: they are behind, not clearly.',
  },
  question:
    'Do recurrent memories learn sooner and more surely than attention and slots to overwrite a cue, where ten corridors each bring a new one?',
  idea: 'To keep what was seen is half of a memory; the other half is to replace it when something newer holds.',
  equation: 'return = sum over corridors of 1 for a right turn, -1 and the end for a wrong one, -0.01 a step',
  config: {
    v: 1,
    env: { id: 'gridworld-memory', config: world },
    algo: { id: 'recurrent-ppo', config: COMMON },
    run: { steps: 400_000, evalEpisodes: 200 },
  },
  arms,
  quantity: { title: 'return of training episodes, mean over training', metric: 'episodicReturn', take: 'mean' },
  contrasts: [
    {
      id: 'where every cue is new, GRU and LSTM are each ten points above attention and above slots',
      kind: 'cells',
      cells: PAIRS,
      of: 4,
      claim: 'above',
      size: TEN_POINTS,
    },
    {
      id: 'where every cue is new, one of them is ten points above attention',
      kind: 'cells',
      cells: [
        ['gru-100', 'attention-100'],
        ['lstm-100', 'attention-100'],
      ],
      of: 1,
      claim: 'above',
      size: TEN_POINTS,
    },
  ],
  scale: { better: 'more', ceiling: 9 },
  exempt: [{ check: 'random', arms: ['slots-100'], why: 'the claim is that such memories fail here' }],
  leftOut:
    'The structured memories of the paper (FFM, SHM) are not built, slots stand for them; its second world, objects that move, is no arm here.',
  firstSeed: 3001,
  forms: 3,
  tunedOn: [1, 901],
  quick: { run: { steps: 60_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'Endless T-mazes of ten corridors of ten cells, 400,000 steps. Ten points are a tenth of what lies between always turning the same way and the optimum of 9. Attention stands for the transformer, one layer of it over 64 steps, which hold six cues of which only the last one counts; eight slots stand for structured memories. Backpropagation through time reaches over 16 steps, longer than a corridor. One setting for all, the preset for small memory tasks with longer rollouts. Objects that move are left out. What is read is the mean over training: at its end all but slots have the optimum on seed 901, ten corridors or five, and nothing is left to be better by. Corridors twice as long in the test were tried on that seed and left: there recurrent memories no longer walk on. Earlier forms, on ten seeds from 1,001, had five corridors, once with every cue new and once with a single one to keep: attention rewrote as surely as GRU and LSTM there, at 96 % of the way to the optimum, where nothing is left to be better by; and what it kept less surely than they did is not what the paper says.',
  dishonest: 'A window of attention shorter than the corridors; sequences shorter than a corridor; a memory that has fewer parameters.',
  next: 'Longer corridors, or only half of the cues new (rewriteRate 0.5): then each must be kept until the next one comes.',
});
