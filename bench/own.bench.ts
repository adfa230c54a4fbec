/**
 * What a world of one's own costs: CartPole as it stands among the starting points (docs/own-worlds.md) beside the built-in one, with the same
 * settings of PPO, in Node and in a Chromium, where the own one trains in a worker of its sandbox. The two are timed in pairs, one straight after the
 * other and each first every other time, so that a busy minute of the machine hits both; what is judged is the median of the pairs' ratios.
 * Then ten seeds of each: the interval of the difference of their greedy returns, and whether the parameters are the same.
 */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { completeRun, createSession } from '#core/run/loaded.ts';
import { mean, median } from '#math/stats.ts';
import { meanInterval } from '#math/stats-compare.ts';
import { startingPoints } from '#worlds/index.ts';
import { codeSettings, runCode } from '../cli/own/code.ts';
import { NO_GPU_FLAGS } from '../tools/browser.mjs';
import { withBrowser } from './browser.ts';
import { type BenchOptions, type Case, runInChromium, runInNode } from './training.ts';

const WORLD = 'cartpole';
/** Of the runs that are timed, as many as bench/ppo times, and of those whose returns are compared. */
const TIMED = 500_000;
const STEPS = 200_000;
const SEEDS = 10;
/** Share of the built-in one's speed to reach, and of its return that may be lost. */
const SPEED = 1 / 3;
const LOSS = 0.05;

async function casesOf(steps: number): Promise<{ readonly builtIn: Case; readonly own: Case }> {
  const code = startingPoints.find(({ id }) => id === WORLD)?.code;
  if (code === undefined) throw new Error(`There is no starting point "${WORLD}".`);
  const made = await runCode({ name: `${WORLD}.js`, code });
  const { config } = completeRun({ env: { id: WORLD }, algo: { id: 'ppo' }, run: { steps, seeds: 1 } }).algo;
  const shared = { algo: 'ppo', algoConfig: config, steps, targets: { node: 0, chromium: 0 } };
  return {
    builtIn: { ...shared, name: 'built-in', env: WORLD },
    own: { ...shared, name: 'own', env: made.env.id, envConfig: codeSettings(made) },
  };
}

interface Speed {
  readonly stepsPerSecond: number;
  readonly parameterHash: string;
}

/** Pairs of runs of one place. Throws where a seed learns other parameters than in the other world. */
async function pairs(
  rounds: number,
  runs: readonly [(seed: number) => Promise<Speed>, (seed: number) => Promise<Speed>],
): Promise<JsonObject> {
  const [runOwn, runBuiltIn] = runs;
  const found: { readonly own: number; readonly builtIn: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const seed = 1 + round;
    const first = round % 2 === 0 ? await runOwn(seed) : await runBuiltIn(seed);
    const second = round % 2 === 0 ? await runBuiltIn(seed) : await runOwn(seed);
    if (first.parameterHash !== second.parameterHash) throw new Error(`seed ${seed}: the own world and the built-in one do not agree`);
    const [own, builtIn] = round % 2 === 0 ? [first, second] : [second, first];
    found.push({ own: Math.round(own.stepsPerSecond), builtIn: Math.round(builtIn.stepsPerSecond) });
  }
  const ratios = found.map(({ own, builtIn }) => Math.round((100 * own) / builtIn) / 100);
  const ratio = Math.round(100 * median(ratios)) / 100;
  return { pairs: found.map((pair) => ({ ...pair })), ratios, ratio, target: Math.round(100 * SPEED) / 100, met: ratio >= SPEED };
}

/** The greedy return of a seed and the hash of what it learned. */
async function learned(
  { env, envConfig = {}, algo, algoConfig = {}, steps }: Case,
  seed: number,
): Promise<{ score: number; hash: string }> {
  const config = completeRun({
    env: { id: env, config: envConfig },
    algo: { id: algo, config: algoConfig },
    run: { steps, seeds: 1, evalEpisodes: 100 },
  });
  for await (const event of createSession({ config, seed, now: () => performance.now() })) {
    if (event.kind === 'result') return { score: event.result.evalReturn, hash: event.result.parameterHash };
    if (event.kind === 'state' && event.error) throw new Error(event.error.message);
  }
  throw new Error('the run gave no result');
}

async function returns(own: Case, builtIn: Case, seeds: number): Promise<JsonObject> {
  const scores: { readonly own: number; readonly builtIn: number }[] = [];
  let same = true;
  for (let seed = 1; seed <= seeds; seed++) {
    const [mine, theirs] = [await learned(own, seed), await learned(builtIn, seed)];
    scores.push({ own: mine.score, builtIn: theirs.score });
    same &&= mine.hash === theirs.hash;
  }
  const { mean: difference, halfWidth } = meanInterval(scores.map((pair) => pair.own - pair.builtIn));
  const bar = mean(scores.map(({ builtIn: score }) => score));
  return {
    seeds,
    scores: scores.map((pair) => ({ ...pair })),
    mean: { own: mean(scores.map((pair) => pair.own)), builtIn: bar },
    difference: { mean: difference, from: difference - halfWidth, to: difference + halfWidth },
    sameParameters: same,
    met: difference - halfWidth >= -LOSS * bar,
  };
}

export async function run({ quick, log, before, keep, only }: BenchOptions): Promise<Json> {
  const { builtIn, own } = await casesOf(quick ? TIMED / 5 : TIMED);
  const shorter = (one: Case): Case => ({ ...one, steps: quick ? STEPS / 5 : STEPS });
  const rounds = quick ? 2 : 6;
  const results: Record<string, Json> = only.length === 0 ? {} : { ...((before as JsonObject | null) ?? {}) };
  const parts: { readonly [name: string]: () => Promise<JsonObject> } = {
    node: () => pairs(rounds, [(seed) => runInNode(own, seed), (seed) => runInNode(builtIn, seed)]),
    chromium: () =>
      withBrowser(
        (visit) => pairs(rounds, [(seed) => runInChromium(visit, own, seed), (seed) => runInChromium(visit, builtIn, seed)]),
        NO_GPU_FLAGS,
      ),
    returns: () => returns(shorter(own), shorter(builtIn), quick ? 2 : SEEDS),
  };
  const unknown = only.find((name) => parts[name] === undefined);
  if (unknown !== undefined) throw new Error(`--only: there is no part "${unknown}". Use any of: ${Object.keys(parts).join(', ')}.`);
  for (const [name, part] of Object.entries(parts)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const found = await part();
    results[name] = found;
    log(`${name}: ${JSON.stringify(found)}`);
    keep(results);
  }
  return results;
}
