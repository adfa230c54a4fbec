/** Results that are stored, judged anew by the rule of today from the scores of their seeds: nothing is run. */
import { afterBoth, type Decision, decide } from '#claims/judge.ts';
import { withPilot } from '#claims/pilot.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import type { Bounds } from './bounds.ts';
import { blockArms } from './confirm.ts';
import { withPast } from './log.ts';

/**
 * The result with today's word, and with the bounds of its arms that were not known when it ran; the word that stood there before goes into its log, with the judge and the rule that gave it. Nothing is added to the log where
 * rule and judge are those of today. Throws Error where an arm of the paper has no stored runs.
 * @param outdated what has changed in environments and methods since the runs, in sentences
 * @param bounds of the arms, in the order of the paper's
 */
export function judgedAgain(
  card: JudgedCard,
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
  const now: PaperResult = {
    ...stored,
    arms,
    outdated: [...outdated],
    tested: paper.tested,
    ...decided,
    first: decided.outcome,
    ...confirmed(paper, stored, decided),
  };
  if (rule === stored.rule && decided.judge === stored.judge) return sameJson(stored, now) ? stored : now;
  return {
    ...now,
    rule,
    exempt: paper.exempt.map(({ check, arms: names, why }) => ({ check, arms: [...names], why })),
    log: withPast(stored),
  };
}

/** The second block of a result judged by today's rule, and what both blocks say together; nothing where there is none. */
function confirmed(paper: JudgedCard, { confirm, arms }: PaperResult, first: Decision): Partial<PaperResult> {
  if (confirm === null) return {};
  const { findings, voids, outcome, decidedOn } = decide(paper, blockArms(arms, confirm.arms));
  const both = afterBoth(first.outcome, outcome);
  return {
    confirm: { ...confirm, findings, voids, outcome, decidedOn },
    outcome: both.outcome,
    because: both.because === '' ? first.because : both.because,
  };
}
