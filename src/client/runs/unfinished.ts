/** The stored run that a visit begins with. */
import { catalogStore } from '#stores/catalog.ts';
import { draftStore, isComing, isOpen } from '#stores/draft.ts';
import { runsStore } from '#stores/runs.ts';
import { selectRun } from './service.ts';

/** Nothing has been chosen since the page was opened: what is set up is the first experiment, or nothing yet. */
function untouched(): boolean {
  const draft = draftStore.getState();
  if (isComing(draft) || runsStore.getState().activeId !== null) return false;
  return !isOpen(draft) || (draft.past.length === 0 && draft.experimentId === catalogStore.getState().catalog?.experiments[0]?.id);
}

/**
 * After a reload the run of this draft is the active one again; on a plain visit, a run that was interrupted comes back with its config. Neither takes
 * the place of what is chosen before it is here.
 */
export async function offerUnfinished(plainVisit: boolean, readRun: (id: string) => Promise<void>): Promise<void> {
  const { groups, activeId } = runsStore.getState();
  if (activeId !== null) return;
  const { hash } = draftStore.getState();
  const same = groups.find((group) => group.hash === hash);
  const next =
    same ?? (plainVisit && untouched() ? groups.find(({ seeds }) => seeds.some(({ state }) => state === 'interrupted')) : undefined);
  if (next === undefined) return;
  await readRun(next.id);
  if (next === same) {
    if (runsStore.getState().activeId === null && draftStore.getState().hash === hash) runsStore.getState().setActive(next.id);
  } else if (untouched()) selectRun(next.id);
}
