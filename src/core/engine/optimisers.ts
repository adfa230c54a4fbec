/**
 * Optimisers as data (an executor builds them into its programs), the scalars that change from step to step, and a plain
 * float64 step that executors are tested against. Forms follow PyTorch:
 *   sgd      b <- momentum b + g;  w <- w - lr (nesterov ? g + momentum b : b)
 *   adam     w <- w - lr m^ / (sqrt(v^) + eps), m^ = m / (1 - beta1^t), v^ = v / (1 - beta2^t)   (Kingma & Ba 2015)
 *   adamW    the same after w <- (1 - lr decay) w   (Loshchilov & Hutter 2019); adam's own decay is added to g
 *   radam    rectified once rho_t > 5, before that w <- w - lr m^; eps joins sqrt(v) before the correction   (Liu et al. 2020)
 *   rmsprop  w <- w - lr b, b <- momentum b + g / (sqrt(v) + eps); epsInsideRoot: g / sqrt(v + eps), as TensorFlow;
 *            centered subtracts the square of the running mean of g from v   (Graves 2013)
 */
import type { CompileOptions, Optimiser, Param } from './types.ts';

type Of<K extends Optimiser['kind']> = Partial<Omit<Extract<Optimiser, { kind: K }>, 'kind'>>;

export const sgd = (o: Of<'sgd'> = {}): Optimiser => ({ kind: 'sgd', momentum: 0, nesterov: false, weightDecay: 0, ...o });
export const adam = (o: Omit<Of<'adam'>, 'decoupled'> = {}): Optimiser => ({
  kind: 'adam',
  beta1: 0.9,
  beta2: 0.999,
  eps: 1e-8,
  weightDecay: 0,
  decoupled: false,
  ...o,
});
export const adamW = (o: Omit<Of<'adam'>, 'decoupled'> = {}): Optimiser =>
  ({ ...adam({ weightDecay: 0.01, ...o }), decoupled: true }) as Optimiser;
export const radam = (o: Of<'radam'> = {}): Optimiser => ({ kind: 'radam', beta1: 0.9, beta2: 0.999, eps: 1e-8, ...o });
export const rmsprop = (o: Of<'rmsprop'> = {}): Optimiser => ({
  kind: 'rmsprop',
  decay: 0.99,
  eps: 1e-8,
  centered: false,
  momentum: 0,
  epsInsideRoot: false,
  initialAccumulator: 0,
  ...o,
});

/** What is kept per parameter between steps. */
export type Slot = 'momentum' | 'mean' | 'square';
export function slotsOf(o: Optimiser): readonly Slot[] {
  switch (o.kind) {
    case 'sgd':
      return o.momentum > 0 ? ['momentum'] : [];
    case 'adam':
    case 'radam':
      return ['mean', 'square'];
    case 'rmsprop':
      return ['square', ...(o.centered ? (['mean'] as const) : []), ...(o.momentum > 0 ? (['momentum'] as const) : [])];
  }
}
/** What a slot holds before the first step. */
export const initialSlot = (o: Optimiser, slot: Slot): number => (o.kind === 'rmsprop' && slot === 'square' ? o.initialAccumulator : 0);

/** base^n for a whole n >= 0 by repeated squaring: the same bits everywhere, unlike Math.pow. */
export function wholePower(base: number, n: number): number {
  let out = 1;
  for (let square = base, left = n; left > 0; left = Math.floor(left / 2), square *= square) if (left % 2 === 1) out *= square;
  return out;
}

/**
 * Adam and RAdam at step t = 1, 2, ...: w <- w - rate * m / (sqrt(v) * rootScale + eps), or w <- w - rate * m while
 * `adaptive` is false.
 */
export interface MomentScalars {
  readonly rate: number;
  readonly rootScale: number;
  readonly adaptive: boolean;
}
export function momentScalars(o: Extract<Optimiser, { kind: 'adam' | 'radam' }>, t: number, lr: number): MomentScalars {
  const bias1 = 1 - wholePower(o.beta1, t);
  const decay2 = wholePower(o.beta2, t);
  const root2 = Math.sqrt(1 - decay2);
  if (o.kind === 'adam') return { rate: lr / bias1, rootScale: 1 / root2, adaptive: true };
  const limit = 2 / (1 - o.beta2) - 1;
  const rho = limit - (2 * t * decay2) / (1 - decay2);
  if (rho <= 5) return { rate: lr / bias1, rootScale: 1, adaptive: false };
  const rectify = Math.sqrt(((rho - 4) * (rho - 2) * limit) / ((limit - 4) * (limit - 2) * rho));
  return { rate: (lr * rectify * root2) / bias1, rootScale: 1, adaptive: true };
}

/** What gradients are multiplied by so that their norm is at most maxNorm (PyTorch: 1e-6 beside the norm). */
export const clipFactor = (norm: number, maxNorm: number): number => Math.min(1, maxNorm / (norm + 1e-6));

/** Neighbours that are clipped by one norm: all of them, or those with the same answer of `apart`. */
export function clippedTogether<P extends Param>(params: readonly P[], apart: CompileOptions['clipApart']): readonly (readonly P[])[] {
  return neighbours(params, apart);
}

/** Runs of neighbours with the same answer of `apart`; without it all of them. */
export function neighbours<P extends Param>(
  params: readonly P[],
  apart: ((param: Param) => string | boolean) | undefined,
): readonly (readonly P[])[] {
  if (apart === undefined) return [params];
  const runs: P[][] = [];
  params.forEach((param, i) => {
    const before = params[i - 1];
    if (before === undefined || apart(before) !== apart(param)) runs.push([]);
    runs.at(-1)?.push(param);
  });
  return runs;
}

export interface ReferenceState {
  /** Steps taken. */
  t: number;
  readonly slots: { readonly [S in Slot]?: Float64Array };
}
export function referenceState(o: Optimiser, n: number): ReferenceState {
  return { t: 0, slots: Object.fromEntries(slotsOf(o).map((s) => [s, new Float64Array(n).fill(initialSlot(o, s))])) };
}

/** One step on w in place, in float64, element by element; g is already clipped. */
export function referenceStep(o: Optimiser, w: Float64Array, grad: ArrayLike<number>, lr: number, state: ReferenceState): void {
  state.t++;
  const { mean, square, momentum } = state.slots;
  const moment = o.kind === 'adam' || o.kind === 'radam' ? momentScalars(o, state.t, lr) : undefined;
  for (let i = 0; i < w.length; i++) {
    let g = grad[i]!;
    switch (o.kind) {
      case 'sgd': {
        g += o.weightDecay * w[i]!;
        if (momentum !== undefined) {
          momentum[i] = o.momentum * momentum[i]! + g;
          g = o.nesterov ? g + o.momentum * momentum[i]! : momentum[i]!;
        }
        w[i] = w[i]! - lr * g;
        break;
      }
      case 'adam':
      case 'radam': {
        if (o.kind === 'adam') {
          if (o.decoupled) w[i] = w[i]! * (1 - lr * o.weightDecay);
          else g += o.weightDecay * w[i]!;
        }
        if (mean === undefined || square === undefined || moment === undefined) throw new Error(`${o.kind} keeps a mean and a square`);
        const m = (mean[i] = o.beta1 * mean[i]! + (1 - o.beta1) * g);
        const v = (square[i] = o.beta2 * square[i]! + (1 - o.beta2) * g * g);
        const under = moment.adaptive ? Math.sqrt(v) * moment.rootScale + o.eps : 1;
        w[i] = w[i]! - (moment.rate * m) / under;
        break;
      }
      case 'rmsprop': {
        if (square === undefined) throw new Error('rmsprop keeps a square');
        let v = (square[i] = o.decay * square[i]! + (1 - o.decay) * g * g);
        if (mean !== undefined) {
          const m = (mean[i] = o.decay * mean[i]! + (1 - o.decay) * g);
          v -= m * m;
        }
        g /= o.epsInsideRoot ? Math.sqrt(v + o.eps) : Math.sqrt(v) + o.eps;
        if (momentum !== undefined) g = momentum[i] = o.momentum * momentum[i]! + g;
        w[i] = w[i]! - lr * g;
        break;
      }
    }
  }
}
