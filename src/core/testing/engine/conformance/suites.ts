/** The conformance suite: the cases of cases.ts at these sizes, by what they are about, with the error each may make. */
import { codeCases, convolutionCases, elementwiseCases, movementCases, productCases, reductionCases } from './cases.ts';
import type { Case } from './check.ts';

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

export interface Suite {
  readonly cases: () => Case[];
  /** Sums of a thousand numbers lose more than single operations. */
  readonly tolerance: number;
}
export function suites(sizes: readonly number[]): { [name: string]: Suite } {
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
