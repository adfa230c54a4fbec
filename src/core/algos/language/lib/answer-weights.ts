/** What sampled answers weigh in the update of the group policy gradient: the one place for the method and for what is shown of it. */
import type { Sampled, Weighed } from '#core/algos/api/types.ts';
import { processAdvantages } from '#math/credit.ts';
import { bestAlone, extremeRows, groupAdvantages, isUniform, mixedGroups, overlongPenalty } from '#math/groups.ts';
import type { Config } from './group-settings.ts';
import { type Completions, stepsOf } from './rollouts.ts';

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
  /** Of each turn of what is learned from, where turns are compared; null: every token of an answer has the advantage of the answer. */
  readonly turns: readonly (readonly number[])[] | null;
}

export function answerWeights(
  c: Config,
  { rewards: earned, solved, lengths, longest, turns: steps }: Omit<Sampled, 'size'>,
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
    return { chosen, advantages: best, keep: best, turns: null };
  }
  const advantages = groupAdvantages(priced, group, { baseline, scale });
  const turns =
    c.credit === 'turn'
      ? turnAdvantages(
          Array.from(chosen, (row) => turnsOf(row, paid[row]! - earned[row]!, earned, steps)),
          group,
          scale,
        )
      : null;
  if (dropUniform.kind === 'off') return { chosen, advantages, keep: undefined, turns };
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
  return { chosen, advantages, keep, turns };
}

/** By row, what its turns were paid, and where their tokens stand in [lines, places - 1]. */
export function turnsPaid(last: Completions, size: { readonly turns: number; readonly places: number }) {
  return Array.from(last.rewards, (_, row) =>
    stepsOf(last, row, { ...size, perTurn: true }).map(({ at, reward }) => ({ at, reward, tokens: at.length })),
  );
}

/** Advantages of an answer's turns at their tokens; gives the number of tokens whose advantage is not 0. */
export function spreadOver(
  into: Float32Array,
  turns: ReturnType<typeof turnsPaid>[number] = [],
  advantages: readonly number[] = [],
): number {
  let teaching = 0;
  turns.forEach(({ at, tokens }, k) => {
    for (const place of at) into[place] = advantages[k]!;
    if (advantages[k] !== 0) teaching += tokens;
  });
  return teaching;
}

/** What each turn of an answer was paid; what is added to its reward by its length counts for the last one. */
function turnsOf(row: number, added: number, earned: ArrayLike<number>, steps: Sampled['turns']): number[] {
  const rewards = steps?.[row]?.map(({ reward }) => reward) ?? [earned[row]!];
  if (rewards.length > 0) rewards[rewards.length - 1] = rewards[rewards.length - 1]! + added;
  return rewards;
}

/** Turns of a group are compared with each other, group after group. */
function turnAdvantages(rewards: readonly (readonly number[])[], group: number, scale: Config['scale']): number[][] {
  const out: number[][] = [];
  for (let from = 0; from < rewards.length; from += group)
    out.push(...processAdvantages(rewards.slice(from, from + group), scale === 'none' ? 'none' : 'group'));
  return out;
}

/** The same for answers that are only looked at: what is not chosen, or dropped, weighs nothing. */
export function weighAnswers(c: Config, sampled: Sampled): Weighed {
  const members = sampled.size;
  const group = c.oversample > 1 ? Math.max(2, Math.floor(members / c.oversample)) : members;
  const { chosen, advantages, keep, turns } = answerWeights(c, sampled, { members, group });
  const own = new Float64Array(sampled.rewards.length);
  const counts = new Uint8Array(own.length);
  chosen.forEach((row, k) => {
    own[row] = turns === null ? advantages[k]! : meanOver(turns[k]!, sampled.turns?.[row]);
    counts[row] = keep === undefined || keep[k] !== 0 ? 1 : 0;
  });
  return { kind: c.baseline === 'best' ? 'best' : 'group', advantages: own, counts };
}

/** Of the advantages of an answer's turns, by tokens. */
function meanOver(advantages: readonly number[], turns: NonNullable<Sampled['turns']>[number] | undefined): number {
  const weights = advantages.map((_, k) => turns?.[k]?.tokens ?? 1);
  const all = weights.reduce((sum, tokens) => sum + tokens, 0);
  return all === 0 ? 0 : advantages.reduce((sum, advantage, k) => sum + advantage * weights[k]!, 0) / all;
}

/** 1 for rows of groups that did not all earn the same. */
function unlikeGroups(rewards: ArrayLike<number>, size: number): Uint8Array {
  const out = new Uint8Array(rewards.length);
  for (let from = 0; from < rewards.length; from += size) if (!isUniform(rewards, from, size)) out.fill(1, from, from + size);
  return out;
}
