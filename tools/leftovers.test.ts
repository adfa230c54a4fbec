import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { leftOpen } from './leftovers.ts';

const named = async (): Promise<string[]> => (await leftOpen()).map((text) => text.split('\n')[0] ?? '');

test('a timer, an interval, a worker, a server and a child process are named until they end, with the line that began them', async () => {
  expect(await named()).toEqual([]);
  const timer = setTimeout(() => {}, 60_000);
  const interval = setInterval(() => {}, 50);
  expect(await leftOpen()).toEqual([expect.stringMatching(/60000 ms\n.*leftovers\.test\.ts/), expect.stringContaining('interval')]);
  clearTimeout(timer);
  clearInterval(interval);
  expect(await named()).toEqual([]);

  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(worker, 'online');
  expect((await named()).map((name) => name.slice(0, 9)).sort()).toEqual(['a child p', 'a server', 'a worker ']);
  server.close();
  child.kill();
  void worker.terminate(); // takes a moment, which is waited for
  expect(await named()).toEqual([]);
});

test('what is over in a moment, what was cleared and what is faked are not named', async () => {
  setTimeout(() => setTimeout(() => {}, 20), 20);
  clearTimeout(setTimeout(() => {}, 60_000));
  vi.useFakeTimers();
  setTimeout(() => {}, 60_000);
  vi.useRealTimers();
  expect(await named()).toEqual([]);
});
