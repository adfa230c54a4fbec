/**
 * Games on a board where the first to own a straight line of stones wins: tic-tac-toe (3 in a row anywhere) and connect four
 * (4 in a row, stones fall). Cells row-major from the top left: 0 empty, 1 first player, 2 second player.
 */

export interface LineGame {
  readonly rows: number;
  readonly columns: number;
  /** Stones in a line that win. */
  readonly connect: number;
  /** Stones fall to the lowest free cell of their column; an action is then a column, else a cell. */
  readonly falls: boolean;
}

export interface Board {
  readonly game: LineGame;
  readonly cells: number;
  readonly actions: number;
  /** Every possible line: [lines * connect] cells. */
  readonly lines: Int16Array;
  /** Lines through each cell: numbers of lines, from through[cell] to through[cell + 1] in `byCell`. */
  readonly through: Int32Array;
  readonly byCell: Int32Array;
  /** Actions, those near the middle first: where most lines cross. */
  readonly order: Int32Array;
}

const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const;

export function boardOf(game: LineGame): Board {
  const { rows, columns, connect } = game;
  const cells = rows * columns;
  const lines: number[] = [];
  for (const [dr, dc] of DIRECTIONS)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const endRow = row + dr * (connect - 1);
        const endColumn = column + dc * (connect - 1);
        if (endRow >= rows || endColumn >= columns || endColumn < 0) continue;
        for (let i = 0; i < connect; i++) lines.push((row + dr * i) * columns + column + dc * i);
      }
  const through = new Int32Array(cells + 1);
  const byCell: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    for (let at = 0; at < lines.length; at++) if (lines[at] === cell) byCell.push(Math.floor(at / connect));
    through[cell + 1] = byCell.length;
  }
  const actions = game.falls ? columns : cells;
  const middle = (action: number) => {
    const column = game.falls ? action : action % columns;
    const row = game.falls ? (rows - 1) / 2 : Math.floor(action / columns);
    return Math.abs(2 * column - columns + 1) + Math.abs(2 * row - rows + 1);
  };
  const order = Array.from({ length: actions }, (_, a) => a).sort((a, b) => middle(a) - middle(b) || a - b);
  return {
    game,
    cells,
    actions,
    lines: Int16Array.from(lines),
    through,
    byCell: Int32Array.from(byCell),
    order: Int32Array.from(order),
  };
}

/** The cell that a stone of this action comes to lie in, -1 if there is no room. `at` is where the board begins in `stones`. */
export function landing(board: Board, stones: ArrayLike<number>, at: number, action: number): number {
  const { rows, columns, falls } = board.game;
  if (!falls) return stones[at + action] === 0 ? action : -1;
  for (let row = rows - 1; row >= 0; row--) if (stones[at + row * columns + action] === 0) return row * columns + action;
  return -1;
}

/** Whether the stone in this cell completes a line. */
export function wins(board: Board, stones: ArrayLike<number>, at: number, cell: number): boolean {
  const { connect } = board.game;
  const player = stones[at + cell];
  for (let i = board.through[cell]!; i < board.through[cell + 1]!; i++) {
    const line = board.byCell[i]! * connect;
    let k = 0;
    while (k < connect && stones[at + board.lines[line + k]!] === player) k++;
    if (k === connect) return true;
  }
  return false;
}

/** Whether any line is complete. */
export function decided({ lines, game }: Board, stones: ArrayLike<number>, at: number): boolean {
  const { connect } = game;
  for (let line = 0; line < lines.length; line += connect) {
    const player = stones[at + lines[line]!]!;
    if (player === 0) continue;
    let k = 1;
    while (k < connect && stones[at + lines[line + k]!] === player) k++;
    if (k === connect) return true;
  }
  return false;
}

/** A way to turn or mirror the board that leaves the game as it is: where the content of each cell, and the chance of each action, comes from. */
export interface BoardSymmetry {
  readonly cells: Int32Array;
  readonly actions: Int32Array;
}

/** All of them, the one that changes nothing first: two where stones fall, eight on a square, else four. */
export function symmetriesOf({ game, actions }: Board): readonly BoardSymmetry[] {
  const { rows, columns, falls } = game;
  const last = [rows - 1, columns - 1] as const;
  const flips = falls ? [0, 1] : [0, 1, 2, 3];
  return [false, ...(!falls && rows === columns ? [true] : [])].flatMap((transposed) =>
    flips.map((flip) => {
      const cells = Int32Array.from({ length: rows * columns }, (_, cell) => {
        const y = flip >= 2 ? last[0] - Math.floor(cell / columns) : Math.floor(cell / columns);
        const x = flip % 2 === 1 ? last[1] - (cell % columns) : cell % columns;
        return transposed ? x * columns + y : y * columns + x;
      });
      return { cells, actions: falls ? Int32Array.from({ length: actions }, (_, a) => (flip === 1 ? last[1] - a : a)) : cells };
    }),
  );
}
