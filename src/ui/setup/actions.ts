/** What can be done with changes of the set-up. */
import { runs } from '#client/runs/service.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { readPath } from '#contract/run/paths.ts';
import { draftStore } from '#stores/draft.ts';
import { runsStore } from '#stores/runs.ts';
import { msg } from '#text/text.ts';
import type { Action } from '#ui/kit/action.ts';
import { leavesInUse, openTwin } from './useSetup.ts';

/** Goes one change back or forth; a live field goes back in the run that is going on, too, as one more logged change of it. */
function step(way: 'undo' | 'redo'): void {
  const { config: before } = draftStore.getState();
  draftStore.getState()[way]();
  const { config: after } = draftStore.getState();
  const { groups, activeId } = runsStore.getState();
  const twin = openTwin(groups, activeId, after);
  if (twin === null) return;
  for (const { path, schema } of leavesInUse(after)) {
    const value = readPath(after, path);
    if (schema.live && value !== undefined && !sameJson(value, readPath(before, path))) runs.edit(twin.id, path, value);
  }
}

export const undoChange: Action = {
  name: 'undo',
  label: msg('Undo a change of the configuration'),
  key: { shown: 'Ctrl Z', code: 'z', ctrl: true },
  where: 'lab-fields',
  perform: () => step('undo'),
};

export const redoChange: Action = {
  name: 'redo',
  label: msg('Redo a change of the configuration'),
  key: { shown: 'Ctrl Shift Z', code: 'z', ctrl: true, shift: true },
  where: 'lab-fields',
  perform: () => step('redo'),
};

/** The second key that other programs use for it. */
const redoByY: Action = { ...redoChange, name: 'redo-y', key: { shown: 'Ctrl Y', code: 'y', ctrl: true } };

export const setupActions: readonly Action[] = [undoChange, redoChange, redoByY];
