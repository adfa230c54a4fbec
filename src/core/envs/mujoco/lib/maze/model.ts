/** Bodies in mazes: walls as boxes beside a floor, and what is drawn of them. */
import type { BodiesLayout, Fixture } from '#contract/game/frames.ts';
import type { Maze } from '../../../lib/maze/maps.ts';
import { type Places, xOfCell, yOfCell } from '../../../lib/maze/places.ts';
import { MOST_CONTACTS } from '../frame.ts';
import { type Body, ball, type Shape, shapesOf, slide } from '../mjcf.ts';

/** Half the height of walls, m; they stand on z = 0. */
export const wallHalf = (kind: 'gymnasium' | 'ogbench', side: number): number => (kind === 'ogbench' ? 1 : side === 1 ? 0.2 : 0.25 * side);

/** One box for each cell that is a wall, row by row, named as in the references. */
export function wallShapes({ walls, columns }: Maze, places: Places, half: number): readonly Shape[] {
  return Array.from(walls).flatMap((wall, cell): readonly Shape[] => {
    if (wall === 0) return [];
    const name = `block_${Math.floor(cell / columns)}_${cell % columns}`;
    const at = [xOfCell(places, cell), yOfCell(places, cell), half] as const;
    return [{ type: 'box', name, at, size: [places.side / 2, places.side / 2, half], contype: 1, conaffinity: 1, look: null }];
  });
}

/** Gymnasium-Robotics 1.4.2 `assets/point/point.xml`: a ball on two slides, without gravity. */
export const gymnasiumPoint = (walls: readonly Shape[]): Body => ({
  name: 'point',
  timestep: 0.01,
  integrator: 'Euler',
  iterations: 20,
  gravity: [0, 0, 0],
  usual: { joint: { damping: 1 }, shape: { contype: 2, conaffinity: 1, condim: 1, friction: [0.5, 0.1, 0.1], margin: 0.002 } },
  ground: [{ type: 'plane', name: 'ground', at: [0, 0, -0.1], size: [40, 40, 0.25], contype: 1, conaffinity: 0 }, ...walls],
  parts: [
    {
      name: 'particle',
      joints: [slide('ball_x', [1, 0, 0], undefined, { say: 'x' }), slide('ball_y', [0, 1, 0], undefined, { say: 'y' })],
      shapes: [ball(0.1, { name: 'particle_geom', density: 1000, contype: 1 })],
    },
  ],
  motors: [
    { joint: 'ball_x', gear: 100 },
    { joint: 'ball_y', gear: 100 },
  ],
  strength: 1,
});

/** OGBench 1.2.1 `locomaze/assets/point.xml`: a ball that is set from place to place. */
export const ogbenchPoint = (floor: Shape, walls: readonly Shape[]): Body => ({
  name: 'point',
  timestep: 0.02,
  integrator: 'RK4',
  usual: { joint: {}, shape: { contype: 1, conaffinity: 0, condim: 3, density: 100, friction: [1, 0.5, 0.5], margin: 0 } },
  ground: [floor, ...walls],
  parts: [
    {
      name: 'torso',
      joints: [slide('ballx', [1, 0, 0], undefined, { say: 'x' }), slide('bally', [0, 1, 0], undefined, { say: 'y' })],
      shapes: [ball(0.7, { name: 'pointbody', at: [0, 0, 0.7] })],
    },
  ],
  motors: [
    { joint: 'ballx', gear: 1 },
    { joint: 'bally', gear: 1 },
  ],
  strength: 1,
});

/** Under OGBench's mazes. */
export const ogbenchFloor = ({ rows, columns }: Maze): Shape => ({
  type: 'plane',
  name: 'floor',
  at: [2 * (columns - 3), 2 * (rows - 3), 0],
  size: [2 * columns, 2 * rows, 0.2],
  conaffinity: 1,
});

/** OGBench's mark of the goal: a geom that touches nothing, so only the number of geoms tells of it. */
export const OGBENCH_MARK: Shape = { type: 'cylinder', name: 'target', size: [0.4, 0.05], contype: 0, conaffinity: 0, look: null };

/** Rectangles of wall cells that cover every wall once: [first row, first column, rows, columns]. */
export function wallBlocks({ walls, rows, columns }: Maze): readonly (readonly [number, number, number, number])[] {
  const done = new Uint8Array(walls.length);
  const open = (i: number, j: number): boolean => i < rows && j < columns && walls[i * columns + j] === 1 && done[i * columns + j] === 0;
  const blocks: (readonly [number, number, number, number])[] = [];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      if (!open(i, j)) continue;
      let [wide, high] = [1, 1];
      while (open(i, j + wide)) wide++;
      const line = (row: number): boolean => Array.from({ length: wide }, (_, k) => open(row, j + k)).every(Boolean);
      while (line(i + high)) high++;
      for (let a = 0; a < high; a++) done.fill(1, (i + a) * columns + j, (i + a) * columns + j + wide);
      blocks.push([i, j, high, wide]);
    }
  return blocks;
}

/** Colour of agents that no agent has here. */
const WAY_OUT = 3;

/** How a maze and a body in it are drawn; the goal, and what marks the body, stand behind the body's own parts. */
export function mazeLayout(
  maze: Maze,
  places: Places,
  half: number,
  parts: BodiesLayout['parts'],
  doors: readonly (readonly [cell: number, way: 'in' | 'out'])[] = [],
): BodiesLayout {
  const { side, left, top, down } = places;
  const [x0, x1] = [left - side / 2, left + (maze.columns - 0.5) * side];
  const ends = [top - down / 2, top + (maze.rows - 0.5) * down];
  const fixtures = wallBlocks(maze).map(
    ([i, j, high, wide]): Fixture => ({
      kind: 'box',
      at: [left + (j + (wide - 1) / 2) * side, top + (i + (high - 1) / 2) * down, half],
      size: [wide * side, high * side, 2 * half],
    }),
  );
  return {
    kind: 'bodies',
    up: 'z',
    parts,
    fixtures: [
      { kind: 'floor', opaque: true },
      ...fixtures,
      ...doors.map(
        ([cell, way]): Fixture => ({
          kind: 'box',
          at: [xOfCell(places, cell), yOfCell(places, cell), 0.01 * side],
          size: [0.75 * side, 0.75 * side, 0.02 * side],
          colour: way === 'in' ? 'hazard' : WAY_OUT,
        }),
      ),
    ],
    contactForces: MOST_CONTACTS,
    extra: ['to the goal (m)'],
    pulls: true,
    seenFrom: 0,
    seenAbove: 1.2,
    bounds: [x0, Math.min(...ends), 0, x1, Math.max(...ends), 2 * half],
  };
}

/** MuJoCo's numbers of the shapes of a body that are drawn: no planes, no walls. */
export const bodyGeoms = (body: Body): readonly number[] =>
  shapesOf(body).flatMap(({ type, look }, i) => (type === 'plane' || look === null ? [] : [i]));
