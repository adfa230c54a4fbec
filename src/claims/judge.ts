/**
 * What the runs of a paper come to: contrasts with intervals, failed checks, the verdict. The command line judges what it writes by this, the
 * page what was run in it.
 */
import { objectOf } from '#contract/kit/json.ts';
import { isFailedGuess, type Outcome } from '#contract/papers/labels.ts';
import { armConfig, type JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult, PaperResult } from '#contract/papers/results.ts';
import { contrastInterval } from '#math/contrast-interval.ts';
import { armsOf, noneOf, type UpTo } from '#math/contrasts.ts';
import { log } from '#math/functions.ts';
import { JUDGE_VERSION, type Judgement, judge } from '#math/rule.ts';
import { voids } from '#math/verdict-checks.ts';
import type { Void } from '#math/verdict-facts.ts';
import { roomUnknown } from './checks.ts';
import { isListed } from './define.ts';
import { factsOf } from './facts.ts';

/** What a result says of the claim, beside its runs. */
export type Decision = Pick<PaperResult, 'findings' | 'voids' | 'outcome' | 'because' | 'judge' | 'decidedOn' | 'wanted'>;

const NOTHING = { findings: [], outcome: 'open', because: '', judge: JUDGE_VERSION, decidedOn: 0, wanted: null } as const;

/** A run that never arrives takes at most so many times what it was given. */
const NEVER = 1000;

/** Scores of runs that were cut short, and the most that they may have been: a level that is never reached counts as the budget. */
function upToOf(paper: JudgedCard, arms: readonly ArmResult[]): UpTo {
  return Object.fromEntries(
    paper.arms.flatMap((arm) => {
      const ran = arms.find(({ id }) => id === arm.id);
      const quantity = arm.quantity ?? paper.quantity;
      const budget = objectOf(armConfig(paper, arm).run).steps;
      if (ran === undefined || !('reaches' in quantity) || typeof budget !== 'number') return [];
      const least = quantity.log10 ? log(budget) / Math.LN10 : budget;
      const most = quantity.log10 ? least + log(NEVER) / Math.LN10 : NEVER * budget;
      return [[arm.id, ran.scores.map((score) => (score === least ? most : null))]];
    }),
  );
}

/** Why the outcome of a form is open though its contrasts say something: '' where it is not. */
function openBecause(paper: JudgedCard, { outcome, absent, findings }: Judgement, unknown: readonly string[]): string {
  const [premise] = absent;
  if (premise !== undefined) {
    const state = findings.find(({ id }) => id === premise)?.state;
    return state === 'open'
      ? `Whether the deficit is there is not known: “${premise}” is open.`
      : `The deficit is not there: “${premise}” is not held, so nothing is said of what mends it.`;
  }
  if (isFailedGuess({ tested: paper.tested.label, outcome }))
    return `Our guess at the method came out “${outcome}”. What the source does was not read, so this says nothing of its title.`;
  if (outcome !== 'open' && unknown.length > 0)
    return `Not known of the rivals of the main contrast: ${unknown.join('; ')}. Without that the outcome stays open.`;
  return '';
}

/**
 * What decides: contrasts with intervals, failed checks, the outcome. Arms are found by their ids. Nothing is run: it can be asked of any stored
 * result. Throws Error where an arm of a contrast has no runs: they are of another form of the card.
 */
export function decide(paper: JudgedCard, arms: readonly ArmResult[]): Decision {
  const used = new Set(paper.contrasts.flatMap(armsOf));
  const without = [...used].filter((name) => arms.every(({ id }) => id !== name));
  if (without.length > 0) throw new Error(`${paper.id}: there are no runs of ${without.join(', ')}: run npm run claims -- ${paper.id}.`);
  const missing = arms.filter(({ id, scores }) => used.has(id) && scores.some((score) => score === null));
  const notJudged = (text: string): Decision => ({ ...NOTHING, findings: [], voids: [{ check: 'seeds', text }], because: text });
  if (missing.length > 0) return notJudged(`Not every run gave a number: ${missing.map(({ id }) => id).join(', ')}.`);
  const scores = Object.fromEntries(arms.map((arm) => [arm.id, arm.scores.map((score) => score ?? 0)]));
  try {
    const steady = paper.exempt.flatMap(({ check, arms: names }) => (check === 'spread' ? names : []));
    const judged = judge(paper.contrasts, scores, { looks: paper.looks, steady, forms: paper.forms, upTo: upToOf(paper, arms) });
    const { seeds, findings, wanted } = judged;
    const facts = factsOf(paper, arms, seeds);
    const decided = Object.fromEntries(Object.entries(scores).map(([id, values]) => [id, values.slice(0, seeds)]));
    // Tables of a world without chance may end alike; how long they took still differs by seed.
    const timed = (name: string): boolean => 'reaches' in (paper.arms.find(({ id }) => id === name)?.quantity ?? paper.quantity);
    const alike = (all: readonly unknown[]): boolean => all.length > 1 && new Set(all).size === 1;
    const same = arms.filter(
      ({ id, parameterHashes: learned, scores: measured }) =>
        used.has(id) && learned[0] !== '' && alike(learned) && !(timed(id) && !alike(measured)),
    );
    const copies = same.map(
      ({ id }): Void => ({ check: 'spread', text: `Every seed of ${id} learned the same, bit for bit: one run, not several.` }),
    );
    const checked = voids(paper.contrasts, decided, facts, paper.scale.better, paper.exempt);
    const failed = [...judged.voids, ...checked, ...copies];
    const unknown = isListed(paper.id) ? roomUnknown(paper, facts) : [];
    const [fault] = failed;
    const because = fault === undefined ? openBecause(paper, judged, unknown) : `A check failed: ${fault.text}`;
    const outcome: Outcome = because === '' ? judged.outcome : 'open';
    return { ...NOTHING, findings: [...findings], voids: failed, outcome, because, decidedOn: seeds, wanted };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return notJudged(error.message);
  }
}

/** What a second block of seeds makes of an outcome: both must say the same. */
export function afterBoth(first: Outcome, second: Outcome): { readonly outcome: Outcome; readonly because: string } {
  if (first === second) return { outcome: first, because: '' };
  return { outcome: 'open', because: `The two blocks of seeds disagree: the first says “${first}”, the second “${second}”.` };
}

/** Of the interval that a quick form computes and does not read. */
const QUICK_TAIL = 0.025;

/** Whether every contrast of a quick form lies on the claimed side of its null. Nothing is tested: too few seeds. */
export function directionShows(paper: JudgedCard, arms: readonly ArmResult[]): boolean {
  const scores = Object.fromEntries(arms.map((arm) => [arm.id, arm.scores.map((score) => score ?? Number.NaN)]));
  return paper.contrasts.every((contrast) => {
    try {
      const { estimate } = contrastInterval(contrast, scores, QUICK_TAIL);
      const beyond = (estimate - noneOf(contrast)) * (contrast.claim === 'above' ? 1 : -1);
      return contrast.kind === 'level' || contrast.kind === 'every' ? beyond >= 0 : beyond > 0;
    } catch (error) {
      if (error instanceof RangeError) return false; // a run gave no number
      throw error;
    }
  });
}
