/**
 * Boids: separation, alignment, cohesion (swarms/lib/flock.ts). Places m, velocities m per unit of time; a step: force on all from the old
 * state, v += force * dt, cut to `maxSpeed`, place += v * dt; float64. The square of side `box` about 0 has its opposite edges joined;
 * without a box the plane is open. Learners, the first members, choose their force (ahead, left; -1..1 times the largest force that the
 * rule can give). Obs of a learner in its own frame: speed / maxSpeed, neighbours / 10, sum of their velocities / maxSpeed / 10, sum of
 * their offsets / viewRadius / 10, separation vector * separationRadius / 10, too close / 10. Without learners one agent watches the
 * order. Reward: polarisation (0 to 1), or with `objective` flocking each learner's own: cosine with the mean velocity of its neighbours
 * (0 when alone) - 1 if one is nearer than a third of the separation radius, with weights that are settings. Truncates at `maxSteps`. Central state: polarisation,
 * milling, mean neighbours / 10. Source: Reynolds 1987; order: Couzin et al. 2002.
 */
import { z } from 'zod';
import type { PointsLayout } from '#contract/game/frames.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { atan2 } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows, defineState } from '../api/state.ts';
import { createTerms, weightField } from '../api/terms.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { learnersOf, membersField, number, swarmAgents, swarmFields } from './lib/config.ts';
import { createFlock, KEPT, ruleForce } from './lib/flock.ts';
import { LEARNER_SEES, ruleOfLearners, writeLearner } from './lib/flock-learner.ts';
import { MILLING, ORDER, swarmMeta } from './lib/meta.ts';
import { meanNearest, measureOrder, type Order } from './lib/order.ts';
import { wrapped } from './lib/vicsek.ts';

const OWN = 'own choice; Reynolds 1987 gives none';

const radius = (standard: number, title: string, description: string) =>
  number(standard, { title, unit: 'm', description, source: OWN, live: true, min: 0.01, max: 100, slider: [0.2, 5] });
const weight = (standard: number, title: string, description: string) =>
  number(standard, { title, description, source: OWN, live: true, min: 0, max: 100, slider: [0, 4] });

const config = z.strictObject({
  boids: membersField(200, 'boids', 'Members of the flock.'),
  box: z
    .number()
    .min(1)
    .max(1000)
    .nullable()
    .default(20)
    .meta({
      title: 'box',
      unit: 'm',
      description: 'Side of the square whose opposite edges are one; empty: the open plane.',
      empty: 'open plane',
      source: 'own choice',
      slider: [5, 100],
    }),
  // the three rules, which are the three sliders of the simple depth
  separationWeight: weight(1.5, 'separation', 'Weight of keeping away.'),
  alignmentWeight: weight(1, 'alignment', 'Weight of flying as the neighbours do.'),
  cohesionWeight: weight(1, 'cohesion', 'Weight of staying with the neighbours.'),
  viewRadius: radius(2, 'view radius', 'How far a boid sees.'),
  separationRadius: radius(0.6, 'separation radius', 'Nearer ones are too close.'),
  maxSpeed: number(0.2, {
    title: 'top speed',
    unit: 'm/s',
    description: 'Velocities are cut to it.',
    source: OWN,
    live: true,
    min: 0.001,
    max: 10,
    slider: [0.05, 1],
  }),
  maxForce: number(0.05, {
    title: 'largest force',
    unit: 'm/s²',
    description: 'Of each of the three.',
    source: OWN,
    live: true,
    min: 0.0001,
    max: 10,
    slider: [0.005, 0.3],
  }),
  dt: number(1, {
    title: 'time step',
    unit: 's',
    description: 'Time that one step covers.',
    source: OWN,
    live: true,
    min: 0.01,
    max: 10,
    slider: [0.1, 2],
  }),
  ...swarmFields,
  objective: z.enum(['polarisation', 'flocking']).default('polarisation').meta({
    title: 'reward',
    description: 'What learners are paid: order of the whole flock, or how well each flies with its neighbours.',
    source: 'own choice',
  }),
  alikeWeight: weightField(1, {
    title: 'flying alike',
    description: 'Flocking: paid times the cosine with the mean velocity of the neighbours.',
    slider: [0, 4],
    source: 'own choice',
  }),
  crowdWeight: weightField(1, {
    title: 'too near',
    description: 'Flocking: taken off while one is nearer than a third of the separation radius.',
    slider: [0, 4],
    source: 'own choice',
  }),
});
export type BoidsConfig = z.infer<typeof config>;
type Config = BoidsConfig;

const TERMS: NonNullable<EnvMeta['terms']> = [
  { id: 'alike', title: 'flying alike', weights: ['alikeWeight'] },
  { id: 'crowd', title: 'too near', weights: ['crowdWeight'] },
];
/** Each learner is paid for itself. */
const paidApart = (c: Config): boolean => c.objective === 'flocking' && learnersOf(c, c.boids) > 0;

function layout(c: Config): PointsLayout {
  const learners = learnersOf(c, c.boids);
  const rest = c.boids - learners;
  const half = (c.box ?? 20) / 2;
  return {
    kind: 'points',
    count: c.boids,
    bounds: [-half, -half, half, half],
    names: [],
    groups: [
      ...(learners > 0 ? [{ name: 'learner', count: learners, shape: 'wedge' as const, trail: true }] : []),
      ...(rest > 0 ? [{ name: 'boid', count: rest, shape: 'wedge' as const, trail: true }] : []),
    ],
    extra: ['polarisation', 'milling', 'neighbours', 'nearest in sight'],
    ...(c.box !== null && { periodic: true }),
  };
}

function meta(c: Config): EnvMeta {
  const N = c.boids;
  return swarmMeta({
    id: 'boids',
    agents: swarmAgents(
      learnersOf(c, N),
      'boid',
      {
        obs: { kind: 'box', shape: [LEARNER_SEES.length], low: -1e6, high: 1e6, labels: LEARNER_SEES },
        action: { kind: 'box', size: 2, low: [-1, -1], high: [1, 1], labels: ['ahead', 'left'] },
      },
      ['polarisation', 'milling', 'neighbours'],
    ),
    globalSize: 3,
    maxSteps: c.maxSteps,
    state: defineState(1, [
      { name: 'pos', type: 'f64', shape: [N, 2], unit: 'm', doc: 'place of each boid' },
      { name: 'vel', type: 'f64', shape: [N, 2], unit: 'm/s', doc: 'velocity of each boid' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ]),
    frame: layout(c),
    measures: [ORDER, MILLING],
    ...(paidApart(c) && { terms: TERMS }),
    references: c.objective === 'polarisation' ? [{ name: 'all alike', value: c.maxSteps, source: 'polarisation 1 in every step' }] : [],
    axes: [
      { name: 'brake or go', component: 0, less: ['ArrowDown', 's'], more: ['ArrowUp', 'w'], low: -1, high: 1, rest: 0, stick: 'leftY' },
      { name: 'turn', component: 1, less: ['ArrowRight', 'd'], more: ['ArrowLeft', 'a'], low: -1, high: 1, rest: 0 },
    ],
  });
}

export const boids = defineEnv<Config>({
  spec: {
    id: 'boids',
    version: 1,
    title: 'Boids',
    summary: 'Birds that keep apart, fly alike and stay together: a flock from three rules, or learned.',
    source: {
      title: 'Flocks, herds and schools: a distributed behavioral model',
      authors: 'Reynolds',
      year: 1987,
      url: 'https://doi.org/10.1145/37401.37406',
    },
    config,
    presets: [
      { id: 'standard', title: '200 boids', config: {} },
      { id: 'loose', title: '200 boids, no cohesion', config: { cohesionWeight: 0 } },
      { id: 'large', title: '1,000 boids', config: { boids: 1000, box: 45 } },
      { id: 'ten-thousand', title: '10,000 boids', config: { boids: 10_000, box: 140, maxSteps: 200 } },
      { id: 'some-learn', title: '60 boids, a fifth learns', config: { boids: 60, box: 12, learners: 0.2, objective: 'flocking' } },
      { id: 'all-learn', title: '30 boids, all learn', config: { boids: 30, box: 10, learners: 30, maxSteps: 200 } },
    ],
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const m = meta(c);
    const N = c.boids;
    const learners = learnersOf(c, N);
    const A = m.agentCount;
    const O = m.obsSize;
    const rows = allocateRows(m.state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    let survey = createFlock(N, c.box, c.viewRadius, c.separationRadius);
    const kept = new Float64Array(batch * N * KEPT); // of the state each row is in
    const force = new Float64Array(2);
    const { kept: paid, terms } = createTerms(batch, TERMS.length);
    const strongest = () => (c.separationWeight + c.alignmentWeight + c.cohesionWeight) * c.maxForce;
    let reach = strongest(); // of a learner
    const order: Order = { polarisation: 0, milling: 0, x: 0, y: 0 };
    const unit = (x: number) => Math.min(1, Math.max(-1, x));

    const neighbours = (row: number): number => {
      let sum = 0;
      for (let i = 0; i < N; i++) sum += kept[(row * N + i) * KEPT]!;
      return sum / N;
    };
    const observe = (row: number, out: StepBuffers) => {
      const s = row * floatStride;
      const k = row * N * KEPT;
      survey(floats, s, kept, k);
      measureOrder(N, floats, s, order);
      const crowd = neighbours(row) / 10;
      if (out.state) {
        out.state[row * 3] = order.polarisation;
        out.state[row * 3 + 1] = order.milling;
        out.state[row * 3 + 2] = crowd;
      }
      if (learners === 0) {
        out.obs[row * O] = order.polarisation;
        out.obs[row * O + 1] = order.milling;
        out.obs[row * O + 2] = crowd;
        return;
      }
      for (let i = 0; i < learners; i++) writeLearner(c, floats, s + 2 * N + 2 * i, kept, k + KEPT * i, out.obs, (row * A + i) * O);
    };
    /** Own force of a learner, in the frame of its velocity. */
    const chosen = (vx: number, vy: number, ahead: number, left: number) => {
      const speed = Math.sqrt(vx * vx + vy * vy);
      const x = speed > 0 ? vx / speed : 1;
      const y = speed > 0 ? vy / speed : 0;
      force[0] = reach * (unit(ahead) * x - unit(left) * y);
      force[1] = reach * (unit(ahead) * y + unit(left) * x);
    };
    const fly = (row: number, actions: ArrayLike<number>) => {
      const s = row * floatStride;
      for (let i = 0; i < N; i++) {
        const p = s + 2 * i;
        const v = p + 2 * N;
        let vx = floats[v]!;
        let vy = floats[v + 1]!;
        if (i < learners) chosen(vx, vy, actions[2 * (row * A + i)]!, actions[2 * (row * A + i) + 1]!);
        else ruleForce(c, kept, (row * N + i) * KEPT, vx, vy, force);
        vx += force[0]! * c.dt;
        vy += force[1]! * c.dt;
        const speed = Math.sqrt(vx * vx + vy * vy);
        if (speed > c.maxSpeed) {
          vx = (vx / speed) * c.maxSpeed;
          vy = (vy / speed) * c.maxSpeed;
        }
        floats[v] = vx;
        floats[v + 1] = vy;
        floats[p] = floats[p]! + vx * c.dt;
        floats[p + 1] = floats[p + 1]! + vy * c.dt;
      }
    };
    const fold = (s: number) => {
      if (c.box === null) return;
      for (let k = s; k < s + 2 * N; k++) floats[k] = wrapped(floats[k]! + c.box / 2, c.box) - c.box / 2;
    };
    /** What a learner is paid for how it flies with those it now sees. */
    const company = (row: number, i: number): number => {
      const k = (row * N + i) * KEPT;
      const v = row * floatStride + 2 * N + 2 * i;
      const mx = kept[k + 1]!;
      const my = kept[k + 2]!;
      const vx = floats[v]!;
      const vy = floats[v + 1]!;
      const size = Math.sqrt((mx * mx + my * my) * (vx * vx + vy * vy));
      const least = c.separationRadius / 3;
      const alike = c.alikeWeight * (size > 0 ? (mx * vx + my * vy) / size : 0);
      const near = kept[k]! > 0 && kept[k + 8]! < least * least ? c.crowdWeight : 0;
      paid[row * 2] = paid[row * 2]! + alike;
      paid[row * 2 + 1] = paid[row * 2 + 1]! - near;
      return alike - near;
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * floatStride;
        const side = c.box ?? Math.sqrt(N) * c.separationRadius * 1.5;
        for (let i = 0; i < 2 * N; i++) floats[s + i] = side * (draws.uniform(row, 'place') - 0.5);
        for (let i = 0; i < 2 * N; i++) floats[s + 2 * N + i] = c.maxSpeed * (1.4 * draws.uniform(row, 'velocity') - 0.7);
        words[row * wordStride] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          fly(row, actions);
          fold(row * floatStride);
          observe(row, out);
          if (c.objective === 'polarisation' || learners === 0) out.reward.fill(order.polarisation, row * A, (row + 1) * A);
          else {
            paid.fill(0, row * 2, row * 2 + 2);
            for (let i = 0; i < learners; i++) out.reward[row * A + i] = company(row, i);
          }
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
      configure(next) {
        Object.assign(c, next);
        survey = createFlock(N, c.box, c.viewRadius, c.separationRadius);
        reach = strongest();
        // what the rows are in is seen anew: their next step goes by it
        for (let row = 0; row < batch; row++) survey(floats, row * floatStride, kept, row * N * KEPT);
      },
      loaded: (row) => fold(row * floatStride),
      frame(row, out) {
        const s = row * floatStride;
        measureOrder(N, floats, s, order);
        const [x, y] = c.box === null ? [order.x, order.y] : [0, 0]; // on the open plane the picture goes with the flock
        const size = 0.01 * (c.box ?? 20) * Math.min(1, Math.sqrt(200 / N)) + 0.05;
        let gap = 0;
        for (let i = 0; i < N; i++) {
          const at = 6 * i;
          const vx = floats[s + 2 * N + 2 * i]!;
          const vy = floats[s + 2 * N + 2 * i + 1]!;
          out[at] = floats[s + 2 * i]! - x;
          out[at + 1] = floats[s + 2 * i + 1]! - y;
          out[at + 2] = 0;
          out[at + 3] = vx === 0 && vy === 0 ? 0 : atan2(vy, vx);
          out[at + 4] = size;
          out[at + 5] = i < learners ? 1 : 0;
          gap += Math.sqrt(kept[(row * N + i) * KEPT + 8]!);
        }
        out[6 * N] = order.polarisation;
        out[6 * N + 1] = order.milling;
        out[6 * N + 2] = neighbours(row);
        out[6 * N + 3] = gap / N;
      },
      ...(m.terms !== undefined && { terms }),
      measure(row, out, at) {
        measureOrder(N, floats, row * floatStride, order);
        out[at] = order.polarisation;
        out[at + 1] = order.milling;
      },
      extras(row): JsonObject {
        const s = row * floatStride;
        measureOrder(N, floats, s, order);
        return { polarisation: order.polarisation, milling: order.milling, meanNearestNeighbour: meanNearest(N, floats, s) };
      },
    });
  },
  policies: { rule: ruleOfLearners },
  // the model of the golden file knows no box: where a case names none, the plane is open
  golden: { config: (given) => ({ box: null, ...given }) },
});
