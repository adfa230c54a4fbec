/** Products on several threads: the same bits as on one, for every size and kernel path; engines train the same parameters. */
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { matmul, mean, relu, softmax, square, sub, tanh, transpose } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { forSharedMemory, moduleBytes } from '#core/engine/wasm/kernels.ts';
import { openMachine } from '#core/engine/wasm/memory.ts';
import type { ThreadHost } from '#core/engine/wasm/threads.ts';
import { completeRun, loadRun } from '#core/run/by-id.ts';
import { Rng } from '#math/rng.ts';
import { bundle } from '../../tools/bundle.mjs';
import { threadHost, threadsFor } from './threads.ts';

beforeAll(() => loadRun({ env: { id: 'cartpole' }, algo: { id: 'ppo' } }));

const host = async (threads: number): Promise<ThreadHost> => threadHost(threads, join(await bundle('cli'), 'thread.mjs'));

test('only the import of the memory differs in the module for shared memories', async () => {
  const alone = await moduleBytes();
  const shared = forSharedMemory(alone);
  expect(shared.length - alone.length).toBe(3);
  expect([...shared.slice(-60_000)]).toEqual([...alone.slice(-60_000)]);
  expect(() => forSharedMemory(Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0]))).toThrow('import something other than one memory');
});

test.each([2, 3])('products on %i threads have the bits of one', async (count) => {
  const one = await openMachine(256);
  const many = await openMachine(256, false, await host(count));
  const threads = many.threads!;
  const rng = Rng.from(5);
  const sizes = [1, 3, 8, 17, 33, 128, 257];
  const fill = (floats: number, share: number): Float32Array =>
    Float32Array.from({ length: floats }, () => (rng.uniform() < share ? rng.uniform() - 0.5 : 0));
  const put = (data: Float32Array): readonly [number, number] => {
    const places = [one, many].map(({ memory }) => {
      const at = memory.allocate(data.length * 4);
      memory.view(at, data.length).set(data);
      return at;
    });
    return [places[0]!, places[1]!];
  };
  for (const share of [1, 0.05]) {
    const a = put(fill(257 * 300, share));
    const b = put(fill(300 * 257, 1));
    const h = put(fill(257 * 257, 1));
    const out = put(fill(300 * 257, 1));
    const bytes = (i: 0 | 1, floats: number): Uint8Array => {
      const { buffer, byteOffset, byteLength } = [one, many][i]!.memory.view(out[i], floats);
      return new Uint8Array(buffer, byteOffset, byteLength);
    };
    const same = (floats: number): boolean => Buffer.compare(bytes(0, floats), bytes(1, floats)) === 0;
    for (const m of sizes)
      for (const n of sizes)
        for (const k of [1, 4, 150, 300])
          for (const act of [0, 6, 100, 101]) {
            one.kernels.matmul(out[0], n * 4, a[0], k * 4, b[0], n * 4, h[0], act, m, k, n);
            threads.matmul(out[1], n * 4, a[1], k * 4, b[1], n * 4, h[1], act, m, k, n);
            expect(same(m * n), `${m} x ${k} x ${n}, ${act}`).toBe(true);
            if (act > 1) continue;
            one.kernels.matmulTN(out[0], n * 4, a[0], k * 4, h[0], n * 4, m, k, n, act);
            threads.matmulTN(out[1], n * 4, a[1], k * 4, h[1], n * 4, m, k, n, act);
            expect(same(k * n), `${m} x ${k} x ${n} transposed`).toBe(true);
          }
  }
  threads.close();
});

test('a network trained on two threads ends in the parameters of one', async () => {
  const hashes: string[] = [];
  for (const threads of [undefined, await host(2)]) {
    const engine = await createWasmEngine(threads === undefined ? {} : { threads });
    const group = engine.group('net');
    const rng = Rng.from(3);
    const uniform = (size: number): Float32Array => Float32Array.from({ length: size }, () => (rng.uniform() - 0.5) / 8);
    const w1 = group.param('w1', [64, 256], uniform(64 * 256));
    const w2 = group.param('w2', [256, 256], uniform(256 * 256));
    const w3 = group.param('w3', [256, 1], uniform(256));
    const learn = engine.compile(
      { x: [128, 64], y: [128, 1] },
      ({ x, y }, g) => {
        const hidden = relu(matmul(tanh(matmul(x, g.read(w1))), g.read(w2)));
        return { loss: mean(square(sub(matmul(hidden, g.read(w3)), y))) };
      },
      { minimise: 'loss', group, with: adam() },
    );
    learn.in.x.set(uniform(128 * 64));
    learn.in.y.set(uniform(128));
    learn.in.lr.fill(1e-3);
    for (let i = 0; i < 20; i++) await learn.run();
    expect(learn.out.loss[0]).toBeLessThan(0.01);
    hashes.push(engine.hash());
    engine.dispose();
  }
  expect(hashes[1]).toBe(hashes[0]);
});

test('stacks of products, as attention has them, train the parameters of one thread', async () => {
  const hashes: string[] = [];
  for (const threads of [undefined, await host(2), await host(3)]) {
    const engine = await createWasmEngine(threads === undefined ? {} : { threads });
    const group = engine.group('net');
    const rng = Rng.from(4);
    const uniform = (size: number): Float32Array => Float32Array.from({ length: size }, () => (rng.uniform() - 0.5) / 4);
    const w = group.param('w', [48, 48], uniform(48 * 48));
    const learn = engine.compile(
      { x: [14, 40, 48] },
      ({ x }, g) => {
        const keys = matmul(x, g.read(w));
        const scores = softmax(matmul(x, transpose(keys, [0, 2, 1])));
        return { loss: mean(square(sub(matmul(scores, keys), x))) };
      },
      { minimise: 'loss', group, with: adam() },
    );
    learn.in.x.set(uniform(14 * 40 * 48));
    learn.in.lr.fill(1e-3);
    for (let i = 0; i < 10; i++) await learn.run();
    hashes.push(engine.hash());
    engine.dispose();
  }
  expect(hashes.slice(1)).toEqual([hashes[0], hashes[0]]);
});

test('the number of threads is checked, and stays at one where the seeds fill the cores', async () => {
  const config = completeRun({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { seeds: 64 } });
  expect(await threadsFor(undefined, config)).toBe(1);
  expect(await threadsFor('3', config)).toBe(3);
  for (const wrong of ['0', '17', '1.5', 'many'])
    await expect(threadsFor(wrong, config)).rejects.toThrow(`--threads must be an integer from 1 to 16 or auto, not "${wrong}".`);
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  expect(await threadsFor('auto', config)).toBe(1);
  expect(said.join('')).toMatch(/^threads auto: 1 for each seed \(64 seeds fill \d+ cores\)\n$/);
});

test('a thread that cannot start is an error, not a run that waits', async () => {
  await expect(createWasmEngine({ threads: threadHost(2, '/nowhere/thread.mjs') })).rejects.toThrow('/nowhere/thread.mjs');
});

/** Steps of one network: some before threads join, some after. */
async function trainedWith(
  threads: ThreadHost | undefined,
  joined: () => Promise<unknown>,
): Promise<{ readonly hash: string; readonly threads: number }> {
  const engine = await createWasmEngine(threads === undefined ? {} : { threads });
  const group = engine.group('net');
  const rng = Rng.from(6);
  const uniform = (size: number): Float32Array => Float32Array.from({ length: size }, () => (rng.uniform() - 0.5) / 8);
  const w1 = group.param('w1', [128, 128], uniform(128 * 128));
  const w2 = group.param('w2', [128, 1], uniform(128));
  const learn = engine.compile({ x: [128, 128] }, ({ x }, g) => ({ loss: mean(square(matmul(relu(matmul(x, g.read(w1))), g.read(w2)))) }), {
    minimise: 'loss',
    group,
    with: adam(),
  });
  learn.in.x.set(uniform(128 * 128));
  learn.in.lr.fill(1e-3);
  for (let i = 0; i < 5; i++) await learn.run();
  await joined();
  for (let i = 0; i < 5; i++) await learn.run();
  const answer = { hash: engine.hash(), threads: engine.usage().threads ?? 1 };
  engine.dispose();
  return answer;
}

test('threads that join in the middle change no bit; nor do those that cannot start, which are told', async () => {
  const alone = await trainedWith(undefined, async () => {});
  const started = await host(3);
  const begun: Promise<unknown>[] = [];
  const late: ThreadHost = {
    threads: 3,
    spawn: (start) => {
      const worker = started.spawn(start);
      begun.push(worker);
      return worker;
    },
    refused: (error) => {
      throw error;
    },
  };
  const joined = async (): Promise<void> => {
    await Promise.all(begun);
    await new Promise((resolve) => setTimeout(resolve)); // they are admitted
  };
  expect(await trainedWith(late, joined)).toEqual({ hash: alone.hash, threads: 3 });
  expect(begun).toHaveLength(2);
  const told: unknown[] = [];
  const missing: ThreadHost = { ...threadHost(2, '/nowhere/thread.mjs'), refused: (error) => told.push(error) };
  expect(await trainedWith(missing, () => vi.waitFor(() => expect(told).toHaveLength(1)))).toEqual({ hash: alone.hash, threads: 1 });
  expect(String(told[0])).toContain('/nowhere/thread.mjs');
});

test('small products start no thread', async () => {
  const begun: unknown[] = [];
  const engine = await createWasmEngine({
    threads: { threads: 2, spawn: async (start) => void begun.push(start) as never, refused: () => {} },
  });
  const program = engine.compile({ x: [4, 4] }, ({ x }) => ({ y: matmul(x, x) }));
  await program.run();
  expect(begun).toEqual([]);
  engine.dispose();
});
