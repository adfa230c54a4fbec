/** Splits of the worlds on tokens: how much is held out, that near twins stay together, and that a policy of one split fits the other. */
import { describe, expect, it } from 'vitest';
import { heldOut } from './lib/define.ts';
import { DEFAULT_GAME_KNOBS, GAME_NAMES, gameOf } from './lib/games.ts';
import { STEP_KINDS, STEP_TASKS } from './lib/steps.ts';
import { DEFAULT_KNOBS, itemOf, type Knobs, questionOf, TASK_NAMES, type TaskName } from './lib/tasks.ts';
import { tReason } from './t-reason.ts';
import { tSteps } from './t-steps.ts';
import { tTurns } from './t-turns.ts';

/** Share of different texts that are held out; null: there are fewer than a thousand. */
function shareOf(texts: Iterable<string>): number | null {
  const all = new Set(texts);
  if (all.size < 1000) return null;
  return [...all].filter(heldOut).length / all.size;
}
const seeds = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
const SIZES: readonly Partial<Knobs>[] = [
  {},
  { da: 3, db: 3, p: 97, n: 5, L: 5, A: 6, w: 6, h: 6, ops: '+-*' },
  { da: 4, db: 1, p: 47, n: 8, L: 8, A: 26, w: 4, h: 5, hops: 3, mode: 'check' },
];

describe.each(TASK_NAMES)('%s', (task: TaskName) => {
  it('holds out 8 to 12 % of the questions of every size with a thousand of them', () => {
    for (const size of SIZES) {
      const knobs = { ...DEFAULT_KNOBS, ...size };
      const share = shareOf(seeds(6000).map((seed) => questionOf(task, itemOf(task, knobs, seed))));
      if (share === null) continue;
      expect(share, JSON.stringify(size)).toBeGreaterThan(0.08);
      expect(share, JSON.stringify(size)).toBeLessThan(0.12);
    }
  });

  it('gives a policy of one split the places of the other', () => {
    const shape = (split: string) => tReason.meta({ task, split }).agents[0]!.obs;
    expect(shape('held-out')).toEqual(shape('train'));
    expect(shape('train')).toEqual(shape('all'));
  });
});

it('games and searches of a thousand beginnings or more hold out a tenth too', () => {
  const big = { ...DEFAULT_GAME_KNOBS, N: 1000, L: 5, A: 10, n: 6, wall: 25 };
  for (const game of GAME_NAMES) {
    const share = shareOf(seeds(6000).map((seed) => gameOf(game, big, seed).hidden));
    if (share !== null) expect(Math.abs(share - 0.1), game).toBeLessThan(0.02);
  }
  for (const task of STEP_TASKS) {
    const k = { numbers: 7, steps: 8, stepBonus: 0, mistakes: 0 };
    const share = shareOf(seeds(6000).map((seed) => STEP_KINDS[task].question(k, seed)));
    if (share !== null) expect(Math.abs(share - 0.1), task).toBeLessThan(0.02);
  }
});

it('prompts that say the same in another order are held out together', () => {
  const question = (task: TaskName, prompt: string) => questionOf(task, { prompt, answer: '', steps: '' });
  expect(question('add', '40+17=')).toBe(question('add', '17+40='));
  expect(question('mul', '9*12=')).toBe(question('mul', '12*9='));
  expect(question('countdown', '24:8,3,1=')).toBe(question('countdown', '24:3,1,8='));
  expect(question('mod', '(7-3)%13=')).not.toBe(question('mod', '(3-7)%13='));
  expect(question('tool', '9*12+3=')).toBe(question('tool', '12*9+3='));
});

it('starts only what its split holds, and all games where they begin alike', () => {
  for (const entry of [tTurns, tSteps, tReason])
    for (const split of ['train', 'held-out']) expect(entry.create({ split }, 2).batch).toBe(2);
  // Nothing is drawn before the first move: there is nothing to hold out, and the field is not shown.
  for (const split of ['train', 'held-out']) expect(tTurns.create({ game: 'tictactoe', split }, 2).batch).toBe(2);
});
