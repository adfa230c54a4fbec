/**
 * Scenario `alarm`: agents on a small world choose each step to be normal (0) or radical (1). A is the share of radicals. A radical
 * gets benefit - punishment * logistic(steepness (A(t - delay) - threshold)), a normal agent 0; before the start A is what it was at
 * the start. Obs of numbers: the share whose alarm was in force in the last step, A(t - 1 - delay); its punishment; the share of
 * radicals among the neighbours in the last step; the own last choice. In bins: (bin of that share) * 2 + own last choice.
 * The same law as a delayed replicator equation runs beside it (replicator.ts). Runaway: A was above 0.9 at some step of the last fifth.
 * Never ends; truncates at `maxSteps`. Central state: A now, lagged A, x of the equation, then every choice.
 */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { NetworkLayout } from '#contract/game/frames.ts';
import type { ObsSpace } from '#contract/game/spaces.ts';
import { checkCell } from '#core/envs/api/checks.ts';
import { Draws } from '#core/envs/api/draws.ts';
import { assemble } from '#core/envs/api/environment.ts';
import { allocateRows, defineState } from '#core/envs/api/state.ts';
import type { DrawSource, Environment, EnvMeta, ScriptedPolicy, StepBuffers } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { type Config, sizeOf } from './config.ts';
import { smallWorld } from './network.ts';
import { advantage, heun, logistic, restPoint, SUBSTEPS } from './replicator.ts';

const NUMBERS = 4;
const GLOBALS = 3; // before the choices
const RUNAWAY = 0.9;
/** The part of an episode, at its end, in which a runaway counts. */
const LATE = 1 / 5;
/** Chance per step that a reactive agent looks at the alarm again. */
const REVISION = 0.25;

function stateOf(c: Config) {
  const n = sizeOf(c);
  return defineState(1, [
    {
      name: 'shares',
      type: 'f64',
      shape: [c.delay + 1],
      doc: 'A of the last delay + 1 steps in a ring: step t stands at t modulo its length',
    },
    {
      name: 'equation',
      type: 'f64',
      shape: [c.delay * SUBSTEPS + 1],
      doc: 'x of the replicator equation, tenths of a step, a ring likewise',
    },
    { name: 'latePeak', type: 'f64', shape: [], doc: 'largest A in the last fifth of the episode so far' },
    { name: 'lateSum', type: 'f64', shape: [], doc: 'sum of A over those steps' },
    { name: 'choices', type: 'u32', shape: [n], doc: 'last choice of each agent: 0 normal, 1 radical' },
    { name: 'edges', type: 'u32', shape: [n, c.neighbours / 2], doc: 'far ends of the edges that begin at each agent' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
  ]);
}

const MEASURES: readonly MetricCard[] = [
  {
    id: 'runaway',
    title: 'runaways',
    description: `Share of the last 100 episodes in which more than ${100 * RUNAWAY} % were radical at some step of the last fifth.`,
  },
  { id: 'lateShare', title: 'late radicals', description: 'Mean share of radicals in the last fifth; mean of the last 100 episodes.' },
];

const EXTRA = ['share of radicals', 'share the alarm sees', 'replicator equation'] as const;

function layoutOf(n: number, half: number): NetworkLayout {
  return {
    kind: 'network',
    nodes: n,
    links: n * half,
    states: [
      { name: 'normal', colour: 'blue' },
      { name: 'radical', colour: 'orange' },
    ],
    linkKinds: [{ name: 'neighbours', colour: 'grey' }],
    extra: EXTRA,
  };
}

export function alarmMeta(c: Config): EnvMeta {
  const n = sizeOf(c);
  const obs: ObsSpace =
    c.bins === null
      ? { kind: 'box', shape: [NUMBERS], low: 0, high: 1, labels: ['lagged share', 'alarm', 'radical neighbours', 'own choice'] }
      : { kind: 'discrete', n: 2 * c.bins };
  const early = Math.min(c.delay, c.maxSteps); // steps in which the alarm still sees the start
  const random = (early * advantage(c, c.initialShare) + (c.maxSteps - early) * advantage(c, 0.5)) / 2;
  return {
    id: 'population-dilemma',
    version: 1,
    agents: [
      {
        count: n,
        names: Array.from({ length: n }, (_, i) => `agent ${i + 1}`),
        obs,
        action: { kind: 'discrete', n: 2, labels: ['normal', 'radical'] },
      },
    ],
    agentCount: n,
    obsSize: c.bins === null ? NUMBERS : 2 * c.bins,
    actionSize: 1,
    actionCount: 2,
    rewards: ['reward'],
    costs: [],
    globalSize: GLOBALS + n,
    masked: false,
    score: 'mean',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame: layoutOf(n, c.neighbours / 2),
    references: [
      { name: 'random', value: random, source: 'half of the population radical, without its noise' },
      { name: 'rest point', value: 0, source: 'where being radical pays nothing, as being normal does' },
      { name: 'all normal', value: 0, source: 'exact, per agent, policy "always-cooperate": a normal agent neither gains nor pays' },
      {
        name: 'all radical',
        value: early * advantage(c, c.initialShare) + (c.maxSteps - early) * advantage(c, 1),
        source:
          'per agent, policy "always-defect": exact once the alarm, which lags, sees them all; before, without the noise of the start',
      },
    ],
    keys: [],
    idleAction: null,
    fps: 20,
    measures: MEASURES,
  };
}

export function createAlarm(c: Config, batch: number, script?: DrawSource): Environment {
  const n = sizeOf(c);
  const half = c.neighbours / 2;
  const state = stateOf(c);
  const rows = allocateRows(state, batch);
  const { floats, floatStride, words, wordStride } = rows;
  const draws = new Draws(rows.rng, script);
  const meta = alarmMeta(c);
  const O = meta.obsSize;
  const ring = c.delay + 1;
  const lag = c.delay * SUBSTEPS;
  const EQUATION = ring;
  const PEAK = ring + lag + 1;
  const SUM = PEAK + 1;
  const EDGES = n;
  const STEPS = n + n * half;
  const lateFrom = c.maxSteps - Math.floor(c.maxSteps * LATE); // steps after this one are late
  const degree = new Int32Array(n);
  const radical = new Int32Array(n);
  const share = (s: number) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += words[s + i]!;
    return sum / n;
  };
  /** A(t - back), back 0..delay, t the last step done. */
  const past = (row: number, back: number) => {
    const t = words[row * wordStride + STEPS]!;
    return floats[row * floatStride + ((t - back + ring) % ring)]!;
  };
  const equation = (row: number) => {
    const t = words[row * wordStride + STEPS]!;
    return floats[row * floatStride + EQUATION + ((t * SUBSTEPS) % (lag + 1))]!;
  };
  const observe = (row: number, out: StepBuffers) => {
    const s = row * wordStride;
    const lagged = past(row, c.delay);
    const alarm = logistic(c.steepness * (lagged - c.threshold));
    if (c.bins === null) {
      degree.fill(0);
      radical.fill(0);
      for (let i = 0; i < n; i++)
        for (let k = 0; k < half; k++) {
          const j = words[s + EDGES + i * half + k]!;
          degree[i]!++;
          degree[j]!++;
          radical[i]! += words[s + j]!;
          radical[j]! += words[s + i]!;
        }
    }
    for (let i = 0; i < n; i++) {
      const at = (row * n + i) * O;
      const own = words[s + i]!;
      if (c.bins === null) {
        out.obs[at] = lagged;
        out.obs[at + 1] = alarm;
        out.obs[at + 2] = radical[i]! / Math.max(1, degree[i]!);
        out.obs[at + 3] = own;
      } else {
        out.obs.fill(0, at, at + O);
        out.obs[at + 2 * Math.min(c.bins - 1, Math.floor(lagged * c.bins)) + own] = 1;
      }
      if (out.alive) out.alive[row * n + i] = 1;
    }
    if (!out.state) return;
    const g = row * (GLOBALS + n);
    out.state[g] = past(row, 0);
    out.state[g + 1] = lagged;
    out.state[g + 2] = equation(row);
    for (let i = 0; i < n; i++) out.state[g + GLOBALS + i] = words[s + i]!;
  };
  return assemble(meta, batch, rows, {
    start(row) {
      const s = row * wordStride;
      const f = row * floatStride;
      smallWorld(draws, row, words, s + EDGES, n, half, c.rewiring);
      for (let i = 0; i < n; i++) words[s + i] = draws.uniform(row, 'radical at the start') < c.initialShare ? 1 : 0;
      words[s + STEPS] = 0;
      floats.fill(share(s), f, f + ring);
      floats.fill(c.initialShare, f + EQUATION, f + EQUATION + lag + 1);
      floats[f + PEAK] = 0;
      floats[f + SUM] = 0;
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        const s = row * wordStride;
        const f = row * floatStride;
        const t = words[s + STEPS]! + 1;
        for (let i = 0; i < n; i++) words[s + i] = actions[row * n + i]!;
        words[s + STEPS] = t;
        const now = share(s);
        floats[f + (t % ring)] = now;
        const gain = advantage(c, past(row, c.delay));
        for (let i = 0; i < n; i++) out.reward[row * n + i] = words[s + i] === 1 ? gain : 0;
        let at = ((t - 1) * SUBSTEPS) % (lag + 1);
        for (let i = 0; i < SUBSTEPS; i++) at = heun(c, floats, f + EQUATION, lag, at, 1 / SUBSTEPS);
        if (t > lateFrom) {
          floats[f + PEAK] = Math.max(floats[f + PEAK]!, now);
          floats[f + SUM] = floats[f + SUM]! + now;
        }
        out.terminated[row] = 0;
        out.truncated[row] = t >= c.maxSteps ? 1 : 0;
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      const s = row * wordStride;
      for (let i = 0; i < n; i++) checkCell(words[s + i]!, 2, 'choices');
      for (let i = 0; i < n * half; i++) checkCell(words[s + EDGES + i]!, n, 'edges');
    },
    frame(row, out) {
      const s = row * wordStride;
      let at = 0;
      for (let i = 0; i < n; i++) {
        const own = words[s + i]!;
        out[at++] = own;
        out[at++] = own; // radicals stand out
      }
      for (let i = 0; i < n * half; i++) {
        out[at++] = Math.floor(i / half);
        out[at++] = words[s + EDGES + i]!;
        out[at++] = 0;
      }
      out[at++] = past(row, 0);
      out[at++] = past(row, c.delay);
      out[at] = equation(row);
    },
    measure(row, out, at) {
      const f = row * floatStride;
      const late = words[row * wordStride + STEPS]! - lateFrom;
      out[at] = late > 0 ? Number(floats[f + PEAK]! > RUNAWAY) : Number.NaN;
      out[at + 1] = late > 0 ? floats[f + SUM]! / late : Number.NaN;
    },
    extras(row) {
      const t = words[row * wordStride + STEPS]!;
      const f = row * floatStride;
      const late = Math.max(0, t - lateFrom);
      const latePeak = floats[f + PEAK]!;
      return {
        share: past(row, 0),
        lagged: past(row, c.delay),
        equation: equation(row),
        lateMean: late === 0 ? 0 : floats[f + SUM]! / late,
        latePeak,
        runaway: latePeak > RUNAWAY,
      };
    },
  });
}

/** Every agent plays the same action, always. */
function constant(choice: number): ScriptedPolicy {
  return { act: (env, _buffers, out) => void out.fill(choice, 0, env.batch * env.meta.agentCount) };
}

/** Radical with the chance of the rest point, whatever the alarm says. */
function fixed(c: Config): ScriptedPolicy {
  const rest = restPoint(c);
  const chance = Number.isNaN(rest) ? (c.benefit >= c.punishment ? 1 : 0) : rest;
  const rng = Rng.from(0).split('fixed');
  return {
    act(env, _buffers, out) {
      for (let slot = 0; slot < env.batch * env.meta.agentCount; slot++) out[slot] = rng.uniform() < chance ? 1 : 0;
    },
  };
}

/** Radical exactly when the punishment it sees is below the benefit; looks again with chance 1/4 per step, else stays as it is. */
function reactive(c: Config): ScriptedPolicy {
  const rng = Rng.from(0).split('reactive');
  return {
    act(env, { obs }, out) {
      const O = env.meta.obsSize;
      for (let slot = 0; slot < env.batch * env.meta.agentCount; slot++) {
        let lagged = obs[slot * O]!;
        let own = obs[slot * O + 3]!;
        if (c.bins !== null) {
          const code = obs.subarray(slot * O, (slot + 1) * O).indexOf(1);
          lagged = ((code >> 1) + 0.5) / c.bins;
          own = code & 1;
        }
        if (rng.uniform() < REVISION) own = advantage(c, lagged) > 0 ? 1 : 0;
        out[slot] = own;
      }
    },
  };
}

export const alarmPolicies = {
  'always-cooperate': () => constant(0),
  'always-defect': () => constant(1),
  fixed,
  reactive,
} as const;
