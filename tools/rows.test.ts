import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonRows } from './rows.mjs';

test('a short value is one line, a long one has a line for each row, and reading gives back what was written', () => {
  expect(jsonRows({ a: 1, b: [1, 2], c: undefined, d: Number.NaN })).toBe('{"a":1,"b":[1,2],"d":null}\n');
  const row = (id: number): object => ({ id, name: 'x'.repeat(300), scores: [1, 2, 3] });
  const value = { machine: { cores: 2 }, rows: [row(1), row(2), row(3), row(4)] };
  const lines = jsonRows(value).trimEnd().split('\n');
  expect(lines).toHaveLength(9); // two braces, the machine, the rows with their two brackets
  expect(lines[1]).toBe(' "machine": {"cores":2},');
  expect(lines.filter((line) => line.includes('"id"'))).toHaveLength(4);
  expect(JSON.parse(lines.join('\n'))).toEqual(value);
  const numbers = Array.from({ length: 2000 }, (_, i) => i);
  expect(jsonRows({ numbers }).split('\n')).toHaveLength(4); // brace, list, brace, end of file
});

test('every stored measurement is written this way', () => {
  const files = readdirSync('bench/results').filter((file) => file.endsWith('.json'));
  expect(files.length).toBeGreaterThan(20);
  const other = files.filter((file) => {
    const text = readFileSync(`bench/results/${file}`, 'utf8');
    return text !== jsonRows(JSON.parse(text));
  });
  expect(other).toEqual([]);
});
