import { expect, test } from 'vitest';
import { type RunConfig, runConfigSchema } from './config.ts';
import type { JsonObject } from './json.ts';
import { parseSweep, readKeptSweeps } from './sweep.ts';
import { runSweep, type Setup, type SweepHost, sweepSize } from './sweep-run.ts';

const file = (search: JsonObject): JsonObject => ({
  kind: 'sweep',
  version: 1,
  config: { env: { id: 'e' }, algo: { id: 'a', config: { x: 0.5 } }, run: { steps: 900 } },
  fields: { 'algo.x': { from: 0, to: 1 } },
  search,
});

/** A room in which a run scores by how near x is to 0.3; `asked` keeps what it was asked for. */
function host(): SweepHost & {
  readonly asked: { readonly seeds: readonly number[]; readonly steps: readonly number[] }[];
  readonly told: number[];
} {
  const asked: { readonly seeds: readonly number[]; readonly steps: readonly number[] }[] = [];
  const told: number[] = [];
  return {
    asked,
    told,
    complete: (config) => runConfigSchema.parse(config),
    run: async (configs: readonly RunConfig[], seeds) => {
      asked.push({ seeds, steps: configs.map(({ run }) => run.steps) });
      return configs.map(({ algo }) => seeds.map((seed) => -Math.abs(Number(algo.config.x) - 0.3) + 0.001 * (seed % 3)));
    },
    news: (setups: readonly Setup[]) => told.push(setups.length),
  };
}

test.each(['sobol', 'random', 'tpe', 'halving'])(
  '%s finds what is near the optimum, on seeds apart from those of the report',
  async (by) => {
    const sweep = parseSweep(file({ by, setups: 18 }));
    const room = host();
    const { best, reported, setups } = await runSweep(sweep, room);
    expect(Math.abs(Number(best?.values['algo.x']) - 0.3)).toBeLessThan(0.15);
    expect(setups).toHaveLength(18);
    expect(reported?.seeds).toEqual([1001, 1002, 1003, 1004, 1005]);
    expect(room.asked.at(-1)?.seeds).toEqual(reported?.seeds);
    expect(room.asked.slice(0, -1).every(({ seeds }) => seeds.join() === '1,2,3')).toBe(true);
    // What was said before the start is what was asked for.
    const steps = room.asked.flatMap(({ seeds, steps: each }) => each.map((one) => one * seeds.length)).reduce((a, b) => a + b, 0);
    const runs = room.asked.reduce((sum, { seeds, steps: each }) => sum + seeds.length * each.length, 0);
    expect(sweepSize(sweep, 900)).toEqual({ runs, steps });
    expect(room.told[0]).toBeGreaterThan(0);
  },
);

test('a run that is ended from outside ends the sweep', async () => {
  const room = { ...host(), run: () => Promise.reject(new Error('away')) };
  await expect(runSweep(parseSweep(file({ by: 'sobol', setups: 4 })), room)).rejects.toThrow('away');
});

test('what the page kept comes back, and anything else is nothing', () => {
  const kept = [{ id: 'a', file: file({ by: 'grid' }), over: true, asked: ['0123456789ab'] }];
  expect(readKeptSweeps(JSON.stringify(kept))).toEqual(kept);
  for (const text of [null, '', '{}', '[{"id":1}]', 'null']) expect(readKeptSweeps(text)).toEqual([]);
});
