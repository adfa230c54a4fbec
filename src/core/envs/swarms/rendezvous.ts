/**
 * A swarm must meet in one place that is not given. Members in a walled square of side `box` m about 0 choose a velocity (x, y; -1..1
 * times `maxSpeed` m per step, longer ones cut to the top speed); float64. The first members learn, the others follow the consensus rule
 * (to the mean place of those in sight). Obs of a learner: own place / half side, members in sight / all, sum of their offsets / (their
 * number + 1) / `radius`, last move / top speed. Reward, shared: minus the mean distance to the centroid / half side. Terminates when all are
 * within `meet` m of the centroid, truncates at `maxSteps`. Central state: spread, share in sight, centroid / half side.
 * After the rendezvous task of Huettenrauch, Sosic, Neumann 2019 (mean pairwise distance, point kinematics); differs: distance to the
 * centroid, which is O(N), and walls instead of a torus.
 */
import { z } from 'zod';
import type { PointsLayout } from '#contract/game/frames.ts';
import { atan2 } from '#math/functions.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, ScriptedPolicy, StepBuffers } from '../api/types.ts';
import { openCells } from './lib/cells.ts';
import { createClusters } from './lib/clusters.ts';
import { learnersOf, membersField, number, swarmAgents, swarmFields } from './lib/config.ts';
import { swarmMeta } from './lib/meta.ts';
import { createSightings, KEPT } from './lib/sightings.ts';

const OWN = 'own choice';

const config = z.strictObject({
  members: membersField(20, 'members', 'Members of the swarm.'),
  box: number(10, { title: 'side', unit: 'm', description: 'Side of the walled square.', source: OWN, min: 1, max: 1000, slider: [4, 60] }),
  radius: number(4, {
    title: 'sight',
    unit: 'm',
    description: 'How far a member sees.',
    source: OWN,
    live: true,
    min: 0.1,
    max: 1000,
    slider: [1, 15],
  }),
  maxSpeed: number(0.2, {
    title: 'top speed',
    unit: 'm per step',
    description: 'At a full action.',
    source: OWN,
    live: true,
    min: 0.001,
    max: 10,
    slider: [0.05, 1],
  }),
  meet: number(0.3, {
    title: 'meeting radius',
    unit: 'm',
    description: 'All within it of their centroid: the task is done.',
    source: OWN,
    live: true,
    min: 0,
    max: 10,
    slider: [0.05, 1],
  }),
  ...swarmFields,
  learners: swarmFields.learners
    .unwrap()
    .default(20)
    .meta({ ...swarmFields.learners.meta() }),
  maxSteps: swarmFields.maxSteps
    .unwrap()
    .default(100)
    .meta({ ...swarmFields.maxSteps.meta() }),
});
type Config = z.infer<typeof config>;

const SEES = ['own x', 'own y', 'in sight', 'mean dx', 'mean dy', 'own vx', 'own vy'];
const isStandard = (c: Config) => JSON.stringify(c) === JSON.stringify(config.parse({}));

function layout(c: Config): PointsLayout {
  const learners = learnersOf(c, c.members);
  const rest = c.members - learners;
  const half = c.box / 2;
  return {
    kind: 'points',
    count: c.members + 1,
    bounds: [-half, -half, half, half],
    names: [],
    groups: [
      ...(learners > 0 ? [{ name: 'learner', count: learners, shape: 'wedge' as const, trail: true }] : []),
      ...(rest > 0 ? [{ name: 'member', count: rest, shape: 'wedge' as const, trail: true }] : []),
      { name: 'centroid', count: 1, shape: 'landmark' },
    ],
    extra: ['spread', 'clusters', 'largest cluster'],
    ground: 'walled',
  };
}

function meta(c: Config): EnvMeta {
  return swarmMeta({
    id: 'rendezvous',
    agents: swarmAgents(
      learnersOf(c, c.members),
      'member',
      {
        obs: { kind: 'box', shape: [SEES.length], low: -1e6, high: 1e6, labels: SEES },
        action: { kind: 'box', size: 2, low: [-1, -1], high: [1, 1], labels: ['x velocity', 'y velocity'] },
      },
      ['spread', 'in sight', 'centroid x', 'centroid y'],
    ),
    globalSize: 4,
    maxSteps: c.maxSteps,
    state: defineState(1, [
      { name: 'pos', type: 'f64', shape: [c.members, 2], unit: 'm', doc: 'place of each member' },
      { name: 'vel', type: 'f64', shape: [c.members, 2], unit: 'm per step', doc: 'how each moved in the last step' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ]),
    frame: layout(c),
    references: isStandard(c)
      ? [
          { name: 'random', value: -74.3, source: 'uniform actions, 1,000 episodes' },
          { name: 'consensus', value: -18, source: 'the policy "rule", 1,000 episodes' },
        ]
      : [],
    axes: [
      {
        name: 'left and right',
        component: 0,
        less: ['ArrowLeft', 'a'],
        more: ['ArrowRight', 'd'],
        low: -1,
        high: 1,
        rest: 0,
        stick: 'leftX',
      },
      { name: 'down and up', component: 1, less: ['ArrowDown', 's'], more: ['ArrowUp', 'w'], low: -1, high: 1, rest: 0, stick: 'leftY' },
    ],
  });
}

/** To the mean place of those in sight (oneself included), as fast as that takes. */
function consensus(c: Config): ScriptedPolicy {
  return {
    act({ meta: m, batch }, { obs }, out) {
      if (m.actionSize === 0) return;
      const far = c.radius / c.maxSpeed;
      for (let i = 0; i < batch * m.agentCount; i++) {
        const at = i * m.obsSize;
        const x = obs[at + 3]! * far;
        const y = obs[at + 4]! * far;
        const size = Math.max(1, Math.sqrt(x * x + y * y));
        out[2 * i] = x / size;
        out[2 * i + 1] = y / size;
      }
    },
  };
}

export const rendezvous = defineEnv<Config>({
  spec: {
    id: 'rendezvous',
    version: 1,
    title: 'Rendezvous',
    summary: 'A swarm with short sight must gather in one place that is not given.',
    source: {
      title: 'Deep reinforcement learning for swarm systems',
      authors: 'Hüttenrauch, Šošić and Neumann',
      year: 2019,
      url: 'https://arxiv.org/abs/1807.06613',
    },
    config,
    recommended: { algo: 'mean-field', steps: 60_000 },
    presets: [
      { id: 'standard', title: '20 members, all learn', config: {} },
      { id: 'one-learns', title: '10 members, one learns', config: { members: 10, learners: 1 } },
      { id: 'short-sighted', title: '50 members, sight 2 m', config: { members: 50, learners: 50, radius: 2 } },
      { id: 'ten-thousand', title: '10,000 members by rule', config: { members: 10_000, learners: 0, box: 60, radius: 3, maxSteps: 300 } },
      { id: 'by-rule', title: '100 members by rule', config: { members: 100, learners: 0, box: 20 } },
    ],
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const m = meta(c);
    const N = c.members;
    const learners = learnersOf(c, N);
    const A = m.agentCount;
    const O = m.obsSize;
    const half = c.box / 2;
    const rows = allocateRows(m.state, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const seeing = () => {
      const cells = openCells(N, c.radius);
      return { cells, survey: createSightings(N, cells, c.radius), clusters: createClusters(N, cells, c.radius) };
    };
    let { cells, survey, clusters } = seeing();
    const parts = { count: 0, largest: 0 };
    const kept = new Float64Array(batch * N * KEPT);
    const centre = { x: 0, y: 0, spread: 0, most: 0 };

    const gather = (s: number) => {
      let cx = 0;
      let cy = 0;
      for (let i = s; i < s + 2 * N; i += 2) {
        cx += floats[i]!;
        cy += floats[i + 1]!;
      }
      cx /= N;
      cy /= N;
      let sum = 0;
      let most = 0;
      for (let i = s; i < s + 2 * N; i += 2) {
        const dx = floats[i]! - cx;
        const dy = floats[i + 1]! - cy;
        const far = Math.sqrt(dx * dx + dy * dy);
        sum += far;
        if (far > most) most = far;
      }
      centre.x = cx;
      centre.y = cy;
      centre.spread = sum / N;
      centre.most = most;
    };
    /** Share of all others that a member sees, on average. */
    const sight = (row: number): number => {
      let sum = 0;
      for (let i = 0; i < N; i++) sum += kept[(row * N + i) * KEPT]!;
      return sum / (N * (N - 1));
    };
    const write = (target: Float32Array, at: number, seen: number) => {
      target[at] = centre.spread / half;
      target[at + 1] = seen;
      target[at + 2] = centre.x / half;
      target[at + 3] = centre.y / half;
    };
    const observe = (row: number, out: StepBuffers) => {
      const s = row * floatStride;
      survey(floats, s, kept, row * N * KEPT);
      gather(s);
      const seen = sight(row);
      if (out.state) write(out.state, row * 4, seen);
      if (learners === 0) {
        write(out.obs, row * O, seen);
        return;
      }
      for (let i = 0; i < learners; i++) {
        const at = (row * A + i) * O;
        const k = (row * N + i) * KEPT;
        const count = kept[k]! + 1; // itself included: the mean place is then one to go to
        out.obs[at] = floats[s + 2 * i]! / half;
        out.obs[at + 1] = floats[s + 2 * i + 1]! / half;
        out.obs[at + 2] = kept[k]! / (N - 1);
        out.obs[at + 3] = kept[k + 1]! / (count * c.radius);
        out.obs[at + 4] = kept[k + 2]! / (count * c.radius);
        out.obs[at + 5] = floats[s + 2 * N + 2 * i]! / c.maxSpeed;
        out.obs[at + 6] = floats[s + 2 * N + 2 * i + 1]! / c.maxSpeed;
      }
    };
    const move = (row: number, actions: ArrayLike<number>) => {
      const s = row * floatStride;
      for (let i = 0; i < N; i++) {
        const k = (row * N + i) * KEPT;
        const count = kept[k]! + 1;
        const learns = i < learners;
        let vx = learns ? c.maxSpeed * actions[2 * (row * A + i)]! : kept[k + 1]! / count;
        let vy = learns ? c.maxSpeed * actions[2 * (row * A + i) + 1]! : kept[k + 2]! / count;
        const speed = Math.sqrt(vx * vx + vy * vy);
        if (speed > c.maxSpeed) {
          vx = (vx / speed) * c.maxSpeed;
          vy = (vy / speed) * c.maxSpeed;
        }
        const p = s + 2 * i;
        const px = Math.min(half, Math.max(-half, floats[p]! + vx));
        const py = Math.min(half, Math.max(-half, floats[p + 1]! + vy));
        floats[p + 2 * N] = px - floats[p]!;
        floats[p + 2 * N + 1] = py - floats[p + 1]!;
        floats[p] = px;
        floats[p + 1] = py;
      }
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * floatStride;
        floats.fill(0, s, s + floatStride);
        for (let i = 0; i < 2 * N; i++) floats[s + i] = c.box * (draws.uniform(row, 'place') - 0.5);
        words[row * wordStride] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          move(row, actions);
          observe(row, out);
          out.reward.fill(-centre.spread / half, row * A, (row + 1) * A);
          const steps = words[row * wordStride]! + 1;
          words[row * wordStride] = steps;
          const met = centre.most <= c.meet;
          out.terminated[row] = met ? 1 : 0;
          out.truncated[row] = !met && steps >= c.maxSteps ? 1 : 0;
        }
      },
      observe(row, out) {
        out.alive?.fill(1, row * A, (row + 1) * A);
        observe(row, out);
      },
      configure(next) {
        Object.assign(c, next);
        ({ cells, survey, clusters } = seeing());
        // what the rows are in is seen anew: their next step goes by it
        for (let row = 0; row < batch; row++) survey(floats, row * floatStride, kept, row * N * KEPT);
      },
      frame(row, out) {
        const s = row * floatStride;
        cells.sort(floats, s);
        clusters(parts);
        gather(s);
        const size = 0.012 * c.box * Math.min(1, Math.sqrt(60 / N)) + 0.03;
        for (let i = 0; i < N; i++) {
          const at = 6 * i;
          const vx = floats[s + 2 * N + 2 * i]!;
          const vy = floats[s + 2 * N + 2 * i + 1]!;
          out[at] = floats[s + 2 * i]!;
          out[at + 1] = floats[s + 2 * i + 1]!;
          out[at + 2] = 0;
          out[at + 3] = vx === 0 && vy === 0 ? 0 : atan2(vy, vx);
          out[at + 4] = size;
          out[at + 5] = i < learners ? 1 : 0;
        }
        out.set([centre.x, centre.y, 0, 0, Math.max(c.meet, 0.02 * c.box), 3], 6 * N);
        out.set([centre.spread, parts.count, parts.largest], 6 * N + 6);
      },
    });
  },
  policies: { rule: consensus },
});
