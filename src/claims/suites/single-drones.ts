/** Drones: hovering as well as published, and learning to fly from a throw. Suite: single.ts. */
import type { JudgedCard } from '#contract/papers/papers.ts';
import { RLTOOLS_QUADROTOR } from '#contract/papers/published.ts';
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
  // As P015, which asks for less of every seed. One episode: all begin alike.
  config: {
    v: 1,
    env: { id: 'drone-hover', config: { actionType: 'one-d-rpm' } },
    algo: { id: 'ppo', config: { envs: 8, rolloutSteps: 256, minibatches: 32, epochs: 10, lr: 3e-4, entropyCoef: 0 } },
    run: { steps: 500_000, evalEvery: 10_000, evalEpisodes: 1 },
  },
  arms: [
    { id: 'ppo', title: 'PPO, 500,000 steps', trials: 1 },
    {
      id: 'sac',
      title: 'SAC, 30,000 steps',
      trials: 1,
      differs: { algo: { id: 'sac', config: { hidden: [64, 64] } }, run: { steps: 30_000, evalEvery: 1000 } },
    },
  ],
  quantity: { title: 'greedy return of the best policy on the way', metric: 'evalReturn', take: 'best' },
  contrasts: [
    { id: 'PPO at the threshold', kind: 'level', arm: 'ppo', claim: 'above', none: THRESHOLD },
    { id: 'SAC at the threshold', kind: 'level', arm: 'sac', claim: 'above', none: THRESHOLD },
  ],
  scale: { better: 'more', random: 263.6, ceiling: 474.28 },
  tunedOn: [1, 5],
  firstSeed: 3001,
  noQuick: 'the last half of a point is learned last',
  longer: { times: 4, why: 'the last tenth of a point is learned last.' },
  scaledDown:
    'The reference ends at the threshold, whenever that is, and keeps the best policy; here the budget is fixed and the best of it counts, tried every 10,000 steps of PPO and every 1,000 of SAC. All episodes begin alike, so that the best is no choice by luck. A first form, on ten seeds from 1,001, counted the last policy: PPO had 437 to 474, SAC 340 to 474. The 340, on seed 1,004, was one policy that slipped: evaluated on the way, the run is at 473 at every trial from 22,000 steps to 29,056.',
  dishonest: 'Calling 467, the threshold of the other commands, this one.',
  next: 'A step size that falls, so that the last policy is the best one.',
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

export const flight: readonly JudgedCard[] = [hover, flying];
