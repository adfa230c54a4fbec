/** What can be done with changes of the set-up. */
import { draftStore } from '#stores/draft.ts';
import type { Action } from '#ui/kit/action.ts';

export const undoChange: Action = {
  name: 'undo',
  label: 'Undo a change of the configuration',
  key: { shown: 'Ctrl Z', code: 'z', ctrl: true },
  where: 'lab-fields',
  perform: () => draftStore.getState().undo(),
};

export const redoChange: Action = {
  name: 'redo',
  label: 'Redo a change of the configuration',
  key: { shown: 'Ctrl Shift Z', code: 'z', ctrl: true, shift: true },
  where: 'lab-fields',
  perform: () => draftStore.getState().redo(),
};

/** The second key that other programs use for it. */
const redoByY: Action = { ...redoChange, name: 'redo-y', key: { shown: 'Ctrl Y', code: 'y', ctrl: true } };

export const setupActions: readonly Action[] = [undoChange, redoChange, redoByY];
