/** The seats of a team as the form shows them, and as the config keeps them: nothing is written for those who learn. */

import { kindOf } from '#contract/game/seats.ts';
import { isObject, type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';
import { type Frozen, frozenName, isFrozen } from '#contract/run/frozen.ts';

/** Players of which one is drawn for each episode; `tell`: learners are told which. */
export interface PoolSeat {
  readonly pool: readonly Member[];
  readonly tell: boolean;
}
/** A script, or a policy of an earlier run. */
export type Member = string | Frozen;
export type SeatChoice = Member | PoolSeat;
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

const memberOf = (player: Json): Member => (isFrozen(player) ? player : String(player));

function choiceOf(player: Json): SeatChoice {
  if (!isObject(player) || isFrozen(player)) return memberOf(player);
  const { pool, tell } = player;
  return { pool: Array.isArray(pool) ? pool.map(memberOf) : [], tell: tell === true };
}

/** A choice that is a pool. */
export const isPool = (choice: SeatChoice): choice is PoolSeat => typeof choice !== 'string' && !isFrozen(choice);

/** How a member is called among the others. */
export const memberName = (member: Member): string => (typeof member === 'string' ? member : frozenName(member));

const jsonOf = (member: Member): Json => (typeof member === 'string' ? member : ({ ...member } as unknown as JsonObject));

/** As the config keeps them. */
export function configOfSeats(seats: Seats): JsonObject {
  return Object.fromEntries(
    Object.entries(seats).map(([name, seat]) => {
      if (!isPool(seat)) return [name, jsonOf(seat)];
      return [name, { pool: seat.pool.map(jsonOf), ...(seat.tell && { tell: true }) }];
    }),
  );
}

/**
 * The pool with this player in it or not; fewer than two players are no pool, so the last two stay. Scripts keep the order of `players`, behind them
 * stand policies of earlier runs.
 */
export function withMember({ pool, tell }: PoolSeat, player: Member, inside: boolean, players: readonly string[]): PoolSeat {
  const name = memberName(player);
  const others = pool.filter((one) => memberName(one) !== name);
  const some = inside ? [...others, player] : others;
  const next = [...players.filter((one) => some.includes(one)), ...some.filter((one) => typeof one !== 'string')];
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
