/**
 * Soft actor-critic for discrete actions (Christodoulou 2019, as CleanRL's sac_atari.py runs it): critics that value every action, so
 * that the policy's expectations are sums and need no draws.
 *   y = r + d sum_a pi(a | s') [min(Q1', Q2')(s', a) - alpha ln pi(a | s')];  d is 0 after an end, not at a time limit
 *   J(pi) = mean sum_a pi(a | s) [alpha ln pi(a | s) - min(Q1, Q2)(s, a)]
 *   J(alpha) = -mean[alpha (sum_a pi ln pi + H)],  H = scale ln(actions)
 * Several agents that are alike share the networks and are rows like copies. Throws LabError('nan-loss').
 */

import { updateTarget } from '#core/nets/target.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { categorical, randomAction } from '#math/sampling.ts';
import { exp, logSoftmax, mean, minimum, mul, pick, reshape, softmax, sum } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Program, Tensor } from '../../engine/types.ts';
import { createActions } from '../../envs/api/buffers.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { encode, encodedSize } from '../../nets/encoder.ts';
import { maskLogits } from '../../nets/heads.ts';
import { mlp } from '../../nets/mlp.ts';
import { joinSaved, partOf, restoreStates, statesOf } from '../../state/saved.ts';
import { defineAlgo, liveConfig } from '../api/define.ts';
import { checkFinite, checkSameAgents } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import type { Policy } from '../api/types.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { checkBufferSize, type ReplayBatch, stepsPerIteration, TransitionStore, updatesDue } from '../lib/replay/transitions.ts';
import { bootstrapped, criticLoss, discreteSoftValue, temperatureLoss } from './lib/losses.ts';
import { sacMetrics } from './lib/sac-config.ts';
import { type SacDiscreteConfig, sacDiscreteConfig, sacDiscretePresets } from './lib/sac-discrete-config.ts';

function networks(engine: Engine, meta: EnvMeta, c: SacDiscreteConfig, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const sizes = [encodedSize(space), ...c.hidden, meta.actionCount];
  const layers = { act: 'relu', init: 'torch' } as const;
  const pair = (group: ParamGroup, from: Rng): ((x: Tensor) => [Tensor, Tensor]) => {
    const [first, second] = [mlp(group, 'q1', from, sizes, layers), mlp(group, 'q2', from, sizes, layers)];
    return (x) => [first(x), second(x)];
  };
  const actor = engine.group('actor');
  const body = mlp(actor, 'actor', rng, sizes, layers);
  const critic = engine.group('critic');
  const target = engine.group('target');
  const temperature = engine.group('temperature');
  return {
    actor,
    critic,
    target,
    temperature,
    logAlpha: temperature.param('logAlpha', [1], Float32Array.of(log(c.temperature))),
    q: pair(critic, rng),
    slow: pair(target, Rng.from(0)), // overwritten by a copy before the first use
    see: (g: Graph, name: string, rows: number): Tensor => encode(g, g.input(name, [rows, meta.obsSize]), space),
    logits: (g: Graph, x: Tensor, mask: string): Tensor =>
      meta.masked ? maskLogits(body(x), g.input(mask, [x.shape[0]!, meta.actionCount])) : body(x),
  };
}
type Networks = ReturnType<typeof networks>;

function compileActing(engine: Engine, nets: Networks, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => ({ logits: nets.logits(g, nets.see(g, 'obs', rows), 'mask') });
  return engine.compile(build, { name: 'sac-discrete act' });
}

/** With what the policy expects of the smaller critic. */
function compilePolicy(engine: Engine, nets: Networks, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = nets.see(g, 'obs', rows);
    const logits = nets.logits(g, obs, 'mask');
    const [q1, q2] = nets.q(obs);
    return { logits, value: sum(mul(softmax(logits), minimum(q1, q2)), -1) };
  };
  return engine.compile(build, { name: 'sac-discrete policy' });
}

function compileCritics(engine: Engine, nets: Networks, c: SacDiscreteConfig): Program {
  const M = c.batchSize;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const nextObs = nets.see(g, 'nextObs', M);
    const logProbs = logSoftmax(nets.logits(g, nextObs, 'nextMask'));
    const [t1, t2] = nets.slow(nextObs);
    const next = discreteSoftValue(logProbs, t1, t2, exp(g.read(nets.logAlpha)));
    const y = bootstrapped(g.input('reward', [M]), g.input('discount', [M]), next);
    const action = g.input('action', [M]);
    const taken = nets.q(nets.see(g, 'obs', M)).map((q) => pick(q, action));
    return { loss: criticLoss(taken, y), qMean: mean(taken[0]!) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.critic, with: adam(), name: 'sac-discrete critics' });
}

/** The policy's loss is minus what its states are worth; `logProb` is minus its mean entropy. */
function compileActor(engine: Engine, nets: Networks, c: SacDiscreteConfig): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = nets.see(g, 'obs', c.batchSize);
    const logProbs = logSoftmax(nets.logits(g, obs, 'mask'));
    const [q1, q2] = nets.q(obs);
    const loss = mul(mean(discreteSoftValue(logProbs, q1, q2, exp(g.read(nets.logAlpha)))), -1);
    return { loss, logProb: mean(sum(mul(exp(logProbs), logProbs), -1)) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.actor, with: adam(), name: 'sac-discrete actor' });
}

function compileTemperature(engine: Engine, nets: Networks): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const logAlpha = g.read(nets.logAlpha);
    const loss = temperatureLoss(logAlpha, g.input('logProb', [1]), g.input('targetEntropy', [1]), 'exp');
    return { loss: reshape(loss, []), alpha: exp(logAlpha) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.temperature, with: adam(), name: 'sac-discrete temperature' });
}

export const sacDiscrete = defineAlgo<SacDiscreteConfig>({
  spec: {
    id: 'sac-discrete',
    version: 1,
    title: 'SAC (discrete)',
    summary: 'Learns to choose from replayed experience and is paid for staying undecided.',
    source: {
      title: 'Soft Actor-Critic for Discrete Action Settings',
      authors: 'Christodoulou',
      year: 2019,
      url: 'https://arxiv.org/abs/1910.07207',
    },
    config: sacDiscreteConfig,
    presets: sacDiscretePresets,
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: { env: 'cartpole', steps: 700, config: { envs: 2, hidden: [8], batchSize: 16, learningStarts: 100, bufferSize: 300 } },
    probes: [{ on: ['bandit', 'cued', 'delayed', 'masked', 'team'], steps: 4000 }],
    probeConfig: {
      hidden: [32],
      lr: 3e-3,
      criticLr: 3e-3,
      gamma: 0.9,
      tau: 0.05,
      batchSize: 64,
      learningStarts: 100,
      bufferSize: 5000,
      trainEvery: 2,
      targetEntropyScale: 0.3,
    },
    metrics: sacMetrics,
  },

  fits(meta, c) {
    checkSameAgents(meta, 'SAC');
    checkBufferSize(c.bufferSize, 2 * meta.obsSize + 3 + (meta.masked ? meta.actionCount / 2 : 0));
  },

  async *train(run, resume) {
    const c = liveConfig(run); // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const { actionCount: N, agentCount } = meta;
    const rows = c.envs * agentCount;
    const nets = networks(engine, meta, c, run.rng.split('init'));
    const act = compileActing(engine, nets, rows);
    const critics = compileCritics(engine, nets, c);
    const actor = compileActor(engine, nets, c);
    const temper = compileTemperature(engine, nets);
    const follow = engine.polyak(nets.target, nets.critic);
    const streams = { exploring: run.rng.split('exploration'), replaying: run.rng.split('replay') };
    const { exploring, replaying } = streams;
    const memory = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: c.envs, currentMask: true });
    const actions = createActions(meta, c.envs);
    let alpha = c.temperature;
    let step = 0;

    if (resume === undefined) {
      env.reset();
      await updateTarget(follow, 1);
    } else {
      env.load(partOf(resume, 'env'));
      engine.load(partOf(resume, 'engine'));
      memory.load(partOf(resume, 'memory'));
      restoreStates(streams, resume);
      step = resume.meta.step as number;
      alpha = resume.meta.alpha as number;
    }
    let shared: Policy | undefined;

    while (step < run.steps) {
      // Views of programs are read anew here: compiling another program in between may have moved them.
      const [see, judge, judged, improve, improved, warm] = [act.in, critics.in, critics.out, actor.in, actor.out, temper.in];
      const batch = { ...judge, mask: improve.mask } as unknown as ReplayBatch;
      const sums = { criticLoss: 0, qMean: 0, gradNorm: 0, actorLoss: 0, entropy: 0 };
      let learned = 0;
      const until = Math.min(run.steps, step + stepsPerIteration(c));
      while (step < until) {
        // 1. Act: at random at first, then as the policy draws.
        const warmUp = step < c.learningStarts;
        if (!warmUp) {
          see.obs!.set(buffers.obs);
          if (meta.masked) see.mask!.set(buffers.mask!);
          const acted = act.run();
          if (acted) await acted;
        }
        for (let row = 0; row < rows; row++) {
          actions[row] = warmUp
            ? randomAction(exploring, N, buffers.mask, row * N)
            : categorical(act.out.logits!, row * N, N, exploring.uniform());
        }
        memory.beginStep();
        env.step(actions);

        // 2. Remember.
        memory.add(actions);
        const before = step;
        step += c.envs;

        // 3. Learn from replayed transitions.
        const due = step > c.learningStarts ? updatesDue(before, step, c) : 0;
        for (let k = 0; k < due; k++) {
          memory.sample(replaying, c.batchSize, c.gamma, batch);
          judge.lr![0] = c.criticLr;
          const judging = critics.run();
          if (judging) await judging;
          improve.obs!.set(judge.obs!);
          improve.lr![0] = c.lr;
          const improving = actor.run();
          if (improving) await improving;
          if (c.autoTemperature) {
            warm.logProb![0] = improved.logProb![0]!;
            warm.targetEntropy![0] = c.targetEntropyScale * log(N);
            warm.lr![0] = c.criticLr;
            const warming = temper.run();
            if (warming) await warming;
            alpha = temper.out.alpha![0]!;
          }
          const followed = updateTarget(follow, c.tau);
          if (followed) await followed;
          sums.criticLoss += judged.loss![0]!;
          sums.qMean += judged.qMean![0]!;
          sums.gradNorm += judged.gradNorm![0]!;
          sums.actorLoss += improved.loss![0]!;
          sums.entropy -= improved.logProb![0]!;
          learned++;
        }
      }
      checkFinite(step, sums);
      const average = (sum: number): number => (learned === 0 ? Number.NaN : sum / learned);

      yield {
        step,
        metrics: {
          ...episodeRow(env),
          criticLoss: average(sums.criticLoss),
          actorLoss: average(sums.actorLoss),
          qMean: average(sums.qMean),
          entropy: average(sums.entropy),
          temperature: alpha,
          gradNorm: average(sums.gradNorm),
        },
        snapshot: async () => joinSaved({}, { actor: await readParams(engine, nets.actor), critic: await readParams(engine, nets.critic) }),
        save: async () => {
          const parts = { env: env.save(), engine: await engine.save(), memory: memory.save() };
          return joinSaved({ step, alpha }, parts, statesOf(streams));
        },
        policy: () => (shared ??= networkPolicy({ meta, compile: (n) => compilePolicy(engine, nets, n) })),
        hash: () => engine.hash(),
      };
    }
  },

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, config, Rng.from(0));
    writeParams(engine, nets.actor, partOf(saved, 'actor'));
    writeParams(engine, nets.critic, partOf(saved, 'critic'));
    return networkPolicy({ meta, compile: (n) => compilePolicy(engine, nets, n), dispose: () => engine.dispose() });
  },

  benchmark({ config, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, config, Rng.from(0)), config);
    return { run: () => critics.run() };
  },
});
