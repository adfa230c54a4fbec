/**
 * Answers that a person has marked as good or bad, and the judge that is fitted to them: logistic regression on the words of an answer. The marks of
 * this visit; what was fitted stands in the settings of a run.
 */
import { createStore } from 'zustand/vanilla';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { type GroupAnswer, JUDGED_TIMES } from '#contract/run/tokens.ts';
import { logisticFit, sigmoid } from '#math/logistic.ts';

/** Marks that a judge is fitted to, at least, with one of either kind. */
export const LEAST_MARKS = 10;
/** How much words are held near counting nothing. */
const RIDGE = 0.5;

interface Mark {
  readonly words: readonly string[];
  readonly good: boolean;
  /** The run whose policy wrote it; null: no run. */
  readonly runId: string | null;
  /** What it was paid there. */
  readonly reward: number;
}

interface Marks {
  readonly marks: readonly Mark[];
  /** The same kind again takes the mark away. */
  mark(mark: Mark): void;
}

const textOf = ({ words }: Pick<Mark, 'words'>): string => words.join(' ');

export const answerMarks = createStore<Marks>((set, get) => ({
  marks: [],
  mark(mark) {
    const others = get().marks.filter((one) => textOf(one) !== textOf(mark));
    const before = get().marks.find((one) => textOf(one) === textOf(mark));
    set({ marks: before?.good === mark.good ? others : [...others, mark] });
  },
}));

/** Words of an answer, its end left out. */
export const wordsOf = (
  { tokens, action }: Pick<EnvCard, 'tokens' | 'action'>,
  { tokens: said }: Pick<GroupAnswer, 'tokens'>,
): readonly string[] => said.filter(({ written, id }) => written && id > (tokens?.end ?? 0)).map(({ id }) => action.labels[id] ?? '');

export const markOf = (marks: readonly Mark[], words: readonly string[]): Mark | undefined =>
  marks.find((mark) => textOf(mark) === words.join(' '));

export interface FittedJudge {
  /** As the setting of the world has it: words with a weight each. */
  readonly taste: string;
  /** Marks that it agrees with. */
  readonly agrees: number;
  /** The words that speak most for and most against, best first. */
  readonly liked: readonly string[];
  readonly disliked: readonly string[];
}

/** null: there are fewer marks than LEAST_MARKS, or they are all of one kind. */
export function fittedTo(marks: readonly Pick<Mark, 'words' | 'good'>[]): FittedJudge | null {
  const kinds = new Set(marks.map(({ good }) => good));
  if (marks.length < LEAST_MARKS || kinds.size < 2) return null;
  const known = [...new Set(marks.flatMap(({ words }) => words))].sort();
  const examples = marks.map(({ words }) => known.map((word) => Math.min(JUDGED_TIMES, words.filter((one) => one === word).length)));
  const { bias, weights } = logisticFit(
    examples,
    marks.map(({ good }) => good),
    RIDGE,
  );
  const rounded = weights.map((weight) => Number(weight.toFixed(2)));
  const kept = known.map((word, k) => ({ word, weight: rounded[k]! })).filter(({ weight }) => weight !== 0);
  const order = [...kept].sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  const agrees = examples.filter(
    (x, i) => sigmoid(bias + x.reduce((sum, n, k) => sum + n * weights[k]!, 0)) > 0.5 === marks[i]!.good,
  ).length;
  return {
    taste: [`*:${bias.toFixed(2)}`, ...kept.map(({ word, weight }) => `${word}:${weight}`)].join(' '),
    agrees,
    liked: order
      .filter(({ weight }) => weight > 0)
      .slice(0, 5)
      .map(({ word }) => word),
    disliked: order
      .filter(({ weight }) => weight < 0)
      .slice(-5)
      .reverse()
      .map(({ word }) => word),
  };
}

/** What a person says of the answers of one run, and what these were paid there, a mean. null: none is marked. */
export function auditOf(
  marks: readonly Mark[],
  runId: string,
): { readonly count: number; readonly good: number; readonly paid: number } | null {
  const own = marks.filter((mark) => mark.runId === runId);
  if (own.length === 0) return null;
  return {
    count: own.length,
    good: own.filter(({ good }) => good).length,
    paid: own.reduce((sum, { reward }) => sum + reward, 0) / own.length,
  };
}
