/** The grid of this page: what is trained where, and what each policy gets where it is tested. Views read; only the client changes it. */
import { createStore } from 'zustand/vanilla';
import type { Tested, Transfer } from '#contract/catalog/transfer.ts';
import type { RunConfig } from '#contract/run/config.ts';

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

/** A grid in place of the one before. `tested`: what was tested in an earlier visit. */
export function openTransfer(plan: Transfer, config: RunConfig, tested: readonly Tested[] = []): void {
  const whole = tested.length >= plan.train.length * plan.test.length * config.run.seeds;
  transferStore.setState({ plan, config, tested, steps: 0, state: whole ? 'done' : 'stopped' });
}

export function transferRuns(): void {
  transferStore.setState({ state: 'running', message: '' });
}

/** Environment steps done so far. */
export function transferTrained(steps: number): void {
  transferStore.setState({ steps });
}

export function transferTested(one: Tested): void {
  transferStore.setState(({ tested }) => ({ tested: [...tested, one] }));
}

/** What was tested stays. `message`: why it failed. */
export function transferEnded(state: 'done' | 'stopped' | 'failed', message = ''): void {
  transferStore.setState({ state, message });
}
