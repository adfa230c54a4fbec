/** A stored run that is run again to be compared. Views read and set `asked`; the rest is the client's. */
import { createStore } from 'zustand/vanilla';
import type { Difference, Outcome } from '#contract/run/verify.ts';

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

/** The dialog of verification is to begin with this run. */
export function askVerify(asked: string): void {
  verifyStore.setState({ asked });
}

/** `results`: of the finished seeds, with their stored parameter hashes. */
export function beginVerify(name: string, steps: number, wanted: number, results: readonly Pick<SeedCheck, 'seed' | 'stored'>[]): void {
  const checks = results.map((one): SeedCheck => ({ ...one, state: 'waiting', step: 0, differences: [], note: '' }));
  verifyStore.setState({ name, steps, wanted, going: checks.length > 0, checks });
}

export function changeCheck(seed: number, part: Partial<SeedCheck>): void {
  verifyStore.setState(({ checks }) => ({ checks: checks.map((check) => (check.seed === seed ? { ...check, ...part } : check)) }));
}

/** What has not been compared by then is cancelled. */
export function endVerify(): void {
  verifyStore.setState(({ checks }) => ({
    going: false,
    checks: checks.map((check) => (check.state === 'waiting' || check.state === 'running' ? { ...check, state: 'cancelled' } : check)),
  }));
}
