/**
 * Seaquest: a submarine shoots fish and submarines (+1 each), takes in divers and must come up for air with at least one of them;
 * six divers brought up give the tenths of oxygen left. Obs [10, 10, 10]: sub front, sub back, own bullet, trail, enemy bullet,
 * fish, enemy sub, oxygen gauge, diver gauge, diver. Each surfacing costs a diver and makes it harder.
 * Source: Young and Tian 2019, MinAtar at 4241f24 `minatar/environments/seaquest.py`.
 */

import { seaquestRule } from './lib/experts.ts';
import { defineGame, type Moment, scalar } from './lib/game.ts';
import { minatarDraws, SIZE } from './lib/minatar.ts';

const MAX_OXYGEN = 200;
const SPAWN = 20;
const DIVER_SPAWN = 30;
const MOVE = 5;
const COOL_DOWN = 5;
const ENEMY_SHOT = 10;
const DIVER_MOVE = 5;
const MAX_DIVERS = 6;

const OXYGEN = 0;
const DIVERS = 1; // below 0 after six were brought up, as in the reference: read with `aboard`
const X = 2;
const Y = 3;
const FACES_RIGHT = 4;
const SPAWN_SPEED = 5;
const SPAWN_TIMER = 6;
const DIVER_TIMER = 7;
const MOVE_SPEED = 8;
const RAMP_INDEX = 9;
const SHOT_TIMER = 10;
const SURFACE = 11;
const COUNTS = 12; // how many of each list

/** Lists of things, each [column, row, goes right, move timer, shot timer]. */
const FIELDS = 5;
const LISTS = ['ownBullets', 'enemyBullets', 'fish', 'subs', 'divers'] as const;
const OWN = 0;
const ENEMY = 1;
const FISH = 2;
const SUBS = 3;
const DIVER = 4;
/** More than can be there at once at the fastest pace. */
const ROOM = [8, 96, 64, 64, 16] as const;
const FROM = ROOM.map((_, i) => COUNTS + LISTS.length + ROOM.slice(0, i).reduce((a, b) => a + b, 0) * FIELDS);

const get = (m: Moment, i: number) => m.words[m.at + i]!;
const set = (m: Moment, i: number, value: number) => {
  m.words[m.at + i] = value;
};
const aboard = (m: Moment) => get(m, DIVERS) | 0; // i32
const thing = (list: number, k: number) => FROM[list]! + k * FIELDS;
const count = (m: Moment, list: number) => get(m, COUNTS + list);

function add(m: Moment, list: number, x: number, y: number, right: number, move: number, shot: number): void {
  const n = count(m, list);
  if (n === ROOM[list]) return;
  const at = thing(list, n);
  set(m, at, x);
  set(m, at + 1, y);
  set(m, at + 2, right);
  set(m, at + 3, move);
  set(m, at + 4, shot);
  set(m, COUNTS + list, n + 1);
}

function remove(m: Moment, list: number, k: number): void {
  const n = count(m, list);
  const at = m.at + thing(list, k);
  m.words.copyWithin(at, at + FIELDS, m.at + thing(list, n));
  m.words.fill(0, m.at + thing(list, n - 1), m.at + thing(list, n));
  set(m, COUNTS + list, n - 1);
}

function atSub(m: Moment, list: number, k: number): boolean {
  return get(m, thing(list, k)) === get(m, X) && get(m, thing(list, k) + 1) === get(m, Y);
}

/** One cell on; false: it has left the board and is gone. */
function advance(m: Moment, list: number, k: number): boolean {
  const at = thing(list, k);
  const x = get(m, at) + (get(m, at + 2) === 1 ? 1 : -1);
  if (x < 0 || x >= SIZE) {
    remove(m, list, k);
    return false;
  }
  set(m, at, x);
  return true;
}

function spawnEnemy(m: Moment): void {
  const right = m.draws.uniform(m.row, 'enemy side') < 0.5 ? 1 : 0;
  const isSub = m.draws.uniform(m.row, 'enemy kind') < 1 / 3;
  const y = 1 + m.draws.int(m.row, SIZE - 2, 'enemy row');
  for (const list of [SUBS, FISH])
    for (let k = 0; k < count(m, list); k++) if (get(m, thing(list, k) + 1) === y && get(m, thing(list, k) + 2) !== right) return;
  add(m, isSub ? SUBS : FISH, right === 1 ? 0 : SIZE - 1, y, right, get(m, MOVE_SPEED), isSub ? ENEMY_SHOT : 0);
}

function spawnDiver(m: Moment): void {
  const right = m.draws.uniform(m.row, 'diver side') < 0.5 ? 1 : 0;
  const y = 1 + m.draws.int(m.row, SIZE - 2, 'diver row');
  add(m, DIVER, right === 1 ? 0 : SIZE - 1, y, right, DIVER_MOVE, 0);
}

function ownBullets(m: Moment): number {
  let reward = 0;
  for (let k = count(m, OWN) - 1; k >= 0; k--) {
    if (!advance(m, OWN, k)) continue;
    const x = get(m, thing(OWN, k));
    const y = get(m, thing(OWN, k) + 1);
    for (const list of [FISH, SUBS]) {
      let struck = -1;
      for (let i = 0; i < count(m, list) && struck < 0; i++)
        if (get(m, thing(list, i)) === x && get(m, thing(list, i) + 1) === y) struck = i;
      if (struck < 0) continue;
      remove(m, list, struck);
      remove(m, OWN, k);
      reward++;
      break;
    }
  }
  return reward;
}

function takeIn(m: Moment, k: number): boolean {
  if (!atSub(m, DIVER, k) || aboard(m) >= MAX_DIVERS) return false;
  remove(m, DIVER, k);
  set(m, DIVERS, aboard(m) + 1);
  return true;
}

function divers(m: Moment): void {
  for (let k = count(m, DIVER) - 1; k >= 0; k--) {
    if (takeIn(m, k)) continue;
    const timer = thing(DIVER, k) + 3;
    if (get(m, timer) > 0) set(m, timer, get(m, timer) - 1);
    else {
      set(m, timer, DIVER_MOVE);
      if (advance(m, DIVER, k)) takeIn(m, k);
    }
  }
}

/** Index of the first own bullet in that cell; -1: none. */
function ownBulletAt(m: Moment, x: number, y: number): number {
  for (let i = 0; i < count(m, OWN); i++) if (get(m, thing(OWN, i)) === x && get(m, thing(OWN, i) + 1) === y) return i;
  return -1;
}

/** Fish or subs move; one that moves onto an own bullet is hit. Subs shoot, also in the step in which they are hit. Returns 2 * hits + 1 if one meets the submarine. */
function enemies(m: Moment, list: number): number {
  let over = 0;
  let hits = 0;
  for (let k = count(m, list) - 1; k >= 0; k--) {
    const at = thing(list, k);
    if (atSub(m, list, k)) over = 1;
    let [x, y, right] = [get(m, at), get(m, at + 1), get(m, at + 2)];
    let shot = get(m, at + 4);
    let inside = true; // on the board
    let here = true; // still in the list
    if (get(m, at + 3) > 0) set(m, at + 3, get(m, at + 3) - 1);
    else {
      set(m, at + 3, get(m, MOVE_SPEED));
      x += right === 1 ? 1 : -1;
      here = advance(m, list, k);
      inside = here;
      if (here && atSub(m, list, k)) over = 1;
      else if (here) {
        const bullet = ownBulletAt(m, x, y);
        if (bullet >= 0) {
          remove(m, list, k);
          remove(m, OWN, bullet);
          hits++;
          here = false;
        }
      }
    }
    if (list !== SUBS) continue;
    if (shot > 0) shot--;
    else {
      shot = ENEMY_SHOT;
      // a sub that has just left shoots from outside: that bullet is never seen
      if (inside) add(m, ENEMY, x, y, right, 0, 0);
    }
    if (here) set(m, at + 4, shot);
  }
  return 2 * hits + over;
}

function enemyBullets(m: Moment): number {
  let over = 0;
  for (let k = count(m, ENEMY) - 1; k >= 0; k--) {
    if (atSub(m, ENEMY, k)) over = 1;
    if (advance(m, ENEMY, k) && atSub(m, ENEMY, k)) over = 1;
  }
  return over;
}

/** Comes up with at least one diver; returns the reward. */
function surface(m: Moment): number {
  let reward = 0;
  set(m, SURFACE, 1);
  if (aboard(m) === MAX_DIVERS) {
    set(m, DIVERS, 0);
    reward = Math.floor((get(m, OXYGEN) * 10) / MAX_OXYGEN);
  }
  set(m, DIVERS, aboard(m) - 1); // also after six: the count is then -1, and the next surfacing needs no diver
  set(m, OXYGEN, MAX_OXYGEN);
  if (m.ramping && (get(m, SPAWN_SPEED) > 1 || get(m, MOVE_SPEED) > 2)) {
    if (get(m, MOVE_SPEED) > 2 && get(m, RAMP_INDEX) % 2 === 1) set(m, MOVE_SPEED, get(m, MOVE_SPEED) - 1);
    if (get(m, SPAWN_SPEED) > 1) set(m, SPAWN_SPEED, get(m, SPAWN_SPEED) - 1);
    set(m, RAMP_INDEX, get(m, RAMP_INDEX) + 1);
  }
  return reward;
}

export const minatarSeaquest = defineGame({
  id: 'minatar-seaquest',
  version: 2,
  stateVersion: 2,
  changes: [
    {
      version: 2,
      what: 'Enemies that move onto a bullet are hit, oxygen ends one step earlier, and six divers brought up leave a count of -1, all as in MinAtar.',
      rerun: true,
    },
  ],
  title: 'MinAtar Seaquest',
  summary: 'Shoot, rescue divers, and come up for air in time.',
  recommended: { algo: 'pqn', preset: 'purejaxql-minatar', steps: 3_000_000 },
  agent: 'submarine',
  channels: [
    { name: 'sub front', look: 'submarine', colour: 4 },
    { name: 'sub back', look: 'trail', colour: 4 },
    { name: 'friendly bullet', look: 'bullet', colour: 4 },
    { name: 'trail', look: 'trail', colour: 5 },
    { name: 'enemy bullet', look: 'bullet', colour: 0 },
    { name: 'enemy fish', look: 'fish', colour: 3 },
    { name: 'enemy sub', look: 'submarine', colour: 0 },
    { name: 'oxygen gauge', look: 'gauge', colour: 2 },
    { name: 'diver gauge', look: 'gauge', colour: 1 },
    { name: 'diver', look: 'diver', colour: 1 },
  ],
  fields: [
    scalar('oxygen', 'steps of oxygen left'),
    { name: 'diverCount', type: 'i32', shape: [], doc: 'divers on board; -1 after six were brought up' },
    scalar('subX', 'column of the submarine'),
    scalar('subY', 'row of the submarine'),
    scalar('facesRight', '1 if it faces right'),
    scalar('spawnSpeed', 'steps between two enemies'),
    scalar('spawnTimer', 'steps until the next enemy'),
    scalar('diverTimer', 'steps until the next diver'),
    scalar('moveSpeed', 'steps between two moves of an enemy'),
    scalar('rampIndex', 'how often it became harder'),
    scalar('shotTimer', 'steps until it may shoot'),
    scalar('surface', '1 while it is at the surface'),
    { name: 'counts', type: 'u32', shape: [LISTS.length], doc: 'how many own bullets, enemy bullets, fish, subs, divers there are' },
    ...LISTS.map((name, i) => ({
      name,
      type: 'u32' as const,
      shape: [ROOM[i]!, FIELDS],
      doc: 'column, row, 1 if it goes right, steps until it moves, steps until it shoots',
    })),
  ],
  board: {
    tint: 'blue',
    signs: [
      { x: 1, y: SIZE, text: 'air left' },
      { x: SIZE - 2, y: SIZE, text: 'divers aboard' },
      { x: 1, y: -1, text: 'surface' },
    ],
  },
  random: 0.1,
  rule: seaquestRule,
  ruled: 16.3,
  evalMaxSteps: 5000,
  start(m) {
    set(m, OXYGEN, MAX_OXYGEN);
    set(m, X, 5);
    set(m, SPAWN_SPEED, SPAWN);
    set(m, SPAWN_TIMER, SPAWN);
    set(m, DIVER_TIMER, DIVER_SPAWN);
    set(m, MOVE_SPEED, MOVE);
    set(m, SURFACE, 1);
  },
  move(m, action) {
    let over = 0;
    if (get(m, SPAWN_TIMER) === 0) {
      spawnEnemy(m);
      set(m, SPAWN_TIMER, get(m, SPAWN_SPEED));
    }
    if (get(m, DIVER_TIMER) === 0) {
      spawnDiver(m);
      set(m, DIVER_TIMER, DIVER_SPAWN);
    }
    if (action === 5 && get(m, SHOT_TIMER) === 0) {
      add(m, OWN, get(m, X), get(m, Y), get(m, FACES_RIGHT), 0, 0);
      set(m, SHOT_TIMER, COOL_DOWN);
    } else if (action === 1 || action === 3) {
      set(m, X, Math.min(SIZE - 1, Math.max(0, get(m, X) + (action === 3 ? 1 : -1))));
      set(m, FACES_RIGHT, action === 3 ? 1 : 0);
    } else if (action === 2) set(m, Y, Math.max(0, get(m, Y) - 1));
    else if (action === 4) set(m, Y, Math.min(SIZE - 2, get(m, Y) + 1));
    let reward = ownBullets(m);
    divers(m);
    const subs = enemies(m, SUBS);
    over |= subs & 1;
    over |= enemyBullets(m);
    const fish = enemies(m, FISH);
    over |= fish & 1;
    reward += (subs >> 1) + (fish >> 1);
    for (const timer of [SPAWN_TIMER, DIVER_TIMER, SHOT_TIMER]) if (get(m, timer) > 0) set(m, timer, get(m, timer) - 1);
    if (get(m, OXYGEN) === 0) over = 1;
    if (get(m, Y) > 0) {
      if (get(m, OXYGEN) > 0) set(m, OXYGEN, get(m, OXYGEN) - 1);
      set(m, SURFACE, 0);
    } else if (get(m, SURFACE) === 0) {
      if (aboard(m) === 0) over = 1;
      else reward += surface(m);
    }
    return 2 * reward + over;
  },
  paint(m, put) {
    put(0, get(m, Y), get(m, X));
    const back = get(m, X) + (get(m, FACES_RIGHT) === 1 ? -1 : 1);
    if (back >= 0 && back < SIZE) put(1, get(m, Y), back);
    const air = Math.floor((get(m, OXYGEN) * SIZE) / MAX_OXYGEN);
    for (let x = 0; x < air; x++) put(7, SIZE - 1, x);
    for (let x = SIZE - 1 - aboard(m); x < SIZE - 1; x++) put(8, SIZE - 1, x);
    const paintList = (list: number, channel: number, trail: boolean) => {
      for (let k = 0; k < count(m, list); k++) {
        const at = thing(list, k);
        put(channel, get(m, at + 1), get(m, at));
        const behind = get(m, at) + (get(m, at + 2) === 1 ? -1 : 1);
        if (trail && behind >= 0 && behind < SIZE) put(3, get(m, at + 1), behind);
      }
    };
    paintList(OWN, 2, false);
    paintList(ENEMY, 4, false);
    paintList(FISH, 5, true);
    paintList(SUBS, 6, true);
    paintList(DIVER, 9, true);
  },
  draws: (listed) => minatarDraws(listed, 1), // rows are listed as 1 to 8
});
