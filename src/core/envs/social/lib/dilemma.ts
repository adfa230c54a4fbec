/**
 * One step of a social dilemma for all rows: turns and moves, eating, beams in a random order, growth, and agents whose time-out is over come back.
 * All randomness by named draws: `start`, `heading`, `contest`, `order`, `return`, and those of growth.
 */
import { fail } from '#contract/kit/errors.ts';
import { checkCell } from '../../api/checks.ts';
import { Draws } from '../../api/draws.ts';
import { assemble } from '../../api/environment.ts';
import { allocateRows } from '../../api/state.ts';
import type { DrawSource, Environment, StepBuffers } from '../../api/types.ts';
import { CLEANING, type Shot, shoot, TAGGING } from './beam.ts';
import { type Crowd, moveAll } from './crowd.ts';
import { AHEAD_COLUMN, AHEAD_ROW, FIRE, MOVE_TURN, MOVES, STAY, TURN_LEFT, TURN_RIGHT } from './ground.ts';
import { APPLE_HERE, BADGE, type Board, cleanAction, planesOf, type Rules, socialMeta, TALLY, WASTE_HERE } from './rules.ts';
import { drawer, measurer, teller } from './show.ts';
import { APPLE, CLEANED, FIRED, Views, WALL, WASTE, WATER } from './view.ts';

const [APPLES, PAID, PAID_AT, SHOTS, TIDIED, OUT_STEPS] = [0, 1, 2, 3, 4, 5] as const;

/** Codes of `things` and `beams` as bits of a view: BITS[thing + 3 * beam]. */
const BITS = Uint16Array.from({ length: 12 }, (_, mix) => {
  const thing = mix % 3;
  const beam = Math.floor(mix / 3);
  const lies = thing === APPLE_HERE ? APPLE : thing === WASTE_HERE ? WASTE : 0;
  return lies | ((beam & TAGGING) !== 0 ? FIRED : 0) | ((beam & CLEANING) !== 0 ? CLEANED : 0);
});

/** What each thing is in the planes of the central state. */
const IS_APPLE = Float32Array.of(0, 1, 0);
const IS_WASTE = Float32Array.of(0, 0, 1);

function plane(words: Uint32Array, things: number, is: Float32Array, state: Float32Array, from: number, cells: number): void {
  for (let cell = 0; cell < cells; cell++) state[from + cell] = is[words[things + cell]!]!;
}

export function createDilemma(r: Rules, batch: number, source: DrawSource | undefined): Environment {
  const m = socialMeta(r);
  const g = r.ground;
  const { cells, width, height } = g;
  const A = r.agents;
  const O = m.obsSize;
  const N = m.actionCount;
  const planes = planesOf(r);
  const CLEAN = cleanAction(r);
  const rows = allocateRows(m.state, batch);
  const { words, wordStride, floats, floatStride } = rows;
  const draws = new Draws(rows.rng, source);
  const [AGENTS, THINGS, BEAMS] = [rows.offset('agents'), rows.offset('things'), rows.offset('beams')];
  const TIMERS = r.delay > 0 ? rows.offset('timers') : 0;
  const [OUT, MARKS, COOLDOWN] = [rows.offset('out'), rows.offset('marks'), rows.offset('cooldown')];
  const [TALLIES, TAGS, STEPS] = [rows.offset('tally'), rows.offset('tags'), rows.offset('steps')];
  const draw = drawer(r, rows);
  const tell = teller(r, rows);
  const measure = measurer(r, rows);
  const stands = Array.from({ length: batch }, () => new Int32Array(cells)); // derived
  const still = new Uint16Array(cells); // what never changes
  for (const cell of r.water) still[cell] = WATER;
  for (let cell = 0; cell < cells; cell++) if (g.walls[cell] === 1) still[cell] = WALL;
  const views = new Views(width, height, r.window, still, BITS);
  const crowd: { -readonly [part in keyof Crowd]: Crowd[part] } = {
    at: new Int32Array(A),
    wants: new Int32Array(A),
    stands: new Int32Array(0),
    seen: new Uint8Array(cells),
  };
  const shot: { -readonly [part in keyof Shot]: Shot[part] } = { stands: crowd.stands, words, things: 0, beams: 0 };
  const hit = new Int32Array(3);
  const order = new Int32Array(A);
  const gains = new Float64Array(A);
  const fresh = new Uint8Array(A); // tagged in this step
  let drawRow = 0;
  const contest = (n: number) => draws.int(drawRow, n, 'contest');
  const board: Board = {
    words,
    wordStride,
    things: THINGS,
    timers: TIMERS,
    draws,
    stands: (row) => stands[row] as Int32Array,
    age: (row) => words[row * wordStride + STEPS]!,
  };

  const cellOf = (s: number, i: number) => words[s + AGENTS + 3 * i]! * width + words[s + AGENTS + 3 * i + 1]!;
  const headingOf = (s: number, i: number) => words[s + AGENTS + 3 * i + 2]!;
  const there = (s: number, i: number) => words[s + OUT + i] === 0;
  const count = (s: number, i: number, column: number, by = 1) => {
    const at = s + TALLIES + i * TALLY.length + column;
    words[at] = words[at]! + by;
  };
  const put = (s: number, i: number, cell: number) => {
    words[s + AGENTS + 3 * i] = Math.floor(cell / width);
    words[s + AGENTS + 3 * i + 1] = cell % width;
  };
  /** A free start cell, drawn; -1: none. */
  const freeStart = (row: number, name: string): number => {
    const here = stands[row] as Int32Array;
    let free = 0;
    for (const cell of g.starts) if (here[cell] === 0) free++;
    if (free === 0) return -1;
    let left = draws.int(row, free, name);
    for (const cell of g.starts) if (here[cell] === 0 && left-- === 0) return cell;
    return -1;
  };
  const settle = (row: number) => {
    const here = stands[row] as Int32Array;
    here.fill(0);
    for (let i = 0; i < A; i++) if (there(row * wordStride, i)) here[cellOf(row * wordStride, i)] = i + 1;
  };

  const observe = (row: number, out: StepBuffers) => {
    const s = row * wordStride;
    views.lay(words, s + THINGS, s + BEAMS);
    for (let i = 0; i < A; i++) if (there(s, i)) views.stand(cellOf(s, i), i);
    out.obs.fill(0, row * A * O, (row + 1) * A * O);
    for (let i = 0; i < A; i++) {
      const slot = row * A + i;
      const alive = there(s, i);
      if (alive) {
        views.write(cellOf(s, i), headingOf(s, i), out.obs, slot * O);
        const friends = r.shared?.[i];
        for (let k = 0; friends !== undefined && k < friends.length; k++) {
          const friend = friends[k]!;
          if (there(s, friend)) views.write(cellOf(s, friend), headingOf(s, friend), out.obs, slot * O, k + 1);
        }
      }
      if (out.alive) out.alive[slot] = alive ? 1 : 0;
      if (!out.mask) continue;
      out.mask.fill(alive ? 1 : 0, slot * N, (slot + 1) * N);
      out.mask[slot * N + STAY] = 1;
      if (r.fire && words[s + COOLDOWN + 2 * i] !== 0) out.mask[slot * N + FIRE] = 0;
      if (r.clean && words[s + COOLDOWN + 2 * i + 1] !== 0) out.mask[slot * N + CLEAN] = 0;
    }
    if (out.state) writeState(row, s, out.state);
  };
  const writeState = (row: number, s: number, state: Float32Array) => {
    const from = row * m.globalSize;
    const badges = from + planes * cells;
    plane(words, s + THINGS, IS_APPLE, state, from, cells);
    if (r.waste) plane(words, s + THINGS, IS_WASTE, state, from + cells, cells);
    state.fill(0, from + (planes - 4) * cells, from + m.globalSize);
    for (let i = 0; i < A; i++) {
      const at = badges + BADGE * i;
      const heading = headingOf(s, i);
      state[at] = words[s + AGENTS + 3 * i]! / height;
      state[at + 1] = words[s + AGENTS + 3 * i + 1]! / width;
      state[at + 2 + heading] = 1;
      if (!there(s, i)) continue;
      state[at + 6] = 1;
      state[at + 7] = words[s + COOLDOWN + 2 * i] === 0 ? 1 : 0;
      state[from + (planes - 4 + heading) * cells + cellOf(s, i)] = 1;
    }
  };

  const walk = (row: number, s: number, actions: { readonly [slot: number]: number }) => {
    const { at, wants } = crowd;
    for (let i = 0; i < A; i++) {
      const action = actions[row * A + i]!;
      const cell = cellOf(s, i);
      at[i] = there(s, i) ? cell : -1;
      wants[i] = cell;
      if (at[i] === -1) continue;
      const heading = headingOf(s, i);
      if (action === TURN_RIGHT || action === TURN_LEFT) words[s + AGENTS + 3 * i + 2] = (heading + (action === TURN_RIGHT ? 1 : 3)) % 4;
      if (action >= MOVES) continue;
      const direction = (heading + MOVE_TURN[action]!) % 4;
      const y = Math.floor(cell / width) + AHEAD_ROW[direction]!;
      const x = (cell % width) + AHEAD_COLUMN[direction]!;
      if (y >= 0 && x >= 0 && y < height && x < width && g.walls[y * width + x] === 0) wants[i] = y * width + x;
    }
    crowd.stands = stands[row] as Int32Array;
    drawRow = row;
    moveAll(crowd, contest);
    for (let i = 0; i < A; i++) if (at[i]! >= 0) put(s, i, at[i]!);
  };
  const eat = (s: number) => {
    for (let i = 0; i < A; i++) {
      const at = s + THINGS + cellOf(s, i);
      if (!there(s, i) || words[at] !== APPLE_HERE) continue;
      words[at] = 0;
      if (r.delay > 0) words[s + TIMERS + cellOf(s, i)] = r.delay;
      gains[i] = gains[i]! + 1;
      count(s, i, APPLES);
    }
  };
  const tag = (s: number, shooter: number, victim: number) => {
    const beam = r.fire;
    if (beam === null) return;
    const at = s + TAGS + shooter * A + victim;
    words[at] = words[at]! + 1;
    gains[victim] = gains[victim]! - beam.penalty;
    if (beam.timeout === 0) return;
    const marks = words[s + MARKS + victim]! + 1;
    words[s + MARKS + victim] = marks % beam.hits;
    if (marks < beam.hits) return;
    words[s + OUT + victim] = beam.timeout;
    fresh[victim] = 1;
    crowd.stands[cellOf(s, victim)] = 0;
  };
  const fire = (row: number, s: number, actions: { readonly [slot: number]: number }) => {
    let shooters = 0;
    for (let i = 0; i < A; i++) {
      const action = actions[row * A + i]!;
      const fires = r.fire !== null && action === FIRE && words[s + COOLDOWN + 2 * i] === 0;
      const cleans = r.clean !== null && action === CLEAN && words[s + COOLDOWN + 2 * i + 1] === 0;
      if (there(s, i) && (fires || cleans)) order[shooters++] = i;
    }
    shot.stands = crowd.stands;
    shot.things = s + THINGS;
    shot.beams = s + BEAMS;
    for (let left = shooters; left > 0; left--) {
      const pick = left > 1 ? draws.int(row, left, 'order') : 0;
      const i = order[pick]!;
      order[pick] = order[left - 1]!;
      if (!there(s, i)) continue; // tagged before it could fire
      const firing = r.fire !== null && actions[row * A + i] === FIRE;
      const beam = firing ? r.fire : r.clean;
      if (beam === null) continue;
      const cleaned = shoot(g, cellOf(s, i), headingOf(s, i), beam, firing ? TAGGING : CLEANING, shot, hit);
      gains[i] = gains[i]! - beam.cost;
      words[s + COOLDOWN + 2 * i + (firing ? 0 : 1)] = beam.cooldown + 1;
      if (firing) count(s, i, SHOTS);
      else count(s, i, TIDIED, cleaned);
      for (let lane = 0; firing && lane < 3; lane++) if (hit[lane]! >= 0) tag(s, i, hit[lane]!);
    }
  };
  const clocks = (row: number, s: number) => {
    for (let i = 0; i < 2 * A; i++) {
      const at = s + COOLDOWN + i;
      if (words[at]! > 0) words[at] = words[at]! - 1;
    }
    for (let i = 0; i < A; i++) {
      const at = s + OUT + i;
      const left = words[at]!;
      if (left === 0 || fresh[i] === 1) continue;
      count(s, i, OUT_STEPS);
      const cell = left === 1 ? freeStart(row, 'return') : -1;
      if (left > 1) words[at] = left - 1;
      if (cell < 0) continue; // with all starts taken it waits
      words[at] = 0;
      put(s, i, cell);
      words[s + AGENTS + 3 * i + 2] = draws.int(row, 4, 'heading');
      (stands[row] as Int32Array)[cell] = i + 1;
    }
  };

  return assemble(m, batch, rows, {
    start(row) {
      const s = row * wordStride;
      words.fill(0, s, s + wordStride - 4); // all but the generator
      floats.fill(0, row * floatStride, (row + 1) * floatStride);
      (stands[row] as Int32Array).fill(0);
      for (let i = 0; i < A; i++) {
        const cell = freeStart(row, 'start');
        put(s, i, cell);
        words[s + AGENTS + 3 * i + 2] = draws.int(row, 4, 'heading');
        (stands[row] as Int32Array)[cell] = i + 1;
      }
      r.begin(board, row);
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        const s = row * wordStride;
        words.fill(0, s + BEAMS, s + BEAMS + cells);
        gains.fill(0);
        fresh.fill(0);
        walk(row, s, actions);
        eat(s);
        fire(row, s, actions);
        r.grow(board, row);
        clocks(row, s);
        const steps = words[s + STEPS]! + 1;
        words[s + STEPS] = steps;
        for (let i = 0; i < A; i++) {
          const gain = gains[i]!;
          out.reward[row * A + i] = gain;
          floats[row * floatStride + i] = floats[row * floatStride + i]! + gain;
          if (gain <= 0) continue;
          count(s, i, PAID);
          count(s, i, PAID_AT, steps);
        }
        out.terminated[row] = 0;
        out.truncated[row] = steps >= r.maxSteps ? 1 : 0;
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      const s = row * wordStride;
      const taken = new Set<number>();
      for (let i = 0; i < A; i++) {
        checkCell(words[s + AGENTS + 3 * i]!, height, 'agents');
        checkCell(words[s + AGENTS + 3 * i + 1]!, width, 'agents');
        checkCell(words[s + AGENTS + 3 * i + 2]!, 4, 'agents');
        const cell = cellOf(s, i);
        if (g.walls[cell] === 1) throw fail('state-invalid', 'State field "agents" has one in a wall.', 'Use free cells.', 'agents');
        if (there(s, i) && taken.has(cell)) throw fail('state-invalid', 'Two agents stand in one cell.', 'Put them apart.', 'agents');
        if (there(s, i)) taken.add(cell);
      }
      for (let cell = 0; cell < cells; cell++) {
        checkCell(words[s + THINGS + cell]!, r.waste ? 3 : 2, 'things');
        checkCell(words[s + BEAMS + cell]!, 4, 'beams');
      }
      settle(row);
    },
    frame: draw,
    measure,
    extras: tell,
    cellOf: (row) => cellOf(row * wordStride, 0),
    placements(row) {
      const s = row * wordStride;
      const own = cellOf(s, 0);
      const here = stands[row] as Int32Array;
      const out: { cell: number; state: Uint8Array }[] = [];
      for (let cell = 0; cell < cells; cell++) {
        if (g.walls[cell] === 1 || here[cell]! > 1) continue;
        put(s, 0, cell);
        out.push({ cell, state: rows.save(row) });
      }
      put(s, 0, own);
      return out;
    },
  });
}
