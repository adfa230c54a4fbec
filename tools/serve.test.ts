/** The static server: any path is answered, nothing outside the folder, headers, compression. */
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compress } from './compress.mjs';
import { serve } from './serve.mjs';

const home = mkdtempSync(join(tmpdir(), 'rl-serve-'));
const dir = join(home, 'page');
const CODE = `const text = '${'the quick brown fox '.repeat(200)}';`;
let server: Server;
let port: number;

beforeAll(async () => {
  mkdirSync(join(dir, 'assets'), { recursive: true });
  mkdirSync(join(home, 'page-secret'));
  writeFileSync(join(home, 'secret.txt'), 'secret');
  writeFileSync(join(home, 'page-secret', 'secret.txt'), 'secret');
  writeFileSync(
    join(dir, 'index.html'),
    `<html><meta http-equiv="Content-Security-Policy" content="default-src 'self'; object-src 'none'" /><title>page</title></html>`,
  );
  writeFileSync(join(dir, 'assets', 'main-abcdefgh.js'), CODE);
  writeFileSync(join(dir, 'vanishing.txt'), 'soon gone');
  expect(await compress(dir)).toBe(2);
  expect(await compress(dir)).toBe(0);
  ({ server, port } = await serve({ dir, port: 0, base: '/lab/', compressed: true }));
});

afterAll(() => {
  server.close();
  rmSync(home, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

/** A request as it is written: fetch and node:http would tidy up the path. */
function ask(path: string, headers: readonly string[] = [], method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      socket.write([`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'), 'latin1');
    });
    socket.on('data', (part) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => {
      const all = Buffer.concat(parts);
      const end = all.indexOf('\r\n\r\n');
      const head = all.subarray(0, Math.max(0, end)).toString('latin1');
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head: head.toLowerCase(), body: all.subarray(end + 4) });
    });
  });
}

const ODD = [
  '/%00',
  '/index.html%00',
  '/index.html/',
  '/index.html/x',
  '/%',
  '/%zz',
  '/%c0%ae%c0%ae/',
  '/%E0%A4%A',
  '/../secret.txt',
  '/../page-secret/secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/%2e%2e%2fsecret.txt',
  '/assets/../../secret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/..\\secret.txt',
  '//secret.txt',
  '////',
  '/./././',
  '/assets',
  '/assets/',
  '/lab',
  '/lab/../../secret.txt',
  '/lab//etc/passwd',
  '//etc/passwd',
  '/etc/passwd',
  '/?%00',
  '/#%00',
  '/;x',
  '*',
  'http://evil.example/../secret.txt',
  'x',
  `/${'a'.repeat(8000)}`,
  `/${'a/'.repeat(4000)}`,
  `/${'../'.repeat(2000)}etc/passwd`,
];

it('answers every odd path, shows nothing outside the folder, and goes on', async () => {
  for (const path of ODD) {
    const { status, body } = await ask(path);
    expect([200, 301, 400, 404], `${path.slice(0, 40)} -> ${status}`).toContain(status);
    expect(body.toString(), path.slice(0, 40)).not.toMatch(/secret|root:/);
  }
  expect((await ask('/')).status).toBe(200);
  expect((await ask('/%00')).status).toBe(404);
  expect((await ask('/assets/')).status).toBe(404);
});

it('survives ranges that make no sense, other methods and a file that vanishes', async () => {
  for (const range of ['bytes=5-2', 'bytes=-1', 'bytes=9999-', 'bytes=a-b', 'bytes=0-0,2-3']) {
    const { status, body } = await ask('/vanishing.txt', [`Range: ${range}`]);
    expect([status, body.toString()]).toEqual([200, 'soon gone']);
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await ask('/', [], method)).status).toBe(405);
  expect((await ask('/', [], 'HEAD')).body.length).toBe(0);
  rmSync(join(dir, 'vanishing.txt'));
  expect((await ask('/vanishing.txt')).status).toBe(404);
});

it.runIf(process.platform === 'linux')('survives a file that cannot be read', async () => {
  symlinkSync('/proc/self/mem', join(dir, 'unreadable.txt')); // a file that opens, and whose first byte is an error
  await ask('/unreadable.txt');
  expect((await ask('/')).status).toBe(200);
});

/** Open files of this process below the folder. */
const openFiles = (): number =>
  readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(home);
    } catch {
      return false; // closed meanwhile
    }
  }).length;

it.runIf(process.platform === 'linux')('closes the file of every answer that is cut off', async () => {
  writeFileSync(join(dir, 'long.bin'), new Uint8Array(4_000_000));
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /long.bin HTTP/1.1\r\nHost: x\r\n\r\n'));
      socket.once('data', () => socket.destroy());
      socket.on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: 50 }, cut));
  await expect.poll(openFiles, { timeout: 20_000 }).toBe(0);
  expect((await ask('/long.bin')).body.length).toBe(4_000_000);
});

it('sends the policy of the page and no header that forbids frames', async () => {
  for (const path of ['/', '/lab/', '/assets/main-abcdefgh.js', '/nothing']) {
    const { head } = await ask(path);
    expect(head).toContain("content-security-policy: default-src 'self'; object-src 'none'\r\n");
    expect(head).toContain('x-content-type-options: nosniff');
    expect(head).toContain('referrer-policy: no-referrer');
    expect(head).toContain('permissions-policy: camera=(self), microphone=()');
    expect(head).not.toMatch(/x-frame-options|frame-ancestors/);
  }
});

it('keeps what has a hash in its name, and asks again for the rest', async () => {
  expect((await ask('/assets/main-abcdefgh.js')).head).toContain('cache-control: public, max-age=31536000, immutable');
  const { head } = await ask('/');
  expect(head).toContain('cache-control: no-cache');
  const etag = /etag: (w\/"[^"]+")/.exec(head)?.[1] ?? '';
  expect((await ask('/', [`If-None-Match: ${etag.replace('w/', 'W/')}`])).status).toBe(304);
});

it('sends brotli or gzip where the browser takes it', async () => {
  const path = '/assets/main-abcdefgh.js';
  const plain = await ask(path);
  expect(plain.body.toString()).toBe(CODE);
  const brotli = await ask(path, ['Accept-Encoding: gzip, br']);
  expect(brotli.head).toContain('content-encoding: br');
  expect(brotli.head).toContain('content-type: text/javascript');
  expect(brotliDecompressSync(brotli.body).toString()).toBe(CODE);
  const gzipped = await ask(path, ['Accept-Encoding: gzip']);
  expect(gzipped.head).toContain('content-encoding: gzip');
  expect(gunzipSync(gzipped.body).toString()).toBe(CODE);
  expect(brotli.body.length).toBeLessThan(plain.body.length / 10);
});
