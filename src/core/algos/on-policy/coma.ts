/**
 * Counterfactual multi-agent policy gradients (Foerster et al. 2018): a central critic tells what the team would get for every action
 * of one agent while the others do what they did, and an agent is praised for what its action was worth beyond its own average.
 *   A_i = Q_i(x, u) - sum_a pi_i(a) Q_i(x, (u_-i, a));   policies climb mean[A_i ln pi_i(u_i)] + entropyCoef H
 *   critics: (Q_i(x, u) - y)^2 with y by TD(lambda) from a target network
 * A critic sees everybody's observations, the agent's own, its number among those it serves, and the others' actions. On-policy:
 * every piece of experience is used once by the policies. Time limits bootstrap. Throws LabError('nan-loss').
 */

import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { fail } from '#contract/errors.ts';
import * as ops from '#core/engine/ops.ts';
import { concat, mul, pick, reshape, sliceAxis, square, stack, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Program, Tensor } from '#core/engine/types.ts';
import { createActions, endedRows } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { categoricalEntropy, categoricalLogProb, maskLogits } from '#core/nets/heads.ts';
import { mlp, type Net } from '#core/nets/mlp.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { joinSaved, partOf, restoreRng } from '#core/state/saved.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { categorical } from '#math/sampling.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite } from '../api/guards.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import type { Policy } from '../api/types.ts';
import * as joint from '../lib/joint.ts';
import { standardiseMasked } from '../lib/ppo/common.ts';
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
  }),
  criticMinibatches: fields.minibatches(4, 'own choice', {
    title: 'critic minibatches',
    description: 'Parts of the rollout, one critic update each.',
    max: 256,
    slider: [1, 16],
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
  const judgesIn = (group: ParamGroup, from: Rng): Net[] =>
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
    judges: judgesIn(critics, rng),
    slowJudges: judgesIn(targets, Rng.from(0)),
  };
}
type Networks = ReturnType<typeof networks>;

/** Logits of one agent, masked ones -1e8: [M, choices]. */
function logitsOf(g: Graph, nets: Networks, member: joint.Member, obs: Tensor, meta: EnvMeta): Tensor {
  const logits = nets.policies[member.index]!(joint.ownRows(g, obs, member, meta));
  if (!meta.masked) return logits;
  return maskLogits(logits, joint.ownMask(g.input('mask', [obs.shape[0]!, meta.agentCount * meta.actionCount]), member, meta));
}

/** For every agent, what each of its actions would be worth while the others do what they did: [M, choices]. */
function valuesOf(g: Graph, judges: readonly Net[], nets: Networks, obs: Tensor, action: Tensor, meta: EnvMeta): Tensor[] {
  const M = obs.shape[0]!;
  const seen = joint.jointObs(g, obs, nets.members, meta);
  const done = joint.actionsOf(action, nets.members, meta);
  return nets.members.map((member) => {
    const { agent, network, place } = member;
    const others = done.map((a, other) => (other === agent ? g.constant(0, [M, network.choices]) : a));
    const rows = joint.side([seen, ...others]);
    if (nets.members.length === 1) return judges[member.index]!(rows);
    const own = encode(g, sliceAxis(obs, 1, agent * meta.obsSize, meta.obsSize), network.obs);
    return judges[member.index]!(joint.withNumber(g, concat([rows, own], 1), network.agents.length, place));
  });
}

const columnOf = (x: Tensor, i: number): Tensor => reshape(sliceAxis(x, 1, i, 1), [x.shape[0]!]);

function compileActing(engine: Engine, nets: Networks, meta: EnvMeta, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = g.input('obs', [rows, meta.agentCount * meta.obsSize]);
    return Object.fromEntries(nets.members.map((member) => [`policy${member.agent}`, logitsOf(g, nets, member, obs, meta)]));
  };
  return engine.compile(build, { name: 'coma act' });
}

/** The target network's value of what each agent did: [rows, A]. */
function compileValues(engine: Engine, nets: Networks, meta: EnvMeta, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = g.input('obs', [rows, meta.agentCount * meta.obsSize]);
    const action = g.input('action', [rows, meta.agentCount]);
    const q = valuesOf(g, nets.slowJudges, nets, obs, action, meta);
    return {
      value: stack(
        q.map((x, i) => ops.pick(x, columnOf(action, i))),
        1,
      ),
    };
  };
  return engine.compile(build, { name: 'coma values' });
}

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: Config): Program {
  const M = (c.envs * c.rolloutSteps) / c.criticMinibatches;
  const A = meta.agentCount;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const action = g.input('action', [M, A]);
    const q = valuesOf(g, nets.judges, nets, g.input('obs', [M, A * meta.obsSize]), action, meta);
    const taken = stack(
      q.map((x, i) => ops.pick(x, columnOf(action, i))),
      1,
    ); // [M, A]
    const weight = g.input('weight', [M, A]);
    const count = ops.maximum(sum(weight), 1);
    const loss = ops.div(sum(mul(square(sub(taken, g.input('target', [M, A]))), weight)), count);
    return { loss, qMean: ops.div(sum(mul(taken, weight)), count) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.critics, with: adam(), maxGradNorm: c.maxGradNorm, name: 'coma critics' });
}

function compileActors(engine: Engine, nets: Networks, meta: EnvMeta, c: Config): Program {
  const M = c.envs * c.rolloutSteps;
  const A = meta.agentCount;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = g.input('obs', [M, A * meta.obsSize]);
    const action = g.input('action', [M, A]);
    const q = valuesOf(g, nets.judges, nets, obs, action, meta);
    const agents = nets.members.map((member, i) => {
      const logits = logitsOf(g, nets, member, obs, meta);
      const did = columnOf(action, i);
      const { advantage } = counterfactual(ops.softmax(logits), q[i]!, did);
      return { advantage: ops.stopGradient(advantage), logProb: categoricalLogProb(logits, did), entropy: categoricalEntropy(logits) };
    });
    const weight = g.input('weight', [M, A]);
    const average = (x: Tensor): Tensor => ops.div(sum(mul(x, weight)), ops.maximum(sum(weight), 1));
    const raw = stack(
      agents.map((a) => a.advantage),
      1,
    );
    const advantage = c.normaliseAdvantages ? standardiseMasked(raw, weight, 0) : raw;
    const policy = ops.neg(
      average(
        mul(
          advantage,
          stack(
            agents.map((a) => a.logProb),
            1,
          ),
        ),
      ),
    );
    const entropy = average(
      stack(
        agents.map((a) => a.entropy),
        1,
      ),
    );
    const loss = reshape(sub(policy, mul(entropy, g.input('entropyCoef', [1]))), []);
    return { loss, policyLoss: policy, entropy, advantage: average(ops.abs(raw)) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.actors, with: adam(), maxGradNorm: c.maxGradNorm, name: 'coma actors' });
}

function compilePolicy(engine: Engine, nets: Networks, meta: EnvMeta, network: number, rows: number): Program {
  const shared = nets.sharing.networks[network]!;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const logits = nets.policies[network]!(encodeRows(g, g.input('obs', [rows, shared.inputs]), shared));
    return { logits: meta.masked ? maskLogits(logits, g.input('mask', [rows, shared.choices])) : logits };
  };
  return engine.compile(build, { name: 'coma policy' });
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
    summary: 'Tells each agent of a team what its own action was worth, all else being equal.',
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
    if (rows % c.criticMinibatches === 0) return;
    const fix = `Choose minibatches that divide ${rows}.`;
    const why = `${rows} steps cannot be split into ${c.criticMinibatches} equal minibatches.`;
    throw fail('config-invalid', why, fix, 'algo.criticMinibatches');
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
    const look = compileValues(engine, nets, meta, B);
    const value = compileValues(engine, nets, meta, T * B);
    const critics = compileCritics(engine, nets, meta, c);
    const actors = compileActors(engine, nets, meta, c);
    const follow = engine.polyak(nets.targets, nets.critics);
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
        // What the episode would still have been worth had the clock not ended it.
        if (buffers.truncated.some((late) => late !== 0)) {
          if (buffers.finalMask !== undefined) act.in.mask!.set(buffers.finalMask);
          await valueOfDraw(buffers.finalObs, finalValues, at);
        }
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
          gatherRows(order, from, size, valueMask, A, critics.in.weight!);
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
      feed.weight!.set(policyMask);
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
