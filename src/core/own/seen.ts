/**
 * An observation as a person's reward or player sees it: the numbers by name (`seen.angularSpeed`), by place (`seen[3]`), and of numbered
 * states their number (`seen.state`). A view reads the row it points at, so nothing is copied in a step.
 */
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';

export interface Seen {
  readonly [name: string]: number;
}

export interface View {
  /** The same object all the time; it cannot be changed. */
  readonly seen: Seen;
  /** From now on it shows the numbers of data[at ..]. */
  point(data: ArrayLike<number>, at: number): void;
}

/** 'cos angle 1' as cosAngle1. */
export const nameOf = (label: string): string =>
  label
    .normalize('NFKD')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word, i) => (i === 0 ? word[0]!.toLowerCase() : word[0]!.toUpperCase()) + word.slice(1))
    .join('');

/** Names of the numbers of an observation, in their order; numbers without a name of their own have none. */
export function namesOf(space: ObsSpace): readonly string[] {
  if (space.kind !== 'box') return [];
  const names = (space.labels ?? []).map(nameOf);
  return names.map((name, i) => (/^[A-Za-z]/.test(name) && names.indexOf(name) === i ? name : ''));
}

/** For messages: what can be written behind `seen.` and `next.`; another name gives no number. */
export function seenWords(space: ObsSpace): string {
  const names = space.kind === 'discrete' ? ['state'] : namesOf(space).filter((name) => name !== '');
  return names.length === 0
    ? `The numbers have no names: seen[0] to seen[${obsSize(space) - 1}].`
    : `Seen by name: ${names.slice(0, 20).join(', ')}.`;
}

export function viewOf(space: ObsSpace): View {
  const size = obsSize(space);
  let data: ArrayLike<number> = new Float32Array(size);
  let at = 0;
  const members: PropertyDescriptorMap = { length: { value: size } };
  const add = (name: string, get: () => number): void => {
    members[name] = { get, enumerable: true };
  };
  for (let i = 0; i < size; i++) add(String(i), () => data[at + i]!);
  namesOf(space).forEach((name, i) => {
    if (name !== '') add(name, () => data[at + i]!);
  });
  if (space.kind === 'discrete')
    add('state', () => {
      for (let i = 0; i < size; i++) if (data[at + i] !== 0) return i;
      return 0;
    });
  return {
    seen: Object.freeze(Object.create(null, members) as Seen),
    point(next, from) {
      data = next;
      at = from;
    },
  };
}
