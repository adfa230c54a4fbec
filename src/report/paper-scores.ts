/** The scores that a paper's outcome stands on, as a table for other programs: a row for each seed of each arm. */
import { csvCell } from '#contract/kit/csv.ts';
import type { PaperResult } from '#contract/papers/results.ts';

const COLUMNS = ['paper', 'arm', 'title', 'environment', 'method', 'block', 'seed', 'score', 'quantity', 'steps', 'config', 'commit'];

/** What arms are compared by: an arm may have a quantity of its own. '': not known. */
type QuantityOf = (arm: string) => string;

/** Rows of one result: the first block of seeds, and the second (`block` 2) where there is one. A run that gave no number has an empty score. */
function rowsOf(result: PaperResult, quantityOf: QuantityOf): readonly (readonly (string | number)[])[] {
  const { id, arms, confirm } = result;
  const blocks = [
    { block: 1, seeds: result.seeds, commit: result.commit, of: arms },
    ...(confirm === null ? [] : [{ block: 2, seeds: confirm.seeds, commit: confirm.commit, of: confirm.arms }]),
  ];
  return arms.flatMap(({ id: arm, title, env, algo, script, steps, config }) =>
    blocks.flatMap(({ block, seeds, commit, of }) => {
      const scores = of.find((one) => one.id === arm)?.scores ?? [];
      return scores.map((score, i) => [
        id,
        arm,
        title,
        env.id,
        algo?.id ?? script ?? '',
        block,
        seeds[i] ?? '',
        score ?? '',
        quantityOf(arm),
        steps ?? '',
        config,
        commit,
      ]);
    }),
  );
}

/** The CSV of results, with a head. */
export function scoresCsv(results: readonly { readonly result: PaperResult; readonly quantityOf: QuantityOf }[]): string {
  const rows = results.flatMap(({ result, quantityOf }) => rowsOf(result, quantityOf));
  return `${[COLUMNS, ...rows].map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
}
