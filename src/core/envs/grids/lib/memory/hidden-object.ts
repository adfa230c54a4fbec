/**
 * Hidden objects (Color-Cubes of Shchendrigin et al. 2026): a square room with objects of different colours, which are seen only when
 * a colour is asked for; then they are hidden, and the agent has to walk to where the object asked for is. There +1, the object goes to
 * a random free cell, another colour is asked for and everything is shown again; won after `phases` finds. With rewriteRate, in each
 * step one of the other objects may move to a random free cell; the objects are shown in that moment (all, or only where they are).
 * Obs, each 0 or 1: the agent's cell, cells with an object, for each object its cell, the object asked for. Hidden: zeros.
 * Actions up, right, down, left. The source gives no numbers for the room and its limits; they are ours.
 */
import { checkCell } from '#core/envs/api/checks.ts';
import type { Draws } from '#core/envs/api/draws.ts';
import type { Core } from '#core/envs/api/environment.ts';
import { badConfig } from '#core/envs/api/parse.ts';
import { defineState, type StateRows } from '#core/envs/api/state.ts';
import type { ScriptedPolicy, StepBuffers } from '#core/envs/api/types.ts';
import { COLOURS, type MemoryConfig, type MemoryTask } from './config.ts';

const LIMIT = 8; // times the side of the room, for each find
const HIDDEN = 0;
const ALL = 1;
const PLACES = 2;
const [UP, RIGHT, DOWN, LEFT] = [0, 1, 2, 3];

/** Throws LabError('config-invalid') where the objects do not fit. */
export function hiddenObject(c: MemoryConfig): MemoryTask {
  const { size, objects } = c;
  const cells = size * size;
  if (objects + 2 > cells) throw badConfig('objects', 'So many objects do not fit.', 'Fewer objects or a larger room.');
  const maxSteps = c.maxSteps ?? LIMIT * size * c.phases;
  return {
    obs: { kind: 'box', shape: [cells * (2 + objects) + objects], low: 0, high: 1 },
    action: { kind: 'discrete', n: 4, labels: ['up', 'right', 'down', 'left'] },
    gamma: 0.99,
    maxSteps,
    state: defineState(1, [
      { name: 'agent', type: 'u32', shape: [], doc: 'cell of the agent, row by row' },
      { name: 'target', type: 'u32', shape: [], doc: 'object asked for' },
      { name: 'found', type: 'u32', shape: [], doc: 'objects found so far' },
      { name: 'shown', type: 'u32', shape: [], doc: '0 hidden, 1 all is shown, 2 only where objects are' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
      { name: 'objects', type: 'u32', shape: [objects], doc: 'cell of each object' },
    ]),
    frame: {
      kind: 'grid',
      width: size + 2,
      height: size + 2,
      agents: 1,
      headings: false,
      looks: ['empty', 'wall', 'ball', 'box'],
      colours: COLOURS,
      view: 0,
    },
    references: [{ name: 'optimal', value: c.phases, source: 'exact, where the step limit allows it: every object is found' }],
    keys: [
      ['ArrowUp', 'w'],
      ['ArrowRight', 'd'],
      ['ArrowDown', 's'],
      ['ArrowLeft', 'a'],
    ],
    idleAction: null,
    core: (rows, draws, batch) => core(c, maxSteps, rows, draws, batch),
    expert: () => expert(c),
  };
}

const [AGENT, TARGET, FOUND, SHOWN, STEPS, OBJECTS] = [0, 1, 2, 3, 4, 5] as const;

function core(c: MemoryConfig, maxSteps: number, rows: StateRows, draws: Draws, batch: number): Core {
  const { size, objects } = c;
  const cells = size * size;
  const width = cells * (2 + objects) + objects;
  const { words, wordStride } = rows;

  const observe = (row: number, { obs }: StepBuffers) => {
    const s = row * wordStride;
    const o = row * width;
    const shown = words[s + SHOWN]!;
    obs.fill(0, o, o + width);
    obs[o + words[s + AGENT]!] = 1;
    if (shown !== HIDDEN)
      for (let i = 0; i < objects; i++) {
        const at = words[s + OBJECTS + i]!;
        obs[o + cells + at] = 1;
        if (shown === ALL) obs[o + (2 + i) * cells + at] = 1;
      }
    obs[o + (2 + objects) * cells + words[s + TARGET]!] = 1;
  };
  /** A random cell without agent and objects; `count` objects are placed already. */
  const freeCell = (row: number, s: number, count: number): number => {
    for (;;) {
      const at = draws.int(row, cells, 'cell');
      let free = at !== words[s + AGENT];
      for (let i = 0; i < count; i++) if (words[s + OBJECTS + i] === at) free = false;
      if (free) return at;
    }
  };
  return {
    start(row) {
      const s = row * wordStride;
      words[s + AGENT] = draws.int(row, cells, 'cell');
      for (let i = 0; i < objects; i++) words[s + OBJECTS + i] = freeCell(row, s, i);
      words[s + TARGET] = draws.int(row, objects, 'target');
      words[s + FOUND] = 0;
      words[s + SHOWN] = ALL;
      words[s + STEPS] = 0;
    },
    step(actions, out) {
      for (let row = 0; row < batch; row++) {
        const s = row * wordStride;
        const action = actions[row]!;
        const steps = words[s + STEPS]! + 1;
        words[s + STEPS] = steps;
        const at = words[s + AGENT]!;
        const x = at % size;
        const y = (at - x) / size;
        let to = at;
        if (action === UP && y > 0) to = at - size;
        else if (action === RIGHT && x < size - 1) to = at + 1;
        else if (action === DOWN && y < size - 1) to = at + size;
        else if (action === LEFT && x > 0) to = at - 1;
        words[s + AGENT] = to;
        words[s + SHOWN] = HIDDEN;
        const target = words[s + TARGET]!;
        let over = false;
        out.reward[row] = 0;
        if (words[s + OBJECTS + target] === to) {
          const found = words[s + FOUND]! + 1;
          words[s + FOUND] = found;
          out.reward[row] = 1;
          over = found === c.phases;
          if (!over) {
            words[s + OBJECTS + target] = freeCell(row, s, objects);
            words[s + TARGET] = draws.int(row, objects, 'target');
            words[s + SHOWN] = ALL;
          }
        } else if (c.rewriteRate > 0 && objects > 1 && draws.uniform(row, 'rewrite') < c.rewriteRate) {
          const other = draws.int(row, objects - 1, 'object');
          words[s + OBJECTS + (other < target ? other : other + 1)] = freeCell(row, s, objects);
          words[s + SHOWN] = c.fullUpdates ? ALL : PLACES;
        }
        out.terminated[row] = over ? 1 : 0;
        out.truncated[row] = steps >= maxSteps ? 1 : 0;
        observe(row, out);
      }
    },
    observe,
    loaded(row) {
      const s = row * wordStride;
      checkCell(words[s + AGENT]!, cells, 'agent');
      checkCell(words[s + TARGET]!, objects, 'target');
      checkCell(words[s + SHOWN]!, 3, 'shown');
      for (let i = 0; i < objects; i++) checkCell(words[s + OBJECTS + i]!, cells, 'objects');
    },
    frame(row, out) {
      const s = row * wordStride;
      const side = size + 2;
      const place = (cell: number) => (Math.floor(cell / size) + 1) * side + (cell % size) + 1;
      out.fill(0);
      for (let i = 0; i < side * side; i++) {
        const [x, y] = [i % side, Math.floor(i / side)];
        if (x === 0 || y === 0 || x === side - 1 || y === side - 1) out[3 * i] = 1;
        out[3 * i + 1] = 5;
      }
      const shown = words[s + SHOWN]!;
      if (shown !== HIDDEN)
        for (let i = 0; i < objects; i++) {
          const at = 3 * place(words[s + OBJECTS + i]!);
          out[at] = shown === ALL ? 2 : 3;
          out[at + 1] = shown === ALL ? i : 5;
        }
      const a = 3 * side * side;
      const agent = words[s + AGENT]!;
      out[a] = (agent % size) + 1;
      out[a + 1] = Math.floor(agent / size) + 1;
      out[a + 3] = 2; // it carries the colour it looks for
      out[a + 4] = words[s + TARGET]!;
      out[a + 5] = 1;
    },
    cellOf(row) {
      const agent = words[row * wordStride + AGENT]!;
      return (Math.floor(agent / size) + 1) * (size + 2) + (agent % size) + 1;
    },
    placements(row) {
      const at = row * wordStride + AGENT;
      const agent = words[at]!;
      const out = Array.from({ length: cells }, (_, i) => {
        words[at] = i;
        return { cell: (Math.floor(i / size) + 1) * (size + 2) + (i % size) + 1, state: rows.save(row) };
      });
      words[at] = agent;
      return out;
    },
  };
}

/** Remembers where each object was last seen, walks there, and sweeps the room where that turns out to be wrong. */
function expert(c: MemoryConfig): ScriptedPolicy {
  const { size, objects } = c;
  const cells = size * size;
  const width = cells * (2 + objects) + objects;
  let seen: Int32Array[] = [];
  return {
    act(env, { obs }, out) {
      if (seen.length !== env.batch) seen = Array.from({ length: env.batch }, () => new Int32Array(objects).fill(-1));
      for (let row = 0; row < env.batch; row++) {
        const view = obs.subarray(row * width, (row + 1) * width);
        const memory = seen[row] as Int32Array;
        for (let i = 0; i < objects; i++) {
          const at = view.subarray((2 + i) * cells, (3 + i) * cells).indexOf(1);
          if (at >= 0) memory[i] = at;
        }
        const agent = view.indexOf(1);
        const target = memory[view.indexOf(1, (2 + objects) * cells) - (2 + objects) * cells]!;
        if (target < 0 || target === agent) out[row] = sweep(agent, size);
        else {
          const dx = (target % size) - (agent % size);
          out[row] = dx > 0 ? RIGHT : dx < 0 ? LEFT : target > agent ? DOWN : UP;
        }
      }
    },
  };
}

/** Row by row, back and forth. */
function sweep(agent: number, size: number): number {
  const [x, y] = [agent % size, Math.floor(agent / size)];
  const toRight = y % 2 === 0;
  if (toRight ? x < size - 1 : x > 0) return toRight ? RIGHT : LEFT;
  return y < size - 1 ? DOWN : UP;
}
