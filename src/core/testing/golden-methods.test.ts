import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { createWasmEngine } from '../engine/wasm/engine.ts';
import { runMethodFile } from './golden-methods.ts';

const root = new URL('../../', import.meta.url);
const files = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\/golden\/(algo|eval|shapley)-[\w-]+\.json$/.test(path))
    .sort()
    .map((path) => [path.replace(/^.*\//, ''), path]), // one of equal ones in several folders
);
const read = (name: string) => JSON.parse(readFileSync(new URL(files.get(name)!, root), 'utf8'));
const engine = await createWasmEngine();
const run = (json: JsonObject) => runMethodFile(json, { allowSkip: true, engines: [engine] });

/** Cases that nothing in the product computes; every other one passes. */
const UNCOMPUTED: { readonly [file: string]: readonly string[] } = {
  'algo-continual.json': ['shrink_perturb'],
  'algo-exploration.json': ['social_influence'],
  'algo-normalisation.json': ['popart'],
  'algo-offline-hrl.json': ['option_value', 'feudal_intrinsic'],
  'algo-optimisers.json': ['global_norm_clip_exact'],
  'algo-safe-robust.json': ['cvar_samples', 'cvar_distribution'],
  'shapley-estimators.json': ['hoeffding_samples', 'rich4_complementary_contributions'],
  'shapley-simple-spread.json': ['scripted_team_noop', 'scripted_team_random', 'scripted_team_random_player'],
};

describe.each([...files.keys()])('%s', (name) => {
  it('passes, but for the cases that nothing computes', async () => {
    const report = await run(read(name));
    expect(report.cases.filter((c) => c.status === 'failed').map((c) => `${c.name}: ${c.message}`)).toEqual([]);
    expect(report.cases.filter((c) => c.status === 'skipped').map((c) => c.name)).toEqual(UNCOMPUTED[name] ?? []);
  });

  it('notices every number that is wrong', async () => {
    const file = read(name);
    for (const c of file.cases) c.expected = shifted(c.expected);
    const honest = await run(read(name));
    const report = await run(file);
    report.cases.forEach((c, i) => {
      expect(c.status, c.name).toBe(honest.cases[i]!.status === 'skipped' ? 'skipped' : 'failed');
      // Each number that was compared in float64 is reported, up to ten.
      if (c.status === 'failed') expect(c.message.split('\n').length).toBeGreaterThanOrEqual(Math.min(10, count(c, file, i)));
    });
  });
});

/** Numbers moved by 1 %, and by a little where they are near 0; what is undefined becomes 0. */
function shifted(value: Json): Json {
  if (value === null) return 0; // "undefined"
  if (typeof value === 'number') return value + 0.01 * Math.abs(value) + 0.003;
  if (Array.isArray(value)) return value.map(shifted);
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, shifted(v)]));
  return value;
}

/** How many of the shifted numbers stand under expected values that were compared. */
function count(
  c: { readonly unchecked: readonly string[] },
  file: { readonly cases: readonly { readonly expected: JsonObject }[] },
  i: number,
): number {
  const left = c.unchecked.map((text) => text.split(',')[0]);
  const numbers = (value: Json): number => {
    if (typeof value === 'number') return 1;
    if (Array.isArray(value)) return value.reduce((sum: number, v: Json) => sum + numbers(v), 0);
    return typeof value === 'object' && value !== null ? Object.values(value).reduce((sum: number, v) => sum + numbers(v), 0) : 0;
  };
  return Object.entries(file.cases[i]!.expected).reduce((sum, [key, value]) => sum + (left.includes(key) ? 0 : numbers(value)), 0);
}

describe('what is no case here is never counted as passed', () => {
  const gae = () => read('algo-gae.json');

  it.each([
    ['an input nobody knows', (c) => (c.input.horizon = 3)],
    ['a missing input', (c) => delete c.input.gamma],
    ['nothing expected that is computed here', (c) => (c.expected = { advantage_squared: [1] })],
  ] as readonly [string, (c: { input: JsonObject & { gamma?: number; horizon?: number }; expected: JsonObject }) => unknown][])(
    '%s',
    async (_what, change) => {
      const file = gae();
      change(file.cases[0]);
      const { cases, passed, skipped } = await run(file);
      expect([cases[0]!.status, passed, skipped]).toEqual(['skipped', file.cases.length - 1, 1]);
    },
  );

  it('a list of another length, a text for a number, an unread value', async () => {
    const file = gae();
    file.cases[0].expected.returns.pop();
    file.cases[1].input.gamma = 'most';
    file.cases[2].expected.curvature = 1;
    const { cases } = await run(file);
    expect(cases.slice(0, 3).map((c) => c.status)).toEqual(['failed', 'failed', 'passed']);
    expect(cases[2]!.unchecked).toEqual(['curvature, which nothing here computes']);
  });

  it('skipped cases make the report fail unless they may', async () => {
    const file = gae();
    file.cases[0].input.horizon = 3;
    expect((await runMethodFile(file, { allowSkip: false })).ok).toBe(false);
    expect((await runMethodFile(file, { allowSkip: true })).ok).toBe(true);
  });

  it('a case is told by its inputs, not by its name', async () => {
    const file = gae();
    file.cases.forEach((c: { name: string }, i: number) => {
      c.name = `hidden ${i}`;
    });
    expect((await run(file)).passed).toBe(file.cases.length);
  });
});
