import { describe, expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { gradients } from '../engine/autodiff.ts';
import { createGraph } from '../engine/graph.ts';
import { logSoftmax, mul, sum } from '../engine/ops.ts';
import { hostGroup } from '../engine/params.ts';
import { createTfjsEngine } from '../engine/tfjs/engine.ts';
import type { Param, Tensor } from '../engine/types.ts';
import { createWasmEngine } from '../engine/wasm/engine.ts';
import { interpret } from '../testing/engine/interpreter.ts';
import { runLanguageModelFile } from '../testing/lm/index.ts';
import golden from './golden/lm-blocks.json' with { type: 'json' };
import { crossEntropy, familyShape, type TransformerFamily, tokenLogits, transformer, transformerStates } from './transformer.ts';

const families = ['a', 'b', 'c'] as const;
const small = (family: TransformerFamily) => familyShape(family, { vocabulary: 7, width: 8, layers: 2, heads: 2, context: 5 });

describe('golden numbers of blocks', () => {
  it.each([
    ['wasm', () => createWasmEngine({ poison: true })],
    ['tfjs-cpu', () => createTfjsEngine('tfjs-cpu')],
  ] as const)(
    '%s passes every case',
    async (name, create) => {
      // the model of 800,000 weights takes tfjs on the CPU too long
      const cases = golden.cases.filter((c) => name === 'wasm' || c.name !== 'model_formula_L4_d128');
      const report = await runLanguageModelFile({ ...golden, cases }, await create());
      expect(report.cases.filter((c) => c.status !== 'passed').map((c) => `${c.name}: ${c.message}`)).toEqual([]);
      expect(report.passed).toBe(cases.length);
    },
    60_000,
  );

  it('a wrong number, a field that nobody knows and an unknown kind of case fail', async () => {
    const engine = await createWasmEngine();
    const one = async (change: (c: Record<string, unknown>) => void, index: number): Promise<string> => {
      const c = structuredClone(golden.cases[index]) as unknown as Record<string, Record<string, unknown>>;
      change(c);
      const report = await runLanguageModelFile({ ...golden, cases: [...golden.cases.filter((_, i) => i !== index), c] }, engine);
      expect(report.failed).toBe(1);
      return report.cases.at(-1)?.message ?? '';
    };
    const at = golden.cases.findIndex((c) => c.name === 'attention_left_padded');
    expect(await one((c) => ((c.expected as { out: number[][][] }).out[1]![0]![0]! += 1e-3), at)).toContain('out/1/0/0');
    expect(await one((c) => ((c.expected as Record<string, unknown>).luck = 1), at)).toContain('"luck"');
    expect(await one((c) => (c.input = { nothing: 1 }), at)).toContain('nothing');
  });
});

it('a golden run may stop before its schedule ends: as many steps are made as are listed', async () => {
  const engine = await createWasmEngine();
  const whole = golden.cases.find((c) => c.name === 'train_adamw_5_steps');
  const steps = (whole!.expected as unknown as { history: readonly object[] }).history;
  const shorter = { ...whole, expected: { history: steps.slice(0, 3) } };
  const cases = [...golden.cases.filter((c) => c.name.startsWith('model_rms_gelu')), shorter];
  const report = await runLanguageModelFile({ ...golden, cases }, engine);
  expect(report.cases.filter((c) => c.status !== 'passed').map((c) => `${c.name}: ${c.message}`)).toEqual([]);
});

/** Loss of a small model on two rows of five tokens, the first padded on the left; `mask` false gives all real. */
function lossOn(family: TransformerFamily) {
  const shape = small(family);
  const group = hostGroup(family);
  const weights = transformer(group, Rng.from(3), shape);
  const g = createGraph();
  const x = { ids: g.input('ids', [2, 5]), positions: g.input('positions', [2, 5]), mask: g.input('mask', [2, 5]) };
  const { states } = transformerStates(shape, weights(g), x);
  const logits = tokenLogits(shape, weights(g), states);
  const { perToken } = crossEntropy(logSoftmax(logits), g.input('targets', [2, 5]), -1);
  const inputs = {
    ids: [0, 0, 3, 1, 6, 2, 5, 5, 4, 1],
    positions: [0, 0, 0, 1, 2, 0, 1, 2, 3, 4],
    mask: [0, 0, 1, 1, 1, 1, 1, 1, 1, 1],
    targets: [-1, -1, 1, 6, 2, 5, 5, 4, 1, -1],
  };
  return { group, g, loss: sum(mul(perToken, 0.3)), logits, inputs };
}

describe.each(families)('family %s', (family) => {
  it('has the gradients of float64 differences', () => {
    const { group, g, loss, inputs } = lossOn(family);
    const params = new Map<Param, Float64Array>([...group.initial].map(([p, v]) => [p, Float64Array.from(v)]));
    const nodes = group.params.map((p) => g.read(p));
    const grads = gradients(loss, nodes);
    const found = interpret(grads, { inputs, params });
    const at = (t: Tensor) => interpret([t], { inputs, params }).get(t)![0]!;
    const rng = Rng.from(5);
    group.params.forEach((param, k) => {
      const values = params.get(param)!;
      for (let tries = 0; tries < 3; tries++) {
        const i = rng.int(values.length);
        const kept = values[i]!;
        values[i] = kept + 1e-6;
        const above = at(loss);
        values[i] = kept - 1e-6;
        const below = at(loss);
        values[i] = kept;
        // erf is good to 1.5e-7, its slope to a few 1e-6; differences to 1e-7
        expect(Math.abs(found.get(grads[k]!)![i]! - (above - below) / 2e-6), `${param.name}[${i}]`).toBeLessThan(1e-5);
      }
    });
  });

  it('says the same of a row whatever the padding holds, and looks at nothing that comes later', () => {
    const { group, logits, inputs } = lossOn(family);
    const params = new Map<Param, ArrayLike<number>>(group.initial);
    const run = (ids: number[]) => [...interpret([logits], { inputs: { ...inputs, ids }, params }).get(logits)!];
    const first = run(inputs.ids);
    const padded = run([6, 4, ...inputs.ids.slice(2)]);
    expect(padded.slice(2 * 7)).toEqual(first.slice(2 * 7));
    const later = run([...inputs.ids.slice(0, 9), 2]);
    expect(later.slice(0, 9 * 7)).toEqual(first.slice(0, 9 * 7));
    expect(later.slice(9 * 7)).not.toEqual(first.slice(9 * 7));
  });
});

it('starts near uniform: the first loss is ln V', () => {
  const shape = familyShape('a', { vocabulary: 64, width: 64, layers: 2, heads: 4, context: 64 });
  const group = hostGroup('a');
  const weights = transformer(group, Rng.from(1), shape);
  const g = createGraph();
  const ids = g.input('ids', [1, 8]);
  const { states } = transformerStates(shape, weights(g), { ids, positions: g.constant([0, 1, 2, 3, 4, 5, 6, 7], [1, 8]) });
  const logp = logSoftmax(tokenLogits(shape, weights(g), states));
  const out = interpret([logp], { inputs: { ids: [1, 9, 8, 40, 3, 2, 60, 7] }, params: group.initial }).get(logp)!;
  for (const value of out) expect(Math.abs(value + Math.log(64))).toBeLessThan(1);
  expect(group.params.reduce((n, p) => n + p.shape.reduce((a, b) => a * b, 1), 0)).toBe(106_816);
});
