/** Results by the suite that runs them: what each asks, and what came out. */
import { longer, suiteTitles } from '#claims/index.ts';
import { judgedPapers, papers } from '#claims/papers/index.ts';
import { isJudged } from '#contract/papers/forms.ts';
import { labelsInWords, labelsOf } from '#contract/papers/labels.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { number } from '../kit/output.ts';
import { suiteNames, suiteOf } from './suites.ts';

const PAPERS = 'papers';
const LONGER = 'longer';

const TITLES: { readonly [suite: string]: string } = { ...suiteTitles, [PAPERS]: 'Papers of the list', [LONGER]: 'Longer forms' };

export interface SuiteResults {
  readonly name: string;
  readonly title: string;
  readonly cards: readonly JudgedCard[];
  /** Of its cards, in their order; some have none. */
  readonly results: readonly PaperResult[];
}

/** Every suite with its results, papers first; a claim of several suites stands in the first. */
export function suitesOf(results: readonly PaperResult[]): readonly SuiteResults[] {
  const all: readonly (readonly [name: string, cards: readonly JudgedCard[]])[] = [
    [PAPERS, judgedPapers],
    ...suiteNames().map((name) => [name, suiteOf(name, false)] as const),
    [LONGER, longer],
  ];
  const placed = new Set<string>();
  return all.map(([name, cards]) => {
    const own = cards.filter(({ id }) => !placed.has(id));
    for (const { id } of own) placed.add(id);
    const ran = own.flatMap(({ id }) => results.find((result) => result.id === id) ?? []);
    return { name, title: TITLES[name] ?? name, cards: own, results: ran };
  });
}

/** The form of a paper whose card has no outcome today: what was judged under its id is an earlier form. null: it has one, or is no paper of the list. */
export function formWithout(id: string): string | null {
  const card = papers.find((one) => one.id === id);
  return card === undefined || isJudged(card) ? null : card.form;
}

/** The anchor of a heading, as GitHub makes it. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function row(suite: string, { id, question }: JudgedCard, result: PaperResult | undefined): string {
  if (result === undefined) return `| \`${id}\` | ${question} | not run yet |  |  |  |  |`;
  const [main] = result.findings;
  const value = main === undefined ? '' : `${number(main.estimate)} (${number(main.low)} to ${number(main.high)})`;
  const [arm] = result.arms;
  const seconds = arm === undefined ? '' : number(arm.seconds / Math.max(1, arm.scores.length));
  const labels = labelsInWords(labelsOf(result));
  const form = formWithout(id);
  const older = (result.outdated ?? []).length > 0 ? `${labels}, by an older version` : labels;
  const word = form === null ? older : `now *${form}*, no verdict; earlier form: ${older}`;
  const told = [word, value, result.decidedOn, seconds, number(result.coreMinutes)];
  return `| [\`${id}\`](results/${suite}.md#${anchor(`${id} ${result.title}`)}) | ${question} | ${told.join(' | ')} |`;
}

/** A section of results.md; '' where no card has a result. */
export function suiteTable({ name, title, cards, results }: SuiteResults): string {
  if (results.length === 0) return '';
  const rows = cards.map((card) =>
    row(
      name,
      card,
      results.find(({ id }) => id === card.id),
    ),
  );
  return `## ${title}

What \`npm run claims -- ${name === PAPERS ? 'ID' : name}\` runs. The value is that of the main contrast, the seconds are those that one run of the first arm computed.

| ${name === PAPERS ? 'paper' : 'claim or comparison'} | what it says or asks | tested: came out | value (interval) | seeds | seconds a run | core-minutes |
| --- | --- | --- | ---: | ---: | ---: | ---: |
${rows.join('\n')}

`;
}
