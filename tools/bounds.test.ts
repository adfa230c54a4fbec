/** What comes from outside is counted before it is read: one function reads JSON, and every list and record of a schema has a most. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOMS = ['src/contract', 'src/storage', 'src/client', 'src/stores', 'src/ui', 'workers', 'cli'];
const files = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(room, name).replaceAll('\\', '/')),
);

/** Place behind the bracket that closes the one at `at`. */
function behind(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if ('([{'.includes(text[i]!)) depth++;
    else if (')]}'.includes(text[i]!) && --depth === 0) return i + 1;
  }
  return text.length;
}

/** Lists of a schema without a most. */
function boundless(text: string): number {
  return [...text.matchAll(/\bz\s*\.array\(/g)].filter(({ 0: { length }, index }) => {
    const rest = text.slice(behind(text, index + length - 1));
    return !/^(\s*\.min\([^()]*\))?\s*\.(max|length)\(/.test(rest);
  }).length;
}

test('a list without a most is seen', () => {
  expect(boundless('z.array(z.number())')).toBe(1);
  expect(boundless('z.array(z.object({ a: z.array(z.number()).max(3) })).min(1)')).toBe(1);
  expect(boundless('z\n  .array(z.object({ a: f(1) }))\n  .min(1)\n  .max(3)')).toBe(0);
});

const DEFINED = 'src/contract/kit/bounded.ts';
test.each(files.filter((file) => file !== DEFINED && /from 'zod'/.test(readFileSync(file, 'utf8'))))('%s', (file) => {
  const text = readFileSync(file, 'utf8');
  expect(boundless(text), 'use listOf of contract/kit/bounded.ts, or .max()').toBe(0);
  expect(/\bz\s*\.record\(/.test(text), 'use recordOf of contract/kit/bounded.ts').toBe(false);
});
