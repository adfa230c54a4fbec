/**
 * From a traced program to the shaders of its dispatches and the layout of its buffers. Nothing here needs a device, so that the number
 * of dispatches can be looked at anywhere. Memory model and dispatch plan: docs/adr/0013-webgpu-executor.md.
 */
import { present } from '#contract/kit/errors.ts';
import { sizeOf } from '../shapes.ts';
import type { Trace } from '../trace.ts';
import type { CompileOptions, Param, Tensor } from '../types.ts';
import { emitApart } from './apart.ts';
import { type Block, planArena } from './arena.ts';
import { MOST_WORK } from './device.ts';
import { Emitter, type Place } from './emit.ts';
import { emitFill, emitJob } from './jobs.ts';
import { elementwise, isLeaf, type Kernel, kernelsOf, lengthOf } from './kernels.ts';
import { known } from './known.ts';
import { partialsOf, SCALARS, type StepPlaces, stepFunction, type Written, writeOptimiser } from './optimise.ts';
import { type Level, schedule } from './schedule.ts';
import { type Shader, shaderOf } from './shader.ts';

/** Floats of a buffer. */
export interface Range {
  readonly offset: number;
  readonly floats: number;
}

/** Where parameters lie in `params`, floats. */
export interface ParamLayout {
  placeOf(param: Param): number;
  /** Of the group that is trained: its first value and its slots. */
  readonly trained: Pick<StepPlaces, 'values' | 'slots'> | undefined;
}

/** A shader that runs in so many dispatches. */
export interface Cut extends Shader {
  readonly parts: number;
  /** Operations of all of them, about. */
  readonly work: number;
}

export interface Compiled {
  readonly shaders: readonly Cut[];
  readonly feed: ReadonlyMap<string, Range>;
  readonly feedFloats: number;
  /** Of `feed`; undefined if nothing is trained. */
  readonly scalars: number | undefined;
  readonly out: ReadonlyMap<string, Range>;
  readonly outFloats: number;
  readonly fixed: Float32Array<ArrayBuffer>;
  readonly arenaFloats: number;
  readonly flops: number;
}

/** Operations of one step of an optimiser on a parameter, or of a copy. */
const WORK_OF_STEP = 16;

/** Stretches of a buffer, one behind the other. */
class Layout {
  readonly ranges = new Map<string, Range>();
  floats = 0;
  add(name: string, floats: number): number {
    const offset = this.floats;
    this.ranges.set(name, { offset, floats });
    this.floats += floats;
    return offset;
  }
}

/** `barriers`: whether threads of a workgroup may wait for each other (device.ts). */
export function compileProgram(traced: Trace, options: CompileOptions, layout: ParamLayout, barriers: boolean): Compiled {
  const feed = new Layout();
  for (const [name, t] of traced.inputs) feed.add(name, sizeOf(t.shape));
  const out = new Layout();
  const sinks = new Map<Tensor, Place[]>();
  const sink = (t: Tensor, place: Place): void => {
    sinks.set(t, [...(sinks.get(t) ?? []), place]);
  };
  for (const [name, t] of traced.outputs) sink(t, { buffer: 'out', offset: out.add(name, sizeOf(t.shape)) });

  const trains = options.minimise !== undefined;
  const params = trains ? present(options.group, 'the group').params : [];
  const gradients: { readonly place: Place; readonly size: number; readonly node: Tensor | undefined }[] = [];
  let size = 0;
  for (const param of params) {
    const node = traced.gradients.get(param);
    const place: Place = { buffer: 'arena', offset: size };
    gradients.push({ place, size: sizeOf(param.shape), node });
    if (node !== undefined) sink(node, place);
    size += sizeOf(param.shape);
  }
  const assigned = traced.assigns.map(({ param, value }) => ({ param, value, place: { buffer: 'arena', offset: 0 } as Place }));
  for (const { value, place } of assigned) sink(value, place);
  const puts = traced.puts.map((put) => ({
    ...put,
    to: { buffer: 'arena', offset: 0 } as Place,
    from: { buffer: 'arena', offset: 0 } as Place,
  }));
  for (const { at, value, to, from } of puts) {
    sink(at, to);
    sink(value, from);
  }

  const kernels = kernelsOf(traced.nodes, sinks);
  const levels = schedule(kernels, barriers);
  const levelOf = new Map<Kernel, number>(levels.flatMap((jobs, i) => jobs.flatMap((job) => job.kernels.map((k) => [k, i] as const))));
  const end = levels.length + 3;
  const lastUse = new Map<Tensor, number>();
  for (const k of kernels) for (const t of k.reads.keys()) lastUse.set(t, Math.max(lastUse.get(t) ?? 0, known(levelOf, k)));

  // Blocks of the arena.
  const blocks: Block[] = [];
  const reserve = (floats: number, first: number, last: number): Block => {
    const block = { floats, first, last, offset: 0 };
    blocks.push(block);
    return block;
  };
  const places = new Map<Kernel, readonly Place[]>();
  const moved: { readonly place: Place; readonly block: Block }[] = [];
  const copies: typeof assigned = [];
  const kernelOf = (value: Tensor, what: string): Kernel =>
    present(
      kernels.find((k) => k.root === value),
      what,
    );
  for (const { at, value, to, from } of puts)
    for (const [node, place] of [
      [at, to],
      [value, from],
    ] as const)
      moved.push({ place, block: reserve(sizeOf(node.shape), known(levelOf, kernelOf(node, 'the kernel of what is put')), end) });
  for (const one of assigned) {
    const kernel = kernelOf(one.value, 'the kernel of an assigned value');
    // What the optimiser writes is overwritten afterwards.
    if (!trains && canWriteInPlace(one.param, kernel, kernels, levelOf)) {
      Object.assign(one.place, { buffer: 'params', offset: layout.placeOf(one.param) });
      continue;
    }
    moved.push({ place: one.place, block: reserve(sizeOf(one.param.shape), known(levelOf, kernel), end) });
    copies.push(one);
  }
  for (const kernel of kernels) {
    if (kernel.places.length > 0) {
      places.set(kernel, kernel.places);
      continue;
    }
    const level = known(levelOf, kernel);
    const place: Place = { buffer: 'arena', offset: 0 };
    moved.push({ place, block: reserve(sizeOf(kernel.root.shape), level, lastUse.get(kernel.root) ?? level) });
    places.set(kernel, [place]);
  }
  const gradientBlock = reserve(size, 0, end);
  const partialBlock = reserve(trains ? partialsOf(params) : 0, 0, end);
  const arenaFloats = planArena(blocks);
  for (const { place, block } of moved) place.offset = block.offset;
  for (const { place } of gradients) place.offset += gradientBlock.offset;

  // Constants.
  const fixed: number[] = [];
  const constants = new Map<Tensor, number>();
  for (const t of traced.nodes) {
    if (t.op !== 'const' || (t.attrs.data.length === 1 && Number.isFinite(t.attrs.data[0]))) continue;
    constants.set(t, fixed.length);
    for (const x of t.attrs.data) fixed.push(x);
  }

  const storedAt = new Map<Tensor, Place>(kernels.flatMap((k) => (isLeaf(k.root) ? [] : [[k.root, known(places, k)[0]!] as const])));
  const placeOf = (t: Tensor): Place | undefined => {
    if (t.op === 'input') return { buffer: 'feed', offset: known(feed.ranges, t.attrs.name).offset };
    if (t.op === 'param') return { buffer: 'params', offset: layout.placeOf(t.attrs.param) };
    if (t.op === 'const') return { buffer: 'fixed', offset: present(constants.get(t), 'the place of a constant') };
    return storedAt.get(t);
  };
  const placesOf = (kernel: Kernel): readonly Place[] => known(places, kernel);
  const write = (body: (e: Emitter) => number): Written => {
    const e = new Emitter(placeOf);
    const groups = body(e);
    return { body: e.text, groups };
  };
  const jobsOf = (level: Level): Written[] => level.map((job) => write((e) => (barriers ? emitJob : emitApart)({ e, placesOf }, job)));
  const shaders: Cut[] = [];
  for (const level of levels) {
    const work = level.flatMap((job) => job.kernels).reduce((sum, k) => sum + k.work, 0);
    const jobs = jobsOf(level);
    if (shaders.length === 0)
      for (const { place, node, size: floats } of gradients) if (node === undefined) jobs.push(write((e) => emitFill(e, place, floats, 0)));
    const shader = shaderOf(jobs);
    shaders.push({ ...shader, work, parts: Math.max(1, Math.min(shader.groups, Math.ceil(work / MOST_WORK))) });
  }

  let scalars: number | undefined;
  if (trains) {
    scalars = feed.add(' scalars', SCALARS);
    const optimiser = present(options.with, 'the optimiser');
    const at: StepPlaces = {
      ...present(layout.trained, 'the layout of the trained group'),
      gradients: gradientBlock.offset,
      partials: partialBlock.offset,
      gradNorm: out.add('gradNorm', 1),
      scalars,
    };
    const { norms, steps } = writeOptimiser(params, options, at, barriers);
    const rest = { parts: 1, work: size * WORK_OF_STEP };
    shaders.push({ ...shaderOf(norms), ...rest }, { ...shaderOf(steps, stepFunction(optimiser, at)), ...rest });
  }
  if (copies.length + puts.length > 0) {
    const whole = copies.map(({ param, place }) =>
      write((e) => {
        const i = e.let('wg * 256u + t');
        const n = sizeOf(param.shape);
        e.block(`if (${i} < ${n}u)`, () => e.line(`params[${layout.placeOf(param)}u + ${i}] = ${place.buffer}[${place.offset}u + ${i}];`));
        return Math.ceil(n / 256);
      }),
    );
    const single = puts.map(({ param, axis, value, to, from }) =>
      write((e) => {
        const i = e.let('wg * 256u + t');
        const n = sizeOf(value.shape);
        e.block(`if (${i} < ${n}u)`, () => {
          const at = e.let(`u32(${to.buffer}[${to.offset}u + ${i}])`);
          const parts = e.parts({ shape: value.shape, flat: i }).map((part, d) => (d === axis ? at : part));
          const place = e.flat({ shape: param.shape, parts });
          e.line(`params[${layout.placeOf(param)}u + ${place}] = ${from.buffer}[${from.offset}u + ${i}];`);
        });
        return Math.ceil(n / 256);
      }),
    );
    const work = [...copies.map(({ param }) => param), ...puts.map(({ value }) => value)].reduce(
      (sum, { shape }) => sum + sizeOf(shape),
      0,
    );
    shaders.push({ ...shaderOf([...whole, ...single]), parts: 1, work });
  }
  const flops = kernels.flatMap((k) => k.sums).reduce((sum, s) => (s.op === 'matmul' ? sum + 2 * sizeOf(s.shape) * lengthOf(s) : sum), 0);
  feed.ranges.delete(' scalars');
  return {
    shaders,
    feed: feed.ranges,
    feedFloats: feed.floats,
    scalars,
    out: out.ranges,
    outFloats: out.floats,
    fixed: Float32Array.from(fixed),
    arenaFloats,
    flops,
  };
}

/**
 * Whether a new value may replace its parameter at once: what reads the old one has read it in an earlier dispatch, or is this very
 * kernel, each element for itself.
 */
function canWriteInPlace(param: Param, kernel: Kernel, kernels: readonly Kernel[], levelOf: ReadonlyMap<Kernel, number>): boolean {
  const level = known(levelOf, kernel);
  for (const k of kernels) {
    const node = [...k.reads.keys()].find((t) => t.op === 'param' && t.attrs.param === param);
    if (node === undefined || known(levelOf, k) < level) continue;
    if (k !== kernel || !pointwise(kernel, node)) return false;
  }
  return true;
}

/** Whether an element of the kernel's result needs no element of `leaf` but the same. */
function pointwise({ root, reads }: Kernel, leaf: Tensor): boolean {
  const touches = (t: Tensor): boolean => t === leaf || ((t === root || !reads.has(t)) && t.inputs.some(touches));
  const check = (t: Tensor): boolean => t === leaf || !touches(t) || (elementwise(t) && t.inputs.every(check));
  return check(root);
}
