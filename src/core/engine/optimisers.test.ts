import { describe, expect, test } from 'vitest';
import golden from './golden/algo-optimisers.json' with { type: 'json' };
import {
  adam,
  adamW,
  clipFactor,
  momentScalars,
  radam,
  referenceState,
  referenceStep,
  rmsprop,
  sgd,
  slotsOf,
  wholePower,
} from './optimisers.ts';
import type { Optimiser } from './types.ts';

type Case = { name: string; input: Record<string, unknown>; expected: Record<string, unknown> };
const cases = golden.cases as Case[];
const find = (name: string): Case => cases.find((c) => c.name === name)!;

const made: { [name: string]: (i: Record<string, number>) => Optimiser } = {
  'adam_eps1e-5': (i) => adam({ beta1: i.beta1!, beta2: i.beta2!, eps: i.eps! }),
  'adam_eps1e-8': () => adam(),
  'adam_eps1e-7_tfjs_default': (i) => adam({ eps: i.eps! }),
  adamw: (i) => adamW({ weightDecay: i.weight_decay! }),
  radam: () => radam(),
  'sgd_momentum0.9': (i) => sgd({ momentum: i.momentum! }),
  rmsprop_eps_outside_sqrt: (i) => rmsprop({ decay: i.alpha!, eps: i.eps! }),
  rmsprop_eps_inside_sqrt: (i) => rmsprop({ decay: i.alpha!, eps: i.eps!, epsInsideRoot: true }),
  rmsprop_tflike_accumulator_ones: (i) => rmsprop({ eps: i.eps!, epsInsideRoot: true, initialAccumulator: 1 }),
  rmsprop_momentum: (i) => rmsprop({ decay: i.alpha!, eps: i.eps!, momentum: i.momentum!, epsInsideRoot: true }),
  radam_12_steps: () => radam(),
};

describe('reference steps against golden weights', () => {
  test('every case of the file is used', () => {
    const others = ['global_norm_clip_torch', 'global_norm_clip_exact', 'linear_anneal']; // the last belongs to the schedules
    expect(cases.map((c) => c.name).sort()).toEqual([...Object.keys(made), ...others].sort());
  });
  test.each(Object.keys(made))('%s', (name) => {
    const { input, expected } = find(name);
    const optimiser = made[name]!(input as Record<string, number>);
    const w = Float64Array.from(input.w0 as number[]);
    const state = referenceState(optimiser, w.length);
    const weights = expected.weights as number[][];
    (input.grads as number[][]).forEach((g, t) => {
      referenceStep(optimiser, w, g, input.lr as number, state);
      w.forEach((x, i) => {
        expect(Math.abs(x - weights[t]![i]!)).toBeLessThan(1e-9 * Math.abs(weights[t]![i]!));
      });
    });
  });
  test('radam is rectified from step 6 on', () => {
    const o = radam() as Extract<Optimiser, { kind: 'radam' }>;
    expect([5, 6].map((t) => momentScalars(o, t, 1).adaptive)).toEqual([false, true]);
  });
  test('clipping by global norm', () => {
    const { input, expected } = find('global_norm_clip_torch');
    const norm = expected.norm as number;
    (input.grad as number[]).forEach((g, i) => {
      expect(g * clipFactor(norm, input.max_norm as number)).toBeCloseTo((expected.clipped as number[])[i]!, 12);
    });
    expect(clipFactor(0.3, 0.5)).toBe(1);
  });
});

describe('forms the file does not hold, by hand', () => {
  const steps = (o: Optimiser, grads: number[], w0 = 1, lr = 0.1): number => {
    const w = Float64Array.of(w0);
    const state = referenceState(o, 1);
    for (const g of grads) referenceStep(o, w, [g], lr, state);
    return w[0]!;
  };
  test('nesterov looks ahead', () => {
    // b = 1: g + 0.9 b = 1.9; then b = 2.9: 2 + 0.9 * 2.9 = 4.61
    expect(steps(sgd({ momentum: 0.9, nesterov: true }), [1, 2])).toBeCloseTo(1 - 0.1 * (1.9 + 4.61), 12);
  });
  test('weight decay: in the gradient, or beside it', () => {
    expect(steps(sgd({ weightDecay: 0.5 }), [1])).toBeCloseTo(1 - 0.1 * 1.5, 12);
    // Adam's first step has size lr whatever the gradient: decay only turns it, AdamW shrinks the weight as well.
    expect(steps(adam({ weightDecay: 0.5 }), [1])).toBeCloseTo(0.9, 7);
    expect(steps(adamW({ weightDecay: 0.5 }), [1])).toBeCloseTo(0.95 - 0.1, 7);
  });
  test('centred RMSprop in both forms', () => {
    const v = 0.01 * 4 - (0.01 * 2) ** 2;
    expect(steps(rmsprop({ centered: true, eps: 0.01 }), [2])).toBeCloseTo(1 - 0.2 / (Math.sqrt(v) + 0.01), 12);
    expect(steps(rmsprop({ centered: true, eps: 0.01, epsInsideRoot: true }), [2])).toBeCloseTo(1 - 0.2 / Math.sqrt(v + 0.01), 12);
  });
  test('slots', () => {
    expect(slotsOf(sgd())).toEqual([]);
    expect(slotsOf(rmsprop({ centered: true, momentum: 0.9 }))).toEqual(['square', 'mean', 'momentum']);
  });
  test('whole powers', () => {
    expect(wholePower(0.999, 0)).toBe(1);
    expect(wholePower(2, 31)).toBe(2 ** 31);
    expect(wholePower(0.9, 13)).toBeCloseTo(0.9 ** 13, 15);
  });
});
