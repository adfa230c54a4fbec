/** What of a paper's arms the checks of a verdict read, from the file of a result or from runs of the page. */
import type { ReferenceReturn } from '#contract/catalog/catalog.ts';
import type { JudgedCard, Quantity } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { mean } from '#math/stats.ts';
import type { ArmFacts } from '#math/verdict-facts.ts';
import { curveOf } from './quantity.ts';

/** Outcomes in the unit of the curve that stands for them: returns of whole episodes in the environment that trains. */
const RETURNS: ReadonlySet<string> = new Set(['evalReturn', 'finalReturn', 'bestReturn', 'exactScore', 'sampledReturn']);

/** Whether the quantity is a return of whole episodes of the arm's own environment, which its references are for. */
export const isReturn = (quantity: Quantity): boolean =>
  'of' in quantity ? RETURNS.has(quantity.of) : 'metric' in quantity && quantity.metric === 'episodicReturn' && !('reaches' in quantity);

/** Whether the curve of a quantity has its unit, so that what random play and the best possible play get can be held against it. */
const isInUnit = (quantity: Quantity): boolean =>
  isReturn(quantity) || 'measured' in quantity || ('metric' in quantity && 'take' in quantity);

export const quantityOfArm = (paper: JudgedCard, k: number): Quantity => paper.arms[k]!.quantity ?? paper.quantity;

/** Reference returns that no policy can exceed, the exact one first. */
const CEILINGS = ['optimal', 'upper bound'];

/** What the environment of an arm states of random play and of the best possible play, in the unit of the arm's quantity. */
export function statedBounds(paper: JudgedCard, k: number, references: readonly ReferenceReturn[]): Pick<ArmResult, 'random' | 'ceiling'> {
  if (!isReturn(quantityOfArm(paper, k)) || paper.scale.better !== 'more') return {};
  const found = (names: readonly string[]) => names.flatMap((name) => references.find((one) => one.name === name) ?? [])[0];
  const [random, ceiling] = [found(['random']), found(CEILINGS)];
  return {
    ...(random && { random: { value: random.value, from: `its environment: ${random.source}` } }),
    ...(ceiling && { ceiling: { value: ceiling.value, from: `its environment: ${ceiling.name}, ${ceiling.source}` } }),
  };
}

/** What bounds the scores of an arm: from its card, else as it was measured or stated by its environment. */
export function boundsOf(paper: JudgedCard, k: number, arm: Pick<ArmResult, 'random' | 'ceiling'>) {
  const { random = arm.random?.value, ceiling = arm.ceiling?.value } = { ...paper.scale, ...paper.arms[k]!.scale };
  return { random, ceiling };
}

/** The mean of the last fifth of a curve less that of the fifth before, mean over seeds; undefined where a seed has no such rows. */
export function riseOf({ values }: { readonly values: readonly (readonly (number | null)[])[] }): number | undefined {
  const rises = values.map((seed) => {
    const fifth = Math.floor(seed.length / 5);
    const part = (from: number): readonly number[] => seed.slice(from, from + fifth).flatMap((value) => value ?? []);
    const [before, last] = [part(seed.length - 2 * fifth), part(seed.length - fifth)];
    return before.length === 0 || last.length === 0 ? Number.NaN : mean(last) - mean(before);
  });
  return rises.length === 0 || rises.some(Number.isNaN) ? undefined : mean(rises);
}

/** Facts by arm, on the first `seeds` of its runs. Arms are found by their ids: one that the card no longer has is left out. */
export function factsOf(paper: JudgedCard, arms: readonly ArmResult[], seeds: number): { readonly [arm: string]: ArmFacts } {
  return Object.fromEntries(
    arms.flatMap((arm): readonly [string, ArmFacts][] => {
      const k = paper.arms.findIndex((one) => one.id === arm.id);
      if (k < 0) return [];
      const { id, steps, parameters, trials, algo, config, curve, parameterHashes, scores } = arm;
      const quantity = quantityOfArm(paper, k);
      const fits = curve !== null && curve.metric === curveOf(quantity) && isInUnit(quantity);
      const rise = fits ? riseOf({ values: curve.values.slice(0, seeds) }) : undefined;
      // the same table after other times is no copy
      const timed = 'reaches' in quantity;
      const learned = parameterHashes.slice(0, seeds).map((hash, i) => (hash === '' || !timed ? hash : `${hash} ${scores[i]}`));
      const { competent } = paper.arms[k]!;
      const facts: ArmFacts = {
        steps,
        parameters,
        trials: algo === null ? null : trials,
        ...boundsOf(paper, k, arm),
        ...(competent !== undefined && { competent }),
        ...(rise !== undefined && { rise }),
        ...(algo !== null && { config, learned }),
      };
      return [[id, facts]];
    }),
  );
}
