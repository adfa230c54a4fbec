/**
 * Policies on tokens. `speed`: tokens per second of the learning program (Adam included) and of the decoding program, in Node;
 * no token counted is padding. The other parts are what is learned: five seeds each, 16 prompts x 16 completions,
 * greedy and sampled success on 256 fixed prompts every 20 updates, until the level asked for is reached or the updates are spent. CPU
 * seconds are of this process, evaluations left out.
 * `memory`: bytes of one update of a larger network on 256 lines of 64 tokens by the parts it is taken in: of values between its kernels, and of parameters,
 * optimiser and summed gradients.
 *   npm run bench -- tokens [--only PART ...] [--resume]
 */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { groupRl } from '#core/algos/language/group-rl.ts';
import { createDecoder } from '#core/algos/language/lib/decoding.ts';
import { wholeLines } from '#core/algos/language/lib/packing.ts';
import { compileLearner } from '#core/algos/language/lib/programs.ts';
import { createEngine } from '#core/engine/index.ts';
import { inParts } from '#core/engine/parts.ts';
import { sizeOf } from '#core/engine/shapes.ts';
import type { Engine } from '#core/engine/types.ts';
import { getEnv } from '#core/envs/all.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { familyShape, transformer } from '#core/nets/transformer.ts';
import { evaluate } from '#core/run/evaluate.ts';
import { Rng } from '#math/rng.ts';
import { median } from '#math/stats.ts';
import type { BenchOptions } from './training.ts';

interface Lesson {
  readonly env: string;
  readonly task: JsonObject;
  readonly config: JsonObject;
  readonly updates: number;
  /** Success asked for. */
  readonly level: number;
  readonly by: 'greedy' | 'sampled';
  /** Judged after all updates, not where the level is first reached: where a start is good and learning may spoil it. */
  readonly toTheEnd?: true;
  readonly seeds?: number;
}

/** A start that is right once in a hundred samples, with 16 rows alike in every update on demonstrations. */
const weak = { cloneSteps: 40, cloneApart: false };

const reverse5: JsonObject = { length: 5, letters: 6, formatReward: 0, partialReward: 0 };

const LESSONS: Readonly<Record<string, Lesson>> = {
  'reversal of 3': { env: 't-reason', task: {}, config: { entropyCoef: 0.05 }, updates: 480, level: 0.95, by: 'greedy' },
  'reversal of 3, no entropy bonus': { env: 't-reason', task: {}, config: {}, updates: 480, level: 0.95, by: 'greedy' },
  'text grid 4x4': { env: 't-turns', task: {}, config: { cloneSteps: 60 }, updates: 260, level: 0.95, by: 'greedy' },
  'guess 16': {
    env: 't-turns',
    task: { game: 'guess', turns: 5, mistakes: 0.3 },
    config: { lr: 5e-4, cloneSteps: 200, samePrompt: false },
    updates: 500,
    level: 0.9,
    by: 'greedy',
  },
  'reversal of 5': { env: 't-reason', task: reverse5, config: weak, updates: 160, level: 0.9, by: 'sampled' },
  'trap: format reward': {
    env: 't-reason',
    task: { ...reverse5, formatReward: 0.1 },
    config: weak,
    updates: 120,
    level: 0.9,
    by: 'greedy',
    toTheEnd: true,
    seeds: 3,
  },
  'trap healed by KL': {
    env: 't-reason',
    task: { ...reverse5, formatReward: 0.1 },
    config: { ...weak, klCoef: 0.1 },
    updates: 120,
    level: 0.9,
    by: 'greedy',
    toTheEnd: true,
    seeds: 3,
  },
  'trap healed by partial reward': {
    env: 't-reason',
    task: { ...reverse5, partialReward: 0.5 },
    config: weak,
    updates: 120,
    level: 0.9,
    by: 'greedy',
    toTheEnd: true,
    seeds: 3,
  },
  'add two digits': {
    env: 't-reason',
    task: { task: 'add', formatReward: 0, partialReward: 0 },
    config: { cloneSteps: 180 },
    updates: 1000,
    level: 0.9,
    by: 'greedy',
  },
};

const EVERY = 20;
const PROMPTS = 256;

/** One seed: its curve of [update, greedy, sampled, entropy], tokens written and seconds of the processor. */
async function learn(lesson: Lesson, seed: number): Promise<JsonObject> {
  const env = getEnv(lesson.env);
  const envConfig = env.parse(lesson.task);
  const config = groupRl.parse(lesson.config);
  const engines: Engine[] = [];
  let made = 0;
  const training = groupRl.train({
    config,
    envEntry: env,
    envConfig,
    meta: env.meta(envConfig),
    steps: Number.POSITIVE_INFINITY,
    seed,
    rng: Rng.from(seed),
    makeEnv: (batch, other) => createVectorEnv(env, other ?? envConfig, batch, Rng.from(seed).split('env', made++)),
    makeEngine: async () => {
      const engine = await createEngine('wasm');
      engines.push(engine);
      return engine;
    },
  });
  const cloning = typeof lesson.config.cloneSteps === 'number' ? lesson.config.cloneSteps : 0;
  const curve: Json[] = [];
  let [microseconds, steps, reached] = [0, 0, false];
  for (let update = -cloning; update <= lesson.updates && (!reached || lesson.toTheEnd === true); update++) {
    const measured = update >= 0 && update % EVERY === 0;
    const before = process.cpuUsage();
    const next = await training.next();
    const { user, system } = process.cpuUsage(before);
    microseconds += user + system;
    if (next.done === true) break;
    steps = next.value.step;
    if (!measured || (cloning === 0 && update === 0)) continue;
    const policy = await next.value.policy();
    const greedy = await evaluate(policy, env, envConfig, { episodes: PROMPTS });
    const sampled = await evaluate(policy, env, envConfig, { episodes: PROMPTS, greedy: false });
    policy.dispose();
    const success = { greedy: greedy.measures.solved ?? 0, sampled: sampled.measures.solved ?? 0 };
    const entropy = next.value.metrics.entropy;
    curve.push([update, success.greedy, success.sampled, entropy === undefined ? null : Math.round(1000 * entropy) / 1000]);
    reached = success[lesson.by] >= lesson.level;
  }
  await training.return();
  for (const engine of engines) engine.dispose();
  return { seed, reached, tokensWritten: steps, cpuSeconds: Math.round(microseconds / 1e5) / 10, curve };
}

/** Runs of `work` per second of the processor, which a busy machine slows less than the clock: median of rounds of about a second each. */
async function rate(work: () => Promise<void> | void, rounds: number): Promise<number> {
  const found: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const before = process.cpuUsage();
    let [count, spent] = [0, 0];
    while (spent < 1e6) {
      const pending = work();
      if (pending) await pending;
      count++;
      const { user, system } = process.cpuUsage(before);
      spent = user + system;
    }
    if (round >= 0) found.push((1e6 * count) / spent); // the first one warms up
  }
  return median(found);
}

const shapeOf = (width: number, layers: number, context: number) =>
  familyShape('a', { vocabulary: 64, width, layers, heads: width / 16, context });

/** Tokens per second of updates on 4,096 tokens, and of decoding 256 rows of 24 tokens from the first on. */
async function speed(quick: boolean): Promise<JsonObject> {
  const sizes = [
    { name: '64 x 2', width: 64, layers: 2, context: 64, target: 30_000 },
    { name: '96 x 3', width: 96, layers: 3, context: 64, target: 12_000 },
  ];
  const out: { [name: string]: Json } = {};
  for (const { name, width, layers, context, target } of sizes) {
    const rows = 4096 / context;
    const engine = await createEngine('wasm');
    const shape = shapeOf(width, layers, context + 1);
    const group = engine.group('net');
    const weights = transformer(group, Rng.from(1), shape);
    const options = { ratio: 'token', surrogate: 'clip', judged: false, maxGradNorm: 1 } as const;
    const learner = compileLearner(engine, shape, group, weights, options, wholeLines(rows, context));
    const rng = Rng.from(2);
    const fill = (into: Float32Array | undefined, value: () => number): void => {
      if (into !== undefined) for (let i = 0; i < into.length; i++) into[i] = value();
    };
    fill(learner.in.ids, () => 3 + Math.floor(61 * rng.uniform()));
    fill(learner.in.targets, () => 3 + Math.floor(61 * rng.uniform()));
    fill(learner.in.mask, () => 1);
    fill(learner.in.weight, () => 1 / 4096);
    fill(learner.in.advantage, () => rng.uniform() - 0.5);
    learner.in.first[0] = 1;
    learner.in.low[0] = 0.2;
    learner.in.high[0] = 0.2;
    learner.in.lr[0] = 1e-4;
    const tokens = 4096 * (await rate(() => learner.run(), quick ? 2 : 5));
    out[`${name}, trained`] = { tokensPerSecond: Math.round(tokens), target, met: tokens >= target };
    if (width === 64) {
      const decoder = createDecoder(engine, shape, weights, 256, 24);
      const ids = new Float32Array(256 * 24).map(() => 3 + Math.floor(61 * rng.uniform()));
      const lengths = new Int32Array(256);
      const whole = async (): Promise<void> => {
        decoder.clear();
        for (let n = 1; n <= 24; n++) await decoder.read(ids, lengths.fill(n));
      };
      const decoded = 256 * 24 * (await rate(whole, quick ? 2 : 5));
      out[`${name}, decoded, 256 rows of 24`] = { tokensPerSecond: Math.round(decoded), target: 80_000, met: decoded >= 80_000 };
    }
    engine.dispose();
  }
  return out;
}

/** Bytes that an update of 1.1 million parameters on 256 x 64 tokens may need, taken in four parts. */
const MOST_BYTES = 400e6;

/** A learning program of 256 lines of 64 tokens, `parts` of them one after the other. */
async function memory(quick: boolean): Promise<JsonObject> {
  const [lines, places] = [256, 64];
  const out: { [name: string]: Json } = {};
  for (const parts of [1, 2, 4, 8]) {
    const engine = await createEngine('wasm');
    const shape = familyShape('a', { vocabulary: 512, width: 128, layers: 5, heads: 8, context: places + 1 });
    const group = engine.group('net');
    const weights = transformer(group, Rng.from(1), shape);
    const parameters = group.params.reduce((sum, param) => sum + sizeOf(param.shape), 0);
    const options = { ratio: 'token', surrogate: 'clip', judged: false, maxGradNorm: 1 } as const;
    const learner = compileLearner(inParts(engine, parts), shape, group, weights, options, wholeLines(lines / parts, places));
    const rng = Rng.from(2);
    for (const into of [learner.in.ids, learner.in.targets])
      if (into !== undefined) for (let i = 0; i < into.length; i++) into[i] = 3 + Math.floor(509 * rng.uniform());
    for (const into of [learner.in.mask, learner.in.weight]) into.fill(1 / (lines * places));
    learner.in.advantage.fill(1);
    learner.in.first[0] = 1;
    learner.in.low[0] = 0.2;
    learner.in.high[0] = 0.2;
    learner.in.lr[0] = 1e-4;
    const update = async (): Promise<void> => {
      for (let part = 0; part < parts; part++) await learner.run();
    };
    const before = process.cpuUsage();
    for (let i = 0; i < (quick ? 1 : 3); i++) await update();
    const { user, system } = process.cpuUsage(before);
    // parameters, two moments of Adam and, in parts, the sum of gradients
    const held = 4 * parameters * (parts > 1 ? 4 : 3);
    const bytes = learner.stats.arenaBytes + held;
    out[`${parts} part${parts === 1 ? '' : 's'}`] = {
      parameters,
      arenaBytes: learner.stats.arenaBytes,
      heldBytes: held,
      tokensPerSecond: Math.round((lines * places * (quick ? 1 : 3) * 1e6) / (user + system)),
      ...(parts === 4 && { target: MOST_BYTES, met: bytes <= MOST_BYTES }),
    };
    engine.dispose();
  }
  return out;
}

export async function run(options: BenchOptions): Promise<Json> {
  const { quick, log, only, before, keep } = options;
  // parts that are not asked for keep what they had
  const results: { [part: string]: Json } = typeof before === 'object' && before !== null ? Object.fromEntries(Object.entries(before)) : {};
  const wanted = (part: string): boolean => only.length === 0 || only.includes(part);
  if (wanted('speed')) {
    results.speed = await speed(quick);
    for (const [name, found] of Object.entries(results.speed)) log(`${name.padEnd(34)} ${JSON.stringify(found)}`);
    keep(results);
  }
  if (wanted('memory')) {
    results.memory = await memory(quick);
    for (const [name, found] of Object.entries(results.memory)) log(`${name.padEnd(34)} ${JSON.stringify(found)}`);
    keep(results);
  }
  for (const [name, lesson] of Object.entries(LESSONS)) {
    if (!wanted(name)) continue;
    const seeds: JsonObject[] = [];
    for (let seed = 1; seed <= (quick ? 1 : (lesson.seeds ?? 5)); seed++) {
      const found = await learn(lesson, seed);
      seeds.push(found);
      const { reached, cpuSeconds, curve } = found;
      log(
        `${name.padEnd(34)} seed ${seed}: ${reached === true ? 'reached' : 'NOT reached'} ${JSON.stringify((curve as Json[]).at(-1))} ${String(cpuSeconds)} s`,
      );
      const { level, by, updates, task, config, env } = lesson;
      const seconds = seeds.map((one) => Number(one.cpuSeconds));
      results[name] = {
        setting: { env, task, config, updates },
        asked: { level, by },
        reached: seeds.filter((one) => one.reached === true).length,
        of: seeds.length,
        medianCpuSeconds: median(seconds),
        seeds,
      };
      keep(results);
    }
  }
  return results;
}
