/**
 * What the full results of papers came to, for the gallery: one small record each, read by the build from public/results/papers, so that the
 * page asks for a whole result only where it is shown. Only node:* and pure modules here, because the build's own config imports it.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aliases } from '#claims/aliases.ts';
import { paperOf } from '#claims/index.ts';
import { readJson } from '#contract/kit/json.ts';
import { isConfirmed } from '#contract/papers/labels.ts';
import type { PaperResult } from '#contract/papers/results.ts';

/** Of a paper's result, what its card in the gallery says. */
export interface PaperFact extends Pick<PaperResult, 'outcome' | 'decidedOn' | 'coreMinutes'> {
  /** Whether a second block of seeds said the same; null: none was run. */
  readonly confirmed: boolean | null;
  /** What was run has changed since: the outcome is of an older version. */
  readonly outdated: boolean;
  /** Arms whose policy is kept, to be played at once, each with the name of its file: arms that are the same runs share one. */
  readonly policies: { readonly [arm: string]: string };
}

/** Of a claim of src/claims/experiments, what its card in the gallery says. */
export interface ClaimFact {
  readonly outcome: PaperResult['outcome'];
  /** What was run has changed since: the outcome is of an older version. */
  readonly outdated: boolean;
  /** The paper that has taken it in and decides it; null: none. */
  readonly paper: string | null;
  /** The first and the last that it ran on. */
  readonly seeds: readonly [number, number];
}

/** Whether a result is that of a paper or of a comparison of our own, which has a page like a paper's. */
const hasPage = (id: string): boolean => paperOf(id) !== undefined;

export const FOLDER = 'public/results/papers';
/** Policies of arms, `<paper>-<arm>.policy` each: a policy file compressed by gzip. */
export const POLICIES = 'public/results/policies';
/** Stands before `.policy` where weights are rounded so that more arms fit. */
export const ROUNDED = '.rounded';

/** What the JSON files of a folder hold, by name; nothing where it is missing. Throws Error for a file that is not JSON. */
export function readFolder<T>(folder: string): readonly T[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return files.sort().map((name) => readJson(readFileSync(join(folder, name))) as T);
}

/** Files are read as they are, and older ones have no such list. */
const isOutdated = ({ outdated = [] }: PaperResult): boolean => outdated.length > 0;

/** Facts by experiment id, of those that were run. Throws Error for a file that is not JSON. */
export function claimFacts(project: string): { readonly [id: string]: ClaimFact } {
  const judged = new Map(readFolder<PaperResult>(join(project, FOLDER)).flatMap((result) => (result.quick ? [] : [[result.id, result]])));
  const ends = (seeds: readonly number[]): ClaimFact['seeds'] => [seeds[0] ?? 0, seeds.at(-1) ?? 0];
  const taken = Object.entries(aliases).flatMap(([id, { paper }]) => (judged.has(paper) ? [id] : []));
  const ids = [...new Set([...judged.keys(), ...taken])].filter((id) => !hasPage(id)).sort();
  return Object.fromEntries(
    ids.flatMap((id): [string, ClaimFact][] => {
      const alias = aliases[id]?.paper ?? null;
      const result = judged.get(alias ?? id);
      if (result === undefined) return [];
      return [[id, { outcome: result.outcome, outdated: isOutdated(result), paper: alias, seeds: ends(result.seeds) }]];
    }),
  );
}

/** Four figures of a measured number: pages show fewer, and the front page loads one of these for every world and paper. */
export const shorter = <T extends number | null>(value: T): T | number => (value === null ? value : Number(value.toPrecision(4)));

/** Facts by paper id ("P033"). Claims of our own experiments and quick forms are left out. Throws Error for a file that is not JSON. */
export function paperFacts(project: string): { readonly [id: string]: PaperFact } {
  const results = readFolder<PaperResult>(join(project, FOLDER)).filter(({ id }) => hasPage(id));
  const kept = existsSync(join(project, POLICIES)) ? readdirSync(join(project, POLICIES)).sort() : [];
  const policiesOf = ({ id, arms }: PaperResult): PaperFact['policies'] =>
    Object.fromEntries(
      arms.flatMap(({ id: arm, algo, config }) => {
        const same = arms
          .filter((other) => other.config === config)
          .flatMap((other) => [`${id}-${other.id}`, `${id}-${other.id}${ROUNDED}`]);
        const file = same.find((name) => kept.includes(`${name}.policy`));
        return algo === null || file === undefined ? [] : [[arm, `${file}.policy`]];
      }),
    );
  return Object.fromEntries(
    results.flatMap((result) => {
      const { id, quick, outcome, decidedOn, coreMinutes } = result;
      const confirmed = result.confirm ? isConfirmed(result) : null;
      const fact = {
        outcome,
        confirmed,
        outdated: isOutdated(result),
        decidedOn,
        coreMinutes: shorter(coreMinutes),
        policies: policiesOf(result),
      };
      return quick ? [] : [[id, fact]];
    }),
  );
}
