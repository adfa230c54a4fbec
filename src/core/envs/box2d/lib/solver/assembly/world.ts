/**
 * One step of a world: Box2D 2.3's b2World, b2Island, b2ContactManager and b2BroadPhase, for bodies that meet ground only, never each
 * other. The order of everything that is solved one after another is Box2D's, since it decides the bits.
 */
import { addRow, clearRows, initialise, solvePositions, solveVelocities, storeImpulses, warmStart } from './contacts';
import { collide } from './collide';
import { timeOfImpact } from './distance';
import { initJoint, solveJointPosition, solveJointVelocity } from './joints';
import {
  advanced, Body, body, Contact, contact, CONTACT_SIZE, ENABLED, ground, HAS_TOI, image, IN_ISLAND, PART_VERTICES, part, pin, scene,
  SCRATCH, setAdvanced, TOUCHING,
} from './memory';
import { clamp, cosine, EPSILON, larger, lesser, MAX, MAX_ROTATION, sine, SKIN, SLOP } from './math';

const MARGIN: f32 = 0.1;
const MAX_TRANSLATION: f32 = 2;
const SLEEP_AFTER: f32 = 0.5; // s
const LINEAR_TOLERANCE: f32 = 0.01;
const ANGULAR_TOLERANCE: f32 = (<f32>2 / <f32>180) * <f32>3.14159265359;
const MAX_SUBSTEPS: i32 = 8;
const MAX_TOI_CONTACTS: i32 = 32;

/** Set where more pairs came near than there is room for; the host throws. */
let overfull: i32 = 0;
export function wasOverfull(): i32 { return overfull; }

export function wake(b: Body): void {
  if (b.awake == 1) return;
  b.awake = 1;
  b.sleepTime = 0;
}

function sleep(b: Body): void {
  b.awake = 0;
  b.sleepTime = 0;
  b.vx = 0;
  b.vy = 0;
  b.w = 0;
  b.fx = 0;
  b.fy = 0;
  b.torque = 0;
}

/** The body's own frame from its centre and angle. */
export function place(i: i32): void {
  const b = body(i);
  const p = part(i);
  b.s = sine(b.a);
  b.c = cosine(b.a);
  b.px = b.cx - (b.c * p.lcx - b.s * p.lcy);
  b.py = b.cy - (b.s * p.lcx + b.c * p.lcy);
}

// ---- boxes and pairs ----

let lowX: f32 = 0, lowY: f32 = 0, highX: f32 = 0, highY: f32 = 0;
function boxOf(i: i32, px: f32, py: f32, s: f32, c: f32): void {
  const p = part(i);
  const corners = changetype<usize>(p) + PART_VERTICES;
  for (let k = 0; k < p.count; k++) {
    const x = load<f32>(corners + 8 * k);
    const y = load<f32>(corners + 8 * k, 4);
    const wx: f32 = c * x - s * y + px;
    const wy: f32 = s * x + c * y + py;
    lowX = k == 0 ? wx : lesser(lowX, wx);
    lowY = k == 0 ? wy : lesser(lowY, wy);
    highX = k == 0 ? wx : larger(highX, wx);
    highY = k == 0 ? wy : larger(highY, wy);
  }
  lowX -= SKIN;
  lowY -= SKIN;
  highX += SKIN;
  highY += SKIN;
}

/** The first box of a body. */
export function enclose(i: i32): void {
  const b = body(i);
  boxOf(i, b.px, b.py, b.s, b.c);
  b.lowX = lowX - MARGIN;
  b.lowY = lowY - MARGIN;
  b.highX = highX + MARGIN;
  b.highY = highY + MARGIN;
  part(i).moved = 1;
}

/** Widens the body's box along its way where it left the one it had. */
function synchronise(i: i32): void {
  const b = body(i);
  const p = part(i);
  const s = sine(b.a0);
  const c = cosine(b.a0);
  const fromX: f32 = b.c0x - (c * p.lcx - s * p.lcy);
  const fromY: f32 = b.c0y - (s * p.lcx + c * p.lcy);
  boxOf(i, fromX, fromY, s, c);
  const lx = lowX, ly = lowY, hx = highX, hy = highY;
  boxOf(i, b.px, b.py, b.s, b.c);
  lowX = lesser(lx, lowX);
  lowY = lesser(ly, lowY);
  highX = larger(hx, highX);
  highY = larger(hy, highY);
  if (b.lowX <= lowX && b.lowY <= lowY && highX <= b.highX && highY <= b.highY) return;
  lowX -= MARGIN;
  lowY -= MARGIN;
  highX += MARGIN;
  highY += MARGIN;
  const dx: f32 = <f32>2 * (b.px - fromX);
  const dy: f32 = <f32>2 * (b.py - fromY);
  if (dx < 0) lowX += dx;
  else highX += dx;
  if (dy < 0) lowY += dy;
  else highY += dy;
  b.lowX = lowX;
  b.lowY = lowY;
  b.highX = highX;
  b.highY = highY;
  p.moved = 1;
}

function overlap(g: i32, b: Body): bool {
  const box = ground(g);
  return !(b.lowX - box.highX > 0 || b.lowY - box.highY > 0 || box.lowX - b.highX > 0 || box.lowY - b.highY > 0);
}

function known(g: i32, i: i32): bool {
  const n = image().contacts;
  for (let k = 0; k < n; k++) {
    const c = contact(k);
    if (c.ground == g && c.body == i) return true;
  }
  return false;
}

export function findPairs(): void {
  const bodies = scene().bodies;
  let any = false;
  for (let i = 0; i < bodies; i++) any = any || part(i).moved == 1;
  if (!any) return;
  for (let g = 0; g < scene().ground; g++) {
    for (let i = 0; i < bodies; i++) {
      if (part(i).moved == 0 || !overlap(g, body(i)) || known(g, i)) continue;
      if (image().contacts == scene().contacts) {
        overfull = 1;
        continue;
      }
      const c = contact(image().contacts++);
      memory.fill(changetype<usize>(c), 0, CONTACT_SIZE);
      c.ground = g;
      c.body = i;
      c.flags = ENABLED;
      wake(body(i));
    }
  }
  for (let i = 0; i < bodies; i++) part(i).moved = 0;
}

function end(b: Body): void { b.touching = 0; }

function remove(k: i32): void {
  const c = contact(k);
  const b = body(c.body);
  if (c.flags & TOUCHING) end(b);
  if (c.points > 0) wake(b);
  const last = --image().contacts;
  memory.copy(changetype<usize>(c), changetype<usize>(contact(k + 1)), CONTACT_SIZE * (last - k));
  memory.fill(changetype<usize>(contact(last)), 0, CONTACT_SIZE);
}

function update(c: Contact): void {
  const b = body(c.body);
  const before = c.points;
  const id0 = c.id0, id1 = c.id1;
  const n0 = c.normal0, t0 = c.tangent0, n1 = c.normal1, t1 = c.tangent1;
  c.flags |= ENABLED;
  collide(c, ground(c.ground), part(c.body), b);
  c.normal0 = 0;
  c.tangent0 = 0;
  c.normal1 = 0;
  c.tangent1 = 0;
  if (c.points > 0) {
    if (before > 0 && id0 == c.id0) {
      c.normal0 = n0;
      c.tangent0 = t0;
    } else if (before > 1 && id1 == c.id0) {
      c.normal0 = n1;
      c.tangent0 = t1;
    }
  }
  if (c.points > 1) {
    if (before > 0 && id0 == c.id1) {
      c.normal1 = n0;
      c.tangent1 = t0;
    } else if (before > 1 && id1 == c.id1) {
      c.normal1 = n1;
      c.tangent1 = t1;
    }
  }
  const touching = c.points > 0;
  const was = (c.flags & TOUCHING) != 0;
  if (touching == was) return;
  wake(b);
  if (touching) {
    c.flags |= TOUCHING;
    b.touching = 1;
    b.hit = 1;
  } else {
    c.flags &= ~TOUCHING;
    end(b);
  }
}

function updateAll(): void {
  for (let k = image().contacts - 1; k >= 0; k--) {
    const c = contact(k);
    if (body(c.body).awake == 0) continue;
    if (!overlap(c.ground, body(c.body))) remove(k);
    else update(c);
  }
}

// ---- islands ----

/** Bodies of the island, and its joints in the order of solving. */
const MEMBERS: usize = SCRATCH + 8192;
const JOINTS: usize = SCRATCH + 8256;
const STACK: usize = SCRATCH + 8320;
let members: i32 = 0, joints: i32 = 0;
// @ts-ignore: decorator
@inline function member(i: i32): i32 { return load<i32>(MEMBERS + 4 * i); }
// @ts-ignore: decorator
@inline function jointAt(i: i32): i32 { return load<i32>(JOINTS + 4 * i); }

/** Gathers what hangs together with `seed`, depth first: a body, its contacts, its joints, each newest first. */
function gather(seed: i32): void {
  members = 0;
  joints = 0;
  clearRows();
  let depth = 0;
  store<i32>(STACK, seed);
  depth = 1;
  part(seed).inIsland = 1;
  while (depth > 0) {
    const i = load<i32>(STACK + 4 * --depth);
    store<i32>(MEMBERS + 4 * members++, i);
    wake(body(i));
    for (let k = image().contacts - 1; k >= 0; k--) {
      const c = contact(k);
      if (c.body != i || c.flags & IN_ISLAND || !(c.flags & ENABLED) || !(c.flags & TOUCHING)) continue;
      addRow(k);
      c.flags |= IN_ISLAND;
    }
    for (let k = scene().joints - 1; k >= 0; k--) {
      const p = pin(k);
      if (p.inIsland == 1 || (p.bodyA != i && p.bodyB != i)) continue;
      store<i32>(JOINTS + 4 * joints++, k);
      p.inIsland = 1;
      const other = p.bodyA == i ? p.bodyB : p.bodyA;
      if (part(other).inIsland == 1) continue;
      store<i32>(STACK + 4 * depth++, other);
      part(other).inIsland = 1;
    }
  }
}

/** Moves by the velocities, which are cut to 2 m and a quarter turn a step. */
function integrate(i: i32, h: f32): void {
  const p = part(i);
  const tx: f32 = h * p.vx;
  const ty: f32 = h * p.vy;
  if (tx * tx + ty * ty > MAX_TRANSLATION * MAX_TRANSLATION) {
    const ratio: f32 = MAX_TRANSLATION / Mathf.sqrt(tx * tx + ty * ty);
    p.vx *= ratio;
    p.vy *= ratio;
  }
  const turn: f32 = h * p.w;
  if (turn * turn > MAX_ROTATION * MAX_ROTATION) p.w *= MAX_ROTATION / (turn > 0 ? turn : -turn);
  p.cx += h * p.vx;
  p.cy += h * p.vy;
  p.a += h * p.w;
}

function take(i: i32): void {
  const b = body(i);
  const p = part(i);
  p.cx = b.cx;
  p.cy = b.cy;
  p.a = b.a;
  p.vx = b.vx;
  p.vy = b.vy;
  p.w = b.w;
}

function give(i: i32): void {
  const b = body(i);
  const p = part(i);
  b.cx = p.cx;
  b.cy = p.cy;
  b.a = p.a;
  b.vx = p.vx;
  b.vy = p.vy;
  b.w = p.w;
  place(i);
}

function solveIsland(warm: f32): void {
  const s = scene();
  const h = s.step;
  for (let m = 0; m < members; m++) {
    const i = member(m);
    const b = body(i);
    const p = part(i);
    take(i);
    b.c0x = b.cx;
    b.c0y = b.cy;
    b.a0 = b.a;
    p.vx += h * (p.invMass * b.fx);
    p.vy += h * (s.gravity + p.invMass * b.fy);
    p.w += h * p.invI * b.torque;
  }
  initialise(warm);
  warmStart();
  for (let j = 0; j < joints; j++) initJoint(jointAt(j), warm);
  for (let n = 0; n < s.velocityIterations; n++) {
    for (let j = 0; j < joints; j++) solveJointVelocity(jointAt(j));
    solveVelocities();
  }
  storeImpulses();
  for (let m = 0; m < members; m++) integrate(member(m), h);
  let solved = false;
  for (let n = 0; n < s.positionIterations && !solved; n++) {
    solved = solvePositions(0.2, <f32>-3 * SLOP);
    for (let j = 0; j < joints; j++) solved = solveJointPosition(jointAt(j)) && solved;
  }
  let least: f32 = MAX;
  for (let m = 0; m < members; m++) {
    const b = body(member(m));
    give(member(m));
    const fast =
      b.w * b.w > ANGULAR_TOLERANCE * ANGULAR_TOLERANCE || b.vx * b.vx + b.vy * b.vy > LINEAR_TOLERANCE * LINEAR_TOLERANCE;
    if (fast) {
      b.sleepTime = 0;
      least = 0;
    } else {
      b.sleepTime += h;
      least = lesser(least, b.sleepTime);
    }
  }
  if (least >= SLEEP_AFTER && solved) for (let m = 0; m < members; m++) sleep(body(member(m)));
}

function solve(warm: f32): void {
  const bodies = scene().bodies;
  for (let i = 0; i < bodies; i++) part(i).inIsland = 0;
  for (let j = 0; j < scene().joints; j++) pin(j).inIsland = 0;
  for (let k = 0; k < image().contacts; k++) contact(k).flags &= ~IN_ISLAND;
  for (let i = bodies - 1; i >= 0; i--) {
    if (part(i).inIsland == 1 || body(i).awake == 0) continue;
    gather(i);
    solveIsland(warm);
  }
  for (let i = bodies - 1; i >= 0; i--) if (part(i).inIsland == 1) synchronise(i);
  findPairs();
}

// ---- what would pass through the ground within the step ----

function advanceWay(b: Body, alpha: f32): void {
  const beta: f32 = (alpha - b.alpha0) / (<f32>1 - b.alpha0);
  const back: f32 = <f32>1 - beta;
  b.c0x = back * b.c0x + beta * b.cx;
  b.c0y = back * b.c0y + beta * b.cy;
  b.a0 = back * b.a0 + beta * b.a;
  b.alpha0 = alpha;
}

/** When the pair of a contact touches, as a share of the step; 1: not within it. */
function impact(c: Contact): f32 {
  const b = body(c.body);
  const g = ground(c.ground);
  let alpha0 = advanced(g.body);
  if (alpha0 < b.alpha0) {
    alpha0 = b.alpha0;
    setAdvanced(g.body, alpha0);
  } else if (b.alpha0 < alpha0) advanceWay(b, alpha0);
  const beta = timeOfImpact(g, part(c.body), b);
  return beta < 0 ? 1 : lesser(alpha0 + (<f32>1 - alpha0) * beta, 1);
}

const BACKUP: usize = SCRATCH + 8384; // c0x to alpha0: seven words
const WAY: usize = 16;
const WAY_SIZE: usize = 28;

function solveImpacts(): void {
  const bodies = scene().bodies;
  for (let i = 0; i < bodies; i++) body(i).alpha0 = 0;
  for (let g = 0; g < scene().ground; g++) setAdvanced(ground(g).body, 0);
  for (let k = 0; k < image().contacts; k++) {
    const c = contact(k);
    c.flags &= ~(HAS_TOI | IN_ISLAND);
    c.toiCount = 0;
    c.toi = 1;
  }
  for (;;) {
    let first = -1;
    let least: f32 = 1;
    for (let k = image().contacts - 1; k >= 0; k--) {
      const c = contact(k);
      if (!(c.flags & ENABLED) || c.toiCount > MAX_SUBSTEPS) continue;
      let alpha: f32 = 1;
      if (c.flags & HAS_TOI) alpha = c.toi;
      else {
        if (body(c.body).awake == 0) continue;
        alpha = impact(c);
        c.toi = alpha;
        c.flags |= HAS_TOI;
      }
      if (alpha < least) {
        first = k;
        least = alpha;
      }
    }
    if (first < 0 || <f32>1 - <f32>10 * EPSILON < least) return;

    const c = contact(first);
    const i = c.body;
    const b = body(i);
    const stood = advanced(ground(c.ground).body);
    memory.copy(BACKUP, changetype<usize>(b) + WAY, WAY_SIZE);
    setAdvanced(ground(c.ground).body, least);
    advanceWay(b, least);
    b.cx = b.c0x;
    b.cy = b.c0y;
    b.a = b.a0;
    place(i);
    update(c);
    c.flags &= ~HAS_TOI;
    c.toiCount++;
    if (!(c.flags & TOUCHING)) {
      c.flags &= ~ENABLED;
      memory.copy(changetype<usize>(b) + WAY, BACKUP, WAY_SIZE);
      setAdvanced(ground(c.ground).body, stood);
      place(i);
      continue;
    }
    wake(b);
    clearRows();
    addRow(first);
    c.flags |= IN_ISLAND;
    let taken = 1;
    for (let k = image().contacts - 1; k >= 0 && taken < MAX_TOI_CONTACTS; k--) {
      const other = contact(k);
      if (other.body != i || other.flags & IN_ISLAND) continue;
      const its = ground(other.ground).body;
      const was = advanced(its);
      setAdvanced(its, least);
      update(other);
      if (!(other.flags & TOUCHING)) {
        setAdvanced(its, was);
        continue;
      }
      other.flags |= IN_ISLAND;
      addRow(k);
      taken++;
    }
    settle(i, (<f32>1 - least) * scene().step);
    synchronise(i);
    for (let k = 0; k < image().contacts; k++) if (contact(k).body == i) contact(k).flags &= ~(HAS_TOI | IN_ISLAND);
    findPairs();
  }
}

/** The rest of the step after an impact: out of the ground, then velocities, without joints and without memory. */
function settle(i: i32, h: f32): void {
  take(i);
  for (let n = 0; n < 20; n++) if (solvePositions(0.75, <f32>-1.5 * SLOP)) break;
  const b = body(i);
  const p = part(i);
  b.c0x = p.cx;
  b.c0y = p.cy;
  b.a0 = p.a;
  initialise(0);
  for (let n = 0; n < scene().velocityIterations; n++) solveVelocities();
  integrate(i, h);
  give(i);
}

/** One step of the world in `IMAGE`. */
export function stepWorld(): void {
  const s = scene();
  const im = image();
  overfull = 0;
  if (im.fresh == 1) {
    for (let i = 0; i < s.bodies; i++) part(i).moved = 1;
    findPairs();
    im.fresh = 0;
  } else for (let i = 0; i < s.bodies; i++) part(i).moved = 0;
  const warm: f32 = im.inverseStep * s.step;
  updateAll();
  solve(warm);
  solveImpacts();
  im.inverseStep = <f32>1 / s.step;
  for (let i = 0; i < s.bodies; i++) {
    const b = body(i);
    b.fx = 0;
    b.fy = 0;
    b.torque = 0;
  }
}
