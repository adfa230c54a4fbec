/** What the bench page measures, and the results it passes on in an address: which rows there are, and numbers by row. */

import type { JsonObject } from '../kit/json.ts';
import type { ExecutorId } from './config.ts';

type Executor = Exclude<ExecutorId, 'auto'>;

export interface BenchRow {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** The smaller, the better. */
  readonly less?: boolean;
  /** Executor of the measurement; a scene is measured on the page itself. */
  readonly what:
    | { readonly kind: 'engine'; readonly executor: Executor; readonly hidden: readonly number[]; readonly rows: number }
    | { readonly kind: 'training'; readonly executor: Executor; readonly config: JsonObject }
    | { readonly kind: 'scene'; readonly members: number };
}

/** PPO on CartPole with many copies, so that a graphics card has something to do. */
const PPO: JsonObject = { envs: 256, rolloutSteps: 32, minibatches: 4, epochs: 4 };

const engine = (executor: Executor, width: number, rows: number): BenchRow => ({
  id: `step-${width}-${executor}`,
  title: `Training step, ${width}-${width} network, ${rows.toLocaleString('en')} rows`,
  unit: 'steps/s',
  what: { kind: 'engine', executor, hidden: [width, width], rows },
});
const training = (executor: Executor): BenchRow => ({
  id: `ppo-${executor}`,
  title: 'PPO on CartPole, 256 copies, learning included',
  unit: 'env. steps/s',
  what: { kind: 'training', executor, config: PPO },
});
const scene = (members: number): BenchRow => ({
  id: `scene-${members}`,
  title: `Script time of a frame, ${members.toLocaleString('en')} members`,
  unit: 'ms',
  less: true,
  what: { kind: 'scene', members },
});

export const BENCH_ROWS: readonly BenchRow[] = [
  engine('wasm', 64, 256),
  engine('webgpu', 64, 256),
  engine('wasm', 256, 1024),
  engine('webgpu', 256, 1024),
  training('wasm'),
  training('webgpu'),
  training('webgpu-rollouts'),
  scene(1000),
  scene(10_000),
];

/** One row as it was measured. */
export interface BenchValue {
  readonly value: number;
  /** Dispatches of a step (engine) or of an iteration (training); missing where nothing is dispatched. */
  readonly dispatches?: number;
  /** How far its results are from those of wasm, relative; missing where it is wasm. */
  readonly error?: number;
}

/** What was measured on one machine. */
export interface BenchResult {
  /** In a person's words: browser, cores, graphics card. */
  readonly machine: string;
  /** Day, as YYYY-MM-DD. */
  readonly date: string;
  readonly values: { readonly [row: string]: BenchValue };
}

const LONGEST_NAME = 120;

/** A result as the query of `#/bench`. */
export function benchQuery({ machine, date, values }: BenchResult): Record<string, string> {
  const numbers = Object.entries(values).map(([id, { value }]): [string, string] => [id, String(Number(value.toPrecision(4)))]);
  return { machine: machine.slice(0, LONGEST_NAME), date, ...Object.fromEntries(numbers) };
}

/** The result that a query holds; null: none. Rows that do not exist and numbers that are none are left out. */
export function benchFromQuery(query: Readonly<Record<string, string>>): BenchResult | null {
  const { machine, date = '' } = query;
  if (machine === undefined || machine === '') return null;
  const values: { [row: string]: BenchValue } = {};
  for (const { id } of BENCH_ROWS) {
    const value = Number(query[id] ?? Number.NaN);
    if (Number.isFinite(value) && value >= 0 && value < 1e12) values[id] = { value };
  }
  if (Object.keys(values).length === 0) return null;
  return { machine: machine.slice(0, LONGEST_NAME), date: /^\d{4}-\d\d-\d\d$/.test(date) ? date : '', values };
}
