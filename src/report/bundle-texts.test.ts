import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { type BundledRun, bundleReadme, citeRun } from './bundle-texts.ts';

const result = {
  seed: 3,
  finalReturn: 480.5,
  evalReturn: Number.NaN,
  evalLoops: 0,
  perAgent: [480.5],
  steps: 100_000,
  seconds: 2,
  stepsPerSecond: 50_000,
  parameterHash: '89abcdef',
};
const run: BundledRun = {
  name: 'A_100% {best} run',
  config: runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 100_000 } }),
  hash: 'abcdefabcdef',
  folder: 'r1',
  results: [result],
  link: 'https://example.org/#env=cartpole',
};

test('a bundle says what ran, what came out and how to run it again', () => {
  const text = bundleReadme([run], 'b.zip', '0.1.0 (abc)');
  expect(text).toContain('npm run rl -- verify b.zip');
  expect(text).toContain('train --config r1/run.json');
  expect(text).toContain('| 3 | not measured | 480.5 | 100,000 | `89abcdef` |');
  expect(text).toContain('RL Workbench 0.1.0 (abc)');
  expect(bundleReadme([{ ...run, results: [], link: null }], 'b.zip', '1')).toContain('No seed is done yet.');
});

test('a citation names config, seeds and what was learned, and is BibTeX', () => {
  const text = citeRun(run, '0.1.0', 2026);
  expect(text).toContain('@misc{rlworkbench-abcdefabcdef,');
  expect(text).toContain('title        = {A\\_100\\% \\{best\\} run}');
  expect(text).toContain('seeds 3 to 3; config abcdefabcdef, learned 89abcdef');
  expect(text).toContain('url          = {https://example.org/#env=cartpole}');
  expect(citeRun({ ...run, link: null, results: [] }, '0.1.0', 2026)).toContain('no seed done; config abcdefabcdef}');
});
