import { describe, expect, test } from 'vitest';
import golden from '#core/engine/golden/algo-optimisers.json' with { type: 'json' };
import * as ops from '#core/engine/ops.ts';
import { adam, adamW, clipFactor, radam, referenceState, referenceStep, rmsprop, sgd } from '#core/engine/optimisers.ts';
import type { Engine, Optimiser, Param } from '#core/engine/types.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';

type Case = { name: string; input: Record<string, unknown>; expected: Record<string, unknown> };
const cases = golden.cases as Case[];

/** The loss sum(w * slope) makes `slope` the gradient. */
function learner(engine: Engine, optimiser: Optimiser, w0: readonly number[], maxGradNorm?: number) {
  const group = engine.group('net');
  // a second tensor, so that padding between tensors is part of every step
  const first = group.param('a', [1], Float32Array.of(w0[0]!));
  const rest = group.param('b', [w0.length - 1], Float32Array.from(w0.slice(1)));
  const program = engine.compile(
    (g) => {
      const slope = g.input('slope', [w0.length]);
      const part = (p: Param, from: number) => ops.sum(ops.mul(g.read(p), ops.slice(slope, [from], [p.shape[0]!])));
      return { loss: ops.add(part(first, 0), part(rest, 1)) };
    },
    { minimise: 'loss', group, with: optimiser, ...(maxGradNorm === undefined ? {} : { maxGradNorm }) },
  );
  const step = (g: ArrayLike<number>, lr: number): void => {
    program.in.slope!.set(g);
    program.in.lr![0] = lr;
    program.run();
  };
  const weights = (): number[] => [...(engine.read(first) as Float32Array), ...(engine.read(rest) as Float32Array)];
  return { step, weights, program };
}

const MADE: { [name: string]: (i: Record<string, number>) => Optimiser } = {
  'adam_eps1e-5': (i) => adam({ eps: i.eps! }),
  'adam_eps1e-8': () => adam(),
  adamw: (i) => adamW({ weightDecay: i.weight_decay! }),
  radam: () => radam(),
  radam_12_steps: () => radam(),
  'sgd_momentum0.9': (i) => sgd({ momentum: i.momentum! }),
  rmsprop_eps_outside_sqrt: (i) => rmsprop({ decay: i.alpha!, eps: i.eps! }),
  rmsprop_eps_inside_sqrt: (i) => rmsprop({ decay: i.alpha!, eps: i.eps!, epsInsideRoot: true }),
  rmsprop_tflike_accumulator_ones: (i) => rmsprop({ eps: i.eps!, epsInsideRoot: true, initialAccumulator: 1 }),
  rmsprop_momentum: (i) => rmsprop({ decay: i.alpha!, eps: i.eps!, momentum: i.momentum!, epsInsideRoot: true }),
};

describe('golden steps on wasm', () => {
  test.each(Object.keys(MADE))('%s', async (name) => {
    const { input, expected } = cases.find((c) => c.name === name)!;
    const { step, weights } = learner(await createWasmEngine(), MADE[name]!(input as Record<string, number>), input.w0 as number[]);
    (input.grads as number[][]).forEach((g, t) => {
      step(g, input.lr as number);
      (expected.weights as number[][])[t]!.forEach((w, i) => {
        expect(Math.abs(weights()[i]! - w)).toBeLessThan(1e-5 * Math.max(1, Math.abs(w)));
      });
    });
  });
});

/** Every option at least once, those without a golden case too. */
const VARIANTS: { [name: string]: Optimiser } = {
  sgd: sgd(),
  'sgd nesterov, decay': sgd({ momentum: 0.9, nesterov: true, weightDecay: 0.01 }),
  'adam l2': adam({ weightDecay: 0.1 }),
  adamW: adamW({ weightDecay: 0.1 }),
  radam: radam({ beta2: 0.9 }),
  'rmsprop centered, momentum': rmsprop({ centered: true, momentum: 0.9, eps: 1e-3 }),
};

describe('against the float64 reference, 30 steps with clipping', () => {
  test.each(Object.entries(VARIANTS))('%s', async (_, optimiser) => {
    const n = 19;
    const w0 = Array.from({ length: n }, (_, i) => ((i * 7) % 11) / 5 - 1);
    const maxNorm = 2;
    const { step, weights, program } = learner(await createWasmEngine({ poison: true }), optimiser, w0, maxNorm);
    const w = Float64Array.from(w0, Math.fround);
    const state = referenceState(optimiser, n);
    for (let t = 0; t < 30; t++) {
      const g = Float32Array.from({ length: n }, (_, i) => (((i + 3) * (t + 5) * 37) % 101) / 40 - 1.2);
      const norm = Math.sqrt(g.reduce((s, x) => s + x * x, 0));
      step(g, 0.01);
      expect(program.out.gradNorm![0]! / norm).toBeCloseTo(1, 6);
      referenceStep(
        optimiser,
        w,
        Array.from(g, (x) => x * clipFactor(norm, maxNorm)),
        0.01,
        state,
      );
    }
    weights().forEach((x, i) => {
      expect(Math.abs(x - w[i]!), `weight ${i}`).toBeLessThan(3e-5);
    });
  });
  test('a parameter the loss does not reach stays, and a broken gradient shows', async () => {
    const { step, weights } = learner(await createWasmEngine(), adam(), [1, 2, 3]);
    step([0, 0, 1], 0.1);
    expect(weights().slice(0, 2)).toEqual([1, 2]);
    step([0, Number.NaN, 0], 0.1);
    expect(weights()[1]).toBeNaN();
  });
  test('moments of vanishing gradients become zero, not subnormal', async () => {
    const engine = await createWasmEngine();
    const { step } = learner(engine, adam(), [1, 2, 3]);
    step([1e-20, 1e-31, 0], 0.1);
    for (let i = 0; i < 300; i++) step([0, 0, 0], 0.1);
    const { arrays } = engine.save() as { arrays: Record<string, Float32Array> };
    for (const [key, data] of Object.entries(arrays))
      if (key.includes('#')) for (const x of data) expect(x === 0 || Math.abs(x) >= 1e-30, `${key} ${x}`).toBe(true);
  });
});
