/**
 * Starts the bridge in Python and speaks with it, for a thread that waits: environments step synchronously, sockets do not. Messages come over a
 * port; the answer goes back over it, and the shared word is raised so that the waiting thread goes on (cli/gym/link.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type MessagePort, workerData } from 'node:worker_threads';
import { fail, toFailure } from '#contract/errors.ts';
import { decodeGymHeader, encodeGym, GYM, GYM_HEADER, gymAnswer } from '#contract/gym-wire.ts';
import type { ToLink } from './link.ts';

const { port, word, start } = workerData as { readonly port: MessagePort; readonly word: Int32Array; readonly start: ToLink };

/** Characters of what Python printed that an error repeats. */
const REPEATED = 600;
let printed = '';
let child: ChildProcess | null = null;

const gone = (what: string): Error =>
  fail('engine-missing', `Python ${what}.${printed === '' ? '' : ` It printed: ${printed.trim()}`}`, 'Start it again.');

/** Resolves with the port that the bridge listens at. */
function launch(token: string): Promise<number> {
  const { python, bridge, cwd, asked } = start;
  const args = [bridge, asked.name, '--args', JSON.stringify(asked.args), ...asked.leave.flatMap((name) => ['--leave', name]), '--once'];
  return new Promise((resolve, reject) => {
    const process_ = spawn(python, args, {
      cwd,
      env: { ...process.env, RL_GYM_TOKEN: token, PYTHONUNBUFFERED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = process_;
    process_.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-REPEATED);
    });
    process_.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? fail('engine-missing', `There is no "${python}" here.`, 'Name a Python interpreter with --python PATH.')
          : gone(`cannot be started: ${error.message}`),
      ),
    );
    process_.once('exit', (code, signal) => reject(gone(`ended ${signal === null ? `with code ${code}` : `by ${signal}`}`)));
    createInterface({ input: process_.stdout }).once('line', (line) => {
      try {
        const said = JSON.parse(line) as { readonly port?: unknown; readonly error?: unknown; readonly fix?: unknown };
        if (typeof said.port === 'number') resolve(said.port);
        else reject(fail('incompatible', `${asked.name}: ${String(said.error)}`, String(said.fix)));
      } catch {
        reject(gone(`printed "${line.slice(0, 200)}" where the bridge says its port`));
      }
    });
  });
}

/** Reads answers one after the other; a length is checked before its body is waited for. */
class Reader {
  private chunks: Buffer[] = [];
  private length = 0;
  private due: { readonly count: number; readonly give: (bytes: Buffer) => void; readonly refuse: (error: Error) => void } | null = null;
  private ended: Error | null = null;

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.length += chunk.byteLength;
      this.serve();
    });
    socket.on('error', () => this.end());
    socket.on('close', () => this.end());
  }

  private end(): void {
    // its last words come over another pipe
    setTimeout(() => {
      this.ended = gone('ended before it answered');
      this.due?.refuse(this.ended);
      this.due = null;
    }, 100);
  }

  private serve(): void {
    const { due } = this;
    if (due === null || this.length < due.count) return;
    const all = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks, this.length);
    this.chunks = all.byteLength > due.count ? [all.subarray(due.count)] : [];
    this.length -= due.count;
    this.due = null;
    due.give(all.subarray(0, due.count));
  }

  read(count: number): Promise<Buffer> {
    return new Promise((give, refuse) => {
      if (this.ended !== null) {
        refuse(this.ended);
        return;
      }
      this.due = { count, give, refuse };
      this.serve();
    });
  }
}

let socket: Socket | null = null;
let reader: Reader | null = null;

async function exchange(type: number, body: Uint8Array): Promise<Uint8Array> {
  if (socket === null || reader === null) throw gone('is not connected');
  socket.write(encodeGym(type, body));
  const head = decodeGymHeader(await reader.read(GYM_HEADER));
  return gymAnswer({ type: head.type, body: await reader.read(head.length) });
}

async function open(): Promise<Uint8Array> {
  const token = randomBytes(24).toString('base64url');
  const at = await launch(token);
  socket = await new Promise<Socket>((resolve, reject) => {
    const made = connect({ host: '127.0.0.1', port: at, noDelay: true }, () => resolve(made));
    made.once('error', reject);
  });
  reader = new Reader(socket);
  return exchange(GYM.hello, new TextEncoder().encode(JSON.stringify({ token })));
}

function answer(message: { readonly body: Uint8Array } | { readonly failure: unknown }): void {
  port.postMessage(message);
  Atomics.store(word, 0, 1);
  Atomics.notify(word, 0);
}

const say = (work: Promise<Uint8Array>): void =>
  void work.then(
    (body) => answer({ body: new Uint8Array(body) }),
    (error: unknown) => answer({ failure: toFailure(error) }),
  );

port.on('message', (message: { readonly type: number; readonly body: Uint8Array } | 'close') => {
  if (message !== 'close') {
    say(exchange(message.type, message.body));
    return;
  }
  socket?.destroy();
  child?.kill();
  port.close();
});
process.once('exit', () => child?.kill());
say(open());
