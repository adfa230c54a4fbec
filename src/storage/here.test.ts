import { expect, test } from 'vitest';
import { hasDatabases } from './here.ts';
import { openWorldVersions } from './worlds.ts';

test('storage that throws where it is looked for is none: versions of worlds are kept in memory', async () => {
  Object.defineProperty(globalThis, 'indexedDB', {
    configurable: true,
    get() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
  });
  try {
    expect(hasDatabases()).toBe(false);
    const versions = openWorldVersions('/here');
    expect(await versions.list()).toEqual([]);
    await versions.keep({ at: 1, title: 'a', code: 'b' });
    expect(await versions.list()).toEqual([{ at: 1, title: 'a', code: 'b' }]);
  } finally {
    Reflect.deleteProperty(globalThis, 'indexedDB');
  }
});
