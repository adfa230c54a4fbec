/**
 * The distance of a body's shape from a piece of ground (GJK), and when within a step they come to touch (conservative advancement):
 * Box2D 2.3's b2Distance and b2TimeOfImpact. Ground stands in world coordinates and does not move.
 */
import { Body, Ground, GROUND_VERTICES, Part, PART_VERTICES, SCRATCH } from './memory';
import { cosine, EPSILON, larger, MAX, sine, SKIN, SLOP, TWO_PI } from './math';

const CORNER: usize = SCRATCH + 256;
@unmanaged
class Corner {
  ax: f32;
  ay: f32;
  bx: f32;
  by: f32;
  x: f32;
  y: f32;
  share: f32;
  a: i32;
  b: i32;
}
const CORNER_SIZE: usize = 36;
// @ts-ignore: decorator
@inline function corner(i: i32): Corner { return changetype<Corner>(CORNER + CORNER_SIZE * i); }
// @ts-ignore: decorator
@inline function copy(to: i32, from: i32): void { memory.copy(CORNER + CORNER_SIZE * to, CORNER + CORNER_SIZE * from, CORNER_SIZE); }

let ground: usize = 0, shape: usize = 0;
let groundCount: i32 = 0, shapeCount: i32 = 0;
let count: i32 = 0; // corners of the simplex
// what is kept from one call to the next of the same pair
let known: i32 = 0, metric: f32 = 0;
let a0: i32 = 0, a1: i32 = 0, a2: i32 = 0, b0: i32 = 0, b1: i32 = 0, b2: i32 = 0;
// the body at the time looked at
let px: f32 = 0, py: f32 = 0, s: f32 = 0, c: f32 = 1;

// @ts-ignore: decorator
@inline function x(at: usize, i: i32): f32 { return load<f32>(at + 8 * i); }
// @ts-ignore: decorator
@inline function y(at: usize, i: i32): f32 { return load<f32>(at + 8 * i, 4); }

function support(at: usize, n: i32, dx: f32, dy: f32): i32 {
  let best = 0;
  let most: f32 = x(at, 0) * dx + y(at, 0) * dy;
  for (let i = 1; i < n; i++) {
    const value: f32 = x(at, i) * dx + y(at, i) * dy;
    if (value > most) {
      best = i;
      most = value;
    }
  }
  return best;
}

function place(i: i32, a: i32, b: i32): void {
  const v = corner(i);
  v.a = a;
  v.b = b;
  v.ax = x(ground, a);
  v.ay = y(ground, a);
  v.bx = c * x(shape, b) - s * y(shape, b) + px;
  v.by = s * x(shape, b) + c * y(shape, b) + py;
  v.x = v.bx - v.ax;
  v.y = v.by - v.ay;
}

function measure(): f32 {
  if (count < 2) return 0;
  const u = corner(0);
  const v = corner(1);
  if (count == 2) {
    const dx: f32 = u.x - v.x;
    const dy: f32 = u.y - v.y;
    return Mathf.sqrt(dx * dx + dy * dy);
  }
  const w = corner(2);
  return (v.x - u.x) * (w.y - u.y) - (v.y - u.y) * (w.x - u.x);
}

function solve2(): void {
  const u = corner(0);
  const v = corner(1);
  const ex: f32 = v.x - u.x;
  const ey: f32 = v.y - u.y;
  const d2: f32 = -(u.x * ex + u.y * ey);
  if (d2 <= 0) {
    u.share = 1;
    count = 1;
    return;
  }
  const d1: f32 = v.x * ex + v.y * ey;
  if (d1 <= 0) {
    v.share = 1;
    count = 1;
    copy(0, 1);
    return;
  }
  const inverse: f32 = <f32>1 / (d1 + d2);
  u.share = d1 * inverse;
  v.share = d2 * inverse;
}

function solve3(): void {
  const u = corner(0);
  const v = corner(1);
  const w = corner(2);
  const e12x: f32 = v.x - u.x, e12y: f32 = v.y - u.y;
  const d12_1: f32 = v.x * e12x + v.y * e12y;
  const d12_2: f32 = -(u.x * e12x + u.y * e12y);
  const e13x: f32 = w.x - u.x, e13y: f32 = w.y - u.y;
  const d13_1: f32 = w.x * e13x + w.y * e13y;
  const d13_2: f32 = -(u.x * e13x + u.y * e13y);
  const e23x: f32 = w.x - v.x, e23y: f32 = w.y - v.y;
  const d23_1: f32 = w.x * e23x + w.y * e23y;
  const d23_2: f32 = -(v.x * e23x + v.y * e23y);
  const n: f32 = e12x * e13y - e12y * e13x;
  const d1: f32 = n * (v.x * w.y - v.y * w.x);
  const d2: f32 = n * (w.x * u.y - w.y * u.x);
  const d3: f32 = n * (u.x * v.y - u.y * v.x);
  if (d12_2 <= 0 && d13_2 <= 0) {
    u.share = 1;
    count = 1;
  } else if (d12_1 > 0 && d12_2 > 0 && d3 <= 0) {
    const inverse: f32 = <f32>1 / (d12_1 + d12_2);
    u.share = d12_1 * inverse;
    v.share = d12_2 * inverse;
    count = 2;
  } else if (d13_1 > 0 && d13_2 > 0 && d2 <= 0) {
    const inverse: f32 = <f32>1 / (d13_1 + d13_2);
    u.share = d13_1 * inverse;
    w.share = d13_2 * inverse;
    count = 2;
    copy(1, 2);
  } else if (d12_1 <= 0 && d23_2 <= 0) {
    v.share = 1;
    count = 1;
    copy(0, 1);
  } else if (d13_1 <= 0 && d23_1 <= 0) {
    w.share = 1;
    count = 1;
    copy(0, 2);
  } else if (d23_1 > 0 && d23_2 > 0 && d1 <= 0) {
    const inverse: f32 = <f32>1 / (d23_1 + d23_2);
    v.share = d23_1 * inverse;
    w.share = d23_2 * inverse;
    count = 2;
    copy(0, 2);
  } else {
    const inverse: f32 = <f32>1 / (d1 + d2 + d3);
    u.share = d1 * inverse;
    v.share = d2 * inverse;
    w.share = d3 * inverse;
  }
}

/** The distance of the two shapes without their skins. */
function distance(): f32 {
  count = known;
  if (count > 0) place(0, a0, b0);
  if (count > 1) place(1, a1, b1);
  if (count > 2) place(2, a2, b2);
  for (let i = 0; i < count; i++) corner(i).share = 0;
  if (count > 1) {
    const now = measure();
    if (now < <f32>0.5 * metric || <f32>2 * metric < now || now < EPSILON) count = 0;
  }
  if (count == 0) {
    place(0, 0, 0);
    corner(0).share = 1;
    count = 1;
  }
  for (let iteration = 0; iteration < 20; iteration++) {
    const saved = count;
    const sa0 = corner(0).a, sb0 = corner(0).b, sa1 = corner(1).a, sb1 = corner(1).b, sa2 = corner(2).a, sb2 = corner(2).b;
    if (count == 2) solve2();
    else if (count == 3) solve3();
    if (count == 3) break;
    const u = corner(0);
    let dx: f32, dy: f32;
    if (count == 1) {
      dx = -u.x;
      dy = -u.y;
    } else {
      const v = corner(1);
      const ex: f32 = v.x - u.x;
      const ey: f32 = v.y - u.y;
      const turn: f32 = ex * -u.y - ey * -u.x;
      dx = turn > 0 ? -ey : ey;
      dy = turn > 0 ? ex : -ex;
    }
    if (dx * dx + dy * dy < EPSILON * EPSILON) break;
    const a = support(ground, groundCount, -dx, -dy);
    const b = support(shape, shapeCount, c * dx + s * dy, -s * dx + c * dy);
    place(count, a, b);
    if (a == sa0 && b == sb0) break;
    if (saved > 1 && a == sa1 && b == sb1) break;
    if (saved > 2 && a == sa2 && b == sb2) break;
    count++;
  }
  let ax: f32, ay: f32, bx: f32, by: f32;
  const u = corner(0);
  const v = corner(1);
  const w = corner(2);
  if (count == 1) {
    ax = u.ax;
    ay = u.ay;
    bx = u.bx;
    by = u.by;
  } else if (count == 2) {
    ax = u.share * u.ax + v.share * v.ax;
    ay = u.share * u.ay + v.share * v.ay;
    bx = u.share * u.bx + v.share * v.bx;
    by = u.share * u.by + v.share * v.by;
  } else {
    ax = u.share * u.ax + v.share * v.ax + w.share * w.ax;
    ay = u.share * u.ay + v.share * v.ay + w.share * w.ay;
    bx = ax;
    by = ay;
  }
  metric = measure();
  known = count;
  a0 = u.a;
  b0 = u.b;
  a1 = v.a;
  b1 = v.b;
  a2 = w.a;
  b2 = w.b;
  const gapX: f32 = ax - bx;
  const gapY: f32 = ay - by;
  return Mathf.sqrt(gapX * gapX + gapY * gapY);
}

// the way of the body within the step
let fromX: f32 = 0, fromY: f32 = 0, toX: f32 = 0, toY: f32 = 0, fromA: f32 = 0, toA: f32 = 0, lcx: f32 = 0, lcy: f32 = 0;
function at(t: f32): void {
  const back: f32 = <f32>1 - t;
  px = back * fromX + t * toX;
  py = back * fromY + t * toY;
  const angle: f32 = back * fromA + t * toA;
  s = sine(angle);
  c = cosine(angle);
  px -= c * lcx - s * lcy;
  py -= s * lcx + c * lcy;
}

// the line along which separation is measured
const POINTS: i32 = 0, GROUND_FACE: i32 = 1, BODY_FACE: i32 = 2;
let kind: i32 = 0;
let axisX: f32 = 0, axisY: f32 = 0, localX: f32 = 0, localY: f32 = 0;
let indexA: i32 = 0, indexB: i32 = 0;

function axis(dx: f32, dy: f32): void {
  axisX = dx;
  axisY = dy;
  const length = Mathf.sqrt(dx * dx + dy * dy);
  if (length < EPSILON) return;
  const inverse: f32 = <f32>1 / length;
  axisX *= inverse;
  axisY *= inverse;
}

function begin(t: f32): void {
  at(t);
  if (known == 1) {
    kind = POINTS;
    axis(c * x(shape, b0) - s * y(shape, b0) + px - x(ground, a0), s * x(shape, b0) + c * y(shape, b0) + py - y(ground, a0));
    return;
  }
  let side: f32;
  if (a0 == a1) {
    kind = BODY_FACE;
    axis(y(shape, b1) - y(shape, b0), -(x(shape, b1) - x(shape, b0)));
    const nx: f32 = c * axisX - s * axisY;
    const ny: f32 = s * axisX + c * axisY;
    localX = <f32>0.5 * (x(shape, b0) + x(shape, b1));
    localY = <f32>0.5 * (y(shape, b0) + y(shape, b1));
    const bx: f32 = c * localX - s * localY + px;
    const by: f32 = s * localX + c * localY + py;
    side = (x(ground, a0) - bx) * nx + (y(ground, a0) - by) * ny;
  } else {
    kind = GROUND_FACE;
    axis(y(ground, a1) - y(ground, a0), -(x(ground, a1) - x(ground, a0)));
    localX = <f32>0.5 * (x(ground, a0) + x(ground, a1));
    localY = <f32>0.5 * (y(ground, a0) + y(ground, a1));
    const bx: f32 = c * x(shape, b0) - s * y(shape, b0) + px;
    const by: f32 = s * x(shape, b0) + c * y(shape, b0) + py;
    side = (bx - localX) * axisX + (by - localY) * axisY;
  }
  if (side < 0) {
    axisX = -axisX;
    axisY = -axisY;
  }
}

/** The separation at `t` of the corners `indexA`, `indexB`, which are looked for first where `search`. */
function separation(t: f32, search: bool): f32 {
  at(t);
  if (kind == BODY_FACE) {
    const nx: f32 = c * axisX - s * axisY;
    const ny: f32 = s * axisX + c * axisY;
    const bx: f32 = c * localX - s * localY + px;
    const by: f32 = s * localX + c * localY + py;
    if (search) indexA = support(ground, groundCount, -nx, -ny);
    return (x(ground, indexA) - bx) * nx + (y(ground, indexA) - by) * ny;
  }
  if (search) {
    if (kind == POINTS) indexA = support(ground, groundCount, axisX, axisY);
    indexB = support(shape, shapeCount, c * -axisX + s * -axisY, -s * -axisX + c * -axisY);
  }
  const bx: f32 = c * x(shape, indexB) - s * y(shape, indexB) + px;
  const by: f32 = s * x(shape, indexB) + c * y(shape, indexB) + py;
  const ax = kind == POINTS ? x(ground, indexA) : localX;
  const ay = kind == POINTS ? y(ground, indexA) : localY;
  return (bx - ax) * axisX + (by - ay) * axisY;
}

const TARGET: f32 = larger(SLOP, SKIN + SKIN - <f32>3 * SLOP);
const TOLERANCE: f32 = <f32>0.25 * SLOP;

/** When, as a share of the rest of the step, the body comes to touch; -1 where it does not, or already does. */
export function timeOfImpact(g: Ground, p: Part, b: Body): f32 {
  ground = changetype<usize>(g) + GROUND_VERTICES;
  groundCount = g.count;
  shape = changetype<usize>(p) + PART_VERTICES;
  shapeCount = p.count;
  fromX = b.c0x;
  fromY = b.c0y;
  toX = b.cx;
  toY = b.cy;
  lcx = p.lcx;
  lcy = p.lcy;
  const whole: f32 = TWO_PI * Mathf.floor(b.a0 / TWO_PI);
  fromA = b.a0 - whole;
  toA = b.a - whole;
  known = 0;
  let t1: f32 = 0;
  for (let iteration = 0; iteration < 20; iteration++) {
    at(t1);
    const gap = distance();
    if (gap <= 0) return -1;
    if (gap < TARGET + TOLERANCE) return t1;
    begin(t1);
    let t2: f32 = 1;
    for (let push = 0; push < 16; push++) {
      let s2 = separation(t2, true);
      if (s2 > TARGET + TOLERANCE) return -1;
      if (s2 > TARGET - TOLERANCE) {
        t1 = t2;
        break;
      }
      let s1 = separation(t1, false);
      if (s1 < TARGET - TOLERANCE) return -1;
      if (s1 <= TARGET + TOLERANCE) return t1;
      let low = t1;
      let high = t2;
      for (let root = 0; root < 50; root++) {
        const t: f32 = root & 1 ? low + ((TARGET - s1) * (high - low)) / (s2 - s1) : <f32>0.5 * (low + high);
        const here = separation(t, false);
        const off: f32 = here - TARGET;
        if ((off > 0 ? off : -off) < TOLERANCE) {
          t2 = t;
          break;
        }
        if (here > TARGET) {
          low = t;
          s1 = here;
        } else {
          high = t;
          s2 = here;
        }
      }
    }
  }
  return -1;
}
