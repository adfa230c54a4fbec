import { expect, test } from 'vitest';
import { explainerCard, explainers } from '#core/explain/index.ts';
import { explainersPage } from './explainers.ts';

test('every explainer has one row, in the order of the registry, with its settings', () => {
  const rows = explainersPage(explainers.map(explainerCard))
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1])).toEqual(explainers.map((one) => explainerCard(one).id));
  expect(rows.find((row) => row.startsWith('| `features` |'))).toMatch(/Beechey.*`\w+`/);
});
