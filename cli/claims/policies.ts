/**
 * What the arms of a paper learned, for the page to play at once: one policy for each arm that trains, of the seed whose score lies nearest to the
 * arm's interquartile mean, as long as all of a paper fit into 150 kB. Arms that a contrast reads first come first; arms that are the same runs
 * share a file. A kept policy is the policy file of its run, compressed by gzip.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { PaperResult } from '#contract/results.ts';
import { iqm } from '#math/stats.ts';
import { armsOf } from '#math/verdict.ts';
import { POLICIES } from '../paper-facts.ts';
import { readSeed, seedFolder, writeWhole } from '../run-folder.ts';
import type { RanPaper } from './run.ts';

/** Bytes of all policies of one paper. */
const MOST = 150_000;

const SAME = 'the same run as another arm';
const NONE = 'no policy of the published run';

/** What became of an arm's policy; `bytes` as kept, or as it would have been. */
export interface Kept {
  readonly paper: string;
  readonly arm: string;
  readonly state: 'kept' | typeof SAME | 'no room' | typeof NONE;
  readonly bytes: number;
}

/** Index of the score nearest to the IQM; null where no run has one. */
export function typical(scores: readonly (number | null)[]): number | null {
  const known = scores.flatMap((score, i) => (score === null ? [] : [{ score, i }]));
  if (known.length === 0) return null;
  const middle = iqm(known.map(({ score }) => score));
  return known.reduce((a, b) => (Math.abs(b.score - middle) < Math.abs(a.score - middle) ? b : a)).i;
}

/** The policy of a run, if that run is one of those that the result reports. */
function policyOf(folder: string, seed: number, published: readonly string[]): Buffer | null {
  const file = join(seedFolder(folder, seed), 'policy.json');
  const { result } = readSeed(folder, seed);
  if (result === null || !published.includes(result.parameterHash) || !existsSync(file)) return null;
  return gzipSync(readFileSync(file), { level: 9 });
}

/** Replaces the policies of a paper by those of these runs, without training anything; answers what became of each arm that learns. */
export function writePolicies(project: string, ran: Pick<RanPaper, 'paper' | 'arms' | 'seeds'>, result: PaperResult): readonly Kept[] {
  const { paper, arms, seeds } = ran;
  const folder = join(project, POLICIES);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name.startsWith(`${paper.id}-`)) rmSync(join(folder, name));
  const order = [...new Set([...paper.contrasts.flatMap(armsOf), ...paper.arms.map(({ id }) => id)])];
  const seen = new Set<string>();
  let left = MOST;
  const kept = order.flatMap((id): readonly (Kept & { readonly config: string })[] => {
    const k = paper.arms.findIndex((arm) => arm.id === id);
    const { scores, config, parameterHashes } = result.arms[k]!;
    const at = typical(scores);
    if (paper.arms[k]!.script !== undefined) return [];
    const told = (state: Kept['state'], bytes = 0) => [{ paper: paper.id, arm: id, state, bytes, config }];
    if (seen.has(config)) return told(SAME);
    const data = at === null ? null : policyOf(arms[k]!.folder, seeds[at]!, parameterHashes);
    if (data === null) return told(NONE);
    if (data.length > left) return told('no room', data.length);
    seen.add(config);
    left -= data.length;
    writeWhole(join(folder, `${paper.id}-${id}.policy`), data);
    return told('kept', data.length);
  });
  // An arm that is only asked about after training may come before the one that it shares its runs with.
  return kept.map(({ config, ...one }) => (one.state === NONE && seen.has(config) ? { ...one, state: SAME } : one));
}
