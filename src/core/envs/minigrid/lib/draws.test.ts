import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { misfit } from '#core/testing/chi-square.ts';
import { DRAWS } from '../../../../../tools/nightly.ts';
import { getEnv } from '../../all.ts';
import { createBuffers } from '../../api/buffers.ts';

const BATCH = 2000;
const [WALL, DOOR, KEY, BALL, BOX, GOAL, LAVA] = [2, 4, 5, 6, 7, 8, 9];
const LOCKED = 2;
const MISSION = 151; // where the observation says what is wanted

/** One made world: what a cell holds, where the agent is, what it is told. */
interface World {
  readonly width: number;
  readonly height: number;
  object(x: number, y: number): number;
  colour(x: number, y: number): number;
  state(x: number, y: number): number;
  /** Cells with such a thing, as [x, y]. */
  all(...objects: readonly number[]): [number, number][];
  one(object: number): [number, number];
  readonly agent: readonly [x: number, y: number, dir: number];
  /** Index of the 1 among `size` numbers of the mission. */
  told(from: number, size: number): number;
}

/** Calls `visit` with so many worlds drawn one after another from the generators of a batch. */
function draw(id: string, config: JsonObject, worlds: number, visit: (world: World) => void): void {
  const env = getEnv(id).create(config, BATCH);
  const { frame: layout, obsSize } = env.meta;
  if (layout.kind !== 'grid') throw new Error('no grid');
  const { width, height } = layout;
  const frame = new Float32Array(width * height * 3 + 6);
  const buffers = createBuffers(env.meta, BATCH);
  const again = new Uint8Array(BATCH).fill(1);
  const at = (x: number, y: number, k: number) => frame[3 * (y * width + x) + k]!;
  let row = 0;
  const all = (...objects: readonly number[]) => {
    const out: [number, number][] = [];
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (objects.includes(at(x, y, 0))) out.push([x, y]);
    return out;
  };
  const world = {
    width,
    height,
    object: (x: number, y: number) => at(x, y, 0),
    colour: (x: number, y: number) => at(x, y, 1),
    state: (x: number, y: number) => at(x, y, 2),
    all,
    one: (object: number) => all(object)[0] as [number, number],
    agent: [0, 0, 0] as [number, number, number],
    told: (from: number, size: number) =>
      buffers.obs.subarray(row * obsSize + MISSION + from, row * obsSize + MISSION + from + size).indexOf(1),
  };
  env.reset(
    Uint32Array.from({ length: BATCH }, (_, i) => i),
    buffers,
  );
  for (let n = 0; n < worlds; env.restart(again, buffers))
    for (row = 0; row < BATCH && n < worlds; row++, n++) {
      env.frame(row, frame);
      for (let k = 0; k < 3; k++) world.agent[k] = frame[3 * width * height + k]!;
      visit(world);
    }
}

/** [environment, config, what is drawn, how many cases, which case a world is, shares of the cases where they differ]. */
const DRAWN: readonly (readonly [string, JsonObject, string, number, (w: World) => number, (readonly number[])?])[] = [
  [
    'minigrid-empty',
    { width: 5, height: 5, randomStart: true },
    'start cell (not the goal) and direction',
    32,
    ({ agent: [x, y, dir] }) => 4 * (3 * (y - 1) + x - 1) + dir,
  ],
  [
    'minigrid-doorkey',
    { width: 6, height: 6 },
    'column of the wall and row of the door',
    6,
    (w) => {
      const [x, y] = w.one(DOOR);
      return 3 * (x - 2) + y - 1;
    },
  ],
  ['minigrid-four-rooms', {}, 'upper gap', 8, (w) => [1, 2, 3, 4, 5, 6, 7, 8].findIndex((y) => w.object(9, y) !== WALL)],
  ['minigrid-four-rooms', {}, 'right gap', 8, (w) => [10, 11, 12, 13, 14, 15, 16, 17].findIndex((x) => w.object(x, 9) !== WALL)],
  [
    'minigrid-four-rooms',
    {},
    '@night room of the agent, or a gap',
    5,
    ({ agent: [x, y] }) => (x === 9 || y === 9 ? 4 : (x > 9 ? 1 : 0) + (y > 9 ? 2 : 0)),
    [64, 64, 64, 64, 4],
  ],
  [
    'minigrid-lava-gap',
    {},
    'column of the lava and row of the gap',
    15,
    (w) => {
      const [x] = w.one(LAVA);
      return 5 * (x - 2) + [1, 2, 3, 4, 5].findIndex((y) => w.object(x, y) !== LAVA);
    },
  ],
  ...(['lava', 'simple'] as const).map(
    (kind) =>
      [
        `minigrid-${kind}-crossing`,
        {},
        'river and its gap',
        42,
        (w: World) => {
          const river = kind === 'lava' ? LAVA : WALL;
          const lines = [2, 4, 6];
          const upright =
            lines.find((x) => w.object(x, 1) === river && w.object(x, 2) === river) ??
            lines.find((x) => w.object(x, 6) === river && w.object(x, 7) === river);
          const rows = [1, 2, 3, 4, 5, 6, 7];
          const full = upright !== undefined && rows.filter((y) => w.object(upright, y) === river).length === 6 ? upright : -1;
          const flat = lines.find((y) => rows.filter((x) => w.object(x, y) === river).length === 6) ?? 0;
          return full > 0
            ? 7 * (full / 2 - 1) + rows.findIndex((y) => w.object(full, y) !== river)
            : 21 + 7 * (flat / 2 - 1) + rows.findIndex((x) => w.object(x, flat) !== river);
        },
      ] as const,
  ),
  [
    'minigrid-memory',
    {},
    'start, thing shown and thing above',
    16,
    (w) => 4 * (w.agent[0] - 1) + 2 * (w.object(1, 2) - KEY) + (w.object(5, 1) - KEY),
  ],
  [
    'minigrid-memory',
    { width: 13, height: 13, randomLength: true },
    'length of the hallway',
    7,
    (w) => [4, 5, 6, 7, 8, 9, 10].findIndex((end) => w.object(end + 2, 6) === WALL),
  ],
  [
    'minigrid-unlock',
    {},
    'colour and row of the door',
    24,
    (w) => {
      const [x, y] = w.one(DOOR);
      return 4 * w.colour(x, y) + y - 1;
    },
  ],
  ['minigrid-unlock-pickup', {}, 'colours of door and box', 36, (w) => 6 * w.colour(...w.one(DOOR)) + w.colour(...w.one(BOX))],
  [
    'minigrid-blocked-unlock-pickup',
    {},
    'colours of door, box and ball',
    216,
    (w) => 36 * w.colour(...w.one(DOOR)) + 6 * w.colour(...w.one(BOX)) + w.colour(...w.one(BALL)),
  ],
  [
    'minigrid-key-corridor',
    { height: 7 },
    '@night rows of lock and key, colours of door and ball',
    324,
    (w) => {
      const [door] = w.all(DOOR).filter(([x, y]) => w.state(x, y) === LOCKED) as [[number, number]];
      const rowOf = (y: number) => Math.floor((y - 1) / 2);
      return 108 * rowOf(door[1]) + 36 * rowOf(w.one(KEY)[1]) + 6 * w.colour(...door) + w.colour(...w.one(BALL));
    },
  ],
  [
    'minigrid-locked-room',
    {},
    '@night locked room and colour of its door',
    36,
    (w) => {
      const [[x, y]] = w.all(DOOR).filter(([dx, dy]) => w.state(dx, dy) === LOCKED) as [[number, number]];
      return 6 * (2 * Math.floor(y / 6) + (x > 9 ? 1 : 0)) + w.colour(x, y);
    },
  ],
  [
    'minigrid-locked-room',
    {},
    '@night room of the key among the five others',
    5,
    (w) => {
      const roomOf = ([x, y]: readonly [number, number]) => 2 * Math.min(2, Math.floor(y / 6)) + (x > 9 ? 1 : 0);
      const [locked, key] = [roomOf(w.one(GOAL)), roomOf(w.one(KEY))];
      return key > locked ? key - 1 : key;
    },
  ],
  ['minigrid-multi-room', { rooms: 2, maxRoomSize: 4 }, '@night colour of the door', 6, (w) => w.colour(...w.one(DOOR))],
  [
    'minigrid-red-blue-doors',
    { width: 12, height: 6 },
    'rows of both doors',
    16,
    (w) => {
      const doors = w.all(DOOR);
      const rowOf = (colour: number) => (doors.find(([x, y]) => w.colour(x, y) === colour) as [number, number])[1] - 1;
      return 4 * rowOf(0) + rowOf(2);
    },
  ],
  ['minigrid-go-to-door', { width: 8, height: 8 }, 'colour of the door that is meant', 6, (w) => w.told(0, 6)],
  [
    'minigrid-go-to-door',
    { width: 8, height: 8 },
    'width and height of the room',
    16,
    (w) => {
      const doors = w.all(DOOR);
      return 4 * (Math.max(...doors.map(([x]) => x)) - 4) + Math.max(...doors.map(([, y]) => y)) - 4;
    },
  ],
  ['minigrid-go-to-object', {}, 'thing that is meant', 18, (w) => 6 * w.told(0, 3) + w.told(3, 6)],
  [
    'minigrid-put-near',
    {},
    'thing to move and where to, never the same',
    306,
    (w) => {
      const [moved, place] = [6 * w.told(0, 3) + w.told(3, 6), 6 * w.told(9, 3) + w.told(12, 6)];
      return 17 * moved + (place > moved ? place - 1 : place);
    },
  ],
  ['minigrid-obstructed-maze', {}, 'colour of the lock', 6, (w) => w.colour(...w.one(DOOR))],
];

describe('what generators draw: chi-square over worlds', () => {
  it.each(DRAWN.map(([id, config, what, cases, which, shares]) => ({ id, config, what, cases, which, shares })))(
    '$what: $id', // first and @night first in it: long values are cut in titles
    ({ id, config, cases, which, shares }) => {
      const counts = new Array<number>(cases).fill(0);
      draw(id, config, DRAWS, (world) => {
        const drawn = which(world);
        counts[drawn] = counts[drawn]! + 1;
      });
      expect(counts).toHaveLength(cases); // no world is any other case
      expect(misfit(counts, shares)).toBeLessThan(1);
    },
  );

  it.each([
    ['minigrid-fetch', { width: 5, height: 5, objects: 2 }, 2, [KEY, BALL]],
    ['minigrid-playground', {}, 12, [KEY, BALL, BOX]],
  ] as const)('%s: kinds and colours of things', (id, config, things, kinds) => {
    const counts = new Array<number>(6 * kinds.length).fill(0);
    draw(id, config, Math.ceil(DRAWS / things), (w) => {
      const found = w.all(...kinds);
      if (found.length !== things) throw new Error(`${found.length} things`);
      for (const [x, y] of found) {
        const kind = 6 * (w.object(x, y) - KEY) + w.colour(x, y);
        counts[kind] = counts[kind]! + 1;
      }
    });
    expect(misfit(counts)).toBeLessThan(1);
  });

  it('Fetch: each of two unlike things is meant alike, wherever it lies', () => {
    const counts = [0, 0];
    draw('minigrid-fetch', { width: 5, height: 5, objects: 2 }, DRAWS, (w) => {
      const codes = w.all(KEY, BALL).map(([x, y]) => 6 * (w.object(x, y) - KEY) + w.colour(x, y));
      if (codes[0] === codes[1]) return;
      const meant = codes.indexOf(6 * w.told(0, 3) + w.told(3, 6));
      counts[meant] = counts[meant]! + 1;
    });
    expect(counts).toHaveLength(2);
    expect(misfit(counts)).toBeLessThan(1);
  });
});
