/**
 * Policies of teams that talk. A query's rows are taken team by team: A rows with agents 0 .. A - 1 are one team; any other row is an
 * agent alone, whose mates say nothing. The hidden row of an agent is what it carries (the message it sent last). Asked through
 * `communication`, messages of muted agents are not delivered.
 */
import type { Engine, Program } from '#core/engine/types.ts';
import { perAgent } from '#core/envs/api/meta.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { exp, log } from '#math/functions.ts';
import { argmax, categorical, normal } from '#math/sampling.ts';
import type { Act, ActQuery, Policy } from '../../api/types.ts';
import { teamsOf } from '../sharing.ts';
import { actingStep, surpriseSlope, type TeamNetwork } from './networks.ts';

const TEAMS = 16;

export interface TalkingOptions {
  readonly engine: Engine;
  readonly meta: EnvMeta;
  readonly net: TeamNetwork;
  readonly silent: boolean;
  dispose?(): void;
}

export function talkingPolicy({ engine, meta, net, silent, dispose }: TalkingOptions): Policy {
  const { agentCount: A, obsSize: O, actionCount: N, actionSize: D } = meta;
  const S = net.stateSize;
  const programs = new Map<number, Program>();
  const slopes = new Map<number, Program>();
  const spaces = perAgent(meta, (group) => group.action);
  const widths = { logits: N, mean: D, logStd: D, value: 1, messages: net.messageSize, state: S };
  type Name = keyof typeof widths;

  /** Runs `program` over all teams of a query; `take` reads its answers. */
  async function over(
    query: ActQuery,
    programOf: (teams: number) => Program,
    take: (program: Program, places: readonly { readonly row: number; readonly place: number }[]) => void,
    { actions, muted }: { readonly actions?: Act['actions']; readonly muted?: Uint8Array | null } = {},
  ): Promise<void> {
    const { agent, obs, mask, hidden, rng } = query;
    const teams = teamsOf(query, A);
    const count = teams.length === 1 ? 1 : TEAMS;
    const program = programOf(count);
    const feed = program.in;
    for (let from = 0; from < teams.length; from += count) {
      const part = teams.slice(from, from + count);
      feed.obs!.fill(0);
      feed.gate!.fill(0);
      feed.mask?.fill(1);
      feed.state?.fill(0);
      feed.action?.fill(0);
      if (feed.noise !== undefined) for (let i = 0; i < feed.noise.length; i++) feed.noise[i] = normal(rng);
      const places = part.flatMap(({ first, size }, team) =>
        Array.from({ length: size }, (_, i) => ({ row: first + i, place: team * A + agent[first + i]! })),
      );
      for (const { row, place } of places) {
        feed.obs!.set(obs.subarray(row * O, (row + 1) * O), place * O);
        feed.gate![place] = silent || muted?.[row] === 1 ? 0 : 1;
        if (mask !== undefined) feed.mask?.set(mask.subarray(row * N, (row + 1) * N), place * N);
        feed.state?.set(hidden.subarray(row * S, (row + 1) * S), place * S);
        if (actions !== undefined) for (let d = 0; d < D; d++) feed.action![place * D + d] = actions[row * D + d]!;
      }
      const pending = program.run();
      if (pending) await pending;
      take(program, places);
    }
  }

  async function forward(query: ActQuery, muted: Uint8Array | null): Promise<{ [name in Name]?: Float32Array }> {
    const out: { [name in Name]?: Float32Array } = {};
    const programOf = (count: number): Program => {
      const program = programs.get(count) ?? engine.compile((g) => actingStep(g, net, meta, count, false), { name: 'team policy' });
      programs.set(count, program);
      return program;
    };
    const take = (program: Program, places: readonly { readonly row: number; readonly place: number }[]): void => {
      for (const name of Object.keys(widths) as Name[]) {
        const found = program.out[name];
        if (found === undefined) continue;
        const width = widths[name];
        const all = out[name] ?? new Float32Array(query.rows * width);
        out[name] = all;
        for (const { row, place } of places) all.set(found.subarray(place * width, (place + 1) * width), row * width);
      }
    };
    await over(query, programOf, take, { muted });
    return out;
  }

  function choose(
    { rows, agent, greedy, rng }: ActQuery,
    { logits, mean, logStd }: { readonly [name in Name]?: Float32Array },
  ): Act['actions'] {
    if (logits !== undefined) {
      return Int32Array.from({ length: rows }, (_, row) =>
        greedy ? argmax(logits, row * N, N) : categorical(logits, row * N, N, rng.uniform()),
      );
    }
    const actions = new Float32Array(rows * D);
    for (let row = 0; row < rows; row++) {
      const space = spaces[agent[row]!]!;
      if (space.kind !== 'box') continue;
      for (let d = 0; d < space.size; d++) {
        const i = row * D + d;
        const drawn = greedy ? mean![i]! : mean![i]! + exp(logStd![i]!) * normal(rng);
        actions[i] = Math.min(space.high[d]!, Math.max(space.low[d]!, drawn));
      }
    }
    return actions;
  }

  async function answer(query: ActQuery, muted: Uint8Array | null): Promise<{ readonly act: Act; readonly messages: Float32Array }> {
    const { state, messages, ...heads } = await forward(query, muted);
    const act = { actions: choose(query, heads), hidden: state ?? new Float32Array(0), ...heads };
    return { act, messages: messages ?? new Float32Array(0) };
  }

  return {
    initial: (rows) => new Float32Array(rows * S),
    act: async (query) => (await answer(query, null)).act,
    ...(net.messageSize > 0 && { communication: { topology: net.topology ?? 'peer', act: answer } }),
    async gradient(query, actions) {
      const out = new Float32Array(query.rows * O);
      const programOf = (count: number): Program => {
        const program = slopes.get(count) ?? engine.compile((g) => surpriseSlope(g, net, meta, count), { name: 'team slope' });
        slopes.set(count, program);
        return program;
      };
      const take = (program: Program, places: readonly { readonly row: number; readonly place: number }[]): void => {
        for (const { row, place } of places) out.set(program.out.slope!.subarray(place * O, (place + 1) * O), row * O);
      };
      await over(query, programOf, take, { actions });
      return out;
    },
    dispose() {
      dispose?.();
    },
  };
}

type Said = Pick<Act, 'logits' | 'mean' | 'logStd'>;

function categoricalKlRow(p: Float32Array, q: Float32Array, at: number, n: number): number {
  let topP = Number.NEGATIVE_INFINITY;
  let topQ = Number.NEGATIVE_INFINITY;
  for (let i = at; i < at + n; i++) {
    topP = Math.max(topP, p[i]!);
    topQ = Math.max(topQ, q[i]!);
  }
  let sumP = 0;
  let sumQ = 0;
  for (let i = at; i < at + n; i++) {
    sumP += exp(p[i]! - topP);
    sumQ += exp(q[i]! - topQ);
  }
  let kl = 0;
  for (let i = at; i < at + n; i++) {
    const weight = exp(p[i]! - topP) / sumP;
    if (weight > 0) kl += weight * (p[i]! - topP - log(sumP) - (q[i]! - topQ - log(sumQ)));
  }
  return Math.max(0, kl);
}

function gaussianKlRow(p: Said, q: Said, at: number, d: number): number {
  let kl = 0;
  for (let i = at; i < at + d; i++) {
    const spreadP = p.logStd![i]!;
    const spreadQ = q.logStd![i]!;
    const off = p.mean![i]! - q.mean![i]!;
    kl += spreadQ - spreadP + 0.5 * ((exp(2 * spreadP) + off * off) * exp(-2 * spreadQ) - 1);
  }
  return Math.max(0, kl);
}

/** In nats; 0 where the answers hold neither logits nor a mean with its deviation. */
export function changeOfMind(p: Said, q: Said, row: number, actionCount: number, actionSize: number): number {
  if (p.logits !== undefined && q.logits !== undefined) return categoricalKlRow(p.logits, q.logits, row * actionCount, actionCount);
  if (p.mean !== undefined && q.mean !== undefined && p.logStd !== undefined && q.logStd !== undefined)
    return gaussianKlRow(p, q, row * actionSize, actionSize);
  return 0;
}
