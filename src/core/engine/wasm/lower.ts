/**
 * From a traced graph to steps. Nodes are taken in order; views cost nothing, everything else becomes kernel calls. What must
 * outlive the program's arena (outputs, gradients) is computed straight into its pinned buffer where that is possible.
 */
import { isBinary, isUnary, sizeOf } from '../shapes.ts';
import type { Trace } from '../trace.ts';
import type { Param, Tensor } from '../types.ts';
import { lowerCodes } from './codes.ts';
import { copyStep } from './copies.ts';
import { lowerBack, lowerBinary, lowerUnary, lowerWhere } from './elementwise.ts';
import type { Machine } from './memory.ts';
import { lowerConcat, lowerGather, lowerPad, lowerPatches, lowerScatterAdd } from './moves.ts';
import { findPatterns, type Patterns } from './patterns.ts';
import { lowerAccumulate, lowerMatmul } from './products.ts';
import { lowerReduction } from './reductions.ts';
import type { CodeLists, Context, Step } from './step.ts';
import { applyView, type Buffer, isContiguous, isWhole, newBuffer, VIEW_OPS, type View, viewKey, wholeView } from './view.ts';

/** Where a value must end up. */
export interface Pin {
  readonly node: Tensor;
  readonly buffer: Buffer;
}

/** What the program provides: addresses that outlive a run. */
export interface Storage {
  input(name: string): Buffer;
  param(param: Param): Buffer;
  /** Read-only bytes for the program's life. */
  constant(data: Float32Array | Int32Array): number;
}

export interface Lowered {
  readonly steps: readonly Step[];
  readonly flops: number;
  /** The final value of a node, for what has to be copied after the run. */
  view(t: Tensor): View;
}

class Lowering implements Context {
  readonly machine: Machine;
  readonly steps: Step[] = [];
  flops = 0;
  private readonly storage: Storage;
  private readonly patterns: Patterns;
  private readonly views = new Map<Tensor, View>();
  private readonly targets = new Map<Tensor, Buffer>();
  private readonly copies = new Map<string, View>();
  private readonly lists = new Map<Tensor, CodeLists>();
  private readonly ids = new Map<Buffer, number>();

  constructor(machine: Machine, trace: Trace, storage: Storage, pins: readonly Pin[]) {
    this.machine = machine;
    this.storage = storage;
    this.patterns = findPatterns(trace);
    for (const pin of pins) {
      const source = this.computedBy(pin.node);
      if (source !== undefined && !this.targets.has(source)) this.targets.set(source, pin.buffer);
    }
    for (const t of trace.nodes) if (!this.patterns.absorbed.has(t)) this.lower(t);
    for (const pin of pins) {
      const v = this.view(pin.node);
      if (v.buffer !== pin.buffer || !isWhole(v)) this.emit(copyStep(this, pin.buffer, v));
    }
  }

  view(t: Tensor): View {
    const v = this.views.get(t);
    if (v === undefined) throw new Error(`${t.op} (node ${t.id}) was not computed`);
    return v;
  }

  out(t: Tensor): Buffer {
    const buffer = this.targets.get(t) ?? newBuffer(sizeOf(t.shape));
    this.views.set(t, wholeView(buffer, t.shape));
    return buffer;
  }

  contiguous(v: View): View {
    if (isContiguous(v)) return v;
    let id = this.ids.get(v.buffer);
    if (id === undefined) this.ids.set(v.buffer, (id = this.ids.size));
    const key = viewKey(v, id);
    const known = this.copies.get(key);
    if (known !== undefined) return known;
    const buffer = newBuffer(sizeOf(v.shape));
    this.emit(copyStep(this, buffer, v));
    const copy = wholeView(buffer, v.shape);
    this.copies.set(key, copy);
    return copy;
  }

  codes(t: Tensor): CodeLists | undefined {
    return this.lists.get(t);
  }

  table(words: readonly number[]): number {
    return this.storage.constant(Int32Array.from(words));
  }

  emit(step: Step): void {
    this.steps.push(step);
  }

  countFlops(n: number): void {
    this.flops += n;
  }

  /** The node whose buffer holds exactly this value, if it is computed here. */
  private computedBy(t: Tensor): Tensor | undefined {
    let node = t;
    for (;;) {
      const sum = this.patterns.accumulate.get(node);
      if (sum !== undefined) node = sum.base;
      else if (node.op === 'reshape' || node.op === 'stopGradient') node = node.inputs[0]!;
      else break;
    }
    return VIEW_OPS.has(node.op) || node.op === 'input' || node.op === 'param' || node.op === 'const' ? undefined : node;
  }

  /** Nodes that findPatterns put together with others. */
  private lowerFused(t: Tensor): boolean {
    const { linear, slopes, accumulate, codes } = this.patterns;
    const matrix = codes.get(t);
    const fused = linear.get(t);
    const slope = slopes.get(t);
    const sum = accumulate.get(t);
    if (matrix !== undefined) this.lists.set(t, lowerCodes(this, matrix));
    else if (fused !== undefined) lowerMatmul(this, t, fused.product, fused.epilogue);
    else if (slope !== undefined) lowerBack(this, t, slope.g, slope.back);
    else if (sum !== undefined) {
      const base = this.view(sum.base);
      lowerAccumulate(this, base.buffer, sum.product);
      this.views.set(t, base);
    } else return false;
    return true;
  }

  /** Where a node without computation lies. */
  private place(t: Tensor): View | undefined {
    if (t.op === 'const') return wholeView(newBuffer(t.attrs.data.length, this.storage.constant(t.attrs.data)), t.shape);
    if (t.op === 'input') return wholeView(this.storage.input(t.attrs.name), t.shape);
    if (t.op === 'param') return wholeView(this.storage.param(t.attrs.param), t.shape);
    if (!VIEW_OPS.has(t.op)) return undefined;
    const x = this.view(t.inputs[0]!);
    return applyView(t, x, t.shape) ?? applyView(t, this.contiguous(x), t.shape);
  }

  private lower(t: Tensor): void {
    if (this.lowerFused(t)) return;
    const place = this.place(t);
    if (place !== undefined) this.views.set(t, place);
    else if (isUnary(t.op)) lowerUnary(this, t, t.op);
    else if (isBinary(t.op)) lowerBinary(this, t);
    else lowerOther(this, t);
  }
}

function lowerOther(ctx: Context, t: Tensor): void {
  switch (t.op) {
    case 'where':
      lowerWhere(ctx, t);
      break;
    case 'sum':
    case 'amax':
      lowerReduction(ctx, t);
      break;
    case 'matmul':
      lowerMatmul(ctx, t, t, { act: 0 });
      break;
    case 'concat':
      lowerConcat(ctx, t);
      break;
    case 'pad':
      lowerPad(ctx, t);
      break;
    case 'gather':
      lowerGather(ctx, t);
      break;
    case 'scatterAdd':
      lowerScatterAdd(ctx, t);
      break;
    case 'im2col':
    case 'col2im':
      lowerPatches(ctx, t);
      break;
    default:
      throw new Error(`${t.op} has no lowering`);
  }
}

export function lowerProgram(machine: Machine, trace: Trace, storage: Storage, pins: readonly Pin[]): Lowered {
  return new Lowering(machine, trace, storage, pins);
}
