/**
 * R-max (Brafman and Tennenholtz 2002): explores by believing that whatever it has not tried often enough is as good as anything can be. A
 * pair of state and action is known after `knownAfter` tries; its model is what came of those. With every pair that becomes known it plans
 * anew.
 *   Q(s,a) = rMax / (1 - gamma) while (s,a) is unknown, else the mean over its tries of r + gamma (1 - terminated) max_b Q(s',b)
 * It always takes the best action: where that one is unknown, this is exploring. Ties go to the lowest action.
 * Pseudo-code:
 *   Q(s,a) = rMax / (1 - gamma), n(s,a) = 0 for all pairs
 *   repeat until the budget is spent
 *     a = argmax_b Q(s,b) over the legal actions b
 *     take a, observe r and s'
 *     if n(s,a) < knownAfter
 *       append (r, s', whether s' is terminal) to the tries of (s,a), n(s,a) += 1
 *       if n(s,a) = knownAfter: plan anew
 *         sweep until no value changes by more than 1e-6, at most 2,000 times
 *           for each known pair
 *             Q(s,a) = mean over its tries of r + gamma (1 - terminated) max_b Q(s',b)
 *     s = s';   after a termination or a time limit: s = first state of a new episode
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import {
  createTable,
  greedyAction,
  greedyValue,
  outcomeOf,
  saveTable,
  stateOf,
  stepsPerRow,
  type Table,
  tableHash,
  tablePolicy,
  tablePolicyFrom,
} from '../lib/table.ts';

const source = 'Brafman and Tennenholtz 2002';
const config = z.strictObject({
  gamma: fields.gamma(0.95, source, { min: 0, max: 0.9999, live: false, slider: [0.5, 0.999] }),
  knownAfter: fields.integer(5, {
    min: 1,
    max: 1000,
    title: 'known after',
    unit: 'tries',
    description: 'So often an action is tried in a state before its outcome counts as known; 1 is enough where nothing is random.',
    source,
    log: true,
    slider: [1, 100],
  }),
  rMax: fields.real(1, {
    min: -1e6,
    max: 1e6,
    title: 'largest reward',
    description:
      'Reward that every unknown action is assumed to pay at each step. Below the true largest reward it may stop exploring too early.',
    source,
  }),
});
type Config = z.infer<typeof config>;

/** Most numbers of remembered outcomes: 5,000 pairs with 1,000 tries each, say. */
const MOST = 5_000_000;
const TOLERANCE = 1e-6;
const MAX_SWEEPS = 2000;

/** Value of a pair that is not known: the largest reward for ever. */
export const optimisticValue = (rMax: number, gamma: number): number => rMax / (1 - gamma);

/** Outcomes of the first tries of every pair: `size` of them are remembered. */
interface Tries {
  readonly size: number;
  readonly counts: Int32Array; // [S * N]
  readonly reward: Float64Array; // [S * N, size]
  readonly next: Int32Array; // [S * N, size], -1: a termination
}

/** Sweeps over the known pairs until nothing changes by more than 1e-6; answers the number of sweeps. */
function plan(table: Table, tries: Tries, gamma: number, maskOf: (state: number) => Uint8Array | undefined): number {
  const value = Float64Array.from({ length: table.states }, (_, s) => greedyValue(table, s, maskOf(s)));
  for (let sweep = 1; sweep <= MAX_SWEEPS; sweep++) {
    let largest = 0;
    for (let s = 0; s < table.states; s++) {
      for (let pair = s * table.actions; pair < (s + 1) * table.actions; pair++) {
        if (tries.counts[pair]! < tries.size) continue;
        let sum = 0;
        for (let k = pair * tries.size; k < (pair + 1) * tries.size; k++) {
          const next = tries.next[k]!;
          sum += tries.reward[k]! + (next < 0 ? 0 : gamma * value[next]!);
        }
        const q = sum / tries.size;
        largest = Math.max(largest, Math.abs(q - table.q[pair]!));
        table.q[pair] = q;
      }
      value[s] = greedyValue(table, s, maskOf(s));
    }
    if (largest <= TOLERANCE) return sweep;
  }
  return MAX_SWEEPS;
}

export const rMax = defineAlgo<Config>({
  spec: {
    id: 'r-max',
    version: 1,
    title: 'R-max',
    summary: 'Values pairs visited fewer than m times at the largest return, so they are explored.',
    source: {
      title: 'R-MAX: A General Polynomial Time Algorithm for Near-Optimal Reinforcement Learning',
      authors: 'Brafman and Tennenholtz',
      year: 2002,
      url: 'https://www.jmlr.org/papers/v3/brafman02a.html',
    },
    config,
    presets: [
      { id: 'deterministic', title: 'Nothing is random: one try is enough', config: { knownAfter: 1, rMax: 0 } },
      { id: 'frozen-lake', title: 'Slippery frozen lake', config: { gamma: 0.99, knownAfter: 100 } },
    ],
    action: 'discrete',
    learner: 'table',
    agents: 'one',
    trial: { env: 'frozen-lake', steps: 4000 },
    probes: [
      { on: ['cuedTable'], steps: 2000 },
      { on: ['delayed'], steps: 4000 },
    ],
    probeConfig: { gamma: 0.9, knownAfter: 3 },
    metrics: [
      ...episodeMetrics,
      { id: 'known', title: 'known pairs', description: 'Pairs of state and action that were tried often enough.' },
      { id: 'sweeps', title: 'sweeps', description: 'Passes over the known pairs when it last planned.' },
    ],
  },

  async *train(run, resume) {
    const c = run.config;
    const env = run.makeEnv(1);
    const { buffers } = env;
    const table = createTable(run.meta, optimisticValue(c.rMax, c.gamma));
    const pairs = table.q.length;
    if (pairs * c.knownAfter > MOST)
      throw fail(
        'config-invalid',
        `${pairs} pairs of state and action with ${c.knownAfter} tries each are more than R-max remembers here.`,
        `Allowed: at most ${Math.max(1, Math.floor(MOST / pairs))}.`,
        'algo.knownAfter',
      );
    const tries: Tries = {
      size: c.knownAfter,
      counts: new Int32Array(pairs),
      reward: new Float64Array(pairs * c.knownAfter),
      next: new Int32Array(pairs * c.knownAfter),
    };
    const legal = new Uint8Array(pairs).fill(1);
    const masked = run.meta.masked;
    const maskOf = (s: number) => (masked ? legal.subarray(s * table.actions, (s + 1) * table.actions) : undefined);
    const state = registerState({
      counters: { step: 0, known: 0, sweeps: 0 },
      parts: { env },
      arrays: { q: table.q, counts: tries.counts, reward: tries.reward, next: tries.next, legal },
    });
    const { counters } = state;
    const point = safePoint({
      state,
      engine: { hash: () => tableHash(table) },
      snapshot: () => saveTable(table, 0),
      policy: () => tablePolicy(table, () => 0),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);
    const action = new Int32Array(1);
    const every = stepsPerRow(run.steps);
    while (counters.step < run.steps) {
      for (let k = 0; k < every && counters.step < run.steps; k++, counters.step++) {
        const s = stateOf(buffers.obs, table.states);
        if (buffers.mask !== undefined) legal.set(buffers.mask.subarray(0, table.actions), s * table.actions);
        action[0] = greedyAction(table, s, buffers.mask);
        const pair = s * table.actions + action[0]!;
        env.step(action);
        const count = tries.counts[pair]!;
        if (count >= tries.size) continue;
        const { terminated, next } = outcomeOf(buffers, table.states);
        tries.reward[pair * tries.size + count] = buffers.reward[0]!;
        tries.next[pair * tries.size + count] = terminated ? -1 : next;
        tries.counts[pair] = count + 1;
        if (count + 1 < tries.size) continue;
        counters.known++;
        counters.sweeps = plan(table, tries, c.gamma, maskOf);
      }
      const { step, known, sweeps } = counters;
      yield { step, metrics: { ...episodeRow(env), known, sweeps }, ...point };
    }
  },

  policy: async (_, saved) => tablePolicyFrom(saved),
});
