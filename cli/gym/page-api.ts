/**
 * An environment in Python for the page that is served beside it, at this machine only:
 *   GET  /api/gym/open?token=T         sets the cookie and leads to the page; the link that the command prints
 *   GET  /                             the page; with the cookie it names the environment, without it is as on every other server
 *   GET  /api/gym                      the bridge's description
 *   POST /api/gym/exchange?link=L      one message of contract/game/gym-wire.ts, answered by one; each link has its own Python process
 *   POST /api/gym/end?link=L           ends that process
 * Everything but the page needs the cookie and comes from the page itself: requests of other sites and of other ports are refused, and so is every
 * request by another host's name, which is how a site would have its own name lead here (DNS rebinding).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeGymHeader, encodeGym, GYM, GYM_HEADER, LARGEST_GYM_BODY } from '#contract/game/gym-wire.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { sameToken } from '../serve/results.ts';
import { Bridge, type ToLink } from './bridge.ts';

const ROOT = '/api/gym';
const HOSTS = /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/;
const LINK = /^[\w-]{8,64}$/;
/** Python processes at once; of more, the one that was not used for the longest time ends. */
const MOST_LINKS = 16;
/** An environment that has not answered for so long is given up, ms. */
const PATIENCE = 120_000;
/** Where a page was kept for offline by another server at this address, its worker takes itself away. */
const NO_WORKER = `addEventListener('install', () => self.skipWaiting());
addEventListener('activate', async () => {
  await self.registration.unregister();
  for (const client of await self.clients.matchAll({ type: 'window' })) client.navigate(client.url);
});
`;

export interface GymPage {
  /** Answers what is above and leaves the rest to the page's files. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Ends all Python processes. */
  close(): void;
}

interface Options {
  readonly id: string;
  readonly start: ToLink;
  readonly description: Uint8Array;
  readonly token: string;
  /** The page's index.html, read anew for each visit. */
  readonly index: string;
  readonly patience?: number;
}

const failureBody = (message: string, fix: string): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ kind: 'environment', message: message.slice(0, 4000), fix: fix.slice(0, 4000) }));

function say(response: ServerResponse, status: number, body: string | Uint8Array, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength,
    'Cache-Control': 'no-store',
  });
  response.end(body);
}

/** What was posted; null: more than a message may have, or broken off. */
async function posted(request: IncomingMessage): Promise<Uint8Array | null> {
  const most = GYM_HEADER + LARGEST_GYM_BODY;
  if (Number(request.headers['content-length'] ?? 0) > most) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.byteLength;
      if (length > most) return null;
      chunks.push(chunk);
    }
  } catch {
    return null; // the page is gone
  }
  return Buffer.concat(chunks, length);
}

/** Python processes by their links, the last used at the end. */
class Links {
  private readonly start: ToLink;
  private readonly patience: number;
  private readonly open = new Map<string, { readonly bridge: Bridge; readonly ready: Promise<unknown> }>();

  constructor(start: ToLink, patience: number) {
    this.start = start;
    this.patience = patience;
  }

  /** The answer as a message of the wire; what goes wrong is one too. */
  async exchange(link: string, type: number, body: Uint8Array): Promise<Uint8Array> {
    const { bridge, ready } = this.of(link);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Python has not answered for ${this.patience / 1000} s.`)), this.patience);
    });
    try {
      const answer = await Promise.race([ready.then(() => bridge.exchange(type, body)), late]);
      return encodeGym(answer.type, answer.body);
    } catch (error) {
      this.end(link);
      const { message, fix } = toFailure(error);
      return encodeGym(GYM.error, failureBody(message, fix));
    } finally {
      clearTimeout(timer);
    }
  }

  end(link: string): void {
    this.open.get(link)?.bridge.close();
    this.open.delete(link);
  }

  endAll(): void {
    for (const link of [...this.open.keys()]) this.end(link);
  }

  private of(link: string) {
    const known = this.open.get(link);
    this.open.delete(link);
    const bridge = known?.bridge ?? new Bridge(this.start);
    const kept = known ?? { bridge, ready: bridge.open() };
    this.open.set(link, kept);
    for (const old of this.open.keys()) {
      if (this.open.size <= MOST_LINKS) break;
      this.end(old);
    }
    return kept;
  }
}

export function gymPage({ id, start, description, token, index, patience = PATIENCE }: Options): GymPage {
  const links = new Links(start, patience);
  // Ports share their cookies: each server has a name of its own.
  const cookie = `rl-gym-${createHash('sha256').update(token).digest('hex').slice(0, 12)}`;
  const signedIn = ({ headers }: IncomingMessage): boolean => {
    const found = (headers.cookie ?? '').split(';').map((one) => one.trim().split('='));
    return found.some(([name, value]) => name === cookie && sameToken(value, token));
  };
  /** Not sent by another page. Browsers that say nothing of it at least name the origin of what is posted. */
  const ofThisPage = ({ headers }: IncomingMessage): boolean => {
    const site = headers['sec-fetch-site'];
    const { origin } = headers;
    return (site === undefined || site === 'same-origin') && (origin === undefined || origin === `http://${headers.host}`);
  };
  const page = (request: IncomingMessage, response: ServerResponse): void => {
    const html = readFileSync(index, 'utf8');
    const mark = `<meta name="rl-gym" content="${id}" />`; // an id is small letters, digits and hyphens
    say(response, 200, signedIn(request) ? html.replace('</head>', `${mark}</head>`) : html, 'text/html; charset=utf-8');
  };
  const exchange = async (request: IncomingMessage, response: ServerResponse, link: string): Promise<void> => {
    const message = await posted(request);
    if (message === null) {
      say(response, 413, 'a message is too long');
      request.destroy();
      return;
    }
    let head: ReturnType<typeof decodeGymHeader>;
    try {
      head = decodeGymHeader(message);
    } catch {
      say(response, 400, 'not a message of the wire');
      return;
    }
    if (message.byteLength !== GYM_HEADER + head.length || head.type < GYM.make || head.type > GYM.close) {
      say(response, 400, 'not a message of a page');
      return;
    }
    const answer = await links.exchange(link, head.type, message.subarray(GYM_HEADER));
    if (!response.destroyed) say(response, 200, answer, 'application/octet-stream');
  };

  const api = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!HOSTS.test(request.headers.host ?? '')) {
      say(response, 403, 'this server answers at 127.0.0.1 and localhost only');
      return true;
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const read = request.method === 'GET';
    if (read && (pathname === '/' || pathname === '/index.html')) {
      page(request, response);
      return true;
    }
    if (read && pathname === '/sw.js') {
      say(response, 200, NO_WORKER, 'text/javascript; charset=utf-8');
      return true;
    }
    if (pathname !== ROOT && !pathname.startsWith(`${ROOT}/`)) return false;
    response.removeHeader('Access-Control-Allow-Origin');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    if (read && pathname === `${ROOT}/open`) {
      if (sameToken(searchParams.get('token'), token)) {
        response.setHeader('Set-Cookie', `${cookie}=${token}; HttpOnly; SameSite=Lax; Path=/`);
        response.setHeader('Location', `/#env=${id}`);
        say(response, 303, '');
      } else say(response, 403, 'the token is missing or wrong: open the link that "rl gym" printed');
      return true;
    }
    const link = searchParams.get('link') ?? '';
    if (!ofThisPage(request) || !signedIn(request)) say(response, 403, 'open the link that "rl gym" printed');
    else if (read && pathname === ROOT) say(response, 200, description, 'application/json; charset=utf-8');
    else if (request.method !== 'POST') say(response, 405, 'only POST');
    else if (!LINK.test(link)) say(response, 400, 'which link?');
    else if (pathname === `${ROOT}/exchange`) void exchange(request, response, link);
    else if (pathname === `${ROOT}/end`) {
      links.end(link);
      say(response, 200, '');
    } else say(response, 404, 'not found');
    return true;
  };
  return { api, close: () => links.endAll() };
}
