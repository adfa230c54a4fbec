/** Jobs over a real Redis: listed with who ran them and why they failed, cancelled, repeated. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { queueAddress } from './address.ts';
import { connect, type JobQueue, QUEUE } from './connect.ts';
import { jobsNow } from './jobs.ts';
import { ManagedQueue } from './manage.ts';

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

test.runIf(hasRedis())('jobs are listed with worker and reason, cancelled and repeated', async () => {
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const chunk of redis.stdout) if (String(chunk).includes('Ready to accept connections')) break;
  const connection = await connect(queueAddress(`redis://127.0.0.1:${port}/0`), () => {});
  const managed = new ManagedQueue(connection);
  const queue: JobQueue = new connection.bullmq.Queue(QUEUE, { connection: connection.settings });
  try {
    const data = (seed: number) => ({
      version: 1,
      hash: 'abc',
      seed,
      config: { env: { id: 'catch' }, algo: { id: 'ppo' }, run: { steps: 200 } },
    });
    await queue.addBulk([1, 2].map((seed) => ({ name: 'seed', data: data(seed), opts: { jobId: `abc-${seed}` } })));
    const worker = new connection.bullmq.Worker(
      QUEUE,
      async (job) => {
        await job.updateProgress({ step: 100, stepsPerSecond: 1, worker: 'host.7' });
        if (job.data.seed === 1) throw new Error('The loss is NaN.');
      },
      { connection: connection.settings },
    );
    while ((await queue.getJobCountByTypes('failed', 'completed')) < 2) await sleep(20);
    await worker.close();
    await queue.add('seed', data(3), { jobId: 'abc-3' });
    const about = { env: 'catch', algo: 'ppo', steps: 200 };
    expect(await managed.list()).toEqual([
      { ...about, id: 'abc-3', state: 'wait', seed: 3, step: null, worker: null, why: '' },
      { ...about, id: 'abc-1', state: 'failed', seed: 1, step: 100, worker: 'host.7', why: 'The loss is NaN.' },
      { ...about, id: 'abc-2', state: 'completed', seed: 2, step: 100, worker: 'host.7', why: '' },
    ]);
    expect(await jobsNow(queue, 'failed', new Map([['abc-1', 1]]))).toHaveLength(1);
    expect(await managed.repeat(['abc-1', 'abc-2', 'abc-3'])).toEqual(['abc-3']); // that one waits already
    expect((await managed.list()).map(({ id, state }) => `${id} ${state}`).sort()).toEqual(['abc-1 wait', 'abc-2 wait', 'abc-3 wait']);
    expect(await managed.cancel(['abc-1', 'abc-3', 'abc-9'])).toEqual(['abc-9']);
    expect((await managed.list()).map(({ id }) => id)).toEqual(['abc-2']);
    // Whatever is in a state is found, not only its first two.
    await queue.addBulk([4, 5, 6, 7].map((seed) => ({ name: 'seed', data: data(seed), opts: { jobId: `abc-${seed}` } })));
    const failing = new connection.bullmq.Worker(QUEUE, () => Promise.reject(new Error('no')), { connection: connection.settings });
    while ((await queue.getJobCountByTypes('failed')) < 4) await sleep(20);
    await failing.close();
    const asked = new Map([4, 5, 6, 7].map((seed) => [`abc-${seed}`, seed]));
    expect(await jobsNow(queue, 'failed', asked)).toHaveLength(4);
  } finally {
    await managed.close();
    await queue.close();
    connection.close();
    redis.kill();
  }
});
