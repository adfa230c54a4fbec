import { expect, it } from 'vitest';
import { HELD_OUT, heldOutPresets } from '#contract/catalog/rule-tasks.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import { xlandMinigrid } from '../xland-minigrid.ts';

const STARTS = 12;
/** Of the starts of a task so many must be won: a thing in a corner or before a door can make one impossible. */
const LEAST = 9;

it('there are twenty, each with an id, a title and a task of its own', () => {
  expect(HELD_OUT).toHaveLength(20);
  for (const key of ['id', 'title'] as const) expect(new Set(HELD_OUT.map((task) => task[key])).size).toBe(20);
  expect(new Set(heldOutPresets.map(({ config }) => JSON.stringify(config))).size).toBe(20);
});

it.each(heldOutPresets)('$id has a solution, which no first action is', ({ config }) => {
  const env = xlandMinigrid.create(config, STARTS);
  const buffers = createBuffers(env.meta, STARTS);
  const actions = createActions(env.meta, STARTS);
  const { expert } = xlandMinigrid.policies(config);
  env.reset(
    Uint32Array.from({ length: STARTS }, (_, i) => 500 + i),
    buffers,
  );
  const won = new Set<number>();
  const over = new Set<number>();
  let early = 0;
  for (let t = 0; t < env.meta.maxSteps && over.size < STARTS; t++) {
    expert!.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let row = 0; row < STARTS; row++) {
      if (over.has(row) || (buffers.terminated[row] === 0 && buffers.truncated[row] === 0)) continue;
      over.add(row);
      if (buffers.terminated[row] === 1) won.add(row);
      if (buffers.terminated[row] === 1 && t === 0) early++;
    }
  }
  expect(won.size).toBeGreaterThanOrEqual(LEAST);
  expect(early).toBeLessThanOrEqual(2);
});
