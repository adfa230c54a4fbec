/**
 * Proximal policy optimisation (Schulman et al. 2017) with the implementation details of CleanRL's ppo.py and
 * ppo_continuous_action.py (Huang et al. 2022): T steps of B environments, advantages by GAE, some epochs of shuffled minibatches on
 * the clipped objective (lib/ppo/common.ts: clippedSurrogate, clippedValueError), Adam with an annealed step size. Several agents
 * share one network and are rows like environments (IPPO). Differs: time limits bootstrap unless `bootstrapAtTruncation` is off.
 * The loop is written out here to be read; teams and teams that communicate share theirs (lib/ppo/team.ts, lib/messages/learner.ts).
 * Throws LabError('nan-loss').
 */

import { z } from 'zod';
import type { Preset } from '#contract/catalog.ts';
import { fail } from '#contract/errors.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { gae } from '#math/gae.ts';
import { RewardScaler, RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { sampleCategories, sampleGaussians } from '#math/sampling.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { add, mean, mul, reshape, standardise, sub } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '../../engine/types.ts';
import { createActions } from '../../envs/api/buffers.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { categoricalEntropy, categoricalLogProb, gaussianEntropy, gaussianLogProb } from '../../nets/heads.ts';
import { joinSaved, partOf, restoreRng } from '../../state/saved.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite, checkSameAgents } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import type { Policy } from '../api/types.ts';
import { compileActor, networkPolicy, type PolicyNetwork, policyNetwork } from '../lib/network-policy.ts';
import { clippedSurrogate, clippedValueError, ppoMetrics } from '../lib/ppo/common.ts';

const source = 'CleanRL ppo.py';
export const ppoConfig = z.strictObject({
  lr: fields.lr(2.5e-4, source, { description: 'Initial step size of Adam.' }),
  annealLr: fields.annealLr(true, source),
  gamma: fields.gamma(0.99, source),
  lambda: fields.gaeLambda(0.95, source),
  bootstrapAtTruncation: fields.bootstrapAtTruncation(true, 'Pardo et al. 2018; off in CleanRL ppo.py'),
  envs: fields.numEnvs(4, source),
  rolloutSteps: fields.rolloutSteps(128, source),
  minibatches: fields.minibatches(4, source),
  epochs: fields.epochs(4, source),
  clip: fields.clipRange(0.2, source),
  clipValue: fields.clipValue(true, source),
  entropyCoef: fields.entropyCoef(0.01, source),
  valueCoef: fields.valueCoef(0.5, source),
  normaliseAdvantages: fields.normaliseAdvantages(true, source),
  maxGradNorm: fields.maxGradNorm(0.5, source, { slider: [0.1, 10], log: true }),
  adamEps: fields.adamEps(1e-5, source),
  targetKl: z.number().gt(0).max(10).nullable().default(null).meta({
    title: 'target KL',
    description: 'Ends the epochs of an update once the approximate KL exceeds 1.5 times this; empty: never.',
    empty: 'never',
    source: 'Stable-Baselines3',
    depth: 'research',
    group: 'loss',
  }),
  hidden: fields.hidden([64, 64], source, { description: 'Units of each layer, the same for policy and value.' }),
  activation: fields.activation('tanh', source),
  sharedTrunk: z.boolean().default(false).meta({
    title: 'shared trunk',
    description: 'One network with a policy and a value head instead of two networks.',
    source: 'separate in CleanRL ppo.py',
    depth: 'research',
    group: 'network',
  }),
  normaliseObs: fields.normaliseObs(false, 'on in CleanRL ppo_continuous_action.py'),
  normaliseReward: fields.normaliseReward(false, 'on in CleanRL ppo_continuous_action.py'),
});
export type PpoConfig = z.infer<typeof ppoConfig>;

const presets: readonly Preset[] = [
  { id: 'cleanrl', title: 'CleanRL ppo.py, time limits as terminations', config: { bootstrapAtTruncation: false } },
  {
    id: 'cartpole-fast',
    title: 'RL Zoo settings for CartPole (100,000 steps)',
    config: { envs: 8, rolloutSteps: 32, minibatches: 1, epochs: 20, lr: 1e-3, gamma: 0.98, lambda: 0.8, clipValue: false, entropyCoef: 0 },
  },
  {
    id: 'continuous',
    title: 'Continuous control (CleanRL ppo_continuous_action.py)',
    config: {
      lr: 3e-4,
      envs: 1,
      rolloutSteps: 2048,
      minibatches: 32,
      epochs: 10,
      entropyCoef: 0,
      normaliseObs: true,
      normaliseReward: true,
    },
  },
  {
    id: 'pendulum',
    title: 'RL Zoo settings for Pendulum (100,000 steps)',
    config: {
      lr: 1e-3,
      annealLr: false,
      envs: 4,
      rolloutSteps: 1024,
      minibatches: 64,
      epochs: 10,
      gamma: 0.9,
      entropyCoef: 0,
      clipValue: false,
    },
  },
  {
    id: 'drone-hover',
    title: 'gym-pybullet-drones’ hover example (8 x 256)',
    config: { envs: 8, rolloutSteps: 256, minibatches: 32, epochs: 10, lr: 3e-4, entropyCoef: 0 },
  },
  {
    id: 'minigrid',
    title: 'MiniGrid rooms (8 x 128)',
    config: { envs: 8, rolloutSteps: 128, minibatches: 8, epochs: 4, lr: 5e-4, entropyCoef: 0.01, gamma: 0.99 },
  },
];

const CLIP_NORMALISED = 10; // observations and rewards

/** The objective over M rows: inputs obs, action, oldLogProb, advantage, target, oldValue and the scalars clip, entropyCoef, valueCoef. */
function objective(g: Graph, net: PolicyNetwork, meta: EnvMeta, c: PpoConfig, rows: number): { readonly [name: string]: Tensor } {
  const row = (name: string): Tensor => g.input(name, [rows]);
  const { head, value } = net.apply(g, rows);
  const action = net.discrete ? row('action') : g.input('action', [rows, meta.actionSize]);
  const logProb = net.discrete ? categoricalLogProb(head, action) : gaussianLogProb(head, net.logStd(g), action);
  const entropy = net.discrete ? mean(categoricalEntropy(head)) : gaussianEntropy(net.logStd(g));
  const advantage = c.normaliseAdvantages ? standardise(row('advantage'), 1, 1e-8) : row('advantage');
  const clip = g.input('clip', [1]);
  const policy = clippedSurrogate(logProb, row('oldLogProb'), advantage, clip);
  const valueLoss = mean(clippedValueError(value, c.clipValue ? row('oldValue') : value, row('target'), c.clipValue ? clip : null));
  const weighted = sub(mul(g.input('valueCoef', [1]), valueLoss), mul(g.input('entropyCoef', [1]), entropy));
  const loss = reshape(add(policy.loss, weighted), []);
  return { loss, policyLoss: policy.loss, valueLoss, entropy, approxKl: policy.kl, clipFraction: policy.clipFraction };
}
const AVERAGED = ['policyLoss', 'valueLoss', 'entropy', 'approxKl', 'clipFraction', 'gradNorm'] as const;

function compileLearner(engine: Engine, net: PolicyNetwork, meta: EnvMeta, c: PpoConfig, rows: number) {
  return engine.compile((g) => objective(g, net, meta, c, rows), {
    minimise: 'loss',
    group: net.group,
    with: adam({ eps: c.adamEps }),
    maxGradNorm: c.maxGradNorm,
    name: 'ppo learn',
  });
}

function compilePolicy(engine: Engine, net: PolicyNetwork, rows: number) {
  return engine.compile((g) => net.outputs(g, rows), { name: 'ppo policy' });
}

export const ppo = defineAlgo<PpoConfig>({
  spec: {
    id: 'ppo',
    version: 1,
    title: 'PPO',
    summary: 'Improves a policy by small, clipped steps on what it has just experienced.',
    source: {
      title: 'Proximal Policy Optimization Algorithms',
      authors: 'Schulman et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1707.06347',
    },
    config: ppoConfig,
    presets,
    continuous: 'continuous',
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'cartpole', steps: 1280, config: { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8] } },
    probes: [
      { on: ['bandit', 'cued', 'masked', 'team'], steps: 6000 },
      { on: ['delayed'], steps: 8000 },
      { on: ['pointing'], steps: 12_000, atLeast: 0.98 },
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: ppoMetrics,
  },

  fits(meta, c) {
    checkSameAgents(meta, 'PPO');
    if (c.normaliseObs && meta.agents.some((group) => group.obs.kind !== 'box')) {
      throw fail(
        'config-invalid',
        'One-hot codes and numbered states cannot be normalised.',
        'Set normaliseObs to false.',
        'algo.normaliseObs',
      );
    }
    const rows = c.envs * c.rolloutSteps * meta.agentCount;
    if (rows % c.minibatches === 0) return;
    const fix = `Choose minibatches that divide ${rows}.`;
    throw fail(
      'config-invalid',
      `A rollout of ${rows} rows cannot be split into ${c.minibatches} equal minibatches.`,
      fix,
      'algo.minibatches',
    );
  },

  async *train(run, resume) {
    const c = run.config; // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const agents = meta.agentCount;
    const O = meta.obsSize;
    const D = meta.actionSize;
    const N = meta.actionCount;
    const rows = c.envs * agents; // acting rows: environments x agents
    const T = c.rolloutSteps;
    const total = T * rows;
    const size = total / c.minibatches;
    const net = policyNetwork(engine, meta, c, run.rng.split('init'));
    const act = compileActor(engine, net, rows, 'ppo act');
    const learn = compileLearner(engine, net, meta, c, size);
    const sampling = run.rng.split('sampling');
    const shuffling = run.rng.split('shuffling');
    const moments = c.normaliseObs ? new RunningMoments(O) : null;
    const scaler = c.normaliseReward ? new RewardScaler(rows, c.gamma) : null;

    const obs = new Float32Array(total * O); // [T, rows, O], as the network saw them
    const actions = new Float32Array(total * D);
    const masks = new Float32Array(meta.masked ? total * N : 0);
    const logProbs = new Float32Array(total);
    const values = new Float32Array(total);
    const rewards = new Float32Array(total);
    const terminated = new Uint8Array(total);
    const truncated = new Uint8Array(total);
    const finalValues = new Float32Array(total);
    const lastValues = new Float32Array(rows);
    const advantages = new Float32Array(total);
    const targets = new Float32Array(total);
    const order = Int32Array.from({ length: total }, (_, i) => i);
    const envActions = createActions(meta, c.envs);
    const rowReward = new Float32Array(rows);
    const rowEnded = new Uint8Array(rows);
    const box = meta.agents[0]!.action.kind === 'box' ? meta.agents[0]!.action : null;
    let step = 0;

    if (resume === undefined) env.reset();
    else {
      env.load(partOf(resume, 'env'));
      engine.load(partOf(resume, 'engine'));
      order.set(resume.arrays.order as Int32Array);
      restoreRng(sampling, resume.arrays.sampling);
      restoreRng(shuffling, resume.arrays.shuffling);
      moments?.unpack(resume.arrays.moments as Float64Array);
      scaler?.moments.unpack(resume.arrays.rewardMoments as Float64Array);
      scaler?.filter.set(resume.arrays.rewardFilter as Float64Array);
      step = resume.meta.step as number;
    }
    const normaliser = () => (moments === null ? {} : { moments: moments.pack() });
    let shared: Policy | undefined;

    while (step < run.steps) {
      // Views of programs are read anew here: compiling another program in between may have moved them.
      const [feed, out] = [act.in, act.out];

      // 1. Collect T steps of every environment with the current policy.
      for (let t = 0; t < T; t++) {
        const at = t * rows;
        feed.obs!.set(buffers.obs);
        if (moments !== null) {
          moments.update(buffers.obs, rows);
          moments.normalise(buffers.obs, feed.obs!, CLIP_NORMALISED);
        }
        obs.set(feed.obs!, at * O);
        if (meta.masked) {
          feed.mask!.set(buffers.mask!);
          masks.set(feed.mask!, at * N);
        }
        const acted = act.run();
        if (acted) await acted;
        values.set(out.value!, at);
        if (box === null) {
          sampleCategories(out.logProbs!, N, rows, sampling, actions, logProbs, at);
          for (let row = 0; row < rows; row++) envActions[row] = actions[at + row]!;
        } else {
          sampleGaussians(out.mean!, out.logStd!, D, rows, sampling, actions, logProbs, at);
          for (let i = 0; i < rows * D; i++) {
            // Learned from as drawn; only the environment gets it clipped.
            envActions[i] = Math.min(box.high[i % D]!, Math.max(box.low[i % D]!, actions[at * D + i]!));
          }
        }
        env.step(envActions);
        let anyTruncated = false;
        for (let row = 0; row < rows; row++) {
          const b = agents === 1 ? row : Math.floor(row / agents);
          terminated[at + row] = buffers.terminated[b]!;
          truncated[at + row] = buffers.terminated[b] === 0 ? buffers.truncated[b]! : 0;
          rowEnded[row] = buffers.terminated[b]! | buffers.truncated[b]!;
          rowReward[row] = buffers.reward[row]!;
          if (truncated[at + row] !== 0) anyTruncated = true;
        }
        scaler?.scale(rowReward, rowEnded, rowReward, CLIP_NORMALISED);
        rewards.set(rowReward, at);
        if (anyTruncated && c.bootstrapAtTruncation) {
          // A truncated episode is worth the value of its own final observation.
          if (moments === null) feed.obs!.set(buffers.finalObs);
          else moments.normalise(buffers.finalObs, feed.obs!, CLIP_NORMALISED);
          const valued = act.run();
          if (valued) await valued;
          finalValues.set(out.value!, at);
        }
      }
      feed.obs!.set(buffers.obs);
      moments?.normalise(buffers.obs, feed.obs!, CLIP_NORMALISED);
      if (meta.masked) feed.mask!.set(buffers.mask!);
      const pending = act.run();
      if (pending) await pending;
      lastValues.set(out.value!);

      // 2. Advantages and value targets.
      const { gamma, lambda, bootstrapAtTruncation } = c;
      gae(
        { rewards, values, terminated, truncated, finalValues, lastValues, rows, gamma, lambda, bootstrapAtTruncation },
        advantages,
        targets,
      );

      // 3. Epochs of shuffled minibatches on the clipped objective.
      const lr = c.annealLr ? annealed(c.lr, run.steps, step) : c.lr;
      const batch = learn.in;
      batch.clip![0] = c.clip;
      batch.entropyCoef![0] = c.entropyCoef;
      batch.valueCoef![0] = c.valueCoef;
      batch.lr![0] = lr;
      const sums = { policyLoss: 0, valueLoss: 0, entropy: 0, approxKl: 0, clipFraction: 0, gradNorm: 0 }; // of the last epoch
      for (let epoch = 0; epoch < c.epochs; epoch++) {
        shuffling.shuffle(order);
        for (const name of AVERAGED) sums[name] = 0;
        // Reading back costs a round trip on a GPU, so only the epoch that is reported is read.
        const read = c.targetKl !== null || epoch === c.epochs - 1;
        for (let from = 0; from < total; from += size) {
          gatherRows(order, from, size, obs, O, batch.obs!);
          gatherRows(order, from, size, actions, D, batch.action!);
          if (meta.masked) gatherRows(order, from, size, masks, N, batch.mask!);
          gatherRows(order, from, size, logProbs, 1, batch.oldLogProb!);
          gatherRows(order, from, size, advantages, 1, batch.advantage!);
          gatherRows(order, from, size, targets, 1, batch.target!);
          if (c.clipValue) gatherRows(order, from, size, values, 1, batch.oldValue!);
          const learned = learn.run({ read });
          if (learned) await learned;
          if (read) for (const name of AVERAGED) sums[name] += learn.out[name]![0]! / c.minibatches;
        }
        if (c.targetKl !== null && sums.approxKl > 1.5 * c.targetKl) break;
      }
      step += T * c.envs;
      checkFinite(step, { policyLoss: sums.policyLoss, valueLoss: sums.valueLoss, gradNorm: sums.gradNorm });

      yield {
        step,
        metrics: { ...episodeRow(env), ...sums, explainedVariance: explainedVariance(values, targets), learningRate: lr },
        snapshot: async () => joinSaved({}, { net: await readParams(engine, net.group) }, normaliser()),
        save: async () =>
          joinSaved(
            { step },
            { env: env.save(), engine: await engine.save() },
            {
              order: order.slice(),
              sampling: sampling.state.slice(),
              shuffling: shuffling.state.slice(),
              ...normaliser(),
              ...(scaler && { rewardMoments: scaler.moments.pack(), rewardFilter: scaler.filter.slice() }),
            },
          ),
        policy: () =>
          (shared ??= networkPolicy({
            meta,
            compile: (n) => compilePolicy(engine, net, n),
            prepare: (x) => moments?.normalise(x, x, CLIP_NORMALISED),
          })),
        hash: () => engine.hash(),
      };
    }
  },

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const net = policyNetwork(engine, meta, config, Rng.from(0));
    const moments = saved.arrays.moments === undefined ? null : new RunningMoments(meta.obsSize);
    moments?.unpack(saved.arrays.moments as Float64Array);
    writeParams(engine, net.group, partOf(saved, 'net'));
    return networkPolicy({
      meta,
      compile: (n) => compilePolicy(engine, net, n),
      prepare: (x) => moments?.normalise(x, x, CLIP_NORMALISED),
      dispose: () => engine.dispose(),
    });
  },

  benchmark({ config, meta, engine }) {
    const net = policyNetwork(engine, meta, config, Rng.from(0));
    const learn = compileLearner(engine, net, meta, config, (config.envs * meta.agentCount * config.rolloutSteps) / config.minibatches);
    return { run: () => learn.run() };
  },
});
