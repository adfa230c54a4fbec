/** Subjects of commits fit on one line of a log: at most 72 characters, from the time on since which this is checked (CONTRIBUTING.md). */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

const MOST = 72;
/** By the date of the committer, which a rebase renews: every history that has this file has commits since then, a shallow one too. */
const SINCE = '2026-11-28T11:40Z';

const tooLong = (subjects: readonly string[]): readonly string[] => subjects.filter((subject) => [...subject].length > MOST);

test('a subject of 73 characters is too long, one of 72 is not', () => {
  expect(tooLong(['a'.repeat(MOST), 'b'.repeat(MOST + 1), 'é'.repeat(MOST)])).toEqual(['b'.repeat(MOST + 1)]);
});

// An archive of the code has no history.
test.skipIf(!existsSync('.git'))('no new commit has a longer subject (if one has: git commit --amend, or git rebase -i)', () => {
  const { status, stdout, stderr } = spawnSync('git', ['log', '--no-merges', '--format=%s', `--since=${SINCE}`], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const subjects = stdout.split('\n').filter((subject) => subject !== '');
  expect(subjects.length).toBeGreaterThan(0);
  expect(tooLong(subjects)).toEqual([]);
});
