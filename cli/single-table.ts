/** What the suite `single-agent` asks, and which of it has a result. */
import type { PaperResult } from '#contract/results.ts';
import { number } from './output.ts';
import { suiteOf } from './suites.ts';

function row(id: string, question: string, result: PaperResult | undefined): string {
  const main = result?.findings[0];
  const value = main === undefined ? '' : `${number(main.estimate)} (${number(main.low)} to ${number(main.high)})`;
  const told = result === undefined ? ['not run yet', '', '', ''] : [result.verdict, value, result.decidedOn, number(result.coreMinutes)];
  return `| \`${id}\` | ${question} | ${told.join(' | ')} |`;
}

/** A section of docs/results.md. */
export function singleAgentTable(results: readonly PaperResult[]): string {
  const suite = suiteOf('single-agent', false);
  const rows = suite.map(({ id, question }) =>
    row(
      id,
      question,
      results.find((result) => result.id === id && !result.quick),
    ),
  );
  return `## One agent

What \`npm run claims -- single-agent\` runs. The value is that of the main contrast; rules and runs stand below, under the same name.

| claim or comparison | what it says or asks | verdict | value (interval) | seeds | core-minutes |
| --- | --- | --- | ---: | ---: | ---: |
${rows.join('\n')}

`;
}
