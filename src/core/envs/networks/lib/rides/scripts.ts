/** Dispatchers and drivers by rule, from what is offered: rows begin with whether they are there, minutes to the pick-up and the longer way. */
import type { Environment, ScriptedPolicy, StepBuffers } from '../../../api/types.ts';
import { CHOICES, OF, PLACES } from './config.ts';

/** Place in an offer of how many others wait nearer to its driver. */
const NEARER = 7;

/** What an offer that is there costs, infinity: it is not taken; `at` is where its numbers begin. */
type Cost = (obs: ArrayLike<number>, at: number, alone: boolean) => number;

function byOffer(cost: Cost): ScriptedPolicy {
  return {
    act({ meta, batch }: Environment, { obs }: StepBuffers, out) {
      const alone = meta.agentCount === 1;
      const [from, width] = alone ? [PLACES.offers, OF.offer] : [PLACES.choices, OF.choice];
      for (let agent = 0; agent < batch * meta.agentCount; agent++) {
        let [best, least] = [0, Number.POSITIVE_INFINITY];
        for (let k = 0; k < CHOICES; k++) {
          const at = agent * meta.obsSize + from + width * k;
          const value = obs[at] === 1 ? cost(obs, at, alone) : Number.POSITIVE_INFINITY;
          if (value < least) [best, least] = [k + 1, value];
        }
        out[agent] = best;
      }
    },
  };
}

/** The driver who is there first; the first offer of equal ones. */
export const nearest = byOffer((obs, at) => obs[at + 1]!);
/** The driver whose way becomes the least longer, others' delays counted half. */
export const leastAdded = byOffer((obs, at) => obs[at + 2]! + 0.5 * obs[at + 3]!);
/** The nearest driver of those to whom no other request is nearer; until there is one the request waits. Drivers take what is nearest to them anyway. */
export const paired = byOffer((obs, at, alone) => (alone && obs[at + NEARER]! > 0 ? Number.POSITIVE_INFINITY : obs[at + 1]!));
