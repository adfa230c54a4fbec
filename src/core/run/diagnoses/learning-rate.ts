/**
 * Steps of the optimiser that are too large. Of methods that report the KL divergence of an update: updates that throw the policy far away.
 * Of methods that learn action values: values beyond what any future of the rewards seen could be worth. Neither is a fault as long as the
 * return rises: PPO balances the pole at a hundred times its usual learning rate.
 */
import { lower, type Rule, type RunEvidence, say, setting } from './types.ts';

/** Nats per update. PPO's codes stop an update at 0.015 to 0.05 (Spinning Up, Stable-Baselines3); healthy runs here stay below 0.03. */
const LARGE_KL = 0.1;
/** Of a single update: the policy is another one afterwards. Late in healthy runs single updates reach 0.2. */
const THROWN = 1;
/** Share of actions that leave the clip range; about 0.1 to 0.2 in healthy runs. */
const LARGE_CLIP = 0.3;
/** Times the largest value that the rewards seen allow. */
const IMPOSSIBLE = 2;
/** Of the budget: before, no return has had time to rise. */
const EARLY = 0.1;

/** The largest value in size that rewards like those seen can add up to, with SAC's bonus for entropy. */
function possibleValue(s: RunEvidence): number {
  const gamma = setting(s, 'gamma') ?? s.meta.gamma;
  const longest = s.meta.maxSteps > 0 ? s.meta.maxSteps : s.meta.evalMaxSteps;
  const horizon = Math.min(gamma < 1 ? 1 / (1 - gamma) : Number.POSITIVE_INFINITY, Math.max(1, longest));
  const bonus = Math.abs(s.median('entropy') * s.median('temperature'));
  return (s.tally.largest + (Number.isFinite(bonus) ? bonus : 0)) * horizon;
}

export const learningRate: Rule = {
  id: 'learning-rate',
  title: 'The learning rate is too large',
  over: 'The return has risen although updates are large.',
  look(s) {
    if (s.share < EARLY || !s.returnDropped) return null;
    const lr = setting(s, 'lr');
    const rate = lr === undefined ? [] : [`The learning rate is ${say(lr)}; the default is ${s.algoDefaults.lr}.`];
    const kl = s.median('approxKl');
    const clipped = s.median('clipFraction');
    const often = kl >= LARGE_KL && !(clipped < LARGE_CLIP);
    const thrown = s.largestKl !== null && s.largestKl.value >= THROWN;
    if (often || thrown || (s.largestKl !== null && s.stands('learning-rate'))) {
      return {
        evidence: [
          ...(often ? [`Updates move the policy by a KL divergence of ${say(kl)} (median of the last).`] : []),
          ...(thrown && s.largestKl !== null
            ? [
                `The update at step ${s.largestKl.step.toLocaleString('en')} moved the policy by a KL divergence of ${say(s.largestKl.value)}; 0.01 to 0.03 is usual.`,
              ]
            : []),
          ...(often && clipped > 0 ? [`${say(100 * clipped)} % of the actions leave the clip range; 10 to 20 % is usual.`] : []),
          s.harm(),
          ...rate,
        ],
        sure: thrown ? 'certain' : 'likely',
        ways: lower(s, 'lr'),
        fault: 'algo.lr',
      };
    }
    const q = Math.abs(s.median('qMean'));
    const most = possibleValue(s);
    if (most > 0 && q > IMPOSSIBLE * most) {
      return {
        evidence: [
          `The mean predicted value is ${say(s.median('qMean'))}; with rewards up to ${say(s.tally.largest)} no value can exceed ${say(most)}.`,
          s.harm(),
          ...rate,
        ],
        sure: 'certain',
        ways: [...lower(s, 'lr'), ...lower(s, 'criticLr')],
        fault: 'algo.lr',
      };
    }
    return null;
  },
};
