/**
 * An environment as rules over a kit, for thousands of copies on a graphics device. The environment's own file is the definition; its rules
 * here are held to it number by number (rollouts.test.ts in float64, e2e/rollouts.spec.ts on a device).
 */

import type { JsonObject } from '#contract/kit/json.ts';
import type { Kit } from '../engine/kit.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import type { Row } from './row.ts';

export interface Outcome<F, B> {
  readonly reward: F;
  readonly terminated: B;
  readonly truncated: B;
}

export interface Rules {
  /** Puts a copy into a start state, drawing what the environment draws, in its order. */
  start<F, W, B>(k: Kit<F, W, B>, row: Row<F, W, B>): void;
  /** One step with a discrete action; never starts anew. */
  step<F, W, B>(k: Kit<F, W, B>, row: Row<F, W, B>, action: W): Outcome<F, B>;
  /** Gives every number of the observation: its place and its value. */
  observe<F, W, B>(k: Kit<F, W, B>, row: Row<F, W, B>, see: (place: W | number, value: F | number) => void): void;
}

export interface World {
  /** Of the environment. */
  readonly id: string;
  /** For a complete config; throws LabError('incompatible') where the rules leave something out that this config asks for. */
  rules(config: JsonObject, meta: EnvMeta): Rules;
}
