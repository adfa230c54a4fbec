/** What the host calls (../solver.ts). Bodies, joints and ground are made in the order in which Box2D would be given them. */
import {
  body, BODY_SIZE, contact, ground, GROUND_NORMALS, GROUND_VERTICES, IMAGE, image, IMAGE_HEAD, joint, MAX_BODIES, MAX_CONTACTS, MAX_GROUND, MAX_JOINTS,
  MAX_VERTICES, part, PART_NORMALS, PART_VERTICES, pin, scene, SCRATCH,
} from './memory';
import { EPSILON, SKIN, cosine, larger, lesser, sine } from './math';
import { enclose, place, stepWorld, wake, wasOverfull } from './world';

const INPUT: usize = SCRATCH;

/** Where the host writes corners (x, y, float32) before `addBody` and `addGround`. */
export function inputAt(): usize { return INPUT; }
export function imageAt(): usize { return IMAGE; }
/** Bytes of the state. */
export function imageSize(): usize { return changetype<usize>(contact(scene().contacts)) - IMAGE; }
export function groundAt(): usize { return changetype<usize>(ground(0)); }
export function groundSize(): usize { return changetype<usize>(ground(scene().ground)) - changetype<usize>(ground(0)); }
export function setGroundCount(count: i32): void { scene().ground = count; }

export function begin(contacts: i32, step: f32, velocityIterations: i32, positionIterations: i32): void {
  const s = scene();
  memory.fill(changetype<usize>(s), 0, 32);
  s.contacts = contacts;
  s.step = step;
  s.velocityIterations = velocityIterations;
  s.positionIterations = positionIterations;
  if (contacts > MAX_CONTACTS) unreachable();
}
export function setGravity(y: f32): void { scene().gravity = y; }

/** Unit normals of the sides of a shape whose corners go round counterclockwise. */
function sides(corners: usize, normals: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const j = i + 1 < count ? i + 1 : 0;
    const ex: f32 = load<f32>(corners + 8 * j) - load<f32>(corners + 8 * i);
    const ey: f32 = load<f32>(corners + 8 * j, 4) - load<f32>(corners + 8 * i, 4);
    let nx = ey;
    let ny: f32 = -ex;
    const length = Mathf.sqrt(nx * nx + ny * ny);
    if (length >= EPSILON) {
      const inverse: f32 = <f32>1 / length;
      nx *= inverse;
      ny *= inverse;
    }
    store<f32>(normals + 8 * i, nx);
    store<f32>(normals + 8 * i, ny, 4);
  }
}

let middleX: f32 = 0, middleY: f32 = 0;
function centroid(at: usize, count: i32): void {
  let x: f32 = 0, y: f32 = 0, area: f32 = 0;
  const third: f32 = <f32>1 / <f32>3;
  for (let i = 0; i < count; i++) {
    const j = i + 1 < count ? i + 1 : 0;
    const ax = load<f32>(at + 8 * i), ay = load<f32>(at + 8 * i, 4), bx = load<f32>(at + 8 * j), by = load<f32>(at + 8 * j, 4);
    const triangle: f32 = <f32>0.5 * (ax * by - ay * bx);
    area += triangle;
    x += triangle * third * (ax + bx);
    y += triangle * third * (ay + by);
  }
  const inverse: f32 = <f32>1 / area;
  middleX = x * inverse;
  middleY = y * inverse;
}

/** A body with the convex shape in INPUT; `box`: an upright rectangle, whose normals and middle Box2D writes down instead of computing. */
export function addBody(count: i32, density: f32, friction: f32, box: i32): i32 {
  const s = scene();
  if (!(s.bodies < MAX_BODIES && count <= MAX_VERTICES)) unreachable();
  const p = part(s.bodies);
  const corners = changetype<usize>(p) + PART_VERTICES;
  const normals = changetype<usize>(p) + PART_NORMALS;
  memory.copy(corners, INPUT, 8 * count);
  p.count = count;
  p.friction = friction;
  if (box != 0) {
    memory.fill(normals, 0, 32);
    store<f32>(normals, -1, 4);
    store<f32>(normals, 1, 8);
    store<f32>(normals, 1, 20);
    store<f32>(normals, -1, 24);
    p.middleX = 0;
    p.middleY = 0;
  } else {
    sides(corners, normals, count);
    centroid(corners, count);
    p.middleX = middleX;
    p.middleY = middleY;
  }
  // mass and inertia: triangles about the mean of the corners
  let mx: f32 = 0, my: f32 = 0;
  for (let i = 0; i < count; i++) {
    mx += load<f32>(corners + 8 * i);
    my += load<f32>(corners + 8 * i, 4);
  }
  const share: f32 = <f32>1 / f32(count);
  mx *= share;
  my *= share;
  const third: f32 = <f32>1 / <f32>3;
  let cx: f32 = 0, cy: f32 = 0, area: f32 = 0, inertia: f32 = 0;
  for (let i = 0; i < count; i++) {
    const j = i + 1 < count ? i + 1 : 0;
    const ax: f32 = load<f32>(corners + 8 * i) - mx, ay: f32 = load<f32>(corners + 8 * i, 4) - my;
    const bx: f32 = load<f32>(corners + 8 * j) - mx, by: f32 = load<f32>(corners + 8 * j, 4) - my;
    const d: f32 = ax * by - ay * bx;
    const triangle: f32 = <f32>0.5 * d;
    area += triangle;
    cx += triangle * third * (ax + bx);
    cy += triangle * third * (ay + by);
    const xx: f32 = ax * ax + bx * ax + bx * bx;
    const yy: f32 = ay * ay + by * ay + by * by;
    inertia += <f32>0.25 * third * d * (xx + yy);
  }
  const mass: f32 = density * area;
  const inverse: f32 = <f32>1 / area;
  cx *= inverse;
  cy *= inverse;
  const wx: f32 = cx + mx;
  const wy: f32 = cy + my;
  let about: f32 = density * inertia;
  about += mass * (wx * wx + wy * wy - (cx * cx + cy * cy));
  p.invMass = <f32>1 / mass;
  p.lcx = mass * wx * p.invMass;
  p.lcy = mass * wy * p.invMass;
  about -= mass * (p.lcx * p.lcx + p.lcy * p.lcy);
  p.invI = <f32>1 / about;
  return s.bodies++;
}

export function addJoint(a: i32, b: i32, ax: f32, ay: f32, bx: f32, by: f32, lower: f32, upper: f32): i32 {
  const s = scene();
  if (!(s.joints < MAX_JOINTS)) unreachable();
  const p = pin(s.joints);
  p.bodyA = a;
  p.bodyB = b;
  p.ax = ax;
  p.ay = ay;
  p.bx = bx;
  p.by = by;
  p.lower = lower;
  p.upper = upper;
  return s.joints++;
}

/** Empties the state; ground is taken away too. */
export function clear(): void {
  memory.fill(IMAGE, 0, imageSize());
  image().fresh = 1;
  scene().ground = 0;
}

/** Ground with the corners in INPUT: an edge (2) or a convex shape, of the fixed body `its`. */
export function addGround(count: i32, friction: f32, its: i32): void {
  const s = scene();
  if (!(s.ground < MAX_GROUND)) unreachable();
  const g = ground(s.ground++);
  const corners = changetype<usize>(g) + GROUND_VERTICES;
  memory.fill(changetype<usize>(g), 0, 104);
  memory.copy(corners, INPUT, 8 * count);
  g.count = count;
  g.friction = friction;
  g.body = its;
  if (count > 2) {
    sides(corners, changetype<usize>(g) + GROUND_NORMALS, count);
    centroid(corners, count);
    g.middleX = middleX;
    g.middleY = middleY;
  }
  for (let i = 0; i < count; i++) {
    const x = load<f32>(corners + 8 * i), y = load<f32>(corners + 8 * i, 4);
    g.lowX = i == 0 ? x : lesser(g.lowX, x);
    g.lowY = i == 0 ? y : lesser(g.lowY, y);
    g.highX = i == 0 ? x : larger(g.highX, x);
    g.highY = i == 0 ? y : larger(g.highY, y);
  }
  g.lowX = g.lowX - SKIN - <f32>0.1;
  g.lowY = g.lowY - SKIN - <f32>0.1;
  g.highX = g.highX + SKIN + <f32>0.1;
  g.highY = g.highY + SKIN + <f32>0.1;
}

/** Puts a body where it begins. */
export function setBody(i: i32, x: f32, y: f32, angle: f32): void {
  const b = body(i);
  const p = part(i);
  memory.fill(IMAGE + IMAGE_HEAD + BODY_SIZE * i, 0, BODY_SIZE);
  b.px = x;
  b.py = y;
  b.s = sine(angle);
  b.c = cosine(angle);
  b.a0 = angle;
  b.a = angle;
  b.cx = b.c * p.lcx - b.s * p.lcy + x;
  b.cy = b.s * p.lcx + b.c * p.lcy + y;
  b.c0x = b.cx;
  b.c0y = b.cy;
  b.awake = 1;
  enclose(i);
}

export function setMotor(i: i32, speed: f32, maxTorque: f32): void {
  const j = joint(i);
  wake(body(pin(i).bodyA));
  wake(body(pin(i).bodyB));
  j.motorSpeed = speed;
  j.maxTorque = maxTorque;
}

export function applyForce(i: i32, x: f32, y: f32): void {
  const b = body(i);
  wake(b);
  b.fx += x;
  b.fy += y;
}
export function applyTorque(i: i32, torque: f32): void {
  const b = body(i);
  wake(b);
  b.torque += torque;
}
export function applyImpulse(i: i32, x: f32, y: f32, atX: f32, atY: f32): void {
  const b = body(i);
  const p = part(i);
  wake(b);
  b.vx += p.invMass * x;
  b.vy += p.invMass * y;
  b.w += p.invI * ((atX - b.cx) * y - (atY - b.cy) * x);
}

/** One step; 1 where more pairs came near than there is room for. */
export function step(): i32 {
  stepWorld();
  return wasOverfull();
}

/** How far a ray gets before it meets ground, 0 to 1 of its length; b2EdgeShape and b2PolygonShape's RayCast. */
export function rayCast(x1: f32, y1: f32, x2: f32, y2: f32): f32 {
  let most: f32 = 1;
  const dx: f32 = x2 - x1;
  const dy: f32 = y2 - y1;
  const lowX = lesser(x1, x2), highX = larger(x1, x2), lowY = lesser(y1, y2), highY = larger(y1, y2);
  for (let i = 0; i < scene().ground; i++) {
    const g = ground(i);
    if (g.lowX > highX || g.highX < lowX || g.lowY > highY || g.highY < lowY) continue;
    const v = changetype<usize>(g) + GROUND_VERTICES;
    if (g.count == 2) {
      const ax = load<f32>(v), ay = load<f32>(v, 4);
      const ex: f32 = load<f32>(v, 8) - ax;
      const ey: f32 = load<f32>(v, 12) - ay;
      let nx = ey;
      let ny: f32 = -ex;
      const length = Mathf.sqrt(nx * nx + ny * ny);
      if (length >= EPSILON) {
        const inverse: f32 = <f32>1 / length;
        nx *= inverse;
        ny *= inverse;
      }
      const denominator: f32 = nx * dx + ny * dy;
      if (denominator == 0) continue;
      const t: f32 = (nx * (ax - x1) + ny * (ay - y1)) / denominator;
      if (t < 0 || most < t) continue;
      const qx: f32 = x1 + t * dx;
      const qy: f32 = y1 + t * dy;
      const rr: f32 = ex * ex + ey * ey;
      if (rr == 0) continue;
      const along: f32 = ((qx - ax) * ex + (qy - ay) * ey) / rr;
      if (along < 0 || 1 < along) continue;
      most = t;
    } else {
      const n = changetype<usize>(g) + GROUND_NORMALS;
      let lower: f32 = 0;
      let upper = most;
      let index = -1;
      for (let k = 0; k < g.count; k++) {
        const nx = load<f32>(n + 8 * k), ny = load<f32>(n + 8 * k, 4);
        const numerator: f32 = nx * (load<f32>(v + 8 * k) - x1) + ny * (load<f32>(v + 8 * k, 4) - y1);
        const denominator: f32 = nx * dx + ny * dy;
        if (denominator == 0) {
          if (numerator < 0) {
            index = -1;
            upper = -1;
          }
        } else if (denominator < 0 && numerator < lower * denominator) {
          lower = numerator / denominator;
          index = k;
        } else if (denominator > 0 && numerator < upper * denominator) upper = numerator / denominator;
        if (upper < lower) {
          index = -1;
          break;
        }
      }
      if (index >= 0) most = lower;
    }
  }
  return most;
}

export function placeBody(i: i32): void { place(i); }
