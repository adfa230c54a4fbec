/** The replay memory of an off-policy run: what was seen before a step is remembered with what followed it. */
import type { Saved } from '#contract/events.ts';
import type { EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import type { Rng } from '#math/rng.ts';
import { type ReplayBatch, ReplayBuffer } from './buffers.ts';
import { endedRows, successors } from './transitions.ts';

export interface RecollectionShape {
  readonly capacity: number; // transitions
  readonly copies: number; // B
  /** One transition of the whole team [B, A * O] instead of one per agent [B * A, O]. */
  readonly joint?: boolean;
  /** Keep what was legal before the step too, where the environment has masks. */
  readonly masksNow?: boolean;
}

export class Recollection {
  readonly memory: ReplayBuffer;
  private readonly meta: EnvMeta;
  private readonly buffers: StepBuffers;
  private readonly joint: boolean;
  private readonly seen: Float32Array;
  private readonly after: Float32Array;
  private readonly legal: Uint8Array | undefined;
  private readonly terminated: Uint8Array;
  private readonly truncated: Uint8Array;

  constructor(meta: EnvMeta, buffers: StepBuffers, { capacity, copies, joint = false, masksNow = false }: RecollectionShape) {
    const { agentCount: A, obsSize, actionSize, actionCount, masked } = meta;
    const members = joint ? A : 1; // agents in a row
    const rows = joint ? copies : copies * A;
    this.meta = meta;
    this.buffers = buffers;
    this.joint = joint;
    this.memory = new ReplayBuffer({
      capacity,
      rows,
      obsSize: members * obsSize,
      actionSize: members * actionSize,
      rewardSize: members * meta.rewards.length,
      maskSize: masked ? members * actionCount : 0,
      masksNow: masksNow && masked,
    });
    this.seen = new Float32Array(copies * A * obsSize);
    this.after = new Float32Array(copies * A * obsSize);
    this.legal = masksNow && masked ? new Uint8Array(copies * A * actionCount) : undefined;
    this.terminated = new Uint8Array(rows);
    this.truncated = new Uint8Array(rows);
  }

  /** Before env.step(). */
  see(): void {
    this.seen.set(this.buffers.obs);
    this.legal?.set(this.buffers.mask!);
  }

  /** After env.step(): `action` [rows, D] led from what was seen to what is there now. A time limit is not an end. */
  remember(action: Int32Array | Float32Array): void {
    const { buffers, meta, joint, seen: obs, after: nextObs, legal: mask, terminated, truncated } = this;
    const { reward, mask: nextMask } = buffers;
    successors(buffers, meta, nextObs);
    endedRows(buffers.terminated, joint ? 1 : meta.agentCount, terminated);
    endedRows(buffers.truncated, joint ? 1 : meta.agentCount, truncated);
    this.memory.add({ obs, action, reward, nextObs, terminated, truncated, mask, nextMask });
  }

  /** Fills the first `count` rows with transitions of one step, each stored one equally likely. */
  replay(rng: Rng, count: number, gamma: number, batch: ReplayBatch): void {
    const { memory } = this;
    for (let row = 0; row < count; row++) memory.read(memory.draw(rng), row, 1, gamma, batch);
  }

  save(): Saved {
    return this.memory.save();
  }

  load(saved: Saved): void {
    this.memory.load(saved);
  }
}
