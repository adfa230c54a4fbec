/** What sampled answers weigh in the update of the group policy gradient: the one place for the method and for what is shown of it. */
import type { Sampled, Weighed } from '#core/algos/api/types.ts';
import { bestAlone, extremeRows, groupAdvantages, isUniform, mixedGroups, overlongPenalty } from '#math/groups.ts';
import type { Config } from './group-settings.ts';

/** Of `members` sampled answers to each prompt `group` are learned from. */
interface Sizes {
  readonly members: number;
  readonly group: number;
}

/** What is learned from, group after group: rows of the sample, their advantages, and 1 where a row counts; undefined: all count. */
export interface AnswerWeights {
  readonly chosen: Int32Array<ArrayBuffer>;
  readonly advantages: Float64Array;
  readonly keep: ArrayLike<number> | undefined;
}

export function answerWeights(
  c: Config,
  { rewards: earned, solved, lengths, longest }: Omit<Sampled, 'size'>,
  { members, group }: Sizes,
): AnswerWeights {
  const paid = Float64Array.from(earned, (r, row) => r + (c.overlong === 0 ? 0 : overlongPenalty(lengths[row]!, longest, c.overlong)));
  const count = (earned.length / members) * group;
  const chosen =
    c.oversample > 1
      ? extremeRows(paid, members, group)
      : Int32Array.from({ length: count }, (_, k) => Math.floor(k / group) * members + (k % group));
  const priced = Float64Array.from(chosen, (row) => paid[row]!);
  const { baseline, scale, dropUniform } = c;
  if (baseline === 'best') {
    const best = bestAlone(priced, group);
    return { chosen, advantages: best, keep: best };
  }
  const advantages = groupAdvantages(priced, group, { baseline, scale });
  if (dropUniform.kind === 'off') return { chosen, advantages, keep: undefined };
  // by the verifier: parts that are paid, or lengths, would mix groups that are all wrong
  const keep =
    dropUniform.by === 'verifier'
      ? mixedGroups(
          Uint8Array.from(chosen, (row) => solved[row]!),
          group,
        )
      : unlikeGroups(
          Float64Array.from(chosen, (row) => earned[row]!),
          group,
        );
  return { chosen, advantages, keep };
}

/** The same for answers that are only looked at: what is not chosen, or dropped, weighs nothing. */
export function weighAnswers(c: Config, sampled: Sampled): Weighed {
  const members = sampled.size;
  const group = c.oversample > 1 ? Math.max(2, Math.floor(members / c.oversample)) : members;
  const { chosen, advantages, keep } = answerWeights(c, sampled, { members, group });
  const own = new Float64Array(sampled.rewards.length);
  const counts = new Uint8Array(own.length);
  chosen.forEach((row, k) => {
    own[row] = advantages[k]!;
    counts[row] = keep === undefined || keep[k] !== 0 ? 1 : 0;
  });
  return { kind: c.baseline === 'best' ? 'best' : 'group', advantages: own, counts };
}

/** 1 for rows of groups that did not all earn the same. */
function unlikeGroups(rewards: ArrayLike<number>, size: number): Uint8Array {
  const out = new Uint8Array(rewards.length);
  for (let from = 0; from < rewards.length; from += size) if (!isUniform(rewards, from, size)) out.fill(1, from, from + size);
  return out;
}
