/** A stored run that is run again to be compared. Views read and set `asked`; the rest is the client's. */
import { createStore } from 'zustand/vanilla';
import type { Difference, Outcome } from '#contract/verify.ts';

export interface SeedCheck {
  readonly seed: number;
  readonly state: 'waiting' | 'running' | 'cancelled' | Outcome;
  /** Environment steps done again. */
  readonly step: number;
  /** Parameter hash, as it was stored. */
  readonly stored: string;
  /** All that is not the same: hash, numbers of the result, rows of curves. */
  readonly differences: readonly Difference[];
  /** Why it could not be verified, or is held within a tolerance only; "" otherwise. */
  readonly note: string;
}

export interface VerifyState {
  /** Run that a person asked for; its dialog starts with it. */
  readonly asked: string | null;
  readonly name: string;
  /** Steps of one seed. */
  readonly steps: number;
  /** Seeds that its config asks for. */
  readonly wanted: number;
  readonly checks: readonly SeedCheck[];
  readonly going: boolean;
}

export const verifyStore = createStore<VerifyState>(() => ({ asked: null, name: '', steps: 0, wanted: 0, checks: [], going: false }));
