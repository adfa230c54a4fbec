/**
 * Test-only environments that each need one ability of a learner (after the "probe" environments of Andy Jones, "Debugging RL").
 * A learner that fails one of them has a bug that a benchmark would hide; each is solved within a few thousand steps.
 */
import { z } from 'zod';
import type { ActionSpace, ObsSpace } from '#contract/spaces.ts';
import { defineEnv } from '../envs/define.ts';
import { assemble } from '../envs/environment.ts';
import { allocateRows, defineState } from '../envs/state.ts';
import type { EnvEntry, EnvMeta, StepBuffers } from '../envs/types.ts';
import type { Rng } from '../math/rng.ts';

/** One row's state: where it is and what it was shown. */
interface Probe {
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
  readonly maxSteps: number; // the clock: truncates
  readonly masked?: boolean;
  readonly agents?: number; // each sees and is rewarded for itself
  start(rng: Rng): number; // cue
  observe(cue: number, t: number, out: Float32Array, agent: number): void;
  step(cue: number, t: number, action: number, agent: number): { readonly reward: number; readonly terminated: boolean };
  legal?(cue: number): readonly number[];
}

const state = defineState(1, [
  { name: 'cue', type: 'u32', shape: [], doc: 'what this episode shows' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps so far' },
]);

function probe(id: string, p: Probe, evalMaxSteps = p.maxSteps): EnvEntry {
  const width = p.obs.kind === 'discrete' ? p.obs.n : p.obs.shape.reduce((a, b) => a * b, 1);
  const agents = p.agents ?? 1;
  const actionCount = p.action.kind === 'discrete' ? p.action.n : 0;
  const meta: EnvMeta = {
    id,
    version: 1,
    agents: [{ count: agents, names: Array.from({ length: agents }, (_, i) => `agent ${i}`), obs: p.obs, action: p.action }],
    agentCount: agents,
    obsSize: width,
    actionSize: 1,
    actionCount,
    rewards: ['reward'],
    costs: [],
    goalSize: 0,
    globalSize: 0,
    masked: p.masked === true,
    score: 'mean',
    gamma: 0.9,
    maxSteps: p.maxSteps,
    evalMaxSteps,
    state,
    frame: { kind: 'points', count: 0, bounds: [0, 0, 1, 1], names: [] },
    references: [],
    keys: [],
    idleAction: null,
    fps: 10,
  };
  return defineEnv({
    spec: {
      id,
      version: 1,
      title: id,
      summary: 'A probe.',
      source: { title: 'Debugging RL, Without the Agonizing Pain', authors: 'Jones', year: 2021 },
      config: z.strictObject({}),
      presets: [],
      meta: () => meta,
    },
    create(_, batch) {
      const rows = allocateRows(state, batch);
      const { words, wordStride } = rows;
      const cue = rows.offset('cue');
      const steps = rows.offset('steps');
      const look = (row: number, { obs, mask }: StepBuffers): void => {
        const shown = words[row * wordStride + cue]!;
        for (let i = row * agents; i < (row + 1) * agents; i++) {
          p.observe(shown, words[row * wordStride + steps]!, obs.subarray(i * width, (i + 1) * width), i % agents);
        }
        if (mask !== undefined) for (let a = 0; a < actionCount; a++) mask[row * actionCount + a] = p.legal?.(shown)[a] ?? 1;
      };
      return assemble(meta, batch, rows, {
        start(row) {
          words[row * wordStride + cue] = p.start(rows.rng[row] as Rng);
          words[row * wordStride + steps] = 0;
        },
        step(actions, out) {
          for (let row = 0; row < batch; row++) {
            const at = row * wordStride;
            for (let i = row * agents; i < (row + 1) * agents; i++) {
              const { reward, terminated } = p.step(words[at + cue]!, words[at + steps]!, actions[i]!, i % agents);
              out.reward[i] = reward;
              out.terminated[row] = terminated ? 1 : 0;
            }
            words[at + steps]!++;
            out.truncated[row] = words[at + steps]! >= p.maxSteps ? 1 : 0;
            look(row, out);
          }
        },
        observe: look,
        frame: () => {},
      });
    },
  });
}

const two: ActionSpace = { kind: 'discrete', n: 2, labels: ['a', 'b'] };
const flag: ObsSpace = { kind: 'box', shape: [1], low: -1, high: 1 };

/** One action is right, always: 1 or 0, one step. */
export const bandit = probe('probe-bandit', {
  obs: flag,
  action: two,
  maxSteps: 1,
  start: () => 0,
  observe: (_, __, out) => out.fill(1),
  step: (_, __, action) => ({ reward: action === 1 ? 1 : 0, terminated: true }),
});

/** The right action is the one that is shown. */
export const cued = probe('probe-cued', {
  obs: flag,
  action: two,
  maxSteps: 1,
  start: (rng) => rng.int(2),
  observe: (cue, _, out) => out.fill(cue === 1 ? 1 : -1),
  step: (cue, _, action) => ({ reward: action === cue ? 1 : -1, terminated: true }),
});

/** The same over numbered states, for tables. */
export const cuedTable = probe('probe-cued-table', {
  obs: { kind: 'discrete', n: 3 },
  action: two,
  maxSteps: 1,
  start: (rng) => rng.int(3),
  observe(cue, _, out) {
    out.fill(0);
    out[cue] = 1;
  },
  step: (cue, _, action) => ({ reward: action === cue % 2 ? 1 : 0, terminated: true }),
});

/** Two steps; the first action decides, the reward comes at the end: needs a discount that works. */
export const delayed = probe('probe-delayed', {
  obs: { kind: 'discrete', n: 3 },
  action: two,
  maxSteps: 3,
  start: () => 0,
  observe(_, t, out) {
    out.fill(0);
    out[Math.min(t, 2)] = 1;
  },
  // Action 1 at the start goes on to the reward; action 0 takes a small one at once.
  step: (_, t, action) => (t === 0 && action === 0 ? { reward: 0.2, terminated: true } : { reward: t === 1 ? 1 : 0, terminated: t === 1 }),
});

/** Nothing to decide, reward 1 per step, the clock ends after 5: with bootstrapping the value is 1 / (1 - gamma) everywhere. */
export const endless = probe('probe-endless', {
  obs: flag,
  action: two,
  maxSteps: 5,
  start: () => 0,
  observe: (_, __, out) => out.fill(1),
  step: () => ({ reward: 1, terminated: false }),
});

/** Four actions of which the cue forbids two; the best legal one pays 1. A forbidden one would pay 10. */
export const masked = probe('probe-masked', {
  obs: flag,
  action: { kind: 'discrete', n: 4, labels: ['a', 'b', 'c', 'd'] },
  maxSteps: 1,
  masked: true,
  start: (rng) => rng.int(2),
  observe: (cue, _, out) => out.fill(cue === 1 ? 1 : -1),
  legal: (cue) => (cue === 1 ? [1, 1, 0, 0] : [0, 0, 1, 1]),
  step: (cue, _, action) => {
    const allowed = cue === 1 ? action < 2 : action >= 2;
    return { reward: allowed ? action % 2 : 10, terminated: true };
  },
});

/** A continuous action that should equal the cue: reward 1 - (a - cue / 2)^2. */
export const pointing = probe('probe-pointing', {
  obs: flag,
  action: { kind: 'box', size: 1, low: [-2], high: [2], labels: ['x'] },
  maxSteps: 1,
  start: (rng) => rng.int(2),
  observe: (cue, _, out) => out.fill(cue === 1 ? 1 : -1),
  step(cue, _, action) {
    const miss = action - (cue === 1 ? 0.5 : -0.5);
    return { reward: 1 - miss * miss, terminated: true };
  },
});

/** Three agents, each shown its own bit of the cue and paid for repeating it. */
export const team = probe('probe-team', {
  obs: flag,
  action: two,
  maxSteps: 1,
  agents: 3,
  start: (rng) => rng.int(8),
  observe: (cue, _, out, agent) => out.fill(((cue >> agent) & 1) === 1 ? 1 : -1),
  step: (cue, _, action, agent) => ({ reward: action === ((cue >> agent) & 1) ? 1 : 0, terminated: true }),
});

/** Rewards that are no number: what a broken environment does. */
export const broken = probe('probe-broken', {
  obs: flag,
  action: two,
  maxSteps: 10,
  start: () => 0,
  observe: (_, __, out) => out.fill(1),
  step: () => ({ reward: Number.NaN, terminated: false }),
});
