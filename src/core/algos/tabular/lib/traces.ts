/**
 * Eligibility traces over a table: how much each action of the past is to be credited for what happens now (Sutton and Barto 2018, chapter 12).
 *   e(s,a) += 1 (accumulating) or = 1 (replacing) where it is done,   Q += alpha delta e,   e *= gamma lambda after every step
 */
import { z } from 'zod';
import * as fields from '../../api/fields.ts';
import type { Table } from '../../lib/table.ts';

export type TraceKind = 'accumulating' | 'replacing';

export const traceFields = {
  lambda: fields.real(0.9, {
    min: 0,
    max: 1,
    title: 'trace decay (lambda)',
    description: 'How far back a reward is credited: 0 to the last step only, 1 to all of the episode.',
    source: 'Sutton and Barto 2018, figure 12.10',
    live: true,
    slider: [0, 1],
    group: 'learning',
  }),
  traces: z.enum(['accumulating', 'replacing']).default('replacing').meta({
    title: 'traces',
    description: 'What happens to the credit of an action that is done again: it adds up, or begins anew.',
    source: 'Singh and Sutton 1996',
    depth: 'lab',
    group: 'learning',
  }),
};
export interface TraceConfig {
  readonly lambda: number;
  readonly traces: TraceKind;
}

/** Traces below this are nothing. */
const FORGOTTEN = 1e-10;

/** Credits the TD error of a step that did `cell`, and lets all traces e [S, N] decay by gamma lambda; `forget` empties them afterwards. */
export function traceUpdate(
  table: Table,
  e: Float64Array,
  cell: number,
  delta: number,
  { alpha, decay, kind, forget }: { readonly alpha: number; readonly decay: number; readonly kind: TraceKind; readonly forget: boolean },
): void {
  e[cell] = kind === 'accumulating' ? e[cell]! + 1 : 1;
  for (let i = 0; i < e.length; i++) {
    const trace = e[i]!;
    if (trace === 0) continue;
    table.q[i]! += alpha * delta * trace;
    e[i] = forget || trace * decay < FORGOTTEN ? 0 : trace * decay;
  }
}
