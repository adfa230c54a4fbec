import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import { Rng } from '#math/rng.ts';
import { captionWords } from './lib/captions.ts';
import { agenda, createTeacher, type SubgoalKind, wrongSubgoal } from './subgoal-ppo.ts';

const WALL = 'WE WE WE WE WE WE WE';
const config = {
  layout: [WALL, 'WE .. KB LB DG GG WE', WALL],
  start: [1, 1, 0],
  maxSteps: 50,
  endRule: { type: 'goal' },
};

function told(subgoals: SubgoalKind, teacherErrors = 0): readonly number[] {
  const entry = getEnv('minigrid-custom');
  const env = entry.create(config, 1);
  env.reset(Uint32Array.of(1), createBuffers(env.meta, 1));
  return createTeacher(entry, config, { subgoals, teacherErrors }, Rng.from(1))(env.save(0));
}

it('the teacher names what leads on, in order and once, and leaves the end to the environment', () => {
  expect(told('words').map(captionWords)).toEqual([
    'picks up the blue key',
    'unlocks the blue door',
    'walks through the blue door',
    'opens the green door',
    'walks through the green door',
  ]);
  const width = 7;
  expect(told('position')).toEqual([width + 1, width + 2, width + 3, width + 4]);
  const [key, blueDoor, greenDoor] = told('object');
  expect([key! % 6, blueDoor! % 6, greenDoor! % 6]).toEqual([2, 2, 1]);
  expect(Math.floor(key! / 6)).not.toBe(Math.floor(blueDoor! / 6));
  expect(Math.floor(blueDoor! / 6)).toBe(Math.floor(greenDoor! / 6));
});

it('a teacher who always errs names nothing right, but deeds stay deeds', () => {
  for (const kind of ['words', 'position', 'object'] as const) {
    const [right, wrong] = [told(kind), told(kind, 1)];
    expect(wrong).toHaveLength(right.length);
    wrong.forEach((goal, i) => {
      expect(goal, kind).not.toBe(right[i]);
    });
  }
  expect(told('words', 1).map((caption) => captionWords(caption).split(' the ')[0])).toEqual([
    'picks up',
    'unlocks',
    'walks through',
    'opens',
    'walks through',
  ]);
});

it('a wrong position lies within two cells and on the map', () => {
  const rng = Rng.from(2);
  const met = new Set(Array.from({ length: 500 }, () => wrongSubgoal('position', 8, { width: 7, height: 3 }, rng)));
  expect([...met].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 7, 9, 10, 14, 15, 16, 17]);
});

it('a subgoal pays once, and reaching one drops those before it', () => {
  const list = agenda(2);
  list.begin(0, [5, 6, 7]);
  list.begin(1, [7]);
  expect([list.reach(0, 6), list.reach(0, 6), list.reach(0, 5), list.reach(0, 7), list.reach(0, 7)]).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect([...list.told, ...list.reached]).toEqual([3, 1, 2, 0]);
  list.begin(0, [9]);
  expect([list.reach(0, 7), list.reach(0, 9), list.reach(1, 7)]).toEqual([false, true, true]);
});
