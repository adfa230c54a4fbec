/** Sampled answers as they are shown and exported. Pure. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { csvCell } from '#contract/kit/csv.ts';
import type { AnswerGroup, GroupAnswer } from '#contract/run/tokens.ts';
import { isRight } from '#ui/stage/tokens/weighed.ts';
import { glyphsOf, verdictOf } from '#ui/stage/tokens/words.ts';

type Vocabulary = Pick<EnvCard, 'action' | 'tokens' | 'terms'>;

/** Titles of the parts of the reward, where it is taken apart. */
export const partsOf = ({ terms = [] }: Pick<EnvCard, 'terms'>): readonly string[] => terms.map(({ title }) => title);

/** Equal answers of a group, as one line. */
export interface Line {
  readonly answer: GroupAnswer;
  readonly count: number;
}

const key = ({ tokens, reward }: GroupAnswer): string => `${tokens.map(({ id, written }) => (written ? id : -id)).join(' ')}|${reward}`;

/** The answers of a group, equal ones together, the best paid first, then the more frequent. */
export function linesOf({ answers }: AnswerGroup): readonly Line[] {
  const lines = new Map<string, Line>();
  for (const answer of answers) {
    const line = lines.get(key(answer));
    lines.set(key(answer), { answer: line?.answer ?? answer, count: (line?.count ?? 0) + 1 });
  }
  return [...lines.values()].sort((a, b) => b.answer.reward - a.answer.reward || b.count - a.count);
}

/** In a word. */
export function judged({ measures }: GroupAnswer): string {
  const { kind } = verdictOf(measures);
  return kind === 'open' ? 'cut' : kind;
}

export const FILTERS = {
  all: 'all answers',
  right: 'right ones',
  wrong: 'wrong ones',
  above: 'made likelier',
  below: 'made less likely',
} as const;
export type Filter = keyof typeof FILTERS;

export function passes(answer: GroupAnswer, filter: Filter): boolean {
  if (filter === 'right') return isRight(answer);
  if (filter === 'wrong') return !isRight(answer);
  if (filter === 'above') return (answer.advantage ?? 0) > 0;
  if (filter === 'below') return (answer.advantage ?? 0) < 0;
  return true;
}

/** One row an answer, with what the environment measured of it. */
export function samplesCsv(env: Vocabulary, groups: readonly AnswerGroup[]): string {
  const measures = [...new Set(groups.flatMap(({ answers }) => answers.flatMap((answer) => Object.keys(answer.measures ?? {}))))];
  const head = ['group', 'prompt', 'question', 'completion', 'reward', ...partsOf(env), 'advantage', 'logProb', ...measures];
  const rows = groups.flatMap(({ prompt, asked, answers }, group) =>
    answers.map((answer) => [
      group + 1,
      glyphsOf(env, prompt),
      asked,
      glyphsOf(
        env,
        answer.tokens.map(({ id }) => id),
      ),
      answer.reward,
      ...answer.terms,
      answer.advantage ?? '',
      answer.logProb ?? '',
      ...measures.map((id) => answer.measures?.[id] ?? ''),
    ]),
  );
  return [head, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}
