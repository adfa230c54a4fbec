/**
 * What PPO does against forgetting while it learns: settings in algos/lib/continual. Differs from DQN in what it has:
 *   EWC        the log-likelihood of a sample is ln pi(a|s) of an own action, and that of a normal distribution of deviation 1 around V(s) at
 *              V(s) + 1 or - 1; samples are of the newest rollouts, so a task is kept at the last update before its border
 *   rehearsal  CLEAR (Rolnick et al. 2019) with V-trace over one step: of kept transitions (s, a, r, s') and the policy mu that acted,
 *              rho = min(1, pi(a|s) / mu(a|s)),  delta = rho (r + gamma V(s') - V(s))
 *              loss += n/m [-mean delta ln pi(a|s) + valueCoef mean (V(s) - sg[V(s) + delta])^2 / 2 + cloning mean KL(mu || pi) +
 *              valueCloning mean (V(s) - V_then(s))^2],  n kept rows beside m of a minibatch
 *   jumps      of the value loss of minibatches
 */
import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import { add, exp, mean, minimum, mul, neg, reshape, sliceAxis, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import type { Engine, Graph, Shape, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode } from '#core/nets/encoder.ts';
import { categoricalKl, categoricalLogProb, gaussianKl, gaussianLogProb } from '#core/nets/heads.ts';
import { type ActorCritic, column } from '#core/nets/mlp.ts';
import { type Part, savedArray, savedNumber } from '#core/state/checkpoint.ts';
import type { Rng } from '#math/rng.ts';
import { keepWeights } from '../../lib/continual/ewc.ts';
import { headOf, ofTask, toldTasks } from '../../lib/continual/heads.ts';
import { BLOCK, taskEnds } from '../../lib/continual/loss-jump.ts';
import { PackedMasks, packing } from '../../lib/continual/packed-masks.ts';
import { oneTransition, type RehearsalBatch, Reservoir } from '../../lib/continual/rehearsal.ts';
import { resetting, stackedLayers } from '../../lib/continual/resets.ts';
import { headsOf, jumpOf, type PolicyForgetting, packedOf, penaltyOf, rehearsedOf, resetsOf } from '../../lib/continual/settings.ts';
import type { PolicyNetwork, TaskParts } from '../../lib/network-policy.ts';

/** The newest steps: what is learned of a task where it ends is drawn from them. */
class RecentRows implements Part {
  readonly capacity: number;
  private readonly width: number;
  private readonly rows: Float32Array; // [capacity, width], a ring
  private total = 0;

  /** `widths`: numbers of each column of a row. */
  constructor(capacity: number, widths: readonly number[]) {
    this.capacity = capacity;
    this.width = widths.reduce((a, b) => a + b, 0);
    this.rows = new Float32Array(capacity * this.width);
  }

  /** Rows that are there. */
  get size(): number {
    return Math.min(this.total, this.capacity);
  }

  /** Adds rows [count] of columns [count, width]. */
  add(count: number, columns: readonly Float32Array[]): void {
    for (let k = 0; k < count; k++) {
      let at = (this.total % this.capacity) * this.width;
      for (const column of columns) {
        const width = column.length / count;
        this.rows.set(column.subarray(k * width, (k + 1) * width), at);
        at += width;
      }
      this.total++;
    }
  }

  /** The row that is `age` rows older than the newest one, into one column after the other. */
  read(age: number, columns: readonly Float32Array[]): void {
    let at = ((this.total - 1 - age) % this.capacity) * this.width;
    for (const column of columns) {
      column.set(this.rows.subarray(at, at + column.length));
      at += column.length;
    }
  }

  save(): Saved {
    return { meta: { total: this.total }, arrays: { rows: this.rows.slice(0, this.size * this.width) } };
  }

  /** Throws LabError('file-invalid') for what another size has saved. */
  load(saved: Saved): void {
    const total = savedNumber(saved, 'total');
    const rows = savedArray(saved, 'rows', Float32Array);
    if (rows.length !== Math.min(total, this.capacity) * this.width)
      throw fail('file-invalid', 'These newest steps do not fit: they have another size.', 'Resume with the config it was saved with.');
    this.total = total;
    this.rows.set(rows);
  }
}

interface Settings {
  readonly forgetting: PolicyForgetting;
  readonly gamma: number;
  readonly valueCoef: number;
  readonly epochs: number;
  readonly minibatches: number;
  readonly activation: 'tanh' | 'relu' | 'elu' | 'gelu' | 'sigmoid' | 'softplus' | 'none';
}

/** Heads or packed masks of policy and value; null: no part of the network belongs to a task. */
export function taskParts(engine: Engine, meta: EnvMeta, forgetting: PolicyForgetting): TaskParts | null {
  if (headsOf(forgetting)) {
    const told = toldTasks(meta);
    const of = (all: Tensor, seen: Tensor): Tensor => headOf(all, seen, told);
    const ofTasks =
      (net: ActorCritic): ActorCritic =>
      (seen) => {
        const { policy, value } = net(seen);
        return { policy: of(policy, seen), value: column(of(value, seen)) };
      };
    return { heads: told.codes.length, over: (_, net) => ({ packed: null, ofTasks: ofTasks(net) }) };
  }
  if (packedOf(forgetting) === null) return null;
  const told = toldTasks(meta);
  return {
    heads: 1,
    over(group, net) {
      const packed = new PackedMasks(engine, group, told.codes.length);
      const ofTasks: ActorCritic = (seen) => {
        const each = told.codes.map((_, k) => packed.inTask(seen.graph, k, () => net(seen)));
        const policies = each.map(({ policy }) => policy);
        const values = each.map(({ value }) => value);
        return { policy: ofTask(seen, told, policies), value: ofTask(seen, told, values) };
      };
      return { packed, ofTasks };
    },
  };
}

/** Numbers of a policy head: logits, or means and log deviations. */
const headSize = (meta: EnvMeta): number => (meta.actionCount > 0 ? meta.actionCount : 2 * meta.actionSize);

const shapesOf = (rows: number, meta: EnvMeta, net: PolicyNetwork) =>
  ({
    againObs: [rows, meta.obsSize],
    againNextObs: [rows, meta.obsSize],
    againAction: net.actionShape(rows),
    againReward: [rows],
    againDiscount: [rows],
    againMask: meta.masked ? [rows, meta.actionCount] : null,
    againKept: [rows, headSize(meta) + 1],
  }) as const satisfies { readonly [name: string]: Shape | null };
type Again = { readonly [K in keyof ReturnType<typeof shapesOf>]?: Tensor | undefined };

/** What a rollout step gives a reservoir, rows of one step. */
interface Step {
  readonly obs: Float32Array;
  readonly action: Float32Array;
  readonly mask: Float32Array | undefined;
  /** Outputs of the acting program. */
  readonly out: { readonly [name: string]: Float32Array };
  readonly reward: Float32Array;
  readonly terminated: Uint8Array;
  /** Writes the observation that follows that of a row as the network sees it. */
  next(row: number, into: Float32Array): void;
}

/** Made before programs are compiled. `size`: rows of a minibatch; `rollout`: rows and environment steps of a rollout. null: nothing is done. */
export function policyRemedies(
  engine: Engine,
  net: PolicyNetwork,
  meta: EnvMeta,
  c: Settings,
  { size, rollout, rng }: { readonly size: number; readonly rollout: number; readonly rng: Rng },
) {
  const { forgetting } = c;
  if (forgetting.kind === 'none') return null;
  const [penalty, rehearsed, tau] = [penaltyOf(forgetting), rehearsedOf(forgetting), resetsOf(forgetting)];
  const { obsSize: O, actionSize: D, actionCount: N } = meta;
  const H = headSize(meta);
  const kept = penalty === null ? null : keepWeights(engine, net.group, penalty);
  const fisher = kept === null ? null : rng.split('fisher');
  const replaying = rehearsed === null ? null : rng.split('rehearsal');
  const rows = rehearsed === null ? 0 : Math.max(1, Math.round((size * rehearsed.share) / (1 - rehearsed.share)));
  const shape = { obsSize: O, actionCount: meta.masked ? N : 0, actionSize: D, keptSize: H + 1 };
  const memory = rehearsed === null ? null : new Reservoir({ ...shape, capacity: rehearsed.capacity });
  const ends = taskEnds(meta, forgetting);
  const packs = packing(meta, forgetting, [net.packed ?? null]);
  const late = jumpOf(forgetting) > 0 ? Math.ceil(BLOCK / (c.epochs * c.minibatches)) : 0; // rollouts since a jump
  const recent = kept === null && tau === 0 ? null : new RecentRows((late + 1) * rollout, [O, D, meta.masked ? N : 0]);

  /** The loss of kept transitions, beside that of the rollout. */
  function again(x: Again, g: Graph): Tensor | null {
    const { againObs: obs, againNextObs, againAction: action, againReward, againDiscount, againKept, againMask: mask } = x;
    if (rehearsed === null || !obs || !againNextObs || !action || !againReward || !againDiscount || !againKept) return null;
    const seen = { obs, mask };
    const { logProb, value } = net.evaluate(seen, action, g);
    const then = sliceAxis(againKept, 1, 0, H);
    const valueThen = reshape(sliceAxis(againKept, 1, H, 1), [rows]);
    const outputs = net.outputs(seen, g);
    const means = (from: number): Tensor => sliceAxis(then, 1, from, D);
    const [logMu, divergence] =
      'logits' in outputs
        ? [categoricalLogProb(then, action), categoricalKl(then, outputs.logits)]
        : [gaussianLogProb(means(0), means(D), action), gaussianKl(means(0), means(D), outputs.mean, outputs.logStd)];
    const rho = minimum(exp(sub(logProb, logMu)), 1);
    const next = net.apply({ obs: againNextObs, mask: undefined }, g).value;
    const delta = stopGradient(mul(rho, sub(add(againReward, mul(againDiscount, next)), value)));
    const policy = neg(mean(mul(delta, logProb)));
    const valueLoss = mul(mean(square(sub(value, stopGradient(add(value, delta))))), c.valueCoef / 2);
    const clones = add(mul(mean(divergence), rehearsed.cloning), mul(mean(square(sub(value, valueThen))), rehearsed.valueCloning));
    return mul(add(add(policy, valueLoss), clones), rows / size);
  }

  const one = oneTransition(shape);
  return {
    /** Inputs of the learning program. */
    inputs: (): { readonly [K in keyof ReturnType<typeof shapesOf>]?: Shape | null } =>
      rehearsed === null ? {} : shapesOf(rows, meta, net),
    /** What joins the loss; null: nothing. */
    penalty(x: Again, g: Graph): Tensor | null {
      return kept === null ? again(x, g) : add(kept.penalty(g), again(x, g) ?? 0);
    },
    state: {
      parts: { kept: memory, recent },
      arrays: { fisher, rehearsing: replaying, jumps: ends.jumps },
    },
    /** After each step of a rollout. */
    offer(step: Step): void {
      recent?.add(step.reward.length, [step.obs, step.action, ...(step.mask === undefined ? [] : [step.mask])]);
      if (memory === null || replaying === null) return;
      const count = step.reward.length;
      const { logits, mean: centre, logStd, value } = step.out;
      const heads = logits === undefined ? [centre, logStd] : [logits];
      for (let row = 0; row < count; row++) {
        const slot = memory.place(replaying);
        if (slot < 0) continue;
        one.obs.set(step.obs.subarray(row * O, (row + 1) * O));
        one.action.set(step.action.subarray(row * D, (row + 1) * D));
        if (step.mask !== undefined) one.mask.set(step.mask.subarray(row * N, (row + 1) * N));
        one.reward[0] = step.reward[row]!;
        one.discount[0] = step.terminated[row] === 1 ? 0 : c.gamma;
        step.next(row, one.nextObs);
        let at = 0;
        for (const head of [...heads, value]) {
          if (head === undefined) continue;
          const width = head.length / count;
          one.kept.set(head.subarray(row * width, (row + 1) * width), at);
          at += width;
        }
        memory.keep(slot, one, 0);
      }
    },
    /** Kept rows for the next minibatch. */
    fill(batch: { readonly [name: string]: Float32Array | undefined }): void {
      if (memory === null || replaying === null) return;
      const { againObs, againNextObs, againAction, againReward, againDiscount, againKept, againMask } = batch;
      if (!againObs || !againNextObs || !againAction || !againReward || !againDiscount) return;
      const into: RehearsalBatch = {
        obs: againObs,
        nextObs: againNextObs,
        action: againAction,
        reward: againReward,
        discount: againDiscount,
        kept: againKept,
        mask: againMask,
      };
      for (let k = 0; k < rows; k++) memory.read(replaying.int(memory.size), into, k);
    },
    /** After each minibatch, where a task ends by the loss. */
    look: ends.jumps === null ? null : (valueLoss: number): void => ends.look(valueLoss),

    /** What is done where a task ends, compiled behind the programs of the loop. */
    ending() {
      const programs =
        kept?.programs({ ...net.inputs(1), action: net.actionShape(1), side: [1] }, (x) => {
          const { logProb, value } = net.evaluate(x, x.action, x.obs.graph);
          return add(sum(logProb), sum(mul(value, x.side)));
        }) ?? null;
      const { activation: act } = c;
      const inputs = (g: Graph, obs: Tensor): Tensor => encode(g, obs, meta.agents[0]!.obs);
      const stacks = ['actor', 'critic'].map((name) => ({ layers: stackedLayers(net.group, name), act, inputs }));
      const resets = tau > 0 ? resetting(engine, stacks, O, tau, rng.split('resets')) : null;
      const [obs, action, mask] = [new Float32Array(O), new Float32Array(D), new Float32Array(meta.masked ? N : 0)];
      /** One of the newest steps of the task that ended. */
      const read = (draws: Rng): void => {
        if (recent === null) return;
        const skipped = Math.min(late * rollout, recent.size - 1);
        recent.read(skipped + draws.int(recent.size - skipped), [obs, action, mask]);
      };
      return {
        resetting: resets?.rng ?? null,
        /** After the updates of a rollout; the next one ends at `next`. A border within it counts as reached. */
        async pass(now: number, next: number): Promise<void> {
          await packs?.pass(now - 1, next - 1);
          if (!ends.due(now - 1, next - 1)) return;
          if (programs !== null && fisher !== null) {
            for (let i = 0; i < (penalty?.samples ?? 0); i++) {
              read(fisher);
              programs.sample.in.obs.set(obs);
              programs.sample.in.action.set(action);
              programs.sample.in.mask?.set(mask);
              programs.sample.in.side[0] = fisher.int(2) === 0 ? 1 : -1;
              const pending = programs.sample.run({ read: false });
              if (pending) await pending;
            }
            const pending = programs.consolidate();
            if (pending) await pending;
          }
          await resets?.revive((draws, into) => {
            read(draws);
            into.set(obs);
          });
        },
      };
    },
  };
}
export type PolicyRemedies = NonNullable<ReturnType<typeof policyRemedies>>;
