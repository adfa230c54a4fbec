/**
 * A table with a hand above it that hangs from a bridge on rails: the bridge slides along x, a trolley on it along y, the hand along z. Two
 * fingers open along y. The top of the table is z = 0; the positions of the three slides are those of the point between the fingertips, m.
 * The slides are held by servos near critical damping (spring = mass (60/s)², damper = 2 mass 60/s), their weight is carried.
 */
import type { BodyPart } from '#contract/game/frames.ts';

/** Half the edge of the cube, m. */
export const CUBE = 0.025;
/** Places in the positions: three slides, two fingers, then the cube's place and quaternion. */
export const OBJECT = 5;
/** Places in the speeds of the cube. */
export const OBJECT_SPEED = 5;
/** Most that a finger moves from the middle, m. */
export const OPEN = 0.05;
export const TIMESTEP = 0.004;

const BRIDGE = 0.72;
const SIDE = 0.5;
const FAST = 60; // 1/s

interface Shape {
  readonly shape: 'box' | 'sphere' | 'cylinder' | 'capsule';
  readonly name: string;
  readonly at: readonly [number, number, number];
  /** Half sizes of a box; radius and half length; radius. */
  readonly size: readonly number[];
  readonly colour: BodyPart['colour'];
  readonly mass?: number;
  /** It touches others. */
  readonly touches?: boolean;
  /** Cylinders and capsules along this axis; z without it. */
  readonly along?: 'x' | 'y';
}

const TURN = { x: '0.70710678 0 0.70710678 0', y: '0.70710678 -0.70710678 0 0' };

const table: readonly Shape[] = [
  { shape: 'box', name: 'table', at: [0, 0, -0.02], size: [0.4, 0.4, 0.02], colour: 'ground', touches: true },
  ...[-1, 1].flatMap((x) =>
    [-1, 1].map(
      (y): Shape => ({
        shape: 'cylinder',
        name: 'post',
        at: [0.42 * x, SIDE * y, 0.5 * BRIDGE - 0.02],
        size: [0.008, 0.5 * BRIDGE + 0.02],
        colour: 'structure',
      }),
    ),
  ),
  ...[-1, 1].map(
    (y): Shape => ({ shape: 'cylinder', name: 'rail', at: [0, SIDE * y, BRIDGE], size: [0.009, 0.45], colour: 'structure', along: 'x' }),
  ),
];
const bridge: readonly Shape[] = [
  { shape: 'cylinder', name: 'bridge', at: [0, 0, BRIDGE + 0.02], size: [0.016, SIDE], colour: 'structure', along: 'y', mass: 2 },
  ...[-1, 1].map(
    (y): Shape => ({
      shape: 'box',
      name: 'slide',
      at: [0, SIDE * y, BRIDGE + 0.01],
      size: [0.04, 0.025, 0.03],
      colour: 'structure',
      mass: 0.01,
    }),
  ),
];
const trolley: readonly Shape[] = [
  { shape: 'box', name: 'trolley', at: [0, 0, BRIDGE + 0.02], size: [0.045, 0.05, 0.035], colour: 'structure', mass: 1 },
];
const hand: readonly Shape[] = [
  { shape: 'cylinder', name: 'mast', at: [0, 0, 0.53], size: [0.014, 0.42], colour: 'structure', mass: 0.3 },
  { shape: 'box', name: 'palm', at: [0, 0, 0.09], size: [0.03, 0.075, 0.02], colour: 0, mass: 0.7, touches: true },
];
const finger = (name: string, side: number): Shape => ({
  shape: 'box',
  name,
  at: [0, 0.008 * side, 0.03],
  size: [0.014, 0.008, 0.042],
  colour: 0,
  mass: 0.1,
  touches: true,
});
const cube: Shape = { shape: 'box', name: 'cube', at: [0, 0, 0], size: [CUBE, CUBE, CUBE], colour: 'accent', mass: 0.25, touches: true };

const geom = ({ shape, name, at, size, mass, touches = false, along }: Shape): string =>
  `<geom type="${shape}" pos="${at.join(' ')}" size="${size.join(' ')}"${along === undefined ? '' : ` quat="${TURN[along]}"`}${
    mass === undefined ? '' : ` mass="${mass}"`
  }${touches ? '' : ' contype="0" conaffinity="0"'}${name.endsWith('finger') ? ' friction="2 0.05 0.0001"' : ''}/>`;
const geoms = (shapes: readonly Shape[]): string => shapes.map(geom).join('');

const servo = (joint: string, mass: number, force: number, low: number, high: number): string =>
  `<position joint="${joint}" kp="${mass * FAST * FAST}" kv="${2 * mass * FAST}" ctrlrange="${low} ${high}" forcerange="-${force} ${force}"/>`;

/** MJCF of the table, with the cube or without. */
export const tableMjcf = (withCube: boolean): string => `<mujoco model="table">
<option timestep="${TIMESTEP}" integrator="implicitfast" cone="elliptic" impratio="10"/>
<size memory="2M"/>
<default><geom condim="4" friction="1 0.005 0.0001"/><joint type="slide" damping="1"/></default>
<worldbody>${geoms(table)}
<body name="bridge" gravcomp="1"><joint name="x" axis="1 0 0" range="-0.35 0.35"/>${geoms(bridge)}
<body name="trolley" gravcomp="1"><joint name="y" axis="0 1 0" range="-0.35 0.35"/>${geoms(trolley)}
<body name="hand" gravcomp="1"><joint name="z" axis="0 0 1" range="0.015 0.7"/>${geoms(hand)}
<body name="left finger" gravcomp="1"><joint name="left" axis="0 1 0" range="0 ${OPEN}"/>${geom(finger('left finger', 1))}</body>
<body name="right finger" gravcomp="1"><joint name="right" axis="0 -1 0" range="0 ${OPEN}"/>${geom(finger('right finger', -1))}</body>
</body></body></body>
${withCube ? `<body name="cube" pos="0 0 ${CUBE}"><freejoint/>${geom(cube)}</body>` : ''}
</worldbody>
<equality><joint joint1="right" joint2="left" solref="0.005 1"/></equality>
<actuator>${servo('x', 4.3, 400, -0.35, 0.35)}${servo('y', 2.2, 200, -0.35, 0.35)}${servo('z', 1.2, 100, 0.015, 0.7)}
${servo('left', 0.3, 60, 0, OPEN)}</actuator>
</mujoco>`;

const shapesOf = (withCube: boolean): readonly Shape[] => [
  ...table,
  ...bridge,
  ...trolley,
  ...hand,
  finger('left finger', 1),
  finger('right finger', -1),
  ...(withCube ? [cube] : []),
];

/** What is drawn, in MuJoCo's order of geoms; the goal stands behind them. */
export function tableParts(withCube: boolean, goalRadius: number): readonly BodyPart[] {
  return [
    ...shapesOf(withCube).map(({ shape, name, size, colour }): BodyPart => {
      const [a = 0, b = 0, c = 0] = size;
      const plain = { name, colour, plain: true };
      if (shape === 'box') return { ...plain, shape, size: [2 * a, 2 * b, 2 * c] };
      return shape === 'sphere' ? { ...plain, shape, size: [a] } : { ...plain, shape, size: [a, 2 * b] };
    }),
    { name: 'goal', shape: 'sphere', size: [goalRadius], colour: 'goal', plain: true },
  ];
}

export const tableGeoms = (withCube: boolean): readonly number[] => shapesOf(withCube).map((_, i) => i);
