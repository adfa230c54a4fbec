/**
 * Counterfactual multi-agent policy gradients (Foerster et al. 2018): a central critic tells what the team would get for every action
 * of one agent while the others do what they did, and an agent is praised for what its action was worth beyond its own average.
 *   A_i = Q_i(x, u) - sum_a pi_i(a) Q_i(x, (u_-i, a));   policies climb mean[A_i ln pi_i(u_i)] + entropyCoef H
 *   critics: (Q_i(x, u) - y)^2 with y by TD(lambda) from a target network
 * A critic sees everybody's observations, the agent's own, its number among those it serves, and the others' actions. On-policy:
 * every piece of experience is used once by the policies. Time limits bootstrap. Throws LabError('nan-loss').
 */

import { fail } from '#contract/errors.ts';
import { endedRows } from '#core/envs/api/buffers.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { categorical } from '#math/sampling.ts';
import { createActions } from '../../envs/api/buffers.ts';
import { joinSaved, partOf, restoreRng } from '../../state/saved.ts';
import { defineAlgo, liveConfig } from '../api/define.ts';
import { checkFinite } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import type { Policy } from '../api/types.ts';
import { checkTeam } from '../lib/joint.ts';
import { teamPolicy } from '../lib/sharing.ts';
import { type ComaConfig, comaConfig, comaMetrics, comaPresets } from './lib/coma-config.ts';
import { compileActing, compileActors, compileCritics, compilePolicy, compileValues, networks } from './lib/coma-programs.ts';

export const coma = defineAlgo<ComaConfig>({
  spec: {
    id: 'coma',
    version: 1,
    title: 'COMA',
    summary: 'Tells each agent of a team what its own action was worth, all else being equal.',
    source: {
      title: 'Counterfactual Multi-Agent Policy Gradients',
      authors: 'Foerster et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1705.08926',
    },
    config: comaConfig,
    presets: comaPresets,
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mpe-simple-spread', steps: 1280, config: { envs: 8, rolloutSteps: 8, hidden: [16], criticHidden: [32] } },
    probes: [
      { on: ['bandit', 'masked', 'team'], steps: 12_000 },
      { on: ['delayed'], steps: 12_000, config: { normaliseAdvantages: false } },
      { on: ['xorTeam', 'climbing'], steps: 12_000, config: { sharing: 'independent' } },
      { on: ['roles'], steps: 12_000, config: { reward: 'own' } },
      { on: ['twoStep'], steps: 16_000, config: { agentId: true }, atLeast: 6.9 },
    ],
    probeConfig: {
      hidden: [16],
      criticHidden: [32],
      lr: 1e-2,
      criticLr: 1e-2,
      gamma: 0.9,
      tau: 0.05,
      envs: 8,
      rolloutSteps: 8,
      normaliseAdvantages: true,
    },
    metrics: comaMetrics,
  },

  fits(meta, c) {
    checkTeam(meta, 'COMA');
    const rows = c.envs * c.rolloutSteps;
    if (rows % c.criticMinibatches === 0) return;
    const fix = `Choose minibatches that divide ${rows}.`;
    const why = `${rows} steps cannot be split into ${c.criticMinibatches} equal minibatches.`;
    throw fail('config-invalid', why, fix, 'algo.criticMinibatches');
  },

  async *train(run, resume) {
    const c = liveConfig(run); // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const { agentCount: A, obsSize: O, actionCount: N } = meta;
    const B = c.envs;
    const T = c.rolloutSteps;
    const size = (T * B) / c.criticMinibatches;
    const nets = networks(engine, meta, c, run.rng.split('init'));
    const act = compileActing(engine, nets, meta, B);
    const look = compileValues(engine, nets, meta, B);
    const value = compileValues(engine, nets, meta, T * B);
    const critics = compileCritics(engine, nets, meta, c);
    const actors = compileActors(engine, nets, meta, c);
    const follow = engine.polyak(nets.targets, nets.critics);
    const sampling = run.rng.split('sampling');
    const shuffling = run.rng.split('shuffling');

    const obs = new Float32Array(T * B * A * O);
    const masks = new Float32Array(meta.masked ? T * B * A * N : 0);
    const actions = new Float32Array(T * B * A);
    const rewards = new Float32Array(T * B * A);
    const weights = new Float32Array(T * B * A);
    const terminated = new Uint8Array(T * B * A);
    const truncated = new Uint8Array(T * B * A);
    const finalValues = new Float32Array(T * B * A);
    const lastValues = new Float32Array(B * A);
    const unused = new Float32Array(T * B * A); // lambda-advantages: only their targets count here
    const targets = new Float32Array(T * B * A);
    const order = Int32Array.from({ length: T * B }, (_, i) => i);
    const drawn = new Float32Array(B * A);
    const envActions = createActions(meta, B);
    let step = 0;

    if (resume === undefined) {
      env.reset();
      follow.in.tau![0] = 1;
      const copied = follow.run();
      if (copied) await copied;
    } else {
      env.load(partOf(resume, 'env'));
      engine.load(partOf(resume, 'engine'));
      order.set(resume.arrays.order as Int32Array);
      restoreRng(sampling, resume.arrays.sampling);
      restoreRng(shuffling, resume.arrays.shuffling);
      step = resume.meta.step as number;
    }
    let shared: Policy | undefined;

    /** Everybody's draw for what `act` was given, [B, A]. */
    const draw = async (): Promise<void> => {
      const acted = act.run();
      if (acted) await acted;
      for (const { agent, network } of nets.members) {
        const logits = act.out[`policy${agent}`]!;
        const n = network.choices;
        for (let b = 0; b < B; b++) drawn[b * A + agent] = categorical(logits, b * n, n, sampling.uniform());
      }
    };
    /** What the target critic gives for observations and the draw made for them, [B, A]. */
    const valueOfDraw = async (seen: Float32Array, out: Float32Array, at: number): Promise<void> => {
      act.in.obs!.set(seen);
      await draw();
      look.in.obs!.set(seen);
      look.in.action!.set(drawn);
      const looked = look.run();
      if (looked) await looked;
      out.set(look.out.value!, at);
    };

    while (step < run.steps) {
      // 1. Collect T steps of every copy.
      for (let t = 0; t < T; t++) {
        const at = t * B * A;
        act.in.obs!.set(buffers.obs);
        if (meta.masked) act.in.mask!.set(buffers.mask!);
        await draw();
        obs.set(buffers.obs, at * O);
        if (meta.masked) masks.set(act.in.mask!, at * N);
        actions.set(drawn, at);
        for (let i = 0; i < B * A; i++) weights[at + i] = buffers.alive?.[i] ?? 1;
        envActions.set(drawn);
        env.step(envActions);
        endedRows(buffers.terminated, A, terminated.subarray(at, at + B * A));
        endedRows(buffers.truncated, A, truncated.subarray(at, at + B * A));
        for (let b = 0; b < B; b++) {
          let sum = 0;
          for (let a = 0; a < A; a++) sum += buffers.reward[b * A + a]!;
          for (let a = 0; a < A; a++) rewards[at + b * A + a] = c.reward === 'team' ? sum / A : buffers.reward[b * A + a]!;
        }
        // What the episode would still have been worth had the clock not ended it.
        if (buffers.truncated.some((late) => late !== 0)) await valueOfDraw(buffers.finalObs, finalValues, at);
      }
      if (meta.masked) act.in.mask!.set(buffers.mask!);
      await valueOfDraw(buffers.obs, lastValues, 0);

      // 2. TD(lambda) targets: the lambda-return over the target critic's values.
      value.in.obs!.set(obs);
      value.in.action!.set(actions);
      const valued = value.run();
      if (valued) await valued;
      const { gamma, lambda } = c;
      const values = value.out.value!;
      const track = { rewards, values, terminated, truncated, finalValues, lastValues, rows: B * A, gamma, lambda };
      gae({ ...track, bootstrapAtTruncation: true }, unused, targets);

      // 3. Critics, in shuffled minibatches; then one step of the policies on all of it.
      const sums = { criticLoss: 0, qMean: 0 };
      const updates = c.criticEpochs * c.criticMinibatches;
      for (let epoch = 0; epoch < c.criticEpochs; epoch++) {
        shuffling.shuffle(order);
        for (let from = 0; from < T * B; from += size) {
          gatherRows(order, from, size, obs, A * O, critics.in.obs!);
          gatherRows(order, from, size, actions, A, critics.in.action!);
          gatherRows(order, from, size, targets, A, critics.in.target!);
          gatherRows(order, from, size, weights, A, critics.in.weight!);
          critics.in.lr![0] = c.criticLr;
          const judged = critics.run();
          if (judged) await judged;
          sums.criticLoss += critics.out.loss![0]! / updates;
          sums.qMean += critics.out.qMean![0]! / updates;
          follow.in.tau![0] = c.tau;
          const followed = follow.run();
          if (followed) await followed;
        }
      }
      const feed = actors.in;
      feed.obs!.set(obs);
      feed.action!.set(actions);
      feed.weight!.set(weights);
      if (meta.masked) feed.mask!.set(masks);
      feed.entropyCoef![0] = c.entropyCoef;
      feed.lr![0] = c.lr;
      const improved = actors.run();
      if (improved) await improved;
      step += T * B;
      const { policyLoss, entropy, advantage, gradNorm } = actors.out as { readonly [name: string]: Float32Array };
      const said = { policyLoss: policyLoss![0]!, entropy: entropy![0]!, advantage: advantage![0]!, gradNorm: gradNorm![0]! };
      checkFinite(step, { ...sums, ...said });

      yield {
        step,
        metrics: { ...episodeRow(env), ...sums, ...said },
        snapshot: async () => joinSaved({}, { actors: await readParams(engine, nets.actors) }),
        save: async () =>
          joinSaved(
            { step },
            { env: env.save(), engine: await engine.save() },
            { order: order.slice(), sampling: sampling.state.slice(), shuffling: shuffling.state.slice() },
          ),
        policy: () =>
          (shared ??= teamPolicy({
            meta,
            sharing: nets.sharing,
            compile: (network, rows) => compilePolicy(engine, nets, meta, network, rows),
          })),
        hash: () => engine.hash(),
      };
    }
  },

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, config, Rng.from(0));
    writeParams(engine, nets.actors, partOf(saved, 'actors'));
    return teamPolicy({
      meta,
      sharing: nets.sharing,
      compile: (network, rows) => compilePolicy(engine, nets, meta, network, rows),
      dispose: () => engine.dispose(),
    });
  },

  benchmark({ config, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, config, Rng.from(0)), meta, config);
    return { run: () => critics.run() };
  },
});
