/** How runs become a result: quantities, time left, outcomes with their checks, the size of the file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { definePaper } from '#claims/define.ts';
import { decide, directionShows } from '#claims/judge.ts';
import { type Curve, decimate, placesOf, quantityOf } from '#claims/quantity.ts';
import { curvesToCsv } from '#contract/files/curves-csv.ts';
import { FIRST_REPORTED_SEED, type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import { paperResultSchema } from '#contract/papers/results.ts';
import { Progress } from '../kit/progress.ts';
import type { SeedOutcome } from '../train/seeds.ts';
import { completeArm } from './arm-config.ts';
import { goesOn, paperResult } from './result.ts';
import type { RanPaper } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'rl-claims-'));
afterAll(() => rmSync(folder, { recursive: true }));

const told = {
  id: 'test-paper',
  title: 'A test',
  authors: 'Doe',
  year: 2026,
  link: 'https://example.org',
  question: 'Is b better than a?',
  idea: 'It is.',
  equation: '',
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 10_000 } },
  arms: [
    { id: 'a', title: 'a', trials: 2 },
    { id: 'b', title: 'b', trials: 2, differs: { algo: { config: { lr: 1e-3 } } } },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [{ id: 'b over a', kind: 'difference', arm: 'b', over: 'a', claim: 'above', size: 5 }],
  scale: { better: 'more', random: 20, ceiling: 500 },
  quick: { run: { steps: 1000 }, seeds: 2 },
  scaledDown: 'All of it.',
  dishonest: 'To believe it.',
  next: 'Nothing.',
} as const satisfies Parameters<typeof definePaper>[0];

const outcome = (seed: number, evalReturn: number, more: Partial<SeedOutcome> = {}): SeedOutcome =>
  ({
    seed,
    evalReturn,
    finalReturn: Number.NaN,
    steps: 10_000,
    seconds: 6,
    parameters: 100,
    parameterHash: `of ${seed}`,
    ...more,
  }) as SeedOutcome;

function ran(paper: JudgedCard, scores: readonly (readonly number[])[], more: readonly Partial<SeedOutcome>[] = []): RanPaper {
  const seeds = scores[0]!.map((_, i) => FIRST_REPORTED_SEED + i);
  return {
    paper,
    seeds,
    arms: paper.arms.map((arm) => ({ arm, config: completeArm(paper, arm, false), folder: join(folder, arm.id), rival: undefined })),
    runs: scores.map((values, k) =>
      values.map((value, i) => ({
        outcome: outcome(seeds[i]!, value, { parameterHash: `${k} of ${seeds[i]}`, ...more[k] }),
        commit: 'abc',
      })),
    ),
  };
}

const about = { commit: 'abc', machine: { cpu: 'x', cores: 2, os: 'o', runtime: 'r' }, date: new Date(0), data: [], quick: false };
const low = [100, 104, 98, 101, 102];
const high = low.map((value) => value + 60);
const unsure = low.map((value, i) => value + [40, -20, 30, -25, 10][i]!);

describe('a result', () => {
  test('says what the contrasts say, and is a file that can be read', () => {
    const result = paperResult(ran(definePaper(told), [low, high]), about);
    expect(result).toMatchObject({ outcome: 'shown', decidedOn: 5, voids: [], coreMinutes: 1, seeds: [1001, 1002, 1003, 1004, 1005] });
    expect(paperResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
    expect(paperResult(ran(definePaper(told), [high, low]), about).outcome).toBe('reversed');
    expect(paperResult(ran(definePaper(told), [low, unsure]), about)).toMatchObject({ outcome: 'open', wanted: 10 });
    const alike = paperResult(ran(definePaper(told), [low, low]), about);
    expect(alike).toMatchObject({ outcome: 'open', wanted: 10 });
  });

  test.each([
    ['always', unsure, false, true],
    ['always', unsure, true, true],
    ['always', high, true, false],
    ['full', unsure, false, false],
    ['full', unsure, true, true],
    ['full', high, true, false],
  ] as const)('with a second look "%s": goes on to ten seeds where five leave it open', (secondLook, learned, full, further) => {
    const first = ran(definePaper({ ...told, secondLook }), [low, learned]);
    expect(goesOn(first, paperResult(first, about), full)).toBe(further);
  });

  test('is inconclusive where a check fails, and says which; the contrasts stay', () => {
    const unequal = paperResult(ran(definePaper(told), [low, high], [{}, { parameters: 200 }]), about);
    expect(unequal).toMatchObject({ outcome: 'open', voids: [{ check: 'parameters' }] });
    expect(unequal.findings[0]?.state).toBe('held');
    const chance = paperResult(ran(definePaper(told), [low.map(() => 21), high]), about);
    expect(chance.voids.map(({ check }) => check)).toEqual(['random']);
    const copies = paperResult(ran(definePaper(told), [low, high], [{}, { parameterHash: 'same' }]), about);
    expect(copies.voids.map(({ check }) => check)).toEqual(['spread']);
    const times = definePaper({ ...told, quantity: { title: 'steps to 100', metric: 'episodicReturn', reaches: 100 } });
    expect(decide(times, copies.arms).voids).toEqual([]); // the same tables after other times
    const failed = paperResult(ran(definePaper(told), [low, [...high.slice(1), Number.NaN]]), about);
    expect(failed).toMatchObject({ outcome: 'open', voids: [{ check: 'seeds' }], findings: [] });
  });

  test('says what was tested, and what is left out', () => {
    const paper = definePaper({ ...told, leftOut: 'One world of two.' });
    expect(paperResult(ran(paper, [low, high]), about)).toMatchObject({ tested: paper.tested, outcome: 'shown' });
  });

  test('of an arm that reads another number of the same runs counts their time once and draws no second curve', () => {
    const arms = [...told.arms, { ...told.arms[1], id: 'b-early', quantity: { title: 'early', measured: 'early' } }];
    const paper = definePaper({ ...told, arms });
    const early = low.map((value) => ({ measured: { early: value / 10 } }));
    const runs = ran(paper, [low, high, high]);
    const shared = { ...runs, arms: runs.arms.map((arm) => ({ ...arm, folder: arm.folder.replace('b-early', 'b') })) };
    const [first] = early;
    const read = {
      ...shared,
      runs: shared.runs.map((of, k) => (k < 2 ? of : of.map((run) => run && { ...run, outcome: { ...run.outcome, ...first } }))),
    };
    const result = paperResult(read, about);
    expect(result.coreMinutes).toBe(1);
    expect(result.arms[2]).toMatchObject({ scores: low.map(() => 10), curve: null });
    expect(ruleHash(paper)).not.toBe(ruleHash(definePaper(told)));
  });

  test('of a quick form judges nothing; its direction shows or not', () => {
    const result = paperResult(ran(definePaper(told), [low, high]), { ...about, quick: true });
    expect(result).toMatchObject({ outcome: 'open', findings: [], quick: true });
    expect(directionShows(definePaper(told), result.arms)).toBe(true);
    const wrong = paperResult(ran(definePaper(told), [high, low]), { ...about, quick: true });
    expect(directionShows(definePaper(told), wrong.arms)).toBe(false);
  });

  test('many arms of many seeds are drawn with fewer places, all of them together with as many as a few', () => {
    expect([1, 100, 225, 800, 1e5].map((curves) => placesOf(curves))).toEqual([40, 40, 40, 11, 5]);
    expect(decimate([{ steps: [10, 50], values: [1.23456, 2] }], 80, 4).steps).toEqual([20, 40, 60, 80]);
  });

  test('stays below 100 kB with ten arms of ten seeds and long curves', () => {
    const arms = Array.from({ length: 10 }, (_, k) => ({ id: `arm-${k}`, title: 'an arm', trials: 0 }));
    const paper = definePaper({
      ...told,
      arms,
      contrasts: [{ id: 'd', kind: 'difference', arm: 'arm-0', over: 'arm-1', claim: 'above', size: 1 }],
      scale: { better: 'more' },
    });
    const values = Array.from({ length: 10 }, (_, i) => 123.456789 + i / 7);
    for (let seed = FIRST_REPORTED_SEED; seed < FIRST_REPORTED_SEED + 10; seed++) {
      const steps = Float64Array.from({ length: 2000 }, (_, i) => 5 * i);
      const curve = { seed, metric: 'episodicReturn', steps, values: steps.map((step) => -Math.PI * step) };
      for (const { id } of arms) {
        mkdirSync(join(folder, id, `seed-${seed}`), { recursive: true });
        writeFileSync(join(folder, id, `seed-${seed}`, 'curve.csv'), curvesToCsv('cli', [curve]));
      }
    }
    const result = paperResult(
      ran(
        paper,
        arms.map(() => values),
      ),
      about,
    );
    expect(result.arms[3]?.curve?.values).toHaveLength(10);
    expect(JSON.stringify(result).length).toBeLessThan(100_000);
  });
});

describe('a quantity', () => {
  const curves = new Map([['loss', { steps: [10, 20, 30, 40], values: [4, 1, 2, 3] }]]);
  const of = (quantity: object, better: 'more' | 'less' = 'more') =>
    quantityOf({ title: 'q', ...quantity } as JudgedCard['quantity'], better, outcome(1, 7), curves, 100);
  test('is an outcome, or taken from a curve', () => {
    expect(of({ of: 'evalReturn' })).toBe(7);
    expect(of({ of: 'finalReturn' })).toBeNull();
    expect(of({ metric: 'loss', take: 'last' })).toBe(3);
    expect(of({ metric: 'loss', take: 'best' })).toBe(4);
    expect(of({ metric: 'loss', take: 'best' }, 'less')).toBe(1);
    expect(of({ metric: 'loss', take: 'mean' })).toBe(2.5);
    expect(of({ metric: 'loss', take: 'mean', until: 0.2 })).toBe(2.5);
    expect(of({ metric: 'loss', take: 'mean', until: 0.3 })).toBeCloseTo(7 / 3, 12);
    expect(of({ metric: 'loss', take: 'mean', until: 0.05 })).toBeNull();
    expect(of({ metric: 'loss', reaches: 2.5 })).toBe(10);
    expect(of({ metric: 'loss', reaches: 1 }, 'less')).toBe(20);
    expect(of({ metric: 'loss', reaches: 5 })).toBe(100);
    expect(of({ metric: 'none', take: 'last' })).toBeNull();
  });

  test('of a script is what the environment measures of its episodes', () => {
    const script = { ...outcome(1, 7), measures: { runaway: 0.25 } };
    const read = (metric: string) => quantityOf({ title: 'q', metric, take: 'last' }, 'more', script, new Map(), 100);
    expect(read('runaway')).toBe(0.25);
    expect(read('order')).toBeNull();
  });

  test('is what the environment measured of the evaluation episodes, whatever the training curve of that name says', () => {
    const ended = { ...outcome(1, 7), measured: { loss: 9, other: Number.NaN }, drawn: { loss: 8 } };
    const read = (measured: string) => quantityOf({ title: 'q', measured }, 'more', ended, curves, 100);
    expect([read('loss'), read('other'), read('none')]).toEqual([9, null, null]);
    expect(quantityOf({ title: 'q', measured: 'loss', drawn: true }, 'more', ended, curves, 100)).toBe(8);
  });

  test('of a sequence: what is kept behind a block, what is learned in it, and how fast', () => {
    const rows = (metric: string, values: readonly number[]) => [metric, { steps: [5, 10, 15, 21, 25, 30], values }] as const;
    // borders at 10, 20 and 30; a batch stepped over the second
    const tasks = new Map([
      rows('task.0', [0, 1, 0.9, 0.5, 0.4, 0.25]),
      rows('task.1', [0, 0, 0.5, 0.75, 1, 0.25]),
      rows('task.2', [0, 0, 0, 0, 0.25, 0.5]),
    ]);
    const of = (kind: 'kept' | 'learned' | 'area', from: ReadonlyMap<string, Curve> = tasks) =>
      quantityOf({ title: 'q', tasks: kind }, 'more', outcome(1, 7), from, 30);
    // task 0: mean of 0.5 - 1 and 0.25 - 1; task 1: 0.25 - 0.75
    expect(of('kept')).toBeCloseTo((-0.625 - 0.5) / 2, 12);
    expect(of('learned')).toBeCloseTo((1 + 0.75 + 0.5) / 3, 12);
    expect(of('area')).toBeCloseTo(((0.5 + 0.75) / 2 + (0.25 + 0.5) / 2) / 2, 12);
    expect(of('kept', new Map([...tasks].slice(0, 1)))).toBeNull();
    expect(of('kept', new Map([...tasks].map(([name, { steps, values }]) => [name, { steps: steps.slice(0, 5), values }])))).toBeNull();
  });

  test('a decimated curve holds the last value up to each step, null before the first', () => {
    const { steps, values } = decimate([{ steps: [10, 50], values: [1.23456, 2] }, undefined], 80);
    expect([steps[0], steps[4], steps.at(-1)]).toEqual([2, 10, 80]);
    expect([values[0]![0], values[0]![4], values[0]!.at(-1)]).toEqual([null, 1.235, 2]);
    expect(values[1]!.every((value) => value === null)).toBe(true);
  });
});

test('time left counts what is to do at the speed of its own kind', () => {
  const progress = new Progress(
    [
      { kind: 'fast', steps: 1000 },
      { kind: 'slow', steps: 1000 },
      { kind: 'slow', steps: 1000 },
    ],
    2,
  );
  expect(progress.now()).toEqual({ share: 0, secondsLeft: null });
  progress.at(0, 500, 100);
  expect(progress.now().secondsLeft).toBe((5 + 10 + 10) / 2); // a kind that has not begun: as fast as the others
  progress.at(1, 500, 10);
  expect(progress.now().secondsLeft).toBe((5 + 50 + 100) / 2);
  progress.end(0);
  progress.end(1);
  progress.end(2);
  expect(progress.now()).toEqual({ share: 1, secondsLeft: 0 });
});
