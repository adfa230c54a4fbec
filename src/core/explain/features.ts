/**
 * What in an observation an output of the policy rests on: Shapley values of features, absent ones replaced by those of another
 * moment (interventional, Lundberg & Lee 2017; the three questions after Beechey, Smith & Simsek 2023). Few features: all coalitions
 * for every background row; else orders and their reverses with a background row drawn for each, or KernelSHAP (kernel.ts).
 */

import { fail } from '#contract/errors.ts';
import type { Feature, FeatureAttribution } from '#contract/explain.ts';
import { type ObsSpace, obsSize } from '#contract/spaces.ts';
import type { EnvMeta } from '../envs/types.ts';
import { Rng } from '../math/rng.ts';
import { antitheticScheme, drawValue, exactScheme } from './draws.ts';
import { Estimate } from './estimate.ts';
import { kernelPlan, kernelValues } from './kernel.ts';
import { mix, ROWS, Sight, type SightOptions } from './sight.ts';

const EXACT_FEATURES = 6;
/** KernelSHAP: as many features are solved with all coalitions; more in this many independent parts, whose spread is the interval. */
const KERNEL_ALL = 9;
const KERNEL_PARTS = 6;
/** Other moments that KernelSHAP averages over in a part, and that occlusion does. */
const FEW_MOMENTS = 8;
const OCCLUSION_MOMENTS = 16;
/** Step of the slope, of numbers that are of the order of one. */
const NUDGE = 1e-2;

const columns = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

/** Columns that belong together: the coordinates of one thing, the channels of one cell. */
export function featuresOf(space: ObsSpace): { readonly features: readonly Feature[]; readonly view: FeatureAttribution['view'] } {
  if (space.kind === 'discrete') return { features: [{ name: 'state', columns: columns(0, space.n), cell: null }], view: null };
  const image = space.kind === 'grid' ? space.shape : space.shape.length === 3 ? space.shape : null;
  if (image !== null) {
    const [height, width, channels] = image as readonly [number, number, number];
    const cells = Array.from({ length: height * width }, (_, cell) => ({
      name: `row ${Math.floor(cell / width)}, column ${cell % width}`,
      columns: columns(cell * channels, channels),
      cell,
    }));
    const extra = obsSize(space) - height * width * channels;
    const rest =
      extra === 0 ? [] : [{ name: 'what is told beside the view', columns: columns(height * width * channels, extra), cell: null }];
    return { features: [...cells, ...rest], view: [width, height] };
  }
  const size = obsSize(space);
  const labels = space.kind === 'box' ? space.labels : undefined;
  const groups = new Map<string, number[]>();
  for (let i = 0; i < size; i++) {
    const label = labels?.[i] ?? `observation ${i}`;
    const name = label.replace(/[ _]?\b([xyz]|sin|cos)$/i, '').trim() || label;
    groups.set(name, [...(groups.get(name) ?? []), i]);
  }
  return { features: Array.from(groups, ([name, list]) => ({ name, columns: list, cell: null })), view: null };
}

export interface FeaturesOptions extends SightOptions {
  /** The agent's observation. */
  readonly obs: Float32Array; // [O]
  /** Observations of the same agent at other moments. */
  readonly background: readonly Float32Array[]; // [O] each
  readonly worthHalfWidth?: readonly number[];
  readonly pace?: () => Promise<void> | undefined;
}

/** Throws LabError('incompatible') where the policy gives no such output or there is no background. */
export async function explainFeatures(options: FeaturesOptions): Promise<FeatureAttribution> {
  const { meta, question, obs, background } = options;
  if (background.length === 0)
    throw fail('incompatible', 'There is no other moment to compare with.', 'Watch a longer episode.', 'background');
  const space = meta.agents[groupIndex(meta, question.agent)]!.obs;
  const { features, view } = featuresOf(space);
  const sight = new Sight(options);
  const output = await sight.look(obs);
  const estimate =
    question.method === 'kernel' ? await byKernel(options, sight, features, output) : await byOrders(options, sight, features);
  return {
    question,
    action: sight.action,
    features,
    view,
    value: Array.from(estimate.mean),
    halfWidth: features.map((_, i) => estimate.halfWidth(i)),
    occlusion: await occlude(options, sight, features, output),
    gradient: space.kind === 'box' ? await slopes(sight, features, obs) : null,
    level: features.map(({ columns: list }) => list.reduce((sum, column) => sum + obs[column]!, 0) / list.length),
    worth: options.worth === undefined ? null : { mean: options.worth, halfWidth: options.worthHalfWidth ?? [] },
    base: estimate.none,
    output,
    gap: estimate.gap,
    draws: estimate.draws,
    background: background.length,
  };
}

async function byOrders(options: FeaturesOptions, sight: Sight, features: readonly Feature[]): Promise<Estimate> {
  const { question, obs, background } = options;
  const n = features.length;
  const exact = n <= EXACT_FEATURES;
  const scheme = exact ? exactScheme(n) : antitheticScheme(n);
  const rng = Rng.from(question.seed).split('features');
  const estimate = new Estimate(n);
  const value = new Float64Array(n);
  const wanted = exact ? background.length : question.draws;
  const perCall = Math.max(1, Math.floor(ROWS / scheme.width));
  const made = Array.from({ length: perCall }, () => scheme.create());
  for (let done = 0; done < wanted; done += perCall) {
    const wait = options.pace?.();
    if (wait !== undefined) await wait;
    const round = made.slice(0, Math.min(perCall, wanted - done));
    const rows: Float32Array[] = [];
    round.forEach((one, i) => {
      scheme.fill(one, rng);
      const other = background[exact ? done + i : rng.int(background.length)]!;
      for (let row = 0; row < one.rows; row++) rows.push(mix(features, one.members, row * n, obs, other));
    });
    const outputs = await sight.outputs(rows);
    let row = 0;
    for (const one of round) {
      const values = outputs.subarray(row, row + one.rows);
      drawValue(one, values, value);
      estimate.add(value, values[one.none]!, values[one.all]!);
      row += one.rows;
    }
  }
  return estimate;
}

/** About as many questions to the policy as the same number of orders would take. */
async function byKernel(options: FeaturesOptions, sight: Sight, features: readonly Feature[], output: number): Promise<Estimate> {
  const { question, obs, background } = options;
  const n = features.length;
  const rng = Rng.from(question.seed).split('kernel');
  const estimate = new Estimate(n);
  const all = n <= KERNEL_ALL;
  const parts = all ? 1 : KERNEL_PARTS;
  for (let part = 0; part < parts; part++) {
    const wait = options.pace?.();
    if (wait !== undefined) await wait;
    const moments = all ? background : Array.from({ length: FEW_MOMENTS }, () => background[rng.int(background.length)]!);
    const budget = all ? 2 ** n : Math.max(2 * n + 2, Math.ceil((2 * n * question.draws) / (parts * moments.length)));
    const plan = kernelPlan(n, budget, rng);
    const rows: Float32Array[] = [];
    for (let row = 0; row < plan.weight.length; row++)
      for (const other of moments) rows.push(mix(features, plan.members, row * n, obs, other));
    const outputs = await sight.outputs([...rows, ...moments]);
    const mean = (from: number): number => outputs.subarray(from, from + moments.length).reduce((sum, v) => sum + v, 0) / moments.length;
    const values = Float64Array.from({ length: plan.weight.length }, (_, row) => mean(row * moments.length));
    const none = mean(rows.length);
    estimate.add(kernelValues(plan, values, none, output, n), none, output);
    if (all) estimate.add(estimate.mean.slice(), none, output); // nothing is left to chance: no spread
  }
  return estimate;
}

function groupIndex(meta: EnvMeta, agent: number): number {
  let left = agent;
  for (let g = 0; g < meta.agents.length; g++) {
    left -= meta.agents[g]!.count;
    if (left < 0) return g;
  }
  throw fail('incompatible', `There is no agent ${agent}.`, `Agents are numbered from 0 to ${meta.agentCount - 1}.`, 'agent');
}

/** What the output loses when one feature alone comes from elsewhere, averaged over the background. */
async function occlude(
  { background, obs }: FeaturesOptions,
  sight: Sight,
  features: readonly Feature[],
  output: number,
): Promise<number[]> {
  const others = background.slice(0, OCCLUSION_MOMENTS);
  const members = new Uint8Array(features.length).fill(1);
  const rows: Float32Array[] = [];
  for (let i = 0; i < features.length; i++) {
    members[i] = 0;
    for (const other of others) rows.push(mix(features, members, 0, obs, other));
    members[i] = 1;
  }
  const outputs = await sight.outputs(rows);
  return features.map((_, i) => {
    let sum = 0;
    for (let row = 0; row < others.length; row++) sum += outputs[i * others.length + row]!;
    return output - sum / others.length;
  });
}

/** Sum over a feature's numbers of the size of the output's slope, by central differences: the cheapest companion, and the most local. */
async function slopes(sight: Sight, features: readonly Feature[], obs: Float32Array): Promise<number[]> {
  const rows: Float32Array[] = [];
  for (const { columns: list } of features)
    for (const column of list)
      for (const sign of [1, -1]) {
        const row = obs.slice();
        row[column]! += sign * NUDGE;
        rows.push(row);
      }
  const outputs = await sight.outputs(rows);
  let at = 0;
  return features.map(({ columns: list }) => {
    let sum = 0;
    for (let c = 0; c < list.length; c++, at += 2) sum += Math.abs(outputs[at]! - outputs[at + 1]!) / (2 * NUDGE);
    return sum;
  });
}
