/** What a MiniGrid world is made of, beside the rules that all share (core.ts). */
import type { EnvMeta } from '../../api/types.ts';
import type { Builder } from './builder.ts';
import type { Instruction } from './instructions.ts';
import type { RuleType } from './rules.ts';

export interface World {
  readonly meta: EnvMeta;
  readonly width: number;
  readonly height: number;
  readonly maxSteps: number;
  readonly viewSize: number;
  readonly seeThroughWalls: boolean;
  readonly pickupToggles: boolean;
  readonly rule: RuleType;
  /** A BabyAI instruction that holds for every episode. */
  readonly instruction: Instruction | null;
  /** BabyAI levels: every episode has an instruction and a step limit of its own. */
  readonly told?: Told;
  /** Balls walk about; walking into one or into a wall costs 1 and ends the episode. */
  readonly obstacles: boolean;
  /** Builds the world of one episode: cells, agent, rule numbers a and b. */
  generate(builder: Builder): void;
  /** In words. `at`: where the sentence of a BabyAI level stands. */
  mission(a: number, b: number, words: Uint32Array, at: number): string;
  /** Mission as numbers behind the direction; 0 if the mission never changes. */
  readonly missionSize: number;
  writeMission(words: Uint32Array, base: number, a: number, b: number, out: Float32Array, at: number, cells: number): void;
}

export interface Told {
  /** Step limit of an episode with this instruction. */
  limit(instruction: Instruction): number;
  /** Words of sentence-code.ts for the world just built. */
  encode(builder: Builder): Uint32Array;
}
