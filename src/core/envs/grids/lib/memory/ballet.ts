/**
 * Ballet (Lampinen et al. 2021, "Towards mental time travel", the HCAM paper): dancers stand around the agent in a room of 9 x 9; one
 * after another each dances its own dance of 16 steps, with a pause of `delay` steps between; then a dance is named, and the agent has
 * to walk to the dancer that performed it. Touching that dancer +1, any other 0, both end. While the dances go on the agent cannot move.
 * Obs, each 0 or 1: cells of the agent, cells of dancers, whether the show is over, the dance named (8). Actions: 8 directions.
 * Differs: eight dances instead of fifteen, no pictures, dancers look alike (their places distinguish them).
 */
import { checkCell } from '#core/envs/api/checks.ts';
import type { Draws } from '#core/envs/api/draws.ts';
import type { Core } from '#core/envs/api/environment.ts';
import { defineState, type StateRows } from '#core/envs/api/state.ts';
import type { ScriptedPolicy, StepBuffers } from '#core/envs/api/types.ts';
import { COLOURS, type MemoryConfig, type MemoryTask } from './config.ts';

const SIDE = 9;
const CELLS = SIDE * SIDE;
const MIDDLE = 40;
const DANCE_STEPS = 16;
const CHOICE_STEPS = 20;
const WIDTH = 2 * CELLS + 1 + 8;
const SIDE_FRAME = SIDE + 2;

/** The eight places around the middle, row by row. */
const PLACES = [10, 13, 16, 37, 43, 64, 67, 70] as const;
/** Directions 0 up, then clockwise. */
const DX = [0, 1, 1, 1, 0, -1, -1, -1] as const;
const DY = [-1, -1, 0, 1, 1, 1, 0, -1] as const;

/** Dances as where the dancer is off its place in each step of a round: a direction, or -1 on its place. */
const DANCES: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7], // around, clockwise
  [0, 7, 6, 5, 4, 3, 2, 1], // and the other way
  [0, -1, 4, -1], // up and down
  [6, -1, 2, -1], // left and right
  [7, -1, 3, -1], // one diagonal
  [1, -1, 5, -1], // the other
  [0, -1, 2, -1, 4, -1, 6, -1], // a plus
  [1, -1, 3, -1, 5, -1, 7, -1], // a cross
];

export function ballet(c: MemoryConfig): MemoryTask {
  const show = c.dancers * DANCE_STEPS + (c.dancers - 1) * c.delay;
  const maxSteps = c.maxSteps ?? show + CHOICE_STEPS;
  return {
    obs: { kind: 'box', shape: [WIDTH], low: 0, high: 1 },
    action: { kind: 'discrete', n: 8, labels: ['up', 'up right', 'right', 'down right', 'down', 'down left', 'left', 'up left'] },
    gamma: 0.99,
    maxSteps,
    state: defineState(1, [
      { name: 'agent', type: 'u32', shape: [], doc: 'cell of the agent, row by row' },
      { name: 'target', type: 'u32', shape: [], doc: 'which dancer is meant, in the order in which they dance' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
      { name: 'places', type: 'u32', shape: [c.dancers], doc: 'which of the eight places each dancer has' },
      { name: 'dances', type: 'u32', shape: [c.dancers], doc: 'which of the eight dances each dances' },
    ]),
    frame: {
      kind: 'grid',
      width: SIDE_FRAME,
      height: SIDE_FRAME,
      agents: 1,
      headings: false,
      looks: ['empty', 'wall', 'ball'],
      colours: COLOURS,
      view: 0,
    },
    references: [
      { name: 'optimal', value: 1, source: 'exact' },
      { name: 'no memory', value: 1 / c.dancers, source: 'exact: goes to any dancer' },
    ],
    keys: [['ArrowUp', 'w'], ['e'], ['ArrowRight', 'd'], ['c'], ['ArrowDown', 's'], ['z'], ['ArrowLeft', 'a'], ['q']],
    idleAction: 0,
    core: (rows, draws, batch) => core(c, show, maxSteps, rows, draws, batch),
    expert: () => expert(c, show),
  };
}

const [AGENT, TARGET, STEPS, DANCERS] = [0, 1, 2, 3] as const;

/** Where dancer i is after `steps` steps. */
function cellOfDancer(c: MemoryConfig, i: number, place: number, dance: number, steps: number): number {
  const home = PLACES[place]!;
  const since = steps - i * (DANCE_STEPS + c.delay);
  if (since < 0 || since >= DANCE_STEPS) return home;
  const round = DANCES[dance] as readonly number[];
  const off = round[since % round.length]!;
  return off < 0 ? home : home + DX[off]! + SIDE * DY[off]!;
}

function core(c: MemoryConfig, show: number, maxSteps: number, rows: StateRows, draws: Draws, batch: number): Core {
  const { words, wordStride } = rows;
  const n = c.dancers;
  const DANCE = DANCERS + n;
  const dancer = (s: number, i: number) => cellOfDancer(c, i, words[s + DANCERS + i]!, words[s + DANCE + i]!, words[s + STEPS]!);
  const observe = (row: number, { obs }: StepBuffers) => {
    const s = row * wordStride;
    const o = row * WIDTH;
    obs.fill(0, o, o + WIDTH);
    obs[o + words[s + AGENT]!] = 1;
    for (let i = 0; i < n; i++) obs[o + CELLS + dancer(s, i)] = 1;
    if (words[s + STEPS]! < show) return;
    obs[o + 2 * CELLS] = 1;
    obs[o + 2 * CELLS + 1 + words[s + DANCE + words[s + TARGET]!]!] = 1;
  };
  /** Different numbers below 8 into words[at..]. */
  const drawDifferent = (row: number, at: number, name: string) => {
    for (let i = 0; i < n; i++) {
      let fresh = false;
      while (!fresh) {
        words[at + i] = draws.int(row, 8, name);
        fresh = true;
        for (let k = 0; k < i; k++) if (words[at + k] === words[at + i]) fresh = false;
      }
    }
  };
  return {
    start(row) {
      const s = row * wordStride;
      words[s + AGENT] = MIDDLE;
      words[s + STEPS] = 0;
      drawDifferent(row, s + DANCERS, 'place');
      drawDifferent(row, s + DANCE, 'dance');
      words[s + TARGET] = draws.int(row, n, 'dance named');
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        const s = row * wordStride;
        const before = words[s + STEPS]!;
        words[s + STEPS] = before + 1;
        let touched = -1;
        if (before >= show) {
          const action = actions[row]!;
          const at = words[s + AGENT]!;
          const x = (at % SIDE) + DX[action]!;
          const y = Math.floor(at / SIDE) + DY[action]!;
          if (x >= 0 && y >= 0 && x < SIDE && y < SIDE) {
            const to = y * SIDE + x;
            for (let i = 0; i < n; i++) if (PLACES[words[s + DANCERS + i]!] === to) touched = i;
            if (touched < 0) words[s + AGENT] = to;
          }
        }
        out.reward[row] = touched === words[s + TARGET] ? 1 : 0;
        out.terminated[row] = touched >= 0 ? 1 : 0;
        out.truncated[row] = before + 1 >= maxSteps ? 1 : 0;
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      const s = row * wordStride;
      checkCell(words[s + AGENT]!, CELLS, 'agent');
      checkCell(words[s + TARGET]!, n, 'target');
      for (let i = 0; i < 2 * n; i++) checkCell(words[s + DANCERS + i]!, 8, i < n ? 'places' : 'dances');
    },
    frame(row, out) {
      const s = row * wordStride;
      const place = (cell: number) => (Math.floor(cell / SIDE) + 1) * SIDE_FRAME + (cell % SIDE) + 1;
      out.fill(0);
      for (let i = 0; i < SIDE_FRAME * SIDE_FRAME; i++) {
        const [x, y] = [i % SIDE_FRAME, Math.floor(i / SIDE_FRAME)];
        if (x === 0 || y === 0 || x === SIDE_FRAME - 1 || y === SIDE_FRAME - 1) out[3 * i] = 1;
        out[3 * i + 1] = 5;
      }
      for (let i = 0; i < n; i++) {
        const at = 3 * place(dancer(s, i));
        out[at] = 2;
        out[at + 1] = 3;
      }
      const a = 3 * SIDE_FRAME * SIDE_FRAME;
      const agent = words[s + AGENT]!;
      out[a] = (agent % SIDE) + 1;
      out[a + 1] = Math.floor(agent / SIDE) + 1;
      out[a + 5] = 1;
    },
    cellOf(row) {
      const agent = words[row * wordStride + AGENT]!;
      return (Math.floor(agent / SIDE) + 1) * SIDE_FRAME + (agent % SIDE) + 1;
    },
    placements(row) {
      const s = row * wordStride;
      const agent = words[s + AGENT]!;
      const out: { cell: number; state: Uint8Array }[] = [];
      for (let i = 0; i < CELLS; i++) {
        let free = true;
        for (let k = 0; k < n; k++) if (PLACES[words[s + DANCERS + k]!] === i) free = false;
        if (!free) continue;
        words[s + AGENT] = i;
        out.push({ cell: (Math.floor(i / SIDE) + 1) * SIDE_FRAME + (i % SIDE) + 1, state: rows.save(row) });
      }
      words[s + AGENT] = agent;
      return out;
    },
  };
}

/** Writes down what it saw: which dancer was where in each step; when a dance is named it looks up its dancer. */
function expert(c: MemoryConfig, show: number): ScriptedPolicy {
  interface Seen {
    steps: number;
    readonly who: Int32Array; // place of the dancer of each dance
    readonly trail: number[]; // where the present dancer was off its place
  }
  let seen: Seen[] = [];
  return {
    act(env, { obs }, out) {
      if (seen.length !== env.batch)
        seen = Array.from({ length: env.batch }, () => ({ steps: 0, who: new Int32Array(8).fill(-1), trail: [] }));
      for (let row = 0; row < env.batch; row++) {
        const memory = seen[row] as Seen;
        const view = obs.subarray(row * WIDTH, (row + 1) * WIDTH);
        if (view[2 * CELLS] === 1) {
          memory.steps = 0;
          const place = memory.who[view.indexOf(1, 2 * CELLS + 1) - 2 * CELLS - 1]!;
          out[row] = towards(view.indexOf(1), PLACES[Math.max(0, place)]!);
          continue;
        }
        const turn = memory.steps % (DANCE_STEPS + c.delay);
        if (turn < DANCE_STEPS) {
          if (turn === 0) memory.trail.length = 0;
          memory.trail.push(...offPlace(view));
          // after four steps the dances have shown enough of themselves
          if (turn === 3) note(memory.who, memory.trail);
        }
        memory.steps = (memory.steps + 1) % (show + 1);
        out[row] = 0;
      }
    },
  };
}

/** The place and direction (place * 9 + direction, 8: on its place) of the dancer that is off its place. */
function offPlace(view: Float32Array): number[] {
  for (let place = 0; place < 8; place++) {
    const home = PLACES[place]!;
    for (let d = 0; d < 8; d++) if (view[CELLS + home + DX[d]! + SIDE * DY[d]!] === 1) return [place * 9 + d];
  }
  return [-1];
}

/** Finds the dance whose first four steps were seen. */
function note(who: Int32Array, trail: readonly number[]): void {
  const place = Math.floor(Math.max(...trail) / 9);
  const steps = trail.map((t) => (t < 0 ? -1 : t % 9));
  const dance = DANCES.findIndex((round) => steps.every((step, i) => round[i % round.length] === step));
  if (dance >= 0) who[dance] = place;
}

/** A step around other dancers is never needed: straight and diagonal lines from the middle meet only the dancer they lead to. */
function towards(from: number, to: number): number {
  const dx = Math.sign((to % SIDE) - (from % SIDE));
  const dy = Math.sign(Math.floor(to / SIDE) - Math.floor(from / SIDE));
  return DX.findIndex((x, d) => x === dx && DY[d] === dy);
}
