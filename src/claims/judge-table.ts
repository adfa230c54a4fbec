/**
 * A table of scores from anywhere, judged by the rule of the claims. It is one object or a list of them:
 *   {"contrasts": [{"id": "main", "kind": "difference", "arm": "a", "over": "b", "claim": "above", "size": 0.5}],
 *    "scores": {"a": [..], "b": [..]}, "looks": [5, 10, 20, 40]}
 * The fields of contrasts are those of math/contrasts.ts; `pairs` and `agree` may name one `arm` and `over` in place of lists. `looks`,
 * `censored` (for each arm one true or false a score: the run stopped there without arriving), `forms` (which form of its claim is judged, from
 * 1) and `tested` (what stood in for the method) may be left out.
 */

import { fail } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { measure } from '#contract/kit/numbers.ts';
import { BY_ID, findingSaid, inEnglish, written } from '#contract/papers/finding-words.ts';
import { isFailedGuess, TESTED, type Tested } from '#contract/papers/labels.ts';
import { armsOf, type Contrast, faultOf, type Scores, seedsBeside, type UpTo } from '#math/contrasts.ts';
import { DEFAULT_LOOKS, looksAt } from '#math/looks.ts';
import { type Judgement, judge } from '#math/rule.ts';

/** One object of a file, checked. */
interface Table {
  readonly contrasts: readonly Contrast[];
  readonly scores: Scores;
  readonly looks: readonly number[];
  readonly upTo: UpTo;
  readonly forms: number;
  /** null: the file does not say what was tested. */
  readonly tested: Tested | null;
}

/** What is said of one object. */
export interface JudgedTable extends Pick<Judgement, 'seeds' | 'wanted' | 'voids' | 'absent' | 'outcome'> {
  /** null: the file does not say. */
  readonly tested: Tested | null;
  /** `says`: the finding as a sentence, with the ids of arms as their names. */
  readonly contrasts: readonly (Judgement['findings'][number] & { readonly says: string })[];
}

const MOST = { tables: 100_000, contrasts: 6, arms: 200, seeds: 255, name: 200 };
/** A run that never arrives takes at most so many times what it was given. */
const NEVER = 1000;

const wrong = (field: string, what: string, fix: string) => fail('file-invalid', `${field}: ${what}`, fix, field);

function object(value: Json | undefined, field: string): JsonObject {
  if (!isObject(value))
    throw wrong(field, value === undefined ? 'it is missing.' : 'it is no object.', `Write ${field} as an object {...}.`);
  return value;
}

function list(value: Json | undefined, field: string, most: number): readonly Json[] {
  if (!Array.isArray(value))
    throw wrong(field, value === undefined ? 'it is missing.' : 'it is no list.', `Write ${field} as a list [...].`);
  if (value.length < 1 || value.length > most) throw wrong(field, `it has ${value.length} entries.`, `Give ${field} 1 to ${most} entries.`);
  return value;
}

function number(value: Json | undefined, field: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw wrong(field, value === undefined ? 'it is missing.' : 'it is no finite number.', `Write a number for ${field}.`);
  return value;
}

function text(value: Json | undefined, field: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MOST.name)
    throw wrong(
      field,
      value === undefined ? 'it is missing.' : 'it is no short text.',
      `Write a text of 1 to ${MOST.name} characters for ${field}.`,
    );
  return value;
}

function oneOf<T extends string>(value: Json | undefined, field: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw wrong(field, value === undefined ? 'it is missing.' : 'it is unknown.', whichOf(value, allowed));
  return found;
}

function flag(value: Json | undefined, field: string): boolean {
  if (value !== undefined && typeof value !== 'boolean')
    throw wrong(field, 'it is neither true nor false.', `Write true or false for ${field}.`);
  return value ?? false;
}

const numbers = (value: Json | undefined, field: string, most: number): readonly number[] =>
  list(value, field, most).map((one, i) => number(one, `${field}[${i}]`));
const texts = (value: Json | undefined, field: string): readonly string[] =>
  list(value, field, MOST.arms).map((one, i) => text(one, `${field}[${i}]`));

function shareOf(value: Json, field: string): { readonly atLeast: number } | { readonly atMost: number } {
  const share = object(value, field);
  return share.atLeast === undefined
    ? { atMost: number(share.atMost, `${field}.atMost`) }
    : { atLeast: number(share.atLeast, `${field}.atLeast`) };
}

const KINDS = ['difference', 'ratio', 'order', 'rank', 'slope', 'cells', 'agree', 'pairs', 'level', 'every', 'published'] as const;
const SHARED = ['id', 'kind', 'claim', 'none', 'size', 'control', 'premise', 'middle', 'share', 'paired', 'clusters'];
const OWN: { readonly [K in (typeof KINDS)[number]]: readonly string[] } = {
  difference: ['arm', 'over'],
  ratio: ['arm', 'over'],
  order: ['arms'],
  rank: ['arms', 'x'],
  slope: ['arms', 'x', 'over', 'units'],
  cells: ['cells', 'of', 'units'],
  agree: ['arms', 'others', 'arm', 'over'],
  pairs: ['arms', 'others', 'arm', 'over'],
  level: ['arm'],
  every: ['arm'],
  published: ['arm', 'theirs'],
};

/** The fields of one kind beside those that all contrasts share. */
function ownFields(raw: JsonObject, kind: (typeof KINDS)[number], field: string) {
  const at = (name: string): string => `${field}.${name}`;
  const sameLength = (values: readonly unknown[], name: string, arms: readonly unknown[]): void => {
    if (values.length !== arms.length)
      throw wrong(at(name), `it has ${values.length} entries for ${arms.length} places.`, 'Give one for each place.');
  };
  switch (kind) {
    case 'difference':
    case 'ratio':
      return { kind, arm: text(raw.arm, at('arm')), over: text(raw.over, at('over')) };
    case 'level':
    case 'every':
      return { kind, arm: text(raw.arm, at('arm')), none: number(raw.none, at('none')) };
    case 'published': {
      const theirs = object(raw.theirs, at('theirs'));
      const part = (name: string): number => number(theirs[name], at(`theirs.${name}`));
      return { kind, arm: text(raw.arm, at('arm')), theirs: { mean: part('mean'), deviation: part('deviation'), seeds: part('seeds') } };
    }
    case 'order': {
      const arms = texts(raw.arms, at('arms'));
      if (arms.length < 2) throw wrong(at('arms'), 'one arm has no order.', 'Name two arms or more.');
      return { kind, arms };
    }
    case 'rank': {
      const arms = texts(raw.arms, at('arms'));
      const x = numbers(raw.x, at('x'), MOST.arms);
      sameLength(x, 'x', arms);
      return { kind, arms, x };
    }
    case 'slope': {
      const arms = texts(raw.arms, at('arms'));
      const x = numbers(raw.x, at('x'), MOST.arms);
      sameLength(x, 'x', arms);
      const over = raw.over === undefined ? undefined : texts(raw.over, at('over'));
      if (over) sameLength(over, 'over', arms);
      const units = raw.units === undefined ? undefined : numbers(raw.units, at('units'), MOST.arms);
      if (units) sameLength(units, 'units', arms);
      return { kind, arms, x, ...(over && { over }), ...(units && { units }) };
    }
    case 'cells': {
      const cells = list(raw.cells, at('cells'), MOST.arms).map((cell, i) => texts(cell, `${at('cells')}[${i}]`));
      const short = cells.findIndex((cell) => cell.length < 2);
      if (short >= 0) throw wrong(`${at('cells')}[${short}]`, 'one arm has no rival.', 'Name two arms or more in each cell.');
      const of = number(raw.of, at('of'));
      if (!Number.isInteger(of) || of < 1 || of > cells.length)
        throw wrong(at('of'), `there are ${cells.length} cells.`, `Write a whole number from 1 to ${cells.length}.`);
      const units = raw.units === undefined ? undefined : numbers(raw.units, at('units'), MOST.arms);
      if (units) sameLength(units, 'units', cells);
      return { kind, cells, of, ...(units && { units }) };
    }
    default: {
      const single = raw.arms === undefined;
      const arms = single ? [text(raw.arm, at('arm'))] : texts(raw.arms, at('arms'));
      const others = single ? [text(raw.over, at('over'))] : texts(raw.others, at('others'));
      sameLength(others, 'others', arms);
      if (kind === 'agree' ? arms.length < 4 : arms.length === 2 || arms.length === 3)
        throw wrong(at('arms'), `${arms.length} places are too few to be a sample.`, 'Name four places or more.');
      return { kind, arms, others };
    }
  }
}

function contrastOf(value: Json, field: string): Contrast {
  const raw = object(value, field);
  const kind = oneOf(raw.kind, `${field}.kind`, KINDS);
  const stray = Object.keys(raw).find((name) => !SHARED.includes(name) && !OWN[kind].includes(name));
  if (stray !== undefined)
    throw wrong(`${field}.${stray.slice(0, MOST.name)}`, `${kind} has no such field.`, `Use: ${[...SHARED, ...OWN[kind]].join(', ')}.`);
  const contrast: Contrast = {
    id: text(raw.id, `${field}.id`),
    claim: oneOf(raw.claim, `${field}.claim`, ['above', 'below']),
    ...(raw.none !== undefined && { none: number(raw.none, `${field}.none`) }),
    ...(raw.size !== undefined && { size: number(raw.size, `${field}.size`) }),
    ...(flag(raw.control, `${field}.control`) && { control: true }),
    ...(flag(raw.premise, `${field}.premise`) && { premise: true }),
    ...(raw.middle !== undefined && { middle: oneOf(raw.middle, `${field}.middle`, ['iqm', 'median', 'mean']) }),
    ...(raw.share !== undefined && { share: shareOf(raw.share, `${field}.share`) }),
    ...(flag(raw.paired, `${field}.paired`) && { paired: true }),
    ...(raw.clusters !== undefined && { clusters: number(raw.clusters, `${field}.clusters`) }),
    ...ownFields(raw, kind, field),
  };
  const fault = faultOf(contrast);
  if (fault) throw wrong(`${field}.${fault.field}`, fault.text, 'Change it and judge again.');
  return contrast;
}

function scoresOf(value: Json | undefined, field: string): Scores {
  const raw = Object.entries(object(value, field));
  if (raw.length > MOST.arms) throw wrong(field, `it has ${raw.length} arms.`, `Give ${MOST.arms} at most.`);
  return Object.fromEntries(raw.map(([arm, values]) => [arm, numbers(values, `${field}.${arm.slice(0, MOST.name)}`, MOST.seeds)]));
}

function upToOf(value: Json | undefined, scores: Scores, field: string): UpTo {
  if (value === undefined) return {};
  return Object.fromEntries(
    Object.entries(object(value, field)).map(([arm, flags]) => {
      const at = `${field}.${arm.slice(0, MOST.name)}`;
      const own = Object.hasOwn(scores, arm) ? scores[arm] : undefined;
      if (own === undefined) throw wrong(at, 'there are no scores of that arm.', 'Name an arm of scores.');
      const cut = list(flags, at, MOST.seeds).map((one, i) => flag(one, `${at}[${i}]`));
      if (cut.length !== own.length) throw wrong(at, `it has ${cut.length} entries for ${own.length} scores.`, 'Give one for each score.');
      const negative = own.findIndex((score, i) => cut[i] && score <= 0);
      if (negative >= 0) throw wrong(`${at}[${negative}]`, 'its score is not above 0.', 'Give the steps at which the run was cut short.');
      return [arm, own.map((score, i) => (cut[i] ? score * NEVER : null))];
    }),
  );
}

const PLAIN = inEnglish(measure);

const FIELDS = ['contrasts', 'scores', 'looks', 'censored', 'forms', 'tested'];
/** Earlier forms leave less and less of the error: none of a paper had so many. */
const MOST_FORMS = 20;

/** Checks one object. Throws LabError that names the field. */
function tableOf(value: Json, field: string): Table {
  const raw = object(value, field === '' ? 'the file' : field);
  const at = (name: string): string => (field === '' ? name : `${field}.${name}`);
  const stray = Object.keys(raw).find((name) => !FIELDS.includes(name));
  if (stray !== undefined) throw wrong(at(stray.slice(0, MOST.name)), 'there is no such field.', `Use: ${FIELDS.join(', ')}.`);
  const contrasts = list(raw.contrasts, at('contrasts'), MOST.contrasts).map((one, i) => contrastOf(one, `${at('contrasts')}[${i}]`));
  const ids = contrasts.map(({ id }) => id);
  const twice = ids.findIndex((id, i) => ids.indexOf(id) !== i);
  if (twice >= 0) throw wrong(`${at('contrasts')}[${twice}].id`, 'another contrast has it.', 'Give each contrast a name of its own.');
  const scores = scoresOf(raw.scores, at('scores'));
  const names = [...new Set(contrasts.flatMap(armsOf))];
  const missing = names.find((arm) => !Object.hasOwn(scores, arm));
  if (missing !== undefined)
    throw wrong(`${at('scores')}.${missing}`, 'a contrast names this arm and it has no scores.', 'Add its list of scores.');
  const seeds = scores[names[0]!]!.length;
  const uneven = names.find((arm) => scores[arm]!.length !== seeds);
  if (uneven !== undefined)
    throw wrong(
      `${at('scores')}.${uneven}`,
      `it has ${scores[uneven]!.length} scores, ${names[0]} has ${seeds}.`,
      'Give every arm the same seeds.',
    );
  const looks = raw.looks === undefined ? DEFAULT_LOOKS : numbers(raw.looks, at('looks'), 10);
  for (const contrast of contrasts)
    if (contrast.kind === 'published' && Math.max(...looks) > seedsBeside(contrast.theirs))
      throw wrong(
        at('looks'),
        `"${contrast.id}" is held against a published mean of ${contrast.theirs.seeds} seeds.`,
        `Look at ${seedsBeside(contrast.theirs)} seeds at most.`,
      );
  const forms = raw.forms === undefined ? 1 : number(raw.forms, at('forms'));
  if (!Number.isInteger(forms) || forms < 1 || forms > MOST_FORMS)
    throw wrong(
      at('forms'),
      'it is no count of forms.',
      `Write a whole number from 1 to ${MOST_FORMS}: this form and those judged before it.`,
    );
  const tested = raw.tested === undefined ? null : oneOf(raw.tested, at('tested'), TESTED);
  return { contrasts, scores, looks, upTo: upToOf(raw.censored, scores, at('censored')), forms, tested };
}

function judged({ contrasts, scores, looks, upTo, forms, tested }: Table, field: string): JudgedTable {
  try {
    looksAt(looks, forms);
    const { outcome, seeds, wanted, voids, absent, findings } = judge(contrasts, scores, { looks, upTo, forms });
    const said = tested !== null && isFailedGuess({ tested, outcome }) ? 'open' : outcome;
    const told = findings.map((found, i) => ({ ...found, says: written(findingSaid(contrasts[i]!, found, BY_ID, PLAIN), PLAIN) }));
    return { outcome: said, tested, seeds, wanted, voids, absent, contrasts: told };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw wrong(field === '' ? 'the file' : field, error.message, 'Change it and judge again.');
  }
}

/** Judges the objects of a file, in its order. Throws LabError('file-invalid') that names the field; nothing is judged where one is wrong. */
export function judgeTables(value: Json): readonly JudgedTable[] {
  const many = Array.isArray(value);
  const all = many ? list(value, 'the list', MOST.tables) : [value];
  const field = (i: number): string => (many ? `[${i}]` : '');
  return all.map((one, i) => tableOf(one, field(i))).map((table, i) => judged(table, field(i)));
}
