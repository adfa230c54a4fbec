import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Documents whose tables name tests, as "| ... | `file`: name |"; and how many rows there are at least. */
const DOCUMENTS = [
  ['docs/defects.md', 60],
  ['docs/ux-rows.md', 13],
] as const;

test.each(DOCUMENTS)('every test that %s names exists', (document, least) => {
  const rows = readFileSync(document, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (id|row|---) /.test(line));
  expect(rows.length).toBeGreaterThan(least);
  const missing = rows.filter((row) => {
    const [, file, name] = /\| `([^`]+)`: (.*) \|$/.exec(row) ?? [];
    if (file === undefined || name === undefined) return true;
    const text = readFileSync(file, 'utf8').replaceAll("\\'", "'");
    return !["'", '"', '`'].some((quote) => text.includes(`(${quote}${name}${quote}`) || text.includes(` ${quote}${name}${quote},`));
  });
  expect(missing).toEqual([]);
});
