import { expect, test } from 'vitest';
import { paperOf } from '#claims/index.ts';
import { catalog } from './catalog.ts';
import { frontFacts } from './front.ts';
import { paperFacts } from './papers.ts';

test('tiles of the front page: an arm that plays has its policy kept, and CartPole says how fast it learns', () => {
  const { envs } = catalog();
  const { tiles, worlds: facts } = frontFacts('.', envs);
  const kept = paperFacts('.');
  const played = Object.values(facts).flatMap((fact) => fact.played ?? []);
  expect(played.length).toBeGreaterThan(3);
  for (const { paper, arm } of played) {
    expect(kept[paper]?.policies[arm], `${paper} ${arm}`).toMatch(/\.policy$/);
    expect(paperOf(paper)?.arms.find(({ id }) => id === arm)?.script, `${paper} ${arm}`).toBeUndefined();
  }
  expect(facts.cartpole?.learned?.fraction).toBeGreaterThan(0.25);
  // One tile for each family; a tile has a script unless a trained policy plays there or the world has no policy.
  expect(tiles.map(({ family }) => family).sort()).toEqual([...new Set(envs.map(({ family }) => family))].sort());
  for (const { id, script } of tiles)
    expect(script === null, id).toBe(facts[id]?.played != null || envs.find((env) => env.id === id)!.policies.length === 0);
});
