/**
 * Speed of whole training runs as a user gets it, in Node and in a Chromium worker of the built page: environment steps per second, learning,
 * statistics and logging included. Each figure is the median of `rounds` runs; the clock of a run starts at its first safe point, so
 * that compiling the programs is measured on its own. The two must agree bit for bit. The browser runs without GL: a graphics card played
 * by the processor takes the core that the trainer shares with it (measured: a quarter of the speed), which a machine with a real one does
 * not pay. Runs during which the machine was busy with others (quiet.ts) are written down and repeated, up to twice as many. In Node
 * steps per second of processor time are written down too, which a busy machine changes less.
 */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { CODE_SETTING } from '#contract/run/own-world.ts';
import { completeRun, createSession, loadRun } from '#core/run/by-id.ts';
import { median, quantile } from '#math/stats.ts';
import { NO_GPU_FLAGS } from '../tools/browser.mjs';
import { type Visit, withBrowser } from './browser.ts';
import { quietOnes, type Timed, timed } from './quiet.ts';

export interface Case {
  /** Among the results. */
  readonly name: string;
  readonly env: string;
  readonly envConfig?: JsonObject;
  readonly algo: string;
  readonly algoConfig?: JsonObject;
  readonly steps: number;
  /** Steps per second to reach. */
  readonly targets: { readonly node: number; readonly chromium: number };
}

interface Run {
  readonly stepsPerSecond: number;
  /** By processor time of the process; null in a browser. */
  readonly cpuStepsPerSecond: number | null;
  readonly finalReturn: number;
  readonly parameterHash: string;
  /** From the start of the session to its first safe point: programs compiled, first rollout done. */
  readonly firstProgressMs: number;
  /** Steps per second of every stretch of STRETCH_MS. */
  readonly stretches: readonly number[];
}

interface Point {
  readonly at: number;
  readonly step: number;
}

/**
 * Other tenants of a shared machine take a core's arithmetic for seconds at a time, which a chain of integer operations does not feel.
 * Stretches of a run show it: their speeds have two heaps. The faster one is what the core does when it is left alone.
 */
const STRETCH_MS = 250;

function stretchesOf(points: readonly Point[]): number[] {
  const speeds: number[] = [];
  let from = points[0];
  for (const point of points) {
    if (from === undefined || point.at - from.at < STRETCH_MS) continue;
    speeds.push((1000 * (point.step - from.step)) / (point.at - from.at));
    from = point;
  }
  return speeds;
}

const configOf = ({ env, envConfig = {}, algo, algoConfig = {}, steps }: Case): JsonObject => ({
  env: { id: env, config: envConfig },
  algo: { id: algo, config: algoConfig },
  run: { steps, seeds: 1, evalEpisodes: 1 }, // not timed
});

/** Settings of an environment (`of`: "env") or a method ("algo"), as a link holds them. */
export const fields = (of: string, config: JsonObject): string =>
  Object.entries(config)
    .map(([key, value]) => `&${of}.${key}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('');

/** The same as the hash of a link. */
function linkOf({ env, envConfig = {}, algo, algoConfig = {}, steps }: Case, seed: number): string {
  return `env=${env}${fields('env', envConfig)}&algo=${algo}${fields('algo', algoConfig)}&steps=${steps}&seeds=1&seed=${seed}&run.evalEpisodes=1`;
}

export async function runInNode(one: Case, seed: number): Promise<Run> {
  await loadRun(configOf(one));
  const config = completeRun(configOf(one));
  const start = performance.now();
  const points: (Point & { readonly cpu: number })[] = [];
  const cpuNow = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  for await (const event of createSession({ config, seed, now: () => performance.now(), sliceMs: 50 })) {
    // A progress event that brings no step comes from the evaluation at the end, which is not timed.
    if (event.kind === 'progress' && event.step > (points.at(-1)?.step ?? 0)) {
      points.push({ at: performance.now(), step: event.step, cpu: cpuNow() });
    }
    if (event.kind === 'result') {
      const { finalReturn, parameterHash } = event.result;
      const last = points.at(-1) ?? { at: start, step: 0, cpu: 0 };
      const from = points[0] ?? last;
      return {
        stepsPerSecond: (1000 * (last.step - from.step)) / (last.at - from.at),
        cpuStepsPerSecond: (1000 * (last.step - from.step)) / (last.cpu - from.cpu),
        finalReturn,
        parameterHash,
        firstProgressMs: from.at - start,
        stretches: stretchesOf(points),
      };
    }
    if (event.kind === 'state' && event.error) throw new Error(event.error.message);
  }
  throw new Error('the run gave no result');
}

/** The same on the built page: one seed, trained by a press of the button, timed by the page's own clock from its first progress on. */
export async function runInChromium(visit: Visit, one: Case, seed: number): Promise<Run> {
  const page = await visit.newPage();
  try {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${visit.url}#${linkOf(one, seed)}`);
    // A first visit stores the whole page for offline use, which is no part of a run.
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const button = page.getByRole('group', { name: 'Training' }).getByRole('button', { name: 'Train', exact: true });
    // code that a link carries is asked about first; Train is there once its sandbox stands
    if (one.envConfig?.[CODE_SETTING] !== undefined) await page.getByRole('button', { name: 'Run this code' }).click();
    await button.click();
    const { points, ...run } = await page.evaluate(async (budget) => {
      interface SeedNow {
        readonly state: string;
        readonly step: number;
        readonly result: { readonly finalReturn: number; readonly parameterHash: string } | null;
      }
      const hook = (window as unknown as { __lab: { readonly activeRun: { readonly seeds: readonly SeedNow[] } | null } }).__lab;
      const pressed = performance.now();
      let end = 0;
      const points: Point[] = [];
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 4));
        const now = hook.activeRun?.seeds[0];
        if (!now) continue;
        if (now.state === 'failed') throw new Error('the run failed');
        if (now.step > (points.at(-1)?.step ?? 0)) points.push({ at: performance.now(), step: now.step });
        if (now.step >= budget && end === 0) end = performance.now();
        const first = points[0];
        if (now.result && first) {
          return {
            stepsPerSecond: (1000 * (budget - first.step)) / (end - first.at),
            cpuStepsPerSecond: null,
            finalReturn: now.result.finalReturn,
            parameterHash: now.result.parameterHash,
            firstProgressMs: first.at - pressed,
            points,
          };
        }
      }
    }, one.steps);
    return { ...run, stretches: stretchesOf(points) };
  } finally {
    await page.context().close();
  }
}

/** The median of the first `rounds` runs on a quiet machine; of all, and said so, if there were not as many. */
function report(all: readonly Timed<Run>[], rounds: number, target: number): JsonObject {
  const undisturbed = quietOnes(all);
  const quiet = undisturbed.length >= rounds;
  const runs = quiet ? undisturbed.slice(0, rounds) : all.map((run) => run.value);
  const speeds = runs.map((run) => Math.round(run.stepsPerSecond));
  const middle = Math.round(median(speeds));
  const stretches = all.flatMap(({ value }) => value.stretches);
  const share = (q: number): number => Math.round(quantile(stretches, q));
  return {
    stepsPerSecond: middle,
    runs: speeds,
    stretches: { ms: STRETCH_MS, count: stretches.length, p10: share(0.1), median: share(0.5), p90: share(0.9) },
    ...(runs.every(({ cpuStepsPerSecond }) => cpuStepsPerSecond !== null) && {
      cpuStepsPerSecond: Math.round(median(runs.map((run) => run.cpuStepsPerSecond ?? 0))),
    }),
    quiet,
    allRuns: all.map(({ value, chain }) => ({ stepsPerSecond: Math.round(value.stepsPerSecond), chainPerMicrosecond: Math.round(chain) })),
    target,
    met: middle >= target,
    firstProgressMs: Math.round(median(runs.map((run) => run.firstProgressMs))),
    finalReturns: runs.map((run) => (Number.isFinite(run.finalReturn) ? Math.round(run.finalReturn * 10) / 10 : null)),
    parameterHashes: runs.map((run) => run.parameterHash),
  };
}

export interface BenchOptions {
  readonly quick: boolean;
  readonly log: (line: string) => void;
  /** Names of cases; empty: all. */
  readonly only: readonly string[];
  /** What was written last time: cases that are not asked for keep their results. */
  readonly before: Json;
  /** Writes what there is after every case, so that an interrupted run keeps it. */
  readonly keep: (results: Json) => void;
}

/** Of benchmarks whose cases are finished one by one. */
export interface ResumableOptions extends BenchOptions {
  /** What was finished before is not run again. */
  readonly resume: boolean;
}

export async function timeTraining(cases: readonly Case[], options: BenchOptions): Promise<JsonObject> {
  const { only, before, keep } = options;
  const unknown = only.find((name) => !cases.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new Error(`--only: there is no case "${unknown}". Use any of: ${cases.map(({ name }) => name).join('; ')}.`);
  const rounds = options.quick ? 2 : 5;
  const old = only.length === 0 ? null : (before as JsonObject | null);
  const results: Record<string, Json> = { ...(old?.results as JsonObject | undefined) };
  const all = { ...old, unit: 'environment steps per second, learning included', steps: cases.map((one) => one.steps), results };
  await withBrowser(async (visit) => {
    for (const full of cases.filter(({ name }) => only.length === 0 || only.includes(name))) {
      const one = options.quick ? { ...full, steps: full.steps / 5 } : full;
      const node: Timed<Run>[] = [];
      const chromium: Timed<Run>[] = [];
      const enough = (): boolean => [node, chromium].every((runs) => quietOnes(runs).length >= rounds);
      for (let round = 0; round < 2 * rounds && !enough(); round++) {
        // Interleaved, so that a busy minute of the machine does not hit one of them alone.
        const seed = 1 + (round % rounds);
        node.push(await timed(() => runInNode(one, seed)));
        chromium.push(await timed(() => runInChromium(visit, one, seed)));
      }
      for (const [where, runs] of [
        ['node', node],
        ['chromium worker', chromium],
      ] as const) {
        const name = `${one.name}, ${where}`;
        results[name] = report(runs, rounds, where === 'node' ? one.targets.node : one.targets.chromium);
        options.log(line(name, results));
      }
      const same = node.every((run, i) => run.value.parameterHash === chromium[i]?.value.parameterHash);
      options.log(`${one.name}: ${same ? 'the same parameters in both, bit for bit' : 'DIFFERENT PARAMETERS'}`);
      if (!same) throw new Error(`${one.name}: Node and Chromium do not agree`);
      keep(all);
    }
  }, NO_GPU_FLAGS);
  return all;
}

function line(name: string, results: Record<string, Json>): string {
  const { stepsPerSecond, runs, target, quiet } = results[name] as {
    stepsPerSecond: number;
    runs: readonly number[];
    target: number;
    quiet: boolean;
  };
  return `${name.padEnd(40)} ${stepsPerSecond} steps/s, median of ${runs.join(' ')}${quiet ? '' : ', machine not quiet'} (target ${target})`;
}
