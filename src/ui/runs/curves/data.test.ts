import { beforeAll, describe, expect, it } from 'vitest';
import { agentMetric } from '#contract/game/metrics.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { catalogStore } from '#stores/catalog.ts';
import { curves } from '#stores/curves.ts';
import { strengths } from '#stores/strength.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import {
  axisToStep,
  boundLines,
  curvesBeside,
  curvesOf,
  groupCurve,
  metricsOf,
  PER_AGENT,
  STRENGTH,
  sharedReferences,
  startLines,
  stepToAxis,
} from './data.ts';
import { fittedExtent } from './decimate.ts';
import { bandFor } from './expected.ts';
import { toCsv } from './export.ts';
import { buildModel, endOf, readAt, yRange } from './model.ts';

const config = {
  v: 1,
  env: { id: 'cartpole', version: 1, config: {} },
  algo: { id: 'ppo', version: 1, config: {} },
  run: { steps: 100, seeds: 5, seedStart: 1, executor: 'wasm', evalEvery: 0, evalEpisodes: 1 },
} as RunConfig;

function group(id: string, seeds: number, colour: number): RunGroup {
  const runs = Array.from({ length: seeds }, (_, i): SeedRun => {
    const mark = { kind: 'mark', step: 20, type: 'edit', text: 'learning rate, halved', by: 'user' } as const;
    return {
      seed: i + 1,
      state: 'done',
      step: 100,
      seconds: 1,
      stepsPerSecond: 1,
      checkpointStep: -1,
      result: null,
      failure: null,
      marks: i === 0 ? [mark] : [],
    };
  });
  return {
    id,
    name: id,
    config,
    hash: 'abc',
    colour,
    dash: 0,
    createdAt: 0,
    visible: true,
    note: '',
    parent: null,
    executorReason: '',
    seeds: runs,
  };
}

const options = { title: 'return', xTitle: 'steps', smoothing: 0, rawSeeds: false, references: [], marks: [] };
const five = group('five', 5, 0);
const two = group('two', 2, 1);

beforeAll(() => {
  for (const run of [five, two]) {
    run.seeds.forEach(({ seed }) => {
      const rows: number[] = [];
      // Seed 5 is only half way.
      for (let i = 1; i <= (seed === 5 ? 5 : 10); i++) rows.push(i * 10, seed + i, i * 0.5, i % 2 === 0 ? i : Number.NaN);
      curves.append(run.id, seed, ['episodicReturn', 'seconds', 'loss'], Float64Array.from(rows));
    });
  }
});

describe('group curves', () => {
  it('aggregates five seeds where all have values and leaves fewer as they are', () => {
    const a = groupCurve(five, 'episodicReturn', 'steps', 100);
    expect(a.aggregate?.n).toBe(5);
    expect([...a.aggregate!.x]).toEqual([10, 20, 30, 40, 50]);
    expect(a.aggregate!.line[0]).toBe(4); // middle three of 2..6
    expect(groupCurve(two, 'episodicReturn', 'steps', 100).aggregate).toBeNull();
  });

  it('gives the same statistic whatever else is drawn', () => {
    const alone = groupCurve(five, 'episodicReturn', 'steps', 90);
    const together = [two, five].map((g) => groupCurve(g, 'episodicReturn', 'steps', 90))[1]!;
    const modelAlone = buildModel([alone], options);
    const modelTogether = buildModel([groupCurve(two, 'episodicReturn', 'steps', 90), together], options);
    const band = (m: typeof modelAlone) => m.bands.find((b) => b.key === 'five/band')!;
    expect(band(modelTogether)).toEqual(band(modelAlone));
    expect(readAt(together, 50)).toEqual(readAt(alone, 50));
  });

  it('moves between axes and back', () => {
    expect(stepToAxis(five, 40, 'updates')).toBe(4);
    expect(stepToAxis(five, 40, 'seconds')).toBe(2);
    expect(axisToStep(five, 2, 'seconds')).toBe(40);
    expect(axisToStep(five, 4, 'updates')).toBe(40);
    expect(stepToAxis(five, 40, 'episodes')).toBeNaN();
  });

  it('draws where another metric stood at the start: the mean of its first values over the seeds', () => {
    const cards = [{ id: 'episodicReturn', title: 'return', description: '' }];
    const lines = startLines(five, { id: 'loss', title: 'loss', description: '', startOf: ['episodicReturn', 'nothing'] }, cards);
    expect(lines.map(({ name, value }) => [name, value])).toEqual([['return at the start', 4]]); // of 2..6
    expect(startLines(five, cards[0]!, cards)).toEqual([]);
    expect(startLines(undefined, { id: 'loss', title: 'loss', description: '', startOf: ['episodicReturn'] }, cards)).toEqual([]);
  });

  it('draws a bound where it stands now, once for runs that have the same', () => {
    const cards = [{ id: 'episodicReturn', title: 'cost limit', description: '' }];
    const card = { id: 'loss', title: 'loss', description: '', bounds: ['episodicReturn', 'nothing'] };
    const newest = five.seeds.map(({ seed }) => curves.series(five.id, seed, 'episodicReturn')?.values.at(-1));
    const lines = boundLines([five, five], card, cards);
    expect(lines.map(({ value }) => value)).toEqual([...new Set(newest)]);
    expect(new Set(lines.map(({ name }) => name))).toEqual(new Set(['cost limit']));
    expect(boundLines([], card, cards)).toEqual([]);
    expect(boundLines([five], cards[0]!, cards)).toEqual([]);
  });

  it('lists measured metrics, returns first, bookkeeping left out', () => {
    expect(metricsOf([five], null).map((m) => m.id)).toEqual(['episodicReturn', 'loss']);
  });
});

describe('models', () => {
  it('draws below five seeds thin lines and no band, with five a line, a band and what runs ahead', () => {
    const few = buildModel([groupCurve(two, 'episodicReturn', 'steps', 100)], options);
    expect([few.bands.length, few.lines.length]).toEqual([0, 2]);
    expect(few.lines.every((l) => l.width === 1)).toBe(true);
    const enough = buildModel([groupCurve(five, 'episodicReturn', 'steps', 100)], options);
    expect(enough.bands).toHaveLength(1);
    expect(enough.lines.map((l) => l.key)).toEqual(['five/ahead1', 'five/ahead2', 'five/ahead3', 'five/ahead4', 'five/iqm']);
    expect(enough.lines.at(-1)!.end).toBe('IQM n=5');
    expect(buildModel([groupCurve(five, 'episodicReturn', 'steps', 100)], { ...options, plain: true }).lines.at(-1)!.end).toBe('');
    expect(enough.extent).toEqual([10, 100]);
  });

  it('draws what a fork shares with its parent in grey over the parent, then each in its colour', () => {
    const fork: RunGroup = { ...two, parent: { id: 'five', step: 50, seeds: [{ seed: 1, step: 40 }] } };
    const { lines } = buildModel(
      [groupCurve(fork, 'episodicReturn', 'steps', 100), groupCurve(five, 'episodicReturn', 'steps', 100)],
      options,
    );
    const own = lines.filter((l) => l.key.startsWith('two/'));
    expect(own.map((l) => [l.key, l.shared, l.xy.x[0], l.xy.x.at(-1)])).toEqual([
      ['two/seed1', undefined, 40, 100],
      ['two/seed2', undefined, 50, 100],
      ['two/seed1/shared', true, 10, 40],
      ['two/seed2/shared', true, 10, 50],
    ]);
    expect(lines.slice(-2).every((l) => l.shared === true)).toBe(true);
    const many = buildModel([groupCurve({ ...five, parent: { id: 'two', step: 30 } }, 'episodicReturn', 'steps', 100)], options);
    expect(many.bands[0]?.x[0]).toBe(many.lines.find((l) => l.key === 'five/iqm')?.xy.x[0]);
  });

  it('keeps the unsmoothed line behind a smoothed one, and readings unsmoothed', () => {
    const curve = groupCurve(five, 'episodicReturn', 'steps', 100);
    const model = buildModel([curve], { ...options, smoothing: 0.9 });
    expect(model.lines.find((l) => l.key === 'five/unsmoothed')!.opacity).toBe(0.25);
    expect(readAt(curve, Number.POSITIVE_INFINITY)!.value).toBe(curve.aggregate!.line.at(-1));
  });

  it('has no interval below five seeds', () => {
    const reading = readAt(groupCurve(two, 'episodicReturn', 'steps', 100), 100)!;
    expect([reading.value, reading.n]).toEqual([11.5, 2]);
    expect(reading.low).toBeNaN();
  });

  it('starts at zero where zero is near and drops far references', () => {
    expect(yRange(20, 500, [])[0]).toBe(0);
    expect(yRange(0, 0, [])).toEqual([0, 1]); // a curve of zeros is drawn too
    expect(yRange(-500, -500, [])).toEqual([-550, -450]); // and the ticks beside a constant differ
    expect(yRange(480, 500, [])[0]).toBeGreaterThan(400);
    expect(yRange(20, 400, [{ name: 'optimal', value: 500, source: '' }])[1]).toBeGreaterThan(500);
    expect(yRange(20, 40, [{ name: 'optimal', value: 500, source: '' }])[1]).toBeLessThan(60);
    expect(yRange(0.1, 0.12, [{ name: 'without looking', value: 0.5, source: '', stays: true }])[1]).toBeGreaterThan(0.5);
  });

  it('leaves the start off the chart where it would press the rest flat, and only there', () => {
    const row = (value: (i: number) => number): number[] => Array.from({ length: 200 }, (_, i) => value(i));
    const cliff = row((i) => (i < 4 ? -1400 + 100 * i : -50 + i / 10));
    expect(fittedExtent([cliff])).toMatchObject({ off: 'below', low: expect.closeTo(-48.7, 6) });
    expect(fittedExtent([cliff.map((y) => -y)])).toMatchObject({ off: 'above' });
    const learning = row((i) => Math.min(500, 20 + 4 * i)); // a slow start is what is to be seen
    expect(fittedExtent([learning])).toEqual({ low: 24, high: 500, off: null });
    expect(fittedExtent([row((i) => (i < 4 ? 0 : 500))])).toMatchObject({ low: 0, off: null }); // of a constant nothing would be left
    expect(fittedExtent([[null, null, null]])).toBeNull();
  });
});

it('writes unsmoothed long-form CSV with events', () => {
  const lines = toCsv([two], new Map()).trim().split('\n');
  expect(lines[0]).toBe('run,seed,step,metric,value');
  expect(lines).toContain('two,1,10,episodicReturn,2');
  expect(lines).toContain('two,2,100,loss,10');
  expect(lines).toContain('two,1,20,event:edit,"learning rate, halved"');
  expect(lines).toHaveLength(1 + 2 * (10 + 10 + 5) + 1);
  expect(toCsv([two], new Map([[two.id, '=HYPERLINK("x")']])).split('\n')[1]).toMatch(/^"'=HYPERLINK/);
});

describe('returns per agent', () => {
  const team = group('team', 1, 3);
  const columns = ['episodicReturn', ...Array.from({ length: 10 }, (_, i) => agentMetric(i, `bee ${i + 1}`))];
  beforeAll(() => {
    for (const step of [10, 20])
      curves.append('team', 1, columns, Float64Array.of(step, 1, ...Array.from({ length: 10 }, (_, i) => i * step)));
  });

  it('are one metric with a line for each agent, of the active run only', () => {
    expect(metricsOf([team], null).map(({ id }) => id)).toEqual(['episodicReturn', PER_AGENT]);
    const found = curvesOf([five, team], 'team', PER_AGENT, 'steps', 100);
    expect(found.map(({ look }) => look.name)).toEqual(Array.from({ length: 10 }, (_, i) => `bee ${i + 1}`));
    expect(readAt(found[9]!, 20)?.value).toBe(180);
    expect(curvesOf([five], null, PER_AGENT, 'steps', 100)).toEqual([]);
  });

  it('differ in colour and figure, beyond eight in dashes too', () => {
    const looks = curvesOf([team], 'team', PER_AGENT, 'steps', 100).map(({ look }) => look);
    expect(new Set(looks.slice(0, 8).map(({ colour }) => colour)).size).toBe(8);
    expect(new Set(looks.map(({ colour, shape, dash }) => `${colour}/${shape}/${dash}`)).size).toBe(10);
    expect(looks[8]).toMatchObject({ colour: 0, dash: 1, shape: 1 });
    const model = buildModel(curvesOf([team], 'team', PER_AGENT, 'steps', 100), options);
    expect(model.lines.map(({ shape }) => shape)).toEqual(looks.map(({ shape }) => shape));
  });
});

describe('tests beside the run', () => {
  const tested = group('tested', 1, 2);
  const wins = 'share of wins against random';

  it('are the first metric, a line with the interval of each test, and a random line of their own kind', () => {
    curves.append('tested', 1, ['episodicReturn'], Float64Array.of(10, 0.1, 20, 0.2));
    expect(metricsOf([tested], null)[0]?.id).toBe('episodicReturn');
    strengths.add('tested', 1, 10, wins, Float64Array.of(1, 0, 1, 0));
    strengths.add('tested', 1, 100, wins, Float64Array.of(1, 1, 1, 1));
    expect(metricsOf([tested], null).map(({ id }) => id)).toEqual([STRENGTH, 'episodicReturn']);
    expect(metricsOf([tested], null)[0]?.title).toBe('wins against random play');
    const curve = groupCurve(tested, STRENGTH, 'steps', 100);
    expect([...curve.seeds[0]!.xy.y]).toEqual([0.5, 1]);
    const model = buildModel([curve], options);
    expect(model.bands).toHaveLength(1);
    expect(model.bands[0]?.low[1]).toBeLessThan(1);
    expect(readAt(curve, Number.POSITIVE_INFINITY)).toMatchObject({ value: 1, n: 1, episodes: 4, high: 1 });
    expect(sharedReferences([tested], STRENGTH, catalogStore.getState())).toMatchObject([{ name: 'random', value: 0.5 }]);
  });

  it('are no rows of the run: files and comparisons do not have them', () => {
    expect(curves.metrics('tested')).toEqual(['episodicReturn']);
    expect(curves.series('tested', 1, STRENGTH)).toBeNull();
  });

  it('are held to the band of the measured recommendation only where that was judged by the same', () => {
    expect(bandFor(STRENGTH, wins, wins)).toBe('reached');
    expect(bandFor(STRENGTH, 'return', wins)).toBeNull();
    // the greedy return of a policy that plays itself is not what the recommendation was judged by
    expect(bandFor('evalReturn', wins, null)).toBeNull();
    expect(bandFor('episodicReturn', wins, null)).toBeNull();
    expect(bandFor('evalReturn', 'return', null)).toBe('reached');
    expect(bandFor('episodicReturn', 'return', null)).toBe('training');
  });
});

it('the end of an interval is where its slowest seed is; fewer seeds that stand apart have no common end', () => {
  const interval = {
    x: Float64Array.of(10, 50),
    line: Float64Array.of(1, 2),
    low: Float64Array.of(1, 1),
    high: Float64Array.of(2, 2),
    n: 5,
  };
  const fiveSeeds = groupCurve(five, 'episodicReturn', 'steps', 100);
  expect(endOf({ ...fiveSeeds, aggregate: interval })).toBe(50);
  const twoSeeds = groupCurve(two, 'episodicReturn', 'steps', 100);
  expect(endOf(twoSeeds)).toBe(100);
  expect(endOf({ ...fiveSeeds, aggregate: null })).toBeNull(); // seed 5 is only half way
});

it('a seed that has only its first value is no result beside others; alone it is what there is', () => {
  const curve = groupCurve(two, 'episodicReturn', 'steps', 100);
  const [first, second] = curve.seeds;
  const begun = { ...second!, xy: { ...second!.xy, x: second!.xy.x.subarray(0, 1), y: second!.xy.y.subarray(0, 1) } };
  const rest = { ...curve, aggregate: null };
  const last = first!.xy.y[first!.xy.y.length - 1];
  expect(readAt({ ...rest, seeds: [first!, begun] }, Number.POSITIVE_INFINITY)).toMatchObject({ value: last, n: 1 });
  expect(readAt({ ...rest, seeds: [begun] }, Number.POSITIVE_INFINITY)).toMatchObject({ value: begun.xy.y[0], n: 1 });
});

describe('held-out tasks', () => {
  const run = group('held', 1, 2);
  beforeAll(() => {
    // rows of training, and every second one of an evaluation
    const rows = [10, 0.2, Number.NaN, 20, 0.3, 0.25, 30, 0.5, Number.NaN, 40, 0.6, 0.4];
    curves.append(run.id, 1, ['episodicReturn', 'heldOut'], Float64Array.from(rows));
  });

  it('are a second line of the run in the chart of its return, and in no other', () => {
    const [line, ...others] = curvesBeside([run, two], 'episodicReturn', 'steps', 100, new Map([['held', 'GRPO']]));
    expect(others).toEqual([]);
    expect(Array.from(line?.seeds[0]?.xy.x ?? [])).toEqual([20, 40]);
    expect(Array.from(line?.seeds[0]?.xy.y ?? [])).toEqual([0.25, 0.4]);
    expect(line?.look).toMatchObject({ name: 'GRPO: held-out tasks', colour: 2, dash: 1, beside: true });
    expect(curvesBeside([run], 'solved', 'steps', 100, new Map())).toEqual([]);
  });

  it('are named at their end where the run stands alone', () => {
    const both = [
      ...curvesOf([run], null, 'episodicReturn', 'steps', 100),
      ...curvesBeside([run], 'episodicReturn', 'steps', 100, new Map()),
    ];
    expect(buildModel(both, options).lines.map(({ end, dash }) => [end, dash])).toEqual([
      ['one seed', 0],
      ['held-out tasks', 1],
    ]);
  });
});
