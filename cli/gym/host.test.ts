/** Environments for Python: the host's messages, and python/rlw.py with Gymnasium itself where it is installed (RL_TEST_PYTHON). */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeGymHeader, encodeGym, GYM, GYM_HEADER } from '#contract/game/gym-wire.ts';
import { envs, getEnv } from '#core/envs/all.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { hasModules, PYTHON } from '../../tools/python.ts';
import { Host, serveHost } from './host.ts';
import { gymNames } from './names.ts';

const ACT = 8;
const RESTART = 9;
const NAMES = 10;

const text = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const words = (...numbers: number[]): Uint8Array => new Uint8Array(Uint32Array.from(numbers).buffer);
const json = (body: Uint8Array): Record<string, unknown> => JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;

/** Type and body of an answer. */
async function ask(host: Host, type: number, body: Uint8Array): Promise<{ readonly type: number; readonly body: Uint8Array }> {
  const said = await host.answer(type, body);
  return { type: decodeGymHeader(said).type, body: said.subarray(GYM_HEADER) };
}

async function made(host: Host, env: string, copies = 1, config: object = {}): Promise<Record<string, unknown>> {
  return json((await ask(host, GYM.make, text({ env, config, copies }))).body);
}

describe('the host', () => {
  test('gives the same bits as the environment itself, each copy by its own seed and in its own time', async () => {
    const host = new Host();
    expect(await made(host, 'cartpole', 2)).toMatchObject({ handle: 1, masked: false, width: 4, choices: 2, actions: 1, limit: 500 });
    await ask(host, GYM.reset, words(1, 2, 0, 1, 5, 6));
    const entry = getEnv('cartpole');
    const env = entry.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(6), buffers);
    const actions = createActions(env.meta, 1);
    for (const action of [1, 1, 0, 1]) {
      const { body } = await ask(host, ACT, words(1, 1, 1, action)); // the second copy alone
      actions[0] = action;
      env.step(actions, buffers);
      const floats = new Float32Array(body.slice(-16).buffer);
      expect([...floats]).toEqual([...buffers.obs]);
      expect(new Float32Array(body.slice(0, 4).buffer)[0]).toBe(buffers.reward[0]);
    }
    env.restart(Uint8Array.of(1), buffers);
    const { body } = await ask(host, RESTART, words(1, 1, 1));
    expect([...new Float32Array(body.slice(-16).buffer)]).toEqual([...buffers.obs]);
    host.dispose();
  });

  test.each([
    ['an environment that there is not', GYM.make, text({ env: 'cartpol', config: {}, copies: 1 }), 'cartpole'],
    ['a setting out of range', GYM.make, text({ env: 'cartpole', config: { maxSteps: -1 }, copies: 1 }), 'env.maxSteps'],
    ['copies without end', GYM.make, text({ env: 'cartpole', config: {}, copies: 1e9 }), 'copies'],
    ['a game in turn', GYM.make, text({ env: 'connect-four', config: {}, copies: 1 }), 'move in turn'],
    ['copies that are not there', ACT, words(9, 1, 0, 0), 'closed'],
    ['rows that are there twice', GYM.reset, words(1, 2, 0, 0, 1, 2), 'twice'],
    ['a row that is not there', GYM.reset, words(1, 1, 7, 1), 'not there'],
    ['a step before the first reset', ACT, words(1, 1, 0, 0), 'Reset it first'],
    ['a next episode before the first', RESTART, words(1, 1, 0), 'never reset'],
    ['a type that there is not', 77, words(1, 1, 0), 'type 77'],
    ['an empty message', ACT, new Uint8Array(), 'handle'],
  ])('%s is refused in words', async (_, type, body, said) => {
    const host = new Host();
    await made(host, 'cartpole', 2);
    const answer = await ask(host, type, body);
    expect(answer.type).toBe(GYM.error);
    expect(JSON.stringify(json(answer.body))).toContain(said);
  });

  test('an action that there is not is refused before anything moves, and an ended episode is not stepped', async () => {
    const host = new Host();
    await made(host, 'cartpole', 1, { maxSteps: 1 });
    await ask(host, GYM.reset, words(1, 1, 0, 3));
    expect(JSON.stringify(json((await ask(host, ACT, words(1, 1, 0, 2))).body))).toContain('Choose from 0 to 1.');
    const { type, body } = await ask(host, ACT, words(1, 1, 0, 1));
    expect([type, body[4], body[5]]).toEqual([GYM.ok, 0, 1]);
    expect(JSON.stringify(json((await ask(host, ACT, words(1, 1, 0, 1))).body))).toContain('has ended');
  });

  test('messages may come in any pieces; garbage and a huge header end it', async () => {
    const message = encodeGym(GYM.make, text({ env: 'cartpole', config: {}, copies: 1 }));
    const written: Uint8Array[] = [];
    const pieces = async function* (...all: Uint8Array[]) {
      yield* all;
    };
    await serveHost(pieces(message.subarray(0, 5), message.subarray(5, 20), message.subarray(20)), (bytes) => written.push(bytes));
    expect(written.map((bytes) => bytes[5])).toEqual([GYM.ok]);
    await expect(serveHost(pieces(new TextEncoder().encode('hello, who is there')), () => {})).rejects.toThrow('not of the wire');
    const huge = encodeGym(GYM.make, new Uint8Array());
    new DataView(huge.buffer).setUint32(8, 2 ** 31, true);
    await expect(serveHost(pieces(huge), () => {})).rejects.toThrow('a body of 2147483648 bytes');
  });
});

test('names every environment of one agent as Gymnasium does', async () => {
  const names = json((await ask(new Host(), NAMES, new Uint8Array())).body);
  expect(names).toEqual(gymNames(envs));
  expect(names['MiniGridDoorKey-v0']).toBe('minigrid-doorkey');
  expect(Object.values(names)).not.toContain('mpe-simple-spread');
  for (const name of Object.keys(names)) expect(name).toMatch(/^[A-Za-z0-9]+-v\d+$/);
});

const gymnasium = hasModules('gymnasium', 'pettingzoo');

describe.skipIf(!gymnasium)('gymnasium itself (skipped where RL_TEST_PYTHON has no gymnasium and pettingzoo)', () => {
  test('check_env passes; seeds, limits, ways of starting again, masks and teams are as ours', () => {
    const said = execFileSync(PYTHON, [resolve('cli/gym/stand-in/check_rlw.py')], {
      env: { ...process.env, PYTHONPATH: resolve('python') },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out = JSON.parse(said.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
    expect(out).toMatchObject({
      names: Object.keys(gymNames(envs)).length,
      team: true,
      again: true,
      other: true,
      limit: [false, true],
      rows: [true, true, true],
      options: [expect.stringContaining('reset(options=...) has no effect here: "low", "high".')],
      reset_mask: [true, true, true],
    });
    const entry = getEnv('cartpole');
    const env = entry.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(5), buffers);
    const steps = out.episode as number[][];
    expect(steps[0]).toEqual([...buffers.obs]);
    for (let t = 1; t < steps.length; t++) {
      env.step(Int32Array.of(t % 2), buffers);
      expect(steps[t]).toEqual([...buffers.obs, buffers.reward[0]]);
    }
    const masked = getEnv('lifelong-mapf');
    const maskOf = (seed: number): number[][] => {
      const walk = masked.create({}, 1);
      const seen = createBuffers(walk.meta, 1);
      walk.reset(Uint32Array.of(seed), seen);
      const masks = [[...seen.mask!]];
      for (let t = 0; t < 6; t++) {
        const legal = masks.at(-1)!.flatMap((is, action) => (is === 1 ? [action] : []));
        walk.step(Int32Array.of(legal[t % legal.length]!), seen);
        masks.push([...seen.mask!]);
      }
      return masks;
    };
    expect(out.masks).toEqual(maskOf(3));
    expect(new Set((out.masks as number[][]).map(String)).size).toBeGreaterThan(1);
    expect(out['both masks']).toEqual([maskOf(3)[0], maskOf(4)[0]]);
    const [no, both] = [
      [false, false],
      [true, true],
    ];
    const step = { reward: [1, 1], truncated: no, final: false };
    const ended = { reward: [1, 1], truncated: both, final: false };
    expect(out.NextStep).toMatchObject([step, step, ended, { reward: [0, 0], truncated: no, final: false, small: true }]);
    expect(out.SameStep).toMatchObject([step, step, { ...ended, final: true, small: true }, step]);
    expect(out.Disabled).toMatchObject([step, step, ended, 'Some copies have ended: reset them first.']);
    expect(out.refused).toEqual([
      expect.stringContaining('It has 3 agents: use rlw.parallel_env.'),
      expect.stringContaining('cartpole'),
      expect.stringContaining('env.maxSteps'),
    ]);
  }, 120_000);

  test('a file that lies elsewhere, as after pip install, finds the repository by RLW_HOME, and says so without it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rlw-'));
    cpSync('python/rlw.py', join(folder, 'rlw.py'));
    const reset = (env: object): string =>
      execFileSync(PYTHON, ['-c', 'import gymnasium; print(gymnasium.make("rlw:rlw/CartPole-v0").reset(seed=5)[0].shape)'], {
        env: { ...process.env, PYTHONPATH: folder, ...env },
        encoding: 'utf8',
        stdio: 'pipe',
      });
    try {
      expect(reset({ RLW_HOME: resolve('.') })).toBe('(4,)\n');
      expect(() => reset({})).toThrow('is not the workbench. Set RLW_HOME to the folder of its repository.');
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
