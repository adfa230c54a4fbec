/**
 * Two links under gravity with a torque at the joint between them: the "book" equations of the acrobot (Sutton 1996), one classical
 * Runge-Kutta step per action. A state is [t1, t2, w1, w2]: t1 0 hanging, t2 relative to the first link; rad and rad/s.
 */
import { cos, sin } from '#math/functions.ts';

export interface Links {
  readonly gravity: number;
  readonly length1: number;
  readonly length2: number;
  readonly mass1: number;
  readonly mass2: number;
  readonly inertia: number;
  readonly dt: number;
}

const WEIGHT = [1, 2, 2, 1] as const;

function wrap(x: number): number {
  let y = x;
  while (y > Math.PI) y -= 2 * Math.PI;
  while (y < -Math.PI) y += 2 * Math.PI;
  return y;
}

function bound(x: number, most: number): number {
  return Math.min(most, Math.max(-most, x));
}

export class TwoLinks {
  private readonly p: Links;
  private readonly most1: number;
  private readonly most2: number;
  private readonly slope = new Float64Array(4);
  private readonly total = new Float64Array(4);

  constructor(p: Links, most1: number, most2: number) {
    this.p = p;
    this.most1 = most1;
    this.most2 = most2;
  }

  /** Into `slope`: speeds and accelerations. */
  private derivative(t1: number, t2: number, w1: number, w2: number, torque: number): void {
    const { gravity: g, length1: l1, mass1: m1, mass2: m2, inertia } = this.p;
    const lc1 = l1 / 2;
    const lc2 = this.p.length2 / 2;
    const c2 = cos(t2);
    const s2 = sin(t2);
    const d1 = m1 * lc1 * lc1 + m2 * (l1 * l1 + lc2 * lc2 + 2 * l1 * lc2 * c2) + 2 * inertia;
    const d2 = m2 * (lc2 * lc2 + l1 * lc2 * c2) + inertia;
    const phi2 = m2 * lc2 * g * cos(t1 + t2 - Math.PI / 2);
    const phi1 = -m2 * l1 * lc2 * w2 * w2 * s2 - 2 * m2 * l1 * lc2 * w2 * w1 * s2 + (m1 * lc1 + m2 * l1) * g * cos(t1 - Math.PI / 2) + phi2;
    const a2 = (torque + (d2 / d1) * phi1 - m2 * l1 * lc2 * w1 * w1 * s2 - phi2) / (m2 * lc2 * lc2 + inertia - (d2 * d2) / d1);
    this.slope[0] = w1;
    this.slope[1] = w2;
    this.slope[2] = -(d2 * a2 + phi1) / d1;
    this.slope[3] = a2;
  }

  /** One step of state[at..at+3] under a constant torque; angles are wrapped, speeds cut. */
  step(state: Float64Array, at: number, torque: number): void {
    const { slope, total } = this;
    const { dt } = this.p;
    const t1 = state[at]!;
    const t2 = state[at + 1]!;
    const w1 = state[at + 2]!;
    const w2 = state[at + 3]!;
    total.fill(0);
    this.derivative(t1, t2, w1, w2, torque);
    for (let stage = 0; ; stage++) {
      for (let i = 0; i < 4; i++) total[i] = total[i]! + WEIGHT[stage]! * slope[i]!;
      if (stage === 3) break;
      const h = stage === 2 ? dt : dt / 2;
      this.derivative(t1 + h * slope[0]!, t2 + h * slope[1]!, w1 + h * slope[2]!, w2 + h * slope[3]!, torque);
    }
    state[at] = wrap(t1 + (dt / 6) * total[0]!);
    state[at + 1] = wrap(t2 + (dt / 6) * total[1]!);
    state[at + 2] = bound(w1 + (dt / 6) * total[2]!, this.most1);
    state[at + 3] = bound(w2 + (dt / 6) * total[3]!, this.most2);
  }

  /** Of the tip above the hinge, m. */
  height(t1: number, t2: number): number {
    return -this.p.length1 * cos(t1) - this.p.length2 * cos(t2 + t1);
  }

  /** Kinetic and potential energy, J; 0 potential at the height of the hinge. */
  energy(state: Float64Array, at: number): number {
    const { gravity: g, length1: l1, mass1: m1, mass2: m2, inertia } = this.p;
    const lc1 = l1 / 2;
    const lc2 = this.p.length2 / 2;
    const t1 = state[at]!;
    const t2 = state[at + 1]!;
    const w1 = state[at + 2]!;
    const both = w1 + state[at + 3]!;
    const moving =
      0.5 * (m1 * lc1 * lc1 + inertia + m2 * l1 * l1) * w1 * w1 +
      0.5 * (m2 * lc2 * lc2 + inertia) * both * both +
      m2 * l1 * lc2 * cos(t2) * w1 * both;
    return moving - (m1 * lc1 + m2 * l1) * g * cos(t1) - m2 * lc2 * g * cos(t1 + t2);
  }
}
