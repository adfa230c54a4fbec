// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Failure } from '#contract/errors.ts';
import { layoutStore } from '#stores/layout.ts';
import { toastStore } from '#ui/kit/toasts.ts';
import { openFile } from './open.ts';

const refusal: Failure = { id: 'file-invalid', message: 'w is missing', fix: '' };
// What client/files/archive.ts does: it leaves why a file is refused in the store, and throws nothing.
vi.mock('#client/files/service.ts', () => ({
  files: { open: async (file: File) => layoutStore.getState().set('linkFailure', file.name === 'bad.json' ? refusal : null) },
}));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // notes go by themselves
  toastStore.setState({ toasts: [] });
});
afterEach(() => vi.useRealTimers());

test('only a file that opened is called opened', async () => {
  const said = () => toastStore.getState().toasts.map(({ text }) => text);
  await openFile(new File(['{}'], 'bad.json'));
  expect(said()).toEqual([]);
  await openFile(new File(['{}'], 'good.json'));
  expect(said()).toEqual(['good.json opened.']);
});
