import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { misfit } from '#core/testing/chi-square.ts';
import { DRAWS } from '../../../../../tools/nightly.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry } from '../../api/types.ts';
import { cleanup } from '../cleanup.ts';
import { commonsHarvest } from '../commons-harvest.ts';
import { gathering } from '../gathering.ts';

const [LEFT, AHEAD, STAY, RIGHT_TURN, FIRE, CLEAN] = [0, 2, 4, 5, 7, 8];
const [UP, RIGHT, DOWN] = [0, 1, 2];

interface Json {
  agents: number[][];
  things: number[][];
  out: number[];
  marks: number[];
  steps: number;
  tags: number[][];
  tally: number[][];
}

/** One row of a world that a test sets up and steps by hand. */
function world(entry: EnvEntry, config: object) {
  const env = entry.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const json = () => env.meta.state.toJSON(env.save(0)) as unknown as Json;
  return {
    env,
    buffers,
    json,
    /** Changes fields of the present state; the generator starts over as `seed`. */
    set(fields: object, seed = 1) {
      const state = { ...(json() as unknown as JsonObject), ...fields, rng: [seed, 7, 0, 0] };
      env.load(0, env.meta.state.fromJSON(state), buffers);
    },
    step(...actions: readonly number[]): number[] {
      env.step(Int32Array.from(actions), buffers);
      return Array.from(buffers.reward);
    },
    told: () => env.extras?.(0) as { returns: number[]; metrics: { [name: string]: number | null } },
  };
}

/** How badly `hits` of n fit a chance of p; fair draws stay below 1 in 999 of 1000 cases. */
const unfair = (hits: number, n: number, p: number) => misfit([hits, n - hits], [p, 1 - p]);

/** Rows of one letter within walls, one start in the corner. */
const field = (rows: readonly string[]) => [
  '#'.repeat((rows[0] as string).length + 2),
  ...rows.map((r) => `#${r}#`),
  `#P${'#'.repeat((rows[0] as string).length)}`,
];

const ROOM = ['#######', '#P...P#', '#.....#', '#.AAA.#', '#.....#', '#P...P#', '#######'];

/** Mean sum of all agents' returns over two episodes of a scripted policy. */
function scripted(entry: EnvEntry, config: object, policy: string): number {
  const env = entry.create(config, 2);
  const buffers = createBuffers(env.meta, 2);
  const actions = createActions(env.meta, 2);
  const members = entry.policies(config)[policy];
  let sum = 0;
  env.reset(Uint32Array.of(1, 2), buffers);
  for (let t = 0; t < env.meta.maxSteps; t++) {
    members?.act(env, buffers, actions);
    env.step(actions, buffers);
    for (const r of buffers.reward) sum += r;
  }
  expect(buffers.truncated[0]).toBe(1);
  return sum / 2;
}

describe('commons-harvest', () => {
  it('pays 1 for an apple, takes 1 for a shot and 50 from who is hit', () => {
    const w = world(commonsHarvest, { map: ROOM, agents: 2, regrowth: [0] });
    w.set({
      agents: [
        [2, 3, DOWN],
        [4, 1, UP],
      ],
    });
    expect(w.step(AHEAD, STAY)).toEqual([1, 0]);
    expect(w.json().things[3]?.[3]).toBe(0);
    w.set({
      agents: [
        [3, 3, DOWN],
        [5, 3, UP],
      ],
    });
    expect(w.step(FIRE, STAY)).toEqual([-1, -50]);
    expect(w.step(FIRE, FIRE)).toEqual([-51, -51]);
    expect(w.json().tags).toEqual([
      [0, 2],
      [1, 0],
    ]);
    expect(w.told().returns).toEqual([-51, -101]);
    expect(w.told().metrics).toMatchObject({ equality: null, sustainability: 1, peace: null });
  });

  it('moves as the agent looks, and turns', () => {
    const w = world(commonsHarvest, { map: ROOM, agents: 1 });
    w.set({ agents: [[2, 1, RIGHT]] });
    w.step(AHEAD);
    expect(w.json().agents).toEqual([[2, 2, RIGHT]]);
    w.step(LEFT);
    expect(w.json().agents).toEqual([[1, 2, RIGHT]]);
    w.step(LEFT); // a wall
    w.step(RIGHT_TURN);
    expect(w.json().agents).toEqual([[1, 2, DOWN]]);
  });

  // an empty cell in the middle of patches of four, with 0 to 3 apples left around it
  const patches = Array.from({ length: 42 }, (_, y) => (y % 3 === 2 ? '.' : 'AA.').repeat(20).slice(0, 60).padEnd(60, '.'));
  it.each([
    [0, 0],
    [1, 0.005],
    [2, 0.02],
    [3, 0.05],
  ])('with %i apples around comes back at %f: chi-square over draws', (count, p) => {
    const w = world(commonsHarvest, { map: field(patches), agents: 1, viewAhead: 1, viewBehind: 1, viewSide: 1 });
    const start = w.json().things;
    const empty: [number, number][] = [];
    const things = start.map((row) => row.map(() => 0));
    for (let y = 1; y < 42; y += 3)
      for (let x = 1; x < 60; x += 3) {
        empty.push([y, x]);
        [
          [1, 1],
          [0, 1],
          [1, 0],
        ].forEach(([dy = 0, dx = 0], i) => {
          if (i < count) things[y + dy]![x + dx] = 1;
          else things[y + dy]![x + dx] = 0;
        });
      }
    let back = 0;
    let draws = 0;
    const template = () => w.env.meta.state.fromJSON({ ...(w.json() as unknown as JsonObject), things });
    const state = template();
    const words = new Uint32Array(state.buffer, 0, state.byteLength / 4);
    for (let n = 0; draws < DRAWS; n++) {
      words[words.length - 4] = n;
      words[words.length - 2] = 0;
      w.env.load(0, state, w.buffers);
      w.step(STAY);
      const now = w.json().things;
      for (const [y, x] of empty) if (now[y]?.[x] === 1) back++;
      draws += empty.length;
    }
    if (p === 0) expect(back).toBe(0);
    else expect(unfair(back, draws, p)).toBeLessThan(1);
  });

  it('counts the block of 3 x 3, or with reach 4 also two cells straight', () => {
    const line = field(['A.A', '...', '...']);
    for (const [regrowthReach, comes] of [
      [2, 0],
      [4, 1],
    ] as const) {
      const w = world(commonsHarvest, { map: line, agents: 1, regrowth: [0, 1], regrowthReach });
      const things = w.json().things.map((row) => row.map(() => 0));
      things[1]![1] = 1;
      w.set({ things });
      w.step(STAY);
      expect(w.json().things[1]?.[3]).toBe(comes);
    }
  });

  it('grows from what was there before the step, and not under an agent', () => {
    const w = world(commonsHarvest, { map: field(['AAAA']), agents: 1, regrowth: [0, 1, 1] });
    const things = w.json().things.map((row) => row.map(() => 0));
    things[1]![1] = 1;
    w.set({ things, agents: [[2, 1, UP]] });
    w.step(STAY);
    expect(w.json().things[1]?.slice(1, 5)).toEqual([1, 1, 0, 0]);
    things[1]![1] = 1;
    w.set({ things, agents: [[1, 2, UP]] });
    w.step(STAY);
    expect(w.json().things[1]?.slice(1, 5)).toEqual([1, 0, 0, 0]);
  });

  it('keeps a tagged agent out for its time, then puts it on a start', () => {
    const w = world(commonsHarvest, { map: ROOM, agents: 2, timeout: 3, hitPenalty: 0, fireCost: 0, cooldown: 2 });
    w.set({
      agents: [
        [2, 1, DOWN],
        [4, 1, UP],
      ],
    });
    w.step(FIRE, STAY);
    const A = w.env.meta.actionCount;
    expect(Array.from(w.buffers.alive ?? [])).toEqual([1, 0]);
    expect(Array.from(w.buffers.mask?.subarray(A) ?? [])).toEqual([0, 0, 0, 0, 1, 0, 0, 0]);
    expect(w.buffers.mask?.[FIRE]).toBe(0);
    expect(w.buffers.obs.subarray(w.env.meta.obsSize).every((x) => x === 0)).toBe(true);
    const away: number[] = [];
    for (let t = 0; t < 4; t++) {
      away.push(w.json().out[1]!);
      w.step(FIRE, AHEAD); // the beam pauses: nobody is hit again
    }
    expect(away).toEqual([3, 2, 1, 0]);
    expect(w.buffers.alive?.[1]).toBe(1);
    expect(w.told().metrics.peace).toBeCloseTo(2 - 3 / 5);
    expect(w.json().tags[0]?.[1]).toBe(1);
  });

  it('two shooters in a row: the one who comes first in the draw wins, evenly', () => {
    const w = world(commonsHarvest, { map: ROOM, agents: 2, timeout: 3, hitPenalty: 0, fireCost: 0 });
    const state = w.env.meta.state.fromJSON({
      ...(w.json() as unknown as JsonObject),
      agents: [
        [2, 1, DOWN],
        [4, 1, UP],
      ],
    });
    const words = new Uint32Array(state.buffer, 0, state.byteLength / 4);
    let first = 0;
    for (let n = 0; n < DRAWS; n++) {
      words[words.length - 4] = n;
      words[words.length - 2] = 0;
      w.env.load(0, state, w.buffers);
      w.step(FIRE, FIRE);
      if (w.buffers.alive?.[0] === 1) first++;
      expect((w.buffers.alive?.[0] ?? 0) + (w.buffers.alive?.[1] ?? 0)).toBe(1);
    }
    expect(unfair(first, DRAWS, 0.5)).toBeLessThan(1);
  });

  it('starts and comes back on any free start, looking anywhere: chi-square over draws', () => {
    const w = world(commonsHarvest, { map: ROOM, agents: 2, timeout: 3, hitPenalty: 0, fireCost: 0 });
    // of agents 0 and 1: row, column, heading, first among the whole numbers behind two returns
    const read = () => new Uint32Array(w.env.save(0).buffer).subarray(2 + 4, 2 + 4 + 6);
    const placeOf = (y: number, x: number) => (y === 1 ? 0 : 2) + (x === 1 ? 0 : 1);
    const poses = new Array<number>(16).fill(0);
    const apart = new Array<number>(4).fill(0);
    for (let n = 0; n < DRAWS; n++, w.env.restart(Uint8Array.of(1), w.buffers)) {
      const [y = 0, x = 0, heading = 0, y2 = 0, x2 = 0] = read();
      const pose = 4 * placeOf(y, x) + heading;
      poses[pose] = poses[pose]! + 1;
      const gap = (placeOf(y2, x2) - placeOf(y, x) + 4) % 4;
      apart[gap] = apart[gap]! + 1;
    }
    expect(misfit(poses)).toBeLessThan(1);
    expect(apart[0]).toBe(0);
    expect(misfit(apart.slice(1))).toBeLessThan(1);
    // agent 1 is out for one more step while agent 0 stands on the first start
    const state = w.env.meta.state.fromJSON({
      ...(w.json() as unknown as JsonObject),
      agents: [
        [1, 1, UP],
        [3, 3, UP],
      ],
      out: [0, 1],
    });
    const words = new Uint32Array(state.buffer, 0, state.byteLength / 4);
    const back = new Array<number>(16).fill(0);
    for (let n = 0; n < DRAWS; n++) {
      words[words.length - 4] = n;
      words[words.length - 2] = 0;
      w.env.load(0, state, w.buffers);
      w.step(STAY, STAY);
      const [, , , y = 0, x = 0, heading = 0] = read();
      const pose = 4 * placeOf(y, x) + heading;
      back[pose] = back[pose]! + 1;
    }
    expect(back.slice(0, 4)).toEqual([0, 0, 0, 0]);
    expect(misfit(back.slice(4))).toBeLessThan(1);
  });

  it('rewards restraint: who leaves apples around gets three times as much as who takes all', () => {
    const config = { layout: 'small', agents: 2, viewAhead: 5, viewBehind: 5, viewSide: 5, maxSteps: 500 };
    const greedy = scripted(commonsHarvest, config, 'greedy');
    // twenty apples, and hardly one more: nothing grows without another beside it
    expect(greedy).toBeGreaterThanOrEqual(20);
    expect(greedy).toBeLessThan(25);
    expect(scripted(commonsHarvest, config, 'restrained')).toBeGreaterThan(2.5 * greedy);
  });

  it('shares windows along the links: none, the neighbours’ on a ring or on own links, all', () => {
    const seen = (config: object) => {
      const w = world(commonsHarvest, { map: ROOM, agents: 4, viewAhead: 2, viewBehind: 2, viewSide: 2, ...config });
      const [h = 0, width = 0, channels = 0] = w.env.meta.agents[0]?.obs.kind === 'box' ? w.env.meta.agents[0].obs.shape : [];
      const part = (agent: number, nth: number) =>
        Array.from(
          { length: h * width * 4 },
          (_, i) => w.buffers.obs[agent * w.env.meta.obsSize + Math.floor(i / 4) * channels + nth * 4 + (i % 4)],
        );
      return { windows: channels / 4, part };
    };
    expect(seen({}).windows).toBe(1);
    const ring = seen({ sharing: 'neighbours' });
    expect(ring.windows).toBe(3);
    expect([ring.part(0, 1), ring.part(0, 2)]).toEqual([ring.part(1, 0), ring.part(3, 0)]);
    expect([ring.part(2, 1), ring.part(2, 2)]).toEqual([ring.part(1, 0), ring.part(3, 0)]);
    const star = seen({
      sharing: 'neighbours',
      links: [
        [0, 1],
        [2, 0],
      ],
    });
    expect(star.part(0, 2)).toEqual(star.part(2, 0));
    expect(star.part(1, 1)).toEqual(star.part(0, 0));
    expect(star.part(3, 1).every((x) => x === 0)).toBe(true);
    expect(seen({ sharing: 'all' }).windows).toBe(4);
    expect(() => commonsHarvest.meta({ sharing: 'neighbours', links: [[0, 9]] })).toThrow(/0 to 4/);
  });

  it('does things in the order of the reference: who steps into a beam is hit, and what is eaten does not make grow', () => {
    const w = world(commonsHarvest, { map: ROOM, agents: 2, regrowth: [0, 1] });
    w.set({
      agents: [
        [2, 1, RIGHT],
        [1, 4, DOWN],
      ],
    });
    expect(w.step(FIRE, AHEAD)).toEqual([-1, -50]); // moves come before beams
    const things = w.json().things.map((row) => row.map(() => 0));
    things[3]![3] = 1;
    w.set({
      things,
      agents: [
        [2, 3, DOWN],
        [5, 5, UP],
      ],
    });
    expect(w.step(AHEAD, STAY)).toEqual([1, 0]);
    expect(
      w
        .json()
        .things.flat()
        .every((thing) => thing === 0),
    ).toBe(true); // eating comes before growth
  });

  it('is the reference’s by default: 16 x 38 cells, views of 15 x 15, a beam of 5 by 3, cut after 1000 steps, never ended', () => {
    const { env, buffers } = world(commonsHarvest, {});
    expect(env.meta.frame).toMatchObject({ width: 38, height: 16 });
    expect(env.meta.agents[0]?.obs).toMatchObject({ shape: [15, 15, 4] });
    expect(commonsHarvest.meta({ colours: true }).agents[0]?.obs).toMatchObject({ shape: [15, 15, 3] });
    expect([env.meta.maxSteps, env.meta.actionCount]).toEqual([1000, 8]);
    expect(commonsHarvest.parse({})).toMatchObject({ beamLength: 5, beamWidth: 3, fireCost: 1, hitPenalty: 50, regrowthReach: 2 });
    const actions = createActions(env.meta, 1).fill(STAY);
    for (let t = 1; t <= 1000; t++) {
      env.step(actions, buffers);
      if (buffers.terminated[0] !== 0 || buffers.truncated[0] !== (t === 1000 ? 1 : 0)) throw new Error(`ended at ${t}`);
    }
  });

  it('says how many starts are missing', () => {
    expect(() => commonsHarvest.meta({ map: field(['AAAA']), agents: 2 })).toThrow(/1 starts for 2 agents/);
  });
});

describe('cleanup', () => {
  const RIVER = ['############', '#RRRRRRRRRR#', '#BBBBBBBBBB#', '#P........P#', '############'];
  const wasteOf = (w: ReturnType<typeof world>) =>
    w
      .json()
      .things.flat()
      .filter((thing) => thing === 2).length;
  const applesOf = (w: ReturnType<typeof world>) =>
    w
      .json()
      .things.flat()
      .filter((thing) => thing === 1).length;
  const dirty = (count: number) => RIVER.map((row, y) => Array.from(row, (_, x) => (y === 1 && x >= 1 && x <= count ? 2 : 0)));

  it.each([
    [0, 0.05],
    [2, 0.025],
    [3, 0.0125],
    [4, 0],
    [7, 0],
  ])('with %i of 10 river cells dirty apples come at %f: chi-square over draws', (count, p) => {
    const w = world(cleanup, { map: RIVER, agents: 1, wasteChance: 0, viewAhead: 1, viewBehind: 1, viewSide: 1 });
    w.set({ things: dirty(count), agents: [[3, 1, UP]] });
    const state = w.env.save(0);
    const words = new Uint32Array(state.buffer, 0, state.byteLength / 4);
    let apples = 0;
    for (let n = 0; n < DRAWS / 10; n++) {
      words[words.length - 4] = n;
      words[words.length - 2] = 0;
      w.env.load(0, state, w.buffers);
      w.step(STAY);
      apples += applesOf(w);
    }
    if (p === 0) expect(apples).toBe(0);
    else expect(unfair(apples, DRAWS, p)).toBeLessThan(1);
  });

  it.each(['until-one', 'once'] as const)('waste comes %s, at most one cell a step, every clean cell alike', (wasteTries) => {
    const w = world(cleanup, { map: RIVER, agents: 1, wasteTries, viewAhead: 1, viewBehind: 1, viewSide: 1 });
    w.set({ things: dirty(2), agents: [[3, 1, UP]] });
    const state = w.env.save(0);
    const words = new Uint32Array(state.buffer, 0, state.byteLength / 4);
    const where = new Array<number>(12).fill(0);
    let came = 0;
    for (let n = 0; n < DRAWS; n++) {
      words[words.length - 4] = n;
      words[words.length - 2] = 0;
      w.env.load(0, state, w.buffers);
      w.step(STAY);
      const things = new Uint32Array(w.env.save(0).buffer);
      // the river's row of the field `things`, which stands behind the returns and the agent
      const river = things.subarray(2 + 2 + 3 + 12, 2 + 2 + 3 + 24);
      const found = river.reduce((k, thing) => k + (thing === 2 ? 1 : 0), 0) - 2;
      expect(found === 0 || found === 1).toBe(true);
      if (found === 0) continue;
      came++;
      for (let x = 3; x <= 10; x++) if (river[x] === 2) where[x] = where[x]! + 1;
    }
    const p = wasteTries === 'once' ? 0.5 : 1 - 0.5 ** 8;
    expect(unfair(came, DRAWS, p)).toBeLessThan(1);
    expect(misfit(where.slice(3, 11))).toBeLessThan(1);
  });

  it('from the share of depletion on nothing grows and nothing gets dirtier', () => {
    const w = world(cleanup, { map: RIVER, agents: 1 });
    w.set({ things: dirty(4), agents: [[3, 1, UP]] });
    for (let t = 0; t < 200; t++) w.step(STAY);
    expect([wasteOf(w), applesOf(w)]).toEqual([4, 0]);
  });

  it('waste begins when it is told to', () => {
    const w = world(cleanup, { map: RIVER, agents: 1, wasteDelay: 5, wasteChance: 1 });
    const seen = Array.from({ length: 8 }, () => {
      w.step(STAY);
      return wasteOf(w);
    });
    expect(seen.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(seen[5]).toBe(1);
  });

  it('the beam turns waste into river, and fires without cost', () => {
    const w = world(cleanup, { map: RIVER, agents: 1, beamWidth: 1 });
    w.set({ things: dirty(10), agents: [[3, 4, UP]] });
    expect(w.step(CLEAN)).toEqual([0]);
    expect(wasteOf(w)).toBe(9);
    expect(w.json().tally[0]?.[4]).toBe(1);
  });

  it('is the reference’s by default: 25 x 18 cells, views of 15 x 15, nine actions, 1000 steps', () => {
    const { env } = world(cleanup, {});
    expect(env.meta.frame).toMatchObject({ width: 18, height: 25 });
    expect(env.meta.agents[0]?.obs).toMatchObject({ shape: [15, 15, 7] });
    expect([env.meta.maxSteps, env.meta.actionCount]).toEqual([1000, 9]);
    expect(cleanup.parse({})).toMatchObject({ beamLength: 5, beamWidth: 3, depletion: 0.4, wasteChance: 0.5, appleChance: 0.05 });
  });

  it('apples pay 1, firing costs 1, being hit 50, and no apple grows where an agent stands', () => {
    const w = world(cleanup, { map: RIVER, agents: 1, appleChance: 1, wasteChance: 0 });
    w.set({ things: dirty(0), agents: [[2, 4, UP]] });
    w.step(STAY);
    expect(applesOf(w)).toBe(9); // all of the orchard but the cell of the agent
    w.set({ things: w.json().things, agents: [[2, 4, RIGHT]] });
    expect(w.step(AHEAD)).toEqual([1]);
    expect(w.step(FIRE)).toEqual([-1]);
  });

  it('starts as the reference: H is dirty, the rest of the river clean, no apples at that share', () => {
    const w = world(cleanup, {});
    expect([wasteOf(w), applesOf(w)]).toEqual([56, 0]);
  });

  it('free riders starve exactly; with cleaners there is food for all who eat', () => {
    const config = { layout: 'small', agents: 2, viewAhead: 5, viewBehind: 5, viewSide: 5, maxSteps: 500 };
    // the river starts above the share of depletion, so that not one apple ever comes
    expect(scripted(cleanup, config, 'free-riders')).toBe(0);
    expect(scripted(cleanup, config, 'cleaners')).toBeGreaterThan(25);
  });
});

describe('gathering', () => {
  const HALL = ['#########', '#P..A..P#', '#.......#', '#########'];

  it('an apple is back after its delay, not before', () => {
    const w = world(gathering, { map: HALL, agents: 1, appleDelay: 4 });
    w.set({ agents: [[1, 3, RIGHT]] });
    expect(w.step(AHEAD)).toEqual([1]);
    expect([w.step(STAY), w.step(STAY), w.step(STAY), w.step(STAY)]).toEqual([[0], [0], [0], [1]]);
  });

  it('two hits tag, for 25 steps; then the count begins anew', () => {
    const w = world(gathering, { map: HALL, agents: 2 });
    w.set({
      agents: [
        [2, 1, RIGHT],
        [2, 6, RIGHT],
      ],
    });
    expect(w.step(FIRE, STAY)).toEqual([0, 0]);
    expect([w.json().marks[1], w.buffers.alive?.[1]]).toEqual([1, 1]);
    w.step(FIRE, STAY);
    expect([w.json().marks[1], w.buffers.alive?.[1]]).toEqual([0, 0]);
    let away = 0;
    while (w.buffers.alive?.[1] === 0) {
      w.step(STAY, AHEAD);
      away++;
    }
    expect(away).toBe(25);
    expect(w.told().metrics.peace).toBeCloseTo(2 - 25 / 27);
  });

  it('is Leibo’s by default: two players, views of 16 x 21, hits pay nothing, two of them tag for 25 steps', () => {
    const { env } = world(gathering, {});
    expect(env.meta.agentCount).toBe(2);
    expect(env.meta.agents[0]?.obs).toMatchObject({ shape: [16, 21, 4] });
    expect(gathering.parse({})).toMatchObject({ fireCost: 0, hitPenalty: 0, tagHits: 2, timeout: 25 });
  });

  it('both reach for one apple: one gets it', () => {
    const w = world(gathering, { map: HALL, agents: 2 });
    w.set({
      agents: [
        [1, 3, RIGHT],
        [1, 5, 3],
      ],
    });
    expect(w.step(AHEAD, AHEAD).reduce((a, b) => a + b, 0)).toBe(1);
  });

  it('peace pays: each of five apples at most once in 15 steps, and nearly that', () => {
    const config = { layout: 'small', viewAhead: 7, viewBehind: 0, viewSide: 5, maxSteps: 500 };
    const peaceful = scripted(gathering, config, 'peaceful');
    expect(peaceful).toBeLessThanOrEqual(5 * Math.ceil(500 / 15));
    expect(peaceful).toBeGreaterThan(150);
    expect(scripted(gathering, config, 'fighter')).toBeLessThan(peaceful);
  });
});
