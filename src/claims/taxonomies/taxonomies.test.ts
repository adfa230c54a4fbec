import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { algoFamilies } from '#core/algos/index.ts';
import { cardOf, listed } from '../index.ts';
import { papers } from '../papers/index.ts';

const maps = papers.filter((card) => card.form === 'map');

const known: { readonly [page: string]: (id: string) => boolean } = {
  papers: (id) => cardOf(id) !== undefined,
  methods: (id) => algoFamilies.some(({ algos }) => id in algos),
  lessons: (id) => existsSync(`src/lessons/${id}.ts`),
};

describe.each(maps.map((one) => [one.id, one] as const))('%s', (id, { branches }) => {
  const leaves = branches.flatMap((branch) => branch.leaves);

  test('is a survey of the list, and most of its leaves open what is there', () => {
    expect(listed.find((paper) => paper.id === id)?.topics).toContain('surveys and theory');
    expect(leaves.filter((leaf) => 'opens' in leaf).length / leaves.length).toBeGreaterThanOrEqual(2 / 3);
    for (const leaf of leaves)
      if ('opens' in leaf) {
        const { page, id: at } = leaf.opens;
        expect(at === undefined ? page === 'transfer' : known[page]?.(at), `${leaf.title}: ${page} ${at}`).toBe(true);
      }
  });

  test('every leaf says in one sentence what sets it apart', () => {
    for (const { says } of leaves) expect(says).toMatch(/^[A-Z][^.]*\.$/);
    expect(new Set(leaves.map(({ title }) => title)).size).toBe(leaves.length);
  });
});
