/** How published methods weigh the answers of one group, on numbers alone: what a switch on the stage shows without training. */
import type { AnswerGroup } from '#contract/run/tokens.ts';
import { type Averaging, type Baseline, bestAlone, groupAdvantages, isUniform, rowWeights, type Scale } from '#math/groups.ts';
import { msg } from '#text/text.ts';

interface Formula {
  /** best: the best answer alone, if it earned anything. */
  readonly baseline: Baseline | 'best';
  readonly scale: Scale;
  readonly averaging: Averaging;
  readonly dropUniform?: true;
}

/** 'own': as the run has it. */
export type RuleId = 'own' | 'grpo' | 'dr-grpo' | 'dapo' | 'rloo' | 'raft';

const FORMULAS: { readonly [id in Exclude<RuleId, 'own'>]: Formula } = {
  grpo: { baseline: 'mean', scale: 'group', averaging: 'sequence' },
  'dr-grpo': { baseline: 'mean', scale: 'none', averaging: 'constant' },
  dapo: { baseline: 'mean', scale: 'group', averaging: 'token', dropUniform: true },
  rloo: { baseline: 'leave-one-out', scale: 'none', averaging: 'sum' },
  raft: { baseline: 'best', scale: 'none', averaging: 'token' },
};

export const RULES: readonly { readonly id: RuleId; readonly title: string; readonly what: string }[] = [
  { id: 'own', title: msg('This run'), what: msg('As the method of this run weighs answers, by its own settings.') },
  {
    id: 'grpo',
    title: 'GRPO',
    what: msg(
      'Reward less the mean of the group, divided by its deviation; each answer counts alike, so a token of a long one counts less.',
    ),
  },
  {
    id: 'dr-grpo',
    title: 'Dr. GRPO',
    what: msg('Reward less the mean of the group, not divided by anything; every token counts alike, however long its answer is.'),
  },
  { id: 'dapo', title: 'DAPO', what: msg('As GRPO, but all tokens count alike, and groups that earned the same are dropped.') },
  { id: 'rloo', title: 'RLOO', what: msg('Reward less the mean of the others; the tokens of an answer are added up.') },
  { id: 'raft', title: 'RAFT', what: msg('The best answer is copied, the others count for nothing.') },
];

/** One answer under a rule: its advantage, and that times the weight of each of its tokens in the loss. */
export interface Push {
  readonly advantage: number | null;
  readonly token: number;
  readonly dropped: boolean;
}

/** By answer. `averaging`: of this run's method; null: it has none. `longest`: tokens of an answer at most. */
export function pushesOf(
  { answers }: Pick<AnswerGroup, 'answers'>,
  rule: RuleId,
  averaging: Averaging | null,
  longest: number,
): readonly Push[] {
  const lengths = answers.map(({ tokens }) => tokens.filter(({ written }) => written).length);
  const weighed = (keep: readonly number[], by: Averaging): ArrayLike<number> => rowWeights(lengths, by, longest, keep);
  if (rule === 'own') {
    const keep = answers.map(({ dropped }) => (dropped ? 0 : 1));
    const weights = averaging === null ? keep : weighed(keep, averaging);
    return answers.map(({ advantage, dropped }, i) => ({ advantage, token: (advantage ?? 0) * weights[i]!, dropped }));
  }
  const { baseline, scale, averaging: own, dropUniform = false } = FORMULAS[rule];
  const rewards = answers.map(({ reward }) => reward);
  const size = rewards.length;
  const advantages = baseline === 'best' ? bestAlone(rewards, size) : groupAdvantages(rewards, size, { baseline, scale });
  const keep = rewards.map((_, i) =>
    (baseline === 'best' && advantages[i] === 0) || (dropUniform && isUniform(rewards, 0, size)) ? 0 : 1,
  );
  const weights = weighed(keep, own);
  return rewards.map((_, i) => ({ advantage: advantages[i]!, token: advantages[i]! * weights[i]!, dropped: keep[i] === 0 }));
}

/** Places of the answers, the best paid first. */
export const byReward = ({ answers }: Pick<AnswerGroup, 'answers'>): readonly number[] =>
  answers.map((_, i) => i).sort((a, b) => answers[b]!.reward - answers[a]!.reward || a - b);
