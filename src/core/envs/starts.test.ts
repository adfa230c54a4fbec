import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { DRAWS } from '../../../tools/nightly.ts';
import { misfit } from '../testing/chi-square.ts';
import { getEnv } from './all.ts';
import { createActions, createBuffers } from './api/buffers.ts';

const BATCH = 1000;

/** Where each number of `field` of 100,000 starts falls: counts in `bins` equal parts of [low, high], one list per number. */
function spread(id: string, config: JsonObject, field: string, numbers: number, low: number, high: number, bins = 20): number[][] {
  const env = getEnv(id).create(config, BATCH);
  const buffers = createBuffers(env.meta, BATCH);
  let at = 8;
  for (const f of env.meta.state.fields) {
    if (f.name === field) break;
    at += 8 * f.shape.reduce((a, b) => a * b, 1);
  }
  const counts = Array.from({ length: numbers }, () => new Array<number>(bins).fill(0));
  env.reset(
    Uint32Array.from({ length: BATCH }, (_, i) => i),
    buffers,
  );
  for (let n = 0; n < DRAWS; n += BATCH, env.restart(new Uint8Array(BATCH).fill(1), buffers))
    for (let row = 0; row < BATCH; row++) {
      const view = new DataView(env.save(row).buffer);
      for (let i = 0; i < numbers; i++) {
        const bin = Math.floor(((view.getFloat64(at + 8 * i, true) - low) / (high - low)) * bins);
        const list = counts[i]!;
        list[bin] = list[bin]! + 1;
      }
    }
  return counts;
}

describe('what starts draw, where no golden data tell: chi-square of 100,000', () => {
  it.each([
    ['rendezvous', { members: 2, learners: 0, box: 4 }, 'pos', 4, -2, 2],
    ['drone-learning-to-fly', {}, 'drone', 3, -0.5, 0.5],
    ['drone-track', { randomPhase: true }, 'phase', 1, 0, 2 * Math.PI],
  ] as const)('%s %j: %s is uniform', (id, config, field, numbers, low, high) => {
    for (const counts of spread(id, config, field, numbers, low, high)) {
      expect(counts).toHaveLength(20); // none outside
      expect(misfit(counts)).toBeLessThan(1);
    }
  });

  it('drone-learning-to-fly: any axis alike, turned by up to one radian, speeds, rates and rotors anywhere in their range', () => {
    const env = getEnv('drone-learning-to-fly').create({}, BATCH);
    const buffers = createBuffers(env.meta, BATCH);
    const [up, angle, around] = [new Array<number>(20).fill(0), new Array<number>(20).fill(0), new Array<number>(20).fill(0)];
    const rest = Array.from({ length: 10 }, () => new Array<number>(20).fill(0));
    const add = (list: number[], part: number) => {
      const bin = Math.min(19, Math.floor(20 * part));
      list[bin] = list[bin]! + 1;
    };
    env.reset(
      Uint32Array.from({ length: BATCH }, (_, i) => i),
      buffers,
    );
    for (let n = 0; n < DRAWS; n += BATCH, env.restart(new Uint8Array(BATCH).fill(1), buffers))
      for (let row = 0; row < BATCH; row++) {
        const view = new DataView(env.save(row).buffer);
        const s = (i: number) => view.getFloat64(8 + 8 * i, true);
        const turn = 2 * Math.acos(Math.min(1, s(3)));
        add(angle, turn);
        add(up, (s(6) / Math.sin(turn / 2) + 1) / 2);
        add(around, Math.atan2(s(5), s(4)) / (2 * Math.PI) + 0.5);
        for (let i = 7; i < 13; i++) add(rest[i - 7]!, (s(i) + 1) / 2);
        for (let i = 13; i < 17; i++) add(rest[i - 7]!, s(i));
      }
    for (const counts of [up, angle, around, ...rest]) expect(misfit(counts)).toBeLessThan(1);
  });

  it('mo-item-gathering: a shuffled item lies anywhere inside', () => {
    const map = ['A......', '.......', '..1....', '.......', '.......', '......A'];
    const env = getEnv('mo-item-gathering').create({ map, shuffle: true }, BATCH);
    const buffers = createBuffers(env.meta, BATCH);
    const places = new Array<number>(42).fill(0);
    env.reset(
      Uint32Array.from({ length: BATCH }, (_, i) => i),
      buffers,
    );
    for (let n = 0; n < DRAWS; n += BATCH, env.restart(new Uint8Array(BATCH).fill(1), buffers))
      for (let row = 0; row < BATCH; row++) {
        const place = new Uint32Array(env.save(row).buffer).subarray(2 + 2, 2 + 2 + 42).indexOf(1);
        places[place] = places[place]! + 1;
      }
    const inside = [16, 17, 18, 23, 24, 25];
    expect(places.flatMap((k, cell) => (k > 0 ? [cell] : []))).toEqual(inside);
    expect(misfit(inside.map((cell) => places[cell]!))).toBeLessThan(1);
  });

  it('mo-item-gathering: of two who want one cell each goes back as often', () => {
    const env = getEnv('mo-item-gathering').create({ map: ['A.A', '..1'] }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const state = env.save(0);
    const words = new Uint32Array(state.buffer, 0, state.byteLength / 4);
    const actions = createActions(env.meta, 1);
    actions.set([4, 3]); // right and left
    let first = 0;
    for (let n = 0; n < DRAWS; n++) {
      words[words.length - 4] = n;
      words[words.length - 2] = 0;
      env.load(0, state, buffers);
      env.step(actions, buffers);
      if (new Uint32Array(env.save(0).buffer)[2] === 1) first++;
    }
    expect(misfit([first, DRAWS - first])).toBeLessThan(1);
  });
});
