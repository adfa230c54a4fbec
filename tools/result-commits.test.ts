import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasHistory, lostCommits, replaceLost } from './result-commits.mjs';

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'commits-'));
});
afterEach(() => rmSync(project, { recursive: true }));

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: project, encoding: 'utf8' }).trim();

function committed(files: { readonly [file: string]: string }, subject = 'change'): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(project, file, '..'), { recursive: true });
    writeFileSync(join(project, file), text);
  }
  git('add', '.');
  git('commit', '-qm', subject);
  return git('rev-parse', '--short=12', 'HEAD');
}

test('a name that a rebase took away becomes the commit that brought the result', () => {
  const lost = 'abcdef012345';
  git('init', '-q');
  const ran = committed({ 'package.json': '{}' });
  const brought = committed({
    'results/a.json': `{"commit":"${ran}, ${lost}+","pilot":{"commit": "${ran}"}}`,
    'docs/a.md': `commit \`${ran}, ${lost}+\``,
  });
  const later = committed({ 'results/b.json': `{"commit":"${ran}"}`, 'docs/b.md': `see ${lost}` });

  expect(hasHistory(project)).toBe(true);
  expect(lostCommits(project)).toEqual([{ name: lost, files: ['results/a.json'] }]);
  expect(replaceLost(project)).toEqual([{ name: lost, files: ['results/a.json'], commit: brought }]);
  expect(brought).not.toBe(later);
  expect(lostCommits(project)).toEqual([]);
  expect(readFileSync(join(project, 'results/a.json'), 'utf8')).toContain(`"commit":"${ran}, ${brought}+"`);
  expect(readFileSync(join(project, 'docs/a.md'), 'utf8')).toContain(`${brought}+`);
});

test('where the lost commit is known here, its name becomes what the rebase made of it, not who named it', () => {
  git('init', '-q');
  committed({ 'package.json': '{}' });
  const base = git('rev-parse', 'HEAD');
  const ran = committed({ 'card.ts': '1' }, 'a card');
  committed({ 'results/a.json': `{"commit":"${ran}"}` }, 'its result');
  const result = git('rev-parse', 'HEAD');
  git('checkout', '-q', base);
  committed({ 'other.ts': '' }, 'of others');
  git('cherry-pick', ran, result);
  const moved = git('rev-parse', '--short=12', 'HEAD~1');
  expect(moved).not.toBe(ran);
  expect(replaceLost(project)).toEqual([{ name: ran, files: ['results/a.json'], commit: moved }]);
  expect(lostCommits(project)).toEqual([]);
});

test('a folder without its own history has none', () => {
  expect(hasHistory(project)).toBe(false);
  git('init', '-q');
  committed({ 'readme.md': '' });
  expect(hasHistory(project)).toBe(false); // another project's: package.json is not in it
});

test.skipIf(!hasHistory('.'))('every commit that a result names is in the history', () => {
  expect(lostCommits('.')).toEqual([]);
});
