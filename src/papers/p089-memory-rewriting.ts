/** P089: recurrent memories where a cue must be kept, and where every corridor brings a new one that makes the last worthless. */
import type { JsonObject } from '#contract/json.ts';
import type { Arm } from '#contract/papers.ts';
import { definePaper } from './define.ts';

const COMMON: JsonObject = { envs: 16, rolloutSteps: 64, minibatches: 4, lr: 1e-3, annealLr: false };

/** As many parameters each, within 3 per cent. */
const MEMORIES = [
  { id: 'gru', title: 'GRU', algo: { id: 'recurrent-ppo', config: { ...COMMON, cell: 'gru', hidden: [64], units: 64, sequence: 16 } } },
  { id: 'lstm', title: 'LSTM', algo: { id: 'recurrent-ppo', config: { ...COMMON, cell: 'lstm', hidden: [64], units: 52, sequence: 16 } } },
  { id: 'none', title: 'no memory', algo: { id: 'ppo', config: { ...COMMON, hidden: [110, 110] } } },
] as const;
const RATES = [0, 1] as const;

const arms = RATES.flatMap((rate) =>
  MEMORIES.map(
    ({ id, title, algo }): Arm => ({
      id: `${id}-${100 * rate}`,
      title: `${title}, ${100 * rate} % of the cues new`,
      trials: 1,
      differs: { env: { config: { rewriteRate: rate } }, algo },
    }),
  ),
);

export const memoryRewriting = definePaper({
  id: 'P089',
  title: 'Memory Retention Is Not Enough to Master Memory Tasks in Reinforcement Learning',
  authors: 'Shchendrigin et al.',
  year: 2026,
  link: 'https://arxiv.org/abs/2601.15086',
  question: 'Do recurrent memories overwrite a cue as surely as they keep one?',
  idea: 'To keep what was seen is half of a memory; the other half is to replace it when something newer holds.',
  equation: 'return = sum over corridors of 1 for a right turn, -1 and the end for a wrong one, -0.01 a step',
  config: {
    v: 1,
    env: { id: 'gridworld-memory', config: { task: 'endless-t-maze', length: 10, corridors: 5 } },
    algo: { id: 'recurrent-ppo' },
    run: { steps: 200_000, evalEpisodes: 200 },
  },
  arms,
  quantity: { title: 'return of greedy test episodes', of: 'evalReturn' },
  contrasts: [
    {
      id: 'where every cue is new, a GRU is far above no memory',
      kind: 'difference',
      arm: 'gru-100',
      over: 'none-100',
      claim: 'above',
      size: 0.47,
    },
    { id: 'and so is an LSTM', kind: 'difference', arm: 'lstm-100', over: 'none-100', claim: 'above', size: 0.47 },
    {
      id: 'a GRU rewrites as surely as it keeps: at most 10 points less',
      kind: 'difference',
      arm: 'gru-100',
      over: 'gru-0',
      claim: 'above',
      none: -0.47,
      part: false,
    },
  ],
  scale: { better: 'more', random: -0.97 },
  exempt: [],
  atMost: {
    verdict: 'partly',
    why: 'The recurrent half alone: neither a transformer’s memory nor a structured one stands against it, which the paper’s claim is about.',
  },
  tunedOn: [1, 1],
  quick: { run: { steps: 60_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'Endless T-mazes of five corridors of ten cells, 200,000 steps. Ten points are a tenth of what lies between always turning the same way and the optimum of 4.5. Backpropagation through time reaches over 16 steps, longer than a corridor, shorter than the episode in which one cue must be kept. One setting for all, the preset for small memory tasks with longer rollouts.',
  dishonest: 'Sequences shorter than a corridor for one cell and not for the other; a rival without memory that has fewer parameters.',
  next: 'Longer corridors: from which length on does the GRU forget, and is it sooner where cues must be kept through all of them?',
});
