/**
 * Settings that were flat before they became variants: `bonus: 'counts', bonusWeight: 0.5` is `bonus: { kind: 'counts', weight: 0.5 }` today
 * (ADR 15). Old links, files and results are written in the old names and are found by hashes over them, so the old form stays the one that is
 * hashed. This table is history: a method that is new, and a variant that was never flat, have no line here.
 */
import type { Json, JsonObject } from './json.ts';

/** One variant and the flat fields that it was. */
interface FlatVariant {
  /** Name of the variant today. */
  readonly key: string;
  /** The flat field that chose the kind. */
  readonly field: string;
  /** What stood there: the kind by its name, or true and false for the kinds 'on' and 'off'. */
  readonly by: 'name' | 'flag';
  /** By the name inside of the variant: the flat name, and the default that stands in the hash where the field does not act. */
  readonly fields: { readonly [inner: string]: readonly [flat: string, value: Json] };
}

const named = (key: string, fields: FlatVariant['fields'], field = key): FlatVariant => ({ key, field, by: 'name', fields });
const flag = (key: string, fields: FlatVariant['fields']): FlatVariant => ({ key, field: key, by: 'flag', fields });

/** Of team learners on values. */
const gru = flag('recurrent', { units: ['memoryUnits', 64], sequence: ['sequence', 25] });

/** Of soft actor-critics. */
const temperature = flag('autoTemperature', { target: ['targetEntropy', null], loss: ['temperatureLoss', 'log'] });

/** Of learners on recordings. */
const standardised = flag('normaliseObs', { floor: ['deviationFloor', 1e-3] });

const METHODS: { readonly [algo: string]: readonly FlatVariant[] } = {
  cfcql: [named('penalty', { alpha: ['alpha', 1], samples: ['samples', 16] })],
  cpl: [named('loss', { alpha: ['alpha', 0.1], bias: ['bias', 0.5], gamma: ['gamma', 1], beta: ['beta', 0.1] })],
  crossq: [temperature],
  'decision-transformer': [standardised],
  dpo: [named('loss', { smoothing: ['smoothing', 0], margin: ['margin', 0.5] })],
  dqn: [
    named('bonus', { weight: ['bonusWeight', 1], bits: ['hashBits', 32] }),
    named('distribution', { atoms: ['atoms', 51], low: ['valueMin', -10], high: ['valueMax', 10] }),
    flag('noisy', { sigma: ['noisySigma', 0.5] }),
    flag('munchausen', { alpha: ['munchausenAlpha', 0.9], temperature: ['munchausenTemperature', 0.03] }),
    flag('prioritised', { alpha: ['priorityAlpha', 0.6], beta: ['priorityBeta', 0.4] }),
  ],
  droq: [temperature],
  iql: [gru],
  mansa: [gru],
  mappo: [named('memory', { units: ['units', 64], sequence: ['sequence', 16] }, 'cell')],
  ppo: [
    named('bonus', { weight: ['bonusWeight', 1], gamma: ['bonusGamma', 0.99], features: ['bonusFeatures', 64], bits: ['hashBits', 32] }),
  ],
  qmix: [gru],
  'recurrent-dqn': [flag('prioritised', { alpha: ['priorityAlpha', 0.9], beta: ['priorityBeta', 0.6] })],
  'recurrent-ppo': [
    named(
      'memory',
      {
        units: ['units', 64],
        sequence: ['sequence', 16],
        window: ['memoryWindow', 64],
        chunk: ['memoryChunk', 8],
        topK: ['memoryTopK', 4],
        slots: ['memorySlots', 8],
      },
      'cell',
    ),
  ],
  sac: [temperature],
  'sac-discrete': [flag('autoTemperature', { share: ['targetEntropyScale', 0.5], of: ['targetEntropyOf', 'legal'] })],
  'td3-bc': [standardised],
  vdn: [gru],
};

/**
 * Variants that a method got later, with the kind that changes nothing. Where that kind is chosen the config is hashed as before they came, so
 * every run keeps its hash. The method's version stays: nothing that could be asked before is computed otherwise.
 */
const ADDED: { readonly [algo: string]: { readonly [key: string]: string } } = {
  dqn: { forgetting: 'none' },
};

/** Whether a setting is a variant that came later and does nothing. */
function restingAddition(algo: string, key: string, value: Json | undefined): boolean {
  const kind = Object.hasOwn(ADDED, algo) ? ADDED[algo]?.[key] : undefined;
  const variant = asObject(value);
  return kind !== undefined && variant !== null && variant.kind === kind && Object.keys(variant).length === 1;
}

/** Methods whose settings were flat once. @internal Tests go over all of them. */
export const onceFlat: readonly string[] = Object.keys(METHODS);

/** The variants of a method that were flat once. */
export const variantsOf = (algo: string): readonly FlatVariant[] => (Object.hasOwn(METHODS, algo) ? (METHODS[algo] ?? []) : []);

function asObject(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

const kindOf = (by: FlatVariant['by'], chosen: Json): Json =>
  by === 'flag' && typeof chosen === 'boolean' ? (chosen ? 'on' : 'off') : chosen;

/** A variant with all its fields, and these over them, in `idle`: which of them act will be seen by its kind. */
function atRest({ kind, idle, ...own }: JsonObject, over: JsonObject = {}): JsonObject {
  return { ...(kind !== undefined && { kind }), idle: { ...asObject(idle), ...own, ...over } };
}

/** A variant with another kind chosen; fields that the new kind has as well keep their values. */
export const withKind = (variant: JsonObject, kind: Json | undefined): JsonObject => ({
  ...atRest(variant),
  ...(kind !== undefined && { kind }),
});

/** A variant without what a flat name gave to this field: it is set anew. */
export function awake({ idle, ...own }: JsonObject, inner: string): JsonObject {
  const { [inner]: _, ...rest } = asObject(idle) ?? {};
  return Object.keys(rest).length === 0 ? own : { ...own, idle: rest };
}

/**
 * A method's config, whole or in part, by the flat names. A flat name that stands beside the variant counts: it was set later. With `whole`,
 * fields that do not act are filled with their defaults, as every complete flat config had them, and variants that came later are left out where
 * they do nothing.
 */
export function flatConfig(algo: string, config: JsonObject, whole = false): JsonObject {
  let flat: { [key: string]: Json } | null = null;
  for (const { key, field, by, fields } of variantsOf(algo)) {
    const variant = asObject(config[key]);
    if (variant === null) continue;
    flat ??= { ...config };
    delete flat[key];
    const { kind, idle, ...own } = variant;
    const values = { ...asObject(idle), ...own };
    if (kind !== undefined) flat[field] = by === 'flag' ? kind === 'on' : kind;
    for (const [inner, value] of Object.entries(values)) flat[fields[inner]?.[0] ?? `${key}.${inner}`] = value;
    if (whole) for (const [name, value] of Object.values(fields)) if (!Object.hasOwn(flat, name)) flat[name] = value;
    const names = [...(field === key ? [] : [field]), ...Object.values(fields).map(([name]) => name)].filter((name) => name !== key);
    for (const name of names) if (Object.hasOwn(config, name)) flat[name] = config[name] as Json;
  }
  const all = flat ?? config;
  if (!whole || !Object.entries(all).some(([key, value]) => restingAddition(algo, key, value))) return all;
  return Object.fromEntries(Object.entries(all).filter(([key, value]) => !restingAddition(algo, key, value)));
}

/**
 * A config that holds flat names by the names of today. Values of fields go into `idle`: which of them act in the kind that is chosen, the
 * method's schema knows (core/envs/api/variant.ts).
 */
export function nestedConfig(algo: string, config: JsonObject): JsonObject {
  let nested: { [key: string]: Json } | null = null;
  for (const { key, field, by, fields } of variantsOf(algo)) {
    const before = asObject(config[key]);
    const chosen = field === key && before !== null ? undefined : config[field];
    const values = Object.entries(fields).filter(([, [name]]) => Object.hasOwn(config, name) && !(name === key && before !== null));
    if (chosen === undefined && values.length === 0) continue;
    nested ??= { ...config };
    for (const name of [field, ...values.map(([, [flat]]) => flat)]) delete nested[name];
    const flat = Object.fromEntries(values.map(([inner, [name]]) => [inner, config[name] as Json]));
    nested[key] = { ...atRest(before ?? {}, flat), ...(chosen !== undefined && { kind: kindOf(by, chosen) }) };
  }
  return nested ?? config;
}

/** The path of a setting today: 'algo.bonusWeight' -> 'algo.bonus.weight'. Paths that are no old ones come back as they are. */
export function nestedPath(algo: string, path: string): string {
  const [room, name] = path.split('.');
  if (room !== 'algo') return path;
  for (const { key, field, fields } of variantsOf(algo)) {
    if (name === field && field !== key) return `algo.${key}.kind`;
    const inner = Object.keys(fields).find((one) => fields[one]?.[0] === name);
    if (inner !== undefined && name !== key) return `algo.${key}.${inner}`;
  }
  return path;
}
