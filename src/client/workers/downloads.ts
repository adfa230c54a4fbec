/** What workers fetch on demand, as the page shows it: several may wait for the same file, and one word stops them all. */
import { type Download, isDownloadNews, type StopDownload } from '#contract/files/downloads.ts';
import { followDownload } from '#stores/downloads.ts';

/** Why a worker is lost whose script could not be fetched. */
export const NOT_LOADED = 'its code could not be loaded';

const fetching = new Map<Worker, Download>();

function publish(): void {
  const all = [...fetching.values()].toSorted((a, b) => b.loaded - a.loaded);
  followDownload(all[0] ?? null, stop);
}

function stop(): void {
  for (const worker of fetching.keys()) worker.postMessage({ stopDownload: true } satisfies StopDownload);
}

export function followDownloads(worker: Worker): void {
  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isDownloadNews(data)) return;
    if (data.download === null) fetching.delete(worker);
    else fetching.set(worker, data.download);
    publish();
  });
}

/** The worker was ended, and with it what it fetched. */
export function forgetDownloads(worker: Worker): void {
  if (fetching.delete(worker)) publish();
}
