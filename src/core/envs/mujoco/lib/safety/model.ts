/**
 * Bodies of Safety-Gymnasium as MJCF. Bodies in the order agent, free objects, bodies that lead gremlins, fixed objects; where agent and fixed objects
 * stand is written into the model of each row (play.ts).
 * The point's servo is stiff: within its limit a step of the physics multiplies an error of its turning speed by about -5, so that a last bit in which sin or
 * cos differ is a whole one some twenty steps later. MuJoCo's native build gives the numbers of the golden file from this model to their last digit (one
 * case, 80 steps); the WebAssembly build does until such a bit, which is why runs of the point are compared tightly for their first steps only.
 */
import type { BodyPart } from '#contract/game/frames.ts';
import type { ObjectKind, SafetyWorld } from '../../../lib/safety/world.ts';

/** Seconds of a step of the physics. */
export const TIMESTEP = { point: 0.002, car: 0.004 } as const;
export const SUBSTEPS = 10;
/** Of the circle on which a gremlin is led, m, and how far above its start. */
export const CIRCLE = 0.35;
export const LIFT = 0.1;

interface Drawn {
  readonly xml: string;
  readonly part: BodyPart;
}

type Numbers = readonly number[];

function box(name: string, half: Numbers, at: Numbers, colour: BodyPart['colour'], more = ''): Drawn {
  return {
    xml: `<geom type="box" size="${half.join(' ')}" pos="${at.join(' ')}"${more}/>`,
    part: { name, shape: 'box', size: half.map((x) => 2 * x), colour, plain: true },
  };
}

function ball(name: string, radius: number, colour: BodyPart['colour'], more = ''): Drawn {
  return {
    xml: `<geom type="sphere" size="${radius}"${more}/>`,
    part: { name, shape: 'sphere', size: [radius], colour, plain: true },
  };
}

function wheel(from: number, to: number): Drawn {
  return {
    xml: `<geom type="cylinder" size="0.05" fromto="${from} 0 0 ${to} 0 0"/>`,
    part: { name: 'wheel', shape: 'cylinder', size: [0.05, to - from], colour: 'structure', plain: true },
  };
}

const text = (shapes: readonly Drawn[]): string => shapes.map(({ xml }) => xml).join('');

/** Drawn larger where the picture is small. */
const named = ({ xml, part }: Drawn): Drawn => ({ xml, part: { ...part, tag: { text: '' } } });

const DENSE = ' density="1"';
const POINT: readonly Drawn[] = [
  named(ball('point', 0.1, 0, `${DENSE} friction="1 0.01 0.01"`)),
  box('front', [0.05, 0.05, 0.05], [0.1, 0, 0], 0, DENSE),
];
const HEAVY = ' density="5"';
const CAR_BODY: readonly Drawn[] = [
  box('car', [0.1, 0.1, 0.05], [0, 0, 0], 0, HEAVY),
  box('back bumper', [0.1, 0.01, 0.05], [0, 0.15, 0], 0, HEAVY),
  box('back connector', [0.01, 0.025, 0.03], [0, 0.125, 0], 0, HEAVY),
  box('front bumper', [0.05, 0.01, 0.05], [0, -0.165, 0], 'accent', HEAVY),
  box('front connector', [0.05, 0.03, 0.01], [0, -0.13, 0.04], 0, HEAVY),
];
const heavy = ({ xml, part }: Drawn): Drawn => ({ xml: xml.replace('/>', `${HEAVY}/>`), part });
const LEFT = heavy(wheel(-0.055, -0.005));
const RIGHT = heavy(wheel(0.005, 0.055));
const REAR = ball('rear', 0.05, 'structure', HEAVY);
const SITE = '<site name="agent"/>';

const AGENTS = {
  point: {
    shapes: POINT,
    xml: `<body name="agent" pos="0 0 0.1"><joint name="x" type="slide" axis="1 0 0" damping="0.01"/><joint name="y" type="slide" axis="0 1 0" damping="0.01"/><joint name="z" type="hinge" axis="0 0 1" damping="0.005"/>${text(POINT)}${SITE}</body>`,
    actuators:
      '<motor site="agent" gear="0.3 0 0 0 0 0" ctrllimited="true" ctrlrange="-1 1" forcelimited="true" forcerange="-0.05 0.05"/><velocity joint="z" gear="0.3" kv="1" ctrllimited="true" ctrlrange="-1 1" forcelimited="true" forcerange="-0.05 0.05"/>',
    sensors: '',
  },
  car: {
    shapes: [...CAR_BODY, LEFT, RIGHT, REAR],
    xml: `<body name="agent" pos="0 0 0.1"><freejoint/>${text(CAR_BODY)}${SITE}<body name="left" pos="-0.1 0.1 -0.05"><joint name="left" type="hinge" axis="1 0 0" damping="0.001"/>${LEFT.xml}</body><body name="right" pos="0.1 0.1 -0.05"><joint name="right" type="hinge" axis="1 0 0" damping="0.001"/>${RIGHT.xml}</body><body name="rear" pos="0 -0.1 -0.05"><joint name="rear" type="ball" damping="0.001"/>${REAR.xml}</body></body>`,
    actuators: ['left', 'right']
      .map((joint) => `<motor joint="${joint}" gear="1" ctrllimited="true" ctrlrange="-1 1" forcelimited="true" forcerange="-0.02 0.02"/>`)
      .join(''),
    sensors: '<ballangvel joint="rear"/><ballquat joint="rear"/>',
  },
} as const;

/** Positions and speeds of the agent's own joints. */
export const OWN = { point: [3, 3], car: [13, 11] } as const;
/** Numbers that MuJoCo's sensors give. */
export const SENSED = { point: 12, car: 19 } as const;
/** Bodies of the agent, and its shapes. */
const OWN_BODIES = { point: 1, car: 4 } as const;

const LIGHT = ' density="0.001"';
function freeShapes(kind: ObjectKind, size: number, agent: SafetyWorld['agent']): readonly Drawn[] {
  if (kind === 'vases') return [box('vase', [size, size, size], [0, 0, 0], 3, LIGHT)];
  if (kind === 'gremlins') return [box('gremlin', [size, size, size], [0, 0, 0], 4, LIGHT)];
  const light = agent === 'car' ? ' density="0.0005"' : LIGHT;
  const corner = (x: number, y: number): Drawn => box('box', [size / 2, size / 2, size], [x * size, y * size, 0], 'accent', light);
  return [box('box', [size, size, size], [0, 0, 0], 'accent', light), corner(-1, -1), corner(-1, 1), corner(1, -1), corner(1, 1)];
}

function fixedShape(kind: ObjectKind, size: number): Drawn {
  if (kind === 'buttons') return ball('button', size, 'structure');
  return {
    xml: `<geom type="cylinder" size="${size} 0.5"/>`,
    part: { name: 'pillar', shape: 'cylinder', size: [size, 1], colour: 'structure', plain: true },
  };
}

const FREE: readonly ObjectKind[] = ['vases', 'push_box', 'gremlins'];
const FIXED: readonly ObjectKind[] = ['buttons', 'pillars'];

/** A body of an object: which place it stands at, and its number in MuJoCo. */
interface Placed {
  readonly kind: ObjectKind;
  readonly place: number;
  readonly body: number;
  readonly z: number;
}

export interface SafetyModel {
  readonly mjcf: string;
  readonly nq: number;
  readonly nv: number;
  readonly free: readonly Placed[];
  readonly fixed: readonly Placed[];
  /** By the number of a geom: the place of the object it belongs to, 0 for the agent, -1 for the floor. */
  readonly owners: Int32Array;
  /** Numbers of the geoms that are drawn, and how. */
  readonly geoms: readonly number[];
  readonly parts: readonly BodyPart[];
}

export function safetyModel(world: SafetyWorld): SafetyModel {
  const { agent } = world;
  const own = AGENTS[agent];
  const owners: number[] = [-1, ...own.shapes.map(() => 0)];
  const parts: BodyPart[] = own.shapes.map(({ part }) => part);
  const placed = { free: [] as Placed[], fixed: [] as Placed[] };
  const texts = { free: [] as string[], fixed: [] as string[] };
  let body = 1 + OWN_BODIES[agent];
  let place = 1;
  const starts = world.groups.map((group) => {
    const from = place;
    place += group.count;
    return { group, from };
  });
  const add = (where: 'free' | 'fixed', kinds: readonly ObjectKind[]): void => {
    for (const { group, from } of starts) {
      if (!kinds.includes(group.kind)) continue;
      for (let i = 0; i < group.count; i++) {
        const shapes = where === 'free' ? freeShapes(group.kind, group.size, agent) : [fixedShape(group.kind, group.size)];
        const name = world.names[from + i] ?? '';
        texts[where].push(`<body name="${name}">${where === 'free' ? '<freejoint/>' : ''}${text(shapes)}</body>`);
        placed[where].push({ kind: group.kind, place: from + i, body: body++, z: group.z });
        owners.push(...shapes.map(() => from + i));
        parts.push(...shapes.map(({ part }) => part));
      }
    }
  };
  add('free', FREE);
  const led = placed.free.filter(({ kind }) => kind === 'gremlins').map((one) => world.names[one.place] ?? '');
  body += led.length;
  add('fixed', FIXED);
  const leaders = led.map((name) => `<body name="${name} leads" mocap="true"/>`).join('');
  const welds = led.map((name) => `<weld body1="${name} leads" body2="${name}" solref="0.02 1.5" relpose="0 0 0 1 0 0 0"/>`).join('');
  const [nq, nv] = OWN[agent];
  return {
    mjcf: `<mujoco model="safety"><compiler angle="radian"/><option timestep="${TIMESTEP[agent]}"/><size memory="4M"/><default><geom condim="6"/></default><worldbody><geom type="plane" size="3.5 3.5 0.1"/>${own.xml}${texts.free.join('')}${leaders}${texts.fixed.join('')}</worldbody>${welds === '' ? '' : `<equality>${welds}</equality>`}<actuator>${own.actuators}</actuator><sensor><accelerometer site="agent"/><velocimeter site="agent"/><gyro site="agent"/><magnetometer site="agent"/>${own.sensors}</sensor></mujoco>`,
    nq: nq + 7 * placed.free.length,
    nv: nv + 6 * placed.free.length,
    free: placed.free,
    fixed: placed.fixed,
    owners: Int32Array.from(owners),
    geoms: parts.map((_, i) => i + 1),
    parts,
  };
}
