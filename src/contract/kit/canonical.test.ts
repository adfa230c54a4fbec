import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, sameJson } from './canonical.ts';

test('canonical JSON sorts keys at every depth and survives parsing', () => {
  expect(canonicalJson({ b: [1, { d: 0.1, c: -0 }], a: 'x"y' })).toBe('{"a":"x\\"y","b":[1,{"c":0,"d":0.1}]}');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(sameJson(JSON.parse(JSON.stringify(value)), value)).toBe(true);
    }),
  );
});
