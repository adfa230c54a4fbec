/** The results of a folder: only with the token, only what the command line writes, nothing outside, nothing by way of a link. */
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileBelow, listSweeps, resultsApi, sameToken } from './results.ts';

const home = mkdtempSync(join(tmpdir(), 'rl-results-'));
const root = join(home, 'results');
const TOKEN = 'the token of this test';
let server: Server;
let port = 0;

beforeAll(async () => {
  mkdirSync(join(root, 'a b', 'runs', '0123456789ab', 'seed-1'), { recursive: true });
  mkdirSync(join(root, 'deep', 'deeper', 'deepest', 'too deep'), { recursive: true });
  mkdirSync(join(home, 'results-secret'));
  for (const place of [join(home, 'results-secret'), home]) writeFileSync(join(place, 'sweep.json'), 'secret');
  writeFileSync(join(root, 'a b', 'sweep.json'), '{"a":1}');
  writeFileSync(join(root, 'a b', 'notes.txt'), 'secret');
  writeFileSync(join(root, 'a b', 'runs', '0123456789ab', 'seed-1', 'result.json'), '{"b":2}');
  writeFileSync(join(root, 'deep', 'deeper', 'deepest', 'sweep.json'), '{}');
  writeFileSync(join(root, 'deep', 'deeper', 'deepest', 'too deep', 'sweep.json'), '{}');
  symlinkSync(join(home, 'sweep.json'), join(root, 'run.json'));
  symlinkSync(home, join(root, 'out'));
  const api = resultsApi(root, TOKEN);
  server = createServer((request, response) => {
    if (!api(request, response)) response.writeHead(404).end('a page');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  port = address === null || typeof address === 'string' ? 0 : address.port;
});

afterAll(() => {
  server.close();
  rmSync(home, { recursive: true });
});

/** A request as it is written: fetch would tidy up the path. */
function ask(path: string, token: string | null = TOKEN): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    let all = '';
    const socket = connect(port, '127.0.0.1', () => {
      const header = token === null ? [] : [`X-Results-Token: ${token}`];
      socket.write([`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...header, '', ''].join('\r\n'), 'latin1');
    });
    socket.on('data', (part) => {
      all += part.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () =>
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(all)?.[1] ?? 0), body: all.slice(all.indexOf('\r\n\r\n') + 4) }),
    );
  });
}

test('sweeps are listed and their files are read', async () => {
  const { status, body } = await ask('/api/results');
  expect(status).toBe(200);
  const { name, sweeps } = JSON.parse(body) as { name: string; sweeps: { path: string }[] };
  expect(name).toBe('results');
  expect(sweeps.map(({ path }) => path).sort()).toEqual(['a b', 'deep/deeper/deepest']);
  expect(await ask('/api/results/file/a%20b/sweep.json')).toMatchObject({ status: 200 });
  expect((await ask('/api/results/file/a%20b/sweep.json')).body).toContain('{"a":1}');
  expect((await ask('/api/results/file/a%20b/runs/0123456789ab/seed-1/result.json')).body).toContain('{"b":2}');
  expect(listSweeps(join(home, 'nowhere'))).toEqual([]);
});

test('without the token nothing is told, whatever is asked', async () => {
  for (const path of [
    '/api/results',
    '/api/results/file/a%20b/sweep.json',
    '/api/results/x',
    `/api/results?token=${encodeURIComponent(TOKEN)}`,
  ])
    for (const token of [null, '', 'wrong', `${TOKEN}x`, TOKEN.slice(0, -1)]) {
      const { status, body } = await ask(path, token);
      expect([status, body.includes('"a"') || body.includes('a b')], `${path} ${token}`).toEqual([401, false]);
    }
  expect([sameToken(undefined, TOKEN), sameToken([TOKEN], TOKEN), sameToken(TOKEN, TOKEN)]).toEqual([false, false, true]);
});

const OUTSIDE = [
  '../sweep.json',
  '..%2fsweep.json',
  '%2e%2e/sweep.json',
  '%2e%2e%2fsweep.json',
  'a%20b/../../sweep.json',
  'a%20b/..%2f..%2fsweep.json',
  '..%5csweep.json',
  '../results-secret/sweep.json',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  'C:%5csweep.json',
  'out/sweep.json',
  'out/results-secret/sweep.json',
  'run.json',
  'a%20b/notes.txt',
  'a%20b/notes.txt%00sweep.json',
  'a%20b/sweep.json%00',
  'a%20b/sweep.json/',
  'a%20b//sweep.json',
  'a%20b/./sweep.json',
  'a%20b',
  'a%20b/runs',
  '%',
  '%zz/sweep.json',
  '',
  '.',
  `${'../'.repeat(100)}etc/passwd`,
  `${'a/'.repeat(2000)}sweep.json`,
];

test('nothing outside, and nothing but results, is read', async () => {
  for (const path of OUTSIDE) {
    const { status, body } = await ask(`/api/results/file/${path}`);
    expect([status, /secret|root:/.test(body)], path.slice(0, 60)).toEqual([404, false]);
    expect(fileBelow(root, path), path.slice(0, 60)).toBeNull();
  }
});

test.runIf(process.platform === 'linux')('the file of an answer that is cut off is closed', async () => {
  const file = join(root, 'a b', 'summary.json');
  writeFileSync(file, new Uint8Array(4_000_000));
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET /api/results/file/a%20b/summary.json HTTP/1.1\r\nHost: x\r\nX-Results-Token: ${TOKEN}\r\n\r\n`),
      );
      socket.once('data', () => socket.destroy());
      socket.on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: 50 }, cut));
  const open = (): number =>
    readdirSync('/proc/self/fd').filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`) === file;
      } catch {
        return false; // closed meanwhile
      }
    }).length;
  await expect.poll(open, { timeout: 20_000 }).toBe(0);
  rmSync(file);
});

test('what is not results is left to the page', async () => {
  for (const path of ['/', '/api', '/api/resultsx', '/x/api/results']) expect((await ask(path, null)).body).toContain('a page');
});
