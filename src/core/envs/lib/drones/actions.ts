/**
 * What an action of a drone means (numbers in -1..1 where nothing else is given) and the motor speeds it gives. Of gym-pybullet-drones:
 *   motor-rpm   four motor speeds in rpm
 *   rpm         hover speed times 1 + 0.05 a, one number per motor; one-d-rpm: one number for all four
 *   pid         a place in metres, world axes; the DSL controller is sent at most 1 m far
 *   vel         direction (3 numbers, normalised) times |a4| times 3 % of the top speed (0.25 m/s for a Crazyflie), present yaw kept
 *   one-d-pid   0.1 a metres above where it is
 * Of this project: thrust, -1 motors off, 0 hover speed, 1 full speed (the normalised action of the reference's BaseAviary);
 * pid-offset, a place relative to where the drone is, metres, at most 1 m far.
 */
import type { HumanAxis } from '#contract/catalog/catalog.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';
import { sqrt } from '#math/functions.ts';
import type { Airframe } from './airframe.ts';
import { angles, POS, QUAT } from './body.ts';
import type { ActionType } from './config.ts';
import { DslPid, target } from './dsl-pid.ts';

const SIZES: { readonly [type in ActionType]: number } = {
  'motor-rpm': 4,
  thrust: 4,
  rpm: 4,
  'one-d-rpm': 1,
  pid: 3,
  'pid-offset': 3,
  vel: 4,
  'one-d-pid': 1,
};
const MOTORS = ['motor 1', 'motor 2', 'motor 3', 'motor 4'];
const LABELS: { readonly [type in ActionType]: readonly string[] } = {
  'motor-rpm': MOTORS,
  thrust: MOTORS,
  rpm: MOTORS,
  'one-d-rpm': ['all motors'],
  pid: ['x', 'y', 'z'],
  'pid-offset': ['ahead', 'left', 'up'],
  vel: ['x', 'y', 'z', 'speed'],
  'one-d-pid': ['up'],
};

export function actionNumbers(type: ActionType): number {
  return SIZES[type];
}

export function usesPid(type: ActionType): boolean {
  return type === 'pid' || type === 'pid-offset' || type === 'vel' || type === 'one-d-pid';
}

export function actionSpace(type: ActionType, frame: Airframe): ActionSpace {
  const size = SIZES[type];
  const [low, high] = type === 'motor-rpm' ? [0, frame.maxRpm] : [-1, 1];
  return { kind: 'box', size, low: new Array<number>(size).fill(low), high: new Array<number>(size).fill(high), labels: LABELS[type] };
}

/** Sticks and keys for a person; none where no person could fly (single motors). Away from oneself is ahead (+x), right is -y. */
export function humanAxes(type: ActionType): readonly HumanAxis[] {
  const axis = (name: string, component: number, less: string, more: string, sign: 1 | -1, stick: HumanAxis['stick']): HumanAxis => ({
    name,
    component,
    less: [less],
    more: [more],
    low: -sign,
    high: sign,
    rest: 0,
    ...(stick && { stick }),
  });
  const up = (component: number) => axis('down and up', component, 's', 'w', 1, 'leftY');
  if (type === 'one-d-rpm' || type === 'one-d-pid') return [up(0)];
  if (type !== 'pid-offset' && type !== 'vel') return [];
  const level = [
    axis('back and ahead', 0, 'ArrowDown', 'ArrowUp', 1, 'rightY'),
    axis('left and right', 1, 'ArrowLeft', 'ArrowRight', -1, 'rightX'),
    up(2),
  ];
  // full speed whenever a direction is held
  return type === 'vel' ? [...level, { name: 'speed', component: 3, less: [], more: [], low: 0, high: 1, rest: 1 }] : level;
}

const TRIM = 0.05;

/** Motor speeds of the rpm types, of one number. */
export function rpmOf(type: ActionType, a: number, f: Airframe): number {
  if (type === 'motor-rpm') return Math.min(f.maxRpm, Math.max(0, a));
  if (type === 'thrust') return Math.min(f.maxRpm, Math.max(0, a <= 0 ? (a + 1) * f.hoverRpm : f.hoverRpm + a * (f.maxRpm - f.hoverRpm)));
  return Math.min(f.maxRpm, Math.max(0, f.hoverRpm * (1 + TRIM * a)));
}

/** Turns the actions of a drone into motor speeds; the controller's memory is the caller's. */
export class Commands {
  private readonly type: ActionType;
  private readonly frame: Airframe;
  private readonly size: number;
  private readonly speed: number; // m/s
  private readonly trimmed: boolean;
  private readonly pid: DslPid | null;
  private readonly to = target();
  private readonly rpy = new Float64Array(3);

  constructor(type: ActionType, frame: Airframe, controlHz: number) {
    this.type = type;
    this.frame = frame;
    this.size = SIZES[type];
    this.trimmed = type === 'rpm' || type === 'one-d-rpm';
    this.speed = (0.03 * frame.maxSpeed * 1000) / 3600;
    this.pid = usesPid(type) ? new DslPid(frame, 1 / controlHz) : null;
  }

  /** Wanted velocity of the next `apply`, m/s: for tasks that know how their target moves. */
  feed(vx: number, vy: number, vz: number): void {
    this.to.vx = vx;
    this.to.vy = vy;
    this.to.vz = vz;
  }

  /** Action from `a[i]`, drone floats `s` at `at`, controller memory `m` at `k`; four rpm to `out` at `o`. */
  apply(a: ArrayLike<number>, i: number, s: Float64Array, at: number, m: Float64Array, k: number, out: Float64Array, o: number): void {
    const { frame: f, to } = this;
    if (this.pid === null) {
      const stride = this.size === 1 ? 0 : 1;
      if (this.trimmed) {
        for (let n = 0; n < 4; n++) out[o + n] = Math.min(f.maxRpm, Math.max(0, f.hoverRpm * (1 + TRIM * a[i + n * stride]!)));
        return;
      }
      for (let n = 0; n < 4; n++) out[o + n] = rpmOf(this.type, a[i + n * stride]!, f);
      return;
    }
    const x = s[at + POS]!;
    const y = s[at + POS + 1]!;
    const z = s[at + POS + 2]!;
    to.yaw = 0;
    switch (this.type) {
      case 'vel': {
        angles(s, at + QUAT, this.rpy, 0);
        to.yaw = this.rpy[2]!;
        const dx = a[i]!;
        const dy = a[i + 1]!;
        const dz = a[i + 2]!;
        const length = sqrt(dx * dx + dy * dy + dz * dz);
        const scale = length === 0 ? 0 : (this.speed * Math.abs(a[i + 3]!)) / length;
        to.x = x;
        to.y = y;
        to.z = z;
        this.feed(dx * scale, dy * scale, dz * scale);
        break;
      }
      case 'one-d-pid':
        to.x = x;
        to.y = y;
        to.z = z + 0.1 * a[i]!;
        break;
      default: {
        const here = this.type === 'pid' ? 1 : 0;
        const dx = a[i]! - here * x;
        const dy = a[i + 1]! - here * y;
        const dz = a[i + 2]! - here * z;
        const length = sqrt(dx * dx + dy * dy + dz * dz);
        const scale = length > 1 ? 1 / length : 1;
        to.x = x + dx * scale;
        to.y = y + dy * scale;
        to.z = z + dz * scale;
      }
    }
    this.pid.control(s, at, m, k, to, out, o);
    const top = f.maxRpm;
    for (let n = 0; n < 4; n++) if (out[o + n]! > top) out[o + n] = top;
    this.feed(0, 0, 0);
  }
}
