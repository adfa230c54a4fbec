/** Brings a field of the set-up into sight and puts the focus on its control, whatever depth, panel or fold hides it. */
import { createStore } from 'zustand/vanilla';
import { layoutStore } from '#stores/layout.ts';
import { setSizes } from '#ui/kit/sizes.ts';

/** The field that was asked for last: its section shows it at every depth. */
export const soughtField = createStore<{ readonly path: string | null }>(() => ({ path: null }));

/** Frames in which a panel that was closed is there, a dialog is gone, and a form that is drawn anew stands. */
const PATIENCE = 60;

export function showField(path: string): void {
  const { depth, set } = layoutStore.getState();
  if (depth === 'teach') set('depth', 'lab');
  set('leftOpen', true);
  set('tab', 'setup');
  setSizes({ folded: [] });
  soughtField.setState({ path });
  let taken = false;
  const look = (left: number): void => {
    const field = document.querySelector(`#panel-left [data-field="${CSS.escape(path)}"]`);
    const control =
      field?.querySelector<HTMLElement>('[id$="-control"]') ??
      field?.querySelector<HTMLElement>('input, select, textarea, button, [tabindex]');
    // Until the control has the focus, and again where the form is drawn anew and the focus is lost with it.
    if (control && (!taken || document.activeElement === document.body)) {
      control.scrollIntoView({ block: 'center' });
      control.focus();
      taken = document.activeElement === control;
    }
    if (left > 0) requestAnimationFrame(() => look(left - 1));
  };
  requestAnimationFrame(() => look(PATIENCE));
}
