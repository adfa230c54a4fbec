/** The list of what only tests use: both sides of it are checked, and a report without findings is no pass of a long list. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { differences, type List, listed } from './unused.mjs';

const list = {
  planned: [{ block: 'search', files: { 'src/a.ts': ['one', 'two'] } }],
  testsOnly: [{ why: 'golden cases', files: { 'src/b.ts': ['three'] } }],
};
const exportsOf = (file: string, ...names: string[]) => ({ file, files: [], exports: names.map((name) => ({ name })) });

test('what stands in the list passes, what does not or no longer should fails', () => {
  const same = { issues: [exportsOf('src/a.ts', 'one', 'two'), exportsOf('src/b.ts', 'three')] };
  expect(differences(same, list)).toEqual([]);
  const more = {
    issues: [...same.issues, exportsOf('src/c.ts', 'four'), { file: 'src/d.ts', files: [{ name: 'src/d.ts' }], exports: [] }],
  };
  expect(differences(more, list)).toEqual([
    'src/c.ts four: nothing that is shipped uses it. Remove it, or call it.',
    'src/d.ts: nothing that is shipped uses it. Remove it, or call it.',
  ]);
  expect(differences({ issues: [exportsOf('src/a.ts', 'one', 'two')] }, list)).toEqual([
    'src/b.ts three: it is used or gone. Remove it from tools/planned.json.',
  ]);
  expect(differences({ issues: [] }, list)).toHaveLength(3);
  const whole = { ...list, testsOnly: [{ why: 'a bench', files: { 'src/d.ts': [] } }] };
  expect(differences({ issues: more.issues.filter(({ file }) => file === 'src/a.ts' || file === 'src/d.ts') }, whole)).toEqual([]);
  expect(() => listed({ ...list, testsOnly: [{ why: 'again', files: { 'src/a.ts': ['one'] } }] })).toThrow('src/a.ts one twice');
});

test('every entry of the list says why it stands there', () => {
  const { planned, testsOnly } = JSON.parse(readFileSync('tools/planned.json', 'utf8')) as List;
  for (const { block } of planned) expect(block).toMatch(/P\d{3}/);
  for (const { why } of testsOnly) expect(why.length).toBeGreaterThan(10);
});
