import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FRAME_HASH, FRAME_PAGE, FRAME_SCRIPT } from './frame-page.ts';

it('the page allows the script of the frame and no other inline script', () => {
  expect(FRAME_HASH).toBe(`sha256-${createHash('sha256').update(FRAME_SCRIPT).digest('base64')}`);
  const policy = /script-src ([^;]*)/.exec(readFileSync('index.html', 'utf8'))?.[1];
  expect(policy).toBe(`'self' 'wasm-unsafe-eval' '${FRAME_HASH}'`);
  expect(readFileSync('docs/hosting.md', 'utf8')).toContain(FRAME_HASH);
  expect(FRAME_PAGE).toContain(`<script>${FRAME_SCRIPT}</script>`);
  expect(FRAME_PAGE).not.toContain('unsafe-inline');
});
