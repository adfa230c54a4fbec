/** Laws of the list of experiments: ids equal file names, every file is listed, sources are complete, claims can be checked. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { expectationSchema } from '#contract/run/expectation.ts';
import { experiments } from './index.ts';

test('every file is listed once under its own name', () => {
  const files = readdirSync('src/claims/experiments')
    .filter((name) => name.endsWith('.ts') && !name.startsWith('index.'))
    .map((name) => name.replace(/\.ts$/, ''))
    .sort();
  expect(experiments.map((experiment) => experiment.id).sort()).toEqual(files);
});

test('the first one is the start experiment', () => {
  expect(experiments[0]?.kind).toBe('start');
  expect(experiments.filter((experiment) => experiment.kind === 'start')).toHaveLength(1);
});

test.each(experiments.map((experiment) => [experiment.id, experiment] as const))('%s is complete', (_, experiment) => {
  expect(runConfigSchema.safeParse(experiment.config).success).toBe(true);
  expect(experiment.claim).toMatch(/\.$/);
  expect(experiment.source?.url).toMatch(/^https?:/);
  if (experiment.kind !== 'claim') return;
  expect(expectationSchema.safeParse(experiment.expect).success).toBe(true);
  expect(experiment.expect?.min ?? experiment.expect?.max).toBeTypeOf('number');
  expect(experiment.suites?.length).toBeGreaterThan(0);
  expect(runConfigSchema.parse(experiment.config).run.seeds).toBeGreaterThanOrEqual(experiment.suites?.includes('basics') ? 10 : 5);
});
