/**
 * Freeway: a chicken crosses eight lanes of cars; +1 at the other side, a hit sends it back. The game is over after 2,500 steps.
 * Obs [10, 10, 7]: chicken, car, and behind each car its speed 1 to 5. The chicken moves at most every third step.
 * Source: Young and Tian 2019, MinAtar at 4241f24 `minatar/environments/freeway.py`.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import { numberOf } from '../api/checks.ts';
import { freewayRule } from './lib/experts.ts';
import { defineGame, type Moment, scalar } from './lib/game.ts';
import { minatarDraws, SIZE } from './lib/minatar.ts';

const CARS = 8;
const COLUMN = 4; // of the chicken
const PLAYER_SPEED = 3;
const TIME_LIMIT = 2500;

const POSITION = 0;
const MOVE_TIMER = 1;
const TIME = 2;
const LANES = 3; // per car: column, timer, speed, 1 if it goes right

const get = (m: Moment, i: number) => m.words[m.at + i]!;
const set = (m: Moment, i: number, value: number) => {
  m.words[m.at + i] = value;
};
const car = (i: number) => LANES + 4 * i;

function newSpeeds(m: Moment): void {
  for (let i = 0; i < CARS; i++) set(m, car(i) + 2, 1 + m.draws.int(m.row, 5, 'speed'));
  for (let i = 0; i < CARS; i++) set(m, car(i) + 3, m.draws.uniform(m.row, 'side') < 0.5 ? 0 : 1);
  for (let i = 0; i < CARS; i++) set(m, car(i) + 1, get(m, car(i) + 2));
}

/** Cars may also be listed as objects { row, column, speed with its sign, timer }, in the order of their rows. */
function readState(json: JsonObject): JsonObject {
  const { cars } = json;
  if (!Array.isArray(cars) || cars.some((c) => Array.isArray(c) || typeof c !== 'object')) return json;
  const plain = (cars as readonly JsonObject[]).map((c) => [
    c.column ?? null,
    c.timer ?? null,
    Math.abs(numberOf(c, 'speed')),
    numberOf(c, 'speed') > 0 ? 1 : 0,
  ]);
  return { ...json, cars: plain };
}

function hit(m: Moment, i: number): boolean {
  return get(m, car(i)) === COLUMN && i + 1 === get(m, POSITION);
}

export const minatarFreeway = defineGame({
  id: 'minatar-freeway',
  title: 'MinAtar Freeway',
  summary: 'Cross the road between the cars, again and again.',
  recommended: { algo: 'ppo', preset: 'minigrid', steps: 1_600_000 },
  learnNote:
    'A crossing pays rarely at first: with 200,000 steps PPO stays below a quarter of the way; those offered now bring it to about half.',
  agent: 'chicken',
  channels: [
    { name: 'chicken', look: 'chicken', colour: 4 },
    { name: 'car', look: 'car', colour: 0 },
    ...[1, 2, 3, 4, 5].map((speed) => ({ name: `speed ${speed}`, look: 'trail' as const, colour: 5 })),
  ],
  fields: [
    scalar('position', 'row of the chicken'),
    scalar('moveTimer', 'steps until the chicken may move'),
    scalar('timeLeft', 'steps until the game is over'),
    { name: 'cars', type: 'u32', shape: [CARS, 4], doc: 'per lane 1 to 8: column, steps until it moves, speed 1 to 5, 1 if it goes right' },
  ],
  random: 0.1,
  rule: freewayRule,
  ruled: 64.9,
  evalMaxSteps: TIME_LIMIT + 1,
  start(m) {
    newSpeeds(m);
    set(m, POSITION, SIZE - 1);
    set(m, MOVE_TIMER, PLAYER_SPEED);
    set(m, TIME, TIME_LIMIT);
  },
  move(m, action) {
    let reward = 0;
    if ((action === 2 || action === 4) && get(m, MOVE_TIMER) === 0) {
      set(m, MOVE_TIMER, PLAYER_SPEED);
      const to = get(m, POSITION) + (action === 2 ? -1 : 1);
      set(m, POSITION, Math.min(SIZE - 1, Math.max(0, to)));
    }
    if (get(m, POSITION) === 0) {
      reward = 1;
      newSpeeds(m);
      set(m, POSITION, SIZE - 1);
    }
    for (let i = 0; i < CARS; i++) {
      const at = car(i);
      if (hit(m, i)) set(m, POSITION, SIZE - 1);
      if (get(m, at + 1) === 0) {
        set(m, at + 1, get(m, at + 2));
        set(m, at, (get(m, at) + (get(m, at + 3) === 1 ? 1 : SIZE - 1)) % SIZE);
        if (hit(m, i)) set(m, POSITION, SIZE - 1);
      } else set(m, at + 1, get(m, at + 1) - 1);
    }
    if (get(m, MOVE_TIMER) > 0) set(m, MOVE_TIMER, get(m, MOVE_TIMER) - 1);
    const over = get(m, TIME) === 0 ? 1 : 0; // the reference's timer ends below zero
    if (over === 0) set(m, TIME, get(m, TIME) - 1);
    return 2 * reward + over;
  },
  paint(m, put) {
    put(0, get(m, POSITION), COLUMN);
    for (let i = 0; i < CARS; i++) {
      const at = car(i);
      put(1, i + 1, get(m, at));
      put(1 + get(m, at + 2), i + 1, (get(m, at) + (get(m, at + 3) === 1 ? SIZE - 1 : 1)) % SIZE);
    }
  },
  draws: (listed) => minatarDraws(listed, 1), // speeds are listed as 1 to 5
  readState,
});
