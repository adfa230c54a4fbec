/**
 * One network for every weighting of several rewards: the weights w are part of its input and it gives a vector of values for each action
 * (a conditioned network, Abels et al. 2019; double Q, Adam, target copies, as in dqn.ts).
 *   b = argmax_b w . Q(s', b; w),   y = r + discount Qtarget(s', b; w) in R^K,   loss = mean over batch and K of (Q(s, a; w) - y)^2
 * Each replayed transition is learned for weights drawn anew from the list: what was done for one preference trains all. Agents share
 * the network, each with its own reward; an episode is played for one w. Rows of agents that have died are learned from like others.
 * Pseudo-code:
 *   target network = network; weights: all multiples of 1 / parts that sum to 1, or only the one given
 *   repeat until the budget is spent
 *     where an episode begins: draw its w from the list
 *     act epsilon-greedily on w . Q(s, a; w), epsilon falling linearly
 *     store (s, a, vector r, s')
 *     once learningStarts steps are played, every trainEvery steps
 *       draw a minibatch uniformly, and for each transition a w from the list
 *       b by the network, y by the target network, both for this w
 *       one step of Adam on the loss
 *     every targetEvery steps: target network = network
 *     from time to time: play greedily for every w of the list and measure the front
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { type Front, nearestWeights } from '#contract/files/pareto.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { add, amax, broadcastTo, concat, mean, mul, pick, reshape, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { maskLogits } from '#core/nets/heads.ts';
import { type Net, qNetwork } from '#core/nets/mlp.ts';
import { greedyAction } from '#core/nets/q-values.ts';
import { updateTarget } from '#core/nets/target.ts';
import { registerState, savedNumber } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import type { Point } from '#math/pareto.ts';
import { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import { linear } from '#math/schedules.ts';
import { allUpdatesDue } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeMetrics, episodeRow, RowMeans } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy, Run } from '../api/types.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { TransitionStore, updatesDue } from '../lib/replay/transitions.ts';
import * as pareto from './lib/pareto-front.ts';

const STEPS_PER_ITERATION = 512;
const MOST_WEIGHTS = 1000;
const source = 'Abels et al. 2019';

const config = z.strictObject({
  parts: z
    .int()
    .min(1)
    .max(200)
    .default(10)
    .meta({
      title: 'weight resolution',
      unit: 'parts',
      description: 'Weights that are trained and evaluated are all multiples of one part that sum to 1: 66 of three rewards at 10 parts.',
      depth: 'teach',
      group: 'preferences',
      log: true,
      slider: [2, 100],
    }),
  only: pareto.onlyField,
  preference: pareto.preferenceField,
  referencePoint: pareto.referenceField,
  lookEpisodes: z.int().min(1).max(100).default(1).meta({
    title: 'evaluation episodes',
    unit: 'episodes',
    description: 'Played greedily for every weighting when the front is measured; more where episodes differ.',
    depth: 'stored',
    group: 'preferences',
  }),
  lr: fields.lr(1e-3, 'own choice', { group: 'learning' }),
  gamma: fields.gamma(0.95, source, { live: false, slider: [0.5, 1], group: 'learning' }),
  hidden: fields.hidden([128, 128], undefined, { unit: 'units', maxUnits: 1024, maxLayers: 4 }),
  envs: fields.numEnvs(8, undefined, { max: 256, group: 'collecting' }),
  bufferSize: fields.bufferSize(50_000, undefined, { min: 64, max: 2_000_000, group: 'memory' }),
  batchSize: fields.batchSize(64, undefined, { group: 'learning' }),
  learningStarts: fields.learningStarts(1000, undefined, { min: 0, max: 1e7, group: 'learning' }),
  trainEvery: fields.trainEvery(8, undefined, { group: 'learning' }),
  targetEvery: fields.targetEvery(1000, undefined, { group: 'learning' }),
  epsilonStart: fields.epsilonStart(1, undefined, { live: false }),
  epsilonEnd: fields.epsilonEnd(0.05, undefined, { live: false }),
  epsilonFraction: fields.epsilonFraction(0.5, undefined, { min: 0.01, live: false }),
});
type Config = z.infer<typeof config>;

/** Online and target network of one engine; values(..) is [rows, K, N]. */
function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const K = meta.rewards.length;
  const sizes = [encodedSize(space) + K, ...c.hidden, K * meta.actionCount];
  const online = engine.group('q');
  const target = engine.group('target');
  return {
    online,
    target,
    q: qNetwork(online, rng, sizes),
    targetQ: qNetwork(target, Rng.from(0), sizes), // overwritten by a copy before the first use
    values: (net: Net, g: Graph, obs: Tensor, weights: Tensor): Tensor =>
      reshape(net(concat([encode(g, obs, space), weights])), [obs.shape[0]!, K, meta.actionCount]),
  };
}
type Networks = ReturnType<typeof networks>;

const masks = (meta: EnvMeta, rows: number) => (meta.masked ? [rows, meta.actionCount] : null);

/** Weighted sum of the values of each action, [rows, K, N] -> [rows, N]; masked actions at -1e8. */
function utility(q: Tensor, weights: Tensor, mask: Tensor | undefined): Tensor {
  const [rows, K] = q.shape as readonly [number, number, number];
  const sums = sum(mul(q, reshape(weights, [rows, K, 1])), 1);
  return mask === undefined ? sums : maskLogits(sums, mask);
}

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile(
    { obs: [rows, meta.obsSize], weights: [rows, meta.rewards.length], mask: masks(meta, rows) },
    (x, g) => {
      const q = utility(nets.values(nets.q, g, x.obs, x.weights), x.weights, x.mask);
      return { q, value: amax(q, -1) };
    },
    { name: 'pareto-dqn act' },
  );
}

function compileLearner(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  const O = meta.obsSize;
  const K = meta.rewards.length;
  const each = (index: Tensor): Tensor => broadcastTo(reshape(index, [M, 1]), [M, K]);
  return engine.compile(
    { obs: [M, O], action: [M], reward: [M, K], discount: [M], nextObs: [M, O], nextMask: masks(meta, M), weights: [M, K] },
    (x, g) => {
      const values = (net: Net, obs: Tensor): Tensor => nets.values(net, g, obs, x.weights);
      const best = greedyAction(utility(values(nets.q, x.nextObs), x.weights, x.nextMask));
      const next = pick(values(nets.targetQ, x.nextObs), each(best));
      const y = stopGradient(add(x.reward, mul(reshape(x.discount, [M, 1]), next)));
      const chosen = pick(values(nets.q, x.obs), each(x.action));
      return { loss: mean(square(sub(chosen, y))) };
    },
    { minimise: 'loss', group: nets.online, with: adam(), maxGradNorm: 10, name: 'pareto-dqn learn' },
  );
}
type Actor = ReturnType<typeof compileActor>;

const weightsFor = (c: Config, meta: EnvMeta): readonly Point[] => pareto.trainedWeights(meta.rewards.length, c.parts, c.only);

/** Acts by the listed weights nearest to the preference. */
function policyOf(c: Config, meta: EnvMeta, epsilon: () => number, compile: (rows: number) => Actor, dispose?: () => void): Policy {
  const list = weightsFor(c, meta);
  const w = list[nearestWeights(list, c.preference ?? meta.rewards.map(() => 1))]!;
  const programs: Actor[] = [];
  return networkPolicy({
    meta,
    epsilon,
    compile(rows) {
      const program = compile(rows);
      programs.push(program);
      return program;
    },
    prepare() {
      for (const { in: feed } of programs) for (let i = 0; i < feed.weights.length; i++) feed.weights[i] = w[i % w.length]!;
    },
    ...(dispose && { dispose }),
  });
}

/** Returns of the greedy policy of every weighting, now. */
async function evaluateFront(run: Run<Config>, weights: readonly Point[], act: Actor, reference: Point | null): Promise<Front> {
  const { meta, config: c } = run;
  const { agentCount: A, actionCount: N } = meta;
  const values = await pareto.playAll(run.envEntry, run.envConfig, weights.length, c.lookEpisodes, async ({ obs, mask }, actions) => {
    act.in.obs.set(obs);
    if (mask !== undefined) act.in.mask?.set(mask);
    fillWeights(act.in.weights, weights, (row) => Math.floor(row / (A * c.lookEpisodes)));
    const pending = act.run();
    if (pending) await pending;
    for (let row = 0; row < actions.length; row++) actions[row] = argmax(act.out.q, row * N, N, mask, row * N);
  });
  const known = pareto.knownFront(run.envEntry, run.envConfig);
  return pareto.frontFor(meta, weights, values, known, reference ?? c.referencePoint ?? pareto.pointBelow(values));
}

function fillWeights(into: Float32Array, weights: readonly Point[], which: (row: number) => number): void {
  const K = weights[0]!.length;
  for (let i = 0; i < into.length; i++) into[i] = weights[which(Math.floor(i / K))]![i % K]!;
}

export const paretoDqn = defineAlgo<Config>({
  spec: {
    id: 'pareto-dqn',
    version: 3,
    changes: [allUpdatesDue(2), pareto.onlyAdded(3)],
    title: 'Pareto DQN',
    summary: 'One network whose input includes the weights of the rewards: a policy for every weighting.',
    source: {
      title: 'Dynamic weights in multi-objective deep reinforcement learning',
      authors: 'Abels et al.',
      year: 2019,
      url: 'https://arxiv.org/abs/1809.07803',
    },
    config,
    presets: [{ id: 'item-gathering', title: 'Item gathering, three colours', config: { referencePoint: [-1, -1, -1], epsilonEnd: 0.1 } }],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mo-item-gathering', steps: 1500, config: { parts: 4, hidden: [16], learningStarts: 200, trainEvery: 8 } },
    probes: [],
    metrics: [
      ...episodeMetrics,
      ...pareto.frontMetrics,
      { id: 'loss', title: 'loss', description: 'Mean squared error of all objectives against their targets.' },
      { id: 'gradNorm', title: 'gradient norm', description: 'Before any clipping.' },
      { id: 'epsilon', title: 'epsilon', description: 'Share of uniformly random actions now.' },
    ],
  },

  fits(meta, c) {
    pareto.checkVector(meta, 'Pareto DQN');
    pareto.checkLength(c.only, meta, 'only');
    pareto.checkLength(c.preference, meta, 'preference');
    pareto.checkLength(c.referencePoint, meta, 'referencePoint');
    const [first, ...others] = meta.agents;
    if (others.some((g) => JSON.stringify([g.obs, g.action]) !== JSON.stringify([first?.obs, first?.action])))
      throw fail(
        'incompatible',
        'Pareto DQN shares one network between agents; these differ in observations or actions.',
        'Choose another.',
        'env.id',
      );
    const count = weightsFor(c, meta).length;
    if (count > MOST_WEIGHTS) throw fail('config-invalid', `${count} weightings are too many.`, 'Take fewer parts.', 'algo.parts');
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const numEnvs = c.envs;
    const engine = await run.makeEngine();
    const env = run.makeEnv(numEnvs);
    const { buffers } = env;
    const { actionCount: N, agentCount: A } = meta;
    const K = meta.rewards.length;
    const rows = numEnvs * A;
    const weights = weightsFor(c, meta);
    const nets = networks(engine, meta, c, run.rng.split('init'));
    const act = compileActor(engine, nets, meta, rows);
    const evaluator = compileActor(engine, nets, meta, weights.length * c.lookEpisodes * A);
    const learn = compileLearner(engine, nets, meta, c);
    const targetUpdate = engine.polyak(nets.target, nets.online);
    const streams = { exploring: run.rng.split('exploration'), replaying: run.rng.split('replay') };
    const { exploring, replaying } = streams;
    const store = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs, deadToo: true });
    const interval = pareto.lookEvery(run.steps);
    const actions = new Int32Array(rows);
    const who = new Uint32Array(numEnvs); // index of the weights of this environment's episode
    const means = new RowMeans(['loss', 'gradNorm']);
    let front: Front | undefined;
    const state = registerState({
      counters: { step: 0 },
      json: {
        front: {
          save: () => front as unknown as JsonObject,
          load: (value) => {
            front = value as unknown as Front;
          },
        },
      },
      parts: { env, engine, memory: store },
      arrays: { ...streams, who },
    });
    const { counters } = state;
    const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, counters.step);
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: nets.online }, { epsilon: epsilon(), front: front as unknown as JsonObject }),
      policy: () => policyOf(c, meta, epsilon, (n) => compileActor(engine, nets, meta, n)),
    });
    if (resume === undefined) {
      env.reset();
      for (let b = 0; b < numEnvs; b++) who[b] = exploring.int(weights.length);
      await updateTarget(targetUpdate, 1);
      front = await evaluateFront(run, weights, evaluator, null);
    } else state.load(resume);

    while (counters.step < run.steps) {
      const begun = counters.step;
      const until = Math.min(run.steps, begun + STEPS_PER_ITERATION);
      while (counters.step < until) {
        // 1. Act epsilon-greedily, each environment for the weights of its episode.
        act.in.obs.set(buffers.obs);
        if (buffers.mask !== undefined) act.in.mask?.set(buffers.mask);
        fillWeights(act.in.weights, weights, (row) => who[Math.floor(row / A)]!);
        const pending = act.run();
        if (pending) await pending;
        const eps = epsilon();
        for (let row = 0; row < rows; row++) {
          actions[row] =
            exploring.uniform() < eps
              ? randomAction(exploring, N, buffers.mask, row * N)
              : argmax(act.out.q, row * N, N, buffers.mask, row * N);
        }
        store.beginStep();
        env.step(actions);

        // 2. Store the transitions; a new episode is played for weights of its own.
        store.add(actions);
        for (let b = 0; b < numEnvs; b++) {
          if (buffers.terminated[b] !== 0 || buffers.truncated[b] !== 0) who[b] = exploring.int(weights.length);
        }
        const before = counters.step;
        counters.step += numEnvs;
        const passed = (every: number): boolean => Math.floor(counters.step / every) > Math.floor(before / every);

        // 3. Learn from replayed transitions, each for weights drawn anew.
        const due =
          counters.step > c.learningStarts ? updatesDue(before, counters.step, { trainEvery: c.trainEvery, gradientSteps: 1 }) : 0;
        for (let k = 0; k < due; k++) {
          store.sample(replaying, c.batchSize, c.gamma, learn.in);
          for (let row = 0; row < c.batchSize; row++) learn.in.weights.set(weights[replaying.int(weights.length)]!, row * K);
          learn.in.lr[0] = c.lr;
          const update = learn.run();
          if (update) await update;
          means.add('loss', learn.out.loss[0]!);
          means.add('gradNorm', learn.out.gradNorm[0]!);
        }
        if (passed(c.targetEvery)) await updateTarget(targetUpdate, 1);
      }
      const { step } = counters;
      const evaluated = step >= run.steps || Math.floor(step / interval) > Math.floor(begun / interval);
      if (evaluated) front = await evaluateFront(run, weights, evaluator, front?.reference ?? null);
      const quality = evaluated && front !== undefined ? pareto.measureFront(front) : {};
      yield { step, metrics: { ...episodeRow(env), ...quality, ...means.take(step), epsilon: epsilon() }, ...point };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { net: nets.online }, saved);
    const epsilon = savedNumber(saved, 'epsilon');
    const compile = (rows: number) => compileActor(engine, nets, meta, rows);
    return policyOf(
      c,
      meta,
      () => epsilon,
      compile,
      () => engine.dispose(),
    );
  },

  benchmark({ config: c, meta, engine }) {
    const learn = compileLearner(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => learn.run() };
  },
});
