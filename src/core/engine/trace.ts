/**
 * One program, traced: what `compile(build, options)` means before any executor is involved. Builds the graph, adds the
 * gradient of the loss if one is to be minimised, and keeps only the nodes that something needs.
 * Throws Error if the loss is missing or not one number, or if options contradict each other.
 */
import { gradients } from './autodiff.ts';
import { type Assign, builderOf, createGraph, type Put, reachable } from './graph.ts';
import { eq, iota, reshape, where } from './ops.ts';
import { sizeOf } from './shapes.ts';
import type { CompileOptions, Engine, Graph, InputShapes, Outputs, Param, ParamGroup, Program, Tensor } from './types.ts';

export type Build = (g: Graph) => Outputs;

/**
 * `build` with declared inputs as one that names them itself. An input becomes a node when it is first used, so that a program is the
 * same however its inputs are declared; those left unused are added at the end. Throws Error if an input is used that is not declared.
 */
function withInputs(
  shapes: InputShapes,
  build: (inputs: { readonly [name: string]: Tensor | undefined }, g: Graph) => Outputs,
  name = 'program',
): Build {
  return (g) => {
    const inputs = {};
    for (const [key, shape] of Object.entries(shapes))
      Object.defineProperty(inputs, key, { enumerable: true, get: () => (shape === null ? undefined : g.input(key, shape)) });
    const outputs = build(inputs, g);
    for (const key of builderOf(g).inputs.keys())
      if ((shapes[key] ?? null) === null) throw new Error(`${name}: the input "${key}" is not declared`);
    for (const [key, shape] of Object.entries(shapes)) if (shape !== null) g.input(key, shape);
    return outputs;
  };
}

/** An engine's `compile`, in all its forms, from what compiles one function of a graph. */
export function compileWith(compile: (build: Build, options: CompileOptions) => Program): Engine['compile'] {
  const either = (
    first: Build | InputShapes,
    second?: CompileOptions | Parameters<typeof withInputs>[1],
    third?: CompileOptions,
  ): Program => {
    if (typeof first === 'function') return compile(first, typeof second === 'object' ? second : {});
    if (typeof second !== 'function') throw new Error('compile: a function from inputs to outputs is missing');
    return compile(withInputs(first, second, third?.name), third ?? {});
  };
  return either as Engine['compile'];
}

export interface Trace {
  readonly outputs: ReadonlyMap<string, Tensor>;
  /** In order of first use; feeds that no output depends on are kept, so that writing them is no error. */
  readonly inputs: ReadonlyMap<string, Tensor>;
  readonly assigns: readonly Assign[];
  /** Empty unless they were asked for: assignments of whole parameters stand for them. */
  readonly puts: readonly Put[];
  /** Gradient of the loss by every parameter of the group, in the group's order; undefined where the loss does not depend on it. */
  readonly gradients: ReadonlyMap<Param, Tensor | undefined>;
  /** Live nodes in topological order, inputs and parameters among them. */
  readonly nodes: readonly Tensor[];
}

/** Groups whose parameters a program reads, assigns or trains. */
export const groupsOf = ({ nodes, assigns, puts }: Trace, options: CompileOptions): ReadonlySet<ParamGroup> =>
  new Set([
    ...nodes.flatMap((t) => (t.op === 'param' ? [t.attrs.param.group] : [])),
    ...[...assigns, ...puts].map((a) => a.param.group),
    ...(options.group === undefined ? [] : [options.group]),
  ]);

/** `inPlace`: the executor writes single places of a parameter. */
export function trace(build: Build, options: CompileOptions = {}, inPlace = false): Trace {
  const graph = createGraph();
  const outputs = new Map(Object.entries(build(graph)));
  const name = options.name ?? 'program';
  for (const [key, t] of outputs) if (t.graph !== graph) throw new Error(`${name}: output "${key}" belongs to another program`);
  const grads = new Map<Param, Tensor | undefined>();
  if (options.minimise !== undefined) {
    const loss = outputs.get(options.minimise);
    if (loss === undefined) throw new Error(`${name}: there is no output "${options.minimise}" to minimise`);
    if (sizeOf(loss.shape) !== 1) throw new Error(`${name}: the loss has the shape [${loss.shape}], not one number`);
    if (options.group === undefined || options.with === undefined)
      throw new Error(`${name}: minimising needs a parameter group and an optimiser`);
    if (outputs.has('gradNorm')) throw new Error(`${name}: the output name "gradNorm" is reserved when minimising`);
    if (graph.inputs.has('lr')) throw new Error(`${name}: the input name "lr" is reserved when minimising`);
    const used = options.group.params.flatMap((param) => {
      const node = graph.params.get(param);
      return node === undefined ? [] : [{ param, node }];
    });
    const found = gradients(
      loss,
      used.map(({ node }) => node),
    );
    for (const p of options.group.params) grads.set(p, undefined);
    used.forEach(({ param }, i) => {
      grads.set(param, found[i]);
    });
  }
  const puts = inPlace ? graph.puts : [];
  const assigns = inPlace ? graph.assigns : [...graph.assigns, ...graph.puts.map((put) => wholly(graph, put))];
  const roots = [
    ...outputs.values(),
    ...assigns.map((a) => a.value),
    ...puts.flatMap((p) => [p.at, p.value]),
    ...[...grads.values()].filter((t) => t !== undefined),
  ];
  return { outputs, inputs: graph.inputs, assigns, puts, gradients: grads, nodes: reachable(roots) };
}

/** The parameter as it is afterwards. */
function wholly(g: Graph, { param, axis, at, value }: Put): Assign {
  const n = param.shape[axis]!;
  const places = reshape(iota(g, n), [n, ...param.shape.slice(axis + 1).map(() => 1)]);
  return { param, value: where(eq(at, places), value, g.read(param)) };
}
