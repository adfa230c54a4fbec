/**
 * Notices by the loss alone that the task has changed: the mean of the logarithm of the loss over a block of updates lies so many standard
 * deviations above the blocks before. After a jump the blocks are collected anew, so that one change is found once.
 */
import { log } from '#math/functions.ts';
import type { EnvMeta } from '../../../envs/api/types.ts';
import { type Forgetting, jumpOf, taskSteps } from './settings.ts';

/** Updates of a block. */
export const BLOCK = 40;
/** Blocks that a new one is held against. */
const BEFORE = 20;
/** Least deviation, in units of the logarithm: of a loss that hardly moves the noise alone would be many deviations. */
const LEAST = 0.1;

export class LossJump {
  private readonly deviations: number;
  private readonly blocks = new Float64Array(BEFORE);
  private filled = 0; // blocks since the last jump
  private sum = 0;
  private count = 0; // updates of the present block

  constructor(deviations: number) {
    this.deviations = deviations;
  }

  /** After each update; true where its block ends with a jump. */
  add(loss: number): boolean {
    this.sum += log(Math.max(loss, 1e-12));
    this.count++;
    if (this.count < BLOCK) return false;
    const value = this.sum / BLOCK;
    this.sum = 0;
    this.count = 0;
    const jumped = this.filled >= BEFORE && value - this.mean() > this.deviations * Math.max(LEAST, this.deviation());
    if (jumped) this.filled = 0;
    else {
      this.blocks[this.filled % BEFORE] = value;
      this.filled++;
    }
    return jumped;
  }

  private mean(): number {
    let all = 0;
    for (const block of this.blocks) all += block;
    return all / BEFORE;
  }

  private deviation(): number {
    const mean = this.mean();
    let all = 0;
    for (const block of this.blocks) all += (block - mean) ** 2;
    return Math.sqrt(all / (BEFORE - 1));
  }

  pack(): Float64Array {
    return Float64Array.of(this.filled, this.sum, this.count, ...this.blocks);
  }

  unpack(data: Float64Array): void {
    [this.filled, this.sum, this.count] = [data[0]!, data[1]!, data[2]!];
    this.blocks.set(data.subarray(3));
  }
}

/** Whether a multiple of `every` lies in (before, now]. */
export const passed = (every: number, before: number, now: number): boolean => Math.floor(now / every) > Math.floor(before / every);

/** Where a task ends: after so many steps, or where the loss jumps. */
export function taskEnds(meta: EnvMeta, forgetting: Forgetting) {
  const jump = jumpOf(forgetting);
  const steps = jump > 0 ? 0 : taskSteps(meta, forgetting);
  const jumps = jump > 0 ? new LossJump(jump) : null;
  let found = false;
  return {
    /** Of a task; 0: its end is found by the loss. */
    steps,
    jumps,
    /** After an update. */
    look(loss: number): void {
      if (jumps?.add(loss)) found = true;
    },
    /** Whether a task has ended since step `before`. */
    due(before: number, now: number): boolean {
      const ended = found || (steps > 0 && passed(steps, before, now));
      found = false;
      return ended;
    },
  };
}
