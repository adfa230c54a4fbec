/** A policy that has stopped exploring before it found anything: its actions are sure, its return is low. */
import type { Way } from '#contract/run/findings.ts';
import { getAt } from '#contract/run/paths.ts';
import { exp, log } from '#math/functions.ts';
import { fieldName, lower, percent, type Rule, type RunEvidence, say, setting } from './types.ts';

/** Of the entropy of equal probabilities, for numbered actions. */
const COLLAPSED = 0.01;
/** Standard deviation of continuous actions, of the width of their range. */
const NARROW = 0.002;
/** Of the budget: before, no return has had time to rise. */
const EARLY = 0.1;
const HALF_LOG_2PIE = 1.4189385332046727; // entropy of a Gaussian of deviation 1, nats

/** How sure the policy is, in words; null: it explores. */
function collapsed(s: RunEvidence): string | null {
  const entropy = s.median('entropy');
  if (Number.isNaN(entropy)) return null;
  const action = s.meta.agents[0]?.action;
  if (action?.kind === 'box') {
    const width = action.high.reduce((sum, high, i) => sum + high - action.low[i]!, 0) / action.size;
    const deviation = exp(entropy / action.size - HALF_LOG_2PIE);
    if (!(width > 0) || deviation >= NARROW * width) return null;
    return `The entropy is ${say(entropy)}: actions vary by ${percent(deviation / width)} of their range.`;
  }
  const most = log(s.meta.actionCount);
  if (!(most > 0) || entropy >= COLLAPSED * most) return null;
  return `The entropy is ${say(entropy)} of at most ${say(most)} nats: one action has nearly all probability.`;
}

function ways(s: RunEvidence): readonly Way[] {
  const bonus = setting(s, 'entropyCoef');
  const more = bonus === undefined ? undefined : Math.min(10, bonus < 0.01 ? 0.01 : 10 * bonus);
  const target = setting(s, 'autoTemperature.target');
  return [
    ...(more === undefined
      ? []
      : [{ text: `${fieldName(s, 'entropyCoef')} ${more}`, path: 'algo.entropyCoef', value: more, begin: 'state' } as const]),
    ...(target === undefined
      ? []
      : [{ text: 'target entropy by the rule', path: 'algo.autoTemperature.target', value: null, begin: 'state' } as const]),
    ...(getAt(s.algo, ['autoTemperature', 'kind']) === 'off'
      ? [{ text: 'automatic temperature', path: 'algo.autoTemperature.kind', value: 'on', begin: 'state' } as const]
      : []),
    ...lower(s, 'lr'),
  ];
}

export const entropy: Rule = {
  id: 'entropy',
  title: 'The policy hardly explores any more',
  over: 'The return has risen again.',
  explainedBy: ['learning-rate', 'reward-scale'],
  look(s) {
    const sure = s.returnDropped && s.share >= EARLY ? collapsed(s) : null;
    return sure === null ? null : { evidence: [sure, s.harm()], sure: 'likely', ways: ways(s) };
  },
};
