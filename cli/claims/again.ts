/** Results that are stored, judged anew by the rule of today from the scores of their seeds: nothing is run. */
import { decide } from '#claims/judge.ts';
import { sameJson } from '#contract/canonical.ts';
import { type PaperCard, ruleHash } from '#contract/papers.ts';
import type { PaperResult } from '#contract/results.ts';

/**
 * The result with today's word; the word that stood there before goes into its log, with the judge and the rule that gave it. Unchanged where
 * rule, judge and versions are those of today. Throws Error where an arm of the paper has no stored runs.
 * @param outdated what has changed in environments and methods since the runs, in sentences
 */
export function judgedAgain(paper: PaperCard, stored: PaperResult, outdated: readonly string[]): PaperResult {
  const rule = ruleHash(paper);
  const arms = paper.arms.map(({ id }) => {
    const arm = stored.arms.find((one) => one.id === id);
    if (arm === undefined) throw new Error(`${paper.id}: there are no stored runs of the arm "${id}".`);
    return arm;
  });
  const decided = decide(paper, arms);
  const now = { ...stored, outdated: [...outdated] };
  if (rule === stored.rule && decided.judge === stored.judge) return sameJson(stored.outdated, now.outdated) ? stored : now;
  const { verdict, parts, judge, date, log } = stored;
  return {
    ...now,
    ...decided,
    rule,
    atMost: paper.atMost,
    exempt: paper.exempt.map(({ check, arms: names, why }) => ({ check, arms: [...names], why })),
    log: [...log, { verdict, parts, judge, rule: stored.rule, date }],
  };
}
