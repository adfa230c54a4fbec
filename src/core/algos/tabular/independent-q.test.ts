import { expect, it } from 'vitest';
import { getEnv } from '../../envs/all.ts';
import { trained } from '../../testing/trained.ts';
import { independentQ } from './independent-q.ts';

const env = getEnv('population-dilemma');
const world = { agents: 12, bins: 4, maxSteps: 20, delay: 2 };
const size = 12 * 8 * 2; // agents, bins and own last choice, actions

async function tables(lifetime: string, steps: number): Promise<Float64Array> {
  const { saved } = await trained({ algo: independentQ, env, envConfig: world, config: { lifetime }, steps });
  const { q } = saved.arrays;
  if (!(q instanceof Float64Array)) throw new Error('no tables');
  return q;
}

it('every agent learns a table of its own', async () => {
  const q = await tables('run', 400);
  expect(q).toHaveLength(size);
  const own = Array.from({ length: 12 }, (_, agent) => q.slice((agent * size) / 12, ((agent + 1) * size) / 12).join());
  expect(new Set(own).size).toBe(12);
});

it('tables of an episode are emptied where the next begins, those of a run are kept', async () => {
  const filled = (q: Float64Array): number => q.filter((value) => value !== 0).length;
  // one step into the second episode: 12 agents have each learned one value at most
  expect(filled(await tables('episode', 21))).toBeLessThanOrEqual(12);
  expect(filled(await tables('run', 21))).toBeGreaterThan(12);
});

it('refuses observations that are no numbered states', () => {
  const open = env.meta({ ...world, bins: null });
  expect(() => independentQ.fits(open, {})).toThrow('numbered states');
  expect(() => independentQ.fits(getEnv('tic-tac-toe').meta({}), {})).toThrow('same time');
});
