/**
 * Learn to Follow (Skrynnik et al. 2024): every agent plans a way for itself, dearer where others stand (swarms/lib/window-planner.ts), and
 * one policy that all share learns by PPO (ppo.ts) to follow it without getting into each other's way. It sees the window with the way
 * in place of the target. While training it is also paid for stepping to the next cell of its way. With `planner` off the same learner
 * sees the target and has to find the way as well.
 *   way = cheapest way within the window to the reachable cell nearest to the target, a cell costing 1 + congestion [another agent there]
 *   r' = r + waypointReward [the agent stepped to the next cell of its way]
 * Differs: the paper plans on the whole map, remembers where traffic was, and learns a recurrent policy; here plans end at the window.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for T steps of B environments
 *       if planner: every agent plans its way by Dijkstra's algorithm in the window it sees
 *         its observation: the window with the way in place of the target
 *       draw the action of every agent from the shared policy
 *       if planner: add waypointReward where an agent stepped to the next cell of its way
 *     PPO on all agents' steps: GAE(lambda), then epochs of shuffled minibatches on the clipped loss
 *   in use, too: plan anew in every step; if sampled: draw actions in evaluations as well
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { EnvMeta, StepBuffers } from '../../envs/api/types.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';
import { defineAlgo } from '../api/define.ts';
import type { Policy } from '../api/types.ts';
import { ppoMetrics } from '../lib/ppo/common.ts';
import { ppo, ppoConfig } from '../on-policy/ppo.ts';
import { WindowPlanner } from './lib/window-planner.ts';

const { lr, annealLr, gamma, lambda, envs, rolloutSteps, minibatches, epochs, clip, entropyCoef, valueCoef, maxGradNorm, hidden } =
  ppoConfig.shape;

const MOVES = ['stay', 'up', 'down', 'left', 'right'];

const config = z.strictObject({
  planner: z.boolean().default(true).meta({
    title: 'planner',
    description: 'Agents plan their way and learn to follow it; off: they learn everything.',
    source: 'Skrynnik et al. 2024',
    depth: 'teach',
    group: 'planning',
  }),
  congestion: z
    .int()
    .min(0)
    .max(20)
    .default(2)
    .meta({
      title: 'congestion cost',
      unit: 'steps',
      description: 'Added cost of a cell of the plan while another agent occupies it.',
      source: 'own choice',
      slider: [0, 10],
      depth: 'stored',
      group: 'planning',
    }),
  sampled: z.boolean().default(true).meta({
    title: 'stochastic policy',
    description: 'Sample actions in evaluations too: agents that meet head on and act greedily block each other for good.',
    source: 'Skrynnik et al. 2024',
    depth: 'research',
    group: 'planning',
  }),
  waypointReward: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .meta({
      title: 'waypoint reward',
      description: 'Added in training for each step to the next cell of the planned path.',
      source: 'own choice',
      slider: [0, 0.5],
      group: 'planning',
    }),
  lr: lr.default(1e-3),
  annealLr,
  gamma: gamma.default(0.95),
  lambda,
  envs: envs.default(4),
  rolloutSteps: rolloutSteps.default(32),
  minibatches: minibatches.default(8),
  epochs: epochs.default(3),
  clip,
  entropyCoef,
  valueCoef,
  maxGradNorm,
  hidden,
});
type Config = z.infer<typeof config>;

/** The config of PPO: its own fields, those that this form does not show at their defaults. */
function settingsOf({ planner: _p, congestion: _c, waypointReward: _w, sampled: _s, ...rest }: Config) {
  return ppoConfig.parse({ ...rest, clipValue: false });
}

/** The settings as a live object: each field as it is in `config` at the time it is read. */
function liveSettings(config: Config): ReturnType<typeof settingsOf> {
  const live = { ...settingsOf(config) };
  const now: { readonly [field: string]: unknown } = config;
  for (const [field, value] of Object.entries(live))
    Object.defineProperty(live, field, { enumerable: true, get: () => now[field] ?? value });
  return live;
}

const sideOf = (meta: EnvMeta): number => Math.sqrt(meta.obsSize / 3);

/** The same copies, seen with ways in place of targets. */
function plannedEnv(inner: VectorEnv, c: Config): VectorEnv {
  const { meta, batch } = inner;
  const planner = new WindowPlanner(sideOf(meta), c.congestion);
  const rows = batch * meta.agentCount;
  const O = meta.obsSize;
  const next = new Int32Array(rows); // the action that follows the way
  const wanted = new Int32Array(rows); // the same, before the step
  const before = new Float32Array(rows * O);
  const aside = new Float32Array(O);
  const buffers: StepBuffers = {
    ...inner.buffers,
    obs: new Float32Array(rows * O),
    finalObs: new Float32Array(rows * O),
    reward: new Float32Array(rows),
  };
  const look = (): void => {
    for (let row = 0; row < rows; row++) next[row] = planner.plan(inner.buffers.obs, row * O, buffers.obs, row * O);
  };
  return {
    ...inner,
    buffers,
    reset() {
      inner.reset();
      look();
    },
    step(actions) {
      before.set(inner.buffers.obs);
      wanted.set(next);
      inner.step(actions);
      const { terminated, truncated, reward, obs } = inner.buffers;
      for (let row = 0; row < rows; row++) {
        const b = Math.floor(row / meta.agentCount);
        const follows = wanted[row] !== 0 && actions[row] === wanted[row] && terminated[b] === 0 && truncated[b] === 0;
        const paid = follows && planner.moved(wanted[row]!, before, obs, row * O);
        buffers.reward[row] = reward[row]! + (paid ? c.waypointReward : 0);
      }
      for (let b = 0; b < batch; b++) {
        if (inner.buffers.terminated[b] === 0 && inner.buffers.truncated[b] === 0) continue;
        for (let row = b * meta.agentCount; row < (b + 1) * meta.agentCount; row++) {
          planner.plan(inner.buffers.finalObs, row * O, aside, 0);
          buffers.finalObs.set(aside, row * O);
        }
      }
      look();
    },
    load(saved) {
      inner.load(saved);
      look();
    },
  };
}

function followingPolicy(follower: Policy, meta: EnvMeta, c: Config): Policy {
  const planner = new WindowPlanner(sideOf(meta), c.congestion);
  const O = meta.obsSize;
  return {
    initial: (rows) => follower.initial(rows),
    act(query) {
      const greedy = query.greedy && !c.sampled;
      if (!c.planner) return follower.act({ ...query, greedy });
      const obs = new Float32Array(query.rows * O);
      for (let row = 0; row < query.rows; row++) planner.plan(query.obs, row * O, obs, row * O);
      return follower.act({ ...query, obs, greedy });
    },
    dispose: () => follower.dispose(),
  };
}

export const follow = defineAlgo<Config>({
  spec: {
    id: 'follow',
    version: 1,
    title: 'Learn to follow',
    summary: 'Every agent plans its own way and learns to follow it among the others.',
    source: {
      title: 'Learn to Follow: Decentralized Lifelong Multi-agent Pathfinding via Planning and Learning',
      authors: 'Skrynnik et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2310.01207',
    },
    config,
    presets: [{ id: 'plain', title: 'the policy alone', config: { planner: false } }],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    mixed: 'sampled',
    trial: {
      env: 'lifelong-mapf',
      envConfig: { agents: 4, collisionSystem: 'soft' },
      steps: 512,
      config: { envs: 4, rolloutSteps: 32, hidden: [32] },
    },
    probes: [],
    metrics: ppoMetrics,
  },

  fits(meta, c) {
    ppo.fits(meta, settingsOf(c));
    const { obs, action } = meta.agents[0]!;
    const moves = action.kind === 'discrete' && JSON.stringify(action.labels) === JSON.stringify(MOVES);
    if (moves && obs.kind === 'box' && obs.shape.length === 3 && obs.shape[0] === 3 && obs.shape[1] === obs.shape[2]) return;
    throw fail(
      'incompatible',
      'Learn to follow needs agents that see obstacles, each other and a target around them, and step to neighbouring cells.',
      'Choose lifelong path finding.',
      'env.id',
    );
  },

  async *train(run, resume) {
    const c = run.config;
    const makeEnv = (batch: number): VectorEnv => (c.planner ? plannedEnv(run.makeEnv(batch), c) : run.makeEnv(batch));
    const trainer = ppo.train({ ...run, config: liveSettings(c), makeEnv }, resume);
    for await (const progress of trainer) yield { ...progress, policy: async () => followingPolicy(await progress.policy(), run.meta, c) };
  },

  async policy(context, saved) {
    const c = context.config;
    return followingPolicy(await ppo.policy({ ...context, config: settingsOf(c) }, saved), context.meta, c);
  },
});
