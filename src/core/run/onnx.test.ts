/** Policies as ONNX models against the policies themselves, run by ONNX Runtime. */
import * as tf from '@tensorflow/tfjs';
import { InferenceSession, Tensor } from 'onnxruntime-web';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { onnxPython, portText } from '#contract/session/onnx.ts';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../algos/all.ts';
import { lower } from '../engine/onnx/lower.ts';
import { OnnxModel } from '../engine/onnx/model.ts';
import * as ops from '../engine/ops.ts';
import { createWasmEngine } from '../engine/wasm/engine.ts';
import { getEnv } from '../envs/all.ts';
import { convTrunk } from '../nets/conv.ts';
import { trained } from '../testing/trained.ts';
import { buildPolicy, policyToLayers, policyToOnnx } from './loaded.ts';

const ROWS = 100;
const TOLERANCE = 1e-5;

interface Case {
  readonly algo: string;
  readonly env: string;
  readonly steps: number;
  readonly config?: JsonObject | undefined;
  readonly agent?: number;
}

async function snapshotOf({ algo, env, steps, config = {} }: Case): Promise<PolicySnapshot> {
  const entry = getAlgo(algo);
  const world = getEnv(env);
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

const largest = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  expect(a.length).toBe(b.length);
  return Array.from(a).reduce((worst, x, i) => Math.max(worst, Math.abs(x - b[i]!)), 0);
};

/** Both on the same random observations, with random masks and states where there are any. */
async function compare(c: Case) {
  const snapshot = await snapshotOf(c);
  const agent = c.agent ?? 0;
  const model = await policyToOnnx(snapshot, agent);
  const session = await InferenceSession.create(model.bytes);
  const { policy, meta, free } = await buildPolicy(snapshot);
  const rng = Rng.from(5);
  const widthOf = (name: string): number => Number(model.inputs.find((port) => port.name === name)?.shape[1] ?? 0);
  const fill = (width: number, draw: () => number): Float32Array => Float32Array.from({ length: ROWS * width }, draw);
  const seen = widthOf('obs');
  const own = fill(seen, () => 4 * rng.uniform() - 2);
  const obs = new Float32Array(ROWS * meta.obsSize);
  for (let row = 0; row < ROWS; row++) obs.set(own.subarray(row * seen, (row + 1) * seen), row * meta.obsSize);
  const n = widthOf('mask');
  const mask = fill(n, () => Number(rng.uniform() < 0.7)).map((x, i) => (i % n === 0 ? 1 : x));
  const state = fill(widthOf('state'), () => 2 * rng.uniform() - 1);
  const feeds: Record<string, Tensor> = { obs: new Tensor('float32', own, [ROWS, seen]) };
  if (n > 0) feeds.mask = new Tensor('float32', mask, [ROWS, n]);
  if (state.length > 0) feeds.state = new Tensor('float32', state, [ROWS, state.length / ROWS]);
  const found = await session.run(feeds);
  const expected = await policy.act({
    obs,
    agent: new Int32Array(ROWS).fill(agent),
    hidden: state,
    rng,
    rows: ROWS,
    greedy: true,
    ...(n > 0 && { mask: Uint8Array.from(mask) }),
  });
  const result = {
    model,
    found: Object.fromEntries(
      Object.entries(found).map(([name, { data }]) => [name, Array.from(data as ArrayLike<number | bigint>, Number)]),
    ),
  };
  const answer = { ...expected, actions: expected.actions.slice(), hidden: expected.hidden.slice() };
  free();
  await session.release();
  return { ...result, expected: answer };
}

describe('a policy as an ONNX model acts as the policy does, on 100 states', () => {
  test('discrete: PPO', async () => {
    const { model, found, expected } = await compare({ algo: 'ppo', env: 'cartpole', steps: 1024 });
    expect(model.inputs.map(portText)).toEqual(['obs [batch, 4]']);
    expect(model.outputs.map(portText)).toEqual(['logits [batch, 2]', 'probabilities [batch, 2]', 'action [batch] int64', 'value [batch]']);
    expect(largest(found.logits!, expected.logits!)).toBeLessThan(TOLERANCE);
    expect(largest(found.value!, expected.value!)).toBeLessThan(TOLERANCE);
    expect(found.action).toEqual(Array.from(expected.actions));
    const [a, b] = found.logits as [number, number];
    expect(found.probabilities![0]).toBeCloseTo(1 / (1 + Math.exp(b - a)), 5);
    expect(onnxPython(model, 'p.onnx').split('\n')).toHaveLength(5);
  });

  test('with forbidden actions: PPO on Connect Four', async () => {
    const config = { hidden: [32], envs: 2, rolloutSteps: 64 };
    const { found, expected } = await compare({ algo: 'ippo', env: 'connect-four', steps: 256, config });
    expect(largest(found.probabilities!, softmaxRows(expected.logits!, found.logits!.length / ROWS))).toBeLessThan(TOLERANCE);
    expect(found.action).toEqual(Array.from(expected.actions));
  });

  test('continuous: PPO with a normaliser, whose action is cut to the bounds', async () => {
    const { found, expected } = await compare({ algo: 'ppo', env: 'pendulum', steps: 2048, config: { normaliseObs: true } });
    expect(largest(found.mean!, expected.mean!)).toBeLessThan(TOLERANCE);
    expect(largest(found.std!, expected.logStd!.map(Math.exp))).toBeLessThan(TOLERANCE);
    expect(largest(found.action!, expected.actions)).toBeLessThan(TOLERANCE);
  });

  test('continuous: SAC, whose action is squashed', async () => {
    const config = { hidden: [32, 32], learningStarts: 100, batchSize: 32, bufferSize: 500 };
    const { found, expected } = await compare({ algo: 'sac', env: 'pendulum', steps: 300, config });
    expect(largest(found.action!, expected.actions)).toBeLessThan(TOLERANCE);
    expect(Math.max(...found.action!.map(Math.abs))).toBeLessThanOrEqual(2);
  });

  test('a norm, and a critic of its own: PPO and SAC', async () => {
    const own = { layerNorm: true, criticHidden: [24], activation: 'elu' };
    const ppo = await compare({ algo: 'ppo', env: 'cartpole', steps: 1024, config: own });
    expect(largest(ppo.found.logits!, ppo.expected.logits!)).toBeLessThan(TOLERANCE);
    expect(largest(ppo.found.value!, ppo.expected.value!)).toBeLessThan(TOLERANCE);
    const config = { ...own, hidden: [32, 32], learningStarts: 100, batchSize: 32, bufferSize: 500 };
    const sac = await compare({ algo: 'sac', env: 'pendulum', steps: 300, config });
    expect(largest(sac.found.action!, sac.expected.actions)).toBeLessThan(TOLERANCE);
    expect(largest(sac.found.value!, sac.expected.value!)).toBeLessThan(TOLERANCE);
  });

  test.each(['gru', 'lstm'])('recurrent: PPO with %s', async (cell) => {
    const { trial } = getAlgo('recurrent-ppo');
    const { model, found, expected } = await compare({ algo: 'recurrent-ppo', ...trial, config: { ...trial.config, cell } });
    expect(model.inputs.map(({ name }) => name)).toContain('state');
    expect(largest(found.logits!, expected.logits!)).toBeLessThan(TOLERANCE);
    expect(largest(found.next_state!, expected.hidden)).toBeLessThan(TOLERANCE);
    expect(onnxPython(model, 'p.onnx')).toContain('feed["state"] = answer["next_state"]');
  });

  test('action values: DQN', async () => {
    const { env, steps, config } = getAlgo('dqn').trial;
    const { found, expected } = await compare({ algo: 'dqn', env, steps, config });
    expect(largest(found.q!, expected.q!)).toBeLessThan(TOLERANCE);
    expect(found.action).toEqual(Array.from(expected.actions));
  });

  test('an agent of a team whose network is told its number', async () => {
    const config = { agentId: true, envs: 2, rolloutSteps: 32, hidden: [16], normaliseObs: true };
    const { model, found, expected } = await compare({ algo: 'mappo', env: 'mpe-simple-spread', steps: 128, config, agent: 2 });
    expect(model.agents).toHaveLength(3);
    expect(largest(found.logits!, expected.logits!)).toBeLessThan(TOLERANCE);
  });
});

function softmaxRows(logits: Float32Array, n: number): number[] {
  const out: number[] = [];
  for (let at = 0; at < logits.length; at += n) {
    const row = Array.from(logits.subarray(at, at + n), (x) => Math.exp(x - Math.max(...logits.subarray(at, at + n))));
    const sum = row.reduce((a, b) => a + b, 0);
    out.push(...row.map((x) => x / sum));
  }
  return out;
}

describe('as a TensorFlow.js layers model', () => {
  async function predict(c: Case) {
    const snapshot = await snapshotOf(c);
    const { model, weights } = await policyToLayers(snapshot, 0);
    const { modelTopology, weightsManifest } = JSON.parse(model);
    const weightData = weights.slice().buffer;
    const net = await tf.loadLayersModel(tf.io.fromMemory({ modelTopology, weightSpecs: weightsManifest[0].weights, weightData }));
    const { policy, meta, free } = await buildPolicy(snapshot);
    const rng = Rng.from(5);
    const obs = Float32Array.from({ length: ROWS * meta.obsSize }, () => 4 * rng.uniform() - 2);
    const answer = net.predict(tf.tensor2d(obs, [ROWS, meta.obsSize]));
    const found = Array.isArray(answer) ? [] : [...answer.dataSync()];
    const expected = await policy.act({ obs, agent: new Int32Array(ROWS), hidden: policy.initial(ROWS), rng, rows: ROWS, greedy: true });
    const copy = { actions: expected.actions.slice(), logits: expected.logits?.slice(), q: expected.q?.slice() };
    free();
    return { found, expected: copy };
  }

  test('probabilities, action values and scaled actions are those of the policy', async () => {
    await tf.setBackend('cpu');
    const ppo = await predict({ algo: 'ppo', env: 'cartpole', steps: 1024 });
    expect(largest(ppo.found, softmaxRows(ppo.expected.logits!, 2))).toBeLessThan(TOLERANCE);
    const cut = await predict({ algo: 'ppo', env: 'pendulum', steps: 2048, config: { normaliseObs: true } });
    expect(largest(cut.found, cut.expected.actions)).toBeLessThan(TOLERANCE);
    const small = { hidden: [32, 32], learningStarts: 100, batchSize: 32, bufferSize: 500 };
    const sac = await predict({ algo: 'sac', env: 'pendulum', steps: 300, config: small });
    expect(largest(sac.found, sac.expected.actions)).toBeLessThan(TOLERANCE);
    const normed = await predict({ algo: 'ppo', env: 'cartpole', steps: 1024, config: { layerNorm: true, criticHidden: [24] } });
    expect(largest(normed.found, softmaxRows(normed.expected.logits!, 2))).toBeLessThan(TOLERANCE);
    const { env, steps, config } = getAlgo('dqn').trial;
    const dqn = await predict({ algo: 'dqn', env, steps, config });
    expect(largest(dqn.found, dqn.expected.q!)).toBeLessThan(TOLERANCE);
  });

  test('a memory has none', async () => {
    const { trial } = getAlgo('recurrent-ppo');
    await expect(policyToLayers(await snapshotOf({ algo: 'recurrent-ppo', ...trial }), 0)).rejects.toThrow('it has a memory');
  });
});

test('what is no network says so', async () => {
  const snapshot = await snapshotOf({ algo: 'q-learning', env: 'frozen-lake', steps: 200 });
  await expect(policyToOnnx(snapshot, 0)).rejects.toThrow('not one network');
});

test('convolutions and every other operation of the engine', async () => {
  const engine = await createWasmEngine();
  const group = engine.group('net');
  const trunk = convTrunk(group, 'trunk', Rng.from(3), [5, 4, 2], {
    layers: [{ filters: 3, kernel: 3, pad: 1, stride: 2 }],
    hidden: [6],
    act: 'gelu',
  });
  const program = (rows: number) =>
    engine.compile({ x: [rows, 40] }, ({ x }, g) => {
      const y = trunk.net(x);
      const row = ops.sliceAxis(y, 1, 1, 4);
      const rest = [
        ops.where(ops.gt(row, 0.1), ops.exp(row), ops.sqrt(ops.abs(row))),
        ops.minimum(ops.maximum(ops.neg(row), -0.2), ops.div(row, 3)),
        ops.softplus(ops.square(row)),
        ops.elu(ops.sub(ops.sin(row), ops.cos(row))),
        ops.mul(ops.sign(row), ops.sigmoid(row)),
        ops.layerNorm(row),
        ops.logSoftmax(row),
        ops.matmul(
          row,
          ops.transpose(
            g.constant(
              Float32Array.from({ length: 16 }, (_, i) => i / 16),
              [4, 4],
            ),
          ),
        ),
        ops.log(ops.add(ops.relu(row), 1)),
        ops.add(ops.eq(row, 0), ops.add(ops.lt(row, 0), ops.add(ops.le(row, 0), ops.ge(row, 0)))),
        ops.gather(
          g.constant(
            Float32Array.from({ length: 20 }, (_, i) => i),
            [5, 4],
          ),
          ops.sum(ops.gt(row, 0.5), 1),
        ),
      ];
      return { y: ops.concat([y, ...rest, ops.broadcastTo(g.constant([1, 2]), [x.shape[0]!, 2])], 1) };
    });
  const traces = [7, 11].map((rows) => {
    let outputs = {};
    program(rows)
      .derive((all) => (outputs = all))
      .dispose();
    return { rows, outputs };
  });
  const model = new OnnxModel();
  const x = model.input({ name: 'x', type: 'float32', shape: ['batch', 40] });
  const rows = model.node('Slice', [model.node('Shape', [x]), model.integers([0]), model.integers([1])]);
  const names = lower({ model, traces: [traces[0]!, traces[1]!], input: () => x, rows, read: (param) => engine.read(param) });
  const whole = program(3);
  model.output({ name: 'y', type: 'float32', shape: ['batch', whole.out.y.length / 3] }, names.get('y') ?? '');
  const session = await InferenceSession.create(model.encode('all', {}));
  const rng = Rng.from(1);
  const data = Float32Array.from({ length: 3 * 40 }, () => 2 * rng.uniform() - 1);
  const { y } = await session.run({ x: new Tensor('float32', data, [3, 40]) });
  whole.in.x.set(data);
  whole.run();
  expect(largest(y!.data as Float32Array, whole.out.y)).toBeLessThan(TOLERANCE);
  engine.dispose();
});
