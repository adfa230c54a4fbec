/** Numbers that are computed from results: whether a file says what the results beside it give. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, summarySchema } from '#contract/files.ts';
import { differencesOf, differencesText, type Ran } from '#contract/verify.ts';
import type { SeedOutcome } from '../seeds.ts';
import { summarise } from '../summary.ts';
import type { StoredRun } from './stored.ts';

const ran = (numbers: object): Ran => ({ parameterHash: '', numbers, curves: null });

/** What of `stored` is not as `computed`; "" where all is. */
export const differing = (stored: object, computed: object): string =>
  differencesText(differencesOf(ran(stored), ran(computed))).replaceAll(' here', ' by the results');

/** What summary.json says that its seeds' results do not, as sentences. A folder without one, or whose seeds are not all done, has none. */
export function wrongSummary(folder: string, name: string, runs: readonly StoredRun[]): readonly string[] {
  const file = join(folder, 'summary.json');
  const [first] = runs;
  if (!existsSync(file) || first === undefined) return [];
  const text = readFileSync(file, 'utf8');
  const { seeds, iqm, ci95 } = parse(summarySchema, text, 'a summary');
  const summed = runs.filter(({ seed }) => seeds.some((one) => one.seed === seed));
  if (summed.length !== seeds.length)
    return [`${name}/summary.json: it sums up ${seeds.length} seeds, and ${summed.length} of them have results.`];
  const computed = summarise(
    first.config,
    summed.map(({ numbers }) => numbers as SeedOutcome),
  );
  const what = { seeds, iqm, ci95 };
  const wrong = differing(JSON.parse(JSON.stringify(what)) as object, { seeds: computed.seeds, iqm: computed.iqm, ci95: computed.ci95 });
  return wrong === '' ? [] : [`${name}/summary.json: ${wrong}.`];
}
