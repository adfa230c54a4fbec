/** Bodies, settings and starts that the VMAS scenarios share. */
import { z } from 'zod';
import type { Body, WorldPlan } from './world.ts';

export const WORLD = {
  substeps: 1,
  collisionForce: 100,
  drag: 0.25,
  gravity: 0,
  halfX: Number.POSITIVE_INFINITY,
  halfY: Number.POSITIVE_INFINITY,
  dt: 0.1,
  margin: 1e-3,
} as const satisfies Partial<WorldPlan>;

export function disc(name: string, radius: number, more: Partial<Body> = {}): Body {
  return { name, shape: 'disc', size: [radius], mass: 1, moves: false, turns: false, collides: true, ...more };
}

export function agents(count: number, radius: number, more: Partial<Body> = {}): Body[] {
  return Array.from({ length: count }, (_, i) => disc(`agent_${i}`, radius, { moves: true, ...more }));
}

export function agentsField(standard: number, least = 1, most = 10) {
  return z.int().min(least).max(most).default(standard).meta({ title: 'agents', description: 'Agents of the team.', source: 'VMAS' });
}

export const drag = {
  drag: z.number().min(0).max(1).default(0.25).meta({
    title: 'drag',
    unit: 'per step',
    description: 'Share of the velocity lost in a step.',
    source: 'VMAS',
    live: true,
    group: 'physics',
  }),
};

export function contactField(standard: number) {
  return z
    .number()
    .min(0)
    .max(10_000)
    .default(standard)
    .meta({
      title: 'contact force',
      unit: 'N/m',
      description: 'How hard bodies that overlap push each other apart.',
      source: 'VMAS',
      live: true,
      group: 'physics',
      slider: [0, 1000],
    });
}

export function massField(standard: number, what: string, slider: readonly [number, number]) {
  return z
    .number()
    .min(0.01)
    .max(10_000)
    .default(standard)
    .meta({
      title: `mass of the ${what}`,
      unit: 'kg',
      description: 'Heavy things take many to move.',
      source: 'VMAS',
      live: true,
      group: 'physics',
      log: true,
      slider: [slider[0], slider[1]],
    });
}

export const OWN = ['own x', 'own y', 'own vx', 'own vy'];

/** Own place and velocity of agent number i; returns the next place of `out`. */
export function own(floats: Float64Array, s: number, A: number, i: number, out: Float32Array, at: number): number {
  out[at] = floats[s + 2 * i]!;
  out[at + 1] = floats[s + 2 * i + 1]!;
  out[at + 2] = floats[s + 2 * A + 2 * i]!;
  out[at + 3] = floats[s + 2 * A + 2 * i + 1]!;
  return at + 4;
}

export function gap(floats: Float64Array, a: number, b: number): number {
  const dx = floats[a]! - floats[b]!;
  const dy = floats[a + 1]! - floats[b + 1]!;
  return Math.sqrt(dx * dx + dy * dy);
}

const TRIES = 1000;

/**
 * A place in the square [-half, half]^2 at least `apart` from those at `taken`; after a thousand tries the last one drawn (the
 * reference goes on for ever).
 */
export function scatter(floats: Float64Array, to: number, taken: readonly number[], apart: number, half: number, u: () => number): void {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    floats[to] = half * (2 * u() - 1);
    floats[to + 1] = half * (2 * u() - 1);
    if (taken.every((p) => p === to || gap(floats, p, to) >= apart)) return;
  }
}
