/** BabyAI levels "pick up", "put next" and mixed ones: Minigrid `envs/babyai/pickup.py`, `putnext.py`, `other.py`. */
import { BALL, colourOf, DOOR, KEY, objectOf } from '../cells.ts';
import { goTo, type Level, MAZE, ofType, openUp, pickUp, putNext, ROOM, SAY, twice } from './level.ts';
import { Rejected } from './level-rooms.ts';

const pickupDist = (strict: boolean): Level => ({
  ...ROOM,
  ...SAY.pickup,
  size: 7,
  generate(r) {
    const things = r.distract(5, true);
    r.agent(0, 0);
    const what = r.describe(r.builder.pick(things, 'target'));
    const by = r.builder.int(0, 2, 'named by');
    return pickUp(by === 0 ? { ...what, colour: -1 } : by === 1 ? { ...what, object: -1 } : what, strict);
  },
});

const putNextLocal = (size: number, things: number): Level => ({
  ...ROOM,
  ...SAY.putNext,
  size,
  generate(r) {
    r.agent();
    const all = r.distract(things, true);
    r.mustReachAll();
    r.builder.shuffle(all, 'things');
    const [move, fixed] = all as [number, number];
    return putNext(r.describe(move), r.describe(fixed));
  },
});

/** Two rooms in one, things of the one to be put to things of the other. */
const twoSides = (size: number) => ({ size, rows: 1, columns: 2 }) as const;

const putNextAcross = (size: number, each: number, carrying: boolean): Level => ({
  ...twoSides(size),
  ...SAY.putNext,
  maxSteps: 8 * size * size,
  generate(r) {
    r.agent(0, 0);
    const left = r.distract(each, true, 0, 0);
    const right = r.distract(each, true, 1, 0);
    r.open(0, 0, 0);
    let move = r.builder.pick(left, 'left thing');
    let fixed = r.builder.pick(right, 'right thing');
    if (r.builder.int(0, 1, 'sides') === 0) [move, fixed] = [fixed, move];
    const sentence = putNext(r.describe(move), r.describe(fixed));
    r.check(sentence, false);
    if (carrying) r.builder.take(move);
    return sentence;
  },
});

const moveTwoAcross = (size: number, each: number): Level => ({
  ...twoSides(size),
  ...twice(SAY.putNext),
  maxSteps: 16 * size * size,
  generate(r) {
    r.agent(0, 0);
    const left = r.distract(each, true, 0, 0);
    const right = r.distract(each, true, 1, 0);
    r.open(0, 0, 0);
    r.builder.shuffle(left, 'left things');
    r.builder.shuffle(right, 'right things');
    const [a, d] = left.map((at) => r.describe(at));
    const [b, c] = right.map((at) => r.describe(at));
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('each side needs two things');
    return { kind: 'before', first: putNext(a, b), second: putNext(c, d) };
  },
});

const findThing = (size: number): Level => ({
  ...MAZE,
  ...SAY.pickup,
  size,
  maxSteps: 20 * size * size,
  generate(r) {
    const at = r.thing(r.builder.int(0, r.columns - 1, 'room column'), r.builder.int(0, r.rows - 1, 'room row'));
    r.agent(1, 1);
    r.connect();
    return pickUp(ofType(objectOf(r.kindAt(at))));
  },
});

const oneRoom = (size: number): Level => ({
  ...ROOM,
  ...SAY.pickup,
  size,
  generate(r) {
    r.thing(0, 0, BALL);
    r.agent();
    return pickUp(ofType(BALL));
  },
});

const keyCorridor = (size: number, rows: number): Level => ({
  ...SAY.pickup,
  size,
  rows,
  columns: 3,
  maxSteps: 30 * size * size,
  generate(r) {
    const { builder: b } = r;
    for (let j = 1; j < rows; j++) r.open(1, j, 3);
    const row = b.int(0, rows - 1, 'locked row');
    const door = r.door(2, row, 2, b.int(0, 5, 'door colour'), true);
    r.thing(2, row, BALL);
    r.thing(0, b.int(0, rows - 1, 'key row'), KEY, colourOf(r.kindAt(door)));
    r.agent(1, Math.floor(rows / 2));
    r.connect();
    return pickUp(ofType(BALL));
  },
});

export const PICKUP_PUT: { readonly [name: string]: Level } = {
  Pickup: {
    ...MAZE,
    ...SAY.pickup,
    generate(r) {
      r.agent();
      r.connect();
      const things = r.distract(18, false);
      r.mustReachAll();
      return pickUp(r.describe(r.builder.pick(things, 'target')));
    },
  },
  UnblockPickup: {
    ...MAZE,
    ...SAY.pickup,
    generate(r) {
      r.agent();
      r.connect();
      const things = r.distract(20, false);
      if (r.allReachable()) throw new Rejected('everything can be reached');
      return pickUp(r.describe(r.builder.pick(things, 'target')));
    },
  },
  PickupDist: pickupDist(false),
  PickupDistDebug: pickupDist(true),
  PickupAbove: {
    ...MAZE,
    ...SAY.pickup,
    size: 6,
    maxSteps: 8 * 36,
    generate(r) {
      const at = r.thing(1, 0);
      r.door(1, 1, 3, r.builder.int(0, 5, 'door colour'), false);
      r.agent(1, 1);
      r.connect();
      return pickUp(r.describe(at));
    },
  },
  PutNextLocal: putNextLocal(8, 8),
  PutNextLocalS5N3: putNextLocal(5, 3),
  PutNextLocalS6N4: putNextLocal(6, 4),
  PutNextS4N1: putNextAcross(4, 1, false),
  PutNextS5N1: putNextAcross(5, 1, false),
  PutNextS5N2: putNextAcross(5, 2, false),
  PutNextS6N3: putNextAcross(6, 3, false),
  PutNextS7N4: putNextAcross(7, 4, false),
  PutNextS5N2Carrying: putNextAcross(5, 2, true),
  PutNextS6N3Carrying: putNextAcross(6, 3, true),
  PutNextS7N4Carrying: putNextAcross(7, 4, true),
  ActionObjDoor: {
    ...MAZE,
    ...SAY.goTo,
    size: 7,
    generate(r) {
      const { builder: b } = r;
      const all = r.distract(5, true, 1, 1);
      for (let n = 0; n < 4; n++) all.push(r.anyDoor(1, 1, false));
      r.agent(1, 1);
      const what = r.describe(b.pick(all, 'target'));
      if (b.int(0, 1, 'go to') === 0) return goTo(what);
      return what.object === DOOR ? openUp(what) : pickUp(what);
    },
  },
  FindObjS5: findThing(5),
  FindObjS6: findThing(6),
  FindObjS7: findThing(7),
  KeyCorridor: keyCorridor(6, 3),
  KeyCorridorS3R1: keyCorridor(3, 1),
  KeyCorridorS3R2: keyCorridor(3, 2),
  KeyCorridorS3R3: keyCorridor(3, 3),
  KeyCorridorS4R3: keyCorridor(4, 3),
  KeyCorridorS5R3: keyCorridor(5, 3),
  KeyCorridorS6R3: keyCorridor(6, 3),
  OneRoomS8: oneRoom(8),
  OneRoomS12: oneRoom(12),
  OneRoomS16: oneRoom(16),
  OneRoomS20: oneRoom(20),
  MoveTwoAcrossS5N2: moveTwoAcross(5, 2),
  MoveTwoAcrossS8N9: moveTwoAcross(8, 9),
};
