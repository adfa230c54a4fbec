/**
 * MuJoCo's bodies: raw steps beside a bare loop of mj_step (mujoco/raw.ts), PPO as published for continuous control and SAC at
 * 256-256 with learning, in Node and in a Chromium worker; training is timed on the built page as a user gets it (training.ts). Of raw
 * steps the best of `ROUNDS` short passes counts; of training the median of three runs. `engine` is the part of a training step that
 * the bare loop would need: the rest is ours and the learner's. A part is named `raw mujoco-ant`, `ppo mujoco-ant` or `sac mujoco-ant`.
 */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { envs } from '#core/envs/all.ts';
import { median } from '#math/stats.ts';
import { NO_GPU_FLAGS } from '../tools/browser.mjs';
import { type Visit, withBrowser } from './browser.ts';
import { withRawWorker } from './mujoco/browser.ts';
import { type RawRates, rawRates } from './mujoco/raw.ts';
import { type Case, type ResumableOptions, runInChromium, runInNode } from './training.ts';

/** Of the benchmark: not the tasks on a table, nor the robot whose model a person brings. */
const BODIES = envs.map(({ id }) => id).filter((id) => /^mujoco-(?!table|robot)/.test(id));
const LARGE = ['mujoco-half-cheetah', 'mujoco-hopper', 'mujoco-walker2d', 'mujoco-ant', 'mujoco-humanoid', 'mujoco-humanoid-standup'];
/** Part of the bare loop's rate that the environment must keep. */
const shareAsked = (id: string): number => (LARGE.includes(id) ? 0.9 : 0.75);
const ROUNDS = 25;
const RUNS = 3;
const WHERE = ['node', 'chromium worker'] as const;

const METHODS: { readonly [method: string]: Pick<Case, 'algo' | 'algoConfig' | 'steps'> } = {
  ppo: {
    algo: 'ppo',
    algoConfig: {
      lr: 3e-4,
      envs: 1,
      rolloutSteps: 2048,
      minibatches: 32,
      epochs: 10,
      entropyCoef: 0,
      normaliseObs: true,
      normaliseReward: true,
    },
    steps: 5 * 2048,
  },
  sac: { algo: 'sac', algoConfig: {}, steps: 700 },
};
/** Over the first 200,000 steps of PPO on the half cheetah. */
const ASKED: { readonly [part: string]: { readonly steps: number; readonly stepsPerSecond: number } } = {
  'ppo mujoco-half-cheetah': { steps: 200_704, stepsPerSecond: 8000 },
};

type Rows = { [part: string]: JsonObject };

function rawRow(id: string, { ours, bare }: RawRates): JsonObject {
  const share = Math.round((1000 * ours) / bare) / 1000;
  return { stepsPerSecond: ours, bare, share, asked: shareAsked(id), met: share >= shareAsked(id) };
}

async function trainRow(
  visit: Visit,
  part: string,
  where: (typeof WHERE)[number],
  bare: number | null,
  quick: boolean,
): Promise<JsonObject> {
  const [method = '', env = ''] = part.split(' ');
  const asked = ASKED[part];
  const full = asked?.steps ?? METHODS[method]!.steps;
  const one: Case = {
    name: part,
    env,
    ...METHODS[method]!,
    steps: quick ? METHODS[method]!.steps : full,
    targets: { node: 0, chromium: 0 },
  };
  const runs = [];
  for (let seed = 1; seed <= (quick ? 1 : RUNS); seed++)
    runs.push(where === 'node' ? await runInNode(one, seed) : await runInChromium(visit, one, seed));
  const speeds = runs.map(({ stepsPerSecond }) => Math.round(10 * stepsPerSecond) / 10);
  const rate = median(speeds);
  const cpu = runs.flatMap(({ cpuStepsPerSecond }) => (cpuStepsPerSecond === null ? [] : [cpuStepsPerSecond]));
  return {
    stepsPerSecond: rate,
    ...(cpu.length > 0 && { cpuStepsPerSecond: Math.round(10 * median(cpu)) / 10 }),
    runs: speeds,
    steps: one.steps,
    ...(bare !== null && { engine: Math.round((1000 * rate) / bare) / 1000 }),
    ...(asked !== undefined && { asked: asked.stepsPerSecond, met: rate >= asked.stepsPerSecond }),
  };
}

/** Every part, or those of `only`; the others keep their results. */
export async function run({ quick, log, only, before, keep }: ResumableOptions): Promise<Json> {
  const parts = ['raw', ...Object.keys(METHODS)].flatMap((what) => BODIES.map((id) => `${what} ${id}`));
  const unknown = only.find((name) => !parts.some((part) => part.startsWith(name)));
  if (unknown !== undefined) throw new Error(`--only: there is no part "${unknown}". Use the beginning of any of: ${parts.join('; ')}.`);
  const wanted = parts.filter((part) => only.length === 0 || only.some((name) => part.startsWith(name)));
  const rows: Rows = { ...((before as JsonObject | null)?.results as Rows | undefined) };
  const results = (): Json => ({ unit: 'environment steps per second, one row', results: rows });
  const put = (part: string, where: (typeof WHERE)[number], row: JsonObject): void => {
    rows[`${part}, ${where}`] = { ...row, at: new Date().toISOString() };
    log(`${`${part}, ${where}`.padEnd(48)} ${JSON.stringify(row)}`);
    keep(results());
  };
  const raw = wanted.filter((part) => part.startsWith('raw '));
  if (raw.length > 0)
    await withRawWorker(async (measure) => {
      for (const part of raw) {
        const id = part.slice(4);
        const rounds = quick ? 3 : ROUNDS;
        put(part, 'node', rawRow(id, await rawRates(id, rounds)));
        put(part, 'chromium worker', rawRow(id, await measure(id, rounds)));
      }
    });
  const trained = wanted.filter((part) => !part.startsWith('raw '));
  if (trained.length > 0)
    await withBrowser(async (visit) => {
      for (const part of trained)
        for (const where of WHERE) {
          const bare = rows[`raw ${part.split(' ')[1]}, ${where}`]?.bare;
          put(part, where, await trainRow(visit, part, where, typeof bare === 'number' ? bare : null, quick));
        }
    }, NO_GPU_FLAGS);
  return results();
}
