/**
 * The graph of one program: append-only nodes, hash-consed (common subexpressions are found while building; inputs and
 * parameters never merge), simplified on construction. Node ids are their positions in `nodes` and a topological order.
 * Executors read `nodes`, `inputs`, `params` and `assigns`; see `trace.ts` for the whole of one program.
 * Throws Error naming operation and shapes if something does not fit.
 */
import { inferShape, sameShape, showShape, sizeOf } from './shapes.ts';
import { type Maker, simplify } from './simplify.ts';
import type { Attrs, AttrsArgument, Graph, Op, Operation, Param, Shape, Tensor } from './types.ts';

export interface Assign {
  readonly param: Param;
  readonly value: Tensor;
}

/** See `Graph.put`; `at` is of the shape of `value`. */
export interface Put extends Assign {
  readonly axis: number;
  readonly at: Tensor;
}

/** A graph that can be added to by primitive, and read by executors. */
export interface TracedGraph extends Graph, Maker {
  /** One primitive, checked and simplified. Equal operands are the caller's business: see ops.ts. */
  make<O extends Op>(op: O, inputs: readonly Tensor[], ...attrs: AttrsArgument<O>): Tensor;
  readonly inputs: ReadonlyMap<string, Tensor>;
  readonly params: ReadonlyMap<Param, Tensor>;
  readonly assigns: readonly Assign[];
  readonly puts: readonly Put[];
}

const COMMUTATIVE: ReadonlySet<Op> = new Set<Op>(['add', 'mul', 'eq']);
/** Larger constants are not compared, only added. */
const MAX_CONSED_CONSTANT = 4096;

/** Everything in attrs that makes two nodes different, as text. */
function attrsKey(a: Attrs): string {
  let key = '';
  if (a.axes !== undefined) key += `x${a.axes}`;
  if (a.axis !== undefined) key += `a${a.axis}`;
  if (a.shape !== undefined) key += `s${a.shape}`;
  if (a.perm !== undefined) key += `p${a.perm}`;
  if (a.begin !== undefined) key += `b${a.begin}`;
  if (a.size !== undefined) key += `z${a.size}`;
  if (a.kh !== undefined) key += `k${a.kh},${a.kw},${a.stride},${a.pad}`;
  return key;
}

class GraphBuilder implements TracedGraph {
  readonly nodes: Tensor[] = [];
  readonly inputs = new Map<string, Tensor>();
  readonly params = new Map<Param, Tensor>();
  readonly assigns: Assign[] = [];
  readonly puts: Put[] = [];
  private readonly known = new Map<string, Tensor>();
  private instead: ReadonlyMap<Param, Tensor> | null = null;

  make<O extends Op>(op: O, inputs: readonly Tensor[], ...attrs: AttrsArgument<O>): Tensor;
  make(op: Op, inputs: readonly Tensor[], attrs: Attrs = {}): Tensor {
    const operation = { op, attrs } as Operation;
    for (const t of inputs) if (t.graph !== this) throw new Error(`${op}: an operand belongs to another program`);
    const shapes = inputs.map((t) => t.shape);
    const shape = inferShape(operation, shapes);
    const simpler = simplify(this, operation, inputs);
    if (simpler !== undefined) return simpler;
    const ids = inputs.map((t) => t.id);
    const key = `${op}(${ids})${attrsKey(attrs)}`;
    const found = this.known.get(key) ?? (COMMUTATIVE.has(op) ? this.known.get(`${op}(${ids[1]},${ids[0]})`) : undefined);
    if (found !== undefined) return found;
    const node = this.append(operation, inputs, shape);
    this.known.set(key, node);
    return node;
  }

  input(name: string, shape: Shape): Tensor {
    const found = this.inputs.get(name);
    if (found !== undefined) {
      if (!sameShape(found.shape, shape))
        throw new Error(`input "${name}" has the shape ${showShape(found.shape)} already, not ${showShape(shape)}`);
      return found;
    }
    const operation: Operation = { op: 'input', attrs: { name, shape: [...shape] } };
    const node = this.append(operation, [], inferShape(operation, []));
    this.inputs.set(name, node);
    return node;
  }

  substitute<T>(values: ReadonlyMap<Param, Tensor>, build: () => T): T {
    const before = this.instead;
    this.instead = values;
    try {
      return build();
    } finally {
      this.instead = before;
    }
  }

  read(param: Param): Tensor {
    const other = this.instead?.get(param);
    if (other !== undefined) return other;
    const found = this.params.get(param);
    if (found !== undefined) return found;
    const node = this.append({ op: 'param', attrs: { param, shape: param.shape } }, [], param.shape);
    this.params.set(param, node);
    return node;
  }

  constant(data: number | readonly number[] | Float32Array, shape?: Shape): Tensor {
    if (typeof data === 'number') {
      const scalar = this.literal(Float32Array.of(data), []);
      return shape === undefined || shape.length === 0 ? scalar : this.make('broadcast', [scalar], { shape });
    }
    const to = shape ?? [data.length];
    if (sizeOf(to) !== data.length) throw new Error(`constant: ${data.length} numbers do not fill ${showShape(to)}`);
    return this.literal(Float32Array.from(data), [...to]);
  }

  assign(param: Param, value: Tensor): void {
    this.fits(param, value, param.shape);
    this.assigns.push({ param, value });
  }

  put(param: Param, axis: number, at: Tensor, value: Tensor): void {
    const shape = param.shape.with(axis, 1);
    this.fits(param, value, shape);
    this.puts.push({ param, axis, at: this.make('broadcast', [at], { shape }), value });
  }

  private fits(param: Param, value: Tensor, shape: Shape): void {
    const of = `assign: "${param.name}"`;
    if (value.graph !== this) throw new Error(`${of} gets a value of another program`);
    if (!sameShape(shape, value.shape)) throw new Error(`${of} is ${showShape(shape)}, the value ${showShape(value.shape)}`);
    if ([...this.assigns, ...this.puts].some((a) => a.param === param)) throw new Error(`${of} is assigned twice`);
  }

  private literal(data: Float32Array, shape: Shape): Tensor {
    const operation: Operation = { op: 'const', attrs: { data, shape } };
    inferShape(operation, []);
    if (data.length > MAX_CONSED_CONSTANT) return this.append(operation, [], shape);
    // By bits: 0 and -0 differ, NaN equals itself.
    const key = `const${shape}:${new Uint32Array(data.buffer)}`;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const node = this.append(operation, [], shape);
    this.known.set(key, node);
    return node;
  }

  private append({ op, attrs }: Operation, inputs: readonly Tensor[], shape: Shape): Tensor {
    const node = { id: this.nodes.length, op, inputs, shape, attrs, graph: this } as Tensor;
    this.nodes.push(node);
    return node;
  }
}

export function createGraph(): TracedGraph {
  return new GraphBuilder();
}

/** The builder behind a tensor's graph. */
export function builderOf(graph: Graph): TracedGraph {
  if (graph instanceof GraphBuilder) return graph;
  throw new Error('this graph was not made by createGraph');
}

/** Nodes that the given ones depend on, themselves included, in topological order. */
export function reachable(from: readonly Tensor[]): Tensor[] {
  const graph = from[0]?.graph;
  if (graph === undefined) return [];
  const wanted = new Uint8Array(graph.nodes.length);
  for (const t of from) wanted[t.id] = 1;
  for (let id = graph.nodes.length - 1; id >= 0; id--) {
    if (wanted[id] === 1) for (const input of graph.nodes[id]!.inputs) wanted[input.id] = 1;
  }
  return graph.nodes.filter((t) => wanted[t.id] === 1);
}
