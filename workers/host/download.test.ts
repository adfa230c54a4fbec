import { beforeEach, expect, it, vi } from 'vitest';
import type { DownloadNews } from '#contract/files/downloads.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { fetchLarge } from './download.ts';

const FILE = { url: 'https://lab.example/large.wasm', title: 'The engine', total: 6 };
const told: DownloadNews[] = [];
/** Says to the worker what the page says. */
let say: (data: unknown) => void;

beforeEach(() => {
  told.length = 0;
  const worker = Object.assign(new EventTarget(), { postMessage: (news: DownloadNews) => void told.push(news) });
  say = (data) => void worker.dispatchEvent(new MessageEvent('message', { data }));
  vi.stubGlobal('self', worker);
  return () => void vi.unstubAllGlobals();
});

/** A server that sends three pieces and then waits for `end`; the connection is cut where the worker gives up. */
function server(end: Promise<void>): void {
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    const pieces = [Uint8Array.of(1, 2), Uint8Array.of(3), Uint8Array.of(4, 5, 6)];
    const cut = new Promise<never>((_, no) => signal?.addEventListener('abort', () => no(signal.reason)));
    return new Response(
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          const piece = pieces.shift();
          if (piece !== undefined) return controller.enqueue(piece);
          await Promise.race([end, cut]);
          controller.close();
        },
      }),
    );
  });
}

it('the file comes in one piece, and a fast line shows no progress', async () => {
  server(Promise.resolve());
  expect(new Uint8Array(await fetchLarge(FILE))).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6));
  expect(told).toEqual([{ download: null }]);
});

it('on a slow line the page hears how far it is', async () => {
  vi.useFakeTimers();
  let end = (): void => {};
  server(
    new Promise((done) => {
      end = done;
    }),
  );
  const answer = fetchLarge(FILE);
  await vi.advanceTimersByTimeAsync(700);
  end();
  await answer;
  vi.useRealTimers();
  const all = { download: { title: 'The engine', loaded: 6, total: 6 } };
  expect(told).toEqual([all, all, { download: null }]);
});

it.each([
  ['stopped by the page', () => say({ stopDownload: true }), 'The download of The engine was stopped.'],
  ['other words of the page change nothing', () => say({ id: 'x', type: 'GET' }), null],
] as const)('%s', async (_, act, message) => {
  let end = (): void => {};
  server(
    new Promise((done) => {
      end = done;
    }),
  );
  const answer = fetchLarge(FILE).then(
    () => null,
    (error: unknown) => toFailure(error).message,
  );
  await new Promise((done) => setTimeout(done, 5));
  act();
  end();
  expect(await answer).toBe(message);
  expect(told.at(-1)).toEqual({ download: null });
});

it.each([
  ['without a connection', () => Promise.reject(new TypeError('Failed to fetch')), /no connection/],
  ['a file that is not there', async () => new Response('', { status: 404 }), /answers 404/],
] as const)('%s there is a sentence', async (_, answer, sentence) => {
  vi.stubGlobal('fetch', answer);
  const failure = await fetchLarge(FILE).then(
    () => null,
    (error: unknown) => toFailure(error),
  );
  expect(failure?.id).toBe('engine-missing');
  expect(failure?.message).toMatch(sentence);
});
