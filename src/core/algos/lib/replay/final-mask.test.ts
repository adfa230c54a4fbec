/** A transition that a time limit ended is stored with the mask of its own last state, not with that of the next episode. */
import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { Rng } from '#math/rng.ts';
import { randomAction } from '#math/sampling.ts';
import { TransitionStore } from './transitions.ts';

it('stores the final mask at time limits', () => {
  const B = 8;
  const env = createVectorEnv(getEnv('snake'), { rows: 6, columns: 6, actionMask: true, maxSteps: 4 }, B, Rng.from(1));
  const { meta, buffers } = env;
  const { obsSize: O, actionCount: N } = meta;
  const store = new TransitionStore(meta, buffers, { capacity: 1000, numEnvs: B });
  const f = (n: number) => new Float32Array(n);
  const batch = { obs: f(O), action: f(1), reward: f(1), discount: f(1), nextObs: f(O), nextMask: f(N) };
  const actions = new Int32Array(B);
  const rng = Rng.from(2);
  let [truncated, differs] = [0, 0];
  env.reset();
  for (let t = 0; t < 40; t++) {
    for (let b = 0; b < B; b++) actions[b] = randomAction(rng, N, buffers.mask, b * N);
    store.beginStep();
    env.step(actions);
    store.add(actions);
    for (let b = 0; b < B; b++) {
      store.buffer.read(store.buffer.total - B + b, 0, 1, 0.9, batch);
      if (buffers.truncated[b] === 0 || buffers.terminated[b] !== 0) continue;
      truncated++;
      expect(batch.discount[0]).toBeCloseTo(0.9, 6);
      expect([...batch.nextMask]).toEqual([...buffers.finalMask!.subarray(b * N, (b + 1) * N)]);
      if (batch.nextMask.some((bit, i) => bit !== buffers.mask![b * N + i])) differs++;
    }
  }
  expect(truncated).toBeGreaterThan(40);
  expect(differs).toBeGreaterThan(20);
});
