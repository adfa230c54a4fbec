/**
 * A target network that is never copied from the one that learns: every target is the next reward and the value of a network that knows
 * nothing, so that values look one step ahead however long the run.
 */
import { type Rule, say, setting } from './types.ts';

/** Steps of learning without a copy: a tenth of the budget, at least so many. Copies here come every 10 to 1,000 steps. */
const LEAST = 2000;
const SHARE = 0.1;

export const target: Rule = {
  id: 'target',
  title: 'The target network is never copied',
  over: 'The target network was copied.',
  look(s) {
    if (s.copies === null) return null;
    const every = setting(s, 'targetEvery');
    const usual = s.algoDefaults.targetEvery;
    const age = s.step - Math.max(s.copies.last, s.begun, setting(s, 'learningStarts') ?? 0);
    if (age < Math.max(LEAST, SHARE * (s.budget - s.begun))) return null;
    const tau = setting(s, 'tau') ?? 1;
    return {
      evidence: [
        `${s.copies.count === 0 ? 'No copy was' : `${s.copies.count} copies were`} made in ${say(s.step)} steps; the target network is ${say(age)} steps of learning old.`,
        ...(every === undefined ? [] : [`A copy comes every ${every.toLocaleString('en')} steps; the default is ${String(usual)}.`]),
        `The mean predicted value is ${say(s.median('qMean'))}: what follows the next reward counts for what the first network guessed.`,
        ...(tau < 1 ? [`A copy moves it by ${say(100 * tau)} % only.`] : []),
      ],
      sure: s.copies.count === 0 ? 'certain' : 'likely',
      ways:
        typeof usual === 'number' ? [{ text: `a copy every ${usual} steps`, path: 'algo.targetEvery', value: usual, begin: 'state' }] : [],
      fault: 'algo.targetEvery',
    };
  },
};
