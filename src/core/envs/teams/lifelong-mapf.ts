/**
 * Many agents on one map, each to its own target, without collisions. POGEMA. Obs per agent [3, D, D] with D = 2 obsRadius + 1 around
 * it: obstacles (with a frame around the map), agents (itself too), its target (far ones at the border of the window). Actions stay,
 * up, down, left, right. `onTarget` restart (lifelong): 1 per arrival and a new target at once, in the same connected part; finish:
 * 1 on arrival, then the agent leaves; nothing: 1 to all when all stand on their targets. Terminates when all are done, truncates at
 * `maxSteps`. Several that want one cell: teams/lib/mapf/moves.ts. Maps are drawn per episode. Differs: starts and targets lie in the
 * largest connected part (there in every part of two cells or more), and a target may lie on another agent's start. With soft collisions views miss who just followed an agent of a higher number, as in the reference. Central state:
 * obstacles, agents, targets. Throws LabError('config-invalid') if the agents do not fit.
 * Source: Skrynnik et al. 2024; `Cognitive-AI-Systems/pogema` at 2ed519e `grid.py`, `envs.py`, `grid_config.py`.
 */

import { checkMaps } from '#contract/game/map-check.ts';
import { fail } from '#contract/kit/errors.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { badConfig } from '../api/parse.ts';
import { allocateRows } from '../api/state.ts';
import type { StepBuffers } from '../api/types.ts';
import { type Config, config, LAYERS, meta, presets, sides } from './lib/mapf/config.ts';
import { listedTargets } from './lib/mapf/golden.ts';
import { DCOLUMN, DROW } from './lib/mapf/ground.ts';
import { drawMaze, drawRandom, fillWarehouse, label } from './lib/mapf/maps.ts';
import { type Crowd, resolve } from './lib/mapf/moves.ts';
import { greedyPlanner, horizonPlanner } from './lib/mapf/planner.ts';

const TRIES = 50;
const ACTIONS = [0, 1, 2, 3, 4] as const;

export const lifelongMapf = defineEnv<Config>({
  spec: {
    id: 'lifelong-mapf',
    version: 3,
    changes: [
      {
        version: 2,
        what: 'Where the last agent arrives exactly at the step limit, the episode is terminated and truncated, as in POGEMA; it was terminated only.',
        where: { onTarget: ['finish', 'nothing'] },
        rerun: true,
      },
      {
        version: 3,
        what: 'Sum of costs and makespan keep the earlier time of an agent that leaves its target in the very last step, as in POGEMA.',
        where: { onTarget: ['nothing'] },
        rerun: true,
      },
    ],
    title: 'Lifelong path finding',
    summary: 'Many agents on one map, always on the way to the next target, never into each other.',
    source: {
      title: 'POGEMA: a benchmark platform for cooperative multi-agent pathfinding',
      authors: 'Skrynnik et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2407.14931',
    },
    config,
    checkNew: checkMaps,
    presets,
    meta,
  },
  create(c, batch, options) {
    const m = meta(c);
    const [height, width] = sides(c);
    const cells = height * width;
    const A = c.agents;
    const R = c.obsRadius;
    const side = 2 * R + 1;
    const O = m.obsSize;
    const rows = allocateRows(m.state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const AGENTS = cells;
    const TARGETS = AGENTS + 2 * A;
    const ARRIVED = TARGETS + 2 * A;
    const UNSEEN = ARRIVED + A;
    const ARRIVALS = UNSEEN + A;
    const STEPS = ARRIVALS + 1;
    const parts = new Int32Array(batch * cells); // derived: connected part of each cell
    const stands = Array.from({ length: batch }, () => new Int32Array(cells)); // derived: who stands there, + 1
    const scratch = new Int32Array(cells);
    const was = new Int32Array(cells); // who stood there before the step
    const crowd: { -readonly [part in keyof Crowd]: Crowd[part] } = {
      at: new Int32Array(A),
      wants: new Int32Array(A),
      claims: new Int32Array(cells),
      stands: scratch,
    };
    const rowNames = Array.from({ length: A }, (_, i) => `target row ${i}`);
    const columnNames = Array.from({ length: A }, (_, i) => `target column ${i}`);
    const cellAt = (at: number) => words[at]! * width + words[at + 1]!;
    const put = (at: number, cell: number) => {
      words[at] = Math.floor(cell / width);
      words[at + 1] = cell % width;
    };
    const gone = (s: number, i: number) => c.onTarget === 'finish' && words[s + ARRIVED + i]! > 0;
    const layMap = (s: number) => {
      c.map?.forEach((text, y) => {
        for (let x = 0; x < width; x++) words[s + y * width + x] = text[x] === '#' ? 1 : 0;
      });
    };
    const settle = (row: number) => {
      const s = row * wordStride;
      const here = stands[row] as Int32Array;
      here.fill(0);
      for (let i = 0; i < A; i++) if (!gone(s, i)) here[cellAt(s + AGENTS + 2 * i)] = i + 1;
    };
    /** A map whose largest part has room for all agents and one cell more; returns the label of that part. */
    const prepare = (row: number, s: number): number => {
      const int = (n: number) => draws.int(row, n, 'map');
      for (let attempt = 0; attempt < TRIES; attempt++) {
        if (c.map !== null) layMap(s);
        else if (c.generator === 'random') drawRandom(width, c.density, int, words, s);
        else if (c.generator === 'maze') drawMaze(width, int, words, s, scratch);
        else fillWarehouse(width, words, s);
        const { largest, size } = label(width, height, words, s, parts, row * cells, scratch);
        if (size > A) return largest;
      }
      throw badConfig('agents', `The map has no room for ${A} agents.`, 'Take fewer agents, a larger map or a lower density.');
    };
    /** Whether agent i could enter the cell that an action leads to, if it were free; -1: no. */
    const towards = (s: number, from: number, action: number): number => {
      const y = Math.floor(from / width) + DROW[action]!;
      const x = (from % width) + DCOLUMN[action]!;
      if (y < 0 || x < 0 || y >= height || x >= width) return -1;
      const to = y * width + x;
      return words[s + to] === 0 ? to : -1;
    };
    /** A free cell of the part that this agent is in, other than its own; who is walled in keeps its target. */
    const nextTarget = (row: number, s: number, i: number) => {
      const own = cellAt(s + AGENTS + 2 * i);
      if (!ACTIONS.some((a) => a > 0 && towards(s, own, a) >= 0)) return;
      const part = parts[row * cells + own];
      let cell = own;
      while (cell === own || parts[row * cells + cell] !== part)
        cell = draws.int(row, height, rowNames[i] as string) * width + draws.int(row, width, columnNames[i] as string);
      put(s + TARGETS + 2 * i, cell);
    };

    const writeView = (row: number, s: number, i: number, target: Float32Array, from: number) => {
      const here = stands[row] as Int32Array;
      const y0 = words[s + AGENTS + 2 * i]! - R;
      const x0 = words[s + AGENTS + 2 * i + 1]! - R;
      const area = side * side;
      target.fill(0, from, from + LAYERS * area);
      for (let dy = 0; dy < side; dy++)
        for (let dx = 0; dx < side; dx++) {
          const [y, x] = [y0 + dy, x0 + dx];
          const at = from + dy * side + dx;
          if (y < -1 || x < -1 || y > height || x > width) continue; // as in the reference only a frame of one cell is shown outside
          if (y < 0 || x < 0 || y === height || x === width) target[at] = 1;
          else {
            target[at] = words[s + y * width + x]!;
            const who = here[y * width + x]!;
            if (who !== 0 && words[s + UNSEEN + who - 1] === 0) target[at + area] = 1;
          }
        }
      const ty = Math.min(side - 1, Math.max(0, words[s + TARGETS + 2 * i]! - y0));
      const tx = Math.min(side - 1, Math.max(0, words[s + TARGETS + 2 * i + 1]! - x0));
      target[from + 2 * area + ty * side + tx] = 1;
    };
    const observe = (row: number, out: StepBuffers) => {
      const s = row * wordStride;
      for (let i = 0; i < A; i++) {
        writeView(row, s, i, out.obs, (row * A + i) * O);
        const away = gone(s, i);
        if (out.alive) out.alive[row * A + i] = away ? 0 : 1;
        const cell = cellAt(s + AGENTS + 2 * i);
        if (out.mask) for (let a = 0; a < 5; a++) out.mask[(row * A + i) * 5 + a] = a === 0 || (!away && towards(s, cell, a) >= 0) ? 1 : 0;
      }
      if (out.state) {
        const at = row * LAYERS * cells;
        out.state.fill(0, at, at + LAYERS * cells);
        for (let cell = 0; cell < cells; cell++) {
          out.state[at + cell] = words[s + cell]!;
          if ((stands[row] as Int32Array)[cell] !== 0) out.state[at + cells + cell] = 1;
        }
        for (let i = 0; i < A; i++) if (!gone(s, i)) out.state[at + 2 * cells + cellAt(s + TARGETS + 2 * i)] = 1;
      }
    };
    /** Pays and marks arrivals; returns whether the task is done. */
    const arrive = (row: number, s: number, steps: number, reward: Float32Array): boolean => {
      let there = 0;
      for (let i = 0; i < A; i++) {
        reward[row * A + i] = 0;
        const arrived = s + ARRIVED + i;
        if (gone(s, i)) {
          there++;
          continue;
        }
        if (cellAt(s + AGENTS + 2 * i) !== cellAt(s + TARGETS + 2 * i)) {
          // the reference forgets the time only while the episode goes on
          if (c.onTarget !== 'nothing' || steps < c.maxSteps) words[arrived] = 0;
          continue;
        }
        there++;
        if (words[arrived] === 0) words[s + ARRIVALS] = words[s + ARRIVALS]! + 1;
        if (c.onTarget === 'restart') {
          reward[row * A + i] = 1;
          nextTarget(row, s, i);
          continue;
        }
        if (words[arrived] === 0) words[arrived] = steps;
        if (c.onTarget === 'finish') {
          reward[row * A + i] = 1;
          (stands[row] as Int32Array)[cellAt(s + AGENTS + 2 * i)] = 0;
        }
      }
      if (c.onTarget === 'restart' || there < A) return false;
      if (c.onTarget === 'nothing') reward.fill(1, row * A, (row + 1) * A);
      return true;
    };
    /** Whether an agent has done its task: it left the map, or stands on its target. */
    const solved = (s: number, i: number): boolean =>
      words[s + ARRIVED + i] !== 0 && (gone(s, i) || cellAt(s + AGENTS + 2 * i) === cellAt(s + TARGETS + 2 * i));
    const finished = (row: number): boolean => {
      const s = row * wordStride;
      for (let i = 0; i < A; i++) if (!solved(s, i)) return false;
      return c.onTarget !== 'restart';
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * wordStride;
        words.fill(0, s, s + STEPS + 1);
        const part = prepare(row, s);
        const draw = (name: string): number => {
          let cell = 0;
          do cell = draws.int(row, cells, name);
          while (parts[row * cells + cell] !== part);
          return cell;
        };
        const taken = (from: number, i: number, cell: number) => {
          for (let k = 0; k < i; k++) if (cellAt(from + 2 * k) === cell) return true;
          return false;
        };
        for (let i = 0; i < A; i++) {
          let cell = draw('start');
          while (taken(s + AGENTS, i, cell)) cell = draw('start');
          put(s + AGENTS + 2 * i, cell);
        }
        for (let i = 0; i < A; i++) {
          let cell = draw('target');
          while (cell === cellAt(s + AGENTS + 2 * i) || taken(s + TARGETS, i, cell)) cell = draw('target');
          put(s + TARGETS + 2 * i, cell);
        }
        settle(row);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const { at, wants } = crowd;
          for (let i = 0; i < A; i++) {
            const from = cellAt(s + AGENTS + 2 * i);
            const to = towards(s, from, actions[row * A + i]!);
            at[i] = gone(s, i) ? -1 : from;
            wants[i] = to < 0 ? from : to;
          }
          crowd.stands = stands[row] as Int32Array;
          if (c.collisionSystem === 'soft') was.set(crowd.stands);
          resolve(crowd, c.collisionSystem);
          for (let i = 0; i < A; i++) {
            const to = at[i]!;
            if (to < 0) continue;
            put(s + AGENTS + 2 * i, to);
            // the reference clears the cells that agents leave in their order, and with them the mark of the agent that came before
            words[s + UNSEEN + i] = was[to]! > i + 1 ? 1 : 0;
          }
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          const done = arrive(row, s, steps, out.reward);
          out.terminated[row] = done ? 1 : 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0; // both flags where the last arrives exactly at the limit, as TimeLimit sets them
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        layMap(s);
        for (let i = 0; i < cells; i++) checkCell(words[s + i]!, 2, 'obstacles');
        const here = new Set<number>();
        for (const [name, from] of [
          ['agents', s + AGENTS],
          ['targets', s + TARGETS],
        ] as const)
          for (let i = 0; i < A; i++) {
            checkCell(words[from + 2 * i]!, height, name);
            checkCell(words[from + 2 * i + 1]!, width, name);
            const cell = cellAt(from + 2 * i);
            if (words[s + cell] !== 0)
              throw fail('state-invalid', `State field "${name}" has one in an obstacle.`, 'Use free cells.', name);
            if (name === 'targets' || gone(s, i)) continue;
            if (here.has(cell)) throw fail('state-invalid', 'Two agents stand in one cell.', 'Put them apart.', name);
            here.add(cell);
          }
        label(width, height, words, s, parts, row * cells, scratch);
        settle(row);
      },
      frame(row, out) {
        const s = row * wordStride;
        out.fill(0);
        for (let cell = 0; cell < cells; cell++) out[3 * cell] = words[s + cell] === 1 ? 1 : 0;
        for (let i = 0; i < A; i++) {
          const at = 3 * cells + 6 * i;
          out[at] = words[s + AGENTS + 2 * i + 1]!;
          out[at + 1] = words[s + AGENTS + 2 * i]!;
          out[3 * cells + 6 * A + 2 * i] = words[s + TARGETS + 2 * i + 1]!;
          out[3 * cells + 6 * A + 2 * i + 1] = words[s + TARGETS + 2 * i]!;
          if (gone(s, i)) continue;
          out[at + 5] = 1;
          const target = 3 * cellAt(s + TARGETS + 2 * i);
          out[target] = 2;
          out[target + 1] = i % 6;
        }
      },
      measure(row, out, at) {
        const s = row * wordStride;
        const steps = words[s + STEPS]!;
        out.fill(Number.NaN, at, at + 5);
        if (c.onTarget === 'restart') {
          out[at] = words[s + ARRIVALS]! / steps;
          return;
        }
        let reached = 0;
        let sum = 0;
        let last = 0;
        for (let i = 0; i < A; i++) {
          const t = words[s + ARRIVED + i]!;
          if (solved(s, i)) reached++;
          sum += t > 0 ? t : steps;
          last = Math.max(last, t > 0 ? t : steps);
        }
        out[at + 1] = reached / A;
        out[at + 2] = reached === A ? 1 : 0;
        out[at + 3] = sum;
        out[at + 4] = last;
      },
      extras(row) {
        const s = row * wordStride;
        const steps = words[s + STEPS]!;
        const arrived = Array.from({ length: A }, (_, i) => words[s + ARRIVED + i]!);
        const times = arrived.map((t) => (t > 0 ? t : steps));
        const sum = times.reduce((a, b) => a + b, 0);
        const reached = arrived.filter((_, i) => solved(s, i)).length;
        const done = finished(row);
        return {
          state: { active: arrived.map((_, i) => !gone(s, i)) },
          terminated: arrived.map((_, i) => (c.onTarget === 'finish' ? gone(s, i) : done)),
          truncated: arrived.map(() => steps >= c.maxSteps),
          metrics: {
            ISR: reached / A,
            CSR: reached === A ? 1 : 0,
            ep_length: c.onTarget === 'finish' ? sum / A : steps,
            SoC: sum,
            makespan: Math.max(...times),
            throughput: steps > 0 ? words[s + ARRIVALS]! / steps : 0,
          },
        };
      },
      cellOf: (row) => cellAt(row * wordStride + AGENTS),
      placements(row) {
        const s = row * wordStride;
        const own = cellAt(s + AGENTS);
        const out: { cell: number; state: Uint8Array }[] = [];
        for (let cell = 0; cell < cells; cell++) {
          const there = (stands[row] as Int32Array)[cell]!;
          if (parts[row * cells + cell] !== parts[row * cells + own] || there > 1) continue;
          put(s + AGENTS, cell);
          out.push({ cell, state: rows.save(row) });
        }
        put(s + AGENTS, own);
        return out;
      },
    });
  },
  policies: { planner: horizonPlanner, greedy: greedyPlanner },
  golden: { draws: listedTargets },
});
