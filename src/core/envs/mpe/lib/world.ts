/**
 * Physics of the multi-agent particle environments: discs in the plane, pushed by their own force and by soft contact.
 * A step, in this order: force of the action times the agent's force scale; contact of every colliding pair; position += old
 * velocity * dt; velocity *= 1 - damping; velocity += force / mass * dt; speed cut to its limit. So a force shows in the position
 * one step later. Metres, seconds, newtons, kilograms; float64.
 * Source: `Farama-Foundation/MPE2` 1.1.0 `mpe2/_mpe_utils/core.py`. Differs: contact beyond 60 margins (a force below 1e-27 N) is
 * left out, and two bodies at exactly one place do not push each other (the reference divides by zero there).
 */
import { exp, log1p } from '#math/functions.ts';
import type { Actions } from '../../api/types.ts';

/** What does not change during an episode. Bodies are the agents, then the landmarks. */
export interface World {
  readonly agents: number; // A
  readonly landmarks: number; // L
  readonly dt: number; // s
  readonly keep: number; // share of the velocity that damping leaves
  readonly contactForce: number; // N
  readonly contactMargin: number; // m
  readonly scale: Float64Array; // [A] N per unit of action, 0: cannot move
  readonly mass: Float64Array; // [A] kg
  readonly topSpeed: Float64Array; // [A] m/s, Infinity: no limit
  readonly movable: Uint8Array; // [A]
  readonly speaks: Uint8Array; // [A]
  readonly symbols: number; // numbers in a message
  /** Colliding pairs: offsets of both positions in a row, index of each force (-1: does not move), distance at touch. */
  readonly pairs: Int32Array; // [P, 4]
  readonly touch: Float64Array; // [P]
  readonly force: Float64Array; // [A, 2] scratch
}

export const MOVES = 5; // none, left, right, down, up

/** Offsets within a row of floats: positions at 0, then these. */
function velocityAt(world: { readonly agents: number }): number {
  return 2 * world.agents;
}
function messagesAt(world: { readonly agents: number; readonly landmarks: number }): number {
  return 4 * world.agents + 2 * world.landmarks;
}

/** Discrete: the move is the action modulo 5, the symbol what is left (all of it where the speaker cannot move). */
function readDiscrete(world: World, floats: Float64Array, s: number, actions: Actions, at: number): void {
  const { agents, force, scale, movable, speaks, symbols } = world;
  for (let i = 0; i < agents; i++) {
    let action = actions[at + i]!;
    let x = 0;
    let y = 0;
    if (movable[i] === 1) {
      const move = symbols === 0 ? action : action % MOVES;
      if (move === 1) x = -1;
      else if (move === 2) x = 1;
      else if (move === 3) y = -1;
      else if (move === 4) y = 1;
      action = (action - move) / MOVES;
    }
    force[2 * i] = x * scale[i]!;
    force[2 * i + 1] = y * scale[i]!;
    if (speaks[i] === 0) continue;
    const from = s + messagesAt(world) + i * symbols;
    floats.fill(0, from, from + symbols);
    floats[from + action] = 1;
  }
}

function unit(x: number): number {
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

/** Continuous: five numbers in 0..1 (unused, left, right, down, up) where it moves, then the message. Clipped, as in the reference. */
function readContinuous(world: World, floats: Float64Array, s: number, actions: Actions, at: number, width: number): void {
  const { agents, force, scale, movable, speaks, symbols } = world;
  for (let i = 0; i < agents; i++) {
    let from = at + i * width;
    let x = 0;
    let y = 0;
    if (movable[i] === 1) {
      x = Math.fround(unit(actions[from + 2]!) - unit(actions[from + 1]!)); // float32, as the reference computes it
      y = Math.fround(unit(actions[from + 4]!) - unit(actions[from + 3]!));
      from += MOVES;
    }
    force[2 * i] = x * scale[i]!;
    force[2 * i + 1] = y * scale[i]!;
    if (speaks[i] === 0) continue;
    const to = s + messagesAt(world) + i * symbols;
    for (let k = 0; k < symbols; k++) floats[to + k] = unit(actions[from + k]!);
  }
}

/** Soft contact: margin * ln(1 + e^(overlap / margin)) times the contact force, along the line of centres. */
function addContact(world: World, floats: Float64Array, s: number): void {
  const { pairs, touch, force, contactMargin, contactForce } = world;
  for (let p = 0; p < touch.length; p++) {
    const a = s + pairs[4 * p]!;
    const b = s + pairs[4 * p + 1]!;
    const dx = floats[a]! - floats[b]!;
    const dy = floats[a + 1]! - floats[b + 1]!;
    const reach = touch[p]! + 60 * contactMargin;
    const square = dx * dx + dy * dy;
    if (square > reach * reach || square === 0) continue;
    const distance = Math.sqrt(square);
    const z = (touch[p]! - distance) / contactMargin;
    const depth = (z > 0 ? z + log1p(exp(-z)) : log1p(exp(z))) * contactMargin;
    const push = (contactForce * depth) / distance;
    const i = pairs[4 * p + 2]!;
    const j = pairs[4 * p + 3]!;
    if (i >= 0) {
      force[i] = force[i]! + push * dx;
      force[i + 1] = force[i + 1]! + push * dy;
    }
    if (j >= 0) {
      force[j] = force[j]! - push * dx;
      force[j + 1] = force[j + 1]! - push * dy;
    }
  }
}

function integrate(world: World, floats: Float64Array, s: number): void {
  const { agents, dt, keep, force, mass, movable, topSpeed } = world;
  const v = s + velocityAt(world);
  for (let i = 0; i < agents; i++) {
    if (movable[i] === 0) continue;
    const k = 2 * i;
    let vx = floats[v + k]!;
    let vy = floats[v + k + 1]!;
    floats[s + k] = floats[s + k]! + vx * dt;
    floats[s + k + 1] = floats[s + k + 1]! + vy * dt;
    vx = vx * keep + (force[k]! / mass[i]!) * dt;
    vy = vy * keep + (force[k + 1]! / mass[i]!) * dt;
    const top = topSpeed[i]!;
    const square = vx * vx + vy * vy;
    if (square > top * top) {
      const cut = top / Math.sqrt(square);
      vx *= cut;
      vy *= cut;
    }
    floats[v + k] = vx;
    floats[v + k + 1] = vy;
  }
}

/** Moves every row by one step of `actions` [B, A, width]. */
export function moveAll(
  world: World,
  batch: number,
  floats: Float64Array,
  stride: number,
  actions: Actions,
  width: number,
  continuous: boolean,
): void {
  for (let row = 0; row < batch; row++) {
    const s = row * stride;
    const at = row * world.agents * width;
    if (continuous) readContinuous(world, floats, s, actions, at, width);
    else readDiscrete(world, floats, s, actions, at);
    addContact(world, floats, s);
    integrate(world, floats, s);
  }
}

/** Distance between the bodies whose positions stand at two offsets. */
export function distance(floats: Float64Array, a: number, b: number): number {
  const dx = floats[a]! - floats[b]!;
  const dy = floats[a + 1]! - floats[b + 1]!;
  return Math.sqrt(dx * dx + dy * dy);
}
