/**
 * Rewards so large that the value network cannot reach its targets and its error drowns the gradient of the policy: nearly all of the
 * gradient norm is clipped away, and after much of the budget the values still predict nothing.
 */
import { percent, type Rule, say, setting, type Tally } from './types.ts';

/** Root mean square of the rewards. The largest here that are learned without scaling: about 10 (pendulum), 20 (taxi), 100 (cliff, rarely). */
const LARGE_REWARD = 100;
/** Times the gradient limit: more than 99 % of the norm is taken away. */
const CLIPPED = 100;
/** Explained variance of values that have learned nothing. */
const NOTHING = 0.2;
/** Of the size of a reward. */
const MISSED = 0.5;
/** Of the budget: before, no network has had time to reach its targets. */
const EARLY = 0.1;

const rootMeanSquare = ({ squares, rewards }: Tally): number => (rewards === 0 ? 0 : Math.sqrt(squares / rewards));

export const rewardScale: Rule = {
  id: 'reward-scale',
  title: 'The rewards are too large for the network',
  over: 'The values predict the returns now.',
  look(s) {
    if (s.share < EARLY) return null;
    const size = rootMeanSquare(s.tally);
    if (size < LARGE_REWARD || s.algo.normaliseReward === true) return null;
    const limit = setting(s, 'maxGradNorm');
    const norm = s.median('gradNorm');
    if (!(norm >= CLIPPED * (limit ?? 1))) return null;
    const explained = s.median('explainedVariance');
    const missed = s.median('tdError');
    // Methods without a value of states: an error as large as a reward means that not even the next one is predicted.
    if (explained >= NOTHING || (Number.isNaN(explained) && !(missed >= MISSED * size))) return null;
    const loss = s.median('valueLoss');
    return {
      evidence: [
        `Rewards have a root mean square of ${say(size)}; networks start with outputs near 1.`,
        limit === undefined
          ? `The gradient has a norm of ${say(norm)} and no limit.`
          : `The gradient has a norm of ${say(norm)}; the limit ${say(limit)} takes ${percent(1 - limit / norm)} of it away.`,
        ...(loss > 0 ? [`Values miss their targets by about ${say(Math.sqrt(2 * loss))}.`] : []),
        ...(missed > 0 ? [`Values miss their targets by ${say(missed)}.`] : []),
        ...(Number.isFinite(explained) ? [`Values explain ${say(Math.max(0, 100 * explained))} % of the variance of the returns.`] : []),
      ],
      sure: Number.isFinite(explained) ? 'certain' : 'likely',
      fault: 'algo.normaliseReward',
      ways: [
        ...(s.algo.normaliseReward === false
          ? [{ text: 'normalise rewards', path: 'algo.normaliseReward', value: true, begin: 'start' } as const]
          : []),
        ...(s.algo.loss === 'mse'
          ? [{ text: 'Huber loss, whose gradient is bounded', path: 'algo.loss', value: 'huber', begin: 'state' } as const]
          : []),
      ],
    };
  },
};
