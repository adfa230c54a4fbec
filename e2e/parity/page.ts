/**
 * Starts the worker that the address asks for and shows its answer as JSON: `?amount=...` the conformance suite, `?rollouts=...` copies of an
 * environment on the device, `?swarms=...` a swarm, `?training=...` first updates of a method, else executors side by side.
 */
const { searchParams } = new URL(location.href);
const amount = searchParams.get('amount');
const rollouts = searchParams.get('rollouts');
const swarms = searchParams.get('swarms');
const training = searchParams.get('training');
const worker =
  amount !== null
    ? new Worker(new URL('./conformance.worker.ts', import.meta.url), { type: 'module' })
    : rollouts !== null
      ? new Worker(new URL('./rollouts.worker.ts', import.meta.url), { type: 'module' })
      : swarms !== null
        ? new Worker(new URL('./swarms.worker.ts', import.meta.url), { type: 'module' })
        : training !== null
          ? new Worker(new URL('./training.worker.ts', import.meta.url), { type: 'module' })
          : new Worker(new URL('./parity.worker.ts', import.meta.url), { type: 'module' });
const answer = document.getElementById('answer');
const show = (value: unknown): void => {
  if (answer) {
    answer.textContent = JSON.stringify(value);
    answer.dataset.done = 'yes';
  }
};
worker.onmessage = (message: MessageEvent<unknown>) => show(message.data);
worker.onerror = (event) => show({ error: event.message });
const task = amount ?? rollouts ?? swarms ?? training;
worker.postMessage(task === null ? { executor: searchParams.get('executor') } : JSON.parse(task));
