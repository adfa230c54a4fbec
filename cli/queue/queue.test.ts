/**
 * A sweep by workers of their own processes over a real Redis, against the same sweep of one machine: workers are killed while they train,
 * and every result is still the same, bit for bit, and none is made twice.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '#contract/kit/canonical.ts';
import { encodeSaved } from '#contract/run/saved.ts';
import { NIGHT } from '../../tools/nightly.ts';
import { jsonRows } from '../../tools/rows.mjs';

/** Whether one is installed here. */
function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** On a port of its own, with a password, its data in a folder that is given. */
class RedisServer {
  static readonly password = 'a test: its password';
  readonly port: number;
  private readonly folder: string;
  private child: ChildProcess | null = null;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  static async start(folder: string): Promise<RedisServer> {
    const server = new RedisServer(folder, await freePort());
    await server.begin();
    return server;
  }

  get url(): string {
    return `redis://:${encodeURIComponent(RedisServer.password)}@127.0.0.1:${this.port}/1`;
  }

  /** Names of what it holds. */
  keys(pattern = 'rl-workbench:*'): string {
    return this.command('--scan', '--pattern', pattern);
  }

  /** Sets a field of a hash to these bytes. */
  put(key: string, field: string, bytes: Uint8Array): void {
    execFileSync('redis-cli', ['-p', String(this.port), '-n', '1', '-x', 'HSET', key, field], {
      input: bytes,
      env: { ...process.env, REDISCLI_AUTH: RedisServer.password },
    });
  }

  /** What redis-cli says to these words. */
  command(...words: readonly string[]): string {
    return execFileSync('redis-cli', ['-p', String(this.port), '-n', '1', ...words], {
      encoding: 'utf8',
      env: { ...process.env, REDISCLI_AUTH: RedisServer.password },
    });
  }

  /** Ends it as a restart of the machine does, and begins again with what its append-only file holds. */
  async restart(): Promise<void> {
    await this.end();
    await this.begin();
  }

  async end(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  private async begin(): Promise<void> {
    const settings = {
      port: this.port,
      bind: '127.0.0.1',
      dir: this.folder,
      requirepass: RedisServer.password,
      appendonly: 'yes',
      save: '',
    };
    const child = spawn(
      'redis-server',
      Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.child = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const hear = (part: Buffer): void => {
        said += part.toString();
        if (said.includes('Ready to accept connections')) resolve();
      };
      child.stdout.on('data', hear);
      child.once('exit', () => reject(new Error(`redis-server ended: ${said}`)));
    });
  }
}

const RL = resolve('tools/rl.mjs');
const REDIS = hasRedis();
const home = mkdtempSync(join(tmpdir(), 'rl-queue-'));

/** A command of the workbench; what it says is kept. */
class Process {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  said = '';

  constructor(...args: readonly string[]) {
    this.child = spawn(process.execPath, [RL, ...args], {
      cwd: home,
      env: { ...process.env, INIT_CWD: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', (part: Buffer) => (this.said += part.toString()));
    this.ended = new Promise((done) => this.child.once('close', (code) => done(code)));
  }

  async says(text: string | RegExp): Promise<void> {
    while (!(typeof text === 'string' ? this.said.includes(text) : text.test(this.said))) {
      if (this.child.exitCode !== null) throw new Error(`It ended without saying ${text}: ${this.said}`);
      await sleep(50);
    }
  }
}

/** Parameter hashes by run. */
function hashes(folder: string): ReadonlyMap<string, string> {
  const runs = join(folder, 'runs');
  return new Map(
    readdirSync(runs).flatMap((hash) =>
      readdirSync(join(runs, hash))
        .filter((name) => name.startsWith('seed-')) // beside them lies run.json, the config of all seeds
        .map((seed): [string, string] => {
          const { parameterHash } = JSON.parse(readFileSync(join(runs, hash, seed, 'result.json'), 'utf8')) as { parameterHash: string };
          return [`${hash}-${seed.slice('seed-'.length)}`, parameterHash];
        }),
    ),
  );
}

const config = (steps: number) => ({ v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps } });

/** One run of some seconds and five that are soon over: the worst set-up counts as the best, so that none of its reporting runs is long. */
const SIX = {
  kind: 'sweep',
  version: 1,
  config: config(3000),
  fields: { 'run.steps': [400_000, 4000, 5000, 6000] },
  search: { by: 'grid' },
  better: 'less',
  seeds: { tuning: 1, reporting: 1 },
};

const SIXTY = {
  kind: 'sweep',
  version: 1,
  config: config(120_000),
  fields: { 'algo.lr': { from: 0.0003, to: 0.003, scale: 'log' } },
  search: { by: 'sobol', setups: 10 },
  seeds: { tuning: 5, reporting: 5 },
};

/** Runs that several workers said to be done, and those that were begun again after that. */
function repeated(logs: readonly string[]): readonly string[] {
  const done = logs.flatMap((log) => [...log.matchAll(/^(\S+) is done$/gm)].map(([, id]) => id ?? ''));
  return done.filter((id, i) => done.indexOf(id) !== i);
}

let server: RedisServer | null = null;
const processes: Process[] = [];
const start = (...args: readonly string[]): Process => {
  const one = new Process(...args);
  processes.push(one);
  return one;
};
const worker = (...more: readonly string[]): Process =>
  start('worker', '--queue', server?.url ?? '', '--jobs', '1', '--save-every', '1', '--lost-after', '2', ...more);

if (!REDIS) console.warn('SKIPPED cli/queue/queue.test.ts, "over a real Redis": no redis-server is installed here.');

describe.runIf(REDIS)('over a real Redis', () => {
  beforeAll(async () => {
    const data = join(home, 'redis');
    mkdirSync(data);
    server = await RedisServer.start(data);
    execFileSync(process.execPath, [RL, 'list', 'envs']); // bundles once
  }, 120_000);

  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGKILL');
    await server?.end();
    rmSync(home, { recursive: true, force: true });
  });

  test('six runs; the worker of the first is killed, the next one ended as asked: the same results as on one machine @night', async () => {
    writeFileSync(join(home, 'six.json'), JSON.stringify(SIX));
    const first = worker();
    const sweep = start('sweep', 'six.json', '--out', 'queued', '--queue', server?.url ?? '');
    while (!server?.keys().includes('checkpoint')) await sleep(100);
    first.child.kill('SIGKILL');
    // The second one is ended as asked: it gives the run back at once.
    const second = worker();
    await second.says(/goes on from its checkpoint/);
    second.child.kill('SIGTERM');
    expect(await second.ended, second.said).toBe(0);
    expect(second.said).toMatch(/goes back to the queue/);
    const third = worker();
    expect(await sweep.ended, sweep.said + third.said).toBe(0);
    expect(third.said).toMatch(/goes on from its checkpoint/);
    expect(sweep.said + first.said + second.said + third.said).not.toContain(encodeURIComponent(RedisServer.password));
    // Another folder gets the results from the queue, and no worker trains them again.
    expect(await start('sweep', 'six.json', '--out', 'other', '--queue', server?.url ?? '').ended).toBe(0);
    third.child.kill('SIGTERM');
    expect(await third.ended).toBe(0);
    expect(repeated([first.said, second.said, third.said])).toEqual([]);

    expect(await start('sweep', 'six.json', '--out', 'alone').ended).toBe(0);
    const alone = hashes(join(home, 'alone'));
    expect(alone.size).toBe(6);
    expect(hashes(join(home, 'queued'))).toEqual(alone);
    expect(hashes(join(home, 'other'))).toEqual(alone);
    expect(readFileSync(join(home, 'queued/sweep.csv'), 'utf8')).toBe(readFileSync(join(home, 'alone/sweep.csv'), 'utf8'));
  }, 120_000);

  test('bad results and an entry that is no job: named, taken out, and the runs trained after all', async () => {
    writeFileSync(join(home, 'bad.json'), JSON.stringify({ ...SIX, fields: { 'algo.lr': [0.001, 0.002] } }));
    const sweep = start('sweep', 'bad.json', '--out', 'bad', '--queue', server?.url ?? '');
    const ids = (): readonly string[] =>
      [...(server?.keys('bull:rl-workbench:*') ?? '').matchAll(/:([0-9a-f]{64}-\d+)$/gm)].map(([, id]) => id ?? '');
    const before = new Set(ids());
    while (ids().filter((id) => !before.has(id)).length < 2) {
      if (sweep.child.exitCode !== null) throw new Error(`It ended before it asked for a run: ${sweep.said}`);
      await sleep(100);
    }
    const [first = '', second = ''] = ids().filter((id) => !before.has(id));
    const files = { 'result.json': utf8('{}'), 'curve.csv': utf8('') };
    const empty = gzipSync(encodeSaved({ meta: { kind: 'seed-files', version: 1 }, arrays: files }));
    const digest = createHash('sha256').update(empty).digest('hex');
    server?.command('HSET', `rl-workbench:result:${first}`, 'size', String(empty.length), 'sha256', digest);
    server?.put(`rl-workbench:result:${first}`, '0', empty);
    server?.command('HSET', `rl-workbench:result:${second}`, 'size', '-5', 'sha256', 'x');
    server?.command('HSET', 'bull:rl-workbench:nonsense', 'name', 'seed', 'data', 'nonsense', 'opts', '{}', 'timestamp', '1');
    server?.command('LPUSH', 'bull:rl-workbench:wait', 'nonsense');
    const last = worker();
    expect(await sweep.ended, sweep.said + last.said).toBe(0);
    for (const id of [first, second]) expect(sweep.said).toContain(`The result of ${id} in the queue is not used`);
    await last.says('nonsense was taken out of the queue');
    last.child.kill('SIGTERM');
    await last.ended;
  }, 120_000);

  test.runIf(NIGHT)(
    '60 runs, three workers, one killed every five seconds, Redis restarted once',
    async () => {
      const from = Date.now();
      writeFileSync(join(home, 'sixty.json'), JSON.stringify(SIXTY));
      const shared = ['--shared', 'shared'];
      const all = [worker(...shared), worker(...shared), worker(...shared)];
      let live = [...all];
      const sweep = start('sweep', 'sixty.json', '--out', 'queued-60', '--queue', server?.url ?? '');
      let over = false;
      void sweep.ended.then(() => {
        over = true;
      });
      let kills = 0;
      for (let turn = 1; !over; turn++) {
        await Promise.race([sleep(5000), sweep.ended]);
        if (over) break;
        const [oldest, ...others] = live;
        oldest?.child.kill('SIGKILL');
        kills++;
        const fresh = worker(...shared);
        all.push(fresh);
        live = [...others, fresh];
        if (turn === 6) await server?.restart();
      }
      const seconds = Math.round((Date.now() - from) / 1000);
      expect(await sweep.ended, sweep.said).toBe(0);
      for (const { child } of live) child.kill('SIGTERM');
      await Promise.all(live.map(({ ended }) => ended));
      const logs = all.map(({ said }) => said);
      expect(repeated(logs)).toEqual([]);
      const aloneFrom = Date.now();
      expect(await start('sweep', 'sixty.json', '--out', 'alone-60').ended).toBe(0);
      const alone = hashes(join(home, 'alone-60'));
      expect(alone.size).toBe(60);
      expect(hashes(join(home, 'queued-60'))).toEqual(alone);
      expect(readFileSync(join(home, 'queued-60/sweep.csv'), 'utf8')).toBe(readFileSync(join(home, 'alone-60/sweep.csv'), 'utf8'));
      const count = (pattern: RegExp): number => logs.reduce((sum, log) => sum + [...log.matchAll(pattern)].length, 0);
      const figures = {
        date: new Date().toISOString(),
        runs: alone.size,
        kills,
        restarts: 1,
        seconds,
        secondsAlone: Math.round((Date.now() - aloneFrom) / 1000),
        begun: count(/ begins$/gm),
        goneOn: count(/ goes on from its checkpoint$/gm),
        done: count(/ is done$/gm),
        doneTwice: 0,
        hashesEqual: alone.size,
      };
      writeFileSync(resolve('bench/results/queue.json'), jsonRows(figures));
      console.log(JSON.stringify(figures));
    },
    900_000,
  );
});
