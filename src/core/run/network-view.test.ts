/** Networks as views show them: the exported weights, the policy's own numbers, and slopes that hold against a nudge. */
import { describe, expect, test } from 'vitest';
import { exactFloat, type NetworkValues } from '#contract/game/network-view.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { trained } from '../testing/trained.ts';
import { buildPolicy, policyToLayers } from './loaded.ts';
import { NetworkProbe } from './network-view.ts';

interface Case {
  readonly algo: string;
  readonly env: string;
  readonly steps: number;
  readonly config?: JsonObject;
  /** Kinds of its layers, in order. */
  readonly kinds: readonly string[];
  readonly outputs: readonly string[];
}

async function snapshotOf({ algo, env, steps, config = {} }: Case): Promise<PolicySnapshot> {
  const [entry, world] = [getAlgo(algo), getEnv(env)];
  const { snapshot } = await trained({ algo: entry, env: world, config, steps });
  return {
    kind: 'policy',
    version: 1,
    env: { id: env, version: world.version, config: world.parse({}) },
    algo: { id: algo, version: entry.version, config: entry.parse(config) },
    seed: 1,
    step: steps,
    executor: 'wasm',
    saved: snapshot,
  };
}

const small = { envs: 4, rolloutSteps: 32 };
const CASES: readonly Case[] = [
  { algo: 'ppo', env: 'cartpole', steps: 128, config: { ...small, normaliseObs: true }, kinds: ['input', 'dense', 'dense', 'dense', 'dense', 'dense', 'dense'], outputs: ['logits', 'value'] }, // biome-ignore format: one case
  { algo: 'ppo', env: 'cartpole', steps: 128, config: { ...small, layerNorm: true, criticHidden: [24] }, kinds: ['input', 'dense', 'dense', 'dense', 'dense', 'dense'], outputs: ['logits', 'value'] }, // biome-ignore format: one case
  { algo: 'ppo', env: 'pendulum', steps: 128, config: { ...small, sharedTrunk: true }, kinds: ['input', 'dense', 'dense', 'dense', 'dense'], outputs: ['mean', 'value'] }, // biome-ignore format: one case
  { algo: 'ppo', env: 'minatar-breakout', steps: 128, config: { ...small, filters: 4 }, kinds: ['input', 'conv', 'dense', 'dense', 'dense', 'conv', 'dense', 'dense', 'dense'], outputs: ['logits', 'value'] }, // biome-ignore format: one case
  { algo: 'recurrent-ppo', env: 'memory-chain', steps: 128, config: small, kinds: ['memory', 'input', 'dense', 'cell', 'dense', 'dense'], outputs: ['logits', 'value'] }, // biome-ignore format: one case
  { algo: 'dqn', env: 'cartpole', steps: 64, config: { dueling: true, hidden: [16] }, kinds: ['input', 'dense', 'dense', 'dense', 'mix', 'mix'], outputs: ['q', 'value'] }, // biome-ignore format: one case
  { algo: 'dqn', env: 'minigrid-empty', steps: 64, config: { distribution: { kind: 'categorical' }, hidden: [16] }, kinds: ['input', 'dense', 'dense', 'mix', 'mix'], outputs: ['q', 'value'] }, // biome-ignore format: one case
  { algo: 'sac', env: 'pendulum', steps: 64, config: { hidden: [16], criticHidden: [16, 8], layerNorm: true, activation: 'tanh' }, kinds: ['input', 'dense', 'dense', 'dense', 'dense', 'dense', 'dense', 'dense', 'dense', 'mix'], outputs: ['mean', 'logStd', 'value'] }, // biome-ignore format: one case
  { algo: 'sac', env: 'pendulum', steps: 64, config: { hidden: [16] }, kinds: ['input', 'dense', 'dense', 'dense', 'dense', 'dense', 'dense', 'mix'], outputs: ['mean', 'logStd', 'value'] }, // biome-ignore format: one case
];

describe.each(CASES)('$algo on $env', (c) => {
  test('its layers, weights, numbers and slopes are those of the policy', async () => {
    const snapshot = await snapshotOf(c);
    const built = await buildPolicy(snapshot);
    const { policy, meta } = built;
    const probe = new NetworkProbe(built, 0);
    const { view } = probe;
    expect(view.layers.map(({ kind }) => kind)).toEqual(c.kinds);
    expect(view.outputs.map(({ name }) => name)).toEqual(c.outputs);

    // weights, bit for bit as the policy file has them
    for (const layer of view.layers)
      for (const { name, weights, bias, inputs, outputs, from } of layer.weights) {
        const saved = Object.entries(snapshot.saved.arrays).find(([key]) => key.endsWith(`/${name}`));
        expect(saved?.[1]).toEqual(weights);
        expect(weights.length).toBe(inputs * outputs);
        expect(bias?.length).toBe(outputs);
        if (layer.kind !== 'conv') expect(from.reduce((sum, part) => sum + part.count, 0)).toBe(inputs);
      }

    const rng = Rng.from(3);
    const obs = Float32Array.from({ length: meta.obsSize }, () => Math.floor(3 * rng.uniform()));
    const memory = policy.initial(1).map(() => rng.uniform() - 0.5);
    const seen = { obs, mask: null, memory };
    const asked = view.outputs[0]!.name === 'logStd' ? null : { output: view.outputs[0]!.name, index: 0 };
    const values = await probe.values(seen, asked);
    const query = { obs, agent: new Int32Array(1), hidden: memory, rng, rows: 1, greedy: true };
    const act = await policy.act(meta.masked ? { ...query, mask: new Uint8Array(meta.actionCount).fill(1) } : query);
    for (const name of ['logits', 'q', 'value'] as const)
      if (values.outputs[name] !== undefined) expect(values.outputs[name]).toEqual(act[name]);

    const saved = (name: string): ArrayLike<number> => {
      const found = Object.entries(snapshot.saved.arrays).find(([key]) => key.endsWith(`/${name}`))?.[1];
      if (!(found instanceof Float32Array)) throw new Error(`no ${name}`);
      return found;
    };
    // dense layers: what stands before them times their weights is what they say
    view.layers.forEach((layer, i) => {
      const [w] = layer.weights;
      const sums = values.sums[i];
      if (layer.kind !== 'dense' || w === undefined || sums === null || sums === undefined) return;
      const into = w.from.flatMap(({ layer: from, offset, count }) => [...values.layers[from]!.subarray(offset, offset + count)]);
      for (const unit of [0, layer.units - 1]) {
        const sum = into.reduce((total, x, k) => total + x * w.weights[k * w.outputs + unit]!, w.bias?.[unit] ?? 0);
        expect(sums[unit]).toBeCloseTo(sum, 3);
      }
      expect(layer.normed).toBe(c.config?.layerNorm === true && layer.activation !== '');
      const given = layer.normed
        ? normalised(sums, saved(`${w.name.slice(0, -2)}.norm.gain`), saved(`${w.name.slice(0, -2)}.norm.shift`))
        : sums[0]!;
      if (layer.activation === 'tanh') expect(values.layers[i]![0]).toBeCloseTo(Math.tanh(given), 5);
      if (layer.activation === 'relu') expect(values.layers[i]![0]).toBe(Math.max(0, given));
    });

    if (asked !== null && !view.normalised && view.layers[0]!.labels[0]?.startsWith('row') === false)
      await nudged(probe, seen, asked, values);
    probe.dispose();
    built.free();
  });
});

/** The first number of a layer, normalised over it. */
function normalised(sums: Float32Array, gain: ArrayLike<number>, shift: ArrayLike<number>): number {
  const mean = sums.reduce((a, b) => a + b, 0) / sums.length;
  const variance = sums.reduce((a, b) => a + (b - mean) ** 2, 0) / sums.length;
  return ((sums[0]! - mean) / Math.sqrt(variance + 1e-5)) * gain[0]! + shift[0]!;
}

/** The slope along the first inputs against a small step of each. */
async function nudged(
  probe: NetworkProbe,
  seen: Parameters<NetworkProbe['values']>[0],
  asked: NonNullable<Parameters<NetworkProbe['values']>[1]>,
  values: NetworkValues,
): Promise<void> {
  const read = ({ outputs }: NetworkValues): number => {
    const given = outputs[asked.output]!;
    if (asked.output !== 'logits') return given[asked.index]!;
    const all = [...given].map((x) => Math.exp(x - Math.max(...given)));
    return all[asked.index]! / all.reduce((sum, x) => sum + x, 0);
  };
  const step = 1e-2;
  for (const column of [0, 1]) {
    const [up, down] = [seen.obs.slice(), seen.obs.slice()];
    up[column] = up[column]! + step;
    down[column] = down[column]! - step;
    const rise = read(await probe.values({ ...seen, obs: up }, asked)) - read(await probe.values({ ...seen, obs: down }, asked));
    expect(values.slopes[0]![column]).toBeCloseTo(rise / (2 * step), 2);
  }
}

test('shown weights are those of the exported layers model', async () => {
  const snapshot = await snapshotOf(CASES[1]!);
  const built = await buildPolicy(snapshot);
  const { view } = new NetworkProbe(built, 0);
  const { weights } = await policyToLayers(snapshot, 0);
  const first = view.layers[1]!.weights[0]!.weights;
  const exported = new Float32Array(weights.slice(0, 4 * first.length).buffer);
  expect(Array.from(first, exactFloat)).toEqual(Array.from(exported, exactFloat));
  expect(Array.from(first, (x) => Math.fround(Number(exactFloat(x))))).toEqual(Array.from(first));
  built.free();
});

test('a table has no network, and says so', async () => {
  const built = await buildPolicy(await snapshotOf({ algo: 'q-learning', env: 'cliff-walking', steps: 64, kinds: [], outputs: [] }));
  expect(() => new NetworkProbe(built, 0)).toThrow(/not one network/);
  built.free();
});
