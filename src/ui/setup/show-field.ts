/** Brings a field of the set-up into sight and puts the focus on its control, whatever depth, panel or fold hides it. */
import { createStore } from 'zustand/vanilla';
import { layoutStore } from '#stores/layout.ts';
import { setSizes } from '#ui/kit/sizes.ts';

/** The field that was asked for last: its section shows it at every depth. */
export const soughtField = createStore<{ readonly path: string | null }>(() => ({ path: null }));

/** Until the field is there: the code of a panel may still be on its way, and a dialog has to close. */
const PATIENCE_MS = 15_000;
/** Frames after that in which the form may be drawn anew and the focus is lost with it. */
const SETTLES = 60;

export function showField(path: string): void {
  const { depth, set } = layoutStore.getState();
  if (depth === 'teach') set('depth', 'lab');
  set('leftOpen', true);
  set('tab', 'setup');
  setSizes({ folded: [] });
  soughtField.setState({ path });
  let taken = false;
  // What the reader does next has the focus from then on.
  const given = new AbortController();
  for (const event of ['pointerdown', 'keydown'] as const)
    addEventListener(event, () => given.abort(), { capture: true, signal: given.signal });
  const until = performance.now() + PATIENCE_MS;
  const look = (left: number): void => {
    if (given.signal.aborted) return;
    const field = document.querySelector(`#panel-left [data-field="${CSS.escape(path)}"]`);
    const control =
      field?.querySelector<HTMLElement>('[id$="-control"]') ??
      field?.querySelector<HTMLElement>('input, select, textarea, button, [tabindex]');
    if (control && (!taken || document.activeElement === document.body)) {
      control.scrollIntoView({ block: 'center' });
      control.focus();
      taken = document.activeElement === control;
    }
    if (left > 0 && performance.now() < until) requestAnimationFrame(() => look(taken ? left - 1 : left));
    else given.abort();
  };
  requestAnimationFrame(() => look(SETTLES));
}
