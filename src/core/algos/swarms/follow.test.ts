/** The window's planner finds shortest ways round walls and crowds; following them is learned, and a run resumes bit for bit. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { getEnv } from '../../envs/all.ts';
import { createSession } from '../../run/loaded.ts';
import type { Session } from '../../run/session.ts';
import { savedAt } from '../../testing/saved-at.ts';
import { getAlgo } from '../all.ts';
import { WindowPlanner } from './lib/window-planner.ts';

/** Rows of # (blocked), a (another agent), T (target); the agent stands in the middle. */
function windowOf(rows: readonly string[]): Float32Array {
  const side = rows.length;
  const cells = side * side;
  const out = new Float32Array(3 * cells);
  rows.forEach((row, y) => {
    [...row].forEach((tile, x) => {
      const i = y * side + x;
      if (tile === '#') out[i] = 1;
      if (tile === 'a') out[cells + i] = 1;
      if (tile === 'T') out[2 * cells + i] = 1;
    });
  });
  out[cells + (cells - 1) / 2] = 1;
  return out;
}

function wayOf(rows: readonly string[], congestion: number): { readonly first: number; readonly way: readonly string[] } {
  const side = rows.length;
  const out = new Float32Array(3 * side * side);
  const first = new WindowPlanner(side, congestion).plan(windowOf(rows), 0, out, 0);
  const layer = Array.from(out.subarray(2 * side * side), (v) => (v === 1 ? '1' : v === 0.5 ? '+' : '.'));
  return { first, way: rows.map((_, y) => layer.slice(y * side, (y + 1) * side).join('')) };
}

describe('the planner', () => {
  it('goes round walls', () => {
    const { first, way } = wayOf(['.....', '.###.', '...#T', '.###.', '.....'], 0);
    expect(first).toBe(3); // left: the target is to the right
    expect(way.join('').replaceAll('.', '')).toHaveLength(10);
    expect(way[2]).toMatch(/^\+1\.\.\+$/);
  });

  it('goes round others where that is cheaper, and through them where it is not', () => {
    const rows = ['.....', '.....', '...aT', '.....', '.....'];
    expect(wayOf(rows, 0).way[2]).toBe('...1+');
    expect(wayOf(rows, 4).way[2]).toBe('....+');
    expect(wayOf(['#####', '#####', '...aT', '#####', '#####'], 4).way[2]).toBe('...1+');
  });

  it('goes as near as it can where the target cannot be reached, and stays where nothing is nearer', () => {
    expect(
      wayOf(
        ['....T', '.....', '....#', '.....', '.....'].map((r, y) => (y === 0 ? '...#T' : y === 1 ? '...##' : r)),
        0,
      ).way[0],
    ).toBe('..+..');
    expect(wayOf(['#####', '#####', '##.#T', '#####', '#####'], 0)).toMatchObject({
      first: 0,
      way: ['.....', '.....', '.....', '.....', '.....'],
    });
  });

  it('tells a step from a push', () => {
    const planner = new WindowPlanner(5, 0);
    const before = windowOf(['#....', '.....', '.....', '...#.', '.....']);
    expect(planner.moved(4, before, windowOf(['.....', '.....', '.....', '..#..', '....#']), 0)).toBe(true);
    expect(planner.moved(4, before, before, 0)).toBe(false);
  });
});

const env = getEnv('lifelong-mapf');
const crowd = { size: 12, density: 0.15, agents: 12, maxSteps: 64, obsRadius: 3, collisionSystem: 'soft' };
const fast = { envs: 4, rolloutSteps: 32, hidden: [32] };

const configOf = (settings: JsonObject, steps: number) =>
  runConfigSchema.parse({
    env: { id: env.id, config: env.parse(crowd) },
    algo: { id: 'follow', config: getAlgo('follow').parse({ ...fast, ...settings }) },
    run: { steps, evalEpisodes: 5 },
  });

async function finish(session: Session): Promise<{ evalReturn: number; hash: string }> {
  let found = { evalReturn: Number.NaN, hash: '' };
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'result') found = { evalReturn: event.result.evalReturn, hash: event.result.parameterHash };
  }
  return found;
}

it('with a planner agents arrive sooner than without', async () => {
  const planned = await finish(createSession({ config: configOf({}, 2560), seed: 1, now: () => 0 }));
  const plain = await finish(createSession({ config: configOf({ planner: false }, 2560), seed: 1, now: () => 0 }));
  expect(planned.evalReturn).toBeGreaterThan(2 * plain.evalReturn);
});

it('goes on bit for bit after being saved', async () => {
  const config = configOf({}, 512);
  const whole = await finish(createSession({ config, seed: 1, now: () => 0 }));
  const resume = await savedAt(createSession({ config, seed: 1, now: () => 0, sliceMs: 0 }), 256);
  expect((await finish(createSession({ config, seed: 1, now: () => 0, resume }))).hash).toBe(whole.hash);
});

it('refuses worlds without a ground to walk on', () => {
  expect(() => getAlgo('follow').fits(getEnv('mpe-simple-spread').meta({}), getAlgo('follow').parse({}))).toThrow(/path finding/);
});
