/**
 * Generative adversarial imitation (Ho and Ermon 2016): a discriminator f learns to tell the rows of a recorded player from the policy's
 * own, D = sigmoid(f) being the chance that a row is the player's; PPO (../lib/ppo/learned-reward.ts) climbs a reward made of D. Where the
 * discriminator can no longer tell, the policy sees and does what the player saw and did, also in states that no recording shows.
 *   L = mean softplus(-f(player)) + mean softplus(f(policy)) - entropy H(D)
 *   reward  positive: -ln(1 - D) = softplus(f);  negative: ln D = -softplus(-f);  difference: ln D - ln(1 - D) = f
 * The environment's own reward is never learned from: it is what `return` measures. Plain observations are standardised for the
 * discriminator by running moments of both. Several agents that are alike share the networks. Of the policy's rows those
 * of dead agents do not count; recordings do not say who was dead, so the player's do.
 * Pseudo-code:
 *   load the player's dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   repeat until the budget is spent
 *     play T steps of B environments with pi
 *     add the rollout's observations to the running moments, which began with the player's
 *     repeat rewardUpdates times
 *       draw a minibatch of the player's rows (s, a), and as many of the rollout
 *       descend L of the discriminator with Adam
 *     reward of every row of the rollout by the setting: softplus(f), -softplus(-f) or f
 *     advantages by GAE(lambda) of that reward, targets = advantages + V
 *     for each epoch, for each shuffled minibatch
 *       standardise its advantages
 *       ascend the clipped objective and the entropy bonus; descend the value loss
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { add, concat, gt, lt, mean, mul, neg, oneHot, sigmoid, softplus, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { column, mlp } from '#core/nets/mlp.ts';
import { descend } from '#core/nets/target.ts';
import { RunningMoments } from '#math/normalise.ts';
import type { Rng } from '#math/rng.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import type { Run } from '../api/types.ts';
import { actionShape } from '../lib/box.ts';
import { dataRows, openSource, sourceFields } from '../lib/data/source.ts';
import * as ppo from '../lib/ppo/common.ts';
import {
  CHUNK,
  checkLearnedReward,
  type LearnedReward,
  learnedRewardBenchmark,
  learnedRewardPolicy,
  overChunks,
  trainOnLearnedReward,
} from '../lib/ppo/learned-reward.ts';

const source = 'Ho and Ermon 2016';
const baselines = 'OpenAI Baselines gail/adversary.py';
const own = 'own choice';

const config = z.strictObject({
  ...sourceFields(source),
  rewardForm: z
    .enum(['positive', 'negative', 'difference'])
    .default('positive')
    .meta({
      title: 'form of the reward',
      description:
        'positive: every step pays, so episodes get long; negative: every step costs, so they get short; difference: both occur.',
      source: `${source}; difference: Fu et al. 2018`,
      depth: 'teach',
      group: 'reward',
    }),
  rewardUpdates: fields.integer(16, {
    min: 1,
    max: 10_000,
    title: 'discriminator updates',
    description: 'Minibatches after every rollout.',
    slider: [1, 128],
    log: true,
    source: own,
    depth: 'stored',
    group: 'reward',
  }),
  rewardBatch: fields.batchSize(256, own, {
    title: 'discriminator batch',
    description: 'Rows of the player in a minibatch, and as many of the policy.',
    depth: 'stored',
    group: 'reward',
  }),
  rewardLr: fields.lr(3e-4, baselines, {
    title: 'discriminator learning rate',
    description: 'Step size of Adam for the discriminator.',
    depth: 'research',
    group: 'reward',
  }),
  rewardEntropy: fields.real(1e-3, {
    min: 0,
    max: 1,
    title: 'discriminator entropy',
    description: 'Weight of its doubt, which keeps it from being too sure too soon.',
    slider: [0, 0.1],
    source: baselines,
    depth: 'research',
    group: 'reward',
  }),
  rewardHidden: fields.hidden([64, 64], `${own}; 100, 100 in ${source}`, {
    title: 'discriminator layers',
    description: 'Units of each layer; tanh between them.',
    depth: 'research',
    group: 'reward',
  }),
  ...ppo.commonFields,
});
type Config = z.infer<typeof config>;
type RewardForm = Config['rewardForm'];

/** Entropy of a coin that falls one way with probability sigmoid(f), nats: (1 - sigmoid(f)) f + softplus(-f). */
export const coinEntropy = (f: Tensor): Tensor => add(mul(sub(1, sigmoid(f)), f), softplus(neg(f)));

/** The cross-entropy of telling apart rows of the player [M] and of the policy [M], less the weighted entropy; []. */
export function discriminatorLoss(player: Tensor, policy: Tensor, entropy: number): Tensor {
  const apart = add(mean(softplus(neg(player))), mean(softplus(policy)));
  return sub(apart, mul(mul(add(mean(coinEntropy(player)), mean(coinEntropy(policy))), 0.5), entropy));
}

/** What rows are worth [M] from the discriminator's f [M]. */
export const imitationReward = (f: Tensor, form: RewardForm): Tensor =>
  form === 'positive' ? softplus(f) : form === 'negative' ? neg(softplus(neg(f))) : f;

function discriminator(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const { actionCount: N, obsSize: O } = meta;
  const group = engine.group('discriminator');
  const sizes = [encodedSize(space) + (N > 0 ? N : meta.actionSize), ...c.rewardHidden, 1];
  const net = mlp(group, 'discriminator', rng, sizes, { act: 'tanh', init: 'torch' });
  const of = (g: Graph, obs: Tensor, action: Tensor): Tensor =>
    column(net(concat([encode(g, obs, space), N > 0 ? oneHot(action, N) : action], 1)));
  const M = c.rewardBatch;
  const learn = engine.compile(
    { obs: [M, O], action: actionShape(meta, M), playerObs: [M, O], playerAction: actionShape(meta, M) },
    (x, g) => {
      const [player, policy] = [of(g, x.playerObs, x.playerAction), of(g, x.obs, x.action)];
      const right = mul(add(mean(gt(player, 0)), mean(lt(policy, 0))), 0.5);
      return { loss: discriminatorLoss(player, policy, c.rewardEntropy), right };
    },
    { minimise: 'loss', group, with: adam(), name: 'discriminator' },
  );
  const judge = engine.compile(
    { obs: [CHUNK, O], action: actionShape(meta, CHUNK) },
    (x, g) => ({ reward: imitationReward(of(g, x.obs, x.action), c.rewardForm) }),
    { name: 'reward of rows' },
  );
  return { learn, judge };
}

async function rewardOfImitation(run: Run<Config>, engine: Engine, total: number): Promise<LearnedReward> {
  const { config: c, meta, rng } = run;
  const O = meta.obsSize;
  const D = meta.actionCount > 0 ? 1 : meta.actionSize;
  const rows = dataRows(meta, await openSource(run));
  const { learn, judge } = discriminator(engine, meta, c, rng.split('discriminator'));
  const drawing = rng.split('drawing');
  // One-hot codes and numbered states stay as they are.
  const moments = meta.agents[0]!.obs.kind === 'box' ? new RunningMoments(O) : null;
  moments?.update(rows.obs, rows.count);
  const standardise = (obs: Float32Array): void => moments?.normalise(obs, obs, ppo.CLIP_NORMALISED);
  const rewards = new Float32Array(total);
  return {
    state: { arrays: { drawing, rewardMoments: moments } },
    async judge(played) {
      const { alive } = played;
      const living = alive === undefined ? null : Int32Array.from(alive.keys()).filter((i) => alive[i] === 1);
      if (living === null) moments?.update(played.obs, total);
      else for (const i of living) moments?.update(played.obs.subarray(i * O, (i + 1) * O), 1);
      let [loss, right] = [0, 0];
      for (let u = 0; u < c.rewardUpdates; u++) {
        const { obs, action, playerObs, playerAction } = learn.in;
        rows.sample(drawing, c.rewardBatch, 1, { obs: playerObs, action: playerAction });
        for (let row = 0; row < c.rewardBatch; row++) {
          const i = living === null ? drawing.int(total) : living[drawing.int(living.length)]!;
          for (let j = 0; j < O; j++) obs[row * O + j] = played.obs[i * O + j]!;
          for (let d = 0; d < D; d++) action[row * D + d] = played.action[i * D + d]!;
        }
        standardise(obs);
        standardise(playerObs);
        const pending = descend(learn, c.rewardLr);
        if (pending) await pending;
        loss += learn.out.loss[0]! / c.rewardUpdates;
        right += learn.out.right[0]! / c.rewardUpdates;
      }
      const keep = (from: number, some: number): void => rewards.set(judge.out.reward.subarray(0, some), from);
      await overChunks(judge, played, total, keep, standardise);
      const learnedReward = rewards.reduce((a, b) => a + b, 0) / total;
      return { rewards, metrics: { dataReturn: rows.meanReturn, rewardLoss: loss, toldApart: right, learnedReward } };
    },
  };
}

export const gail = defineAlgo<Config>({
  spec: {
    id: 'gail',
    version: 2,
    changes: [livingRows(2)],
    title: 'GAIL',
    summary: 'Plays until a second network can no longer tell its play from a recorded player’s.',
    source: {
      title: 'Generative Adversarial Imitation Learning',
      authors: 'Ho and Ermon',
      year: 2016,
      url: 'https://arxiv.org/abs/1606.03476',
    },
    config,
    presets: [
      {
        id: 'continuous',
        title: 'continuous control: PPO’s settings of CleanRL’s ppo_continuous_action.py',
        config: { lr: 3e-4, envs: 1, rolloutSteps: 2048, minibatches: 32, epochs: 10, entropyCoef: 0, normaliseObs: true },
      },
      { id: 'few', title: 'few rows of the player: 1,000 steps', config: { recordSteps: 1000 } },
      { id: 'difference', title: 'a reward of both signs (Fu et al. 2018)', config: { rewardForm: 'difference' } },
    ],
    continuous: 'continuous',
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'cartpole',
      steps: 1024,
      config: {
        envs: 4,
        rolloutSteps: 64,
        minibatches: 4,
        epochs: 2,
        hidden: [8],
        rewardHidden: [8],
        rewardUpdates: 4,
        rewardBatch: 32,
        recordSteps: 500,
      },
    },
    // The probes have no expert: the best episodes of random play show what is right.
    probes: [
      { on: ['bandit', 'cued'], steps: 10_000, config: { dataset: 'random', share: 0.4 } },
      { on: ['pointing'], steps: 24_000, config: { dataset: 'random', share: 0.1 }, atLeast: 0.9 },
    ],
    probeConfig: {
      envs: 8,
      rolloutSteps: 16,
      lr: 3e-3,
      annealLr: false,
      gamma: 0.9,
      entropyCoef: 0.001,
      hidden: [16],
      rewardHidden: [16],
      rewardUpdates: 8,
      rewardBatch: 64,
      rewardLr: 3e-3,
      recordSteps: 1000,
    },
    metrics: [
      ...ppo.ppoMetrics,
      { id: 'dataReturn', title: 'return of the data', description: 'Mean return of the recorded episodes that are imitated.' },
      {
        id: 'rewardLoss',
        title: 'discriminator loss',
        description: 'Cross-entropy of telling the two apart, both halves; 2 ln 2 says that it cannot.',
      },
      {
        id: 'toldApart',
        title: 'told apart',
        description: 'Share of rows of which the discriminator says rightly whose they are; 0.5: it cannot tell.',
      },
      { id: 'learnedReward', title: 'learned reward', description: 'Mean of the learned reward a step.' },
    ],
  },

  fits: (meta, c) => checkLearnedReward(meta, c, 'GAIL'),

  train: (run, resume) => trainOnLearnedReward(run, resume, (engine, total) => rewardOfImitation(run, engine, total)),
  policy: learnedRewardPolicy,
  benchmark: ({ config: c, meta, engine }) => learnedRewardBenchmark(c, meta, engine),
});
