/**
 * Quadrotors take their places in a formation and keep them while it travels. Physics of gym-pybullet-drones; downwash and contact
 * matter where places lie above each other or close together.
 * Obs per drone (drones/lib/flight.ts, one past action), then its place in the formation minus its own (m), the formation's velocity (m/s), and
 * for up to four mates (the next by number) their place minus its own.
 * Reward of all 1 / (1 + (root mean square distance / 0.2 m)^2), less 1 in every step in which two touch. Terminated when one is 3 m off
 * its place; truncated at the end of the time.
 */
import { z } from 'zod';
import { cos, sin, sqrt } from '#math/functions.ts';
import { episodeField, flightShape, ringCos, ringSin } from '../lib/drones/config.ts';
import { putAt, type Task } from '../lib/drones/task.ts';
import { defineFlight, GYM_DRONES } from './lib/define.ts';
import { expertTo } from './lib/expert.ts';

const SHARP = 0.2; // m
const LOST = 3; // m
const MATES = 4;

const config = z.strictObject({
  ...flightShape({ drones: [2, 16, 4], actions: ['pid-offset', 'vel', 'rpm', 'thrust'], controlHz: 48 }),
  shape: z
    .enum(['ring', 'line', 'wedge', 'stack', 'cube'])
    .default('ring')
    .meta({ title: 'formation', description: 'How the places lie to each other.' }),
  gap: z.number().min(0.1).max(2).default(0.4).meta({ title: 'gap', unit: 'm', description: 'Between neighbouring places.' }),
  height: z.number().min(0.2).max(5).default(0.8).meta({ title: 'height', unit: 'm', description: 'Of the lowest place.' }),
  travel: z
    .number()
    .min(0)
    .max(2)
    .default(0)
    .meta({ title: 'travel', unit: 'm/s', description: 'Speed of the formation, on a circle of 0.6 m.' }),
  episodeSeconds: episodeField(15),
});
type Config = z.infer<typeof config>;

const STANDARD = JSON.stringify(config.parse({}));

const TRAVEL_RADIUS = 0.6;

/** Places relative to the middle of the formation, three numbers per drone. */
function places(c: Config): readonly number[] {
  const n = c.drones;
  const middle = (n - 1) / 2;
  const place = (k: number): readonly number[] => {
    switch (c.shape) {
      case 'ring': {
        const radius = Math.max(c.gap / 2, c.gap / (2 * sin(Math.PI / n)));
        return [radius * ringCos(k, n), radius * ringSin(k, n), 0];
      }
      case 'line':
        return [0, (k - middle) * c.gap, 0];
      case 'wedge': {
        const rank = Math.floor((k + 1) / 2);
        return [-rank * c.gap * 0.8, (k % 2 === 0 ? 1 : -1) * rank * c.gap * 0.6, 0];
      }
      case 'stack':
        return [0, 0, k * c.gap];
      case 'cube':
        return [((k & 1) - 0.5) * c.gap, (((k >> 1) & 1) - 0.5) * c.gap, (k >> 2) * c.gap];
    }
  };
  return Array.from({ length: n }, (_, k) => place(k)).flat();
}

function task(c: Config): Task {
  const n = c.drones;
  const slots = places(c);
  const mates = Math.min(n - 1, MATES);
  const wide = Math.max(...slots.map((x, i) => (i % 3 < 2 ? Math.abs(x) : 0))) + (c.travel > 0 ? TRAVEL_RADIUS : 0) + 0.25;
  const high = c.height + Math.max(...slots.filter((_, i) => i % 3 === 2)) + 0.25;
  return {
    labels: [
      ...['dx', 'dy', 'dz', 'formation vx', 'formation vy'],
      ...Array.from({ length: mates }, (_, i) => [`mate ${i + 1} dx`, `mate ${i + 1} dy`, `mate ${i + 1} dz`]).flat(),
    ],
    fields: [],
    parts: Array.from({ length: n }, (_, k) => ({
      name: `place ${k + 1}`,
      shape: 'sphere' as const,
      size: [0.03],
      colour: k,
      model: 'target' as const,
    })),
    fixtures: [],
    bounds: [-wide, -wide, 0, wide, wide, high],
    extra: ['rms distance (m)'],
    bind(flight) {
      const { floats } = flight;
      const middle = new Float64Array(4); // x, y, vx, vy
      const move = (row: number) => {
        if (c.travel === 0) return;
        const phase = ((c.travel / TRAVEL_RADIUS) * flight.steps(row)) / c.controlHz;
        middle[0] = TRAVEL_RADIUS * (cos(phase) - 1);
        middle[1] = TRAVEL_RADIUS * sin(phase);
        middle[2] = -c.travel * sin(phase);
        middle[3] = c.travel * cos(phase);
      };
      /** Coordinate i of what drone k lacks to its place; needs `move`. */
      const lack = (row: number, k: number, i: number): number => {
        const base = i < 2 ? middle[i]! : c.height;
        return base + slots[3 * k + i]! - floats[flight.at(row, k) + i]!;
      };
      const squares = (row: number): number => {
        let sum = 0;
        for (let k = 0; k < n; k++) for (let i = 0; i < 3; i++) sum += lack(row, k, i) ** 2;
        return sum / n;
      };
      const touching = (row: number): boolean => {
        const { radius, height } = flight.craft.frame;
        for (let k = 0; k < n; k++)
          for (let j = k + 1; j < n; j++) {
            const a = flight.at(row, k);
            const b = flight.at(row, j);
            const dx = floats[a]! - floats[b]!;
            const dy = floats[a + 1]! - floats[b + 1]!;
            const dz = floats[a + 2]! - floats[b + 2]!;
            // a millimetre more than the solid cylinders, which part when they meet
            if (dx * dx + dy * dy < (2 * radius + 0.001) ** 2 && Math.abs(dz) < height + 0.001) return true;
          }
        return false;
      };
      return {
        judge(row, rewards) {
          move(row);
          const mean = squares(row);
          rewards.fill(1 / (1 + mean / SHARP ** 2) - (touching(row) ? 1 : 0));
          for (let k = 0; k < n; k++) {
            let sum = 0;
            for (let i = 0; i < 3; i++) sum += lack(row, k, i) ** 2;
            if (sum > LOST * LOST) return 1;
          }
          return 0;
        },
        observe(row, k, out, at) {
          move(row);
          for (let i = 0; i < 3; i++) out[at + i] = lack(row, k, i);
          out[at + 3] = middle[2]!;
          out[at + 4] = middle[3]!;
          for (let m = 0; m < mates; m++) {
            const a = flight.at(row, k);
            const b = flight.at(row, (k + 1 + m) % n);
            for (let i = 0; i < 3; i++) out[at + 5 + 3 * m + i] = floats[b + i]! - floats[a + i]!;
          }
        },
        frame(row, out, at) {
          move(row);
          for (let k = 0; k < n; k++)
            putAt(out, at + 7 * k, middle[0]! + slots[3 * k]!, middle[1]! + slots[3 * k + 1]!, c.height + slots[3 * k + 2]!);
        },
        extra(row, out, at) {
          move(row);
          out[at] = sqrt(squares(row));
        },
      };
    },
  };
}

export const droneFormation = defineFlight<Config>({
  id: 'drone-formation',
  title: 'Drone formation',
  summary: 'Quadrotors take their places in a formation and keep them while it travels.',
  source: GYM_DRONES,
  config,
  recommended: { algo: 'dagger', steps: 50_000 },
  learnNote:
    'Learned from the answers of the controller, which is given the places. By reward alone a drone is paid near its place alone, and all are paid by the mean: IPPO is hardly above random play in half a million steps, PPO on normalised observations and rewards comes 8 % of the way in a million, SAC nowhere in 60,000 (one seed each).',
  presets: [
    { id: 'ring-4', title: 'four on a ring', config: {} },
    { id: 'ring-8', title: 'eight on a travelling ring', config: { drones: 8, start: 'ring', spacing: 0.4, travel: 0.3 } },
    { id: 'wedge', title: 'wedge of five, travelling', config: { drones: 5, shape: 'wedge', travel: 0.3, contact: true } },
    {
      id: 'stacked',
      title: 'three stacked, in each other’s downwash',
      config: { drones: 3, shape: 'stack', start: 'stack', gap: 0.5, physics: 'dyn-dw', contact: true },
    },
    {
      id: 'cube',
      title: 'cube of eight, all air effects',
      config: { drones: 8, shape: 'cube', gap: 0.6, physics: 'dyn-all', contact: true, start: 'ring' },
    },
  ],
  memory: () => 1,
  task,
  maxSteps: (c) => Math.round(c.episodeSeconds * c.controlHz),
  score: 'shared',
  references: (c) => [
    ...(JSON.stringify(c) === STANDARD
      ? [
          { name: 'random', value: 2.5, source: 'uniform commands, 100 episodes here' },
          { name: 'expert', value: 655.1, source: 'policy "expert", 20 episodes here' },
        ]
      : []),
    { name: 'upper bound', value: Math.round(c.episodeSeconds * c.controlHz), source: 'always in place' },
  ],
  policies: {
    // leads a travelling formation by the lag of the controller, which does not get its velocity
    expert: (c) =>
      expertTo(c, 1, (obs, o, out) => {
        for (let i = 0; i < 3; i++) out[i] = obs[o + i]! + (i < 2 ? 0.5 * obs[o + 3 + i]! : 0);
      }),
  },
});
