/** Rooms in tokens: what missions and views say, checked against the map; whose rules judge; what is no turn; what is held out. */
import { describe, expect, it } from 'vitest';
import { Xorshift } from '#math/xorshift.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import { isPlayed, LEVELS, type LevelName, type RoomConfig, roomsOf } from './lib/rooms.ts';
import { carriedTokens, missionTokens, VIEWS } from './lib/seen.ts';
import { decode, EOS, encode } from './lib/tokens.ts';
import { tHouse } from './t-house.ts';

const NAMES = Object.keys(LEVELS) as LevelName[];
const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);

/** One copy that is written to. */
function opened(config: object, seed = 3) {
  const env = tHouse.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  env.reset(Uint32Array.of(seed), buffers);
  return {
    env,
    buffers,
    seed: Number(env.meta.state.toJSON(env.save(0)).seed),
    text: () => decode(buffers.obs),
    write(ids: readonly number[]) {
      for (const id of ids) {
        actions[0] = id;
        env.step(actions, buffers);
      }
      return { text: decode(buffers.obs), over: buffers.terminated[0], reward: buffers.reward[0] };
    },
  };
}

/** The map as its rows of two-letter cells, and where the agent stands. */
function mapOf(level: LevelName, state: Uint8Array) {
  const json = roomsOf(level).meta.state.toJSON(state);
  return {
    cells: (json.layout as string[]).map((row) => row.split(' ')),
    at: json.agentPos as [number, number],
    dir: Number(json.agentDir),
    carrying: json.carrying,
  };
}
const WAYS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
/** The cell so far ahead and to the right. */
function cellAt({ cells, at, dir }: ReturnType<typeof mapOf>, ahead: number, right: number): string {
  const [ax, ay] = WAYS[dir]!;
  const [rx, ry] = WAYS[(dir + 1) % 4]!;
  return cells[at[1] + ahead * ay + right * ry]?.[at[0] + ahead * ax + right * rx] ?? 'outside';
}
/** MiniGrid's letters for what the tokens say. */
const KINDS: Readonly<Record<string, string>> = { k: 'K', o: 'A', x: 'B', '|': 'D', '!': 'L', '(': 'O', '*': 'G' };
const cellOf = (colour: string, kind: string): string => KINDS[kind]! + colour.toUpperCase();

/** States on the way of a player who errs half of the time. */
function states(level: LevelName): Uint8Array[] {
  const rooms = roomsOf(level);
  return SEEDS.slice(0, 20).flatMap((seed) => {
    const luck = new Xorshift(seed + 1);
    const expert = rooms.expert();
    const out = [rooms.begin(seed)];
    for (let t = 0, over = false; t < 12 && !over; t++) {
      const now = out.at(-1)!;
      const step = rooms.step(now, luck.draw(2) === 0 ? luck.draw(6) : expert(now) % 6);
      over = step.over;
      if (!over) out.push(step.state);
    }
    return out;
  });
}

describe('what is told', () => {
  it.each([
    ['go to the red ball', '@ro'],
    ['go to a grey key', '@ek'],
    ['pick up a yellow object', '+y'],
    ['pick up a box', '+x'],
    ['put the blue key next to the green box', '-bk^gx'],
    ['open the purple door', '/p|'],
    ['use the key to open the door and then get to the goal', 'k/|,;@*'],
  ])('"%s" is %s', (mission, tokens) => {
    expect(missionTokens(mission)).toBe(tokens);
  });

  it.each(NAMES)('%s: missions fit into their places, and no two that differ are told alike', (level) => {
    const rooms = roomsOf(level);
    const told = new Map<string, string>();
    for (const seed of SEEDS) {
      const mission = rooms.mission(rooms.begin(seed)).replace(/\b(a|the) /g, '');
      const tokens = missionTokens(mission);
      expect(tokens.length).toBeLessThanOrEqual(rooms.level.says);
      expect(told.get(tokens) ?? mission).toBe(mission);
      told.set(tokens, mission);
    }
  });

  it.each(NAMES)('%s: every thing told lies there on the map, the wall too, and what is in front is always told', (level) => {
    const rooms = roomsOf(level);
    const { things } = rooms.level;
    let told = 0;
    for (const state of states(level)) {
      const map = mapOf(level, state);
      const view = rooms.look(state);
      const [ahead, left, right, ...list] = [...VIEWS.things(view, things)];
      for (const [steps, da, dr] of [
        [Number(ahead), 1, 0],
        [Number(left), 0, -1],
        [Number(right), 0, 1],
      ] as const) {
        if (steps > 0) expect(cellAt(map, steps * da, steps * dr)).toMatch(/^W|outside/);
      }
      let far = 0;
      const seen = new Set<string>();
      for (let i = 0; i < list.length; i += 5) {
        const [colour, kind, steps, side, aside] = list.slice(i, i + 5) as [string, string, string, string, string];
        if (colour === '.') continue;
        const across = side === '<' ? -Number(aside) : Number(aside);
        expect(side).toBe(across < 0 ? '<' : across > 0 ? '>' : '=');
        expect(cellAt(map, Number(steps), across)).toBe(cellOf(colour, kind));
        expect(Number(steps) + Math.abs(across)).toBeGreaterThanOrEqual(far);
        far = Number(steps) + Math.abs(across);
        seen.add(`${steps} ${across}`);
        told++;
      }
      const front = cellAt(map, 1, 0);
      expect(seen.has('1 0')).toBe(!/^(\.\.|W|outside)/.test(front));
      const held = carriedTokens(rooms.look(state));
      expect(held).toHaveLength(2);
      expect(held === '..').toBe(map.carrying === null);
    }
    expect(told).toBeGreaterThan(20);
  });

  it('rays tell the first thing in each of three straight lines', () => {
    for (const state of states('GoToLocalS6N4')) {
      const map = mapOf('GoToLocalS6N4', state);
      const text = VIEWS.rays(roomsOf('GoToLocalS6N4').look(state));
      expect(text).toHaveLength(9);
      for (const [i, [da, dr]] of (
        [
          [1, 0],
          [0, -1],
          [0, 1],
        ] as const
      ).entries()) {
        const [steps, colour, kind] = [...text.slice(3 * i, 3 * i + 3)] as [string, string, string];
        const reach = steps === '0' ? (da === 1 ? 6 : 3) : Number(steps) - 1;
        for (let d = 1; d <= reach; d++) expect(cellAt(map, d * da, d * dr)).toBe('..');
        const there = cellAt(map, Number(steps) * da, Number(steps) * dr);
        if (steps !== '0') expect(there).toMatch(kind === '#' ? /^W/ : new RegExp(`^${cellOf(colour, kind)}$`));
      }
    }
  });
});

describe('turns', () => {
  const letters = 'lrgpdo';
  it.each(['letter', 'word', 'letters'] as const)('as a %s they do what the room itself does, and its rule alone decides', (answer) => {
    const words = ['left', 'right', 'go', 'pick', 'drop', 'open'];
    const ways = { solved: 0, failed: 0, late: 0 };
    for (const seed of SEEDS) {
      const play = opened({ level: 'Fetch-5x5-N2', answer, turns: 16, price: 0.01 }, seed);
      const rooms = roomsOf('Fetch-5x5-N2');
      let state = rooms.begin(play.seed);
      const luck = new Xorshift(seed + 7);
      for (let turn = 1; turn <= 16; turn++) {
        const actions = Array.from({ length: answer === 'letters' ? 1 + luck.draw(3) : 1 }, () => luck.draw(6));
        const text = answer === 'word' ? words[actions[0]!]! : actions.map((a) => letters[a]).join('') + (answer === 'letters' ? '.' : '');
        let [over, solved] = [false, false];
        for (const action of actions) if (!over) ({ state, over, solved } = rooms.step(state, action));
        const said = play.write(encode(text));
        const frame = new Float32Array(3 * 25 + 6);
        const mine = new Float32Array(3 * 25 + 6);
        play.env.frame(0, mine);
        rooms.draw(state, frame);
        expect([...mine]).toEqual([...frame]);
        expect(said.reward).toBeCloseTo((solved ? 1 : 0) - 0.01, 6);
        expect(said.over).toBe(over || turn === 16 ? 1 : 0);
        if (!over && turn < 16) continue;
        ways[solved ? 'solved' : over ? 'failed' : 'late']++;
        break;
      }
    }
    // all three ends were met
    expect(Math.min(...Object.values(ways))).toBeGreaterThan(0);
  });

  it.each([
    ['letter', 'x'],
    ['letter', '.'],
    ['word', 'lf'],
    ['word', 'opr'],
    ['letters', '.'],
    ['letters', 'lx.'],
    ['letters', 'llll'],
  ])('as a %s "%s" is none, and ends the episode with nothing', (answer, text) => {
    expect(opened({ answer }).write(encode(text))).toMatchObject({ over: 1, reward: 0 });
  });

  it('the end token closes no turn', () => {
    for (const [answer, text] of [
      ['letter', ''],
      ['word', 'g'],
      ['letters', 'l'],
    ] as const)
      expect(opened({ answer }).write([...encode(text), EOS])).toMatchObject({ over: 1, reward: 0 });
  });

  it('a row begins anew with what is seen then, or keeps everything that was seen and done', () => {
    const anew = opened({ level: 'GoToObjS6' });
    const first = anew.text();
    const second = anew.write(encode('l')).text;
    expect(second).toHaveLength(first.length);
    const grows = opened({ level: 'GoToObjS6', row: 'grows', turns: 6 });
    expect(grows.text()).toBe(first);
    expect(grows.write(encode('l')).text).toBe(`${first}l${second.slice(second.indexOf(':') + 1)}`);
  });

  it('a row that would be too long is refused', () => {
    expect(() => tHouse.meta({ level: 'GoToLocal', row: 'grows', turns: 20 })).toThrow(/too long/);
  });
});

describe('scripted players', () => {
  const played = (config: object, policy: string) => {
    const parsed = tHouse.parse(config);
    const env = tHouse.create(parsed, 60);
    const buffers = createBuffers(env.meta, 60);
    const actions = createActions(env.meta, 60);
    const script = tHouse.policies(parsed)[policy]!;
    env.reset(Uint32Array.from(SEEDS), buffers);
    const over = new Uint8Array(60);
    const measured = new Float64Array(3);
    let [solved, formed, turns] = [0, 0, 0];
    for (let t = 0; t < env.meta.maxSteps && over.includes(0); t++) {
      script.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < 60; row++) {
        if (over[row] === 1 || buffers.terminated[row] === 0) continue;
        over[row] = 1;
        env.measure?.(row, measured, 0);
        solved += measured[0]! / 60;
        formed += measured[1]! / 60;
        turns += measured[2]! / 60;
      }
    }
    return { solved, formed, turns };
  };

  it.each(NAMES)('%s: the expert solves it', (level) => {
    expect(played({ level, turns: 40 }, 'expert').solved).toBeCloseTo(1, 9);
  });

  it.each(['letter', 'word', 'letters'] as const)('as a %s: turns are well formed; the more mistakes, the fewer are solved', (answer) => {
    const at = (mistakes: number) => played({ level: 'DoorKey-5x5', answer, turns: 16, mistakes }, 'novice');
    const runs = [at(0), at(0.5), at(1)];
    for (const { formed } of runs) expect(formed).toBeCloseTo(1, 9);
    expect(runs[0]!.solved).toBeCloseTo(1, 9);
    expect(runs[0]!.solved - runs[1]!.solved).toBeGreaterThan(0.1);
    expect(runs[1]!.solved - runs[2]!.solved).toBeGreaterThan(0.1);
  });
});

describe('what is held out', () => {
  const missions = (config: object): Map<number, string> => {
    const parsed = tHouse.parse(config);
    const env = tHouse.create(parsed, 300);
    const buffers = createBuffers(env.meta, 300);
    env.reset(
      Uint32Array.from({ length: 300 }, (_, i) => i),
      buffers,
    );
    const rooms = roomsOf(parsed.level as LevelName);
    return new Map(
      Array.from({ length: 300 }, (_, row) => {
        const seed = Number(env.meta.state.toJSON(env.save(row)).seed);
        return [seed, rooms.mission(rooms.begin(seed))];
      }),
    );
  };
  const held = /green door|grey key|purple ball|blue box/;

  it.each(['GoToLocalS5N2', 'Fetch-5x5-N2', 'PutNextLocalS5N3'])(
    '%s by thing: training never asks for these, but for their kind and their colour in other things',
    (level) => {
      const train = [...missions({ level, split: 'train', splitBy: 'thing' }).values()];
      const test = [...missions({ level, split: 'held-out', splitBy: 'thing' }).values()];
      expect(train.filter((mission) => held.test(mission))).toEqual([]);
      expect(test.filter((mission) => !held.test(mission))).toEqual([]);
      const known = train.join();
      for (const mission of test) for (const word of mission.match(held)![0].split(' ')) expect(known).toContain(word);
    },
  );

  it('where the mission names no colour, the map decides: no green door is locked in training', () => {
    const colours = (split: string) =>
      new Set(
        [...missions({ level: 'Unlock', split, splitBy: 'thing' }).keys()].map((seed) => {
          const { cells } = mapOf('Unlock', roomsOf('Unlock').begin(seed));
          return cells.flat().find((cell) => cell.startsWith('L'))![1];
        }),
      );
    const [train, test] = [colours('train'), colours('held-out')];
    expect([...train].sort().join('')).toBe('BPRY');
    expect([...test].sort().join('')).toBe('EG');
  });

  it('by map: the maps of training and those held out are no two alike', () => {
    const maps = (split: string) =>
      new Set(
        [...missions({ level: 'OpenRedDoor', split }).keys()].map((seed) => roomsOf('OpenRedDoor').begin(seed).subarray(8, -16).join()),
      );
    const [train, test] = [maps('train'), maps('held-out')];
    expect(test.size).toBeGreaterThan(4);
    expect([...test].filter((map) => train.has(map))).toEqual([]);
  });

  it.each(NAMES)('%s by map: about one in ten, however few maps there are', (level) => {
    const config = tHouse.parse({ level, split: 'held-out' }) as unknown as RoomConfig;
    const rooms = roomsOf(level);
    const share = Array.from({ length: 1000 }, (_, seed) => isPlayed(config, rooms, seed)).filter(Boolean).length / 1000;
    expect(share).toBeGreaterThan(0.03);
    expect(share).toBeLessThan(0.2);
  });

  it('a level whose things have one colour can be held out by map alone', () => {
    expect(() => tHouse.meta({ level: 'DoorKey-5x5', split: 'held-out', splitBy: 'thing' })).toThrow(/held out|none of the first/i);
    expect(() => tHouse.meta({ level: 'DoorKey-5x5', split: 'held-out' })).not.toThrow();
  });
});
