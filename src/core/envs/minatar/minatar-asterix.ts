/**
 * Asterix: things cross eight rows from both sides; gold gives 1, an enemy ends the game. Spawning and moving become faster.
 * Obs [10, 10, 4]: player, enemy, trail (where a thing comes from), gold. Actions left, up, right, down.
 * Source: Young and Tian 2019, MinAtar at 4241f24 `minatar/environments/asterix.py`.
 */

import { asterixRule } from './lib/experts.ts';
import { defineGame, type Moment, scalar } from './lib/game.ts';
import { SIZE } from './lib/minatar.ts';

const SLOTS = 8;
const RAMP = 100;
const SPAWN = 10;
const MOVE = 5;

const X = 0;
const Y = 1;
const SPAWN_SPEED = 2;
const SPAWN_TIMER = 3;
const MOVE_SPEED = 4;
const MOVE_TIMER = 5;
const RAMP_TIMER = 6; // one more than the reference's, which goes down to -1
const RAMP_INDEX = 7;
const THINGS = 8; // per slot: 0 none, else 1 + column, goes right, gold

const get = (m: Moment, i: number) => m.words[m.at + i]!;
const set = (m: Moment, i: number, value: number) => {
  m.words[m.at + i] = value;
};
const thing = (slot: number) => THINGS + 3 * slot;

/** What the thing of a slot does to the player: 2 gold taken, 1 caught, 0 nothing. */
function meet(m: Moment, slot: number): number {
  const at = thing(slot);
  if (get(m, at) === 0 || get(m, at) - 1 !== get(m, X) || slot + 1 !== get(m, Y)) return 0;
  if (get(m, at + 2) === 0) return 1;
  set(m, at, 0);
  return 2;
}

function spawn(m: Moment): void {
  const fromLeft = m.draws.uniform(m.row, 'side') < 0.5;
  const gold = m.draws.uniform(m.row, 'gold') < 1 / 3;
  let free = 0;
  for (let slot = 0; slot < SLOTS; slot++) if (get(m, thing(slot)) === 0) free++;
  if (free === 0) return;
  let pick = m.draws.int(m.row, free, 'slot');
  for (let slot = 0; slot < SLOTS; slot++) {
    if (get(m, thing(slot)) !== 0 || pick-- > 0) continue;
    set(m, thing(slot), fromLeft ? 1 : SIZE);
    set(m, thing(slot) + 1, fromLeft ? 1 : 0);
    set(m, thing(slot) + 2, gold ? 1 : 0);
    return;
  }
}

export const minatarAsterix = defineGame({
  id: 'minatar-asterix',
  title: 'MinAtar Asterix',
  summary: 'Collect gold, avoid enemies.',
  recommended: { algo: 'pqn', preset: 'purejaxql-minatar', steps: 3_000_000 },
  agent: 'player',
  channels: [
    { name: 'player', look: 'agent', colour: 2 },
    { name: 'enemy', look: 'alien', colour: 0 },
    { name: 'trail', look: 'trail', colour: 5 },
    { name: 'gold', look: 'coin', colour: 4 },
  ],
  fields: [
    scalar('playerX', 'column of the player'),
    scalar('playerY', 'row of the player'),
    scalar('spawnSpeed', 'steps between two things'),
    scalar('spawnTimer', 'steps until the next thing'),
    scalar('moveSpeed', 'steps between two moves of the things'),
    scalar('moveTimer', 'steps until the things move'),
    scalar('rampTimer', 'steps until it becomes harder'),
    scalar('rampIndex', 'how often it became harder'),
    {
      name: 'things',
      type: 'u32',
      shape: [SLOTS, 3],
      doc: 'per row 1 to 8: column + 1 (0 nothing there), 1 if it goes right, 1 if it is gold',
    },
  ],
  random: 0.48,
  rule: asterixRule,
  ruled: 30.3,
  evalMaxSteps: 5000,
  start(m) {
    set(m, X, 5);
    set(m, Y, 5);
    set(m, SPAWN_SPEED, SPAWN);
    set(m, SPAWN_TIMER, SPAWN);
    set(m, MOVE_SPEED, MOVE);
    set(m, MOVE_TIMER, MOVE);
    set(m, RAMP_TIMER, RAMP + 1);
  },
  move(m, action) {
    let reward = 0;
    let over = 0;
    if (get(m, SPAWN_TIMER) === 0) {
      spawn(m);
      set(m, SPAWN_TIMER, get(m, SPAWN_SPEED));
    }
    if (action === 1) set(m, X, Math.max(0, get(m, X) - 1));
    else if (action === 3) set(m, X, Math.min(SIZE - 1, get(m, X) + 1));
    else if (action === 2) set(m, Y, Math.max(1, get(m, Y) - 1));
    else if (action === 4) set(m, Y, Math.min(SIZE - 2, get(m, Y) + 1));
    for (let slot = 0; slot < SLOTS; slot++) {
      const met = meet(m, slot);
      if (met === 1) over = 1;
      else if (met === 2) reward++;
    }
    if (get(m, MOVE_TIMER) === 0) {
      set(m, MOVE_TIMER, get(m, MOVE_SPEED));
      for (let slot = 0; slot < SLOTS; slot++) {
        const at = thing(slot);
        if (get(m, at) === 0) continue;
        const column = get(m, at) - 1 + (get(m, at + 1) === 1 ? 1 : -1);
        set(m, at, column < 0 || column >= SIZE ? 0 : column + 1);
        const met = meet(m, slot);
        if (met === 1) over = 1;
        else if (met === 2) reward++;
      }
    }
    if (get(m, SPAWN_TIMER) > 0) set(m, SPAWN_TIMER, get(m, SPAWN_TIMER) - 1);
    set(m, MOVE_TIMER, get(m, MOVE_TIMER) - 1);
    if (m.ramping && (get(m, SPAWN_SPEED) > 1 || get(m, MOVE_SPEED) > 1)) {
      if (get(m, RAMP_TIMER) > 0) set(m, RAMP_TIMER, get(m, RAMP_TIMER) - 1);
      else {
        if (get(m, MOVE_SPEED) > 1 && get(m, RAMP_INDEX) % 2 === 1) set(m, MOVE_SPEED, get(m, MOVE_SPEED) - 1);
        if (get(m, SPAWN_SPEED) > 1) set(m, SPAWN_SPEED, get(m, SPAWN_SPEED) - 1);
        set(m, RAMP_INDEX, get(m, RAMP_INDEX) + 1);
        set(m, RAMP_TIMER, RAMP + 1);
      }
    }
    return 2 * reward + over;
  },
  paint(m, put) {
    put(0, get(m, Y), get(m, X));
    for (let slot = 0; slot < SLOTS; slot++) {
      const at = thing(slot);
      if (get(m, at) === 0) continue;
      const column = get(m, at) - 1;
      put(get(m, at + 2) === 1 ? 3 : 1, slot + 1, column);
      const back = get(m, at + 1) === 1 ? column - 1 : column + 1;
      if (back >= 0 && back < SIZE) put(2, slot + 1, back);
    }
  },
});
