import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Catalog } from '#contract/catalog/catalog.ts';
import { catalogStore, referencesOf, rememberReferences } from './catalog.ts';

const random = { name: 'random', value: -26.6, source: 'measured' };
const before = catalogStore.getState();

beforeEach(() => {
  const catalog = { envs: [{ id: 'spread', defaults: { agents: 3 }, references: [random] }] } as unknown as Catalog;
  catalogStore.setState({ catalog, references: {} });
});
afterEach(() => catalogStore.setState(before, true));

test('reference returns belong to a config: the default one, or one that was described', () => {
  const known = () => catalogStore.getState();
  expect(referencesOf({ id: 'spread', config: { agents: 3 } }, known())).toEqual([random]);
  expect(referencesOf({ id: 'spread', config: { agents: 5 } }, known())).toEqual([]);
  const other = { ...random, value: -40 };
  rememberReferences({ id: 'spread', config: { agents: 5, seats: {} } }, [other]);
  expect(referencesOf({ id: 'spread', config: { seats: {}, agents: 5 } }, known())).toEqual([other]);
  expect(referencesOf({ id: 'elsewhere', config: {} }, known())).toEqual([]);
});
