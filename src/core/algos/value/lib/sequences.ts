/**
 * Replay memory of stretches of W steps with what a recurrent network remembered at their first one (Kapturowski et al. 2019: stored state).
 * A stretch is kept every `every` steps of a copy, so that stretches overlap by W - every steps. They run on through the ends of episodes:
 * `starts` marks steps that begin one. Everything a stretch holds lies in arrays of fixed size, a ring over stretches.
 */
import type { StepBuffers } from '#core/envs/api/types.ts';
import type { StateLayout } from '#core/state/checkpoint.ts';

export interface SequenceShape {
  readonly capacity: number; // stretches
  readonly rows: number; // B
  readonly steps: number; // W
  readonly every: number;
  readonly obsSize: number; // O
  readonly maskSize: number; // N, 0: no masks
  readonly stateSize: number; // S
}

/** Columns of `count` stretches. */
function columns(count: number, { steps: W, obsSize: O, maskSize: N, stateSize: S }: SequenceShape) {
  return {
    obs: new Float32Array(count * (W + 1) * O), // the last is what followed the stretch
    mask: new Uint8Array(count * (W + 1) * N),
    starts: new Uint8Array(count * (W + 1)),
    state: new Float32Array(count * (W + 1) * S), // before each step; of a kept stretch only the first counts
    action: new Int32Array(count * W),
    reward: new Float32Array(count * W),
    ended: new Uint8Array(count * W), // 0 goes on, 1 terminated, 2 truncated
  };
}
type Columns = ReturnType<typeof columns>;

/** Of one stretch: where its numbers begin, for those who read them. */
export interface Stretch extends Omit<Columns, 'state'> {
  readonly state: Float32Array; // [capacity, S]
}

export class SequenceMemory {
  /** Stretches ever kept; the newest `capacity` are there, number modulo capacity. */
  readonly counters = { kept: 0 };
  readonly stretches: Stretch;
  private readonly shape: SequenceShape;
  private readonly open: Columns;
  private readonly length: Int32Array; // [B] steps in the open stretch

  constructor(shape: SequenceShape) {
    this.shape = shape;
    const { state: _, ...kept } = columns(shape.capacity, shape);
    this.stretches = { ...kept, state: new Float32Array(shape.capacity * shape.stateSize) };
    this.open = columns(shape.rows, shape);
    this.length = new Int32Array(shape.rows);
  }

  get size(): number {
    return Math.min(this.counters.kept, this.shape.capacity);
  }

  /** What a checkpoint keeps, beside `counters`. */
  get arrays(): NonNullable<StateLayout['arrays']> {
    const named = (prefix: string, of: object) => Object.entries(of).map(([name, data]) => [`${prefix}.${name}`, data]);
    return { ...Object.fromEntries([...named('stretch', this.stretches), ...named('open', this.open)]), length: this.length };
  }

  /** Before a step: what is seen, what may be done, and what is remembered [B, S]; `starts` [B]: an episode begins. */
  before({ obs, mask }: StepBuffers, state: Float32Array, starts: Uint8Array): void {
    for (let b = 0; b < this.shape.rows; b++) this.see(b, obs, mask, state, starts);
  }

  private see(b: number, obs: Float32Array, mask: Uint8Array | undefined, state: Float32Array, starts: Uint8Array): void {
    const { steps: W, obsSize: O, maskSize: N, stateSize: S } = this.shape;
    const at = b * (W + 1) + this.length[b]!;
    this.open.obs.set(obs.subarray(b * O, (b + 1) * O), at * O);
    if (mask !== undefined) this.open.mask.set(mask.subarray(b * N, (b + 1) * N), at * N);
    this.open.starts[at] = starts[b]!;
    this.open.state.set(state.subarray(b * S, (b + 1) * S), at * S);
  }

  /** After it. `state` and `starts` are those of the next step, `keep` is told the number of a stretch that is whole. */
  after(buffers: StepBuffers, action: Int32Array, state: Float32Array, starts: Uint8Array, keep: (id: number) => void): void {
    const { rows, steps: W, every } = this.shape;
    const { reward, terminated, truncated, obs, mask } = buffers;
    for (let b = 0; b < rows; b++) {
      const at = b * W + this.length[b]!;
      this.open.action[at] = action[b]!;
      this.open.reward[at] = reward[b]!;
      this.open.ended[at] = terminated[b] !== 0 ? 1 : truncated[b] !== 0 ? 2 : 0;
      this.length[b]!++;
      if (this.length[b]! < W) continue;
      this.see(b, obs, mask, state, starts);
      keep(this.counters.kept);
      this.store(b);
      this.shift(b, every);
      this.length[b] = W - every;
    }
  }

  private store(b: number): void {
    const { capacity, rows, stateSize: S, steps: W } = this.shape;
    const slot = this.counters.kept++ % capacity;
    const { state, ...kept } = this.open;
    for (const name of Object.keys(kept) as (keyof typeof kept)[]) {
      const width = kept[name].length / rows;
      this.stretches[name].set(kept[name].subarray(b * width, (b + 1) * width), slot * width);
    }
    this.stretches.state.set(state.subarray(b * (W + 1) * S, b * (W + 1) * S + S), slot * S);
  }

  /** Drops the oldest steps of an open stretch. */
  private shift(b: number, steps: number): void {
    const { rows, steps: W } = this.shape;
    for (const [name, column] of Object.entries(this.open)) {
      const width = column.length / rows;
      const one = width / (name === 'action' || name === 'reward' || name === 'ended' ? W : W + 1);
      column.copyWithin(b * width, b * width + steps * one, (b + 1) * width);
    }
  }
}
