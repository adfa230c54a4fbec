/** From a typed algorithm to a registry entry whose methods take raw JSON. */
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { isObject, type JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { nestedConfig } from '#contract/run/flat-settings.ts';
import { parseConfig, toFieldSchema } from '../../envs/api/parse.ts';
import { type BodySettings, isLate, loadBody } from '../../nets/body.ts';
import { seenMeta } from './behind.ts';
import { withExtensions } from './standing.ts';
import type { AlgoDef, AlgoEntry, Progress, Run } from './types.ts';

/** Of a method that names no trial. */
const TRIAL_STEPS = 4096;

/** A run whose network has a body that is loaded first. */
async function* onceLoaded(
  settings: BodySettings,
  begin: () => AsyncGenerator<Progress, void, void>,
): AsyncGenerator<Progress, void, void> {
  await loadBody(settings);
  yield* begin();
}

/** A run whose observations are normalised. */
async function* normalised<C>(run: Run<C>, resume: Saved | undefined, train: AlgoDef<C>['train']): AsyncGenerator<Progress, void, void> {
  const { trainNormalised } = await import('./normalised.ts');
  yield* trainNormalised(run, resume, train);
}

/** Observations are normalised once, and recorded play is plain. Throws LabError('config-invalid' | 'incompatible'). */
function checkNormalisedOnce({ title, shown }: { readonly title: string; readonly shown?: true }, config: object): void {
  if (shown === true)
    throw fail(
      'incompatible',
      `${title} learns from recorded play, whose observations are as they are.`,
      'Switch the normalisation of the world off.',
      'env.normaliseObs',
    );
  if ('normaliseObs' in config && config.normaliseObs === true)
    throw fail('config-invalid', 'Observations would be normalised twice.', 'Switch one of the two off.', 'algo.normaliseObs');
}

/**
 * Wraps a definition; parse throws LabError('config-invalid'), fits LabError('incompatible'). `train` takes the run's config as it is:
 * what parse gave, and the very object that live edits change.
 */
export function defineAlgo<C extends object>(def: AlgoDef<C>): AlgoEntry {
  const { spec, benchmark, weigh } = def;
  const { config: own, extensions, ...card } = spec;
  const config = extensions === undefined ? own : withExtensions(own, extensions);
  const complete = new WeakSet<object>(); // what parse gave is known again and not checked twice
  const known = (given: unknown): given is C => typeof given === 'object' && given !== null && complete.has(given);
  const typed = (given: unknown): C => {
    if (known(given)) return given;
    const now = isObject(given) ? nestedConfig(card.id, given) : (given ?? {});
    const parsed = parseConfig(config, now, 'algo');
    complete.add(parsed);
    return parsed;
  };
  let schema: FieldSchema | null = null;
  return {
    ...card,
    metrics: [...card.metrics, ...(extensions?.metrics ?? [])],
    presets: [...card.presets, ...(extensions?.presets ?? [])],
    ...(extensions !== undefined && { stand: extensions.stand }),
    changes: spec.changes ?? [],
    trial: spec.trial ?? { env: spec.action === 'box' ? 'pendulum' : 'cartpole', steps: TRIAL_STEPS },
    probes: spec.probes ?? [],
    probeConfig: spec.probeConfig ?? {},
    // Made when it is read: most commands and workers read none or one.
    get schema() {
      schema ??= toFieldSchema(config);
      return schema;
    },
    parse: (given) => typed(given) as JsonObject,
    fits(given, settings) {
      const complete = typed(settings);
      if (given.normalised) checkNormalisedOnce(spec, complete);
      const meta = given.normalised ? seenMeta(given) : given;
      def.fits?.(meta, complete);
      extensions?.check(meta, complete);
    },
    train(run, resume) {
      const begin = (): ReturnType<typeof def.train> =>
        run.meta.normalised ? normalised(run as Run<C>, resume, def.train.bind(def)) : def.train(run as Run<C>, resume);
      return isLate(run.config as BodySettings) ? onceLoaded(run.config as BodySettings, begin) : begin();
    },
    async policy(context, saved) {
      const own = typed(context.config);
      await loadBody(own);
      const typedContext = { ...context, config: own };
      if (!context.meta.normalised) return def.policy(typedContext, saved);
      return (await import('./normalised.ts')).policyNormalised(typedContext, saved, def.policy.bind(def));
    },
    ...(weigh !== undefined && { weigh: (given, sampled) => weigh(typed(given), sampled) }),
    ...(benchmark !== undefined && { benchmark: (context) => benchmark({ ...context, config: typed(context.config) }) }),
  };
}
