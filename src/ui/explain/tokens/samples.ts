/** Sampled answers as they are shown and exported. Pure. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { csvCell } from '#contract/kit/csv.ts';
import type { AnswerGroup, Comparison, GroupAnswer } from '#contract/run/tokens.ts';
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

export const meanReward = ({ answers }: AnswerGroup): number => answers.reduce((sum, { reward }) => sum + reward, 0) / answers.length;

const isRight = ({ measures }: GroupAnswer): boolean => verdictOf(measures).kind === 'right';

export const rightOf = (answers: readonly GroupAnswer[]): number => answers.filter(isRight).length;

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

/** To two digits, 0 without a sign. */
export function plain(x: number): string {
  const digits = Math.abs(x).toFixed(2);
  return x < 0 && Number(digits) !== 0 ? `−${digits}` : digits;
}

/** What an answer weighs in an update, in a cell. */
export function weightOf(comparison: Comparison | null, { advantage, dropped }: GroupAnswer): string {
  if (comparison === null || advantage === null) return '';
  if (dropped) return 'left out';
  if (comparison === 'pairs') return advantage > 0 ? 'preferred' : 'other';
  const said = plain(advantage);
  return advantage > 0 && Number(said) !== 0 ? `+${said}` : said;
}

/** What the method that trained the policy makes of a group. */
export function lessonOf({ comparison, answers }: Pick<AnswerGroup, 'comparison' | 'answers'>): string {
  if (comparison === null) return 'The method that trained this policy compares no answers with each other.';
  if (comparison === 'pairs')
    return answers.every(({ dropped }) => dropped)
      ? 'None earned more than another: there is no pair to learn from.'
      : 'Compared in pairs: the preferred answer of each becomes likelier than the other.';
  if (comparison === 'best')
    return answers.every(({ dropped }) => dropped) ? 'None earned anything: none is copied.' : 'The best answer alone is copied.';
  if (answers.every(({ advantage }) => advantage === 0)) return 'All are paid alike: nothing is learned from this prompt.';
  if (answers.every(({ dropped }) => dropped)) return 'The group is dropped from the averages: nothing is learned from this prompt.';
  return 'Answers with an advantage above 0 become likelier, those below it less likely.';
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
