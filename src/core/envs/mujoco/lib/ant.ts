/** The body of the ants: a ball with four legs of two joints each. */
import { type Body, ball, DEGREE, hinge, type Part, rod, type Shape } from './mjcf.ts';

const THICK = 0.08; // m

/** A leg towards (x, y), each +-1: a fixed part of the torso, a hip that turns about z, an ankle across the leg. */
function leg(
  number: number,
  name: string,
  say: string,
  [x, y]: readonly [number, number],
  knee: readonly [number, number],
  look?: Shape['look'],
): Part {
  const to = (length: number): readonly [number, number, number] => [x * length, y * length, 0];
  const bone = (length: number, called: string) =>
    rod([0, 0, 0], to(length), THICK, { name: `${called}_${number}`, ...(look !== undefined && { look }) });
  return {
    name,
    at: [0, 0, 0],
    shapes: [bone(0.2, 'shoulder')],
    parts: [
      {
        name: `aux_${number}`,
        at: to(0.2),
        joints: [hinge(`hip_${number}`, [0, 0, 1], [-30 * DEGREE, 30 * DEGREE], { say: `${say} hip` })],
        shapes: [bone(0.2, 'thigh')],
        parts: [
          {
            at: to(0.2),
            joints: [
              hinge(`ankle_${number}`, x * y > 0 ? [-1, 1, 0] : [1, 1, 0], [knee[0] * DEGREE, knee[1] * DEGREE], { say: `${say} ankle` }),
            ],
            shapes: [bone(0.4, 'shin')],
          },
        ],
      },
    ],
  };
}

export const ANT_FLOOR: Shape = { type: 'plane', name: 'floor', size: [40, 40, 40], conaffinity: 1 };
/** Names of its parts, in MuJoCo's order. */
export const ANT_PARTS: readonly string[] = [
  'torso',
  ...['front left', 'back left', 'back right', 'front right'].flatMap((say) => [`${say} shoulder`, `${say} thigh`, `${say} shin`]),
];
/** Names of its motors, in the order of actions. */
export const ANT_ACTIONS: readonly string[] = ['front right', 'front left', 'back left', 'back right'].flatMap((say) => [
  `${say} hip`,
  `${say} ankle`,
]);

/** What differs between Gymnasium's ant and that of OGBench, and what stands about it. */
export interface AntOptions {
  /** s */
  readonly timestep: number;
  /** Nm of the strongest action. */
  readonly gear: number;
  readonly solimp?: readonly number[];
  readonly ground: readonly Shape[];
}

/** The ant of Gymnasium 1.4.0 `ant.xml`, on a floor of its own unless told otherwise. */
export const antBody = ({ timestep, gear, solimp, ground }: AntOptions = { timestep: 0.01, gear: 150, ground: [ANT_FLOOR] }): Body => ({
  name: 'ant',
  timestep,
  integrator: 'RK4',
  usual: {
    joint: { armature: 1, damping: 1 },
    shape: { contype: 1, conaffinity: 0, condim: 3, density: 5, friction: [1, 0.5, 0.5], margin: 0.01, ...(solimp && { solimp }) },
  },
  ground,
  parts: [
    {
      name: 'torso',
      at: [0, 0, 0.75],
      joints: [{ type: 'free', name: 'root', margin: 0.01 }],
      shapes: [ball(0.25)],
      parts: [
        leg(1, 'front_left_leg', 'front left', [1, 1], [30, 70], 'accent'),
        leg(2, 'front_right_leg', 'back left', [-1, 1], [-70, -30]),
        leg(3, 'back_leg', 'back right', [-1, -1], [-70, -30]),
        leg(4, 'right_back_leg', 'front right', [1, -1], [30, 70], 'accent'),
      ],
    },
  ],
  motors: [4, 1, 2, 3].flatMap((n) => [`hip_${n}`, `ankle_${n}`].map((joint) => ({ joint, gear }))),
  strength: 1,
});
