/** What defines a particle scenario: its agents and landmarks, what is drawn at the start, rewards and observations. */
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { EntityKind } from '#contract/game/spaces.ts';
import type { EnvMeta } from '../../api/types.ts';

export interface AgentPlan {
  readonly name: string;
  /** Agents of one group see and do the same; a group's agents stand together. */
  readonly group: string;
  readonly size: number; // m
  readonly force: number; // N
  readonly mass: number; // kg
  readonly topSpeed?: number; // m/s
  readonly collides: boolean;
  readonly moves: boolean;
  readonly speaks: boolean;
  /** Names of the numbers of the agent's observation. */
  readonly sees: readonly string[];
  /** The same numbers as rows of things, where the scenario says which they are. */
  readonly entities?: readonly EntityKind[];
}

/** A team of movers that are alike, see alike and say nothing. */
export function alike(
  count: number,
  c: { readonly agentSize: number; readonly force: number; readonly mass: number },
  sees: readonly string[],
  entities?: readonly EntityKind[],
): AgentPlan[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `agent_${i}`,
    group: 'agent',
    size: c.agentSize,
    force: c.force,
    mass: c.mass,
    collides: true,
    moves: true,
    speaks: false,
    sees,
    ...(entities && { entities }),
  }));
}

export interface LandmarkPlan {
  readonly name: string;
  readonly look: 'landmark' | 'obstacle' | 'food' | 'zone' | 'goal';
  readonly size: number; // m
  readonly collides: boolean;
  readonly colour: number; // palette index
}

/** Something drawn at the start, uniform in 0..n-1, `count` of it (0: one number). */
export interface Pick {
  readonly name: string;
  readonly n: number;
  readonly count: number;
  readonly doc: string;
}

export interface Plan {
  readonly agents: readonly AgentPlan[];
  readonly landmarks: readonly LandmarkPlan[];
  /** Numbers in a message; 0: no messages. */
  readonly symbols: number;
  readonly picks: readonly Pick[];
  readonly score: EnvMeta['score'];
  readonly references: readonly ReferenceReturn[];
  /** Landmarks are drawn from the square [-spread, spread]^2. */
  readonly spread: number;
  /** Places the landmarks of a row instead. `u`: uniform in [0, 1). */
  place?(floats: Float64Array, at: number, u: () => number): void;
  /** Rewards of one row, [A] from `at`. `s`: its floats, `w`: its words (picks from there on). */
  reward(floats: Float64Array, s: number, words: Uint32Array, w: number, out: Float32Array, at: number): void;
  /** What the reward is made of, and what each part added in the last call of `reward`, summed over agents. */
  readonly terms?: { readonly cards: NonNullable<EnvMeta['terms']>; readonly added: Float64Array };
  /** What all agents of one row see, [A, width] from `at`; what lies beyond an agent's own numbers stays as it is. */
  observe(floats: Float64Array, s: number, words: Uint32Array, w: number, out: Float32Array, at: number, width: number): void;
  /** Lines of the picture, each from an agent to a landmark. */
  readonly ties?: {
    readonly count: number;
    of(floats: Float64Array, s: number, words: Uint32Array, w: number, k: number): readonly [agent: number, landmark: number];
  };
  /** Palette index of a landmark in the frame, where it depends on what was drawn. */
  landmarkColour?(words: Uint32Array, w: number, landmark: number): number;
}

/** Message symbols are letters: A, B, C... */
export function symbolName(k: number): string {
  return String.fromCharCode(65 + k);
}

/** Labels of a relative place. */
export function toward(name: string): string[] {
  return [`${name} dx`, `${name} dy`];
}

export const OWN_VELOCITY = ['own vx', 'own vy'];
export const OWN_PLACE = ['own x', 'own y'];

/** Writes where the body at `to` is as seen from the one at `from`; returns the next place of `out`. */
export function seen(floats: Float64Array, from: number, to: number, out: Float32Array, at: number): number {
  out[at] = floats[to]! - floats[from]!;
  out[at + 1] = floats[to + 1]! - floats[from + 1]!;
  return at + 2;
}

/** Copies two numbers (a velocity, a place); returns the next place of `out`. */
export function copied(floats: Float64Array, from: number, out: Float32Array, at: number): number {
  out[at] = floats[from]!;
  out[at + 1] = floats[from + 1]!;
  return at + 2;
}
