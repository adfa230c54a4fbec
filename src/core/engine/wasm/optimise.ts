/**
 * The end of a learning program: global norm, clipping and the optimiser's step over a whole group, one kernel each. Scalars
 * (learning rate, bias corrections) are computed in float64 here and rounded once on their way into the kernel.
 */
import { clipFactor, wholePower } from '../optimisers.ts';
import type { Optimiser } from '../types.ts';
import type { Machine } from './memory.ts';
import type { WasmGroup } from './params.ts';
import type { Command } from './step.ts';

/** lr and gradNorm are addresses of one float each. */
export function optimiserCommand(
  { memory, kernels }: Machine,
  group: WasmGroup,
  optimiser: Optimiser,
  maxNorm: number | undefined,
  lr: number,
  gradNorm: number,
): Command {
  const state = group.optimiserState(optimiser);
  const g = group.gradients();
  const n = group.floats;
  const step = stepOf({ memory, kernels }, group, optimiser);
  return () => {
    const norm = Math.sqrt(kernels.sumSquares(g, n));
    memory.f32[gradNorm >> 2] = norm;
    state.t++;
    step(maxNorm === undefined ? 1 : clipFactor(norm, maxNorm), memory.f32[lr >> 2]!);
  };
}

function stepOf({ kernels }: Machine, group: WasmGroup, o: Optimiser): (scale: number, lr: number) => void {
  const state = group.optimiserState(o);
  const p = group.values;
  const g = group.gradients();
  const n = group.floats;
  const mean = state.slots.get('mean') ?? 0;
  const square = state.slots.get('square') ?? 0;
  const momentum = state.slots.get('momentum') ?? 0;
  switch (o.kind) {
    case 'sgd':
      return (scale, lr) => kernels.sgd(p, g, momentum, n, scale, lr, o.momentum, Number(o.nesterov), o.weightDecay);
    case 'adam': {
      const { beta1, beta2, eps } = o;
      const l2 = o.decoupled ? 0 : o.weightDecay;
      const decay = o.decoupled ? o.weightDecay : 0;
      return (scale, lr) => {
        const rate = lr / (1 - wholePower(beta1, state.t));
        const root = 1 / Math.sqrt(1 - wholePower(beta2, state.t));
        kernels.adam(p, g, mean, square, n, scale, rate, root, beta1, 1 - beta1, beta2, 1 - beta2, eps, l2, 1 - lr * decay, 1);
      };
    }
    case 'radam': {
      const { beta1, beta2, eps } = o;
      const limit = 2 / (1 - beta2) - 1;
      // the scalars of momentScalars (optimisers.ts), without an object per step
      return (scale, lr) => {
        const power2 = wholePower(beta2, state.t);
        const rho = limit - (2 * state.t * power2) / (1 - power2);
        const base = lr / (1 - wholePower(beta1, state.t));
        const rectify = Math.sqrt(((rho - 4) * (rho - 2) * limit) / ((limit - 4) * (limit - 2) * rho));
        const adaptive = rho > 5;
        const rate = adaptive ? base * rectify * Math.sqrt(1 - power2) : base;
        kernels.adam(p, g, mean, square, n, scale, rate, 1, beta1, 1 - beta1, beta2, 1 - beta2, eps, 0, 1, Number(adaptive));
      };
    }
    case 'rmsprop': {
      const rest = 1 - o.decay;
      const inside = Number(o.epsInsideRoot);
      return (scale, lr) => kernels.rmsprop(p, g, momentum, square, mean, n, scale, lr, o.decay, rest, o.eps, inside, o.momentum);
    }
  }
}
