/** Coefficients that follow what they control, and the choice of prompts. */

/** coef + step x sign(target - entropy), within 0 and `most`. */
export function entropyController(coef: number, entropy: number, c: { target: number; step: number; most: number }): number {
  return Math.min(c.most, Math.max(0, coef + c.step * Math.sign(c.target - entropy)));
}

/** coef (1 + clip(kl / target - 1, -0.2, 0.2) x samples / horizon) (Ziegler et al. 2019). */
export function klController(coef: number, kl: number, c: { target: number; horizon: number; samples: number }): number {
  return coef * (1 + (Math.min(0.2, Math.max(-0.2, kl / c.target - 1)) * c.samples) / c.horizon);
}

/** p (1 - p): prompts that are half solved teach most. */
export const promptWeight = (success: number): number => success * (1 - success);

/** Chance that all `size` members of a group earn the same, p^G + (1 - p)^G. */
export const uniformChance = (success: number, size: number): number => whole(success, size) + whole(1 - success, size);

function whole(x: number, n: number): number {
  let out = 1;
  for (let i = 0; i < n; i++) out *= x;
  return out;
}

/** (1 - tau) reference + tau policy; tau 1 resets it (TR-DPO, Gorbatovski et al. 2024). */
export const movedReference = (reference: number, policy: number, tau: number): number => (1 - tau) * reference + tau * policy;
