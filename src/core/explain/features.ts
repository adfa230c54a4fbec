/**
 * What in an observation an output of the policy rests on: Shapley values of features, absent ones replaced by those of another
 * moment (interventional, Lundberg & Lee 2017; the three questions after Beechey, Smith & Simsek 2023). Few features: all coalitions
 * for every background row; else orders and their reverses with a background row drawn for each, or KernelSHAP (kernel.ts).
 */

import { z } from 'zod';
import { FEATURES, type Feature, type FeatureAttribution, type FeatureQuestion } from '#contract/explain/explain.ts';
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import type { SplitNetwork } from '#core/nets/split-network.ts';
import { Rng } from '#math/rng.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import type { ReplayReader } from '../run/replay.ts';
import { defineExplainer } from './api/define.ts';
import { Estimate } from './api/estimate.ts';
import { agent, seed } from './api/fields.ts';
import type { Scene } from './api/scene.ts';
import { actionReturns } from './lib/action-returns.ts';
import { shapley } from './lib/exact.ts';
import { kernelPlan, kernelValues } from './lib/kernel.ts';
import { maskedInputs, put } from './lib/masked-inputs.ts';
import { ModelQuery, type ModelQueryOptions, ROWS } from './lib/model-query.ts';

const EXACT_FEATURES = 6;
/**
 * KernelSHAP: as many features are solved with all coalitions, once for each of the other moments, whose spread is the interval, as it is of orders;
 * more features in this many independent parts, whose spread is the interval.
 */
const KERNEL_ALL = 9;
const KERNEL_PARTS = 6;
/** Other moments that KernelSHAP averages over in a part, and that occlusion does. */
const FEW_MOMENTS = 8;
const OCCLUSION_MOMENTS = 16;
/** Step of the slope, of numbers that are of the order of one. */
const NUDGE = 1e-2;

const columns = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

interface FeatureGroups {
  readonly features: readonly Feature[];
  readonly view: FeatureAttribution['view'];
}
const known = new WeakMap<ObsSpace, FeatureGroups>();

/** Columns that belong together: the coordinates of one thing, the channels of one cell. */
export function featuresOf(space: ObsSpace): FeatureGroups {
  let found = known.get(space);
  if (found === undefined) known.set(space, (found = grouped(space)));
  return found;
}

function grouped(space: ObsSpace): FeatureGroups {
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
    const rest = extra === 0 ? [] : [{ name: 'numbers beside the view', columns: columns(height * width * channels, extra), cell: null }];
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

export interface FeaturesOptions extends ModelQueryOptions {
  /** The agent's observation. */
  readonly obs: Float32Array; // [O]
  /** Observations of the same agent at other moments. */
  readonly background: readonly Float32Array[]; // [O] each
  readonly actionReturnsHalfWidth?: readonly number[];
  /** Also occlusion and slopes (default true). */
  readonly companions?: boolean;
  readonly pace?: () => Promise<void> | undefined;
}

/** Throws LabError('incompatible') where the policy gives no such output or there is no background. */
export async function explainFeatures(options: FeaturesOptions): Promise<FeatureAttribution> {
  const { meta, question, obs, background, companions = true } = options;
  if (background.length === 0)
    throw fail('incompatible', 'There is no other moment to compare with.', 'Watch a longer episode.', 'background');
  const space = meta.agents[groupIndex(meta, question.agent)]!.obs;
  const { features, view } = featuresOf(space);
  const sight = new ModelQuery(options);
  const byLeastSquares = question.method === 'kernel';
  const looked = byLeastSquares || !sight.settled ? await sight.evaluate(obs) : null;
  const estimate =
    byLeastSquares && looked !== null ? await byKernel(options, sight, features, looked) : await byOrders(options, sight, features);
  const output = looked ?? estimate.vGrand;
  return {
    question,
    action: sight.action,
    features,
    view,
    value: features.map((_, i) => estimate.mean[i]!),
    halfWidth: features.map((_, i) => estimate.halfWidth(i)),
    occlusion: companions ? await occlude(options, sight, features, output) : null,
    gradient: companions && space.kind === 'box' ? await slopes(sight, features, obs) : null,
    level: features.map(({ columns: list }) => list.reduce((sum, column) => sum + obs[column]!, 0) / list.length),
    actionReturns:
      options.actionReturns === undefined ? null : { mean: options.actionReturns, halfWidth: options.actionReturnsHalfWidth ?? [] },
    base: estimate.vEmpty,
    output,
    efficiencyGap: estimate.efficiencyGap,
    draws: estimate.draws,
    background: background.length,
  };
}

async function byOrders(options: FeaturesOptions, sight: ModelQuery, features: readonly Feature[]): Promise<Estimate> {
  const { question, obs, background } = options;
  const n = features.length;
  const exact = n <= EXACT_FEATURES;
  const rng = Rng.from(question.seed).split('features');
  const estimate = new Estimate(n, false);
  const mixed = await maskedInputs(sight, { features, obs, background });
  const wanted = exact ? background.length : question.draws;
  const width = exact ? 2 ** n : 2 * (n + 1);
  // as many at once as fit, in calls of about the same size
  const calls = Math.ceil(wanted / Math.max(1, Math.floor(ROWS / width)));
  const perCall = Math.ceil(wanted / calls);
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  const orders = new Int32Array(exact ? 0 : perCall * n);
  const moments = new Int32Array(perCall);
  const values = new Float64Array(perCall * width);
  const value = new Float64Array(n);
  for (let done = 0; done < wanted; done += perCall) {
    const wait = options.pace?.();
    if (wait !== undefined) await wait;
    const count = Math.min(perCall, wanted - done);
    for (let i = 0; i < count; i++) {
      if (!exact) {
        rng.shuffle(order);
        orders.set(order, i * n);
      }
      moments[i] = exact ? done + i : rng.int(background.length);
    }
    const some = moments.subarray(0, count);
    const found = values.subarray(0, count * width);
    if (exact) await mixed.allCoalitions(some, found);
    else await mixed.alongOrders(some, orders, found);
    for (let i = 0; i < count; i++) {
      const at = i * width;
      if (exact) {
        const table = found.subarray(at, at + width);
        estimate.add(shapley(table), table[0]!, table[width - 1]!);
        continue;
      }
      // what each adds when it joins, and when it joins those that come after it
      for (let k = 0; k < n; k++) {
        const others = at + n + 1 + k;
        value[orders[i * n + k]!] = 0.5 * (found[at + k + 1]! - found[at + k]!) + 0.5 * (found[others]! - found[others + 1]!);
      }
      estimate.add(value, found[at]!, found[at + n]!);
    }
  }
  return estimate;
}

/** About as many questions to the policy as the same number of orders would take. */
async function byKernel(options: FeaturesOptions, sight: ModelQuery, features: readonly Feature[], output: number): Promise<Estimate> {
  const { question, obs, background } = options;
  const n = features.length;
  const rng = Rng.from(question.seed).split('kernel');
  const estimate = new Estimate(n, false);
  const all = n <= KERNEL_ALL;
  const parts = all ? 1 : KERNEL_PARTS;
  for (let part = 0; part < parts; part++) {
    const wait = options.pace?.();
    if (wait !== undefined) await wait;
    const moments = all ? background : Array.from({ length: FEW_MOMENTS }, () => background[rng.int(background.length)]!);
    const budget = all ? 2 ** n : Math.max(2 * n + 2, Math.ceil((2 * n * question.draws) / (parts * moments.length)));
    const plan = kernelPlan(n, budget, rng);
    const coalitions = plan.weight.length;
    const rows = new Float32Array((coalitions + 1) * moments.length * obs.length);
    moments.forEach((other, i) => {
      for (let row = 0; row <= coalitions; row++) {
        const to = row * moments.length + i;
        rows.set(other, to * obs.length);
        if (row < coalitions) for (let f = 0; f < n; f++) if (plan.members[row * n + f] === 1) put(features[f]!, obs, rows, to);
      }
    });
    const outputs = await sight.outputs(rows, (coalitions + 1) * moments.length);
    /** A draw: the values by the mean over the moments from `from` to before `to`. */
    const addDraw = (from: number, to: number): void => {
      const mean = (row: number): number =>
        outputs.subarray(row * moments.length + from, row * moments.length + to).reduce((sum, v) => sum + v, 0) / (to - from);
      const values = Float64Array.from({ length: coalitions }, (_, row) => mean(row));
      const none = mean(coalitions);
      estimate.add(kernelValues(plan, values, none, output, n), none, output);
    };
    // With all coalitions the other moments are a sample, as with orders: each gives a draw.
    if (all) for (let i = 0; i < moments.length; i++) addDraw(i, i + 1);
    else addDraw(0, moments.length);
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
  sight: ModelQuery,
  features: readonly Feature[],
  output: number,
): Promise<number[]> {
  const others = background.slice(0, OCCLUSION_MOMENTS);
  const rows = new Float32Array(features.length * others.length * obs.length);
  let to = 0;
  for (const { columns: list } of features)
    for (const other of others) {
      rows.set(obs, to);
      for (const column of list) rows[to + column] = other[column]!;
      to += obs.length;
    }
  const outputs = await sight.outputs(rows, features.length * others.length);
  return features.map((_, i) => {
    let sum = 0;
    for (let row = 0; row < others.length; row++) sum += outputs[i * others.length + row]!;
    return output - sum / others.length;
  });
}

/**
 * Sum over a feature's numbers of the size of the output's slope: the cheapest companion, and the most local. By central differences, of
 * the output or, where the network can be cut, of its first sums, from which its slope leads on.
 */
async function slopes(sight: ModelQuery, features: readonly Feature[], obs: Float32Array): Promise<number[]> {
  const { split } = sight;
  const width = obs.length;
  const count = 2 * features.reduce((sum, { columns: list }) => sum + list.length, 0);
  const rows = new Float32Array((count + 1) * width);
  let row = 0;
  for (const { columns: list } of features)
    for (let c = 0; c < list.length; c++) {
      for (let side = 0; side < 2; side++, row++) {
        rows.set(obs, row * width);
        rows[row * width + list[c]!]! += side === 0 ? NUDGE : -NUDGE;
      }
    }
  rows.set(obs, row * width);
  const change = new Float64Array(count / 2);
  if (split === null || !(await changeThroughSums(sight, split, rows, change))) {
    const outputs = await sight.outputs(rows, count);
    for (let k = 0; k < change.length; k++) change[k] = outputs[2 * k]! - outputs[2 * k + 1]!;
  }
  let at = 0;
  return features.map(({ columns: list }) => {
    let total = 0;
    for (let c = 0; c < list.length; c++) total += Math.abs(change[at++]!) / (2 * NUDGE);
    return total;
  });
}

/**
 * Output at row 2k less that at row 2k + 1, to `change` [k], along the output's slope by the first sums at the last of `rows`
 * [2 change.length + 1, O]; false: the output has no such slope.
 */
async function changeThroughSums(sight: ModelQuery, split: SplitNetwork, rows: Float32Array, change: Float64Array): Promise<boolean> {
  const W = split.preActivationWidth;
  const count = 2 * change.length;
  const sums = await split.preActivations(rows, count + 1);
  const slope = await sight.slope(sums.subarray(count * W, (count + 1) * W));
  if (slope === null) return false;
  for (let k = 0; k < change.length; k++) {
    const up = 2 * k * W;
    let total = 0;
    for (let w = 0; w < W; w++) total += slope[w]! * (sums[up + w]! - sums[up + W + w]!);
    change[k] = total;
  }
  return true;
}

/** Other frames that stand in for what is hidden: at most so many, spread evenly over all episodes at hand. */
const BACKGROUND = 64;
/** Futures played for each action where the outcome is explained. */
const OUTCOME_FUTURES = 24;

/** What an agent sees at frame t of the first episode, and at other frames of all of them. */
function observationsOf(readers: readonly [ReplayReader, ...ReplayReader[]], t: number, agent: number) {
  const [reader] = readers;
  const { obsSize, actionCount } = reader.env.meta;
  const seen = (from: ReplayReader, at: number): Float32Array => {
    from.seek(at);
    return from.buffers.obs.slice(agent * obsSize, (agent + 1) * obsSize);
  };
  const background = readers.flatMap((from) => {
    const count = Math.min(Math.ceil(BACKGROUND / readers.length), from.total - 1);
    const frames = Array.from({ length: count }, (_, i) => Math.floor((i * from.total) / count));
    return frames.filter((at) => from !== reader || at !== t).map((at) => seen(from, at));
  });
  const obs = seen(reader, t);
  const { mask } = reader.buffers;
  return { obs, background, ...(mask && { mask: mask.slice(agent * actionCount, (agent + 1) * actionCount) }) };
}

/** The attribution at the scene's frame, with the memory the agent comes with. */
async function attributionAt(scene: Scene, question: FeatureQuestion): Promise<FeatureAttribution> {
  const { entry, config: envConfig, meta, pace } = scene;
  const { agent } = question;
  groupIndex(meta, agent);
  const { replay, t } = scene.moment;
  const { from, memory } = await scene.standing();
  const size = memory.length / meta.agentCount;
  const observations = observationsOf([scene.reader(replay), ...scene.episodes.map((one) => scene.reader(one))], t, agent);
  const options: FeaturesOptions = {
    policy: scene.learned,
    meta,
    question,
    companions: !scene.brief,
    ...(pace && { pace }),
    ...observations,
    ...(size > 0 && { hidden: memory.subarray(agent * size, (agent + 1) * size) }),
  };
  if (question.about !== 'outcome') return explainFeatures(options);
  const payoff = { kind: 'agent', agent } as const;
  const futures = {
    entry,
    config: envConfig,
    meta,
    payoff,
    seed: question.seed,
    team: scene.team(true),
    from,
    memory,
    ...(pace && { pace }),
  };
  const { mean, halfWidth } = await actionReturns(futures, agent, OUTCOME_FUTURES, observations.mask);
  return explainFeatures({ ...options, actionReturns: mean, actionReturnsHalfWidth: halfWidth });
}

const config = z.strictObject({
  agent,
  about: z.enum(['behaviour', 'prediction', 'outcome']).default('behaviour').meta({
    title: 'explained output',
    description: 'The probability of the action, the value estimate, or the return if the agent had to choose without the feature.',
  }),
  method: z
    .enum(['orders', 'kernel'])
    .default('orders')
    .meta({ title: 'estimator', description: 'Permutations and their reverses, or the least squares of KernelSHAP.' }),
  action: z.int().min(0).nullable().default(null).meta({
    title: 'action',
    description: 'Index of the action or dimension that is explained; empty: the one it takes.',
    depth: 'research',
  }),
  draws: z.int().min(1).max(100_000).default(300).meta({ title: 'draws', description: 'Permutations of features that are drawn.' }),
  seed,
});

export const features = defineExplainer<FeatureQuestion, FeatureAttribution>({
  ref: FEATURES,
  title: 'Shapley values of features',
  summary: 'Which parts of the observation a decision, a value estimate or an outcome rests on.',
  source: {
    title: 'Explaining Reinforcement Learning with Shapley Values',
    authors: 'Beechey, Smith, Simsek',
    year: 2023,
    url: 'https://arxiv.org/abs/2306.05810',
  },
  config,
  answers: 'bars',
  team: 'learned',
  frame: 'required',
  trial: { env: { id: 'cartpole', config: {} }, algo: { id: 'ppo', config: {} }, steps: 2048, config: { draws: 20 } },
  async *explain(scene, question) {
    const detail = await attributionAt(scene, question);
    const { base, output, value, halfWidth, draws, background } = detail;
    yield {
      title: `Shapley value of each feature (${question.about})`,
      unit: '',
      words: [
        `From ${base.toPrecision(4)}, the mean over ${background} other frames, to ${output.toPrecision(4)} here.`,
        `${question.method === 'kernel' ? 'KernelSHAP' : 'Permutations and their reverses'}, ${draws} draws.`,
      ],
      end: 'done',
      data: {
        kind: 'bars',
        bars: detail.features.map(({ name }, i) => ({ label: name, agent: null, value: value[i]!, halfWidth: halfWidth[i]! })),
      },
      detail,
    };
  },
});
