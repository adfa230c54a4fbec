/**
 * Breakout on 10 x 10 cells: the ball moves one diagonal cell per step, bricks in rows 1 to 3 give 1 each and bounce it back.
 * Obs [10, 10, 4] of 0 and 1, row by row: paddle, ball, trail, brick. Ends when the ball passes the paddle; no step limit but that which is set.
 * Sticky actions: with that chance the action before is done again. Difficulty ramping changes nothing in this game.
 * Source: Young and Tian 2019, MinAtar at 4241f24 `minatar/environments/breakout.py`.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { GYMNAX_BREAKOUT } from '#contract/papers/published.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { breakoutRule, ruled } from './lib/experts.ts';
import { MINATAR, MINATAR_ACTIONS, MINATAR_KEYS, minatarDraws, minatarShape, SIZE, setCells } from './lib/minatar.ts';

const config = z.strictObject(minatarShape);
type Config = z.infer<typeof config>;

const BRICK_ROWS = 3; // rows 1, 2, 3
const BRICKS = BRICK_ROWS * SIZE;
const CHANNELS = 4;
const OBS = SIZE * SIZE * CHANNELS;

const scalar = (name: string, doc: string) => ({ name, type: 'u32', shape: [], doc }) as const;
const state = defineState(1, [
  scalar('ballX', 'column of the ball'),
  scalar('ballY', 'row of the ball'),
  scalar('ballDir', '0 up left, 1 up right, 2 down right, 3 down left'),
  scalar('paddle', 'column of the paddle'),
  scalar('strike', '1 while the ball is still at the bricks it hit'),
  scalar('lastX', 'column of the trail'),
  scalar('lastY', 'row of the trail'),
  scalar('lastAction', 'action before, for sticky actions'),
  scalar('steps', 'steps done in this episode'),
  { name: 'bricks', type: 'u32', shape: [BRICK_ROWS, SIZE], doc: '1 where a brick stands, rows 1 to 3' },
]);
const BALL_X = 0;
const BALL_Y = 1;
const DIR = 2;
const PADDLE = 3;
const STRIKE = 4;
const LAST_X = 5;
const LAST_Y = 6;
const LAST_ACTION = 7;
const STEPS = 8;
const WALL = 9;

const MOVE_X = [-1, 1, 1, -1] as const;
const MOVE_Y = [-1, -1, 1, 1] as const;
const FLIP_X = [1, 0, 3, 2] as const;
const FLIP_Y = [3, 2, 1, 0] as const;
const REVERSE = [2, 3, 0, 1] as const;

const frame: GridLayout = {
  kind: 'grid',
  width: SIZE,
  height: SIZE,
  stage: 'arcade',
  agents: 0,
  headings: false,
  looks: ['empty', 'paddle', 'ball', 'trail', 'brick'],
  colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
  view: 0,
};

function meta({ maxSteps }: Config): EnvMeta {
  return soloMeta({
    id: 'minatar-breakout',
    agent: 'paddle',
    obs: { kind: 'box', shape: [SIZE, SIZE, CHANNELS], low: 0, high: 1 },
    action: MINATAR_ACTIONS,
    gamma: 0.99,
    maxSteps,
    evalMaxSteps: maxSteps || 5000,
    state,
    frame,
    references: [
      { name: 'random', value: 0.47, source: 'uniform actions with sticky actions 0.1, measured' },
      { name: 'rule of thumb', value: 18.2, source: 'scripted policy "expert" with sticky actions 0.1, measured' },
    ],
    keys: MINATAR_KEYS,
    idleAction: 0,
    fps: 8,
  });
}

export const minatarBreakout = defineEnv<Config>({
  spec: {
    id: 'minatar-breakout',
    version: 1,
    title: 'MinAtar Breakout',
    summary: 'Keep the ball in play and clear the bricks.',
    learnNote:
      'Not learned by anything here yet: the 200,000 steps that are offered bring PPO a quarter of the way to a rule of thumb; more steps were not measured.',
    source: MINATAR,
    config,
    presets: [
      { id: 'standard', title: 'sticky actions', config: {} },
      { id: 'sure', title: 'no sticky actions', config: { stickyActionProbability: 0 } },
      { id: 'gymnax', title: 'as in gymnax: no sticky actions, 1,000 steps', config: GYMNAX_BREAKOUT }, // which has no useless actions either
    ],
    meta,
  },
  create(c, batch, options) {
    const rows = allocateRows(state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const { stickyActionProbability: sticky, maxSteps } = c;
    const observe = (row: number, { obs }: StepBuffers) => {
      const s = row * wordStride;
      const at = row * OBS;
      obs.fill(0, at, at + OBS);
      const put = (y: number, x: number, channel: number) => {
        obs[at + (y * SIZE + x) * CHANNELS + channel] = 1;
      };
      put(SIZE - 1, words[s + PADDLE]!, 0);
      put(words[s + BALL_Y]!, words[s + BALL_X]!, 1);
      put(words[s + LAST_Y]!, words[s + LAST_X]!, 2);
      for (let i = 0; i < BRICKS; i++) if (words[s + WALL + i] === 1) obs[at + (SIZE + i) * CHANNELS + 3] = 1;
    };
    /** Index of the brick at a cell, -1 none. */
    const brickAt = (s: number, x: number, y: number) => {
      const at = y >= 1 && y <= BRICK_ROWS ? s + WALL + (y - 1) * SIZE + x : -1;
      return at >= 0 && words[at] === 1 ? at : -1;
    };
    /** Reward 0 or 1, plus 2 if the ball is lost. */
    const move = (s: number, action: number): number => {
      let paddle = words[s + PADDLE]!;
      if (action === 1) paddle = Math.max(0, paddle - 1);
      else if (action === 3) paddle = Math.min(SIZE - 1, paddle + 1);
      words[s + PADDLE] = paddle;
      const oldX = words[s + BALL_X]!;
      const oldY = words[s + BALL_Y]!;
      words[s + LAST_X] = oldX;
      words[s + LAST_Y] = oldY;
      let dir = words[s + DIR]!;
      let x = oldX + MOVE_X[dir]!;
      let y = oldY + MOVE_Y[dir]!;
      let reward = 0;
      let over = false;
      let touching = false;
      if (x < 0 || x >= SIZE) {
        x = Math.min(SIZE - 1, Math.max(0, x));
        dir = FLIP_X[dir]!;
      }
      const brick = y < 0 ? -1 : brickAt(s, x, y);
      if (y < 0) {
        y = 0;
        dir = FLIP_Y[dir]!;
      } else if (brick >= 0) {
        touching = true;
        if (words[s + STRIKE] === 0) {
          reward = 1;
          words[s + STRIKE] = 1;
          words[brick] = 0;
          y = oldY;
          dir = FLIP_Y[dir]!;
        }
      } else if (y === SIZE - 1) {
        let left = 0;
        for (let i = s + WALL; i < s + WALL + BRICKS; i++) left += words[i]!;
        if (left === 0) words.fill(1, s + WALL, s + WALL + BRICKS);
        if (oldX === paddle) {
          dir = FLIP_Y[dir]!;
          y = oldY;
        } else if (x === paddle) {
          dir = REVERSE[dir]!;
          y = oldY;
        } else over = true;
      }
      if (!touching) words[s + STRIKE] = 0;
      words[s + BALL_X] = x;
      words[s + BALL_Y] = y;
      words[s + DIR] = dir;
      return over ? reward + 2 : reward;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        const right = draws.int(row, 2, 'ball side') === 1;
        words.fill(0, s, s + WALL);
        words[s + BALL_X] = right ? SIZE - 1 : 0;
        words[s + BALL_Y] = 3;
        words[s + DIR] = right ? 3 : 2;
        words[s + PADDLE] = 4;
        words[s + LAST_X] = right ? SIZE - 1 : 0;
        words[s + LAST_Y] = 3;
        words.fill(1, s + WALL, s + WALL + BRICKS);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          let action = actions[row]!;
          if (sticky > 0 && draws.uniform(row, 'sticky') < sticky) action = words[s + LAST_ACTION]!;
          words[s + LAST_ACTION] = action;
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          const outcome = move(s, action);
          out.reward[row] = outcome & 1;
          out.terminated[row] = outcome >> 1;
          out.truncated[row] = steps === maxSteps && outcome >> 1 === 0 ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      frame(row, out) {
        const s = row * wordStride;
        out.fill(0);
        const put = (y: number, x: number, look: number, colour: number) => {
          out[(y * SIZE + x) * 3] = look;
          out[(y * SIZE + x) * 3 + 1] = colour;
        };
        for (let i = 0; i < BRICKS; i++) if (words[s + WALL + i] === 1) put(1 + Math.floor(i / SIZE), i % SIZE, 4, Math.floor(i / SIZE));
        put(words[s + LAST_Y]!, words[s + LAST_X]!, 3, 5);
        put(SIZE - 1, words[s + PADDLE]!, 1, 2);
        put(words[s + BALL_Y]!, words[s + BALL_X]!, 2, 4);
      },
      extras(row) {
        const s = row * wordStride;
        const bricks = Array.from({ length: BRICKS }, (_, i) => i).filter((i) => words[s + WALL + i] === 1);
        return {
          cells: [
            [[SIZE - 1, words[s + PADDLE]!]],
            [[words[s + BALL_Y]!, words[s + BALL_X]!]],
            [[words[s + LAST_Y]!, words[s + LAST_X]!]],
            setCells(bricks.map((i) => i + SIZE)),
          ],
        };
      },
    });
  },
  policies: { expert: () => ruled(CHANNELS, breakoutRule) },
  golden: { draws: (listed) => minatarDraws(listed) },
});
