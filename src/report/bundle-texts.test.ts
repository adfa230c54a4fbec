import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { type BundledRun, bundleReadme, citations, citationsBefore, citeRun } from './bundle-texts.ts';

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

test.each([
  'http://127.0.0.1:4173/lab/',
  'http://localhost:5173/',
  'http://[::1]:80/',
  'http://lab/',
  'http://192.168.1.7/',
  'http://172.20.0.2/',
  'file:///home/me/',
])('the address %s is that of nobody else and is not cited', (page) => {
  const own = { ...run, link: `${page}#env=cartpole` };
  expect(citeRun(own, '0.3.0', 2026)).not.toContain('url');
  expect(citationsBefore([own], '0.3.0', 2026)).toContain(page); // files of before are still read as they were written
});

test('the workbench has an entry of its own before the runs', () => {
  const text = citations([run], '0.3.0 (a_b)', 2026);
  expect(text).toMatch(/^@software{rlworkbench,\n/);
  expect(text).toContain('version      = {0.3.0 (a\\_b)}');
  expect(text).toContain(citeRun(run, '0.3.0 (a_b)', 2026));
  expect(citeRun({ ...run, link: 'https://172.example.org/#a' }, '1', 2026)).toContain('url          = {https://172.example.org/#a}');
});
