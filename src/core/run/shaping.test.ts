import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import type { SeedResult } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { getEnv } from '../envs/all.ts';
import { createVectorEnv } from '../envs/api/vector-env.ts';
import { completeRun, createSession } from './loaded.ts';

const GAMMA = 0.9;
const SIDE = 8;
/** A lake without holes: start and goal in opposite corners. */
const ICE = 'F'.repeat(SIDE - 1);
const LAKE: JsonObject = { map: [`S${ICE}`, ...Array<string>(SIDE - 2).fill(`F${ICE}`), `${ICE}G`], slippery: false };

/** A slope: the nearer to the goal, the higher. */
const levels = Array.from({ length: SIDE }, (_, y) =>
  Array.from({ length: SIDE }, (_unused, x) => Math.round((9 * (x + y)) / (2 * SIDE - 2))).join(''),
);

it('what shaping pays in an episode depends on its first cell and on how it ended, not on the way', () => {
  const potential = Float64Array.from(levels.join(''), (digit) => 0.5 + Number(digit));
  const config = { ...LAKE, maxSteps: 30 };
  const plain = createVectorEnv(getEnv('frozen-lake'), config, 16, Rng.from(3));
  const shaped = createVectorEnv(getEnv('frozen-lake'), config, 16, Rng.from(3), { potential, gamma: () => GAMMA });
  plain.reset();
  shaped.reset();
  const rng = Rng.from(4);
  const sums = new Float64Array(16);
  const steps = new Int32Array(16);
  const ends = { terminated: 0, truncated: 0 };
  for (let t = 0; t < 400; t++) {
    // Right and down more often, so that some episodes end at the goal and some at the limit.
    const actions = Int32Array.from({ length: 16 }, () => [1, 2, 2, 1, rng.int(4)][rng.int(5)]!);
    const cells = Array.from({ length: 16 }, (_, b) => shaped.env.cellOf?.(b) ?? -1);
    plain.step(actions);
    shaped.step(actions);
    for (let b = 0; b < 16; b++) {
      sums[b] = sums[b]! + GAMMA ** steps[b]! * (shaped.buffers.reward[b]! - plain.buffers.reward[b]!);
      steps[b] = steps[b]! + 1;
      const [terminated, truncated] = [shaped.buffers.terminated[b] === 1, shaped.buffers.truncated[b] === 1];
      if (!terminated && !truncated) continue;
      const reached = cells[b]! + [-1, SIDE, 1, -SIDE][actions[b]!]!;
      const outside = actions[b] === 2 ? cells[b]! % SIDE === SIDE - 1 : actions[b] === 1 ? cells[b]! >= SIDE * (SIDE - 1) : false;
      if (terminated) expect(sums[b]).toBeCloseTo(-potential[0]!, 4);
      else if (!outside && actions[b] !== 0 && actions[b] !== 3)
        expect(sums[b]).toBeCloseTo(GAMMA ** steps[b]! * potential[reached]! - potential[0]!, 4);
      ends[terminated ? 'terminated' : 'truncated']++;
      [sums[b], steps[b]] = [0, 0];
    }
  }
  expect(ends.terminated).toBeGreaterThan(10);
  expect(ends.truncated).toBeGreaterThan(3);
  // Statistics of episodes know nothing of it.
  const statistics = ({ arrays }: ReturnType<typeof plain.save>) =>
    Object.fromEntries(Object.entries(arrays).filter(([name]) => name.startsWith('stats.')));
  expect(statistics(shaped.save())).toEqual(statistics(plain.save()));
});

async function learn(shaping?: JsonObject): Promise<SeedResult> {
  const config = completeRun({
    env: { id: 'frozen-lake', config: LAKE },
    algo: { id: 'q-learning', config: { gamma: GAMMA } },
    run: { steps: 3000, seeds: 1, evalEpisodes: 1, ...(shaping && { shaping }) },
  });
  for await (const event of createSession({ config, seed: 1, now: () => 0 })) if (event.kind === 'result') return event.result;
  throw new Error('the run has no result');
}

it('a slope to the goal teaches what the goal alone does not in as many steps', async () => {
  const [alone, shaped] = [await learn(), await learn({ levels, unit: 0.1 })];
  expect(alone.evalReturn).toBe(0);
  expect(shaped.evalReturn).toBe(1); // of the environment: greedy evaluation is paid no potential
});

it('what cannot be shaped is refused by name', () => {
  const run = (env: JsonObject, algo: string, shaping: JsonObject): unknown =>
    completeRun({ env, algo: { id: algo }, run: { steps: 100, shaping } });
  const lake = { id: 'frozen-lake', config: LAKE };
  expect(() => run(lake, 'q-learning', { levels, unit: 1 })).not.toThrow();
  expect(() => run(lake, 'q-learning', { levels: levels.slice(1) })).toThrow('8 rows of 8 cells');
  expect(() => run(lake, 'q-learning', { levels: [...levels.slice(1), '0123x567'] })).toThrow('8 rows of 8 cells');
  expect(() => run(lake, 'value-iteration', { levels })).toThrow('plans on a table');
  expect(() => run({ id: 'cartpole' }, 'ppo', { levels })).toThrow('one agent walks on');
  expect(() => run({ id: 'coin-game' }, 'ippo', { levels })).toThrow('one agent walks on');
});
