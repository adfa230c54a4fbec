/// <reference types="vite/client" />
import { expect, test } from 'vitest';
import { pageNames } from '#stores/pages.ts';

test('every page has one file with its view, and every such file is of a page', () => {
  const files = Object.keys(import.meta.glob('./*/**/*.page.tsx'));
  expect(files.map((path) => path.slice(path.lastIndexOf('/') + 1, -'.page.tsx'.length)).sort()).toEqual([...pageNames].sort());
});
