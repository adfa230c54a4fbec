import { expect, test } from 'vitest';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { completeRun } from './loaded.ts';
import { createSession } from './session.ts';

/** Two lakes with the goal at either end of the way: what is right in one leads away from the goal of the other. */
const LAKES = [{ map: ['FFFSFFG'] }, { map: ['GFFSFFF'] }];

/** Returns in each task, by step. */
async function learned(order: object, steps: number): Promise<Map<number, readonly number[]>> {
  const world = { map: LAKES[0]!.map, slippery: false, contexts: { list: LAKES, order } };
  const algoConfig = { epsilon: 1, gamma: 0.9 };
  const config = completeRun({
    env: { id: 'frozen-lake', config: world },
    algo: { id: 'q-learning', config: algoConfig },
    run: { steps, seeds: 1, evalEpisodes: 3 },
  });
  const found = new Map<number, readonly number[]>();
  for await (const event of createSession({ config, env: getEnv('frozen-lake'), algo: getAlgo('q-learning'), seed: 1, now: () => 0 })) {
    if (event.kind !== 'metrics') continue;
    const width = event.columns.length + 1;
    const at = LAKES.map((_, task) => event.columns.indexOf(`task.${task}`) + 1);
    for (let row = 0; row < event.rows.length; row += width) {
      const scores = at.map((column) => event.rows[row + column]!);
      if (scores.every(Number.isFinite)) found.set(event.rows[row]!, scores);
    }
  }
  return found;
}

test('plain learning of one task after the other forgets the first; all tasks are played at each border and at the end', async () => {
  const found = await learned({ by: 'blocks', steps: 4000 }, 8000);
  const steps = [...found.keys()];
  expect(steps).toHaveLength(2);
  expect(steps[0]).toBeGreaterThanOrEqual(4000);
  expect(steps[0]).toBeLessThan(5000);
  expect(found.get(steps[0]!)).toEqual([1, 0]);
  expect(found.get(steps[1]!)).toEqual([0, 1]);
});
