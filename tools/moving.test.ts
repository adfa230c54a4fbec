import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { movingWebp } from './moving.mjs';

/** Names and bodies of the chunks of a RIFF file. */
function chunksOf(file: Buffer, from = 12): readonly (readonly [name: string, body: Buffer])[] {
  const found: (readonly [string, Buffer])[] = [];
  for (let at = from; at < file.length; ) {
    const length = file.readUInt32LE(at + 4);
    found.push([file.toString('latin1', at, at + 4), file.subarray(at + 8, at + 8 + length)]);
    at += 8 + length + (length % 2);
  }
  return found;
}

test('two still pictures become a moving one that has the image data of both, size and times', () => {
  const stills = ['cartpole-standard', 'acrobot-standard'].map((name) => readFileSync(`public/pictures/${name}.webp`));
  const file = movingWebp(stills, { width: 480, height: 300, ms: 100, lastMs: 900 });
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  const chunks = chunksOf(file);
  expect(chunks.map(([name]) => name)).toEqual(['VP8X', 'ANIM', 'ANMF', 'ANMF']);
  const [, , first, last] = chunks.map(([, body]) => body);
  expect(first!.readUIntLE(6, 3)).toBe(479);
  expect([first, last].map((body) => body!.readUIntLE(12, 3))).toEqual([100, 900]);
  for (const [i, body] of [first!, last!].entries()) {
    const image = chunksOf(stills[i]!).filter(([name]) => /^(VP8|ALPH)/.test(name) && name !== 'VP8X');
    expect(chunksOf(body, 16)).toEqual(image);
  }
  expect(() => movingWebp([Buffer.from('no picture at all')], { width: 1, height: 1, ms: 1 })).toThrow(/no WebP/);
});

test('the moving picture of the README is one, of at most a megabyte', () => {
  const file = readFileSync('docs/images/training.webp');
  expect(file.length).toBeLessThan(1_000_000);
  expect(chunksOf(file).filter(([name]) => name === 'ANMF').length).toBeGreaterThan(12);
});
