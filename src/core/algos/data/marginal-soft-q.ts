/**
 * Inverse soft Q-learning of a team by marginal critics (after MAMQL; Haynam et al. 2025): what an agent's action is worth is what it is
 * worth on average over what the others then do, so that drawing it by exp(value / temperature) is right although the others act as well.
 *   joint critic      Q(o_i, a_i, a_others) = own(o_i, a_i) + joint(o_i, a_i, a_others), a table over all joint actions, own action first
 *   marginal critic   M(o_i, a_i) = sum over a_others of pi(a_others | o_others) Q(o_i, a_i, a_others)
 *   V = temperature ln sum_a exp(M / temperature),  r = Q(o_i, a) - d V'   (as inverse-soft-q.ts)
 *   L = -mean_player r + mean_both (V - d V') + mean_both r^2 / (4 penalty)
 *   pi(a_i | o_i)     follows softmax(M / temperature) by cross-entropy, so that an agent acts on what it sees itself
 * So a recorded joint action becomes more likely while the others are as they are now, and the reward that is recovered is one of joint
 * actions. Rows are steps of the whole team, half of them the player's. How the paper couples the two critics is not in its abstract: this
 * form is ours. Agents are alike and share the networks.
 * Pseudo-code:
 *   load the team's dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   copy the joint critic into the target network
 *   repeat until the budget is spent
 *     every agent acts by pi(. | o_i), uniformly at random in the first learningStarts steps
 *     store the step of the whole team in the replay buffer
 *     for each update that is due: gradientSteps every trainEvery steps, after learningStarts
 *       draw a minibatch of own steps from the buffer, and as many of the recorded team
 *       M(o_i, .): mean of Q over the others' actions by pi now; M' likewise by the target network
 *       V, V' from M, M'; r = Q(o_i, a) - d V', no gradient through V' and pi
 *       descend L over both minibatches and all agents with Adam
 *       pi: descend its cross-entropy with softmax(M / temperature) of these M in both minibatches
 *       target network <- (1 - tau) target network + tau joint critic
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import {
  add,
  broadcastTo,
  concat,
  logSoftmax,
  mean,
  mul,
  neg,
  pick,
  reshape,
  sliceAxis,
  softmax,
  stopGradient,
  sum,
} from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { mlp } from '#core/nets/mlp.ts';
import { descend } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import { checkBufferSize } from '../api/guards.ts';
import { episodeMetrics } from '../api/metrics.ts';
import type { Policy, Run } from '../api/types.ts';
import { checkRecordable } from '../lib/box.ts';
import { type InverseParts, inverseFields, inverseLearner, inverseMetrics } from '../lib/data/inverse.ts';
import { boltzmannValue, inverseLoss, inverseReward, type ValuedRows } from '../lib/data/losses.ts';
import { checkDiscrete, type DataRows, dataRows, openSource, sourceFields } from '../lib/data/source.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { type ReplayLearner, trainReplayed } from '../lib/replay/transitions.ts';

const MOST_JOINT_ACTIONS = 4096;

const config = z.strictObject({ ...sourceFields('Haynam et al. 2025'), ...inverseFields('IQ-Learn iq.py') });
type Config = z.infer<typeof config>;

/** Of every agent the rows of the agent `k` places further on, [M, A, ...]. */
function rolled(x: Tensor, k: number): Tensor {
  const A = x.shape[1]!;
  return k === 0 ? x : concat([sliceAxis(x, 1, k, A - k), sliceAxis(x, 1, 0, k)], 1);
}

/** Number of the joint action of each agent's row, own action first, [M, A] -> [M * A]. */
export function jointAction(action: Tensor, n: number): Tensor {
  const [M, A] = [action.shape[0]!, action.shape[1]!];
  const digits = Array.from({ length: A }, (_, k) => mul(rolled(action, k), n ** (A - 1 - k)));
  return reshape(
    digits.reduce((a, b) => add(a, b)),
    [M * A],
  );
}

/** How likely the others do each of their joint actions, for each agent's row, [M, A, N] -> [M * A, N^(A - 1)]. */
export function othersChance(chance: Tensor): Tensor {
  const [M, A, N] = [chance.shape[0]!, chance.shape[1]!, chance.shape[2]!];
  let joint: Tensor | null = null;
  for (let k = 1; k < A; k++) {
    const next = reshape(rolled(chance, k), [M * A, 1, N]);
    const so: number = joint?.shape[1] ?? 1;
    joint = joint === null ? reshape(next, [M * A, N]) : reshape(mul(reshape(joint, [M * A, so, 1]), next), [M * A, so * N]);
  }
  return joint ?? reshape(sum(chance, 2), [M * A, 1]);
}

/** Mean of a table over joint actions [R, N^A] over what the others do [R, N^(A - 1)]: [R, N]. */
export function marginal(table: Tensor, others: Tensor): Tensor {
  const [R, K] = [others.shape[0]!, others.shape[1]!];
  const N = table.shape[1]! / K;
  return sum(mul(reshape(table, [R, N, K]), reshape(others, [R, 1, K])), 2);
}

/** What an action is worth by itself [R, N] and with those of the others [R, N^A], from N + N^A outputs: a table [R, N^A]. */
export function jointTable(outputs: Tensor, n: number): Tensor {
  const R = outputs.shape[0]!;
  const joint = outputs.shape[1]! - n;
  const own = reshape(sliceAxis(outputs, 1, 0, n), [R, n, 1]);
  return reshape(add(own, reshape(sliceAxis(outputs, 1, n, joint), [R, n, joint / n])), [R, joint]);
}

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const [online, target] = [engine.group('q'), engine.group('target')];
  const layers = { act: 'relu', init: 'torch' } as const;
  const N = meta.actionCount;
  const net = (group: ParamGroup, name: string, from: Rng, outputs: number) => {
    const body = mlp(group, name, from, [encodedSize(space), ...c.hidden, outputs], layers);
    return (g: Graph, obs: Tensor): Tensor => body(encode(g, obs, space));
  };
  const actor = engine.group('actor');
  const width = N + N ** meta.agentCount;
  const [table, targetTable] = [net(online, 'joint', rng, width), net(target, 'joint', Rng.from(0), width)]; // the latter is overwritten
  return {
    actor,
    online,
    target,
    logits: net(actor, 'actor', rng, N),
    table: (g: Graph, obs: Tensor): Tensor => jointTable(table(g, obs), N),
    targetTable: (g: Graph, obs: Tensor): Tensor => jointTable(targetTable(g, obs), N),
  };
}
type Networks = ReturnType<typeof networks>;

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile({ obs: [rows, meta.obsSize] }, ({ obs }, g) => ({ logits: nets.logits(g, obs) }), { name: 'marginal act' });
}

/** Steps of a team: observations [M, A * O], actions [M, A], discounts [M]. */
interface TeamRows {
  readonly obs: Tensor;
  readonly action: Tensor;
  readonly discount: Tensor;
  readonly nextObs: Tensor;
}

/** One row for each agent, [M * A], and its marginal critic [M * A, N]. */
function valued(nets: Networks, meta: EnvMeta, c: Config, g: Graph, x: TeamRows): ValuedRows & { readonly marginal: Tensor } {
  const { agentCount: A, actionCount: N, obsSize: O } = meta;
  const M = x.discount.shape[0]!;
  const rows = (obs: Tensor): Tensor => reshape(obs, [M * A, O]);
  const others = (obs: Tensor): Tensor => othersChance(stopGradient(reshape(softmax(nets.logits(g, obs)), [M, A, N])));
  const [obs, nextObs] = [rows(x.obs), rows(x.nextObs)];
  const table = nets.table(g, obs);
  const own = marginal(table, others(obs));
  const discount = reshape(broadcastTo(reshape(x.discount, [M, 1]), [M, A]), [M * A]);
  const next = boltzmannValue(marginal(nets.targetTable(g, nextObs), others(nextObs)), c.temperature);
  return {
    taken: pick(table, jointAction(x.action, N)),
    value: boltzmannValue(own, c.temperature),
    next: mul(discount, next),
    marginal: own,
  };
}

const inputs = (meta: EnvMeta, M: number) => {
  const { agentCount: A, obsSize: O } = meta;
  return {
    obs: [M, A * O],
    action: [M, A],
    discount: [M],
    nextObs: [M, A * O],
    playerObs: [M, A * O],
    playerAction: [M, A],
    playerDiscount: [M],
    playerNextObs: [M, A * O],
  };
};

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  return engine.compile(
    inputs(meta, c.batchSize),
    (x, g) => {
      const own = valued(nets, meta, c, g, x);
      const player = valued(nets, meta, c, g, {
        obs: x.playerObs,
        action: x.playerAction,
        discount: x.playerDiscount,
        nextObs: x.playerNextObs,
      });
      return {
        loss: inverseLoss(player, own, c.penalty),
        reward: inverseReward(own),
        playerReward: inverseReward(player),
        marginal: own.marginal,
        playerMarginal: player.marginal,
      };
    },
    { minimise: 'loss', group: nets.online, with: adam(), name: 'marginal critics' },
  );
}

/** `follow`: marginal critics [R, N] of the rows whose policy follows them. */
function compileFollower(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const R = c.batchSize * meta.agentCount;
  const rows = { obs: [R, meta.obsSize], follow: [R, meta.actionCount] };
  return engine.compile(
    { ...rows, playerObs: rows.obs, playerFollow: rows.follow, playerAction: [R] },
    (x, g) => {
      const cost = (logProbs: Tensor, follow: Tensor): Tensor => neg(mean(sum(mul(softmax(mul(follow, 1 / c.temperature)), logProbs), -1)));
      const [own, player] = [logSoftmax(nets.logits(g, x.obs)), logSoftmax(nets.logits(g, x.playerObs))];
      return { loss: mul(add(cost(own, x.follow), cost(player, x.playerFollow)), 0.5), logProb: mean(pick(player, x.playerAction)) };
    },
    { minimise: 'loss', group: nets.actor, with: adam(), name: 'marginal policy' },
  );
}

function policyOf(engine: Engine, nets: Networks, meta: EnvMeta, dispose?: () => void): Policy {
  return networkPolicy({ meta, compile: (rows) => compileActor(engine, nets, meta, rows), ...(dispose && { dispose }) });
}

function learner(run: Run<Config>, engine: Engine, env: VectorEnv, recorded: DataRows): ReplayLearner {
  const { config: c, meta, rng } = run;
  const nets = networks(engine, meta, c, rng.split('init'));
  const act = compileActor(engine, nets, meta, env.batch * meta.agentCount);
  const learn = compileCritics(engine, nets, meta, c);
  const follower = compileFollower(engine, nets, meta, c);
  const parts: InverseParts = {
    act,
    learn,
    target: engine.polyak(nets.target, nets.online),
    async follow() {
      follower.in.obs.set(learn.in.obs);
      follower.in.playerObs.set(learn.in.playerObs);
      follower.in.playerAction.set(learn.in.playerAction);
      follower.in.follow.set(learn.out.marginal);
      follower.in.playerFollow.set(learn.out.playerMarginal);
      const pending = descend(follower, c.lr);
      if (pending) await pending;
    },
    logProb: () => follower.out.logProb[0]!,
    snapshot: () => saveGroups(engine, { actor: nets.actor, q: nets.online }),
    policy: () => policyOf(engine, nets, meta),
  };
  return inverseLearner(run, env, recorded, parts, true);
}

export const marginalSoftQ = defineAlgo<Config>({
  spec: {
    id: 'marginal-soft-q',
    version: 1,
    title: 'Marginal soft Q',
    summary: 'Finds the rewards a recorded team seems to follow; values are averaged over the actions of the other agents.',
    source: {
      title: 'Multi-Agent Inverse Q-Learning from Demonstrations',
      authors: 'Haynam et al.',
      year: 2025,
      url: 'https://arxiv.org/abs/2503.04679',
    },
    config,
    presets: [{ id: 'few', title: 'few rows of the team: 500 steps', config: { recordSteps: 500 } }],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'coin-game',
      steps: 400,
      config: { hidden: [16], batchSize: 16, recordSteps: 200, learningStarts: 100, bufferSize: 1000 },
    },
    // The probes have no scripted expert: the best episodes of random play show what is right.
    probes: [{ on: ['team'], steps: 3000, config: { dataset: 'random', share: 0.1 } }],
    probeConfig: { hidden: [32], batchSize: 64, lr: 3e-3, tau: 0.05, gamma: 0.9, recordSteps: 1000, learningStarts: 100, bufferSize: 5000 },
    metrics: [...episodeMetrics, ...inverseMetrics],
  },

  fits(meta, c) {
    const title = 'Marginal soft Q';
    checkRecordable(meta, title);
    checkDiscrete(meta, title);
    checkBufferSize(c.bufferSize, meta.agentCount * (2 * meta.obsSize + 2) + 1);
    const joint = meta.actionCount ** meta.agentCount;
    if (joint <= MOST_JOINT_ACTIONS) return;
    const why = `${title} values every joint action, at most ${MOST_JOINT_ACTIONS}; here there are ${joint}.`;
    throw fail('incompatible', why, 'Choose fewer agents, or inverse soft Q.', 'algo.id');
  },

  async *train(run, resume) {
    const recorded = dataRows(run.meta, await openSource(run), true);
    yield* trainReplayed(run, resume, (engine, env) => learner(run, engine, env, recorded));
  },

  async policy({ meta, makeEngine, config: c }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { actor: nets.actor, q: nets.online }, saved);
    return policyOf(engine, nets, meta, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => critics.run() };
  },
});
