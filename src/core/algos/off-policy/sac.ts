/**
 * Soft actor-critic (Haarnoja et al. 2018, "Algorithms and Applications") for actions in a box: replayed transitions, two critics
 * of which the smaller counts, a tanh-squashed Gaussian policy, and a temperature that keeps its entropy near a target.
 * Several agents that are alike share one policy and pair of critics and are rows like copies. Time limits bootstrap.
 * Equations: off-policy/lib/losses.ts. Differs from Stable-Baselines3: ln pi is that of the environment's action, not of the squashed one.
 * Throws LabError('nan-loss').
 */

import { updateTarget } from '#core/nets/target.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import * as fn from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { exp, mean, minimum, mul, reshape, split, sub, tanh } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, Graph, Program, Tensor } from '../../engine/types.ts';
import { createActions } from '../../envs/api/buffers.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { encode, encodedSize } from '../../nets/encoder.ts';
import { mlp } from '../../nets/mlp.ts';
import { joinSaved, partOf, restoreStates, statesOf } from '../../state/saved.ts';
import { defineAlgo, liveConfig } from '../api/define.ts';
import { checkFinite, checkSameAgents } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import type { Policy } from '../api/types.ts';
import { checkBufferSize, type ReplayBatch, stepsPerIteration, TransitionStore, updatesDue } from '../lib/replay/transitions.ts';
import { boxOf, checkBox } from './lib/box.ts';
import { boxPolicy } from './lib/box-policy.ts';
import { criticPair } from './lib/critics.ts';
import { bootstrapped, boundedLogStd, criticLoss, scaledSquashedGaussian, softValue, temperatureLoss } from './lib/losses.ts';
import { fillUniform, gaussianNoise } from './lib/noise.ts';
import { type SacConfig, sacConfig, sacMetrics, sacPresets } from './lib/sac-config.ts';

function networks(engine: Engine, meta: EnvMeta, c: SacConfig, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const D = meta.actionSize;
  const inputs = encodedSize(space);
  const actor = engine.group('actor');
  const body = mlp(actor, 'actor', rng, [inputs, ...c.hidden, 2 * D], { act: 'relu', init: 'torch' });
  const critic = engine.group('critic');
  const target = engine.group('target');
  const temperature = engine.group('temperature');
  const logAlpha = temperature.param('logAlpha', [1], Float32Array.of(fn.log(c.temperature)));
  return {
    actor,
    critic,
    target,
    temperature,
    logAlpha,
    q: criticPair(critic, rng, inputs + D, c.hidden),
    slow: criticPair(target, Rng.from(0), inputs + D, c.hidden), // overwritten by a copy before the first use
    see: (g: Graph, name: string, rows: number): Tensor => encode(g, g.input(name, [rows, meta.obsSize]), space),
    /** Mean and log-deviation [rows, D] before squashing. */
    gaussian(x: Tensor): { readonly mean: Tensor; readonly logStd: Tensor } {
      const [centre, raw] = split(body(x), [D, D]) as [Tensor, Tensor];
      return { mean: centre, logStd: boundedLogStd(raw, c.logStd) };
    },
    half: (g: Graph): Tensor => g.constant(boxOf(meta).half.slice(0, D), [D]),
  };
}
type Networks = ReturnType<typeof networks>;

function compileActing(engine: Engine, nets: Networks, rows: number): Program {
  return engine.compile((g) => nets.gaussian(nets.see(g, 'obs', rows)), { name: 'sac act' });
}

/** With the smaller critic's value of the best action. */
function compilePolicy(engine: Engine, nets: Networks, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = nets.see(g, 'obs', rows);
    const out = nets.gaussian(obs);
    const [q1, q2] = nets.q(obs, tanh(out.mean));
    return { ...out, value: minimum(q1, q2) };
  };
  return engine.compile(build, { name: 'sac policy' });
}

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: SacConfig): Program {
  const M = c.batchSize;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const nextObs = nets.see(g, 'nextObs', M);
    const next = nets.gaussian(nextObs);
    const noise = gaussianNoise(g, 'uniform', M, meta.actionSize);
    const { action, logProb } = scaledSquashedGaussian(next.mean, next.logStd, noise, nets.half(g));
    const [t1, t2] = nets.slow(nextObs, action);
    const alpha = exp(g.read(nets.logAlpha));
    const y = bootstrapped(g.input('reward', [M]), g.input('discount', [M]), softValue(t1, t2, logProb, alpha));
    const critics = nets.q(nets.see(g, 'obs', M), g.input('action', [M, meta.actionSize]));
    return { loss: criticLoss(critics, y), qMean: mean(critics[0]) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.critic, with: adam(), name: 'sac critics' });
}

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, c: SacConfig): Program {
  const M = c.batchSize;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = nets.see(g, 'obs', M);
    const now = nets.gaussian(obs);
    const noise = gaussianNoise(g, 'uniform', M, meta.actionSize);
    const { action, logProb } = scaledSquashedGaussian(now.mean, now.logStd, noise, nets.half(g));
    const [q1, q2] = nets.q(obs, action);
    const loss = mean(sub(mul(logProb, exp(g.read(nets.logAlpha))), minimum(q1, q2)));
    return { loss, logProb: mean(logProb) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.actor, with: adam(), name: 'sac actor' });
}

function compileTemperature(engine: Engine, nets: Networks, c: SacConfig): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const loss = temperatureLoss(g.read(nets.logAlpha), g.input('logProb', [1]), g.input('targetEntropy', [1]), c.temperatureLoss);
    return { loss: reshape(loss, []), alpha: exp(g.read(nets.logAlpha)) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.temperature, with: adam(), name: 'sac temperature' });
}

export const sac = defineAlgo<SacConfig>({
  spec: {
    id: 'sac',
    version: 1,
    title: 'SAC',
    summary: 'Learns continuous actions from replayed experience and is paid for staying undecided.',
    source: {
      title: 'Soft Actor-Critic Algorithms and Applications',
      authors: 'Haarnoja et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1812.05905',
    },
    config: sacConfig,
    presets: sacPresets,
    action: 'box',
    learner: 'network',
    agents: 'many',
    trial: { env: 'pendulum', steps: 700, config: { envs: 2, hidden: [8], batchSize: 16, learningStarts: 100, bufferSize: 300 } },
    probes: [
      { on: ['pointing'], steps: 5000, atLeast: 0.93 },
      { on: ['aimedBefore'], steps: 4000, atLeast: 0.9 },
      { on: ['pointingTeam'], steps: 4000, atLeast: 0.85 },
    ],
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
    },
    metrics: sacMetrics,
  },

  fits(meta, c) {
    checkBox(meta, 'SAC');
    checkSameAgents(meta, 'SAC');
    checkBufferSize(c.bufferSize, 2 * meta.obsSize + meta.actionSize + 2);
  },

  async *train(run, resume) {
    const c = liveConfig(run); // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const { actionSize: D, agentCount } = meta;
    const rows = c.envs * agentCount;
    const nets = networks(engine, meta, c, run.rng.split('init'));
    const act = compileActing(engine, nets, rows);
    const critics = compileCritics(engine, nets, meta, c);
    const actor = compileActor(engine, nets, meta, c);
    const temper = compileTemperature(engine, nets, c);
    const follow = engine.polyak(nets.target, nets.critic);
    const streams = { exploring: run.rng.split('exploration'), replaying: run.rng.split('replay'), drawing: run.rng.split('noise') };
    const { exploring, replaying, drawing } = streams;
    const memory = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: c.envs });
    const { centre, half } = boxOf(meta);
    const unit = new Float32Array(rows * D); // actions in [-1, 1]
    const envActions = createActions(meta, c.envs);
    let updates = 0;
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
      updates = resume.meta.updates as number;
      alpha = resume.meta.alpha as number;
    }
    let shared: Policy | undefined;

    while (step < run.steps) {
      // Views of programs are read anew here: compiling another program in between may have moved them.
      const [see, choose, judge, judged, improve, improved, warm] = [
        act.in,
        act.out,
        critics.in,
        critics.out,
        actor.in,
        actor.out,
        temper.in,
      ];
      const sums = { criticLoss: 0, qMean: 0, gradNorm: 0, actorLoss: 0, entropy: 0 };
      const batch = judge as unknown as ReplayBatch;
      let learned = 0;
      let improvedTimes = 0;
      const until = Math.min(run.steps, step + stepsPerIteration(c));
      while (step < until) {
        // 1. Act: anywhere in the box at first, then as the policy draws.
        if (step < c.learningStarts) for (let i = 0; i < unit.length; i++) unit[i] = 2 * exploring.uniform() - 1;
        else {
          see.obs!.set(buffers.obs);
          const acted = act.run();
          if (acted) await acted;
          const [means, logStds] = [choose.mean!, choose.logStd!];
          for (let i = 0; i < unit.length; i++) unit[i] = fn.tanh(means[i]! + fn.exp(logStds[i]!) * normal(exploring));
        }
        for (let i = 0; i < unit.length; i++) envActions[i] = centre[i % centre.length]! + half[i % half.length]! * unit[i]!;
        memory.beginStep();
        env.step(envActions);

        // 2. Remember.
        memory.add(unit);
        const before = step;
        step += c.envs;

        // 3. Learn from replayed transitions.
        const due = step > c.learningStarts ? updatesDue(before, step, c) : 0;
        for (let k = 0; k < due; k++) {
          memory.sample(replaying, c.batchSize, c.gamma, batch);
          fillUniform(drawing, judge.uniform!);
          judge.lr![0] = c.criticLr;
          const judging = critics.run();
          if (judging) await judging;
          sums.criticLoss += judged.loss![0]!;
          sums.qMean += judged.qMean![0]!;
          sums.gradNorm += judged.gradNorm![0]!;
          learned++;
          updates++;

          for (let j = 0; updates % c.actorEvery === 0 && j < c.actorUpdates; j++) {
            improve.obs!.set(judge.obs!);
            fillUniform(drawing, improve.uniform!);
            improve.lr![0] = c.lr;
            const improving = actor.run();
            if (improving) await improving;
            sums.actorLoss += improved.loss![0]!;
            sums.entropy -= improved.logProb![0]!;
            improvedTimes++;
            if (!c.autoTemperature) continue;
            warm.logProb![0] = improved.logProb![0]!;
            warm.targetEntropy![0] = c.targetEntropy ?? -D;
            warm.lr![0] = c.criticLr;
            const warming = temper.run();
            if (warming) await warming;
            alpha = temper.out.alpha![0]!;
          }
          const followed = updateTarget(follow, c.tau);
          if (followed) await followed;
        }
      }
      checkFinite(step, sums);
      const average = (sum: number, count: number): number => (count === 0 ? Number.NaN : sum / count);

      yield {
        step,
        metrics: {
          ...episodeRow(env),
          criticLoss: average(sums.criticLoss, learned),
          actorLoss: average(sums.actorLoss, improvedTimes),
          qMean: average(sums.qMean, learned),
          entropy: average(sums.entropy, improvedTimes),
          temperature: alpha,
          gradNorm: average(sums.gradNorm, learned),
        },
        snapshot: async () => joinSaved({}, { actor: await readParams(engine, nets.actor), critic: await readParams(engine, nets.critic) }),
        save: async () => {
          const parts = { env: env.save(), engine: await engine.save(), memory: memory.save() };
          return joinSaved({ step, updates, alpha }, parts, statesOf(streams));
        },
        policy: () => (shared ??= boxPolicy({ meta, compile: (n) => compilePolicy(engine, nets, n) })),
        hash: () => engine.hash(),
      };
    }
  },

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, config, Rng.from(0));
    writeParams(engine, nets.actor, partOf(saved, 'actor'));
    writeParams(engine, nets.critic, partOf(saved, 'critic'));
    return boxPolicy({ meta, compile: (n) => compilePolicy(engine, nets, n), dispose: () => engine.dispose() });
  },

  benchmark({ config, meta, engine }) {
    const nets = networks(engine, meta, config, Rng.from(0));
    const critics = compileCritics(engine, nets, meta, config);
    const actor = compileActor(engine, nets, meta, config);
    return {
      run() {
        const first = critics.run();
        return first === undefined ? actor.run() : first.then(() => actor.run());
      },
    };
  },
});
