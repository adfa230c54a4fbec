/**
 * What the runs of a paper come to: contrasts with intervals, failed checks, the verdict. The command line judges what it writes by this, the
 * page what was run in it.
 */
import type { PaperCard } from '#contract/papers.ts';
import type { ArmResult, PaperResult } from '#contract/results.ts';
import { armsOf, contrastInterval, judge, LOOKS, noneOf } from '#math/verdict.ts';
import { type ArmFacts, type Void, voids } from '#math/verdict-checks.ts';

/** What a result says of the claim, beside its runs. */
export type Decision = Pick<PaperResult, 'findings' | 'voids' | 'verdict' | 'decidedOn' | 'wanted'>;

/** What decides: contrasts with intervals, failed checks, the verdict. `arms` stand in the order of the paper's. */
export function decide(paper: PaperCard, arms: readonly ArmResult[]): Decision {
  const used = new Set(paper.contrasts.flatMap(armsOf));
  const missing = arms.filter(({ id, scores }) => used.has(id) && scores.some((score) => score === null));
  if (missing.length > 0) {
    const text = `Not every run gave a number: ${missing.map(({ id }) => id).join(', ')}.`;
    return { findings: [], voids: [{ check: 'seeds', text }], verdict: 'inconclusive', decidedOn: 0, wanted: null };
  }
  const scores = Object.fromEntries(arms.map((arm) => [arm.id, arm.scores.map((score) => score ?? 0)]));
  try {
    const { verdict, seeds, findings, wanted } = judge(paper.contrasts, scores, paper.tenSeeds);
    const facts = Object.fromEntries(
      arms.map(({ id, steps, parameters, trials, algo }, k): [string, ArmFacts] => {
        const { random, ceiling } = { ...paper.scale, ...paper.arms[k]!.scale };
        return [id, { steps, parameters, trials: algo === null ? null : trials, random, ceiling }];
      }),
    );
    const decided = Object.fromEntries(Object.entries(scores).map(([id, values]) => [id, values.slice(0, seeds)]));
    // Tables of a world without chance may end alike; how long they took still differs by seed.
    const timed = (k: number): boolean => 'reaches' in (paper.arms[k]!.quantity ?? paper.quantity);
    const alike = (all: readonly unknown[]): boolean => all.length > 1 && new Set(all).size === 1;
    const same = arms.filter(
      ({ id, parameterHashes: learned, scores: measured }, k) =>
        used.has(id) && learned[0] !== '' && alike(learned) && !(timed(k) && !alike(measured)),
    );
    const copies = same.map(
      ({ id }): Void => ({ check: 'spread', text: `Every seed of ${id} learned the same, bit for bit: one run, not several.` }),
    );
    const checked = voids(paper.contrasts, decided, facts, paper.scale.better, paper.exempt);
    const failed = [...checked, ...copies];
    const most = verdict === 'reproduced' ? (paper.atMost?.verdict ?? verdict) : verdict;
    return { findings: [...findings], voids: failed, verdict: failed.length > 0 ? 'inconclusive' : most, decidedOn: seeds, wanted };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const failed: Void = { check: 'seeds', text: error.message };
    return { findings: [], voids: [failed], verdict: 'inconclusive', decidedOn: 0, wanted: null };
  }
}

/** Whether every contrast of a quick form lies on the claimed side of its null. Nothing is tested: too few seeds. */
export function directionShows(paper: PaperCard, arms: readonly ArmResult[]): boolean {
  const scores = Object.fromEntries(arms.map((arm) => [arm.id, arm.scores.map((score) => score ?? Number.NaN)]));
  return paper.contrasts.every((contrast) => {
    try {
      const { estimate } = contrastInterval(contrast, scores, LOOKS[0].tail);
      const beyond = (estimate - noneOf(contrast)) * (contrast.claim === 'above' ? 1 : -1);
      return contrast.kind === 'level' || contrast.kind === 'every' ? beyond >= 0 : beyond > 0;
    } catch (error) {
      if (error instanceof RangeError) return false; // a run gave no number
      throw error;
    }
  });
}
