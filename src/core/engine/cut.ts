/**
 * A network cut behind its first weighted sums: products of an input, taken number by number, with weights, and their bias. Such sums
 * add up over the numbers of a row, so those of rows that differ in few numbers follow from one another by addition; only what lies
 * behind the cut has to be run for each.
 */
import { present } from '#contract/kit/errors.ts';
import { builderOf, reachable } from './graph.ts';
import { concat, sliceAxis } from './ops.ts';
import { isBinary, isUnary, sameShape } from './shapes.ts';
import type { Op, Tensor } from './types.ts';

type Outputs = { readonly [name: string]: Tensor };

export interface Cut {
  /** The first sums side by side, [rows, width]; bias included. */
  readonly sums: Tensor;
  /** The same outputs computed from given sums [rows, width]. */
  behind(sums: Tensor): Outputs;
}

/** free: does not depend on the input; numbers: every element depends on one number of its row; sum: a weighted sum of such. */
type Kind = 'free' | 'numbers' | 'sum' | 'behind';

const KEEPS_NUMBERS: ReadonlySet<Op> = new Set<Op>(['reshape', 'slice', 'broadcast', 'concat', 'where', 'stopGradient']);

/** What a node is, from what its operands are; null: it uses the numbers of the input otherwise than in weighted sums. */
function kindOf(t: Tensor, kinds: readonly Kind[], rows: number): Kind | null {
  if (kinds.every((kind) => kind === 'free')) return 'free';
  const numbers = kinds.filter((kind) => kind === 'numbers').length;
  const others = kinds.length - numbers - kinds.filter((kind) => kind === 'free').length;
  if (numbers > 0) {
    if (others > 0 || t.shape[0] !== rows) return null;
    if (t.op === 'matmul') return numbers === 1 && kinds[0] === 'numbers' && t.shape.length === 2 ? 'sum' : null;
    const alone = numbers === 1 || t.op === 'concat';
    return alone && (isUnary(t.op) || isBinary(t.op) || KEEPS_NUMBERS.has(t.op)) ? 'numbers' : null;
  }
  const bias = t.op === 'add' && kinds.includes('sum') && kinds.includes('free');
  return bias && sameShape(t.inputs[0]!.shape, t.shape) ? 'sum' : 'behind';
}

/** Null where the outputs depend on the input [rows, columns] in another way: convolutions, memories, scores of pairs. */
export function cut(outputs: Outputs, input: string): Cut | null {
  const wanted = Object.values(outputs);
  const nodes = reachable(wanted);
  const from = nodes.find((t) => t.op === 'input' && t.attrs.name === input);
  if (from === undefined) return null;
  const rows = from.shape[0]!;
  const kinds = new Map<Tensor, Kind>();
  const first = new Set<Tensor>();
  for (const t of nodes) {
    const below = t.inputs.map((operand) => present(kinds.get(operand), 'the kind of an operand'));
    const kind = t === from ? 'numbers' : kindOf(t, below, rows);
    if (kind === null) return null;
    kinds.set(t, kind);
    if (kind === 'behind') for (const operand of t.inputs) if (kinds.get(operand) === 'sum') first.add(operand);
  }
  for (const t of wanted) {
    if (kinds.get(t) === 'numbers') return null;
    if (kinds.get(t) === 'sum') first.add(t);
  }
  if (first.size === 0) return null;
  const parts = [...first];
  return {
    sums: concat(parts, 1),
    behind(sums) {
      const made = new Map<Tensor, Tensor>();
      let at = 0;
      for (const part of parts) {
        made.set(part, sliceAxis(sums, 1, at, part.shape[1]!));
        at += part.shape[1]!;
      }
      const graph = builderOf(sums.graph);
      for (const t of nodes)
        if (kinds.get(t) === 'behind')
          made.set(t, graph.make(t.op, t.inputs.map((operand) => made.get(operand) ?? operand), t.attrs)); // biome-ignore format: one node
      return Object.fromEntries(Object.entries(outputs).map(([name, t]) => [name, made.get(t) ?? t]));
    },
  };
}
