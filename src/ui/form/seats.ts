/** The seats of a team as the form shows them, and as the config keeps them: nothing is written for those who learn. */

import { kindOf } from '#contract/game/seats.ts';
import { isObject, type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';

/** Players of which one is drawn for each episode; `tell`: learners are told which. */
export interface PoolSeat {
  readonly pool: readonly string[];
  readonly tell: boolean;
}
export type SeatChoice = string | PoolSeat;
export type Seats = { readonly [nameOrKind: string]: SeatChoice };

export interface SeatKind {
  /** What the names have before their number. */
  readonly name: string;
  readonly names: readonly string[];
}

/** Agents by the part of their name before the number, in order. */
export function kindsOf(roster: readonly string[]): readonly SeatKind[] {
  const kinds = new Map<string, string[]>();
  for (const name of roster) {
    const kind = kindOf(name);
    kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
  }
  return [...kinds].map(([name, names]) => ({ name, names }));
}

export function seatsOf(value: Json | undefined): Seats {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, player]) => [name, choiceOf(player)]));
}

function choiceOf(player: Json): SeatChoice {
  if (!isObject(player)) return String(player);
  const { pool, tell } = player;
  return { pool: Array.isArray(pool) ? pool.map(String) : [], tell: tell === true };
}

/** As the config keeps them. */
export function configOfSeats(seats: Seats): JsonObject {
  return Object.fromEntries(
    Object.entries(seats).map(([name, seat]) => {
      if (typeof seat === 'string') return [name, seat];
      return [name, { pool: [...seat.pool], ...(seat.tell && { tell: true }) }];
    }),
  );
}

/** The pool with this player in it or not; fewer than two players are no pool, so the last two stay. Players keep the order of `players`. */
export function withMember({ pool, tell }: PoolSeat, player: string, inside: boolean, players: readonly string[]): PoolSeat {
  const next = players.filter((one) => (one === player ? inside : pool.includes(one)));
  return { pool: next.length < 2 ? pool : next, tell };
}

/** `name` null: all of the kind. A player of '' learns. undefined: every seat learns, and the field is removed. */
export function withSeat(seats: Seats, kind: SeatKind, name: string | null, player: SeatChoice): Seats | undefined {
  const next: Record<string, SeatChoice> = { ...seats };
  if (name === null) {
    for (const member of kind.names) delete next[member];
    delete next[kind.name];
    if (player !== '') next[kind.name] = player;
  } else {
    for (const member of kind.names) {
      const now = next[member] ?? next[kind.name];
      if (now !== undefined) next[member] = now;
    }
    if (kind.names.length > 1 || kind.name !== name) delete next[kind.name];
    if (player === '') delete next[name];
    else next[name] = player;
  }
  return Object.keys(next).length === 0 ? undefined : next;
}
