/**
 * A race through rings: fly through all gates of a course in order, round after round. Physics of gym-pybullet-drones.
 * Obs per drone (drones/lib/flight.ts, one past action), then for the next two gates their middle minus its own place (m) and the horizontal
 * direction through them (cos, sin of the yaw).
 * Reward per step: metres come nearer to the middle of the next gate, plus 1 for every gate flown through. Terminated when a drone hits
 * a ring (crosses its plane within 0.12 m outside the opening), the floor, or flies 4 m off the course; truncated at the end of the time.
 * A plane crossed farther outside, or the wrong way, counts for nothing.
 */
import { z } from 'zod';
import type { Fixture } from '#contract/game/frames.ts';
import { atan2, cos, sin, sqrt } from '#math/functions.ts';
import { episodeField, flightShape } from '../lib/drones/config.ts';
import type { Task } from '../lib/drones/task.ts';
import { defineFlight, GYM_DRONES } from './lib/define.ts';
import { expertTo } from './lib/expert.ts';
import { type PathName, pathAt, pathPoints } from './lib/paths.ts';

const RIM = 0.12; // m
const FAR = 4; // m
const REACH = 0.5; // m, of the scripted pilot

const config = z.strictObject({
  ...flightShape({ drones: [1, 8, 1], actions: ['pid-offset', 'vel', 'rpm', 'thrust'], controlHz: 48 }),
  course: z
    .enum(['circle', 'eight', 'helix', 'knot'])
    .default('circle')
    .meta({ title: 'course', description: 'Path on which the gates stand.' }),
  gates: z.int().min(2).max(16).default(6).meta({ title: 'gates', description: 'Evenly spread along the course.' }),
  gateRadius: z
    .number()
    .min(0.1)
    .max(1.5)
    .default(0.35)
    .meta({ title: 'opening', unit: 'm', description: 'Radius of the opening of a gate.' }),
  size: z.number().min(0.5).max(10).default(1.6).meta({ title: 'size', unit: 'm', description: 'Half width of the course.' }),
  height: z.number().min(0.5).max(5).default(1).meta({ title: 'height', unit: 'm', description: 'Of the middle of the course.' }),
  episodeSeconds: episodeField(20),
});
type Config = z.infer<typeof config>;

const STANDARD = JSON.stringify(config.parse({}));

/** Per gate: x, y, z, cos and sin of the yaw. */
function gatesOf(c: Config): Float64Array {
  const out = new Float64Array(5 * c.gates);
  const point = new Float64Array(6);
  for (let g = 0; g < c.gates; g++) {
    pathAt(c.course as PathName, (2 * Math.PI * (g + 0.5)) / c.gates, c.size, c.height, point);
    const yaw = atan2(point[4]!, point[3]!);
    out.set([point[0]!, point[1]!, point[2]!, cos(yaw), sin(yaw)], 5 * g);
  }
  return out;
}

function task(c: Config): Task {
  const n = c.drones;
  const gates = gatesOf(c);
  const reach = c.size + 0.6;
  const fixtures: Fixture[] = Array.from({ length: c.gates }, (_, g) => ({
    kind: 'gate',
    at: [gates[5 * g]!, gates[5 * g + 1]!, gates[5 * g + 2]!],
    yaw: atan2(gates[5 * g + 4]!, gates[5 * g + 3]!),
    radius: c.gateRadius,
  }));
  const label = (which: string) => [`${which} gate dx`, `${which} gate dy`, `${which} gate dz`, `${which} gate cos`, `${which} gate sin`];
  return {
    labels: [...label('next'), ...label('second')],
    fields: [
      { name: 'nearest', type: 'f64', shape: [n], unit: 'm', doc: 'distance of each drone to its next gate before the step' },
      { name: 'passed', type: 'u32', shape: [n], doc: 'gates each drone flew through' },
    ],
    optional: ['nearest', 'passed'],
    parts: [],
    fixtures: [...fixtures, { kind: 'path', points: pathPoints(c.course as PathName, c.size, c.height, 96), closed: true }],
    bounds: [-reach, -reach, 0, reach, reach, c.height + 0.8],
    extra: ['gates'],
    bind(flight) {
      const { floats, words, rows } = flight;
      const [nearest, passed] = [rows.offset('nearest'), rows.offset('passed')];
      const before = new Float64Array(n); // along the direction of the next gate, m; negative: still before it
      const count = (row: number, k: number): number => words[row * rows.wordStride + passed + k]!;
      const gateOf = (row: number, k: number, later: number): number => 5 * ((count(row, k) + later) % c.gates);
      const distance = (s: number, g: number): number => {
        let sum = 0;
        for (let i = 0; i < 3; i++) sum += (floats[s + i]! - gates[g + i]!) ** 2;
        return sqrt(sum);
      };
      const along = (s: number, g: number): number =>
        (floats[s]! - gates[g]!) * gates[g + 3]! + (floats[s + 1]! - gates[g + 1]!) * gates[g + 4]!;
      const measure = (row: number, k: number) => {
        floats[row * rows.floatStride + nearest + k] = distance(flight.at(row, k), gateOf(row, k, 0));
      };
      return {
        start(row) {
          const point = new Float64Array(6);
          for (let k = 0; k < n; k++) {
            pathAt(c.course as PathName, -0.12 * k, c.size, c.height, point);
            flight.put(row, k, point[0]!, point[1]!, point[2]!, 0);
            measure(row, k);
          }
        },
        loaded(row) {
          for (let k = 0; k < n; k++) if (floats[row * rows.floatStride + nearest + k] === 0) measure(row, k);
        },
        command(row, k) {
          before[k] = along(flight.at(row, k), gateOf(row, k, 0));
        },
        judge(row, rewards) {
          let end: 0 | 1 = 0;
          for (let k = 0; k < n; k++) {
            const s = flight.at(row, k);
            const g = gateOf(row, k, 0);
            const at = row * rows.floatStride + nearest + k;
            const now = distance(s, g);
            rewards[k] = floats[at]! - now;
            const ahead = along(s, g);
            if (before[k]! < 0 && ahead >= 0) {
              const off = sqrt(Math.max(0, now * now - ahead * ahead));
              if (off < c.gateRadius) {
                rewards[k] = rewards[k]! + 1;
                words[row * rows.wordStride + passed + k] = count(row, k) + 1;
              } else if (off < c.gateRadius + RIM) end = 1;
            }
            measure(row, k);
            if (floats[s + 2]! < 0.02 || floats[at]! > FAR + 2 * c.size) end = 1;
          }
          return end;
        },
        observe(row, k, out, at) {
          const s = flight.at(row, k);
          for (let j = 0; j < 2; j++) {
            const g = gateOf(row, k, j);
            for (let i = 0; i < 3; i++) out[at + 5 * j + i] = gates[g + i]! - floats[s + i]!;
            out[at + 5 * j + 3] = gates[g + 3]!;
            out[at + 5 * j + 4] = gates[g + 4]!;
          }
        },
        extra(row, out, at) {
          let sum = 0;
          for (let k = 0; k < n; k++) sum += count(row, k);
          out[at] = sum;
        },
      };
    },
  };
}

export const droneGates = defineFlight<Config>({
  id: 'drone-gates',
  title: 'Drone gates',
  summary: 'A race: fly through the rings of a course in order.',
  source: GYM_DRONES,
  config,
  presets: [
    { id: 'circle-6', title: 'six gates on a circle', config: {} },
    { id: 'eight', title: 'figure eight', config: { course: 'eight', gates: 6, size: 2.2 } },
    { id: 'climb', title: 'up and down', config: { course: 'helix', gates: 8, size: 2, height: 1.4 } },
    { id: 'two', title: 'two drones, solid', config: { drones: 2, contact: true } },
    {
      id: 'racer',
      title: 'a racer by motor speeds, wide course',
      config: { model: 'RACE', actionType: 'thrust', size: 6, height: 2.5, gateRadius: 0.8 },
    },
  ],
  memory: () => 1,
  task,
  maxSteps: (c) => Math.round(c.episodeSeconds * c.controlHz),
  score: 'mean',
  references: (c) => [
    ...(JSON.stringify(c) === STANDARD
      ? [
          { name: 'random', value: -1.3, source: 'uniform commands, 100 episodes here' },
          { name: 'expert', value: 28.9, source: 'policy "expert", 20 episodes here' },
        ]
      : []),
  ],
  policies: {
    // steers to the axis of the gate, ever closer to it, and on behind it; no farther than REACH, which sets the speed
    expert: (c) =>
      expertTo(c, 1, (obs, o, out) => {
        const cx = obs[o + 3]!;
        const cy = obs[o + 4]!;
        const ahead = obs[o]! * cx + obs[o + 1]! * cy;
        const side = sqrt((obs[o]! - ahead * cx) ** 2 + (obs[o + 1]! - ahead * cy) ** 2);
        // behind the gate, or about to pass beside its middle: back and once more
        const lead = ahead < 0 || side > 0.3 + 0.5 * ahead ? -0.8 : 0.3 - 0.4 * ahead;
        out[0] = obs[o]! + lead * cx;
        out[1] = obs[o + 1]! + lead * cy;
        out[2] = obs[o + 2]!;
        const far = sqrt(out[0] * out[0] + out[1] * out[1]) / REACH;
        if (far > 1) {
          out[0] /= far;
          out[1] /= far;
        }
      }),
  },
});
