/**
 * What a set of visited cells is worth: three set functions with diminishing returns, each from 0 for no cell to `all` for every cell. A further
 * cell adds the less the more were visited before (submodular), and never takes anything away (monotone).
 *   cover  F(S) = sum of the densities of all cells within `radius` of a cell of S
 *   items  F(S) = sum over kinds k of 1 + 1/2 + .. + 1/(items of kind k in S)
 *   sense  F(S) = 1/2 log det(I + K_S / noise^2), K a squared-exponential kernel: what measurements there tell of a random field, in nats
 * Source: the three kinds of tasks of Prajapat et al. 2024; maps, kernel and numbers are our own.
 */
import { exp, log, sqrt } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';

export const TASKS = ['cover', 'items', 'sense'] as const;

export interface CoverageConfig {
  readonly task: (typeof TASKS)[number];
  readonly size: number;
  readonly radius: number;
  readonly kinds: number;
  readonly mapSeed: number;
}

export interface Worth {
  /** F of every cell, above 0. */
  readonly all: number;
  /** [cells] F of a cell alone. */
  readonly alone: Float64Array;
  /** [cells] cover: the density of a cell; items: 1 + kind of what lies there, 0 for nothing; sense: the deviation of the field. */
  readonly ground: Float64Array;
  /** F of the cells from visited[from] on that are not 0. Depends on the set alone, so that a saved row goes on with the same bits. */
  of(visited: Uint32Array, from: number): number;
  /** Whether the cell is seen from a visited one. */
  seen(visited: Uint32Array, from: number, cell: number): boolean;
}

/** Squared deviation of a measurement, and the reach of the kernel in cells. */
const NOISE = 0.25;
const REACH = 1.5;
/** Share of the cells on which an item lies. */
const FULL = 0.5;

/** Cells within `radius`, of each cell; a disc. */
function discs(size: number, radius: number): readonly (readonly number[])[] {
  const cells = Array.from({ length: size * size }, (_, cell) => [cell % size, Math.floor(cell / size)] as const);
  return cells.map(([x, y]) => cells.flatMap(([a, b], i) => ((a - x) ** 2 + (b - y) ** 2 <= radius * radius ? [i] : [])));
}

/** 1/2 log det(I + K_S / noise), from a Cholesky factor row by row. */
function information(kernel: Float64Array, n: number, visited: Uint32Array, from: number, factor: Float64Array): number {
  const chosen: number[] = [];
  let sum = 0;
  for (let cell = 0; cell < n; cell++) {
    if (visited[from + cell] === 0) continue;
    const row = chosen.length * n;
    chosen.push(cell);
    for (let j = 0; j < chosen.length; j++) {
      const other = chosen[j]!;
      let left = kernel[cell * n + other]! / NOISE + (cell === other ? 1 : 0);
      for (let k = 0; k < j; k++) left -= factor[row + k]! * factor[j * n + k]!;
      factor[row + j] = cell === other ? sqrt(left) : left / factor[j * n + j]!;
    }
    sum += log(factor[row + chosen.length - 1]!);
  }
  return sum;
}

/** The map of a config, drawn from `mapSeed`. */
export function worthOf({ task, size, radius, kinds, mapSeed }: CoverageConfig): Worth {
  const n = size * size;
  const rng = Rng.from(mapSeed).split(`coverage ${task}`);
  const ground = new Float64Array(n);
  const disc = discs(size, task === 'cover' ? radius : 0);
  const seen = (visited: Uint32Array, from: number, cell: number): boolean => disc[cell]!.some((other) => visited[from + other] !== 0);
  let of: Worth['of'];
  if (task === 'cover') {
    for (let cell = 0; cell < n; cell++) ground[cell] = rng.uniform();
    of = (visited, from) => {
      let sum = 0;
      for (let cell = 0; cell < n; cell++) if (seen(visited, from, cell)) sum += ground[cell]!;
      return sum;
    };
  } else if (task === 'items') {
    const order = Array.from({ length: n }, (_, cell) => cell);
    rng.shuffle(order);
    order.slice(0, Math.round(FULL * n)).forEach((cell, i) => {
      ground[cell] = 1 + (i % kinds);
    });
    const counts = new Uint32Array(kinds + 1);
    of = (visited, from) => {
      counts.fill(0);
      let sum = 0;
      for (let cell = 0; cell < n; cell++) {
        const kind = ground[cell]!;
        if (kind === 0 || visited[from + cell] === 0) continue;
        counts[kind] = counts[kind]! + 1;
        sum += 1 / counts[kind]!;
      }
      return sum;
    };
  } else {
    for (let cell = 0; cell < n; cell++) ground[cell] = 0.25 + 0.75 * rng.uniform();
    const kernel = new Float64Array(n * n);
    for (let a = 0; a < n; a++)
      for (let b = 0; b < n; b++) {
        const square = ((a % size) - (b % size)) ** 2 + (Math.floor(a / size) - Math.floor(b / size)) ** 2;
        kernel[a * n + b] = ground[a]! * ground[b]! * exp(-square / (2 * REACH * REACH));
      }
    const factor = new Float64Array(n * n);
    of = (visited, from) => information(kernel, n, visited, from, factor);
  }
  const one = new Uint32Array(n);
  const alone = Float64Array.from(one, (_, cell) => {
    one.fill(0)[cell] = 1;
    return of(one, 0);
  });
  return { all: of(one.fill(1), 0), alone, ground, of, seen };
}
