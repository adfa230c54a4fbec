import { expect, test } from 'vitest';
import { FINEST, familiesOf } from '#contract/catalog/families.ts';
import { buildCatalog } from '#core/catalog.ts';
import { arranged, find } from './finding.ts';

const { envs } = buildCatalog([]);
const ids = (words: string, family = ''): readonly string[] => find(envs, words, family).map(({ id }) => id);

test('every one of the finest exists, and they stand first', () => {
  expect(
    arranged(envs)
      .slice(0, FINEST.length)
      .map(({ id }) => id),
  ).toEqual(FINEST);
  expect(arranged(envs)).toHaveLength(envs.length);
});

test('tags find what titles do not say', () => {
  expect(ids('swarm')).toEqual(expect.arrayContaining(['boids', 'kuramoto', 'rendezvous', 'vicsek-swarm']));
  expect(ids('3d')).toEqual(expect.arrayContaining(['drone-hover', 'drone-volleyball']));
  expect(ids('3d')).not.toContain('frozen-lake');
  expect(ids('team drone').every((id) => (envs.find((env) => env.id === id)?.agents ?? 0) > 1)).toBe(true);
  expect(ids('team drone').length).toBeGreaterThan(1);
  expect(ids('no such world')).toEqual([]);
});

test('families hold every environment once, and narrow the list', () => {
  const families = familiesOf(envs);
  expect(families.reduce((sum, { count }) => sum + count, 0)).toBe(envs.length);
  for (const { title, count, sign } of families) {
    expect(sign.family).toBe(title);
    expect(find(envs, '', title)).toHaveLength(count);
  }
});
