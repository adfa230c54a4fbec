/**
 * What Dyna remembers of the world: for every pair of state and action that was tried, what came of it the last time, in the order in which the
 * pairs were first tried (Sutton and Barto 2018, section 8.2: a deterministic model), and which actions were legal in each state that was seen.
 */
import type { StateLayout } from '#core/state/checkpoint.ts';
import type { Table } from '../../lib/table.ts';
import { qUpdate } from '../q-learning.ts';

export class WorldMemory {
  readonly reward: Float64Array; // [S * N]
  readonly next: Int32Array; // [S * N]
  readonly ended: Uint8Array; // [S * N] 1: a termination
  readonly order: Int32Array; // [S * N] pairs as they were first tried
  readonly counters = { known: 0 };
  private readonly tried: Uint8Array; // [S * N]
  private readonly legal: Uint8Array; // [S, N]
  private readonly table: Table;
  private readonly masked: boolean;

  constructor(table: Table, masked: boolean) {
    const pairs = table.states * table.actions;
    this.table = table;
    this.masked = masked;
    this.reward = new Float64Array(pairs);
    this.next = new Int32Array(pairs);
    this.ended = new Uint8Array(pairs);
    this.order = new Int32Array(pairs);
    this.tried = new Uint8Array(pairs);
    this.legal = new Uint8Array(pairs).fill(1);
  }

  get layout(): StateLayout {
    const { reward, next, ended, order, tried, legal } = this;
    return { counters: this.counters, arrays: { modelReward: reward, modelNext: next, modelEnded: ended, order, tried, legal } };
  }

  /** `mask` [N]: legal actions of `next`. */
  learn(s: number, a: number, r: number, next: number, terminated: boolean, mask?: Uint8Array): void {
    const pair = s * this.table.actions + a;
    if (this.tried[pair] === 0) {
      this.tried[pair] = 1;
      this.order[this.counters.known++] = pair;
    }
    this.reward[pair] = r;
    this.next[pair] = next;
    this.ended[pair] = terminated ? 1 : 0;
    if (mask !== undefined) this.legal.set(mask.subarray(0, this.table.actions), next * this.table.actions);
  }

  maskOf(state: number): Uint8Array | undefined {
    return this.masked ? this.legal.subarray(state * this.table.actions, (state + 1) * this.table.actions) : undefined;
  }

  /** A step of Q-learning in the mind; answers the TD error. */
  replay(pair: number, alpha: number, gamma: number): number {
    const { actions } = this.table;
    const next = this.next[pair]!;
    const s = Math.floor(pair / actions);
    return qUpdate(this.table, s, pair % actions, this.reward[pair]!, next, this.ended[pair] === 1, alpha, gamma, this.maskOf(next));
  }
}
