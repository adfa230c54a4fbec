/** Every explainer of the registry holds what src/core/testing/explainer-suite.ts asks. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { explainerSuite } from '../testing/explainer-suite.ts';
import { explainers } from './index.ts';

const explainerFiles = readdirSync('src/core/explain').flatMap((file) => /^([\w-]+)\.ts$/.exec(file.replace('.test.ts', ''))?.[1] ?? []);

it('every file on top is an explainer of the registry, under its name', () => {
  expect(explainers.map(({ id }) => id).sort()).toEqual(explainerFiles.filter((name) => name !== 'index').sort());
});

for (const explainer of explainers) explainerSuite(explainer);
