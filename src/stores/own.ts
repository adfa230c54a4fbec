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
