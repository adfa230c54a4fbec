import { expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { type RunConfig, runConfigSchema } from '../run/config.ts';
import { sweepsOf } from './parts.ts';
import { atRungs } from './prune.ts';
import { contrastsOver, methodName, methodsIn, prunedText, sweepCsv, verdictOf } from './report.ts';
import { runSweep, type Setup, type SweepHost, sweepSize } from './run.ts';
import { parseSweep, readKeptSweeps } from './sweep.ts';

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

test('a contrast runs each value by its own best set-up on fresh seeds, and says which is above', async () => {
  const sweep = parseSweep({
    ...file({ by: 'grid' }),
    fields: { 'algo.on': [true, false], 'algo.x': [0.1, 0.3, 0.8] },
    contrast: 'algo.on',
  });
  const asked: { readonly values: readonly string[]; readonly seeds: readonly number[] }[] = [];
  const { reported, setups, best } = await runSweep(sweep, {
    complete: (config) => runConfigSchema.parse(config),
    run: async (configs, seeds) => {
      asked.push({ values: configs.map(({ algo }) => `${String(algo.config.on)} ${String(algo.config.x)}`), seeds });
      // On is best at 0.3 and off at 0.8, a little lower.
      return configs.map(({ algo: { config } }) =>
        seeds.map((seed) => (config.on ? -Math.abs(Number(config.x) - 0.3) : -0.1 - Math.abs(Number(config.x) - 0.8)) + 0.001 * (seed % 5)),
      );
    },
  });
  expect(asked.at(-1)).toEqual({ values: ['true 0.3', 'false 0.8'], seeds: [1001, 1002, 1003, 1004, 1005] });
  expect(reported?.base).toBeNull();
  expect(reported?.arms?.map(({ value, setup }) => [value, setups.find(({ number }) => number === setup)?.values['algo.x']])).toEqual([
    [true, 0.3],
    [false, 0.8],
  ]);
  expect(reported?.best).toEqual(reported?.arms?.[0]?.scores);
  expect(best?.values).toEqual({ 'algo.on': true, 'algo.x': 0.3 });
  expect(sweepSize(sweep, 900).runs).toBe(6 * 3 + 2 * 5);
  if (reported === null) throw new Error('nothing was reported');
  expect(verdictOf(sweep, reported)).toBeNull();
  expect(contrastsOver([{ env: '', arms: reported.arms ?? [] }], 'more').sentence).toBe(
    'true is above false: higher in 100\u00a0% of pairs of runs [100\u00a0%, 100\u00a0%], and its interquartile mean is higher; 5 seeds.',
  );
  // Over two environments of which one says the opposite there is no winner.
  const arms = reported.arms ?? [];
  const turned = arms.map((arm, i) => ({ ...arm, scores: arms[1 - i]?.scores ?? [] }));
  const over = contrastsOver(
    [
      { env: 'a', arms },
      { env: 'b', arms: turned },
    ],
    'more',
  );
  expect(over.pairs.map(({ state, p }) => [state, p])).toEqual([['open', 0.5]]);
});

test('of several methods each runs only its best set-up on fresh seeds, and they are judged over all environments', async () => {
  const parts = sweepsOf({
    ...file({ by: 'grid' }),
    envs: [{ id: 'a' }, { id: 'b' }],
    algos: [{ id: 'good' }, { id: 'poor' }],
    fields: { 'algo.x': [1, 2] },
  });
  const found = await Promise.all(
    parts.map(async ({ env, sweep }) => {
      const { best, reported } = await runSweep(sweep, {
        complete: (config) => runConfigSchema.parse(config),
        run: (configs, seeds) =>
          Promise.resolve(
            configs.map(({ algo }) => seeds.map((seed) => (algo.id === 'good' ? 10 : 0) + Number(algo.config.x) + 0.01 * (seed % 7))),
          ),
      });
      expect([best?.values, reported?.best.length, reported?.base]).toEqual([{ 'algo.x': 2 }, 5, null]);
      expect(sweepSize(sweep, 10).runs).toBe(2 * 3 + 5);
      return { env, method: methodName(sweep, (id) => id.toUpperCase()), best, reported };
    }),
  );
  expect(contrastsOver(methodsIn(found), 'more').sentence).toMatch(/^GOOD is above POOR over a and b:/);
});

test('a run that is ended from outside ends the sweep', async () => {
  const room = { ...host(), run: () => Promise.reject(new Error('away')) };
  await expect(runSweep(parseSweep(file({ by: 'sobol', setups: 4 })), room)).rejects.toThrow('away');
});

test('what the page kept comes back, and anything else is nothing', () => {
  const kept = [{ id: 'a', file: file({ by: 'grid' }), over: true, differing: true, asked: ['0123456789ab'] }];
  expect(readKeptSweeps(JSON.stringify(kept))).toEqual(kept);
  const { differing: _, ...earlier } = kept[0] ?? {};
  expect(readKeptSweeps(JSON.stringify([earlier]))[0]?.differing).toBe(false);
  for (const text of [null, '', '{}', '[{"id":1}]', 'null']) expect(readKeptSweeps(text)).toEqual([]);
});

test('runs that are behind others on their seed are ended at a rung, alike whether they ran to their end or not', async () => {
  const sweep = parseSweep({
    ...file({ by: 'random', setups: 16, batch: 4 }),
    prune: { at: [0.25, 0.5], after: 4 },
    seeds: { tuning: 2, reporting: 0 },
  });
  /** The curve of a run rises by half of x a step of 100; where `early`, it ends where a rung is missed. */
  const room = (early: boolean) => {
    let steps = 0;
    const ended = new Map<string, number>();
    const key = (config: RunConfig, seed: number): string => `${Number(config.algo.config.x)} ${seed}`;
    const valueAt = (config: RunConfig, seed: number, step: number): number => Number(config.algo.config.x) * step + (seed % 2);
    const rows = [100, 200, 300, 400, 500, 600, 700, 800, 900];
    const host: SweepHost = {
      complete: (config) => runConfigSchema.parse(config),
      at: (config, seed, _metric, at) => {
        const last = ended.get(key(config, seed)) ?? 0;
        const curve = rows.filter((step) => step <= last);
        return atRungs({ steps: curve, values: curve.map((step) => valueAt(config, seed, step)) }, at);
      },
      run: async (configs, seeds, _what, given) =>
        configs.map((config) =>
          seeds.map((seed) => {
            const missed = rows.find((step) =>
              given?.rungs.some(
                (rung) => rung.seed === seed && rows.find((row) => row >= rung.step) === step && valueAt(config, seed, step) < rung.bound,
              ),
            );
            const last = early && missed !== undefined ? missed : 900;
            ended.set(key(config, seed), last);
            steps += last;
            return last < 900 ? null : valueAt(config, seed, 900);
          }),
        ),
    };
    return { host, steps: () => steps };
  };
  const [stopping, whole] = [room(true), room(false)];
  const found = await runSweep(sweep, stopping.host);
  const again = await runSweep(sweep, whole.host);
  expect(again.setups).toEqual(found.setups);
  const pruned = found.setups.filter((setup) => setup.pruned !== undefined);
  expect(pruned.length).toBeGreaterThan(4);
  expect(found.setups.slice(0, 4).every((setup) => setup.pruned === undefined)).toBe(true);
  expect(pruned.every(({ score }) => score === null)).toBe(true);
  expect(stopping.steps()).toBeLessThan(0.8 * whole.steps());
  // What is ended is behind: the best of all is never among them.
  const x = (setup: Setup): number => Number(setup.values['algo.x']);
  expect(found.best?.number).toBe(found.setups.toSorted((a, b) => x(b) - x(a))[0]?.number);
  expect(prunedText(sweep, found.setups)).toContain(`of ${pruned.length} of 16 set-ups`);
  expect(sweepCsv(sweep, found, [1, 2]).split('\n')[0]).toBe('setup,algo.x,steps,seed,score,ended');
});

test('ending runs early is refused beside what already follows scores or must not', () => {
  expect(() => parseSweep({ ...file({ by: 'halving' }), prune: {} })).toThrow('halving does already');
  expect(() => parseSweep({ ...file({ by: 'grid' }), fields: { 'algo.x': [1, 2] }, contrast: 'algo.x', prune: {} })).toThrow(
    'tunes one value more',
  );
});
