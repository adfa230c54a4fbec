/**
 * Whole training runs on vectors, timed by training.ts: PPO CartPole (4 copies x 128 steps, 64-64, 4 epochs, 4 minibatches), DQN CartPole
 * (120-84, batch 128, an update every 10 steps) and IPPO on simple_spread (16 x 128, 64-64, three agents with one network: JaxMARL's
 * settings; a step is one of all three). Targets: docs/performance.md.
 */
import type { Json } from '#contract/kit/json.ts';
import { type BenchOptions, type Case, timeTraining } from './training.ts';

const CASES: readonly Case[] = [
  {
    name: 'ppo cartpole',
    env: 'cartpole',
    algo: 'ppo',
    steps: 500_000,
    targets: { node: 140_000, chromium: 130_000 },
  },
  {
    name: 'dqn cartpole',
    env: 'cartpole',
    algo: 'dqn',
    steps: 200_000,
    targets: { node: 33_000, chromium: 33_000 },
  },
  {
    name: 'ippo mpe-simple-spread',
    env: 'mpe-simple-spread',
    algo: 'ippo',
    steps: 200_000,
    targets: { node: 36_000, chromium: 36_000 },
  },
];

export const run = (options: BenchOptions): Promise<Json> => timeTraining(CASES, options);
