/** The environment in Python that is served beside the page: who may ask, what a page may say, and what is said when Python does not go on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { decodeGymHeader, encodeGym, GYM, GYM_HEADER, gymAnswer, LARGEST_GYM_BODY } from '#contract/game/gym-wire.ts';
import { PYTHON } from '../../tools/python.ts';
import { type GymPage, gymPage } from './page-api.ts';

const TOKEN = 'the token of this test';
const ID = 'gym-stand-in-123456';
const LINK = 'a-link-of-this-test';
const home = mkdtempSync(join(tmpdir(), 'rl-gym-page-'));
const open: { readonly server: Server; readonly page: GymPage }[] = [];

beforeAll(() => writeFileSync(join(home, 'index.html'), '<html><head><title>page</title></head></html>'));
afterEach(() => {
  for (const { server, page } of open.splice(0)) {
    page.close();
    server.close();
    server.closeAllConnections();
  }
});
afterAll(() => rmSync(home, { recursive: true }));

interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly body: Buffer;
}

interface Asked {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Uint8Array;
}

type Ask = (path: string, asked?: Asked) => Promise<Answer>;

async function served(name = 'Corridor', patience?: number): Promise<Ask> {
  const page = gymPage({
    id: ID,
    start: {
      asked: { name: `stand_in:${name}`, args: {}, leave: [] },
      python: PYTHON,
      bridge: resolve('python/rl_gym_bridge.py'),
      cwd: resolve('cli/gym/stand-in'),
    },
    description: new TextEncoder().encode('{"described":true}'),
    token: TOKEN,
    index: join(home, 'index.html'),
    ...(patience !== undefined && { patience }),
  });
  const server = createServer((asked, response) => {
    if (!page.api(asked, response)) response.writeHead(404).end('a file of the page');
  });
  open.push({ server, page });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((give, refuse) => {
      const asked = request({ host: '127.0.0.1', port, path, method, headers: { ...headers } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => give({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }));
        response.on('error', refuse);
      });
      asked.on('error', refuse);
      asked.end(body);
    });
}

/** The header that a browser sends once the link was opened. */
async function cookieOf(ask: Ask): Promise<{ readonly cookie: string }> {
  const { status, headers } = await ask(`/api/gym/open?token=${encodeURIComponent(TOKEN)}`);
  expect([status, headers.location]).toEqual([303, `/#env=${ID}`]);
  const set = String(headers['set-cookie']);
  expect(set).toMatch(/; HttpOnly; SameSite=Lax; Path=\/$/);
  return { cookie: set.split(';')[0] as string };
}

const text = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const MAKE = encodeGym(GYM.make, text({ copies: 2, pictures: false }));
const words = (...numbers: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(numbers).buffer);

async function exchange(ask: Ask, headers: { readonly cookie: string }, message: Uint8Array, link = LINK): Promise<Uint8Array> {
  const { status, body } = await ask(`/api/gym/exchange?link=${link}`, { method: 'POST', headers, body: message });
  expect(status).toBe(200);
  const { type, length } = decodeGymHeader(body);
  expect(body.byteLength).toBe(GYM_HEADER + length);
  return gymAnswer({ type, body: body.subarray(GYM_HEADER) });
}

const handleOf = (body: Uint8Array): number => new DataView(body.buffer, body.byteOffset).getUint32(0, true);

test('the page names the environment to who has opened the link, and to no one else', async () => {
  const ask = await served();
  expect((await ask('/')).body.toString()).toBe('<html><head><title>page</title></head></html>');
  expect((await ask('/api/gym/open?token=other')).status).toBe(403);
  const headers = await cookieOf(ask);
  const page = await ask('/', { headers });
  expect(page.body.toString()).toContain(`<meta name="rl-gym" content="${ID}" /></head>`);
  expect(page.headers['cache-control']).toBe('no-store');
  expect((await ask('/', { headers: { cookie: `${headers.cookie}x` } })).body.toString()).not.toContain('rl-gym');
  expect((await ask('/assets/index.js', { headers })).body.toString()).toBe('a file of the page');
});

test('another name of this machine, another site, another port and a missing cookie are refused', async () => {
  const ask = await served();
  const headers = await cookieOf(ask);
  for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example', '[::1]'])
    expect((await ask('/', { headers: { ...headers, host } })).status).toBe(403);
  expect((await ask('/', { headers: { ...headers, host: 'localhost:9' } })).status).toBe(200);
  const post = (more: { readonly [name: string]: string }): Promise<Answer> =>
    ask(`/api/gym/exchange?link=${LINK}`, { method: 'POST', headers: more, body: MAKE });
  expect((await post({})).status).toBe(403);
  for (const site of ['cross-site', 'same-site', 'none']) expect((await post({ ...headers, 'sec-fetch-site': site })).status).toBe(403);
  expect((await post({ ...headers, origin: 'http://127.0.0.1:1' })).status).toBe(403);
  expect((await post({ ...headers, origin: 'null' })).status).toBe(403);
  expect((await ask('/api/gym')).status).toBe(403);
  const described = await ask('/api/gym', { headers: { ...headers, 'sec-fetch-site': 'same-origin' } });
  expect([described.status, described.body.toString(), described.headers['cross-origin-resource-policy']]).toEqual([
    200,
    '{"described":true}',
    'same-origin',
  ]);
  expect((await post({ ...headers, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

test('what is no message of a page is refused before Python has it', async () => {
  const ask = await served();
  const headers = await cookieOf(ask);
  const post = (body: Uint8Array, link = LINK): Promise<Answer> => ask(`/api/gym/exchange?link=${link}`, { method: 'POST', headers, body });
  const longer = encodeGym(GYM.make, new Uint8Array(4));
  for (const [body, words] of [
    [new Uint8Array(0), 'not a message of the wire'],
    [new TextEncoder().encode('{"copies":1}'), 'not a message of the wire'],
    [longer.subarray(0, 14), 'not a message of a page'],
    [encodeGym(GYM.hello, text({ token: TOKEN })), 'not a message of a page'],
    [encodeGym(GYM.ok, new Uint8Array(0)), 'not a message of a page'],
  ] as const) {
    const { status, body: said } = await post(body);
    expect([status, said.toString()]).toEqual([400, words]);
  }
  for (const link of ['', 'short', '../../secret', 'x'.repeat(65)]) expect((await post(MAKE, encodeURIComponent(link))).status).toBe(400);
  expect((await ask('/api/gym/exchange', { headers })).status).toBe(405);
  expect((await ask('/api/gym/other?link=some-link-of-mine', { method: 'POST', headers })).status).toBe(404);
  const huge = await ask(`/api/gym/exchange?link=${LINK}`, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(GYM_HEADER + LARGEST_GYM_BODY + 1) },
  }).catch(() => null); // it may be cut off before it is read
  if (huge !== null) expect(huge.status).toBe(413);
});

test('links are apart, and one that was ended begins anew', async () => {
  const ask = await served();
  const headers = await cookieOf(ask);
  expect(handleOf(await exchange(ask, headers, MAKE))).toBe(1);
  expect(handleOf(await exchange(ask, headers, MAKE))).toBe(2);
  expect(handleOf(await exchange(ask, headers, MAKE, 'another-link'))).toBe(1);
  const seen = await exchange(ask, headers, encodeGym(GYM.reset, words(1, 0, 5, 1, 6)));
  expect(seen.byteLength).toBe(2 * (1 + 3 + 4 * 7));
  expect((await ask(`/api/gym/end?link=${LINK}`, { method: 'POST', headers })).status).toBe(200);
  await expect(exchange(ask, headers, encodeGym(GYM.reset, words(1, 0, 5)))).rejects.toThrow('These copies were closed');
});

test('Python that dies or hangs is named, and the next link is served', async () => {
  const ask = await served('Dies');
  const headers = await cookieOf(ask);
  await exchange(ask, headers, MAKE);
  await exchange(ask, headers, encodeGym(GYM.reset, words(1, 0, 5, 1, 6)));
  const step = encodeGym(GYM.step, words(1, 1, 1));
  await expect(exchange(ask, headers, step)).rejects.toThrow(/Python ended before it answered.*the simulator has crashed/s);
  expect((await exchange(ask, headers, MAKE)).byteLength).toBe(4);

  const slow = await served('Hangs', 3000);
  const signed = await cookieOf(slow);
  await exchange(slow, signed, MAKE);
  await exchange(slow, signed, encodeGym(GYM.reset, words(1, 0, 5, 1, 6)));
  await expect(exchange(slow, signed, step)).rejects.toThrow('Python has not answered for 3 s.');
  expect((await exchange(slow, signed, MAKE)).byteLength).toBe(4);
});
