/**
 * The first visit in three steps: train, watch, change something. Each ends with what the visitor does, not with a press on "next". It starts
 * by itself once, on a visit without a link or with one to an environment alone; `?tour` in the address or the help starts it again.
 */
import { createStore } from 'zustand/vanilla';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { isWorldAlone, LAB, routeStore, showRoute } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { phaseOf } from '#ui/kit/progress.ts';

/** done: the visitor has changed something, which the card says until it is put away. */
export type TourStep = 'train' | 'watch' | 'change' | 'done';

interface TourState {
  readonly step: TourStep | null;
}

const KEY = 'rl-workbench:tour';
export const tourStore = createStore<TourState>(() => ({ step: null }));

function seen(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false; // storage is blocked: every visit is a first one
  }
}

/** The visitor has watched enough. */
export function tourWatched(): void {
  tourStore.setState({ step: 'change' });
}

export function endTour(): void {
  tourStore.setState({ step: null });
  try {
    localStorage.setItem(KEY, 'seen');
  } catch {
    // Storage is blocked: it comes again with the next visit.
  }
}

let stop = (): void => {};

/** Starts at the first step. `first`: it was not asked for, so it ends where a run of an earlier visit shows that this is no first one. */
export function startTour(first = false): void {
  stop();
  // A press on a world of the front page trains before the laboratory is there.
  const begun = first ? performance.timeOrigin : Date.now();
  tourStore.setState({ step: 'train' });
  const follow = (): void => {
    const { groups, activeId } = runsStore.getState();
    const { step } = tourStore.getState();
    const active = groups.find(({ id }) => id === activeId);
    if (active === undefined || (step !== 'train' && step !== 'watch')) return;
    if (active.createdAt < begun) {
      if (first) endTour();
      return;
    }
    // Of another world, such as a paper's: the one on the stage was not trained.
    if (active.config.env.id !== draftStore.getState().config.env.id) return;
    if (phaseOf(active) === 'done') tourStore.setState({ step: 'change' });
    else if (step === 'train') tourStore.setState({ step: 'watch' });
  };
  const unsubscribe = [
    runsStore.subscribe(follow),
    draftStore.subscribe(({ config, base }) => {
      const changed = JSON.stringify(config.env) !== JSON.stringify(base.env) || JSON.stringify(config.algo) !== JSON.stringify(base.algo);
      if (tourStore.getState().step === 'change' && changed) tourStore.setState({ step: 'done' });
    }),
    // Another page or a lesson has steps of its own.
    routeStore.subscribe(({ route }) => {
      if (route !== null && tourStore.getState().step !== null) tourStore.setState({ step: null });
    }),
    tourStore.subscribe(({ step }) => {
      if (step === null) stop();
    }),
  ];
  stop = () => {
    for (const end of unsubscribe) end();
    stop = () => {};
  };
  follow(); // the run may be there already: opened from the list of runs
}

/** Called once, when the page starts. A first visit meets the tour when it first comes to the laboratory, by the front page or at once. */
export function startTourOnFirstVisit(): void {
  const search = new URLSearchParams(location.search);
  if (search.has('tour')) {
    // A link that is shared from here on shall not start it for others.
    search.delete('tour');
    const plain = location.hash.length < 2;
    history.replaceState(history.state, '', `${location.pathname}${search.size === 0 ? '' : `?${search}`}${plain ? LAB : location.hash}`);
    if (plain) showRoute(null);
    startTour();
    return;
  }
  const link = location.hash.length >= 2 && !location.hash.startsWith('#/') && !isWorldAlone(location.hash);
  if (link || seen()) return;
  if (routeStore.getState().route === null) startTour(true);
  else {
    const unsubscribe = routeStore.subscribe(({ route }) => {
      if (route !== null) return;
      unsubscribe();
      // A paper or a shared set-up that was opened meanwhile shows more than the tour is about.
      if (layoutStore.getState().depth === 'teach' && !seen()) startTour(true);
    });
  }
}
