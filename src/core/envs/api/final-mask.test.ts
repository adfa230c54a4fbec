/** finalMask is what a twin without auto-reset finds legal in the state that ended. */
import { describe, expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { randomAction } from '#math/sampling.ts';
import { getEnv } from '../all.ts';
import { createBuffers, nextMasks } from './buffers.ts';
import { createVectorEnv } from './vector-env.ts';

const B = 8;

describe.each([
  ['snake', { actionMask: true, maxSteps: 4 }],
  ['taxi', { actionMask: true, maxSteps: 5 }],
  ['lifelong-mapf', { maxSteps: 5 }],
] as const)('%s %j', (id, settings) => {
  it('keeps the legal actions of the state that a time limit ended', () => {
    const entry = getEnv(id);
    const env = createVectorEnv(entry, settings, B, Rng.from(1));
    const { meta, buffers } = env;
    const { agentCount: A, actionCount: N } = meta;
    const twin = entry.create(settings, B);
    const twinBuffers = createBuffers(meta, B);
    const next = new Uint8Array(B * A * N);
    const actions = new Int32Array(B * A);
    const rng = Rng.from(2);
    const width = A * N;
    let [truncated, differs] = [0, 0];
    env.reset();
    twin.reset(new Uint32Array(B), twinBuffers);
    for (let t = 0; t < 40; t++) {
      for (let row = 0; row < B; row++) twin.load(row, env.env.save(row), twinBuffers);
      for (let row = 0; row < B * A; row++) actions[row] = randomAction(rng, N, buffers.mask, row * N);
      env.step(actions);
      twin.step(actions, twinBuffers);
      nextMasks(buffers, meta, next);
      for (let b = 0; b < B; b++) {
        if (buffers.terminated[b] !== 0) continue;
        const legal = [...twinBuffers.mask!.subarray(b * width, (b + 1) * width)];
        expect([...next.subarray(b * width, (b + 1) * width)]).toEqual(legal);
        if (buffers.truncated[b] === 0) continue;
        truncated++;
        for (let a = 0; a < A; a++) expect(legal.slice(a * N, (a + 1) * N)).toContain(1);
        if (legal.some((bit, i) => bit !== buffers.mask![b * width + i])) differs++;
      }
    }
    expect(truncated).toBeGreaterThan(40);
    expect(differs).toBeGreaterThan(0); // the next episode's mask would have been another one
  });
});
