/** Links and configs of older versions: they complete to what they meant, or say which rule has changed. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { decodeLink, encodeLink } from '#contract/link/link.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { Replay } from '#contract/run/events.ts';
import { flatConfig, nestedConfig } from '#contract/run/flat-settings.ts';
import { upgrade, type Versioned } from '#contract/run/versions.ts';
import { algos, getAlgo } from '../algos/all.ts';
import { envs, getEnv } from '../envs/all.ts';
import { newestRun } from './complete.ts';
import { completeRun } from './loaded.ts';
import { ReplayReader } from './replay.ts';

const run = (env: string, version?: unknown, config: JsonObject = {}) => ({
  env: { id: env, config, ...(version !== undefined && { version }) },
  algo: { id: 'random' },
});

test('every version after the first says what it changed', () => {
  for (const { id, version, changes, parse } of [...envs, ...algos]) {
    expect(
      changes.map((change) => change.version),
      id,
    ).toEqual(Array.from({ length: version - 1 }, (_, i) => i + 2));
    for (const { before, rerun, where } of changes) {
      expect(before !== undefined || rerun, `${id}: a change needs a switch or a rerun`).toBe(true);
      // the fields exist: parse refuses unknown ones
      if (before) parse(before);
      for (const field of Object.keys(where ?? {})) expect(parse({}), id).toHaveProperty(field);
    }
  }
});

describe('an older version', () => {
  test('keeps its own defaults where its rule is a switch; without a version the newest is meant', () => {
    const old = completeRun(run('bsuite-cartpole', 1));
    expect(old.env).toMatchObject({ version: 2, config: { timeUp: 'truncates' } });
    expect(completeRun(run('bsuite-cartpole')).env.config.timeUp).toBe('terminates');
    expect(completeRun(run('bsuite-cartpole', 2)).env.config.timeUp).toBe('terminates');
    expect(completeRun(run('bsuite-cartpole', 1, { timeUp: 'terminates' })).env.config.timeUp).toBe('terminates');
    expect(upgrade(getEnv('bsuite-cartpole'), 1, {}, 'env.version').changed).toEqual([]);
  });

  test('says which rule is gone, only to configs that it touches', () => {
    const changed = (id: string, config: JsonObject) => upgrade(getEnv(id), 1, config, 'env.version').changed.length;
    expect(changed('minatar-seaquest', {})).toBe(1);
    expect(changed('taxi', { rainy: true })).toBe(1);
    expect(changed('taxi', {})).toBe(0);
    expect(changed('drone-free-flight', { model: 'RACE', physics: 'dyn-all' })).toBe(1);
    expect(changed('drone-free-flight', { model: 'RACE' })).toBe(0);
    expect(completeRun(run('minatar-seaquest', 1)).env.version).toBe(2);
  });

  test('of an algorithm whose masks were corrected goes on where there are none, and says so where there are', () => {
    const resumed = (algo: string, env: string, envConfig: JsonObject, settings: JsonObject, version = 1) => {
      const complete = completeRun({ env: { id: env, config: envConfig }, algo: { id: algo, version, config: settings } });
      const old = { ...complete, algo: { ...complete.algo, version } };
      return () => newestRun(old, getEnv(env), getAlgo(algo), true);
    };
    const masked = { actionMask: true };
    const shortOfLimits = algos.filter(({ changes }) => changes.some(({ whereMasked }) => whereMasked));
    expect(shortOfLimits.length).toBeGreaterThan(9);
    for (const { id, learner } of shortOfLimits) {
      const one = learner === 'table' ? 'taxi' : 'snake';
      expect(resumed(id, one, {}, {}), id).not.toThrow();
      expect(resumed(id, one, masked, {}), id).toThrow(/legal/);
      expect(resumed(id, one, masked, {}, getAlgo(id).version), id).not.toThrow();
    }
    expect(resumed('dqn', 'cartpole', {}, { envs: 16 })).toThrow(/fall due/);
    expect(resumed('dqn', 'cartpole', {}, { envs: 10 })).not.toThrow();
    expect(resumed('dqn', 'cartpole', {}, { envs: 16 }, 2)).not.toThrow();
    expect(resumed('pareto-dqn', 'mo-item-gathering', {}, { envs: 16, trainEvery: 8 })).toThrow(/fall due/);
  });

  test('whose change is a switch completes to that switch', () => {
    const settings = (id: string, version?: number, config: JsonObject = {}) =>
      completeRun({ env: { id: 'snake' }, algo: { id, ...(version !== undefined && { version }), config } }).algo.config;
    expect(settings('sac-discrete', 2)).toMatchObject({ autoTemperature: { share: 0.89, of: 'all' } });
    expect(settings('sac-discrete', 1, { targetEntropyScale: 0.5 })).toMatchObject({ autoTemperature: { share: 0.5, of: 'all' } });
    expect(settings('sac-discrete')).toMatchObject({ autoTemperature: { of: 'legal' } });
    expect(settings('maddpg', 1)).toMatchObject({ clipping: 'team' });
    expect(settings('maddpg')).toMatchObject({ clipping: 'network' });
  });

  test('of a link is completed with the defaults of its time', () => {
    const then = (algo: string, version: number, settings: JsonObject, defaults: JsonObject) => {
      const now = completeRun({ env: { id: 'snake' }, algo: { id: algo, config: settings } });
      const link = encodeLink({ ...now, algo: { ...now.algo, version } }, { env: now.env.config as JsonObject, algo: defaults });
      return completeRun(decodeLink(link)!.config).algo.config;
    };
    // the settings of its time are the defaults of its time: the link names none of them
    const old = { targetEntropyScale: 0.89, targetEntropyOf: 'all' };
    expect(then('sac-discrete', 2, old, getAlgo('sac-discrete').parse(nestedConfig('sac-discrete', old)) as JsonObject)).toMatchObject({
      autoTemperature: { share: 0.89, of: 'all' },
    });
    expect(then('sac-discrete', 3, {}, getAlgo('sac-discrete').parse({}) as JsonObject)).toMatchObject({
      autoTemperature: { of: 'legal' },
    });
    expect(then('maddpg', 1, { clipping: 'team' }, getAlgo('maddpg').parse({ clipping: 'team' }) as JsonObject)).toMatchObject({
      clipping: 'team',
    });
  });

  test('is chosen among several by the oldest change that came after it', () => {
    const entry = {
      id: 'x',
      version: 4,
      changes: [
        { version: 2, what: 'a', before: { lr: 1 }, rerun: false },
        { version: 3, what: 'b', before: { lr: 2, net: 8 }, rerun: false },
        { version: 4, what: 'c', where: { net: [8] }, rerun: true },
      ],
    };
    expect(upgrade(entry, 1, {}, 'p')).toEqual({ config: { lr: 1, net: 8 }, changed: [entry.changes[2]] });
    expect(upgrade(entry, 2, { net: 4 }, 'p')).toEqual({ config: { lr: 2, net: 4 }, changed: [] });
    expect(upgrade(entry, 3, {}, 'p')).toEqual({ config: {}, changed: [] });
    expect(upgrade(entry, undefined, {}, 'p')).toEqual({ config: {}, changed: [] });
  });

  test('a field without effect then changes only what was set to something else', () => {
    const happo = (config: JsonObject) => upgrade(getAlgo('happo'), 1, config, 'algo.version').changed.length;
    expect([happo({}), happo({ valueCoef: 1 }), happo({ valueCoef: 0.5 })]).toEqual([0, 0, 1]);
  });

  test.each([0, 3, 1.5, '1', null])('%j was never one', (version) => {
    expect(() => completeRun(run('bsuite-cartpole', version))).toThrow(/version/);
  });

  test('its replays and checkpoints are not played on under another rule', () => {
    const replay = { env: { id: 'taxi', version: 1, config: { rainy: true } } } as unknown as Replay;
    expect(() => new ReplayReader(replay, getEnv('taxi'))).toThrow(/In rain/);
    const complete = completeRun(run('taxi', 2, { rainy: true }));
    const old = { ...complete, env: { ...complete.env, version: 1 } };
    expect(() => newestRun(old, getEnv('taxi'), getAlgo('random'), true)).toThrow(/In rain/);
    expect(newestRun(old, getEnv('taxi'), getAlgo('random'), false)).toEqual(complete);
  });
});

interface Ref {
  readonly version: number;
  readonly config: JsonObject;
}

/** A completed part of a run in the words of an older version: flat, and without fields that came later, where they are what stands for "not there". */
function asThen(entry: Versioned, now: Ref, then: Ref): Ref {
  const later = entry.changes.filter(({ version }) => version > then.version).map(({ before = {} }) => before);
  const config = Object.fromEntries(
    Object.entries(flatConfig(entry.id, now.config, true)).filter(
      ([key, value]) => key in then.config || !later.some((before) => JSON.stringify(before[key]) === JSON.stringify(value)),
    ),
  );
  return { ...now, version: then.version, config };
}

interface Row {
  readonly link: string;
}
interface Completed {
  readonly hash: string;
  readonly config: unknown;
}

const linkOfLargeSeeds = (completed: Record<string, Completed>): string | undefined =>
  Object.keys(completed).find((link) => {
    const { run } = completed[link]!.config as { run: { seedStart: number; seeds: number } };
    return run.seedStart + run.seeds - 1 > 0xffff_ffff;
  });

test('every link that was ever given out completes to the config and hash that it had', () => {
  const { schemas } = JSON.parse(readFileSync('src/contract/link/golden/links.json', 'utf8')) as {
    schemas: Record<string, readonly Row[]>;
  };
  const completed = JSON.parse(readFileSync('src/core/run/golden/completed-links.json', 'utf8')) as Record<string, Completed>;
  const links = Object.values(schemas).flatMap((rows) => rows.map(({ link }) => link));
  let compared = 0;
  for (const link of links) {
    const opened = decodeLink(link)!;
    const { config } = opened;
    const ids = config as { env?: { id?: string }; algo?: { id?: string } };
    if (!envs.some(({ id }) => id === ids.env?.id) || !algos.some(({ id }) => id === ids.algo?.id)) {
      expect(completed, link).not.toHaveProperty([link]);
      continue;
    }
    if (link === linkOfLargeSeeds(completed)) {
      expect(() => completeRun(config)).toThrow(/go past/); // seeds no longer wrap
      compared++;
      continue;
    }
    const now = completeRun(config);
    const then = completed[link]!.config as typeof now; // a raised version is no change of what the link says
    const complete = {
      ...now,
      env: asThen(getEnv(now.env.id), now.env, then.env),
      algo: asThen(getAlgo(now.algo.id), now.algo, then.algo),
    } as typeof now;
    expect({ hash: configHash(complete), config: complete }, link).toEqual(completed[link]);
    compared++;
  }
  expect(compared).toBe(Object.keys(completed).length);
  expect(compared).toBeGreaterThan(10);
});
