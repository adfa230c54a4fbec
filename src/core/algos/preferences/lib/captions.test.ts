import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '#core/envs/all.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import { CAPTION_FEATURES, CAPTIONS, captionFor, captionWords, promising, viewOf, writeCaption } from './captions.ts';

const [RIGHT, FORWARD, PICKUP, DROP, TOGGLE] = [1, 2, 3, 4, 5];

/** What is said while these actions are done on a map, from [x, y, direction]. */
function told(layout: readonly string[], pose: readonly [number, number, number], actions: readonly number[]): string[] {
  const env = getEnv('minigrid-custom').create({ layout, maxSteps: 100, endRule: { type: 'pickup', object: { pos: [1, 3] } } }, 1);
  const buffers = createBuffers(env.meta, 1);
  const state: JsonObject = { layout: [...layout], agentPos: [pose[0], pose[1]], agentDir: pose[2] };
  env.load(0, env.meta.state.fromJSON(state), buffers);
  return actions.map((action) => {
    const before = buffers.obs.slice();
    env.step(Int32Array.of(action), buffers);
    return captionWords(captionFor(before, 0, action, buffers.obs, 0, viewOf(env.meta, 'test')));
  });
}

const WALL = 'WE WE WE WE WE WE';

it('keys, locked doors and what lies behind them', () => {
  const map = [WALL, 'WE .. KB LB .. WE', 'WE WE WE WE WE WE', 'WE AR .. .. .. WE', WALL];
  expect(told(map, [1, 1, 0], [TOGGLE, PICKUP, FORWARD, TOGGLE, FORWARD, FORWARD, TOGGLE, DROP])).toEqual([
    'nothing new',
    'picks up the blue key',
    'nothing new',
    'unlocks the blue door',
    'walks through the blue door',
    'nothing new',
    'nothing new',
    'nothing new',
  ]);
});

it('doors that are only closed, boxes, and things that come into view', () => {
  const map = [WALL, 'WE .. DG .. BY WE', 'WE KP WE WE WE WE', 'WE AR .. .. .. WE', WALL];
  expect(told(map, [1, 1, 0], [TOGGLE, TOGGLE, TOGGLE, FORWARD, FORWARD, TOGGLE, RIGHT])).toEqual([
    'opens the green door',
    'closes the green door',
    'opens the green door',
    'walks through the green door',
    'nothing new',
    'opens up the yellow box',
    'sees the green door',
  ]);
  expect(told(map, [1, 1, 3], [RIGHT, RIGHT, PICKUP, DROP])).toEqual([
    'sees the purple key',
    'nothing new',
    'picks up the purple key',
    'drops the purple key',
  ]);
});

it('every caption has features of its own, and only what leads on is promising', () => {
  const features = new Set<string>();
  const row = new Float32Array(CAPTION_FEATURES);
  for (let caption = 0; caption < CAPTIONS; caption++) {
    writeCaption(caption, row, 0);
    features.add(row.join());
  }
  expect(features.size).toBe(CAPTIONS);
  const words = Array.from({ length: CAPTIONS }, (_, caption) => caption)
    .filter(promising)
    .map(captionWords);
  expect(words).toContain('unlocks the blue door');
  expect(words.filter((text) => /^(nothing|sees|drops|closes)/.test(text))).toEqual([]);
});

it('worlds without such observations are refused', () => {
  expect(() => viewOf(getEnv('cartpole').meta({}), 'ONI')).toThrow('only MiniGrid worlds');
});
