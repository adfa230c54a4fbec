/**
 * Multi-agent deep deterministic policy gradient (Lowe et al. 2017): every agent acts on what it sees, and is taught by a critic that
 * sees everybody's observations and actions.
 *   y_i = r_i + gamma Q_i'(x', a_1', ..., a_A')  with  a_j' from the target policies (0 in place of Q_i' after an end)
 *   policy i climbs Q_i(x, a_1, ..., mu_i(o_i), ..., a_A): its own action by its policy, the others' as replayed
 * Discrete actions are drawn by Gumbel-softmax, one-hot forward and relaxed backward; continuous ones are tanh outputs in the box.
 * Agents may differ in what they see, do and want; those that share networks (sharing.ts) share the critic too. Time limits
 * bootstrap. Throws LabError('nan-loss').
 */

import { updateTarget } from '#core/nets/target.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { categorical, normal, randomAction } from '#math/sampling.ts';
import { createActions } from '../../envs/api/buffers.ts';
import { joinSaved, partOf, restoreStates, statesOf } from '../../state/saved.ts';
import { defineAlgo, liveConfig } from '../api/define.ts';
import { checkFinite } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import type { Policy } from '../api/types.ts';
import { checkTeam, type Member } from '../lib/joint.ts';
import { checkBufferSize, type ReplayBatch, stepsPerIteration, TransitionStore, updatesDue } from '../lib/replay/transitions.ts';
import { teamPolicy } from '../lib/sharing.ts';
import { boxOf } from './lib/box.ts';
import { type MaddpgConfig, maddpgConfig, maddpgMetrics, maddpgPresets } from './lib/maddpg-config.ts';
import { compileActing, compileActors, compileCritics, compilePolicy, team } from './lib/maddpg-programs.ts';
import { fillUniform } from './lib/noise.ts';

export const maddpg = defineAlgo<MaddpgConfig>({
  spec: {
    id: 'maddpg',
    version: 1,
    title: 'MADDPG',
    summary: 'Agents act on what each sees and are taught by critics that see everything.',
    source: {
      title: 'Multi-Agent Actor-Critic for Mixed Cooperative-Competitive Environments',
      authors: 'Lowe et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1706.02275',
    },
    config: maddpgConfig,
    presets: maddpgPresets,
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mpe-simple-tag', steps: 1200, config: { envs: 4, hidden: [16], batchSize: 16, learningStarts: 200, bufferSize: 500 } },
    probes: [
      { on: ['bandit', 'delayed', 'masked', 'team', 'xorTeam', 'climbing', 'roles'], steps: 8000 },
      { on: ['pointingTeam'], steps: 8000, config: { explorationNoise: 0.3 }, atLeast: 0.9 },
      { on: ['twoStep'], steps: 12_000, atLeast: 6.9 },
    ],
    probeConfig: {
      hidden: [32],
      lr: 3e-3,
      criticLr: 3e-3,
      gamma: 0.9,
      tau: 0.05,
      batchSize: 64,
      learningStarts: 200,
      bufferSize: 5000,
      trainEvery: 4,
      envs: 4,
    },
    metrics: maddpgMetrics,
  },

  fits(meta, c) {
    checkTeam(meta, 'MADDPG');
    const masks = meta.masked ? meta.actionCount / 2 : 0; // two of one byte each
    checkBufferSize(c.bufferSize, meta.agentCount * (2 * meta.obsSize + meta.actionSize + 1 + masks) + 1);
  },

  async *train(run, resume) {
    const c = liveConfig(run); // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const { agentCount: A, actionSize: D, actionCount: N } = meta;
    const B = c.envs;
    const t = team(engine, meta, c, run.rng.split('init'));
    const act = compileActing(engine, t, meta, B);
    const critics = compileCritics(engine, t, meta, c);
    const actors = compileActors(engine, t, meta, c);
    const followers = [engine.polyak(t.actorTargets, t.actors), engine.polyak(t.criticTargets, t.critics)];
    const follow = async (tau: number): Promise<void> => {
      for (const program of followers) await updateTarget(program, tau);
    };
    const streams = { exploring: run.rng.split('exploration'), replaying: run.rng.split('replay'), drawing: run.rng.split('noise') };
    const { exploring, replaying, drawing } = streams;
    const memory = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: B, joint: true, currentMask: true });
    const { centre, half } = boxOf(meta);
    const chosen = new Float32Array(B * A * D); // numbers of discrete actions, or [-1, 1]
    const envActions = createActions(meta, B);
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
    }
    let shared: Policy | undefined;

    /** One action of one agent in one copy, from its policy's outputs or at random. */
    const choose = (b: number, { agent, network }: Member, from: Float32Array | null): void => {
      const at = (b * A + agent) * D;
      const n = network.choices;
      if (network.discrete) {
        const a =
          from === null ? randomAction(exploring, n, buffers.mask, (b * A + agent) * N) : categorical(from, b * n, n, exploring.uniform());
        chosen[at] = a;
        envActions[at] = a;
        return;
      }
      for (let d = 0; d < network.actionWidth; d++) {
        const noisy =
          from === null ? 2 * exploring.uniform() - 1 : from[b * network.actionWidth + d]! + c.explorationNoise * normal(exploring);
        const unit = Math.min(1, Math.max(-1, noisy));
        chosen[at + d] = unit;
        envActions[at + d] = centre[agent * D + d]! + half[agent * D + d]! * unit;
      }
    };

    while (step < run.steps) {
      // Views of programs are read anew here: compiling another program in between may have moved them.
      const [see, judge, judged, improve, improved] = [act.in, critics.in, critics.out, actors.in, actors.out];
      const batch = { ...judge, mask: improve.mask } as unknown as ReplayBatch;
      const sums = { criticLoss: 0, qMean: 0, gradNorm: 0, actorLoss: 0 };
      let learned = 0;
      const until = Math.min(run.steps, step + stepsPerIteration(c));
      while (step < until) {
        // 1. Act: at random at first, then as the policies draw.
        const warmUp = step < c.learningStarts;
        if (!warmUp) {
          see.obs!.set(buffers.obs);
          if (meta.masked) see.mask!.set(buffers.mask!);
          const acted = act.run();
          if (acted) await acted;
        }
        for (const member of t.members) {
          const from = warmUp ? null : act.out[`policy${member.agent}`]!;
          for (let b = 0; b < B; b++) choose(b, member, from);
        }
        memory.beginStep();
        env.step(envActions);

        // 2. Remember.
        memory.add(chosen);
        const before = step;
        step += B;

        // 3. Learn from replayed transitions of the whole team.
        const due = step > c.learningStarts ? updatesDue(before, step, c) : 0;
        for (let k = 0; k < due; k++) {
          memory.sample(replaying, c.batchSize, c.gamma, batch);
          if (judge.uniform !== undefined) fillUniform(drawing, judge.uniform);
          judge.lr![0] = c.criticLr;
          const judging = critics.run();
          if (judging) await judging;
          improve.obs!.set(judge.obs!);
          improve.action!.set(judge.action!);
          if (improve.uniform !== undefined) fillUniform(drawing, improve.uniform);
          improve.logitPenalty![0] = c.logitPenalty;
          improve.lr![0] = c.lr;
          const improving = actors.run();
          if (improving) await improving;
          await follow(c.tau);
          sums.criticLoss += judged.loss![0]! / A;
          sums.qMean += judged.qMean![0]!;
          sums.gradNorm += judged.gradNorm![0]!;
          sums.actorLoss += improved.climb![0]!;
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
          gradNorm: average(sums.gradNorm),
        },
        snapshot: async () => joinSaved({ noise: c.explorationNoise }, { actors: await readParams(engine, t.actors) }),
        save: async () => {
          const parts = { env: env.save(), engine: await engine.save(), memory: memory.save() };
          return joinSaved({ step }, parts, statesOf(streams));
        },
        policy: () =>
          (shared ??= teamPolicy({
            meta,
            sharing: t.sharing,
            compile: (network, rows) => compilePolicy(engine, t, meta, network, rows, c.explorationNoise),
          })),
        hash: () => engine.hash(),
      };
    }
  },

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const t = team(engine, meta, config, Rng.from(0));
    writeParams(engine, t.actors, partOf(saved, 'actors'));
    return teamPolicy({
      meta,
      sharing: t.sharing,
      compile: (network, rows) => compilePolicy(engine, t, meta, network, rows, saved.meta.noise as number),
      dispose: () => engine.dispose(),
    });
  },

  benchmark({ config, meta, engine }) {
    const critics = compileCritics(engine, team(engine, meta, config, Rng.from(0)), meta, config);
    return { run: () => critics.run() };
  },
});
