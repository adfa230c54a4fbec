/** Style sheets: a part that scrolls holds what is placed in it. Without it, text for screen readers alone lengthens the page below its end. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SCROLLS = /overflow(-[xy]|-inline|-block)?:[^;]*\b(auto|scroll)\b/;
const PLACED = /(^|[\s;])position:\s*(relative|absolute|fixed|sticky)/;

/** The rules of a style sheet: selector and body, those within media queries too. */
const rulesOf = (text: string) =>
  [...text.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]*)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    selector: selector.trim(),
    body,
  }));

test('every rule that lets a part scroll places it, itself or by another rule of the same class', () => {
  const files = readdirSync('src/ui', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  expect(files.length).toBeGreaterThan(50);
  const faults = files.flatMap((file) => {
    const rules = rulesOf(readFileSync(join('src/ui', file), 'utf8'));
    const placed = new Set(rules.filter(({ body }) => PLACED.test(body)).map(({ selector }) => selector));
    return rules.filter(({ selector, body }) => SCROLLS.test(body) && !placed.has(selector)).map(({ selector }) => `${file}: ${selector}`);
  });
  expect(faults).toEqual([]);
});
