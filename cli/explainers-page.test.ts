import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainerCard, explainers } from '#core/explain/index.ts';
import { explainersPage } from './explainers-page.ts';

test('docs/explainers.md is what the registry says (if not: npm run docs:explainers)', () => {
  expect(readFileSync('docs/explainers.md', 'utf8')).toBe(explainersPage(explainers.map(explainerCard)));
});
