/** BabyAI levels "go to": Minigrid `envs/babyai/goto.py`. */
import { BALL, BLUE, cell, colourOf, GREY, objectOf, RED } from '../cells.ts';
import type { Sentence } from '../instructions.ts';
import { goTo, type Level, MAZE, ROOM, SAY } from './level.ts';
import { type LevelRooms, Rejected } from './level-rooms.ts';
import { lockedAway } from './locked-room.ts';

const redBall = (distractors: number, grey: boolean): Level => ({
  ...ROOM,
  ...SAY.goTo,
  generate(r) {
    r.agent();
    const ball = r.thing(0, 0, BALL, RED);
    const { builder: b } = r;
    const others = r.distract(distractors, false);
    if (grey) for (const at of others) b.set(at % b.width, Math.floor(at / b.width), cell(objectOf(r.kindAt(at)), GREY));
    r.mustReachAll();
    return goTo(r.describe(ball));
  },
});

const object = (size: number): Level => ({
  ...ROOM,
  ...SAY.goTo,
  size,
  generate(r) {
    r.agent();
    const [at] = r.distract(1, true) as [number];
    return goTo(r.describe(at));
  },
});

const local = (size: number, distractors: number): Level => ({
  ...ROOM,
  ...SAY.goTo,
  size,
  generate(r) {
    r.agent();
    return anyOf(r, r.distract(distractors, false));
  },
});

const maze = (size: number, across: number, distractors: number, open: boolean): Level => ({
  ...SAY.goTo,
  size,
  rows: across,
  columns: across,
  generate(r) {
    r.agent();
    r.connect();
    const sentence = anyOf(r, r.distract(distractors, false));
    if (open) r.openDoors();
    return sentence;
  },
});

function anyOf(r: LevelRooms, things: readonly number[]): Sentence {
  r.mustReachAll();
  return goTo(r.describe(r.builder.pick(things, 'target')));
}

export const GO_TO: { readonly [name: string]: Level } = {
  GoToRedBallGrey: redBall(7, true),
  GoToRedBall: redBall(7, false),
  GoToRedBallNoDists: redBall(0, false),
  GoToRedBlueBall: {
    ...ROOM,
    ...SAY.goTo,
    generate(r) {
      r.agent();
      for (const at of r.distract(7, false)) {
        const kind = r.kindAt(at);
        if (objectOf(kind) === BALL && (colourOf(kind) === RED || colourOf(kind) === BLUE)) throw new Rejected('a second red or blue ball');
      }
      const ball = r.thing(0, 0, BALL, r.builder.pick([RED, BLUE], 'ball colour'));
      r.mustReachAll();
      return goTo(r.describe(ball));
    },
  },
  GoToObj: object(8),
  GoToObjS4: object(4),
  GoToObjS6: object(6),
  GoToLocal: local(8, 8),
  GoToLocalS5N2: local(5, 2),
  GoToLocalS6N2: local(6, 2),
  GoToLocalS6N3: local(6, 3),
  GoToLocalS6N4: local(6, 4),
  GoToLocalS7N4: local(7, 4),
  GoToLocalS7N5: local(7, 5),
  GoToLocalS8N2: local(8, 2),
  GoToLocalS8N3: local(8, 3),
  GoToLocalS8N4: local(8, 4),
  GoToLocalS8N5: local(8, 5),
  GoToLocalS8N6: local(8, 6),
  GoToLocalS8N7: local(8, 7),
  GoTo: maze(8, 3, 18, false),
  GoToOpen: maze(8, 3, 18, true),
  GoToObjMaze: maze(8, 3, 1, false),
  GoToObjMazeOpen: maze(8, 3, 1, true),
  GoToObjMazeS4R2: maze(4, 2, 1, false),
  GoToObjMazeS4: maze(4, 3, 1, false),
  GoToObjMazeS5: maze(5, 3, 1, false),
  GoToObjMazeS6: maze(6, 3, 1, false),
  GoToObjMazeS7: maze(7, 3, 1, false),
  GoToDoor: {
    ...MAZE,
    ...SAY.goTo,
    size: 7,
    generate(r) {
      const doors = [0, 1, 2, 3].map(() => r.anyDoor(1, 1));
      r.agent(1, 1);
      return goTo(r.describe(r.builder.pick(doors, 'target')));
    },
  },
  GoToObjDoor: {
    ...MAZE,
    ...SAY.goTo,
    generate(r) {
      r.agent(1, 1);
      const things = r.distract(8, false, 1, 1);
      for (let n = 0; n < 4; n++) things.push(r.anyDoor(1, 1));
      return anyOf(r, things);
    },
  },
  GoToImpUnlock: {
    ...MAZE,
    ...SAY.goTo,
    generate(r) {
      const { i, j } = lockedAway(r, 2, () => r.connect());
      const [at] = r.distract(1, false, i, j) as [number];
      return goTo(r.describe(at));
    },
  },
};
