/**
 * MAPPO whose agents choose one after the other in each step, each told what some of the earlier ones chose (after Chen and Zhang 2023; in fixed
 * order with all of them, the auto-regressive policy of Fu et al. 2022 and Wen et al. 2022). Links between agents may be dropped one by one
 * until no agent is told anything, so that the team ends as one that MAPPO trains, without a channel.
 *   pi(a|s) = prod_i pi_i(a_i | o_i, {a_j : j in G_i}),   G_i some of those before i in the order of this step
 *   L = -mean min(r A, clip(r, 1 - e, 1 + e) A) - entropyCoef mean H(pi) + valueCoef L_V,   r = pi_i / pi_i,old, both given the same a_j
 *   first layer of an actor: act(o_i W + b + t_i V), t_i a slot for each agent, 0 where nothing is told
 *   order learned: G is drawn by a planner from what all see (lib/order.ts), which ascends PPO's clipped objective on P(G) with the mean of the
 *   agents' advantages
 * With one agent, or no order, this is MAPPO bit for bit. Learned and random orders need a common draw and links a channel, while they last.
 * Differs from the paper: there the graph is relaxed (Gumbel-Sinkhorn, straight through) and learned by the actors' loss, and views are told beside
 * actions; here it is drawn and learned as an action is, and links end on a schedule.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for T steps of B environments
 *       G: by number, drawn anew, or by the planner; with a schedule, each link stays with a chance that falls to 0
 *       for each place in the order: its agent draws its action from pi(a | o, what it is told)
 *       critics value as MAPPO's
 *     advantages A by GAE(lambda) for every agent, returns R = A + V
 *     order learned, while links stay: for each epoch and minibatch of whole steps, one step of Adam on the planner
 *     for each network, each epoch, each shuffled minibatch
 *       standardise A; one step of Adam on L, actor and critic together, each row with what was told when it was played
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { fail, present } from '#contract/kit/errors.ts';
import { objectOf } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { checkFinite } from '#core/algos/api/guards.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { kind, variant } from '#core/envs/api/variant.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { standardiseWeighted } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import type { Policy } from '../api/types.ts';
import { teamExtensionsOf } from '../extensions/index.ts';
import { keepValues, prepareRows } from '../lib/ppo/collect.ts';
import { checkMinibatches, commonFields, minibatchEpochs, ppoMetrics, sampleActions } from '../lib/ppo/common.ts';
import {
  type ActorCriticPair,
  buildPairs,
  checkTeam,
  compileActor,
  type Deciding,
  pairsPolicy,
  restoredPolicy,
  type TeamConfig,
  type TeamParts,
  teamFields,
  timedUpdate,
  trainTeam,
} from '../lib/ppo/team.ts';
import { type ParameterSharing, scatterActions, shareNetworks } from '../lib/sharing.ts';
import {
  checkAtOnce,
  compilePlanner,
  createGraphs,
  createPlanner,
  drawnOrder,
  fixedOrder,
  type Graphs,
  type Planner,
  randomOrder,
  type Slots,
  shareHeard,
  slotsOf,
  tell,
  thinned,
} from './lib/order.ts';
import { orderedPolicy } from './lib/ordered-policy.ts';

const source = 'JaxMARL ippo_ff_mpe';
const own = 'own choice';
const group = 'team';
const config = z.strictObject({
  ...commonFields,
  envs: fields.numEnvs(16, source),
  ...teamFields,
  criticSees: z.enum(['state', 'joint']).default('joint').meta({
    title: 'critic input',
    description: 'Global state and own observation, or the observations of all agents, its own first.',
    source: 'MAPPO; joint in JaxMARL for particles',
    depth: 'teach',
    group,
  }),
  order: variant(
    'fixed',
    [
      kind('fixed', {}),
      kind('random', {}),
      kind(
        'learned',
        fields.stored({
          units: fields.integer(32, {
            min: 4,
            max: 256,
            title: 'units of the planner',
            unit: 'units',
            description: 'Width of the network that says who chooses when and who is told.',
            source: own,
            slider: [8, 64],
            group,
          }),
          lr: fields.real(1e-3, {
            above: 0,
            max: 1,
            title: 'learning rate of the planner',
            description: 'Step size of Adam.',
            source: own,
            log: true,
            group,
          }),
          entropyCoef: fields.real(0.01, {
            min: 0,
            max: 1,
            title: 'entropy of the planner',
            description: 'Weight of the entropy of orders and links.',
            source: own,
            group,
          }),
        }),
      ),
      kind('none', {}),
    ],
    {
      title: 'order of decisions',
      description: 'Who chooses after whom in a step: by number, drawn anew, learned from what all see, or all at once (MAPPO).',
      source: 'learned in Chen and Zhang 2023',
      depth: 'teach',
      group,
    },
  ),
  thinning: variant(
    'none',
    [
      kind('none', {}),
      kind('linear', {
        from: fields.real(0.4, {
          min: 0,
          max: 1,
          title: 'links end from',
          description: 'Share of the budget at which links begin to be dropped.',
          source: own,
          slider: [0, 1],
          group,
        }),
        until: fields.real(0.8, {
          min: 0,
          max: 1,
          title: 'no links from',
          description: 'Share of the budget at which no agent is told anything any more.',
          source: own,
          slider: [0, 1],
          group,
        }),
      }),
    ],
    {
      title: 'links are dropped',
      description: 'Each link stays with a chance that falls from 1 to 0, so that the team ends without telling; never, or linearly.',
      source: 'sparsified in Chen and Zhang 2023',
      depth: 'teach',
      group,
    },
  ),
});
type Config = z.infer<typeof config>;

/** Whether anyone is ever told anything. */
const ordered = (meta: EnvMeta, { order }: Config): boolean => order.kind !== 'none' && meta.agentCount > 1;

/** The settings of a team whose actors are told of the others' choices. */
const asTeam = (meta: EnvMeta, c: Config): Config & TeamConfig =>
  ordered(meta, c) ? { ...c, told: slotsOf(shareNetworks(meta, c.sharing, c.agentId)).size } : c;

/** Chance with which a link stays, at this share of the budget. */
function keptAt({ thinning }: Config, share: number): number {
  if (thinning.kind === 'none') return 1;
  const { from, until } = thinning;
  if (share >= until) return 0;
  return share <= from ? 1 : (until - share) / (until - from);
}

/** What graphs are drawn by. */
interface Drawing {
  readonly planner: Planner | null;
  /** Into `graphs`, of teams that see obs [B, A, O]. `rng` null: the most likely one. */
  draw(graphs: Graphs, obs: Float32Array, rng: Rng | null, draws: Rng, logProbs?: Float32Array): Promise<void>;
}

function drawingOf(engine: Engine, meta: EnvMeta, sharing: ParameterSharing, { order }: Config, rng: Rng): Drawing {
  const { agentCount: A, obsSize: O } = meta;
  if (order.kind !== 'learned') {
    return {
      planner: null,
      async draw(graphs, _obs, _rng, draws) {
        if (order.kind === 'random') randomOrder(graphs, A, draws);
        else fixedOrder(graphs, A);
      },
    };
  }
  const planner = createPlanner(engine, meta, sharing, order, rng);
  const compile = (teams: number) => engine.compile({ obs: [teams, A, O] }, (x) => planner.read(x.obs), { name: 'order of decisions' });
  const programs = new Map<number, ReturnType<typeof compile>>();
  return {
    planner,
    async draw(graphs, obs, drawn, _draws, logProbs) {
      const teams = graphs.places.length / A;
      const program = programs.get(teams) ?? compile(teams);
      programs.set(teams, program);
      program.in.obs.set(obs);
      const pending = program.run();
      if (pending) await pending;
      drawnOrder(graphs, A, program.out.scores, program.out.links, drawn, logProbs);
    },
  };
}

/** The policy of a team in which links stay with the chance `kept`. */
function policyOf(
  meta: EnvMeta,
  slots: Slots,
  drawing: Drawing,
  kept: () => number,
  base: Parameters<typeof orderedPolicy>[0]['base'],
): Policy {
  return orderedPolicy({
    meta,
    slots,
    base,
    async graphs(obs, teams, rng, draws) {
      if (kept() === 0) return null;
      const graphs = createGraphs(teams, meta.agentCount);
      await drawing.draw(graphs, obs, rng, draws);
      thinned(graphs, kept(), draws);
      return graphs;
    },
  });
}

/** Agents choose place by place; the planner learns from the rollout. */
function decidingOf(
  c: Config,
  meta: EnvMeta,
  budget: number,
  rng: Rng,
  { engine, env, sharing, pairs, learners, sampling }: TeamParts,
): Deciding {
  const { agentCount: A, obsSize: O } = meta;
  const [T, B] = [c.rolloutSteps, c.envs];
  const slots = slotsOf(sharing);
  const drawing = drawingOf(engine, meta, sharing, c, rng.split('planner'));
  const { planner } = drawing;
  const draws = rng.split('order');
  const graphs = createGraphs(B, A);
  const chosen = new Float32Array(B * slots.size);
  const shared = { kept: 1, heard: 0 };
  /** The program of a network without its critic, for those that choose later. */
  const again = pairs.map(({ actor }, k) => compileActor(engine, actor, null, present(learners[k], 'a learner').rollout.rows));
  const scratch = learners.map(({ rollout, network }) => ({
    actions: new Float32Array(rollout.rows * network.actionWidth),
    logProbs: new Float32Array(rollout.rows),
  }));
  const size = (T * B) / c.minibatches;
  const plans = planner === null ? null : planRollout(T * B, A, O);
  const learnPlan = planner && compilePlanner(engine, meta, planner, size, c.adamEps, c.maxGradNorm);
  const logProbs = new Float32Array(B);

  async function decide(t: number, actions: Parameters<Deciding['decide']>[1]): Promise<void> {
    const { obs } = env.buffers;
    if (shared.kept > 0) {
      await drawing.draw(graphs, obs, draws, draws, logProbs);
      plans?.keep(t * B, obs, graphs, logProbs);
      thinned(graphs, shared.kept, draws);
    } else {
      fixedOrder(graphs, A);
      graphs.hears.fill(0);
    }
    shared.heard += shareHeard(graphs, A) / T;
    for (const learner of learners) prepareRows(env, learner, t);
    for (const [k, { act }] of learners.entries()) {
      const { obs: rows, mask } = again[k]!.in;
      rows.set(act.in.obs);
      if (act.in.mask !== undefined) mask?.set(act.in.mask);
    }
    const valued = new Set<number>();
    const places = shared.kept > 0 ? A : 1;
    for (let place = 0; place < places; place++) {
      const now = (b: number, agent: number): boolean => places === 1 || graphs.places[b * A + agent] === place;
      for (const [k, learner] of learners.entries()) {
        const { network, rollout, act, told, norm } = learner;
        const { agents, actionWidth, discrete, choices } = network;
        const M = agents.length;
        if (!agents.some((agent) => Array.from({ length: B }, (_, b) => b).some((b) => now(b, agent)))) continue;
        const later = present(again[k], 'a program');
        const program = valued.has(k) ? later : act;
        const into = present(program.in.told, 'what is told');
        const from = t * rollout.rows * slots.size;
        for (let b = 0; b < B; b++)
          for (let m = 0; m < M; m++)
            if (now(b, agents[m]!)) tell(slots, graphs, b, agents[m]!, chosen, told, from + (b * M + m) * slots.size);
        into.set(told.subarray(from, from + into.length));
        const pending = program.run();
        if (pending) await pending;
        if (program === act && act.out.value !== undefined) keepValues(act.out.value, norm, rollout, t);
        valued.add(k);
        const one = scratch[k]!;
        sampleActions(program.out, discrete ? choices : actionWidth, rollout.rows, sampling, one.actions, one.logProbs, 0);
        for (let b = 0; b < B; b++) {
          for (let m = 0; m < M; m++) {
            if (!now(b, agents[m]!)) continue;
            const row = b * M + m;
            rollout.logProbs[t * rollout.rows + row] = one.logProbs[row]!;
            const at = (t * rollout.rows + row) * actionWidth;
            rollout.actions.set(one.actions.subarray(row * actionWidth, (row + 1) * actionWidth), at);
            slots.write(agents[m]!, rollout.actions, at, chosen, b);
          }
        }
      }
    }
    for (const { network, rollout } of learners)
      scatterActions(
        network,
        rollout.actions.subarray(t * rollout.rows * network.actionWidth, (t + 1) * rollout.rows * network.actionWidth),
        meta,
        actions,
      );
  }

  return {
    state: { arrays: { orderDraws: draws, ...(plans && { orderOf: plans.order }) } },
    begin(step) {
      shared.kept = keptAt(c, step / budget);
      shared.heard = 0;
    },
    decide,
    async learn(options, shuffling) {
      if (plans === null || learnPlan === null || c.order.kind !== 'learned' || shared.kept === 0) return;
      const advantages = new Float32Array(T * B);
      for (const { rollout, network } of learners) {
        const M = network.agents.length;
        for (let i = 0; i < T * B * M; i++) advantages[Math.floor(i / M)]! += rollout.advantages[i]! / A;
      }
      standardiseWeighted(advantages, new Float32Array(T * B).fill(1), 1e-8, advantages);
      const { lr, entropyCoef } = c.order;
      const report = await minibatchEpochs(
        learnPlan,
        size,
        { ...options, lr: (lr * options.lr) / c.lr, entropyCoef },
        () => shuffling.shuffle(plans.order),
        (at) => plans.feed(at, size, advantages, learnPlan.in),
      );
      const { policyLoss = 0, gradNorm = 0 } = report;
      checkFinite(0, { policyLoss, gradNorm });
    },
    metrics: () => ({ heard: shared.heard, kept: shared.kept }),
    async snapshot(team) {
      const own: Saved = planner === null ? { meta: {}, arrays: {} } : await saveGroups(engine, { order: planner.group });
      const parts = { ...objectOf(team.meta.parts), ...objectOf(own.meta.parts) };
      return { meta: { ...team.meta, parts, keptLinks: shared.kept }, arrays: { ...team.arrays, ...own.arrays } };
    },
    policy: () =>
      policyOf(
        meta,
        slots,
        drawing,
        () => shared.kept,
        (more) => pairsPolicy(engine, meta, sharing, pairs, learners, undefined, more),
      ),
  };
}

/** Graphs of a rollout of `steps` whole steps, and minibatches of them. */
function planRollout(steps: number, A: number, O: number) {
  const seen = new Float32Array(steps * A * O);
  const later = new Float32Array(steps * A * A); // 1 where j is i or comes later
  const earlier = new Float32Array(steps * A * A);
  const hears = new Float32Array(steps * A * A);
  const oldLogProb = new Float32Array(steps);
  const order = Int32Array.from({ length: steps }, (_, i) => i);
  return {
    order,
    keep(at: number, obs: Float32Array, graphs: Graphs, logProbs: Float32Array): void {
      seen.set(obs, at * A * O);
      hears.set(graphs.hears, at * A * A);
      oldLogProb.set(logProbs, at);
      for (let b = 0; b < logProbs.length; b++)
        for (let i = 0; i < A; i++)
          for (let j = 0; j < A; j++) {
            const before = graphs.places[b * A + j]! < graphs.places[b * A + i]!;
            const to = ((at + b) * A + i) * A + j;
            earlier[to] = before ? 1 : 0;
            later[to] = before ? 0 : 1;
          }
    },
    feed(from: number, count: number, advantages: Float32Array, into: { readonly [name: string]: Float32Array | undefined }): void {
      const rows: readonly (readonly [string, Float32Array, number])[] = [
        ['obs', seen, A * O],
        ['later', later, A * A],
        ['earlier', earlier, A * A],
        ['hears', hears, A * A],
        ['oldLogProb', oldLogProb, 1],
        ['advantage', advantages, 1],
      ];
      for (const [name, array, width] of rows) gatherRows(order, from, count, array, width, present(into[name], name));
    },
  };
}

const presets: readonly Preset[] = [
  { id: 'simple-spread', title: 'Spread: discount 0.9, step size 0.001', config: { gamma: 0.9, lr: 1e-3 } },
  { id: 'random', title: 'an order drawn anew in every step', config: { order: 'random' } },
  { id: 'learned', title: 'an order and links that are learned', config: { order: 'learned' } },
  {
    id: 'learned-thinned',
    title: 'learned, and all links dropped between two and four fifths of the budget',
    config: { order: 'learned', thinning: { kind: 'linear', from: 0.4, until: 0.8 } },
  },
  { id: 'at-once', title: 'all at once (MAPPO)', config: { order: 'none' } },
];

const extensions = teamExtensionsOf({ loop: 'team', networks: 'other', reward: 'own' });

export const orderedMappo = defineAlgo<Config>({
  spec: {
    id: 'ordered-mappo',
    version: 1,
    title: 'MAPPO one after the other',
    summary: 'Agents of a team choose one after the other, each told what earlier ones chose.',
    source: {
      title: 'Context-Aware Bayesian Network Actor-Critic Methods for Cooperative Multi-Agent Reinforcement Learning',
      authors: 'Chen and Zhang',
      year: 2023,
      url: 'https://arxiv.org/abs/2306.01920',
    },
    config,
    extensions,
    presets,
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'mpe-simple-tag',
      steps: 1280,
      config: { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8], order: { kind: 'learned', units: 8 } },
    },
    probes: [
      { on: ['bandit', 'cued', 'masked', 'team'], steps: 6000 },
      { on: ['climbing'], steps: 6000 },
      { on: ['roles'], steps: 10_000 },
      { on: ['xorTeam'], steps: 10_000, config: { order: 'learned' } },
      { on: ['pointingTeam'], steps: 12_000, atLeast: 0.97 },
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: [
      ...ppoMetrics,
      {
        id: 'heard',
        title: 'choices told',
        description: 'Share of the pairs of agents in which the later one is told what the earlier one chose.',
      },
      { id: 'kept', title: 'links kept', description: 'Chance with which a link stays in this update.' },
    ],
  },

  fits(meta, c) {
    checkTeam(meta, c, 'MAPPO one after the other');
    checkAtOnce(meta, 'MAPPO one after the other');
    if (c.order.kind === 'learned')
      checkMinibatches(c.envs * c.rolloutSteps, c.minibatches, `A rollout of ${c.envs * c.rolloutSteps} steps of whole teams`);
    if (c.thinning.kind === 'none' || c.thinning.from <= c.thinning.until) return;
    throw fail('config-invalid', 'Links cannot be gone before they begin to be dropped.', 'Choose a later end.', 'algo.thinning.until');
  },

  train(run, resume) {
    const { meta, config: c } = run;
    const team = ordered(meta, c) ? (parts: TeamParts) => decidingOf(c, meta, run.steps, run.rng.split('deciding'), parts) : undefined;
    return trainTeam(run, asTeam(meta, c), c.criticSees, resume, extensions, team);
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const sharing = shareNetworks(meta, c.sharing, c.agentId);
    const pairs: readonly ActorCriticPair[] = buildPairs(engine, meta, sharing, asTeam(meta, c), c.criticSees, Rng.from(0));
    if (!ordered(meta, c)) return restoredPolicy(engine, meta, sharing, pairs, saved);
    const drawing = drawingOf(engine, meta, sharing, c, Rng.from(0));
    if (drawing.planner !== null) loadGroups(engine, { order: drawing.planner.group }, saved);
    const kept = Number(saved.meta.keptLinks ?? 1);
    return policyOf(
      meta,
      slotsOf(sharing),
      drawing,
      () => kept,
      (more) => restoredPolicy(engine, meta, sharing, pairs, saved, more),
    );
  },

  benchmark: ({ config: c, meta, engine }) => timedUpdate(engine, meta, asTeam(meta, c), c.criticSees),
});
