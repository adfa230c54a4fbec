import { expect, test } from 'vitest';
import { levelsOf } from '#contract/files/levels.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { probe } from '#core/testing/probe.ts';
import { Rng } from '#math/rng.ts';
import type { RolloutHost, UpdateNumbers } from '../../api/extension.ts';
import { levels } from './extension.ts';
import { levelPlaces } from './level-replay.ts';
import type { LevelSetting } from './settings.ts';

const LEVELS = 10;
/** Ten levels of one step, told apart by what is seen: the first pays for one of two actions, the others never pay. */
const planted = probe('probe-levels', {
  obs: { kind: 'box', shape: [1], low: 0, high: LEVELS },
  action: { kind: 'discrete', n: 2, labels: ['a', 'b'] },
  maxSteps: 1,
  start: (rng) => rng.int(LEVELS),
  observe: (cue, _, out) => out.fill(cue),
  step: (cue, _, action) => ({ reward: cue === 0 && action === 1 ? 1 : 0, terminated: true }),
});

/** An edit makes the next of the ten levels of one. */
const editable: EnvEntry = {
  ...planted,
  create: (config, batch) => {
    const env = planted.create(config, batch);
    const { state } = env.meta;
    const next = (level: Uint8Array): Uint8Array => {
      const json = state.toJSON(level);
      return state.fromJSON({ ...json, cue: (Number(json.cue) + 1) % LEVELS });
    };
    return { ...env, meta: { ...env.meta, edited: true }, editLevel: next };
  },
};

const [B, T] = [4, 8];
const stand = { loop: 'rollout', networks: 'policy' } as const;
const settingOf = (setting: object) => levels.field(stand)!.parse(setting) as unknown as Exclude<LevelSetting, { kind: 'not used' }>;

/** A rollout loop with random actions and a critic that knows nothing. */
function rig(setting: object, entry = planted) {
  const env = createVectorEnv(entry, {}, B, Rng.from(1).split('env'));
  const places = levelPlaces({ env, meta: env.meta, rng: Rng.from(1) } as unknown as RolloutHost, settingOf(setting));
  const acting = Rng.from(2);
  const state = registerState({ parts: { env }, arrays: { acting } }, places.state ?? {});
  return {
    state,
    begin: () => env.reset(),
    shown: () => places.shown?.() ?? { meta: {}, arrays: {} },
    async rollout() {
      const zeros = () => new Float32Array(T * B);
      const [rewards, advantages] = [zeros(), zeros()];
      const [terminated, truncated] = [new Uint8Array(T * B), new Uint8Array(T * B)];
      const seen: number[][] = [];
      for (let t = 0; t < T; t++) {
        seen.push([...env.buffers.obs]);
        places.beforeStep?.(t);
        env.step(Int32Array.from({ length: B }, () => acting.int(2)));
        places.afterStep?.(t);
        rewards.set(env.buffers.reward, t * B);
        terminated.set(env.buffers.terminated, t * B);
        advantages.set(env.buffers.reward, t * B);
      }
      const rest = { obs: zeros(), actions: zeros(), logProbs: zeros(), finalValues: zeros(), lastObs: zeros(), lastValues: zeros() };
      await places.advantages?.({ ...rest, rewards, values: zeros(), terminated, truncated, advantages, targets: zeros() });
      const numbers: UpdateNumbers = { lr: 1, clip: 1, entropyCoef: 0, valueCoef: 1, epochs: 4 };
      places.schedule?.(numbers, 0, 1);
      await places.afterUpdates?.({ before: 0, now: 1, next: 2 }, numbers);
      return { seen, epochs: numbers.epochs, metrics: places.metrics?.() ?? {} };
    },
  };
}

test.each(['regret', 'positive value loss', 'frontier'])(
  'of ten levels the one that teaches gets more than half of the steps (%s)',
  async (score) => {
    const { begin, rollout } = rig({ kind: 'replay', score, capacity: 10, staleness: 0.1, probability: 0.9 });
    begin();
    let [taught, all] = [0, 0];
    for (let n = 0; n < 120; n++) {
      const { seen } = await rollout();
      if (n < 20) continue;
      for (const cue of seen.flat()) taught += Number(cue === 0);
      all += T * B;
    }
    expect(taught / all).toBeGreaterThan(0.5);
    // as the environment draws them it would be a tenth
    const free = rig({ kind: 'replay', score, capacity: 10, probability: 0 });
    free.begin();
    let met = 0;
    for (let n = 0; n < 100; n++) met += (await free.rollout()).seen.flat().filter((cue) => cue === 0).length;
    expect(met / (100 * T * B)).toBeLessThan(0.2);
  },
);

test('a copy stays on its level for a rollout, and new levels are only learned from where that is asked for', async () => {
  const robust = rig({ kind: 'replay', capacity: 10 });
  const plain = rig({ kind: 'replay', capacity: 10, learnFromNew: true });
  for (const { begin, rollout } of [robust, plain]) {
    begin();
    for (let n = 0; n < 30; n++) {
      const { seen } = await rollout();
      for (const step of seen) expect(step).toEqual(seen[0]);
    }
  }
  const epochs: number[] = [];
  const kept: number[] = [];
  let before = 0; // the first rollout plays new levels
  for (let n = 0; n < 30; n++) {
    const one = await robust.rollout();
    epochs.push(one.epochs);
    kept.push(before);
    before = one.metrics.levelReplay!;
    expect((await plain.rollout()).epochs).toBe(4);
  }
  expect(new Set(epochs)).toEqual(new Set([0, 4]));
  expect(epochs.slice(1)).toEqual(kept.slice(1).map((replayed) => (replayed === 1 ? 4 : 0)));
});

test('a fixed set is what the environment draws first, and nothing else is played after the first rollout', async () => {
  const { begin, rollout } = rig({ kind: 'fixed', count: 3 });
  begin();
  const first = (await rollout()).seen[0]!.slice(0, 3);
  for (let n = 0; n < 20; n++) for (const cue of (await rollout()).seen.flat()) expect(first).toContain(cue);
});

test('after a rollout of kept levels the copies play what so many edits make of them, which is scored and kept but not learned from', async () => {
  const { begin, rollout, shown } = rig(
    { kind: 'edited', score: 'frontier', capacity: 24, probability: 0.7, fill: 0.1, edits: 3 },
    editable,
  );
  begin();
  let before: { seen: number[][]; replayed: boolean } | null = null;
  let [made, replayed] = [0, false]; // whether the rollout that comes plays kept levels
  for (let n = 0; n < 60; n++) {
    const { seen, epochs, metrics } = await rollout();
    if (before?.replayed === true) {
      made++;
      expect(seen[0]).toEqual(before.seen[0]!.map((cue) => (cue + 3) % LEVELS));
      expect(replayed).toBe(false);
      expect(epochs).toBe(0);
    }
    before = { seen, replayed };
    replayed = metrics.levelReplay === 1;
  }
  expect(made).toBeGreaterThan(10);
  const found = levelsOf({ saved: shown() } as unknown as PolicySnapshot)?.levels ?? [];
  const counts = new Set(found.map(({ edits }) => edits));
  expect(counts.has(3)).toBe(true);
  for (const times of counts) expect(Number(times) % 3).toBe(0);
  const ofOne = found.filter(({ parent }) => parent !== null);
  expect(ofOne.length).toBeGreaterThan(0);
  const cueOf = (level: { readonly state: Uint8Array }): number => Number(planted.create({}, 1).meta.state.toJSON(level.state).cue);
  for (const level of ofOne) {
    const parent = found[level.parent!]!;
    expect(cueOf(level)).toBe((cueOf(parent) + 3) % LEVELS);
    expect(level.edits).toBe(Number(parent.edits) + 3);
  }
});

test.each([
  { kind: 'replay', capacity: 6 },
  { kind: 'edited', capacity: 6, fill: 0.2 },
  { kind: 'fixed', count: 5 },
])('goes on from a checkpoint as if it had not stopped: $kind', async (setting) => {
  const whole = rig(setting, editable);
  whole.begin();
  for (let n = 0; n < 7; n++) await whole.rollout();
  const saved = await whole.state.save();
  const other = rig(setting, editable);
  other.state.load(saved);
  for (let n = 0; n < 7; n++) expect(await other.rollout()).toEqual(await whole.rollout());
});

test('what is shown of the levels are the best ones with their starts, and the loop goes on as if nobody had looked', async () => {
  const [looked, other] = [rig({ kind: 'replay', capacity: 10 }), rig({ kind: 'replay', capacity: 10 })];
  for (const { begin } of [looked, other]) begin();
  for (let n = 0; n < 20; n++) {
    const { arrays, meta } = looked.shown();
    const found = levelsOf({ saved: { arrays, meta } } as unknown as PolicySnapshot);
    const scores = (found?.levels ?? []).map(({ score }) => score ?? 0);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const level of found?.levels ?? []) {
      const copy = planted.create({}, 1);
      copy.load(0, level.state, createBuffers(copy.meta, 1));
      const frame = new Float32Array(level.frame.length);
      copy.frame(0, frame);
      expect(level.frame).toEqual(frame);
    }
    expect(await looked.rollout()).toEqual(await other.rollout());
  }
  expect(levelsOf({ saved: looked.shown() } as unknown as PolicySnapshot)?.levels.length).toBeGreaterThan(3);
});

test('teams, too many bytes and edits where there are none are refused by name', () => {
  const { meta } = planted.create({}, 1);
  const fieldOf = (field: string) => expect.objectContaining({ failure: expect.objectContaining({ field }) });
  const check = (changes: object, setting: object): void => levels.check?.({ ...meta, ...changes }, settingOf(setting) as never, {}, stand);
  expect(() => check({ agentCount: 2 }, { kind: 'replay' })).toThrow(fieldOf('algo.levels'));
  expect(() => check({ state: { ...meta.state, bytes: 1e6 } }, { kind: 'fixed', count: 1000 })).toThrow(fieldOf('algo.levels.count'));
  expect(() => check({}, { kind: 'edited' })).toThrow(/cannot be edited/);
  check({ edited: true }, { kind: 'edited' });
  check({}, { kind: 'replay' });
});
