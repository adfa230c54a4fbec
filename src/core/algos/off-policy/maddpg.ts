/**
 * Multi-agent deep deterministic policy gradient (Lowe et al. 2017): every agent acts on its own observation and is trained with a critic
 * that has the observations and actions of all.
 *   y_i = r_i + gamma Q_i'(x', a_1', ..., a_A')  with  a_j' from the target policies (0 in place of Q_i' after a termination)
 *   critic i: mean of (Q_i(x, a_1, ..., a_A) - y_i)^2
 *   policy i climbs Q_i(x, a_1, ..., mu_i(o_i), ..., a_A): its own action by its policy, the others' as replayed
 * Discrete actions are drawn by Gumbel-softmax, one-hot forward and relaxed backward; continuous ones are tanh outputs in the box.
 * Steps of the team are learned from until its episode ends, those of agents that have died among them.
 * Agents may differ in spaces and rewards; those that share networks (lib/sharing.ts) share the critic too. Truncated episodes bootstrap.
 * Rows are [M, A * O] observations, [M, A * D] actions and [M, A] rewards as the replay buffer keeps them; every program cuts out
 * those of each agent.
 * Pseudo-code:
 *   target policies and critics = policies and critics
 *   repeat until the budget is spent
 *     every agent acts: before learningStarts at random, then by its policy
 *       discrete: drawn from the softmax of its logits; continuous: tanh output + noise, clipped
 *     store the joint transition
 *     once learningStarts steps are played, every trainEvery steps, gradientSteps times
 *       draw a minibatch of joint transitions uniformly
 *       a_j' by the target policies; discrete: the largest of logits + Gumbel noise
 *       one step of all critics on the sum over i of the mean of (Q_i - y_i)^2
 *       one step of all policies on -Q_i summed over i, + logitPenalty times their squared raw outputs
 *       target networks += tau (networks - target networks)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { add, mean, mul, neg, reshape, sliceAxis, square, sub, tanh } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Param, ParamGroup, Tensor } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { maskLogits } from '#core/nets/heads.ts';
import { column, mlp, type Net } from '#core/nets/mlp.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { savedNumber } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { categorical, normal, randomAction } from '#math/sampling.ts';
import { finalMasks } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkBufferSize } from '../api/guards.ts';
import { episodeMetrics, RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { boxOf } from '../lib/box.ts';
import * as joint from '../lib/joint.ts';
import { type ReplayLearner, TransitionStore, trainReplayed } from '../lib/replay/transitions.ts';
import { encodedInputs, encodeRows, type SharedNetwork, shareNetworks, teamPolicy } from '../lib/sharing.ts';
import * as ac from './lib/actor-critic.ts';

const source = 'openai/maddpg';

const config = z.strictObject({
  sharing: fields.sharing('independent', source, {
    description:
      'Independent: a network per agent; grouped: per role; shared: for all of equal spaces. A shared critic gets the agent’s one-hot.',
  }),
  agentId: fields.agentId(),
  lr: fields.lr(1e-2, source, { description: 'Step size of Adam for the policies.' }),
  criticLr: fields.lr(1e-2, source, { title: 'critic learning rate', description: 'Step size of Adam for the critics.' }),
  gamma: fields.gamma(0.95, source),
  tau: fields.tau(0.01, source, { live: true }),
  relaxation: fields.real(1, {
    above: 0,
    max: 10,
    title: 'Gumbel-softmax temperature',
    description: 'Of the relaxation that stands for a discrete action while the policy learns.',
    source,
    depth: 'research',
    group: 'optimisation',
  }),
  logitPenalty: fields.real(1e-3, {
    min: 0,
    max: 1,
    title: 'logit penalty',
    description: 'Weight of the mean square of the policy’s outputs before softmax or tanh: keeps it from being certain too soon.',
    source,
    live: true,
    depth: 'research',
    group: 'optimisation',
  }),
  explorationNoise: ac.explorationNoise('TD3', {
    description: 'Continuous actions: standard deviation of the noise; 1 is half the width of the box. Discrete ones are sampled.',
  }),
  maxGradNorm: fields.maxGradNorm(0.5, source, { depth: 'research' }),
  clipping: z.enum(['network', 'team']).default('network').meta({
    title: 'gradient limit holds for',
    description:
      'Each network by itself, or all policies together and all critics together: then the largest gradient silences the others.',
    source: 'an optimiser per agent in openai/maddpg',
    depth: 'research',
    group: 'optimisation',
  }),
  ...fields.replay(source, { batchSize: 1024, learningStarts: 25_600, trainEvery: 100, envs: 8 }),
  hidden: fields.hidden([64, 64], source, { description: 'Units of each layer, in actor and critics; ReLU between them.' }),
});
type Config = z.infer<typeof config>;

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const members = joint.membersOf(sharing);
  const width = joint.jointObsSize(members) + joint.jointActionSize(members);
  const oneHotSize = ({ agents }: SharedNetwork): number => (agents.length > 1 ? agents.length : 0);
  const layers = { act: 'relu', init: 'torch' } as const;
  const actorsIn = (group: ParamGroup, from: Rng): Net[] =>
    sharing.networks.map((n) => mlp(group, n.name, from, [encodedInputs(n), ...c.hidden, joint.actionColumns(n)], layers));
  const criticsIn = (group: ParamGroup, from: Rng): Net[] =>
    sharing.networks.map((n) => mlp(group, n.name, from, [width + oneHotSize(n), ...c.hidden, 1], layers));
  const groups = {
    actors: engine.group('actors'),
    critics: engine.group('critics'),
    actorTargets: engine.group('actorTargets'),
    criticTargets: engine.group('criticTargets'),
  };
  return {
    ...groups,
    sharing,
    members,
    mu: actorsIn(groups.actors, rng),
    q: criticsIn(groups.critics, rng),
    // Overwritten by copies before their first use.
    targetMu: actorsIn(groups.actorTargets, Rng.from(0)),
    targetQ: criticsIn(groups.criticTargets, Rng.from(0)),
    /** Q of one agent [M] from the observations and actions of all, side by side. */
    value(g: Graph, critics: readonly Net[], member: joint.Member, rows: Tensor): Tensor {
      const count = oneHotSize(member.network);
      return column(critics[member.index]!(count === 0 ? rows : joint.withNumber(g, rows, count, member.place)));
    },
  };
}
type Networks = ReturnType<typeof networks>;

const total = (terms: readonly Tensor[]): Tensor => terms.reduce((a, b) => add(a, b));

/** Shapes of so many rows of a whole team; null: the environment has no masks, or no discrete actions that need uniform numbers. */
function shapes({ agentCount: A, obsSize, actionSize, actionCount, masked }: EnvMeta, rows: number) {
  return {
    obs: [rows, A * obsSize],
    action: [rows, A * actionSize],
    mask: masked ? [rows, A * actionCount] : null,
    uniform: actionCount > 0 ? [rows, A * actionCount] : null,
  };
}

/** An agent's raw outputs: logits (masked ones -1e8) or what a tanh squashes. */
function outputsOf(g: Graph, nets: readonly Net[], member: joint.Member, obs: Tensor, mask: Tensor | undefined, meta: EnvMeta): Tensor {
  const raw = nets[member.index]!(joint.ownRows(g, obs, member, meta));
  return mask === undefined || !member.network.discrete ? raw : maskLogits(raw, joint.ownMask(mask, member, meta));
}

/** Gumbel noise for one agent from uniform numbers [M, A * N]. */
const gumbelFor = (uniform: Tensor | undefined, { agent, network }: joint.Member, meta: EnvMeta): Tensor => {
  if (uniform === undefined) throw new Error('Gumbel noise is for discrete actions.');
  return ac.gumbelNoise(sliceAxis(uniform, 1, agent * meta.actionCount, network.choices));
};

/** Networks begin the names of their parameters. */
const clipOptions = (c: Config) => ({
  maxGradNorm: c.maxGradNorm,
  ...(c.clipping === 'network' && { clipApart: ({ name }: Param) => name.slice(0, name.indexOf('.')) }),
});

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.batchSize;
  const A = meta.agentCount;
  const { obs, action, mask, uniform } = shapes(meta, M);
  return engine.compile(
    { obs, action, reward: [M, A], discount: [M], nextObs: obs, nextMask: mask, uniform },
    (x, g) => {
      const { nextObs, nextMask } = x;
      const nextActions = nets.members.map((member) => {
        const out = outputsOf(g, nets.targetMu, member, nextObs, nextMask, meta);
        return member.network.discrete ? ac.hardened(add(out, gumbelFor(x.uniform, member, meta))) : tanh(out);
      });
      const next = joint.side([joint.jointObs(g, nextObs, nets.members, meta), ...nextActions]);
      const actions = joint.actionsOf(x.action, nets.members, meta);
      const now = joint.side([joint.jointObs(g, x.obs, nets.members, meta), ...actions]);
      const { reward } = x;
      const values = nets.members.map((member) => {
        const own = reshape(sliceAxis(reward, 1, member.agent, 1), [M]);
        const y = ac.bootstrapped(own, x.discount, nets.value(g, nets.targetQ, member, next));
        const q = nets.value(g, nets.q, member, now);
        return { loss: mean(square(sub(q, y))), q: mean(q) };
      });
      return { loss: total(values.map(({ loss }) => loss)), qMean: mul(total(values.map(({ q }) => q)), 1 / A) };
    },
    { minimise: 'loss', group: nets.critics, with: adam(), ...clipOptions(c), name: 'maddpg critics' },
  );
}

function compileActors(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  return engine.compile(
    { ...shapes(meta, c.batchSize), logitPenalty: [1] },
    (x, g) => {
      const { obs, mask } = x;
      const replayed = joint.actionsOf(x.action, nets.members, meta);
      const jointObs = joint.jointObs(g, obs, nets.members, meta);
      const losses = nets.members.map((member) => {
        const raw = outputsOf(g, nets.mu, member, obs, undefined, meta);
        const { discrete } = member.network;
        const out = mask !== undefined && discrete ? maskLogits(raw, joint.ownMask(mask, member, meta)) : raw;
        const own = discrete ? ac.straightThrough(ac.gumbelSoftmax(out, gumbelFor(x.uniform, member, meta), c.relaxation)) : tanh(out);
        const actions = replayed.map((action, agent) => (agent === member.agent ? own : action));
        const value = mean(nets.value(g, nets.q, member, joint.side([jointObs, ...actions])));
        return { climb: neg(value), penalty: mean(square(raw)) };
      });
      const climb = total(losses.map((l) => l.climb));
      const penalty = total(losses.map((l) => l.penalty));
      return { loss: reshape(add(climb, mul(penalty, x.logitPenalty)), []), climb: mul(climb, 1 / meta.agentCount) };
    },
    { minimise: 'loss', group: nets.actors, with: adam(), ...clipOptions(c), name: 'maddpg actors' },
  );
}

/** Logits or squashed means of all agents, `policy0`, `policy1`, ... by agent. */
function compileActing(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  const { obs, mask } = shapes(meta, rows);
  return engine.compile(
    { obs, mask },
    (x, g) => {
      const outputs = nets.members.map((member) => {
        const out = outputsOf(g, nets.mu, member, x.obs, x.mask, meta);
        return [`policy${member.agent}`, member.network.discrete ? out : tanh(out)] as const;
      });
      return Object.fromEntries(outputs);
    },
    { name: 'maddpg act' },
  );
}

/** One network's rows for teamPolicy: logits, or mean and log std in the environment's units. */
function compilePolicy(engine: Engine, nets: Networks, meta: EnvMeta, network: number, rows: number, noise: number) {
  const shared = nets.sharing.networks[network]!;
  return engine.compile(
    { obs: [rows, shared.inputs], mask: shared.discrete && meta.masked ? [rows, shared.choices] : null },
    ({ obs, mask }, g): { readonly [name: string]: Tensor } => {
      const out = nets.mu[network]!(encodeRows(g, obs, shared));
      if (shared.discrete) return { logits: mask === undefined ? out : maskLogits(out, mask) };
      const { centre, half } = boxOf(meta);
      const at = shared.agents[0]! * meta.actionSize;
      const wide = half.slice(at, at + shared.actionWidth);
      const spread = Float32Array.from({ length: rows * wide.length }, (_, i) => log(Math.max(1e-6, noise * wide[i % wide.length]!)));
      return {
        mean: add(mul(tanh(out), g.constant(wide, [wide.length])), g.constant(centre.slice(at, at + wide.length), [wide.length])),
        logStd: g.constant(spread, [rows, wide.length]),
      };
    },
    { name: 'maddpg policy' },
  );
}

function learner({ config: c, meta, rng }: Run<Config>, engine: Engine, { buffers, batch: numEnvs }: VectorEnv): ReplayLearner {
  const { agentCount: A, actionSize: D, actionCount: N } = meta;
  const nets = networks(engine, meta, c, rng.split('init'));
  const act = compileActing(engine, nets, meta, numEnvs);
  const critics = compileCritics(engine, nets, meta, c);
  const actors = compileActors(engine, nets, meta, c);
  const targetUpdates = [engine.polyak(nets.actorTargets, nets.actors), engine.polyak(nets.criticTargets, nets.critics)];
  const updateTargets = async (tau: number): Promise<void> => {
    for (const program of targetUpdates) await updateTarget(program, tau);
  };
  const streams = { ...ac.streamsOf(rng), drawing: rng.split('noise') };
  const { exploring, replaying, drawing } = streams;
  const store = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs, joint: true, currentMask: true });
  const { centre, half } = boxOf(meta);
  const actions = new Float32Array(numEnvs * A * D); // indices of discrete actions, or [-1, 1]
  const envActions = createActions(meta, numEnvs);
  const means = new RowMeans(['criticLoss', 'actorLoss', 'qMean', 'gradNorm']);
  const compile = (network: number, rows: number) => compilePolicy(engine, nets, meta, network, rows, c.explorationNoise);

  /** One action of one agent in environment b, from its policy's outputs or uniformly at random. */
  const selectAction = (b: number, { agent, network }: joint.Member, outputs: Float32Array | null): void => {
    const at = (b * A + agent) * D;
    const { discrete, choices: n, actionWidth } = network;
    if (discrete) {
      const mask = (b * A + agent) * N;
      const a = outputs === null ? randomAction(exploring, n, buffers.mask, mask) : categorical(outputs, b * n, n, exploring.uniform());
      actions[at] = a;
      envActions[at] = a;
      return;
    }
    for (let d = 0; d < actionWidth; d++) {
      const noisy = outputs === null ? 2 * exploring.uniform() - 1 : outputs[b * actionWidth + d]! + c.explorationNoise * normal(exploring);
      const unit = Math.min(1, Math.max(-1, noisy));
      actions[at + d] = unit;
      envActions[at + d] = centre[agent * D + d]! + half[agent * D + d]! * unit;
    }
  };

  return {
    store,
    state: { counters: { step: 0 }, arrays: streams },
    means,
    stored: actions,
    copyTargets: () => updateTargets(1),
    async act(warmUp) {
      if (!warmUp) {
        act.in.obs.set(buffers.obs);
        if (buffers.mask !== undefined) act.in.mask?.set(buffers.mask);
        const pending = act.run();
        if (pending) await pending;
      }
      for (const member of nets.members) {
        const outputs = warmUp ? null : act.out[`policy${member.agent}`]!;
        for (let b = 0; b < numEnvs; b++) selectAction(b, member, outputs);
      }
      return envActions;
    },
    async update() {
      store.sample(replaying, c.batchSize, c.gamma, { ...critics.in, mask: actors.in.mask });
      if (critics.in.uniform !== undefined) ac.fillUniform(drawing, critics.in.uniform);
      const criticUpdate = descend(critics, c.criticLr);
      if (criticUpdate) await criticUpdate;
      actors.in.obs.set(critics.in.obs);
      actors.in.action.set(critics.in.action);
      if (actors.in.uniform !== undefined) ac.fillUniform(drawing, actors.in.uniform);
      actors.in.logitPenalty[0] = c.logitPenalty;
      const actorUpdate = descend(actors, c.lr);
      if (actorUpdate) await actorUpdate;
      await updateTargets(c.tau);
      means.add('criticLoss', critics.out.loss[0]! / A);
      means.add('qMean', critics.out.qMean[0]!);
      means.add('gradNorm', critics.out.gradNorm[0]!);
      means.add('actorLoss', actors.out.climb[0]!);
    },
    snapshot: () => saveGroups(engine, { actors: nets.actors }, { noise: c.explorationNoise }),
    policy: () => teamPolicy({ meta, sharing: nets.sharing, compile }),
  };
}

export const maddpg = defineAlgo<Config>({
  spec: {
    id: 'maddpg',
    version: 3,
    changes: [
      finalMasks(2),
      {
        version: 3,
        what: 'The gradient limit holds for each agent’s network by itself; it held for all policies together, and for all critics.',
        before: { clipping: 'team' },
        rerun: false,
      },
    ],
    title: 'MADDPG',
    summary: 'Agents act on their own observations and are trained with critics that see everything.',
    source: {
      title: 'Multi-Agent Actor-Critic for Mixed Cooperative-Competitive Environments',
      authors: 'Lowe et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1706.02275',
    },
    config,
    presets: [
      {
        id: 'shared',
        title: 'alike agents share networks, small steps (EPyMARL’s learning rate)',
        config: { sharing: 'grouped', agentId: true, lr: 5e-4, criticLr: 5e-4 },
      },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mpe-simple-tag', steps: 1200, config: { envs: 4, hidden: [16], batchSize: 16, learningStarts: 200, bufferSize: 500 } },
    probes: [
      { on: ['bandit', 'delayed', 'masked', 'team', 'xorTeam', 'climbing', 'roles'], steps: 8000 },
      { on: ['pointingTeam'], steps: 8000, config: { explorationNoise: 0.3 }, atLeast: 0.9 },
      { on: ['twoStep'], steps: 12_000, atLeast: 6.9 },
    ],
    probeConfig: { ...ac.probeConfig, learningStarts: 200, trainEvery: 4, envs: 4 },
    metrics: [
      ...episodeMetrics,
      { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the critics, mean over agents.' },
      { id: 'actorLoss', title: 'policy loss', description: 'Minus the predicted value of the policies’ actions, mean over agents.' },
      { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions.' },
      { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the critics’ gradient before any limit.' },
    ],
  },

  fits(meta, c) {
    joint.checkTeam(meta, 'MADDPG');
    const masks = meta.masked ? meta.actionCount / 2 : 0; // two of one byte each
    checkBufferSize(c.bufferSize, meta.agentCount * (2 * meta.obsSize + meta.actionSize + 1 + masks) + 1);
  },

  train: (run, resume) => trainReplayed(run, resume, (engine, env) => learner(run, engine, env)),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { actors: nets.actors }, saved);
    const noise = savedNumber(saved, 'noise');
    const compile = (network: number, rows: number) => compilePolicy(engine, nets, meta, network, rows, noise);
    return teamPolicy({ meta, sharing: nets.sharing, compile, dispose: () => engine.dispose() });
  },

  benchmark({ config: c, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => critics.run() };
  },
});
