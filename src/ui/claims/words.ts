/** A paper's outcome and differences in words, and how to cite it. Pure. */

import { sameJson } from '#contract/kit/canonical.ts';
import { capital } from '#contract/kit/capital.ts';
import type { PaperCard } from '#contract/papers/forms.ts';
import { labelsInWords, labelsOf, MEANINGS, outcomeInWords, pastInWords, type Tested } from '#contract/papers/labels.ts';
import type { Arm, JudgedCard, Published } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { measure, percent } from '#ui/kit/format/numbers.ts';
import { settingsInWords } from './settings.ts';

/** What of a result its outcome is explained by. */
type Judged = Pick<PaperResult, 'findings' | 'voids' | 'outcome' | 'because' | 'decidedOn' | 'wanted'>;

/** Failed checks that are told in full; ten arms that fail the same one would be a screen of text. */
const TOLD = 2;

/** One or two sentences: what the runs say of the claim, and of whom. */
export function outcomeInSentences(result: Judged, tested: Tested): string {
  const { outcome, because, findings, voids, decidedOn, wanted } = result;
  if (voids.length > 0) {
    const told = voids.slice(0, TOLD).map(({ text }) => text);
    const rest = voids.length > TOLD ? ` And ${voids.length - TOLD} more, listed below under Checks.` : '';
    return `A check failed, so nothing is concluded from these runs: ${told.join(' ')}${rest}`;
  }
  if (findings.length === 0) return 'Nothing was judged yet.';
  const more = wanted === null ? '' : ` ${wanted} seeds an arm could decide what is open.`;
  if (because !== '') return `${because}${more}`;
  const said = capital(outcomeInWords({ tested, outcome }));
  return `${said}, on ${decidedOn} seeds an arm. ${MEANINGS[outcome]}${more}`;
}

/** How sure the outcome is: what its intervals cover, how often the rule errs, and how many forms share that error. */
export function howSure({ findings, decidedOn }: Pick<PaperResult, 'findings' | 'decidedOn'>, forms: number): string {
  const [main] = findings;
  if (main === undefined) return '';
  const level = percent((100 * main.level).toFixed(2).replace(/\.?0+$/, ''));
  const several = findings.length > 1 ? ' each' : '';
  const shared = forms > 1 ? ` This is form ${forms} of this paper: the forms judged before it have used their share of these 5.` : '';
  return `Intervals of ${level}${several}, on ${decidedOn} seeds. Were the claimed effect absent, this rule would find it in at most 5 of 100 repetitions.${shared}`;
}

/** By how much a number here may differ from the published one before the page says so. */
const FAR = 2;

/**
 * The published number beside the same quantity here, and whether they are more than a factor of two apart; null where either is missing. That
 * they are closer is not said: beside a claim of "twice" it would read as if that held.
 */
export function besidePublished(
  published: Published | null,
  { findings, arms }: Pick<PaperResult, 'findings' | 'arms'>,
): { readonly text: string; readonly apart: boolean } | null {
  if (published === null) return null;
  const { value, text, of } = published;
  const scores = (arms.find(({ id }) => id === of)?.scores ?? []).flatMap((score) => score ?? []);
  const mean = scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const here = findings.find(({ id }) => id === of)?.estimate ?? mean;
  if (here === undefined) return null;
  const ratio = here / value;
  const apart = !(ratio <= FAR && ratio >= 1 / FAR);
  return {
    apart,
    text: `Published: ${text}. Here: ${measure(here, 3)}${of === findings[0]?.id ? '' : ` (${of})`}.${apart ? ' More than a factor of two apart.' : ''}`,
  };
}

/** What became of the rule since the first result, from the verdicts that stood in this file before; oldest first. */
export function ruleHistory({ rule, judge, log }: Pick<PaperResult, 'rule' | 'judge' | 'log'>): string {
  const before = log.filter((entry) => entry.rule !== rule);
  if (before.length === 0) return 'It has not changed since the first published result.';
  // the version of the judge is part of every hash: two hashes by one judge are a change of this card
  const all = [...log, { rule, judge }];
  const ofCard = all.some((one) => all.some((other) => other.judge === one.judge && other.rule !== one.rule));
  const entries = before.map((entry) => `${entry.date.slice(0, 10)}: rule ${entry.rule}, judge ${entry.judge}, ${pastInWords(entry)}`);
  const what = ofCard
    ? 'It was changed after a first result.'
    : 'The judge of all results was changed after a first result, this card was not.';
  return `${what} Before: ${entries.join('; ')}.`;
}

/**
 * What of an arm differs from the shared config, in short phrases; `title` names worlds and methods. An arm that reads the runs of one before it
 * names that one.
 */
export function differsInWords(
  { id, differs = {}, script, explain }: Arm,
  title: (kind: 'env' | 'algo', id: string) => string,
  all: readonly Arm[] = [],
): readonly string[] {
  const { env, algo, run } = differs;
  const place = all.findIndex((other) => other.id === id);
  const same = all.slice(0, Math.max(0, place)).find((other) => other.script === script && sameJson(other.differs ?? {}, differs));
  const attack = explain?.judge === 'attack' ? [`then attacked (${settingsInWords({ ...explain.question }).join(', ')})`] : [];
  if (same !== undefined && script === undefined) return [`the same runs as “${same.title}”`, ...attack];
  return [
    ...attack,
    ...(script === undefined ? [] : [`scripted policy “${script}”, nothing is trained`]),
    ...(env?.id === undefined ? [] : [title('env', env.id)]),
    ...settingsInWords(env?.config),
    ...(algo?.id === undefined ? [] : [title('algo', algo.id)]),
    ...settingsInWords(algo?.config),
    ...settingsInWords(run),
  ];
}

/** What was tested, in words: the question of an own card is not ours. */
export const testedOf = ({ id, tested }: Pick<JudgedCard, 'id' | 'tested'>): string =>
  id.startsWith('own-') ? 'a question of its author' : tested.label;

/** BibTeX of the paper, with a note of what was run here. */
export function citation(
  paper: Pick<PaperCard, 'id' | 'title' | 'authors' | 'year' | 'link' | 'form'>,
  result: Pick<PaperResult, 'tested' | 'outcome' | 'rule' | 'commit' | 'decidedOn'> | null,
): string {
  const { id, title, authors, year, link, form } = paper;
  const name = (/[A-Za-z]+/.exec(authors)?.[0] ?? id).toLowerCase();
  const here =
    result === null
      ? form === 'comparison' || form === 'dose'
        ? ''
        : ` (${form}), without a verdict`
      : `: ${labelsInWords(labelsOf(result))} on ${result.decidedOn} seeds an arm, rule ${result.rule}, commit ${result.commit}`;
  return [
    `@misc{${name}${year === 0 ? '' : year}${id.toLowerCase()},`,
    `  title  = {${title}},`,
    // an own card may name no author, and its address is the page's
    ...(authors === '' ? [] : [`  author = {${authors}},`]),
    ...(year === 0 ? [] : [`  year   = {${year}},`]),
    ...(link === '' || link.startsWith('#') ? [] : [`  url    = {${link}},`]),
    `  note   = {Run in RL Workbench as ${id}${here}},`,
    '}',
  ].join('\n');
}
