/** The kernel module, instantiated: the exports of kernels/assembly with their signatures. Addresses and strides are in bytes. */
import { inflateModule } from '#contract/kit/inflate-module.ts';
import { kernelBytes } from '../kernels/module.ts';

export type UnaryKernel = (out: number, x: number, sx: number, rows: number, columns: number) => void;
export type BinaryKernel = (out: number, a: number, sa: number, b: number, sb: number, rows: number, columns: number) => void;
export type UnaryName =
  | 'abs'
  | 'copy'
  | 'cos'
  | 'elu'
  | 'exp'
  | 'gelu'
  | 'log'
  | 'neg'
  | 'relu'
  | 'sigmoid'
  | 'sign'
  | 'sin'
  | 'softplus'
  | 'sqrt'
  | 'square'
  | 'tanh';
type AnyBinary = 'add' | 'sub' | 'mul' | 'div' | 'min' | 'max' | 'eq' | 'lt' | 'le';
/** V: unit columns, S: one value per row. */
export type BinaryName = `${AnyBinary}VV` | `${AnyBinary}VS` | `${'sub' | 'div' | 'lt' | 'le'}SV`;

/** AssemblyScript's exports; see the assembly sources for what each computes. */
export interface Kernels extends Record<UnaryName, UnaryKernel>, Record<BinaryName, BinaryKernel> {
  fill(out: number, value: number, n: number): void;
  /** n times the number at address x. */
  spread(out: number, x: number, n: number): void;
  where(
    out: number,
    c: number,
    sc: number,
    a: number,
    sa: number,
    unitA: number,
    b: number,
    sb: number,
    unitB: number,
    rows: number,
    columns: number,
  ): void;
  tanhGrad(out: number, g: number, h: number, n: number): void;
  reluGrad(out: number, g: number, h: number, n: number): void;
  sigmoidGrad(out: number, g: number, h: number, n: number): void;
  /** act: 0 none, else ACTIVATIONS; or one of SLOPES with h in place of the bias. */
  matmul(
    out: number,
    so: number,
    a: number,
    sa: number,
    b: number,
    sb: number,
    bias: number,
    act: number,
    m: number,
    k: number,
    n: number,
  ): void;
  matmulTN(
    out: number,
    so: number,
    a: number,
    sa: number,
    d: number,
    sd: number,
    m: number,
    k: number,
    n: number,
    accumulate: number,
  ): void;
  /** Whether the product of these rows of k numbers with n columns skips zeros: 1 or 0. */
  mostlyZero(a: number, k: number, n: number): number;
  /** matmul for some of its rows, with what mostlyZero said of the whole. */
  part(sparse: number, ...sizes: Parameters<Kernels['matmul']>): void;
  /** matmulTN for some of its rows of out. */
  partTN(sparse: number, ...sizes: Parameters<Kernels['matmulTN']>): void;
  codeRows(out: number, codes: number, sc: number, m: number, n: number, sizes: number): void;
  codeColumns(out: number, list: number, m: number, columns: number): void;
  codeOrder(out: number, bounds: number, entries: number, m: number): void;
  codeMatmul(
    out: number,
    list: number,
    order: number,
    b: number,
    sb: number,
    bias: number,
    act: number,
    x: number,
    sx: number,
    tail: number,
    m: number,
    columns: number,
    n: number,
  ): void;
  codeMatmulTN(
    out: number,
    so: number,
    list: number,
    order: number,
    d: number,
    sd: number,
    x: number,
    sx: number,
    tail: number,
    m: number,
    columns: number,
    n: number,
    accumulate: number,
  ): void;
  transpose(out: number, so: number, x: number, sx: number, rows: number, columns: number): void;
  sumRows(out: number, x: number, sx: number, rows: number, columns: number): void;
  maxRows(out: number, x: number, sx: number, rows: number, columns: number): void;
  sumColumns(out: number, x: number, sx: number, outer: number, rows: number, columns: number): void;
  maxColumns(out: number, x: number, sx: number, outer: number, rows: number, columns: number): void;
  copyStrided(out: number, x: number, table: number): void;
  gather(out: number, table: number, index: number, rows: number, width: number, tableRows: number): void;
  scatterAdd(out: number, index: number, x: number, rows: number, width: number, tableRows: number): void;
  im2col(out: number, x: number, b: number, h: number, w: number, c: number, kh: number, kw: number, stride: number, pad: number): void;
  col2im(out: number, x: number, b: number, h: number, w: number, c: number, kh: number, kw: number, stride: number, pad: number): void;
  sumSquares(to: number, g: number, n: number): void;
  /** s: address of scale, step, root, beta1, 1 - beta1, beta2, 1 - beta2, eps, l2, decay. */
  adam(p: number, g: number, m: number, v: number, n: number, s: number, adaptive: number): void;
  /** s: scale, lr, momentum, l2. */
  sgd(p: number, g: number, m: number, n: number, s: number, nesterov: number): void;
  /** s: scale, lr, decay, 1 - decay, eps, momentum. */
  rmsprop(p: number, g: number, m: number, v: number, a: number, n: number, s: number, inside: number): void;
  /** 17 KiB for a panel of a large matrix, or for partial sums: the kernels write nothing else outside of their arguments. */
  setScratch(address: number): void;
  /** 1: matrix products use tiles of 5 x 8, else 2 x 16 and 4 x 8. Same bits. */
  setTall(yes: number): void;
  /** Where the kernels' constants end; they begin at address 64. */
  heapBase(): number;
  /** tau: address of one float. */
  polyak(target: number, source: number, n: number, tau: number): void;
}

/** The first address that blocks may have; below lie the kernels' constants. */
export const FIRST_ADDRESS = 2048;

/** out = product times the slope of an activation at its output h [M, N]: the bias argument is h. Equal to those of assembly/matmul.ts. */
export const SLOPES = { tanh: 100, relu: 101 } as const;

/** Ids of activations that matmul can apply itself; equal to those of assembly/unary.ts. */
export const ACTIVATIONS: Readonly<Record<string, number>> = { tanh: 6, sigmoid: 7, relu: 8, elu: 9, softplus: 10, gelu: 11 };

interface WasmApi {
  Memory: new (d: { initial: number; maximum?: number; shared?: boolean }) => WasmMemoryObject;
  instantiate(
    bytes: Uint8Array,
    imports: { env: { memory: WasmMemoryObject } },
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
}
export interface WasmMemoryObject {
  /** A SharedArrayBuffer where the memory is shared; what is done with it here is the same for both. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The platform's WebAssembly: core compiles without DOM types, so the few parts used are declared here. */
export function wasmApi(): WasmApi {
  const api = (globalThis as unknown as { WebAssembly?: WasmApi }).WebAssembly;
  if (api === undefined) throw new Error('This browser has no WebAssembly.');
  return api;
}

/** Pages of 64 KiB that a shared memory may grow to: 2 GiB. A shared memory has to name its limit. */
export const SHARED_PAGES = 32_768;

const IMPORTS = 2;

/**
 * The module for a shared memory: the same code, with the import of its memory declared as shared (WebAssembly threads, "limits"). The
 * imports are one section, `env.memory` alone, and come before all code, so no other byte changes. Throws if they are anything else.
 */
export function forSharedMemory(bytes: Uint8Array): Uint8Array {
  const uleb = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...uleb(value >>> 7)]);
  const header = 8;
  let at = header;
  while (at < bytes.length && bytes[at] !== IMPORTS) {
    let size = 0;
    let read = at + 1;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[read++]!;
      size |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    at = read + size;
  }
  const size = bytes[at + 1]!;
  const section = bytes.subarray(at + 2, at + 2 + size);
  // one import, "env" "memory", kind 2 (memory), flags 0 (no maximum), least number of pages
  const expected = [1, 3, ...[...'env'].map((c) => c.charCodeAt(0)), 6, ...[...'memory'].map((c) => c.charCodeAt(0)), 2, 0, 1];
  if (size !== expected.length || expected.some((byte, i) => section[i] !== byte))
    throw new Error('The kernels import something other than one memory.');
  const shared = [...expected.slice(0, -2), 3, 1, ...uleb(SHARED_PAGES)];
  return Uint8Array.from([...bytes.subarray(0, at), IMPORTS, ...uleb(shared.length), ...shared, ...bytes.subarray(at + 2 + size)]);
}

/** Whether threads may write to this memory. */
export const isShared = (memory: WasmMemoryObject): boolean =>
  typeof SharedArrayBuffer !== 'undefined' && (memory.buffer as unknown) instanceof SharedArrayBuffer;

let inflated: Promise<Uint8Array> | null = null;

/** The module's bytes, inflated once a process: every engine instantiates them again. */
export function moduleBytes(): Promise<Uint8Array> {
  inflated ??= inflateModule(kernelBytes);
  return inflated;
}

export async function instantiateKernels(memory: WasmMemoryObject): Promise<Kernels> {
  const bytes = await moduleBytes();
  const { instance } = await wasmApi().instantiate(isShared(memory) ? forSharedMemory(bytes) : bytes, { env: { memory } });
  const kernels = instance.exports as unknown as Kernels;
  if (kernels.heapBase() > FIRST_ADDRESS) throw new Error('The kernels keep more constants than the memory plan leaves room for.');
  return kernels;
}
