import { expect, test } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import { getEnv } from '../../all.ts';
import { createBuffers } from '../../api/buffers.ts';

/** Palette indices of the agents in the first frame. */
function colours(id: string, config: object): number[] {
  const env = getEnv(id).create(config, 1);
  env.reset(Uint32Array.of(1), createBuffers(env.meta, 1));
  const out = new Float32Array(frameSize(env.meta.frame));
  env.frame(0, out);
  return Array.from({ length: env.meta.agentCount }, (_, i) => out[6 * i + 5]!);
}

test.each([
  ['mpe-simple-spread', { agents: 5 }],
  ['vmas-transport', {}],
])('%s: agents of one team have a colour each, that of their lines and bars', (id, config) => {
  const found = colours(id, config);
  expect(found).toEqual(found.map((_, i) => i));
});

test('sides have a colour each', () => {
  const found = colours('mpe-simple-tag', {});
  expect(new Set(found).size).toBe(2);
});
