/// <reference types="vite/client" />
import { expect, test } from 'vitest';
import { lessons } from '#lessons/index.ts';

test('every view that a step names has a folder, and every folder is named by a step', () => {
  const folders = Object.keys(import.meta.glob('./views/*/View.tsx')).map((path) => path.split('/').at(-2));
  const named = lessons.flatMap(({ steps }) => steps.flatMap(({ view }) => view ?? []));
  expect(folders.sort()).toEqual([...new Set(named)].sort());
});
