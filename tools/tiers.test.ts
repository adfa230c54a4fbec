import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changedPaths, recordProblem, retriedTests, stagesOfPush, TIERS } from './tiers.mjs';

test('a push whose changes no page reads opens no browser; any other file asks for all of it', () => {
  const beside = ['docs/performance.md', 'README.md', 'bench/ppo.bench.ts', 'src/client/links/links.test.ts'];
  expect(stagesOfPush(beside)).toEqual(['format', 'types', 'imports', 'structure', 'unused', 'unit']);
  for (const path of [
    'src/ui/kit/Button.tsx',
    'tools/facts/envs.ts',
    'bench/results/envs.json',
    'public/results/papers/p033.json',
    'e2e/lab.ts',
    'package-lock.json',
    'index.html',
  ])
    expect(stagesOfPush([...beside, path]), path).toEqual(TIERS.push.stages);
  expect(stagesOfPush([])).toEqual(TIERS.push.stages);
});

test('changed files: committed since the branch, changed since and new ones; none where the branch is not known', () => {
  const answers: Record<string, string> = {
    'merge-base HEAD origin/main': 'abc\n',
    'diff --name-only --no-renames abc': 'docs/a.md\nsrc/b.ts\n',
    'ls-files --others --exclude-standard': 'src/c.ts\n',
  };
  const git = (...args: string[]) => {
    const stdout = answers[args.join(' ')];
    return { status: stdout === undefined ? 128 : 0, stdout: stdout ?? '' };
  };
  expect(changedPaths(git)).toEqual(['docs/a.md', 'src/b.ts', 'src/c.ts']);
  expect(changedPaths(() => ({ status: 128, stdout: '' }))).toEqual([]);
});

test('retried tests are named, those in groups of tests too', () => {
  const spec = (title: string, line: number, status: string) => ({ title, line, tests: [{ status, results: [] }] });
  const suites = [
    {
      file: 'links.spec.ts',
      specs: [spec('opens', 3, 'expected'), spec('travels', 9, 'flaky')],
      suites: [{ title: 'a group', specs: [spec('again', 20, 'flaky'), spec('never', 30, 'unexpected')] }],
    },
  ];
  expect(retriedTests({ suites })).toEqual(['links.spec.ts:9 travels', 'links.spec.ts:20 again']);
});

test('only a whole tier in which nothing failed is recorded', () => {
  const stages = Object.fromEntries(TIERS.all.stages.map((stage) => [stage, {}]));
  expect(recordProblem({ failed: 0, stages, tier: 'all' })).toBe(null);
  expect(recordProblem({ failed: 1, stages, tier: 'all' })).toContain('something failed');
  const { fuzz: _, ...most } = stages;
  expect(recordProblem({ failed: 0, stages: most, tier: 'all' })).toContain('fuzz');
});

test('ten roads are taken before every push, and CI takes them too', () => {
  const roads = readdirSync('e2e')
    .filter((name) => name.endsWith('.spec.ts'))
    .flatMap((name) => readFileSync(`e2e/${name}`, 'utf8').match(/tag: .*@road.*/g) ?? []);
  expect(roads).toHaveLength(10);
  expect(roads.filter((line) => line.includes('@night'))).toEqual([]);
});
