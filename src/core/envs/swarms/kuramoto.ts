/**
 * Coupled oscillators: dphase_i/dt = omega_i + (K / N) sum_j sin(phase_j - phase_i), by the mean field K r sin(psi - phase_i), which is
 * the same sum in O(N). Phases in rad, not wrapped, omega in rad/s, `dt` s a step, Euler or Runge-Kutta 4; float64. Learners, the first
 * members, push themselves by their action (-1..1, times `strength` rad/s) instead of feeling the others; the push is held for the step.
 * Obs of a learner: cos and sin of the mean phase as seen from its own, order r, its omega. Without learners one agent watches r and
 * the mean phase. Reward: order r (0 to 1). Truncates at `maxSteps`. Central state: r, cos, sin of the mean phase.
 * Source: Kuramoto 1975; critical coupling: Strogatz 2000.
 */
import { z } from 'zod';
import type { PointsLayout } from '#contract/game/frames.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { atan2, cos, sin, tan } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, ScriptedPolicy, StepBuffers } from '../api/types.ts';
import { learnersOf, membersField, number, swarmAgents, swarmFields } from './lib/config.ts';
import { ORDER, swarmMeta } from './lib/meta.ts';

const SOURCE = 'Strogatz 2000';

const config = z.strictObject({
  oscillators: membersField(100, 'oscillators', 'Members of the population.'),
  coupling: number(2, {
    title: 'coupling',
    unit: 'rad/s',
    description: 'How strongly they pull each other.',
    source: SOURCE,
    live: true,
    min: 0,
    max: 100,
    slider: [0, 5],
  }),
  dt: number(0.05, {
    title: 'time step',
    unit: 's',
    description: 'Time that one step covers.',
    source: 'own choice',
    live: true,
    min: 0.001,
    max: 1,
    slider: [0.01, 0.2],
  }),
  integrator: z
    .enum(['euler', 'rk4'])
    .default('rk4')
    .meta({ title: 'integrator', description: 'Euler, or Runge and Kutta of fourth order.' }),
  frequencies: z
    .enum(['normal', 'lorentz', 'uniform'])
    .default('normal')
    .meta({ title: 'natural frequencies', description: 'How they are drawn at the start of an episode.', source: SOURCE }),
  width: number(1, {
    title: 'spread of frequencies',
    unit: 'rad/s',
    description: 'Deviation (normal), half width (Lorentz) or half range (uniform).',
    source: SOURCE,
    min: 0,
    max: 10,
    slider: [0, 3],
  }),
  ...swarmFields,
  strength: number(3, {
    title: 'control strength',
    unit: 'rad/s',
    description: 'At a full action.',
    source: 'own choice',
    live: true,
    min: 0,
    max: 100,
    slider: [0, 10],
  }),
});
type Config = z.infer<typeof config>;

const SEES = ['cos to mean', 'sin to mean', 'order', 'own frequency'];

/** Coupling above which order arises in an endless population. */
function critical(c: Config): number {
  if (c.frequencies === 'lorentz') return 2 * c.width;
  return c.frequencies === 'uniform' ? (4 * c.width) / Math.PI : c.width * Math.sqrt(8 / Math.PI);
}

/** Every oscillator is a point on the unit circle. */
function layout(c: Config): PointsLayout {
  const learners = learnersOf(c, c.oscillators);
  const rest = c.oscillators - learners;
  return {
    kind: 'points',
    count: c.oscillators + 1,
    bounds: [-1.25, -1.25, 1.25, 1.25],
    names: [],
    groups: [
      ...(learners > 0 ? [{ name: 'learner', count: learners, shape: 'disc' as const }] : []),
      ...(rest > 0 ? [{ name: 'oscillator', count: rest, shape: 'disc' as const }] : []),
      { name: 'mean field', count: 1, shape: 'ball' },
    ],
    lines: 1,
    extra: ['order', 'mean phase', 'critical coupling'],
    ground: 'phases',
  };
}

function meta(c: Config): EnvMeta {
  const learners = learnersOf(c, c.oscillators);
  const N = c.oscillators;
  return swarmMeta({
    id: 'kuramoto',
    agents: swarmAgents(
      learners,
      'oscillator',
      {
        obs: { kind: 'box', shape: [SEES.length], low: -1e6, high: 1e6, labels: SEES },
        action: { kind: 'box', size: 1, low: [-1], high: [1], labels: ['push'] },
      },
      ['order', 'cos of mean phase', 'sin of mean phase'],
    ),
    globalSize: 3,
    maxSteps: c.maxSteps,
    state: defineState(1, [
      { name: 'phase', type: 'f64', shape: [N], unit: 'rad', doc: 'phase of each oscillator, not wrapped' },
      { name: 'omega', type: 'f64', shape: [N], unit: 'rad/s', doc: 'own frequency of each' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ]),
    frame: layout(c),
    measures: [ORDER],
    references: [{ name: 'all in step', value: c.maxSteps, source: 'order 1 in every step' }],
    axes: [{ name: 'push', component: 0, less: ['ArrowLeft', 'a'], more: ['ArrowRight', 'd'], low: -1, high: 1, rest: 0, stick: 'leftX' }],
  });
}

/** Pushes as the mean field would pull: the rule, as far as the strength reaches. */
function follow(c: Config): ScriptedPolicy {
  return {
    act({ meta: m, batch }, { obs }, out) {
      if (m.actionSize === 0) return;
      for (let i = 0; i < batch * m.agentCount; i++) {
        const at = i * m.obsSize;
        const pull = c.strength === 0 ? 0 : (c.coupling * obs[at + 2]! * obs[at + 1]!) / c.strength;
        out[i] = Math.min(1, Math.max(-1, pull));
      }
    },
  };
}

export const kuramoto = defineEnv<Config>({
  spec: {
    id: 'kuramoto',
    version: 1,
    title: 'Kuramoto oscillators',
    summary: 'Oscillators of different speed fall into step once they are coupled strongly enough.',
    source: { title: 'Self-entrainment of a population of coupled non-linear oscillators', authors: 'Kuramoto', year: 1975 },
    config,
    presets: [
      { id: 'above-threshold', title: 'coupling 2, in step', config: {} },
      { id: 'below-threshold', title: 'coupling 1, out of step', config: { coupling: 1 } },
      { id: 'lorentz', title: 'Lorentz frequencies', config: { frequencies: 'lorentz', width: 0.5 } },
      { id: 'ten-thousand', title: '10,000 oscillators', config: { oscillators: 10_000, maxSteps: 200 } },
      { id: 'some-learn', title: 'coupling 1, a fifth learns', config: { coupling: 1, learners: 0.2 } },
      { id: 'all-learn', title: '50 oscillators, all learn', config: { oscillators: 50, learners: 50, maxSteps: 200 } },
    ],
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const m = meta(c);
    const N = c.oscillators;
    const learners = learnersOf(c, N);
    const A = m.agentCount;
    const O = m.obsSize;
    const rows = allocateRows(m.state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const push = new Float64Array(N); // rad/s, of the learners
    const stage = Array.from({ length: 4 }, () => new Float64Array(N)); // slopes
    const trial = new Float64Array(N);
    const cosOf = new Float64Array(N); // of the phases that the mean field was last taken of
    const sinOf = new Float64Array(N);
    const mean = { x: 0, y: 0, length: 0 };

    const meanField = (phase: Float64Array, at: number) => {
      let x = 0;
      let y = 0;
      for (let i = 0; i < N; i++) {
        const p = phase[at + i]!;
        cosOf[i] = cos(p);
        sinOf[i] = sin(p);
        x += cosOf[i]!;
        y += sinOf[i]!;
      }
      mean.x = x / N;
      mean.y = y / N;
      mean.length = Math.sqrt(mean.x * mean.x + mean.y * mean.y);
    };
    /** Speeds at the phases from `at`. r sin(psi - phase) = y cos(phase) - x sin(phase). */
    const slope = (phase: Float64Array, at: number, s: number, out: Float64Array) => {
      meanField(phase, at);
      const { x, y } = mean;
      for (let i = 0; i < N; i++) {
        const pull = i < learners ? push[i]! : c.coupling * (y * cosOf[i]! - x * sinOf[i]!);
        out[i] = floats[s + N + i]! + pull;
      }
    };
    const advance = (s: number) => {
      const [k1, k2, k3, k4] = stage as [Float64Array, Float64Array, Float64Array, Float64Array];
      slope(floats, s, s, k1);
      if (c.integrator === 'euler') {
        for (let i = 0; i < N; i++) floats[s + i] = floats[s + i]! + c.dt * k1[i]!;
        return;
      }
      for (let i = 0; i < N; i++) trial[i] = floats[s + i]! + (c.dt / 2) * k1[i]!;
      slope(trial, 0, s, k2);
      for (let i = 0; i < N; i++) trial[i] = floats[s + i]! + (c.dt / 2) * k2[i]!;
      slope(trial, 0, s, k3);
      for (let i = 0; i < N; i++) trial[i] = floats[s + i]! + c.dt * k3[i]!;
      slope(trial, 0, s, k4);
      for (let i = 0; i < N; i++) floats[s + i] = floats[s + i]! + (c.dt / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!);
    };
    const frequency = (row: number): number => {
      if (c.frequencies === 'normal') return c.width * draws.normal(row, 'frequency');
      const u = draws.uniform(row, 'frequency');
      return c.frequencies === 'uniform' ? c.width * (2 * u - 1) : c.width * tan(Math.PI * (0.998 * u - 0.499)); // tails cut at 318 widths
    };
    const observe = (row: number, out: StepBuffers) => {
      const s = row * floatStride;
      meanField(floats, s);
      if (out.state) {
        out.state[row * 3] = mean.length;
        out.state[row * 3 + 1] = mean.x;
        out.state[row * 3 + 2] = mean.y;
      }
      if (learners === 0) {
        out.obs[row * O] = mean.length;
        out.obs[row * O + 1] = mean.x;
        out.obs[row * O + 2] = mean.y;
        return;
      }
      const far = mean.length > 0 ? 1 / mean.length : 0;
      for (let i = 0; i < learners; i++) {
        const at = (row * A + i) * O;
        const x = cosOf[i]!;
        const y = sinOf[i]!;
        out.obs[at] = far * (mean.x * x + mean.y * y);
        out.obs[at + 1] = far * (mean.y * x - mean.x * y);
        out.obs[at + 2] = mean.length;
        out.obs[at + 3] = floats[s + N + i]!;
      }
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * floatStride;
        for (let i = 0; i < N; i++) floats[s + i] = Math.PI * (2 * draws.uniform(row, 'phase') - 1);
        for (let i = 0; i < N; i++) floats[s + N + i] = frequency(row);
        words[row * wordStride] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          for (let i = 0; i < learners; i++) push[i] = c.strength * Math.min(1, Math.max(-1, actions[row * A + i]!));
          advance(row * floatStride);
          observe(row, out);
          out.reward.fill(mean.length, row * A, (row + 1) * A);
          const steps = words[row * wordStride]! + 1;
          words[row * wordStride] = steps;
          out.terminated[row] = 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
        }
      },
      observe(row, out) {
        out.alive?.fill(1, row * A, (row + 1) * A);
        observe(row, out);
      },
      configure: (next) => void Object.assign(c, next),
      frame(row, out) {
        const s = row * floatStride;
        meanField(floats, s);
        const size = Math.max(0.012, 0.04 * Math.min(1, Math.sqrt(100 / N)));
        for (let i = 0; i < N; i++) {
          const at = 6 * i;
          out[at] = cosOf[i]!;
          out[at + 1] = sinOf[i]!;
          out[at + 2] = 0;
          out[at + 3] = 0;
          out[at + 4] = size;
          out[at + 5] = i < learners ? 1 : 0;
        }
        out.set([mean.x, mean.y, 0, 0, 0.06, 3], 6 * N);
        out.set([0, 0, mean.x, mean.y, 3, 1], 6 * N + 6);
        out.set([mean.length, atan2(mean.y, mean.x), critical(c)], 6 * N + 12);
      },
      measure(row, out, at) {
        meanField(floats, row * floatStride);
        out[at] = mean.length;
      },
      extras(row): JsonObject {
        meanField(floats, row * floatStride);
        return { order: mean.length, meanPhase: atan2(mean.y, mean.x) };
      },
    });
  },
  policies: { rule: follow },
});
