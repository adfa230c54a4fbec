/**
 * Kernels of our own beside compiled programs: a rule over a kit (engine/kit.ts), one thread after the other, on memory that stays on the
 * device. They are recorded like programs and run in the order in which they were asked for, in the same submit.
 */

import type { KernelBody } from '../kit.ts';
import { sizeOf } from '../shapes.ts';
import type { DeviceKernel, KernelOptions, Param, ParamGroup, Shape } from '../types.ts';
import type { Range } from './compile.ts';
import { functionsFor } from './functions.ts';
import { type Shared, WebgpuProgram } from './program.ts';
import { KERNEL_BUFFERS, type MemoryPlace, wgslKit } from './wgsl-kit.ts';

/** Operations of a rule, about: what a step of a world takes. */
const WORK_OF_THREAD = 1000;
/** Threads of a workgroup. */
const THREADS = 64;
const BINDINGS: { readonly [buffer in MemoryPlace['buffer']]: readonly [binding: number, access: string] } = {
  params: [1, 'read_write'],
  feed: [2, 'read'],
  out: [4, 'read_write'],
};

/** Memory of kernels as parameters, so that programs read and assign it; it is neither saved nor hashed. */
export class Workspace {
  readonly group: ParamGroup;
  private readonly params: Param[] = [];
  private readonly places = new Map<Param, number>();
  private readonly allocate: (floats: number) => number;

  constructor(allocate: (floats: number) => number) {
    this.allocate = allocate;
    this.group = {
      name: ' device memory',
      params: this.params,
      param: () => {
        throw new Error('device memory is made by memory()');
      },
    };
  }
  memory(name: string, shape: Shape): Param {
    const param: Param = { name, shape: [...shape], group: this.group };
    this.params.push(param);
    return param;
  }
  layOut(): void {
    for (const param of this.params) this.placeOf(param);
  }
  /** Given at the first use: after the groups that are saved, which so lie close together. */
  placeOf(param: Param): number {
    let at = this.places.get(param);
    if (at === undefined) {
      at = this.allocate(sizeOf(param.shape));
      this.places.set(param, at);
    }
    return at;
  }
}

/** The text of a kernel. `body` is emitted once, for every thread below `threads`. */
export function kernelShader(threads: number, placeOf: (memory: string) => MemoryPlace, body: KernelBody): string {
  const kit = wgslKit(placeOf);
  body(kit, 'thread');
  const { text } = kit;
  const buffers = KERNEL_BUFFERS.map((name) => {
    const [binding, access] = BINDINGS[name];
    return `@group(0) @binding(${binding}) var<storage, ${access}> ${name}: array<u32>;`;
  });
  return `${buffers.join('\n')}
override first: u32 = 0u;
${functionsFor(text)}
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) t: u32) {
let thread = (first + id.y * count.x + id.x) * ${THREADS}u + t;
if (thread >= ${threads}u) { return; }
${text}
}`;
}

const nothing = (): void => undefined;

/** Throws Error for a memory that two have the same name of, or that the body asks for and that is not given. */
export function createKernel(shared: Shared, workspace: Workspace, options: KernelOptions): DeviceKernel {
  const { name, threads, memory, inputs = 0, results } = options;
  const places = new Map<string, MemoryPlace>([['feed', { buffer: 'feed', offset: 0 }]]);
  const add = (key: string, place: MemoryPlace): void => {
    if (places.has(key)) throw new Error(`kernel "${name}": there are two memories "${key}"`);
    places.set(key, place);
  };
  for (const param of memory) add(param.name, { buffer: 'params', offset: workspace.placeOf(param) });
  if (results !== undefined && !(results instanceof WebgpuProgram))
    throw new Error(`kernel "${name}": these results are not on its device`);
  for (const [key, { offset }] of results?.places ?? []) add(`result ${key}`, { buffer: 'out', offset });
  const code = kernelShader(
    threads,
    (key) => {
      const place = places.get(key);
      if (place === undefined) throw new Error(`kernel "${name}": there is no memory "${key}"`);
      return place;
    },
    options.body,
  );
  const feed = new Map<string, Range>(inputs === 0 ? [] : [['words', { offset: 0, floats: inputs }]]);
  const program = new WebgpuProgram(
    shared,
    {
      shaders: [{ code, groups: Math.ceil(threads / THREADS), parts: 1, work: threads * WORK_OF_THREAD }],
      feed,
      feedFloats: inputs,
      scalars: undefined,
      out: new Map(),
      outFloats: 0,
      fixed: new Float32Array(0),
      arenaFloats: 0,
      flops: 0,
    },
    nothing,
    () => {
      throw new Error('a kernel has no expressions');
    },
    name,
    results,
  );
  const given = program.in.words;
  const words = given === undefined ? new Uint32Array(0) : new Uint32Array(given.buffer, given.byteOffset, given.length);
  return { in: words, bytes: code.length, ready: program.ready, run: () => program.record(), dispose: () => program.dispose() };
}
