/**
 * Who decides after whom. A graph of a team of A agents: places in an order [A], and for each agent which of the earlier ones it is told the
 * choices of, hears [A, A]: hears[i, j] = 1 where i is told what j chose, so that it has no circle.
 *   fixed     by number; each agent is told of all earlier ones
 *   random    an order drawn anew in every step; each agent is told of all earlier ones
 *   learned   drawn from scores u_i and links l_ij of a network on what all agents see (Planner):
 *             P(order) = prod over places of exp u_i / sum of exp u_j over those that have not been placed (Plackett-Luce),
 *             P(hears_ij = 1) = sigmoid(l_ij) for j before i
 */
import { fail } from '#contract/kit/errors.ts';
import {
  add,
  broadcastTo,
  concat,
  exp,
  logsumexp,
  matmul,
  mul,
  neg,
  reshape,
  sigmoid,
  sliceAxis,
  softplus,
  sub,
  sum,
  transpose,
  where,
} from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { dense, type Net } from '#core/nets/mlp.ts';
import * as maths from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { policyInputs, policyObjective } from '../../lib/ppo/common.ts';
import { encodedInputs, encodeRows, type ParameterSharing } from '../../lib/sharing.ts';

/** Graphs of B teams of A agents. */
export interface Graphs {
  readonly places: Int32Array; // [B, A] place of each agent, from 0
  readonly hears: Uint8Array; // [B, A, A]
}

export const createGraphs = (teams: number, agents: number): Graphs => ({
  places: new Int32Array(teams * agents),
  hears: new Uint8Array(teams * agents * agents),
});

/** All that come earlier are heard by those that come later. */
function hearAllEarlier({ places, hears }: Graphs, team: number, agents: number): void {
  const at = team * agents;
  for (let i = 0; i < agents; i++)
    for (let j = 0; j < agents; j++) hears[(at + i) * agents + j] = places[at + j]! < places[at + i]! ? 1 : 0;
}

/** By number. */
export function fixedOrder(graphs: Graphs, agents: number): void {
  const teams = graphs.places.length / agents;
  for (let team = 0; team < teams; team++) {
    for (let i = 0; i < agents; i++) graphs.places[team * agents + i] = i;
    hearAllEarlier(graphs, team, agents);
  }
}

/** Orders drawn uniformly. */
export function randomOrder(graphs: Graphs, agents: number, rng: Rng): void {
  const teams = graphs.places.length / agents;
  const order = new Int32Array(agents);
  for (let team = 0; team < teams; team++) {
    for (let i = 0; i < agents; i++) order[i] = i;
    rng.shuffle(order);
    for (let place = 0; place < agents; place++) graphs.places[team * agents + order[place]!] = place;
    hearAllEarlier(graphs, team, agents);
  }
}

const sigmoidOf = (x: number): number => 1 / (1 + maths.exp(-x));
/** ln(1 + exp(x)) without overflow. */
const softplusOf = (x: number): number => Math.max(x, 0) + maths.log(1 + maths.exp(-Math.abs(x)));

/**
 * Draws from scores [B, A] and links [B, A, A]; `rng` null: the most likely order and links. `logProbs` [B] gets ln P of each graph.
 */
export function drawnOrder(
  graphs: Graphs,
  agents: number,
  scores: Float32Array,
  links: Float32Array,
  rng: Rng | null,
  logProbs?: Float32Array,
): void {
  const teams = graphs.places.length / agents;
  const left = new Int32Array(agents);
  for (let team = 0; team < teams; team++) {
    const at = team * agents;
    let logProb = 0;
    for (let i = 0; i < agents; i++) left[i] = i;
    for (let place = 0; place < agents; place++) {
      const many = agents - place;
      let top = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < many; k++) top = Math.max(top, scores[at + left[k]!]!);
      let total = 0;
      for (let k = 0; k < many; k++) total += maths.exp(scores[at + left[k]!]! - top);
      let chosen = 0;
      if (rng === null) {
        for (let k = 1; k < many; k++) if (scores[at + left[k]!]! > scores[at + left[chosen]!]!) chosen = k;
      } else {
        const target = rng.uniform() * total;
        let reached = 0;
        for (let k = 0; k < many; k++) {
          reached += maths.exp(scores[at + left[k]!]! - top);
          chosen = k;
          if (target < reached) break;
        }
      }
      const agent = left[chosen]!;
      logProb += scores[at + agent]! - top - maths.log(total);
      graphs.places[at + agent] = place;
      for (let k = chosen; k + 1 < many; k++) left[k] = left[k + 1]!; // the others keep their order
    }
    for (let i = 0; i < agents; i++) {
      for (let j = 0; j < agents; j++) {
        const link = links[(at + i) * agents + j]!;
        const earlier = graphs.places[at + j]! < graphs.places[at + i]!;
        const hears = earlier && (rng === null ? link > 0 : rng.uniform() < sigmoidOf(link));
        graphs.hears[(at + i) * agents + j] = hears ? 1 : 0;
        if (earlier) logProb -= softplusOf(hears ? -link : link);
      }
    }
    if (logProbs !== undefined) logProbs[team] = logProb;
  }
}

/** Each link stays with this chance. */
export function thinned({ hears }: Graphs, chance: number, rng: Rng): void {
  if (chance >= 1) return;
  for (let i = 0; i < hears.length; i++) if (hears[i] === 1 && !(chance > 0 && rng.uniform() < chance)) hears[i] = 0;
}

/** Links that there are among those that the orders allow. */
export function shareHeard({ hears }: Graphs, agents: number): number {
  const pairs = (hears.length / agents) * ((agents - 1) / 2);
  return pairs === 0 ? 0 : hears.reduce((all, one) => all + one, 0) / pairs;
}

/** What an agent is told of the others: a slot for each agent, its choice one-hot, or 1 and the numbers of its action; 0 where it is not told. */
export interface Slots {
  readonly size: number;
  readonly from: readonly number[]; // [A]
  readonly widths: readonly number[]; // [A]
  /** Writes what an agent chose into its slot: `action` from `at` on. */
  write(agent: number, action: ArrayLike<number>, at: number, into: Float32Array, row: number): void;
}

export function slotsOf(sharing: ParameterSharing): Slots {
  const networkOf = (agent: number) => sharing.networks[sharing.agentToNetwork[agent]!]!;
  const widths = Array.from(sharing.agentToNetwork, (_, agent) => {
    const { discrete, choices, actionWidth } = networkOf(agent);
    return discrete ? choices : 1 + actionWidth;
  });
  const from = widths.map((_, agent) => widths.slice(0, agent).reduce((a, b) => a + b, 0));
  const size = widths.reduce((a, b) => a + b, 0);
  return {
    size,
    from,
    widths,
    write(agent, action, at, into, row) {
      const to = row * size + from[agent]!;
      into.fill(0, to, to + widths[agent]!);
      if (networkOf(agent).discrete) {
        into[to + action[at]!] = 1;
        return;
      }
      into[to] = 1;
      for (let d = 1; d < widths[agent]!; d++) into[to + d] = action[at + d - 1]!;
    },
  };
}

/** What agent `agent` of a team is told, of the choices [.., slots] in row `row`: into `told` from `to` on. */
export function tell(
  { size, from, widths }: Slots,
  { hears }: Graphs,
  team: number,
  agent: number,
  chosen: Float32Array,
  told: Float32Array,
  to: number,
): void {
  const agents = from.length;
  told.fill(0, to, to + size);
  for (let j = 0; j < agents; j++) {
    if (hears[(team * agents + agent) * agents + j] === 0) continue;
    const at = team * size + from[j]!;
    told.set(chosen.subarray(at, at + widths[j]!), to + from[j]!);
  }
}

export interface PlannerOptions {
  readonly units: number;
}

/** Scores and links of B teams from what all agents see, obs [B, A, O]. */
export function createPlanner(engine: Engine, meta: EnvMeta, sharing: ParameterSharing, { units }: PlannerOptions, rng: Rng) {
  const { agentCount: A, obsSize: O } = meta;
  const group = engine.group('order');
  const see: readonly Net[] = sharing.networks.map((network) =>
    dense(group, `see.${network.name}`, rng, encodedInputs(network), units, { act: 'tanh' }),
  );
  // who an agent is counts too: agents that see the same are to get different places
  const number = group.param(
    'number',
    [A, units],
    new Float32Array(A * units).map(() => (rng.uniform() * 2 - 1) * 0.1),
  );
  const score = dense(group, 'score', rng, units, 1, { gain: 0.01 });
  const ask = dense(group, 'ask', rng, units, units, { gain: 0.1 });
  const answer = dense(group, 'answer', rng, units, units, { gain: 0.1 });
  const link = group.param('link', [1], new Float32Array([1])); // at first most earlier ones are heard
  /** obs [B, A, O], padded -> scores [B, A], links [B, A, A]. */
  const read = (obs: Tensor): { readonly scores: Tensor; readonly links: Tensor } => {
    const g = obs.graph;
    const B = obs.shape[0]!;
    const rows = Array.from({ length: A }, (_, agent) => {
      const k = sharing.agentToNetwork[agent]!;
      const network = sharing.networks[k]!;
      const own = reshape(sliceAxis(sliceAxis(obs, 1, agent, 1), 2, 0, Math.min(O, network.obsWidth)), [B, network.obsWidth]);
      const numbered =
        network.ids === 0 ? own : concat([own, g.constant(idRows(B, network.ids, sharing.agentSlot[agent]!), [B, network.ids])], 1);
      return reshape(see[k]!(encodeRows(g, numbered, network)), [B, 1, units]);
    });
    const h = add(rows.length === 1 ? rows[0]! : concat(rows, 1), reshape(g.read(number), [1, A, units]));
    const links = mul(matmul(ask(h), transpose(answer(h))), 1 / Math.sqrt(units));
    return { scores: reshape(score(h), [B, A]), links: add(links, reshape(g.read(link), [1, 1, 1])) };
  };
  return { group, read };
}
export type Planner = ReturnType<typeof createPlanner>;

const idRows = (rows: number, ids: number, slot: number): Float32Array =>
  Float32Array.from({ length: rows * ids }, (_, i) => (i % ids === slot ? 1 : 0));

/** ln P of graphs and their entropy given the order, [B] each. `later` [B, A, A]: 1 where j is i or comes later; `hears`, `earlier` [B, A, A]. @internal */
export function graphLogProb(
  { scores, links }: { readonly scores: Tensor; readonly links: Tensor },
  x: { readonly later: Tensor; readonly earlier: Tensor; readonly hears: Tensor },
): { readonly logProb: Tensor; readonly entropy: Tensor } {
  const [B, A] = scores.shape as [number, number];
  const all = broadcastTo(reshape(scores, [B, 1, A]), [B, A, A]);
  const among = where(x.later, all, -1e8);
  const lse = logsumexp(among, 2); // [B, A]
  const order = sum(sub(scores, lse), 1);
  const weights = mul(exp(sub(among, reshape(lse, [B, A, 1]))), x.later);
  const orderEntropy = sum(sub(lse, sum(mul(weights, all), 2)), 1);
  const one = where(x.hears, neg(links), links); // ln P of a link is -softplus of this
  const linkProb = sum(reshape(mul(softplus(one), x.earlier), [B, A * A]), 1);
  const linkEntropy = sum(reshape(mul(sub(softplus(links), mul(links, sigmoid(links))), x.earlier), [B, A * A]), 1);
  return { logProb: sub(order, linkProb), entropy: add(orderEntropy, linkEntropy) };
}

/** The clipped objective of PPO on graphs of `rows` teams; inputs besides: `obs`, `later`, `earlier`, `hears`. */
export function compilePlanner(engine: Engine, meta: EnvMeta, planner: Planner, rows: number, adamEps: number, maxGradNorm: number) {
  const { agentCount: A, obsSize: O } = meta;
  const pairs = [rows, A, A] as const;
  return engine.compile(
    { ...policyInputs(rows), obs: [rows, A, O], later: pairs, earlier: pairs, hears: pairs },
    (x) => policyObjective(x, graphLogProb(planner.read(x.obs), x)),
    { minimise: 'loss', group: planner.group, with: adam({ eps: adamEps }), maxGradNorm, name: 'order' },
  );
}

/** Throws LabError('incompatible') where agents do not all act in every step. */
export function checkAtOnce(meta: EnvMeta, title: string): void {
  if (meta.turns !== true) return;
  throw fail('incompatible', `${title} orders agents within a step; here they take turns anyway.`, 'Choose MAPPO.', 'algo.id');
}
