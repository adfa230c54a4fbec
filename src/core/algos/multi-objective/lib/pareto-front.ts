/**
 * What methods for vectors of rewards share: what they can learn on, the list of weights, how good their policies are together.
 * Every policy plays fixed episodes greedily, all at once; values are sums of rewards, not discounted.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { Front } from '#contract/files/pareto.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { VersionChange } from '#contract/run/versions.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { Actions, EnvEntry, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import { expectedUtility, hypervolume, maximumUtilityLoss, nonDominated, type Point, simplex, sparsity, supported } from '#math/pareto.ts';

/** Times a run looks at all its policies, beside its beginning and end. */
const LOOKS = 60;
const FIRST_SEED = 1_000_003; // as evaluate.ts

export const frontMetrics: readonly MetricCard[] = [
  { id: 'hypervolume', title: 'hypervolume', description: 'Space that the policies dominate together, against the reference point.' },
  {
    id: 'coverage',
    title: 'share of the best',
    description: 'Hypervolume as a share of what the best trade-offs have, where these are known.',
  },
  { id: 'policies', title: 'trade-offs', description: 'Policies that no other one of the list beats in all objectives.' },
  { id: 'expectedUtility', title: 'expected utility', description: 'What a user gets on average whose weights are any of the list.' },
  {
    id: 'utilityLoss',
    title: 'largest loss',
    description: 'What the unluckiest of these users loses against the best trade-offs, where these are known.',
  },
  { id: 'sparsity', title: 'sparsity', description: 'Mean squared gap between neighbouring trade-offs; smaller is denser.' },
];

/** Which of the policies acts, when one is asked for. */
export const preferenceField = z.array(z.number().min(0).max(1e6)).min(2).max(8).nullable().default(null).meta({
  title: 'preference',
  description:
    'Weights of the rewards in the policy that is watched and evaluated; empty: all alike. The trade-offs view sets it by dragging.',
  depth: 'stored',
  group: 'preferences',
});

export const referenceField = z.array(z.number().min(-1e9).max(1e9)).min(2).max(8).nullable().default(null).meta({
  title: 'reference point',
  description: 'Hypervolumes count from here; empty: one below the worst that the untrained policies get.',
  depth: 'research',
  group: 'preferences',
});

/** For comparison: one weighting instead of all of them. */
export const onlyField = z.array(z.number().min(0).max(1e6)).min(2).max(8).nullable().default(null).meta({
  title: 'one weighting only',
  description: 'Only these weights are trained and evaluated, with all of the steps; empty: all weightings.',
  empty: 'all weightings',
  depth: 'research',
  group: 'preferences',
});

export const onlyAdded = (version: number): VersionChange => ({
  version,
  what: 'A single weighting can be trained in place of all.',
  before: { only: null },
  rerun: false,
});

/** The weightings that are trained: all multiples of one part, or the single one of `only`, scaled to a sum of 1. */
export function trainedWeights(rewards: number, parts: number, only: readonly number[] | null): readonly Point[] {
  if (only === null) return simplex(rewards, parts);
  const sum = only.reduce((a, b) => a + b, 0);
  if (sum > 0) return [only.map((w) => w / sum)];
  throw fail('config-invalid', 'All weights are 0.', 'Give at least one above 0.', 'algo.only');
}

/** Throws LabError('incompatible') where there is a single reward. */
export function checkVector(meta: EnvMeta, title: string): void {
  if (meta.rewards.length > 1) return;
  throw fail(
    'incompatible',
    `${title} needs several rewards; this environment gives one.`,
    'Choose deep-sea-treasure or mo-item-gathering, with weights left empty.',
    'env.id',
  );
}

/** Throws LabError('config-invalid') if a list of numbers is not one per reward. */
export function checkLength(values: readonly number[] | null, meta: EnvMeta, field: string): void {
  if (values === null || values.length === meta.rewards.length) return;
  throw fail(
    'config-invalid',
    `There are ${values.length} numbers for ${meta.rewards.length} rewards: ${meta.rewards.join(', ')}.`,
    'Give one for each.',
    `algo.${field}`,
  );
}

/** Environment steps between two looks at the front. */
export function lookEvery(steps: number): number {
  return Math.max(1000, Math.ceil(steps / LOOKS));
}

/** Fills the actions of all rows; row i of the batch plays by weights `floor(i / episodes)`. */
export type Chooser = (buffers: StepBuffers, actions: Actions) => Promise<void> | void;

/** Mean sums of rewards of each policy over these episodes, all agents together. [policies][K] */
export async function playAll(
  entry: EnvEntry,
  config: JsonObject,
  policies: number,
  episodes: number,
  choose: Chooser,
): Promise<readonly Point[]> {
  const rows = policies * episodes;
  const env = entry.create(config, rows);
  const { agentCount: A, rewards, evalMaxSteps } = env.meta;
  const K = rewards.length;
  const buffers = createBuffers(env.meta, rows);
  const actions = createActions(env.meta, rows);
  const sums = Array.from({ length: policies }, () => new Array<number>(K).fill(0));
  const done = new Uint8Array(rows);
  const ended = new Uint8Array(rows);
  env.reset(
    Uint32Array.from({ length: rows }, (_, row) => FIRST_SEED + (row % episodes)),
    buffers,
  );
  let left = rows;
  for (let t = 0; t < evalMaxSteps && left > 0; t++) {
    const chosen = choose(buffers, actions);
    if (chosen) await chosen;
    env.step(actions, buffers);
    let any = 0;
    for (let row = 0; row < rows; row++) {
      ended[row] = buffers.terminated[row]! | buffers.truncated[row]!;
      any |= ended[row]!;
      if (done[row] !== 0) continue;
      const sum = sums[Math.floor(row / episodes)]!;
      for (let i = 0; i < A * K; i++) sum[i % K] = sum[i % K]! + buffers.reward[row * A * K + i]!;
      if (ended[row] === 0) continue;
      done[row] = 1;
      left--;
    }
    if (any !== 0 && left > 0) env.restart(ended, buffers);
  }
  return sums.map((sum) => sum.map((x) => x / episodes));
}

/** Best trade-offs as the environment knows them; none where it does not. */
export function knownFront(entry: EnvEntry, config: JsonObject): readonly Point[] {
  const found = entry.check('pareto-front', config, {}, {});
  return typeof found === 'object' && found !== null && 'front' in found ? (found.front as readonly Point[]) : [];
}

/** One below the worst in every objective: the default reference point of hypervolumes. */
export function pointBelow(values: readonly Point[]): Point {
  return (values[0] as Point).map((_, k) => Math.min(...values.map((v) => v[k]!)) - 1);
}

export function frontFor(
  meta: EnvMeta,
  weights: readonly Point[],
  values: readonly Point[],
  known: readonly Point[],
  reference: Point,
): Front {
  const hull = meta.rewards.length === 2 ? new Set(supported(known, true)) : null;
  return {
    objectives: [...meta.rewards],
    points: weights.map((w, i) => ({ weights: [...w], value: [...(values[i] as Point)] })),
    known: known.map((value, i) => ({ value: [...value], supported: hull === null ? null : hull.has(i) })),
    reference: [...reference],
  };
}

/** The numbers of `frontMetrics`. */
export function measureFront({ points, known, reference }: Front): Readonly<Record<string, number>> {
  const values = points.map((p) => p.value);
  const weights = points.map((p) => p.weights);
  const best = nonDominated(values).map((i) => values[i] as Point);
  const possible = known.map((k) => k.value);
  const volume = hypervolume(best, reference);
  return {
    hypervolume: volume,
    coverage: known.length > 0 ? volume / hypervolume(possible, reference) : Number.NaN,
    policies: best.length,
    expectedUtility: expectedUtility(best, weights),
    utilityLoss: known.length > 0 ? maximumUtilityLoss(best, possible, weights) : Number.NaN,
    sparsity: sparsity(best),
  };
}
