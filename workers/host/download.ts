/** Fetching a large file in a worker: the page hears how far it is and may stop it. */
import { type Download, type DownloadNews, isStopDownload } from '#contract/files/downloads.ts';
import { fail } from '#contract/kit/errors.ts';

/** How often the page hears of it; a fast line is done before. */
const NEWS_MS = 300;

interface Wanted {
  readonly url: string;
  readonly title: string;
  /** Bytes unpacked: what a server says counts packed ones. */
  readonly total: number;
}

const tell = (download: Download | null): void => self.postMessage({ download } satisfies DownloadNews);

/** Throws LabError('engine-missing') without a connection, where the server has no such file, and where the page stops it. */
export async function fetchLarge({ url, title, total }: Wanted): Promise<ArrayBuffer> {
  const stop = new AbortController();
  const listen = ({ data }: MessageEvent<unknown>): void => {
    if (isStopDownload(data)) stop.abort();
  };
  self.addEventListener('message', listen);
  let loaded = 0;
  const news = setInterval(() => tell({ title, loaded, total }), NEWS_MS);
  try {
    const response = await fetch(url, { signal: stop.signal });
    if (!response.ok || response.body === null)
      throw fail('engine-missing', `${title} could not be loaded: its file answers ${response.status}.`, 'Reload the page.');
    const pieces: Uint8Array[] = [];
    const reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value);
      loaded += piece.value.length;
    }
    return joined(pieces, loaded);
  } catch (error) {
    if (stop.signal.aborted)
      throw fail('engine-missing', `The download of ${title} was stopped.`, 'Choose the environment again to load it.');
    if (error instanceof TypeError)
      throw fail(
        'engine-missing',
        `${title} is not on this device, and there is no connection to load it.`,
        'Open the environment once while there is a connection; from then on it also works offline.',
      );
    throw error;
  } finally {
    clearInterval(news);
    self.removeEventListener('message', listen);
    tell(null);
  }
}

function joined(pieces: readonly Uint8Array[], size: number): ArrayBuffer {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all.buffer;
}
