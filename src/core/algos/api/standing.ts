/**
 * The extensions of a method as one: which of them fit where it stands, what a config turns on, and one function for each place that some of them
 * fill. The interface of an extension is extension.ts.
 */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { add, reshape } from '#core/engine/ops.ts';
import type { Graph, InputShapes, Tensor } from '#core/engine/types.ts';
import type { StateLayout } from '#core/state/checkpoint.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import {
  type Attached,
  type Beginning,
  type Begun,
  type Declared,
  type Extension,
  type Host,
  type Inputs,
  isOn,
  type LearnedName,
  type MethodSettings,
  type NetworkParts,
  type Places,
  type Setting,
  type Stand,
  settingOf,
} from './extension.ts';

/** The extensions of one stand: what a method's spec holds and its loop begins. */
export interface Extensions {
  readonly stand: Stand;
  readonly ids: readonly string[];
  /** Settings, by name. */
  readonly fields: { readonly [id: string]: z.ZodType };
  readonly metrics: readonly MetricCard[];
  readonly presets: readonly Preset[];
  /** Throws LabError('config-invalid' | 'incompatible'). */
  check(meta: EnvMeta, config: object): void;
  begin(config: object, beginning: Beginning): Promise<ExtendedMethod>;
}

/** All extensions that a run turned on, as one. */
export interface ExtendedMethod {
  readonly parts: NetworkParts | null;
  attach(host: Host): ExtendedPrograms;
}

export interface ExtendedPrograms {
  inputs(network: LearnedName): InputShapes;
  /** `terms` with the penalties in `loss`, each reported under the id of its metric. */
  join<T extends { readonly loss: Tensor }>(network: LearnedName, terms: T, x: Inputs, g: Graph, now?: Inputs): T;
  /** Ids of metrics of penalties. */
  readonly reported: readonly string[];
  places(): ExtendedLoop;
}

/** Each place that some extension fills, to be called once: `also.recorded?.({ ... })`. */
export type ExtendedLoop = { readonly [K in Exclude<keyof Places, 'state'>]: Places[K] | undefined } & {
  readonly states: readonly StateLayout[];
};

/** Extensions that stand in no list, by the config of the run that they were added to (extend.ts). */
const added = new WeakMap<object, readonly Declared<Setting>[]>();

export function addTo(config: object, extension: Declared<Setting>): void {
  added.set(config, [...(added.get(config) ?? []), extension]);
}

/** Those of `all` that fit, in their order. */
export function standing(all: readonly Extension[], stand: Stand): Extensions {
  const here = all.flatMap((extension) => {
    const field = extension.field(stand);
    return field === null ? [] : [{ extension: extension as unknown as Declared<Setting>, field }];
  });
  /** Those that a config turns on, with their settings. */
  const on = (config: object): readonly (readonly [Declared<Setting>, Setting])[] =>
    [...here.map(({ extension }) => extension), ...(added.get(config) ?? [])].flatMap((extension) => {
      const setting = settingOf(config, extension.id);
      return setting === null || (extension.always !== true && !isOn(config, extension.id)) ? [] : [[extension, setting] as const];
    });
  return {
    stand,
    ids: here.map(({ extension }) => extension.id),
    fields: Object.fromEntries(here.map(({ extension, field }) => [extension.id, field])),
    metrics: here.flatMap(({ extension }) => extension.metrics?.(stand) ?? []),
    presets: here.flatMap(({ extension }) => extension.presets ?? []),
    check(meta, config) {
      for (const [extension, setting] of on(config)) extension.check?.(meta, setting, config as MethodSettings, stand);
    },
    async begin(config, beginning) {
      const begun: Begun[] = [];
      for (const [extension, setting] of on(config))
        begun.push((await extension.load(stand))(setting, { ...beginning, config: config as MethodSettings }));
      return together(begun);
    },
  };
}

/** A schema with the settings of extensions behind its own. Throws Error where a method has such a setting itself. */
export function withExtensions<C>(config: z.ZodType<C>, { fields }: Extensions): z.ZodType<C> {
  if (!(config instanceof z.ZodObject)) throw new Error('The settings of a method with extensions are an object.');
  const twice = Object.keys(fields).find((id) => Object.hasOwn(config.shape, id));
  if (twice !== undefined) throw new Error(`"${twice}" is a setting of the method and of an extension.`);
  return config.extend(fields) as unknown as z.ZodType<C>;
}

/** Of a run that turned no extension on. */
export const NOT_EXTENDED: ExtendedMethod = together([]);
/** Of programs without extensions, such as those that are timed. */
export const NOTHING_ADDED: ExtendedPrograms = attachedTogether([]);

function together(begun: readonly Begun[]): ExtendedMethod {
  const parts = begun.flatMap((one) => one.parts ?? []);
  if (parts.length > 1) throw fail('config-invalid', 'Two extensions give parts of the network to tasks.', 'Turn one of them off.', 'algo');
  return {
    parts: parts[0] ?? null,
    attach: (host) => attachedTogether(begun.map((one) => one.attach(host))),
  };
}

function attachedTogether(attached: readonly Attached[]): ExtendedPrograms {
  return {
    inputs(network) {
      const all: { [name: string]: InputShapes[string] } = {};
      for (const one of attached)
        for (const [name, shape] of Object.entries(one.inputs?.(network) ?? {})) {
          if (Object.hasOwn(all, name)) throw new Error(`Two extensions give the program "${network}" an input "${name}".`);
          all[name] = shape;
        }
      return all;
    },
    join(network, terms, x, g, now = {}) {
      let joined = terms;
      for (const { penalty, penaltyMetric } of attached) {
        const found = penalty?.(network, x, g, now) ?? null;
        if (found === null) continue;
        const report = penaltyMetric === undefined ? {} : { [penaltyMetric]: reshape(found, []) };
        joined = { ...joined, loss: reshape(add(joined.loss, found), []), ...report };
      }
      return joined;
    },
    reported: attached.flatMap(({ penaltyMetric }) => penaltyMetric ?? []),
    places: () => loopOf(attached.map((one) => one.places())),
  };
}

/** One function that calls all, in their order; undefined: there is none. */
function each<A extends readonly unknown[]>(all: readonly ((...args: A) => void)[]): ((...args: A) => void) | undefined {
  if (all.length < 2) return all[0];
  return (...args) => {
    for (const one of all) one(...args);
  };
}

/** The same where a function may take time: the next one is called once it is done. */
function inTurn<A extends readonly unknown[]>(
  all: readonly ((...args: A) => void | Promise<void>)[],
): ((...args: A) => void | Promise<void>) | undefined {
  if (all.length < 2) return all[0];
  return async (...args) => {
    for (const one of all) await one(...args);
  };
}

/** What the first of them gives that gives anything. */
function firstOf<T>(all: readonly (() => Promise<T | null>)[]): (() => Promise<T | null>) | undefined {
  if (all.length < 2) return all[0];
  return async () => {
    for (const one of all) {
      const found = await one();
      if (found !== null) return found;
    }
    return null;
  };
}

type Shown = ReturnType<NonNullable<Places['shown']>>;

const joined = (all: readonly Shown[]): Shown => ({
  meta: Object.assign({}, ...all.map(({ meta }) => meta)),
  arrays: Object.assign({}, ...all.map(({ arrays }) => arrays)),
});

function loopOf(all: readonly Places[]): ExtendedLoop {
  const filled = <K extends keyof Places>(place: K): readonly NonNullable<Places[K]>[] => all.flatMap((one) => one[place] ?? []);
  const metrics = filled('metrics');
  const shown = filled('shown');
  return {
    states: filled('state'),
    before: firstOf(filled('before')),
    noise: each(filled('noise')),
    beforeStep: each(filled('beforeStep')),
    afterStep: each(filled('afterStep')),
    recorded: each(filled('recorded')),
    advantages: inTurn(filled('advantages')),
    schedule: each(filled('schedule')),
    beforeUpdate: inTurn(filled('beforeUpdate')),
    sampledRow: each(filled('sampledRow')),
    sampled: each(filled('sampled')),
    afterUpdate: each(filled('afterUpdate')),
    afterUpdates: inTurn(filled('afterUpdates')),
    metrics: () => Object.assign({}, ...metrics.map((one) => one())),
    shown: shown.length === 0 ? undefined : () => joined(shown.map((one) => one())),
    rewards: each(filled('rewards')),
    beforeEpisodes: each(filled('beforeEpisodes')),
    compared: each(filled('compared')),
    silenced: each(filled('silenced')),
    afterGroups: inTurn(filled('afterGroups')),
  };
}
