import { t } from '#text/text.ts';
/** One thing that a person can do. Its button, its key, the command box and the list of keys in the help read the same object. */
export interface Action {
  readonly name: string;
  /** Effect of the action, as the help and its button say. */
  readonly label: string;
  /** Missing: it has none, and is found in menus and the command box. */
  readonly key?: Key;
  readonly where: Where;
  perform(): void;
}

/**
 * Where the key works. `lab`: in the laboratory, while no control has the focus and single keys are on; `lab-fields`: there, everywhere but in text
 * fields; `page`: on every page, as `lab`; `everywhere`: in text fields too.
 */
export type Where = 'lab' | 'lab-fields' | 'page' | 'everywhere';

export interface Key {
  /** The key in words, parts joined by a space: 'Ctrl Shift Z'. */
  readonly shown: string;
  /** `KeyboardEvent.key`, in lower case where Ctrl is held. */
  readonly code: string;
  /** Ctrl, or Command on a Mac, is held. */
  readonly ctrl?: boolean;
  /** Whether Shift is held too; without Ctrl the code says it. */
  readonly shift?: boolean;
}

export function isPressed({ code, ctrl = false, shift = false }: Key, event: KeyboardEvent): boolean {
  if (!ctrl) return !event.ctrlKey && !event.metaKey && event.key === code;
  return (event.ctrlKey || event.metaKey) && event.shiftKey === shift && event.key.toLowerCase() === code;
}

/** Where a key was pressed: inside a shadow tree too, of which `target` names only the host to a listener outside. */
export function pressedIn(event: KeyboardEvent): Element | null {
  const [first] = event.composedPath();
  return first instanceof Element ? first : null;
}

/** What a button needs of an action. */
export const pressable = ({ label, key, perform }: Action) => ({ label: t(label), hotkey: key?.shown, onClick: (): void => perform() });
