/**
 * A point that looks for its goal in a maze, with walls in closed form: as quick as a table, and in free space the motion of its references.
 * Lengths in cells (4 m in OGBench), (0, 0) the lower left corner, y up. Obs x, y (of a pushed mass also its velocity), goal x, y.
 * Actions right, up in [-1, 1]. steered: place += 0.05 action, radius 0.175 (OGBench pointmaze). pushed: velocity cut to 5 a second,
 * v += 0.01 (100 a - v) / (m + 0.01), place += 0.01 v, m = 4.19, radius 0.1 (Gymnasium-Robotics PointMaze). Walls: mazes/lib/walls.ts, hard and
 * without friction; there they are soft. Starts and goals lie within a quarter cell of a cell's middle. Reward by `reward`, from the place after
 * the step; a reached goal ends the episode, or is replaced as the next step begins (`episodes`). Truncates at `maxSteps`. A person may
 * put the goal elsewhere. Sources: OGBench 1.2.1 `locomaze`; Gymnasium-Robotics 1.4.2 `envs/maze`. The references themselves: point-maze,
 * ogbench-point-maze.
 */
import type { Pull } from '#contract/game/frames.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import { sqrt } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows } from '../api/state.ts';
import type { ScriptedPolicy, StepBuffers } from '../api/types.ts';
import { directionTo } from '../lib/maze/expert.ts';
import { cellAt, type Places, xOfCell, yOfCell } from '../lib/maze/places.ts';
import { noiseOf } from '../lib/maze/task.ts';
import { stitchGoals, vertexCells, Ways } from '../lib/maze/ways.ts';
import {
  AT,
  type Config,
  config,
  endsAtGoal,
  latticeOf,
  mazeState,
  meta,
  PUSH,
  paid,
  presets,
  REACH,
  radiusOf,
  type World,
  wallRuns,
  worldOf,
} from './lib/config.ts';
import { ShortestWays } from './lib/shortest.ts';
import { createWalls } from './lib/walls.ts';

const WALL_HALF = 0.5;
const FRAME_WIDTH = 6; // numbers of a point
const GREY = 7; // of the palette: the colour of things

const placesOf = ({ maze: { rows, columns } }: World): Places => ({
  rows,
  columns,
  side: 1,
  left: 0.5,
  top: rows - 0.5,
  down: -1,
  cut: 'floor',
});

const between = (x: number, y: number, toX: number, toY: number): number => sqrt((x - toX) * (x - toX) + (y - toY) * (y - toY));

/** The shortest way along the cells, cells: from a place over the middles of those between to another place. */
function wayLength(ways: Ways, places: Places, x: number, y: number, goalX: number, goalY: number): number {
  const [from, to] = [cellAt(places, x, y), cellAt(places, goalX, goalY)];
  const steps = ways.to(to)[from]!;
  if (steps < 2) return between(x, y, goalX, goalY);
  const [first, last] = [ways.next(from, to), ways.next(to, from)];
  const ends =
    between(x, y, xOfCell(places, first), yOfCell(places, first)) + between(xOfCell(places, last), yOfCell(places, last), goalX, goalY);
  return ends + steps - 2;
}

/** A number that differs with every state of a row and is the same for the same one: seeds a script's noise. */
function hashOf(bytes: Uint8Array): number {
  let h = 0x811c9dc5;
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193);
  return h >>> 0;
}

/** The way-point expert, with noise of this deviation; without, it ends in a straight line. */
function walker(c: Config, noise: number): ScriptedPolicy {
  const world = worldOf(c);
  const places = placesOf(world);
  const ways = new Ways(world.maze);
  const desired = meta(c).goals?.desired ?? 0;
  const direction = new Float64Array(2);
  const rng = Rng.from(0);
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const at = row * env.meta.obsSize;
        const [x, y, goalX, goalY] = [obs[at]!, obs[at + 1]!, obs[at + desired]!, obs[at + desired + 1]!];
        if (noise === 0 && cellAt(places, x, y) === cellAt(places, goalX, goalY)) {
          const far = Math.max(between(x, y, goalX, goalY), REACH);
          direction[0] = (goalX - x) / far;
          direction[1] = (goalY - y) / far;
        } else directionTo(ways, places, x, y, goalX, goalY, direction, 0);
        if (noise > 0) rng.reseed(hashOf(env.save(row)));
        for (let d = 0; d < 2; d++) {
          const wanted = direction[d]! + (noise > 0 ? noise * normal(rng) : 0);
          out[2 * row + d] = Math.min(1, Math.max(-1, wanted));
        }
      }
    },
  };
}

export const quickPointMaze = defineEnv<Config>({
  spec: {
    id: 'quick-point-maze',
    version: 1,
    title: 'Point maze, quick',
    summary: 'A point finds the way to any goal in a maze; put the goal where you like.',
    source: {
      title: 'OGBench: Benchmarking Offline Goal-Conditioned RL',
      authors: 'Park et al.',
      year: 2025,
      url: 'https://arxiv.org/abs/2410.20092',
    },
    config,
    checkNew: checkMaps,
    recommended: { algo: 'hiql', preset: 'small', steps: 3000 },
    presets,
    meta,
  },
  create(given, batch, options) {
    const c = { ...given };
    const m = meta(c);
    const world = worldOf(c);
    const { maze, tasks } = world;
    const places = placesOf(world);
    const ways = new Ways(maze);
    const walls = createWalls(world.rows, radiusOf(c));
    const shortest = new ShortestWays(world.rows, radiusOf(c), REACH);
    const runs = wallRuns(world.rows);
    const lattice = latticeOf(world.rows);
    const vertices = vertexCells(maze);
    const goalCells = c.episodes === 'navigate' && vertices.length > 1 ? vertices : maze.goals;
    const pushed = c.body === 'pushed';
    const ends = endsAtGoal(c);
    const O = m.obsSize;
    const desired = O - 2;
    const rows = allocateRows(mazeState, batch);
    const { floats, words, floatStride, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const pulls = new Map<number, Pull>();

    const put = (row: number, cell: number, at: number, name: string) => {
      floats[at] = xOfCell(places, cell) + noiseOf(draws.uniform(row, name));
      floats[at + 1] = yOfCell(places, cell) + noiseOf(draws.uniform(row, name));
    };
    /** A new goal was set: ways are measured from here. */
    const begin = (s: number) => {
      floats[s + AT.way] = 0;
      floats[s + AT.straight] = wayLength(ways, places, floats[s]!, floats[s + 1]!, floats[s + AT.goal]!, floats[s + AT.goal + 1]!);
    };
    /** Draws a goal in another cell than the disc's; where there is only that one, there. */
    const drawGoal = (row: number, cells: readonly number[]) => {
      const s = row * floatStride;
      const here = cellAt(places, floats[s]!, floats[s + 1]!);
      const others = cells.length > 1 || cells[0] !== here;
      let cell = here;
      do cell = cells[draws.int(row, cells.length, 'goal')]!;
      while (others && cell === here);
      put(row, cell, s + AT.goal, 'goal noise');
    };
    const distance = (s: number) => between(floats[s]!, floats[s + 1]!, floats[s + AT.goal]!, floats[s + AT.goal + 1]!);
    const observe = (row: number, { obs }: StepBuffers) => {
      const s = row * floatStride;
      const at = row * O;
      obs[at] = floats[s]!;
      obs[at + 1] = floats[s + 1]!;
      if (pushed) {
        obs[at + 2] = floats[s + AT.velocity]!;
        obs[at + 3] = floats[s + AT.velocity + 1]!;
      }
      obs[at + desired] = floats[s + AT.goal]!;
      obs[at + desired + 1] = floats[s + AT.goal + 1]!;
    };
    /** A person's goal, where it lies in a free cell. */
    const place = (row: number, pull: Pull) => {
      const [x, y] = pull.to;
      if (pull.part !== runs.length || !(x >= 0 && y >= 0 && x < maze.columns && y < maze.rows)) return;
      if (maze.walls[cellAt(places, x, y)] === 1) return;
      const s = row * floatStride;
      floats[s + AT.goal] = x;
      floats[s + AT.goal + 1] = y;
      words[row * wordStride + AT.there] = 0;
      begin(s);
    };
    const move = (s: number, right: number, up: number) => {
      const v = s + AT.velocity;
      if (!pushed) {
        floats[s] = floats[s]! + REACH * right;
        floats[s + 1] = floats[s + 1]! + REACH * up;
        walls.settle(floats, s, -1);
        return;
      }
      const { dt, force, damping, mass, topSpeed } = PUSH;
      for (let d = 0; d < 2; d++) {
        const speed = Math.min(topSpeed, Math.max(-topSpeed, floats[v + d]!));
        floats[v + d] = speed + (dt * (force * (d === 0 ? right : up) - damping * speed)) / (mass + dt * damping);
        floats[s + d] = floats[s + d]! + dt * floats[v + d]!;
      }
      walls.settle(floats, s, v);
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * floatStride;
        floats.fill(0, s, s + floatStride);
        const task = tasks.length > 0 ? tasks[draws.int(row, tasks.length, 'task')]! : null;
        const starts = ends ? maze.starts : maze.free;
        const from = task?.start ?? starts[draws.int(row, starts.length, 'start')]!;
        put(row, from, s, 'start noise');
        if (task !== null) put(row, task.goal, s + AT.goal, 'goal noise');
        else drawGoal(row, c.episodes === 'stitch' ? stitchGoals(maze, from) : goalCells);
        begin(s);
        words.fill(0, row * wordStride, row * wordStride + 3);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * floatStride;
          const w = row * wordStride;
          if (words[w + AT.there] === 1 && c.episodes === 'navigate') {
            drawGoal(row, goalCells);
            begin(s);
          }
          const pull = pulls.get(row);
          if (pull !== undefined) place(row, pull);
          const [x, y] = [floats[s]!, floats[s + 1]!];
          move(s, Math.min(1, Math.max(-1, actions[2 * row]!)), Math.min(1, Math.max(-1, actions[2 * row + 1]!)));
          const was = words[w + AT.there];
          const there = distance(s) <= c.goalRadius;
          if (was === 0 || c.episodes === 'navigate') floats[s + AT.way] = floats[s + AT.way]! + between(x, y, floats[s]!, floats[s + 1]!);
          words[w + AT.there] = there ? 1 : 0;
          if (there && (was === 0 || c.episodes === 'navigate')) words[w + AT.reached] = words[w + AT.reached]! + 1;
          const steps = words[w + AT.steps]! + 1;
          words[w + AT.steps] = steps;
          out.reward[row] = paid(c.reward, there);
          out.terminated[row] = there && ends ? 1 : 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      configure: (next) => void Object.assign(c, next),
      goalReward: (achieved, a, wanted, d) =>
        paid(c.reward, between(achieved[a]!, achieved[a + 1]!, wanted[d]!, wanted[d + 1]!) <= c.goalRadius),
      goalDistance: (obs, at) => shortest.steps(obs[at]!, obs[at + 1]!, obs[at + desired]!, obs[at + desired + 1]!),
      latticeObs(row, out) {
        const { columns, lines } = lattice;
        const s = row * floatStride;
        const [goalX, goalY] = [floats[s + AT.goal]!, floats[s + AT.goal + 1]!];
        for (let point = 0; point < columns * lines; point++) {
          const at = point * O;
          const x = (((point % columns) + 0.5) * maze.columns) / columns;
          const y = ((Math.floor(point / columns) + 0.5) * maze.rows) / lines;
          if (!shortest.fits(x, y)) {
            out.fill(Number.NaN, at, at + O);
            continue;
          }
          out.fill(0, at, at + O); // a pushed mass rests
          out[at] = x;
          out[at + 1] = y;
          out[at + desired] = goalX;
          out[at + desired + 1] = goalY;
        }
      },
      pull(row, pull) {
        if (pull === null) pulls.delete(row);
        else pulls.set(row, pull);
      },
      measure(row, out, at) {
        const s = row * floatStride;
        const reached = words[row * wordStride + AT.reached]!;
        out[at] = reached > 0 ? 1 : 0;
        out[at + 1] =
          words[row * wordStride + AT.there] === 1 && ends ? floats[s + AT.way]! / Math.max(floats[s + AT.straight]!, REACH) : Number.NaN;
      },
      frame(row, out) {
        const s = row * floatStride;
        let at = 0;
        const point = (x: number, y: number, z: number, radius: number, colour: number) => {
          out.set([x, y, z, 0, radius, colour], at);
          at += FRAME_WIDTH;
        };
        for (const [left, length, from] of runs) point(left + length / 2, from + WALL_HALF, WALL_HALF, length / 2, GREY);
        point(floats[s + AT.goal]!, floats[s + AT.goal + 1]!, 0, c.goalRadius, 1);
        point(floats[s]!, floats[s + 1]!, 0, radiusOf(c), 0);
        out[at] = words[row * wordStride + AT.reached]!;
        out[at + 1] = shortest.steps(floats[s]!, floats[s + 1]!, floats[s + AT.goal]!, floats[s + AT.goal + 1]!);
      },
    });
  },
  policies: { 'way-points': (c) => walker(c, c.expertNoise), exact: (c) => walker(c, 0) },
});
