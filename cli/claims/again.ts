/** Results that are stored, judged anew by the rule of today from the scores of their seeds: nothing is run. */
import { decide } from '#claims/judge.ts';
import { withPilot } from '#claims/pilot.ts';
import { sameJson } from '#contract/canonical.ts';
import { type PaperCard, ruleHash } from '#contract/papers.ts';
import type { PaperResult } from '#contract/results.ts';
import type { Bounds } from './bounds.ts';

/**
 * The result with today's word, and with the bounds of its arms that were not known when it ran; the word that stood there before goes into its log, with the judge and the rule that gave it. Nothing is added to the log where
 * rule and judge are those of today. Throws Error where an arm of the paper has no stored runs.
 * @param outdated what has changed in environments and methods since the runs, in sentences
 * @param bounds of the arms, in the order of the paper's
 */
export function judgedAgain(
  card: PaperCard,
  stored: PaperResult,
  outdated: readonly string[],
  bounds: readonly Bounds[] = [],
): PaperResult {
  const paper = withPilot(card, stored.pilot);
  const rule = ruleHash(paper);
  const arms = paper.arms.map(({ id }, k) => {
    const arm = stored.arms.find((one) => one.id === id);
    if (arm === undefined) throw new Error(`${paper.id}: there are no stored runs of the arm "${id}".`);
    return { ...arm, ...bounds[k] };
  });
  const decided = decide(paper, arms);
  const now = { ...stored, arms, outdated: [...outdated], ...decided };
  if (rule === stored.rule && decided.judge === stored.judge) return sameJson(stored, now) ? stored : now;
  const { verdict, parts, judge, date, log } = stored;
  return {
    ...now,
    rule,
    atMost: paper.atMost,
    exempt: paper.exempt.map(({ check, arms: names, why }) => ({ check, arms: [...names], why })),
    log: [...log, { verdict, parts, judge, rule: stored.rule, date }],
  };
}
