/** A thread that does its part of an engine's large products (node:worker_threads); started by cli/train/threads.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveThread, type ThreadStart } from '#core/engine/wasm/threads.ts';

await serveThread(workerData as ThreadStart, () => parentPort?.postMessage('ready'));
