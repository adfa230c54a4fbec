/** The key grid: its rules by hand, and its optimum by counting steps. */
import { describe, expect, it } from 'vitest';
import type { GridLayout } from '#contract/game/frames.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import type { TabularModel } from '../api/types.ts';
import { keyGrid } from './key-grid.ts';

const [LEFT, DOWN, RIGHT, UP] = [0, 1, 2, 3] as const;

/** Plays actions without slips; the states, and what the last step gave. */
function play(config: object, actions: readonly number[]) {
  const env = keyGrid.create({ slip: 0, ...config }, 1);
  const out = createBuffers(env.meta, 1);
  const chosen = createActions(env.meta, 1);
  env.reset(Uint32Array.of(1), out);
  const states = [out.obs.indexOf(1)];
  let [reward, over] = [0, false];
  for (const action of actions) {
    chosen[0] = action;
    env.step(chosen, out);
    states.push(out.obs.indexOf(1));
    [reward, over] = [out.reward[0]!, out.terminated[0] === 1];
  }
  return { states, reward, over };
}
const fill = (action: number, times: number): readonly number[] => Array.from({ length: times }, () => action);

describe('the rooms', () => {
  it('walls and the edge stop a step', () => {
    expect(play({}, [UP, LEFT]).states).toEqual([0, 0, 0]);
    expect(play({}, [RIGHT, RIGHT, RIGHT]).states).toEqual([0, 1, 2, 2]);
  });

  it('the door is shut without the key: cell 17 is before it', () => {
    const { states } = play({}, [DOWN, DOWN, RIGHT, RIGHT, RIGHT]);
    expect(states.at(-1)).toBe(16);
    expect(states.slice(-2)).toEqual([16, 16]);
  });

  it('the key opens it, and the goal pays 1 and ends', () => {
    const { states, reward, over } = play({}, [...fill(DOWN, 4), ...fill(UP, 2), ...fill(RIGHT, 6)]);
    expect(states[4]).toBe(35 + 28);
    expect(states.at(-1)).toBe(35 + 20);
    expect([reward, over]).toEqual([1, true]);
  });
});

describe('a line whose goal asks for the key', () => {
  const line = { map: ['K.S.G'], keyAtGoal: true };
  it('passes over the goal without it', () => {
    const { states, reward, over } = play(line, [RIGHT, RIGHT, LEFT]);
    expect(states).toEqual([2, 3, 4, 3]);
    expect([reward, over]).toEqual([0, false]);
  });
  it('pays with it', () => {
    const { reward, over } = play(line, [LEFT, LEFT, ...fill(RIGHT, 4)]);
    expect([reward, over]).toEqual([1, true]);
  });
});

it('slips go in all four directions alike', () => {
  const model = keyGrid.create({ map: ['...', '.S.', '..G'], slip: 0.4 }, 1).model?.() as TabularModel;
  const pair = 4 * model.actions + RIGHT;
  const ways = Array.from({ length: model.offset[pair + 1]! - model.offset[pair]! }, (_, k) => model.offset[pair]! + k);
  expect(Object.fromEntries(ways.map((i) => [model.next[i]!, model.probability[i]!]))).toEqual({ 1: 0.1, 3: 0.1, 5: 0.7, 7: 0.1 });
});

it('the key is gone and the door open once it is held', () => {
  const env = keyGrid.create({ slip: 0 }, 1);
  const out = createBuffers(env.meta, 1);
  const chosen = createActions(env.meta, 1);
  env.reset(Uint32Array.of(1), out);
  const frame = new Float32Array(3 * 35 + 6);
  const looks = (): readonly (readonly [string | undefined, number])[] => {
    env.frame(0, frame);
    const layout = env.meta.frame as GridLayout;
    return [28, 17].map((cell) => [layout.looks[frame[3 * cell]!], frame[3 * cell + 2]!] as const);
  };
  expect(looks()).toEqual([
    ['key', 0],
    ['door', 2],
  ]);
  for (const action of fill(DOWN, 4)) {
    chosen[0] = action;
    env.step(chosen, out);
  }
  expect(looks()).toEqual([
    ['floor', 0],
    ['door', 0],
  ]);
});

it('refuses maps that are no rectangle or have no start', () => {
  expect(() => keyGrid.meta({ map: ['S.', 'G'] })).toThrow('differ in length');
  expect(() => keyGrid.meta({ map: ['..G'] })).toThrow('no start');
});
