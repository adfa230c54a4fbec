/** Which checks of a paper's runs were made, and how they came out: one that could not be made is listed as not run, with the reason. */
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult, PaperResult } from '#contract/papers/results.ts';
import { armsOf, type Contrast, groupsOf, isCounted, isMargin } from '#math/contrasts.ts';
import { UNEQUAL } from '#math/verdict-checks.ts';
import type { ArmFacts } from '#math/verdict-facts.ts';
import { alikeIn, alikeInWords, isSuperiority, placesOf } from '#math/verdict-rivals.ts';
import { factsOf } from './facts.ts';

export interface CheckLine {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'not run';
  /** What failed, or why it was not run; of a check that passed, for which arms. */
  readonly text: string;
}

/** The checks that every paper lists, by the id that a failed one has in a result. */
const TITLES = {
  seeds: 'Every run gave a number',
  spread: 'Seeds differ',
  random: 'Better than random play',
  ceiling: 'Room below the best possible score',
  headroom: 'The rival alone leaves room',
  rising: 'The rival has finished learning',
  competence: 'The rival is competent',
  acts: 'What sets arms apart acts',
  steps: 'Equal steps',
  parameters: 'Equal parameters',
  trials: 'Equal tuning',
} as const;
type Listed = keyof typeof TITLES;
const LISTED = Object.keys(TITLES) as readonly Listed[];
const isListed = (check: string): check is Listed => Object.hasOwn(TITLES, check);

/** So many counts are listed one by one; of more, the smallest and the largest. */
const MOST_COUNTS = 6;

const line = (title: string, state: CheckLine['state'], text: string): CheckLine => ({ title, state, text });

/** Arms of a check that has a number for each, and those for which it has none: a line each, none where there are no arms. */
function split(title: string, arms: readonly string[], known: (arm: string) => boolean, missing: string): readonly CheckLine[] {
  const with_ = arms.filter(known);
  const without = arms.filter((arm) => !known(arm));
  return [
    ...(with_.length > 0 ? [line(title, 'passed', with_.join(', '))] : []),
    ...(without.length > 0 ? [line(title, 'not run', `${missing}: ${without.join(', ')}`)] : []),
  ];
}

const alike = (paper: JudgedCard, facts: ReturnType<typeof factsOf>): readonly string[] => [
  ...new Set(
    paper.contrasts
      .filter((contrast) => armsOf(contrast).every((arm) => Object.hasOwn(facts, arm)))
      .flatMap((contrast) => alikeIn(contrast, (arm) => facts[arm]!, paper.scale.better).map(alikeInWords)),
  ),
];

/**
 * What is printed beside the verdict, in sentences: counts of parameters that differ by more than 10 %, with the reason that the card gives,
 * and arms that ended alike on some seed.
 */
export function besideVerdict(paper: JudgedCard, { arms, decidedOn, voids }: Checked): readonly string[] {
  const countOf = (id: string): number | null => arms.find((arm) => arm.id === id)?.parameters ?? null;
  const unequal = paper.exempt
    .filter(({ check }) => check === 'parameters')
    .flatMap(({ arms: free, why }) => {
      const groups = paper.contrasts.flatMap(groupsOf).filter((names) => names.some((name) => free.includes(name)));
      const apart = groups.filter((names) => {
        const counts = names.flatMap((name) => countOf(name) ?? []);
        return Math.max(...counts) > UNEQUAL * Math.min(...counts);
      });
      const named = [...new Set(apart.flat())].flatMap((name) => {
        const count = countOf(name);
        return count === null ? [] : [{ name, count }];
      });
      if (named.length === 0) return [];
      return [`Unequal parameters (${countsInWords(named)}): ${why}.`];
    });
  const said = voids.map(({ text }) => text);
  return [...unequal, ...alike(paper, factsOf(paper, arms, decidedOn)).filter((text) => !said.includes(text))];
}

/** Counts of parameters by arm; of many arms the smallest and the largest. */
function countsInWords(named: readonly { readonly name: string; readonly count: number }[]): string {
  const [least, most] = [named.toSorted((a, b) => a.count - b.count)[0], named.toSorted((a, b) => b.count - a.count)[0]];
  if (named.length <= MOST_COUNTS || least === undefined || most === undefined)
    return named.map(({ name, count }) => `${name} ${count}`).join(', ');
  return `from ${least.count} in ${least.name} to ${most.count} in ${most.name}, ${named.length} arms`;
}

/** What of a result, or of runs in the page, is checked. */
export type Checked = Pick<PaperResult, 'findings' | 'voids' | 'decidedOn'> & { readonly arms: readonly ArmResult[] };

/** Arms that the contrasts claim others to be better than, or no worse than, each once. */
const rivalsIn = (contrasts: readonly Contrast[], better: JudgedCard['scale']['better']): readonly string[] => [
  ...new Set(contrasts.flatMap((contrast) => placesOf(contrast, better).places.flatMap(({ rivals }) => rivals))),
];

/**
 * The checks of a result, or of runs in the page. No arms, or no finding: nothing was checked.
 * Exempt arms are left out; the paper says why.
 */
export function checksOf(paper: JudgedCard, { arms, findings, voids, decidedOn }: Checked): readonly CheckLine[] {
  const failed = (check: string): readonly CheckLine[] =>
    voids.filter((one) => one.check === check).map(({ text }) => line(isListed(check) ? TITLES[check] : check, 'failed', text));
  const others = [...new Set(voids.map(({ check }) => String(check)).filter((check) => !isListed(check)))].flatMap(failed);
  if (findings.length === 0) {
    const why = voids.length > 0 ? 'the runs are not complete' : 'its runs are not done yet';
    return [...LISTED.flatMap((check) => (failed(check).length > 0 ? failed(check) : [line(TITLES[check], 'not run', why)])), ...others];
  }
  const compared = [...new Set(paper.contrasts.flatMap(armsOf))];
  const free = (check: Listed, arm: string): boolean => paper.exempt.some((one) => one.check === check && one.arms.includes(arm));
  const facts = factsOf(paper, arms, decidedOn);
  const scaleOf = (arm: string): Pick<ArmFacts, 'random' | 'ceiling'> => facts[arm] ?? {};
  const counted = (arm: string, what: 'steps' | 'parameters'): boolean => (arms.find(({ id }) => id === arm)?.[what] ?? null) !== null;
  /** Compared with one another in some contrast, each with a number. */
  const pairs = (check: Listed, known: (arm: string) => boolean): boolean =>
    paper.contrasts.flatMap(groupsOf).some((arms) => arms.filter((arm) => !free(check, arm) && known(arm)).length > 1);
  const learns = (arm: string): boolean => arms.find(({ id }) => id === arm)?.algo !== null;
  const open = (check: Listed): readonly string[] => compared.filter((arm) => !free(check, arm));
  const { better } = paper.scale;
  /** Arms that others are to be better than, or no worse than. */
  const rivals = (of: (contrast: Contrast) => boolean, check: Listed): readonly string[] =>
    rivalsIn(paper.contrasts.filter(of), better).filter((arm) => !free(check, arm));
  const margins = (check: Listed): readonly string[] => rivals(isMargin, check);
  const learners = compared.filter((arm) => facts[arm]?.learned !== undefined);
  const made: { readonly [C in Listed]: () => readonly CheckLine[] } = {
    seeds: () => [line(TITLES.seeds, 'passed', compared.join(', '))],
    spread: () => [line(TITLES.spread, 'passed', compared.join(', '))],
    random: () => split(TITLES.random, open('random'), (arm) => scaleOf(arm).random !== undefined, 'the score of random play is not known'),
    ceiling: () =>
      split(TITLES.ceiling, open('ceiling'), (arm) => scaleOf(arm).ceiling !== undefined, 'the best possible score is not known'),
    headroom: () =>
      split(
        TITLES.headroom,
        rivals((contrast) => isSuperiority(contrast, better), 'headroom').filter((arm) => !free('ceiling', arm)),
        (arm) => scaleOf(arm).random !== undefined && scaleOf(arm).ceiling !== undefined,
        'the way from random play to the ceiling is not known',
      ),
    rising: () =>
      split(
        TITLES.rising,
        margins('rising'),
        (arm) =>
          !learns(arm) || (scaleOf(arm).random !== undefined && scaleOf(arm).ceiling !== undefined && facts[arm]?.rise !== undefined),
        'its curve, random play or the ceiling is not known',
      ),
    competence: () =>
      split(
        TITLES.competence,
        margins('competence'),
        (arm) => facts[arm]?.competent !== undefined,
        'no score that it must reach is stated',
      ),
    acts: () => [
      pairs('acts', (arm) => learners.includes(arm))
        ? line(TITLES.acts, 'passed', [learners.join(', '), ...alike(paper, facts)].join('. '))
        : line(TITLES.acts, 'not run', 'no contrast compares two arms that learn'),
    ],
    steps: () => [
      pairs('steps', (arm) => counted(arm, 'steps'))
        ? line(
            TITLES.steps,
            'passed',
            open('steps')
              .filter((arm) => counted(arm, 'steps'))
              .join(', '),
          )
        : line(TITLES.steps, 'not run', 'no contrast compares two arms with counted steps'),
    ],
    parameters: () => [
      pairs('parameters', (arm) => counted(arm, 'parameters'))
        ? line(
            TITLES.parameters,
            'passed',
            open('parameters')
              .filter((arm) => counted(arm, 'parameters'))
              .join(', '),
          )
        : line(TITLES.parameters, 'not run', 'no contrast compares two arms with counted parameters'),
    ],
    trials: () => [
      pairs('trials', learns)
        ? line(TITLES.trials, 'passed', open('trials').filter(learns).join(', '))
        : line(TITLES.trials, 'not run', 'no contrast compares two arms that learn'),
    ],
  };
  return [...LISTED.flatMap((check) => (failed(check).length > 0 ? failed(check) : made[check]())), ...others];
}

/**
 * Of the main contrast, where it says that one arm is better than others: what is not known of which rivals, in phrases. Both bounds must be
 * known whichever way it came out: a rival that plays at random is none, and beside one at the best possible score there was no room. A card that
 * takes an arm out of a check says why it need not pass it, not what its bound is.
 */
export function roomUnknown(paper: JudgedCard, facts: { readonly [arm: string]: ArmFacts }): readonly string[] {
  const main = paper.contrasts.find(isCounted);
  if (main === undefined || !isSuperiority(main, paper.scale.better)) return [];
  const rivals = rivalsIn([main], paper.scale.better);
  const lacking = (bound: 'random' | 'ceiling', what: string): readonly string[] => {
    const arms = rivals.filter((arm) => facts[arm]?.[bound] === undefined);
    return arms.length === 0 ? [] : [`${what} (${arms.join(', ')})`];
  };
  return [...lacking('random', 'what random play gets'), ...lacking('ceiling', 'the best possible score')];
}
