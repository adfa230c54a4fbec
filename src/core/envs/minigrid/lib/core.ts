/**
 * The step of every MiniGrid world (Minigrid 3.1.0 `minigrid_env.py`): turn, walk, pick up, drop, toggle; then the end rule.
 * Obs: the view [size, size, 3] of codes, then the direction one-hot (4), then the mission numbers where there are any.
 * Reward 1 - 0.9 * steps / maxSteps on success, else 0.
 */

import { fail } from '#contract/kit/errors.ts';
import { Draws } from '../../api/draws.ts';
import { assemble } from '../../api/environment.ts';
import { allocateRows } from '../../api/state.ts';
import type { Actions, DrawSource, Environment, StepBuffers } from '../../api/types.ts';
import { Builder } from './builder.ts';
import { BOX, CLOSED, canOverlap, colourOf, DOOR, EMPTY, EMPTY_CELL, GOAL, KEY, LAVA, LOCKED, OPEN, objectOf, stateOf } from './cells.ts';
import { inspectors } from './inspect.ts';
import { BROKEN, compileInstruction, follow, type Instruction, usesLocations } from './instructions.ts';
import { DONE, DROP, FORWARD, LEFT, type Moment, PICKUP, RIGHT, TOGGLE } from './moment.ts';
import { createObstacles } from './obstacles.ts';
import { writePlaces } from './places.ts';
import { canTake, judge, opened } from './rules.ts';
import { decodeSentence } from './sentence-code.ts';
import { CARRYING, DIR, PROGRESS, RULE_A, RULE_B, SENTENCE, START_DIR, START_X, START_Y, STEPS, X, Y } from './state.ts';
import { createViewer, DX, DY } from './view.ts';
import type { World } from './world.ts';

/** Verdicts beside 0 goes on, 1 ends with nothing, 2 success. */
const COLLISION = 3;

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
    height,
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
    places: new Uint8Array(
      world.told !== undefined || (world.instruction !== null && usesLocations(world.instruction)) ? batch * cells : 0,
    ),
    placesBase: 0,
  };
  const { places } = moment;
  const instructions: (Instruction | null)[] = new Array<Instruction | null>(batch).fill(world.instruction);
  const limits = new Int32Array(batch).fill(world.maxSteps);
  const obstacles = world.obstacles ? createObstacles(words, wordStride, width, height, batch, draws) : null;

  /** Rebuilds what follows from the state of a row. */
  const derive = (row: number) => {
    const base = row * wordStride;
    const s = base + cells;
    obstacles?.find(row);
    if (world.told !== undefined) {
      const sentence = decodeSentence(words, s + SENTENCE);
      const instruction = sentence === null ? null : compileInstruction(sentence);
      instructions[row] = instruction;
      limits[row] = instruction === null ? world.maxSteps : world.told.limit(instruction);
    }
    const instruction = instructions[row] as Instruction | null;
    if (instruction === null || !usesLocations(instruction)) return;
    const start = [words[s + START_X], words[s + START_Y], words[s + START_DIR]] as [number, number, number];
    writePlaces(words, base, width, height, ...start, places, row * cells);
  };

  // Half of random actions change nothing; the view of such a row is left as it is in the buffer of the step before.
  let changed = false;
  let lastObs: Float32Array | null = null;
  const observe = (row: number, { obs }: StepBuffers, mission: boolean) => {
    const base = row * wordStride;
    const s = base + cells;
    const at = row * obsSize;
    const dir = words[s + DIR]!;
    viewer.look(words, base, words[s + X]!, words[s + Y]!, dir, words[s + CARRYING]!, obs, at);
    for (let d = 0; d < 4; d++) obs[at + image + d] = d === dir ? 1 : 0;
    if (mission && world.missionSize > 0)
      world.writeMission(words, base, words[s + RULE_A]!, words[s + RULE_B]!, obs, at + image + 4, cells);
  };

  /** One action of one row; returns a verdict. */
  const act = (row: number, action: number): number => {
    const base = row * wordStride;
    const s = base + cells;
    let x = words[s + X]!;
    let y = words[s + Y]!;
    let dir = words[s + DIR]!;
    let frontX = x + DX[dir]!;
    let frontY = y + DY[dir]!;
    const inside = frontX >= 0 && frontX < width && frontY >= 0 && frontY < height;
    const at = base + frontY * width + frontX;
    let front = inside ? words[at]! : 0;
    let collision = false;
    if (obstacles !== null) {
      collision = action === FORWARD && objectOf(front) !== EMPTY && objectOf(front) !== GOAL;
      obstacles.move(row, y * width + x);
      changed = true;
      front = inside ? words[at]! : 0;
    }
    const heldBefore = words[s + CARRYING]!;
    const { rule } = world;
    if (rule === 'open-in-order') {
      const first = words[base + words[s + RULE_A]!]!;
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
    if (collision) return COLLISION;
    if (verdict !== 0) return verdict;
    if (rule === 'goal') return onGoal ? 2 : 0;
    if (rule === 'none') return 0;
    frontX = x + DX[dir]!;
    frontY = y + DY[dir]!;
    moment.base = base;
    moment.x = x;
    moment.y = y;
    moment.frontX = frontX;
    moment.frontY = frontY;
    moment.front = frontX >= 0 && frontX < width && frontY >= 0 && frontY < height ? frontY * width + frontX : -1;
    moment.action = action;
    moment.heldBefore = heldBefore;
    moment.heldAfter = words[s + CARRYING]!;
    moment.onGoal = onGoal;
    moment.a = words[s + RULE_A]!;
    moment.b = words[s + RULE_B]!;
    const instruction = instructions[row] as Instruction | null;
    if (instruction === null) return judge(rule, moment);
    moment.placesBase = row * cells;
    const done = follow(instruction, words[s + PROGRESS]!, moment);
    words[s + PROGRESS] = (done & ~BROKEN) >>> 0;
    return (done & instruction.bit) !== 0 ? 2 : (done & BROKEN) !== 0 ? 1 : 0;
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
      words[s + CARRYING] = builder.carrying;
      words[s + STEPS] = 0;
      words[s + START_X] = builder.agentX;
      words[s + START_Y] = builder.agentY;
      words[s + START_DIR] = builder.agentDir;
      words[s + PROGRESS] = 0;
      words[s + RULE_A] = builder.a;
      words[s + RULE_B] = builder.b;
      if (world.told !== undefined) words.set(world.told.encode(builder), s + SENTENCE);
      derive(row);
    },
    step(actions: Actions, out: StepBuffers) {
      const fresh = out.obs !== lastObs;
      lastObs = out.obs;
      for (let row = 0; row < batch; row++) {
        const at = row * wordStride + cells + STEPS;
        const steps = words[at]! + 1;
        words[at] = steps;
        changed = fresh;
        const verdict = act(row, actions[row]!);
        const maxSteps = limits[row]!;
        out.reward[row] = verdict === 2 ? 1 - 0.9 * (steps / maxSteps) : verdict === COLLISION ? -1 : 0;
        out.terminated[row] = verdict === 0 ? 0 : 1;
        out.truncated[row] = steps >= maxSteps ? 1 : 0;
        if (changed) observe(row, out, fresh); // the mission stays the same all episode long
      }
    },
    observe(row, out) {
      if (out.obs !== lastObs) lastObs = null; // another buffer: the next step writes all of it
      observe(row, out, true);
    },
    loaded(row) {
      const s = row * wordStride + cells;
      const x = words[s + X]!;
      const y = words[s + Y]!;
      if (x >= width || y >= height || words[s + DIR]! > 3)
        throw fail('state-invalid', 'The agent of this state is not on the map.', `The map is ${width} x ${height}.`, 'agentX');
      derive(row);
    },
    ...inspectors(world, rows, viewer),
  });
}
