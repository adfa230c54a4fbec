/** How an update moved answers that were written before it: what the policy of now makes of them, in one sentence. Pure. */
import type { AnswerGroup } from '#contract/run/tokens.ts';
import { exp } from '#math/functions.ts';
import { t } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { isRight } from '../tokens/weighed.ts';

/**
 * The factor by which answers became more probable, geometric mean over those of one verdict; null: there is none, or the policy gives no
 * probabilities.
 */
export function factorOf(then: AnswerGroup, now: AnswerGroup, right: boolean): number | null {
  const moved = then.answers.flatMap((answer, i) => {
    const after = now.answers[i]?.logProb ?? null;
    return isRight(answer) === right && answer.logProb !== null && after !== null ? [after - answer.logProb] : [];
  });
  return moved.length === 0 ? null : exp(moved.reduce((sum, x) => sum + x, 0) / moved.length);
}

export function movedInWords(then: AnswerGroup, now: AnswerGroup): string {
  const said = (factor: number): string => measure(factor, 2);
  const [right, wrong] = [factorOf(then, now, true), factorOf(then, now, false)];
  if (right !== null && wrong !== null)
    return t('Right answers are {right} times as probable as when they were written, wrong ones {wrong} times.', {
      right: said(right),
      wrong: said(wrong),
    });
  if (right !== null)
    return t('These answers, all right, are {right} times as probable as when they were written.', { right: said(right) });
  if (wrong !== null)
    return t('These answers, all wrong, are {wrong} times as probable as when they were written.', { wrong: said(wrong) });
  return t('This policy gives no probabilities.');
}
