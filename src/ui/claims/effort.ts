/** What was easy and what was hard about running a paper: sentences from its card and its result alone, none written by hand. Pure. */
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { isGuess, rowsIn } from '#contract/papers/source.ts';
import { t, tn } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';

/** Core-minutes below which a result counts as cheap, and above which as dear. */
const [CHEAP, DEAR] = [5, 20];

export interface Effort {
  readonly easy: readonly string[];
  readonly hard: readonly string[];
}

type Ran = Pick<PaperResult, 'arms' | 'seeds' | 'coreMinutes' | 'outcome' | 'voids' | 'wanted'>;

/** Reading its source: the rows that stand as they are, and those that do not. */
function reading({ source }: JudgedCard): Effort {
  if (source === null) return { easy: [], hard: [] };
  if (isGuess(source)) return { easy: [], hard: [t('Nothing of the source but its abstract could be read.')] };
  const { table } = source;
  const kept = rowsIn(source, 'kept');
  const said = t('Of {all} parts of the source {kept} are kept, {changed} changed, {left} left out.', {
    all: table.length,
    kept,
    changed: rowsIn(source, 'changed'),
    left: rowsIn(source, 'left out'),
  });
  return kept > table.length / 2 ? { easy: [said], hard: [] } : { easy: [], hard: [said] };
}

/** Finding a form and its settings. */
function finding({ forms, tunedOn, arms }: JudgedCard): Effort {
  const most = Math.max(...arms.map(({ trials }) => trials));
  const easy = [
    ...(forms === 1 ? [t('The first form that was judged is this one.')] : []),
    ...(tunedOn === null || most <= 1 ? [t('No arm was tuned: each has one set of settings.')] : []),
  ];
  const hard = [
    ...(forms > 1 ? [t('It took {n} forms that were judged one after another.', { n: forms })] : []),
    ...(most > 1 ? [t('{n} sets of settings were tried for one arm, on seeds that are not reported.', { n: most })] : []),
  ];
  return { easy, hard };
}

/** The runs. */
function running({ arms, seeds, coreMinutes, outcome, voids, wanted }: Ran): Effort {
  const failed = arms.reduce((sum, { scores }) => sum + scores.filter((score) => score === null).length, 0);
  const cost = t('All runs together took {n} core-minutes.', { n: measure(coreMinutes, 2) });
  const easy = [
    ...(coreMinutes < CHEAP ? [cost] : []),
    ...(outcome !== 'open' ? [tn('{n} seed an arm was enough.', '{n} seeds an arm were enough.', seeds.length)] : []),
  ];
  const hard = [
    ...(coreMinutes > DEAR ? [cost] : []),
    ...(outcome === 'open' && wanted !== null ? [t('{n} seeds an arm do not decide; {wanted} could.', { n: seeds.length, wanted })] : []),
    ...(voids.length > 0 ? [tn('{n} check failed.', '{n} checks failed.', voids.length)] : []),
    ...(failed > 0 ? [tn('{n} run failed.', '{n} runs failed.', failed)] : []),
  ];
  return { easy, hard };
}

/** Sentences of both kinds, in the order of the work: reading, finding a form, running it. */
export function effortOf(card: JudgedCard, result: Ran): Effort {
  const parts = [reading(card), finding(card), running(result)];
  return { easy: parts.flatMap(({ easy }) => easy), hard: parts.flatMap(({ hard }) => hard) };
}
