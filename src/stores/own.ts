/** Code that came from elsewhere, and is to be looked at before it runs. */
import { createStore } from 'zustand/vanilla';

export interface AskedCode {
  readonly id: string;
  readonly code: string;
  /** The link that carried it and is opened when the code may run; null: it came with a file or a stored run. */
  readonly hash: string | null;
}

export const ownStore = createStore<{
  /** null: none is asked about. */
  readonly asked: AskedCode | null;
}>(() => ({ asked: null }));
