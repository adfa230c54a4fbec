/** One thing that a person can do. Its button, its key and the list of keys in the help read the same object. */
export interface Action {
  readonly name: string;
  /** What it does, as the help and its button say. */
  readonly label: string;
  readonly key: Key;
  /** Where the key works: `page`: while no control has the focus and single keys are on; `fields`: everywhere but in text fields. */
  readonly where: 'page' | 'fields';
  perform(): void;
}

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

/** What a button needs of an action. */
export const pressable = ({ label, key, perform }: Action) => ({ label, hotkey: key.shown, onClick: (): void => perform() });
