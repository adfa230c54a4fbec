/** The grid of this page: what is trained where, and what each policy gets where it is tested. Views read; only the client changes it. */
import { createStore } from 'zustand/vanilla';
import type { RunConfig } from '#contract/config.ts';
import type { Tested, Transfer } from '#contract/transfer.ts';

export interface TransferState {
  readonly plan: Transfer | null;
  /** Complete, as the plan's config has it: the field at its own value. */
  readonly config: RunConfig | null;
  readonly tested: readonly Tested[];
  /** stopped: by a person, or by a reload. */
  readonly state: 'empty' | 'running' | 'stopped' | 'done' | 'failed';
  /** Why it failed. */
  readonly message: string;
  /** Environment steps done by the rows that train now or are over. */
  readonly steps: number;
}

export const transferStore = createStore<TransferState>(() => ({
  plan: null,
  config: null,
  tested: [],
  state: 'empty',
  message: '',
  steps: 0,
}));
