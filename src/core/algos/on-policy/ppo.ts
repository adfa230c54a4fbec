/**
 * Proximal policy optimisation (Schulman et al. 2017) with the implementation details of CleanRL's ppo.py and
 * ppo_continuous_action.py (Huang et al. 2022): T steps of B environments, advantages by GAE, some epochs of shuffled minibatches on
 * the clipped objective (lib/ppo/common.ts: ppoLoss, minibatchEpochs), Adam with an annealed step size. Several agents share one network
 * and are rows like environments (IPPO); rows of dead agents are not learned from.
 *   L = -mean min(r A, clip(r, 1 - e, 1 + e) A) - entropyCoef mean H(pi) + valueCoef L_V,   r = pi(a|s) / pi_old(a|s)
 *   L_V = mean max((V - R)^2, (V_old + clip(V - V_old, -e, e) - R)^2) / 2;   without clipValue mean (V - R)^2 / 2
 * Differs: time limits bootstrap unless `bootstrapAtTruncation` is off.
 * The rollout is written out here to be read; teams and teams that communicate share theirs (lib/ppo/team.ts, lib/messages/learner.ts).
 * Bonuses for what is new and what keeps earlier tasks are extensions (extensions/index.ts), called at the places that api/extension.ts names.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments with pi, keeping s, a, r, ln pi(a|s) and V(s)
 *       if normaliseObs, normaliseReward: s and r scaled by running statistics, clipped to +-10
 *       where a time limit ended an episode: V of its final observation
 *     V of the observations that follow the last step
 *     advantages A by GAE(lambda), returns R = A + V
 *     for each epoch
 *       for each shuffled minibatch
 *         if normaliseAdvantages: standardise A over the minibatch
 *         one step of Adam on L, the norm of its gradient at most maxGradNorm
 *       if targetKl: no further epoch once the approximate KL exceeds 1.5 targetKl
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { ZOO_BIPEDAL_WALKER, ZOO_LUNAR_LANDER, ZOO_PENDULUM } from '#contract/papers/published.ts';
import type { Saved } from '#contract/run/events.ts';
import type { VersionChange } from '#contract/run/versions.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { gae } from '#math/gae.ts';
import { RewardScaler, RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { standardise } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine } from '../../engine/types.ts';
import { createActions } from '../../envs/api/buffers.ts';
import { convolution, livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import type { NetworkParts, UpdateNumbers } from '../api/extension.ts';
import * as fields from '../api/fields.ts';
import { checkBody, checkFilters, checkSameAgents, checkTrunk } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { type ExtendedPrograms, NOTHING_ADDED } from '../api/standing.ts';
import type { Progress, Run } from '../api/types.ts';
import { extensionsOf } from '../extensions/index.ts';
import { compileActor, type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import {
  averagesOf,
  CLIP_NORMALISED,
  checkMinibatches,
  checkNormalised,
  checkUpdate,
  commonFields,
  lossInputs,
  minibatchEpochs,
  ppoLoss,
  ppoMetrics,
  sampleActions,
  savedPacked,
  standardiseMasked,
} from '../lib/ppo/common.ts';
import { createLiving, gatherMasks, livingInputs } from '../lib/ppo/living.ts';

const source = 'CleanRL ppo.py';
const extensions = extensionsOf({ loop: 'rollout', networks: 'policy' });

export const ppoConfig = z.strictObject({
  ...commonFields,
  envs: fields.numEnvs(4, source, { max: 16_384 }), // thousands where rollouts stay on a graphics device
  normaliseAdvantages: fields.normaliseAdvantages(true, source),
  targetKl: z.number().gt(0).max(10).nullable().default(null).meta({
    title: 'target KL',
    description: 'Ends the epochs of an update once the approximate KL exceeds 1.5 times this; empty: never.',
    empty: 'never',
    source: 'Stable-Baselines3',
    depth: 'research',
    group: 'loss',
  }),
  sharedTrunk: z.boolean().default(false).meta({
    title: 'shared trunk',
    description: 'One network with a policy and a value head instead of two networks.',
    source: 'separate in CleanRL ppo.py',
    depth: 'research',
    group: 'network',
  }),
  hidden: fields.hidden([64, 64], source, { description: 'Units of each layer, in policy and critic.' }),
  criticHidden: fields.criticHidden(source),
  layerNorm: fields.hiddenNorm(source),
  filters: fields.filters(0, '16 in MinAtar (Young & Tian 2019)'),
  normaliseReward: fields.normaliseReward(false, 'on in CleanRL ppo_continuous_action.py'),
  body: fields.body(),
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
    id: 'tianshou',
    title: 'Continuous control (Tianshou mujoco_ppo.py, 8 x 256)',
    // Their step size falls to 0 over 3 million steps; the scores are of the first million, in which it keeps two thirds and more.
    config: {
      lr: 3e-4,
      annealLr: false,
      envs: 8,
      rolloutSteps: 256,
      minibatches: 32,
      epochs: 10,
      entropyCoef: 0,
      valueCoef: 0.25,
      clipValue: false,
      normaliseAdvantages: false,
      normaliseObs: true,
      normaliseReward: true,
    },
  },
  {
    id: 'pendulum',
    title: 'RL Zoo settings for Pendulum (100,000 steps)',
    config: ZOO_PENDULUM,
  },
  {
    id: 'lunar-lander',
    title: 'RL Zoo settings for LunarLander (1,000,000 steps)',
    config: ZOO_LUNAR_LANDER,
  },
  {
    id: 'bipedal-walker',
    title: 'RL Zoo settings for BipedalWalker (5,000,000 steps)',
    config: ZOO_BIPEDAL_WALKER,
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
  {
    id: 'minigrid-counts',
    title: 'MiniGrid rooms with a small count bonus (16 x 128)',
    config: { envs: 16, rolloutSteps: 128, minibatches: 8, lr: 1e-3, bonus: { kind: 'counts', weight: 0.02 } },
  },
  {
    id: 'rnd',
    title: 'Random network distillation (CleanRL ppo_rnd_envpool.py, 128 x 128)',
    config: {
      bonus: { kind: 'RND', weight: 0.5 },
      lr: 1e-4,
      gamma: 0.999,
      envs: 128,
      rolloutSteps: 128,
      clip: 0.1,
      entropyCoef: 0.001,
    },
  },
  {
    id: 'counts',
    title: 'Count bonus (deep sea 20 in 200,000 steps)',
    config: { bonus: { kind: 'counts', weight: 0.5 }, envs: 16, rolloutSteps: 64, lr: 1e-3, annealLr: false, entropyCoef: 0.005 },
  },
  {
    id: 'rnd-small',
    title: 'Random network distillation at a small size (deep sea 20 in 250,000 steps)',
    config: { bonus: { kind: 'RND', weight: 0.5 }, envs: 16, rolloutSteps: 64, lr: 1e-3, annealLr: false, entropyCoef: 0.005 },
  },
  {
    id: 'icm',
    title: 'Intrinsic curiosity at a small size (deep sea 20 in 300,000 steps)',
    config: {
      bonus: { kind: 'ICM', weight: 2, features: 32 },
      envs: 16,
      rolloutSteps: 64,
      lr: 1e-3,
      annealLr: false,
      entropyCoef: 0.005,
    },
  },
  {
    id: 'minatar',
    title: 'MinAtar: convolution of 16 filters, 128 units, one trunk',
    config: {
      envs: 64,
      minibatches: 8,
      lr: 1e-3,
      filters: 16,
      hidden: [128],
      activation: 'relu',
      sharedTrunk: true,
    },
  },
];

/** A bonus that may be chosen since. */
const bonuses = (version: number): VersionChange => ({
  version,
  what: 'A bonus for what is new may be paid beside the reward.',
  before: { bonus: 'none', bonusWeight: 1, bonusGamma: 0.99, bonusFeatures: 64, hashBits: 32 },
  rerun: false,
});

function compileLearner(
  engine: Engine,
  net: PolicyNetwork,
  c: PpoConfig,
  rows: number,
  many: boolean,
  added: ExtendedPrograms = NOTHING_ADDED,
) {
  return engine.compile(
    {
      ...net.inputs(rows),
      ...lossInputs(rows, c.clipValue),
      ...livingInputs(rows, many),
      action: net.actionShape(rows),
      ...added.inputs('policy'),
    },
    (x, g) => {
      const found = net.evaluate(x, x.action, g);
      const standard = () =>
        x.policyMask === undefined ? standardise(x.advantage, 1, 1e-8) : standardiseMasked(x.advantage, x.policyMask);
      const terms = ppoLoss(x, found, { ...averagesOf(x), ...(c.normaliseAdvantages && { advantage: standard() }) });
      return added.join('policy', terms, x, g);
    },
    { minimise: 'loss', group: net.group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'ppo learn' },
  );
}

/** What a policy is saved with. */
const savedGroups = ({ group, parts }: PolicyNetwork) => ({ net: group, ...(parts?.group && { packed: parts.group }) });

/** What a run makes its network from, in place of a policy network of its own. */
type MakeNetwork = (engine: Engine, rng: Rng, parts: NetworkParts | null) => PolicyNetwork | Promise<PolicyNetwork>;

/** PPO's loop on a network. Throws LabError('nan-loss'). */
export async function* trainPpo(
  run: Run<PpoConfig>,
  resume: Saved | undefined,
  makeNetwork: MakeNetwork,
): AsyncGenerator<Progress, void, void> {
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
  const extended = await extensions.begin(c, { engine, meta });
  const net = await makeNetwork(engine, run.rng.split('init'), extended.parts);
  const learned = [{ name: 'policy' as const, group: net.group }];
  const host = {
    loop: 'rollout',
    networks: 'policy',
    engine,
    meta,
    env,
    rng: run.rng,
    net,
    learned,
    rows,
    steps: T,
    size,
    config: c,
  } as const;
  const added = extended.attach(host);
  const act = compileActor(engine, net, rows, 'ppo act');
  const learn = compileLearner(engine, net, c, size, agents > 1, added);
  const also = added.places();
  const { afterUpdate } = also;
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
  const { action } = meta.agents[0]!;
  const living = createLiving(env, T);
  const state = registerState(
    {
      counters: { step: 0 },
      parts: { env, engine },
      arrays: { order, sampling, shuffling, moments, rewardMoments: scaler?.moments ?? null, rewardFilter: scaler?.filter ?? null },
    },
    ...also.states,
  );
  const { counters } = state;
  const point = safePoint({
    state,
    engine,
    snapshot: () => {
      const { meta: seen = {}, arrays = {} } = also.shown?.() ?? {};
      return saveGroups(engine, savedGroups(net), seen, { ...(moments !== null && { moments: moments.pack() }), ...arrays });
    },
    policy: () => policyOfNetwork(engine, meta, net, moments, CLIP_NORMALISED),
  });
  if (resume === undefined) env.reset();
  else state.load(resume);

  while (counters.step < run.steps) {
    // Views of programs are read anew here: compiling another program in between may have moved them.
    const { in: feed, out } = act;

    // 1. Collect T steps of every environment with the current policy.
    for (let t = 0; t < T; t++) {
      const at = t * rows;
      feed.obs.set(buffers.obs);
      if (moments !== null) {
        moments.update(buffers.obs, rows);
        moments.normalise(buffers.obs, feed.obs, CLIP_NORMALISED);
      }
      obs.set(feed.obs, at * O);
      if (feed.mask !== undefined && buffers.mask !== undefined) {
        feed.mask.set(buffers.mask);
        masks.set(feed.mask, at * N);
      }
      const acted = act.run();
      if (acted) await acted;
      values.set(out.value, at);
      sampleActions(out, net.discrete ? N : D, rows, sampling, actions, logProbs, at);
      for (let i = 0; i < rows * D; i++) {
        // Learned from as drawn; only the environment gets it clipped.
        const drawn = actions[at * D + i]!;
        envActions[i] = action.kind === 'discrete' ? drawn : Math.min(action.high[i % D]!, Math.max(action.low[i % D]!, drawn));
      }
      also.beforeStep?.(t);
      living?.before();
      env.step(envActions);
      also.afterStep?.(t);
      let anyTruncated = false;
      for (let row = 0; row < rows; row++) {
        const b = agents === 1 ? row : Math.floor(row / agents);
        terminated[at + row] = buffers.terminated[b]!;
        truncated[at + row] = buffers.terminated[b] === 0 ? buffers.truncated[b]! : 0;
        rowEnded[row] = buffers.terminated[b]! | buffers.truncated[b]!;
        rowReward[row] = buffers.reward[row]!;
        if (truncated[at + row] !== 0) anyTruncated = true;
      }
      living?.after(at, terminated, truncated);
      scaler?.scale(rowReward, rowEnded, rowReward, CLIP_NORMALISED);
      rewards.set(rowReward, at);
      also.recorded?.({
        t,
        obs: obs.subarray(at * O, (at + rows) * O),
        action: actions.subarray(at * D, (at + rows) * D),
        mask: meta.masked ? masks.subarray(at * N, (at + rows) * N) : undefined,
        out,
        reward: rowReward,
        terminated: terminated.subarray(at, at + rows),
        next(row, into) {
          const from = rowEnded[row] === 1 ? buffers.finalObs : buffers.obs;
          into.set(from.subarray(row * O, (row + 1) * O));
          moments?.normalise(into, into, CLIP_NORMALISED);
        },
      });
      if (anyTruncated && c.bootstrapAtTruncation) {
        // A truncated episode is worth the value of its own final observation.
        if (moments === null) feed.obs.set(buffers.finalObs);
        else moments.normalise(buffers.finalObs, feed.obs, CLIP_NORMALISED);
        const valued = act.run();
        if (valued) await valued;
        finalValues.set(out.value, at);
      }
    }
    feed.obs.set(buffers.obs);
    moments?.normalise(buffers.obs, feed.obs, CLIP_NORMALISED);
    if (buffers.mask !== undefined) feed.mask?.set(buffers.mask);
    const pending = act.run();
    if (pending) await pending;
    lastValues.set(out.value);

    // 2. Advantages and value targets.
    const { gamma, lambda, bootstrapAtTruncation } = c;
    gae(
      { rewards, values, terminated, truncated, finalValues, lastValues, rows, gamma, lambda, bootstrapAtTruncation },
      advantages,
      targets,
    );
    await also.advantages?.({
      obs,
      actions,
      rewards,
      values,
      logProbs,
      terminated,
      truncated,
      finalValues,
      lastObs: feed.obs.slice(),
      lastValues,
      advantages,
      targets,
    });

    // 3. Epochs of shuffled minibatches on the clipped objective.
    const { clip, entropyCoef, valueCoef, epochs } = c;
    const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
    const numbers: UpdateNumbers = { lr, clip, entropyCoef, valueCoef, epochs };
    also.schedule?.(numbers, counters.step, run.steps);
    const batch = learn.in;
    const report = await minibatchEpochs(
      learn,
      size,
      { ...c, ...numbers },
      () => shuffling.shuffle(order),
      (from) => {
        gatherRows(order, from, size, obs, O, batch.obs);
        gatherRows(order, from, size, actions, D, batch.action);
        if (batch.mask !== undefined) gatherRows(order, from, size, masks, N, batch.mask);
        gatherRows(order, from, size, logProbs, 1, batch.oldLogProb);
        gatherRows(order, from, size, advantages, 1, batch.advantage);
        gatherRows(order, from, size, targets, 1, batch.target);
        if (batch.oldValue !== undefined) gatherRows(order, from, size, values, 1, batch.oldValue);
        gatherMasks(living, order, from, size, batch);
        also.sampled?.('policy', batch);
      },
      afterUpdate === undefined ? null : (out) => afterUpdate('policy', out),
      added.reported,
    );
    const before = counters.step;
    counters.step += T * c.envs;
    const { step } = counters;
    checkUpdate(step, report);
    await also.afterUpdates?.({ before, now: step, next: step + T * c.envs }, numbers);

    yield {
      step,
      metrics: {
        ...episodeRow(env),
        ...report,
        explainedVariance: explainedVariance(values, targets),
        learningRate: numbers.lr,
        ...also.metrics?.(),
      },
      ...point,
    };
  }
}

export const ppo = defineAlgo<PpoConfig>({
  spec: {
    id: 'ppo',
    version: 4,
    changes: [convolution(2), bonuses(3), livingRows(4)],
    title: 'PPO',
    summary: 'On-policy policy gradient with a clipped objective.',
    source: {
      title: 'Proximal Policy Optimization Algorithms',
      authors: 'Schulman et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1707.06347',
    },
    config: ppoConfig,
    extensions,
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
    checkNormalised(meta, c.normaliseObs);
    checkFilters(meta, c.filters);
    checkBody(meta, c);
    checkTrunk(c);
    checkMinibatches(c.envs * c.rolloutSteps * meta.agentCount, c.minibatches);
  },

  train: (run, resume) => trainPpo(run, resume, (engine, rng, parts) => policyNetwork(engine, run.meta, { ...run.config, parts }, rng)),

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const { parts } = await extensions.begin(config, { engine, meta });
    const net = policyNetwork(engine, meta, { ...config, parts }, Rng.from(0));
    loadGroups(engine, savedGroups(net), saved);
    const moments = savedPacked(saved, 'moments', new RunningMoments(meta.obsSize));
    return policyOfNetwork(engine, meta, net, moments, CLIP_NORMALISED, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const net = policyNetwork(engine, meta, c, Rng.from(0)); // without extensions, as the program below
    const learn = compileLearner(engine, net, c, (c.envs * meta.agentCount * c.rolloutSteps) / c.minibatches, meta.agentCount > 1);
    return { run: () => learn.run(), seen: () => [learn.in.obs] };
  },
});
