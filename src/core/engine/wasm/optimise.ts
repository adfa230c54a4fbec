/**
 * The end of a learning program: global norm, clipping and the optimiser's step over a whole group, one kernel each; or one for each
 * part of the group that is clipped by itself. Scalars (learning rate, bias corrections) are computed in float64 here, rounded once on their way into memory, and read there by the kernel.
 */
import { clipFactor, clippedTogether, neighbours, type Slot, wholePower } from '../optimisers.ts';
import type { CompileOptions, Optimiser } from '../types.ts';
import type { Machine } from './memory.ts';
import type { WasmGroup } from './params.ts';
import type { Command } from './step.ts';

/** Floats that a step's scalars take. */
export const SCALARS = 10;

/** Addresses of one float each, and of SCALARS floats. */
export interface StepMemory {
  readonly lr: number;
  readonly gradNorm: number;
  readonly scalars: number;
}

export function optimiserCommand(
  machine: Machine,
  group: WasmGroup,
  o: Optimiser,
  { maxGradNorm, clipApart, decays }: Pick<CompileOptions, 'maxGradNorm' | 'clipApart' | 'decays'>,
  at: StepMemory,
): Command {
  const { memory, kernels } = machine;
  const state = group.optimiserState(o);
  const g = group.gradients();
  const n = group.floats;
  const lr = at.lr >> 2;
  const gradNorm = at.gradNorm >> 2;
  const s = at.scalars >> 2;
  const scalars = scalarsOf(o);
  const runs = clippedTogether(group.params, maxGradNorm === undefined ? undefined : clipApart);
  const parts = partsOf(runs, n);
  const steps = runs.map((run, i) => {
    const apart = neighbours(run, decays);
    const end = parts[i]!.from + parts[i]!.floats;
    return partsOf(apart, end).map((part, k) => ({
      run: stepOf(machine, group, o, at.scalars, part),
      decays: apart[k]?.[0] === undefined || decays === undefined || decays(apart[k][0]),
    }));
  });
  return () => {
    kernels.sumSquares(at.gradNorm, g, n);
    const { f32 } = memory;
    const norm = Math.sqrt(f32[gradNorm]!);
    f32[gradNorm] = norm;
    state.t++;
    for (let i = 0; i < steps.length; i++) {
      let own = norm;
      if (steps.length > 1) {
        kernels.sumSquares(at.scalars, g + 4 * parts[i]!.from, parts[i]!.floats);
        own = Math.sqrt(f32[s]!);
      }
      f32[s] = maxGradNorm === undefined ? 1 : clipFactor(own, maxGradNorm);
      for (const step of steps[i]!) {
        scalars(f32, s, f32[lr]!, state.t, step.decays);
        step.run();
      }
    }
  };
}

/** Where runs of neighbours lie, from the first one's start to `end`. */
function partsOf(runs: readonly (readonly { readonly offset: number }[])[], end: number): readonly Part[] {
  const starts = runs.map(([first]) => first?.offset ?? 0);
  return starts.map((from, i) => ({ from, floats: (starts[i + 1] ?? end) - from }));
}

/** Of a group's blocks, floats. */
interface Part {
  readonly from: number;
  readonly floats: number;
}

/** Writes the scalars behind the first, which is the clipping factor. */
function scalarsOf(o: Optimiser): (f32: Float32Array, s: number, lr: number, t: number, decays: boolean) => void {
  switch (o.kind) {
    case 'sgd':
      return (f32, s, lr, _t, decays) => {
        f32[s + 1] = lr;
        f32[s + 2] = o.momentum;
        f32[s + 3] = decays ? o.weightDecay : 0;
      };
    case 'rmsprop':
      return (f32, s, lr) => {
        f32[s + 1] = lr;
        f32[s + 2] = o.decay;
        f32[s + 3] = 1 - o.decay;
        f32[s + 4] = o.eps;
        f32[s + 5] = o.momentum;
      };
    case 'adam':
    case 'radam': {
      const { kind, beta1, beta2, eps } = o;
      const l2 = kind === 'adam' && !o.decoupled ? o.weightDecay : 0;
      const decay = kind === 'adam' && o.decoupled ? o.weightDecay : 0;
      return (f32, s, lr, t, decays) => {
        const base = lr / (1 - wholePower(beta1, t));
        const root2 = Math.sqrt(1 - wholePower(beta2, t));
        const rho = kind === 'radam' ? rhoOf(beta2, t) : 0;
        // RAdam: eps joins the root before the correction (momentScalars in optimisers.ts, without an object per step)
        f32[s + 1] = rho > 5 ? base * rectification(beta2, rho) * root2 : base;
        f32[s + 2] = kind === 'adam' ? 1 / root2 : 1;
        f32[s + 3] = beta1;
        f32[s + 4] = 1 - beta1;
        f32[s + 5] = beta2;
        f32[s + 6] = 1 - beta2;
        f32[s + 7] = eps;
        f32[s + 8] = decays ? l2 : 0;
        f32[s + 9] = decays ? 1 - lr * decay : 1;
      };
    }
  }
}

/** Length of the moving average that RAdam can rely on after t steps, and its rectification for it. */
function rhoOf(beta2: number, t: number): number {
  const power = wholePower(beta2, t);
  return 2 / (1 - beta2) - 1 - (2 * t * power) / (1 - power);
}
function rectification(beta2: number, rho: number): number {
  const limit = 2 / (1 - beta2) - 1;
  return Math.sqrt(((rho - 4) * (rho - 2) * limit) / ((limit - 4) * (limit - 2) * rho));
}

function stepOf({ kernels }: Machine, group: WasmGroup, o: Optimiser, s: number, { from, floats: n }: Part): Command {
  const state = group.optimiserState(o);
  const slot = (name: Slot): number => {
    const block = state.slots.get(name);
    return block === undefined ? 0 : block + 4 * from;
  };
  const p = group.values + 4 * from;
  const g = group.gradients() + 4 * from;
  const mean = slot('mean');
  const square = slot('square');
  const momentum = slot('momentum');
  switch (o.kind) {
    case 'sgd': {
      const nesterov = Number(o.nesterov);
      return () => kernels.sgd(p, g, momentum, n, s, nesterov);
    }
    case 'adam':
      return () => kernels.adam(p, g, mean, square, n, s, 1);
    case 'radam':
      return () => kernels.adam(p, g, mean, square, n, s, Number(rhoOf(o.beta2, state.t) > 5));
    case 'rmsprop': {
      const inside = Number(o.epsInsideRoot);
      return () => kernels.rmsprop(p, g, momentum, square, mean, n, s, inside);
    }
  }
}
