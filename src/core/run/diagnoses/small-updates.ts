/**
 * Steps of the optimiser that are too small. Of methods that report the KL divergence of an update: the policy after it is the policy before it.
 * Small updates alone are no fault, since a policy that is sure of its actions hardly moves: the learning rate must be far below the default too.
 */
import { type Rule, say, setting } from './types.ts';

/** Nats per update: some hundred updates in one direction are needed for one of the usual size, 0.01. Rounding of 32-bit numbers alone reaches 2e-8. */
const TINY_KL = 1e-6;
/** Of the default learning rate. */
const FAR_BELOW = 0.1;
/** Of the budget: before, no return has had time to rise. */
const EARLY = 0.1;

export const smallUpdates: Rule = {
  id: 'small-updates',
  title: 'The updates hardly change the policy',
  over: 'The return has risen, or updates have the usual size again.',
  explainedBy: ['entropy'],
  look(s) {
    const lr = setting(s, 'lr');
    const usual = s.algoDefaults.lr;
    if (s.share < EARLY || !s.returnDropped || lr === undefined || typeof usual !== 'number' || lr >= FAR_BELOW * usual) return null;
    // Before the only step of an update the divergence is 0, whatever that step does.
    if ((setting(s, 'epochs') ?? 1) * (setting(s, 'minibatches') ?? 1) <= 1) return null;
    const kl = Math.abs(s.median('approxKl'));
    if (!(kl < TINY_KL)) return null;
    return {
      evidence: [
        `Updates move the policy by a KL divergence of ${say(kl)} (median of the last); 0.001 to 0.03 is usual.`,
        `The learning rate is ${say(lr)}; the default is ${say(usual)}.`,
        s.harm(),
      ],
      sure: 'certain',
      ways: [{ text: `learning rate back to ${usual}`, path: 'algo.lr', value: usual, begin: 'state' }],
      fault: 'algo.lr',
    };
  },
};
