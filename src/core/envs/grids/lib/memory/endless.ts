/**
 * Endless T-maze (Shchendrigin et al. 2026, "Memory retention is not enough to master memory tasks in reinforcement learning"): after
 * every right turn another corridor begins, with a new cue that makes the old one worthless. Obs 3 numbers: place in the corridor
 * over its length (1: the junction), then 1 0 (left) or 0 1 (right) where a cue is shown, at the start of a corridor only. Actions forward, left,
 * right. A right turn +1, anything else at a junction -1 and the end, every other step -0.01; won after `corridors` junctions.
 * With a rewriteRate below 1 a corridor may show no cue: the one before still holds.
 */
import { checkCell } from '#core/envs/api/checks.ts';
import type { Draws } from '#core/envs/api/draws.ts';
import type { Core } from '#core/envs/api/environment.ts';
import { defineState, type StateRows } from '#core/envs/api/state.ts';
import type { ScriptedPolicy, StepBuffers } from '#core/envs/api/types.ts';
import { COLOURS, type MemoryConfig, type MemoryTask } from './config.ts';

const FORWARD = 0;
const TURN = 1; // left; right is one more
const STEP = -0.01;
const LIMIT = 6; // times the way, as in the reference

export function endlessTMaze(c: MemoryConfig): MemoryTask {
  const { length, corridors } = c;
  const maxSteps = c.maxSteps ?? LIMIT * (length + 1) * corridors;
  const way = c.randomLength ? (length + 1) / 2 : length; // mean steps of a corridor
  return {
    obs: { kind: 'box', shape: [3], low: 0, high: 1 },
    action: { kind: 'discrete', n: 3, labels: ['forward', 'left', 'right'] },
    gamma: 0.99,
    maxSteps,
    state: defineState(1, [
      { name: 'corridor', type: 'u32', shape: [], doc: 'corridors done' },
      { name: 'x', type: 'u32', shape: [], doc: 'cells from the start of the corridor' },
      { name: 'length', type: 'u32', shape: [], doc: 'of this corridor' },
      { name: 'cue', type: 'u32', shape: [], doc: '0 left, 1 right' },
      { name: 'shown', type: 'u32', shape: [], doc: '1: this corridor shows its cue' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ]),
    frame: {
      kind: 'grid',
      width: length + 3,
      height: 5,
      agents: 1,
      headings: false,
      looks: ['empty', 'wall', 'floor', 'goal'],
      colours: COLOURS,
      view: 0,
    },
    references: [
      { name: 'optimal', value: corridors * (1 + STEP * way), source: 'exact: every turn right' },
      ...(c.rewriteRate === 1
        ? [
            {
              name: 'no memory',
              value: STEP * way * (2 - 2 ** (1 - corridors)),
              source: 'exact: always turns the same way, so each junction wins or loses 1 alike',
            },
          ]
        : []),
    ],
    keys: [
      ['ArrowUp', 'w'],
      ['ArrowLeft', 'a'],
      ['ArrowRight', 'd'],
    ],
    idleAction: null,
    core: (rows, draws, batch) => core(c, maxSteps, rows, draws, batch),
    expert: () => expert(),
  };
}

const [CORRIDOR, X, LENGTH, CUE, SHOWN, STEPS] = [0, 1, 2, 3, 4, 5] as const;

function core(c: MemoryConfig, maxSteps: number, rows: StateRows, draws: Draws, batch: number): Core {
  const { words, wordStride } = rows;
  const width = c.length + 3;
  const observe = (row: number, { obs }: StepBuffers) => {
    const s = row * wordStride;
    const x = words[s + X]!;
    const shown = x === 0 && words[s + SHOWN] === 1;
    obs[3 * row] = x / words[s + LENGTH]!;
    obs[3 * row + 1] = shown && words[s + CUE] === 0 ? 1 : 0;
    obs[3 * row + 2] = shown && words[s + CUE] === 1 ? 1 : 0;
  };
  const enter = (row: number, s: number, first: boolean) => {
    words[s + X] = 0;
    words[s + LENGTH] = c.randomLength ? 1 + draws.int(row, c.length, 'length') : c.length;
    const fresh = first || (c.rewriteRate > 0 && draws.uniform(row, 'rewrite') < c.rewriteRate);
    if (fresh) words[s + CUE] = draws.int(row, 2, 'cue');
    words[s + SHOWN] = fresh ? 1 : 0;
  };
  return {
    start(row) {
      const s = row * wordStride;
      words[s + CORRIDOR] = 0;
      words[s + STEPS] = 0;
      enter(row, s, true);
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        const s = row * wordStride;
        const x = words[s + X]!;
        const action = actions[row]!;
        const steps = words[s + STEPS]! + 1;
        words[s + STEPS] = steps;
        let over = false;
        if (x < words[s + LENGTH]!) {
          if (action === FORWARD) words[s + X] = x + 1;
          out.reward[row] = STEP;
        } else if (action === TURN + words[s + CUE]!) {
          const done = words[s + CORRIDOR]! + 1;
          words[s + CORRIDOR] = done;
          over = done === c.corridors;
          out.reward[row] = 1;
          if (!over) enter(row, s, false);
        } else {
          over = true;
          out.reward[row] = -1;
        }
        out.terminated[row] = over ? 1 : 0;
        out.truncated[row] = steps >= maxSteps ? 1 : 0;
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      const s = row * wordStride;
      checkCell(words[s + LENGTH]! - 1, c.length, 'length');
      checkCell(words[s + X]!, words[s + LENGTH]! + 1, 'x');
      checkCell(words[s + CUE]!, 2, 'cue');
    },
    frame(row, out) {
      const s = row * wordStride;
      const x = words[s + X]!;
      const end = words[s + LENGTH]! + 1;
      out.fill(0);
      for (let i = 0; i < 5 * width; i++) {
        const [column, line] = [i % width, Math.floor(i / width)];
        const arm = column === end && line > 0 && line < 4;
        out[3 * i] = arm && line !== 2 ? 3 : arm || (line === 2 && column > 0 && column <= end) ? 0 : 1;
        out[3 * i + 1] = 5;
      }
      if (x === 0 && words[s + SHOWN] === 1) {
        out[3 * (2 * width + 1)] = 2;
        out[3 * (2 * width + 1) + 1] = words[s + CUE] === 0 ? 1 : 0; // green: left (up in the picture), red: right
      }
      const a = 15 * width;
      out[a] = x + 1;
      out[a + 1] = 2;
      out[a + 5] = 1;
    },
    cellOf: (row) => 2 * width + 1 + words[row * wordStride + X]!,
    placements(row) {
      const s = row * wordStride;
      const x = words[s + X]!;
      const out = Array.from({ length: words[s + LENGTH]! + 1 }, (_, i) => {
        words[s + X] = i;
        return { cell: 2 * width + 1 + i, state: rows.save(row) };
      });
      words[s + X] = x;
      return out;
    },
  };
}

function expert(): ScriptedPolicy {
  let cues = new Int32Array(0);
  return {
    act(env, { obs }, out) {
      if (cues.length !== env.batch) cues = new Int32Array(env.batch).fill(TURN);
      for (let row = 0; row < env.batch; row++) {
        if (obs[3 * row + 1] === 1) cues[row] = TURN;
        else if (obs[3 * row + 2] === 1) cues[row] = TURN + 1;
        out[row] = obs[3 * row] === 1 ? cues[row]! : FORWARD;
      }
    },
  };
}
