/** Goals taken from recordings, values of getting to them, and three methods that learn to reach goals from play that sought none. */
import { describe, expect, it, test } from 'vitest';
import { createGraph } from '#core/engine/graph.ts';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/all.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { play, resumed } from '#core/testing/play.ts';
import { Rng } from '#math/rng.ts';
import { recordGrade } from '../data/recording.ts';
import {
  compileGoalValues,
  drawValueRows,
  goalRows,
  goalValues,
  ofLength,
  signMeter,
  stepsAhead,
  valueGoals,
  withoutGoal,
} from './learning.ts';

const entry = getEnv('quick-point-maze');
const config = entry.parse({ maxSteps: 20, episodes: 'navigate' });
const meta = entry.meta(config);
const data = await recordGrade({ entry, config, steps: 60, seed: 1 }, 'expert', 0);
const rows = goalRows(meta, data);

/** What the rows of a batch show: [x, y, goal x, goal y]. */
const shown = (i: number, goal: number): readonly number[] => {
  const into = new Float32Array(4);
  rows.write(i, goal, into, 0);
  return [...into];
};

describe('rows', () => {
  test('states are those before every step and the last of each episode', () => {
    expect(data.header.episodes).toBe(3);
    expect([rows.steps, rows.states]).toEqual([60, 63]);
    expect([0, 20, 21, 41, 62].map((i) => rows.lastOf(i))).toEqual([20, 20, 41, 41, 62]);
    expect(shown(20, 0).slice(0, 2)).toEqual([...data.finals.subarray(0, 2)]);
    expect(shown(21, 0).slice(0, 2)).toEqual([...data.observations.subarray(80, 82)]);
    expect(shown(5, 12).slice(2)).toEqual([...data.observations.subarray(48, 50)]);
    expect(() => rows.action(20, new Float32Array(2), 0)).toThrow('last state');
  });

  test('a step is drawn with the same chance wherever it stands, never a last state', () => {
    const rng = Rng.from(5);
    const counts = new Uint32Array(63);
    for (let k = 0; k < 60_000; k++) counts[rows.drawStep(rng)]! += 1;
    expect([20, 41, 62].map((i) => counts[i])).toEqual([0, 0, 0]);
    expect(Math.min(...counts.filter((count) => count > 0))).toBeGreaterThan(850);
  });

  test('goals by their shares: itself, later in the episode, anywhere', () => {
    const rng = Rng.from(6);
    const shares = { current: 0.2, later: 0.5, random: 0.3, how: 0.9 } as const;
    const N = 40_000;
    let [same, ahead, other] = [0, 0, 0];
    for (let k = 0; k < N; k++) {
      const goal = rows.goal(rng, 30, shares);
      if (goal === 30) same++;
      else if (goal > 30 && goal <= 41) ahead++;
      else other++;
    }
    // of those from anywhere 1 in 63 is the state itself, 11 lie ahead and 51 elsewhere
    expect(same / N).toBeCloseTo(0.2 + 0.3 / 63, 1.7);
    expect(ahead / N).toBeCloseTo(0.5 + (0.3 * 11) / 63, 1.7);
    expect(other / N).toBeCloseTo((0.3 * 51) / 63, 1.7);
  });

  test('steps ahead are geometric with mean 1 / (1 - gamma); evenly drawn ones reach to the end', () => {
    const rng = Rng.from(7);
    let sum = 0;
    for (let k = 0; k < 40_000; k++) sum += stepsAhead(rng, 0.9);
    expect(sum / 40_000).toBeCloseTo(10, 0);
    const even = { current: 0, later: 1, random: 0, how: 'evenly' } as const;
    const goals = new Set(Array.from({ length: 2000 }, () => rows.goal(rng, 30, even)));
    expect([...goals].sort((a, b) => a - b)).toEqual([31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41]);
  });

  test('a jump of values stops at the goal and at the end of the episode; at the goal nothing follows', () => {
    const M = 4000;
    const into = {
      obs: new Float32Array(4 * M),
      nextObs: new Float32Array(4 * M),
      reward: new Float32Array(M),
      discount: new Float32Array(M),
    };
    drawValueRows(Rng.from(8), rows, M, 0.9, into, 7, valueGoals(0.9));
    const places = Array.from({ length: rows.states }, (_, i) => shown(i, 0).slice(0, 2).join());
    const where = (of: Float32Array, row: number, from: number) =>
      places.indexOf([...of.subarray(4 * row + from, 4 * row + from + 2)].join());
    let there = 0;
    for (let row = 0; row < M; row++) {
      const [i, next, goal] = [where(into.obs, row, 0), where(into.nextObs, row, 0), where(into.obs, row, 2)];
      expect(where(into.nextObs, row, 2)).toBe(goal);
      if (goal === i) there++;
      expect([into.reward[row], into.discount[row]]).toEqual(goal === i ? [0, 0] : [-1, Math.fround(0.9)]);
      const end = goal > i && goal <= rows.lastOf(i) ? goal : rows.lastOf(i);
      expect(next).toBe(Math.min(i + 7, end));
    }
    expect(there / M).toBeGreaterThan(0.17);
  });
});

describe('values', () => {
  test('numbers without the goal’s; codes of length sqrt(numbers)', () => {
    const g = createGraph();
    const obs = g.input('obs', [2, 4]);
    const [rest, code] = [withoutGoal(meta, obs), ofLength(obs)];
    const found = interpret([rest, code], { inputs: { obs: [1, 2, 3, 4, 0, 3, 0, 4] } });
    expect([...found.get(rest)!]).toEqual([1, 2, 0, 3]);
    const wanted = [1, 2, 3, 4].map((x) => (2 * x) / Math.sqrt(30)).concat([0, 1.2, 0, 1.6]);
    for (const [k, x] of wanted.entries()) expect(found.get(code)![k]).toBeCloseTo(x, 6);
  });

  test('one update’s loss is the expectile loss of OGBench’s hiql.py, by plain numbers', async () => {
    const engine = await createEngine('wasm');
    const [value, target] = [engine.group('value'), engine.group('target')];
    const nets = { group: value, values: goalValues(value, Rng.from(1), meta, [8]), target: goalValues(target, Rng.from(2), meta, [8]) };
    const M = 6;
    const program = compileGoalValues(engine, nets, meta, { rows: M, expectile: 0.7, name: 'test' });
    const look = engine.compile(
      { obs: [M, 4], nextObs: [M, 4] },
      (x, g) => {
        const [[v1, v2], [now1, now2], [next1, next2]] = [nets.values(g, x.obs), nets.target(g, x.obs), nets.target(g, x.nextObs)];
        return { v1, v2, now1, now2, next1, next2 };
      },
      { name: 'look' },
    );
    drawValueRows(Rng.from(9), rows, M, 0.9, program.in);
    look.in.obs.set(program.in.obs);
    look.in.nextObs.set(program.in.nextObs);
    await look.run();
    const { v1, v2, now1, now2, next1, next2 } = Object.fromEntries(
      Object.entries(look.out).map(([name, numbers]) => [name, Float64Array.from(numbers)]),
    ) as { readonly [name: string]: Float64Array };
    let loss = 0;
    for (let m = 0; m < M; m++) {
      const [r, d] = [program.in.reward[m]!, program.in.discount[m]!];
      const advantage = r + d * Math.min(next1![m]!, next2![m]!) - (now1![m]! + now2![m]!) / 2;
      const weight = advantage >= 0 ? 0.7 : 0.3;
      loss += (weight * ((r + d * next1![m]! - v1![m]!) ** 2 + (r + d * next2![m]! - v2![m]!) ** 2)) / M;
    }
    await descend(program, 0);
    expect(program.out.loss[0]).toBeCloseTo(loss, 4);
    engine.dispose();
  });

  test('signs: values that are the exact distance have none wrong, their negative all', async () => {
    const engine = await createEngine('wasm');
    const env = entry.create({ maze: 'open', episodes: 'navigate' }, 1);
    // in an open room the way is max(|dx|, |dy|): minus its value is in order along every way, where the sum of both is not quite
    const group = engine.group('value');
    const nets = goalValues(group, Rng.from(1), meta, [16]);
    const target = engine.group('target');
    const targets = goalValues(target, Rng.from(0), meta, [16]);
    const own = await recordGrade(
      { entry, config: entry.parse({ maze: 'open', episodes: 'navigate' }), steps: 2000, seed: 3 },
      'expert',
      0,
    );
    const open = goalRows(meta, own);
    const signs = signMeter(engine, nets, meta, open, env, 10)!;
    const before = await signs(Rng.from(4));
    const program = compileGoalValues(engine, { group, values: nets, target: targets }, meta, { rows: 128, expectile: 0.7, name: 'test' });
    const polyak = engine.polyak(target, group);
    await updateTarget(polyak, 1);
    const rng = Rng.from(5);
    for (let k = 0; k < 600; k++) {
      drawValueRows(rng, open, 128, 0.95, program.in);
      await descend(program, 3e-3);
      await updateTarget(polyak, 0.05);
    }
    const after = await signs(Rng.from(4));
    expect(before).toBeGreaterThan(0.3);
    expect(after).toBeLessThan(0.25);
    expect(signMeter(engine, nets, meta, open, {}, 10)).toBeNull();
    engine.dispose();
  });
});

describe('methods', () => {
  const small = { recordSteps: 20_000, hidden: [64, 64], batchSize: 128, lr: 0.002, tau: 0.02 };

  // random play reaches .1 of the goals
  test.each(['gcivl', 'hiql', 'ota'] as const)('%s learns the U-shaped maze from noisy recordings', async (id) => {
    const { evalReturn } = await play(entry, id, 1000, { ...small, dataset: 'expert' });
    expect(evalReturn).toBeGreaterThan(0.8);
  });

  it.each(['gcivl', 'hiql', 'ota'] as const)('%s goes on where it was', async (id) => {
    const bits = { hidden: [16], batchSize: 32, recordSteps: 500, dataset: 'random' };
    const { whole, joined } = await resumed(getEnv('bit-flip'), id, 256, bits);
    expect(joined).toMatchObject({ hash: whole.hash, rows: whole.rows });
  });
});
