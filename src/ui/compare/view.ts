/** What the page of comparisons shows, as it stands in the address: a view is shared by its link. */
import { objectOf, readJson } from '#contract/kit/json.ts';
import type { FieldName } from '#contract/run/config-diff.ts';
import { parseNumber } from '#ui/kit/format/numbers.ts';
import { AXES, type Axis } from '#ui/runs/curves/data.ts';

/** How a run becomes one number. greedy: the greedy test at its end. */
export const SCORES = {
  greedy: 'greedy test',
  last: 'last value',
  best: 'best value',
  at: 'value at a step',
  reach: 'steps to a level',
} as const;
export type Score = keyof typeof SCORES;

/** Which seeds count where both kinds are present: settings are tuned on those below 1001, and reported on those from there on. */
export const SEEDS = { tuning: 'tuning, below 1001', reporting: 'reporting, from 1001 on', all: 'all' } as const;
export type Seeds = keyof typeof SEEDS;

/** In place of a field: every set-up by itself; nothing. */
export const SETUP = 'setup';
export const NONE = 'none';
export type By = FieldName | typeof SETUP | typeof NONE;

export interface View {
  readonly metric: string;
  readonly axis: Axis;
  /** null: chosen by the page. */
  readonly colour: By | null;
  readonly dash: By | null;
  readonly facet: By | null;
  readonly score: Score;
  /** Step of score `at`, level of `reach`; null: not given. */
  readonly at: number | null;
  readonly level: number | null;
  readonly seeds: Seeds;
  readonly filter: string;
  /** Names that were given to groups, by what they are called without. */
  readonly names: Readonly<Record<string, string>>;
}

const LONGEST = 200; // characters of a value that are read

const numberIn = (text: string | undefined): number | null => {
  const value = text === undefined ? Number.NaN : parseNumber(text.slice(0, 30));
  return Number.isFinite(value) ? value : null;
};
/** Groups that can be named, and characters of a name. */
const MOST_NAMES = 50;
export const LONGEST_NAME = 80;

function namesIn(text = ''): View['names'] {
  if (text === '') return {};
  try {
    const given = Object.entries(objectOf(readJson(text, MOST_NAMES)));
    return Object.fromEntries(
      given.flatMap(([group, name]) => (typeof name === 'string' && name !== '' ? [[group, name.slice(0, LONGEST_NAME)]] : [])),
    );
  } catch {
    return {}; // of an address that was cut: groups are called by what they are
  }
}

const isIn = <T extends string>(known: { readonly [K in T]: unknown }, text: string): text is T => Object.hasOwn(known, text);
const oneOf = <T extends string>(known: { readonly [K in T]: unknown }, text: string | undefined, otherwise: T): T =>
  text !== undefined && isIn(known, text) ? text : otherwise;

/** Reads an address; what it does not say, or says wrongly, is as on a fresh page. */
export function viewOf(query: Readonly<Record<string, string>>): View {
  const by = (text: string | undefined): By | null => (text === undefined || text === '' ? null : text.slice(0, LONGEST));
  return {
    metric: query.metric?.slice(0, LONGEST) || 'episodicReturn',
    axis: oneOf<Axis>(AXES, query.x, 'steps'),
    colour: by(query.colour),
    dash: by(query.dash),
    facet: by(query.facet),
    score: oneOf<Score>(SCORES, query.score, 'greedy'),
    at: numberIn(query.at),
    level: numberIn(query.level),
    seeds: oneOf<Seeds>(SEEDS, query.seeds, 'tuning'),
    filter: query.filter?.slice(0, LONGEST) ?? '',
    names: namesIn(query.names),
  };
}

/** The address of a view: only what is not as on a fresh page. */
export function queryOf(view: View): Record<string, string> {
  const usual = viewOf({});
  const query: Record<string, string> = {};
  const put = (name: string, value: string | number | null, otherwise: string | number | null): void => {
    if (value !== null && value !== otherwise) query[name] = String(value);
  };
  put('metric', view.metric, usual.metric);
  put('x', view.axis, usual.axis);
  put('colour', view.colour, null);
  put('dash', view.dash, null);
  put('facet', view.facet, null);
  put('score', view.score, usual.score);
  put('at', view.at, null);
  put('level', view.level, null);
  put('seeds', view.seeds, usual.seeds);
  put('filter', view.filter, '');
  put('names', Object.keys(view.names).length === 0 ? '' : JSON.stringify(view.names), '');
  return query;
}
