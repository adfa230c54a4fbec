/**
 * Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018) for actions in a box: a policy that names one action, two
 * critics of which the smaller counts, noise on the target's action, and a policy that learns every second time. With one critic,
 * no noise and no delay it is DDPG (Lillicrap et al. 2016), as a preset. Several agents that are alike share the networks and are
 * rows like copies. Time limits bootstrap. Equations: off-policy/lib/losses.ts. Throws LabError('nan-loss').
 */

import { updateTarget } from '#core/nets/target.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { mean, minimum, neg } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Program, Tensor } from '../../engine/types.ts';
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
import { critic, criticPair } from './lib/critics.ts';
import { bootstrapped, criticLoss, smoothedAction } from './lib/losses.ts';
import { fillUniform, gaussianNoise } from './lib/noise.ts';
import { type Td3Config, td3Config, td3Metrics, td3Presets } from './lib/td3-config.ts';

function networks(engine: Engine, meta: EnvMeta, c: Td3Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const inputs = encodedSize(space);
  const sizes = [inputs, ...c.hidden, meta.actionSize];
  const judge = (group: ParamGroup, from: Rng): ((obs: Tensor, action: Tensor) => Tensor[]) => {
    const width = inputs + meta.actionSize;
    if (c.twin) return criticPair(group, from, width, c.hidden);
    const one = critic(group, 'q1', from, width, c.hidden);
    return (obs, action) => [one(obs, action)];
  };
  const policy = (group: ParamGroup, from: Rng) => mlp(group, 'actor', from, sizes, { act: 'relu', init: 'torch', outAct: 'tanh' });
  const actor = engine.group('actor');
  const actorTarget = engine.group('actorTarget');
  const critics = engine.group('critic');
  const criticTarget = engine.group('criticTarget');
  return {
    actor,
    actorTarget,
    critics,
    criticTarget,
    mu: policy(actor, rng), // [-1, 1] per dimension
    q: judge(critics, rng),
    // Overwritten by copies before their first use.
    slowMu: policy(actorTarget, Rng.from(0)),
    slowQ: judge(criticTarget, Rng.from(0)),
    see: (g: Graph, name: string, rows: number): Tensor => encode(g, g.input(name, [rows, meta.obsSize]), space),
  };
}
type Networks = ReturnType<typeof networks>;

function compileActing(engine: Engine, nets: Networks, rows: number): Program {
  return engine.compile((g) => ({ mean: nets.mu(nets.see(g, 'obs', rows)) }), { name: 'td3 act' });
}

function compilePolicy(engine: Engine, nets: Networks, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = nets.see(g, 'obs', rows);
    const action = nets.mu(obs);
    return { mean: action, value: nets.q(obs, action).reduce((a, b) => minimum(a, b)) };
  };
  return engine.compile(build, { name: 'td3 policy' });
}

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: Td3Config): Program {
  const M = c.batchSize;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const nextObs = nets.see(g, 'nextObs', M);
    const noise = gaussianNoise(g, 'uniform', M, meta.actionSize);
    const action = smoothedAction(nets.slowMu(nextObs), noise, g.input('smoothing', [1]), c.smoothingLimit);
    const next = nets.slowQ(nextObs, action).reduce((a, b) => minimum(a, b));
    const y = bootstrapped(g.input('reward', [M]), g.input('discount', [M]), next);
    const critics = nets.q(nets.see(g, 'obs', M), g.input('action', [M, meta.actionSize]));
    return { loss: criticLoss(critics, y), qMean: mean(critics[0]!) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.critics, with: adam(), name: 'td3 critics' });
}

/** The policy climbs the first critic's value. */
function compileActor(engine: Engine, nets: Networks, c: Td3Config): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = nets.see(g, 'obs', c.batchSize);
    return { loss: neg(mean(nets.q(obs, nets.mu(obs))[0]!)) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.actor, with: adam(), name: 'td3 actor' });
}

export const td3 = defineAlgo<Td3Config>({
  spec: {
    id: 'td3',
    version: 1,
    title: 'TD3',
    summary: 'Learns one best continuous action per state by climbing what two critics predict.',
    source: {
      title: 'Addressing Function Approximation Error in Actor-Critic Methods',
      authors: 'Fujimoto et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1802.09477',
    },
    config: td3Config,
    presets: td3Presets,
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
      explorationNoise: 0.2,
    },
    metrics: td3Metrics,
  },

  fits(meta, c) {
    checkBox(meta, 'TD3');
    checkSameAgents(meta, 'TD3');
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
    const actor = compileActor(engine, nets, c);
    const followers = [engine.polyak(nets.actorTarget, nets.actor), engine.polyak(nets.criticTarget, nets.critics)];
    const follow = async (tau: number): Promise<void> => {
      for (const program of followers) await updateTarget(program, tau);
    };
    const streams = { exploring: run.rng.split('exploration'), replaying: run.rng.split('replay'), drawing: run.rng.split('noise') };
    const { exploring, replaying, drawing } = streams;
    const memory = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: c.envs });
    const { centre, half } = boxOf(meta);
    const unit = new Float32Array(rows * D); // actions in [-1, 1]
    const envActions = createActions(meta, c.envs);
    let updates = 0;
    let step = 0;

    if (resume === undefined) {
      env.reset();
      await follow(1);
    } else {
      env.load(partOf(resume, 'env'));
      engine.load(partOf(resume, 'engine'));
      memory.load(partOf(resume, 'memory'));
      restoreStates(streams, resume);
      step = resume.meta.step as number;
      updates = resume.meta.updates as number;
    }
    let shared: Policy | undefined;

    while (step < run.steps) {
      // Views of programs are read anew here: compiling another program in between may have moved them.
      const [see, choose, judge, judged, improve, improved] = [act.in, act.out, critics.in, critics.out, actor.in, actor.out];
      const sums = { criticLoss: 0, qMean: 0, gradNorm: 0, actorLoss: 0 };
      const batch = judge as unknown as ReplayBatch;
      let learned = 0;
      let improvedTimes = 0;
      const until = Math.min(run.steps, step + stepsPerIteration(c));
      while (step < until) {
        // 1. Act: anywhere in the box at first, then the policy's action with some noise.
        if (step < c.learningStarts) for (let i = 0; i < unit.length; i++) unit[i] = 2 * exploring.uniform() - 1;
        else {
          see.obs!.set(buffers.obs);
          const acted = act.run();
          if (acted) await acted;
          const best = choose.mean!;
          for (let i = 0; i < unit.length; i++) unit[i] = Math.min(1, Math.max(-1, best[i]! + c.explorationNoise * normal(exploring)));
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
          judge.smoothing![0] = c.smoothing;
          judge.lr![0] = c.criticLr;
          const judging = critics.run();
          if (judging) await judging;
          sums.criticLoss += judged.loss![0]!;
          sums.qMean += judged.qMean![0]!;
          sums.gradNorm += judged.gradNorm![0]!;
          learned++;
          updates++;
          if (updates % c.actorEvery !== 0) continue;
          improve.obs!.set(judge.obs!);
          improve.lr![0] = c.lr;
          const improving = actor.run();
          if (improving) await improving;
          sums.actorLoss += improved.loss![0]!;
          improvedTimes++;
          await follow(c.tau);
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
          gradNorm: average(sums.gradNorm, learned),
        },
        snapshot: async () =>
          joinSaved(
            { noise: c.explorationNoise },
            { actor: await readParams(engine, nets.actor), critic: await readParams(engine, nets.critics) },
          ),
        save: async () => {
          const parts = { env: env.save(), engine: await engine.save(), memory: memory.save() };
          return joinSaved({ step, updates }, parts, statesOf(streams));
        },
        policy: () => (shared ??= boxPolicy({ meta, noise: () => c.explorationNoise, compile: (n) => compilePolicy(engine, nets, n) })),
        hash: () => engine.hash(),
      };
    }
  },

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, config, Rng.from(0));
    writeParams(engine, nets.actor, partOf(saved, 'actor'));
    writeParams(engine, nets.critics, partOf(saved, 'critic'));
    const noise = saved.meta.noise as number;
    return boxPolicy({ meta, noise: () => noise, compile: (n) => compilePolicy(engine, nets, n), dispose: () => engine.dispose() });
  },

  benchmark({ config, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, config, Rng.from(0)), meta, config);
    return { run: () => critics.run() };
  },
});
