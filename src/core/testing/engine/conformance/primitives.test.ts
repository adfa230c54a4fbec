import { describe, expect, test } from 'vitest';
import { createEngine } from '#core/engine/index.ts';
import type { Engine } from '#core/engine/types.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { SIZES } from '../fuzz.ts';
import { codeCases, convolutionCases, elementwiseCases, movementCases, productCases, reductionCases } from './cases.ts';
import { type Case, judge } from './check.ts';

/** Every size in every role, beside a few others: all combinations would be hundreds of programs. */
function mixed(sizes: readonly number[], offsets: readonly (readonly number[])[]): number[][] {
  return sizes.flatMap((n, i) => offsets.map((by) => [n, ...by.map((o) => sizes[(i + o) % sizes.length]!)]));
}
const PAIRS = [[2], [4], [5]] as const;
const TRIPLES = [
  [2, 4],
  [1, 3],
  [4, 1],
] as const;

interface Suite {
  readonly cases: () => Case[];
  /** Sums of a thousand numbers lose more than single operations. */
  readonly tolerance: number;
}
function suites(sizes: readonly number[]): { [name: string]: Suite } {
  const pairs = mixed(sizes, PAIRS) as [number, number][];
  const triples = mixed(sizes, TRIPLES) as [number, number, number][];
  const cubes = sizes.map((n): [number, number, number] => [n, n, n]);
  return {
    elementwise: { cases: () => pairs.flatMap(([r, c]) => elementwiseCases(r, c)), tolerance: 2e-5 },
    products: { cases: () => [...triples, ...cubes].flatMap(([m, k, n]) => productCases(m, k, n)), tolerance: 2e-4 },
    reductions: { cases: () => triples.flatMap(([a, b, c]) => reductionCases(a, b, c)), tolerance: 1e-4 },
    movement: { cases: () => pairs.flatMap(([r, c]) => movementCases(r, c)), tolerance: 1e-4 },
    codes: { cases: () => triples.filter(([, cells]) => cells <= 65).flatMap(([r, cells, n]) => codeCases(r, cells, n)), tolerance: 2e-4 },
    convolutions: { cases: () => sizes.filter((n) => n <= 17).flatMap(convolutionCases), tolerance: 2e-5 },
  };
}

async function expectAll(engine: Engine, { cases: make, tolerance }: Suite): Promise<void> {
  const cases = make();
  for (const c of cases) {
    const { error, where, repeatable } = await judge(engine, c);
    expect(error, `${c.name}, ${where}`).toBeLessThan(tolerance);
    expect(repeatable, `${c.name} run twice`).toBe(true);
  }
  expect(cases.length).toBeGreaterThan(0);
}

describe('wasm, unused memory full of NaN', () => {
  test.each(Object.entries(suites(SIZES)))('%s', async (_, suite) => {
    const engine = await createWasmEngine({ poison: true });
    await expectAll(engine, suite);
    engine.dispose();
  });
});

describe('tfjs-cpu', () => {
  test.each(Object.entries(suites([1, 2, 3, 5, 17])))('%s', async (_, suite) => {
    const engine = await createEngine('tfjs-cpu');
    await expectAll(engine, suite);
    engine.dispose();
  });
});
