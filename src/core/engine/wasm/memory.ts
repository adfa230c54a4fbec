/**
 * One linear memory and what lives where. Blocks are 64-byte aligned with at least 16 spare bytes behind them (kernels may load
 * past a row's end). Growing detaches every view, so it happens in `allocate` only, which compile() calls and run() never does;
 * holders of views rebuild them in `onGrow`.
 */
import { FIRST_ADDRESS, instantiateKernels, type Kernels, SHARED_PAGES, type WasmMemoryObject, wasmApi } from './kernels.ts';
import type { Products, ThreadHost, Threads } from './threads.ts';

const PAGE = 65536;
/** Multiplications and additions from which a product is worth dividing: some 40 microseconds of one core. From a quarter of it on, PPO at 64-64 lost a tenth. */
export const WORTH = 1 << 20;

interface Gap {
  from: number;
  to: number;
}

export class Memory {
  readonly object: WasmMemoryObject;
  /** The whole memory, rebuilt after growth: always read through this field. */
  f32: Float32Array;
  i32: Int32Array;
  private top: number;
  private readonly poison: boolean;
  private readonly gaps: Gap[] = [];
  private readonly listeners = new Set<() => void>();

  /**
   * poison: everything that no block promises to be zero is NaN, so that a kernel that uses it is found out. For tests.
   * shared: several threads compute in it. Throws a RangeError where the browser has no room for one that may grow to SHARED_PAGES.
   */
  constructor(pages = 32, poison = false, shared = false) {
    this.poison = poison;
    this.object = new (wasmApi().Memory)(shared ? { initial: pages, maximum: SHARED_PAGES, shared } : { initial: pages });
    this.f32 = new Float32Array(this.object.buffer);
    this.i32 = new Int32Array(this.object.buffer);
    this.top = FIRST_ADDRESS;
  }

  get pages(): number {
    return this.object.buffer.byteLength / PAGE;
  }

  onGrow(rebuild: () => void): () => void {
    this.listeners.add(rebuild);
    return () => this.listeners.delete(rebuild);
  }

  /** Bytes that a request of `bytes` takes up. */
  static footprint(bytes: number): number {
    return (bytes + 16 + 63) & ~63;
  }

  /** A zeroed block; the address. First fit among freed blocks, else at the end. */
  allocate(bytes: number): number {
    const need = Memory.footprint(bytes);
    const gap = this.gaps.find((g) => g.to - g.from >= need);
    let at: number;
    if (gap !== undefined) {
      at = gap.from;
      gap.from += need;
      if (gap.from === gap.to) this.gaps.splice(this.gaps.indexOf(gap), 1);
    } else {
      at = this.top;
      this.top += need;
      this.ensure(this.top + 64);
    }
    if (this.poison) this.f32.fill(Number.NaN, at >> 2, (at + need) >> 2);
    this.f32.fill(0, at >> 2, ((at + bytes) >> 2) + (this.poison ? 0 : 4));
    return at;
  }

  free(at: number, bytes: number): void {
    const gap = { from: at, to: at + Memory.footprint(bytes) };
    for (const other of [...this.gaps]) {
      if (other.to === gap.from) gap.from = other.from;
      else if (other.from === gap.to) gap.to = other.to;
      else continue;
      this.gaps.splice(this.gaps.indexOf(other), 1);
    }
    if (gap.to === this.top) this.top = gap.from;
    else this.gaps.push(gap);
  }

  view(address: number, floats: number): Float32Array {
    return new Float32Array(this.object.buffer, address, floats);
  }

  private ensure(bytes: number): void {
    const missing = Math.ceil((bytes - this.object.buffer.byteLength) / PAGE);
    if (missing <= 0) return;
    // Grow by at least a quarter: every growth costs all views.
    this.object.grow(Math.max(missing, this.pages >> 2));
    this.f32 = new Float32Array(this.object.buffer);
    this.i32 = new Int32Array(this.object.buffer);
    for (const rebuild of this.listeners) rebuild();
  }
}

/** What every part of the executor needs. */
export interface Machine {
  readonly memory: Memory;
  readonly kernels: Kernels;
  /** Null: everything is computed on the engine's own thread. */
  readonly threads: Threads | null;
  /** What a kernel said when it trapped; '': none did. */
  readonly trap: { text: string };
}

/** Who computes a product of so many multiplications and additions. */
export function productsOf({ kernels, threads }: Machine, size: number): Products {
  if (threads === null || size < WORTH) return kernels;
  threads.want();
  return threads;
}

/** A panel of a large matrix (256 rows of 16 floats), and 32 rows of eight. */
const SCRATCH_BYTES = 16384 + 1024;

/**
 * Float16Array came to V8 a little after Turboshaft compiled its WebAssembly, which keeps tiles of ten accumulators in registers
 * (47 GFLOP/s against 42 with eight); the compilers before spill them (25 against 44). Only speed depends on it, no bit of a result.
 */
const keepsTallTiles = 'Float16Array' in globalThis;

/** Memory to start with in pages of 64 KiB (it grows); poison as in Memory; `host` makes threads, at least two or none are used. */
export async function openMachine(pages?: number, poison?: boolean, host?: ThreadHost): Promise<Machine> {
  const threaded = host !== undefined && host.threads > 1;
  const memory = new Memory(pages, poison, threaded);
  const kernels = await instantiateKernels(memory.object);
  const scratch = (): number => memory.allocate(SCRATCH_BYTES);
  kernels.setScratch(scratch());
  kernels.setTall(keepsTallTiles ? 1 : 0);
  // most runs compute on one thread: the code of the others comes where it is used
  const threads = threaded
    ? await (await import('./threads.ts')).Threads.open(host, memory.object, kernels, scratch, keepsTallTiles)
    : null;
  return { memory, kernels, threads, trap: { text: '' } };
}
