/**
 * What can be run, as data: the page builds its forms, galleries and help from this and never imports the core.
 * A config schema is JSON Schema made from zod; what zod cannot say stands in `x`-less plain keywords below, set through `.meta()`.
 */
import type { FrameLayout } from './frames.ts';
import type { Json, JsonObject } from './json.ts';
import type { Expectation } from './results.ts';
import type { ActionSpace, ObsSpace } from './spaces.ts';

/** Extra JSON-Schema keywords our `.meta()` may set on a field. */
export interface FieldMeta {
  /** Field label in the literature's words: "learning rate". */
  readonly title?: string;
  /** One plain sentence below the label. */
  readonly description?: string;
  readonly unit?: string;
  /** Where the default comes from: "CleanRL ppo.py". */
  readonly source?: string;
  /** Draw as a logarithmic slider. */
  readonly log?: boolean;
  /** Slider ends, when tighter than minimum and maximum. */
  readonly slider?: readonly [number, number];
  /** May be changed while a run goes on. */
  readonly live?: boolean;
  /** Shown from this depth on; default 'lab'. */
  readonly depth?: 'teach' | 'lab' | 'research';
  /** Fields of one group stand together. */
  readonly group?: string;
  /** A special editor: 'grid-map' draws the map editor, 'hidden' shows nothing. */
  readonly editor?: 'grid-map' | 'hidden';
}

export type FieldSchema = FieldMeta & {
  readonly type?: 'number' | 'integer' | 'boolean' | 'string' | 'array' | 'object';
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly default?: Json;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly items?: FieldSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [key: string]: FieldSchema };
  readonly anyOf?: readonly FieldSchema[];
};

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly config: JsonObject;
}

export interface Source {
  readonly title: string;
  readonly authors: string;
  readonly year: number;
  readonly url?: string;
}

export interface EnvCard {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly schema: FieldSchema;
  readonly defaults: JsonObject;
  readonly presets: readonly Preset[];
  readonly agents: number;
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
  readonly frame: FrameLayout;
  readonly maxSteps: number; // 0: no limit of its own
  readonly evalMaxSteps: number;
  readonly references: readonly ReferenceReturn[];
  /** Keys a human plays with, by action: KeyboardEvent.key values. Empty: not playable. */
  readonly keys: readonly (readonly string[])[];
  /** What to do when no key is held: an action, or null to wait for a key (turn-based play). */
  readonly idleAction: number | null;
  /** Steps per second a person should see. */
  readonly fps: number;
}

export interface ReferenceReturn {
  readonly name: string; // "random", "optimal", "published PPO"
  readonly value: number;
  readonly source: string;
}

export interface AlgoCard {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly schema: FieldSchema;
  readonly defaults: JsonObject;
  readonly presets: readonly Preset[];
  readonly action: 'discrete' | 'box' | 'any';
  /** 'table': needs a small discrete state; 'network': runs on the engine; 'none': learns nothing. */
  readonly learner: 'table' | 'network' | 'none';
  readonly agents: 'one' | 'many';
  /** Metrics it emits, for labels and help. */
  readonly metrics: readonly MetricCard[];
}

export interface MetricCard {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly unit?: string;
}

export interface ExperimentCard {
  readonly id: string;
  readonly title: string;
  /** One sentence that a run can refute, or what a lesson shows. */
  readonly claim: string;
  readonly kind: 'start' | 'lesson' | 'benchmark' | 'claim';
  readonly source?: Source;
  readonly config: JsonObject; // RunConfig as JSON
  /** What `npm run claims` holds it to; experiments of one suite run together. */
  readonly suite?: string;
  readonly expect?: Expectation;
  /** What the source published, in its words. */
  readonly published?: { readonly value: number; readonly text: string };
  /** The form that CI can afford: these run options instead, and what they must reach. Exact all the same. */
  readonly quick?: { readonly run: JsonObject; readonly expect: Expectation };
}

export interface Catalog {
  readonly version: 1;
  readonly envs: readonly EnvCard[];
  readonly algos: readonly AlgoCard[];
  readonly experiments: readonly ExperimentCard[];
}
