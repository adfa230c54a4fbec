/**
 * What the full results of papers came to, for the gallery: one small record each, read by the build from public/results/papers, so that the
 * page asks for a whole result only where it is shown. Only node:* here, because the build's own config imports it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PaperResult } from '#contract/results.ts';

/** Of a paper's result, what its card in the gallery says. */
export interface PaperFact extends Pick<PaperResult, 'verdict' | 'decidedOn' | 'coreMinutes'> {
  /** Arms whose policy is kept, to be played at once, each with the name of its file: arms that are the same runs share one. */
  readonly policies: { readonly [arm: string]: string };
}

const FOLDER = 'public/results/papers';
/** Policies of arms, `<paper>-<arm>.policy` each: a policy file compressed by gzip. */
export const POLICIES = 'public/results/policies';
/** Stands before `.policy` where weights are rounded so that more arms fit. */
export const ROUNDED = '.rounded';

/** Facts by paper id ("P033"). Claims of our own experiments and quick forms are left out. Throws Error for a file that is not JSON. */
export function paperFacts(project: string): { readonly [id: string]: PaperFact } {
  const folder = join(project, FOLDER);
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder)
    .filter((name) => /^P\d{3}\.json$/.test(name))
    .sort();
  const results = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as PaperResult);
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
      const { id, quick, verdict, decidedOn, coreMinutes } = result;
      return quick ? [] : [[id, { verdict, decidedOn, coreMinutes, policies: policiesOf(result) }]];
    }),
  );
}
