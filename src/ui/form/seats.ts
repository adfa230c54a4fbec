/** The seats of a team as the form shows them, and as the config keeps them: nothing is written for those who learn. */

import { kindOf } from '#contract/game/seats.ts';
import { type Json, objectOf } from '#contract/kit/json.ts';

export type Seats = { readonly [nameOrKind: string]: string };

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
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, player]) => [name, String(player)]));
}

/** `name` null: all of the kind. A player of '' learns. undefined: every seat learns, and the field is removed. */
export function withSeat(seats: Seats, kind: SeatKind, name: string | null, player: string): Seats | undefined {
  const next: Record<string, string> = { ...seats };
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
