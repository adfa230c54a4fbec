/** BabyAI levels "open" and "unlock": Minigrid `envs/babyai/open.py`, `unlock.py`. */
import { BALL, BLUE, BOX, cell, colourOf, DOOR, KEY, RED } from '../cells.ts';
import { LOCATIONS } from '../instructions.ts';
import { type Level, MAZE, ofType, openUp, pickUp, SAY, twice } from './level.ts';
import { lockedAway } from './locked-room.ts';

const COLOURS = [0, 1, 2, 3, 4, 5];

const openDoor = (by: 'color' | 'loc' | null, strict: boolean): Level => ({
  ...MAZE,
  ...(by === 'color' ? SAY.open : SAY.openLocated),
  generate(r) {
    const { builder: b } = r;
    const colours = [...COLOURS];
    b.shuffle(colours, 'door colours');
    const doors = [0, 1, 2, 3].map((side) => r.door(1, 1, side, colours[side]!, false));
    const located = by === 'loc' || (by === null && b.int(0, 1, 'by location') === 1);
    const what = located ? { ...ofType(DOOR), location: 1 << b.int(0, LOCATIONS.length - 1, 'location') } : r.describe(doors[0]!);
    r.agent(1, 1);
    return openUp(what, strict);
  },
});

const twoDoors = (fixed: readonly [number, number] | null, strict: boolean): Level => ({
  ...MAZE,
  ...twice(SAY.open),
  size: 6,
  maxSteps: 20 * 36,
  generate(r) {
    const colours = [...COLOURS];
    r.builder.shuffle(colours, 'door colours');
    const [first, second] = fixed ?? (colours as unknown as readonly [number, number]);
    const left = r.door(1, 1, 2, first, false);
    const right = r.door(1, 1, 0, second, false);
    r.agent(1, 1);
    return { kind: 'before', first: openUp(r.describe(left), strict), second: openUp(r.describe(right)) };
  },
});

const inOrder = (count: number, strict: boolean): Level => ({
  ...MAZE,
  ...twice(SAY.open),
  size: 6,
  maxSteps: 20 * 36,
  generate(r) {
    const { builder: b } = r;
    const colours = [...COLOURS];
    b.shuffle(colours, 'door colours');
    const doors = colours.slice(0, count).map((colour) => r.anyDoor(1, 1, false, colour));
    r.agent(1, 1);
    b.shuffle(doors, 'doors');
    const [first, second] = doors.map((at) => openUp(r.describe(at), strict));
    if (first === undefined || second === undefined) throw new Error('an order needs two doors');
    const mode = b.int(0, 2, 'order');
    return mode === 0 ? first : { kind: mode === 1 ? 'before' : 'after', first, second };
  },
});

const unlockLocal = (distractors: number): Level => ({
  ...MAZE,
  ...SAY.open,
  generate(r) {
    const door = r.anyDoor(1, 1, true);
    r.thing(1, 1, KEY, colourOf(r.kindAt(door)));
    r.distract(distractors, true, 1, 1);
    r.agent(1, 1);
    return openUp(ofType(DOOR));
  },
});

const unlockPickup = (distractors: number): Level => ({
  ...SAY.pickup,
  size: 6,
  rows: 1,
  columns: 2,
  generate(r) {
    const box = r.thing(1, 0, BOX);
    const door = r.door(0, 0, 0, r.builder.int(0, 5, 'door colour'), true);
    r.thing(0, 0, KEY, colourOf(r.kindAt(door)));
    r.distract(distractors, true);
    r.agent(0, 0);
    return pickUp(r.describe(box));
  },
});

export const OPEN_UNLOCK: { readonly [name: string]: Level } = {
  Open: {
    ...MAZE,
    ...SAY.open,
    generate(r) {
      r.agent();
      r.connect();
      r.distract(18, false);
      r.mustReachAll();
      return openUp(r.describe(r.builder.pick(r.doors(), 'target')));
    },
  },
  OpenRedDoor: {
    ...SAY.open,
    size: 5,
    rows: 1,
    columns: 2,
    generate(r) {
      const door = r.door(0, 0, 0, RED, false);
      r.agent(0, 0);
      return openUp(r.describe(door));
    },
  },
  OpenDoor: openDoor(null, false),
  OpenDoorDebug: openDoor(null, true),
  OpenDoorColor: openDoor('color', false),
  OpenDoorLoc: openDoor('loc', false),
  OpenTwoDoors: twoDoors(null, false),
  OpenRedBlueDoors: twoDoors([RED, BLUE], false),
  OpenRedBlueDoorsDebug: twoDoors([RED, BLUE], true),
  OpenDoorsOrderN2: inOrder(2, false),
  OpenDoorsOrderN4: inOrder(4, false),
  OpenDoorsOrderN2Debug: inOrder(2, true),
  OpenDoorsOrderN4Debug: inOrder(4, true),
  Unlock: {
    ...MAZE,
    ...SAY.open,
    generate(r) {
      // in half of the levels no other door has the colour of the locked one
      const { door } = lockedAway(r, 3, (at) => {
        const others = COLOURS.filter((colour) => colour !== colourOf(r.kindAt(at)));
        r.connect(r.builder.int(0, 1, 'only one of its colour') === 0 ? others : COLOURS);
      });
      return openUp(r.describe(door));
    },
  },
  UnlockLocal: unlockLocal(0),
  UnlockLocalDist: unlockLocal(3),
  KeyInBox: {
    ...MAZE,
    ...SAY.open,
    generate(r) {
      const door = r.anyDoor(1, 1, true);
      r.thing(1, 1, BOX, r.builder.int(0, 5, 'box colour'), cell(KEY, colourOf(r.kindAt(door))));
      r.agent(1, 1);
      return openUp(ofType(DOOR));
    },
  },
  UnlockPickup: unlockPickup(0),
  UnlockPickupDist: unlockPickup(4),
  BlockedUnlockPickup: {
    ...SAY.pickup,
    size: 6,
    rows: 1,
    columns: 2,
    maxSteps: 16 * 36,
    generate(r) {
      const { builder: b } = r;
      r.thing(1, 0, BOX);
      const door = r.door(0, 0, 0, b.int(0, 5, 'door colour'), true);
      b.set((door % b.width) - 1, Math.floor(door / b.width), cell(BALL, b.int(0, 5, 'ball colour')));
      r.thing(0, 0, KEY, colourOf(r.kindAt(door)));
      r.agent(0, 0);
      return pickUp(ofType(BOX));
    },
  },
  UnlockToUnlock: {
    ...SAY.pickup,
    size: 6,
    rows: 1,
    columns: 3,
    maxSteps: 30 * 36,
    generate(r) {
      const colours = [...COLOURS];
      r.builder.shuffle(colours, 'door colours');
      const [a, b] = colours as unknown as readonly [number, number];
      r.door(0, 0, 0, a, true);
      r.thing(2, 0, KEY, a);
      r.door(1, 0, 0, b, true);
      r.thing(1, 0, KEY, b);
      r.thing(0, 0, BALL);
      r.agent(1, 0);
      return pickUp(ofType(BALL));
    },
  },
};
