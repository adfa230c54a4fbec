/** What runs on tuning seeds say of a form before it runs: headroom, spread, seeds needed, cost, and why it may not start. Pure. */

import { canonicalJson, utf8 } from '#contract/kit/canonical.ts';
import { objectOf } from '#contract/kit/json.ts';
import { armConfig, type JudgedCard, ruleOf } from '#contract/papers/papers.ts';
import { FORM_MINUTES, PILOT_MINUTES, type Pilot, type PilotArm } from '#contract/papers/pilots.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { sha256 } from '#contract/run/config-hash.ts';
import { contrastInterval } from '#math/contrast-interval.ts';
import { armsOf, type Contrast, isBar, isMargin, noneOf } from '#math/contrasts.ts';
import { finiteOrNull } from '#math/finite.ts';
import { log } from '#math/functions.ts';
import { FEWEST_FOR_HUMPS, twoHumps } from '#math/humps.ts';
import { SEEDS_OF_LOOKS } from '#math/looks.ts';
import { iqm, mean, std } from '#math/stats.ts';
import { voids } from '#math/verdict-checks.ts';
import type { ArmFacts } from '#math/verdict-facts.ts';
import { isSuperiority, placesOf } from '#math/verdict-rivals.ts';
import { factsOf, quantityOfArm } from './facts.ts';
import { impossible, rangeWith } from './possible.ts';

/** Where a rival should end, as shares of the way from random play to the ceiling: with room above, and not at the bottom. */
const RIVAL_BETWEEN = [0.2, 0.8] as const;
/** Share of cut runs of a claimed arm above which a verdict is void. */
const MOST_CENSORED = 1 / 3;
/** Seeds an arm for an effect e at a spread s: this times (s / e)^2; half for one arm against a bar. */
const SEEDS_PER_SQUARE = 16;

/** Hash of what a pilot tries: the rule without looks, first seed and judge. */
export const formHash = (paper: JudgedCard): string => {
  const { looks: _, from: __, judge: ___, ...form } = ruleOf(paper);
  return sha256(utf8(canonicalJson(form))).slice(0, 12);
};

/** Hashes of the same form by the rules of earlier judges, which named no label of what was tested but the most that a form could say. */
export function earlierFormHashes(paper: JudgedCard): readonly string[] {
  const { looks: _, from: __, judge: ___, tested: ____, forms: _____, ...form } = ruleOf(paper);
  return [null, 'partly'].map((atMost) => sha256(utf8(canonicalJson({ ...form, atMost }))).slice(0, 12));
}

/** The card with the looks for which its pilot found room, unless the card names its own. */
export const withPilot = (paper: JudgedCard, pilot: Pick<Pilot, 'looks'> | null): JudgedCard =>
  pilot === null || paper.looksFrom === 'card' ? paper : { ...paper, looks: pilot.looks };

/** The looks that fit into the budget of a form, from the first on. */
export const looksFor = (minutesPerSeed: number, minutes = FORM_MINUTES): number[] =>
  SEEDS_OF_LOOKS.filter((seeds) => seeds * minutesPerSeed <= minutes);

const short = (value: number): string => String(Number(value.toPrecision(3)));

/** An arm of a pilot: its runs as in a result, and tokens by run. */
export interface PilotRuns {
  readonly arm: ArmResult;
  readonly tokens: number | null;
}

function armOf(paper: JudgedCard, k: number, { arm, tokens }: PilotRuns, facts: ArmFacts): PilotArm {
  const { id, config, scores, steps, parameters, random, ceiling, seconds } = arm;
  const quantity = quantityOfArm(paper, k);
  const budget = objectOf(armConfig(paper, paper.arms[k]!).run).steps;
  const most = 'reaches' in quantity && typeof budget === 'number' ? (quantity.log10 ? log(budget) / Math.LN10 : budget) : null;
  const known = scores.flatMap((score) => score ?? []);
  const sign = paper.scale.better === 'more' ? 1 : -1;
  const range = facts.random === undefined || facts.ceiling === undefined ? null : facts.ceiling - facts.random;
  const share = (value: number): number | null => (range === null || range === 0 ? null : finiteOrNull(value / range));
  return {
    id,
    config,
    scores,
    steps,
    parameters,
    tokens,
    coreMinutes: seconds / 60,
    ...(random && { random }),
    ...(ceiling && { ceiling }),
    height: known.length === 0 || facts.random === undefined ? null : share(iqm(known) - facts.random),
    rise: facts.rise === undefined || range === null || range === 0 ? null : (sign * facts.rise) / Math.abs(range),
    spread: known.length < 2 ? null : std(known, 1),
    censored: most === null || known.length === 0 ? 0 : known.filter((score) => score >= most).length / known.length,
    humps: twoHumps(known),
  };
}

/** Seeds an arm by which a contrast of its spread would show its size; null where that is not counted, or no spread was seen. */
function seedsFor(contrast: Contrast, scores: { readonly [arm: string]: readonly number[] }, estimate: number): number | null {
  const scale = (value: number): number => (contrast.kind === 'ratio' ? log(value) : value);
  const passes = (value: number): number => {
    const { share } = contrast;
    if (share === undefined) return scale(value);
    return Number('atLeast' in share ? value >= share.atLeast : value <= share.atMost);
  };
  const valuesOf = (arm: string): readonly number[] => (scores[arm] ?? []).map(passes);
  const effect = Math.abs(scale(contrast.size ?? estimate) - scale(noneOf(contrast)));
  const needed = (spread: number, factor: number): number | null =>
    spread > 0 && effect > 0 ? Math.max(SEEDS_OF_LOOKS[0], Math.ceil(factor * (spread / effect) ** 2 - 1e-9)) : null;
  if (contrast.kind === 'level' || contrast.kind === 'published') return needed(std(valuesOf(contrast.arm), 1), SEEDS_PER_SQUARE / 2);
  if (contrast.kind !== 'difference' && contrast.kind !== 'ratio') return null;
  const [a, b] = [valuesOf(contrast.arm), valuesOf(contrast.over)];
  if (contrast.paired)
    return needed(
      std(
        a.map((value, i) => value - b[i]!),
        1,
      ),
      SEEDS_PER_SQUARE / 2,
    );
  return needed(Math.sqrt((std(a, 1) ** 2 + std(b, 1) ** 2) / 2), SEEDS_PER_SQUARE);
}

function contrastOf(
  paper: JudgedCard,
  contrast: Contrast,
  scores: { readonly [arm: string]: readonly number[] },
  ceilings: { readonly [arm: string]: number | undefined },
): Pilot['contrasts'][number] {
  const found = Object.fromEntries(Object.entries(scores).map(([arm, values]) => [arm, values.length === 0 ? undefined : iqm(values)]));
  const [least, most] = rangeWith(paper, contrast, found, ceilings);
  const enough = armsOf(contrast).every((arm) => (scores[arm] ?? []).length > 1);
  let estimate: number | null = null;
  try {
    estimate = enough ? contrastInterval(contrast, scores, 0.025).estimate : null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // too few places, or a run that gave no number: there is no estimate
  }
  const seeds = estimate === null ? null : seedsFor(contrast, scores, estimate);
  return { id: contrast.id, estimate, seeds, least: finiteOrNull(least), most: finiteOrNull(most) };
}

/** What a reader should know of one arm. */
function warningsOf(paper: JudgedCard, arm: PilotArm, facts: ArmFacts): readonly string[] {
  const { better } = paper.scale;
  const isRival = paper.contrasts.some(
    (contrast) => isSuperiority(contrast, better) && placesOf(contrast, better).places.some(({ rivals }) => rivals.includes(arm.id)),
  );
  const isStandard = paper.contrasts.some(
    (contrast) => isMargin(contrast) && placesOf(contrast, better).places.some(({ rivals }) => rivals.includes(arm.id)),
  );
  const [low, high] = RIVAL_BETWEEN;
  const out: string[] = [];
  if (facts.random === undefined) out.push(`${arm.id}: the score of random play is not known.`);
  if (facts.ceiling === undefined) out.push(`${arm.id}: the best possible score is not known.`);
  if (isRival && arm.height !== null && (arm.height < low || arm.height > high))
    out.push(
      `${arm.id} ends at ${short(100 * arm.height)} % of the way from random play to the ceiling; a rival should end between 20 and 80 %.`,
    );
  if (isStandard && facts.competent === undefined)
    out.push(`${arm.id} is a standard of "no worse than", and no score that it must reach is stated.`);
  if (arm.humps) out.push(`${arm.id} ends on two humps: compare shares of seeds, or means.`);
  if (arm.censored > MOST_CENSORED) out.push(`${short(100 * arm.censored)} % of the runs of ${arm.id} never arrive.`);
  return out;
}

/**
 * The pilot of a paper. `runs` in the order of its arms, all on `seeds`; an arm that was not run, because the others had used the pilot's
 * minutes, has no scores. `coreMinutes`: runs that arms share count once.
 */
export function pilotOf(
  paper: JudgedCard,
  runs: readonly PilotRuns[],
  about: Pick<Pilot, 'commit' | 'date' | 'machine' | 'seeds' | 'coreMinutes'>,
): Pilot {
  const results = runs.map(({ arm }) => arm);
  const facts = factsOf(paper, results, about.seeds.length);
  const scores = Object.fromEntries(results.map(({ id, scores: values }) => [id, values.flatMap((score) => score ?? [])]));
  const ceilings = Object.fromEntries(Object.entries(facts).map(([arm, { ceiling }]) => [arm, ceiling]));
  const arms = runs.map((run, k) => armOf(paper, k, run, facts[run.arm.id]!));
  const contrasts = paper.contrasts.map((contrast) => contrastOf(paper, contrast, scores, ceilings));
  const minutesPerSeed = about.coreMinutes / about.seeds.length;
  const looks = looksFor(minutesPerSeed, paper.minutes);
  const used = new Set(paper.contrasts.flatMap(armsOf));
  const silent = arms.filter(({ id, scores: values }) => used.has(id) && (values.length === 0 || values.includes(null)));
  const refused = [...impossible(paper)];
  if (silent.length > 0) refused.push(`Not every run gave a number: ${silent.map(({ id }) => id).join(', ')}.`);
  paper.contrasts.forEach((contrast, i) => {
    const { least, most } = contrasts[i]!;
    const { size } = contrast;
    if (size === undefined || isBar(contrast)) return;
    const end = contrast.claim === 'above' ? most : least;
    if (end === null || (contrast.claim === 'above' ? size <= end : size >= end)) return;
    const word = contrast.claim === 'above' ? 'at most' : 'at least';
    refused.push(`"${contrast.id}" asks for ${size}; beside what the pilot found it can be ${word} ${short(end)}.`);
  });
  if (looks.length === 0)
    refused.push(`Five seeds take ${short(5 * minutesPerSeed)} core-minutes, more than ${paper.minutes}: cut steps, cells or arms.`);
  const last = looks.at(-1) ?? 0;
  const warnings = arms.flatMap((arm) => warningsOf(paper, arm, facts[arm.id]!));
  if (silent.length === 0) {
    const failed = voids(paper.contrasts, scores, facts, paper.scale.better, paper.exempt);
    warnings.push(...failed.map(({ text }) => `A check would fail: ${text}`));
  }
  for (const { id, seeds } of contrasts)
    if (seeds !== null && seeds > last) warnings.push(`"${id}" needs about ${seeds} seeds an arm for its size; there is room for ${last}.`);
  if (paper.looksFrom === 'card' && (paper.looks.at(-1) ?? 0) > last)
    warnings.push(`Its card has looks up to ${paper.looks.at(-1)} seeds; ${paper.minutes} core-minutes have room for ${last}.`);
  if (about.seeds.length < FEWEST_FOR_HUMPS)
    warnings.push(`On ${about.seeds.length} seeds two humps cannot be seen: that takes ${FEWEST_FOR_HUMPS}.`);
  if (about.coreMinutes > PILOT_MINUTES) warnings.push(`It took more than ${PILOT_MINUTES} core-minutes.`);
  const { commit, date, machine, seeds, coreMinutes } = about;
  return {
    v: 1,
    id: paper.id,
    form: formHash(paper),
    commit,
    date,
    machine,
    seeds,
    coreMinutes,
    minutesPerSeed,
    looks,
    arms,
    contrasts,
    warnings,
    refused,
  };
}

/** Whether a result's form was tried on tuning seeds before it ran, in a sentence. */
export function pilotInWords(pilot: Pick<Pilot, 'seeds' | 'coreMinutes' | 'looks'> | null): string {
  if (pilot === null) return 'No pilot: these runs are older than pilots, and were only judged anew.';
  const { seeds, coreMinutes, looks } = pilot;
  return `Pilot on seeds ${seeds[0]} to ${seeds.at(-1)}, ${short(coreMinutes)} core-minutes: room for looks at ${looks.join(', ')} seeds.`;
}

/** Mean score of a pilot's arm; null where it gave none. */
export const scoreOfPilot = ({ scores }: PilotArm): number | null => {
  const known = scores.flatMap((score) => score ?? []);
  return known.length === 0 ? null : mean(known);
};
