/**
 * Settings of methods and environments that were flat before they became variants: `bonus: 'counts', bonusWeight: 0.5` is
 * `bonus: { kind: 'counts', weight: 0.5 }` today (ADR 15). Old links, files and results are written in the old names and are found by hashes over
 * them, so the old form stays the one that is hashed. This table is history: a method or an environment that is new, and a variant that was never
 * flat, have no line here.
 */
import { sameJson } from '../kit/canonical.ts';
import { isObject, type Json, type JsonObject, objectOf } from '../kit/json.ts';

/** One variant and the flat fields that it was. */
interface FlatVariant {
  /** Name of the variant today. */
  readonly key: string;
  /** The flat field that chose the kind. */
  readonly field: string;
  /**
   * What stood there: the kind by its name; true and false for the kinds 'on' and 'off'; an amount, where 0 was off, and of several amounts each
   * acted only where those before it did; or end values, where null kept what begins: without any end the first kind is meant, else the second.
   */
  readonly by: 'name' | 'flag' | 'amount' | 'end';
  /** By the name inside of the variant: the flat name, and the default that stands in the hash where the field does not act. */
  readonly fields: { readonly [inner: string]: readonly [flat: string, value: Json] };
  /** By amount or end: the kinds, without any first, and the names of the amounts or ends inside of the variant. */
  readonly kinds?: readonly string[];
  readonly amounts?: readonly string[];
  /** By end: the end that the second kind has today where a config names the kind alone. */
  readonly usual?: JsonObject;
}

/** The fields of a variant as they are written below: a value alone was called the same. */
interface Fields {
  readonly [inner: string]: readonly [flat: string, value: Json] | string | number | boolean | null;
}
const pairs = (fields: Fields): FlatVariant['fields'] =>
  Object.fromEntries(
    Object.entries(fields).map(([inner, given]) => [inner, typeof given === 'object' && given !== null ? given : [inner, given]]),
  );
const named = (key: string, fields: Fields, field = key): FlatVariant => ({ key, field, by: 'name', fields: pairs(fields) });
const flag = (key: string, fields: Fields): FlatVariant => ({ key, field: key, by: 'flag', fields: pairs(fields) });

/** `amounts`: as in FlatVariant; `fields`: the others. */
const amount = (key: string, kinds: readonly string[], amounts: { readonly [inner: string]: string }, fields: Fields): FlatVariant => ({
  key,
  field: Object.values(amounts)[0] ?? key,
  by: 'amount',
  fields: pairs({ ...Object.fromEntries(Object.entries(amounts).map(([inner, flat]) => [inner, [flat, 0] as const])), ...fields }),
  kinds,
  amounts: Object.keys(amounts),
});

/** Settings of tabular methods whose epsilon and step size may decay over episodes. */
const decay = (episodes: number, ends: readonly string[] = ['alphaFinal', 'epsilonFinal']): FlatVariant => ({
  key: 'decay',
  field: 'decay',
  by: 'end',
  fields: pairs({ ...Object.fromEntries(ends.map((end) => [end, null])), episodes: ['decayEpisodes', episodes] }),
  kinds: ['none', 'linear'],
  amounts: ends,
  usual: { epsilonFinal: 0.05 },
});
const falling = [decay(5000)];

/** Settings of team policy-gradient methods. */
const teamReward = named('teamReward', { orientation: 45, envy: 5, guilt: 0.05 });

/** Settings of methods on tokens and environments that begin by cloning a script. */
const cloning = (lr: number, more: Fields = {}): FlatVariant =>
  amount('cloning', ['off', 'on'], { steps: 'cloneSteps' }, { lr: ['cloneLr', lr], ...more });

const tokenCloning = cloning(1e-3, { until: ['cloneUntil', 1], apart: ['cloneApart', true], teacher: 'novice' });

/** Of team learners on values. */
const gru = flag('recurrent', { units: ['memoryUnits', 64], sequence: 25 });

/** Of soft actor-critics. */
const temperature = flag('autoTemperature', { target: ['targetEntropy', null], loss: ['temperatureLoss', 'log'] });

/** Settings of offline methods. */
const standardised = flag('normaliseObs', { floor: ['deviationFloor', 1e-3] });

const METHODS: { readonly [algo: string]: readonly FlatVariant[] } = {
  adversary: [teamReward],
  cfcql: [named('penalty', { alpha: 1, samples: 16 })],
  commnet: [teamReward],
  cpl: [named('loss', { alpha: 0.1, bias: 0.5, gamma: 1, beta: 0.1 })],
  crossq: [temperature],
  'decision-transformer': [standardised],
  'designed-rewards': [
    ...falling,
    named('design', {
      places: 3,
      fine: 1,
      adaptEvery: 5,
      bonus: 0.05,
      returnStep: 0.2,
      fade: 20,
    }),
  ],
  dial: [teamReward],
  'double-q-learning': falling,
  dpo: [named('loss', { smoothing: 0, margin: 0.5 }), tokenCloning],
  dqn: [
    named('bonus', { weight: ['bonusWeight', 1], bits: ['hashBits', 32] }),
    named('distribution', { atoms: 51, low: ['valueMin', -10], high: ['valueMax', 10] }),
    flag('noisy', { sigma: ['noisySigma', 0.5] }),
    flag('munchausen', { alpha: ['munchausenAlpha', 0.9], temperature: ['munchausenTemperature', 0.03] }),
    flag('prioritised', { alpha: ['priorityAlpha', 0.6], beta: ['priorityBeta', 0.4] }),
  ],
  droq: [temperature],
  'dyna-q': falling,
  'expected-sarsa': falling,
  'group-rl': [
    amount(
      'reference',
      ['off', 'fixed', 'moving'],
      { coef: 'klCoef', every: 'anchorEvery' },
      { estimate: ['kl', 'k3'], step: ['anchorStep', 0.6] },
    ),
    named('surrogate', { low: ['clipLow', 0.2], high: ['clipHigh', 0.2], dual: ['clipDual', 0] }),
    flag('dropUniform', { by: ['dropBy', 'verifier'] }),
    tokenCloning,
  ],
  'group-worlds': [
    amount('growth', ['off', 'on'], { from: 'growFrom' }, { until: ['growUntil', 0.5] }),
    amount('stateGroups', ['off', 'on'], { weight: 'stepWeight' }, { gamma: 0.95 }),
    amount('branching', ['off', 'on'], { share: 'branching' }, { chance: ['branchChance', 0.5], penalty: ['branchPenalty', 0] }),
    amount('band', ['off', 'on'], { coef: 'bandCoef' }, { low: ['bandLow', 0.8], high: ['bandHigh', 1.2] }),
    cloning(1e-3),
  ],
  hammer: [teamReward],
  happo: [teamReward],
  'independent-q': [decay(1000, ['epsilonFinal'])],
  ippo: [teamReward],
  iql: [gru],
  mansa: [gru],
  mappo: [named('memory', { units: 64, sequence: 16 }, 'cell'), teamReward],
  'monte-carlo': [...falling, flag('average', { alpha: 0.5 })],
  'n-step-sarsa': falling,
  ppo: [
    named('bonus', { weight: ['bonusWeight', 1], gamma: ['bonusGamma', 0.99], features: ['bonusFeatures', 64], bits: ['hashBits', 32] }),
  ],
  'prioritised-sweeping': falling,
  psro: [
    named('metaSolver', { aversion: 0.5 }),
    named('responses', {
      members: ['startMembers', 0],
      updates: ['responseUpdates', 40],
      start: ['responseStart', 'last'],
      lr: 2.5e-4,
      annealLr: true,
      gamma: 0.99,
      lambda: 0.95,
      bootstrapAtTruncation: true,
      envs: 32,
      rolloutSteps: 128,
      minibatches: 4,
      epochs: 4,
      clip: 0.2,
      clipValue: true,
      entropyCoef: 0.01,
      valueCoef: 0.5,
      maxGradNorm: 0.5,
      adamEps: 1e-5,
      hidden: ['hidden', [64, 64]],
      activation: 'tanh',
      layerNorm: false,
      advantages: 'minibatch',
      slots: 4,
      pairGames: 4,
      gameLimit: 0,
    }),
  ],
  'q-lambda': falling,
  'q-learning': falling,
  qmix: [gru],
  'recurrent-dqn': [flag('prioritised', { alpha: ['priorityAlpha', 0.9], beta: ['priorityBeta', 0.6] })],
  'recurrent-ppo': [
    named(
      'memory',
      {
        units: 64,
        sequence: 16,
        window: ['memoryWindow', 64],
        chunk: ['memoryChunk', 8],
        topK: ['memoryTopK', 4],
        slots: ['memorySlots', 8],
      },
      'cell',
    ),
    teamReward,
  ],
  sac: [temperature],
  sarsa: falling,
  'sarsa-lambda': falling,
  'sac-discrete': [flag('autoTemperature', { share: ['targetEntropyScale', 0.5], of: ['targetEntropyOf', 'legal'] })],
  strategist: [named('strategy', { skill: '' })],
  'td3-bc': [standardised],
  vdn: [gru],
};

/** Of hidden layers, where policy and critic had the same ones without a norm. */
const layers = { criticHidden: null, layerNorm: false };
const hindsight = { kind: 'off' };
const forgetting = { kind: 'none' };
const body = { kind: 'dense' };

const gaps = [amount('gaps', ['off', 'on'], { share: 'gaps' }, { texts: true })];

/** By the id of the environment; none is called as a method is. */
const WORLDS: { readonly [env: string]: readonly FlatVariant[] } = {
  coverage: [named('task', { radius: 1, kinds: 3 })],
  'lookup-worlds': gaps,
  'off-switch': [named('update', { second: 0.5 })],
  't-reason': [
    named('task', {
      order: 'reverse',
      length: 3,
      letters: 4,
      digitsA: 2,
      digitsB: 2,
      digitsC: 2,
      ops: '+-',
      modulus: 13,
      largest: 9,
      limit: 50,
      exact: false,
      reversed: false,
      kinds: 2,
      mode: 'complete',
      hops: 1,
      extra: 2,
      width: 4,
      height: 4,
      walls: 25,
    }),
  ],
  't-search': gaps,
  't-steps': [named('task', { stepBonus: 0 })],
  't-talk': [
    named('talk', {
      vagueness: 0.2,
      complaint: true,
      attributes: 6,
      distractors: 2,
      items: 3,
      kinds: 3,
      upfront: 0,
      resistance: 0,
      changes: 0,
    }),
  ],
  't-turns': [
    named('game', {
      turns: 10,
      size: 4,
      walls: 0,
      secrets: 16,
      attributes: 3,
      distractors: 2,
      length: 3,
      letters: 5,
      opponent: 'random',
      calls: 3,
      cost: 0.05,
      split: 'all',
    }),
  ],
};

/** Bodies by the published steps of their physics per action. */
const BODIES = {
  2: ['inverted-pendulum', 'reacher'],
  4: ['hopper', 'swimmer', 'walker2d'],
  5: ['ant', 'half-cheetah', 'humanoid', 'humanoid-standup', 'inverted-double-pendulum', 'pusher'],
} as const;

/**
 * Settings that a method or an environment got later, with the value that changes nothing. Where they have it the config is hashed as before they came, so
 * every run keeps its hash. The method's version stays: nothing that could be asked before is computed otherwise.
 */
const ADDED: { readonly [algo: string]: JsonObject } = {
  a2c: layers,
  adversary: { influence: { kind: 'any change' } },
  crossq: { hindsight },
  dpo: { cloneUntil: 1, cloneApart: true, teacher: 'novice' },
  dqn: { forgetting, hindsight, body },
  droq: { hindsight },
  'group-rl': { dropBy: 'verifier', clipDual: 0, gradientAccumulation: 1, credit: 'answer' },
  happo: { body, memory: forgetting },
  ippo: { body },
  mappo: { body },
  'observation-attacker': { retrainShare: 0 },
  ppo: { ...layers, forgetting, body },
  qmix: { body },
  sac: { hindsight, forgetting, ...layers, activation: 'relu' },
  'w-stories': { own: 0, taste: '' },
  'token-cloning': { gradientAccumulation: 1 },
  'token-ppo': { gradientAccumulation: 1 },
  td3: { hindsight, ...layers, activation: 'relu' },
  ...Object.fromEntries(
    Object.entries(BODIES).flatMap(([frameSkip, bodies]) => bodies.map((body) => [`mujoco-${body}`, { frameSkip: Number(frameSkip) }])),
  ),
};

/** The kind of an extension that a config does not use (core/algos/api/extension.ts): whatever extensions there come to be, it has its hash. */
const NOT_USED = 'not used';

/** Whether a setting came later and has the value that changes nothing. */
function restingAddition(algo: string, key: string, value: Json): boolean {
  if (isObject(value) && value.kind === NOT_USED) return true;
  const resting = Object.hasOwn(ADDED, algo) ? ADDED[algo]?.[key] : undefined;
  return resting !== undefined && JSON.stringify(resting) === JSON.stringify(value);
}

/** Methods whose settings were flat once. @internal Tests go over all of them. */
export const onceFlat: readonly string[] = Object.keys(METHODS);
/** Environments whose settings were flat once. @internal Tests go over all of them. */
export const worldsOnceFlat: readonly string[] = Object.keys(WORLDS);

/** The variants of a method or an environment that were flat once. */
export const variantsOf = (id: string): readonly FlatVariant[] => {
  for (const table of [METHODS, WORLDS]) if (Object.hasOwn(table, id)) return table[id] ?? [];
  return [];
};

const kindOf = (by: FlatVariant['by'], chosen: Json): Json =>
  by === 'flag' && typeof chosen === 'boolean' ? (chosen ? 'on' : 'off') : chosen;

/**
 * A variant at rest whose kind its amounts choose, if they do: that after as many as are above 0, from the first on; its own kind where the first
 * one is not given. An amount of 0 is no value of a field.
 */
function byAmounts({ kinds = [], amounts = [] }: FlatVariant, { kind, idle }: JsonObject, choose: boolean): JsonObject {
  const values = objectOf(idle);
  const off = amounts.findIndex((name) => !(Number(values[name] ?? 0) > 0));
  const led = choose && Object.hasOwn(values, amounts[0] ?? '') ? kinds[off === -1 ? amounts.length : off] : kind;
  const given = Object.entries(values).filter(([name, value]) => !(amounts.includes(name) && value === 0));
  return { ...(led !== undefined && { kind: led }), idle: Object.fromEntries(given) };
}

/**
 * A variant at rest whose kind its ends choose, where flat names give any: the second kind with an end that is no null. `before` is what stands
 * beside the flat names; the ends of a kind that had none count for nothing.
 */
function byEnds({ kinds = [], amounts = [], usual = {} }: FlatVariant, before: JsonObject, flat: JsonObject): JsonObject {
  const [none, led] = kinds;
  const { kind, idle } = atRest(before, flat);
  const values = objectOf(idle);
  const had = (end: string): Json => (kind === led ? (values[end] ?? usual[end] ?? null) : null);
  const ends = Object.fromEntries(amounts.map((end) => [end, Object.hasOwn(flat, end) ? (flat[end] ?? null) : had(end)]));
  const rest = Object.fromEntries(Object.entries(values).filter(([name]) => !amounts.includes(name)));
  if (!amounts.some((end) => Object.hasOwn(flat, end))) return { ...(kind !== undefined && { kind }), idle: kind === led ? values : rest };
  const reached = Object.values(ends).some((end) => end !== null);
  if (reached) return { kind: led ?? 'none', idle: { ...rest, ...ends } };
  return { kind: none ?? 'none', idle: rest };
}

/** A config in which a number alone in the place of a variant that an amount chose is that amount, as in values that were kept by their place. */
function numbersAsAmounts(id: string, config: JsonObject): JsonObject {
  const found = variantsOf(id).filter(({ key, field, by }) => by === 'amount' && field !== key && typeof config[key] === 'number');
  if (found.length === 0) return config;
  const keys = found.map(({ key }) => key);
  const rest = Object.entries(config).filter(([key]) => !keys.includes(key));
  return { ...Object.fromEntries(rest), ...Object.fromEntries(found.map(({ key, field }) => [field, config[key] as Json])) };
}

/** A variant as it stands in a config, a text alone as its kind. */
const variantIn = (config: JsonObject, { key, field, by }: FlatVariant): JsonObject | null =>
  typeof config[key] === 'string' && (field !== key || by === 'amount' || by === 'end')
    ? { kind: config[key] }
    : isObject(config[key])
      ? config[key]
      : null;

/** A variant with all its fields, and these over them, in `idle`: which of them act will be seen by its kind. */
function atRest({ kind, idle, ...own }: JsonObject, over: JsonObject = {}): JsonObject {
  return { ...(kind !== undefined && { kind }), idle: { ...objectOf(idle), ...own, ...over } };
}

/** A variant with another kind chosen; fields that the new kind has as well keep their values. */
export const withKind = (variant: JsonObject, kind: Json | undefined): JsonObject => ({
  ...atRest(variant),
  ...(kind !== undefined && { kind }),
});

/** A variant without what a flat name gave to this field: it is set anew. */
export function awake({ idle, ...own }: JsonObject, inner: string): JsonObject {
  const { [inner]: _, ...rest } = objectOf(idle);
  return Object.keys(rest).length === 0 ? own : { ...own, idle: rest };
}

/**
 * The config of a method or an environment, whole or in part, by the flat names. A flat name that stands beside the variant counts: it was set
 * later. With `whole`, fields that do not act are filled with their defaults, as every complete flat config had them, and settings that came later
 * are left out where they change nothing.
 */
export function flatConfig(id: string, given: JsonObject, whole = false): JsonObject {
  const config = numbersAsAmounts(id, given);
  let flat: { [key: string]: Json } | null = null;
  for (const one of variantsOf(id)) {
    const { key, field, by, fields, kinds = [], amounts = [], usual = {} } = one;
    const led = by === 'amount' || by === 'end';
    const variant = variantIn(config, one);
    if (variant === null || (led && variant.kind !== undefined && !kinds.includes(String(variant.kind)))) continue;
    flat ??= { ...config };
    delete flat[key];
    const { kind, idle, ...own } = variant;
    const values = { ...objectOf(idle), ...own };
    if (kind !== undefined && !led) flat[field] = by === 'flag' ? kind === 'on' : kind;
    for (const [inner, value] of Object.entries(values)) flat[fields[inner]?.[0] ?? `${key}.${inner}`] = value;
    const off = by === 'amount' && kind !== undefined ? amounts[kinds.indexOf(String(kind))] : undefined;
    if (off !== undefined) flat[fields[off]?.[0] ?? off] = 0;
    if (by === 'end' && kind !== undefined) {
      const ends = kind === kinds[0] ? Object.fromEntries(amounts.map((end) => [end, null])) : { ...usual, ...values };
      for (const end of amounts) if (Object.hasOwn(ends, end)) flat[fields[end]?.[0] ?? end] = ends[end] ?? null;
    }
    if (whole) for (const [name, value] of Object.values(fields)) if (!Object.hasOwn(flat, name)) flat[name] = value;
    const names = [...(field === key ? [] : [field]), ...Object.values(fields).map(([name]) => name)].filter((name) => name !== key);
    for (const name of names) if (Object.hasOwn(config, name)) flat[name] = config[name] as Json;
  }
  const all = flat ?? config;
  if (!whole || !Object.entries(all).some(([key, value]) => restingAddition(id, key, value))) return all;
  return Object.fromEntries(Object.entries(all).filter(([key, value]) => !restingAddition(id, key, value)));
}

/**
 * A config that holds flat names by the names of today. Values of fields go into `idle`: which of them act in the kind that is chosen, the
 * schema knows (core/envs/api/variant.ts).
 */
export function nestedConfig(id: string, given: JsonObject): JsonObject {
  const config = numbersAsAmounts(id, given);
  let nested: { [key: string]: Json } | null = null;
  for (const one of variantsOf(id)) {
    const { key, field, by, fields, amounts = [] } = one;
    const led = by === 'amount' || by === 'end';
    const before = variantIn(config, one);
    const values = Object.entries(fields).filter(([, [name]]) => Object.hasOwn(config, name) && !(name === key && before !== null));
    const chosen = led || (field === key && before !== null) ? undefined : config[field];
    if (chosen === undefined && values.length === 0) continue;
    nested ??= { ...config };
    for (const name of [field, ...values.map(([, [flat]]) => flat)]) delete nested[name];
    const flat = Object.fromEntries(values.map(([inner, [name]]) => [inner, config[name] as Json]));
    const resting = atRest(before ?? {}, flat);
    if (by === 'end') nested[key] = byEnds(one, before ?? {}, flat);
    else if (by === 'amount')
      nested[key] = byAmounts(one, resting, typeof config[key] !== 'string' && amounts.some((name) => Object.hasOwn(flat, name)));
    else nested[key] = { ...resting, ...(chosen !== undefined && { kind: kindOf(by, chosen) }) };
  }
  return nested ?? config;
}

/** Which method and environment a config has. */
export interface Ids {
  readonly algo: string;
  readonly env: string;
}

/** The path of a setting today: 'algo.bonusWeight' -> 'algo.bonus.weight'. Paths that are no old ones come back as they are. */
export function nestedPath(ids: Ids, path: string): string {
  const [room, name] = path.split('.');
  if (room !== 'algo' && room !== 'env') return path;
  for (const { key, field, by, fields } of variantsOf(ids[room])) {
    if (name === field && field !== key && by !== 'amount') return `${room}.${key}.kind`;
    const inner = Object.keys(fields).find((one) => fields[one]?.[0] === name);
    if (inner !== undefined && name !== key) return `${room}.${key}.${inner}`;
  }
  return path;
}

/**
 * An edit of a running method by its name of today. An end by its flat name, where the config has none or loses its last one, changes the kind:
 * it becomes an edit of the whole variant.
 */
export function nestedEdit(ids: Ids, live: JsonObject, named: { readonly path: string; readonly value: Json }): typeof named {
  const path = nestedPath(ids, named.path);
  for (const one of variantsOf(ids.algo)) {
    const { key, by, fields, amounts = [] } = one;
    const end = amounts.find((name) => path === `algo.${key}.${name}`);
    if (by !== 'end' || end === undefined) continue;
    const before = objectOf(live[key]);
    const { kind = null, idle } = byEnds(one, before, { [end]: named.value });
    if (kind === before.kind) continue;
    const values = { ...Object.fromEntries(Object.entries(fields).map(([name, [, value]]) => [name, value])), ...objectOf(idle) };
    return { path: `algo.${key}`, value: kind === one.kinds?.[0] ? { kind, idle: objectOf(idle) } : { kind, ...values } };
  }
  return { path, value: named.value };
}

/** An environment or a method, as configs name it. */
interface Ref {
  readonly id: string;
  readonly config: JsonObject;
}

/** Whether two environments, or two methods, have the same settings, however they are written. */
export const sameSettings = (a: Ref, b: Ref): boolean =>
  a.id === b.id && sameJson(flatConfig(a.id, a.config, true), flatConfig(b.id, b.config, true));

/** The same of the same version, whose rules are the same as well. */
export const sameRef = (a: Ref & { readonly version: number }, b: typeof a): boolean => a.version === b.version && sameSettings(a, b);
