/** Code that came from elsewhere, and is to be looked at before it runs. */
import { createStore } from 'zustand/vanilla';

export interface AskedCode {
  readonly id: string;
  readonly code: string;
  /** Opens what carried it once more, when the code may run; null: the set-up has it already. */
  readonly again: (() => Promise<unknown>) | null;
}

export const ownStore = createStore<{
  /** null: none is asked about. */
  readonly asked: AskedCode | null;
  /** May run, and what carried it is being opened: the set-up behind it is still the one before. */
  readonly opening: AskedCode | null;
}>(() => ({ asked: null, opening: null }));

/** The code is to be looked at before it runs; the set-up has it already. */
export function askAboutCode(id: string, code: string): void {
  ownStore.setState({ asked: { id, code, again: null } });
}

/** `again` opens what carried the code that is asked about, when it may run. false: none is asked about. */
export function openAfterAsking(again: () => Promise<unknown>): boolean {
  const { asked } = ownStore.getState();
  if (asked !== null) ownStore.setState({ asked: { ...asked, again } });
  return asked !== null;
}

/** The code may run, and what carried it is being opened. Returns the function that ends this. */
export function openAsked(asked: AskedCode): () => void {
  ownStore.setState({ asked: null, opening: asked });
  return () => {
    if (ownStore.getState().opening === asked) ownStore.setState({ opening: null });
  };
}

/** The question is put away; the code does not run, unless that was allowed before. */
export function dismissCode(): void {
  ownStore.setState({ asked: null, opening: null });
}
