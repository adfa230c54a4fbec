/**
 * What a person has chosen or typed in a view of a world, kept outside the view: the stage takes a view away for a while whenever no learned policy
 * plays (a run has just begun, the worker that plays was started again, a person plays), and it has to come back as it was left. Gone with the last
 * run of that world.
 */
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { runsStore } from '#stores/runs.ts';

/** Of one kind of view, what is chosen in each world. `world`: id of an environment. */
export interface Lasting<T extends object> {
  readonly worlds: StoreApi<ReadonlyMap<string, T>>;
  /** The same object until something changes. */
  of(world: string): T;
  change(world: string, changes: Partial<T>): void;
}

/** `first`: what stands in a world where nothing was chosen. */
export function lasting<T extends object>(first: T): Lasting<T> {
  const worlds = createStore<ReadonlyMap<string, T>>(() => new Map());
  const of = (world: string): T => worlds.getState().get(world) ?? first;
  runsStore.subscribe(({ groups }, before) => {
    if (groups === before.groups || worlds.getState().size === 0) return;
    const left = worldsOf(groups);
    const closed = worldsOf(before.groups).filter((world) => !left.includes(world) && worlds.getState().has(world));
    if (closed.length > 0) worlds.setState((kept) => new Map([...kept].filter(([world]) => !closed.includes(world))), true);
  });
  return {
    worlds,
    of,
    change: (world, changes) => worlds.setState((kept) => new Map(kept).set(world, { ...of(world), ...changes }), true),
  };
}

/** In a view of that world: what is chosen, and what chooses. */
export function useLasting<T extends object>({ worlds, of, change }: Lasting<T>, world: string) {
  const now = useStore(worlds, () => of(world));
  return [now, (changes: Partial<T>): void => change(world, changes)] as const;
}

const worldsOf = (groups: readonly { readonly config: { readonly env: { readonly id: string } } }[]): readonly string[] =>
  groups.map(({ config }) => config.env.id);
