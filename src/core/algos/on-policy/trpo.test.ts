/** TRPO's Fisher products against an explicit matrix, its system solver, the KL of a step and what its line search refuses. */
import { describe, expect, it } from 'vitest';
import { conjugateGradient } from '#math/conjugate-gradient.ts';
import { solveLinear } from '#math/linear.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { gradients } from '../../engine/autodiff.ts';
import { createEngine } from '../../engine/index.ts';
import { concat, reshape, sliceAxis } from '../../engine/ops.ts';
import { sizeOf } from '../../engine/shapes.ts';
import type { EnvEntry } from '../../envs/api/types.ts';
import { createVectorEnv } from '../../envs/api/vector-env.ts';
import { masked, pointing } from '../../testing/probes.ts';
import { trained } from '../../testing/trained.ts';
import { compileActor, policyNetwork } from '../lib/network-policy.ts';
import { createRollout, valuesBy } from './lib/actor-critic.ts';
import { naturalStep, openTrustRegion, takeStep, trpo } from './trpo.ts';

const STEPS = 8;
const COPIES = 4;
const ROWS = STEPS * COPIES;

/** A rollout of a policy with parameters drawn at random, and its trust region. */
async function opened(entry: EnvEntry) {
  const engine = await createEngine('wasm');
  const env = createVectorEnv(entry, {}, COPIES, Rng.from(1));
  const net = policyNetwork(engine, env.meta, { hidden: [5], activation: 'tanh', sharedTrunk: false }, Rng.from(2));
  const draws = Rng.from(3);
  for (const param of net.group.params)
    engine.write(
      param,
      Float32Array.from({ length: sizeOf(param.shape) }, () => 0.5 * normal(draws)),
    );
  const act = compileActor(engine, net, COPIES, 'act');
  const rollout = createRollout({ env, net, act, valuesAt: valuesBy(act), steps: STEPS, sampling: Rng.from(4) });
  env.reset();
  await rollout.collect();
  const region = openTrustRegion(engine, net, ROWS);
  const advantages = Float32Array.from({ length: ROWS }, () => normal(draws));
  const from = await region.begin(rollout, advantages);

  /** Gradients [P] of each number that the network gives for one row, and these numbers: logits, or means and log stds. */
  const width = net.discrete ? env.meta.actionCount : 2 * env.meta.actionSize;
  const params = net.group.params.filter(({ name }) => !name.startsWith('critic'));
  const single = engine.compile(net.inputs(1), (x, g) => {
    const out = net.outputs(x, g);
    const head = 'logits' in out ? out.logits : concat([out.mean, out.logStd]);
    const by = params.map((param) => g.read(param));
    const jacobian = Array.from({ length: width }, (_, i) =>
      concat(gradients(reshape(sliceAxis(head, 1, i, 1), []), by).map((t) => reshape(t, [sizeOf(t.shape)]))),
    );
    return { head, jacobian: concat(jacobian) };
  });
  const head = async (row: number) => {
    single.in.obs.set(rollout.obs.subarray(row * env.meta.obsSize, (row + 1) * env.meta.obsSize));
    single.in.mask?.set(rollout.masks.subarray(row * env.meta.actionCount, (row + 1) * env.meta.actionCount));
    await single.run();
    const size = single.out.jacobian.length / width;
    const jacobian = Array.from({ length: width }, (_, i) => Float64Array.from(single.out.jacobian.subarray(i * size, (i + 1) * size)));
    return { head: Float64Array.from(single.out.head), jacobian };
  };
  return { region, from, head, discrete: net.discrete, draws };
}

function softmax(logits: Float64Array): Float64Array {
  const top = Math.max(...logits);
  const weights = logits.map((z) => Math.exp(z - top));
  const total = weights.reduce((a, b) => a + b);
  return weights.map((w) => w / total);
}

/** Mean over the rows of J' M J, M the Fisher matrix of the distribution by its own numbers: diag(p) - p p', or 1 / var and 2. */
async function fisherMatrix({ head, discrete, from }: Awaited<ReturnType<typeof opened>>): Promise<number[][]> {
  const size = from.parameters.length;
  const matrix = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (let row = 0; row < ROWS; row++) {
    const { head: numbers, jacobian } = await head(row);
    const p = softmax(numbers);
    const D = numbers.length / 2;
    const inner = (a: number, b: number): number => {
      if (discrete) return (a === b ? p[a]! : 0) - p[a]! * p[b]!;
      if (a !== b) return 0;
      return a < D ? Math.exp(-2 * numbers[a + D]!) : 2;
    };
    numbers.forEach((_, a) => {
      numbers.forEach((__, b) => {
        const m = inner(a, b) / ROWS;
        if (m === 0) return;
        for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) matrix[i]![j]! += m * jacobian[a]![i]! * jacobian[b]![j]!;
      });
    });
  }
  return matrix;
}

/** Mean KL(old || new) in float64 from the numbers of both. */
function klOf(old: readonly Float64Array[], now: readonly Float64Array[], discrete: boolean): number {
  const one = (a: Float64Array, b: Float64Array): number => {
    if (discrete) {
      const [p, q] = [softmax(a), softmax(b)];
      return p.reduce((sum, w, i) => sum + (w > 0 ? w * Math.log(w / q[i]!) : 0), 0);
    }
    const D = a.length / 2;
    let sum = 0;
    for (let d = 0; d < D; d++) {
      const [s, t] = [a[d + D]!, b[d + D]!];
      sum += t - s + (Math.exp(2 * s) + (a[d]! - b[d]!) ** 2) / (2 * Math.exp(2 * t)) - 0.5;
    }
    return sum;
  };
  return old.reduce((sum, a, row) => sum + one(a, now[row]!), 0) / old.length;
}

const settings = { targetKl: 0.01, cgMaxSteps: 15, cgDamping: 0.1, lineSearchSteps: 10, lineSearchShrink: 0.8 };
const allHeads = ({ head }: Awaited<ReturnType<typeof opened>>) =>
  Array.from({ length: ROWS }).reduce<Promise<Float64Array[]>>(
    async (before, _, row) => [...(await before), (await head(row)).head],
    Promise.resolve([]),
  );

describe.each([
  ['numbered actions, some masked', masked],
  ['continuous actions', pointing],
])('%s', (_, entry) => {
  it('Fisher products equal those with the explicit matrix', async () => {
    const setup = await opened(entry);
    const matrix = await fisherMatrix(setup);
    for (let trial = 0; trial < 3; trial++) {
      const v = Float64Array.from(setup.from.parameters, () => normal(setup.draws));
      const found = await setup.region.fisher(v);
      const want = matrix.map((line) => line.reduce((sum, m, i) => sum + m * v[i]!, 0));
      const scale = Math.max(...want.map(Math.abs));
      expect(scale).toBeGreaterThan(0.01);
      want.forEach((value, i) => {
        expect(Math.abs(found[i]! - value) / scale).toBeLessThan(1e-5);
      });
    }
  });

  it('conjugate gradients find the damped natural gradient', async () => {
    const { region, from, ...setup } = await opened(entry);
    const matrix = await fisherMatrix({ region, from, ...setup });
    const damped = matrix.map((line, i) => line.map((m, j) => m + (i === j ? settings.cgDamping : 0)));
    const x = solveLinear(damped, [...from.gradient]);
    const curved = x.reduce((sum, value, i) => sum + value * from.gradient[i]!, 0);
    const step = await naturalStep(region, from.gradient, { ...settings, cgMaxSteps: 50 });
    x.forEach((value, i) => {
      expect(step[i]).toBeCloseTo(value * Math.sqrt((2 * settings.targetKl) / curved), 3);
    });
  });

  it('a step gains, within the KL of the target by an independent count', async () => {
    const setup = await opened(entry);
    const { region, from, discrete } = setup;
    const old = await allHeads(setup);
    const step = await naturalStep(region, from.gradient, settings);
    const found = await takeStep(region, from, step, settings);
    const kl = klOf(old, await allHeads(setup), discrete);
    expect(kl).toBeCloseTo(found.kl, 5);
    expect(kl).toBeLessThan(settings.targetKl * 1.001);
    expect(kl).toBeGreaterThan(settings.targetKl / 10);
    expect(found.surrogate).toBeGreaterThan(from.surrogate);
  });

  it('the line search shrinks what goes too far and refuses what does not gain', async () => {
    const { region, from } = await opened(entry);
    const step = await naturalStep(region, from.gradient, settings);
    const long = await takeStep(
      region,
      from,
      step.map((value) => 4 * value),
      settings,
    );
    expect(long.backtracks).toBeGreaterThan(3); // 0.8^3 of four times the length is still twice as far
    expect(long.backtracks).toBeLessThan(10);
    expect(long.kl).toBeLessThanOrEqual(settings.targetKl);

    const back = await takeStep(
      region,
      from,
      step.map((value) => -value),
      settings,
    );
    expect(back.backtracks).toBe(10);
    expect(back.kl).toBeLessThan(1e-7);
    region.place(from.parameters.map(() => 0));
    await takeStep(
      region,
      from,
      step.map((value) => -value),
      { ...settings, lineSearchSteps: 1 },
    );
    expect((await region.measure()).surrogate).toBe(back.surrogate);

    // The natural gradient takes it all the same.
    const taken = await takeStep(
      region,
      from,
      step.map((value) => -value),
      { ...settings, lineSearchSteps: 0 },
    );
    expect(taken.surrogate).toBeLessThan(from.surrogate);
    expect(taken.kl).toBeGreaterThan(settings.targetKl / 10);
  });
});

it('conjugate gradients solve a system of n unknowns in n steps; without a gradient there is no step', async () => {
  const matrix = [
    [4, 1, 0],
    [1, 3, 1],
    [0, 1, 2],
  ];
  const product = async (v: Float64Array) => Float64Array.from(matrix, (line) => line.reduce((sum, m, i) => sum + m * v[i]!, 0));
  const found = await conjugateGradient(product, Float64Array.of(1, 2, 3), 3);
  solveLinear(matrix, [1, 2, 3]).forEach((value, i) => {
    expect(found[i]).toBeCloseTo(value, 12);
  });
  const { region, from } = await opened(masked);
  expect(await naturalStep(region, new Float64Array(from.parameters.length), settings)).toEqual(new Float64Array(from.parameters.length));
});

it('keeps the KL of every update in a run; the natural gradient is not held to it', async () => {
  const config = { targetKl: 0.1, envs: 4, rolloutSteps: 32, minibatches: 4, hidden: [8] };
  const kls = async (more: object) =>
    (await trained({ algo: trpo, env: pointing, config: { ...config, ...more }, steps: 3000 })).rows.map(([, row]) => row.kl!);
  const held = await kls({});
  expect(Math.max(...held)).toBeLessThanOrEqual(0.1);
  expect(held.filter((kl) => kl > 0.01).length).toBeGreaterThan(held.length / 4);
  expect(Math.max(...(await kls({ lineSearchSteps: 0 })))).toBeGreaterThan(0.1);
});
