import { expect, test } from 'vitest';
import { experiments } from '#claims/experiments/index.ts';
import { buildCatalog } from '#core/catalog.ts';
import { algorithmsPage } from './algorithms.ts';

test('every method has one row, in the section of its family', () => {
  const { algos } = buildCatalog();
  const page = algorithmsPage(algos, experiments);
  expect([...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, id]) => id).sort()).toEqual(algos.map(({ id }) => id).sort());
  for (const { id, family } of algos) expect(page.split(`## ${family}\n`)[1]?.split('\n## ')[0]).toContain(`| \`${id}\` |`);
});

test('a row has its source, its presets and its claims', () => {
  const line = algorithmsPage(buildCatalog().algos, experiments)
    .split('\n')
    .find((text) => text.startsWith('| `ppo` |'));
  expect(line).toContain('[Schulman et al. 2017](https://arxiv.org/abs/1707.06347)');
  expect(line).toContain('PPO on CartPole');
});
