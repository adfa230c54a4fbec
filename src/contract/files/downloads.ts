/**
 * What a worker and the page say to each other, beside their calls, of a large file that the worker fetches when it is first needed.
 * Plain messages of the worker: calls wait for the file, and so would a call that asks how far it is.
 */

/** Bytes as they arrive unpacked. */
export interface Download {
  /** What is fetched, in words. */
  readonly title: string;
  readonly loaded: number;
  readonly total: number;
}

/** From the worker; null: no file is being fetched any more. */
export interface DownloadNews {
  readonly download: Download | null;
}

/** From the page: the file is not wanted any more. */
export interface StopDownload {
  readonly stopDownload: true;
}

const has = (data: unknown, field: string): data is object => typeof data === 'object' && data !== null && field in data;

export const isDownloadNews = (data: unknown): data is DownloadNews => has(data, 'download');
export const isStopDownload = (data: unknown): data is StopDownload => has(data, 'stopDownload');
