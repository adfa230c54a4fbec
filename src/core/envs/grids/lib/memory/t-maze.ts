/**
 * T-maze (Bakker 2002, "Reinforcement learning with long short-term memory"): the cue at the start of a corridor shows which way to
 * turn at its end. Obs 3 numbers: at the start 0 1 1 (the prize is up) or 1 1 0 (down), in the corridor 1 0 1, at the junction 0 1 0;
 * with noise the corridor shows a 0 b, a and b uniform in [0, 1). Actions up, right, down, left. Turning the right way +4, the wrong
 * way -0.1, both end; standing still -0.1; else 0. Added: with rewriteRate, each step that ends in the corridor may bring a new cue,
 * drawn alike, shown there for one step instead of 1 0 1; only the last cue counts. The start always shows the cue that holds.
 */
import { checkCell } from '#core/envs/api/checks.ts';
import type { Draws } from '#core/envs/api/draws.ts';
import type { Core } from '#core/envs/api/environment.ts';
import { defineState, type StateRows } from '#core/envs/api/state.ts';
import type { ScriptedPolicy, StepBuffers } from '#core/envs/api/types.ts';
import { COLOURS, type MemoryConfig, type MemoryTask } from './config.ts';

const [UP, RIGHT, DOWN, LEFT] = [0, 1, 2, 3];
const PRIZE = 4;
const COST = -0.1;
const LIMIT = 4; // times the way

export function tMaze(c: MemoryConfig): MemoryTask {
  const { length } = c;
  const maxSteps = c.maxSteps ?? LIMIT * (length + 1);
  const width = length + 3;
  return {
    obs: { kind: 'box', shape: [3], low: 0, high: 1 },
    action: { kind: 'discrete', n: 4, labels: ['up', 'right', 'down', 'left'] },
    gamma: 0.98,
    maxSteps,
    state: defineState(1, [
      { name: 'noise', type: 'f64', shape: [2], doc: 'the random numbers seen in the corridor' },
      { name: 'x', type: 'u32', shape: [], doc: 'cells from the start' },
      { name: 'cue', type: 'u32', shape: [], doc: '0 up, 1 down' },
      { name: 'shown', type: 'u32', shape: [], doc: '1: a new cue is shown in the corridor' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    ]),
    frame: {
      kind: 'grid',
      width,
      height: 5,
      agents: 1,
      headings: false,
      looks: ['empty', 'wall', 'floor', 'goal'],
      colours: COLOURS,
      view: 0,
    },
    references: [
      { name: 'optimal', value: PRIZE, source: 'exact: every turn right' },
      { name: 'no memory', value: (PRIZE + COST) / 2, source: 'exact: walks to the junction and always turns the same way' },
    ],
    keys: [
      ['ArrowUp', 'w'],
      ['ArrowRight', 'd'],
      ['ArrowDown', 's'],
      ['ArrowLeft', 'a'],
    ],
    idleAction: null,
    core: (rows, draws, batch) => core(c, maxSteps, rows, draws, batch),
    expert: () => expert(),
  };
}

const [X, CUE, SHOWN, STEPS] = [0, 1, 2, 3] as const;

function core(c: MemoryConfig, maxSteps: number, rows: StateRows, draws: Draws, batch: number): Core {
  const { length } = c;
  const { words, floats, wordStride } = rows;
  const width = length + 3;
  const inCorridor = (x: number) => x > 0 && x < length;
  const observe = (row: number, { obs }: StepBuffers) => {
    const s = row * wordStride;
    const x = words[s + X]!;
    const cue = words[s + CUE]!;
    const o = 3 * row;
    if (x === 0 || (inCorridor(x) && words[s + SHOWN] === 1)) {
      obs[o] = cue;
      obs[o + 1] = 1;
      obs[o + 2] = 1 - cue;
    } else if (x === length) {
      obs[o] = 0;
      obs[o + 1] = 1;
      obs[o + 2] = 0;
    } else {
      obs[o] = c.noise ? floats[2 * row]! : 1;
      obs[o + 1] = 0;
      obs[o + 2] = c.noise ? floats[2 * row + 1]! : 1;
    }
  };
  /** The corridor after a step: a new cue, noise. */
  const pass = (row: number, s: number) => {
    words[s + SHOWN] = 0;
    if (!inCorridor(words[s + X]!)) return;
    if (c.rewriteRate > 0 && draws.uniform(row, 'rewrite') < c.rewriteRate) {
      words[s + CUE] = draws.int(row, 2, 'cue');
      words[s + SHOWN] = 1;
    }
    if (!c.noise) return;
    floats[2 * row] = draws.uniform(row, 'noise');
    floats[2 * row + 1] = draws.uniform(row, 'noise');
  };
  return {
    start(row) {
      const s = row * wordStride;
      words.fill(0, s, s + 4);
      floats.fill(0, 2 * row, 2 * row + 2);
      words[s + CUE] = draws.int(row, 2, 'cue');
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        const s = row * wordStride;
        const x = words[s + X]!;
        const action = actions[row]!;
        const steps = words[s + STEPS]! + 1;
        words[s + STEPS] = steps;
        const turned = x === length && (action === UP || action === DOWN);
        const to = turned ? x : action === RIGHT && x < length ? x + 1 : action === LEFT && x > 0 ? x - 1 : x;
        words[s + X] = to;
        if (turned) out.reward[row] = (action === UP) === (words[s + CUE] === 0) ? PRIZE : COST;
        else out.reward[row] = to === x ? COST : 0;
        out.terminated[row] = turned ? 1 : 0;
        out.truncated[row] = steps >= maxSteps ? 1 : 0;
        pass(row, s);
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      const s = row * wordStride;
      checkCell(words[s + X]!, length + 1, 'x');
      checkCell(words[s + CUE]!, 2, 'cue');
    },
    frame(row, out) {
      const s = row * wordStride;
      const x = words[s + X]!;
      const signed = x === 0 || (inCorridor(x) && words[s + SHOWN] === 1);
      out.fill(0);
      for (let i = 0; i < 5 * width; i++) {
        const [column, line] = [i % width, Math.floor(i / width)];
        const arm = column === length + 1 && line > 0 && line < 4;
        const corridor = line === 2 && column > 0 && column <= length + 1;
        out[3 * i] = arm || corridor ? 0 : 1;
        out[3 * i + 1] = 5;
        if (arm && line !== 2) out[3 * i] = 3; // two ends that look alike
      }
      if (signed) {
        const at = 3 * (2 * width + 1 + x);
        out[at] = 2;
        out[at + 1] = words[s + CUE] === 0 ? 1 : 0; // green: up, red: down
      }
      const a = 15 * width;
      out[a] = x + 1;
      out[a + 1] = 2;
      out[a + 5] = 1;
    },
    cellOf: (row) => 2 * width + 1 + words[row * wordStride + X]!,
    placements(row) {
      const at = row * wordStride + X;
      const x = words[at]!;
      const out = Array.from({ length: length + 1 }, (_, i) => {
        words[at] = i;
        return { cell: 2 * width + 1 + i, state: rows.save(row) };
      });
      words[at] = x;
      return out;
    },
  };
}

function expert(): ScriptedPolicy {
  let cues = new Int32Array(0);
  return {
    act(env, { obs }, out) {
      if (cues.length !== env.batch) cues = new Int32Array(env.batch);
      for (let row = 0; row < env.batch; row++) {
        const [a, b, d] = [obs[3 * row], obs[3 * row + 1], obs[3 * row + 2]];
        if (b === 1 && a !== d) cues[row] = a === 1 ? DOWN : UP;
        out[row] = b === 1 && a === d ? cues[row]! : RIGHT;
      }
    },
  };
}
