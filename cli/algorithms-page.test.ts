import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { experiments } from '#claims/experiments/index.ts';
import { buildCatalog } from '#core/catalog.ts';
import { algorithmsPage } from './algorithms-page.ts';

test('docs/algorithms.md is what the registry says (if not: npm run docs:algorithms)', () => {
  expect(readFileSync('docs/algorithms.md', 'utf8')).toBe(algorithmsPage(buildCatalog().algos, experiments));
});

test('a row has its source, its presets and its claims', () => {
  const line = algorithmsPage(buildCatalog().algos, experiments)
    .split('\n')
    .find((text) => text.startsWith('| `ppo` |'));
  expect(line).toContain('[Schulman et al. 2017](https://arxiv.org/abs/1707.06347)');
  expect(line).toContain('PPO on CartPole');
});
