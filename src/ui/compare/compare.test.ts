import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { contrastsOver } from '#contract/sweep/report.ts';
import type { ContrastArm } from '#contract/sweep/run.ts';
import { improvement } from '#math/improvement.ts';
import { summariseSeeds } from '#math/seeds.ts';
import { curves } from '#stores/curves.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { type FigureData, figureCsv, figureSvg } from './export.ts';
import { groupRuns } from './grouping.ts';
import { curvePanels, profilePanel } from './panels.ts';
import { evidenceOf, scoreFacets } from './scores.ts';
import { queryOf, viewOf } from './view.ts';

const known = { catalog: null, references: {}, failure: null };
let made = 0;
const ids: string[] = [];
afterEach(() => {
  for (const id of ids.splice(0)) curves.drop(id);
});

/** A run of which every seed climbs to its greedy score in ten rows. */
function run(env: string, settings: JsonObject, scores: readonly number[], firstSeed = 1): RunGroup {
  const config = runConfigSchema.parse({
    env: { id: env },
    algo: { id: 'ppo', config: { lr: 0.1, clip: 0.2, ...settings } },
    run: { steps: 1000, seeds: scores.length, seedStart: firstSeed },
  });
  const id = `run${made++}`;
  ids.push(id);
  const seeds = scores.map((evalReturn, i): SeedRun => {
    const seed = firstSeed + i;
    const rows = Array.from({ length: 10 }, (_, k) => [100 * (k + 1), (evalReturn * (k + 1)) / 10]).flat();
    curves.append(id, seed, ['episodicReturn'], Float64Array.from(rows));
    const rest = { seed, finalReturn: 0, evalLoops: 0, perAgent: [], steps: 1000, seconds: 1, stepsPerSecond: 1, parameterHash: 'x' };
    return {
      seed,
      state: 'done',
      step: 1000,
      seconds: 1,
      stepsPerSecond: 1,
      checkpointStep: -1,
      result: { ...rest, evalReturn },
      failure: null,
      marks: [],
    };
  });
  const look = { colour: 0, dash: 0, createdAt: made, visible: true, note: '', parent: null, executorReason: '' };
  return { ...look, id, name: id, config, hash: configHash(config), seeds };
}

const low = [1, 2, 3, 4, 5];
const high = [11, 12, 13, 14, 15];
const four = (): RunGroup[] => [
  run('cartpole', { norm: true }, high),
  run('cartpole', { norm: false }, low),
  run('acrobot', { norm: true }, high),
  run('acrobot', { norm: false }, low),
];

describe('groups', () => {
  test('a name that was given stands in the address and takes the place of what a group is called', () => {
    const view = { ...viewOf({}), names: { 'norm: on': 'ours' } };
    const again = viewOf(queryOf(view));
    expect(again.names).toEqual({ 'norm: on': 'ours' });
    const [facet] = groupRuns(four(), again, null).facets;
    expect(facet?.sets.map(({ name, plain }) => [name, plain])).toEqual([
      ['norm: off', 'norm: off'],
      ['ours', 'norm: on'],
    ]);
    expect(viewOf({ names: '{"norm: on": ' }).names).toEqual({});
  });

  test('by the first field that differs, a panel for each environment, the same colour in all of them', () => {
    const { facets, choices } = groupRuns(four(), viewOf({}), null);
    expect(choices).toMatchObject({ colour: 'algo.norm', facet: 'env', pooled: [] });
    expect(facets.map(({ title }) => title)).toEqual(['acrobot', 'cartpole']);
    expect(facets.map(({ sets }) => sets.map(({ name, colour, members }) => [name, colour, members.length]))).toEqual(
      Array.from({ length: 2 }, () => [
        ['norm: off', 0, 5],
        ['norm: on', 1, 5],
      ]),
    );
  });

  test('a copy of a run counts once, and what is pooled is said', () => {
    const runs = four();
    const again = run('cartpole', { norm: true }, high);
    expect(groupRuns([...runs, again], viewOf({}), null).copies).toBe(5);
    const other = run('cartpole', { norm: true, lr: 0.2 }, high);
    const { choices, facets } = groupRuns([...runs, other], viewOf({ colour: 'algo.norm' }), null);
    expect(choices.pooled).toEqual(['lr']);
    expect(facets[1]?.sets[1]).toMatchObject({ name: 'norm: on', setups: 2 });
    expect(groupRuns([...runs, other], viewOf({ colour: 'algo.norm', dash: 'algo.lr' }), null).choices.pooled).toEqual([]);
  });

  test('tuning and reporting seeds are never pooled unless it is asked', () => {
    const runs = [run('cartpole', { norm: true }, high), run('cartpole', { norm: true }, low, 1001), run('cartpole', { norm: false }, low)];
    const sizes = (seeds: string): number[] =>
      groupRuns(runs, viewOf({ seeds }), null).facets.flatMap(({ sets }) => sets.map(({ members }) => members.length));
    expect(groupRuns(runs, viewOf({}), null).choices.bothSeeds).toBe(true);
    expect([sizes('tuning'), sizes('reporting'), sizes('all')]).toEqual([[5, 5], [5], [5, 10]]);
  });

  test('five hundred runs all find their group', () => {
    const runs = Array.from({ length: 100 }, (_, i) =>
      run(i % 2 === 0 ? 'cartpole' : 'acrobot', { lr: (i % 5) + 1, norm: i % 3 === 0, width: i }, low),
    );
    const { facets } = groupRuns(runs, viewOf({ colour: 'algo.lr' }), null);
    expect(facets.flatMap(({ sets }) => sets).reduce((sum, { members }) => sum + members.length, 0)).toBe(500);
  });
});

test('scores: greedy, last, best, at a step, steps to a level, with the statistics of all rooms', () => {
  const view = viewOf({ at: '500', level: '6' });
  const [acrobot] = scoreFacets(groupRuns(four(), view, null), view);
  const [off, on] = acrobot!.sets;
  expect(on!.summary.greedy).toEqual({ ...summariseSeeds(high), n: 5 });
  expect(on!.summary.at.iqm).toBeCloseTo(13 / 2, 12);
  expect(on!.columns.map(({ reach }) => reach)).toEqual([600, 500, 500, 500, 400]);
  expect(off!.columns.map(({ reach }) => reach)).toEqual(low.map(() => 1000)); // never: the budget
});

test('verdicts over environments and in each, with the digits of math/improvement.ts', () => {
  const view = viewOf({});
  const evidence = evidenceOf(scoreFacets(groupRuns(four(), view, null), view), 'greedy', known);
  expect(evidence.verdicts.map(({ title, standing }) => [title, standing.pairs[0]?.state])).toEqual([
    ['', 'first'],
    ['acrobot', 'first'],
    ['cartpole', 'first'],
  ]);
  expect(evidence.verdicts[1]?.standing.pairs[0]).toMatchObject(improvement([high], [low]));
  expect(evidence.verdicts[0]?.standing.sentence).toBe(
    'norm: on is above norm: off over acrobot and cartpole: higher in 100\u00a0% of pairs of runs [100\u00a0%, 100\u00a0%], and its interquartile mean is higher in each of them; 5 seeds.',
  );
  expect(evidence.scales[0]).toMatchObject({ task: 'acrobot', low: 1, high: 15 });
});

test('the same runs get the same sentence as in a sweep', () => {
  const view = viewOf({ seeds: 'reporting' });
  const middle = [2, 3, 4, 11.5, 12.5];
  const scores = { acrobot: [high, low], cartpole: [middle, low] } as const;
  const runs = Object.entries(scores).flatMap(([env, [on, off]]) => [
    run(env, { norm: true }, on, 1001),
    run(env, { norm: false }, off, 1001),
    run(env, { norm: true, lr: 0.3 }, low), // a tuning run is no evidence
  ]);
  const arms = ([on, off]: readonly (readonly number[])[]): ContrastArm[] => [
    { value: false, setup: 1, scores: off ?? [] },
    { value: true, setup: 2, scores: on ?? [] },
  ];
  const swept = contrastsOver(
    Object.entries(scores).map(([env, found]) => ({ env, arms: arms(found) })),
    'more',
    (value) => `norm: ${value === true ? 'on' : 'off'}`,
  );
  const evidence = evidenceOf(scoreFacets(groupRuns(runs, view, null), view), 'greedy', known);
  expect(evidence.verdicts[0]?.standing).toEqual(swept);
  expect(swept.sentence).toContain('the intervals of the interquartile means overlap in cartpole');
});

test('groups are held against each other over shared environments only', () => {
  const view = viewOf({ colour: 'algo.lr' });
  const of = (runs: RunGroup[]) => evidenceOf(scoreFacets(groupRuns(runs, view, null), view), 'greedy', known);
  const partly = of([run('cartpole', { lr: 0.1 }, high), run('cartpole', { lr: 0.2 }, low), run('acrobot', { lr: 0.2 }, high)]);
  expect(partly.shared).toEqual(['cartpole']);
  expect(partly.overall.map(({ runs }) => runs)).toEqual([5, 5]);
  expect(partly.verdicts[0]?.standing.sentence).toMatch(/^lr: 0\.1 is above lr: 0\.2 in cartpole:/);
  const apart = of([run('cartpole', { lr: 0.1 }, high), run('acrobot', { lr: 0.2 }, high)]);
  expect([apart.shared, apart.verdicts[0]?.standing.sentence]).toEqual([[], 'lr: 0.1 and lr: 0.2 share no environment.']);
});

test('different budgets are in the sentence', () => {
  const view = viewOf({ colour: 'algo.lr' });
  const long = run('cartpole', { lr: 0.2 }, low);
  const longer = { ...long, config: { ...long.config, run: { ...long.config.run, steps: 77_000 } } };
  const runs = [run('cartpole', { lr: 0.1 }, high), longer];
  const { verdicts } = evidenceOf(scoreFacets(groupRuns(runs, view, null), view), 'greedy', known);
  expect(verdicts[0]?.standing.sentence).toMatch(/in cartpole, with different budgets \(lr: 0\.1 [\d,]+ and lr: 0\.2 77,000 steps\): /);
});

test('below five seeds nobody wins', () => {
  const view = viewOf({});
  const runs = [run('cartpole', { norm: true }, [9, 9, 9]), run('cartpole', { norm: false }, [1, 1, 1])];
  const { verdicts, overall } = evidenceOf(scoreFacets(groupRuns(runs, view, null), view), 'greedy', known);
  expect(verdicts.flatMap(({ standing }) => standing.pairs.map(({ state }) => state))).toEqual(['few']);
  expect(overall.map(({ interval }) => interval)).toEqual([null, null]);
});

test('the figure as files: every panel, and numbers that are those of the lines', () => {
  const view = viewOf({});
  const grouped = groupRuns(four(), view, null);
  const evidence = evidenceOf(scoreFacets(grouped, view), 'greedy', known);
  const scored = scoreFacets(grouped, view);
  const panels = [...curvePanels(grouped, view, 'return', known, scored), profilePanel(evidence)];
  // Beside the curves of training stands what is compared, and is called so.
  expect(panels[0]?.restTitle).toBe('the greedy test at the end, which is compared');
  expect([...(panels[0]?.rest?.values() ?? [])].map(({ value }) => value)).toEqual(
    scored[0]?.sets.map(({ summary }) => summary.greedy.iqm),
  );
  expect(curvePanels(grouped, { ...view, metric: 'evalReturn' }, 'test', known, scored)[0]?.rest).toBeUndefined();
  const palette = { surface: '#fff', text: '#111', muted: '#666', faint: '#999', line: '#ddd', caution: '#a60', failed: '#c30' };
  const series = Array.from({ length: 8 }, () => 'rgb(1, 2, 3)');
  const legend = evidence.overall.map(({ name, colour, dash }) => ({ name, colour, dash }));
  const figure: FigureData = { title: 'return', panels, legend, notes: ['<note>'], source: '{}' };
  const svg = figureSvg(figure, { ...palette, series, font: 'sans-serif', scale: 1 });
  for (const text of ['acrobot', 'cartpole', 'Performance profile', 'norm: off', '&lt;note&gt;', 'share of runs above', 'normalised score'])
    expect(svg).toContain(text);
  const rows = figureCsv(figure).trim().split('\n');
  expect(rows[0]).toBe('panel,line,x,value,low,high,runs');
  const last =
    rows
      .filter((row) => row.startsWith('acrobot,norm: on,'))
      .at(-1)
      ?.split(',') ?? [];
  expect(Number(last[2])).toBe(1000);
  const { iqm, ci95 } = summariseSeeds(high);
  expect([Number(last[3]), Number(last[4]), Number(last[5]), Number(last[6])]).toEqual([iqm, ci95![0], ci95![1], 5]);
});

test('a view comes back from its address, and a wrong one is as on a fresh page', () => {
  const view = viewOf({
    x: 'seconds',
    colour: 'algo.lr',
    facet: 'none',
    score: 'reach',
    level: '475',
    at: '20k',
    seeds: 'all',
    filter: 'ppo',
  });
  expect(view).toMatchObject({ axis: 'seconds', level: 475, at: 20_000 });
  expect(viewOf(queryOf(view))).toEqual(view);
  expect(queryOf(viewOf({}))).toEqual({});
  expect(viewOf({ x: 'toString', score: '__proto__', at: 'many', seeds: '' })).toEqual(viewOf({}));
});
