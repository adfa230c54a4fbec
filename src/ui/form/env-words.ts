/** Spaces, limits and settings of an environment as rows of tables and short phrases. Pure. */
import type { EnvCard, FieldSchema } from '#contract/catalog/catalog.ts';
import { learnsWell } from '#contract/catalog/learnable.ts';
import { kindField, kindsOf } from '#contract/catalog/variants.ts';
import type { ActionSpace, ObsSpace } from '#contract/game/spaces.ts';
import { type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';
import { sentencesOf } from '#report/source-head.ts';
import { known, t } from '#text/text.ts';
import { editable } from '#ui/kit/format/numbers.ts';
import { rangeText } from './leaves.ts';

export interface Line {
  readonly what: string;
  readonly meaning: string;
  readonly range: string;
}

const UNBOUNDED = 1e5;

/** "4 numbers", "7 x 7 cells of 3 codes and 4 numbers", "one of 16 states". */
export function obsInWords(obs: ObsSpace): string {
  switch (obs.kind) {
    case 'discrete':
      return obs.n === 1 ? 'nothing (one state)' : `one of ${obs.n} states`;
    case 'box':
      return obs.shape.length === 1 ? `${obs.shape[0]} ${obs.shape[0] === 1 ? 'number' : 'numbers'}` : `${obs.shape.join(' × ')} numbers`;
    case 'grid': {
      const [h, w, c] = obs.shape;
      return `${h} × ${w} cells of ${c} ${c === 1 ? 'code' : 'codes'}${obs.extra > 0 ? ` and ${obs.extra} numbers` : ''}`;
    }
  }
}

/** What was measured of the recommended method (bench/results/learn.json). */
export interface LearnedFact {
  readonly seconds: number;
  readonly fraction: number | null;
  /** One seed of it ended better than it began, by the line that the page draws; null: not tried. */
  readonly kept: boolean | null;
}

/** From so many seconds on a tile says how long the whole run takes. */
const LONG = 60;
/** Seeds of a run that one press begins. */
const SEEDS = 5;

/**
 * What a tile says before it is pressed. "learns in about 4 s": one learner on one core. "takes about 11 minutes": all of them, `parallel` at a time;
 * also where little is learned. Nothing where it was not measured, or where little is learned soon.
 */
export function learnsIn(learned: LearnedFact | null | undefined, parallel = 1): string {
  if (learned == null) return '';
  const { seconds } = learned;
  if (seconds >= LONG) return t('takes about {n} minutes', { n: Math.max(2, Math.round((seconds * Math.ceil(SEEDS / parallel)) / 60)) });
  if (!learnsWell(learned) || learned.kept === false) return '';
  if (seconds < 1) return t('learns in less than 1 s');
  const rounded = seconds < 10 ? Math.round(seconds) : 5 * Math.round(seconds / 5);
  return t('learns in about {n} s', { n: rounded });
}

export function actionInWords(action: ActionSpace): string {
  return action.kind === 'discrete' ? `one of ${action.n}` : `${action.size} ${action.size === 1 ? 'number' : 'numbers'}`;
}

/** One line per number where they have names, else one for all. */
export function obsLines(obs: ObsSpace): readonly Line[] {
  switch (obs.kind) {
    case 'discrete':
      return [{ what: `0 … ${obs.n - 1}`, meaning: 'the state, given to networks as one-hot', range: '0 or 1' }];
    case 'box': {
      const range = obs.low === null || obs.high === null ? 'unbounded' : interval(obs.low, obs.high);
      if (obs.labels !== undefined && obs.labels.length > 0)
        return obs.labels.map((label, i) => ({ what: String(i), meaning: label, range }));
      return [{ what: obs.shape.map((n) => `0 … ${n - 1}`).join(', '), meaning: 'all of them, see In detail', range }];
    }
    case 'grid': {
      const [h, w] = obs.shape;
      const cells = obs.codes.map((n, c) => ({ what: `cells, code ${c}`, meaning: `in each of ${h} × ${w} cells`, range: `0 … ${n - 1}` }));
      return obs.extra === 0
        ? cells
        : [...cells, { what: 'after the cells', meaning: `${obs.extra} further numbers, see In detail`, range: '' }];
    }
  }
}

export function actionLines(action: ActionSpace, keys: EnvCard['keys']): readonly (Line & { readonly keys: string })[] {
  if (action.kind === 'discrete')
    return Array.from({ length: action.n }, (_, i) => ({
      what: String(i),
      meaning: action.labels[i] ?? '',
      range: '',
      keys: (keys[i] ?? []).map(keyName).join(' '),
    }));
  return Array.from({ length: action.size }, (_, d) => ({
    what: String(d),
    meaning: action.labels[d] ?? '',
    range: interval(action.low[d] ?? 0, action.high[d] ?? 0),
    keys: '',
  }));
}

const KEYS: { readonly [key: string]: string } = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': 'Space' };

function keyName(key: string): string {
  return KEYS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

function interval(low: number, high: number): string {
  if (Math.abs(low) >= UNBOUNDED && Math.abs(high) >= UNBOUNDED) return 'unbounded';
  return `${number(low)} … ${number(high)}`;
}

function number(value: number): string {
  return editable(Number(value.toPrecision(6))).replace('-', '−');
}

/** "cooks 1 and 2", "agent 1 … agent 64". */
export function namesInWords(names: readonly string[]): string {
  if (names.length <= 3) return names.join(', ');
  return `${names[0]} … ${names.at(-1)}`;
}

const HEADS: readonly { readonly start: RegExp; readonly label: string }[] = [
  { start: /^Obs(ervations?)?\b/, label: 'observation' },
  { start: /^(Actions?|Step)\b/, label: 'action' },
  { start: /^(Reward|Pays?)\b/, label: 'reward' },
  { start: /^(Ends|Terminates|Truncates|An episode)\b/, label: 'ends' },
  { start: /^(Central|Global) state\b/, label: 'state' },
  { start: /^Sources?\b/, label: 'source' },
];

/** The sentences of a file's header, those with a well-known beginning under its name. What only concerns programmers is left out. */
export function detailsOf(about: readonly string[]): readonly { readonly label: string; readonly text: string }[] {
  const sentences = about.flatMap(sentencesOf);
  const out: { label: string; text: string }[] = [];
  for (const sentence of sentences) {
    const label = HEADS.find(({ start }) => start.test(sentence))?.label;
    const last = out.at(-1);
    if (last !== undefined && (label === undefined || label === last.label)) last.text += ` ${sentence}`;
    else out.push({ label: label ?? '', text: sentence });
  }
  return out;
}

export interface Setting {
  readonly key: string;
  readonly title: string;
  readonly value: string;
  readonly range: string;
  readonly text: string;
}

/** Every setting with its default, what is allowed and where the default comes from. */
export function settingsOf(schema: FieldSchema, defaults: JsonObject): readonly Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    if (field.editor === 'variant') return variantSettings(key, field, defaults[key]);
    const inner = field.anyOf?.find((option) => (option.type as string | undefined) !== 'null') ?? field;
    const choices = (field.enum ?? inner.enum)?.map((option) => String(option)).join(', ');
    const source = field.source === undefined ? '' : ` Default after ${field.source}.`;
    return {
      key,
      title: field.title ?? key,
      value: short(defaults[key]) + (field.unit !== undefined && defaults[key] !== null ? ` ${field.unit}` : ''),
      range: choices ?? rangeText(inner),
      text: `${field.description ?? ''}${source}`,
    };
  });
}

/** The choice of the kind, and the fields of each kind with the kinds that have them. */
function variantSettings(key: string, field: FieldSchema, value: Json | undefined): readonly Setting[] {
  const own = objectOf(value);
  const [chooser] = settingsOf({ properties: { [`${key}.kind`]: kindField(field) } }, { [`${key}.kind`]: own.kind ?? null });
  const rows = new Map<string, { readonly row: Setting; readonly kinds: string[] }>();
  for (const { name, fields } of kindsOf(field)) {
    for (const [inner, schema] of Object.entries(fields)) {
      const path = `${key}.${inner}`;
      const known = rows.get(path);
      if (known !== undefined) known.kinds.push(name);
      for (const row of known === undefined ? settingsOf({ properties: { [path]: schema } }, { [path]: schema.default ?? null }) : [])
        rows.set(path, { row, kinds: [name] });
    }
  }
  const inner = [...rows.values()].map(({ row, kinds }) => ({ ...row, text: `Where the kind is ${kinds.join(' or ')}. ${row.text}` }));
  return chooser === undefined ? inner : [chooser, ...inner];
}

/** What a preset sets, "8 players, grid observation on". */
export function presetInWords(config: JsonObject, schema: FieldSchema): string {
  const parts = Object.entries(config).flatMap(([key, value]) => {
    const { title = key, ...field } = schema.properties?.[key] ?? {};
    if (field.editor !== 'variant') return [`${title} ${short(value)}`];
    const { kind = null, ...own } = objectOf(value);
    const fields = kindsOf(field).find(({ name }) => name === kind)?.fields ?? {};
    return [`${title} ${short(kind)}`, ...Object.entries(own).map(([inner, set]) => `${fields[inner]?.title ?? inner} ${short(set)}`)];
  });
  return parts.length === 0 ? 'the defaults' : parts.join(', ');
}

function short(value: Json | undefined): string {
  if (value === null || value === undefined) return 'auto';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  return text.length > 40 ? 'of its own' : text;
}

/** "a scripted expert": names of policies are ids. */
export function policyTitle(name: string): string {
  return known(name) ? t(name) : name.replaceAll('-', ' ');
}
