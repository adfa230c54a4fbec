/**
 * What the arms of a paper learned, for the page to play at once: one policy for each arm that trains, of the seed whose score lies nearest to the
 * arm's interquartile mean, as long as all of a paper fit into 150 kB. Arms that a contrast reads first come first.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PaperResult } from '#contract/results.ts';
import { iqm } from '#math/stats.ts';
import { armsOf } from '#math/verdict.ts';
import { POLICIES } from '../paper-facts.ts';
import { seedFolder, writeWhole } from '../run-folder.ts';
import type { RanPaper } from './run.ts';

/** Bytes of all policies of one paper. */
const MOST = 150_000;

/** Index of the score nearest to the IQM; null where no run has one. */
export function typical(scores: readonly (number | null)[]): number | null {
  const known = scores.flatMap((score, i) => (score === null ? [] : [{ score, i }]));
  if (known.length === 0) return null;
  const middle = iqm(known.map(({ score }) => score));
  return known.reduce((a, b) => (Math.abs(b.score - middle) < Math.abs(a.score - middle) ? b : a)).i;
}

/** Replaces the policies of a paper by those of these runs; what does not fit is left out. */
export function writePolicies(project: string, { paper, arms, seeds }: RanPaper, result: PaperResult): void {
  const folder = join(project, POLICIES);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name.startsWith(`${paper.id}-`)) rmSync(join(folder, name));
  const order = [...new Set([...paper.contrasts.flatMap(armsOf), ...paper.arms.map(({ id }) => id)])];
  let left = MOST;
  for (const id of order) {
    const k = paper.arms.findIndex((arm) => arm.id === id);
    const at = typical(result.arms[k]!.scores);
    if (at === null || paper.arms[k]!.script !== undefined) continue;
    const file = join(seedFolder(arms[k]!.folder, seeds[at]!), 'policy.json');
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    if (text.length > left) continue;
    left -= text.length;
    writeWhole(join(folder, `${paper.id}-${id}.json`), text);
  }
}
