/** Continuous actions: what needs fewer steps, or fewer seconds, than SAC. Suite: single.ts. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** SAC's preset `small`, the fastest per second of those tried here. */
const SMALL: JsonObject = { lr: 1e-3, criticLr: 1e-3, batchSize: 64, hidden: [64, 64] };

const hoverSooner = definePaper({
  id: 'crossq-droq-hover',
  title: 'Hovering sooner: CrossQ and DroQ against SAC',
  authors: 'Bhatt et al.; Hiraoka et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/1902.05605',
  question:
    'Does CrossQ hover after 5,000 steps, where SAC does not yet, also at equal seconds of processor time? And is DroQ ahead of SAC after 2,000 steps of twenty updates each?',
  idea: 'Batch normalisation over this state and the next takes the place of target critics (CrossQ). Dropout and layer normalisation keep twenty updates a step from over-estimating (DroQ).',
  equation: 'difference of greedy returns, over SAC',
  config: {
    v: 1,
    env: { id: 'drone-hover', config: { actionType: 'one-d-rpm' } },
    algo: { id: 'sac', config: SMALL },
    run: { steps: 5000, evalEpisodes: 20 },
  },
  arms: [
    {
      id: 'crossq',
      title: 'CrossQ, 5,000 steps',
      trials: 2,
      differs: { algo: { id: 'crossq', config: { ...SMALL, criticHidden: [64, 64] } } },
    },
    {
      id: 'droq',
      title: 'DroQ, 2,000 steps, twenty updates each',
      trials: 1,
      differs: { algo: { id: 'droq', config: { batchSize: 64, hidden: [64, 64], learningStarts: 500 } }, run: { steps: 2000 } },
    },
    {
      id: 'sac-20',
      title: 'SAC, 2,000 steps, twenty updates each',
      trials: 1,
      differs: {
        algo: { config: { lr: 3e-4, criticLr: 3e-4, learningStarts: 500, gradientSteps: 20, actorEvery: 20 } },
        run: { steps: 2000 },
      },
    },
    { id: 'sac', title: 'SAC, 5,000 steps', trials: 2 },
    {
      id: 'sac-seconds',
      title: 'SAC, 8,000 steps: no fewer seconds of processor time than CrossQ',
      trials: 2,
      differs: { run: { steps: 8000 } },
    },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [
    { id: 'CrossQ at equal steps', kind: 'difference', arm: 'crossq', over: 'sac', claim: 'above', size: 150 },
    { id: 'CrossQ at equal seconds', kind: 'difference', arm: 'crossq', over: 'sac-seconds', claim: 'above', size: 100 },
    { id: 'DroQ at equal updates', kind: 'difference', arm: 'droq', over: 'sac-20', claim: 'above', size: 50 },
  ],
  scale: { better: 'more', random: 263.6 },
  exempt: [
    {
      check: 'parameters',
      arms: ['crossq', 'droq', 'sac', 'sac-20', 'sac-seconds'],
      why: 'critics have normalisation, or targets that others lack',
    },
    { check: 'steps', arms: ['crossq', 'sac-seconds'], why: 'seconds are equal there, not steps' },
    { check: 'random', arms: ['sac', 'sac-20', 'sac-seconds'], why: 'a policy on its way out of the room is paid less than a random one' },
  ],
  tunedOn: [1, 5],
  noQuick: 'it is quick as it stands',
  scaledDown: 'Narrow critics: 64-64 where the papers have 256 to 2048 units. One world, one speed for all motors.',
  dishonest: 'A step count at which SAC has long arrived, or one chosen on the reported seeds; SAC with the slower of its settings.',
  next: 'Worlds with more joints, where the wide critics of the paper can earn their cost.',
});

export const continuous: readonly JudgedCard[] = [hoverSooner];
