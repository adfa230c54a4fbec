/**
 * Counterfactual multi-agent policy gradients (Foerster et al. 2018): a central critic gives the team's value of every action of one
 * agent while the others do what they did, and an agent is reinforced by what its action was worth beyond its own average.
 *   A_i = Q_i(x, u) - sum_a pi_i(a) Q_i(x, (u_-i, a));   policies climb mean[A_i ln pi_i(u_i)] + entropyCoef H
 *   critics: (Q_i(x, u) - y)^2 with y by TD(lambda) from a target network
 * A critic sees the observations of all agents, the agent's own, its number among those it serves, and the others' actions. On-policy:
 * every piece of experience is used once by the policies. Time limits bootstrap.
 * Pseudo-code:
 *   target critics = critics
 *   repeat until the budget is spent
 *     play T steps of B environments, every agent drawing its action from its own policy
 *     if reward is team: every agent's reward is the mean of all agents' rewards
 *     target critics: Q of the actions taken, and of ones drawn after the last step and at time limits
 *     y_i by TD(lambda) from rewards and these values
 *     for each critic epoch, for each critic minibatch of shuffled steps
 *       one step of the critics on the mean of (Q_i(x, u) - y_i)^2
 *       target critics += tau (critics - target critics)
 *     A_i by the critics as they are now; if normaliseAdvantages: standardised
 *     one step of the policies on -mean[A_i ln pi_i(u_i)] - entropyCoef H, dead agents left out
 * Throws LabError('nan-loss').
 */

import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import * as ops from '#core/engine/ops.ts';
import { concat, mul, pick, reshape, sliceAxis, square, stack, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import { createActions, endedRows } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { categoricalEntropy, categoricalLogProb, maskLogits } from '#core/nets/heads.ts';
import { mlp, type Net } from '#core/nets/mlp.ts';
import { updateTarget } from '#core/nets/target.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { categorical } from '#math/sampling.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite } from '../api/guards.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import * as joint from '../lib/joint.ts';
import { checkMinibatches, standardiseMasked, weightedMean } from '../lib/ppo/common.ts';
import { encodedInputs, encodeRows, shareNetworks, teamPolicy } from '../lib/sharing.ts';

const source = 'EPyMARL coma';
const config = z.strictObject({
  sharing: fields.sharing(),
  agentId: fields.agentId(),
  reward: z.enum(['team', 'own']).default('team').meta({
    title: 'team reward',
    description: 'What a critic predicts: the return of the mean of all agents’ rewards, or of each agent’s own.',
    source: 'Foerster et al. 2018: one reward for the team',
    group: 'returns',
  }),
  lr: fields.lr(3e-4, source, { description: 'Step size of Adam for the policies.' }),
  criticLr: fields.lr(3e-4, source, { title: 'critic learning rate', description: 'Step size of Adam for the critics.' }),
  gamma: fields.gamma(0.99, source),
  lambda: fields.gaeLambda(0.8, 'Foerster et al. 2018', {
    title: 'TD lambda',
    description: '0 trusts the critic’s next value, 1 only the rewards seen.',
    slider: [0, 1],
  }),
  tau: fields.tau(0.01, source),
  entropyCoef: fields.entropyCoef(0.001, source, { max: 1 }),
  normaliseAdvantages: fields.normaliseAdvantages(false, source, { description: 'Mean 0 and standard deviation 1 in every update.' }),
  envs: fields.numEnvs(8, source),
  rolloutSteps: fields.rolloutSteps(25, source, { max: 4096, slider: [5, 200] }),
  criticEpochs: fields.epochs(4, 'own choice', {
    title: 'critic epochs',
    description: 'Passes of the critics over each rollout.',
    max: 64,
    live: false,
    slider: [1, 10],
    depth: 'stored',
  }),
  criticMinibatches: fields.minibatches(4, 'own choice', {
    title: 'critic minibatches',
    description: 'Parts of the rollout, one critic update each.',
    max: 256,
    slider: [1, 16],
    depth: 'stored',
  }),
  maxGradNorm: fields.maxGradNorm(10, source, {
    description: 'For all policies together, and for all critics together.',
    depth: 'research',
  }),
  hidden: fields.hidden([64, 64], 'own choice', { title: 'hidden layers of policies' }),
  criticHidden: fields.hidden([128, 128], 'own choice', { title: 'hidden layers of critics' }),
});
type Config = z.infer<typeof config>;

const presets: readonly Preset[] = [
  {
    id: 'simple-spread',
    title: 'Particles: spread (2,000,000 steps)',
    config: { agentId: true, gamma: 0.9, lr: 1e-3, criticLr: 1e-3, entropyCoef: 0.01, normaliseAdvantages: true },
  },
];

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'criticLoss', title: 'critic loss', description: 'Squared error of the values of the actions taken, mean over the update.' },
  { id: 'policyLoss', title: 'policy loss', description: 'Minus the counterfactual advantage times ln pi.' },
  { id: 'entropy', title: 'entropy', description: 'Of the action distribution; ln(number of actions) is uniform.', unit: 'nats' },
  { id: 'advantage', title: 'advantage size', description: 'Mean size of the counterfactual advantages: 0 once no action matters.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the actions taken.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Of the policies, before clipping.' },
];

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const members = joint.membersOf(sharing);
  const actors = engine.group('actors');
  const critics = engine.group('critics');
  const targets = engine.group('targets');
  const policies = sharing.networks.map((n) => mlp(actors, n.name, rng, [encodedInputs(n), ...c.hidden, n.choices], { outGain: 0.01 }));
  const everything = joint.jointObsSize(members) + joint.jointActionSize(members);
  const criticsIn = (group: ParamGroup, from: Rng): Net[] =>
    sharing.networks.map((n) => {
      const own = members.length > 1 ? encodedSize(n.obs) + n.agents.length : 0;
      return mlp(group, n.name, from, [everything + own, ...c.criticHidden, n.choices], { act: 'relu', outGain: 1 });
    });
  return {
    sharing,
    members,
    actors,
    critics,
    targets,
    policies,
    criticNets: criticsIn(critics, rng),
    targetNets: criticsIn(targets, Rng.from(0)),
  };
}
type Networks = ReturnType<typeof networks>;

/** Observations and masks of all agents side by side. */
const teamInputs = (meta: EnvMeta, rows: number) => ({
  obs: [rows, meta.agentCount * meta.obsSize],
  mask: meta.masked ? [rows, meta.agentCount * meta.actionCount] : null,
});
interface TeamInputs {
  readonly obs: Tensor;
  readonly mask: Tensor | undefined;
}

/** Logits of one agent, masked ones -1e8: [M, choices]. */
function logitsOf(g: Graph, nets: Networks, member: joint.Member, { obs, mask }: TeamInputs, meta: EnvMeta): Tensor {
  const logits = nets.policies[member.index]!(joint.ownRows(g, obs, member, meta));
  return mask === undefined ? logits : maskLogits(logits, joint.ownMask(mask, member, meta));
}

/** For every agent, what each of its actions would be worth while the others do what they did: [M, choices]. */
function valuesOf(g: Graph, critics: readonly Net[], nets: Networks, obs: Tensor, action: Tensor, meta: EnvMeta): Tensor[] {
  const M = obs.shape[0]!;
  const seen = joint.jointObs(g, obs, nets.members, meta);
  const done = joint.actionsOf(action, nets.members, meta);
  return nets.members.map((member) => {
    const { agent, network, place } = member;
    const others = done.map((a, other) => (other === agent ? g.constant(0, [M, network.choices]) : a));
    const rows = joint.side([seen, ...others]);
    const critic = critics[member.index]!;
    if (nets.members.length === 1) return critic(rows);
    const own = encode(g, sliceAxis(obs, 1, agent * meta.obsSize, meta.obsSize), network.obs);
    return critic(joint.withNumber(g, concat([rows, own], 1), network.agents.length, place));
  });
}

const columnOf = (x: Tensor, i: number): Tensor => reshape(sliceAxis(x, 1, i, 1), [x.shape[0]!]);
/** One column [M] per agent -> [M, A]. */
const columns = (parts: readonly Tensor[]): Tensor => stack(parts, 1);
/** Values of the actions taken, [M, A]. */
const takenValues = (q: readonly Tensor[], action: Tensor): Tensor => columns(q.map((x, i) => pick(x, columnOf(action, i))));

function compileActing(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile(
    teamInputs(meta, rows),
    (x, g) => Object.fromEntries(nets.members.map((member) => [`policy${member.agent}`, logitsOf(g, nets, member, x, meta)])),
    { name: 'coma act' },
  );
}

/** The target network's value of what each agent did: [rows, A]. */
function compileValues(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile(
    { obs: teamInputs(meta, rows).obs, action: [rows, meta.agentCount] },
    ({ obs, action }, g) => ({ value: takenValues(valuesOf(g, nets.targetNets, nets, obs, action, meta), action) }),
    { name: 'coma values' },
  );
}

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = (c.envs * c.rolloutSteps) / c.criticMinibatches;
  const A = meta.agentCount;
  return engine.compile(
    { obs: teamInputs(meta, M).obs, action: [M, A], target: [M, A], weight: [M, A] },
    ({ obs, action, target, weight }, g) => {
      const taken = takenValues(valuesOf(g, nets.criticNets, nets, obs, action, meta), action);
      return { loss: weightedMean(square(sub(taken, target)), weight), qMean: weightedMean(taken, weight) };
    },
    { minimise: 'loss', group: nets.critics, with: adam(), maxGradNorm: c.maxGradNorm, name: 'coma critics' },
  );
}

function compileActors(engine: Engine, nets: Networks, meta: EnvMeta, c: Config) {
  const M = c.envs * c.rolloutSteps;
  const A = meta.agentCount;
  return engine.compile(
    { ...teamInputs(meta, M), action: [M, A], weight: [M, A], entropyCoef: [1] },
    (x, g) => {
      const q = valuesOf(g, nets.criticNets, nets, x.obs, x.action, meta);
      const agents = nets.members.map((member, i) => {
        const logits = logitsOf(g, nets, member, x, meta);
        const taken = columnOf(x.action, i);
        const { advantage } = counterfactual(ops.softmax(logits), q[i]!, taken);
        return { advantage: ops.stopGradient(advantage), logProb: categoricalLogProb(logits, taken), entropy: categoricalEntropy(logits) };
      });
      const average = (values: Tensor): Tensor => weightedMean(values, x.weight);
      const raw = columns(agents.map(({ advantage }) => advantage));
      const advantage = c.normaliseAdvantages ? standardiseMasked(raw, x.weight, 0) : raw;
      const policyLoss = ops.neg(average(mul(advantage, columns(agents.map(({ logProb }) => logProb)))));
      const entropy = average(columns(agents.map((agent) => agent.entropy)));
      const loss = reshape(sub(policyLoss, mul(entropy, x.entropyCoef)), []);
      return { loss, policyLoss, entropy, advantage: average(ops.abs(raw)) };
    },
    { minimise: 'loss', group: nets.actors, with: adam(), maxGradNorm: c.maxGradNorm, name: 'coma actors' },
  );
}

function compilePolicy(engine: Engine, nets: Networks, meta: EnvMeta, network: number, rows: number) {
  const shared = nets.sharing.networks[network]!;
  return engine.compile(
    { obs: [rows, shared.inputs], mask: meta.masked ? [rows, shared.choices] : null },
    ({ obs, mask }, g) => {
      const logits = nets.policies[network]!(encodeRows(g, obs, shared));
      return { logits: mask === undefined ? logits : maskLogits(logits, mask) };
    },
    { name: 'coma policy' },
  );
}

function policyOf(engine: Engine, nets: Networks, meta: EnvMeta, dispose?: () => void): Policy {
  const compile = (network: number, rows: number) => compilePolicy(engine, nets, meta, network, rows);
  return teamPolicy({ meta, sharing: nets.sharing, compile, ...(dispose && { dispose }) });
}

/** A = Q(s, u) - sum_a pi(a) Q(s, (u_-i, a)) (Foerster et al. 2018): pi and q [M, N], action [M]; results [M]. */
export function counterfactual(pi: Tensor, q: Tensor, action: Tensor): { readonly baseline: Tensor; readonly advantage: Tensor } {
  const baseline = sum(mul(pi, q), -1);
  return { baseline, advantage: sub(pick(q, action), baseline) };
}

export const coma = defineAlgo<Config>({
  spec: {
    id: 'coma',
    version: 2,
    changes: [
      {
        version: 2,
        what: 'An agent’s own return ends with its death, a team’s is learned on; advantages are standardised over the living.',
        rerun: true,
      },
    ],
    title: 'COMA',
    summary: 'Gives each agent of a team its own advantage: its action against the mean of its alternatives, all else equal.',
    source: {
      title: 'Counterfactual Multi-Agent Policy Gradients',
      authors: 'Foerster et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1705.08926',
    },
    config,
    presets,
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    metrics,
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
  },

  fits(meta, c) {
    joint.checkTeam(meta, 'COMA');
    const rows = c.envs * c.rolloutSteps;
    checkMinibatches(rows, c.criticMinibatches, `${rows} steps`, 'criticMinibatches');
  },

  async *train(run, resume) {
    const c = run.config; // fields marked live may change between iterations
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
    const stepValue = compileValues(engine, nets, meta, B);
    const value = compileValues(engine, nets, meta, T * B);
    const critics = compileCritics(engine, nets, meta, c);
    const actors = compileActors(engine, nets, meta, c);
    const targetUpdate = engine.polyak(nets.targets, nets.critics);
    // With rewards of its own an agent's return ends with its death; a team's goes on.
    const deathEnds = c.reward === 'own' && meta.agentsReturn !== true;
    const sampling = run.rng.split('sampling');
    const shuffling = run.rng.split('shuffling');

    const obs = new Float32Array(T * B * A * O);
    const masks = new Float32Array(meta.masked ? T * B * A * N : 0);
    const actions = new Float32Array(T * B * A);
    const rewards = new Float32Array(T * B * A);
    const policyMask = new Float32Array(T * B * A); // 1 where the agent was alive
    const valueMask = new Float32Array(T * B * A); // 1 where its value is learned
    const terminated = new Uint8Array(T * B * A);
    const truncated = new Uint8Array(T * B * A);
    const finalValues = new Float32Array(T * B * A);
    const lastValues = new Float32Array(B * A);
    const unused = new Float32Array(T * B * A); // lambda-advantages: only their targets count here
    const targets = new Float32Array(T * B * A);
    const order = Int32Array.from({ length: T * B }, (_, i) => i);
    const drawn = new Float32Array(B * A);
    const envActions = createActions(meta, B);
    const state = registerState({ counters: { step: 0 }, parts: { env, engine }, arrays: { order, sampling, shuffling } });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { actors: nets.actors }),
      policy: () => policyOf(engine, nets, meta),
    });
    if (resume === undefined) {
      env.reset();
      await updateTarget(targetUpdate, 1);
    } else state.load(resume);

    /** An action of every agent for what `act` was given, [B, A]. */
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
      act.in.obs.set(seen);
      await draw();
      stepValue.in.obs.set(seen);
      stepValue.in.action.set(drawn);
      const pending = stepValue.run();
      if (pending) await pending;
      out.set(stepValue.out.value, at);
    };

    while (counters.step < run.steps) {
      // 1. Collect T steps of every environment.
      for (let t = 0; t < T; t++) {
        const at = t * B * A;
        act.in.obs.set(buffers.obs);
        if (buffers.mask !== undefined) act.in.mask?.set(buffers.mask);
        await draw();
        obs.set(buffers.obs, at * O);
        if (buffers.mask !== undefined) masks.set(buffers.mask, at * N);
        actions.set(drawn, at);
        for (let i = 0; i < B * A; i++) {
          policyMask[at + i] = buffers.alive?.[i] ?? 1;
          valueMask[at + i] = deathEnds ? policyMask[at + i]! : 1;
        }
        envActions.set(drawn);
        env.step(envActions);
        endedRows(buffers.terminated, A, terminated.subarray(at, at + B * A));
        endedRows(buffers.truncated, A, truncated.subarray(at, at + B * A));
        for (let i = 0; deathEnds && i < B * A; i++) {
          if (buffers.alive?.[i] === 0 && truncated[at + i] === 0) terminated[at + i] = 1;
        }
        for (let b = 0; b < B; b++) {
          let sum = 0;
          for (let a = 0; a < A; a++) sum += buffers.reward[b * A + a]!;
          for (let a = 0; a < A; a++) rewards[at + b * A + a] = c.reward === 'team' ? sum / A : buffers.reward[b * A + a]!;
        }
        // A truncated episode is worth the value of its own final state.
        if (buffers.truncated.some((late) => late !== 0)) {
          if (buffers.finalMask !== undefined) act.in.mask?.set(buffers.finalMask);
          await valueOfDraw(buffers.finalObs, finalValues, at);
        }
      }
      if (buffers.mask !== undefined) act.in.mask?.set(buffers.mask);
      await valueOfDraw(buffers.obs, lastValues, 0);

      // 2. TD(lambda) targets: the lambda-return over the target critic's values.
      value.in.obs.set(obs);
      value.in.action.set(actions);
      const valued = value.run();
      if (valued) await valued;
      const { gamma, lambda } = c;
      const values = value.out.value;
      const track = { rewards, values, terminated, truncated, finalValues, lastValues, rows: B * A, gamma, lambda };
      gae({ ...track, bootstrapAtTruncation: true }, unused, targets);

      // 3. Critics, in shuffled minibatches; then one step of the policies on all of it.
      const sums = { criticLoss: 0, qMean: 0 };
      const updates = c.criticEpochs * c.criticMinibatches;
      for (let epoch = 0; epoch < c.criticEpochs; epoch++) {
        shuffling.shuffle(order);
        for (let from = 0; from < T * B; from += size) {
          gatherRows(order, from, size, obs, A * O, critics.in.obs);
          gatherRows(order, from, size, actions, A, critics.in.action);
          gatherRows(order, from, size, targets, A, critics.in.target);
          gatherRows(order, from, size, valueMask, A, critics.in.weight);
          critics.in.lr[0] = c.criticLr;
          const pending = critics.run();
          if (pending) await pending;
          sums.criticLoss += critics.out.loss[0]! / updates;
          sums.qMean += critics.out.qMean[0]! / updates;
          await updateTarget(targetUpdate, c.tau);
        }
      }
      const feed = actors.in;
      feed.obs.set(obs);
      feed.action.set(actions);
      feed.weight.set(policyMask);
      feed.mask?.set(masks);
      feed.entropyCoef[0] = c.entropyCoef;
      feed.lr[0] = c.lr;
      const pending = actors.run();
      if (pending) await pending;
      counters.step += T * B;
      const { step } = counters;
      const { policyLoss, entropy, advantage, gradNorm } = actors.out;
      const report = { ...sums, policyLoss: policyLoss[0]!, entropy: entropy[0]!, advantage: advantage[0]!, gradNorm: gradNorm[0]! };
      checkFinite(step, report);
      yield { step, metrics: { ...episodeRow(env), ...report }, ...point };
    }
  },

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, config, Rng.from(0));
    loadGroups(engine, { actors: nets.actors }, saved);
    return policyOf(engine, nets, meta, () => engine.dispose());
  },

  benchmark({ config, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, config, Rng.from(0)), meta, config);
    return { run: () => critics.run() };
  },
});
