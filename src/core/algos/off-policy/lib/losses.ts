/**
 * The equations of off-policy actor-critics as tensor expressions. Rows are [M]. `d` is the discount of
 * the next state, 0 where the episode truly ended; a time limit is no end.
 *   SAC    y = r + d [min(Q1', Q2')(s', a') - alpha ln pi(a' | s')]                  (Haarnoja et al. 2018)
 *          J(pi) = mean[alpha ln pi(a | s) - min(Q1, Q2)(s, a)],  a = tanh(mean + std noise)
 *          J(alpha) = -mean[ln alpha (ln pi + H)] (Stable-Baselines3) or -mean[alpha (ln pi + H)] (CleanRL): the same fixed point
 *   TD3    y = r + d min(Q1', Q2')(s', a'),  a' = clip(mu'(s') + clip(noise, -c, c), low, high)   (Fujimoto et al. 2018)
 *   DDPG   the same with one critic and no noise                                                     (Lillicrap et al. 2016)
 */
import { add, clip, exp, log, mean, minimum, mul, type Operand, square, sub, sum, tanh } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import { squashedGaussian } from '#core/nets/heads.ts';

/** r + discount * next: all [M]. */
export const bootstrapped = (reward: Tensor, discount: Tensor, next: Tensor): Tensor => add(reward, mul(discount, next));

/** What a state is worth to SAC: min(q1, q2) - alpha ln pi. */
export const softValue = (q1: Tensor, q2: Tensor, logProb: Tensor, alpha: Operand): Tensor => sub(minimum(q1, q2), mul(logProb, alpha));

/** The same where every action can be counted: sum_a pi (min(q1, q2) - alpha ln pi), all [M, N]; forbidden ones (ln pi near -1e8) add 0. */
export function discreteSoftValue(logProbs: Tensor, q1: Tensor, q2: Tensor, alpha: Operand): Tensor {
  return sum(mul(exp(logProbs), softValue(q1, q2, logProbs, alpha)), -1);
}

/** Mean squared error of each critic, added up. */
export const criticLoss = (critics: readonly Tensor[], target: Tensor): Tensor =>
  critics.map((q) => mean(square(sub(q, target)))).reduce((a, b) => add(a, b));

/** `log`: the slope is that of ln alpha times the gap, as Stable-Baselines3; `exp`: of alpha times the gap, as CleanRL. */
export function temperatureLoss(logAlpha: Tensor, logProb: Tensor, targetEntropy: Operand, form: 'log' | 'exp'): Tensor {
  const gap = add(mean(logProb), targetEntropy);
  return mul(mul(form === 'log' ? logAlpha : exp(logAlpha), gap), -1);
}

/** Log-deviations from a raw output: cut to [-20, 2] (Stable-Baselines3) or bent into [-5, 2] by a tanh (CleanRL). */
export const boundedLogStd = (raw: Tensor, form: 'clamp' | 'tanh'): Tensor =>
  form === 'clamp' ? clip(raw, -20, 2) : add(mul(add(tanh(raw), 1), 3.5), -5);

/**
 * A squashed Gaussian's draw in (-1, 1)^D, and ln pi of the action half * draw + centre that the environment gets: stretching
 * by `half` takes ln(half) from the log-density of every dimension.
 */
export function scaledSquashedGaussian(
  meanOf: Tensor,
  logStd: Tensor,
  noise: Tensor,
  half: Tensor,
): { readonly action: Tensor; readonly logProb: Tensor } {
  const { action, logProb } = squashedGaussian(meanOf, logStd, noise);
  return { action, logProb: sub(logProb, sum(log(half))) };
}

/** TD3's target action in [-1, 1]^D: noise [M, D] is N(0, 1), `spread` its deviation, cut at +-`limit`. */
export const smoothedAction = (action: Tensor, noise: Tensor, spread: Operand, limit: number): Tensor =>
  clip(add(action, clip(mul(noise, spread), -limit, limit)), -1, 1);
