/** Agents that have left the game teach the learners from replay nothing, unless they come back. */
import { describe, expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { createVectorEnv } from '../../../envs/api/vector-env.ts';
import { outlived, outlivedBox, returning } from '../../../testing/probes.ts';
import { trained } from '../../../testing/trained.ts';
import { getAlgo } from '../../all.ts';
import { TransitionStore } from './transitions.ts';

it.each([
  ['sac', outlivedBox],
  ['td3', outlivedBox],
  ['crossq', outlivedBox],
  ['droq', outlivedBox],
  ['sac-discrete', outlived],
] as const)('%s learns nothing from what dead agents are shown and paid', async (id, world) => {
  const algo = getAlgo(id);
  const hash = async (late: number): Promise<string> =>
    (await trained({ algo, env: world(late), config: algo.trial.config ?? {}, steps: 800 })).hash;
  expect(await hash(5)).toBe(await hash(-3));
});

/** What a store of two agents holds after 30 steps of chance: observation, reward, discount of 300 draws, and what followed. */
function drawn(env: typeof returning, deadToo = false): { readonly obs: number; readonly reward: number; readonly discount: number }[] {
  const vector = createVectorEnv(env, {}, 1, Rng.from(1));
  const store = new TransitionStore(vector.meta, vector.buffers, { capacity: 1000, numEnvs: 1, deadToo });
  const actions = new Int32Array(2);
  vector.reset();
  for (let t = 0; t < 30; t++) {
    store.beginStep();
    vector.step(actions);
    store.add(actions);
  }
  const batch = {
    ...{ obs: new Float32Array(300), action: new Float32Array(300), reward: new Float32Array(300) },
    ...{ discount: new Float32Array(300), nextObs: new Float32Array(300) },
  };
  store.sample(Rng.from(2), 300, 0.9, batch);
  return Array.from(batch.obs, (obs, i) => ({ obs, reward: batch.reward[i]!, discount: batch.discount[i]! }));
}

describe('a store of transitions', () => {
  it('gives no row of an agent that was out, and ends an agent’s own episode with its death', () => {
    const rows = drawn(outlived(7));
    expect(rows.some(({ obs }) => obs === 1) && rows.some(({ obs }) => obs === -1)).toBe(true);
    expect(rows.every(({ obs, discount }) => obs !== 7 && discount === 0)).toBe(true);
    expect(drawn(outlived(7), true).some(({ obs }) => obs === 7)).toBe(true);
  });

  it('keeps all rows where agents come back: what they get then is theirs', () => {
    const rows = drawn(returning);
    expect(rows.some(({ obs }) => obs === 0 || obs === 0.5)).toBe(true);
    expect(rows.filter(({ obs }) => obs === -0.5).every(({ discount }) => discount > 0)).toBe(true);
  });
});
