/** SAC and TD3 solve the continuous probes and continue bit for bit, on the exact executor. */
import { describe, expect, it } from 'vitest';
import { runConfigSchema } from '#contract/config.ts';
import type { PolicySnapshot, Saved, SessionEvent } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import { decodeSaved, encodeSaved } from '#contract/saved.ts';
import { createEngine } from '../../engine/index.ts';
import type { EnvEntry } from '../../envs/types.ts';
import { Rng } from '../../math/rng.ts';
import { createSession, type SessionOptions } from '../../run/session.ts';
import { getAlgo } from '../index.ts';
import { endless, pointing, pointingTeam } from '../probes.ts';
import { aimedBefore, endlessBox } from './probes.ts';

interface Outcome {
  readonly evalReturn: number;
  readonly hash: string;
  readonly rows: readonly (readonly number[])[];
  readonly snapshot: PolicySnapshot | undefined;
  readonly saved: Saved | undefined;
}

/** A whole run, or up to the first safe point at or after `stopAt` steps, saved there. */
async function play(
  env: EnvEntry,
  algoId: string,
  steps: number,
  settings: JsonObject,
  options: Partial<SessionOptions> = {},
  stopAt = Number.POSITIVE_INFINITY,
) {
  const config = runConfigSchema.parse({
    env: { id: env.id },
    algo: { id: algoId, config: getAlgo(algoId).parse(settings) },
    run: { steps, evalEpisodes: 20 },
  });
  let time = 0;
  const session = createSession({ config, seed: 1, env, now: () => (time += 1000), sliceMs: 1, ...options });
  const found: { -readonly [K in keyof Outcome]: Outcome[K] } = {
    evalReturn: Number.NaN,
    hash: '',
    rows: [],
    snapshot: undefined,
    saved: undefined,
  };
  const take = (event: SessionEvent): void => {
    if (event.kind === 'result') {
      found.evalReturn = event.result.evalReturn;
      found.hash = event.result.parameterHash;
    }
    if (event.kind === 'policy') found.snapshot = event.snapshot;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind !== 'metrics') return;
    const width = event.columns.length + 1;
    const clock = event.columns.indexOf('seconds') + 1;
    for (let i = 0; i < event.rows.length; i += width) {
      found.rows = [...found.rows, [...event.rows.slice(i, i + width)].filter((_, j) => j !== clock)];
    }
  };
  for await (const event of session) {
    take(event);
    if (event.kind === 'progress' && event.step >= stopAt) session.stop();
  }
  if (Number.isFinite(stopAt)) found.saved = decodeSaved(encodeSaved(await session.save()));
  return found;
}

async function ask(env: EnvEntry, { snapshot }: Outcome, obs: readonly number[]) {
  if (snapshot === undefined) throw new Error('no policy');
  const policy = await getAlgo(snapshot.algo.id).policy(
    { config: snapshot.algo.config, meta: env.meta({}), envEntry: env, envConfig: {}, makeEngine: () => createEngine('wasm') },
    snapshot.saved,
  );
  const hidden = policy.initial(1);
  return policy.act({ obs: Float32Array.from(obs), agent: Int32Array.of(0), hidden, rng: Rng.from(1), rows: 1, greedy: true });
}

const small = {
  hidden: [32],
  lr: 3e-3,
  criticLr: 3e-3,
  gamma: 0.9,
  tau: 0.05,
  batchSize: 64,
  learningStarts: 100,
  bufferSize: 5000,
  trainEvery: 2,
};
const methods = [
  ['SAC', 'sac', small],
  ['SAC as CleanRL runs it', 'sac', { ...small, actorEvery: 2, actorUpdates: 2, temperatureLoss: 'exp', logStd: 'tanh' }],
  ['TD3', 'td3', { ...small, explorationNoise: 0.2 }],
  ['DDPG', 'td3', { ...small, twin: false, smoothing: 0, actorEvery: 1, explorationNoise: 0.2 }],
] as const;

describe.each(methods)('%s', (_, algo, settings) => {
  it('points where it is told', async () => {
    const run = await play(pointing, algo, 5000, settings);
    expect(run.evalReturn).toBeGreaterThan(0.93);
    expect((await ask(pointing, run, [1])).actions[0]).toBeGreaterThan(0.3);
    expect((await ask(pointing, run, [-1])).actions[0]).toBeLessThan(-0.3);
  });

  it('finds an action in a crooked box that pays one step later', async () => {
    const run = await play(aimedBefore, algo, 4000, settings);
    expect(run.evalReturn).toBeGreaterThan(0.9);
    expect((await ask(aimedBefore, run, [0, 0])).actions[0]).toBeCloseTo(4, 0);
  });

  it('serves two agents with one network', async () => {
    const run = await play(pointingTeam, algo, 4000, settings);
    expect(run.evalReturn).toBeGreaterThan(0.85);
  });

  it('bootstraps over time limits: 1 / (1 - gamma), plus what entropy is worth', async () => {
    const fixed = algo === 'sac' ? { autoTemperature: false, temperature: 1e-3 } : {};
    const run = await play(endlessBox, algo, 3000, { ...settings, ...fixed, trainEvery: 1 });
    expect((await ask(endlessBox, run, [1])).value![0]).toBeGreaterThan(9);
  });

  it('is a pure function of config and seed, and continues bit for bit', async () => {
    const steps = 700;
    const tight = { ...settings, envs: 2, bufferSize: 300, hidden: [8], batchSize: 16 };
    const whole = await play(pointingTeam, algo, steps, tight);
    const half = await play(pointingTeam, algo, steps, tight, {}, steps / 2);
    const rest = await play(pointingTeam, algo, steps, tight, half.saved === undefined ? {} : { resume: half.saved });
    expect(rest.rows.length).toBeLessThan(whole.rows.length);
    expect([...half.rows, ...rest.rows]).toEqual(whole.rows);
    expect(rest.hash).toBe(whole.hash);
    expect(rest.evalReturn).toBe(whole.evalReturn);
    expect((await play(pointingTeam, algo, steps, tight, { seed: 2 })).hash).not.toBe(whole.hash);
  });
});

it('refuses actions without bounds and teams that are not alike', () => {
  expect(() => getAlgo('sac').fits(endless.meta({}), {})).toThrow(/continuous/);
  expect(() => getAlgo('td3').fits(endless.meta({}), {})).toThrow(/continuous/);
});
