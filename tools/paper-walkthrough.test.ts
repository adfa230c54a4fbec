/** The paper of docs/adding-a-paper.md, taken out of the page: type-checked like the core, its arms completed, and runs judged by its rule. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cardOf, listed } from '#claims/index.ts';
import { armConfig, FORMS, type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import { completeRun } from '#core/run/loaded.ts';
import { judge } from '#math/rule.ts';
import { openWalkthrough } from './walkthrough.ts';

const DOC = 'docs/adding-a-paper.md';
const page = openWalkthrough(DOC, 'src/claims/papers');
const paper = ((await page.load('p045-search')) as { readonly search: JudgedCard }).search;

describe('the paper of the walk-through', () => {
  test('is there in full and type-checks with the settings of the core', () => {
    expect(page.paths).toEqual(['src/claims/papers/p045-search.ts']);
    expect(() => page.typeCheck()).not.toThrow();
    expect(listed.find(({ id }) => id === paper.id)?.title).toBe(paper.title);
    expect(ruleHash(paper)).toMatch(/^[0-9a-f]{12}$/);
  }, 120_000);

  test('has arms that can be run and differ', () => {
    const configs = paper.arms.map((arm) => completeRun(armConfig(paper, arm)));
    expect(configs[0]?.algo.config).not.toEqual(configs[1]?.algo.config);
    expect(configs[0]?.env).toEqual(configs[1]?.env);
  });

  test('can be held and refuted', () => {
    const five = [-60, -55, -58, -62, -57];
    const worse = five.map((value) => value - 40);
    expect(judge(paper.contrasts, { searching: five, stopped: worse }).outcome).toBe('shown');
    expect(judge(paper.contrasts, { searching: worse, stopped: five }).outcome).toBe('reversed');
  });

  test('names an example of every form, which has that form', () => {
    const rows = [...readFileSync(DOC, 'utf8').matchAll(/^\| `(\w+)` \|.*`src\/claims\/papers\/p(\d{3})-[\w-]+\.ts` \|$/gm)];
    expect(rows.map(([, form]) => form)).toEqual([...FORMS]);
    for (const [row, form, number] of rows) {
      expect(cardOf(`P${number}`)?.form, row).toBe(form);
      expect(existsSync(/src\/claims\/papers\/[\w-]+\.ts/.exec(row)?.[0] ?? ''), row).toBe(true);
    }
  });

  test('names every kind of contrast that there is', () => {
    const kinds = [...readFileSync('src/math/contrasts.ts', 'utf8').matchAll(/readonly kind: ((?:'\w+'(?: \| )?)+);/g)].flatMap(
      ([, union]) => union?.match(/\w+/g) ?? [],
    );
    expect(kinds).toHaveLength(11);
    const text = readFileSync(DOC, 'utf8');
    for (const kind of kinds) expect(text).toContain(`\`${kind}\``);
  });
});
