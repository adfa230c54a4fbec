/**
 * What is computed together, found before lowering: bias and activation in the epilogue of a matrix product, the gradients of tanh and
 * relu, sums of weight gradients, which accumulate into one target, and one-hot codes. A node is absorbed only if nothing else uses its value.
 */
import { sizeOf } from '../shapes.ts';
import { uniformValue } from '../simplify.ts';
import type { Trace } from '../trace.ts';
import type { Tensor } from '../types.ts';
import { type CodeMatrix, findCodes } from './codes.ts';
import { ACTIVATIONS } from './kernels.ts';
import type { Back, Epilogue, Slope } from './products.ts';

export interface Patterns {
  /** The last node of product (+ bias) (+ activation), or of product * slope -> its parts. */
  readonly linear: ReadonlyMap<Tensor, { readonly product: Tensor; readonly epilogue: Epilogue }>;
  readonly slopes: ReadonlyMap<Tensor, { readonly g: Tensor; readonly back: Slope }>;
  /** base + a^T d: the product is added into base's buffer. */
  readonly accumulate: ReadonlyMap<Tensor, { readonly base: Tensor; readonly product: Tensor }>;
  /** Matrices of one-hot codes of which only the lists are computed. */
  readonly codes: ReadonlyMap<Tensor, CodeMatrix>;
  readonly absorbed: ReadonlySet<Tensor>;
}

function countUses(trace: Trace): Map<Tensor, number> {
  const uses = new Map<Tensor, number>();
  const use = (t: Tensor): void => {
    uses.set(t, (uses.get(t) ?? 0) + 1);
  };
  for (const t of trace.nodes) t.inputs.forEach(use);
  for (const t of trace.outputs.values()) use(t);
  for (const a of trace.assigns) use(a.value);
  for (const t of trace.gradients.values()) if (t !== undefined) use(t);
  return uses;
}

const isTransposed = (t: Tensor): boolean => t.op === 'transpose';

export function findPatterns(trace: Trace): Patterns {
  const uses = countUses(trace);
  const linear = new Map<Tensor, { product: Tensor; epilogue: Epilogue }>();
  const slopes = new Map<Tensor, { g: Tensor; back: Slope }>();
  const accumulate = new Map<Tensor, { base: Tensor; product: Tensor }>();
  const absorbed = new Set<Tensor>();
  const once = (t: Tensor): boolean => uses.get(t) === 1;

  /** The product below single-use reshapes, and the nodes on the way. They keep the last axis where what follows goes by columns. */
  const productBelow = (t: Tensor, byColumns = true): { product: Tensor; way: Tensor[] } | undefined => {
    const way: Tensor[] = [];
    let node = t;
    while (once(node) && node.op === 'reshape') {
      way.push(node);
      node = node.inputs[0]!;
    }
    if (!once(node) || node.op !== 'matmul' || isTransposed(node.inputs[0]!)) return undefined;
    if (byColumns && node.shape.at(-1) !== t.shape.at(-1)) return undefined;
    return { product: node, way: [...way, node] };
  };

  /** 1 - h^2, h > 0 or h (1 - h), used once: what tanh, relu and sigmoid give back, and the nodes on the way. */
  const slopeOf = (t: Tensor): { back: Slope; way: Tensor[] } | undefined => {
    if (!once(t)) return undefined;
    const [left, right] = t.inputs;
    if (left === undefined || right === undefined) return undefined;
    if (t.op === 'gt' && uniformValue(right) === 0) return { back: { h: left, through: 'relu' }, way: [t] };
    if (t.op === 'mul' && right.op === 'sub' && right.inputs[1] === left && uniformValue(right.inputs[0]!) === 1 && once(right))
      return { back: { h: left, through: 'sigmoid' }, way: [t, right] };
    if (t.op !== 'sub' || uniformValue(left) !== 1 || right.op !== 'square' || !once(right)) return undefined;
    return { back: { h: right.inputs[0]!, through: 'tanh' }, way: [t, right] };
  };

  for (const t of trace.nodes) {
    if (t.op === 'add') {
      for (const [x, other] of [t.inputs, [t.inputs[1]!, t.inputs[0]!]] as [Tensor, Tensor][]) {
        const found = productBelow(x);
        const source = other.op === 'broadcast' ? other.inputs[0]! : undefined;
        const width = t.shape.at(-1);
        if (found === undefined || source === undefined || source.shape.at(-1) !== width || sizeOf(source.shape) !== width) continue;
        linear.set(t, { product: found.product, epilogue: { bias: source, act: 0 } });
        for (const node of found.way) absorbed.add(node);
        break;
      }
    }
    const act = ACTIVATIONS[t.op];
    if (act !== undefined) {
      const x = t.inputs[0]!;
      const biased = once(x) ? linear.get(x) : undefined;
      const found = biased === undefined ? productBelow(x) : undefined;
      if (biased !== undefined) {
        linear.delete(x);
        absorbed.add(x);
        linear.set(t, { product: biased.product, epilogue: { ...biased.epilogue, act } });
      } else if (found !== undefined) {
        linear.set(t, { product: found.product, epilogue: { act } });
        for (const node of found.way) absorbed.add(node);
      }
    }
    if (t.op === 'mul') {
      for (const [g, slope] of [t.inputs, [t.inputs[1]!, t.inputs[0]!]] as [Tensor, Tensor][]) {
        const seen = slopeOf(slope);
        if (seen === undefined) continue;
        const { h, through } = seen.back;
        const found = through === 'sigmoid' ? undefined : productBelow(g, false);
        if (through === 'sigmoid' || found === undefined) slopes.set(t, { g, back: seen.back });
        else {
          const back: Back = { h, through };
          linear.set(t, { product: found.product, epilogue: { act: 0, back } });
          for (const node of found.way) absorbed.add(node);
        }
        for (const node of seen.way) absorbed.add(node);
        break;
      }
    }
    if (t.op === 'add' && !linear.has(t) && t.shape.length === 2) {
      const [p, q] = t.inputs as [Tensor, Tensor];
      const fits = (x: Tensor): boolean => x.op === 'matmul' && once(x) && isTransposed(x.inputs[0]!) && !absorbed.has(x);
      const base = (x: Tensor): boolean => fits(x) || (once(x) && accumulate.has(x));
      if (p !== q && base(p) && fits(q)) {
        accumulate.set(t, { base: p, product: q });
        absorbed.add(q);
      } else if (p !== q && base(q) && fits(p)) {
        accumulate.set(t, { base: q, product: p });
        absorbed.add(p);
      }
    }
  }
  const sloped = new Set([...linear.values()].flatMap(({ product, epilogue }) => (epilogue.back === undefined ? [] : [product])));
  const codes = findCodes(trace, uses, sloped);
  for (const t of codes.skipped) absorbed.add(t);
  return { linear, slopes, accumulate, codes: codes.matrices, absorbed };
}
