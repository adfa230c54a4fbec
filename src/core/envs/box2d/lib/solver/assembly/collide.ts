/**
 * Where a body's shape touches a piece of ground: Box2D 2.3's b2CollideEdge (an edge without neighbours) and b2CollidePolygon. Ground
 * stands in world coordinates. Results go into the contact: normal, reference point and up to two points, each with what identifies it.
 */
import { Body, Contact, Ground, GROUND_NORMALS, GROUND_VERTICES, Part, PART_NORMALS, PART_VERTICES, SCRATCH } from './memory';
import { ANGULAR_SLOP, EPSILON, lesser, MAX, SKIN } from './math';

const VERTEX: i32 = 0;
const FACE: i32 = 1;
const RADII: f32 = <f32>2 * SKIN;

// The body's corners and normals in the world, and the clipped points: x, y, id each.
const CORNERS: usize = SCRATCH;
const NORMALS: usize = SCRATCH + 64;
const CLIP0: usize = SCRATCH + 128;
const CLIP1: usize = SCRATCH + 160;
const CLIP2: usize = SCRATCH + 192;

// @ts-ignore: decorator
@inline function x(at: usize, i: i32): f32 { return load<f32>(at + 8 * i); }
// @ts-ignore: decorator
@inline function y(at: usize, i: i32): f32 { return load<f32>(at + 8 * i, 4); }

// @ts-ignore: decorator
@inline function id(indexA: i32, indexB: i32, typeA: i32, typeB: i32): i32 {
  return indexA | (indexB << 8) | (typeA << 16) | (typeB << 24);
}
// @ts-ignore: decorator
@inline function swapped(given: i32): i32 {
  return ((given & 0xff) << 8) | ((given >>> 8) & 0xff) | ((given & 0xff0000) << 8) | ((given >>> 8) & 0xff0000);
}

// @ts-ignore: decorator
@inline function put(at: usize, i: i32, px: f32, py: f32, key: i32): void {
  const to = at + 12 * i;
  store<f32>(to, px);
  store<f32>(to, py, 4);
  store<i32>(to, key, 8);
}

/** Cuts a segment by a half plane; returns how many points are left. */
function clip(out: usize, from: usize, nx: f32, ny: f32, offset: f32, indexA: i32): i32 {
  let n = 0;
  const x0 = load<f32>(from);
  const y0 = load<f32>(from, 4);
  const id0 = load<i32>(from, 8);
  const x1 = load<f32>(from, 12);
  const y1 = load<f32>(from, 16);
  const d0: f32 = nx * x0 + ny * y0 - offset;
  const d1: f32 = nx * x1 + ny * y1 - offset;
  if (d0 <= 0) put(out, n++, x0, y0, id0);
  if (d1 <= 0) put(out, n++, x1, y1, load<i32>(from, 20));
  if (d0 * d1 < 0) {
    const t: f32 = d0 / (d0 - d1);
    put(out, n++, x0 + t * (x1 - x0), y0 + t * (y1 - y0), id(indexA, (id0 >>> 8) & 0xff, VERTEX, FACE));
  }
  return n;
}

function keep(c: Contact, px: f32, py: f32, key: i32): void {
  if (c.points == 0) {
    c.p0x = px;
    c.p0y = py;
    c.id0 = key;
  } else {
    c.p1x = px;
    c.p1y = py;
    c.id1 = key;
  }
  c.points++;
}

/** Into the body's own coordinates. */
// @ts-ignore: decorator
@inline function keepInBody(c: Contact, b: Body, wx: f32, wy: f32, key: i32): void {
  const dx: f32 = wx - b.px;
  const dy: f32 = wy - b.py;
  keep(c, b.c * dx + b.s * dy, -b.s * dx + b.c * dy, key);
}

export function collide(c: Contact, g: Ground, p: Part, b: Body): void {
  c.points = 0;
  if (g.count == 2) edge(c, g, p, b);
  else polygons(c, g, p, b);
}

function edge(c: Contact, g: Ground, p: Part, b: Body): void {
  const corners = changetype<usize>(p) + PART_VERTICES;
  const normals = changetype<usize>(p) + PART_NORMALS;
  const ends = changetype<usize>(g) + GROUND_VERTICES;
  const v1x = x(ends, 0);
  const v1y = y(ends, 0);
  const v2x = x(ends, 1);
  const v2y = y(ends, 1);
  const count = p.count;
  const middleX: f32 = b.c * p.middleX - b.s * p.middleY + b.px;
  const middleY: f32 = b.s * p.middleX + b.c * p.middleY + b.py;
  let ex: f32 = v2x - v1x;
  let ey: f32 = v2y - v1y;
  const length = Mathf.sqrt(ex * ex + ey * ey);
  if (length >= EPSILON) {
    const inverse: f32 = <f32>1 / length;
    ex *= inverse;
    ey *= inverse;
  }
  const n1x = ey;
  const n1y: f32 = -ex;
  const front = n1x * (middleX - v1x) + n1y * (middleY - v1y) >= 0;
  const nx: f32 = front ? n1x : -n1x;
  const ny: f32 = front ? n1y : -n1y;
  // the limits of Box2D for an edge without neighbours lie opposite of the normal
  const limitX: f32 = front ? -n1x : n1x;
  const limitY: f32 = front ? -n1y : n1y;

  let edgeSeparation: f32 = MAX;
  for (let i = 0; i < count; i++) {
    const wx: f32 = b.c * x(corners, i) - b.s * y(corners, i) + b.px;
    const wy: f32 = b.s * x(corners, i) + b.c * y(corners, i) + b.py;
    store<f32>(CORNERS + 8 * i, wx);
    store<f32>(CORNERS + 8 * i, wy, 4);
    store<f32>(NORMALS + 8 * i, b.c * x(normals, i) - b.s * y(normals, i));
    store<f32>(NORMALS + 8 * i, b.s * x(normals, i) + b.c * y(normals, i), 4);
    const s: f32 = nx * (wx - v1x) + ny * (wy - v1y);
    if (s < edgeSeparation) edgeSeparation = s;
  }
  if (edgeSeparation > RADII) return;

  let polygonIndex = -1;
  let polygonSeparation: f32 = -MAX;
  for (let i = 0; i < count; i++) {
    const mx: f32 = -x(NORMALS, i);
    const my: f32 = -y(NORMALS, i);
    const s1: f32 = mx * (x(CORNERS, i) - v1x) + my * (y(CORNERS, i) - v1y);
    const s2: f32 = mx * (x(CORNERS, i) - v2x) + my * (y(CORNERS, i) - v2y);
    const s = lesser(s1, s2);
    if (s > RADII) return; // apart along this side
    if ((mx - limitX) * nx + (my - limitY) * ny < -ANGULAR_SLOP) continue;
    if (s > polygonSeparation) {
      polygonIndex = i;
      polygonSeparation = s;
    }
  }

  const onEdge = polygonIndex < 0 || !(polygonSeparation > <f32>0.98 * edgeSeparation + <f32>0.001);
  let rx: f32, ry: f32, r1x: f32, r1y: f32, r2x: f32, r2y: f32;
  let i1: i32, i2: i32;
  if (onEdge) {
    c.faceB = 0;
    let best = 0;
    let least: f32 = nx * x(NORMALS, 0) + ny * y(NORMALS, 0);
    for (let i = 1; i < count; i++) {
      const value: f32 = nx * x(NORMALS, i) + ny * y(NORMALS, i);
      if (value < least) {
        least = value;
        best = i;
      }
    }
    const next = best + 1 < count ? best + 1 : 0;
    put(CLIP0, 0, x(CORNERS, best), y(CORNERS, best), id(0, best, FACE, VERTEX));
    put(CLIP0, 1, x(CORNERS, next), y(CORNERS, next), id(0, next, FACE, VERTEX));
    i1 = front ? 0 : 1;
    i2 = front ? 1 : 0;
    r1x = front ? v1x : v2x;
    r1y = front ? v1y : v2y;
    r2x = front ? v2x : v1x;
    r2y = front ? v2y : v1y;
    rx = nx;
    ry = ny;
  } else {
    c.faceB = 1;
    put(CLIP0, 0, v1x, v1y, id(0, polygonIndex, VERTEX, FACE));
    put(CLIP0, 1, v2x, v2y, id(0, polygonIndex, VERTEX, FACE));
    i1 = polygonIndex;
    i2 = i1 + 1 < count ? i1 + 1 : 0;
    r1x = x(CORNERS, i1);
    r1y = y(CORNERS, i1);
    r2x = x(CORNERS, i2);
    r2y = y(CORNERS, i2);
    rx = x(NORMALS, i1);
    ry = y(NORMALS, i1);
  }
  if (clip(CLIP1, CLIP0, ry, -rx, ry * r1x + -rx * r1y, i1) < 2) return;
  if (clip(CLIP2, CLIP1, -ry, rx, -ry * r2x + rx * r2y, i2) < 2) return;
  if (onEdge) {
    c.nx = rx;
    c.ny = ry;
    c.lx = r1x;
    c.ly = r1y;
  } else {
    c.nx = x(normals, i1);
    c.ny = y(normals, i1);
    c.lx = x(corners, i1);
    c.ly = y(corners, i1);
  }
  for (let i = 0; i < 2; i++) {
    const px = load<f32>(CLIP2 + 12 * i);
    const py = load<f32>(CLIP2 + 12 * i, 4);
    const key = load<i32>(CLIP2 + 12 * i, 8);
    if (rx * (px - r1x) + ry * (py - r1y) > RADII) continue;
    if (onEdge) keepInBody(c, b, px, py, key);
    else keep(c, px, py, swapped(key));
  }
}

// Two convex shapes. "One" and "two" are either the ground or the body, each with sine, cosine and origin.
let vertices1: usize = 0, normals1: usize = 0, vertices2: usize = 0, normals2: usize = 0;
let count1: i32 = 0, count2: i32 = 0;
let s1: f32 = 0, c1: f32 = 1, x1: f32 = 0, y1: f32 = 0, s2: f32 = 0, c2: f32 = 1, x2: f32 = 0, y2: f32 = 0;
let middle1X: f32 = 0, middle1Y: f32 = 0, middle2X: f32 = 0, middle2Y: f32 = 0;

function take(g: Ground, p: Part, b: Body, groundFirst: bool): void {
  const gv = changetype<usize>(g) + GROUND_VERTICES;
  const gn = changetype<usize>(g) + GROUND_NORMALS;
  const pv = changetype<usize>(p) + PART_VERTICES;
  const pn = changetype<usize>(p) + PART_NORMALS;
  vertices1 = groundFirst ? gv : pv;
  normals1 = groundFirst ? gn : pn;
  vertices2 = groundFirst ? pv : gv;
  normals2 = groundFirst ? pn : gn;
  count1 = groundFirst ? g.count : p.count;
  count2 = groundFirst ? p.count : g.count;
  s1 = groundFirst ? 0 : b.s;
  c1 = groundFirst ? 1 : b.c;
  x1 = groundFirst ? 0 : b.px;
  y1 = groundFirst ? 0 : b.py;
  s2 = groundFirst ? b.s : 0;
  c2 = groundFirst ? b.c : 1;
  x2 = groundFirst ? b.px : 0;
  y2 = groundFirst ? b.py : 0;
  middle1X = groundFirst ? g.middleX : p.middleX;
  middle1Y = groundFirst ? g.middleY : p.middleY;
  middle2X = groundFirst ? p.middleX : g.middleX;
  middle2Y = groundFirst ? p.middleY : g.middleY;
}

function separationOf(side: i32): f32 {
  const ax = x(normals1, side);
  const ay = y(normals1, side);
  const wx: f32 = c1 * ax - s1 * ay;
  const wy: f32 = s1 * ax + c1 * ay;
  const lx: f32 = c2 * wx + s2 * wy;
  const ly: f32 = -s2 * wx + c2 * wy;
  let index = 0;
  let least: f32 = MAX;
  for (let i = 0; i < count2; i++) {
    const dot: f32 = x(vertices2, i) * lx + y(vertices2, i) * ly;
    if (dot < least) {
      least = dot;
      index = i;
    }
  }
  const p1x: f32 = c1 * x(vertices1, side) - s1 * y(vertices1, side) + x1;
  const p1y: f32 = s1 * x(vertices1, side) + c1 * y(vertices1, side) + y1;
  const p2x: f32 = c2 * x(vertices2, index) - s2 * y(vertices2, index) + x2;
  const p2y: f32 = s2 * x(vertices2, index) + c2 * y(vertices2, index) + y2;
  return (p2x - p1x) * wx + (p2y - p1y) * wy;
}

let found: f32 = 0;
/** The side of shape one with the largest separation, by climbing; the separation itself goes into `found`. */
function bestSide(): i32 {
  const dx: f32 = c2 * middle2X - s2 * middle2Y + x2 - (c1 * middle1X - s1 * middle1Y + x1);
  const dy: f32 = s2 * middle2X + c2 * middle2Y + y2 - (s1 * middle1X + c1 * middle1Y + y1);
  const lx: f32 = c1 * dx + s1 * dy;
  const ly: f32 = -s1 * dx + c1 * dy;
  let side = 0;
  let most: f32 = -MAX;
  for (let i = 0; i < count1; i++) {
    const dot: f32 = x(normals1, i) * lx + y(normals1, i) * ly;
    if (dot > most) {
      most = dot;
      side = i;
    }
  }
  const here = separationOf(side);
  const before = side - 1 >= 0 ? side - 1 : count1 - 1;
  const sBefore = separationOf(before);
  const after = side + 1 < count1 ? side + 1 : 0;
  const sAfter = separationOf(after);
  let best: i32, step: i32;
  if (sBefore > here && sBefore > sAfter) {
    step = -1;
    best = before;
    found = sBefore;
  } else if (sAfter > here) {
    step = 1;
    best = after;
    found = sAfter;
  } else {
    found = here;
    return side;
  }
  for (;;) {
    if (step == -1) side = best - 1 >= 0 ? best - 1 : count1 - 1;
    else side = best + 1 < count1 ? best + 1 : 0;
    const s = separationOf(side);
    if (!(s > found)) break;
    best = side;
    found = s;
  }
  return best;
}

function polygons(c: Contact, g: Ground, p: Part, b: Body): void {
  take(g, p, b, true);
  const sideA = bestSide();
  const separationA = found;
  if (separationA > RADII) return;
  take(g, p, b, false);
  const sideB = bestSide();
  const separationB = found;
  if (separationB > RADII) return;
  const flip = separationB > <f32>0.98 * separationA + <f32>0.001;
  c.faceB = flip ? 1 : 0;
  const side = flip ? sideB : sideA;
  if (!flip) take(g, p, b, true);

  const ax = x(normals1, side);
  const ay = y(normals1, side);
  const awx: f32 = c1 * ax - s1 * ay;
  const awy: f32 = s1 * ax + c1 * ay;
  const lx: f32 = c2 * awx + s2 * awy;
  const ly: f32 = -s2 * awx + c2 * awy;
  let index = 0;
  let least: f32 = MAX;
  for (let i = 0; i < count2; i++) {
    const dot: f32 = lx * x(normals2, i) + ly * y(normals2, i);
    if (dot < least) {
      least = dot;
      index = i;
    }
  }
  for (let i = 0; i < 2; i++) {
    const k = i == 0 ? index : index + 1 < count2 ? index + 1 : 0;
    const wx: f32 = c2 * x(vertices2, k) - s2 * y(vertices2, k) + x2;
    const wy: f32 = s2 * x(vertices2, k) + c2 * y(vertices2, k) + y2;
    put(CLIP0, i, wx, wy, id(side, k, FACE, VERTEX));
  }
  const next = side + 1 < count1 ? side + 1 : 0;
  const ux = x(vertices1, side);
  const uy = y(vertices1, side);
  const vx = x(vertices1, next);
  const vy = y(vertices1, next);
  let tx: f32 = vx - ux;
  let ty: f32 = vy - uy;
  const length = Mathf.sqrt(tx * tx + ty * ty);
  if (length >= EPSILON) {
    const inverse: f32 = <f32>1 / length;
    tx *= inverse;
    ty *= inverse;
  }
  const wtx: f32 = c1 * tx - s1 * ty;
  const wty: f32 = s1 * tx + c1 * ty;
  const nx = wty;
  const ny: f32 = -wtx;
  const wux: f32 = c1 * ux - s1 * uy + x1;
  const wuy: f32 = s1 * ux + c1 * uy + y1;
  const wvx: f32 = c1 * vx - s1 * vy + x1;
  const wvy: f32 = s1 * vx + c1 * vy + y1;
  const frontOffset: f32 = nx * wux + ny * wuy;
  const offset1: f32 = -(wtx * wux + wty * wuy) + RADII;
  const offset2: f32 = wtx * wvx + wty * wvy + RADII;
  if (clip(CLIP1, CLIP0, -wtx, -wty, offset1, side) < 2) return;
  if (clip(CLIP2, CLIP1, wtx, wty, offset2, next) < 2) return;
  c.nx = ty;
  c.ny = -tx;
  c.lx = <f32>0.5 * (ux + vx);
  c.ly = <f32>0.5 * (uy + vy);
  for (let i = 0; i < 2; i++) {
    const px = load<f32>(CLIP2 + 12 * i);
    const py = load<f32>(CLIP2 + 12 * i, 4);
    const key = load<i32>(CLIP2 + 12 * i, 8);
    if (nx * px + ny * py - frontOffset > RADII) continue;
    const dx: f32 = px - x2;
    const dy: f32 = py - y2;
    keep(c, c2 * dx + s2 * dy, -s2 * dx + c2 * dy, flip ? swapped(key) : key);
  }
}
