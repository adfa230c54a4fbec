/** How far every method gets with every grade of recording, world by world, from the results of src/claims/suites/offline.ts. */

import { armOf, besideOf, GRADES, METHODS, offline } from '#claims/suites/offline.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { interval95 } from '#math/seeds.ts';
import { iqm } from '#math/stats.ts';

const one = (x: number): string => x.toFixed(1);

/** 0: random play, 100: the recorded expert. '' where nothing was measured. */
function cell(result: PaperResult | undefined, card: (typeof offline)[number], arm: string): string {
  const scores = result?.arms.find(({ id }) => id === arm)?.scores ?? [];
  const { random = Number.NaN, ceiling = Number.NaN } = card.scale;
  const values = scores.flatMap((score) => (score === null ? [] : [(100 * (score - random)) / (ceiling - random)]));
  if (values.length === 0) return '';
  const interval = interval95(values);
  return `${one(iqm(values))}${interval === null ? '' : ` (${one(interval[0])} to ${one(interval[1])})`}`;
}

const HEADS = {
  drawn: 'Actions are drawn by the policy, which is what a clone has learned: of one who errs it repeats the errors.',
  greedy: 'The same runs by their most probable actions; of continuous actions there is one, the same in both tables.',
};

function tableOf(kind: keyof typeof HEADS, ran: typeof offline, results: readonly PaperResult[]): string {
  const nameOf = (arm: string, card: (typeof offline)[number]): string =>
    card.arms.some(({ id }) => id === besideOf(arm, kind)) ? besideOf(arm, kind) : arm;
  const rows = METHODS.flatMap(({ id, title }) =>
    GRADES.flatMap((grade) => {
      const arm = armOf(id, grade);
      const cells = ran.map((card) =>
        cell(
          results.find((result) => result.id === card.id),
          card,
          nameOf(arm, card),
        ),
      );
      return cells.every((text) => text === '') ? [] : [`| ${title} | ${grade} | ${cells.map((text) => text || '-').join(' | ')} |`];
    }),
  );
  return `${HEADS[kind]}

| method | recordings | ${ran.map(({ title }) => title.replace(/^.*: /, '')).join(' | ')} |
| --- | --- |${' ---: |'.repeat(ran.length)}
${rows.join('\n')}
`;
}

/** A section of results.md; '' before the first of these comparisons has run. */
export function recordingsTable(results: readonly PaperResult[]): string {
  const ran = offline.filter(({ id }) => results.some((result) => result.id === id));
  if (ran.length === 0) return '';
  return `## Learning from recordings alone

Normalised scores: 0 is random play, 100 the recorded expert. Interquartile mean over seeds with a 95 % bootstrap interval. What is judged, and
how, stands under each comparison: ${ran.map(({ id }) => `\`${id}\``).join(', ')}.

${tableOf('drawn', ran, results)}
${tableOf('greedy', ran, results)}
`;
}
