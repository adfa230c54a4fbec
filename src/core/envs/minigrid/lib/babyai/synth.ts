/** BabyAI levels that draw any sentence of the language: Minigrid `envs/babyai/synth.py`, `core/levelgen.py`. */
import { BALL, BOX, colourOf, DOOR, KEY } from '../cells.ts';
import { type Description, LOCATIONS, type Sentence } from '../instructions.ts';
import { fourTimes, goTo, type Level, MAZE, openUp, pickUp, putNext, ROOM, SAY } from './level.ts';
import { type LevelRooms, Rejected } from './level-rooms.ts';

const TRIES = 101;
const THINGS = [BOX, BALL, KEY];

interface Synth {
  readonly size: number;
  readonly rows: number;
  readonly columns: number;
  readonly distractors: number;
  readonly lockedRoom: number; // probability
  readonly locations: boolean;
  readonly unblocking: boolean;
  readonly implicitUnlock: boolean;
  readonly actions: readonly ('go-to' | 'pickup' | 'open' | 'put-next')[];
  readonly kinds: readonly ('action' | 'and' | 'sequence')[];
}

const ANY: Synth = {
  ...MAZE,
  distractors: 18,
  lockedRoom: 0.5,
  locations: true,
  unblocking: true,
  implicitUnlock: true,
  actions: ['go-to', 'pickup', 'open', 'put-next'],
  kinds: ['action', 'and', 'sequence'],
};

function synth(change: Partial<Synth>): Level {
  const s = { ...ANY, ...change };
  const longest = s.actions.includes('put-next')
    ? s.locations
      ? SAY.putNextLocated
      : SAY.putNext
    : s.locations
      ? SAY.pickupLocated
      : SAY.pickup;
  return {
    size: s.size,
    rows: s.rows,
    columns: s.columns,
    ...(s.kinds.includes('sequence') ? fourTimes(longest) : longest),
    unblocking: s.unblocking,
    generate(r) {
      const { builder: b } = r;
      const locked = b.chance(s.lockedRoom, 'locked room') ? lockRoom(r) : null;
      r.connect();
      r.distract(s.distractors, false);
      do r.agent();
      while (locked !== null && r.agentIn(locked.i, locked.j));
      if (!s.unblocking) r.mustReachAll();
      return sentence(r, s, s.kinds, locked);
    },
  };
}

interface Place {
  readonly i: number;
  readonly j: number;
}

function lockRoom(r: LevelRooms): Place {
  const { builder: b } = r;
  const place = () => ({ i: b.int(0, r.columns - 1, 'column'), j: b.int(0, r.rows - 1, 'row') });
  // a room and one of its four walls, drawn anew while there is no room behind the wall
  let room = place();
  let side = b.int(0, 3, 'door side');
  while (!r.hasNeighbour(room.i, room.j, side)) {
    room = place();
    side = b.int(0, 3, 'door side');
  }
  const door = r.door(room.i, room.j, side, b.int(0, 5, 'door colour'), true);
  let key = place();
  while (key.i === room.i && key.j === room.j) key = place();
  r.thing(key.i, key.j, KEY, colourOf(r.kindAt(door)));
  return room;
}

function sentence(r: LevelRooms, s: Synth, kinds: Synth['kinds'], locked: Place | null): Sentence {
  const { builder: b } = r;
  const kind = b.pick(kinds, 'sentence');
  if (kind === 'action') return clause(r, s, locked);
  const parts: Synth['kinds'] = kind === 'and' ? ['action'] : ['action', 'and'];
  const first = sentence(r, s, parts, locked);
  const second = sentence(r, s, parts, locked);
  return { kind: kind === 'and' ? 'and' : b.pick(['before', 'after'] as const, 'order'), first, second };
}

function clause(r: LevelRooms, s: Synth, locked: Place | null): Sentence {
  switch (r.builder.pick(s.actions, 'action')) {
    case 'go-to':
      return goTo(anyThing(r, s, [...THINGS, DOOR], locked));
    case 'pickup':
      return pickUp(anyThing(r, s, THINGS, locked));
    case 'open':
      return openUp(anyThing(r, s, [DOOR], locked));
    case 'put-next': {
      const move = anyThing(r, s, THINGS, locked);
      return putNext(move, anyThing(r, s, [...THINGS, DOOR], locked));
    }
  }
}

/** A description that matches something; where unlocking must not be left to the agent, something outside the locked room. */
function anyThing(r: LevelRooms, s: Synth, types: readonly number[], locked: Place | null): Description {
  const { builder: b } = r;
  for (let t = 0; t < TRIES; t++) {
    const colour = b.int(-1, 5, 'named colour');
    const object = b.pick(types, 'named type');
    const location = s.locations && b.int(0, 1, 'located') === 0 ? 1 << b.int(0, LOCATIONS.length - 1, 'location') : 0;
    const d = { object, colour, location };
    const found = r.matching(d);
    if (found.length === 0) continue;
    if (!s.implicitUnlock && locked !== null && found.every((at) => r.inside(at, locked.i, locked.j))) continue;
    return d;
  }
  throw new Rejected('no description matches anything');
}

export const SYNTH: { readonly [name: string]: Level } = {
  GoToSeq: synth({ actions: ['go-to'], lockedRoom: 0, locations: false, unblocking: false }),
  GoToSeqS5R2: synth({
    size: 5,
    rows: 2,
    columns: 2,
    distractors: 4,
    actions: ['go-to'],
    lockedRoom: 0,
    locations: false,
    unblocking: false,
  }),
  PickupLoc: synth({ ...ROOM, actions: ['pickup'], kinds: ['action'], distractors: 8, lockedRoom: 0, unblocking: false }),
  Synth: synth({ kinds: ['action'], locations: false, implicitUnlock: false }),
  SynthS5R2: synth({ size: 5, rows: 2, kinds: ['action'], locations: false, implicitUnlock: false }),
  SynthLoc: synth({ kinds: ['action'], implicitUnlock: false }),
  SynthSeq: synth({ implicitUnlock: false }),
  MiniBossLevel: synth({ size: 5, rows: 2, columns: 2, distractors: 7, lockedRoom: 0.25 }),
  BossLevel: synth({}),
  BossLevelNoUnlock: synth({ lockedRoom: 0, implicitUnlock: false }),
};
