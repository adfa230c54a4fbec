/**
 * What is observed and paid in a maze: first what the reference observes, then where the body is (where that is not in it), then the goal.
 * The observed place and goal are kept: a new goal and a jump through a door come after the observation of their step, as in the references.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import type { GoalPlaces } from '../../../api/types.ts';
import type { Maze } from '../../../lib/maze/maps.ts';
import { type Places, xOfCell, yOfCell } from '../../../lib/maze/places.ts';
import { distanceOf, drawNextGoal, goalReward, type MazeDraws, noiseOf, REACHED } from '../../../lib/maze/task.ts';
import { ANT_PARTS } from '../ant.ts';
import { type Body, coordinatesOf } from '../mjcf.ts';
import { copy, forceLabels } from '../rules.ts';
import type { Draw, Row, Rules, Seen } from '../task.ts';

/** What is kept of a row: the observed goal and place, whether the goal was reached in this episode and in this step, then forces. */
const [DESIRED, SEEN, EVER, NOW, FORCES] = [0, 2, 4, 5, 6];
const CUT = 1; // of contact forces as observed

export interface MazeObservation {
  /** Positions and speeds that are observed: from which on. */
  readonly positions: number;
  readonly speeds: boolean;
  readonly forces: boolean;
}

/** How a step ends and what it pays. */
export interface MazeTask {
  /** Of the distance after the step, m, and before it; `now`: the goal is reached. */
  reached(after: number, before: number): boolean;
  reward(distance: number, reached: boolean): number;
  readonly ends: boolean;
  /** What changes when a step is over: a new goal at goal[at], another place at q. */
  after?(row: Row, reached: boolean, draw: Draw): void;
}

export const mazeDraws = (draw: Draw): MazeDraws => ({ index: draw.index, noise: (name) => noiseOf(draw.uniform(name)) });

/** Draws of PointMaze and AntMaze between steps: a new goal where `resetTarget` asks for one. */
export function gymnasiumTask(
  c: { readonly reward: 'sparse' | 'dense'; readonly continuing: boolean; readonly resetTarget: boolean },
  maze: Maze,
  places: Places,
): MazeTask {
  const renews = c.continuing && c.resetTarget && maze.goals.length > 1;
  return {
    reached: (after) => after <= REACHED,
    reward: (distance) => goalReward(c.reward, distance),
    ends: !c.continuing,
    ...(renews && {
      after({ floats, q, fixed }: Row, reached: boolean, draw: Draw) {
        if (reached) drawNextGoal(maze, places, mazeDraws(draw), floats[q]!, floats[q + 1]!, floats, fixed);
      },
    }),
  };
}

/** m: a body within this of the middle of a way in jumps. */
const DOOR = 1.5;

export interface Doors {
  readonly in: readonly number[];
  readonly out: readonly number[];
}

export function ogbenchTask(
  c: { readonly singleTask: boolean; readonly terminateAtGoal: boolean; readonly pre: boolean },
  near: number,
  places: Places,
  doors: Doors | null,
): MazeTask {
  return {
    reached: (after, before) => (c.pre ? before : after) <= near,
    reward: (_, reached) => (reached ? 1 : 0) - (c.singleTask ? 1 : 0),
    ends: c.terminateAtGoal,
    ...(doors !== null && {
      after({ floats, q }: Row, _: boolean, draw: Draw) {
        if (doors.in.every((cell) => distanceOf(floats[q]!, floats[q + 1]!, xOfCell(places, cell), yOfCell(places, cell)) > DOOR)) return;
        const out = doors.out[draw.index(doors.out.length, 'teleport')]!;
        floats[q] = xOfCell(places, out);
        floats[q + 1] = yOfCell(places, out);
      },
    }),
  };
}

/** Numbers of the reference's own observation. */
export function observedOf(body: Body, { positions, speeds, forces }: MazeObservation): readonly string[] {
  const named = coordinatesOf(body);
  return [...named.positions.slice(positions), ...(speeds ? named.speeds : []), ...(forces ? forceLabels(ANT_PARTS) : [])];
}

/** Where the observation holds what is reached and what is wanted. */
export function goalPlaces(body: Body, what: MazeObservation): GoalPlaces {
  const own = observedOf(body, what).length;
  return { size: 2, achieved: what.positions > 0 ? own : 0, desired: what.positions > 0 ? own + 2 : own };
}

/** `marks`: where the goal, and what marks the body, are written in the picture: the number of the first part behind the body's. */
export function mazeRules(body: Body, what: MazeObservation, task: MazeTask, marks: number, marked: boolean): Rules {
  const { positions, speeds } = coordinatesOf(body);
  const [nq, nv] = [positions.length, speeds.length];
  const forces = what.forces ? 6 * ANT_PARTS.length : 0;
  const goal = (row: Row, x: number, y: number): number => distanceOf(x, y, row.floats[row.fixed]!, row.floats[row.fixed + 1]!);
  return {
    labels: [...observedOf(body, what), ...(what.positions > 0 ? ['x', 'y'] : []), 'goal x', 'goal y'],
    kept: FORCES + forces,
    keep({ qpos, cfrc_ext }, floats, at) {
      floats[at + SEEN] = qpos[0]!;
      floats[at + SEEN + 1] = qpos[1]!;
      for (let i = 0; i < forces; i++) floats[at + FORCES + i] = Math.min(CUT, Math.max(-CUT, cfrc_ext[6 + i]!));
    },
    observe({ floats, q, v, kept }, obs, at) {
      let next = at;
      if (what.positions === 0) {
        copy(floats, kept + SEEN, 2, obs, next);
        copy(floats, q + 2, nq - 2, obs, next + 2);
        next += nq;
      } else {
        copy(floats, q + what.positions, nq - what.positions, obs, next);
        next += nq - what.positions;
      }
      if (what.speeds) {
        copy(floats, v, nv, obs, next);
        next += nv;
      }
      copy(floats, kept + FORCES, forces, obs, next);
      next += forces;
      if (what.positions > 0) {
        copy(floats, kept + SEEN, 2, obs, next);
        next += 2;
      }
      copy(floats, kept + DESIRED, 2, obs, next);
    },
    judge(row, { qpos }, _actions, _action, terms, at) {
      const { floats, q, kept } = row;
      const distance = goal(row, qpos[0]!, qpos[1]!);
      const reached = task.reached(distance, goal(row, floats[q]!, floats[q + 1]!));
      floats[kept + NOW] = reached ? 1 : 0;
      terms[at] = task.reward(distance, reached);
      return reached && task.ends;
    },
    goalReward(reached, a, wanted, d) {
      const distance = distanceOf(reached[a]!, reached[a + 1]!, wanted[d]!, wanted[d + 1]!);
      return task.reward(distance, task.reached(distance, distance));
    },
    measure({ floats, kept }, out, at) {
      out[at] = floats[kept + EVER]!;
    },
    extras: ({ floats, kept }): JsonObject => ({
      achieved: Array.from(floats.subarray(kept + SEEN, kept + SEEN + 2)),
      desired: Array.from(floats.subarray(kept + DESIRED, kept + DESIRED + 2)),
      success: floats[kept + NOW] === 1,
    }),
    show({ floats, q, fixed }, out, at) {
      const from = marks * 7;
      out[from] = floats[fixed]!;
      out[from + 1] = floats[fixed + 1]!;
      if (marked) {
        out[from + 7] = floats[fixed]!;
        out[from + 8] = floats[fixed + 1]!;
        out[from + 14] = floats[q]!;
        out[from + 15] = floats[q + 1]!;
      }
      out[at] = distanceOf(floats[q]!, floats[q + 1]!, floats[fixed]!, floats[fixed + 1]!);
    },
  };
}

/** After a start or a step: what is observed of it is kept, then goals and places change. */
export const settled =
  (task: MazeTask) =>
  (row: Row, _seen: Seen, draw: Draw, stepped: boolean): void => {
    const { floats, kept, fixed } = row;
    floats[kept + DESIRED] = floats[fixed]!;
    floats[kept + DESIRED + 1] = floats[fixed + 1]!;
    const reached = stepped && floats[kept + NOW] === 1;
    floats[kept + NOW] = reached ? 1 : 0;
    floats[kept + EVER] = stepped && (reached || floats[kept + EVER] === 1) ? 1 : 0;
    if (stepped) task.after?.(row, reached, draw);
  };

/** A golden state: the goal is that of the row and what it observes. */
export function keptOfGolden(kept: readonly number[], goal: readonly number[]): number[] {
  return [...goal, ...kept.slice(2)];
}
