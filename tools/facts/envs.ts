/**
 * What the sources say about environments beyond their catalogue: the header of the file (what it is, observation, reward, ends, source),
 * how many golden cases check it, and its measured speed. Read from the files themselves, so nothing is written twice: the build puts it
 * beside the page, and the list of environments (environments.md). Only node:* here, because the build's own config imports it.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '#contract/kit/json.ts';
import { headLines } from '#report/source-head.ts';
import type { ZooFact } from '#report/zoo.ts';
import { familyFiles } from './family-files.ts';
import { bandOf, type Learned, readLearned } from './learned.ts';
import { type Kept, readPromises } from './promises.ts';
import { zooFacts } from './zoo.ts';

export interface EnvFacts {
  /** Paragraphs of the header; then those of the files it points to, for what a family shares. */
  readonly about: readonly string[];
  readonly goldenCases: number;
  /** Environment steps per second at a batch of 1, 64, 1024; null: not measured yet. */
  readonly rates: { readonly [batch: string]: number } | null;
  /** What the recommended method reached with the recommended budget; null: not measured yet. */
  readonly learned: LearnedFact | null;
  /** What it reached on fresh seeds; null: not measured yet. */
  readonly fresh: ZooFact | null;
}

/** Of bench/results/learn.json, what the page shows. */
export interface LearnedFact extends Pick<Learned, 'algo' | 'steps' | 'judged' | 'reached' | 'random' | 'best' | 'fraction'> {
  /** What further seeds may reach at the end, by what they are judged by and as they train; null: not known. */
  readonly bands: { readonly reached: readonly [number, number] | null; readonly training: readonly [number, number] | null };
  /** One seed of it ended better than it began, by the line that the page draws; null: not tried. */
  readonly kept: boolean | null;
  /** CPU seconds of one seed over all steps that are offered. */
  readonly seconds: number;
}

const ENVS = 'src/core/envs';
const RATES = 'bench/results/envs.json';

/** Facts of every file on top of a family's folder in src/core/envs, by id. */
export function envFacts(project: string): { readonly [id: string]: EnvFacts } {
  const folder = join(project, ENVS);
  const golden = goldenCases(folder);
  const rates = measured(join(project, RATES));
  const learned = readLearned(project);
  const promises = readPromises(project);
  const fresh = zooFacts(project);
  return Object.fromEntries(
    familyFiles(folder).map(({ id, file }) => [
      id,
      {
        about: about(folder, file),
        goldenCases: golden.get(id) ?? 0,
        rates: rates[id] ?? null,
        learned: learnedFact(learned[id], promises[id]),
        fresh: fresh[id] ?? null,
      },
    ]),
  );
}

function learnedFact(found: Learned | undefined, kept: Kept | undefined): LearnedFact | null {
  if (found === undefined) return null;
  const { algo, steps, offered, judged, reached, random, best, fraction, cpuSeconds, seeds } = found;
  return {
    algo,
    steps,
    judged,
    reached,
    random,
    best,
    fraction,
    bands: { reached: bandOf(found), training: judged === 'return' ? bandOf(found, 'training') : null },
    kept: kept === undefined ? null : kept.course === 'up',
    seconds: ((cpuSeconds / seeds.length) * offered) / steps,
  };
}

function about(folder: string, world: string): readonly string[] {
  const own = header(readFileSync(join(folder, world), 'utf8'));
  const pointed = [...own.join(' ').matchAll(/\b((?:[\w-]+\/)+[\w-]+\.ts)\b/g)].map((match) => match[1] as string);
  const shared = [...new Set(pointed)].filter((file) => existsSync(join(folder, file)));
  return [...own, ...shared.flatMap((file) => header(readFileSync(join(folder, file), 'utf8')))];
}

/** Paragraphs of a file's first comment. A line that starts with spaces goes on a list and stays a line. */
export function header(source: string): readonly string[] {
  const paragraphs: string[] = [];
  let open = false;
  for (const line of headLines(source)) {
    const text = line.trim();
    if (text === '') open = false;
    else if (open && !line.startsWith('  ')) paragraphs[paragraphs.length - 1] += ` ${text}`;
    else {
      paragraphs.push(text);
      open = true;
    }
  }
  return paragraphs;
}

function goldenCases(folder: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/(^|[\\/])golden[\\/][^\\/]+\.json$/.test(file)) continue;
    const { cases } = readJson(readFileSync(join(folder, file))) as { readonly cases?: readonly { readonly env?: string }[] };
    for (const { env } of cases ?? []) if (env !== undefined) counts.set(env, (counts.get(env) ?? 0) + 1);
  }
  return counts;
}

function measured(file: string): { readonly [id: string]: EnvFacts['rates'] } {
  if (!existsSync(file)) return {};
  const { results } = readJson(readFileSync(file)) as unknown as {
    readonly results: { readonly envs: { readonly [id: string]: { readonly rates: EnvFacts['rates'] } } };
  };
  return Object.fromEntries(Object.entries(results.envs).map(([id, { rates }]) => [id, rates]));
}
