/**
 * Action values in a table [S, N] over the numbered states of a discrete observation (one-hot rows), and the policies that read it.
 * Ties go to the lowest action, as in the reference numbers.
 */
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { savedNumber } from '#core/state/checkpoint.ts';
import { hashBytes } from '#math/hash.ts';
import type { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import type { EnvMeta, StepBuffers } from '../../envs/api/types.ts';
import type { Policy } from '../api/types.ts';

export interface Table {
  readonly states: number; // S
  readonly actions: number; // N
  readonly q: Float64Array; // [S, N]
}

export function createTable(meta: EnvMeta, initial = 0): Table {
  return { states: meta.obsSize, actions: meta.actionCount, q: new Float64Array(meta.obsSize * meta.actionCount).fill(initial) };
}

/** Environment steps between two safe points: some 2,000 rows a run, never more often than every 50. */
export function stepsPerRow(steps: number): number {
  return Math.max(50, Math.ceil(steps / 2000));
}

/** The state a one-hot row stands for. */
export function stateOf(obs: Float32Array, states: number, row = 0): number {
  for (let s = 0; s < states; s++) if (obs[row * states + s] !== 0) return s;
  return 0;
}

/** What the last step of one environment led to. */
export interface Outcome {
  readonly terminated: boolean;
  /** Terminated or truncated. */
  readonly ended: boolean;
  /** The state that was reached: where an episode ended its own last one, not the first of the next. */
  readonly next: number;
  /** Actions that are legal there; undefined: all. */
  readonly nextMask: Uint8Array | undefined;
}

export function outcomeOf(buffers: StepBuffers, states: number): Outcome {
  const terminated = buffers.terminated[0] !== 0;
  const ended = terminated || buffers.truncated[0] !== 0;
  const next = stateOf(ended ? buffers.finalObs : buffers.obs, states);
  return { terminated, ended, next, nextMask: ended ? buffers.finalMask : buffers.mask };
}

/** Best action of a state; with a mask among the legal ones. */
export function greedyAction(table: Table, state: number, mask?: Uint8Array): number {
  return argmax(table.q, state * table.actions, table.actions, mask);
}

export function epsilonGreedy(table: Table, state: number, epsilon: number, rng: Rng, mask?: Uint8Array): number {
  return rng.uniform() < epsilon ? randomAction(rng, table.actions, mask) : greedyAction(table, state, mask);
}

/** Value of a state under the greedy policy. */
export function greedyValue(table: Table, state: number, mask?: Uint8Array): number {
  return table.q[state * table.actions + greedyAction(table, state, mask)]!;
}

export function saveTable(table: Table, epsilon: number): Saved {
  return { meta: { states: table.states, actions: table.actions, epsilon }, arrays: { q: table.q.slice() } };
}

/** Reads the table as it is, without a copy: `epsilon` is what it explores with when not greedy. */
export function tablePolicy(table: Table, epsilon: () => number): Policy {
  const none = new Float32Array(0);
  return {
    initial: () => none,
    act({ obs, rows, rng, greedy, mask }) {
      const { states, actions: n } = table;
      const actions = new Int32Array(rows);
      const q = new Float32Array(rows * n);
      const value = new Float32Array(rows);
      for (let row = 0; row < rows; row++) {
        const state = stateOf(obs, states, row);
        const legal = mask?.subarray(row * n, (row + 1) * n);
        actions[row] = greedy ? greedyAction(table, state, legal) : epsilonGreedy(table, state, epsilon(), rng, legal);
        for (let a = 0; a < n; a++) q[row * n + a] = table.q[state * n + a]!;
        value[row] = greedyValue(table, state, legal);
      }
      return { actions, hidden: none, q, value };
    },
    dispose() {},
  };
}

/** The policy of a snapshot. Throws LabError('file-invalid') if it holds no table. */
export function tablePolicyFrom(saved: Saved): Policy {
  const [states, actions, epsilon] = [savedNumber(saved, 'states'), savedNumber(saved, 'actions'), savedNumber(saved, 'epsilon')];
  const { q } = saved.arrays;
  if (!(q instanceof Float64Array) || q.length !== states * actions)
    throw fail('file-invalid', 'This policy is no whole table of action values.', 'Save it again.');
  return tablePolicy({ states, actions, q: q.slice() }, () => epsilon);
}

export function tableHash(table: Table): string {
  return hashBytes(table.q);
}
