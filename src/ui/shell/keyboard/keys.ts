/**
 * Keys of the actions. Single keys are active only while no control has the focus and no dialog is open, and are switched off altogether in
 * the view menu (WCAG 2.1.4). Keys of the laboratory do nothing on the other pages. Ctrl+Z and Ctrl+Shift+Z undo set-up changes, except
 * in a text field that is being typed in. Human play keeps its keys to itself.
 */
import { layoutStore } from '#stores/layout.ts';
import { inLaboratory, routeStore } from '#stores/route.ts';
import { stageStore } from '#stores/stage.ts';
import { type Action, isPressed, pressedIn } from '#ui/kit/action.ts';
import { ACTIONS } from '../actions.ts';

export function startKeys(): void {
  document.addEventListener('keydown', onKey);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || layoutStore.getState().dialog !== 'none') return;
  const action = ACTIONS.find(({ key }) => key !== undefined && isPressed(key, event));
  if (action === undefined || !works(action, pressedIn(event))) return;
  action.perform();
  event.preventDefault();
}

function works({ where }: Action, target: Element | null): boolean {
  if (where === 'everywhere') return true;
  if (where !== 'page' && !inLaboratory(routeStore.getState())) return false;
  if (where === 'lab-fields') return !inText(target);
  return layoutStore.getState().shortcuts && !inControl(target) && stageStore.getState().mode !== 'play';
}

const CONTROLS =
  'input, select, textarea, button, a, summary, [contenteditable], [role="grid"], [role="separator"], [role="slider"], [role="tab"], [role="application"], [popover]';

function inControl(target: Element | null): boolean {
  return target !== null && target.closest(CONTROLS) !== null;
}

function inText(target: Element | null): boolean {
  return (
    target !== null &&
    target.closest(
      'input:not([type="checkbox"]):not([type="radio"]):not([type="range"]):not([data-settled]), textarea, [contenteditable]',
    ) !== null
  );
}
