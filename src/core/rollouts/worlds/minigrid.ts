/**
 * MiniGrid rooms with a goal (envs/minigrid/lib/core.ts): the same rules and the same view over words, in the order of its draws.
 * Generators are the environments' own; maps, end rules and starts of the config's own are not made here.
 */
import { fail } from '#contract/kit/errors.ts';
import type { Kit } from '#core/engine/kit.ts';
import type { Builds } from '#core/envs/minigrid/lib/builder.ts';
import {
  BALL,
  BOX,
  CLOSED,
  DOOR,
  EMPTY,
  EMPTY_CELL,
  FLOOR,
  GOAL,
  hasOrigin,
  KEY,
  LOCKED,
  OPEN,
  objectOf,
  WALL,
  WALL_CELL,
} from '#core/envs/minigrid/lib/cells.ts';
import type { GridConfig } from '#core/envs/minigrid/lib/config.ts';
import { DROP, FORWARD, LEFT, PICKUP, RIGHT, TOGGLE } from '#core/envs/minigrid/lib/moment.ts';
import type { Row } from '../row.ts';
import type { World } from '../world.ts';

const TRIES = 1000;
/** -1 modulo 2^32. */
const BACK = 0xffff_ffff;

const objectIn = <F, W, B>(k: Kit<F, W, B>, cell: W): W => k.and(cell, 15);
const stateIn = <F, W, B>(k: Kit<F, W, B>, cell: W): W => k.and(k.right(cell, 7), 3);

/** Steps along x and y of a heading: right, down, left, up. */
function heading<F, W, B>(k: Kit<F, W, B>, dir: W): readonly [W, W] {
  const along = (plus: number, minus: number): W => k.choose(k.same(dir, plus), 1, k.choose(k.same(dir, minus), BACK, 0));
  return [along(0, 2), along(1, 3)];
}

/** Writes the world of an episode into a row, drawing as Builder does. */
function builderOf<F, W, B>(k: Kit<F, W, B>, row: Row<F, W, B>, width: number, height: number): Builds<W> {
  let placed = false;
  const put = (at: W, word: number): void => {
    row.setWord('cells', hasOrigin(objectOf(word)) ? k.or(word & 0xffff, k.left(k.plus(at, 1), 16)) : word, at);
  };
  const set: Builds<W>['set'] = (x, y, word) => put(k.plus(k.times(y, width), x), word);
  const int: Builds<W>['int'] = (low, high) => k.plus(row.int(k.plus(k.minus(high, low), 1)), low);
  const agent = (x: W | number, y: W | number, dir: W | number): void => {
    for (const [field, value] of [
      ['agentX', x],
      ['agentY', y],
      ['agentDir', dir],
    ] as const)
      row.setWord(field, value);
    placed = true;
  };
  const freeCell = (x = 0, y = 0, wide: W | number = width, high: W | number = height): W => {
    const last = (from: number, length: W | number, most: number): W => {
      const end = k.plus(length, from);
      return k.minus(k.choose(k.less(end, most), end, most), 1);
    };
    const [right, bottom] = [last(x, wide, width), last(y, high, height)];
    const at = k.wordVariable(0);
    const left = k.wordVariable(TRIES);
    k.whilst(
      () => k.less(0, left.get()),
      () => {
        const cx = int(x, right, '');
        const cy = int(y, bottom, '');
        const cell = k.plus(k.times(cy, width), cx);
        at.set(cell);
        left.set(k.minus(left.get(), 1));
        const empty = k.same(row.word('cells', cell), EMPTY_CELL);
        const taken = k.both(k.same(cx, row.word('agentX')), k.same(cy, row.word('agentY')));
        k.when(placed ? k.both(empty, k.not(taken)) : empty, () => left.set(0));
      },
    );
    return at.get();
  };
  return {
    width,
    height,
    int,
    set,
    walls(x, y, wide, high) {
      k.loop(wide, (i) => {
        put(k.plus(i, y * width + x), WALL_CELL);
        put(k.plus(i, (y + high - 1) * width + x), WALL_CELL);
      });
      k.loop(high, (i) => {
        put(k.plus(k.times(k.plus(i, y), width), x), WALL_CELL);
        put(k.plus(k.times(k.plus(i, y), width), x + wide - 1), WALL_CELL);
      });
    },
    vertical(x, y, length) {
      k.loop(length, (i) => put(k.plus(k.times(k.plus(i, y), width), x), WALL_CELL));
    },
    agent,
    placeAgent(x, y, wide, high) {
      placed = false;
      const at = freeCell(x, y, wide, high);
      agent(k.rest(at, width), k.over(at, width), int(0, 3, ''));
    },
    place(word, _name, x, y, wide, high) {
      const at = freeCell(x, y, wide, high);
      put(at, word);
      return at;
    },
  };
}

/** The square ahead of the agent, its own cell in the middle of the near edge; light spreads as in envs/minigrid/lib/view.ts. */
function look<F, W, B>(
  k: Kit<F, W, B>,
  row: Row<F, W, B>,
  { width, height, viewSize: size, seeThroughWalls }: GridConfig,
  see: (place: W | number, value: F | number) => void,
): void {
  const [x, y, dir] = [row.word('agentX'), row.word('agentY'), row.word('agentDir')];
  const [dx, dy] = heading(k, dir);
  const half = (size - 1) / 2;
  const full = 2 ** size - 1;
  const held = row.word('carrying');
  const inHand = k.choose(k.same(held, 0), EMPTY_CELL, held);
  /** Of column i and so many cells ahead. */
  const cellAt = (i: W, far: W): W => {
    const side = k.minus(i, half); // to the right of the agent
    const cx = k.minus(k.plus(x, k.times(far, dx)), k.times(side, dy));
    const cy = k.plus(k.plus(y, k.times(far, dy)), k.times(side, dx));
    const inside = k.both(k.less(cx, width), k.less(cy, height));
    return k.choose(inside, row.word('cells', k.choose(inside, k.plus(k.times(cy, width), cx), 0)), WALL_CELL);
  };
  const stops = (cell: W): B => {
    const object = objectIn(k, cell);
    return k.either(k.same(object, WALL), k.both(k.same(object, DOOR), k.not(k.less(stateIn(k, cell), CLOSED))));
  };
  const bit = (mask: W, i: W): W => k.and(k.rest(k.over(mask, power(k, i)), 2), 1);
  // Columns of the row at hand that are lit, and of the row beyond, one bit each.
  const lit = k.wordVariable(seeThroughWalls ? full : 2 ** half);
  k.loop(size, (far) => {
    const beyond = k.wordVariable(seeThroughWalls ? full : 0);
    if (!seeThroughWalls) {
      const clear = k.wordVariable(0);
      k.loop(size, (i) => clear.set(k.or(clear.get(), k.choose(stops(cellAt(i, far)), 0, power(k, i)))));
      const spread = (i: W, to: W): void => {
        k.when(k.same(k.and(bit(lit.get(), i), bit(clear.get(), i)), 1), () => {
          lit.set(k.or(lit.get(), power(k, to)));
          beyond.set(k.or(beyond.get(), k.or(power(k, i), power(k, to))));
        });
      };
      k.loop(size - 1, (i) => spread(i, k.plus(i, 1)));
      k.loop(size - 1, (i) => spread(k.minus(size - 1, i), k.minus(size - 2, i)));
    }
    k.loop(size, (i) => {
      const own = k.both(k.same(far, 0), k.same(i, half));
      const shown = k.choose(own, inHand, k.choose(k.same(bit(lit.get(), i), 1), cellAt(i, far), 0));
      const place = k.times(k.plus(k.times(i, size), k.minus(size - 1, far)), 3);
      see(place, k.toFloat(objectIn(k, shown)));
      see(k.plus(place, 1), k.toFloat(k.and(k.right(shown, 4), 7)));
      see(k.plus(place, 2), k.toFloat(stateIn(k, shown)));
    });
    lit.set(beyond.get());
  });
  const image = size * size * 3;
  for (let d = 0; d < 4; d++) see(image + d, k.pick(k.same(dir, d), 1, 0));
}

/** 2^i. */
function power<F, W, B>(k: Kit<F, W, B>, i: W): W {
  const out = k.wordVariable(1);
  k.loop(i, () => out.set(k.left(out.get(), 1)));
  return out.get();
}

/** `room`: the environment's generator, with what it asks of the config. */
export function minigridWorld<E extends object>(id: string, room: <W>(c: E, b: Builds<W>) => void): World {
  return {
    id,
    rules(config, meta) {
      const c = config as unknown as GridConfig & E;
      const { width, height } = c;
      if (c.layout !== null || c.endRule !== null || c.pickupActsAsToggle === true)
        throw fail(
          'incompatible',
          'Maps, end rules and actions of your own do not run on the device.',
          'Choose the executor "webgpu", or leave them empty.',
          'run.executor',
        );
      return {
        start(k, row) {
          k.loop(width * height, (i) => row.setWord('cells', EMPTY_CELL, i));
          room(c, builderOf(k, row, width, height));
          for (const [from, to] of [
            ['agentX', 'startX'],
            ['agentY', 'startY'],
            ['agentDir', 'startDir'],
          ] as const)
            row.setWord(to, row.word(from));
          for (const field of ['carrying', 'stepCount', 'progress', 'ruleA', 'ruleB']) row.setWord(field, 0);
        },
        step(k, row, action) {
          const steps = k.plus(row.word('stepCount'), 1);
          row.setWord('stepCount', steps);
          const [x, y, dir] = [row.word('agentX'), row.word('agentY'), row.word('agentDir')];
          const [dx, dy] = heading(k, dir);
          const [frontX, frontY] = [k.plus(x, dx), k.plus(y, dy)];
          const inside = k.both(k.less(frontX, width), k.less(frontY, height));
          const at = k.choose(inside, k.plus(k.times(frontY, width), frontX), 0);
          const front = k.choose(inside, row.word('cells', at), 0);
          const object = objectIn(k, front);
          const state = stateIn(k, front);
          const held = row.word('carrying');
          const goal = k.wordVariable(0);
          const does = (which: number, condition: B, then: () => void): void => k.when(k.both(k.same(action, which), condition), then);
          type B = ReturnType<typeof k.not>;
          const is = (...objects: readonly number[]): B => objects.map((o) => k.same(object, o)).reduce((any, one) => k.either(any, one));
          const always = k.same(steps, steps);
          does(LEFT, always, () => row.setWord('agentDir', k.and(k.plus(dir, 3), 3)));
          does(RIGHT, always, () => row.setWord('agentDir', k.and(k.plus(dir, 1), 3)));
          does(FORWARD, k.either(is(EMPTY, FLOOR, GOAL), k.both(is(DOOR), k.same(state, OPEN))), () => {
            row.setWord('agentX', frontX);
            row.setWord('agentY', frontY);
            goal.set(k.choose(is(GOAL), 1, 0));
          });
          does(PICKUP, k.both(k.same(held, 0), is(KEY, BALL, BOX)), () => {
            row.setWord('carrying', front);
            row.setWord('cells', EMPTY_CELL, at);
          });
          does(DROP, k.both(k.less(0, held), is(EMPTY)), () => {
            row.setWord('cells', held, at);
            row.setWord('carrying', 0);
          });
          const colour = (cell: typeof front) => k.and(k.right(cell, 4), 7);
          const fits = k.both(k.same(objectIn(k, held), KEY), k.same(colour(held), colour(front)));
          does(TOGGLE, k.both(is(DOOR), k.either(k.not(k.same(state, LOCKED)), fits)), () => {
            const next = k.choose(k.same(state, OPEN), CLOSED, OPEN);
            row.setWord('cells', k.or(k.and(front, ~(3 << 7) >>> 0), k.left(next, 7)), at);
          });
          const done = k.same(goal.get(), 1);
          const share = k.div(k.toFloat(steps), meta.maxSteps);
          return {
            reward: k.pick(done, k.sub(1, k.mul(0.9, share)), 0),
            terminated: done,
            truncated: k.not(k.less(steps, meta.maxSteps)),
          };
        },
        observe: (k, row, see) => look(k, row, c, see),
      };
    },
  };
}
