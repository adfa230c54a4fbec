import { expect, it } from 'vitest';
import { canLearn } from '#contract/catalog/learnable.ts';
import { buildCatalog } from './catalog.ts';

it('the catalogue is plain data: it survives a structured clone and JSON', () => {
  const catalog = buildCatalog();
  expect(structuredClone(catalog)).toEqual(catalog);
  expect(JSON.parse(JSON.stringify(catalog))).toEqual(catalog);
  expect(catalog.envs.length).toBeGreaterThan(0);
  // Each stands in one family.
  for (const cards of [catalog.envs, catalog.algos]) expect(new Set(cards.map(({ id }) => id)).size).toBe(cards.length);
});

it('a field that is empty says in a word what that means', () => {
  const { schema } = buildCatalog().algos.find(({ id }) => id === 'ppo')!;
  expect(schema.properties?.targetKl?.empty).toBe('never');
});

it('a world without a reward says so in its card, from which the page offers to play in place of training', () => {
  const { envs } = buildCatalog();
  expect(envs.filter((env) => !canLearn(env)).map(({ id }) => id)).toContain('drone-free-flight');
  expect(canLearn(envs.find(({ id }) => id === 'drone-hover')!)).toBe(true);
});

it('no two methods and no two environments have the same title or summary: one that began as a copy says what it is', () => {
  const { envs, algos } = buildCatalog();
  const twice = (texts: readonly string[]): readonly string[] => texts.filter((text, i) => texts.indexOf(text) !== i);
  for (const cards of [envs, algos]) {
    expect(twice(cards.map(({ title }) => title))).toEqual([]);
    expect(twice(cards.map(({ summary }) => summary))).toEqual([]);
  }
});
