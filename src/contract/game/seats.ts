/** How agents are called. A name is the agent's id in configs and links; what people see of it is made here, so that it is the same everywhere. */

const NUMBERED = /^(.*?)[ _-]?(\d+)$/;

/** Agents are alike by the part of their name before its number: 'adversary_2' is of the kind 'adversary'. */
export const kindOf = (name: string): string => name.replace(/[ _-]?\d+$/, '');

/** Ids with an underscore before their number count from 0, as in PettingZoo and VMAS, and so do the learners of a swarm ("boid 0"); all others count from 1. */
const FROM_ZERO = /(?:_|(?<=^(?:boid|member|oscillator|particle)) )(\d+)$/;

/** Players of which one may be drawn for a seat. */
export const MOST_IN_POOL = 16;

/** Seats, by agent or by kind, without one of the agents of `roster`; undefined: no seat is left. */
export function withoutSeat<P>(
  seats: { readonly [seat: string]: P },
  roster: readonly string[],
  open: string,
): { [seat: string]: P } | undefined {
  const rest = roster.flatMap((name): [string, P][] => {
    const player = seats[name] ?? seats[kindOf(name)];
    return name === open || player === undefined ? [] : [[name, player]];
  });
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** As people read it, counted from 1: "adversary 3" for adversary_2. */
export const spoken = (name: string): string =>
  name.replace(FROM_ZERO, (_, digits: string) => ` ${Number(digits) + 1}`).replaceAll('_', ' ');

/**
 * What stands on each agent in the scene and on its badge: the number in its name, or, where it is the only one of its kind among others,
 * the initial ("A" for agent_0 among adversaries). Where names leave some agents alike, all stand by their place. Numbers count from 1.
 */
export function agentMarks(names: readonly string[]): readonly string[] {
  const kinds = names.map(kindOf);
  const alone = names.map((_, i) => kinds.filter((kind) => kind === kinds[i]).length === 1);
  const marks = names.map((name, i) => {
    const number = NUMBERED.exec(spoken(name))?.[2];
    if (number !== undefined && (names.length === 1 || !alone[i] || kinds[i] === '')) return number;
    const letters = spoken(kinds[i]!).trim();
    const initial = letters.slice(0, 1).toUpperCase();
    const shared = kinds.some((kind, k) => k !== i && alone[k] && spoken(kind).trim().slice(0, 1).toUpperCase() === initial);
    return shared ? initial + letters.slice(1, 2) : initial;
  });
  const told = new Set(names.map((_, i) => (alone[i] ? marks[i] : `${kinds[i]} ${marks[i]}`)));
  return told.size === names.length ? marks : names.map((_, i) => String(i + 1));
}
