/**
 * bench/results/learn.json: what recommendations reach, by environment. Written by `learn`, read by the list of environments and by the build
 * for the page. Only node:* here, because the build's own config imports it.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bestKnown } from '#contract/catalog/best-known.ts';
import type { EnvCard, Judged } from '#contract/catalog/catalog.ts';
import { readJson } from '#contract/kit/json.ts';

export interface LearnedSeed {
  readonly seed: number;
  readonly reached: number | null;
  /** Mean return of the last 100 training episodes, where actions are drawn. */
  readonly training: number | null;
  /** Mean return in tasks that are held out from training, actions drawn; left out: none are. */
  readonly heldOut?: number;
  /** CPU seconds of training; the test at the end is not counted. */
  readonly cpuSeconds: number;
  readonly parameterHash: string;
}

/** One environment's entry in bench/results/learn.json. */
export interface Learned {
  readonly algo: string;
  /** Steps of each seed, and those of the recommendation: fewer were run where the budget of CPU time ended first. */
  readonly steps: number;
  readonly offered: number;
  /** Of all seeds together. */
  readonly cpuSeconds: number;
  readonly judged: Judged;
  /** Means over seeds; null: nothing was measured. */
  readonly reached: number | null;
  readonly training: number | null;
  readonly random: number | null;
  readonly best: number | null;
  /** What `best` belongs to: "expert", "solved", .. */
  readonly bestIs: string;
  /** How far from random (0) to the best known (1); null where one of the three is not known. */
  readonly fraction: number | null;
  readonly seeds: readonly LearnedSeed[];
  /** Hash of the recommended run with its versions: another recommendation is measured again. */
  readonly offer: string;
  readonly commit: string;
  readonly date: string;
}

/** Whether there is something to learn: agents that decide, and play that is known to be better than random. */
export function canBeLearned({ recommended, references }: Pick<EnvCard, 'recommended' | 'references'>): boolean {
  const random = references.find(({ name }) => name === 'random');
  const best = bestKnown(references);
  return recommended.algo !== 'random' && best !== undefined && best.value !== random?.value;
}

/** Part of the way from random to the best known by which a band is wider than the seeds it comes from. */
const BAND = 0.1;

/** What further seeds may reach: what the measured ones reached, and a tenth of the way from random to the best known to either side, but no more than the best known. */
export function bandOf(
  { seeds, random, best }: Pick<Learned, 'seeds' | 'random' | 'best'>,
  of: 'reached' | 'training' = 'reached',
): readonly [number, number] | null {
  const values = seeds.map((seed) => seed[of]).filter((value) => value !== null);
  if (values.length < seeds.length || values.length === 0 || random === null || best === null) return null;
  const room = BAND * Math.abs(best - random);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return best > random
    ? [least - room, Math.min(most + room, Math.max(best, most))]
    : [Math.max(least - room, Math.min(best, least)), most + room];
}

export interface LearnResults {
  readonly [env: string]: Learned;
}

export const learnFile = (project: string): string => join(project, 'bench/results/learn.json');

/** What has been measured so far; empty where nothing was. */
export function readLearned(project: string): LearnResults {
  const file = learnFile(project);
  if (!existsSync(file)) return {};
  return (readJson(readFileSync(file)) as unknown as { readonly environments: LearnResults }).environments;
}

/** What an offer reached on fresh seeds, on which nothing of it was chosen. */
export interface Fresh extends Learned {
  /** The seed whose policy is kept beside the page; null: none is. */
  readonly kept: number | null;
}

export interface FreshResults {
  readonly [env: string]: Fresh;
}

/** Written by `learn --fresh`. */
export const freshFile = (project: string): string => join(project, 'bench/results/fresh.json');

/** Policies of the typical fresh seed, `<env>.policy` each: a policy file compressed by gzip. */
export const ZOO = 'public/results/zoo';

/** What was measured on fresh seeds so far; empty where nothing was. */
export function readFresh(project: string): FreshResults {
  const file = freshFile(project);
  if (!existsSync(file)) return {};
  return (readJson(readFileSync(file)) as unknown as { readonly environments: FreshResults }).environments;
}

/** How many environments come how far from random play to the best known. */
export interface Shares {
  /** Those with a best known that is better than random play: the others are in no share. */
  readonly known: number;
  readonly quarter: number;
  readonly threeQuarters: number;
  /** Below a quarter. */
  readonly below: readonly string[];
}

export function sharesOf(results: LearnResults): Shares {
  const known = Object.entries(results).flatMap(([id, { fraction }]) => (fraction === null ? [] : [{ id, fraction }]));
  const from = (share: number) => known.filter(({ fraction }) => fraction >= share).length;
  const below = known.filter(({ fraction }) => !(fraction >= 0.25)).map(({ id }) => id);
  return { known: known.length, quarter: from(0.25), threeQuarters: from(0.75), below };
}
