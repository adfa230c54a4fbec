/**
 * Which rows of a rollout are learned from where agents may die, time-major: rows of dead agents move neither policy nor value, and an agent's
 * own episode ends with its death, unless the environment's agents come back (its value is then learned on, as in collect.ts).
 */
import type { Shape } from '#core/engine/types.ts';
import { gatherRows } from '#math/rows.ts';
import type { VectorEnv } from '../../../envs/api/vector-env.ts';

export interface Living {
  readonly policyMask: Float32Array; // [T, rows] 1 where the agent was alive when it acted
  readonly valueMask: Float32Array; // [T, rows] 1 where its value is learned
  /** Before the environments step. */
  before(): void;
  /** After it: masks of the rows from `at` on; `terminated` [T, rows] becomes 1 where an agent died. */
  after(at: number, terminated: Uint8Array, truncated: Uint8Array): void;
}

/** null where there is one agent: its episode ends with it. */
export function createLiving({ buffers, meta, batch }: VectorEnv, steps: number): Living | null {
  const { alive } = buffers;
  if (alive === undefined) return null;
  const rows = batch * meta.agentCount;
  const now = new Uint8Array(rows);
  const [policyMask, valueMask] = [new Float32Array(steps * rows), new Float32Array(steps * rows)];
  const returns = meta.agentsReturn === true;
  return {
    policyMask,
    valueMask,
    before: () => now.set(alive),
    after(at, terminated, truncated) {
      for (let row = 0; row < rows; row++) {
        policyMask[at + row] = now[row]!;
        valueMask[at + row] = returns ? 1 : now[row]!;
        const over = terminated[at + row]! | truncated[at + row]!;
        if (!returns && over === 0 && now[row] === 1 && alive[row] === 0) terminated[at + row] = 1;
      }
    },
  };
}

/** The masks that a learning program takes, of the rows order[from ..] of a rollout; nothing where there is one agent. */
export function gatherMasks(
  living: Pick<Living, 'policyMask' | 'valueMask'> | null,
  order: Int32Array,
  from: number,
  size: number,
  feed: { readonly policyMask?: Float32Array | undefined; readonly valueMask?: Float32Array | undefined },
): void {
  if (living === null) return;
  if (feed.policyMask !== undefined) gatherRows(order, from, size, living.policyMask, 1, feed.policyMask);
  if (feed.valueMask !== undefined) gatherRows(order, from, size, living.valueMask, 1, feed.valueMask);
}

/** Inputs of a learning program over `rows` rows. */
export const livingInputs = (rows: number, many: boolean) =>
  ({ policyMask: many ? [rows] : null, valueMask: many ? [rows] : null }) as const satisfies { readonly [name: string]: Shape | null };
