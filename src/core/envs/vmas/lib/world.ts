/**
 * Physics of the VMAS scenarios: discs (agents and landmarks), boxes and lines in the plane. A sub-step: force of the action, gravity and
 * contact; in the first one velocities lose `drag`; velocity += force / mass * dt; place += NEW velocity * dt, kept inside the half
 * sides; the same for turning things with torque and moment of inertia (line m l^2 / 12). Contact: multiplier * margin * ln(1 + e^(overlap
 * / margin)) along the line of nearest points, nothing when apart or at one point. Edges of boxes and lines are 1/150 m thick.
 * Metres, seconds, newtons, kilograms, radians. float64 where the reference computes in float32: equal to about 1e-6.
 * Source: `proroklab/VectorizedMultiAgentSimulator` at 7fd3a77 `vmas/simulator/core.py`, `physics.py`. Differs: lines do not push boxes
 * (their only meeting ends an episode), boxes do not turn (none does in these scenarios).
 */
import { cos, exp, log1p, sin } from '#math/functions.ts';
import { hit, nearestOnBox, nearestOnLine } from './geometry.ts';

export const THICK = 4 / 600; // m

export interface Body {
  readonly name: string;
  readonly shape: 'disc' | 'box' | 'line';
  /** Disc: radius. Box: length, width. Line: length. */
  readonly size: readonly number[];
  readonly mass: number;
  readonly moves: boolean;
  readonly turns: boolean;
  readonly collides: boolean;
}

export interface WorldPlan {
  readonly agents: readonly Body[]; // discs
  readonly landmarks: readonly Body[];
  readonly substeps: number;
  readonly collisionForce: number;
  readonly drag: number;
  readonly gravity: number; // m/s^2 along y
  readonly halfX: number; // Infinity: open
  readonly halfY: number;
  readonly dt: number;
  readonly margin: number;
}

/** Offsets within a row of floats: agent places at 0, then these. */
export function offsets(A: number, L: number) {
  return { velocity: 2 * A, landmark: 4 * A, landmarkVelocity: 4 * A + 2 * L, angle: 4 * A + 4 * L, spin: 4 * A + 5 * L };
}

interface Contact {
  readonly a: number; // body numbers: agents, then landmarks
  readonly b: number; // a disc
  readonly kind: 'disc' | 'box' | 'line';
}

/** Moves one row by a step; `drive` [A, 2] holds the forces of the actions. */
export function createWorld(plan: WorldPlan): (floats: Float64Array, s: number, drive: Float64Array) => void {
  const bodies = [...plan.agents, ...plan.landmarks];
  const A = plan.agents.length;
  const at = offsets(A, plan.landmarks.length);
  const count = bodies.length;
  const force = new Float64Array(2 * count);
  const torque = new Float64Array(count);
  const place = bodies.map((_, i) => (i < A ? 2 * i : at.landmark + 2 * (i - A)));
  const speed = bodies.map((_, i) => (i < A ? at.velocity + 2 * i : at.landmarkVelocity + 2 * (i - A)));
  const dt = plan.dt / plan.substeps;
  const keep = 1 - plan.drag;
  const contacts: Contact[] = [];
  bodies.forEach((p, i) => {
    bodies.forEach((q, j) => {
      if (j <= i || !p.collides || !q.collides || !(p.moves || p.turns || q.moves || q.turns)) return;
      if (q.shape === 'disc') contacts.push({ a: i, b: j, kind: p.shape });
      else if (p.shape === 'disc') contacts.push({ a: j, b: i, kind: q.shape });
    });
  });
  const around = bodies.map(({ shape, size }) =>
    shape === 'disc' ? size[0]! : shape === 'line' ? size[0]! / 2 : Math.sqrt(size[0]! * size[0]! + size[1]! * size[1]!) / 2,
  );

  /** Pushes b away from the point (x, y), and what it belongs to (a, about its centre) the other way. */
  const push = (floats: Float64Array, s: number, a: number, b: number, x: number, y: number, touch: number, armX: number, armY: number) => {
    const dx = floats[s + place[b]!]! - x;
    const dy = floats[s + place[b]! + 1]! - y;
    const far = Math.sqrt(dx * dx + dy * dy);
    if (far > touch || far < 1e-6) return;
    const z = (touch - far) / plan.margin;
    const depth = (z + log1p(exp(-z))) * plan.margin;
    const fx = (plan.collisionForce * depth * dx) / far;
    const fy = (plan.collisionForce * depth * dy) / far;
    force[2 * b] = force[2 * b]! + fx;
    force[2 * b + 1] = force[2 * b + 1]! + fy;
    force[2 * a] = force[2 * a]! - fx;
    force[2 * a + 1] = force[2 * a + 1]! - fy;
    torque[a] = torque[a]! - (armX * fy - armY * fx);
  };
  const touch = (floats: Float64Array, s: number, { a, b, kind }: Contact) => {
    const px = floats[s + place[b]!]!;
    const py = floats[s + place[b]! + 1]!;
    const x = floats[s + place[a]!]!;
    const y = floats[s + place[a]! + 1]!;
    const reach = around[a]! + around[b]!;
    if ((px - x) * (px - x) + (py - y) * (py - y) > reach * reach) return;
    const radius = bodies[b]!.size[0]!;
    const size = bodies[a]!.size;
    if (kind === 'disc') {
      push(floats, s, a, b, x, y, radius + size[0]!, 0, 0);
      return;
    }
    const angle = floats[s + at.angle + a - A]!;
    if (kind === 'line') {
      nearestOnLine(x, y, cos(angle), sin(angle), size[0]!, px, py);
      push(floats, s, a, b, hit.x, hit.y, radius + THICK, hit.x - x, hit.y - y);
      return;
    }
    nearestOnBox(x, y, angle, size[0]!, size[1]!, px, py);
    // a solid box pushes from inside: from the point below its edge that is nearest to its centre on the line of nearest points
    const vx = hit.x - px;
    const vy = hit.y - py;
    const v = Math.sqrt(vx * vx + vy * vy);
    const depth = v === 0 ? 0 : (vx * (x - hit.x) + vy * (y - hit.y)) / v;
    const inX = v === 0 ? hit.x : hit.x + (vx / v) * depth;
    const inY = v === 0 ? hit.y : hit.y + (vy / v) * depth;
    push(floats, s, a, b, inX, inY, radius + THICK + Math.abs(depth), 0, 0);
  };
  const advance = (floats: Float64Array, s: number, i: number, first: boolean) => {
    const { mass, moves, turns, size } = bodies[i]!;
    if (moves) {
      const p = s + place[i]!;
      const v = s + speed[i]!;
      const slow = first ? keep : 1;
      floats[v] = floats[v]! * slow + (force[2 * i]! / mass) * dt;
      floats[v + 1] = floats[v + 1]! * slow + (force[2 * i + 1]! / mass) * dt;
      floats[p] = Math.min(plan.halfX, Math.max(-plan.halfX, floats[p]! + floats[v]! * dt));
      floats[p + 1] = Math.min(plan.halfY, Math.max(-plan.halfY, floats[p + 1]! + floats[v + 1]! * dt));
    }
    if (!turns) return;
    const w = s + at.spin + i - A;
    const inertia = (mass * size[0]! * size[0]!) / 12; // only lines turn
    floats[w] = floats[w]! * (first ? keep : 1) + (torque[i]! / inertia) * dt;
    floats[s + at.angle + i - A] = floats[s + at.angle + i - A]! + floats[w]! * dt;
  };

  return (floats, s, drive) => {
    for (let sub = 0; sub < plan.substeps; sub++) {
      torque.fill(0);
      for (let i = 0; i < count; i++) {
        force[2 * i] = i < A ? drive[2 * i]! : 0;
        force[2 * i + 1] = (i < A ? drive[2 * i + 1]! : 0) + bodies[i]!.mass * plan.gravity;
      }
      for (const contact of contacts) touch(floats, s, contact);
      for (let i = 0; i < count; i++) advance(floats, s, i, sub === 0);
    }
  };
}
