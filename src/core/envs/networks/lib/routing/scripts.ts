/** Routers by rule, from what is seen. Of ways that are worth the same the first, which has the fewest links. */
import type { ScriptedPolicy } from '../../../api/types.ts';
import { OF_DEMAND, OF_LINK, OF_WAY, ON_WAY, SELF } from './config.ts';
import { WAYS } from './graph.ts';

/** A link that is full after the demand counts as having this share of its capacity left. */
const LEAST = 0.05;

/** What a way that is there is worth; `at` is where its numbers begin. */
type Worth = (obs: ArrayLike<number>, at: number, row: number, way: number, size: number) => number;

function byWay(worth: Worth): ScriptedPolicy {
  return {
    act({ meta: { obsSize }, batch }, { obs }, out) {
      for (let row = 0; row < batch; row++) {
        let [best, most] = [0, Number.NEGATIVE_INFINITY];
        for (let k = 0; k < WAYS; k++) {
          const at = row * obsSize + OF_DEMAND + OF_WAY * k;
          const value = obs[at] === 1 ? worth(obs, at, row * obsSize, k, obsSize) : Number.NEGATIVE_INFINITY;
          if (value > most) [best, most] = [k, value];
        }
        out[row] = best;
      }
    },
  };
}

export const shortestAvailable = byWay((obs, at) => obs[at + 3]!);
export const widest = byWay((obs, at) => obs[at + 2]!);
/** Each link costs how much it is passed by all ways, over the room that it would have left. */
export const leastScarce = byWay((obs, at, row, way, size) => {
  if (obs[at + 3] !== 1) return -1e6;
  let cost = 0;
  for (let link = row + SELF; link < row + size; link += OF_LINK)
    if (obs[link + ON_WAY + way] === 1) cost += obs[link + 3]! / (obs[link + 1]! - obs[row + 1]! + LEAST);
  return -cost;
});
