import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Rows "id | defect | `file`: name" of docs/defects.md. */
const rows = readFileSync('docs/defects.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| id ') && !line.startsWith('| --- '));

test('every test that docs/defects.md names exists', () => {
  expect(rows.length).toBeGreaterThan(60);
  const missing = rows.filter((row) => {
    const [, file, name] = /\| `([^`]+)`: (.*) \|$/.exec(row) ?? [];
    if (file === undefined || name === undefined) return true;
    const text = readFileSync(file, 'utf8').replaceAll("\\'", "'");
    return !["'", '"', '`'].some((quote) => text.includes(`(${quote}${name}${quote}`) || text.includes(` ${quote}${name}${quote},`));
  });
  expect(missing).toEqual([]);
});
