import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { documents } from './documents.ts';

const all = documents('.');

test('lists, scores and results are generated whole, each with the command that writes it', () => {
  expect([...all.keys()].slice(0, 5)).toEqual(['algorithms.md', 'environments.md', 'explainers.md', 'scores.md', 'results.md']);
  expect([...all.keys()].filter((name) => name.startsWith('results/')).length).toBeGreaterThan(5);
  for (const [name, text] of all) {
    expect(text, name).toMatch(/^# .+\n\nGenerated /);
    expect(text, name).not.toMatch(/undefined|NaN|\[object/);
  }
});

test('their links to each other lead somewhere, and none leaves their folder', () => {
  const broken = [...all].flatMap(([name, text]) =>
    [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].flatMap(([, target = '']) => {
      const path = posix.join(posix.dirname(name), target);
      return all.has(path) ? [] : [`${name}: ${target}`];
    }),
  );
  expect(broken).toEqual([]);
});
