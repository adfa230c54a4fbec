/**
 * The contact solver: Box2D 2.3's b2ContactSolver for a body against ground, which has no mass and does not move. Two points of one
 * contact are solved together (the block solver). Nothing bounces in these worlds: the bias of restitution is 0.
 */
import { Contact, contact, ground, Part, part, SCRATCH } from './memory';
import { clamp, cosine, larger, lesser, sine, SKIN, SLOP } from './math';

@unmanaged
class Row {
  contact: i32;
  body: i32;
  points: i32;
  friction: f32;
  nx: f32;
  ny: f32;
  k11: f32;
  k12: f32;
  k22: f32;
  i11: f32; // inverse of K
  i12: f32;
  i21: f32;
  i22: f32;
  r0x: f32;
  r0y: f32;
  normal0: f32;
  tangent0: f32;
  normalMass0: f32;
  tangentMass0: f32;
  r1x: f32;
  r1y: f32;
  normal1: f32;
  tangent1: f32;
  normalMass1: f32;
  tangentMass1: f32;
}
const ROW_SIZE: usize = 100;
const ROWS: usize = SCRATCH + 1024;
// @ts-ignore: decorator
@inline function row(i: i32): Row { return changetype<Row>(ROWS + ROW_SIZE * i); }

let rows: i32 = 0;
export function clearRows(): void { rows = 0; }
export function countRows(): i32 { return rows; }

/** Takes a touching contact in, with the impulses of the step before times `warm`, or none. */
export function addRow(index: i32): void {
  const r = row(rows++);
  r.contact = index;
  r.body = contact(index).body;
}

let pointX: f32 = 0, pointY: f32 = 0, separation: f32 = 0, normalX: f32 = 0, normalY: f32 = 0;

/** One point's place in the world, midway between the two skins. */
function middle(c: Contact, p: Part, second: bool, s: f32, q: f32, px: f32, py: f32): void {
  const lx = second ? c.p1x : c.p0x;
  const ly = second ? c.p1y : c.p0y;
  if (c.faceB == 0) {
    const wx: f32 = q * lx - s * ly + px;
    const wy: f32 = s * lx + q * ly + py;
    const d: f32 = SKIN - ((wx - c.lx) * c.nx + (wy - c.ly) * c.ny);
    pointX = <f32>0.5 * (wx + d * c.nx + (wx - SKIN * c.nx));
    pointY = <f32>0.5 * (wy + d * c.ny + (wy - SKIN * c.ny));
    return;
  }
  const nx: f32 = q * c.nx - s * c.ny;
  const ny: f32 = s * c.nx + q * c.ny;
  const planeX: f32 = q * c.lx - s * c.ly + px;
  const planeY: f32 = s * c.lx + q * c.ly + py;
  const d: f32 = SKIN - ((lx - planeX) * nx + (ly - planeY) * ny);
  pointX = <f32>0.5 * (lx - SKIN * nx + (lx + d * nx));
  pointY = <f32>0.5 * (ly - SKIN * ny + (ly + d * ny));
}

export function initialise(warm: f32): void {
  for (let i = 0; i < rows; i++) {
    const r = row(i);
    const c = contact(r.contact);
    const p = part(r.body);
    r.points = c.points;
    r.friction = Mathf.sqrt(ground(c.ground).friction * p.friction);
    r.normal0 = warm * c.normal0;
    r.tangent0 = warm * c.tangent0;
    r.normal1 = warm * c.normal1;
    r.tangent1 = warm * c.tangent1;
    const s = sine(p.a);
    const q = cosine(p.a);
    const px: f32 = p.cx - (q * p.lcx - s * p.lcy);
    const py: f32 = p.cy - (s * p.lcx + q * p.lcy);
    r.nx = c.nx;
    r.ny = c.ny;
    if (c.faceB == 1) {
      r.nx = -(q * c.nx - s * c.ny);
      r.ny = -(s * c.nx + q * c.ny);
    }
    const m = p.invMass;
    const inertia = p.invI;
    middle(c, p, false, s, q, px, py);
    r.r0x = pointX - p.cx;
    r.r0y = pointY - p.cy;
    const n0: f32 = r.r0x * r.ny - r.r0y * r.nx;
    const t0: f32 = r.r0x * -r.nx - r.r0y * r.ny;
    const k11: f32 = m + inertia * n0 * n0;
    r.normalMass0 = k11 > 0 ? <f32>1 / k11 : 0;
    const kt0: f32 = m + inertia * t0 * t0;
    r.tangentMass0 = kt0 > 0 ? <f32>1 / kt0 : 0;
    if (r.points < 2) continue;
    middle(c, p, true, s, q, px, py);
    r.r1x = pointX - p.cx;
    r.r1y = pointY - p.cy;
    const n1: f32 = r.r1x * r.ny - r.r1y * r.nx;
    const t1: f32 = r.r1x * -r.nx - r.r1y * r.ny;
    const k22: f32 = m + inertia * n1 * n1;
    r.normalMass1 = k22 > 0 ? <f32>1 / k22 : 0;
    const kt1: f32 = m + inertia * t1 * t1;
    r.tangentMass1 = kt1 > 0 ? <f32>1 / kt1 : 0;
    const k12: f32 = m + inertia * n0 * n1;
    if (k11 * k11 < <f32>1000 * (k11 * k22 - k12 * k12)) {
      r.k11 = k11;
      r.k12 = k12;
      r.k22 = k22;
      let det: f32 = k11 * k22 - k12 * k12;
      if (det != 0) det = <f32>1 / det;
      r.i11 = det * k22;
      r.i12 = -det * k12;
      r.i21 = -det * k12;
      r.i22 = det * k11;
    } else r.points = 1; // the two are redundant
  }
}

export function warmStart(): void {
  for (let i = 0; i < rows; i++) {
    const r = row(i);
    const p = part(r.body);
    const tx = r.ny;
    const ty: f32 = -r.nx;
    let ix: f32 = r.normal0 * r.nx + r.tangent0 * tx;
    let iy: f32 = r.normal0 * r.ny + r.tangent0 * ty;
    p.w += p.invI * (r.r0x * iy - r.r0y * ix);
    p.vx += p.invMass * ix;
    p.vy += p.invMass * iy;
    if (r.points < 2) continue;
    ix = r.normal1 * r.nx + r.tangent1 * tx;
    iy = r.normal1 * r.ny + r.tangent1 * ty;
    p.w += p.invI * (r.r1x * iy - r.r1y * ix);
    p.vx += p.invMass * ix;
    p.vy += p.invMass * iy;
  }
}

export function solveVelocities(): void {
  for (let i = 0; i < rows; i++) {
    const r = row(i);
    const p = part(r.body);
    const m = p.invMass;
    const inertia = p.invI;
    const nx = r.nx;
    const ny = r.ny;
    const tx = ny;
    const ty: f32 = -nx;
    const r0x = r.r0x;
    const r0y = r.r0y;
    let vx = p.vx;
    let vy = p.vy;
    let w = p.w;
    // friction first
    {
      const vt: f32 = (vx - w * r0y) * tx + (vy + w * r0x) * ty;
      const most: f32 = r.friction * r.normal0;
      const next = clamp(r.tangent0 + r.tangentMass0 * -vt, -most, most);
      const lambda: f32 = next - r.tangent0;
      r.tangent0 = next;
      const ix: f32 = lambda * tx;
      const iy: f32 = lambda * ty;
      vx += m * ix;
      vy += m * iy;
      w += inertia * (r0x * iy - r0y * ix);
    }
    if (r.points == 1) {
      const vn: f32 = (vx - w * r0y) * nx + (vy + w * r0x) * ny;
      const next = larger(r.normal0 + -r.normalMass0 * vn, 0);
      const lambda: f32 = next - r.normal0;
      r.normal0 = next;
      const ix: f32 = lambda * nx;
      const iy: f32 = lambda * ny;
      vx += m * ix;
      vy += m * iy;
      w += inertia * (r0x * iy - r0y * ix);
    } else {
      const r1x = r.r1x;
      const r1y = r.r1y;
      const vt: f32 = (vx - w * r1y) * tx + (vy + w * r1x) * ty;
      const most: f32 = r.friction * r.normal1;
      const next = clamp(r.tangent1 + r.tangentMass1 * -vt, -most, most);
      const lambda: f32 = next - r.tangent1;
      r.tangent1 = next;
      const ix: f32 = lambda * tx;
      const iy: f32 = lambda * ty;
      vx += m * ix;
      vy += m * iy;
      w += inertia * (r1x * iy - r1y * ix);

      const a0 = r.normal0;
      const a1 = r.normal1;
      let b0: f32 = (vx - w * r0y) * nx + (vy + w * r0x) * ny;
      let b1: f32 = (vx - w * r1y) * nx + (vy + w * r1x) * ny;
      b0 -= r.k11 * a0 + r.k12 * a1;
      b1 -= r.k12 * a0 + r.k22 * a1;
      let x0: f32 = -(r.i11 * b0 + r.i12 * b1);
      let x1: f32 = -(r.i21 * b0 + r.i22 * b1);
      let solved = x0 >= 0 && x1 >= 0;
      if (!solved) {
        x0 = -r.normalMass0 * b0;
        x1 = 0;
        solved = x0 >= 0 && r.k12 * x0 + b1 >= 0;
      }
      if (!solved) {
        x0 = 0;
        x1 = -r.normalMass1 * b1;
        solved = x1 >= 0 && r.k12 * x1 + b0 >= 0;
      }
      if (!solved) {
        x0 = 0;
        x1 = 0;
        solved = b0 >= 0 && b1 >= 0;
      }
      if (solved) {
        const d0: f32 = x0 - a0;
        const d1: f32 = x1 - a1;
        const p0x: f32 = d0 * nx, p0y: f32 = d0 * ny, p1x: f32 = d1 * nx, p1y: f32 = d1 * ny;
        vx += m * (p0x + p1x);
        vy += m * (p0y + p1y);
        w += inertia * (r0x * p0y - r0y * p0x + (r1x * p1y - r1y * p1x));
        r.normal0 = x0;
        r.normal1 = x1;
      }
    }
    p.vx = vx;
    p.vy = vy;
    p.w = w;
  }
}

export function storeImpulses(): void {
  for (let i = 0; i < rows; i++) {
    const r = row(i);
    const c = contact(r.contact);
    c.normal0 = r.normal0;
    c.tangent0 = r.tangent0;
    if (r.points < 2) continue;
    c.normal1 = r.normal1;
    c.tangent1 = r.tangent1;
  }
}

function apart(c: Contact, second: bool, s: f32, q: f32, px: f32, py: f32): void {
  const lx = second ? c.p1x : c.p0x;
  const ly = second ? c.p1y : c.p0y;
  if (c.faceB == 0) {
    normalX = c.nx;
    normalY = c.ny;
    pointX = q * lx - s * ly + px;
    pointY = s * lx + q * ly + py;
    separation = (pointX - c.lx) * normalX + (pointY - c.ly) * normalY - SKIN - SKIN;
    return;
  }
  const nx: f32 = q * c.nx - s * c.ny;
  const ny: f32 = s * c.nx + q * c.ny;
  const planeX: f32 = q * c.lx - s * c.ly + px;
  const planeY: f32 = s * c.lx + q * c.ly + py;
  separation = (lx - planeX) * nx + (ly - planeY) * ny - SKIN - SKIN;
  pointX = lx;
  pointY = ly;
  normalX = -nx;
  normalY = -ny;
}

/** Moves bodies out of the ground by the share `rate` of the overlap; whether none is deeper than `-limit` any more. */
export function solvePositions(rate: f32, limit: f32): bool {
  let least: f32 = 0;
  for (let i = 0; i < rows; i++) {
    const r = row(i);
    const c = contact(r.contact);
    const p = part(r.body);
    for (let j = 0; j < c.points; j++) {
      const s = sine(p.a);
      const q = cosine(p.a);
      apart(c, j == 1, s, q, p.cx - (q * p.lcx - s * p.lcy), p.cy - (s * p.lcx + q * p.lcy));
      const rx: f32 = pointX - p.cx;
      const ry: f32 = pointY - p.cy;
      least = lesser(least, separation);
      const off = clamp(rate * (separation + SLOP), -0.2, 0);
      const rn: f32 = rx * normalY - ry * normalX;
      const k: f32 = p.invMass + p.invI * rn * rn;
      const impulse: f32 = k > 0 ? -off / k : 0;
      const ix: f32 = impulse * normalX;
      const iy: f32 = impulse * normalY;
      p.cx += p.invMass * ix;
      p.cy += p.invMass * iy;
      p.a += p.invI * (rx * iy - ry * ix);
    }
  }
  return least >= limit;
}
