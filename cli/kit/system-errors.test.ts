import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSeed, writeWhole } from './seed-folder.ts';
import { systemWords } from './system-errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'rl-system-'));
afterAll(() => rmSync(folder, { recursive: true }));

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing went wrong');
}

test('a missing file, a folder in place of a file and a file in place of a folder', () => {
  const missing = join(folder, 'none.json');
  expect(systemWords(errorOf(() => readFileSync(missing)))).toEqual([expect.stringContaining(`There is no "${missing}"`), 2]);
  expect(systemWords(errorOf(() => readFileSync(folder)))?.[0]).toContain('is a folder');
  writeFileSync(join(folder, 'file'), '');
  expect(systemWords(errorOf(() => readFileSync(join(folder, 'file', 'x'))))?.[0]).toContain('should be a folder');
});

test.skipIf(!existsSync('/dev/full'))('a full disk is told with the path, though the write knows none', () => {
  const error = errorOf(() => writeFileSync('/dev/full', 'x'));
  expect(systemWords(error)?.[0]).toMatch(/no room left on the disk for the file\. What was written before is whole/);
});

test('what cannot be written whole leaves nothing, and says where it should have gone', () => {
  const path = join(folder, 'taken');
  mkdirSync(join(path, 'inside'), { recursive: true }); // a file cannot take this name
  const [text] = systemWords(errorOf(() => writeWhole(path, 'x'))) ?? [];
  expect(text).toContain(`"${path}"`);
  expect(existsSync(`${path}.part`)).toBe(false);
});

test('other errors are none of these', () => {
  expect(systemWords(new Error('x'))).toBeNull();
  expect(systemWords(null)).toBeNull();
});

test.each(['', '{"seed":1,', '[]', '{"seed":1,"parameterHash":"a"}'])('a result that is %s is refused by the path', (text) => {
  mkdirSync(join(folder, 'seed-1'), { recursive: true });
  writeFileSync(join(folder, 'seed-1', 'result.json'), text);
  expect(() => readSeed(folder, 1)).toThrow(/result\.json" cannot be read\. .*Delete it to train this seed/s);
});
