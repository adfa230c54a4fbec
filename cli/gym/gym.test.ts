/** Environments in Python over the real bridge: a stand-in of the standard library, and gymnasium where it is installed (RL_TEST_PYTHON). */
import { execFileSync, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decodeGymHeader, encodeGym, GYM, GYM_HEADER, LARGEST_GYM_BODY, readGymDescription } from '#contract/game/gym-wire.ts';
import { createVectorEnv, type VectorEnv } from '#core/envs/api/vector-env.ts';
import { type GymLink, gymEntry } from '#core/gym/entry.ts';
import { Rng } from '#math/rng.ts';
import { bundle } from '../../tools/bundle.mjs';
import { hasModules, PYTHON } from '../../tools/python.ts';
import { type OpenLink, openLink } from './link.ts';

const BRIDGE = resolve('python/rl_gym_bridge.py');
const HERE = resolve('cli/gym/stand-in');

let thread = '';
beforeAll(async () => {
  thread = join(await bundle('cli'), 'gym.mjs');
}, 120_000);

const open = new Set<OpenLink>();
afterEach(() => {
  for (const link of open) link.close();
  open.clear();
});

function start(name: string, args: object = {}, leave: readonly string[] = [], patience?: number): OpenLink {
  const asked = { name: name.includes(':') || name.includes('-v') ? name : `stand_in:${name}`, args: { ...args }, leave };
  const link = openLink({ asked, python: PYTHON, bridge: BRIDGE, cwd: HERE }, thread, patience);
  open.add(link);
  return link;
}

function vectorOf(link: OpenLink, batch: number, seed = 3, config: object = {}): VectorEnv {
  const vector = createVectorEnv(
    gymEntry(readGymDescription(link.description), 'gym-test', () => link),
    config,
    batch,
    Rng.from(seed),
  );
  vector.reset();
  return vector;
}

/** What some steps of a corridor show. */
function played(vector: VectorEnv, steps: number): readonly unknown[] {
  const seen: unknown[] = [[...vector.buffers.obs]];
  for (let t = 0; t < steps; t++) {
    vector.step(Int32Array.from({ length: vector.batch }, () => 1));
    const { obs, reward, terminated, truncated, mask, finalObs } = vector.buffers;
    seen.push([obs, reward, terminated, truncated, mask ?? [], finalObs].map((numbers) => [...numbers]));
  }
  return seen;
}

describe('an environment in Python', () => {
  test('describes its spaces by name, with masks', () => {
    const { agents, masked, limit, picture } = readGymDescription(start('Corridor').description);
    expect(agents).toEqual([
      {
        name: 'agent',
        obs: {
          kind: 'box',
          shape: [7],
          low: -1,
          high: 10,
          labels: ['place=0', 'place=1', 'place=2', 'place=3', 'place=4', 'hint[0]', 'hint[1]'],
        },
        action: { kind: 'discrete', n: 3, labels: ['0', '1', '2'] },
      },
    ]);
    expect([masked, limit, picture]).toEqual([true, 0, null]);
  });

  test('the same seed gives the same episodes, another one others; rows differ; masks follow', () => {
    const a = played(vectorOf(start('Corridor'), 3, 3), 20);
    expect(played(vectorOf(start('Corridor'), 3, 3), 20)).toEqual(a);
    expect(played(vectorOf(start('Corridor'), 3, 4), 20)).not.toEqual(a);
    const vector = vectorOf(start('Corridor'), 2);
    expect([...vector.buffers.mask!]).toEqual([0, 1, 0, 0, 1, 0]);
    expect(vector.buffers.obs[5]).not.toBe(vector.buffers.obs[12]);
    vector.step(Int32Array.of(1, 1));
    expect([...vector.buffers.mask!]).toEqual([1, 1, 0, 1, 1, 0]);
  });

  test('terminated and truncated stay apart; a row that ends starts again in the same step, its last observation beside it', () => {
    const vector = vectorOf(start('Corridor', { length: 3, limit: 4 }), 2);
    const { buffers } = vector;
    const flags = (): readonly number[] => [...buffers.terminated, ...buffers.truncated];
    vector.step(Int32Array.of(1, 1));
    vector.step(Int32Array.of(1, 1));
    expect(flags()).toEqual([0, 0, 0, 0]);
    vector.step(Int32Array.of(2, 1)); // the first ends it, the second waits
    expect(flags()).toEqual([1, 0, 0, 0]);
    expect([...buffers.reward]).toEqual([1, -0.125]);
    expect([...buffers.finalObs.subarray(0, 3)]).toEqual([0, 0, 1]);
    expect([...buffers.obs.subarray(0, 3)]).toEqual([1, 0, 0]);
    expect([...buffers.finalMask!.subarray(0, 3)]).toEqual([1, 1, 1]);
    expect([...buffers.mask!.subarray(0, 3)]).toEqual([0, 1, 0]);
    vector.step(Int32Array.of(1, 1)); // its time is over
    expect(flags()).toEqual([0, 0, 0, 1]);
    expect([...buffers.finalObs.subarray(5, 8)]).toEqual([0, 0, 1]);
    expect([...buffers.obs.subarray(5, 8)]).toEqual([1, 0, 0]);
  });

  test('a limit of our own truncates where it has none that is shorter', () => {
    const vector = vectorOf(start('Corridor'), 1, 3, { maxSteps: 3 });
    for (let t = 0; t < 3; t++) vector.step(Int32Array.of(1));
    expect([vector.buffers.terminated[0], vector.buffers.truncated[0]]).toEqual([0, 1]);
  });

  test('choices of several parts are one list by name, and come out as they went in', () => {
    const link = start('Mixed');
    const { agents } = readGymDescription(link.description);
    const action = agents[0]!.action;
    expect(action.kind === 'discrete' && [action.n, action.labels[0], action.labels[11]]).toEqual([
      12,
      'turn=0, arm[0]=0, arm[1]=0',
      'turn=1, arm[0]=1, arm[1]=2',
    ]);
    const vector = vectorOf(link, 1);
    expect([...vector.buffers.obs]).toEqual([0.25, 0.5, 0, 1, 0, 0, 1]);
    const rewards = Array.from({ length: 12 }, (_, choice) => {
      vector.step(Int32Array.of(choice));
      return vector.buffers.reward[0];
    });
    expect(rewards).toEqual([-100, -99, -98, -90, -89, -88, 0, 1, 2, 10, 11, 12]);
  });

  test('continuous numbers keep to their bounds, each to its own', () => {
    const link = start('Reach');
    expect(readGymDescription(link.description).agents[0]).toMatchObject({
      obs: { low: null, high: null },
      action: { low: [-2, 0], high: [2, 0.5] },
    });
    const vector = vectorOf(link, 2);
    vector.step(Float32Array.of(1, 0.25, 9, -9));
    expect([...vector.buffers.reward]).toEqual([3.5, 2]);
  });

  test('parallel agents: padded to the widest, one leaves early, the flags are of the episode', () => {
    const vector = vectorOf(start('Pair'), 1);
    const { buffers } = vector;
    expect(vector.meta).toMatchObject({ agentCount: 2, obsSize: 2, actionCount: 3 });
    vector.step(Int32Array.of(2, 1));
    expect([[...buffers.reward], [...buffers.obs], [...buffers.alive!]]).toEqual([
      [2, 1],
      [1, 1, 1, 0],
      [1, 1],
    ]);
    vector.step(Int32Array.of(2, 1));
    expect([...buffers.alive!]).toEqual([1, 0]);
    vector.step(Int32Array.of(2, 1));
    expect([...buffers.reward]).toEqual([2, 0]);
    vector.step(Int32Array.of(2, 1));
    expect([buffers.terminated[0], buffers.truncated[0]]).toEqual([0, 1]);
    expect([...buffers.alive!]).toEqual([1, 1]); // started again
  });

  test('a moment of the episode that is watched can be gone back to; another one is refused in words', () => {
    const link = start('Corridor');
    const { env, buffers, ...vector } = vectorOf(link, 1);
    vector.step(Int32Array.of(1));
    vector.step(Int32Array.of(1));
    const [state, there] = [env.save(0), [...buffers.obs]];
    vector.step(Int32Array.of(1));
    env.load(0, state, buffers);
    expect([...buffers.obs]).toEqual(there);
    const other = env.meta.state.fromJSON({ version: 1, seed: 7, steps: 3, rng: [0, 0, 0, 0] });
    expect(() => env.load(0, other, buffers)).toThrow('This moment of an environment in Python is not kept.');
  });
});

describe('what goes wrong is said', () => {
  test.each([
    ['Words', '"goal.mission" of the observation is a Text space, which is not served.'],
    ['Unbounded', '"number 1" of the action has no bounds.'],
    ['Nothing', "No module named 'gymnasium'|module.*stand_in|Nothing"],
    ['nowhere:Env', "No module named 'nowhere'"],
  ])('%s', (name, message) => {
    expect(() => start(name)).toThrow(new RegExp(message));
  });

  test('a part that is not served can be left out by its name', () => {
    const { agents } = readGymDescription(start('Words', {}, ['goal.mission']).description);
    expect(agents[0]?.obs).toMatchObject({ shape: [5] });
  });

  test('an error of the environment names its class and line, and the bridge serves on', () => {
    const vector = vectorOf(start('Corridor'), 1);
    expect(() => vector.step(Int32Array.of(0))).toThrow(/ValueError: there is no cell behind the first \(stand_in.py, line \d+\)/);
    vector.step(Int32Array.of(1));
    expect([...vector.buffers.obs.subarray(0, 2)]).toEqual([0, 1]);
  });

  test('a process that dies in a step ends the run, with what it printed', () => {
    const vector = vectorOf(start('Dies'), 1);
    expect(() => vector.step(Int32Array.of(1))).toThrow(/Python ended before it answered\. It printed: .*the simulator has crashed/s);
    expect(() => vector.step(Int32Array.of(1))).toThrow('Python');
  });

  test('one that hangs is given up', () => {
    const vector = vectorOf(start('Hangs', {}, [], 5000), 1);
    expect(() => vector.step(Int32Array.of(1))).toThrow('Python has not answered for 5 s.');
    expect(() => vector.step(Int32Array.of(1))).toThrow('The connection to Python was closed.');
  });

  test('an interpreter that is not there is named', () => {
    const asked = { name: 'stand_in:Corridor', args: {}, leave: [] };
    expect(() => openLink({ asked, python: 'python-of-nowhere', bridge: BRIDGE, cwd: HERE }, thread)).toThrow(
      'There is no "python-of-nowhere" here.',
    );
  });
});

describe('the socket', () => {
  /** A bridge that serves on, whatever is sent to it. */
  async function served(): Promise<{ readonly port: number; end(): void }> {
    const child = spawn(PYTHON, [BRIDGE, 'stand_in:Corridor'], { cwd: HERE, env: { ...process.env, RL_GYM_TOKEN: 'secret' } });
    const line = await new Promise<string>((give) => createInterface({ input: child.stdout }).once('line', give));
    return { port: (JSON.parse(line) as { port: number }).port, end: () => void child.kill() };
  }

  /** What comes back for some bytes until the bridge closes, or `count` bytes of it. */
  function answer(port: number, bytes: Uint8Array, count = Number.POSITIVE_INFINITY): Promise<Buffer> {
    return new Promise((give) => {
      const parts: Buffer[] = [];
      const socket = connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
      socket.on('data', (part) => {
        parts.push(part);
        if (Buffer.concat(parts).byteLength >= count) socket.destroy();
      });
      socket.on('close', () => give(Buffer.concat(parts)));
      socket.on('error', () => {}); // a reset is a way to close
    });
  }

  const text = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

  test('a wrong token, garbage, a huge header and a message before the token are refused; the next client is served', async () => {
    const { port, end } = await served();
    try {
      const wrong = await answer(port, encodeGym(GYM.hello, text({ token: 'other' })));
      expect(wrong[5]).toBe(GYM.error);
      expect(wrong.subarray(GYM_HEADER).toString()).toContain('The token is missing or wrong.');
      expect((await answer(port, encodeGym(GYM.make, text({ copies: 1 }))))[5]).toBe(GYM.error);
      expect((await answer(port, new TextEncoder().encode('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))).byteLength).toBe(0);
      const huge = encodeGym(GYM.hello, new Uint8Array(0));
      new DataView(huge.buffer).setUint32(8, 0xffff_ffff, true);
      expect((await answer(port, huge)).byteLength).toBe(0);
      const next = await answer(port, encodeGym(GYM.hello, text({ token: 'secret' })), 100);
      expect(next[5]).toBe(GYM.ok);
    } finally {
      end();
    }
  });

  test.each([
    ['copies without end', GYM.make, text({ copies: 1e9 })],
    ['a step of copies that are not there', GYM.step, Uint8Array.of(1)],
    ['a type that there is not', 77, new Uint8Array(4)],
  ])('%s: the connection is closed', async (_, type, body) => {
    const { port, end } = await served();
    try {
      const hello = encodeGym(GYM.hello, text({ token: 'secret' }));
      const both = await answer(port, Buffer.concat([hello, encodeGym(type, body)]));
      // nothing behind the description, which a reset may have cut short
      if (both.byteLength > 0) expect(both.byteLength).toBeLessThanOrEqual(GYM_HEADER + decodeGymHeader(both).length);
    } finally {
      end();
    }
  });

  test('a header is read before its body: what is not of the wire, too long or of another version is refused', () => {
    const good = encodeGym(GYM.ok, Uint8Array.of(1, 2));
    expect(decodeGymHeader(good)).toEqual({ type: GYM.ok, length: 2 });
    const changed = (at: number, value: number): Uint8Array => good.map((byte, i) => (i === at ? value : byte));
    expect(() => decodeGymHeader(changed(0, 0))).toThrow('bytes that are not of the wire');
    expect(() => decodeGymHeader(changed(4, 9))).toThrow('wire version 9');
    expect(() => decodeGymHeader(changed(11, 255))).toThrow(`more than ${LARGEST_GYM_BODY}`);
    expect(() => decodeGymHeader(good.subarray(0, 4))).toThrow('bytes that are not of the wire');
  });

  test('descriptions are checked field by field', () => {
    const description = JSON.parse(new TextDecoder().decode(start('Corridor').description)) as Record<string, unknown>;
    expect(readGymDescription(text(description)).name).toBe('stand_in:Corridor');
    for (const [wrong, words] of [
      [{ ...description, wire: 2 }, '"wire"'],
      [{ ...description, agents: [] }, '"agents"'],
      [
        {
          ...description,
          agents: [
            { name: 'a', obs: { kind: 'box', shape: [4e6, 4e6], low: 0, high: 1 }, action: { kind: 'discrete', n: 1, labels: ['0'] } },
          ],
        },
        'numbers for a',
      ],
      [
        { ...description, agents: [{ name: 'a', obs: { kind: 'discrete', n: 2 }, action: { kind: 'discrete', n: 2, labels: ['0'] } }] },
        'differ in length',
      ],
    ] as const)
      expect(() => readGymDescription(text(wrong))).toThrow(words);
  });
});

/** An episode of one row as the bridge gave it: its seed, what was done, and what was seen, as `straight.py` prints it. */
interface Episode {
  readonly seed: number;
  readonly actions: (number | readonly number[])[];
  readonly seen: unknown[];
}

/** What `episodes` are in Gymnasium itself, without the bridge. */
const straight = (name: string, episodes: readonly Episode[]): unknown =>
  JSON.parse(
    execFileSync(PYTHON, [resolve('cli/gym/stand-in/straight.py')], {
      input: JSON.stringify({ name, episodes }),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    }),
  );

/** Plays `copies` rows of a Gymnasium environment by drawn legal actions for `steps` steps; every episode of every row. */
function recorded(name: string, copies: number, steps: number): readonly Episode[] {
  const link = start(name);
  const current: Episode[] = [];
  const all: Episode[] = [];
  const listening: GymLink = {
    exchange(type, body) {
      if (type === GYM.reset) {
        const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
        for (let at = 4; at < body.byteLength; at += 8) {
          const episode: Episode = { seed: view.getUint32(at + 4, true), actions: [], seen: [] };
          current[view.getUint32(at, true)] = episode;
          all.push(episode);
        }
      }
      return link.exchange(type, body);
    },
  };
  const description = readGymDescription(link.description);
  const vector = createVectorEnv(
    gymEntry(description, 'gym-test', () => listening),
    {},
    copies,
    Rng.from(7),
  );
  vector.reset();
  const { buffers, meta } = vector;
  const [width, choices] = [meta.obsSize, meta.actionCount];
  const part = <T extends Float32Array | Uint8Array>(numbers: T | null | undefined, row: number, size: number): number[] | null =>
    numbers ? [...numbers.subarray(row * size, (row + 1) * size)] : null;
  const mask = (of: Uint8Array | null | undefined, row: number): number[] | null => (description.masked ? part(of, row, choices) : null);
  for (let row = 0; row < copies; row++) current[row]!.seen.push([part(buffers.obs, row, width), mask(buffers.mask, row)]);
  const draw = Rng.from(8);
  for (let t = 0; t < steps; t++) {
    const actions = choices > 0 ? new Int32Array(copies) : new Float32Array(copies * meta.actionSize);
    for (let row = 0; row < copies; row++) {
      const legal = Array.from({ length: choices }, (_, a) => a).filter((a) => (mask(buffers.mask, row)?.[a] ?? 1) === 1);
      if (choices > 0) actions[row] = legal[draw.next() % legal.length]!;
      else for (let d = 0; d < meta.actionSize; d++) actions[row * meta.actionSize + d] = (draw.next() % 401) / 100 - 2;
    }
    const before = [...current];
    vector.step(actions);
    for (let row = 0; row < copies; row++) {
      const over = buffers.terminated[row] === 1 || buffers.truncated[row] === 1;
      const { actions: done, seen } = before[row]!;
      done.push(choices > 0 ? actions[row]! : part(actions as Float32Array, row, meta.actionSize)!);
      seen.push([
        part(over ? buffers.finalObs : buffers.obs, row, width),
        mask(over ? buffers.finalMask : buffers.mask, row),
        buffers.reward[row],
        buffers.terminated[row] === 1,
        buffers.truncated[row] === 1,
      ]);
      if (over) current[row]!.seen.push([part(buffers.obs, row, width), mask(buffers.mask, row)]);
    }
  }
  return all;
}

describe.skipIf(!hasModules('gymnasium'))('gymnasium itself (skipped where RL_TEST_PYTHON has none)', () => {
  test.each([
    { name: 'CartPole-v1', numbers: 4, limit: 500, masked: false, ends: [true, false], episodes: 20 },
    { name: 'Taxi-v4', numbers: 500, limit: 200, masked: true, ends: [false, true], episodes: 4 },
    { name: 'Pendulum-v1', numbers: 3, limit: 200, masked: false, ends: [false, true], episodes: 4 },
  ])(
    '$name: seeds, masks, time limits and resets of copies are as without the bridge',
    ({ name, numbers, limit, masked, ends, episodes }) => {
      const description = readGymDescription(start(name).description);
      expect([description.limit, description.masked]).toEqual([limit, masked]);
      const played = recorded(name, 2, 401);
      expect(played.length).toBeGreaterThan(episodes);
      const whole = played.filter(({ seen }) => (seen.at(-1) as unknown[])[3] === true || (seen.at(-1) as unknown[])[4] === true);
      // Both kinds of end are told apart, and the limit comes after as many steps as Gymnasium says.
      const [terminated, truncated] = [3, 4].map((flag) => whole.filter(({ seen }) => (seen.at(-1) as unknown[])[flag] === true));
      expect([terminated!.length > 0, truncated!.length > 0]).toEqual(ends);
      for (const { actions } of truncated!) expect(actions).toHaveLength(limit);
      expect(played.every(({ seen }) => (seen[0] as unknown[][])[0]!.length === numbers)).toBe(true);
      expect(new Set(played.map(({ seed }) => seed)).size).toBe(played.length);
      expect(straight(name, played)).toEqual(played.map(({ seen }) => seen));
    },
  );
});
