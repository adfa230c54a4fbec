// Five seeds at once, each in a worker thread; the sixth place is the same seed again: it gives the same bits. Run: node worker.js
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { train } from 'rl-workbench';
import { dqn } from 'rl-workbench/algos/dqn';
import { cartpole } from 'rl-workbench/envs/cartpole';

/** In a browser this is the module of `new Worker(url, { type: 'module' })`, and `postMessage` stands for parentPort's. */
async function work(seed) {
  for await (const { step, result } of train({ env: cartpole, algo: dqn, steps: 3000, seed })) {
    if (result !== null) parentPort.postMessage({ seed, step, evalReturn: result.evalReturn, hash: result.parameterHash });
  }
}

function inWorker(seed) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { seed } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

if (isMainThread) {
  const results = await Promise.all([1, 2, 3, 4, 5, 1].map(inWorker));
  console.table(results);
  if (results[0].hash !== results[5].hash) throw new Error('the same seed gave other parameters');
} else {
  await work(workerData.seed);
}
