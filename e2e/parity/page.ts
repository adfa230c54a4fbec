/** Starts the worker that compares executors and shows its answer as JSON. */
const worker = new Worker(new URL('./parity.worker.ts', import.meta.url), { type: 'module' });
const answer = document.getElementById('answer');
const show = (value: unknown): void => {
  if (answer) {
    answer.textContent = JSON.stringify(value);
    answer.dataset.done = 'yes';
  }
};
worker.onmessage = (message: MessageEvent<unknown>) => show(message.data);
worker.onerror = (event) => show({ error: event.message });
