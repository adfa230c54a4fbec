/**
 * Matrix products on several threads over one shared memory. The rows of a result are divided among the threads; sums are never divided, so
 * every number is added up in the same order and the bits do not depend on how many threads there are, nor on who takes which rows. The thread that
 * owns the engine takes rows as the others do. Threads wait for work by reading a counter for a moment and then by Atomics.wait: a paused run costs no processor time.
 */
import type { Kernels, WasmMemoryObject } from './kernels.ts';
import { instantiateKernels } from './kernels.ts';

/** What a thread needs to begin; every part of it can be posted to a worker. */
export interface ThreadStart {
  readonly memory: WasmMemoryObject;
  readonly control: SharedArrayBuffer;
  readonly threads: number;
  /** Address of its scratch memory. */
  readonly scratch: number;
  readonly tall: boolean;
  /** Which of the threads it is, from 0. */
  readonly place: number;
}

/** How the platform makes threads: workers in the page, node:worker_threads in Node. */
export interface ThreadHost {
  /** How many an engine uses, its own one included; at least 1, at most MOST_THREADS. */
  readonly threads: number;
  /**
   * Given: they start when the first product that is worth dividing is compiled, and until they are there the engine computes alone. It is called
   * where one cannot start: the engine stays with those that did. Not given: they start with the engine, which fails where one cannot.
   */
  readonly refused?: (error: unknown) => void;
  /** Starts one that calls `serveThread`; resolves when it is ready, rejects when it cannot start. */
  spawn(start: ThreadStart): Promise<{ terminate(): void }>;
}

/** The same signatures as those of the kernels. */
export type Products = Pick<Kernels, 'matmul' | 'matmulTN'>;

/** Many products of one size. Bytes from one to the next in out and in the bias; offsets in a and b are tables in memory, a word for each. */
export interface Stack {
  readonly count: number;
  readonly hop: number;
  readonly hopBias: number;
  readonly offA: number;
  readonly offB: number;
}

/** Words of the control block. */
const ROUND = 0;
const DONE = 1;
const ASLEEP = 2;
const OWNER_ASLEEP = 3;
const FAILED = 4;
const NEXT = 5;
const JOB = 6;
/** Of every thread: 1 once it takes part, and the round before its first. */
const ADMITTED = 32;
const SEEN = 48;
export const CONTROL_WORDS = 64;
export const MOST_THREADS = 16;

const STOP = 0;
const MATMUL = 1;
const MATMUL_TN = 2;
const MATMUL_STACK = 3;
const MATMUL_TN_STACK = 4;

/** Readings of a counter before a thread goes to sleep: some 100 microseconds. */
const PATIENCE = 50_000;

/** The first of the rows of piece `index`, by fours because tiles have four. */
function firstRow(rows: number, index: number, pieces: number): number {
  const fours = Math.ceil(rows / 4 / pieces);
  return Math.min(rows, index * fours * 4);
}

/** One piece of a stack of products: each is computed whole, as the engine alone would. */
function runStack(kernels: Kernels, memory: WasmMemoryObject, job: Int32Array, index: number, pieces: number): void {
  const at = (i: number): number => job[JOB + i]!;
  const [out, so, a, sa, b, sb] = [at(2), at(3), at(4), at(5), at(6), at(7)] as const;
  const [count, hop, hopBias] = [at(13), at(14), at(15)] as const;
  const offA = new Int32Array(memory.buffer, at(16), count);
  const offB = new Int32Array(memory.buffer, at(17), count);
  const end = Math.floor((count * (index + 1)) / pieces);
  for (let i = Math.floor((count * index) / pieces); i < end; i++) {
    const [o, x, y] = [out + i * hop, a + offA[i]!, b + offB[i]!] as const;
    if (at(0) === MATMUL_STACK) kernels.matmul(o, so, x, sa, y, sb, at(8) + i * hopBias, at(9), at(10), at(11), at(12));
    else kernels.matmulTN(o, so, x, sa, y, sb, at(8), at(9), at(10), at(11));
  }
}

/** Pieces of a job for each thread. Who is ready first takes the next: a thread that is slowed down by others' work is not waited for long. */
const PIECES = 2;

/** Does pieces of the job in the control block until there are no more. */
function runPieces(kernels: Kernels, memory: WasmMemoryObject, words: Int32Array, threads: number): void {
  const pieces = PIECES * threads;
  for (;;) {
    const piece = Atomics.add(words, NEXT, 1);
    if (piece >= pieces) return;
    runPart(kernels, memory, words, piece, pieces);
  }
}

/** One of so many pieces of the job in the control block. */
function runPart(kernels: Kernels, memory: WasmMemoryObject, job: Int32Array, index: number, pieces: number): void {
  const at = (i: number): number => job[JOB + i]!;
  if (at(0) >= MATMUL_STACK) {
    runStack(kernels, memory, job, index, pieces);
    return;
  }
  const [out, so, a, sa, b, sb] = [at(2), at(3), at(4), at(5), at(6), at(7)] as const;
  if (at(0) === MATMUL) {
    const [bias, act, m, k, n] = [at(8), at(9), at(10), at(11), at(12)] as const;
    const from = firstRow(m, index, pieces);
    const rows = firstRow(m, index + 1, pieces) - from;
    // a slope's h has a row for every row of out, a bias is one row for all
    const own = act >= 100 ? bias + from * so : bias;
    if (rows > 0) kernels.part(at(1), out + from * so, so, a + from * sa, sa, b, sb, own, act, rows, k, n);
  } else {
    const [m, k, n, accumulate] = [at(8), at(9), at(10), at(11)] as const;
    const from = firstRow(k, index, pieces);
    const rows = firstRow(k, index + 1, pieces) - from;
    if (rows > 0) kernels.partTN(at(1), out + from * so, so, a + 4 * from, sa, b, sb, m, rows, n, accumulate);
  }
}

/** A thread's whole life: waits for rounds, does its part, ends when it is asked to. Only on a thread that may block. */
export async function serveThread({ memory, control, threads, scratch, tall, place }: ThreadStart, ready: () => void): Promise<void> {
  const kernels = await instantiateKernels(memory);
  kernels.setScratch(scratch);
  kernels.setTall(tall ? 1 : 0);
  const words = new Int32Array(control);
  ready();
  // the owner counts on it from a round of the owner's choice, and says which
  Atomics.wait(words, ADMITTED + place, 0);
  for (let seen = Atomics.load(words, SEEN + place); ; ) {
    let patience = PATIENCE;
    while (Atomics.load(words, ROUND) === seen) {
      if (patience-- > 0) continue;
      Atomics.add(words, ASLEEP, 1);
      Atomics.wait(words, ROUND, seen);
      Atomics.sub(words, ASLEEP, 1);
    }
    seen = (seen + 1) | 0;
    if (words[JOB] === STOP) return;
    try {
      runPieces(kernels, memory, words, threads);
    } catch {
      // the owner throws in its own thread, where the run can report it
      Atomics.store(words, FAILED, 1);
    }
    Atomics.add(words, DONE, 1);
    if (Atomics.load(words, OWNER_ASLEEP) !== 0) Atomics.notify(words, DONE);
  }
}

/** The threads of one engine. */
export class Threads implements Products {
  private readonly host: ThreadHost;
  private readonly kernels: Kernels;
  private readonly words: Int32Array;
  private readonly starts: readonly ThreadStart[];
  private readonly memory: WasmMemoryObject;
  private workers: { terminate(): void }[] = [];
  private started = false;
  private closed = false;

  private constructor(host: ThreadHost, memory: WasmMemoryObject, kernels: Kernels, scratch: () => number, tall: boolean) {
    const control = new SharedArrayBuffer(CONTROL_WORDS * 4);
    this.host = host;
    this.kernels = kernels;
    this.memory = memory;
    this.words = new Int32Array(control);
    this.starts = Array.from({ length: host.threads - 1 }, (_, place): ThreadStart => {
      return { memory, control, threads: host.threads, scratch: scratch(), tall, place };
    });
  }

  /** `scratch` gives a thread its scratch memory. Throws what the host throws when a thread cannot start, unless the host wants to be told. */
  static async open(host: ThreadHost, memory: WasmMemoryObject, kernels: Kernels, scratch: () => number, tall: boolean): Promise<Threads> {
    const threads = new Threads(host, memory, kernels, scratch, tall);
    if (host.refused === undefined) await threads.start();
    return threads;
  }

  /** Threads that take part now, the owner included. */
  get count(): number {
    return this.workers.length + 1;
  }

  /** A product that is worth dividing was compiled. */
  want(): void {
    const { refused } = this.host;
    if (!this.started && refused !== undefined) this.start().catch(refused);
  }

  private async start(): Promise<void> {
    this.started = true;
    const spawned = await Promise.allSettled(this.starts.map(async (start) => this.admit(start, await this.host.spawn(start))));
    const failed = spawned.find((one) => one.status === 'rejected');
    if (failed === undefined) return;
    if (this.host.refused === undefined) this.close();
    throw failed.reason;
  }

  /** From the next round on this thread takes part. Between rounds: the owner does nothing else during one. */
  private admit({ place }: ThreadStart, worker: { terminate(): void }): void {
    if (this.closed) {
      worker.terminate();
      return;
    }
    const { words } = this;
    Atomics.store(words, SEEN + place, Atomics.load(words, ROUND));
    Atomics.store(words, ADMITTED + place, 1);
    Atomics.notify(words, ADMITTED + place);
    this.workers.push(worker);
  }

  readonly matmul: Products['matmul'] = (out, so, a, sa, b, sb, bias, act, m, k, n) => {
    this.set(MATMUL, out, so, a, sa, b, sb, bias, act, m, k, n);
    this.words[JOB + 1] = this.kernels.mostlyZero(a, k, n);
    this.round();
  };

  readonly matmulTN: Products['matmulTN'] = (out, so, a, sa, d, sd, m, k, n, accumulate) => {
    this.set(MATMUL_TN, out, so, a, sa, d, sd, m, k, n, accumulate, 0);
    this.words[JOB + 1] = this.kernels.mostlyZero(a, k, n);
    this.round();
  };

  /** A command that computes all products of a stack; the addresses are those of its first. */
  matmulStack(stack: Stack, ...[out, so, a, sa, b, sb, bias, act, m, k, n]: Parameters<Products['matmul']>): () => void {
    return () => {
      this.set(MATMUL_STACK, out, so, a, sa, b, sb, bias, act, m, k, n);
      this.setStack(stack);
      this.round();
    };
  }

  matmulTNStack(stack: Stack, ...[out, so, a, sa, d, sd, m, k, n]: Parameters<Products['matmulTN']>): () => void {
    return () => {
      this.set(MATMUL_TN_STACK, out, so, a, sa, d, sd, m, k, n, 0, 0);
      this.setStack(stack);
      this.round();
    };
  }

  /** Writes what a job is and its arguments. Plain numbers, so that a round allocates nothing. */
  private set(
    op: number,
    out: number,
    so: number,
    a: number,
    sa: number,
    b: number,
    sb: number,
    x: number,
    y: number,
    z: number,
    u: number,
    v: number,
  ): void {
    const { words } = this;
    words[JOB] = op;
    words[JOB + 2] = out;
    words[JOB + 3] = so;
    words[JOB + 4] = a;
    words[JOB + 5] = sa;
    words[JOB + 6] = b;
    words[JOB + 7] = sb;
    words[JOB + 8] = x;
    words[JOB + 9] = y;
    words[JOB + 10] = z;
    words[JOB + 11] = u;
    words[JOB + 12] = v;
  }

  private setStack({ count, hop, hopBias, offA, offB }: Stack): void {
    const { words } = this;
    words[JOB + 13] = count;
    words[JOB + 14] = hop;
    words[JOB + 15] = hopBias;
    words[JOB + 16] = offA;
    words[JOB + 17] = offB;
  }

  /** Everyone does a part of the job; returns when all have. */
  private round(): void {
    const { words, workers } = this;
    this.begin();
    runPieces(this.kernels, this.memory, words, this.host.threads);
    let patience = PATIENCE;
    for (;;) {
      const done = Atomics.load(words, DONE);
      if (done === workers.length) break;
      if (patience-- > 0) continue;
      Atomics.store(words, OWNER_ASLEEP, 1);
      Atomics.wait(words, DONE, done);
      Atomics.store(words, OWNER_ASLEEP, 0);
    }
    if (words[FAILED] !== 0) throw new Error('a thread failed in a matrix product');
  }

  private begin(): void {
    const { words } = this;
    Atomics.store(words, DONE, 0);
    Atomics.store(words, NEXT, 0);
    Atomics.add(words, ROUND, 1);
    if (Atomics.load(words, ASLEEP) > 0) Atomics.notify(words, ROUND);
  }

  close(): void {
    this.closed = true;
    this.words[JOB] = STOP;
    this.begin();
    for (const worker of this.workers) worker.terminate();
    this.workers = [];
  }
}
