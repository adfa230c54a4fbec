/** Drones: hovering as well as published, and learning to fly from a throw. Suite: single.ts. */
import type { PaperCard } from '#contract/papers.ts';
import { RLTOOLS_QUADROTOR } from '#contract/published.ts';
import { definePaper } from '../define.ts';

/** Stop threshold of the reference's PPO example for one speed; 474.28 is the most there is. */
const THRESHOLD = 474;

const hover = definePaper({
  id: 'hover-474',
  title: 'Hover at the published threshold',
  authors: 'Panerati et al.',
  year: 2021,
  link: 'https://arxiv.org/abs/2103.02142',
  question: 'Do PPO and SAC reach the threshold at which the reference ends its training, 474 of 474.28?',
  idea: 'One speed for all motors, one metre up; 474 means rising as fast as stopping in time allows and then standing still.',
  equation: 'r = max(0, 2 - distance^4)',
  // As P015, which asks for less on fewer episodes.
  config: {
    v: 1,
    env: { id: 'drone-hover', config: { actionType: 'one-d-rpm' } },
    algo: { id: 'ppo', config: { envs: 8, rolloutSteps: 256, minibatches: 32, epochs: 10, lr: 3e-4, entropyCoef: 0 } },
    run: { steps: 500_000, evalEpisodes: 20 },
  },
  arms: [
    { id: 'ppo', title: 'PPO, 500,000 steps', trials: 1 },
    {
      id: 'sac',
      title: 'SAC, 30,000 steps',
      trials: 1,
      differs: { algo: { id: 'sac', config: { hidden: [64, 64] } }, run: { steps: 30_000 } },
    },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [
    { id: 'PPO at the threshold', kind: 'level', arm: 'ppo', claim: 'above', none: THRESHOLD },
    { id: 'SAC at the threshold', kind: 'level', arm: 'sac', claim: 'above', none: THRESHOLD },
  ],
  scale: { better: 'more', random: 263.6 },
  tunedOn: [1, 5],
  noQuick: 'the last half of a point is learned last',
  longer: { times: 4, why: 'the last tenth of a point is learned last.' },
  scaledDown:
    'The reference ends at the threshold, whenever that is; here the budget is fixed, and the end counts. One run of SAC in ten ends at 340, on seed 1,004. Evaluated every 1,000 steps (evalEvery; the same bits) it is at 473 from 11,000 steps on, the last time at 29,056, and at 340 after 30,000: one policy that slipped, not a run that failed. The reference evaluates on the way and keeps the best policy.',
  dishonest: 'Calling 467, the threshold of the other commands, this one.',
  next: 'Let runs be evaluated on the way (evalEvery) and count the best, as the reference does; or a step size that falls further.',
});

const flying = definePaper({
  id: 'learning-to-fly',
  title: 'Learning to fly in seconds',
  authors: 'Eschmann, Albani and Loianno',
  year: 2024,
  link: 'https://arxiv.org/abs/2311.13081',
  question:
    'Does SAC keep eight of ten throws in the air to the time limit after 280,000 steps (17,400 gradient steps of small critics), and nine of ten after four times as many?',
  idea: 'A quadrotor is thrown, turned and turning; rotors lag. Small networks and many cheap steps catch it within seconds of one core.',
  equation: 'share = episodes that last 250 steps / episodes',
  config: {
    v: 1,
    env: { id: 'drone-learning-to-fly' },
    algo: {
      id: 'sac',
      config: RLTOOLS_QUADROTOR,
    },
    run: { steps: 280_000 },
  },
  arms: [
    { id: 'sac', title: 'SAC, 280,000 steps, 17,400 gradient steps', trials: 1 },
    {
      id: 'longer',
      title: 'SAC, 1,120,000 steps, 69,900 gradient steps',
      trials: 1,
      differs: { run: { steps: 1_120_000 } },
    },
    { id: 'return', title: 'the first runs: mean greedy return', trials: 1, quantity: { title: 'mean greedy return', of: 'evalReturn' } },
  ],
  quantity: { title: 'share of greedy episodes that last to the limit', measured: 'lasted' },
  contrasts: [
    { id: 'eight of ten', kind: 'level', arm: 'sac', claim: 'above', none: 0.8 },
    { id: 'nine of ten, four times as long', kind: 'level', arm: 'longer', claim: 'above', none: 0.9 },
  ],
  scale: { better: 'more' },
  tunedOn: [1, 2],
  noQuick: 'it is quick as it stands',
  scaledDown: 'The seconds stand in the result, of this machine; the reference, in C++, took 7 to 8 for as many steps.',
  dishonest: 'Throws that are weaker than those of the reference; counting a crash at the last step as flight.',
  next: 'Follow a figure, or draw the craft anew for every episode.',
});

export const flight: readonly PaperCard[] = [hover, flying];
