/**
 * What in an observation an output of the policy rests on: Shapley values of features, absent ones replaced by those of another
 * moment (interventional, Lundberg & Lee 2017; the three questions after Beechey, Smith & Simsek 2023). Few features: all coalitions
 * for every background row; else orders and their reverses, a background row drawn for each.
 */

import { fail } from '#contract/errors.ts';
import type { Feature, FeatureAttribution, FeatureQuestion } from '#contract/explain.ts';
import { type ObsSpace, obsSize } from '#contract/spaces.ts';
import type { Act, Policy } from '../algos/types.ts';
import type { EnvMeta } from '../envs/types.ts';
import { Rng } from '../math/rng.ts';
import { probabilities } from '../run/inspect.ts';
import { antitheticScheme, drawValue, exactScheme } from './draws.ts';
import { Estimate } from './estimate.ts';

const EXACT_FEATURES = 6;
/** Rows that the policy is asked about at once. */
const ROWS = 512;

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

export interface FeaturesOptions {
  readonly policy: Policy;
  readonly meta: EnvMeta;
  readonly question: FeatureQuestion;
  /** The agent's observation, and its legal actions where they are limited. */
  readonly obs: Float32Array; // [O]
  readonly mask?: Uint8Array; // [N]
  /** Observations of the same agent at other moments. */
  readonly background: readonly Float32Array[]; // [O] each
  readonly pace?: () => Promise<void> | undefined;
}

/** Throws LabError('incompatible') where the policy gives no such output or there is no background. */
export async function explainFeatures(options: FeaturesOptions): Promise<FeatureAttribution> {
  const { meta, question, obs, background } = options;
  if (background.length === 0)
    throw fail('incompatible', 'There is no other moment to compare with.', 'Watch a longer episode.', 'background');
  const group = meta.agents[groupIndex(meta, question.agent)]!;
  const { features, view } = featuresOf(group.obs);
  const n = features.length;
  const here = await ask(options, [obs]);
  const action = question.action ?? (meta.actionCount > 0 ? here.act.actions[0]! : 0);
  const output = read(question, meta, here.act, 0, action, here.mask);
  const exact = n <= EXACT_FEATURES;
  const scheme = exact ? exactScheme(n) : antitheticScheme(n);
  const rng = Rng.from(question.seed).split('features');
  const estimate = new Estimate(n);
  const value = new Float64Array(n);
  const wanted = exact ? background.length : question.draws;
  const draw = scheme.create();
  const perCall = Math.max(1, Math.floor(ROWS / (draw.members.length / n)));
  for (let done = 0; done < wanted; done += perCall) {
    const wait = options.pace?.();
    if (wait !== undefined) await wait;
    const count = Math.min(perCall, wanted - done);
    const made = Array.from({ length: count }, () => scheme.create());
    const rows: Float32Array[] = [];
    made.forEach((one, i) => {
      scheme.fill(one, rng);
      const other = background[exact ? done + i : rng.int(background.length)]!;
      for (let row = 0; row < one.rows; row++) rows.push(mix(features, one.members, row * n, obs, other));
    });
    const { act, mask } = await ask(options, rows);
    let row = 0;
    for (const one of made) {
      const first = row;
      const values = Float64Array.from({ length: one.rows }, () => read(question, meta, act, row++, action, mask));
      drawValue(one, values, value);
      estimate.add(value, values[one.none]!, values[one.all]!);
      row = first + one.rows;
    }
  }
  return {
    question,
    action,
    features,
    view,
    value: Array.from(estimate.mean),
    halfWidth: features.map((_, i) => estimate.halfWidth(i)),
    occlusion: await occlude(options, features, action, output),
    base: estimate.none,
    output,
    gap: estimate.gap,
    draws: estimate.draws,
    background: background.length,
  };
}

function groupIndex(meta: EnvMeta, agent: number): number {
  let left = agent;
  for (let g = 0; g < meta.agents.length; g++) {
    left -= meta.agents[g]!.count;
    if (left < 0) return g;
  }
  throw fail('incompatible', `There is no agent ${agent}.`, `Agents are numbered from 0 to ${meta.agentCount - 1}.`, 'agent');
}

/** The observation with the features of a coalition, the rest from another moment. */
function mix(features: readonly Feature[], members: Uint8Array, at: number, obs: Float32Array, other: Float32Array): Float32Array {
  const out = other.slice();
  features.forEach((feature, i) => {
    if (members[at + i] === 1) for (const column of feature.columns) out[column] = obs[column]!;
  });
  return out;
}

async function ask(
  { policy, meta, question, mask }: FeaturesOptions,
  rows: readonly Float32Array[],
): Promise<{ act: Act; mask: Uint8Array | undefined }> {
  const count = rows.length;
  const obs = new Float32Array(count * meta.obsSize);
  rows.forEach((row, i) => {
    obs.set(row, i * meta.obsSize);
  });
  const masks = mask === undefined ? undefined : new Uint8Array(count * mask.length);
  if (masks !== undefined) for (let i = 0; i < count; i++) masks.set(mask!, i * mask!.length);
  const query = {
    obs,
    agent: new Int32Array(count).fill(question.agent),
    hidden: policy.initial(count),
    rng: Rng.from(0),
    rows: count,
    greedy: true,
  };
  return { act: await policy.act(masks === undefined ? query : { ...query, mask: masks }), mask: masks };
}

function read(question: FeatureQuestion, meta: EnvMeta, act: Act, row: number, action: number, mask: Uint8Array | undefined): number {
  if (question.about === 'prediction') {
    if (act.value !== undefined) return act.value[row]!;
    if (act.q !== undefined) {
      let best = Number.NEGATIVE_INFINITY;
      for (let a = 0; a < meta.actionCount; a++) best = Math.max(best, act.q[row * meta.actionCount + a]!);
      return best;
    }
    throw fail('incompatible', 'This policy expects nothing: it has no value estimate.', 'Ask about its behaviour instead.', 'about');
  }
  if (meta.actionCount === 0) return act.mean?.[row * meta.actionSize + action] ?? act.actions[row * meta.actionSize + action]!;
  // a policy that only ranks actions has no probabilities worth the name: its action values say more
  if (act.logits === undefined && act.q !== undefined) return act.q[row * meta.actionCount + action]!;
  return probabilities(act, row, meta.actionCount, mask)?.[action] ?? (act.actions[row * meta.actionSize] === action ? 1 : 0);
}

/** What the output loses when one feature alone comes from elsewhere, averaged over the background. */
async function occlude(options: FeaturesOptions, features: readonly Feature[], action: number, output: number): Promise<number[]> {
  const { background, obs, question, meta } = options;
  const others = background.slice(0, 16);
  const members = new Uint8Array(features.length);
  const out: number[] = [];
  for (let i = 0; i < features.length; i++) {
    members.fill(1);
    members[i] = 0;
    const { act, mask } = await ask(
      options,
      others.map((other) => mix(features, members, 0, obs, other)),
    );
    let sum = 0;
    for (let row = 0; row < others.length; row++) sum += read(question, meta, act, row, action, mask);
    out.push(output - sum / others.length);
  }
  return out;
}
