/**
 * What no router of the world demand-routing can carry more of: demands are known ahead and may be split over the ways that are offered for them. That is a linear
 * programme, and every price of links bounds it from above: demands whose cheapest ways cost more than all links together at full load do not
 * fit. Prices are found by multiplicative weights (Garg and Koenemann 2007), so the bound holds whether or not they are the best ones.
 */

import { exp } from '#math/functions.ts';

export interface Asked {
  /** Links of each way. */
  readonly ways: readonly (readonly number[])[];
  readonly size: number;
}

/** Rounds over all demands, and how fast prices rise in them: roughly first, finely at the end. */
const ROUNDS = 300;
const riseIn = (round: number): number => 2 * 0.985 ** round + 0.01;

/** Whether prices are found that show that these demands do not fit together. */
function refuted(asked: readonly Asked[], links: number, capacity: number): boolean {
  if (asked.some(({ ways }) => ways.length === 0)) return true;
  const price = new Float64Array(links).fill(1);
  const costOf = (way: readonly number[]) => way.reduce((sum, link) => sum + price[link]!, 0);
  for (let round = 0; round < ROUNDS; round++) {
    let needed = 0;
    const used = new Float64Array(links);
    for (const { ways, size } of asked) {
      let [cheapest, least]: [readonly number[], number] = [[], Number.POSITIVE_INFINITY];
      for (const way of ways) {
        const cost = costOf(way);
        if (cost < least) [cheapest, least] = [way, cost];
      }
      needed += size * least;
      for (const link of cheapest) used[link] = used[link]! + size;
    }
    const all = price.reduce((sum, each) => sum + each, 0);
    if (needed > all * capacity * (1 + 1e-9)) return true;
    const most = used.reduce((highest, each) => Math.max(highest, each), capacity);
    for (let link = 0; link < links; link++) price[link] = (price[link]! / all) * links * exp((riseIn(round) * used[link]!) / most);
  }
  return false;
}

/** At most so many of the demands, in their order, fit into `links` links: the bound of an episode that ends at the first that does not. */
export function mostThatFit(asked: readonly Asked[], links: number, capacity: number): number {
  let [fits, fails] = [0, asked.length + 1];
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    if (refuted(asked.slice(0, middle), links, capacity)) fails = middle;
    else fits = middle;
  }
  return fits;
}
