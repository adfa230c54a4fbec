/** All runs of this page, newest first. Views read and rename; only the client adds, removes and applies worker events. */
import { createStore } from 'zustand/vanilla';
import type { SessionEvent } from '#contract/run/events.ts';
import type { RunGroup, RunsState, SeedRun } from './types.ts';

const COLOURS = 8;
const DASHES = 4;
const MOST_MARKS = 500;

export const runsStore = createStore<RunsState>((set, get) => ({
  groups: [],
  activeId: null,
  filter: '',
  sort: { column: 'createdAt', down: true },
  setActive: (activeId) => set({ activeId }),
  setFilter: (filter) => set({ filter }),
  setSort: (column) => set({ sort: { column, down: get().sort.column === column ? !get().sort.down : false } }),
  toggleVisible: (id) => changeGroup(id, (group) => ({ ...group, visible: !group.visible })),
  rename: (id, name) => changeGroup(id, (group) => ({ ...group, name: name.trim() === '' ? group.name : name.trim() })),
  note: (id, note) => changeGroup(id, (group) => ({ ...group, note })),
}));

export function findGroup(id: string | null): RunGroup | null {
  return runsStore.getState().groups.find((group) => group.id === id) ?? null;
}

/** The active run where it was trained in this environment; null: there is none, or it is another environment's. */
export function activeIn({ groups, activeId }: Pick<RunsState, 'groups' | 'activeId'>, env: string): RunGroup | null {
  return groups.find(({ id, config }) => id === activeId && config.env.id === env) ?? null;
}

/** The newest run of the config with this hash that was started at `since` (ms since epoch) or later; null: there is none. */
export function runOfHash(groups: readonly RunGroup[], hash: string, since = 0): RunGroup | null {
  return groups.find((group) => group.hash === hash && group.createdAt >= since) ?? null;
}

export function findSeed(id: string, seed: number): SeedRun | null {
  return findGroup(id)?.seeds.find((run) => run.seed === seed) ?? null;
}

export function changeGroup(id: string, change: (group: RunGroup) => RunGroup): void {
  changeGroups((group) => (group.id === id ? change(group) : group));
}

export function changeSeed(id: string, seed: number, change: (run: SeedRun) => SeedRun): void {
  changeGroup(id, (group) => ({ ...group, seeds: group.seeds.map((run) => (run.seed === seed ? change(run) : run)) }));
}

/** The step at which a seed of a fork begins; null: the run is no fork, or this seed of it begins at the start. */
export function forkStep({ parent }: RunGroup, seed: number): number | null {
  if (parent === null) return null;
  return parent.seeds?.find((one) => one.seed === seed)?.step ?? (parent.same === true ? null : parent.step);
}

/** The least used look among the runs there are, lowest index first; it then belongs to the run for life. */
export function nextLook(groups: readonly Pick<RunGroup, 'colour' | 'dash'>[]): { readonly colour: number; readonly dash: number } {
  let best = { colour: 0, dash: 0 };
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < COLOURS * DASHES; i++) {
    const look = { colour: i % COLOURS, dash: Math.floor(i / COLOURS) };
    const uses = groups.filter((group) => group.colour === look.colour && group.dash === look.dash).length;
    if (uses < least) {
      least = uses;
      best = look;
    }
  }
  return best;
}

export function newSeed(seed: number): SeedRun {
  return {
    seed,
    state: 'queued',
    step: 0,
    seconds: 0,
    stepsPerSecond: 0,
    checkpointStep: -1,
    result: null,
    failure: null,
    marks: [],
  };
}

/** What one event changes in a seed. Metrics, policies, visits and populations live elsewhere (curves, the client's policies, the stage). */
export function applyEvent(run: SeedRun, event: SessionEvent): SeedRun {
  switch (event.kind) {
    case 'state':
      return { ...run, state: event.state, step: event.step, failure: event.error ?? (event.state === 'failed' ? run.failure : null) };
    case 'progress':
      return {
        ...run,
        step: event.step,
        seconds: event.seconds,
        stepsPerSecond: event.stepsPerSecond,
        ...(event.usage === undefined ? {} : { usage: event.usage }),
      };
    case 'mark':
      return { ...run, marks: [...run.marks.slice(1 - MOST_MARKS), event] };
    case 'checkpoint':
      return { ...run, checkpointStep: event.step, points: event.points ?? run.points ?? [] };
    case 'result':
      return { ...run, result: event.result, step: event.result.steps, seconds: event.result.seconds };
    case 'metrics':
    case 'policy':
    case 'visits':
    case 'population':
    case 'unsaved':
      return run;
  }
}

const newestFirst = (groups: readonly RunGroup[]): readonly RunGroup[] => groups.toSorted((a, b) => b.createdAt - a.createdAt);

/** A run begins. `quiet`: the one that is active stays so. */
export function addRun(group: RunGroup, quiet: boolean): void {
  runsStore.setState(({ groups, activeId }) => ({ groups: [group, ...groups], activeId: quiet ? activeId : group.id }));
}

/** Runs of a file, newest first. */
export function adoptRuns(adopted: readonly RunGroup[]): void {
  runsStore.setState(({ groups }) => ({ groups: [...adopted, ...groups] }));
}

/** Runs of the storage stand below those that the page has, which stay as they are. */
export function restoreRuns(stored: readonly RunGroup[]): void {
  runsStore.setState(({ groups }) => ({ groups: [...groups, ...stored.filter(({ id }) => !groups.some((old) => old.id === id))] }));
}

/** A run that another tab trains. */
export function runElsewhere(group: RunGroup): void {
  if (findGroup(group.id) !== null) changeGroup(group.id, () => group);
  else runsStore.setState(({ groups }) => ({ groups: newestFirst([group, ...groups]) }));
}

/** Where it was the active one, the first that is left becomes that. */
export function removeRun(id: string): void {
  runsStore.setState(({ groups, activeId }) => {
    const left = groups.filter((group) => group.id !== id);
    return { groups: left, activeId: activeId === id ? (left[0]?.id ?? null) : activeId };
  });
}

/** A removed run is back, and what was active before it was removed. */
export function bringRunBack(group: RunGroup, activeId: string | null): void {
  runsStore.setState(({ groups }) => ({ groups: newestFirst([...groups, group]), activeId }));
}

export function removeAllRuns(): void {
  runsStore.setState({ groups: [], activeId: null });
}

/** What happened to many seeds at once: one redraw. `change` answers the same group where nothing has. */
export function changeGroups(change: (group: RunGroup) => RunGroup): void {
  runsStore.setState(({ groups }) => ({ groups: groups.map(change) }));
}

/** As a project file has them. */
export function arrangeRuns(arranged: Pick<RunsState, 'filter' | 'sort'>): void {
  runsStore.setState(arranged);
}
