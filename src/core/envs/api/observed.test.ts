import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { Rng } from '#math/rng.ts';
import { randomActions } from '../../testing/env-suite.ts';
import { getEnv } from '../all.ts';
import { createActions } from './buffers.ts';
import { createVectorEnv, type VectorEnv } from './vector-env.ts';

const BATCH = 2;

function follow(vector: VectorEnv, steps: number, see: (buffers: VectorEnv['buffers']) => void): void {
  const rng = Rng.from(9);
  const actions = createActions(vector.meta, BATCH);
  for (let t = 0; t < steps; t++) {
    randomActions(vector.meta, BATCH, vector.buffers, rng, actions);
    vector.step(actions);
    see(vector.buffers);
  }
}

const made = (id: string, config: JsonObject): VectorEnv => {
  const vector = createVectorEnv(getEnv(id), config, BATCH, Rng.from(3));
  vector.reset();
  return vector;
};

describe('stacked frames', () => {
  test('the oldest first, zeros before the start of each episode, and at the end of an episode those of its last step', () => {
    const plain = made('cartpole', {});
    const stacked = made('cartpole', { frameStack: 3 });
    expect(stacked.meta.obsSize).toBe(12);
    const seen: number[][] = [[...plain.buffers.obs]];
    follow(plain, 60, ({ obs }) => seen.push([...obs]));
    const ends: number[][] = [];
    follow(made('cartpole', {}), 60, ({ terminated }) => ends.push([...terminated]));
    let t = 0;
    const since = [0, 0]; // steps since a row began
    follow(stacked, 60, ({ obs, finalObs, terminated }) => {
      t++;
      for (let row = 0; row < BATCH; row++) {
        const before = (back: number, age: number) => (back > age ? [0, 0, 0, 0] : seen[t - back]!.slice(4 * row, 4 * row + 4));
        const ended = terminated[row] === 1;
        expect(ended).toBe(ends[t - 1]![row] === 1);
        since[row] = ended ? 0 : since[row]! + 1;
        expect([...obs.subarray(12 * row, 12 * row + 12)]).toEqual([2, 1, 0].flatMap((back) => before(back, since[row]!)));
        if (ended)
          expect([...finalObs.subarray(12 * row, 12 * row + 8)]).toEqual(
            [2, 1].flatMap((back) => seen[t - 1 - (back - 1)]!.slice(4 * row, 4 * row + 4)),
          );
      }
    });
    expect(ends.flat().filter(Boolean).length).toBeGreaterThan(2);
  });

  test('a grid has the channels of its frames in each cell, and what stands behind them by frame', () => {
    const meta = getEnv('minigrid-empty').meta({ frameStack: 2 });
    const { obs } = getEnv('minigrid-empty').meta({}).agents[0]!;
    if (obs.kind !== 'grid') throw new Error('no grid');
    const [h, w, c] = obs.shape;
    expect(meta.agents[0]!.obs).toMatchObject({ kind: 'grid', shape: [h, w, 2 * c], extra: 2 * obs.extra });
    const plain = made('minigrid-empty', {});
    const stacked = made('minigrid-empty', { frameStack: 2 });
    const before = [...plain.buffers.obs];
    const now: number[] = [];
    follow(plain, 1, (b) => now.push(...b.obs));
    follow(stacked, 1, (b) => {
      for (let cell = 0; cell < h * w; cell++) {
        const at = 2 * c * cell;
        expect([...b.obs.subarray(at, at + 2 * c)]).toEqual([
          ...before.slice(c * cell, c * cell + c),
          ...now.slice(c * cell, c * cell + c),
        ]);
      }
      const extras = [...b.obs.subarray(2 * c * h * w, 2 * (c * h * w + obs.extra))];
      expect(extras).toEqual([...before.slice(c * h * w, c * h * w + obs.extra), ...now.slice(c * h * w, c * h * w + obs.extra)]);
    });
  });

  test.each(['cartpole', 'frozen-lake', 'mpe-simple-tag', 'minatar-breakout', 'mujoco-hopper'])(
    '%s: saved, loaded and gone on with, bit for bit; in JSON the frames have their place',
    async (id) => {
      const entry = getEnv(id);
      await entry.prepare?.();
      const config = { frameStack: 4 };
      const one = made(id, config);
      follow(one, 7, () => {});
      const saved = decodeSaved(encodeSaved(one.save()));
      const other = made(id, config);
      other.load(saved);
      const state = one.env.save(1);
      expect(state.byteLength).toBe(one.meta.state.bytes);
      expect(one.meta.state.fromJSON(one.meta.state.toJSON(state))).toEqual(state);
      const [a, b]: [number[], number[]] = [[], []];
      follow(one, 20, ({ obs }) => a.push(...obs));
      follow(other, 20, ({ obs }) => b.push(...obs));
      expect(b).toEqual(a);
    },
  );

  test('scripts of the environment look at what they know', () => {
    const entry = getEnv('mpe-simple-tag');
    const [name] = entry.policyNames;
    const play = (config: JsonObject): number[] => {
      const vector = made('mpe-simple-tag', config);
      const policy = entry.policies(config)[name!]!;
      const actions = createActions(vector.meta, BATCH);
      const said: number[] = [];
      for (let t = 0; t < 10; t++) {
        policy.act(vector.env, vector.buffers, actions);
        said.push(...actions);
        vector.step(actions);
      }
      return said;
    };
    expect(play({ frameStack: 3 })).toEqual(play({}));
  });

  test('fields at rest leave the config as it was, so that its hash stays', () => {
    const entry = getEnv('cartpole');
    expect(entry.parse({ frameStack: 1, normaliseObs: false })).toEqual(entry.parse({}));
    expect(entry.parse(entry.parse({ frameStack: 2 }))).toEqual({ ...entry.parse({}), frameStack: 2 });
    expect(entry.meta({ frameStack: 2, contexts: { draw: { force: { from: 5, to: 15 } }, tell: true } }).obsSize).toBe(10);
  });
});
