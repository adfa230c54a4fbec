/**
 * Values that the settings cut: no value may pass the largest return that is set (optimistic tables), or targets lie outside the atoms of a
 * categorical distribution. All actions that are worth more then look alike.
 */
import { type Diagnosis, fieldName, percent, type Rule, type RunEvidence, say, setting } from './types.ts';

/** Of the chances of the targets: what may lie outside the atoms without harm. */
const CLIPPED = 0.05;

/** A bound that is too low, in a sentence, and the value that it is to have. */
const bound = (s: RunEvidence, key: string, said: string, words: string, value: number | null, sure: Diagnosis['sure']): Diagnosis => ({
  evidence: [said, 'Actions that are worth more look alike, and the first of them is taken.'],
  sure,
  ways: [{ text: `${fieldName(s, key)} ${words}`, path: `algo.${key}`, value, begin: 'start' }],
  fault: `algo.${key}`,
});

/** A bound that episodes have already passed. */
function passed(s: RunEvidence): Diagnosis | null {
  const key = 'maxValue';
  const most = setting(s, key);
  const now = s.returns?.now;
  if (most === undefined || now === undefined || now <= most) return null;
  const said = `Episodes return ${say(now)} on average; no action may be worth more than ${say(most)} (${fieldName(s, key)}).`;
  return bound(s, key, said, 'empty: by the largest reward and the discount', null, 'likely');
}

/** Steps pay more than an optimistic method takes any step to pay. */
function underpaid(s: RunEvidence): Diagnosis | null {
  const paid = s.median('aboveBound');
  if (!(paid > 0)) return null;
  const key = setting(s, 'maxReward') === undefined ? 'maxValue' : 'maxReward';
  const to = key === 'maxReward' ? paid : Math.ceil(paid / (1 - (setting(s, 'gamma') ?? 0)));
  return bound(s, key, `A step pays ${say(paid)} on average, more than ${fieldName(s, key)} allows.`, say(to), to, 'certain');
}

/** Targets that count as the outermost atom. */
function clipped(s: RunEvidence): Diagnosis | null {
  const [low, high] = [setting(s, 'distribution.low'), setting(s, 'distribution.high')];
  const share = s.median('targetsClipped');
  if (low === undefined || high === undefined || !(share > CLIPPED)) return null;
  const to = 10 * Math.max(Math.abs(low), Math.abs(high));
  return {
    evidence: [
      `${percent(share)} of the targets lie outside the atoms, which reach from ${say(low)} to ${say(high)}, and count as the outermost.`,
      'Actions that are worth more, or less, than that look alike.',
    ],
    sure: 'likely',
    ways: [
      {
        text: `${fieldName(s, 'distribution.high')} ${say(to)}, and the lowest as far below 0`,
        path: 'algo.distribution.high',
        value: to,
        begin: 'start',
      },
    ],
    fault: 'algo.distribution.high',
  };
}

export const valueRange: Rule = {
  id: 'value-range',
  title: 'Values are cut at a bound that is set too tight',
  over: 'Values lie within their bounds again.',
  look: (s) => underpaid(s) ?? passed(s) ?? clipped(s),
};
