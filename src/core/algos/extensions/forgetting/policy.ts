/**
 * What PPO does against forgetting:
 *   EWC        the log-likelihood of a sample is ln pi(a|s) of an own action, and that of a normal distribution of deviation 1 around V(s) at
 *              V(s) + 1 or - 1; samples are of the newest rollouts, so a task is kept at the last update before its border
 *   rehearsal  CLEAR (Rolnick et al. 2019) with V-trace over one step: of kept transitions (s, a, r, s') and the policy mu that acted,
 *              rho = min(1, pi(a|s) / mu(a|s)),  delta = rho (r + gamma V(s') - V(s))
 *              loss += n/m [-mean delta ln pi(a|s) + valueCoef mean (V(s) - sg[V(s) + delta])^2 / 2 + cloning mean KL(mu || pi) +
 *              valueCloning mean (V(s) - V_then(s))^2],  n kept rows beside m of a minibatch
 *   jumps      of the value loss of minibatches
 */
import { fail, present } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { add, exp, mean, minimum, mul, neg, reshape, sliceAxis, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import type { Graph, Shape, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode } from '#core/nets/encoder.ts';
import { categoricalKl, categoricalLogProb, gaussianKl, gaussianLogProb } from '#core/nets/heads.ts';
import { type Part, savedArray, savedNumber } from '#core/state/checkpoint.ts';
import type { RecordedStep, RolloutHost } from '../../api/extension.ts';
import { BLOCK } from './loss-jump.ts';
import { batchOf, oneTransition, Reservoir } from './rehearsal.ts';
import { stackedLayers } from './resets.ts';
import { jumpOf, type PolicyForgetting, penaltyOf, rehearsedOf, resetsOf } from './settings.ts';
import { NOTHING_REHEARSED, type Rehearsed, type Side } from './side.ts';

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

/** Numbers of a policy head: logits, or means and log deviations. */
const headSize = (meta: EnvMeta): number => (meta.actionCount > 0 ? meta.actionCount : 2 * meta.actionSize);

export function policySide(host: RolloutHost, forgetting: PolicyForgetting): Side {
  const { meta, net, learned, rows, steps, config: c } = host;
  const { obsSize: O, actionSize: D, actionCount: N } = meta;
  const [group] = learned.map((one) => one.group);
  const late = jumpOf(forgetting) > 0 ? Math.ceil(BLOCK / (c.epochs * c.minibatches)) : 0; // rollouts since a jump
  const rollout = rows * steps;
  const widths = [O, D, meta.masked ? N : 0];
  const waits = penaltyOf(forgetting) !== null || resetsOf(forgetting) > 0;
  const recent = waits ? new RecentRows((late + 1) * rollout, widths) : null;
  const one = oneTransition({ obsSize: O, actionCount: meta.masked ? N : 0, actionSize: D });
  const again = rehearsal(host, forgetting);
  return {
    samples: () => [
      {
        inputs: { ...net.inputs(1), action: net.actionShape(1), side: [1] },
        likelihood({ obs, mask, action, side }) {
          const { logProb, value } = net.evaluate({ obs, mask }, present(action, 'the action of a sample'), obs.graph);
          return add(sum(logProb), sum(mul(value, present(side, 'the side of a sample'))));
        },
        feed(inputs, { obs, action, mask }, draws) {
          inputs.obs?.set(obs);
          inputs.action?.set(action);
          inputs.mask?.set(mask);
          if (inputs.side !== undefined) inputs.side[0] = draws.int(2) === 0 ? 1 : -1;
        },
      },
    ],
    stacks: ['actor', 'critic'].map((name) => ({
      layers: group === undefined ? [] : stackedLayers(group, name),
      act: c.activation,
      init: 'orthogonal' as const,
      inputs: (g: Graph, obs: Tensor): Tensor => encode(g, obs, meta.agents[0]!.obs),
    })),
    width: O,
    write: ({ obs }, into) => into.set(obs),
    lossOf: (_network, { valueLoss }) => valueLoss?.[0] ?? null,
    // a border within the rollout that comes next counts as reached: its samples are of the newest one
    due: ({ now, next }) => [now - 1, next - 1],
    ended: () => ({
      one,
      /** One of the newest steps of the task that ended. */
      read(draws) {
        if (recent === null) return;
        const skipped = Math.min(late * rollout, recent.size - 1);
        recent.read(skipped + draws.int(recent.size - skipped), [one.obs, one.action, one.mask]);
      },
    }),
    rehearsal: {
      ...again,
      places() {
        const { recorded, ...more } = again.places();
        return {
          ...more,
          recorded(step) {
            recent?.add(step.reward.length, [step.obs, step.action, ...(step.mask === undefined ? [] : [step.mask])]);
            recorded?.(step);
          },
        };
      },
      state: { parts: { ...again.state.parts, recent }, arrays: { ...again.state.arrays } },
    },
    alwaysLooks: true,
  };
}

/** Kept transitions, learned from beside the rows of each minibatch. */
function rehearsal(host: RolloutHost, forgetting: PolicyForgetting): Rehearsed {
  const rehearsed = rehearsedOf(forgetting);
  if (rehearsed === null) return NOTHING_REHEARSED;
  const { meta, net, size, rng, config: c } = host;
  const { obsSize: O, actionSize: D, actionCount: N } = meta;
  const H = headSize(meta);
  const replaying = rng.split('rehearsal');
  const rows = Math.max(1, Math.round((size * rehearsed.share) / (1 - rehearsed.share)));
  const shape = { obsSize: O, actionCount: meta.masked ? N : 0, actionSize: D, keptSize: H + 1 };
  const memory = new Reservoir({ ...shape, capacity: rehearsed.capacity });
  const one = oneTransition(shape);

  function keep(step: RecordedStep): void {
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
  }

  return {
    inputs: (): { readonly [name: string]: Shape | null } => ({
      againObs: [rows, O],
      againNextObs: [rows, O],
      againAction: net.actionShape(rows),
      againReward: [rows],
      againDiscount: [rows],
      againMask: meta.masked ? [rows, N] : null,
      againKept: [rows, H + 1],
    }),
    penalty(_network, x, g, _now, held) {
      const { againObs: obs, againNextObs, againAction: action, againReward, againDiscount, againKept, againMask: mask } = x;
      if (!obs || !againNextObs || !action || !againReward || !againDiscount || !againKept) return held;
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
      const loss = mul(add(add(policy, valueLoss), clones), rows / size);
      return held === null ? loss : add(held, loss);
    },
    places: () => ({
      recorded: keep,
      sampled(_network, batch) {
        const into = batchOf({
          obs: batch.againObs,
          nextObs: batch.againNextObs,
          action: batch.againAction,
          reward: batch.againReward,
          discount: batch.againDiscount,
          kept: batch.againKept,
          mask: batch.againMask,
        });
        for (let k = 0; k < rows; k++) memory.read(replaying.int(memory.size), into, k);
      },
    }),
    state: { parts: { kept: memory }, arrays: { rehearsing: replaying } },
  };
}
