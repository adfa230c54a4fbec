/**
 * A quadrotor shall be where a point is that runs round a path: circle, eight, helix or knot. Physics of gym-pybullet-drones at 240 Hz,
 * control at 48 Hz as in its `examples/pid.py`.
 * Obs per drone (drones/lib/flight.ts, one past action), then the place wanted after this step minus its own (m), the wanted velocity (m/s),
 * and where the point will be a quarter and half a second later, minus its own place. The DSL controller gets the wanted velocity too,
 * unless `feedVelocity` is off: then it lags by about 9 cm on the standard circle, with it by about 1 cm.
 * Reward 1 / (1 + (distance / 0.1 m)^2). Terminated 1 m away; truncated at the end of the time. Several drones share the path, evenly spread.
 */
import { z } from 'zod';
import { sqrt } from '#math/functions.ts';
import { episodeField, flightShape } from '../lib/drones/config.ts';
import { putAt, type Task } from '../lib/drones/task.ts';
import { defineFlight, GYM_DRONES } from './lib/define.ts';
import { expertTo } from './lib/expert.ts';
import { PATHS, pathAt, pathPoints } from './lib/paths.ts';

const SHARP = 0.1; // m: the distance that halves the reward
const LOST = 1; // m

const config = z.strictObject({
  ...flightShape({ drones: [1, 16, 1], actions: ['pid-offset', 'pid', 'vel', 'rpm', 'thrust'], controlHz: 48 }),
  path: z.enum(PATHS).default('circle').meta({ title: 'path', description: 'Round which the wanted place runs.' }),
  size: z
    .number()
    .min(0.1)
    .max(3)
    .default(0.3)
    .meta({ title: 'size', unit: 'm', description: 'Half width of the path.', source: 'examples/pid.py' }),
  height: z.number().min(0.2).max(5).default(0.6).meta({ title: 'height', unit: 'm', description: 'Of the middle of the path.' }),
  period: z.number().min(1).max(60).default(10).meta({
    title: 'round',
    unit: 's',
    description: 'Time of one round; shorter is faster.',
    source: 'examples/pid.py',
  }),
  feedVelocity: z.boolean().default(true).meta({
    title: 'controller knows the velocity',
    description: 'The DSL controller gets the wanted velocity beside the wanted place.',
  }),
  randomPhase: z
    .boolean()
    .default(true)
    .meta({ title: 'random start', description: 'Starts anywhere on the path, not always at its beginning.' }),
  episodeSeconds: episodeField(20),
});
type Config = z.infer<typeof config>;

const STANDARD = JSON.stringify(config.parse({}));

function task(c: Config): Task {
  const n = c.drones;
  const ahead = [0, 0.25, 0.5]; // s
  const reach = c.size + 0.2;
  return {
    labels: [
      ...['dx', 'dy', 'dz', 'wanted vx', 'wanted vy', 'wanted vz'],
      ...['0.25 s', '0.5 s'].flatMap((t) => [`dx in ${t}`, `dy in ${t}`, `dz in ${t}`]),
    ],
    fields: [
      { name: 'phase', type: 'f64', shape: [], unit: 'rad', doc: 'of the path at the start of the episode' },
      { name: 'squares', type: 'f64', shape: [], unit: 'm²', doc: 'sum of squared distances so far, all drones' },
    ],
    optional: ['phase', 'squares'],
    parts: Array.from({ length: n }, (_, k) => ({
      name: n === 1 ? 'wanted place' : `wanted place ${k + 1}`,
      shape: 'sphere' as const,
      size: [0.03],
      colour: n === 1 ? ('goal' as const) : k,
      model: 'target' as const,
    })),
    fixtures: [{ kind: 'path', points: pathPoints(c.path, c.size, c.height, 96), closed: true }],
    bounds: [-reach, -reach, 0, reach, reach, c.height + 0.25 + c.size / 3],
    extra: ['distance (m)', 'rms (m)'],
    bind(flight) {
      const { floats, rows } = flight;
      const [phase, squares] = [rows.offset('phase'), rows.offset('squares')];
      const point = new Float64Array(6);
      const speed = (2 * Math.PI) / c.period; // rad/s
      /** Place and velocity `late` seconds after the end of the step that comes after `steps` done ones. */
      const wanted = (row: number, k: number, steps: number, late: number) => {
        const start = floats[row * rows.floatStride + phase]!;
        pathAt(c.path, start + speed * (steps / c.controlHz + late) + (2 * Math.PI * k) / n, c.size, c.height, point);
        for (let i = 3; i < 6; i++) point[i] = point[i]! * speed;
      };
      const distance = (row: number, k: number): number => {
        const s = flight.at(row, k);
        let sum = 0;
        for (let i = 0; i < 3; i++) sum += (floats[s + i]! - point[i]!) ** 2;
        return sqrt(sum);
      };
      return {
        start(row) {
          if (c.randomPhase) floats[row * rows.floatStride + phase] = 2 * Math.PI * flight.draws.uniform(row, 'phase');
          for (let k = 0; k < n; k++) {
            wanted(row, k, 0, 0);
            flight.put(row, k, point[0]!, point[1]!, point[2]!, 0);
          }
        },
        command(row, k, commands) {
          if (!c.feedVelocity || c.actionType === 'vel') return;
          wanted(row, k, flight.steps(row) + 1, 0);
          commands.feed(point[3]!, point[4]!, point[5]!);
        },
        judge(row, rewards) {
          let end: 0 | 1 = 0;
          for (let k = 0; k < n; k++) {
            wanted(row, k, flight.steps(row), 0);
            const d = distance(row, k);
            const at = row * rows.floatStride + squares;
            floats[at] = floats[at]! + d * d;
            rewards[k] = 1 / (1 + (d / SHARP) ** 2);
            if (d > LOST) end = 1;
          }
          return end;
        },
        observe(row, k, out, at) {
          const s = flight.at(row, k);
          for (let j = 0; j < ahead.length; j++) {
            wanted(row, k, flight.steps(row) + 1, ahead[j]!);
            const o = at + (j === 0 ? 0 : 3 + 3 * j);
            for (let i = 0; i < 3; i++) out[o + i] = point[i]! - floats[s + i]!;
            if (j === 0) for (let i = 3; i < 6; i++) out[at + i] = point[i]!;
          }
        },
        frame(row, out, at) {
          for (let k = 0; k < n; k++) {
            wanted(row, k, flight.steps(row), 0);
            putAt(out, at + 7 * k, point[0]!, point[1]!, point[2]!);
          }
        },
        extra(row, out, at) {
          let sum = 0;
          for (let k = 0; k < n; k++) {
            wanted(row, k, flight.steps(row), 0);
            sum += distance(row, k);
          }
          out[at] = sum / n;
          out[at + 1] = sqrt(floats[row * rows.floatStride + squares]! / Math.max(1, n * flight.steps(row)));
        },
      };
    },
  };
}

export const droneTrack = defineFlight<Config>({
  id: 'drone-track',
  title: 'Drone tracking',
  summary: 'A quadrotor follows a point that runs round a path.',
  source: GYM_DRONES,
  config,
  presets: [
    { id: 'circle', title: 'circle of 0.3 m in 10 s', config: {} },
    { id: 'circle-lag', title: 'the same, velocity not given: the controller lags', config: { feedVelocity: false } },
    { id: 'eight', title: 'figure eight', config: { path: 'eight', size: 0.8, height: 1 } },
    { id: 'fast-knot', title: 'knot of 1 m in 8 s', config: { path: 'knot', size: 1, height: 1.2, period: 8 } },
    { id: 'chain', title: 'six drones on a helix', config: { drones: 6, path: 'helix', size: 0.8, height: 1, period: 12 } },
    { id: 'rpm', title: 'by motor speeds', config: { actionType: 'rpm' } },
  ],
  memory: () => 1,
  task,
  maxSteps: (c) => Math.round(c.episodeSeconds * c.controlHz),
  score: 'mean',
  references: (c) => [
    ...(JSON.stringify(c) === STANDARD
      ? [
          { name: 'random', value: 16.2, source: 'uniform commands, 100 episodes here' },
          { name: 'expert', value: 946, source: 'policy "expert", 20 episodes here' },
        ]
      : []),
    { name: 'upper bound', value: Math.round(c.episodeSeconds * c.controlHz), source: 'always on the wanted place' },
  ],
  policies: {
    expert: (c) =>
      expertTo(c, 1, (obs, o, out) => {
        for (let i = 0; i < 3; i++) out[i] = obs[o + i]!;
      }),
  },
});
