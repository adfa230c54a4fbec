/**
 * The engine's public face. An algorithm writes networks and loss once, in tensor expressions over symbolic nodes with
 * static shapes; `engine.compile` plans memory once and gives typed views to feed and fetch, and a `run()`.
 *
 *   const engine = await createEngine('wasm');
 *   const net = engine.group('policy');                     // a block of parameters
 *   const w = net.param('w', [4, 2], orthogonal(rng, 4, 2, 0.01));
 *   const act = engine.compile({ obs: [8, 4] }, ({ obs }, g) => ({ logits: matmul(obs, g.read(w)) }));
 *   act.in.obs.set(observations); await act.run(); act.out.logits;
 *   const learn = engine.compile({ obs: [64, 4], mask: masked ? [64, 2] : null }, ({ obs, mask }, g) => { ...; return { loss, kl } },
 *     { minimise: 'loss', group: net, with: adam({ eps: 1e-5 }), maxGradNorm: 0.5 });
 *   learn.in.obs.set(rows); learn.in.lr[0] = 2.5e-4; await learn.run(); learn.out.loss[0];
 */
import type { ExecutorId } from '#contract/run/config.ts';
import type { EngineUsage, Saved } from '#contract/run/events.ts';
import type { KernelBody } from './kit.ts';

export type Shape = readonly number[];

/**
 * Primitives. Everything else (softmax, layerNorm, attention, GRU, ...) is composed from these in `ops.ts` and nets/.
 * unary: neg exp log sqrt abs tanh sigmoid relu elu softplus gelu sin cos square sign
 *   - elu alpha 1; gelu the tanh form; sign 0 at 0. softplus stable for large |x|.
 * binary (equal shapes after explicit broadcast): add sub mul div min max eq lt le gt ge  (comparisons give 0/1, no gradient)
 * where: inputs [cond, a, b], cond != 0
 * sum, max: attrs.axes, axes removed (max has no gradient by itself: used under stopGradient, or through amax in ops.ts)
 * matmul: [..., M, K] x [..., K, N] with equal leading axes (batched) ; attrs none (transposes are explicit nodes)
 * views: broadcast (attrs.shape), reshape, transpose (attrs.perm), slice (attrs.begin, attrs.size)
 * concat (attrs.axis), pad (attrs.begin, attrs.shape: zeros around; slice's gradient)
 * gather: inputs [table [V, D], index [M]] -> [M, D]; scatterAdd: inputs [index [M], rows [M, D]], attrs.shape [V, D] (gather's gradient)
 * im2col: inputs [x [B, H, W, C]], attrs { kh, kw, stride, pad } -> [B, OH, OW, kh*kw*C]; col2im: its gradient
 * stopGradient: identity forward
 * const: attrs.data; input: attrs.name; param: attrs.param
 */
export type Op =
  | 'const'
  | 'input'
  | 'param'
  | 'neg'
  | 'exp'
  | 'log'
  | 'sqrt'
  | 'abs'
  | 'tanh'
  | 'sigmoid'
  | 'relu'
  | 'elu'
  | 'softplus'
  | 'gelu'
  | 'sin'
  | 'cos'
  | 'square'
  | 'sign'
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'min'
  | 'max'
  | 'eq'
  | 'lt'
  | 'le'
  | 'gt'
  | 'ge'
  | 'where'
  | 'sum'
  | 'amax'
  | 'matmul'
  | 'broadcast'
  | 'reshape'
  | 'transpose'
  | 'slice'
  | 'concat'
  | 'pad'
  | 'gather'
  | 'scatterAdd'
  | 'im2col'
  | 'col2im'
  | 'stopGradient';

interface Attributes {
  readonly name: string;
  readonly data: Float32Array;
  readonly param: Param;
  readonly axes: readonly number[];
  readonly axis: number;
  readonly shape: Shape;
  readonly perm: readonly number[];
  readonly begin: readonly number[];
  readonly size: readonly number[];
  readonly kh: number;
  readonly kw: number;
  readonly stride: number;
  readonly pad: number;
}

/** Attributes by primitive; those that are not named have none. */
interface AttributeNames {
  const: 'data' | 'shape';
  input: 'name' | 'shape';
  param: 'param' | 'shape';
  sum: 'axes';
  amax: 'axes';
  broadcast: 'shape';
  reshape: 'shape';
  transpose: 'perm';
  slice: 'begin' | 'size';
  concat: 'axis';
  pad: 'begin' | 'shape';
  scatterAdd: 'shape';
  im2col: 'kh' | 'kw' | 'stride' | 'pad';
  col2im: 'kh' | 'kw' | 'stride' | 'pad' | 'shape';
}

/** The attributes of any primitive. */
export type Attrs = Partial<Attributes>;
/** The attributes of one primitive. */
export type AttrsOf<O extends Op> = O extends keyof AttributeNames ? Pick<Attributes, AttributeNames[O]> : Readonly<Record<never, never>>;
/** Attributes as the last argument, which may be left out where a primitive has none. */
export type AttrsArgument<O extends Op> = Readonly<Record<never, never>> extends AttrsOf<O> ? [attrs?: AttrsOf<O>] : [attrs: AttrsOf<O>];
/** A primitive with its attributes: testing `op` tells which there are. */
export type Operation = { [O in Op]: { readonly op: O; readonly attrs: AttrsOf<O> } }[Op];

interface Node {
  readonly id: number;
  readonly inputs: readonly Tensor[];
  readonly shape: Shape;
  readonly graph: Graph;
}

/** A symbolic value with a static shape, float32 row-major. Ids are a topological order within its graph. */
export type Tensor = Node & Operation;
/** Tensors that some primitives give. */
export type TensorOf<O extends Op> = Extract<Tensor, { readonly op: O }>;

/** One program under construction. Nodes are hash-consed, except inputs and params. */
export interface Graph {
  readonly nodes: readonly Tensor[];
  /** A named feed. Asking twice for one name gives the same node; another shape throws. */
  input(name: string, shape: Shape): Tensor;
  /** The current value of a parameter in this program. */
  read(param: Param): Tensor;
  /** What `build` makes where reading these parameters gives other tensors: networks with masked weights. */
  substitute<T>(values: ReadonlyMap<Param, Tensor>, build: () => T): T;
  constant(data: number | readonly number[] | Float32Array, shape?: Shape): Tensor;
  /** After the run, param holds this value (target copies, running statistics). */
  assign(param: Param, value: Tensor): void;
  /**
   * After the run, param holds `value` at one place of an axis, elsewhere what it held. value: the shape of param with 1 on that axis; at:
   * whole numbers below the size of the axis, of a shape that broadcasts to value's.
   */
  put(param: Param, axis: number, at: Tensor, value: Tensor): void;
}

/** A stored float32 array that programs share. `value` is a view, valid until the next compile(); write through `write`. */
export interface Param {
  readonly name: string; // unique in its group
  readonly shape: Shape;
  readonly group: ParamGroup;
}

/** Parameters that are optimised, copied and saved together; one contiguous block in the wasm executor. */
export interface ParamGroup {
  readonly name: string; // unique in its engine
  readonly params: readonly Param[];
  /** Adds a parameter; only before the first compile that uses this group. `init` is copied. */
  param(name: string, shape: Shape, init: Float32Array): Param;
}

export type Optimiser =
  | { readonly kind: 'sgd'; readonly momentum: number; readonly nesterov: boolean; readonly weightDecay: number }
  | {
      readonly kind: 'adam';
      readonly beta1: number;
      readonly beta2: number;
      readonly eps: number;
      readonly weightDecay: number;
      readonly decoupled: boolean;
    }
  | { readonly kind: 'radam'; readonly beta1: number; readonly beta2: number; readonly eps: number }
  | {
      readonly kind: 'rmsprop';
      readonly decay: number;
      readonly eps: number;
      readonly centered: boolean;
      readonly momentum: number;
      readonly epsInsideRoot: boolean;
      readonly initialAccumulator: number;
    };

/** Feeds of a program by name; null: this program does not have it (no masks, say). */
export interface InputShapes {
  readonly [name: string]: Shape | null;
}

/** What `build` gets for its declared inputs. */
export type InputsOf<S extends InputShapes> = { readonly [K in keyof S]: null extends S[K] ? Tensor | undefined : Tensor };

/** The views to feed of declared inputs. */
export type FeedsOf<S extends InputShapes> = { readonly [K in keyof S]: null extends S[K] ? Float32Array | undefined : Float32Array };

export interface Outputs {
  readonly [name: string]: Tensor;
}

/** The views to fetch of what `build` gave. */
export type FetchesOf<O extends Outputs> = { readonly [K in keyof O]: Float32Array };

export interface CompileOptions {
  /** Name of a scalar output to minimise over `group`. Adds the input `lr` [1]; after the run the output `gradNorm` [1] holds the norm before clipping. */
  readonly minimise?: string;
  readonly group?: ParamGroup;
  readonly with?: Optimiser;
  /** Global-norm clipping over the group; off if missing. */
  readonly maxGradNorm?: number;
  /** Neighbours in the group with the same answer are clipped by a norm of their own; missing: all parameters by one. */
  readonly clipApart?: (param: Param) => string;
  /** Which parameters the optimiser's weight decay acts on; missing: all. */
  readonly decays?: (param: Param) => boolean;
  /** Name for messages. */
  readonly name?: string;
}

/** Options of a program that takes an optimiser step on the scalar output `minimise`. */
export interface LearnOptions<Name extends string> extends CompileOptions {
  readonly minimise: Name;
  readonly group: ParamGroup;
  readonly with: Optimiser;
}

/** Options of a program that only computes. */
export interface ForwardOptions extends CompileOptions {
  readonly minimise?: never;
}

/** Views by name, as far as a program has them. */
export interface Views {
  readonly [name: string]: Float32Array | undefined;
}

/** `in` and `out` are stable objects of Float32Array views. On wasm they look straight into its memory; do not keep a view across compile(). */
export interface Program<In = Views, Out = Views> {
  readonly in: In;
  readonly out: Out;
  /** Executes. On wasm synchronous (returns undefined); elsewhere a promise. `read: false` leaves `out` stale: call read() when it is needed. */
  run(options?: { readonly read?: boolean }): Promise<void> | undefined;
  /** Brings `out` up to date. On wasm nothing to do. */
  read(): Promise<void> | undefined;
  /** Figures for benchmarks and tests: kernels, arena bytes, floating-point operations of its matmuls. */
  readonly stats: { readonly kernels: number; readonly arenaBytes: number; readonly flops: number };
  /** Another program from the same expressions and inputs with other outputs: some of these, or what is computed from them. It learns nothing. */
  derive(change: (outputs: Outputs) => Outputs): Program<In & Views>;
  dispose(): void;
}

/** Moves one group of parameters towards another, by the share `tau` [1]. */
export type PolyakProgram = Program<{ readonly tau: Float32Array }, Record<never, Float32Array>>;

export interface KernelOptions {
  /** For messages. */
  readonly name: string;
  readonly threads: number;
  /** What the body names: memory of this device side. The inputs are the memory "feed". */
  readonly memory: readonly Param[];
  /** Words that are given anew for every run; none if missing. */
  readonly inputs?: number;
  /** Each output NAME of this program is the memory "result NAME". */
  readonly results?: Program<Views, Views>;
  readonly body: KernelBody;
}

/** A rule that runs once per thread. */
export interface DeviceKernel {
  /** The inputs of the next run. */
  readonly in: Uint32Array;
  /** Of its WGSL. */
  readonly bytes: number;
  /** Settles once it is made; a run before waits for that and holds up everything else. */
  readonly ready: Promise<void>;
  /** Records a run; it happens in order with runs of programs. */
  run(): void;
  dispose(): void;
}

/** A canvas, of a page or of a worker. */
export interface Drawable {
  /** Pixels. */
  width: number;
  height: number;
  getContext(id: 'webgpu'): unknown;
}

/** How members are drawn. */
export interface PictureLook {
  /** Of the canvas, pixels. */
  readonly width: number;
  readonly height: number;
  /** The square that is shown: its lower corner on both axes and its side, m. */
  readonly low: number;
  readonly box: number;
  /** Length of an arrowhead, m; it never becomes too small to be seen. */
  readonly size: number;
  /** Middle of the colours' channels and how far they go to both sides, 0 to 1. */
  readonly ink: readonly [middle: number, swing: number];
  /** Red, green, blue of the background, 0 to 1. */
  readonly paper: readonly [number, number, number];
}

export interface Picture {
  /** Draws them as they are after all that was recorded. Throws LabError('gpu-lost'). */
  draw(look: PictureLook): void;
}

/** What an engine on a graphics device offers beside programs: memory that stays there, and kernels over it. */
export interface DeviceSide {
  /** Zeros at first. A program reads and assigns it as a parameter; kernels know it by its name. Neither saved nor hashed. */
  memory(name: string, shape: Shape): Param;
  kernel(options: KernelOptions): DeviceKernel;
  /** Of members [N, 4]: place x, y and a vector along which they look. Throws Error where the canvas cannot be drawn on. */
  picture(canvas: Drawable, members: Param): Picture;
  /** Floats or words, as many as the memory has. */
  write(memory: Param, data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): void;
  /** A copy, after everything that was recorded; words are its bits. */
  read(memory: Param): Promise<Float32Array>;
}

export interface Engine {
  /** What was sent to a graphics device so far; missing where there is none. */
  readonly counts?: { readonly dispatches: number; readonly submits: number };
  /** Only where there is a graphics device that takes kernels of our own. */
  readonly device?: DeviceSide;
  readonly executor: Exclude<ExecutorId, 'auto'>;
  /** Exact: same bits everywhere. */
  readonly exact: boolean;
  group(name: string): ParamGroup;
  /** A program with these inputs; those that `build` leaves unused can be fed all the same. Throws Error if it uses one that is not declared. */
  compile<const S extends InputShapes, O extends Outputs>(
    inputs: S,
    build: (inputs: InputsOf<S>, g: Graph) => O,
    options: LearnOptions<NoInfer<keyof O & string>>,
  ): Program<FeedsOf<S> & { readonly lr: Float32Array }, FetchesOf<O> & { readonly gradNorm: Float32Array }>;
  compile<const S extends InputShapes, O extends Outputs>(
    inputs: S,
    build: (inputs: InputsOf<S>, g: Graph) => O,
    options?: ForwardOptions,
  ): Program<FeedsOf<S>, FetchesOf<O>>;
  /** The same with inputs that are named where they are used, by `g.input`: their names are not checked. */
  compile<O extends Outputs>(
    build: (g: Graph) => O,
    options?: CompileOptions,
  ): Program<{ readonly [name: string]: Float32Array }, FetchesOf<O> & { readonly [name: string]: Float32Array }>;
  /** A program that sets target <- (1 - tau) target + tau source for every parameter of equal name; tau is the input `tau` [1]. */
  polyak(target: ParamGroup, source: ParamGroup): PolyakProgram;
  read(param: Param): Float32Array | Promise<Float32Array>; // a copy
  write(param: Param, data: Float32Array): void;
  /** Parameters and optimiser state of every group, copies. */
  save(): Saved | Promise<Saved>;
  /** Throws LabError('file-invalid') if names or sizes differ. */
  load(saved: Saved): void;
  /** Hash of all parameters (not optimiser state), NaN canonicalised: FNV-1a 64 over the bytes in group and name order, 16 hex digits. */
  hash(): string | Promise<string>;
  /** Memory taken so far (the GPU's where it computes there), and parameters and slots of their optimisers. */
  usage(): EngineUsage;
  dispose(): void;
}
