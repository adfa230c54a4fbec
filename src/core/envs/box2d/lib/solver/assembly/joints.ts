/** Hinges with a motor and limits: Box2D 2.3's b2RevoluteJoint, reference angle 0. */
import { Joint, joint, Part, part, Pin, pin, scene } from './memory';
import { ANGULAR_SLOP, clamp, cosine, MAX_ANGULAR_CORRECTION, sine, SLOP } from './math';

const FREE: i32 = 0;
const LOWER: i32 = 1;
const UPPER: i32 = 2;

let solved2X: f32 = 0, solved2Y: f32 = 0;
// @ts-ignore: decorator
@inline function solve22(p: Pin, bx: f32, by: f32): void {
  let det: f32 = p.exx * p.eyy - p.eyx * p.eyx;
  if (det != 0) det = <f32>1 / det;
  solved2X = det * (p.eyy * bx - p.eyx * by);
  solved2Y = det * (p.exx * by - p.eyx * bx);
}

// @ts-ignore: decorator
@inline function push(p: Pin, a: Part, b: Part, ix: f32, iy: f32, turn: f32): void {
  a.vx -= a.invMass * ix;
  a.vy -= a.invMass * iy;
  a.w -= a.invI * (p.rax * iy - p.ray * ix + turn);
  b.vx += b.invMass * ix;
  b.vy += b.invMass * iy;
  b.w += b.invI * (p.rbx * iy - p.rby * ix + turn);
}

export function initJoint(index: i32, warm: f32): void {
  const p = pin(index);
  const j = joint(index);
  const a = part(p.bodyA);
  const b = part(p.bodyB);
  const sa = sine(a.a), ca = cosine(a.a), sb = sine(b.a), cb = cosine(b.a);
  const ax: f32 = p.ax - a.lcx, ay: f32 = p.ay - a.lcy, bx: f32 = p.bx - b.lcx, by: f32 = p.by - b.lcy;
  p.rax = ca * ax - sa * ay;
  p.ray = sa * ax + ca * ay;
  p.rbx = cb * bx - sb * by;
  p.rby = sb * bx + cb * by;
  const mA = a.invMass, mB = b.invMass, iA = a.invI, iB = b.invI;
  p.exx = mA + mB + p.ray * p.ray * iA + p.rby * p.rby * iB;
  p.eyx = -p.ray * p.rax * iA - p.rby * p.rbx * iB;
  p.ezx = -p.ray * iA - p.rby * iB;
  p.eyy = mA + mB + p.rax * p.rax * iA + p.rbx * p.rbx * iB;
  p.ezy = p.rax * iA + p.rbx * iB;
  p.ezz = iA + iB;
  p.motorMass = iA + iB;
  if (p.motorMass > 0) p.motorMass = <f32>1 / p.motorMass;
  const angle: f32 = b.a - a.a;
  const at = angle <= p.lower ? LOWER : angle >= p.upper ? UPPER : FREE;
  if (at == FREE || at != j.limit) j.iz = 0;
  j.limit = at;
  j.ix *= warm;
  j.iy *= warm;
  j.iz *= warm;
  j.motorImpulse *= warm;
  const crossA: f32 = p.rax * j.iy - p.ray * j.ix;
  const crossB: f32 = p.rbx * j.iy - p.rby * j.ix;
  a.vx -= mA * j.ix;
  a.vy -= mA * j.iy;
  a.w -= iA * (crossA + j.motorImpulse + j.iz);
  b.vx += mB * j.ix;
  b.vy += mB * j.iy;
  b.w += iB * (crossB + j.motorImpulse + j.iz);
}

export function solveJointVelocity(index: i32): void {
  const p = pin(index);
  const j = joint(index);
  const a = part(p.bodyA);
  const b = part(p.bodyB);
  const most: f32 = scene().step * j.maxTorque;
  const before = j.motorImpulse;
  j.motorImpulse = clamp(before + -p.motorMass * (b.w - a.w - j.motorSpeed), -most, most);
  const motor: f32 = j.motorImpulse - before;
  a.w -= a.invI * motor;
  b.w += b.invI * motor;

  const dx: f32 = b.vx - b.w * p.rby - a.vx + a.w * p.ray;
  const dy: f32 = b.vy + b.w * p.rbx - a.vy - a.w * p.rax;
  if (j.limit == FREE) {
    solve22(p, -dx, -dy);
    const ix = solved2X;
    const iy = solved2Y;
    j.ix += ix;
    j.iy += iy;
    a.vx -= a.invMass * ix;
    a.vy -= a.invMass * iy;
    a.w -= a.invI * (p.rax * iy - p.ray * ix);
    b.vx += b.invMass * ix;
    b.vy += b.invMass * iy;
    b.w += b.invI * (p.rbx * iy - p.rby * ix);
    return;
  }
  const dz: f32 = b.w - a.w;
  // all three together: Cramer's rule, columns ex, ey, ez
  const yzX: f32 = p.eyy * p.ezz - p.ezy * p.ezy;
  const yzY: f32 = p.ezy * p.ezx - p.eyx * p.ezz;
  const yzZ: f32 = p.eyx * p.ezy - p.eyy * p.ezx;
  let det: f32 = p.exx * yzX + p.eyx * yzY + p.ezx * yzZ;
  if (det != 0) det = <f32>1 / det;
  let ix: f32 = -(det * (dx * yzX + dy * yzY + dz * yzZ));
  const bzX: f32 = dy * p.ezz - dz * p.ezy;
  const bzY: f32 = dz * p.ezx - dx * p.ezz;
  const bzZ: f32 = dx * p.ezy - dy * p.ezx;
  let iy: f32 = -(det * (p.exx * bzX + p.eyx * bzY + p.ezx * bzZ));
  const ybX: f32 = p.eyy * dz - p.ezy * dy;
  const ybY: f32 = p.ezy * dx - p.eyx * dz;
  const ybZ: f32 = p.eyx * dy - p.eyy * dx;
  let iz: f32 = -(det * (p.exx * ybX + p.eyx * ybY + p.ezx * ybZ));
  const next: f32 = j.iz + iz;
  if (j.limit == LOWER ? next < 0 : next > 0) {
    // the limit would pull: let go of it
    solve22(p, -dx + j.iz * p.ezx, -dy + j.iz * p.ezy);
    ix = solved2X;
    iy = solved2Y;
    iz = -j.iz;
    j.ix += ix;
    j.iy += iy;
    j.iz = 0;
  } else {
    j.ix += ix;
    j.iy += iy;
    j.iz += iz;
  }
  push(p, a, b, ix, iy, iz);
}

/** Whether the joint is within its tolerances after one correction. */
export function solveJointPosition(index: i32): bool {
  const p = pin(index);
  const j: Joint = joint(index);
  const a = part(p.bodyA);
  const b = part(p.bodyB);
  let angularError: f32 = 0;
  if (j.limit != FREE) {
    const angle: f32 = b.a - a.a;
    let off: f32 = angle - (j.limit == LOWER ? p.lower : p.upper);
    if (j.limit == LOWER) {
      angularError = -off;
      off = clamp(off + ANGULAR_SLOP, -MAX_ANGULAR_CORRECTION, 0);
    } else {
      angularError = off;
      off = clamp(off - ANGULAR_SLOP, 0, MAX_ANGULAR_CORRECTION);
    }
    const impulse: f32 = -p.motorMass * off;
    a.a -= a.invI * impulse;
    b.a += b.invI * impulse;
  }
  const sa = sine(a.a), ca = cosine(a.a), sb = sine(b.a), cb = cosine(b.a);
  const ax: f32 = p.ax - a.lcx, ay: f32 = p.ay - a.lcy, bx: f32 = p.bx - b.lcx, by: f32 = p.by - b.lcy;
  const rax: f32 = ca * ax - sa * ay, ray: f32 = sa * ax + ca * ay;
  const rbx: f32 = cb * bx - sb * by, rby: f32 = sb * bx + cb * by;
  const cx: f32 = b.cx + rbx - a.cx - rax;
  const cy: f32 = b.cy + rby - a.cy - ray;
  const mA = a.invMass, mB = b.invMass, iA = a.invI, iB = b.invI;
  const k11: f32 = mA + mB + iA * ray * ray + iB * rby * rby;
  const k12: f32 = -iA * rax * ray - iB * rbx * rby;
  const k22: f32 = mA + mB + iA * rax * rax + iB * rbx * rbx;
  let det: f32 = k11 * k22 - k12 * k12;
  if (det != 0) det = <f32>1 / det;
  const ix: f32 = -(det * (k22 * cx - k12 * cy));
  const iy: f32 = -(det * (k11 * cy - k12 * cx));
  a.cx -= mA * ix;
  a.cy -= mA * iy;
  a.a -= iA * (rax * iy - ray * ix);
  b.cx += mB * ix;
  b.cy += mB * iy;
  b.a += iB * (rbx * iy - rby * ix);
  return Mathf.sqrt(cx * cx + cy * cy) <= SLOP && angularError <= ANGULAR_SLOP;
}
