/** What a suite asks, and which of it has a result. */
import type { PaperResult } from '#contract/results.ts';
import { number } from './output.ts';
import { suiteOf } from './suites.ts';

function row(id: string, question: string, result: PaperResult | undefined): string {
  const main = result?.findings[0];
  const value = main === undefined ? '' : `${number(main.estimate)} (${number(main.low)} to ${number(main.high)})`;
  const [arm] = result?.arms ?? [];
  const seconds = arm === undefined ? '' : number(arm.seconds / Math.max(1, arm.scores.length));
  const told =
    result === undefined ? ['not run yet', '', '', '', ''] : [result.verdict, value, result.decidedOn, seconds, number(result.coreMinutes)];
  return `| \`${id}\` | ${question} | ${told.join(' | ')} |`;
}

/** A section of docs/results.md under `title`. */
export function suiteTable(name: string, title: string, results: readonly PaperResult[]): string {
  const rows = suiteOf(name, false).map(({ id, question }) =>
    row(
      id,
      question,
      results.find((result) => result.id === id && !result.quick),
    ),
  );
  return `## ${title}

What \`npm run claims -- ${name}\` runs. The value is that of the main contrast, the seconds are those that one run of the first arm computed; rules
and runs stand below, under the same name.

| claim or comparison | what it says or asks | verdict | value (interval) | seeds | seconds a run | core-minutes |
| --- | --- | --- | ---: | ---: | ---: | ---: |
${rows.join('\n')}

`;
}
