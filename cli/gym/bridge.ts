/** Starts the bridge in Python (python/rl_gym_bridge.py) and speaks with it over a socket of this machine: one message, one answer, in their order. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { GymAsked } from '#contract/game/gym-id.ts';
import { decodeGymHeader, encodeGym, GYM, GYM_HEADER, type GymMessage, gymAnswer } from '#contract/game/gym-wire.ts';
import { fail } from '#contract/kit/errors.ts';
import { readJson } from '#contract/kit/json.ts';

/** What is started. */
export interface ToLink {
  readonly asked: GymAsked;
  readonly python: string;
  /** The file python/rl_gym_bridge.py. */
  readonly bridge: string;
  /** Where modules of the user's own are looked for. */
  readonly cwd: string;
}

/** Characters of what Python printed that an error repeats. */
const REPEATED = 600;

/** Reads answers one after the other; a length is checked before its body is waited for. */
class Reader {
  private chunks: Buffer[] = [];
  private length = 0;
  private due: { readonly count: number; readonly give: (bytes: Buffer) => void; readonly refuse: (error: Error) => void } | null = null;
  private ended: Error | null = null;

  constructor(socket: Socket, gone: () => Error) {
    socket.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.length += chunk.byteLength;
      this.serve();
    });
    const end = (): void => {
      // its last words come over another pipe
      setTimeout(() => {
        this.ended = gone();
        this.due?.refuse(this.ended);
        this.due = null;
      }, 100);
    };
    socket.on('error', end);
    socket.on('close', end);
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

export class Bridge {
  private readonly start: ToLink;
  private printed = '';
  private child: ChildProcess | null = null;
  private socket: Socket | null = null;
  private reader: Reader | null = null;
  /** The exchange before. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(start: ToLink) {
    this.start = start;
  }

  /** Starts Python; resolves with the description of its environment. Rejects with LabError in the bridge's words. */
  async open(): Promise<Uint8Array> {
    const token = randomBytes(24).toString('base64url');
    const at = await this.launch(token);
    const socket = await new Promise<Socket>((resolve, reject) => {
      const made = connect({ host: '127.0.0.1', port: at, noDelay: true }, () => resolve(made));
      made.once('error', reject);
    });
    this.socket = socket;
    this.reader = new Reader(socket, () => this.gone('ended before it answered'));
    return gymAnswer(await this.exchange(GYM.hello, new TextEncoder().encode(JSON.stringify({ token }))));
  }

  /** The answer to a message, errors of the environment included. Rejects with LabError where Python is gone. */
  exchange(type: number, body: Uint8Array): Promise<GymMessage> {
    const next = this.last.then(() => this.turn(type, body));
    this.last = next.catch(() => {}); // it is told to the one that asked
    return next;
  }

  close(): void {
    this.socket?.destroy();
    this.child?.kill();
  }

  private async turn(type: number, body: Uint8Array): Promise<GymMessage> {
    const { socket, reader } = this;
    if (socket === null || reader === null) throw this.gone('is not connected');
    socket.write(encodeGym(type, body));
    const head = decodeGymHeader(await reader.read(GYM_HEADER));
    return { type: head.type, body: await reader.read(head.length) };
  }

  private gone(what: string): Error {
    const { printed } = this;
    return fail('engine-missing', `Python ${what}.${printed === '' ? '' : ` It printed: ${printed.trim()}`}`, 'Start it again.');
  }

  /** Resolves with the port that the bridge listens at. */
  private launch(token: string): Promise<number> {
    const { python, bridge, cwd, asked } = this.start;
    const args = [bridge, asked.name, '--args', JSON.stringify(asked.args), ...asked.leave.flatMap((name) => ['--leave', name]), '--once'];
    return new Promise((resolve, reject) => {
      const child = spawn(python, args, {
        cwd,
        env: { ...process.env, RL_GYM_TOKEN: token, PYTHONUNBUFFERED: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      this.child = child;
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        this.printed = (this.printed + text).slice(-REPEATED);
      });
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ENOENT'
            ? fail('engine-missing', `There is no "${python}" here.`, 'Name a Python interpreter with --python PATH.')
            : this.gone(`cannot be started: ${error.message}`),
        ),
      );
      child.once('exit', (code, signal) => reject(this.gone(`ended ${signal === null ? `with code ${code}` : `by ${signal}`}`)));
      // one line is the bridge's; what an interpreter prints before it was started is kept for an error
      createInterface({ input: child.stdout }).on('line', (line) => {
        const said = bridgeLine(line);
        if (said === null) this.printed = `${this.printed}${line}\n`.slice(-REPEATED);
        else if (typeof said.port === 'number') resolve(said.port);
        else reject(fail('incompatible', `${asked.name}: ${String(said.error)}`, String(said.fix)));
      });
    });
  }
}

/** What the bridge says of itself in a line of its output: its port, or why it does not serve. null: the line is another's. */
function bridgeLine(line: string): { readonly port?: unknown; readonly error?: unknown; readonly fix?: unknown } | null {
  try {
    const said: unknown = readJson(line);
    return typeof said === 'object' && said !== null && ('port' in said || 'error' in said) ? said : null;
  } catch {
    return null; // no JSON
  }
}
