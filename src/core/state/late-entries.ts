/** Entries of a registry by id, each loaded when it is first used: a worker parses only what it runs. */
import { fail, type LabError } from '#contract/kit/errors.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { codeMissing, isOwnWorld } from '#contract/run/own-world.ts';

/** A function for each id that loads the entry. */
export interface LateEntries<E> {
  readonly [id: string]: () => Promise<E>;
}

export interface Loading<E> {
  /** An entry that was loaded before. Throws LabError('unknown-id') with the ids there are, and LabError('internal') for one that was not. */
  get(id: string): E;
  /** Loads an entry once; loading that failed, without a network for instance, is tried again by the next call. Throws as `get`. */
  load(id: string): Promise<E>;
  /** All of them, in the order of the families. */
  loadAll(): Promise<readonly E[]>;
  /** Adds an entry that no family lists; one of the same id takes its place. */
  give(id: string, entry: E): void;
  /** As `give`, of an entry that is loaded when it is first used. `loadAll` leaves it out. */
  giveLater(id: string, load: () => Promise<E>): void;
}

/**
 * `kind` names an entry in messages, 'environment', and `field` where a config names it, 'env.id'. `absent`: what is said of an id that no family
 * lists, where it is said otherwise. Throws where two families list one id.
 */
export function lateEntries<E>(
  families: readonly LateEntries<E>[],
  kind: string,
  field: string,
  absent: (id: string) => LabError | null = () => null,
): Loading<E> {
  const loaders = new Map<string, () => Promise<E>>();
  for (const [id, load] of families.flatMap((family) => Object.entries(family))) {
    if (loaders.has(id)) throw new Error(`Two entries have the id "${id}".`);
    loaders.set(id, load);
  }
  const given = new Map<string, () => Promise<E>>();
  const loaded = new Map<string, E>();
  const unknown = (id: string): LabError =>
    absent(id) ??
    (isOwnWorld(id)
      ? codeMissing(kind, id, field)
      : fail('unknown-id', `There is no ${kind} "${id}".`, whichOf(id, [...loaders.keys()].sort())));
  const load = async (id: string): Promise<E> => {
    const known = loaded.get(id);
    if (known !== undefined) return known;
    const loader = loaders.get(id) ?? given.get(id);
    if (loader === undefined) throw unknown(id);
    const entry = await loader();
    loaded.set(id, entry);
    return entry;
  };
  return {
    get(id) {
      const entry = loaded.get(id);
      if (entry !== undefined) return entry;
      throw loaders.has(id) || given.has(id) ? fail('internal', `The ${kind} "${id}" is not loaded.`, 'Reload the page.') : unknown(id);
    },
    load,
    give: (id, entry) => void loaded.set(id, entry),
    giveLater: (id, load) => void given.set(id, load),
    loadAll: () => Promise.all([...loaders.keys()].map(load)),
  };
}
