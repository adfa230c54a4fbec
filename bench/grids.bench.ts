/**
 * Whole training runs on grids and images, timed by training.ts: PPO on MiniGrid DoorKey 8x8 with its preset `minigrid` (8 x 128, 64-64 twice),
 * and PPO and PQN on MinAtar Breakout with their MinAtar presets (a convolution of 16 filters 3x3 and 128 units; PPO with one trunk for
 * policy and value, 4 epochs; PQN 2 epochs). Targets: docs/performance.md.
 */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { getAlgo } from '#core/algos/all.ts';
import { type BenchOptions, type Case, timeTraining } from './training.ts';

/** Settings of a preset. Throws Error for an unknown one. */
function preset(algo: string, id: string): JsonObject {
  const found = getAlgo(algo).presets.find((one) => one.id === id);
  if (found === undefined) throw new Error(`${algo} has no preset "${id}"`);
  return found.config;
}

const CASES: readonly Case[] = [
  {
    name: 'ppo minigrid-doorkey 8x8',
    env: 'minigrid-doorkey',
    algo: 'ppo',
    algoConfig: preset('ppo', 'minigrid'),
    steps: 204_800,
    targets: { node: 40_000, chromium: 40_000 },
  },
  {
    name: 'ppo minatar-breakout, convolution',
    env: 'minatar-breakout',
    algo: 'ppo',
    algoConfig: preset('ppo', 'minatar'),
    steps: 81_920,
    targets: { node: 8000, chromium: 8000 },
  },
  {
    name: 'pqn minatar-breakout, convolution',
    env: 'minatar-breakout',
    algo: 'pqn',
    algoConfig: preset('pqn', 'purejaxql-minatar'),
    steps: 122_880,
    targets: { node: 12_000, chromium: 12_000 },
  },
];

export const run = (options: BenchOptions): Promise<Json> => timeTraining(CASES, options);
