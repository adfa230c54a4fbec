/** Best-of-N of sampled groups, and what learning by reward came to: proxy (what is paid) and a true score apart, as rows of charts. Pure. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { AnswerGroup, GroupAnswer } from '#contract/run/tokens.ts';
import { bestOf, bestOfKl } from '#math/best-of.ts';
import { type ChartRow, mostPoints } from '#ui/kit/charts/types.ts';

/** Answers that the best is taken of. */
export const TAKEN = [1, 2, 4, 8, 16] as const;

interface Taken {
  readonly N: number;
  /** From the policy that writes, in nats, at most. */
  readonly kl: number;
  readonly paid: number;
  readonly true: number;
}

const truthOf = (measure: string, { measures }: GroupAnswer): number => measures?.[measure] ?? 0;

/** Means over groups of equally many answers. */
export function bestOfEach(groups: readonly Pick<AnswerGroup, 'answers'>[], measure: string): readonly Taken[] {
  const scored = groups.map(({ answers }) => ({
    paid: answers.map(({ reward }) => reward),
    held: answers.map((answer) => truthOf(measure, answer)),
  }));
  const most = Math.min(...scored.map(({ paid }) => paid.length));
  const mean = (of: (one: (typeof scored)[number]) => number): number => scored.reduce((sum, one) => sum + of(one), 0) / scored.length;
  return TAKEN.filter((N) => N <= most).map((N) => ({
    N,
    kl: bestOfKl(N),
    paid: mean(({ paid }) => bestOf(paid, paid, N)),
    true: mean(({ paid, held }) => bestOf(paid, held, N)),
  }));
}

/** Measures that may be held against what is paid: of the exact judges, where an environment has them, else whether an answer is right. */
export function truths({ measures }: Pick<EnvCard, 'measures'>): readonly { readonly id: string; readonly title: string }[] {
  const judges = measures.filter(({ id }) => id.startsWith('judge-') && id !== 'judge-own');
  return judges.length > 0 ? judges : measures.filter(({ id }) => id === 'solved');
}

interface Series {
  readonly steps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Two curves of a run over its steps, where both have a point. */
export function learnedRows(paid: Series | null, held: Series | null): readonly ChartRow[] {
  if (paid === null || held === null) return [];
  const at = new Map(Array.from(held.steps, (step, i) => [step, held.values[i]!]));
  const both = Array.from(paid.steps, (step, i) => ({ x: step, paid: paid.values[i]!, true: at.get(step) ?? Number.NaN })).filter(
    (row) => !Number.isNaN(row.true),
  );
  const most = mostPoints(2);
  const each = Math.max(1, Math.ceil(both.length / most));
  return both.filter((_, i) => i % each === 0 || i === both.length - 1);
}
