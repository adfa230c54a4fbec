import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8 } from '../kit/canonical.ts';
import { runConfigSchema } from './config.ts';
import { configHash, sha256 } from './config-hash.ts';

test('sha256 and utf8 agree with node:crypto on any text and any length around block borders', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      expect(sha256(utf8(text))).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
    }),
  );
  for (let n = 0; n < 200; n++) {
    const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 31 + n) & 255);
    expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});

test('the config hash depends on every field and on nothing else', () => {
  const config = runConfigSchema.parse({ env: { id: 'a', config: { x: 1, y: 2 } }, algo: { id: 'b' } });
  const turned = runConfigSchema.parse({ algo: { id: 'b' }, env: { config: { y: 2, x: 1 }, id: 'a' } });
  expect(configHash(config)).toMatch(/^[0-9a-f]{12}$/);
  expect(configHash(turned)).toBe(configHash(config));
  expect(configHash({ ...config, run: { ...config.run, seedStart: 2 } })).not.toBe(configHash(config));
});
