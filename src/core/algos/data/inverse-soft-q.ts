/**
 * Inverse soft Q-learning (IQ-Learn; Garg et al. 2021): action values under which a recorded player, who draws his actions by
 * exp(Q / temperature), would be right to act as he did. They are policy and reward at once: no second network tells players apart.
 *   V(s) = temperature ln sum_a exp(Q(s, a) / temperature),   pi(a | s) = exp((Q(s, a) - V(s)) / temperature)
 *   r(s, a) = Q(s, a) - d V'(s')  is the reward they answer to;  d is 0 after a termination, not at a time limit
 *   L = -mean_player r + mean_both (V(s) - d V'(s')) + mean_both r^2 / (4 penalty)
 * "Both" are rows of the player and as many of its own play, from a replay buffer; or those of the player alone. The environment's own
 * reward is never learned from: `return` measures it, and how well r agrees with it is reported. Several agents that are alike share the
 * network, each for itself.
 * Pseudo-code:
 *   load the player's dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   copy Q into the target network
 *   repeat until the budget is spent
 *     act by pi = softmax(Q / temperature), uniformly at random in the first learningStarts steps
 *     store (s, a, s') in the replay buffer
 *     for each update that is due: gradientSteps every trainEvery steps, after learningStarts
 *       draw a minibatch of own rows from the buffer, and as many of the player's
 *       V(s) by Q, V'(s') by the target network; r = Q(s, a) - d V'(s'), no gradient through V'
 *       L over both minibatches; if learnsFrom is recorded: over that of the player alone
 *       descend L with Adam
 *       target network <- (1 - tau) target network + tau Q
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { mean, mul, pick, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import { checkBufferSize } from '../api/guards.ts';
import { episodeMetrics } from '../api/metrics.ts';
import type { Policy, Run } from '../api/types.ts';
import { checkRecordable } from '../lib/box.ts';
import { type InverseParts, inverseFields, inverseLearner, inverseMetrics } from '../lib/data/inverse.ts';
import { boltzmannValue, inverseLoss, inverseReward, type ValuedRows } from '../lib/data/losses.ts';
import { dataCritic } from '../lib/data/networks.ts';
import { checkDiscrete, type DataRows, dataRows, openSource, sourceFields } from '../lib/data/source.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { type ReplayLearner, trainReplayed } from '../lib/replay/transitions.ts';

const source = 'IQ-Learn iq.py';

const config = z.strictObject({
  ...sourceFields('Garg et al. 2021'),
  learnsFrom: z.enum(['both', 'recorded']).default('both').meta({
    title: 'learns from',
    description: 'Rows of the player and of its own play, or those of the player alone.',
    source: 'Garg et al. 2021, online and offline',
    depth: 'teach',
    group: 'data',
  }),
  ...inverseFields(source),
});
type Config = z.infer<typeof config>;

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const [online, target] = [engine.group('q'), engine.group('target')];
  return {
    online,
    target,
    q: dataCritic(online, 'q', rng, meta, c.hidden).all,
    targetQ: dataCritic(target, 'q', Rng.from(0), meta, c.hidden).all, // overwritten by a copy before its first use
  };
}
type Networks = ReturnType<typeof networks>;

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, c: Config, rows: number) {
  return engine.compile(
    { obs: [rows, meta.obsSize] },
    ({ obs }, g) => {
      const q = nets.q(g, obs);
      return { logits: mul(q, 1 / c.temperature), value: boltzmannValue(q, c.temperature) };
    },
    { name: 'inverse act' },
  );
}

/** Inputs named `player...` are rows of the player, the others of its own play. */
function compileLearner(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  const O = meta.obsSize;
  return engine.compile(
    {
      obs: [M, O],
      action: [M],
      discount: [M],
      nextObs: [M, O],
      playerObs: [M, O],
      playerAction: [M],
      playerDiscount: [M],
      playerNextObs: [M, O],
    },
    (x, g) => {
      const own = valued(nets, c, g, x.obs, x.action, x.discount, x.nextObs);
      const player = valued(nets, c, g, x.playerObs, x.playerAction, x.playerDiscount, x.playerNextObs);
      return {
        loss: inverseLoss(player, c.learnsFrom === 'both' ? own : null, c.penalty),
        reward: inverseReward(own),
        playerReward: inverseReward(player),
        logProb: mul(mean(sub(player.taken, player.value)), 1 / c.temperature),
      };
    },
    { minimise: 'loss', group: nets.online, with: adam(), name: 'inverse learn' },
  );
}

function valued(nets: Networks, c: Config, g: Graph, obs: Tensor, action: Tensor, discount: Tensor, nextObs: Tensor): ValuedRows {
  const q = nets.q(g, obs);
  return {
    taken: pick(q, action),
    value: boltzmannValue(q, c.temperature),
    next: mul(discount, boltzmannValue(nets.targetQ(g, nextObs), c.temperature)),
  };
}

function policyOf(engine: Engine, nets: Networks, meta: EnvMeta, c: Config, dispose?: () => void): Policy {
  return networkPolicy({ meta, compile: (rows) => compileActor(engine, nets, meta, c, rows), ...(dispose && { dispose }) });
}

function learner(run: Run<Config>, engine: Engine, env: VectorEnv, recorded: DataRows): ReplayLearner {
  const { config: c, meta, rng } = run;
  const nets = networks(engine, meta, c, rng.split('init'));
  const act = compileActor(engine, nets, meta, c, env.batch * meta.agentCount);
  const learn = compileLearner(engine, nets, meta, c);
  const parts: InverseParts = {
    act,
    learn,
    target: engine.polyak(nets.target, nets.online),
    logProb: () => learn.out.logProb[0]!,
    snapshot: () => saveGroups(engine, { q: nets.online }),
    policy: () => policyOf(engine, nets, meta, c),
  };
  return inverseLearner(run, env, recorded, parts, false);
}

export const inverseSoftQ = defineAlgo<Config>({
  spec: {
    id: 'inverse-soft-q',
    version: 1,
    title: 'Inverse soft Q',
    summary: 'Finds action values under which the recorded player is optimal; they give its policy and the reward it seems to follow.',
    source: {
      title: 'IQ-Learn: Inverse soft-Q Learning for Imitation',
      authors: 'Garg et al.',
      year: 2021,
      url: 'https://arxiv.org/abs/2106.12142',
    },
    config,
    presets: [
      { id: 'recorded', title: 'from the recording alone', config: { learnsFrom: 'recorded' } },
      { id: 'few', title: 'few rows of the player: 500 steps', config: { recordSteps: 500 } },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'cartpole',
      steps: 400,
      config: { hidden: [16], batchSize: 32, recordSteps: 500, learningStarts: 100, bufferSize: 1000 },
    },
    // The probes have no scripted expert: the best episodes of random play show what is right.
    probes: [{ on: ['bandit', 'cued'], steps: 2000, config: { dataset: 'random', share: 0.4 } }],
    probeConfig: { hidden: [32], batchSize: 64, lr: 3e-3, tau: 0.05, gamma: 0.9, recordSteps: 1000, learningStarts: 100, bufferSize: 5000 },
    metrics: [...episodeMetrics, ...inverseMetrics],
  },

  fits(meta, c) {
    checkRecordable(meta, 'Inverse soft Q');
    checkDiscrete(meta, 'Inverse soft Q');
    checkBufferSize(c.bufferSize, 2 * meta.obsSize + 3);
  },

  async *train(run, resume) {
    const recorded = dataRows(run.meta, await openSource(run));
    yield* trainReplayed(run, resume, (engine, env) => learner(run, engine, env, recorded));
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { q: nets.online }, saved);
    return policyOf(engine, nets, meta, c, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const learn = compileLearner(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => learn.run() };
  },
});
