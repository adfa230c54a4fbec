/** Snake (envs/grids/snake.ts): the same rules over words; boards with a mask of actions are not made here. */
import type { Kit } from '#core/engine/kit.ts';
import type { SnakeConfig } from '#core/envs/grids/snake.ts';
import type { Row } from '../row.ts';
import type { World } from '../world.ts';

const PLANES = 5;

/** Length of the snake and the cell of its head: the largest number of the board and where it stands. */
function find<F, W, B>(k: Kit<F, W, B>, row: Row<F, W, B>, cells: number): { readonly length: W; readonly head: W } {
  const length = k.wordVariable(0);
  const head = k.wordVariable(0);
  k.loop(cells, (cell) => {
    const order = row.word('body', cell);
    k.when(k.less(length.get(), order), () => {
      length.set(order);
      head.set(cell);
    });
  });
  return { length: length.get(), head: head.get() };
}

/** Food in a drawn cell of those that are free. */
function feed<F, W, B>(k: Kit<F, W, B>, row: Row<F, W, B>, cells: number, free: W | number): void {
  const left = k.wordVariable(k.plus(row.int(free), 1));
  k.loop(cells, (cell) => {
    k.when(k.both(k.less(0, left.get()), k.same(row.word('body', cell), 0)), () => {
      left.set(k.minus(left.get(), 1));
      k.when(k.same(left.get(), 0), () => row.setWord('food', cell));
    });
  });
}

export const snake: World = {
  id: 'snake',
  rules(config) {
    const { rows: height, columns: width, growth, wrap, maxSteps } = config as unknown as SnakeConfig;
    const cells = height * width;
    return {
      start(k, row) {
        k.loop(cells, (cell) => row.setWord('body', 0, cell));
        for (const field of ['food', 'growing', 'steps']) row.setWord(field, 0);
        row.setWord('body', 1, row.int(cells));
        feed(k, row, cells, cells - 1);
      },
      step(k, row, action) {
        const { length, head } = find(k, row, cells);
        const steps = k.plus(row.word('steps'), 1);
        row.setWord('steps', steps);
        // Up, right, down, left; a coordinate below 0 wraps to a number beyond the board.
        const along = (plus: number, minus: number) => k.choose(k.same(action, plus), 1, k.choose(k.same(action, minus), 0xffff_ffff, 0));
        const inside = (to: typeof head, size: number) => (wrap ? k.rest(k.plus(to, size), size) : to);
        const y = inside(k.plus(k.over(head, width), along(2, 0)), height);
        const x = inside(k.plus(k.rest(head, width), along(1, 3)), width);
        const onBoard = k.both(k.less(y, height), k.less(x, width));
        const next = k.choose(onBoard, k.plus(k.times(y, width), x), 0);
        const eats = k.both(onBoard, k.same(next, row.word('food')));
        k.when(eats, () => row.setWord('growing', k.plus(row.word('growing'), growth)));
        const growing = row.word('growing');
        const order = row.word('body', next);
        const free = k.either(k.same(order, 0), k.both(k.same(order, 1), k.same(growing, 0)));
        const moves = k.both(onBoard, free);
        const now = k.wordVariable(length);
        k.when(moves, () => {
          k.when(
            k.less(0, growing),
            () => {
              row.setWord('growing', k.minus(growing, 1));
              now.set(k.plus(length, 1));
            },
            () =>
              k.loop(cells, (cell) => {
                const piece = row.word('body', cell);
                k.when(k.less(0, piece), () => row.setWord('body', k.minus(piece, 1), cell));
              }),
          );
          row.setWord('body', now.get(), next);
          k.when(k.both(eats, k.less(now.get(), cells)), () => feed(k, row, cells, k.minus(cells, now.get())));
        });
        const full = k.same(now.get(), cells);
        return {
          reward: k.pick(k.both(moves, eats), 1, 0),
          terminated: k.either(k.not(moves), full),
          truncated: k.not(k.less(steps, maxSteps)),
        };
      },
      observe(k, row, see) {
        const { length } = find(k, row, cells);
        const food = row.word('food');
        k.loop(cells, (cell) => {
          const order = row.word('body', cell);
          const at = k.times(cell, PLANES);
          const some = k.less(0, order);
          see(at, k.pick(some, 1, 0));
          see(k.plus(at, 1), k.pick(k.both(some, k.same(order, length)), 1, 0));
          see(k.plus(at, 2), k.pick(k.same(order, 1), 1, 0));
          see(k.plus(at, 3), k.pick(k.both(k.same(order, 0), k.same(cell, food)), 1, 0));
          see(k.plus(at, 4), k.div(k.toFloat(order), k.toFloat(length)));
        });
      },
    };
  },
};
