/**
 * PPO whose rollouts never leave the device (executor `webgpu-rollouts`): T steps of N copies, their actions, advantages, the order of
 * minibatches and all updates are recorded one after the other, and one reading an iteration brings rewards, ends and losses to the host.
 * The method is that of algos/on-policy/ppo.ts with the same draws of actions and worlds; only the order of minibatches is another one
 * (kernels.ts: shuffled). State is saved as there, so that a run may go on with another executor.
 * Throws LabError('nan-loss' | 'gpu-lost'), and what rules of a world throw.
 */
import { present } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { saveGroups } from '#core/state/params.ts';
import { annealed } from '#math/schedules.ts';
import { episodeRow } from '../algos/api/metrics.ts';
import { safePoint } from '../algos/api/safe-point.ts';
import type { Progress, Run } from '../algos/api/types.ts';
import { type PolicyNetwork, policyNetwork, policyOfNetwork } from '../algos/lib/network-policy.ts';
import { CLIP_NORMALISED, checkUpdate, ppoLoss, REPORTED, type UpdateReport } from '../algos/lib/ppo/common.ts';
import type { PpoConfig } from '../algos/on-policy/ppo.ts';
import { gather, logSoftmax, reshape, standardise } from '../engine/ops.ts';
import { adam } from '../engine/optimisers.ts';
import type { DeviceSide, Engine, Param } from '../engine/types.ts';
import type { VectorEnv } from '../envs/api/vector-env.ts';
import { type Copies, deviceCopies } from './copies.ts';
import * as kernels from './kernels.ts';
import type { Rules } from './world.ts';
import { worlds } from './worlds/index.ts';

/** Memory of one rollout (kernels.ts). */
function rolloutMemory(device: DeviceSide, sizes: kernels.Sizes, minibatches: number) {
  const { copies, steps, obs, actions } = sizes;
  const total = copies * steps;
  const column = (name: string): Param => device.memory(name, [total, 1]);
  return {
    logProbs: device.memory('logProbs', [copies, actions]),
    value: device.memory('value', [copies, 1]),
    seen: device.memory('seen', [total, obs]),
    taken: column('taken'),
    chosen: column('chosen'),
    valued: column('valued'),
    last: device.memory('last', [total, obs]),
    finalValues: column('finalValues'),
    told: device.memory('told', [kernels.toldPlaces(sizes).size]),
    advantage: column('advantage'),
    target: column('target'),
    order: device.memory('order', [minibatches, total / minibatches]),
  };
}
type Memory = ReturnType<typeof rolloutMemory>;

/** The programs of PPO over memory that never leaves the device. The learner first: what is saved then lies together. */
function compilePrograms(engine: Engine, net: PolicyNetwork, c: PpoConfig, m: Memory, obs: Param) {
  const total = m.order.shape[0]! * m.order.shape[1]!;
  const size = total / c.minibatches;
  const learn = engine.compile(
    { minibatch: [1], clip: [1], entropyCoef: [1], valueCoef: [1] },
    (x, g) => {
      const places = reshape(gather(g.read(m.order), x.minibatch), [size]);
      const column = (of: Param) => reshape(gather(g.read(of), places), [size]);
      const found = net.evaluate({ obs: gather(g.read(m.seen), places), mask: undefined }, column(m.taken), g);
      const advantage = column(m.advantage);
      const inputs = {
        clip: x.clip,
        entropyCoef: x.entropyCoef,
        valueCoef: x.valueCoef,
        oldLogProb: column(m.chosen),
        advantage: c.normaliseAdvantages ? standardise(advantage, 1, 1e-8) : advantage,
        target: column(m.target),
        oldValue: c.clipValue ? column(m.valued) : undefined,
      };
      return ppoLoss(inputs, found);
    },
    { minimise: 'loss', group: net.group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'ppo learn' },
  );
  const act = engine.compile(
    {},
    (_x, g) => {
      const out = net.apply({ obs: g.read(obs), mask: undefined }, g);
      g.assign(m.logProbs, logSoftmax(out.head));
      g.assign(m.value, reshape(out.value, m.value.shape));
      return {};
    },
    { name: 'ppo act' },
  );
  const finals = engine.compile(
    {},
    (_x, g) => {
      g.assign(m.finalValues, reshape(net.apply({ obs: g.read(m.last), mask: undefined }, g).value, m.finalValues.shape));
      return {};
    },
    { name: 'ppo final values' },
  );
  return { learn, act, finals };
}

function compileKernels(device: DeviceSide, c: PpoConfig, sizes: kernels.Sizes, m: Memory, learn: ReturnType<Engine['compile']>) {
  const { copies } = sizes;
  const total = copies * sizes.steps;
  return {
    advantages: device.kernel({
      name: 'advantages',
      threads: copies,
      memory: [m.told, m.valued, m.value, m.finalValues, m.advantage, m.target],
      inputs: 2,
      body: (k, copy) => kernels.advantages(k, copy, sizes, c.bootstrapAtTruncation),
    }),
    order: device.kernel({
      name: 'order',
      threads: total,
      memory: [m.order],
      inputs: 2,
      body: (k, i) => kernels.order(k, i, total),
    }),
    report: device.kernel({
      name: 'report',
      threads: 1,
      memory: [m.told],
      results: learn,
      body: (k) => kernels.report(k, sizes, REPORTED, c.minibatches),
    }),
  };
}

const stepKernel = (device: DeviceSide, sizes: kernels.Sizes, m: Memory, copies: Copies, rules: Rules) =>
  device.kernel({
    name: 'step',
    threads: sizes.copies,
    memory: [copies.floats, copies.words, copies.obs, m.logProbs, m.value, m.seen, m.taken, m.chosen, m.valued, m.last, m.told],
    inputs: 5,
    body: (k, copy) => kernels.step(k, copy, sizes, rules, copies.layout),
  });

/** 1 - var(target - value) / var(target) from sums of n of them; NaN where targets do not vary, as math/stats.ts has it. */
function varianceFromSums(told: Float32Array, from: number, copies: number, n: number): number {
  const sums = [0, 0, 0, 0];
  for (let i = 0; i < 4 * copies; i++) sums[i % 4] = sums[i % 4]! + told[from + i]!;
  const variance = (sum: number, squares: number): number => squares / n - (sum / n) ** 2;
  const all = variance(sums[0]!, sums[1]!);
  return all > 0 ? 1 - variance(sums[2]!, sums[3]!) / all : Number.NaN;
}

/** Counts the episodes of a rollout as the host's own copies would. */
function count(env: VectorEnv, told: Float32Array, { copies, steps }: kernels.Sizes, ends: number): void {
  const { reward, terminated, truncated } = env.buffers;
  const how = new Uint32Array(told.buffer, told.byteOffset + 4 * ends, steps * copies);
  for (let t = 0; t < steps; t++) {
    reward.set(told.subarray(t * copies, (t + 1) * copies));
    for (let row = 0; row < copies; row++) {
      terminated[row] = how[t * copies + row] === kernels.TERMINATED ? 1 : 0;
      truncated[row] = how[t * copies + row] === kernels.TRUNCATED ? 1 : 0;
    }
    env.count();
  }
}

/** The run's algorithm is PPO: offer.ts has checked it. */
export async function* trainOnDevice(given: Run<JsonObject>, resume?: Saved): AsyncGenerator<Progress, void, void> {
  const run = given as unknown as Run<PpoConfig>;
  const c = run.config; // fields marked live may change between iterations
  const { meta } = run;
  const world = await present(worlds[meta.id], 'the rules of this environment')();
  const engine = await run.makeEngine();
  const device = present(engine.device, 'a graphics device');
  const env = run.makeEnv(c.envs);
  const sizes = { copies: c.envs, steps: c.rolloutSteps, obs: meta.obsSize, actions: meta.actionCount };
  const { copies: N, steps: T } = sizes;
  const total = T * N;
  const places = kernels.toldPlaces(sizes);
  const net = policyNetwork(engine, meta, c, run.rng.split('init'));
  const sampling = run.rng.split('sampling');
  const shuffling = run.rng.split('shuffling');
  const copies = deviceCopies(device, env);
  const memory = rolloutMemory(device, sizes, c.minibatches);
  const { learn, act, finals } = compilePrograms(engine, net, c, memory, copies.obs);
  const { advantages, order, report } = compileKernels(device, c, sizes, memory, learn);
  let ruled = run.envConfig;
  let step = stepKernel(device, sizes, memory, copies, world.rules(ruled, meta));
  const discounts = new Float32Array(advantages.in.buffer, advantages.in.byteOffset, 2);
  const state = registerState({
    counters: { step: 0 },
    parts: {
      env: {
        async save() {
          await copies.pull();
          return env.save();
        },
        load(saved) {
          env.load(saved);
        },
      },
      engine,
    },
    // The order is what PPO's host loop goes on from; here every epoch has one of its own.
    arrays: { order: Int32Array.from({ length: total }, (_, i) => i), sampling, shuffling },
  });
  const { counters } = state;
  const point = safePoint({
    state,
    engine,
    snapshot: () => saveGroups(engine, { net: net.group }),
    policy: () => policyOfNetwork(engine, meta, net, null, CLIP_NORMALISED),
  });
  if (resume === undefined) env.reset();
  else state.load(resume);
  copies.push();
  await Promise.all([advantages, order, report, step].map(({ ready }) => ready));

  while (counters.step < run.steps) {
    if (run.envConfig !== ruled) {
      ruled = run.envConfig;
      step.dispose();
      step = stepKernel(device, sizes, memory, copies, world.rules(ruled, meta));
      await step.ready;
    }
    for (let t = 0; t < T; t++) {
      await act.run({ read: false });
      step.in[0] = t;
      step.in.set(sampling.state, 1);
      step.run();
      sampling.skip(N);
    }
    await act.run({ read: false }); // the values of what comes next
    if (c.bootstrapAtTruncation) await finals.run({ read: false });
    discounts.set([c.gamma, c.lambda]);
    advantages.run();

    const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
    learn.in.lr[0] = lr;
    learn.in.clip[0] = c.clip;
    learn.in.entropyCoef[0] = c.entropyCoef;
    learn.in.valueCoef[0] = c.valueCoef;
    for (let epoch = 0; epoch < c.epochs; epoch++) {
      order.in.set([shuffling.next(), shuffling.next()]);
      order.run();
      for (let k = 0; k < c.minibatches; k++) {
        learn.in.minibatch[0] = k;
        await learn.run({ read: false });
        if (epoch === c.epochs - 1) report.run();
      }
    }
    const told = await device.read(memory.told);
    count(env, told, sizes, places.ends);
    counters.step += total;
    const update: UpdateReport = Object.fromEntries(REPORTED.map((name, i) => [name, told[places.report + i]!]));
    checkUpdate(counters.step, update);
    yield {
      step: counters.step,
      metrics: {
        ...episodeRow(env),
        ...update,
        explainedVariance: varianceFromSums(told, places.sums, N, total),
        learningRate: lr,
      },
      ...point,
    };
  }
}
