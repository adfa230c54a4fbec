/** A block of consecutive transitions, one typed array per column. Observations of grids are small integers, still kept as float32. */
import type { Saved } from '#contract/events.ts';

type Column = Saved['arrays'][string];

export class ReplayChunk {
  readonly obs: Float32Array;
  readonly nextObs: Float32Array;
  readonly nextMask: Uint8Array;
  readonly action: Float32Array;
  readonly reward: Float32Array;
  readonly ended: Uint8Array; // 0 goes on, 1 terminated, 2 truncated

  constructor(length: number, obsSize: number, maskSize: number) {
    this.obs = new Float32Array(length * obsSize);
    this.nextObs = new Float32Array(length * obsSize);
    this.nextMask = new Uint8Array(length * maskSize);
    this.action = new Float32Array(length);
    this.reward = new Float32Array(length);
    this.ended = new Uint8Array(length);
  }

  columns(): [string, Column][] {
    const { obs, nextObs, nextMask, action, reward, ended } = this;
    return Object.entries({ obs, nextObs, nextMask, action, reward, ended });
  }

  fill(column: string, data: Column): void {
    const own = this.columns().find(([name]) => name === column)?.[1];
    if (own !== undefined) own.set(data);
  }
}
