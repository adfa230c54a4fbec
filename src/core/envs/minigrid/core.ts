/**
 * The step of every MiniGrid world (Minigrid 3.1.0 `minigrid_env.py`): turn, walk, pick up, drop, toggle; then the end rule.
 * Obs: the view [size, size, 3] of codes, then the direction one-hot (4), then the mission numbers where there are any.
 * Reward 1 - 0.9 * steps / maxSteps on success, else 0.
 */

import { fail } from '#contract/errors.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { Draws } from '../draws.ts';
import { assemble } from '../environment.ts';
import { allocateRows } from '../state.ts';
import type { Actions, DrawSource, Environment, EnvMeta, StepBuffers } from '../types.ts';
import { Builder } from './builder.ts';
import {
  BOX,
  CLOSED,
  canOverlap,
  colourOf,
  DOOR,
  EMPTY,
  EMPTY_CELL,
  FLOOR,
  GOAL,
  KEY,
  LAVA,
  LOCKED,
  OPEN,
  objectOf,
  seenOf,
  stateOf,
} from './cells.ts';
import { follow, type Instruction } from './instructions.ts';
import { DONE, DROP, FORWARD, LEFT, type Moment, PICKUP, RIGHT, TOGGLE } from './moment.ts';
import { canTake, judge, opened, type RuleType } from './rules.ts';
import { CARRYING, DIR, PROGRESS, RULE_A, RULE_B, START_DIR, START_X, START_Y, STEPS, X, Y } from './state.ts';
import { createViewer, DX, DY } from './view.ts';

export interface World {
  readonly meta: EnvMeta;
  readonly width: number;
  readonly height: number;
  readonly maxSteps: number;
  readonly viewSize: number;
  readonly seeThroughWalls: boolean;
  readonly pickupToggles: boolean;
  readonly rule: RuleType;
  readonly instruction: Instruction | null;
  /** Builds the world of one episode: cells, agent, rule numbers a and b. */
  generate(builder: Builder): void;
  mission(a: number, b: number): string;
  /** Mission as numbers behind the direction; 0 if the mission never changes. */
  readonly missionSize: number;
  writeMission(words: Uint32Array, base: number, a: number, b: number, out: Float32Array, at: number): void;
}

export function createWorld(world: World, batch: number, script?: DrawSource): Environment {
  const { meta, width, height, viewSize } = world;
  const cells = width * height;
  const rows = allocateRows(meta.state, batch);
  const { words, wordStride } = rows;
  const draws = new Draws(rows.rng, script);
  const builder = new Builder(width, height, draws);
  const viewer = createViewer(width, height, viewSize, world.seeThroughWalls);
  const image = viewSize * viewSize * 3;
  const obsSize = image + 4 + world.missionSize;
  const moment: Moment = {
    words,
    base: 0,
    width,
    x: 0,
    y: 0,
    frontX: 0,
    frontY: 0,
    front: -1,
    action: 0,
    heldBefore: 0,
    heldAfter: 0,
    firstOpen: false,
    onGoal: false,
    a: 0,
    b: 0,
  };

  // Half of random actions change nothing; the view of such a row is left as it is in the buffer of the step before.
  let changed = false;
  let lastObs: Float32Array | null = null;
  const observe = (row: number, { obs }: StepBuffers) => {
    const base = row * wordStride;
    const s = base + cells;
    const at = row * obsSize;
    const dir = words[s + DIR] as number;
    viewer.look(words, base, words[s + X] as number, words[s + Y] as number, dir, words[s + CARRYING] as number, obs, at);
    for (let d = 0; d < 4; d++) obs[at + image + d] = d === dir ? 1 : 0;
    if (world.missionSize > 0)
      world.writeMission(words, base, words[s + RULE_A] as number, words[s + RULE_B] as number, obs, at + image + 4);
  };

  /** One action of one row; returns 0 goes on, 1 ends with nothing, 2 success. */
  const act = (row: number, action: number): number => {
    const base = row * wordStride;
    const s = base + cells;
    let x = words[s + X] as number;
    let y = words[s + Y] as number;
    let dir = words[s + DIR] as number;
    let frontX = x + (DX[dir] as number);
    let frontY = y + (DY[dir] as number);
    const inside = frontX >= 0 && frontX < width && frontY >= 0 && frontY < height;
    const at = base + frontY * width + frontX;
    const front = inside ? (words[at] as number) : 0;
    const heldBefore = words[s + CARRYING] as number;
    const { rule } = world;
    if (rule === 'open-in-order') {
      const first = words[base + (words[s + RULE_A] as number)] as number;
      moment.firstOpen = objectOf(first) === DOOR && stateOf(first) === OPEN;
    }
    let verdict = 0;
    let onGoal = false;
    switch (action) {
      case LEFT:
        changed = true;
        dir = (dir + 3) & 3;
        words[s + DIR] = dir;
        break;
      case RIGHT:
        changed = true;
        dir = (dir + 1) & 3;
        words[s + DIR] = dir;
        break;
      case FORWARD:
        if (front !== 0 && canOverlap(front)) {
          changed = true;
          x = frontX;
          y = frontY;
          words[s + X] = x;
          words[s + Y] = y;
          const object = objectOf(front);
          onGoal = object === GOAL;
          if (object === LAVA) verdict = 1;
        }
        break;
      case PICKUP:
        if (!world.pickupToggles) {
          if (heldBefore === 0 && canTake(front)) {
            changed = true;
            words[s + CARRYING] = front;
            words[at] = EMPTY_CELL;
          }
          break;
        }
        toggle(at, front, heldBefore);
        break;
      case DROP:
        if (heldBefore !== 0 && objectOf(front) === EMPTY) {
          changed = true;
          words[at] = heldBefore;
          words[s + CARRYING] = 0;
        }
        break;
      case TOGGLE:
        toggle(at, front, heldBefore);
        break;
      case DONE:
        break;
    }
    if (verdict !== 0) return verdict;
    if (rule === 'goal') return onGoal ? 2 : 0;
    if (rule === 'none') return 0;
    frontX = x + (DX[dir] as number);
    frontY = y + (DY[dir] as number);
    moment.base = base;
    moment.x = x;
    moment.y = y;
    moment.frontX = frontX;
    moment.frontY = frontY;
    moment.front = frontX >= 0 && frontX < width && frontY >= 0 && frontY < height ? frontY * width + frontX : -1;
    moment.action = action;
    moment.heldBefore = heldBefore;
    moment.heldAfter = words[s + CARRYING] as number;
    moment.onGoal = onGoal;
    moment.a = words[s + RULE_A] as number;
    moment.b = words[s + RULE_B] as number;
    if (world.instruction === null) return judge(rule, moment);
    const start = { x: words[s + START_X] as number, y: words[s + START_Y] as number, dir: words[s + START_DIR] as number };
    const done = follow(world.instruction, words[s + PROGRESS] as number, moment, height, start);
    words[s + PROGRESS] = done;
    return (done & world.instruction.bit) !== 0 ? 2 : 0;
  };

  const toggle = (at: number, front: number, held: number) => {
    const object = objectOf(front);
    if (object === BOX) {
      changed = true;
      words[at] = opened(front);
    } else if (object === DOOR) {
      const state = stateOf(front);
      if (state === LOCKED && !(objectOf(held) === KEY && held !== 0 && colourOf(held) === colourOf(front))) return;
      changed = true;
      words[at] = ((front & ~(3 << 7)) | ((state === OPEN ? CLOSED : OPEN) << 7)) >>> 0;
    }
  };

  return assemble(meta, batch, rows, {
    start(row) {
      const base = row * wordStride;
      const s = base + cells;
      builder.begin(words, base, row);
      world.generate(builder);
      words[s + X] = builder.agentX;
      words[s + Y] = builder.agentY;
      words[s + DIR] = builder.agentDir;
      words[s + CARRYING] = 0;
      words[s + STEPS] = 0;
      words[s + START_X] = builder.agentX;
      words[s + START_Y] = builder.agentY;
      words[s + START_DIR] = builder.agentDir;
      words[s + PROGRESS] = 0;
      words[s + RULE_A] = builder.a;
      words[s + RULE_B] = builder.b;
    },
    step(actions: Actions, out: StepBuffers) {
      const { maxSteps } = world;
      const fresh = out.obs !== lastObs;
      lastObs = out.obs;
      for (let row = 0; row < batch; row++) {
        const at = row * wordStride + cells + STEPS;
        const steps = (words[at] as number) + 1;
        words[at] = steps;
        changed = fresh;
        const verdict = act(row, actions[row] as number);
        out.reward[row] = verdict === 2 ? 1 - 0.9 * (steps / maxSteps) : 0;
        out.terminated[row] = verdict === 0 ? 0 : 1;
        out.truncated[row] = steps >= maxSteps ? 1 : 0;
        if (changed) observe(row, out);
      }
    },
    observe(row, out) {
      if (out.obs !== lastObs) lastObs = null; // another buffer: the next step writes all of it
      observe(row, out);
    },
    loaded(row) {
      const s = row * wordStride + cells;
      const x = words[s + X] as number;
      const y = words[s + Y] as number;
      if (x >= width || y >= height || (words[s + DIR] as number) > 3)
        throw fail('state-invalid', 'The agent of this state is not on the map.', `The map is ${width} x ${height}.`, 'agentX');
    },
    frame(row, out) {
      const base = row * wordStride;
      const s = base + cells;
      for (let i = 0; i < cells; i++) {
        const word = seenOf(words[base + i] as number);
        out[3 * i] = word & 15;
        out[3 * i + 1] = (word >>> 4) & 7;
        out[3 * i + 2] = word >>> 7;
      }
      const held = words[s + CARRYING] as number;
      const at = 3 * cells;
      out[at] = words[s + X] as number;
      out[at + 1] = words[s + Y] as number;
      out[at + 2] = words[s + DIR] as number;
      out[at + 3] = objectOf(held);
      out[at + 4] = colourOf(held);
      out[at + 5] = 1;
    },
    extras(row): JsonObject {
      const base = row * wordStride;
      const s = base + cells;
      const flat = new Float32Array(image);
      viewer.look(
        words,
        base,
        words[s + X] as number,
        words[s + Y] as number,
        words[s + DIR] as number,
        words[s + CARRYING] as number,
        flat,
        0,
      );
      const nested: Json[] = Array.from({ length: viewSize }, (_, i) =>
        Array.from({ length: viewSize }, (__, j) => Array.from(flat.subarray((i * viewSize + j) * 3, (i * viewSize + j) * 3 + 3))),
      );
      return {
        image: nested,
        direction: words[s + DIR] as number,
        mission: world.mission(words[s + RULE_A] as number, words[s + RULE_B] as number),
      };
    },
    cellOf(row) {
      const s = row * wordStride + cells;
      return (words[s + Y] as number) * width + (words[s + X] as number);
    },
    placements(row) {
      const base = row * wordStride;
      const s = base + cells;
      const x = words[s + X] as number;
      const y = words[s + Y] as number;
      const out: { cell: number; state: Uint8Array }[] = [];
      for (let i = 0; i < cells; i++) {
        const word = words[base + i] as number;
        const object = objectOf(word);
        if (object !== EMPTY && object !== FLOOR && !(object === DOOR && stateOf(word) === OPEN)) continue;
        words[s + X] = i % width;
        words[s + Y] = Math.floor(i / width);
        out.push({ cell: i, state: rows.save(row) });
      }
      words[s + X] = x;
      words[s + Y] = y;
      return out;
    },
  });
}
