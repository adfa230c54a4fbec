/** The environment in Python that `rl gym ID --serve` serves beside this page: its workers may ask for it, each of a Python process of its own. */

/** Its id, which that server writes into the page; null on every other page. */
export const servedEnv = (): string | null => globalThis.document?.querySelector<HTMLMetaElement>('meta[name="rl-gym"]')?.content ?? null;

/** Names of the processes of workers that are alive. */
const links = new Map<Worker, string>();

const tellEnd = (link: string): boolean => navigator.sendBeacon(`api/gym/end?link=${link}`);

/** A worker; such an environment and the process are named to it first. The process ends with the worker or with the page. */
export function startWorker(url: string, options: WorkerOptions): Worker {
  const id = servedEnv();
  const worker = new Worker(url, options);
  if (id === null) return worker;
  const link = crypto.randomUUID();
  worker.postMessage({ gym: id, link });
  if (links.size === 0) addEventListener('pagehide', ({ persisted }) => persisted || links.forEach(tellEnd));
  links.set(worker, link);
  return worker;
}

export function endWorker(worker: Worker): void {
  worker.terminate();
  const link = links.get(worker);
  links.delete(worker);
  if (link !== undefined) tellEnd(link);
}
