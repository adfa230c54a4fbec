/** Subjects of commits fit on one line of a log: at most 72 characters, from the commit on since which this is checked (CONTRIBUTING.md). */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MOST = 72;
const SINCE = 'e4410fb3';

const tooLong = (subjects: readonly string[]): readonly string[] => subjects.filter((subject) => [...subject].length > MOST);

test('a subject of 73 characters is too long, one of 72 is not', () => {
  expect(tooLong(['a'.repeat(MOST), 'b'.repeat(MOST + 1), 'é'.repeat(MOST)])).toEqual(['b'.repeat(MOST + 1)]);
});

test('no new commit has a longer subject (if one has: git commit --amend, or git rebase -i)', (context) => {
  const { status, stdout } = spawnSync('git', ['log', '--no-merges', '--format=%s', `${SINCE}..HEAD`], { encoding: 'utf8' });
  // an archive or a shallow clone has no such history
  if (status !== 0) return context.skip();
  expect(tooLong(stdout.trim().split('\n'))).toEqual([]);
});
