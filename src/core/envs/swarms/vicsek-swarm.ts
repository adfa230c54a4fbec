/**
 * Self-propelled particles that align with their neighbours (Vicsek model, forward update; swarms/lib/vicsek.ts). Places in m, angles in rad,
 * one step is one unit of time; float64. Noise: uniform in [-eta/2, eta/2] on every new angle. Learners, the first members, turn by
 * their action (-1..1, times `maxTurn`) instead of aligning. Obs of a learner, in its own frame (ahead, to the left): mean unit vector
 * of its neighbours (itself included), share of neighbours against an even spread, mean offset of their places / radius. Without
 * learners one agent without actions observes order and mean direction. Reward: order parameter (0 to 1), or with `objective` neighbours the cosine between
 * the new angle and the neighbours' mean direction. Truncates at `maxSteps`. Central state: order, cos, sin of the mean direction.
 * Source: Vicsek, Czirok, Ben-Jacob, Cohen, Shochet 1995.
 */
import { z } from 'zod';
import type { PointsLayout } from '#contract/game/frames.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { atan2, cos, sin } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { DrawSource, EnvMeta, ScriptedPolicy, StepBuffers } from '../api/types.ts';
import { learnersOf, membersField, number, swarmAgents, swarmFields } from './lib/config.ts';
import { ORDER, swarmMeta } from './lib/meta.ts';
import { createVicsek, KEPT, meanAngle, meanHeading, wrapped } from './lib/vicsek.ts';

const VICSEK = 'Vicsek et al. 1995';

const config = z.strictObject({
  particles: membersField(300, 'particles', 'Members of the swarm.'),
  box: number(7, {
    title: 'box',
    unit: 'm',
    description: 'Side of the square; its opposite edges are one.',
    source: VICSEK,
    min: 0.01,
    max: 1000,
    slider: [3, 40],
  }),
  radius: number(1, {
    title: 'radius',
    unit: 'm',
    description: 'How far a member sees.',
    source: VICSEK,
    live: true,
    min: 0.01,
    max: 100,
    slider: [0.2, 3],
  }),
  speed: number(0.03, {
    title: 'speed',
    unit: 'm per step',
    description: 'How far a member moves.',
    source: VICSEK,
    live: true,
    min: 0,
    max: 10,
    slider: [0, 0.3],
  }),
  eta: number(2, {
    title: 'noise',
    unit: 'rad',
    description: 'Width of the noise on every new angle.',
    source: VICSEK,
    live: true,
    min: 0,
    max: 2 * Math.PI,
  }),
  ...swarmFields,
  objective: z.enum(['order', 'neighbours']).default('order').meta({
    title: 'reward',
    description: 'What learners are paid: order of the whole swarm, or agreement with their neighbours.',
    source: 'own choice',
  }),
  maxTurn: number(Math.PI, {
    title: 'largest turn',
    unit: 'rad',
    description: 'Turn of a learner at a full action.',
    source: 'own choice',
    live: true,
    min: 0.01,
    max: Math.PI,
  }),
});
export type VicsekConfig = z.infer<typeof config>;
type Config = VicsekConfig;

const SEES = ['mean ahead', 'mean left', 'crowd', 'centre ahead', 'centre left'];

function layout(c: Config): PointsLayout {
  const learners = learnersOf(c, c.particles);
  const rest = c.particles - learners;
  return {
    kind: 'points',
    count: c.particles,
    bounds: [0, 0, c.box, c.box],
    names: [],
    groups: [
      ...(learners > 0 ? [{ name: 'learner', count: learners, shape: 'wedge' as const, trail: true }] : []),
      ...(rest > 0 ? [{ name: 'particle', count: rest, shape: 'wedge' as const, trail: true }] : []),
    ],
    extra: ['order', 'mean direction', 'neighbours'],
    periodic: true,
  };
}

function meta(c: Config): EnvMeta {
  const learners = learnersOf(c, c.particles);
  const noisy = 1 / Math.sqrt(c.particles);
  return swarmMeta({
    id: 'vicsek-swarm',
    agents: swarmAgents(
      learners,
      'particle',
      {
        obs: { kind: 'box', shape: [SEES.length], low: -1e6, high: 1e6, labels: SEES },
        action: { kind: 'box', size: 1, low: [-1], high: [1], labels: ['turn'] },
      },
      ['order', 'mean cos', 'mean sin'],
    ),
    globalSize: 3,
    maxSteps: c.maxSteps,
    state: defineState(1, [
      { name: 'pos', type: 'f64', shape: [c.particles, 2], unit: 'm', doc: 'place of each member, from 0 to the side of the box' },
      { name: 'theta', type: 'f64', shape: [c.particles], unit: 'rad', doc: 'angle of each member' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ]),
    frame: layout(c),
    measures: [ORDER],
    references:
      c.objective === 'order'
        ? [
            { name: 'no order', value: noisy * c.maxSteps, source: 'about 1/sqrt(N) per step for independent angles' },
            { name: 'all alike', value: c.maxSteps, source: 'order 1 in every step' },
          ]
        : [],
    axes: [{ name: 'turn', component: 0, less: ['ArrowRight', 'd'], more: ['ArrowLeft', 'a'], low: -1, high: 1, rest: 0 }],
  });
}

/** Golden draws: { noise: [per step, the angle added to each member] }. What is not listed is drawn. */
function listedNoise(draws: { readonly [key: string]: Json }): DrawSource {
  const left = ((draws.noise ?? []) as readonly (readonly number[])[]).flat();
  return { uniform: (_row, name) => (name === 'noise angle' ? left.shift() : undefined), int: () => undefined };
}

/** Aligns as the rule does: turns to the mean direction of the neighbours. */
function align(c: Config): ScriptedPolicy {
  return {
    act({ meta: m, batch }, { obs }, out) {
      if (m.actionSize === 0) return;
      for (let i = 0; i < batch * m.agentCount; i++) {
        const at = i * m.obsSize;
        out[i] = Math.min(1, Math.max(-1, atan2(obs[at + 1]!, obs[at]!) / c.maxTurn));
      }
    },
  };
}

export const vicsekSwarm = defineEnv<Config>({
  spec: {
    id: 'vicsek-swarm',
    version: 1,
    title: 'Vicsek swarm',
    summary: 'Particles that steer like their neighbours: order arises from noise, or is learned.',
    source: {
      title: 'Novel type of phase transition in a system of self-driven particles',
      authors: 'Vicsek et al.',
      year: 1995,
      url: 'https://doi.org/10.1103/PhysRevLett.75.1226',
    },
    config,
    presets: [
      { id: 'low-noise', title: '300 particles, some noise', config: {} },
      { id: 'disorder', title: '300 particles, strong noise', config: { eta: 5 } },
      { id: 'dense', title: '1,000 particles, dense', config: { particles: 1000, eta: 3 } },
      { id: 'ten-thousand', title: '10,000 particles', config: { particles: 10_000, box: 40, eta: 1.5, maxSteps: 200 } },
      { id: 'some-learn', title: '100 particles, a fifth learns', config: { particles: 100, box: 5, learners: 0.2 } },
      { id: 'all-learn', title: '50 particles, all learn', config: { particles: 50, box: 5, eta: 0.5, learners: 50, maxSteps: 200 } },
    ],
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const m = meta(c);
    const N = c.particles;
    const learners = learnersOf(c, N);
    const A = m.agentCount;
    const O = m.obsSize;
    const rows = allocateRows(m.state, batch);
    const { floats, words, floatStride, wordStride, rng } = rows;
    const script = options?.draws;
    let swarm = createVicsek(N, c.box, c.radius, learners > 0);
    const kept = new Float64Array(batch * N * KEPT); // of the state each row is in
    const heading = new Float64Array(batch * N * 2); // unit vectors, likewise
    const order = { x: 0, y: 0, length: 0 };
    const crowdOf = (radius: number) => Math.max(1, (N * Math.PI * radius * radius) / (c.box * c.box));
    let even = crowdOf(c.radius);
    const drawn = (row: number): number => script?.uniform(row, 'noise angle') ?? c.eta * (rng[row]!.uniform() - 0.5);

    const observe = (row: number, out: StepBuffers) => {
      const s = row * floatStride;
      const k = row * N * KEPT;
      const h = row * N * 2;
      swarm.survey(floats, s, heading, h, kept, k);
      meanHeading(N, heading, h, order);
      if (out.state) {
        out.state[row * 3] = order.length;
        out.state[row * 3 + 1] = order.x;
        out.state[row * 3 + 2] = order.y;
      }
      if (learners === 0) {
        out.obs[row * O] = order.length;
        out.obs[row * O + 1] = order.x;
        out.obs[row * O + 2] = order.y;
        return;
      }
      for (let i = 0; i < learners; i++) {
        const at = (row * A + i) * O;
        const from = k + KEPT * i;
        const count = kept[from + 2]!;
        const x = heading[h + 2 * i]!;
        const y = heading[h + 2 * i + 1]!;
        const part = 1 / count;
        const far = part / c.radius;
        out.obs[at] = part * (kept[from]! * x + kept[from + 1]! * y);
        out.obs[at + 1] = part * (kept[from + 1]! * x - kept[from]! * y);
        out.obs[at + 2] = count / even;
        out.obs[at + 3] = far * (kept[from + 3]! * x + kept[from + 4]! * y);
        out.obs[at + 4] = far * (kept[from + 4]! * x - kept[from + 3]! * y);
      }
    };
    /** Unit vectors of a row that came from outside. */
    const point = (row: number) => {
      for (let i = 0; i < N; i++) {
        const angle = floats[row * floatStride + 2 * N + i]!;
        heading[2 * (row * N + i)] = cos(angle);
        heading[2 * (row * N + i) + 1] = sin(angle);
      }
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * floatStride;
        const uniform = () => rng[row]!.uniform();
        for (let i = 0; i < 2 * N; i++) floats[s + i] = c.box * uniform();
        for (let i = 0; i < N; i++) floats[s + 2 * N + i] = Math.PI * (2 * uniform() - 1);
        words[row * wordStride] = 0;
        point(row);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * floatStride;
          const k = row * N * KEPT;
          const h = row * N * 2;
          for (let i = 0; i < N; i++) {
            const to = meanAngle(kept, k + KEPT * i);
            const turned = i < learners ? floats[s + 2 * N + i]! + c.maxTurn * Math.min(1, Math.max(-1, actions[row * A + i]!)) : to;
            const angle = turned + drawn(row);
            floats[s + 2 * N + i] = angle;
            const x = cos(angle);
            const y = sin(angle);
            heading[h + 2 * i] = x;
            heading[h + 2 * i + 1] = y;
            floats[s + 2 * i] = wrapped(floats[s + 2 * i]! + c.speed * x, c.box);
            floats[s + 2 * i + 1] = wrapped(floats[s + 2 * i + 1]! + c.speed * y, c.box);
            if (c.objective === 'neighbours' && i < A) out.reward[row * A + i] = cos(angle - to);
          }
          observe(row, out);
          if (c.objective === 'order') out.reward.fill(order.length, row * A, (row + 1) * A);
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
        swarm = createVicsek(N, c.box, c.radius, learners > 0);
        even = crowdOf(c.radius);
        // what the rows are in is seen anew: their next step goes by it
        for (let row = 0; row < batch; row++) swarm.survey(floats, row * floatStride, heading, row * N * 2, kept, row * N * KEPT);
      },
      loaded(row) {
        const s = row * floatStride;
        for (let i = 0; i < 2 * N; i++) floats[s + i] = wrapped(floats[s + i]!, c.box);
        point(row);
      },
      frame(row, out) {
        const s = row * floatStride;
        const k = row * N * KEPT;
        const size = 0.012 * c.box * Math.min(1, Math.sqrt(300 / N)) + 0.02;
        let seen = 0;
        for (let i = 0; i < N; i++) {
          const at = 6 * i;
          out[at] = floats[s + 2 * i]!;
          out[at + 1] = floats[s + 2 * i + 1]!;
          out[at + 2] = 0;
          out[at + 3] = floats[s + 2 * N + i]!;
          out[at + 4] = size;
          out[at + 5] = i < learners ? 1 : 0;
          seen += kept[k + KEPT * i + 2]! - 1;
        }
        meanHeading(N, heading, row * N * 2, order);
        out[6 * N] = order.length;
        out[6 * N + 1] = atan2(order.y, order.x);
        out[6 * N + 2] = seen / N;
      },
      measure(row, out, at) {
        meanHeading(N, heading, row * N * 2, order);
        out[at] = order.length;
      },
      extras(row): JsonObject {
        meanHeading(N, heading, row * N * 2, order);
        return { order: order.length };
      },
    });
  },
  policies: { rule: align },
  golden: { draws: listedNoise },
});
