/**
 * Deep Q-network (Mnih et al. 2015) as CleanRL's dqn.py runs it: one copy, uniform replay, Adam, a target network copied every
 * few hundred steps, exploration falling in a straight line. Switches: double Q, dueling heads, n-step returns, prioritised
 * replay. `terminated` alone stops the bootstrap; a time limit does not. Throws LabError('nan-loss').
 */

import { readParams, writeParams } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import { linear } from '#math/schedules.ts';
import { amax } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, Graph, Program, Tensor } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { encode, encodedSize } from '../../nets/encoder.ts';
import { maskLogits } from '../../nets/heads.ts';
import { type Net, qNetwork } from '../../nets/mlp.ts';
import { joinSaved, partOf, restoreStates, statesOf } from '../../state/saved.ts';
import { defineAlgo, liveConfig } from '../api/define.ts';
import { checkFinite, checkSameAgents } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import type { Policy } from '../api/types.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { Priorities, type ReplayBuffer } from '../lib/replay/buffers.ts';
import { Recollection } from '../lib/replay/recollection.ts';
import { moveTarget } from '../lib/target.ts';
import { type DqnConfig, dqnConfig, dqnMetrics, dqnPresets } from './lib/dqn-config.ts';
import { dqnLoss, dqnTarget } from './lib/dqn-loss.ts';

const STEPS_PER_ITERATION = 500;

/** Online and target network of one engine. */
function networks(engine: Engine, meta: EnvMeta, c: DqnConfig, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const sizes = [encodedSize(space), ...c.hidden, meta.actionCount];
  const online = engine.group('q');
  const target = engine.group('target');
  const q = qNetwork(online, rng, sizes, { dueling: c.dueling });
  const slow = qNetwork(target, Rng.from(0), sizes, { dueling: c.dueling }); // overwritten by a copy before the first use
  const values = (net: Net, g: Graph, name: string, rows: number): Tensor => net(encode(g, g.input(name, [rows, meta.obsSize]), space));
  return { online, target, q, slow, values };
}
type Networks = ReturnType<typeof networks>;

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const q = nets.values(nets.q, g, 'obs', rows);
    return { q, value: amax(meta.masked ? maskLogits(q, g.input('mask', [rows, meta.actionCount])) : q, -1) };
  };
  return engine.compile(build, { name: 'dqn act' });
}

function compileLearner(engine: Engine, nets: Networks, meta: EnvMeta, c: DqnConfig): Program {
  const rows = c.batchSize;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const legal = (q: Tensor): Tensor => (meta.masked ? maskLogits(q, g.input('nextMask', [rows, meta.actionCount])) : q);
    const next = legal(nets.values(nets.slow, g, 'nextObs', rows));
    const chooser = c.double ? legal(nets.values(nets.q, g, 'nextObs', rows)) : null;
    const y = dqnTarget(g.input('reward', [rows]), g.input('discount', [rows]), next, chooser);
    const q = nets.values(nets.q, g, 'obs', rows);
    const { loss, error, qMean, errorMean } = dqnLoss(
      q,
      g.input('action', [rows]),
      y,
      c.loss,
      c.prioritised ? g.input('weight', [rows]) : null,
    );
    return { loss, error, qMean, errorMean };
  };
  return engine.compile(build, {
    minimise: 'loss',
    group: nets.online,
    with: adam(),
    name: 'dqn learn',
    ...(c.maxGradNorm === null ? {} : { maxGradNorm: c.maxGradNorm }),
  });
}

export const dqn = defineAlgo<DqnConfig>({
  spec: {
    id: 'dqn',
    version: 1,
    title: 'DQN',
    summary: 'Learns the value of every action with a network, from replayed experience.',
    source: {
      title: 'Human-level control through deep reinforcement learning',
      authors: 'Mnih et al.',
      year: 2015,
      url: 'https://doi.org/10.1038/nature14236',
    },
    config: dqnConfig,
    presets: dqnPresets,
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    metrics: dqnMetrics,
  },

  fits(meta) {
    checkSameAgents(meta, 'DQN');
  },

  async *train(run, resume) {
    const c = liveConfig(run); // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const { actionCount: N } = meta;
    const B = c.envs;
    const nets = networks(engine, meta, c, run.rng.split('init'));
    const act = compileActor(engine, nets, meta, B);
    const learn = compileLearner(engine, nets, meta, c);
    const copy = engine.polyak(nets.target, nets.online);
    const streams = { exploring: run.rng.split('exploration'), replaying: run.rng.split('replay') };
    const { exploring, replaying } = streams;
    const recollection = new Recollection(meta, buffers, { capacity: c.bufferSize, copies: B });
    const { memory } = recollection;
    const priorities = c.prioritised ? new Priorities(c.bufferSize, c.priorityAlpha) : null;
    const actions = new Int32Array(B);
    const drawn = new Float64Array(c.batchSize); // transition numbers of the minibatch
    let step = 0;
    const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, step);

    if (resume === undefined) {
      env.reset();
      await moveTarget(copy, 1);
    } else {
      env.load(partOf(resume, 'env'));
      engine.load(partOf(resume, 'engine'));
      recollection.load(partOf(resume, 'memory'));
      priorities?.unpack(resume.arrays.priorities as Float64Array);
      restoreStates(streams, resume);
      step = resume.meta.step as number;
    }
    let shared: Policy | undefined;

    while (step < run.steps) {
      const feed = learn.in;
      const said = learn.out;
      const sums = { loss: 0, qMean: 0, tdError: 0, gradNorm: 0 };
      let updates = 0;
      const until = Math.min(run.steps, step + STEPS_PER_ITERATION);
      while (step < until) {
        // 1. Act: at random with probability epsilon, else the best predicted action.
        const eps = epsilon();
        let asked = false;
        for (let row = 0; row < B; row++) {
          actions[row] = exploring.uniform() < eps ? randomAction(exploring, N, buffers.mask, row * N) : -1;
          if (actions[row] === -1) asked = true;
        }
        if (asked) {
          act.in.obs!.set(buffers.obs);
          if (meta.masked) act.in.mask!.set(buffers.mask!);
          const acted = act.run();
          if (acted) await acted;
          const q = act.out.q!;
          for (let row = 0; row < B; row++) if (actions[row] === -1) actions[row] = argmax(q, row * N, N, buffers.mask, row * N);
        }
        recollection.see();
        env.step(actions);

        // 2. Remember.
        if (priorities !== null) for (let row = 0; row < B; row++) priorities.addNew(memory.total + row);
        recollection.remember(actions);
        const before = step;
        step += B;

        // 3. Learn from replayed transitions.
        if (step > c.learningStarts && Math.floor(step / c.trainEvery) > Math.floor(before / c.trainEvery)) {
          for (let k = 0; k < c.gradientSteps; k++) {
            sampleBatch(memory, priorities, replaying, c, step / run.steps, drawn, feed);
            feed.lr![0] = c.lr;
            const read = priorities !== null || k === c.gradientSteps - 1; // a round trip on a GPU
            const learned = learn.run({ read });
            if (learned) await learned;
            if (!read) continue;
            priorities?.updateAll(drawn, said.error!);
            sums.loss += said.loss![0]!;
            sums.qMean += said.qMean![0]!;
            sums.tdError += said.errorMean![0]!;
            sums.gradNorm += said.gradNorm![0]!;
            updates++;
          }
        }
        if (step > c.learningStarts && Math.floor(step / c.targetEvery) > Math.floor(before / c.targetEvery)) {
          await moveTarget(copy, c.tau);
        }
      }
      if (updates > 0) checkFinite(step, sums);
      const mean = (sum: number): number => (updates === 0 ? Number.NaN : sum / updates);

      yield {
        step,
        metrics: {
          ...episodeRow(env),
          loss: mean(sums.loss),
          qMean: mean(sums.qMean),
          tdError: mean(sums.tdError),
          gradNorm: mean(sums.gradNorm),
          epsilon: epsilon(),
        },
        snapshot: async () => joinSaved({ epsilon: epsilon() }, { net: await readParams(engine, nets.online) }),
        save: async () => {
          const parts = { env: env.save(), engine: await engine.save(), memory: recollection.save() };
          const own = statesOf(streams);
          return joinSaved({ step }, parts, priorities === null ? own : { ...own, priorities: priorities.pack() });
        },
        policy: () => (shared ??= networkPolicy({ meta, epsilon, compile: (n) => compileActor(engine, nets, meta, n) })),
        hash: () => engine.hash(),
      };
    }
  },

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, config, Rng.from(0));
    writeParams(engine, nets.online, partOf(saved, 'net'));
    const epsilon = saved.meta.epsilon as number;
    return networkPolicy({
      meta,
      epsilon: () => epsilon,
      compile: (n) => compileActor(engine, nets, meta, n),
      dispose: () => engine.dispose(),
    });
  },

  benchmark({ config, meta, engine }) {
    const learn = compileLearner(engine, networks(engine, meta, config, Rng.from(0)), meta, config);
    return { run: () => learn.run() };
  },
});

/** Draws a minibatch into the learner's inputs: uniformly, or in proportion to priority with importance weights (largest 1). */
function sampleBatch(
  memory: ReplayBuffer,
  priorities: Priorities | null,
  rng: Rng,
  c: DqnConfig,
  progress: number,
  drawn: Float64Array,
  feed: Program['in'],
): void {
  const { obs, action, reward, discount, nextObs, nextMask } = feed as { readonly [name: string]: Float32Array } as Record<
    'obs' | 'action' | 'reward' | 'discount' | 'nextObs',
    Float32Array
  > & { nextMask?: Float32Array };
  const out = { obs, action, reward, discount, nextObs };
  const batch = nextMask === undefined ? out : { ...out, nextMask };
  const size = c.batchSize;
  if (priorities === null) {
    for (let k = 0; k < size; k++) {
      const id = memory.draw(rng);
      drawn[k] = id;
      memory.read(id, k, c.nStep, c.gamma, batch);
    }
    return;
  }
  // Stratified: one draw from each of `size` equal shares of the total priority (Schaul et al. 2016).
  const beta = linear(c.priorityBeta, 1, 1, progress);
  const weight = feed.weight!;
  let largest = 0;
  for (let k = 0; k < size; k++) {
    const id = memory.numberAt(priorities.find((priorities.total * (k + rng.uniform())) / size));
    drawn[k] = id;
    memory.read(id, k, c.nStep, c.gamma, batch);
    weight[k] = priorities.weight(id, memory.size, beta);
    largest = Math.max(largest, weight[k]!);
  }
  for (let k = 0; k < size; k++) weight[k]! /= largest;
}
