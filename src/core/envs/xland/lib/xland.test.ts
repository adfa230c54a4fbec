import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import { createVectorEnv } from '../../api/vector-env.ts';
import { xlandMinigrid } from '../xland-minigrid.ts';
import { BENCHMARK_NAMES, BENCHMARKS, drawTask, mostRules, mostTiles } from './rulesets.ts';
import { packGoal, packRule, unpackGoal, unpackRule } from './task.ts';

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly config: JsonObject;
  readonly state: JsonObject;
  readonly actions: readonly (readonly number[])[];
  readonly expected: readonly { readonly t: number; readonly state?: JsonObject }[];
}
const golden = JSON.parse(readFileSync(new URL('../../golden/xland_minigrid.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};

describe('golden runs', () => {
  it.each(golden.cases.filter((c) => c.kind === 'trajectory'))('$name: the map changes in the listed steps and in no others', (c) => {
    const config = xlandMinigrid.golden.config!(c.config, c.state);
    const env = xlandMinigrid.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    env.load(0, env.meta.state.fromJSON(c.state), buffers);
    const layout = (): string => JSON.stringify((env.meta.state.toJSON(env.save(0)) as { layout: unknown }).layout);
    let before = layout();
    const action = createActions(env.meta, 1);
    for (const { t, state } of c.expected) {
      if (t === 0) continue;
      action[0] = c.actions[t - 1]![0]!;
      env.step(action, buffers);
      expect(layout() === before, `step ${t}`).toBe(state?.layout === undefined);
      before = layout();
    }
  });
});

/** Mean return, share solved and steps of first episodes under random actions. */
function atRandom(config: JsonObject, episodes: number, seed: number) {
  const rng = Rng.from(seed);
  const batch = 50;
  const vector = createVectorEnv(xlandMinigrid, config, batch, rng);
  const actions = createActions(vector.meta, batch);
  vector.reset();
  const returns: number[] = [];
  const sums = new Float64Array(batch);
  // the first episodes of every copy, so that short ones are not counted more often
  const each = Math.ceil(episodes / batch);
  const done = new Int32Array(batch);
  let steps = 0;
  while (returns.length < each * batch) {
    for (let i = 0; i < batch; i++) actions[i] = rng.int(6);
    vector.step(actions);
    for (let i = 0; i < batch; i++) {
      if (done[i]! >= each) continue;
      steps++;
      sums[i] = sums[i]! + vector.buffers.reward[i]!;
      if (vector.buffers.terminated[i] === 0 && vector.buffers.truncated[i] === 0) continue;
      returns.push(sums[i]!);
      sums[i] = 0;
      done[i] = done[i]! + 1;
    }
  }
  const mean = returns.reduce((a, b) => a + b, 0) / returns.length;
  return { mean, solved: returns.filter((r) => r > 0).length / returns.length, length: steps / returns.length };
}

describe('drawn tasks', () => {
  it.each([
    ['trivial', 0, 4.46, 1],
    ['small', 2.02, 5.37, 0.066],
    ['medium', 4.52, 7.01, 0.014],
    ['high', 7.27, 7.78, 0.012],
  ] as const)('%s: as many rules and things as the reference draws', (name, rules, tiles, none) => {
    const rng = Rng.from(7);
    const d = BENCHMARKS[name];
    const n = 6000;
    let [r, t, empty] = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      const task = drawTask(
        d,
        (k) => rng.int(k),
        () => rng.uniform(),
      );
      expect(task.rules.length).toBeLessThanOrEqual(mostRules(d));
      expect(task.tiles.length).toBeLessThanOrEqual(mostTiles(d));
      r += task.rules.length;
      t += task.tiles.length;
      if (task.rules.length === 0) empty++;
    }
    // five standard errors of these means
    expect(Math.abs(r / n - rules)).toBeLessThan(0.16);
    expect(Math.abs(t / n - tiles)).toBeLessThan(0.16);
    expect(Math.abs(empty / n - none)).toBeLessThan(0.017);
  });

  it('the most rules and things are those of the published benchmarks', () => {
    expect(BENCHMARK_NAMES.map((name) => [mostRules(BENCHMARKS[name]), mostTiles(BENCHMARKS[name])])).toEqual([
      [0, 5],
      [4, 10],
      [9, 16],
      [18, 25],
    ]);
  });

  // reference/arenas.md B.11: means of 1000 trials and their standard errors
  it.each([
    ['trivial', 'R1', 9, 0.133, 0.009, 0.217, 213],
    ['small', 'R1', 9, 0.059, 0.006, 0.099, 230],
    ['trivial', 'R4', 13, 0.116, 0.012, 0.184, 452],
  ] as const)('%s in %s: random actions earn what they earn in the reference', (benchmark, gridType, side, mean, error, solved, length) => {
    const found = atRandom({ gridType, height: side, width: side, task: { kind: 'drawn', benchmark } }, 1000, 11);
    expect(Math.abs(found.mean - mean)).toBeLessThan(3 * Math.hypot(error, error));
    expect(Math.abs(found.solved - solved)).toBeLessThan(0.07);
    expect(Math.abs(found.length / length - 1)).toBeLessThan(0.05);
  });

  it('a ruleset of a number is the same for every episode, another number is another', () => {
    const tasks = (ruleset: number | null) => {
      const env = xlandMinigrid.create({ task: { kind: 'drawn', benchmark: 'small', ruleset } }, 3);
      env.reset(Uint32Array.of(1, 2, 3), createBuffers(env.meta, 3));
      return [0, 1, 2].map((row) => {
        const { goal, rules } = env.meta.state.toJSON(env.save(row));
        return JSON.stringify([goal, rules]);
      });
    };
    expect(new Set(tasks(5)).size).toBe(1);
    expect(tasks(5)[0]).not.toBe(tasks(6)[0]);
    expect(new Set(tasks(null)).size).toBe(3);
  });
});

describe('an episode of several trials', () => {
  const config = { trials: 3, maxSteps: 2, tellLast: true, task: { kind: 'own', goal: [0, 0, 0, 0, 0], rules: [], initTiles: [[3, 1]] } };

  it('goes on with the same task on another map and ends with the last one', () => {
    const env = xlandMinigrid.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const action = createActions(env.meta, 1);
    env.reset(Uint32Array.of(4), buffers);
    const json = () => env.meta.state.toJSON(env.save(0));
    const flags: number[] = [];
    const maps = new Set<string>();
    for (let t = 0; t < 6; t++) {
      maps.add(JSON.stringify(json().layout));
      action[0] = 1;
      env.step(action, buffers);
      flags.push(buffers.truncated[0]!);
      expect(buffers.terminated[0]).toBe(0);
    }
    expect(flags).toEqual([0, 0, 0, 0, 0, 1]);
    expect(maps.size).toBe(3);
    expect(json().trial).toBe(3);
  });

  it('pays by the steps of its own trial, and tells the last action and reward', () => {
    const task = { kind: 'own', goal: [1, 3, 1, 0, 0], rules: [], initTiles: [[3, 1]] };
    const env = xlandMinigrid.create({ trials: 2, maxSteps: 10, tellLast: true, task }, 1);
    const buffers = createBuffers(env.meta, 1);
    const action = createActions(env.meta, 1);
    env.reset(Uint32Array.of(4), buffers);
    for (let trial = 0; trial < 2; trial++) {
      const state = env.meta.state.toJSON(env.save(0)) as JsonObject & { layout: string[] };
      const layout = state.layout.map((row) => row.replaceAll('BR', '..'));
      layout[1] = 'WE BR .. .. .. .. .. .. WE';
      env.load(0, env.meta.state.fromJSON({ ...state, layout, agentPos: [1, 2], agentDir: 3 }), buffers);
      action[0] = 3;
      env.step(action, buffers);
      expect(buffers.reward[0]).toBeCloseTo(0.91, 6);
      expect(Array.from(buffers.obs.slice(50))).toEqual([0, 0, 0, 1, 0, 0, buffers.reward[0]]);
      expect(buffers.terminated[0]).toBe(trial);
    }
    const solved = new Float64Array(1);
    env.measure!(0, solved, 0);
    expect(solved[0]).toBe(1);
  });
});

describe('configs', () => {
  it('encodings survive packing', () => {
    for (const goal of [
      [0, 0, 0, 0, 0],
      [1, 7, 11, 0, 0],
      [4, 5, 9, 12, 1],
      [5, 12, 10, 2, 6],
      [6, 4, 3, 0, 0],
      [14, 5, 6, 0, 0],
    ])
      expect(unpackGoal(packGoal(goal, 9, 9))).toEqual(goal);
    for (const rule of [
      [0, 0, 0, 0, 0, 0, 0],
      [1, 11, 6, 1, 7, 0, 0],
      [3, 5, 4, 5, 4, 5, 4],
      [11, 7, 9, 6, 1, 0, 0],
    ])
      expect(unpackRule(packRule(rule, 'rules'))).toEqual(rule);
  });

  const own = (task: object): object => ({ task: { kind: 'own', ...task } });
  it.each([
    ['a goal of no kind', own({ goal: [15, 0, 0, 0, 0] }), 'task.goal'],
    ['a goal outside the map', own({ goal: [6, 9, 0, 0, 0] }), 'task.goal'],
    ['a tile that does not exist', own({ goal: [1, 13, 1, 0, 0] }), 'task.goal'],
    ['a rule of no kind', own({ rules: [[12, 0, 0, 0, 0, 0, 0]] }), 'task.rules[0]'],
    ['a colour that does not exist', own({ rules: [[1, 3, 1, 3, 12, 0, 0]] }), 'task.rules[0]'],
    ['more things than cells', { height: 5, width: 5, ...own({ initTiles: Array.from({ length: 9 }, () => [3, 1]) }) }, 'task.initTiles'],
    ['a benchmark that does not fit', { height: 6, width: 6, task: { kind: 'drawn', benchmark: 'high' } }, 'task.benchmark'],
    ['rooms that do not fit', { gridType: 'R9', height: 8, width: 16 }, 'height'],
  ])('%s is refused by its field', (_what, config, field) => {
    let refused: unknown;
    try {
      xlandMinigrid.meta(config);
    } catch (error) {
      refused = error;
    }
    expect(JSON.stringify(refused)).toContain(`env.${field}`);
  });

  it('what is told stands behind the view', () => {
    const env = xlandMinigrid.create({ tellDirection: true, tellPocket: true, tellTask: true }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const state = env.meta.state.toJSON(env.save(0));
    env.load(0, env.meta.state.fromJSON({ ...state, agentDir: 2, pocket: [7, 5] }), buffers);
    const told = Array.from(buffers.obs.slice(50));
    expect(told.slice(0, 4)).toEqual([0, 0, 1, 0]);
    expect([told.slice(4, 17).indexOf(1), told.slice(17, 29).indexOf(1)]).toEqual([7, 5]);
    expect(told.slice(29)).toEqual([1, 3, 3, 0, 0, 2, 4, 1, 3, 3, 0, 0]);
  });
});
