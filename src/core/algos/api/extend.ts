/**
 * A method of the catalogue with one more extension, as a method of its own: `extend(ppo, clipSchedule)` is PPO whose clip range follows a schedule. The
 * extension acts at the places that extension.ts names, behind those that the method has; the method itself is not changed, and
 * without the extension's setting it trains with the same bits.
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import { isObject, type JsonObject } from '#contract/kit/json.ts';
import { parseConfig, toFieldSchema } from '../../envs/api/parse.ts';
import { type Declared, type Extension, isOn, type Setting, settingOf } from './extension.ts';
import { addTo } from './standing.ts';
import type { AlgoEntry } from './types.ts';

/** What is told of the new method; id and title are made of the method's and the extension's where they are left out. */
export interface ExtendedCard {
  readonly id?: string;
  readonly title?: string;
  readonly summary?: string;
}

/** Throws LabError('incompatible') where the extension does not fit the loop of the method, or has the name of one of its settings. */
export function extend(method: AlgoEntry, extension: Extension, card: ExtendedCard = {}): AlgoEntry {
  const { stand, schema } = method;
  const declared = extension as unknown as Declared<Setting>;
  const { id } = declared;
  const field = stand === undefined ? null : declared.field(stand);
  if (stand === undefined || field === null)
    throw fail(
      'incompatible',
      `"${id}" does not fit ${method.title}.`,
      'Extend a method in whose loop it has a place: PPO, DQN or SAC.',
      'algo',
    );
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, id))
    throw fail('incompatible', `${method.title} has a setting "${id}" already.`, 'Give the extension another id.', 'algo');
  const own = z.strictObject({ [id]: field });
  /** The method's part of a config, and the extension's. */
  const parts = (config: unknown): readonly [JsonObject, JsonObject] => {
    const given = isObject(config) ? config : {};
    const { [id]: mine, ...rest } = given;
    return [rest, mine === undefined ? {} : { [id]: mine }];
  };
  return {
    ...method,
    id: card.id ?? `${method.id}-${id}`,
    title: card.title ?? `${method.title} with ${id}`,
    summary: card.summary ?? method.summary,
    version: 1,
    changes: [],
    metrics: [...method.metrics, ...(declared.metrics?.(stand) ?? [])],
    presets: [],
    get schema() {
      return { ...schema, properties: { ...schema.properties, ...toFieldSchema(own).properties } };
    },
    parse(config) {
      const [rest, mine] = parts(config);
      return { ...method.parse(rest), ...(parseConfig(own, mine, 'algo') as JsonObject) };
    },
    fits(meta, config) {
      const [rest, mine] = parts(config);
      method.fits(meta, rest);
      const complete = { ...method.parse(rest), ...(parseConfig(own, mine, 'algo') as JsonObject) };
      const setting = settingOf(complete, id);
      if (setting !== null && isOn(complete, id)) declared.check?.(meta, setting, complete, stand);
    },
    train(run, resume) {
      addTo(run.config, declared); // the very object that live edits change
      return method.train(run, resume);
    },
    policy: (context, saved) => method.policy({ ...context, config: parts(context.config)[0] }, saved),
  };
}
