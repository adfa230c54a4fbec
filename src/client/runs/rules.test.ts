import { beforeAll, expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { buildCatalog } from '#core/catalog.ts';
import { catalogStore } from '#stores/catalog.ts';
import { newSeed } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { ruleChange, runOfThen } from './rules.ts';

beforeAll(() => catalogStore.setState({ catalog: buildCatalog([]) }));

const link = (version: number, rainy: boolean, run: object = {}) => ({
  env: { id: 'taxi', version, config: { rainy } },
  algo: { id: 'random', version: 1 },
  run: { steps: 2000, ...run },
});
const stored = (id: string, createdAt: number, config: object): RunGroup =>
  ({ id, createdAt, config: runConfigSchema.parse(config), seeds: [newSeed(1)] }) as unknown as RunGroup;

test('a link of an older version names the rule that has changed for its config, and only that', () => {
  expect(ruleChange(link(1, true))?.rules).toEqual([expect.stringMatching(/^Taxi: In rain/)]);
  expect(ruleChange(link(1, false))).toBeNull();
  expect(ruleChange(link(2, true))).toBeNull();
  expect(ruleChange({ env: { id: 'no-such-world' }, algo: {} })).toBeNull();
});

test('a stored run of that version and config is found, the newest of several; one of another budget or version is not', () => {
  const change = ruleChange(link(1, true));
  if (change === null) throw new Error('the rule has changed');
  const groups = [
    stored('old', 1, link(1, true)),
    stored('newer', 2, link(1, true)),
    stored('other-budget', 3, link(1, true, { steps: 9 })),
    stored('today', 4, link(2, true)),
  ];
  expect(runOfThen(change, groups)?.id).toBe('newer');
  expect(runOfThen(change, groups.slice(2))).toBeNull();
});
