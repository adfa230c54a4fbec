/** What the board of a class shows of an entry, and its table as a file. */
import { csvCell } from '#contract/kit/csv.ts';
import type { Json } from '#contract/kit/json.ts';
import { type Answer, type Lesson, meets, type Prediction } from '#lessons/define.ts';
import { claimedOutcome, countedArms, measureOf, type PupilResult } from '#lessons/result.ts';
import { t, tn } from '#text/text.ts';
import { figure, summary } from '../results.ts';
import { type Entry, sameSeat } from './entries.ts';
import type { Verdict } from './verify.ts';

/** The number that decides, and whether the goal of the step was reached; null: the step has no goal. */
export function scoreOf({ lesson, step, claimed }: PupilResult): { readonly value: number | null; readonly met: boolean | null } {
  const at = lesson.steps[step]!;
  const measure = measureOf(at);
  const [mine, ...others] = claimed.map((run) => claimedOutcome(run, measure));
  if (mine === undefined) return { value: null, met: null };
  if (at.check === undefined) return { value: summary(mine, measure)?.middle ?? null, met: null };
  const { than } = at.check;
  const rival = than === undefined ? null : (others[countedArms(at).findIndex(({ label }) => label === than) - 1] ?? null);
  const found = meets(at.check, mine, rival);
  return { value: found?.value ?? null, met: found?.met ?? null };
}

/** How a result counts: one that could not be verified has not reached the goal, and is not forged either. */
export function kindOf(state: Verdict['state'], met: boolean | null): 'forged' | 'open' | 'not' | 'met' {
  if (state === 'forged') return 'forged';
  if (state === 'unknown') return 'open';
  return met === false ? 'not' : 'met';
}

/** Whether a result reached the goal of its step; null: the step has no goal, or the result is forged or could not be verified. */
export const goalReached = (state: Verdict['state'], met: boolean | null): boolean | null =>
  state === 'forged' || state === 'unknown' ? null : met;

/**
 * The entries that count: of a seat's results at one step those before the newest that was found true on all its seeds are left out. Before
 * one is, all of them stand, so that a forged code takes no true one's place.
 */
export function standing(
  entries: readonly Entry[],
  verdicts: Readonly<Record<string, Pick<Verdict, 'state' | 'checked' | 'of'>>>,
): readonly Entry[] {
  const isTrue = ({ code }: Entry): boolean => {
    const verdict = verdicts[code];
    return verdict?.state === 'holds' && verdict.checked === verdict.of;
  };
  return entries.filter((entry, i) => !entries.slice(i + 1).some((later) => sameSeat(entry, later) && isTrue(later)));
}

/** Settings of an entry in words: "epsilon 0, step size 0.5". `titles` by path; `of`: which of them, left out: all. */
export function settingsOf(
  { lesson, step, values }: PupilResult,
  titles: ReadonlyMap<string, string>,
  of: (path: string) => boolean = () => true,
): string {
  return lesson.steps[step]!.show.flatMap((path, i) =>
    values[i] === null || !of(path) ? [] : [`${titles.get(path) ?? path} ${settingText(values[i] ?? null)}`],
  ).join(', ');
}

/** Paths of the settings in which all entries of a step are alike, and need to be said once only; none where nothing else would be left. */
export function alikeIn(entries: readonly Entry[]): ReadonlySet<string> {
  const [first, ...others] = entries.map(({ result }) => result);
  if (first === undefined || others.length === 0) return new Set();
  const { show } = first.lesson.steps[first.step]!;
  const text = ({ values }: PupilResult, i: number): string => JSON.stringify(values[i] ?? null);
  const alike = show.filter((_, i) => others.every((other) => text(other, i) === text(first, i)));
  return new Set(alike.length === show.length ? [] : alike);
}

function settingText(value: Json): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(4)));
  if (Array.isArray(value) && value.every((row) => typeof row === 'string')) return t('map of {n} rows', { n: value.length });
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function verdictText({ state, checked, of, why }: Verdict): string {
  if (state === 'holds')
    return checked < of
      ? t('true so far, {n} of {all} seeds', { n: checked, all: of })
      : tn('true, its one seed', 'true, all {n} seeds', of);
  if (state === 'forged') return t('forged: {why}', { why });
  return state === 'unknown' ? t('cannot be checked: {why}', { why }) : t('being simulated');
}

export function answerText(predict: Prediction, answer: Answer): string {
  if (predict.kind === 'choice') return typeof answer === 'number' ? (predict.options[answer] ?? '') : '';
  return typeof answer === 'number' ? figure(answer) : answer.map(figure).join(' ');
}

/** An answer as a cell: a number as it was given, several as a JSON list, a choice in its words. */
function answerCell(predict: Prediction, answer: Answer): string | number {
  if (predict.kind === 'choice') return answerText(predict, answer);
  return typeof answer === 'number' ? answer : JSON.stringify(answer);
}

/** One line for each entry; numbers unrounded as the codes hold them. */
export function csvOf(lesson: Lesson, entries: readonly Entry[], verdicts: Readonly<Record<string, Verdict>>): string {
  const asked = lesson.steps.flatMap(({ predict, title }, i) => (predict === undefined ? [] : [{ predict, title, i }]));
  const head = [
    'seat',
    'step',
    'value',
    'goal reached',
    'settings',
    'first seed',
    'seeds',
    'verdict',
    'seeds compared',
    'why',
    ...asked.map(({ title }) => `predicted: ${title}`),
    'code',
  ];
  const rows = entries.map(({ code, result }) => {
    const { value, met } = scoreOf(result);
    const verdict = verdicts[code];
    const reached = goalReached(verdict?.state ?? 'waiting', met);
    const settings = JSON.stringify(Object.fromEntries(lesson.steps[result.step]!.show.map((path, i) => [path, result.values[i] ?? null])));
    const answers = asked.map(({ predict, i }) => {
      const answer = result.answers[i];
      return answer === undefined ? '' : csvCell(answerCell(predict, answer));
    });
    return [
      result.seat === 0 ? '' : result.seat,
      result.step + 1,
      value ?? '',
      reached === null ? '' : reached ? 'yes' : 'no',
      csvCell(settings),
      result.seedStart,
      result.claimed[0]?.length ?? 0,
      verdict?.state ?? 'waiting',
      verdict?.checked ?? 0,
      csvCell(verdict?.why ?? ''),
      ...answers,
      csvCell(code),
    ].join(',');
  });
  return `${[head.map(csvCell).join(','), ...rows].join('\n')}\n`;
}
