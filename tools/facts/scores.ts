/**
 * What methods reached in environments, from the files of results: claims on fresh seeds (public/results/papers) and what the workbench offers
 * first (bench/results/learn.json). Read by the build for the page and for the list of scores. Only node:* and pure modules here,
 * because the build's own config imports it.
 */
import { join } from 'node:path';
import type { PaperResult } from '#contract/papers/results.ts';
import { SCORED, type Scored, type ScoreFact } from '#report/scores.ts';
import { type Learned, readFresh, readLearned } from './learned.ts';
import { FOLDER, readFolder } from './papers.ts';

const isScored = (quantity: string): quantity is Scored => quantity in SCORED;

/** Whole rollouts may end a little later or sooner; less than that was ended by the budget of time. */
const isCut = (steps: number, offered: number): boolean => steps < 0.99 * offered;

/** At its defaults. */
const today = (id: string): ScoreFact['env'] => ({ id, version: null, config: {} });

/** What is offered first, on fresh seeds where the same offer was measured there. */
function measuredOffers(project: string): { readonly [env: string]: Learned } {
  const fresh = readFresh(project);
  const chosen = readLearned(project);
  // the number of seeds is part of the hash of an offer: the steps and the method tell another one
  const same = (id: string, one: Learned): boolean => one.algo === fresh[id]?.algo && one.offered === fresh[id].offered;
  return Object.fromEntries(Object.entries(chosen).map(([id, one]) => [id, same(id, one) ? (fresh[id] ?? one) : one]));
}

/** By file, then by environment. Throws Error for a file that is not JSON. */
export function scoreFacts(project: string): readonly ScoreFact[] {
  const claims = readFolder<PaperResult>(join(project, FOLDER)).flatMap(({ id, quick, quantity, arms, seeds }): ScoreFact[] => {
    const [arm] = arms;
    if (quick || !isScored(quantity) || arms.length !== 1 || arm === undefined || arm.algo === null || arm.steps === null) return [];
    const scores = arm.scores.filter((score) => score !== null);
    const ends = [seeds[0] ?? 0, seeds.at(-1) ?? 0] as const;
    return [{ env: arm.env, algo: arm.algo, steps: arm.steps, quantity, scores, seeds: ends, claim: id }];
  });
  const offers = Object.entries(measuredOffers(project)).flatMap(([env, { algo, steps, offered, judged, seeds }]): ScoreFact[] => {
    const scores = seeds.flatMap(({ reached }) => (reached === null ? [] : [reached]));
    if (judged !== 'return' || scores.length === 0) return [];
    const ends = [seeds[0]?.seed ?? 0, seeds.at(-1)?.seed ?? 0] as const;
    return [
      {
        env: today(env),
        algo: today(algo),
        steps,
        quantity: 'evalReturn',
        scores,
        seeds: ends,
        ...(isCut(steps, offered) && { cutFrom: offered }),
        claim: null,
      },
    ];
  });
  return [...claims, ...offers];
}
