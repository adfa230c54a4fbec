/**
 * Space invaders: shoot the aliens before they land; +1 each. A bullet or an alien that reaches the cannon ends the game; a cleared
 * wave comes back faster. Obs [10, 10, 6]: cannon, alien, alien going left, alien going right, own bullet, enemy bullet.
 * Source: Young and Tian 2019, MinAtar at 4241f24 `minatar/environments/space_invaders.py`.
 */

import { invadersRule } from './lib/experts.ts';
import { CELLS, defineGame, type Moment, scalar } from './lib/game.ts';
import { SIZE } from './lib/minatar.ts';

const COOL_DOWN = 5;
const MOVE_INTERVAL = 12;
const MIN_INTERVAL = 6;
const SHOT_INTERVAL = 10;

const POSITION = 0;
const GOES_RIGHT = 1;
const INTERVAL = 2;
const MOVE_TIMER = 3;
const ALIEN_SHOT = 4;
const RAMP_INDEX = 5;
const SHOT_TIMER = 6;
const ALIENS = 7;
const OWN = ALIENS + CELLS;
const ENEMY = OWN + CELLS;

const get = (m: Moment, i: number) => m.words[m.at + i]!;
const set = (m: Moment, i: number, value: number) => {
  m.words[m.at + i] = value;
};

function wave(m: Moment): void {
  for (let y = 0; y < 4; y++) m.words.fill(1, m.at + ALIENS + y * SIZE + 2, m.at + ALIENS + y * SIZE + 8);
}

function count(m: Moment, first: number, step: number, length: number): number {
  let n = 0;
  for (let i = 0; i < length; i++) n += get(m, first + i * step);
  return n;
}

/** All aliens one cell to the side; what leaves comes in on the other side, as numpy.roll does. */
function shiftAside(m: Moment, right: boolean): void {
  for (let y = 0; y < SIZE; y++) {
    const line = m.at + ALIENS + y * SIZE;
    if (right) {
      const last = m.words[line + SIZE - 1]!;
      m.words.copyWithin(line + 1, line, line + SIZE - 1);
      m.words[line] = last;
    } else {
      const first = m.words[line]!;
      m.words.copyWithin(line, line + 1, line + SIZE);
      m.words[line + SIZE - 1] = first;
    }
  }
}

/** One row down; the last row is empty whenever this is called, or the game is over. */
function shiftDown(m: Moment, board: number): void {
  m.words.copyWithin(m.at + board + SIZE, m.at + board, m.at + board + CELLS - SIZE);
  m.words.fill(0, m.at + board, m.at + board + SIZE);
}

function shoot(m: Moment): void {
  const position = get(m, POSITION);
  for (let d = 0; d < SIZE; d++)
    for (const x of d === 0 ? [position] : [position - d, position + d]) {
      if (x < 0 || x >= SIZE) continue;
      for (let y = SIZE - 1; y >= 0; y--)
        if (get(m, ALIENS + y * SIZE + x) === 1) {
          set(m, ENEMY + y * SIZE + x, 1);
          return;
        }
    }
}

export const minatarSpaceInvaders = defineGame({
  id: 'minatar-space-invaders',
  title: 'MinAtar Space invaders',
  summary: 'Shoot the aliens before they reach you.',
  learnNote:
    'Not learned by anything here yet: the 200,000 steps that are offered bring PPO a quarter of the way to a rule of thumb; more steps were not measured.',
  agent: 'cannon',
  channels: [
    { name: 'cannon', look: 'ship', colour: 1 },
    { name: 'alien', look: 'alien', colour: 3 },
    { name: 'alien left', look: 'alien', colour: 3 },
    { name: 'alien right', look: 'alien', colour: 3 },
    { name: 'friendly bullet', look: 'bullet', colour: 1, state: 1 },
    { name: 'enemy bullet', look: 'bullet', colour: 0, state: 1 },
  ],
  fields: [
    scalar('position', 'column of the cannon'),
    scalar('goesRight', '1 while the aliens go right'),
    scalar('moveInterval', 'steps between two moves of the aliens, at most'),
    scalar('moveTimer', 'steps until the aliens move'),
    scalar('alienShotTimer', 'steps until an alien shoots'),
    scalar('rampIndex', 'how often it became harder'),
    scalar('shotTimer', 'steps until the cannon may shoot'),
    { name: 'aliens', type: 'u32', shape: [SIZE, SIZE], doc: '1 where an alien is' },
    { name: 'ownBullets', type: 'u32', shape: [SIZE, SIZE], doc: '1 where a bullet of the cannon is' },
    { name: 'enemyBullets', type: 'u32', shape: [SIZE, SIZE], doc: '1 where a bullet of an alien is' },
  ],
  random: 2.7,
  rule: invadersRule,
  ruled: 76.7,
  evalMaxSteps: 5000,
  start(m) {
    set(m, POSITION, 5);
    set(m, INTERVAL, MOVE_INTERVAL);
    set(m, MOVE_TIMER, MOVE_INTERVAL);
    set(m, ALIEN_SHOT, SHOT_INTERVAL);
    wave(m);
  },
  move(m, action) {
    let over = 0;
    let reward = 0;
    if (action === 5 && get(m, SHOT_TIMER) === 0) {
      set(m, OWN + (SIZE - 1) * SIZE + get(m, POSITION), 1);
      set(m, SHOT_TIMER, COOL_DOWN);
    } else if (action === 1) set(m, POSITION, Math.max(0, get(m, POSITION) - 1));
    else if (action === 3) set(m, POSITION, Math.min(SIZE - 1, get(m, POSITION) + 1));
    const cannon = (SIZE - 1) * SIZE + get(m, POSITION);
    m.words.copyWithin(m.at + OWN, m.at + OWN + SIZE, m.at + OWN + CELLS);
    m.words.fill(0, m.at + OWN + CELLS - SIZE, m.at + OWN + CELLS);
    shiftDown(m, ENEMY);
    if (get(m, ENEMY + cannon) === 1) over = 1;
    if (get(m, ALIENS + cannon) === 1) over = 1;
    if (get(m, MOVE_TIMER) === 0) {
      set(m, MOVE_TIMER, Math.min(count(m, ALIENS, 1, CELLS), get(m, INTERVAL)));
      const right = get(m, GOES_RIGHT) === 1;
      if (count(m, ALIENS + (right ? SIZE - 1 : 0), SIZE, SIZE) > 0) {
        set(m, GOES_RIGHT, right ? 0 : 1);
        if (count(m, ALIENS + CELLS - SIZE, 1, SIZE) > 0) over = 1;
        shiftDown(m, ALIENS);
      } else shiftAside(m, right);
      if (get(m, ALIENS + cannon) === 1) over = 1;
    }
    if (get(m, ALIEN_SHOT) === 0) {
      set(m, ALIEN_SHOT, SHOT_INTERVAL);
      shoot(m);
    }
    for (let i = 0; i < CELLS; i++) {
      if (get(m, ALIENS + i) === 0 || get(m, OWN + i) === 0) continue;
      reward++;
      set(m, ALIENS + i, 0);
      set(m, OWN + i, 0);
    }
    if (get(m, SHOT_TIMER) > 0) set(m, SHOT_TIMER, get(m, SHOT_TIMER) - 1);
    set(m, MOVE_TIMER, Math.max(0, get(m, MOVE_TIMER) - 1));
    set(m, ALIEN_SHOT, get(m, ALIEN_SHOT) - 1);
    if (count(m, ALIENS, 1, CELLS) === 0) {
      if (get(m, INTERVAL) > MIN_INTERVAL && m.ramping) {
        set(m, INTERVAL, get(m, INTERVAL) - 1);
        set(m, RAMP_INDEX, get(m, RAMP_INDEX) + 1);
      }
      wave(m);
    }
    return 2 * reward + over;
  },
  paint(m, put) {
    put(0, SIZE - 1, get(m, POSITION));
    const side = get(m, GOES_RIGHT) === 1 ? 3 : 2;
    for (let y = 0; y < SIZE; y++)
      for (let x = 0; x < SIZE; x++) {
        const i = y * SIZE + x;
        if (get(m, ALIENS + i) === 1) {
          put(1, y, x);
          put(side, y, x);
        }
        if (get(m, OWN + i) === 1) put(4, y, x);
        if (get(m, ENEMY + i) === 1) put(5, y, x);
      }
  },
});
