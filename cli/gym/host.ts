/**
 * Environments of the workbench for another process (python/rlw.py), over the wire of contract/game/gym-wire.ts on stdin and stdout. Every copy is a
 * separate environment, so that each is reset and stepped alone: Gymnasium has several ways of starting again.
 *   10 names   -> JSON {name of Gymnasium: id} of the environments with one agent
 *   2 make     JSON {env, config, copies} -> JSON {handle, agents, masked, width, choices, actions, limit}
 *   3 reset    u32 handle, n, n rows, n seeds -> rows
 *   8 act      u32 handle, n, n rows, then actions [n, A, D], i32 or f32 -> rewards f32 [n, A], terminated u8 [n], truncated u8 [n], rows
 *   9 restart  u32 handle, n, n rows: the next episode of the generator that the row has -> rows
 *   7 close    u32 handle
 * Rows: alive u8 [n, A], mask u8 [n, A, N] where there are masks, observations f32 [n, A, O].
 */

import { badWire, decodeGymHeader, encodeGym, GYM, GYM_HEADER, readGymMake } from '#contract/game/gym-wire.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import { envs } from '#core/envs/all.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { agentNames, perAgent } from '#core/envs/api/meta.ts';
import type { Actions, Environment, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import { loadEnv } from '#core/envs/index.ts';
import { gymNames } from './names.ts';

const ACT = 8;
const RESTART = 9;
const NAMES = 10;
/** Environments that are open at once. */
const MOST_SETS = 1024;

interface Copy {
  readonly env: Environment;
  readonly buffers: StepBuffers;
  readonly actions: Actions;
  /** It was reset, and its episode goes on. */
  running: boolean;
  /** It was reset at least once. */
  seeded: boolean;
}

interface Copies {
  readonly meta: EnvMeta;
  readonly rows: readonly Copy[];
}

const ONE = Uint8Array.of(1);

export class Host {
  private readonly sets = new Map<number, Copies>();
  private next = 1;

  /** The answer to a message, as it goes on the wire. */
  async answer(type: number, body: Uint8Array): Promise<Uint8Array> {
    try {
      return encodeGym(GYM.ok, await this.reply(type, body));
    } catch (error) {
      const { id, message, fix } = toFailure(error);
      return encodeGym(GYM.error, utf8(JSON.stringify({ kind: id, message, fix })));
    }
  }

  dispose(): void {
    for (const { rows } of this.sets.values()) for (const { env } of rows) env.dispose?.();
    this.sets.clear();
  }

  private async reply(type: number, body: Uint8Array): Promise<Uint8Array> {
    if (type === NAMES) return utf8(JSON.stringify(gymNames(envs)));
    if (type === GYM.make) return this.make(body);
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    if (body.byteLength < 4) throw badWire('a message without its handle');
    const handle = view.getUint32(0, true);
    const copies = this.sets.get(handle);
    if (copies === undefined) throw fail('state-invalid', 'These copies were closed.', 'Make them again.');
    if (type === GYM.close) {
      for (const { env } of copies.rows) env.dispose?.();
      this.sets.delete(handle);
      return new Uint8Array();
    }
    const { list, at } = rowsOf(view, copies.rows.length);
    const chosen = list.map((row) => copies.rows[row]!);
    if (type === GYM.reset) {
      if (body.byteLength !== at + 4 * list.length) throw badWire('a reset without a seed for each row');
      for (const [i, copy] of chosen.entries()) copy.env.reset(Uint32Array.of(view.getUint32(at + 4 * i, true)), copy.buffers);
      for (const copy of chosen) copy.seeded = copy.running = true;
      return seen(copies.meta, chosen);
    }
    if (type === RESTART) {
      if (chosen.some(({ seeded }) => !seeded)) throw fail('state-invalid', 'A copy was never reset.', 'Reset it with a seed first.');
      for (const copy of chosen) {
        copy.env.restart(ONE, copy.buffers);
        copy.running = true;
      }
      return seen(copies.meta, chosen);
    }
    if (type !== ACT) throw badWire(`a message of type ${type}`);
    return act(copies.meta, chosen, view, at);
  }

  private async make(body: Uint8Array): Promise<Uint8Array> {
    const asked = readGymMake(body);
    if (this.sets.size >= MOST_SETS) throw fail('incompatible', `${MOST_SETS} environments are open.`, 'Close some: env.close().');
    const entry = await loadEnv(asked.env);
    const config = entry.parse(asked.config);
    const meta = entry.meta(config);
    if (meta.turns === true)
      throw fail('incompatible', `In ${entry.title} players move in turn.`, 'Games in turn are not offered to Python.');
    const rows = Array.from({ length: asked.copies }, (): Copy => {
      const env = entry.create(config, 1);
      return { env, buffers: createBuffers(meta, 1), actions: createActions(meta, 1), running: false, seeded: false };
    });
    const handle = this.next++;
    this.sets.set(handle, { meta, rows });
    const names = agentNames(meta);
    const agents = perAgent(meta, ({ obs, action }) => ({ obs, action })).map((spaces, i) => ({ name: names[i], ...spaces }));
    const { masked, obsSize: width, actionCount: choices, actionSize: actions, maxSteps: limit } = meta;
    return utf8(JSON.stringify({ handle, agents, masked, width, choices, actions, limit }));
  }
}

/** Rows that a message names, and where it goes on. */
function rowsOf(view: DataView, count: number): { readonly list: readonly number[]; readonly at: number } {
  const n = view.byteLength < 8 ? 0 : view.getUint32(4, true);
  if (n < 1 || n > count || view.byteLength < 8 + 4 * n) throw badWire('a message without its rows');
  const list = Array.from({ length: n }, (_, i) => view.getUint32(8 + 4 * i, true));
  if (list.some((row) => row >= count) || new Set(list).size < n) throw badWire('rows that are not there, or are there twice');
  return { list, at: 8 + 4 * n };
}

function seen(meta: EnvMeta, rows: readonly Copy[]): Uint8Array {
  const agents = meta.agentCount;
  const masks = meta.masked ? agents * meta.actionCount : 0;
  const out = new Uint8Array(rows.length * (agents + masks + 4 * agents * meta.obsSize));
  rows.forEach(({ buffers: { alive, mask, obs } }, i) => {
    if (alive === undefined) out.fill(1, i * agents, (i + 1) * agents);
    else out.set(alive, i * agents);
    if (masks > 0 && mask !== undefined) out.set(mask, rows.length * agents + i * masks);
    const at = rows.length * (agents + masks) + i * 4 * obs.length;
    out.set(new Uint8Array(obs.buffer, obs.byteOffset, obs.byteLength), at);
  });
  return out;
}

function act(meta: EnvMeta, rows: readonly Copy[], view: DataView, at: number): Uint8Array {
  const agents = meta.agentCount;
  const size = agents * meta.actionSize;
  if (view.byteLength !== at + 4 * size * rows.length) throw badWire('actions of another size');
  const spaces = perAgent(meta, ({ action }) => action);
  for (const [i, { actions, running }] of rows.entries()) {
    if (!running) throw fail('state-invalid', 'The episode has ended, or was never begun.', 'Reset it first.');
    for (let k = 0; k < size; k++) {
      const from = at + 4 * (i * size + k);
      const space = spaces[Math.floor(k / meta.actionSize)]!;
      const value = space.kind === 'discrete' ? view.getInt32(from, true) : view.getFloat32(from, true);
      const fits = space.kind === 'discrete' ? value >= 0 && value < space.n : Number.isFinite(value);
      if (!fits)
        throw fail(
          'action-invalid',
          `An action is ${value}.`,
          space.kind === 'discrete' ? `Choose from 0 to ${space.n - 1}.` : 'Give a finite number.',
        );
      actions[k] = value;
    }
  }
  const head = new Uint8Array(rows.length * (4 * agents + 2));
  const numbers = new DataView(head.buffer);
  rows.forEach((copy, i) => {
    const { env, buffers, actions } = copy;
    env.step(actions, buffers);
    const kinds = meta.rewards.length;
    for (let a = 0; a < agents; a++) {
      let paid = 0;
      for (let k = 0; k < kinds; k++) paid += buffers.reward[a * kinds + k]!;
      numbers.setFloat32(4 * (i * agents + a), paid, true);
    }
    head[4 * rows.length * agents + i] = buffers.terminated[0]!;
    head[4 * rows.length * agents + rows.length + i] = buffers.truncated[0]!;
    copy.running = buffers.terminated[0] === 0 && buffers.truncated[0] === 0;
  });
  const rest = seen(meta, rows);
  const out = new Uint8Array(head.length + rest.length);
  out.set(head);
  out.set(rest, head.length);
  return out;
}

/** Serves one stream of messages until it ends. Throws LabError for bytes that are not of the wire. */
export async function serveHost(input: AsyncIterable<Uint8Array>, write: (bytes: Uint8Array) => void): Promise<void> {
  const host = new Host();
  let held = Buffer.alloc(0);
  try {
    for await (const chunk of input) {
      held = held.byteLength === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
      while (held.byteLength >= GYM_HEADER) {
        const { type, length } = decodeGymHeader(held);
        if (held.byteLength < GYM_HEADER + length) break;
        write(await host.answer(type, held.subarray(GYM_HEADER, GYM_HEADER + length)));
        held = held.subarray(GYM_HEADER + length);
      }
    }
  } finally {
    host.dispose();
  }
}
