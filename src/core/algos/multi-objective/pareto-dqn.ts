/**
 * One network for every weighting of several rewards: it is told the weights w and answers a vector of values for each action (a
 * conditioned network, Abels et al. 2019; double Q, Adam, target copies, as in dqn.ts).
 *   b = argmax_b w . Q(s', b; w),   y = r + discount Qtarget(s', b; w) in R^K,   loss = mean over batch and K of (Q(s, a; w) - y)^2
 * Each replayed transition is learned for weights drawn anew from the list: what was done for one preference teaches all. Agents share
 * the network, each with its own reward; an episode is played for one w. Throws LabError('nan-loss').
 */

import { fail } from '#contract/errors.ts';
import type { JsonObject } from '#contract/json.ts';
import { type Front, nearestWeights } from '#contract/pareto.ts';
import { updateTarget } from '#core/nets/target.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { type Point, simplex } from '#math/pareto.ts';
import { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import { linear } from '#math/schedules.ts';
import { add, amax, broadcastTo, concat, mean, mul, pick, reshape, square, stopGradient, sub, sum } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, Graph, Program, Tensor } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { encode, encodedSize } from '../../nets/encoder.ts';
import { maskLogits } from '../../nets/heads.ts';
import { type Net, qNetwork } from '../../nets/mlp.ts';
import { greedyAction } from '../../nets/q-values.ts';
import { joinSaved, partOf, restoreStates, statesOf } from '../../state/saved.ts';
import { defineAlgo, liveConfig } from '../api/define.ts';
import { checkFinite } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import type { Policy, Run } from '../api/types.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { type ReplayBatch, TransitionStore } from '../lib/replay/transitions.ts';
import { type ParetoDqnConfig, paretoDqnConfig, paretoDqnMetrics } from './lib/pareto-dqn-config.ts';
import { checkLength, checkVector, frontFor, knownFront, lookEvery, measureFront, playAll, pointBelow } from './lib/pareto-front.ts';

const STEPS_PER_ITERATION = 512;
const MOST_WEIGHTS = 1000;

/** Online and target network of one engine; values(..) is [rows, K, N]. */
function networks(engine: Engine, meta: EnvMeta, c: ParetoDqnConfig, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const K = meta.rewards.length;
  const sizes = [encodedSize(space) + K, ...c.hidden, K * meta.actionCount];
  const online = engine.group('q');
  const target = engine.group('target');
  const q = qNetwork(online, rng, sizes);
  const slow = qNetwork(target, Rng.from(0), sizes); // overwritten by a copy before the first use
  const values = (net: Net, g: Graph, name: string, rows: number): Tensor => {
    const seen = encode(g, g.input(name, [rows, meta.obsSize]), space);
    return reshape(net(concat([seen, g.input('weights', [rows, K])])), [rows, K, meta.actionCount]);
  };
  return { online, target, q, slow, values };
}
type Networks = ReturnType<typeof networks>;

/** What each action is worth at the weights, [rows, K, N] -> [rows, N]; illegal actions at -1e8. */
function worth(q: Tensor, meta: EnvMeta, mask: string): Tensor {
  const [rows, K, N] = q.shape as readonly [number, number, number];
  const sums = sum(mul(q, reshape(q.graph.input('weights', [rows, K]), [rows, K, 1])), 1);
  return meta.masked ? maskLogits(sums, q.graph.input(mask, [rows, N])) : sums;
}

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const q = worth(nets.values(nets.q, g, 'obs', rows), meta, 'mask');
    return { q, value: amax(q, -1) };
  };
  return engine.compile(build, { name: 'pareto-dqn act' });
}

function compileLearner(engine: Engine, nets: Networks, meta: EnvMeta, c: ParetoDqnConfig): Program {
  const M = c.batchSize;
  const K = meta.rewards.length;
  const each = (index: Tensor): Tensor => broadcastTo(reshape(index, [M, 1]), [M, K]);
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const best = greedyAction(worth(nets.values(nets.q, g, 'nextObs', M), meta, 'nextMask'));
    const follows = pick(nets.values(nets.slow, g, 'nextObs', M), each(best));
    const y = stopGradient(add(g.input('reward', [M, K]), mul(reshape(g.input('discount', [M]), [M, 1]), follows)));
    const chosen = pick(nets.values(nets.q, g, 'obs', M), each(g.input('action', [M])));
    return { loss: mean(square(sub(chosen, y))) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.online, with: adam(), maxGradNorm: 10, name: 'pareto-dqn learn' });
}

const weightsFor = (c: ParetoDqnConfig, meta: EnvMeta): readonly Point[] => simplex(meta.rewards.length, c.parts);

/** Acts by the listed weights nearest to the preference. */
function policyOf(
  c: ParetoDqnConfig,
  meta: EnvMeta,
  epsilon: () => number,
  compile: (rows: number) => Program,
  dispose?: () => void,
): Policy {
  const list = weightsFor(c, meta);
  const w = list[nearestWeights(list, c.preference ?? meta.rewards.map(() => 1))]!;
  const programs: Program[] = [];
  return networkPolicy({
    meta,
    epsilon,
    compile(rows) {
      const program = compile(rows);
      programs.push(program);
      return program;
    },
    prepare() {
      for (const { in: feed } of programs) for (let i = 0; i < feed.weights!.length; i++) feed.weights![i] = w[i % w.length]!;
    },
    ...(dispose && { dispose }),
  });
}

/** What every weighting's greedy policy gets now. */
async function look(run: Run<ParetoDqnConfig>, weights: readonly Point[], act: Program, reference: Point | null): Promise<Front> {
  const { meta, config: c } = run;
  const { agentCount: A, actionCount: N } = meta;
  const values = await playAll(run.envEntry, run.envConfig, weights.length, c.lookEpisodes, async ({ obs, mask }, actions) => {
    act.in.obs!.set(obs);
    if (meta.masked) act.in.mask!.set(mask!);
    fillWeights(act.in.weights!, weights, (row) => Math.floor(row / (A * c.lookEpisodes)));
    const acted = act.run();
    if (acted) await acted;
    for (let row = 0; row < actions.length; row++) actions[row] = argmax(act.out.q!, row * N, N, mask, row * N);
  });
  const known = knownFront(run.envEntry, run.envConfig);
  return frontFor(meta, weights, values, known, reference ?? c.referencePoint ?? pointBelow(values));
}

function fillWeights(into: Float32Array, weights: readonly Point[], which: (row: number) => number): void {
  const K = weights[0]!.length;
  for (let i = 0; i < into.length; i++) into[i] = weights[which(Math.floor(i / K))]![i % K]!;
}

export const paretoDqn = defineAlgo<ParetoDqnConfig>({
  spec: {
    id: 'pareto-dqn',
    version: 1,
    title: 'Pareto DQN',
    summary: 'One network that is told how much each reward counts, and so knows a policy for every weighting.',
    source: {
      title: 'Dynamic weights in multi-objective deep reinforcement learning',
      authors: 'Abels et al.',
      year: 2019,
      url: 'https://arxiv.org/abs/1809.07803',
    },
    config: paretoDqnConfig,
    presets: [{ id: 'item-gathering', title: 'Item gathering, three colours', config: { referencePoint: [-1, -1, -1], epsilonEnd: 0.1 } }],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mo-item-gathering', steps: 1500, config: { parts: 4, hidden: [16], learningStarts: 200, trainEvery: 8 } },
    probes: [],
    metrics: paretoDqnMetrics,
  },

  fits(meta, c) {
    checkVector(meta, 'Pareto DQN');
    checkLength(c.preference, meta, 'preference');
    checkLength(c.referencePoint, meta, 'referencePoint');
    const [first, ...others] = meta.agents;
    if (others.some((g) => JSON.stringify([g.obs, g.action]) !== JSON.stringify([first?.obs, first?.action])))
      throw fail(
        'incompatible',
        'Pareto DQN shares one network between agents; these see or do different things.',
        'Choose another.',
        'env.id',
      );
    const count = weightsFor(c, meta).length;
    if (count > MOST_WEIGHTS) throw fail('config-invalid', `${count} weightings are too many.`, 'Take fewer parts.', 'algo.parts');
  },

  async *train(run, resume) {
    const c = liveConfig(run);
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const { actionCount: N, agentCount: A } = meta;
    const K = meta.rewards.length;
    const B = c.envs;
    const R = B * A;
    const weights = weightsFor(c, meta);
    const nets = networks(engine, meta, c, run.rng.split('init'));
    const act = compileActor(engine, nets, meta, R);
    const lookers = compileActor(engine, nets, meta, weights.length * c.lookEpisodes * A);
    const learn = compileLearner(engine, nets, meta, c);
    const copy = engine.polyak(nets.target, nets.online);
    const streams = { exploring: run.rng.split('exploration'), replaying: run.rng.split('replay') };
    const { exploring, replaying } = streams;
    const memory = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: B });
    const looking = lookEvery(run.steps);
    const actions = new Int32Array(R);
    const who = new Uint32Array(B); // index of the weights that play this row's episode
    let step = 0;
    let front: Front;
    const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, step);

    if (resume === undefined) {
      env.reset();
      for (let row = 0; row < B; row++) who[row] = exploring.int(weights.length);
      await updateTarget(copy, 1);
      front = await look(run, weights, lookers, null);
    } else {
      env.load(partOf(resume, 'env'));
      engine.load(partOf(resume, 'engine'));
      memory.load(partOf(resume, 'memory'));
      restoreStates(streams, resume);
      who.set(resume.arrays.who as Uint32Array);
      step = resume.meta.step as number;
      front = resume.meta.front as unknown as Front;
    }
    let shared: Policy | undefined;

    while (step < run.steps) {
      const feed = learn.in;
      const sums = { loss: 0, gradNorm: 0 };
      let updates = 0;
      const begun = step;
      const until = Math.min(run.steps, step + STEPS_PER_ITERATION);
      while (step < until) {
        // 1. Act, each row for the weights of its episode.
        act.in.obs!.set(buffers.obs);
        if (meta.masked) act.in.mask!.set(buffers.mask!);
        fillWeights(act.in.weights!, weights, (row) => who[Math.floor(row / A)]!);
        const acted = act.run();
        if (acted) await acted;
        const eps = epsilon();
        for (let row = 0; row < R; row++) {
          actions[row] =
            exploring.uniform() < eps
              ? randomAction(exploring, N, buffers.mask, row * N)
              : argmax(act.out.q!, row * N, N, buffers.mask, row * N);
        }
        memory.beginStep();
        env.step(actions);

        // 2. Remember; a new episode is played for weights of its own.
        memory.add(actions);
        for (let b = 0; b < B; b++) {
          if (buffers.terminated[b] !== 0 || buffers.truncated[b] !== 0) who[b] = exploring.int(weights.length);
        }
        const before = step;
        step += B;

        // 3. Learn from replayed transitions, for weights of any kind.
        if (step > c.learningStarts && Math.floor(step / c.trainEvery) > Math.floor(before / c.trainEvery)) {
          memory.sample(replaying, c.batchSize, c.gamma, feed as unknown as ReplayBatch);
          for (let k = 0; k < c.batchSize; k++) feed.weights!.set(weights[replaying.int(weights.length)]!, k * K);
          feed.lr![0] = c.lr;
          const learned = learn.run();
          if (learned) await learned;
          sums.loss += learn.out.loss![0]!;
          sums.gradNorm += learn.out.gradNorm![0]!;
          updates++;
        }
        if (Math.floor(step / c.targetEvery) > Math.floor(before / c.targetEvery)) {
          await updateTarget(copy, 1);
        }
      }
      if (updates > 0) checkFinite(step, sums);
      const looked = step >= run.steps || Math.floor(step / looking) > Math.floor(begun / looking);
      if (looked) front = await look(run, weights, lookers, front.reference);
      const shown = front as unknown as JsonObject;

      yield {
        step,
        metrics: {
          ...episodeRow(env),
          ...(looked ? measureFront(front) : {}),
          loss: updates === 0 ? Number.NaN : sums.loss / updates,
          gradNorm: updates === 0 ? Number.NaN : sums.gradNorm / updates,
          epsilon: epsilon(),
        },
        snapshot: async () => joinSaved({ epsilon: epsilon(), front: shown }, { net: await readParams(engine, nets.online) }),
        save: async () => {
          const parts = { env: env.save(), engine: await engine.save(), memory: memory.save() };
          return joinSaved({ step, front: shown }, parts, { ...statesOf(streams), who: who.slice() });
        },
        policy: () => (shared ??= policyOf(c, meta, epsilon, (rows) => compileActor(engine, nets, meta, rows))),
        hash: () => engine.hash(),
      };
    }
  },

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, config, Rng.from(0));
    writeParams(engine, nets.online, partOf(saved, 'net'));
    const epsilon = saved.meta.epsilon as number;
    return policyOf(
      config,
      meta,
      () => epsilon,
      (rows) => compileActor(engine, nets, meta, rows),
      () => engine.dispose(),
    );
  },

  benchmark({ config, meta, engine }) {
    const learn = compileLearner(engine, networks(engine, meta, config, Rng.from(0)), meta, config);
    return { run: () => learn.run() };
  },
});
