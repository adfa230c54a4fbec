/** What every safe point of a loop offers besides its numbers. */
import type { Saved } from '#contract/run/events.ts';
import type { Policy, Progress } from './types.ts';

export interface SafePointParts {
  /** All of the loop's state (registerState). */
  readonly state: { save(): Saved | Promise<Saved> };
  /** The engine, or what else can hash the learned parameters. */
  readonly engine: { hash(): string | Promise<string> };
  /** Parameters only: enough for policy(). */
  snapshot(): Saved | Promise<Saved>;
  /** The policy on the parameters that learn; made once, when it is first asked for. */
  policy(): Policy | Promise<Policy>;
}

/** Made once before the loop: `yield { step, metrics, ...point }`. */
export function safePoint({ state, engine, snapshot, policy }: SafePointParts): Omit<Progress, 'step' | 'metrics'> {
  let shared: Policy | Promise<Policy> | undefined;
  return { snapshot, save: () => state.save(), policy: () => (shared ??= policy()), hash: () => engine.hash() };
}
