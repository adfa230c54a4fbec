/**
 * The policy of a team whose agents choose one after the other. A query's rows are taken team by team (sharing.ts); in each team every agent is
 * told what those chose whom it hears in the graph of this step. A row alone has no team: nothing was told to it.
 */
import { present } from '#contract/kit/errors.ts';
import type { ExtraCard } from '#contract/session/session.ts';
import type { Program } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Rng } from '#math/rng.ts';
import type { Act, Policy } from '../../api/types.ts';
import { type TeamPolicyOptions, teamsOf } from '../../lib/sharing.ts';
import { type Graphs, type Slots, tell } from './order.ts';

export interface OrderedPolicyOptions {
  readonly meta: EnvMeta;
  readonly slots: Slots;
  /** The policy that takes rows as they are, all at once. */
  base(feedMore: TeamPolicyOptions['feedMore']): Policy;
  /** Graphs of so many teams, for what they see [teams, A, O]; null: no agent is told anything. */
  graphs(obs: Float32Array, teams: number, rng: Rng | null, draws: Rng): Promise<Graphs | null>;
}

const NAMES = ['logits', 'q', 'mean', 'logStd', 'value'] as const;
type Outputs = { [K in (typeof NAMES)[number]]?: Float32Array };

export function orderedPolicy({ meta, slots, base, graphs }: OrderedPolicyOptions): Policy {
  const { agentCount: A, obsSize: O } = meta;
  const F = slots.size;
  let told: Float32Array | null = null; // [rows, F] of the query that is being answered
  const heard = new Set<Float32Array>();
  const inner = base((program: Program, rows, from, count) => {
    const into = program.in.told;
    if (into === undefined) return;
    heard.add(into);
    if (told === null) into.fill(0);
    else for (let i = 0; i < count; i++) into.set(told.subarray(rows[from + i]! * F, (rows[from + i]! + 1) * F), i * F);
  });
  const names = meta.agents.flatMap(({ names: all, count }) => all.slice(0, count));
  const extras: readonly ExtraCard[] = [
    {
      id: 'place',
      kind: 'choice',
      title: 'place in the order',
      description: 'When this agent chose in this step: those before it chose earlier.',
      labels: names.map((_, i) => `${i + 1}`),
    },
    {
      id: 'hears',
      kind: 'values',
      title: 'told of',
      description: '1: this agent was told what that one chose, before it chose itself.',
      labels: names.map((name) => `${name}:`),
    },
  ];

  return {
    ...inner,
    ...(A > 1 && { extras }),
    async act(query): Promise<Act> {
      const { rows, obs, greedy, rng, agent } = query;
      const whole = teamsOf(query, A).filter(({ size }) => size === A && A > 1);
      const seen = new Float32Array(whole.length * A * O);
      for (const [team, { first }] of whole.entries()) seen.set(obs.subarray(first * O, (first + A) * O), team * A * O);
      const graph = whole.length === 0 ? null : await graphs(seen, whole.length, greedy ? null : rng, rng);
      if (graph === null) return inner.act(query);
      const teamAt = new Int32Array(rows).fill(-1);
      for (const [team, { first }] of whole.entries()) teamAt.fill(team, first, first + A);
      const placeOf = (row: number): number => (teamAt[row]! < 0 ? 0 : graph.places[teamAt[row]! * A + agent[row]!]!);
      const chosen = new Float32Array(whole.length * F);
      const all: Outputs = {};
      let actions: Act['actions'] | undefined;
      told = new Float32Array(rows * F);
      try {
        for (let place = 0; place < A; place++) {
          const unread = Uint8Array.from({ length: rows }, (_, row) => Number(placeOf(row) !== place));
          if (unread.every((one) => one === 1)) continue;
          for (let row = 0; row < rows; row++) {
            const team = teamAt[row]!;
            if (team >= 0 && unread[row] === 0) tell(slots, graph, team, agent[row]!, chosen, told, row * F);
          }
          const found = await inner.act({ ...query, unread });
          const width = found.actions.length / rows;
          actions ??= found.actions.slice();
          for (let row = 0; row < rows; row++) {
            if (unread[row] === 1) continue;
            const team = teamAt[row]!;
            actions.set(found.actions.subarray(row * width, (row + 1) * width), row * width);
            if (team >= 0) slots.write(agent[row]!, found.actions, row * width, chosen, team);
            for (const name of NAMES) {
              const part = found[name];
              if (part === undefined) continue;
              const columns = part.length / rows;
              const into = (all[name] ??= new Float32Array(part.length));
              into.set(part.subarray(row * columns, (row + 1) * columns), row * columns);
            }
          }
        }
      } finally {
        told = null;
        for (const input of heard) input.fill(0); // explainers ask the same programs about agents alone
      }
      const own = (width: number, value: (team: number, row: number, into: Float32Array) => void): Float32Array => {
        const values = new Float32Array(rows * width).fill(Number.NaN);
        for (let row = 0; row < rows; row++) {
          if (teamAt[row]! >= 0) value(teamAt[row]!, row, values.subarray(row * width, (row + 1) * width));
        }
        return values;
      };
      return {
        actions: present(actions, 'choices'),
        hidden: new Float32Array(0),
        ...all,
        extras: {
          place: own(1, (_, row, into) => into.fill(placeOf(row))),
          hears: own(A, (team, row, into) => {
            const from = (team * A + agent[row]!) * A;
            into.set(graph.hears.subarray(from, from + A));
          }),
        },
      };
    },
  };
}
