/** Makes a paper of what its file says, and refuses one that could not be judged. */
import { contextsIn } from '#contract/catalog/contexts.ts';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import { armConfig, type Dose, FIRST_REPORTED_SEED, type JudgedCard, type WhatWasTested } from '#contract/papers/papers.ts';
import { FORM_MINUTES } from '#contract/papers/pilots.ts';
import { isGuess, sourceFault } from '#contract/papers/source.ts';
import { armsOf, faultOf, isCounted, seedsBeside } from '#math/contrasts.ts';

/** What a file may leave out: `definePaper` completes it. */
type Left =
  | 'sign'
  | 'claim'
  | 'published'
  | 'source'
  | 'differs'
  | 'exempt'
  | 'touch'
  | 'dose'
  | 'found'
  | 'forms'
  | 'tenSeeds'
  | 'looks'
  | 'looksFrom'
  | 'minutes'
  | 'secondLook'
  | 'firstSeed'
  | 'tunedOn'
  | 'quick'
  | 'noQuick'
  | 'longer';
type Told = Omit<JudgedCard, Left | 'form' | 'tested'> &
  Partial<Pick<JudgedCard, Left>> & {
    /** What of the method, or of its claim, is left out here: a sentence; none: nothing. */
    readonly leftOut?: string;
  };

const NOT_READ = 'The equations and the code of the paper were not read: the form follows the abstract alone.';
const OURS = 'The abstract makes no claim that could fail here.';

/** The label follows from what the card says it was checked against and what it leaves out. */
function testedBy({ id, sign = null, source = null, leftOut = '' }: Told): WhatWasTested {
  const and = (why: string): string => (leftOut === '' ? why : `${why} ${leftOut}`);
  if (!isListed(id)) return { label: 'our question', why: '' };
  if (sign !== null) return { label: 'our question', why: and(OURS) };
  if (isGuess(source)) return { label: 'our guess', why: and(NOT_READ) };
  return leftOut === '' ? { label: 'the method', why: '' } : { label: 'a reduced method', why: leftOut };
}

/** Whether an id is that of a paper of the list, not of a claim of our own. */
export const isListed = (id: string): boolean => /^P\d{3}$/.test(id);

/** Whether each task of a sequence gets one block of the run's steps. */
function isOneBlockEach({ env, run }: JsonObject): boolean {
  const { list = [], order } = contextsIn(objectOf(objectOf(env).config)) ?? {};
  return list.length > 1 && order?.by === 'blocks' && objectOf(run).steps === list.length * (order.steps ?? 0);
}

/** Why a swept size cannot be shown; null: it can. */
function doseFault({ contrasts }: Pick<JudgedCard, 'contrasts'>, { points }: Dose): string | null {
  if (points.length < 3 || points.length > 5) return 'a dose has three to five points.';
  if (points.some(({ at }, i) => i > 0 && at <= points[i - 1]!.at)) return 'points of a dose rise.';
  const named = points.map(({ arm }) => arm).join();
  const swept = contrasts.some((contrast) => contrast.kind === 'slope' && contrast.arms.join() === named);
  return swept ? null : 'a dose is judged by a slope over the arms of its points, in their order.';
}

const duplicate = (names: readonly string[]): string | undefined => names.find((name, i) => names.indexOf(name) !== i);

/**
 * Completes a paper with what its file leaves out. Throws Error for an id that is none, arms or contrasts named twice, a contrast or an
 * exemption that names an unknown arm, a swept number for each arm missing, a size that is missing or on the wrong side of its null, or seeds that were tuned on.
 */
export function definePaper(told: Told): JudgedCard {
  const { leftOut, ...rest } = told;
  const paper: JudgedCard = {
    form: told.dose ? 'dose' : 'comparison',
    dose: null,
    found: null,
    forms: 1,
    sign: null,
    claim: '',
    published: null,
    source: null,
    differs: [],
    exempt: [],
    touch: null,
    tenSeeds: false,
    looks: told.tenSeeds ? [10] : [5, 10],
    looksFrom: told.tenSeeds || told.looks !== undefined ? 'card' : 'pilot',
    minutes: FORM_MINUTES,
    secondLook: 'always',
    firstSeed: FIRST_REPORTED_SEED,
    tunedOn: null,
    quick: null,
    noQuick: '',
    longer: null,
    ...rest,
    tested: testedBy(told),
  };
  const refuse = (why: string): never => {
    throw new Error(`Paper ${paper.id}: ${why}`);
  };
  if (!/^(P\d{3}|[a-z0-9]+(-[a-z0-9]+)*)$/.test(paper.id)) refuse('its id is neither like P033 nor lower-case words joined by "-".');
  const names = paper.arms.map(({ id }) => id);
  const twice = duplicate(names) ?? duplicate(paper.contrasts.map(({ id }) => id));
  if (twice !== undefined) refuse(`"${twice}" is named twice.`);
  if (paper.contrasts.filter(isCounted).length > 3) refuse('more than three contrasts beside controls and premises.');
  if (!Number.isInteger(paper.forms) || paper.forms < 1) refuse('its forms are counted from 1.');
  if (leftOut?.trim() === '') refuse('what is left out must be named, or the field left away.');
  const { claim, source, differs, published } = paper;
  if (isListed(paper.id) && (claim === '' || source === null || differs.length === 0))
    refuse('it must say what its abstract claims, what it was checked against (source) and what differs here.');
  const wrong = source === null ? '' : sourceFault(source, leftOut ?? '');
  if (wrong !== '') refuse(wrong);
  const dosed = paper.dose === null ? null : doseFault(paper, paper.dose);
  if (dosed !== null) refuse(dosed);
  if (differs.length > 3) refuse('differs has more than three points.');
  if (published !== null && ![...names, ...paper.contrasts.map(({ id }) => id)].includes(published.of))
    refuse(`published names neither an arm nor a contrast: "${published.of}".`);
  const unknown = [...paper.contrasts.flatMap(armsOf), ...paper.exempt.flatMap(({ arms }) => arms)].find((arm) => !names.includes(arm));
  if (unknown !== undefined) refuse(`there is no arm "${unknown}".`);
  for (const contrast of paper.contrasts) {
    if ('x' in contrast && contrast.x.length !== contrast.arms.length) refuse(`${contrast.id} needs a swept number for each arm.`);
    if (contrast.kind === 'slope' && (contrast.over ?? contrast.arms).length !== contrast.arms.length)
      refuse(`${contrast.id} needs as many arms on both sides.`);
    if (
      contrast.kind === 'cells' &&
      !(contrast.cells.every((cell) => cell.length > 1) && contrast.of >= 1 && contrast.of <= contrast.cells.length)
    )
      refuse(`${contrast.id} needs two arms or more in each cell, and a number of them.`);
    if ('units' in contrast && contrast.units?.length !== (contrast.kind === 'cells' ? contrast.cells : contrast.arms).length)
      refuse(`${contrast.id} needs a unit for each place.`);
    if ((contrast.kind === 'agree' || contrast.kind === 'pairs') && contrast.arms.length !== contrast.others.length)
      refuse(`${contrast.id} needs as many arms on both sides.`);
    if (contrast.kind === 'published' && (told.looks?.at(-1) ?? Infinity) > seedsBeside(contrast.theirs))
      refuse(
        `${contrast.id} needs looks of its card, up to ${seedsBeside(contrast.theirs)} seeds: the published mean has ${contrast.theirs.seeds}.`,
      );
    const fault = faultOf(contrast);
    if (fault) refuse(`${contrast.id}: ${fault.text}`);
  }
  if (paper.tunedOn !== null && !(paper.tunedOn[0] <= paper.tunedOn[1] && paper.tunedOn[1] < FIRST_REPORTED_SEED))
    refuse(`settings must be chosen on seeds below ${FIRST_REPORTED_SEED}.`);
  if (!Number.isInteger(paper.firstSeed) || paper.firstSeed < FIRST_REPORTED_SEED)
    refuse(`reported seeds begin at ${FIRST_REPORTED_SEED} or later.`);
  const bare = paper.exempt.find(({ why }) => why.trim() === '');
  if (bare !== undefined) refuse(`the exemption from "${bare.check}" gives no reason.`);
  if (paper.tenSeeds && paper.secondLook === 'full') refuse('it has no first look to stop after.');
  for (const arm of paper.arms)
    if ('tasks' in (arm.quantity ?? paper.quantity) && !isOneBlockEach(armConfig(paper, arm)))
      refuse(`what ${arm.id} keeps of its tasks is counted where each gets one block of the run's steps.`);
    else if ('tasks' in (arm.quantity ?? paper.quantity) && paper.quick?.run.steps !== undefined)
      refuse('its quick form cuts steps, and would cut tasks: cut seeds or episodes.');
  return paper;
}
