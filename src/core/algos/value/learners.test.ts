/** Variants of the learners of action values on probes and across checkpoints; the plain ones: algos.test.ts. */
import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../engine/index.ts';
import type { EnvEntry } from '../../envs/api/types.ts';
import { createSession, type SessionOptions } from '../../run/loaded.ts';
import { delayed, endless, memoryOne, roles, team, twoStep } from '../../testing/probes.ts';
import { getAlgo } from '../all.ts';

const probes = { delayed, memoryOne, roles, team, twoStep };
type Settings = JsonObject;

/** A run to its end, or to the first safe point at or after `stopAt`. */
async function play(
  env: EnvEntry,
  id: string,
  steps: number,
  settings: Settings,
  { stopAt = Number.POSITIVE_INFINITY, ...options }: Partial<SessionOptions> & { stopAt?: number } = {},
) {
  const config = runConfigSchema.parse({
    env: { id: env.id },
    algo: { id, config: getAlgo(id).parse(settings) },
    run: { steps, evalEpisodes: 50 },
  });
  let time = 0;
  const session = createSession({ config, seed: 1, env, now: () => (time += 1000), sliceMs: 1, ...options });
  const found = { evalReturn: Number.NaN, hash: '', rows: [] as number[][], snapshot: undefined as PolicySnapshot | undefined };
  for await (const event of session) {
    if (event.kind === 'result') [found.evalReturn, found.hash] = [event.result.evalReturn, event.result.parameterHash];
    if (event.kind === 'policy') found.snapshot = event.snapshot;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'metrics') {
      const width = event.columns.length + 1;
      const clock = event.columns.indexOf('seconds') + 1;
      for (let i = 0; i < event.rows.length; i += width) {
        found.rows.push([...event.rows.slice(i, i + width)].filter((_, j) => j !== clock));
      }
    }
    if (event.kind === 'progress' && event.step >= stopAt) session.stop();
  }
  return { ...found, save: () => session.save() };
}

const pqn = {
  envs: 8,
  rolloutSteps: 8,
  minibatches: 2,
  lr: 3e-3,
  gamma: 0.9,
  hidden: [16],
  epsilonFraction: 0.5,
  epsilonEnd: 0.1,
  annealLr: false,
};

const replayed = {
  envs: 4,
  rolloutSteps: 4,
  recurrent: { kind: 'on', units: 8, sequence: 4 },
  hidden: [16],
  lr: 1e-2,
  batchSize: 32,
  bufferSize: 500,
  learningStarts: 100,
  targetEvery: 20,
  epsilonFraction: 0.5,
  epsilonEnd: 0.1,
};
const forward = { ...replayed, recurrent: { kind: 'off' } };
const mixer = { mixerUnits: 8, hyperUnits: 8, mixerScale: 1 };

it.each([
  ['pqn', 'team', { ...pqn, sharing: 'independent' }, 6000, 1],
  ['pqn-vdn', 'twoStep', { ...pqn, epsilonEnd: 1 }, 8000, 7], // additive values cannot hold the risky table: always the safe one
  ['vdn', 'memoryOne', { ...replayed, optimiser: 'adam', lr: 3e-3 }, 8000, 1],
  ['vdn', 'twoStep', { ...forward, epsilonEnd: 1 }, 8000, 7],
] as const)('%s solves %s (%#)', async (id, name, settings, steps, want) => {
  const { evalReturn } = await play(probes[name], id, steps, settings as unknown as Settings);
  expect(evalReturn).toBeCloseTo(want, 6);
});

it('DQN makes an update for every trainEvery steps, however many environments step together', async () => {
  const hash = async (settings: Settings): Promise<unknown> => {
    const base = { envs: 8, learningStarts: 64, targetEvery: 64, hidden: [8], batchSize: 16, bufferSize: 500 };
    return (await play(delayed, 'dqn', 512, { ...base, ...settings })).hash;
  };
  const everyTwo = await hash({ trainEvery: 2 });
  expect(everyTwo).toBe(await hash({ trainEvery: 8, gradientSteps: 4 }));
  expect(everyTwo).not.toBe(await hash({ trainEvery: 8 }));
});

it('values bootstrap over time limits: 1 / (1 - gamma), and five discounted steps without', async () => {
  const value = async (settings: Settings): Promise<number> => {
    const { snapshot } = await play(endless, 'pqn', 24_000, { ...pqn, lr: 1e-2, maxGradNorm: 1e3, ...settings });
    const policy = await getAlgo('pqn').policy(
      {
        config: snapshot!.algo.config,
        meta: endless.meta({}),
        envEntry: endless,
        envConfig: {},
        makeEngine: () => createEngine('wasm'),
      },
      snapshot!.saved,
    );
    const query = { obs: Float32Array.of(1), agent: Int32Array.of(0), hidden: policy.initial(1), rng: Rng.from(1), rows: 1, greedy: true };
    return (await policy.act(query)).value![0]!;
  };
  expect(await value({})).toBeGreaterThan(9);
  expect(await value({ bootstrapAtTruncation: false })).toBeLessThan(4.1);
});

it.each([
  ['pqn', 'delayed', { ...pqn, annealLr: true }],
  ['iql', 'roles', { ...replayed, standardiseReward: true }],
  ['qmix', 'memoryOne', { ...replayed, ...mixer, tau: 0.5, annealLr: false }],
  ['mansa', 'memoryOne', { ...replayed, ...mixer, callBudget: 0.5, standardiseReward: true }],
  ['mansa', 'team', { ...forward, ...mixer, switching: 'always' }],
] as const)('%s on %s goes on bit for bit after a checkpoint', async (id, name, settings) => {
  const env = probes[name];
  const steps = 2048;
  const config = settings as unknown as Settings;
  const whole = await play(env, id, steps, config);
  const half = await play(env, id, steps, config, { stopAt: steps * 0.6 });
  const resume = decodeSaved(encodeSaved(await half.save()));
  const rest = await play(env, id, steps, config, { resume });
  expect(half.rows.length).toBeGreaterThan(0);
  expect([...half.rows, ...rest.rows]).toEqual(whole.rows);
  expect([rest.hash, rest.evalReturn]).toEqual([whole.hash, whole.evalReturn]);
  expect((await play(env, id, steps, config, { seed: 2 })).hash).not.toBe(whole.hash);
});

it.each([
  ['never', 'iql', replayed],
  ['always', 'qmix', { ...replayed, ...mixer }],
] as const)('MANSA that %s switches is %s, bit for bit', async (switching, id, settings) => {
  const other = await play(roles, id, 2048, settings as unknown as Settings);
  const extreme = await play(roles, 'mansa', 2048, { ...settings, ...mixer, switching } as unknown as Settings);
  expect([extreme.hash, extreme.evalReturn]).toEqual([other.hash, other.evalReturn]);
});
