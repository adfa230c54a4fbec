// @vitest-environment happy-dom
/** Keys do what their actions say, and only where they may. */
import { beforeEach, expect, test, vi } from 'vitest';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { routeStore } from '#stores/route.ts';
import { stageStore } from '#stores/stage.ts';
import { ACTIONS } from '../actions.ts';
import { startKeys } from './keys.ts';

vi.mock('#client/runs/service.ts', () => ({ runs: {} }));
vi.mock('#client/stage/service.ts', () => ({ stage: {}, game: {} }));
vi.mock('#client/files/service.ts', () => ({ files: {} }));
startKeys();

function press(key: string, more: KeyboardEventInit = {}, target: EventTarget = document.body): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event.defaultPrevented;
}

beforeEach(() => {
  document.body.replaceChildren();
  layoutStore.setState({ dialog: 'none', shortcuts: true });
  stageStore.setState({ camera: 'home', mode: 'live' });
  routeStore.setState({ route: null });
});

test('no two actions share a name or a key', () => {
  expect(new Set(ACTIONS.map(({ name }) => name)).size).toBe(ACTIONS.length);
  const keys = ACTIONS.flatMap(({ key }) => (key === undefined ? [] : [JSON.stringify([key.code, key.ctrl, key.shift])]));
  expect(new Set(keys).size).toBe(keys.length);
});

test('keys of the laboratory do nothing on another page, others do', () => {
  routeStore.setState({ route: { page: 'papers', id: null, query: {} } });
  expect(press('2')).toBe(false);
  expect(press('z', { ctrlKey: true })).toBe(false);
  expect(press('k', { ctrlKey: true }, document.body.appendChild(document.createElement('input')))).toBe(true);
  expect(layoutStore.getState().dialog).toBe('commands');
});

test('a key performs its action, not while a control has the focus, a dialog is open or single keys are off', () => {
  expect(press('2')).toBe(true);
  expect(stageStore.getState().camera).toBe('top');
  const button = document.body.appendChild(document.createElement('button'));
  expect(press('3', {}, button)).toBe(false);
  layoutStore.setState({ shortcuts: false });
  expect(press('3')).toBe(false);
  layoutStore.setState({ shortcuts: true, dialog: 'help' });
  expect(press('3')).toBe(false);
  expect(stageStore.getState().camera).toBe('top');
});

test('keys typed in an editor inside a shadow tree are text', () => {
  const host = document.body.appendChild(document.createElement('div'));
  const editor = document.createElement('div');
  editor.setAttribute('contenteditable', 'true');
  host.attachShadow({ mode: 'open' }).append(editor);
  for (const [key, ctrlKey] of [
    ['m', false],
    ['?', false],
    ['z', true],
  ] as const) {
    // As browsers show it to a listener outside: the host is the target, the path begins inside. happy-dom does not retarget.
    const event = new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true });
    event.composedPath = () => [editor, host, document.body, document];
    host.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
  }
  expect(layoutStore.getState().dialog).toBe('none');
});

test('undo and redo work beside buttons but not in text fields that are being typed in, and differ by Shift', () => {
  const undo = vi.fn();
  const redo = vi.fn();
  draftStore.setState({ undo, redo });
  const button = document.body.appendChild(document.createElement('button'));
  const field = document.body.appendChild(document.createElement('input'));
  expect(press('z', { ctrlKey: true }, field)).toBe(false);
  field.dataset.settled = '';
  expect(press('z', { ctrlKey: true }, button)).toBe(true);
  expect(press('z', { ctrlKey: true }, field)).toBe(true); // nothing is being typed there
  expect([undo.mock.calls.length, redo.mock.calls.length]).toEqual([2, 0]);
  press('Z', { ctrlKey: true, shiftKey: true });
  press('y', { metaKey: true });
  expect([undo.mock.calls.length, redo.mock.calls.length]).toEqual([2, 2]);
});
