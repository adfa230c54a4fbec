/**
 * Methods for continuous actions by returns per second of processor time: whole runs, a greedy test now and then whose time is not counted, the
 * same training and test seeds for all. Against SAC with its fastest settings of that world, at equal steps and at equal seconds.
 * Intervals are of the mean difference over paired seeds. bench/notes/continuous.md tells what came out.
 *   npm run bench -- continuous [--only WORLD] [--only WORLD:METHOD]
 */
import { present } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { RLTOOLS_QUADROTOR } from '#contract/papers/published.ts';
import { getAlgo } from '#core/algos/all.ts';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/all.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { evaluate } from '#core/run/evaluate.ts';
import { Rng } from '#math/rng.ts';
import { mean } from '#math/stats.ts';
import { meanInterval } from '#math/stats-compare.ts';
import type { ResumableOptions } from './training.ts';

interface Arm {
  readonly algo: string;
  readonly config: JsonObject;
  /** Missing: those of the world. */
  readonly steps?: number;
}

interface World {
  readonly env: string;
  readonly envConfig: JsonObject;
  readonly steps: number;
  readonly every: number; // steps between two tests
  readonly seeds: number;
  /** Return that counts as learned. */
  readonly threshold: number;
  /** The first one is what the others are compared with. */
  readonly arms: { readonly [name: string]: Arm };
}

const SMALL: JsonObject = { lr: 1e-3, criticLr: 1e-3, batchSize: 64, hidden: [64, 64] };
const NARROW: JsonObject = { ...SMALL, criticHidden: [64, 64] };
const MANY: JsonObject = { gradientSteps: 20, actorEvery: 20 };

const WORLDS: { readonly [name: string]: World } = {
  pendulum: {
    env: 'pendulum',
    envConfig: {},
    steps: 20_000,
    every: 500,
    seeds: 5,
    threshold: -200,
    arms: {
      sac: { algo: 'sac', config: SMALL },
      droq: { algo: 'droq', config: { ...SMALL, lr: 3e-4, criticLr: 3e-4, learningStarts: 500 }, steps: 4000 },
      'sac-20': { algo: 'sac', config: { ...SMALL, ...MANY, lr: 3e-4, criticLr: 3e-4, learningStarts: 500 }, steps: 4000 },
      crossq: { algo: 'crossq', config: NARROW },
    },
  },
  hover: {
    env: 'drone-hover',
    envConfig: { actionType: 'one-d-rpm' },
    steps: 30_000,
    every: 1000,
    seeds: 10,
    threshold: 470,
    arms: {
      sac: { algo: 'sac', config: SMALL },
      droq: { algo: 'droq', config: { ...SMALL, lr: 3e-4, criticLr: 3e-4, learningStarts: 500 }, steps: 6000 },
      'sac-20': { algo: 'sac', config: { ...SMALL, ...MANY, lr: 3e-4, criticLr: 3e-4, learningStarts: 500 }, steps: 6000 },
      crossq: { algo: 'crossq', config: NARROW },
    },
  },
  flying: {
    env: 'drone-learning-to-fly',
    envConfig: {},
    steps: 280_000,
    every: 14_000,
    seeds: 5,
    threshold: 100,
    arms: {
      sac: { algo: 'sac', config: RLTOOLS_QUADROTOR },
      // four times the updates of SAC, which makes one in sixteen steps
      droq: { algo: 'droq', config: { ...RLTOOLS_QUADROTOR, gradientSteps: 4, actorEvery: 8 } },
      crossq: { algo: 'crossq', config: { ...RLTOOLS_QUADROTOR, criticHidden: [64, 64] } },
    },
  },
};

/** Steps, seconds of processor time until then, mean greedy return. */
type Point = [steps: number, seconds: number, value: number];

const EPISODES = 10;
const seconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

async function curve(world: World, { algo: id, config, steps = world.steps }: Arm, seed: number): Promise<Point[]> {
  const algo = getAlgo(id);
  const env = getEnv(world.env);
  const envConfig = env.parse(world.envConfig);
  const full = algo.parse(config);
  const engine = await createEngine('wasm');
  const training = algo.train({
    config: full,
    envEntry: env,
    envConfig,
    meta: env.meta(envConfig),
    steps,
    seed,
    rng: Rng.from(seed),
    makeEnv: (batch) => createVectorEnv(env, envConfig, batch, Rng.from(seed).split('env', 0)),
    makeEngine: async () => engine,
  });
  const points: Point[] = [];
  let spent = 0;
  for (;;) {
    const begun = seconds();
    const next = await training.next();
    spent += seconds() - begun;
    if (next.done === true) break;
    const progress = next.value;
    const due = Math.floor(progress.step / world.every) * world.every;
    if (due <= (points.at(-1)?.[0] ?? 0)) continue;
    const policy = await progress.policy();
    const { score } = await evaluate(policy, env, envConfig, { episodes: EPISODES });
    policy.dispose();
    points.push([due, Number(spent.toFixed(3)), Number(score.toFixed(3))]);
    if (progress.step >= steps) break;
  }
  await training.return();
  engine.dispose();
  return points;
}

const endOf = (points: readonly Point[]): Point => present(points.at(-1), 'the last test');

/** Mean return of the tests so far, by steps or by seconds: the last test counts until the next. */
function area(points: readonly Point[], by: 0 | 1, until: number, start: number): number {
  let [from, value, sum] = [0, start, 0];
  for (const point of points) {
    const at = Math.min(point[by], until);
    sum += value * (at - from);
    [from, value] = [at, point[2]];
    if (point[by] >= until) break;
  }
  return (sum + value * (until - from)) / until;
}

const reached = (points: readonly Point[], by: 0 | 1, until: number, start: number): number =>
  points.filter((point) => point[by] <= until).at(-1)?.[2] ?? start;
const secondsUntil = (points: readonly Point[], threshold: number): number | null =>
  points.find(([, , value]) => value >= threshold)?.[1] ?? null;

function difference(of: readonly number[], over: readonly number[]): JsonObject {
  const { mean: middle, halfWidth } = meanInterval(of.map((value, i) => value - over[i]!));
  return { mean: round(middle), interval: [round(middle - halfWidth), round(middle + halfWidth)] };
}
const round = (x: number): number => Number(x.toPrecision(4));

/** One method beside the first one of its world, over the seeds that both have. */
function compared(world: World, all: readonly Point[][], base: readonly Point[][]): JsonObject {
  const count = Math.min(all.length, base.length);
  const [mine, theirs] = [all.slice(0, count), base.slice(0, count)];
  const start = Math.min(...base.map((points) => points[0]![2]), ...all.map((points) => points[0]![2]));
  const steps = Math.min(...mine.map((points) => endOf(points)[0]), ...theirs.map((points) => endOf(points)[0]));
  const budget = Math.min(...mine.map((points) => endOf(points)[1]), ...theirs.map((points) => endOf(points)[1]));
  const by = (axis: 0 | 1, until: number): JsonObject => {
    const ends = [mine, theirs].map((runs) => runs.map((points) => reached(points, axis, until, start))) as [number[], number[]];
    const areas = [mine, theirs].map((runs) => runs.map((points) => area(points, axis, until, start))) as [number[], number[]];
    return {
      until: round(until),
      end: [round(mean(ends[0])), round(mean(ends[1]))],
      endDifference: difference(...ends),
      average: [round(mean(areas[0])), round(mean(areas[1]))],
      averageDifference: difference(...areas),
    };
  };
  return {
    seeds: count,
    secondsPerSeed: mine.map((points) => round(endOf(points)[1])),
    returns: mine.map((points) => endOf(points)[2]),
    secondsToThreshold: mine.map((points) => secondsUntil(points, world.threshold)),
    stepsToThreshold: mine.map((points) => points.find(([, , value]) => value >= world.threshold)?.[0] ?? null),
    atEqualSteps: by(0, steps),
    atEqualSeconds: by(1, budget),
  };
}

interface Written {
  readonly [world: string]: {
    readonly [arm: string]: { readonly config: JsonObject; readonly curves: Point[][]; readonly compared: JsonObject };
  };
}

export async function run(options: ResumableOptions): Promise<Json> {
  const results = structuredClone((options.before ?? {}) as unknown as Written) as {
    [world: string]: { [arm: string]: { config: JsonObject; curves: Point[][]; compared: JsonObject } };
  };
  for (const [name, whole] of Object.entries(WORLDS)) {
    const world = options.quick ? { ...whole, steps: whole.steps / 10, every: whole.every / 2, seeds: 2 } : whole;
    const into = (results[name] ??= {});
    const first = Object.keys(world.arms)[0]!;
    for (const [id, arm] of Object.entries(world.arms)) {
      if (options.only.length > 0 && !options.only.includes(name) && !options.only.includes(`${name}:${id}`)) continue;
      const before = into[id];
      const curves = options.resume && JSON.stringify(before?.config) === JSON.stringify(arm.config) ? [...(before?.curves ?? [])] : [];
      for (let seed = curves.length + 1; seed <= world.seeds; seed++) {
        const points = await curve(world, options.quick ? { ...arm, steps: world.steps } : arm, seed);
        const [, spent, value] = endOf(points);
        curves.push(points);
        options.log(`${name} ${id} seed ${seed}: ${value} after ${spent} s, best ${Math.max(...points.map((point) => point[2]))}`);
      }
      into[id] = { config: arm.config, curves, compared: {} };
      const base = into[first]?.curves ?? curves;
      for (const one of Object.values(into)) one.compared = compared(world, one.curves, base);
      options.log(`${name} ${id}: ${JSON.stringify(into[id].compared)}`);
      options.keep(results as unknown as Json);
    }
  }
  return results as unknown as Json;
}
