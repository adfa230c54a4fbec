/** What the file of a body gives: its task as rules on what MuJoCo computed. */
import type { z } from 'zod';
import type { Preset, ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Actions, Environment, EnvMeta, Offer, ScriptedPolicy } from '../../api/types.ts';
import type { Reading, Tuning } from './engine.ts';
import type { Look } from './frame.ts';
import type { Body } from './mjcf.ts';

/** What every body's settings have. */
export interface BodyConfig extends Tuning {
  readonly maxSteps: number;
  readonly gravity: number;
}
/** And those of a body whose physics may be stepped more or less often than published. */
export interface SkippedConfig extends BodyConfig {
  /** Steps of the physics per step of the environment. */
  readonly frameSkip: number;
}

/** Views of the stepped data that rules read: positions, speeds and what `reads` names. */
export type Seen = { readonly [key in 'qpos' | 'qvel' | Reading]: Float64Array };

/** One row of state: where each part of it begins in `floats`. */
export interface Row {
  readonly floats: Float64Array;
  /** Positions. */
  q: number;
  /** Speeds. */
  v: number;
  /** What is kept of the last force evaluation. */
  kept: number;
  /** What was drawn at the start and stays for the episode. */
  fixed: number;
}

/** The task of a body with these settings. Nothing here allocates. */
export interface Rules {
  /** Names of the numbers of the observation. */
  readonly labels: readonly string[];
  /** How many numbers are kept. */
  readonly kept: number;
  /** Writes what is kept, from floats[at] on. */
  keep(seen: Seen, floats: Float64Array, at: number): void;
  observe(row: Row, obs: Float32Array, at: number): void;
  /** After a step: `row` is still the state before it. Writes every term of the reward from terms[at] on; true: the episode ends. */
  judge(row: Row, seen: Seen, actions: Actions, action: number, terms: Float64Array, at: number): boolean;
  /** Where the environment has goals (meta.goals). */
  goalReward?: Environment['goalReward'];
  /** What an episode is judged by beside its return (meta.measures), from out[at] on. */
  measure?(row: Row, out: Float64Array, at: number): void;
  /** What golden files list of a step beside state, observation and reward. */
  extras?(row: Row): JsonObject;
  /** Named numbers of the picture, from out[at] on. */
  show?(row: Row, out: Float32Array, at: number): void;
}

/** Draws: of a start evenly in -1..1, or normal with deviation 1; by name evenly in [0, 1), or a whole number 0..n-1. */
export interface Draw {
  spread(): number;
  normal(): number;
  uniform(name: string): number;
  index(n: number, name: string): number;
}

export interface BodyDef<C extends BodyConfig> extends Offer {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly config: z.ZodType<C>;
  readonly presets?: readonly Preset[];
  readonly body: Body;
  readonly actions: readonly string[];
  readonly terms: NonNullable<EnvMeta['terms']>;
  readonly look: Look;
  readonly reads?: readonly Reading[];
  /** It reads contact forces, which cost extra. */
  readonly contactForces?: boolean;
  rules(c: C): Rules;
  /** Adds to the model's own start what is drawn. */
  start(c: C, qpos: Float64Array, qvel: Float64Array, draw: Draw): void;
  /** Scripted policies of the task; the first is shown before anything is learned. */
  readonly policies?: { readonly [name: string]: (c: C) => ScriptedPolicy };
  readonly references: readonly ReferenceReturn[];
}
