/** A block of consecutive transitions, one typed array per column. Observations of grids are small integers, still kept as float32. */
import type { Saved } from '#contract/events.ts';

type Column = Saved['arrays'][string];

/** Of a team: everybody's columns side by side (obsSize A * O, actionSize A * D, rewardSize A, maskSize A * N). */
export interface ReplayShape {
  readonly capacity: number; // transitions
  readonly rows: number; // B
  readonly obsSize: number; // O
  readonly actionSize?: number; // D, 1 if missing
  readonly rewardSize?: number; // K, 1 if missing
  readonly maskSize: number; // N, 0: no masks
  readonly masksNow?: boolean; // keep what was legal before the step too
}

export class ReplayChunk {
  readonly obs: Float32Array;
  readonly nextObs: Float32Array;
  readonly nextMask: Uint8Array;
  readonly mask: Uint8Array; // empty unless the memory keeps them
  readonly action: Float32Array;
  readonly reward: Float32Array;
  readonly ended: Uint8Array; // 0 goes on, 1 terminated, 2 truncated

  constructor(length: number, shape: ReplayShape) {
    const { obsSize, maskSize, actionSize = 1, rewardSize = 1, masksNow = false } = shape;
    this.obs = new Float32Array(length * obsSize);
    this.nextObs = new Float32Array(length * obsSize);
    this.nextMask = new Uint8Array(length * maskSize).fill(1);
    this.mask = new Uint8Array(masksNow ? length * maskSize : 0).fill(1);
    this.action = new Float32Array(length * actionSize);
    this.reward = new Float32Array(length * rewardSize);
    this.ended = new Uint8Array(length);
  }

  columns(): [string, Column][] {
    const { obs, nextObs, nextMask, mask, action, reward, ended } = this;
    return Object.entries({ obs, nextObs, nextMask, action, reward, ended, ...(mask.length > 0 && { mask }) });
  }

  fill(column: string, data: Column): void {
    const own = this.columns().find(([name]) => name === column)?.[1];
    if (own !== undefined) own.set(data);
  }
}
