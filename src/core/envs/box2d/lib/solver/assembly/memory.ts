/**
 * What stands where in the module's memory. Every record is a row of 4-byte words. `SCENE`, `PART` and `PIN` are written once: the bodies
 * and joints of one kind of world. `IMAGE` is the state of one world, complete: the host copies it in before a step and out after it.
 * `GROUND` is that world's ground, which never moves.
 */

export const MAX_BODIES = 5;
export const MAX_JOINTS = 4;
export const MAX_GROUND = 512;
export const MAX_CONTACTS = 64;
export const MAX_VERTICES = 8;

/** Numbers of the world as a whole. */
@unmanaged
export class Scene {
  bodies: i32;
  joints: i32;
  contacts: i32; // room for so many
  ground: i32;
  gravity: f32;
  step: f32; // s
  velocityIterations: i32;
  positionIterations: i32;
}

/** What never changes of a body: its mass and its one convex shape; and its numbers while a step is solved. */
@unmanaged
export class Part {
  count: i32;
  friction: f32;
  invMass: f32;
  invI: f32;
  lcx: f32; // centre of mass in the body
  lcy: f32;
  middleX: f32; // centroid of the shape
  middleY: f32;
  // while a step is solved: centre, angle, velocities
  cx: f32;
  cy: f32;
  a: f32;
  vx: f32;
  vy: f32;
  w: f32;
  moved: i32;
  inIsland: i32;
}
export const PART_VERTICES: usize = 64; // 8 corners, 8 normals behind the numbers above
export const PART_NORMALS: usize = 128;
export const PART_SIZE: usize = 192;

/** What never changes of a joint, and its numbers while a step is solved. */
@unmanaged
export class Pin {
  bodyA: i32;
  bodyB: i32;
  ax: f32; // where it holds, in either body
  ay: f32;
  bx: f32;
  by: f32;
  lower: f32;
  upper: f32;
  rax: f32;
  ray: f32;
  rbx: f32;
  rby: f32;
  exx: f32; // the symmetric mass matrix: ex.x, ey.x, ez.x, ey.y, ez.y, ez.z
  eyx: f32;
  ezx: f32;
  eyy: f32;
  ezy: f32;
  ezz: f32;
  motorMass: f32;
  inIsland: i32;
}
export const PIN_SIZE: usize = 80;

/** The first words of the state. */
@unmanaged
export class Image {
  inverseStep: f32; // 1/s of the step before, 0 before the first
  contacts: i32;
  fresh: i32; // 1 until pairs were looked for once
  spare: i32;
}
export const IMAGE_HEAD: usize = 16;

/** A body's state. */
@unmanaged
export class Body {
  px: f32; // origin, sine and cosine of the angle
  py: f32;
  s: f32;
  c: f32;
  c0x: f32; // centre of mass and angle, before and after the step
  c0y: f32;
  cx: f32;
  cy: f32;
  a0: f32;
  a: f32;
  alpha0: f32;
  vx: f32;
  vy: f32;
  w: f32;
  fx: f32;
  fy: f32;
  torque: f32;
  sleepTime: f32;
  awake: i32;
  lowX: f32; // box kept by the broad phase
  lowY: f32;
  highX: f32;
  highY: f32;
  touching: i32; // 1 after a contact began, 0 after one ended
  hit: i32; // 1 once a contact began
}
export const BODY_SIZE: usize = 100;

/** A joint's state. */
@unmanaged
export class Joint {
  ix: f32;
  iy: f32;
  iz: f32;
  motorImpulse: f32;
  limit: i32; // 0 free, 1 at the lower, 2 at the upper
  motorSpeed: f32;
  maxTorque: f32;
}
export const JOINT_SIZE: usize = 28;

export const TOUCHING: i32 = 1;
export const ENABLED: i32 = 2;
export const IN_ISLAND: i32 = 4;
export const HAS_TOI: i32 = 8;

/** A pair whose boxes overlap, with where it touches. Oldest first; Box2D's lists go from the newest. */
@unmanaged
export class Contact {
  ground: i32;
  body: i32;
  flags: i32;
  toiCount: i32;
  toi: f32;
  faceB: i32; // 0: the normal is of the ground's shape, 1: of the body's
  points: i32;
  nx: f32;
  ny: f32;
  lx: f32;
  ly: f32;
  p0x: f32;
  p0y: f32;
  normal0: f32;
  tangent0: f32;
  id0: i32;
  p1x: f32;
  p1y: f32;
  normal1: f32;
  tangent1: f32;
  id1: i32;
}
export const CONTACT_SIZE: usize = 84;

/** A fixed edge (2 corners) or convex shape (up to 4). */
@unmanaged
export class Ground {
  count: i32;
  friction: f32;
  lowX: f32; // box kept by the broad phase
  lowY: f32;
  highX: f32;
  highY: f32;
  body: i32; // shapes of one body share how far it was advanced
  middleX: f32;
  middleY: f32;
  spare: i32;
}
export const GROUND_VERTICES: usize = 40;
export const GROUND_NORMALS: usize = 72;
export const GROUND_SIZE: usize = 104;

const SCENE: usize = 1024;
const PARTS: usize = SCENE + 64;
const PINS: usize = PARTS + PART_SIZE * MAX_BODIES;
export const IMAGE: usize = 4096;
export const SCRATCH: usize = 16384;
const ADVANCED: usize = SCRATCH + 12288;
export const GROUND: usize = 32768;

// @ts-ignore: decorator
@inline export function scene(): Scene { return changetype<Scene>(SCENE); }
// @ts-ignore: decorator
@inline export function image(): Image { return changetype<Image>(IMAGE); }
// @ts-ignore: decorator
@inline export function part(i: i32): Part { return changetype<Part>(PARTS + PART_SIZE * i); }
// @ts-ignore: decorator
@inline export function pin(i: i32): Pin { return changetype<Pin>(PINS + PIN_SIZE * i); }
// @ts-ignore: decorator
@inline export function body(i: i32): Body { return changetype<Body>(IMAGE + IMAGE_HEAD + BODY_SIZE * i); }
// @ts-ignore: decorator
@inline export function joint(i: i32): Joint {
  return changetype<Joint>(IMAGE + IMAGE_HEAD + BODY_SIZE * scene().bodies + JOINT_SIZE * i);
}
// @ts-ignore: decorator
@inline export function contact(i: i32): Contact {
  return changetype<Contact>(IMAGE + IMAGE_HEAD + BODY_SIZE * scene().bodies + JOINT_SIZE * scene().joints + CONTACT_SIZE * i);
}
// @ts-ignore: decorator
@inline export function ground(i: i32): Ground { return changetype<Ground>(GROUND + GROUND_SIZE * i); }

/** How far the ground body `i` was advanced within the step, 0 to 1. */
// @ts-ignore: decorator
@inline export function advanced(i: i32): f32 { return load<f32>(ADVANCED + 4 * i); }
// @ts-ignore: decorator
@inline export function setAdvanced(i: i32, to: f32): void { store<f32>(ADVANCED + 4 * i, to); }
