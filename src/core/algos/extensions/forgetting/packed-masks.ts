/**
 * Tasks packed into one network by pruning (PackNet; Mallya & Lazebnik 2018). A task is learned with all weights that no earlier task owns.
 * Before its block ends, of these the largest share in magnitude becomes its own; the others are set to 0, for the rest of the block only its own
 * ones learn, and after it they never change. A task is played with its own weights and those of earlier tasks: nothing that a later
 * task learns reaches it. Biases, gains and standard deviations belong to the first task that is packed, as in the paper.
 *
 * The state is parameters of the engine, so that it is saved with it and copied to nowhere: for each weight its owner (0: free, else the number of
 * the task, from 1) and the value it was left with. The optimiser's running moments would move a weight that gets no gradient; what is left is
 * therefore read from that value, not from the weight.
 */
import { eq, le, mul, sliceAxis, where } from '#core/engine/ops.ts';
import { sizeOf } from '#core/engine/shapes.ts';
import type { Engine, Graph, Param, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '../../../envs/api/types.ts';
import { toldTasks } from './heads.ts';
import { passed } from './loss-jump.ts';
import { type Forgetting, packedOf } from './settings.ts';

/** Of the weights that are free (1) the largest `share` in magnitude: 1 where a weight is kept. */
export function keptPlaces(weights: ArrayLike<number>, free: ArrayLike<number>, share: number): Uint8Array {
  const places = Array.from({ length: weights.length }, (_, i) => i).filter((i) => free[i] === 1);
  places.sort((a, b) => Math.abs(weights[b]!) - Math.abs(weights[a]!) || a - b);
  const kept = new Uint8Array(weights.length);
  for (const i of places.slice(0, Math.round(share * places.length))) kept[i] = 1;
  return kept;
}

interface Packed {
  readonly theta: Param;
  readonly owner: Param;
  readonly left: Param;
}

const FREE = 0;

export class PackedMasks {
  /** What a policy needs beside the weights themselves. */
  readonly group: ParamGroup;
  private readonly engine: Engine;
  private readonly all: readonly Packed[];
  /** [K] 1: the task is still learned with free weights. */
  private readonly open: Param;
  /** [1] The owner whose weights learn: 0, or a task between its pruning and the end of its block. */
  private readonly learning: Param;

  /** To be made before programs are compiled. */
  constructor(engine: Engine, network: ParamGroup, tasks: number) {
    const group = engine.group(`${network.name} packed`);
    const zeros = (name: string, shape: readonly number[]): Param => group.param(name, shape, new Float32Array(sizeOf(shape)));
    this.engine = engine;
    this.group = group;
    this.all = network.params.map((theta) => ({
      theta,
      owner: zeros(`${theta.name} owner`, theta.shape),
      left: zeros(`${theta.name} left`, theta.shape),
    }));
    this.open = group.param('open', [tasks], new Float32Array(tasks).fill(1));
    this.learning = zeros('learning', [1]);
  }

  /**
   * What `build` makes with the weights of task `k`. `of`: other parameters of the same network, one for each, as those of a target network; what
   * was left is the same for both.
   */
  inTask<T>(g: Graph, k: number, build: () => T, of: readonly Param[] = this.all.map(({ theta }) => theta)): T {
    const open = sliceAxis(g.read(this.open), 0, k, 1);
    const learning = g.read(this.learning);
    const values = this.all.map(({ owner, left }, i): readonly [Param, Tensor] => {
      const [theta, owned] = [of[i]!, g.read(owner)];
      const value = where(eq(owned, learning), g.read(theta), g.read(left));
      return [theta, mul(value, where(eq(owned, FREE), open, le(owned, k + 1)))];
    });
    return g.substitute(new Map(values), build);
  }

  /** Gives task `k` its share of the free weights, the largest; from now on only they learn. Without effect where it has been given them. */
  async prune(k: number, share: number): Promise<void> {
    const { engine } = this;
    const open = await engine.read(this.open);
    if (open[k] !== 1) return;
    open[k] = 0;
    engine.write(this.open, open);
    engine.write(this.learning, Float32Array.of(k + 1));
    for (const { theta, owner } of this.all) {
      const [weights, owners] = [await engine.read(theta), await engine.read(owner)];
      const free = owners.map((one) => (one === FREE ? 1 : 0));
      const kept = theta.shape.length < 2 ? Uint8Array.from(free) : keptPlaces(weights, free, share);
      for (let i = 0; i < weights.length; i++) {
        if (kept[i] === 1) owners[i] = k + 1;
        else if (free[i] === 1) weights[i] = 0;
      }
      engine.write(theta, weights);
      engine.write(owner, owners);
    }
  }

  /** The block of task `k` has ended: its weights stay as they are, and the free ones learn the next task from 0. Without effect where another one learns. */
  async seal(k: number): Promise<void> {
    const { engine } = this;
    if ((await engine.read(this.learning))[0] !== k + 1) return;
    engine.write(this.learning, Float32Array.of(FREE));
    for (const { theta, owner, left } of this.all) {
      const [weights, owners, values] = [await engine.read(theta), await engine.read(owner), await engine.read(left)];
      for (let i = 0; i < weights.length; i++) {
        if (owners[i] === k + 1) values[i] = weights[i]!;
        else if (owners[i] === FREE) weights[i] = 0;
      }
      engine.write(theta, weights);
      engine.write(left, values);
    }
  }
}

/** Packs the tasks of blocks into networks: their pruning within a block, and its end. null: nothing is packed. */
export function packing(meta: EnvMeta, forgetting: Forgetting, networks: readonly (PackedMasks | null)[]) {
  const settings = packedOf(forgetting);
  const masks = networks.filter((one) => one !== null);
  const block = meta.blockSteps ?? 0;
  if (settings === null || block === 0) return null;
  const tasks = toldTasks(meta).codes.length;
  const last = Math.round(settings.retrain * block);
  /** Of the block that ends at or before a step. */
  const ended = (step: number): number => (Math.floor(step / block) - 1) % tasks;
  return {
    /** Whether something is due between two steps. */
    due: (before: number, now: number): boolean => passed(block, before + last, now + last) || passed(block, before, now),
    async pass(before: number, now: number): Promise<void> {
      if (passed(block, before + last, now + last)) for (const one of masks) await one.prune(ended(now + last), settings.keep);
      if (passed(block, before, now)) for (const one of masks) await one.seal(ended(now));
    },
  };
}
