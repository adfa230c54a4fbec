/**
 * Copies of an environment on the device beside those of the host. `from` 'states': copies of a host that has played are sent to the device
 * and make one step there; else both make `steps` steps from the same start. Posts the largest differences. 'train': PPO on the device
 * and on wasm by the same config; posts what both report.
 */
import { present } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { Run } from '#core/algos/api/types.ts';
import { loadAlgo } from '#core/algos/index.ts';
import { createEngine } from '#core/engine/index.ts';
import { createWebgpuEngine } from '#core/engine/webgpu/engine.ts';
import { createVectorEnv, type VectorEnv } from '#core/envs/api/vector-env.ts';
import { loadEnv } from '#core/envs/index.ts';
import { deviceCopies } from '#core/rollouts/copies.ts';
import * as kernels from '#core/rollouts/kernels.ts';
import { trainOnDevice } from '#core/rollouts/ppo.ts';
import { worlds } from '#core/rollouts/worlds/index.ts';
import { Rng } from '#math/rng.ts';

export interface Task {
  readonly env: string;
  readonly config: JsonObject;
  readonly copies: number;
  /** Made on both, and compared after each. */
  readonly steps: number;
  /** Made by the host alone before; 0: none. */
  readonly before: number;
  /** PPO's settings: trains instead. */
  readonly train?: JsonObject;
  readonly iterations?: number;
}

const far = (a: ArrayLike<number>, b: ArrayLike<number>, worst: number): number => {
  let most = worst;
  for (let i = 0; i < b.length; i++) {
    const gap = Math.abs(a[i]! - b[i]!);
    if (!(gap <= most)) most = gap;
  }
  return most;
};

/** Random actions; the device is told them by log-probabilities that leave no choice. */
async function compare({ env: id, config, copies, steps, before }: Task): Promise<Json> {
  const entry = await loadEnv(id);
  const whole = entry.parse(config);
  const meta = entry.meta(whole);
  const host = createVectorEnv(entry, whole, copies, Rng.from(1).split('env'));
  host.reset();
  const rng = Rng.from(2);
  const N = meta.actionCount;
  const actions = new Int32Array(copies);
  const choose = (): void => {
    for (let row = 0; row < copies; row++) actions[row] = rng.int(N);
  };
  for (let t = 0; t < before; t++) {
    choose();
    host.step(actions);
  }
  const engine = await createWebgpuEngine(undefined, 'webgpu-rollouts');
  const { device } = engine;
  const sizes = { copies, steps: 1, obs: meta.obsSize, actions: N };
  const on = deviceCopies(device, host);
  const column = (name: string) => device.memory(name, [copies, 1]);
  const logProbs = device.memory('logProbs', [copies, N]);
  const told = device.memory('told', [kernels.toldPlaces(sizes).size]);
  const last = device.memory('last', [copies, meta.obsSize]);
  const rules = (await present(worlds[id], 'a world')()).rules(whole, meta);
  const step = device.kernel({
    name: 'step',
    threads: copies,
    memory: [
      on.floats,
      on.words,
      on.obs,
      logProbs,
      last,
      told,
      column('value'),
      column('taken'),
      column('chosen'),
      column('valued'),
      device.memory('seen', [copies, meta.obsSize]),
    ],
    inputs: 5,
    body: (k, copy) => kernels.step(k, copy, sizes, rules, on.layout),
  });
  on.push();
  const { floats: F, words: W } = on.layout;
  let [state, obs, reward, wrongWords, wrongEnds, ended] = [0, 0, 0, 0, 0, 0];
  const scale = new Float64Array(Math.max(1, F)).fill(1e-9);
  for (let t = 0; t < steps; t++) {
    choose();
    const said = new Float32Array(copies * N).fill(-1e8);
    for (let row = 0; row < copies; row++) said[row * N + actions[row]!] = 0;
    device.write(logProbs, said);
    step.in.set([0, 1, 2, 3, 4]);
    step.run();
    host.step(actions);
    const floats = await device.read(on.floats);
    const read = await device.read(on.words);
    const words = new Uint32Array(read.buffer);
    const heard = await device.read(told);
    const ends = new Uint32Array(heard.buffer);
    const finals = await device.read(last);
    obs = far(await device.read(on.obs), host.buffers.obs, obs);
    for (let row = 0; row < copies; row++) {
      const saved = host.env.save(row);
      const expected = new Float64Array(saved.buffer, 8, F);
      for (let i = 0; i < F; i++) scale[i] = Math.max(scale[i]!, Math.abs(expected[i]!));
      for (let i = 0; i < F; i++) state = Math.max(state, Math.abs(floats[row * F + i]! - expected[i]!) / scale[i]!);
      const integers = new Uint32Array(saved.buffer, 8 + 8 * F, W);
      for (let i = 0; i < W; i++) wrongWords += Number(words[row * W + i] !== integers[i]);
      reward = Math.max(reward, Math.abs(heard[row]! - host.buffers.reward[row]!));
      const { terminated, truncated } = host.buffers;
      const end = terminated[row] === 1 ? kernels.TERMINATED : truncated[row] === 1 ? kernels.TRUNCATED : 0;
      wrongEnds += Number(ends[copies + row] !== end);
      ended += Number(end !== 0);
      if (end !== kernels.TRUNCATED) continue;
      const at = row * meta.obsSize;
      obs = far(finals.subarray(at, at + meta.obsSize), host.buffers.finalObs.subarray(at, at + meta.obsSize), obs);
    }
  }
  const { bytes } = step;
  engine.dispose();
  return { state, obs, reward, wrongWords, wrongEnds, ended, bytes };
}

async function train({ env: id, config, train: settings = {}, iterations = 1 }: Task): Promise<Json> {
  const entry = await loadEnv(id);
  const envConfig = entry.parse(config);
  const algo = await loadAlgo('ppo');
  const whole = algo.parse(settings);
  const told: { [executor: string]: Json } = {};
  for (const executor of ['wasm', 'webgpu-rollouts'] as const) {
    const envs: VectorEnv[] = [];
    const engine = await createEngine(executor);
    const run: Run<JsonObject> = {
      config: { ...whole },
      envEntry: entry,
      envConfig,
      meta: entry.meta(envConfig),
      steps: iterations * Number(whole.envs) * Number(whole.rolloutSteps),
      seed: 1,
      rng: Rng.from(1),
      makeEnv(batch) {
        const made = createVectorEnv(entry, envConfig, batch, Rng.from(1).split('env'));
        envs.push(made);
        return made;
      },
      makeEngine: async () => engine,
    };
    const rows: Json[] = [];
    const from = performance.now();
    for await (const { metrics, step } of (executor === 'wasm' ? algo.train : trainOnDevice)(run)) rows.push({ step, ...metrics });
    const seconds = (performance.now() - from) / 1000;
    const { counts } = engine;
    const returns = envs[0]?.episodes.drain().map(({ score }) => score) ?? [];
    told[executor] = { rows, returns, seconds, ...(counts && { dispatches: counts.dispatches, submits: counts.submits }) };
    engine.dispose();
  }
  return told;
}

self.addEventListener('message', ({ data }: MessageEvent<Task>) => {
  (data.train === undefined ? compare(data) : train(data)).then(postMessage, (error: unknown) =>
    postMessage({ error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) }),
  );
});
