/**
 * The second block of a result: the same form on seeds from 7001, judged by the same rule and stored beside the first. Both blocks must say the
 * same, or the outcome is open.
 */
import { afterBoth } from '#claims/judge.ts';
import { withPilot } from '#claims/pilot.ts';
import { FIRST_CONFIRMING_SEED, type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import type { ArmResult, Confirmation, PaperResult } from '#contract/papers/results.ts';
import { UsageError } from '../kit/failure.ts';
import type { Machine } from '../kit/machine.ts';
import { goesOn, paperResult } from './result.ts';
import { type RanPaper, type RunOptions, runPapers } from './run.ts';

/** Arms of the first block with the scores of the second: whatever else is known of them is the same. Curves of the second are not kept. */
export const blockArms = (arms: readonly ArmResult[], block: Confirmation['arms']): readonly ArmResult[] =>
  arms.flatMap((arm) => {
    const ran = block.find(({ id }) => id === arm.id);
    return ran === undefined ? [] : [{ ...arm, ...ran }];
  });

/** The result with its second block, and what both say. */
export function withConfirmation(stored: PaperResult, block: PaperResult): PaperResult {
  const { seeds, findings, voids, first: outcome, decidedOn, commit, date, machine, coreMinutes } = block;
  const arms = block.arms.map(({ id, config, scores, parameterHashes, seconds }) => ({ id, config, scores, parameterHashes, seconds }));
  const both = afterBoth(stored.first, outcome);
  const because = both.because === '' && stored.confirm === null ? stored.because : both.because;
  const confirm: Confirmation = { seeds, arms, findings, voids, outcome, decidedOn, commit, date, machine, coreMinutes };
  return { ...stored, confirm, outcome: both.outcome, because };
}

/**
 * Runs the second block of a published result. Throws UsageError where there is no result of today's rule and versions, or where the card has used
 * these seeds; Interrupted, and what an arm's config throws.
 */
export async function confirmPaper(
  card: JudgedCard,
  stored: PaperResult | undefined,
  options: RunOptions,
  about: { readonly commit: string; readonly machine: Machine; readonly date: Date },
): Promise<PaperResult> {
  if (stored === undefined) throw new UsageError(`${card.id} has no result to confirm: run npm run claims -- ${card.id} first.`);
  const paper = withPilot(card, stored.pilot);
  if (ruleHash(paper) !== stored.rule)
    throw new UsageError(`The rule of ${card.id} has changed since its result: run npm run claims -- ${card.id} --again first.`);
  if (stored.outdated.length > 0)
    throw new UsageError(`What ${card.id} ran has changed since its result: run npm run claims -- ${card.id} first.`);
  if ((stored.seeds.at(-1) ?? 0) >= FIRST_CONFIRMING_SEED)
    throw new UsageError(`${card.id} is judged on seeds from ${FIRST_CONFIRMING_SEED} on already: they confirm nothing.`);
  const judged = (ran: RanPaper): PaperResult => paperResult(ran, { ...about, data: [], quick: false });
  const [ran] = await runPapers([{ ...paper, firstSeed: FIRST_CONFIRMING_SEED }], options, (now) => goesOn(now, judged(now), true));
  if (ran === undefined) throw new Error(`${card.id}: its second block gave no runs.`);
  return withConfirmation(stored, judged(ran));
}
