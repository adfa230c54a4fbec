/**
 * Transitions of all tasks, to be learned from again (rehearsal; CLEAR, Rolnick et al. 2019). A reservoir: of all transitions so far each is
 * in it with the same chance (Vitter 1985, algorithm R), however long ago it was made.
 */
import { fail, present } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { type Part, savedArray, savedNumber } from '#core/state/checkpoint.ts';
import type { ReplayBatch, ReplayBuffer } from '#core/state/replay-buffer.ts';
import type { Rng } from '#math/rng.ts';
import type { Views } from '../../api/extension.ts';

/** Sizes of a kept transition. */
export interface RehearsalShape {
  readonly capacity: number; // transitions
  readonly obsSize: number; // O
  readonly actionCount: number; // N
  /** Numbers per action; 1 if missing. */
  readonly actionSize?: number;
  /** Numbers that are kept of what the networks gave; N if missing. */
  readonly keptSize?: number;
}

const widthsOf = ({ obsSize, actionCount, actionSize = 1, keptSize = actionCount }: Omit<RehearsalShape, 'capacity'>) => ({
  obsSize,
  actionCount,
  actionSize,
  keptSize,
});

/**
 * A batch with what the networks gave when a transition was kept, action values [M, N] say, and which rows are kept ones (1) or fresh (0), [M];
 * undefined: it is not needed.
 */
export type RehearsalBatch = ReplayBatch & { readonly kept?: Float32Array | undefined; readonly again?: Float32Array | undefined };

/** The inputs of a learning program as a batch. Throws Error where one is missing. */
export const batchOf = ({ obs, nextObs, action, reward, discount, ...more }: Views): RehearsalBatch => ({
  ...more,
  obs: present(obs, 'observations'),
  nextObs: present(nextObs, 'next observations'),
  action: present(action, 'actions'),
  reward: present(reward, 'rewards'),
  discount: present(discount, 'discounts'),
});

export class Reservoir {
  private readonly shape: RehearsalShape;
  private readonly width: number;
  private readonly rows: Float32Array; // [capacity, width]
  /** Transitions offered so far. */
  private total = 0;

  constructor(shape: RehearsalShape) {
    this.shape = shape;
    const { obsSize, actionCount, actionSize, keptSize } = widthsOf(shape);
    this.width = 2 * obsSize + 2 + actionSize + keptSize + 2 * actionCount;
    this.rows = new Float32Array(shape.capacity * this.width);
  }

  get size(): number {
    return Math.min(this.total, this.shape.capacity);
  }

  /** The slot of the next transition; -1: it is not kept. */
  place(rng: Rng): number {
    const { capacity } = this.shape;
    const slot = this.total < capacity ? this.total : rng.int(this.total + 1);
    this.total++;
    return slot < capacity ? slot : -1;
  }

  /** Keeps row `k` of a batch. */
  keep(slot: number, batch: RehearsalBatch, k: number): void {
    let at = slot * this.width;
    for (const [column, width] of this.columns(batch)) {
      if (column !== undefined) this.rows.set(column.subarray(k * width, (k + 1) * width), at);
      at += width;
    }
  }

  /** Writes a kept transition to row `k` of a batch. */
  read(slot: number, batch: RehearsalBatch, k: number): void {
    let at = slot * this.width;
    for (const [column, width] of this.columns(batch)) {
      column?.set(this.rows.subarray(at, at + width), k * width);
      at += width;
    }
  }

  private columns(batch: RehearsalBatch): readonly (readonly [column: Float32Array | undefined, width: number])[] {
    const { obsSize: O, actionCount: N, actionSize, keptSize } = widthsOf(this.shape);
    return [
      [batch.obs, O],
      [batch.nextObs, O],
      [batch.action, actionSize],
      [batch.reward, 1],
      [batch.discount, 1],
      [batch.kept, keptSize],
      [batch.nextMask, N],
      [batch.mask, N],
    ];
  }

  save(): Saved {
    return { meta: { total: this.total }, arrays: { rows: this.rows.slice(0, this.size * this.width) } };
  }

  /** Throws LabError('file-invalid') for what a reservoir of another shape has saved. */
  load(saved: Saved): void {
    const total = savedNumber(saved, 'total');
    const rows = savedArray(saved, 'rows', Float32Array);
    if (rows.length !== Math.min(total, this.shape.capacity) * this.width)
      throw fail('file-invalid', 'These kept transitions do not fit: they have another size.', 'Resume with the config it was saved with.');
    this.total = total;
    this.rows.set(rows);
  }
}

/** Draws a transition of the task that ended into `into`: one of the newest `steps` (0: of all that are there), without the `late` newest. */
export function endedTask(replay: ReplayBuffer, steps: number, late: number, into: ReplayBatch): (draws: Rng) => void {
  const until = Math.max(replay.oldest + 1, replay.total - late);
  const from = steps > 0 ? Math.max(replay.oldest, replay.total - steps) : replay.oldest;
  return (draws) => replay.read(from + draws.int(until - from), 0, 1, 1, into);
}

/** A batch of one transition. */
export function oneTransition(shape: Omit<RehearsalShape, 'capacity'>) {
  const { obsSize, actionCount, actionSize, keptSize } = widthsOf(shape);
  return {
    obs: new Float32Array(obsSize),
    action: new Float32Array(actionSize),
    reward: new Float32Array(1),
    discount: new Float32Array(1),
    nextObs: new Float32Array(obsSize),
    nextMask: new Float32Array(actionCount),
    mask: new Float32Array(actionCount),
    kept: new Float32Array(keptSize),
  };
}

export interface RehearsalSettings extends RehearsalShape {
  /** Part of a minibatch that is drawn from the reservoir. */
  readonly share: number;
  readonly nStep: number;
  readonly gamma: number;
}

/** Writes what the networks give in a state, where this action was taken. */
type Look = (obs: Float32Array, kept: Float32Array, action: Float32Array) => Promise<void>;

/** Keeps a sample of what a replay buffer gets, and mixes it into minibatches. */
export class Rehearsal implements Part {
  private readonly reservoir: Reservoir;
  private readonly settings: RehearsalSettings;
  private readonly rng: Rng;
  private readonly one: ReturnType<typeof oneTransition>;
  private offered = 0; // number of the next transition to be offered

  constructor(settings: RehearsalSettings, rng: Rng) {
    this.settings = settings;
    this.rng = rng;
    this.reservoir = new Reservoir(settings);
    this.one = oneTransition(settings);
  }

  /** Offers the transitions that the buffer got since, once their n-step windows are whole. `look` writes what the networks give there. */
  async offer(replay: ReplayBuffer, look: Look | null): Promise<void> {
    const { nStep, gamma } = this.settings;
    const until = replay.total - (nStep - 1) * replay.shape.rows;
    for (let id = Math.max(this.offered, replay.oldest); id < until; id++) {
      const slot = this.reservoir.place(this.rng);
      if (slot < 0) continue;
      replay.read(id, 0, nStep, gamma, this.one);
      await look?.(this.one.obs, this.one.kept, this.one.action);
      this.reservoir.keep(slot, this.one, 0);
    }
    this.offered = Math.max(this.offered, until);
  }

  /** Puts kept transitions in the place of the last rows of a batch of `size`; `again` [M] becomes 1 there and 0 elsewhere. */
  mix(batch: RehearsalBatch, size: number): void {
    const fresh = size - Math.round(size * this.settings.share);
    for (let k = fresh; k < size; k++) this.reservoir.read(this.rng.int(this.reservoir.size), batch, k);
    batch.again?.fill(0, 0, fresh).fill(1, fresh, size);
  }

  save(): Saved {
    const { meta, arrays } = this.reservoir.save();
    return { meta: { ...meta, offered: this.offered }, arrays: { ...arrays, rng: this.rng.state.slice() } };
  }

  /** Throws LabError('file-invalid') for what does not fit. */
  load(saved: Saved): void {
    const offered = savedNumber(saved, 'offered');
    const rng = savedArray(saved, 'rng', Uint32Array);
    if (rng.length !== this.rng.state.length)
      throw fail('file-invalid', 'The generator of kept transitions does not fit.', 'Resume with the config it was saved with.');
    this.reservoir.load(saved);
    this.offered = offered;
    this.rng.state.set(rng);
    this.rng.refresh();
  }
}
