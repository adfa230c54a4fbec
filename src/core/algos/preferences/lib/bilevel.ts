/**
 * Reward and policy as one problem of two levels (PARL; Chakraborty et al. 2024). The answers' loss l depends on the reward's parameters nu also
 * through the policy theta that is best for them:
 *   dL / dnu = grad_nu E[l] + (dtheta / dnu)' v,   v = E[l grad_theta ln pi(tau)]
 * With a multiple of the identity in place of the inverse Hessian of the return, the second term is that multiple of
 *   grad_nu E[r_nu(tau) <grad_theta ln pi(tau), v>]
 * so that a reward falls where play would make answers more likely that it explains badly. Expectations are over the answered segments, also
 * those of older policies. The inner products come from ln pi of a copy of the policy before and after a short step along v.
 */
import { mean, mul, neg } from '#core/engine/ops.ts';
import { sgd } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { descend } from '#core/nets/target.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { boxOf } from '../../lib/box.ts';
import { CLIP_NORMALISED } from '../../lib/ppo/common.ts';
import type { Learner } from '../../lib/ppo/learned-reward.ts';
import type { Answers } from './answers.ts';

/** Length of the step, for losses of deviation 1: short against what a policy moves in an update, long against float32. */
const STEP = 1e-3;

/** Inner products of every answered segment, [2 * answers.count], of root mean square 1; all 0 where every answer's loss is the same. */
export type Products = (answers: Answers, losses: Float64Array) => Promise<Float32Array>;

/** `segment`: steps L of a segment. */
export function bilevelProducts(engine: Engine, meta: EnvMeta, { net: policy, moments, copy }: Learner, segment: number): Products {
  const net = copy('policy along v'); // programs that train one group share an optimiser, and the policy has PPO's
  const rows = 2 * segment; // of one answer
  const [O, D] = [meta.obsSize, net.discrete ? 1 : meta.actionSize];
  const { centre, half } = boxOf(meta);
  const inputs = { ...net.inputs(rows), action: net.actionShape(rows) };
  const look = engine.compile(inputs, (x, g) => ({ logProb: net.evaluate(x, x.action, g).logProb }), { name: 'ln p of segments' });
  const lean = engine.compile(
    { ...inputs, weight: [1] },
    (x, g) => ({ loss: neg(mul(mean(net.evaluate(x, x.action, g).logProb), x.weight)) }),
    { minimise: 'loss', group: net.group, with: sgd(), name: 'along the loss of the answers' },
  );

  function fill(into: { readonly obs: Float32Array; readonly action: Float32Array }, answers: Answers, i: number): void {
    into.obs.set(answers.obs.subarray(i * rows * O, (i + 1) * rows * O));
    moments?.normalise(into.obs, into.obs, CLIP_NORMALISED);
    for (let k = 0; k < rows * D; k++) {
      const unit = answers.action[i * rows * D + k]!;
      into.action[k] = net.discrete ? unit : centre[k % D]! + half[k % D]! * unit;
    }
  }

  /** Adds `sign` times the sum of ln pi over each segment. */
  async function addLogProbs(answers: Answers, sign: number, out: Float32Array): Promise<void> {
    for (let i = 0; i < answers.count; i++) {
      fill(look.in, answers, i);
      const pending = look.run();
      if (pending) await pending;
      for (let k = 0; k < rows; k++) {
        const at = 2 * i + Math.floor(k / segment);
        out[at] = out[at]! + sign * look.out.logProb[k]!;
      }
    }
  }

  return async (answers, losses) => {
    const { count } = answers;
    const out = new Float32Array(2 * count);
    const centred = Float64Array.from(losses.subarray(0, count));
    const middle = centred.reduce((a, b) => a + b, 0) / count;
    const deviation = Math.sqrt(centred.reduce((a, b) => a + (b - middle) ** 2, 0) / count);
    if (deviation === 0) return out;
    writeParams(engine, net.group, await readParams(engine, policy.group));
    await addLogProbs(answers, -1, out);
    for (let i = 0; i < count; i++) {
      fill(lean.in, answers, i);
      lean.in.weight[0] = (centred[i]! - middle) / deviation;
      const pending = descend(lean, STEP / count);
      if (pending) await pending;
    }
    await addLogProbs(answers, 1, out);
    const size = Math.sqrt(out.reduce((a, b) => a + b * b, 0) / out.length);
    return size === 0 ? out : out.map((product) => product / size);
  };
}
