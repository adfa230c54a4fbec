/**
 * The layers of a traced network, found in its graph: every product of something that depends on an input with a parameter begins a layer;
 * what follows from that layer alone (bias, norm, activation, mask) belongs to it, what follows from several is a mix. Two products that
 * only a mix of the width of one gate uses are a recurrent cell (nets/recurrent.ts). Works for any network at one row.
 */
import type { LayerKind, LayerPart, OutputName } from '#contract/game/network-view.ts';
import { reachable } from '../engine/graph.ts';
import { isBinary, isUnary, sizeOf } from '../engine/shapes.ts';
import type { Param, Tensor } from '../engine/types.ts';

export interface FoundWeights {
  readonly weights: Param;
  readonly bias: Param | null;
  readonly inputs: number;
  readonly outputs: number;
  readonly from: readonly LayerPart[];
  readonly gates: readonly string[];
}

export interface FoundLayer {
  readonly kind: LayerKind;
  readonly units: number;
  readonly map: readonly [height: number, width: number] | null;
  readonly activation: string;
  /** Its sums are normalised before the activation. */
  readonly normed: boolean;
  /** Outputs of the layer's units: [..., units], averaged over the leading axes where there is more than one row. */
  readonly value: Tensor;
  readonly sums: Tensor | null;
  readonly weights: readonly FoundWeights[];
  readonly from: readonly number[];
}

export interface FoundLayers {
  readonly layers: readonly FoundLayer[];
  readonly outputs: readonly (LayerPart & { readonly name: OutputName })[];
}

const GATES: { readonly [gates: number]: readonly string[] } = {
  3: ['reset gate', 'update gate', 'candidate'],
  4: ['input gate', 'forget gate', 'candidate', 'output gate'],
};

/** A layer while it is being found. */
interface Draft {
  readonly kind: 'product' | 'mix' | 'input';
  /** The product; of an input what is read. */
  readonly start: Tensor;
  readonly nodes: Tensor[];
  /** Layers it is computed from, inputs included. */
  readonly sources: Set<Draft>;
  /** Its nodes that other layers or the outputs use. */
  readonly used: Set<Tensor>;
}

type Home = 'free' | 'numbers' | 'join' | Draft;

/** Through nodes that only arrange numbers anew, in the same order and count. */
function bare(t: Tensor): Tensor {
  let at = t;
  while ((at.op === 'reshape' || at.op === 'im2col' || at.op === 'stopGradient') && at.inputs[0] !== undefined) at = at.inputs[0];
  return at;
}

/** The parameter that a factor is; null: it is computed. */
function paramOf(t: Tensor | undefined): Param | null {
  const at = t === undefined ? undefined : bare(t);
  return at?.op === 'param' ? at.attrs.param : null;
}

/** Logits under their mask. */
const unmasked = (t: Tensor): Tensor => (t.op === 'where' && t.inputs[0] !== undefined && maskOnly(t.inputs[0]) ? (t.inputs[1] ?? t) : t);
const maskOnly = (t: Tensor): boolean => {
  const at = bare(t);
  return (at.op === 'input' && at.attrs.name === 'mask') || (at.inputs.length > 0 && at.inputs.some(maskOnly));
};

class Finder {
  private readonly homes = new Map<Tensor, Home>();
  private readonly drafts: Draft[] = [];
  private readonly inputs = new Map<Tensor, Draft>();
  private readonly nodes: readonly Tensor[];
  private readonly outputs: ReadonlyMap<OutputName, Tensor>;

  constructor(outputs: ReadonlyMap<OutputName, Tensor>) {
    this.outputs = new Map([...outputs].map(([name, t]) => [name, unmasked(t)]));
    this.nodes = reachable([...outputs.values()]);
    for (const t of this.nodes) this.homes.set(t, this.homeOf(t));
    for (const t of this.outputs.values()) this.use(t);
  }

  private home(t: Tensor): Home {
    return this.homes.get(t) ?? 'free';
  }

  private draft(kind: Draft['kind'], start: Tensor): Draft {
    const made: Draft = { kind, start, nodes: [start], sources: new Set(), used: new Set() };
    this.drafts.push(made);
    return made;
  }

  private inputLayer(t: Tensor): Draft {
    const at = bare(t);
    let found = this.inputs.get(at);
    if (found === undefined) this.inputs.set(at, (found = this.draft('input', at)));
    return found;
  }

  /** Notes that something outside of its layer uses `t`; answers the layers behind it. */
  private use(t: Tensor): Draft[] {
    const home = this.home(t);
    if (home === 'join') return t.inputs.flatMap((part) => this.use(part));
    if (home === 'free') return [];
    if (home === 'numbers') return [this.inputLayer(t)];
    home.used.add(t);
    return [home];
  }

  private homeOf(t: Tensor): Home {
    if (t.op === 'input') return t.attrs.name === 'mask' ? 'free' : 'numbers';
    const live = t.inputs.filter((operand) => this.home(operand) !== 'free');
    const [first] = live;
    if (first === undefined) return 'free';
    if (t.op === 'matmul' && live.length === 1 && first === t.inputs[0] && paramOf(t.inputs[1]) !== null) {
      const made = this.draft('product', t);
      for (const source of this.use(first)) made.sources.add(source);
      return made;
    }
    const homes = new Set(live.map((operand) => this.home(operand)));
    const [only] = homes;
    if (homes.size === 1 && only === 'numbers') return 'numbers';
    if (homes.size === 1 && typeof only === 'object') {
      only.nodes.push(t);
      return only;
    }
    if (t.op === 'concat' || (homes.size === 1 && only === 'join' && (t.op === 'reshape' || t.op === 'stopGradient'))) return 'join';
    return this.mixed(t, live);
  }

  /** What several layers are combined to: with an earlier combination of theirs one layer, as long as none of them follows from it. */
  private mixed(t: Tensor, live: readonly Tensor[]): Draft {
    const own = live.map((operand) => this.home(operand)).filter((home): home is Draft => typeof home === 'object' && home.kind === 'mix');
    const all = live.flatMap((operand) => this.peek(operand));
    const candidates = [...new Set([...own, ...this.drafts.filter((d) => d.kind === 'mix' && sameSources(d, all))])];
    const into = candidates.find((mix) => all.every((other) => other === mix || !follows(other, mix)));
    const made = into ?? this.draft('mix', t);
    if (into !== undefined) made.nodes.push(t);
    for (const operand of live) {
      if (this.home(operand) === made) continue;
      for (const source of this.use(operand)) if (source !== made) made.sources.add(source);
    }
    return made;
  }

  /** As use(), without noting anything. */
  private peek(t: Tensor): Draft[] {
    const home = this.home(t);
    if (home === 'join') return t.inputs.flatMap((part) => this.peek(part));
    if (home === 'free') return [];
    if (home === 'numbers') {
      const known = this.inputs.get(bare(t));
      return known === undefined ? [] : [known];
    }
    return [home];
  }

  find(): FoundLayers {
    const cells = new Map<Draft, readonly Draft[]>();
    for (const mix of this.drafts) {
      const gates = mix.kind === 'mix' ? this.gatesOf(mix) : null;
      if (gates !== null) cells.set(mix, gates);
    }
    const hidden = new Set([...cells.values()].flat());
    const order = this.sorted().filter((d) => !hidden.has(d));
    const index = new Map(order.map((d, i) => [d, i]));
    const layers = order.map((d) => this.finished(d, index, cells.get(d) ?? null));
    const outputs = [...this.outputs].flatMap(([name, t]) => this.output(name, t, layers, index));
    return { layers, outputs };
  }

  /** The two products that a mix is the cell of; null: it is none. */
  private gatesOf(mix: Draft): readonly Draft[] | null {
    const products = [...mix.sources].filter(({ kind }) => kind === 'product');
    const [a, b] = products;
    if (a === undefined || b === undefined || products.length !== 2) return null;
    const [wide, other] = [unitsOf(a), unitsOf(b)];
    const units = sizeOf(shownOf(mix).shape);
    const alone = products.every((p) => this.drafts.every((d) => d === mix || !d.sources.has(p)));
    return alone && wide === other && GATES[wide / units] !== undefined ? [a, b] : null;
  }

  /** Each after its sources. */
  private sorted(): Draft[] {
    const done = new Set<Draft>();
    const visit = (d: Draft): void => {
      if (done.has(d)) return;
      for (const source of [...d.sources].sort((a, b) => a.start.id - b.start.id)) visit(source);
      done.add(d);
    };
    for (const t of this.outputs.values()) for (const d of this.peek(t)) visit(d);
    return [...done];
  }

  private finished(d: Draft, index: ReadonlyMap<Draft, number>, gates: readonly Draft[] | null): FoundLayer {
    const value = shownOf(d);
    const from = [...d.sources].flatMap((source) => index.get(source) ?? []);
    const common = { units: unitsOf(d), map: null, activation: '', normed: false, value, sums: null, weights: [], from: [] };
    if (d.kind === 'input') return { ...common, kind: readsOnly(d.start, 'state') ? 'memory' : 'input' };
    if (d.kind === 'mix') {
      if (gates === null) return { ...common, kind: 'mix', from };
      const names = GATES[unitsOf(gates[0]!) / common.units] ?? [];
      return { ...common, kind: 'cell', weights: gates.map((gate) => this.weightsOf(gate, index, names)) };
    }
    return {
      ...common,
      kind: mapOf(d) === null ? 'dense' : 'conv',
      map: mapOf(d),
      activation: isUnary(value.op) ? value.op : '',
      normed: d.nodes.some(({ op }) => op === 'sqrt'), // no activation has a root; a norm divides by one
      sums: sumsOf(d),
      weights: [this.weightsOf(d, index, [])],
    };
  }

  private weightsOf(d: Draft, index: ReadonlyMap<Draft, number>, gates: readonly string[]): FoundWeights {
    const [operand, factor] = d.start.inputs;
    const weights = paramOf(factor);
    if (operand === undefined || weights === null) throw new Error('layers: a product without its weights');
    const outputs = d.start.shape.at(-1) ?? 1;
    const inputs = sizeOf(weights.shape) / outputs;
    const sum = sumsOf(d);
    const bias = sum.inputs.map(biasOf).find((found) => found !== null) ?? null;
    return { weights, bias: sum === d.start ? null : bias, inputs, outputs, from: this.partsOf(operand, index), gates };
  }

  /** What the rows of a weight matrix stand for. */
  private partsOf(t: Tensor, index: ReadonlyMap<Draft, number>): LayerPart[] {
    const at = bare(t);
    const home = this.home(at);
    if (home === 'join') return at.inputs.flatMap((part) => this.partsOf(part, index));
    if (home === 'free') return [{ layer: -1, offset: 0, count: sizeOf(at.shape) }];
    const draft = home === 'numbers' ? this.inputLayer(at) : home;
    const { offset, count } = within(at, shownOf(draft));
    return [{ layer: index.get(draft) ?? -1, offset, count }];
  }

  private output(
    name: OutputName,
    t: Tensor,
    layers: FoundLayer[],
    index: ReadonlyMap<Draft, number>,
  ): (LayerPart & { readonly name: OutputName })[] {
    const home = this.home(t);
    if (typeof home !== 'object') return [];
    const layer = index.get(home) ?? -1;
    const found = layers[layer];
    if (found === undefined) return [];
    const place = within(t, found.value);
    if (place.exact) return [{ name, layer, offset: place.offset, count: place.count }];
    const mix = { units: sizeOf(t.shape), map: null, activation: '', normed: false, value: t, sums: null, weights: [], from: [layer] };
    layers.push({ ...mix, kind: 'mix' });
    return [{ name, layer: layers.length - 1, offset: 0, count: sizeOf(t.shape) }];
  }
}

const sameSources = (d: Draft, all: readonly Draft[]): boolean =>
  all.length > 1 && all.length === d.sources.size && all.every((other) => d.sources.has(other));

function follows(d: Draft, from: Draft): boolean {
  return d.sources.has(from) || [...d.sources].some((source) => follows(source, from));
}

const biasOf = (t: Tensor): Param | null => paramOf(t.op === 'broadcast' ? t.inputs[0] : t);

/** Whether only this input lies behind the tensor. */
const readsOnly = (t: Tensor, name: string): boolean => reachable([t]).every((node) => node.op !== 'input' || node.attrs.name === name);

/** Places of a convolution's filters. */
function mapOf(d: Draft): readonly [number, number] | null {
  let at = d.start.inputs[0];
  while (at?.op === 'reshape') at = at.inputs[0];
  return at?.op === 'im2col' ? [at.shape[1] ?? 1, at.shape[2] ?? 1] : null;
}

function unitsOf(d: Draft): number {
  if (d.kind !== 'product') return sizeOf(shownOf(d).shape);
  return mapOf(d) === null ? (d.start.shape.at(-1) ?? 1) : sizeOf(d.start.shape);
}

/** The weighted sums, with their bias. */
function sumsOf(d: Draft): Tensor {
  const [, ...rest] = d.nodes;
  return (
    rest.find((t) => t.op === 'add' && t.inputs.some((x) => bare(x) === d.start) && t.inputs.some((x) => biasOf(x) !== null)) ?? d.start
  );
}

/** What others see of a layer: of a product its last tensor of full width, of a mix the last that is used. */
function shownOf(d: Draft): Tensor {
  if (d.kind === 'input') return d.start;
  const used = [...d.used].sort((a, b) => a.id - b.id);
  if (d.kind === 'mix') return used.at(-1) ?? d.nodes.at(-1) ?? d.start;
  const wide = used.filter((t) => sizeOf(t.shape) === sizeOf(d.start.shape));
  if (wide.length > 0) return wide.at(-1) ?? d.start;
  let at = sumsOf(d);
  for (const t of d.nodes) if (isUnary(t.op) && t.inputs[0] !== undefined && bare(t.inputs[0]) === bare(at)) at = t;
  return at;
}

/** Where the numbers of `t` stand in `whole`; inexact: they are not simply some of them. */
function within(t: Tensor, whole: Tensor): { readonly offset: number; readonly count: number; readonly exact: boolean } {
  const size = sizeOf(whole.shape);
  let at = t;
  let offset = 0;
  const count = sizeOf(t.shape);
  while (bare(at) !== bare(whole)) {
    const numberwise = at.op === 'slice' || at.op === 'reshape' || isUnary(at.op) || isBinary(at.op);
    const [next, ...others] = numberwise ? at.inputs.filter((x) => x.op !== 'const' && x.op !== 'broadcast') : [];
    if (next === undefined || others.length > 0) return { offset: 0, count: Math.min(count, size), exact: count === size };
    if (at.op === 'slice') offset += at.attrs.begin.at(-1) ?? 0;
    at = next;
  }
  return { offset, count, exact: true };
}

/** Layers of the outputs of a program at one row; see the top. */
export function layersOf(outputs: ReadonlyMap<OutputName, Tensor>): FoundLayers {
  return new Finder(outputs).find();
}
