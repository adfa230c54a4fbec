/** The learned distance is one, with the slopes it should have; directions and midpoints by plain numbers; what it learns. */
import { describe, expect, it, test } from 'vitest';
import { gradients } from '#core/engine/autodiff.ts';
import { createGraph } from '#core/engine/graph.ts';
import { createEngine } from '#core/engine/index.ts';
import { sum } from '#core/engine/ops.ts';
import { getEnv } from '#core/envs/all.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { play, resumed } from '#core/testing/play.ts';
import { Rng } from '#math/rng.ts';
import { apart, embedding, halved, ofLengthOne } from './hilp.ts';

const maze = getEnv('quick-point-maze');
const meta = maze.meta(maze.parse({}));

describe('the distance', () => {
  const places = [
    [1.5, 1.5],
    [3.5, 1.5],
    [1.2, 3.7],
    [2.5, 3.5],
  ] as const;

  test('both are symmetric, 0 at the goal, and no way round is shorter', async () => {
    const engine = await createEngine('wasm');
    const { values, phi, here } = embedding(engine.group('distance'), Rng.from(1), meta, { hidden: [16], code: 5 });
    const n = places.length;
    const program = engine.compile({ obs: [n * n, 4] }, ({ obs }, g) => {
      const [first, second] = values(g, obs);
      return { first, second, code: here(obs), same: phi(obs.graph.constant(Float32Array.from(places.flat()), [n, 2])) };
    });
    places.forEach((from, i) => {
      places.forEach((to, j) => {
        program.in.obs.set([...from, ...to], 4 * (n * i + j));
      });
    });
    await program.run();
    for (const far of [program.out.first, program.out.second])
      for (let i = 0; i < n; i++) {
        expect(far[n * i + i]).toBeCloseTo(-1e-3, 6); // the root's least
        for (let j = 0; j < n; j++) {
          expect(far[n * i + j]).toBeCloseTo(far[n * j + i]!, 5);
          for (let k = 0; k < n; k++) expect(-far[n * i + k]!).toBeLessThanOrEqual(-far[n * i + j]! - far[n * j + k]! + 1e-3);
        }
      }
    expect(program.out.first[1]).not.toBe(program.out.second[1]);
    for (let i = 0; i < n; i++)
      for (let d = 0; d < 5; d++) expect(program.out.code[5 * n * i + d]).toBeCloseTo(program.out.same[5 * i + d]!, 5);
    engine.dispose();
  });

  test('its slope is the direction from one place to the other, and none where they are one', async () => {
    const engine = await createEngine('wasm');
    const program = engine.compile({ a: [3, 4], b: [3, 4] }, (x) => {
      const far = apart(x.a, x.b);
      const [slope] = gradients(sum(far), [x.a]);
      return { far, slope: slope! };
    });
    program.in.a.set([3, 0, 4, 0, 1, 2, 3, 4, 5, 5, 5, 5]);
    program.in.b.set([0, 0, 0, 0, 0, 0, 1, 1, 5, 5, 5, 5]);
    await program.run();
    const { far, slope } = program.out;
    const differences = [
      [3, 0, 4, 0],
      [1, 2, 2, 3],
    ];
    expect(far[0]).toBe(5);
    for (const [row, difference] of differences.entries())
      for (const [d, x] of difference.entries()) expect(slope[4 * row + d]).toBeCloseTo(x / Math.hypot(...difference), 6);
    expect([...slope.subarray(8)]).toEqual([0, 0, 0, 0]);
    engine.dispose();
  });
});

describe('ways', () => {
  test('directions have length 1; the way is halved by the place whose farther end is nearest', () => {
    const g = createGraph();
    const [from, to, places] = [g.input('from', [2, 2]), g.input('to', [2, 2]), g.input('places', [4, 2])];
    const [once, twice, z] = [halved(from, to, places, 1), halved(from, to, places, 2), ofLengthOne(to)];
    const inputs = { from: [0, 0, 10, 0], to: [10, 0, 0, 2], places: [5, 1, 2.4, 0, 9, 9, 0, 8] };
    const found = interpret([once, twice, z], { inputs });
    expect([...found.get(once)!]).toEqual([5, 1, 5, 1]);
    // from (0, 0) to (5, 1) over (2.4, 0); from (10, 0) to (5, 1) none lies better than (5, 1) itself
    expect([...found.get(twice)!]).toEqual([2.4, 0, 5, 1]);
    for (const [k, x] of [1, 0, 0, 1].entries()) expect(found.get(z)![k]).toBeCloseTo(x, 6);
  });
});

describe('learning', () => {
  const small = { recordSteps: 20_000, hidden: [64, 64], batchSize: 128, lr: 0.002, tau: 0.02, code: 8 };

  // random play reaches .03 of the goals
  test.each([{ aimed: 0.5 }, { aimed: 0.5, midpoints: 2 }])('the U-shaped maze from noisy recordings, %o', async (own) => {
    const { evalReturn } = await play(maze, 'hilp', 1500, { ...small, ...own, dataset: 'expert' });
    expect(evalReturn).toBeGreaterThan(0.7);
  });

  it.each([{}, { midpoints: 2, aimed: 0.5 }])('goes on where it was, %o', async (own) => {
    const bits = { hidden: [16], code: 4, batchSize: 32, recordSteps: 500, dataset: 'random' };
    const { whole, joined } = await resumed(getEnv('bit-flip'), 'hilp', 256, { ...bits, ...own });
    expect(joined).toMatchObject({ hash: whole.hash, rows: whole.rows });
  });
});
