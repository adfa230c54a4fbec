/**
 * Searches replayed on a table of set-ups that were all run before: each may only try rows of the table, so that hundreds of searches cost no
 * training. Random search takes the rows in a drawn order; TPE begins with the same rows and then takes, of those it has not tried, the ones
 * with the largest l(x) / g(x).
 */
import type { Rng } from '../rng.ts';
import type { Dimension } from './space.ts';
import { parzen, type Tried, WARM_UP } from './tpe.ts';

export interface Replayed {
  /** Best score among the set-ups tried. */
  readonly random: number;
  readonly tpe: number;
}

const bestOf = (rows: readonly Tried[]): number => Math.max(...rows.map(({ score }) => score ?? Number.NEGATIVE_INFINITY));

/** Rows that TPE proposes together, none of them known before all are chosen. */
function proposed(dimensions: readonly Dimension[], tried: readonly Tried[], left: readonly Tried[], batch: number): readonly Tried[] {
  const chosen: Tried[] = [];
  while (chosen.length < batch) {
    const { gain } = parzen(dimensions, [...tried, ...chosen.map(({ point }) => ({ point, score: null }))]);
    const gains = left.map((row) => (chosen.includes(row) ? Number.NEGATIVE_INFINITY : gain(row.point)));
    chosen.push(left[gains.indexOf(Math.max(...gains))]!);
  }
  return chosen;
}

/**
 * One search of each kind, `setups` rows each (more than the warm-up, at most as many as there are), both from the same first rows.
 * @param batch TPE: rows proposed together, as in a sweep.
 * @throws RangeError where the table is too small.
 */
export function replay(dimensions: readonly Dimension[], table: readonly Tried[], setups: number, batch: number, rng: Rng): Replayed {
  if (setups > table.length) throw new RangeError(`setups must be at most ${table.length}, the rows of the table.`);
  const places = table.map((_, i) => i);
  rng.shuffle(places);
  const order = places.map((i) => table[i]!);
  const tried = order.slice(0, Math.min(WARM_UP, setups));
  while (tried.length < setups) {
    const left = order.filter((row) => !tried.includes(row));
    tried.push(...proposed(dimensions, tried, left, Math.min(batch, setups - tried.length)));
  }
  return { random: bestOf(order.slice(0, setups)), tpe: bestOf(tried) };
}
