import { beforeAll, expect, test } from 'vitest';
import { sourceHash } from '../../../../../../tools/build-box2d.mjs';
import { prepareSolver } from './load.ts';
import { solverSourceHash } from './module.ts';
import { Solver, type WorldShape, worldWords } from './solver.ts';

const BOX: WorldShape = {
  bodies: [{ shape: { box: [0.5, 0.5] }, density: 1, friction: 0.5 }],
  hinges: [],
  contacts: 4,
  step: 1 / 50,
  iterations: [180, 60],
};
const FLOOR = [{ corners: [-10, 0, 10, 0], friction: 0.5, body: 0 }];

beforeAll(prepareSolver);

test('the committed module was made from the sources beside it, with this compiler and these flags', () => {
  expect(solverSourceHash, 'run `npm run box2d`').toBe(sourceHash());
});

test('a box falls as gravity says, and comes to rest on the floor and sleeps', () => {
  const solver = new Solver(BOX);
  solver.clear(-10);
  solver.lay(FLOOR);
  solver.place(0, 0, 2);
  for (let t = 1; t <= 10; t++) {
    solver.step();
    expect(solver.body(0).vy).toBeCloseTo(-0.2 * t, 5);
  }
  for (let t = 0; t < 100; t++) solver.step();
  const { y, hit, touching, awake } = solver.body(0);
  expect(y).toBeCloseTo(0.5, 1);
  expect([hit, touching, awake]).toEqual([true, true, false]);
});

test('what is fast does not pass through the floor', () => {
  const solver = new Solver({ ...BOX, bodies: [{ shape: { box: [0.1, 0.1] }, density: 1, friction: 0.5 }] });
  solver.clear(0);
  solver.lay(FLOOR);
  solver.place(0, 0, 1.4);
  solver.impulse(0, 0, -0.04 * 90, 0, 1.4); // 90 m/s, 1.8 m a step
  for (let t = 0; t < 5; t++) solver.step();
  expect(solver.body(0).y).toBeGreaterThan(0);
});

test('friction holds on a slope that is not too steep, and lets go on a steep one', () => {
  const slide = (rise: number): number => {
    const solver = new Solver(BOX);
    solver.clear(-10);
    solver.lay([{ corners: [-10, -10 * rise, 10, 10 * rise], friction: 0.5, body: 0 }]);
    const angle = Math.atan(rise);
    solver.place(0, -0.51 * Math.sin(angle), 0.51 * Math.cos(angle), angle);
    for (let t = 0; t < 100; t++) solver.step();
    return -solver.body(0).x;
  };
  expect(slide(0.4)).toBeLessThan(0.4); // tan of the angle below the friction of 0.5
  expect(slide(0.8)).toBeGreaterThan(3);
});

test('a ray meets the nearest edge or piece of ground, or nothing', () => {
  const solver = new Solver(BOX);
  solver.clear(-10);
  solver.lay([...FLOOR, { corners: [2, 0, 2, 1, 1, 1, 1, 0], friction: 1, body: 1 }]);
  expect(solver.ray(0, 2, 0, -2)).toBeCloseTo(0.5, 6);
  expect(solver.ray(0, 0.5, 4, 0.5)).toBeCloseTo(0.25, 6);
  expect(solver.ray(0, 2, 0, 4)).toBe(1);
});

test('a world goes on from its words alone, whatever was computed between', () => {
  const solver = new Solver(BOX);
  const start = (x: number): Uint8Array => {
    solver.clear(-10);
    const ground = solver.lay(FLOOR);
    solver.place(0, x, 0.8, 0.3);
    return ground;
  };
  const words = new Uint32Array(worldWords(BOX));
  const run = (steps: number, disturbed: boolean): number[] => {
    const ground = start(0);
    solver.leave(words, 0);
    for (let t = 0; t < steps; t++) {
      if (disturbed) {
        start(3);
        for (let k = 0; k < 7; k++) solver.step();
      }
      solver.enter(words, 0, ground, -10);
      solver.step();
      solver.leave(words, 0);
    }
    return [...words];
  };
  expect(run(40, true)).toEqual(run(40, false));
});
