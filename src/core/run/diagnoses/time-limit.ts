/**
 * Time limits that count as ends of the task (Pardo et al. 2018): the value of what would have followed is taken as 0. How much that costs
 * follows from the discount: a state t steps before the cut loses gamma^t of its value, the average state of an episode of L steps
 * (1 - gamma^L) / (L (1 - gamma)).
 */
import { pow } from '#math/functions.ts';
import { percent, type Rule, say, setting } from './types.ts';

/** Episodes that must have ended lately before a share is a share. */
const ENOUGH = 10;
/** Of the episodes that ended lately. */
const SHARE = 0.1;
/** Of the value of the average state. */
const LOST = 0.02;
const CERTAIN = 0.1;

/** Share of its value that the average state of an episode of `length` steps has after its end. */
function lostValue(gamma: number, length: number): number {
  if (!(length > 0)) return 0;
  return gamma >= 1 ? 1 : (1 - pow(gamma, length)) / (length * (1 - gamma));
}

export const timeLimit: Rule = {
  id: 'time-limit',
  title: 'The time limit is learned as an end',
  over: 'Time limits bootstrap now.',
  look(s) {
    if (s.algo.bootstrapAtTruncation !== false || (s.recent.ended < ENOUGH && !s.stands('time-limit'))) return null;
    const share = s.recent.truncated / Math.max(1, s.recent.ended);
    const gamma = setting(s, 'gamma') ?? s.meta.gamma;
    const length = s.median('episodeLength');
    const lost = share * lostValue(gamma, length);
    if (!s.stands('time-limit') && (share < SHARE || lost < LOST)) return null;
    return {
      evidence: [
        `Bootstrapping at time limits is off (algo.bootstrapAtTruncation).`,
        `${percent(share)} of the last ${s.recent.ended} episodes ended by the time limit only, after ${say(length)} steps on average.`,
        `With a discount of ${gamma} the average state so loses ${percent(lost)} of its value.`,
      ],
      sure: lost >= CERTAIN ? 'certain' : 'likely',
      ways: [{ text: 'bootstrap at time limits', path: 'algo.bootstrapAtTruncation', value: true, begin: 'state' }],
      fault: 'algo.bootstrapAtTruncation',
    };
  },
};
