/**
 * Configs of the time when variants were flat (contract/run/flat-settings.ts, ADR 15), recorded with the build of that time: claims, papers,
 * lessons, links, presets and first offers with their hashes, and runs that had come half the way.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import type { CompleteConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { flatConfig, nestedConfig, onceFlat, worldsOnceFlat } from '#contract/run/flat-settings.ts';
import { writePath } from '#contract/run/paths.ts';
import { decodeSaved } from '#contract/run/saved.ts';
import { completeRun, createSession } from './loaded.ts';

const file = (name: string): Buffer => readFileSync(new URL(`./golden/flat-${name}`, import.meta.url));
const read = (name: string): unknown => JSON.parse(file(name).toString('utf8'));

type Named = { readonly id: string };
type Row = { readonly config: { readonly algo: Named; readonly env: Named }; readonly hash: string };
/** Configs of methods, and of environments. */
const rows = { algo: read('configs.json') as readonly Row[], env: read('worlds.json') as readonly Row[] };

/** Versions of the time of the record, of methods whose version was raised since: a version is part of the hash, and is not what is tested here. */
const THEN: { readonly [algo: string]: number } = { crossq: 1, droq: 1, mappo: 2, sac: 1, 'sac-discrete': 3, td3: 1 };
const hashThen = (run: CompleteConfig): string =>
  configHash({ ...run, algo: { ...run.algo, version: THEN[run.algo.id] ?? run.algo.version } });

/** Whether a setting is an object with a kind. */
const isVariant = (value: unknown): boolean => typeof value === 'object' && value !== null && 'kind' in value;

/** Method or environment, how many configs of it there are more than, and its id. */
const cases = [
  ...onceFlat.map((id) => ({ room: 'algo', id, above: 1 }) as const),
  ...worldsOnceFlat.map((id) => ({ room: 'env', id, above: 4 }) as const),
];
describe.each(cases)('configs of $id', ({ room, id, above }) => {
  const own = rows[room].filter(({ config }) => config[room].id === id);

  it('keep the hash they had, also written as today and back', () => {
    expect(own.length).toBeGreaterThan(above);
    for (const { config, hash } of own) {
      const whole = completeRun(config);
      expect(hashThen(whole), JSON.stringify(config)).toBe(hash);
      expect(hashThen(completeRun(JSON.parse(JSON.stringify(whole)))), JSON.stringify(whole)).toBe(hash);
      const now = whole[room].config as JsonObject;
      expect(Object.values(now).some(isVariant)).toBe(true);
      const flat = flatConfig(id, now, true);
      expect(Object.values(flat).some(isVariant)).toBe(false);
      expect(completeRun({ ...whole, [room]: { ...whole[room], config: nestedConfig(id, flat) } })[room].config).toEqual(now);
    }
  });
});

/** Of each, a field that the run did not have so. */
const runs = [
  ['coverage', 'env.task.kinds', 2],
  ['t-turns', 'env.game.secrets', 5],
  ['dqn', 'algo.distribution.atoms', 12],
  ['ppo', 'algo.bonus.gamma', 0.9],
  ['recurrent-ppo', 'algo.memory.topK', 1],
  // its decay came by the edit
  ['q-learning', 'algo.alpha', 0.9],
] as const;

it.each(runs)('a half-trained run of %s with an edit in it goes on bit for bit', async (id, path, value) => {
  const { config, hash, parameterHash } = read(`${id}.json`) as { config: JsonObject; hash: string; parameterHash: string };
  const whole = completeRun(config);
  expect(configHash(whole)).toBe(hash);
  const resume = decodeSaved(Uint8Array.from(file(`${id}.bin`)));
  let end = '';
  for await (const event of createSession({ config: whole, seed: 1, now: () => 0, resume })) {
    if (event.kind === 'state' && event.error !== undefined) end = event.error.message;
    if (event.kind === 'result') end = event.result.parameterHash;
  }
  expect(end).toBe(parameterHash);
  const other = completeRun(writePath(whole, path, value));
  expect(() => createSession({ config: other, seed: 1, now: () => 0, resume })).toThrow(`trained with ${path}`);
});

describe('flat names set over a config of today', () => {
  const run = (config: JsonObject) => completeRun({ env: { id: 'cartpole' }, algo: { id: 'ppo', config } });
  const bonusOf = (config: ReturnType<typeof run>) => (config.algo.config as JsonObject).bonus;

  it('mean what they meant', () => {
    const counts = run({ bonus: { kind: 'hash counts', weight: 0.1, bits: 16 } });
    expect(bonusOf(completeRun(writePath(counts, 'algo.bonusWeight', 0.2)))).toEqual({
      kind: 'hash counts',
      weight: 0.2,
      gamma: 0.99,
      bits: 16,
    });
    const rnd = completeRun(writePath(counts, 'algo.bonus', 'RND'));
    expect(bonusOf(rnd)).toEqual({ kind: 'RND', weight: 0.1, gamma: 0.99, features: 64, idle: { bits: 16 } });
    expect(configHash(rnd)).toBe(configHash(run({ bonus: 'RND', bonusWeight: 0.1, hashBits: 16 })));
    const old = { ...counts, algo: { ...counts.algo, config: { bonus: 'RND', bonusWeight: 0.1, bonusFeatures: 8 } } };
    expect(bonusOf(completeRun(writePath(old, 'algo.bonus.weight', 0.3)))).toEqual({ kind: 'RND', weight: 0.3, gamma: 0.99, features: 8 });
    expect(bonusOf(completeRun(writePath(counts, 'algo.bonus.kind', 'none')))).toEqual({ kind: 'none', idle: { weight: 0.1, bits: 16 } });
  });

  it('of other kinds are refused where they are written as today, with the kinds that have them', () => {
    expect(() => run({ bonus: { kind: 'counts', bits: 8 } })).toThrow(/algo\.bonus\.bits: it acts only where the kind is "hash counts"/);
    expect(() => run({ bonus: { kind: 'counts', nonsense: 8 } })).toThrow(/algo\.bonus\.nonsense/);
    expect(() => run({ bonus: { kind: 'nonsense' } })).toThrow(/algo\.bonus\.kind.*none, counts, hash counts, RND, ICM/);
    expect(() => run({ bonus: { kind: 'none', idle: { nonsense: 1 } } })).toThrow(/algo\.bonus\.nonsense/);
    expect(() => run({ bonus: 'none', hashBits: 99 })).toThrow(/algo\.bonus\.bits/);
    expect(() => run({ bonus: { kind: 'RND', weight: -1 } })).toThrow(
      /algo\.bonus\.weight cannot be -1\. Allowed: number, 0 or more, 1000 or less/,
    );
  });
});

describe('settings that a method got later', () => {
  // recorded before they came
  it.each([
    ['a2c', 'cartpole', {}, '40430eeaa27e'],
    ['a2c', 'acrobot', { hidden: [32], sharedTrunk: true }, '158834835a12'],
    ['td3', 'pendulum', {}, '5749a6da5ab1'],
    ['td3', 'pendulum', { twin: false, hidden: [64] }, 'd7ade51c2945'],
    ['ppo', 'cartpole', {}, 'b2115e946b65'],
    ['sac', 'pendulum', { hidden: [64, 64] }, '2251f72e7dee'],
  ])('%s on %s %j: the hash is the one it had', (algo, env, config, hash) => {
    expect(hashThen(completeRun({ env: { id: env }, algo: { id: algo, config } }))).toBe(hash);
  });

  it('are part of the hash where they change something', () => {
    const hashOf = (config: JsonObject): string => configHash(completeRun({ env: { id: 'cartpole' }, algo: { id: 'ppo', config } }));
    const all = [{}, { layerNorm: true }, { criticHidden: [64, 64] }, { criticHidden: [32] }].map(hashOf);
    expect(new Set(all).size).toBe(all.length);
  });
});
