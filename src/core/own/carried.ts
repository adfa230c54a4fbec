/** An environment of a person's code whose settings may carry that code (CODE_SETTING): with it they say all that a run needs. */

import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { CODE_SETTING } from '#contract/run/own-world.ts';
import type { EnvEntry } from '../envs/api/types.ts';

const field: FieldSchema = {
  type: 'string',
  title: 'code',
  description: 'The code that defines this environment.',
  editor: 'hidden',
};

/** `code`: as it was run, of which the entry's id was made. */
export function carrying(entry: EnvEntry, code: string): EnvEntry {
  const split = (config: unknown): { readonly rest: unknown; readonly carries: boolean } => {
    if (typeof config !== 'object' || config === null || !(CODE_SETTING in config)) return { rest: config, carries: false };
    const { [CODE_SETTING]: given, ...rest } = config;
    if (given === code) return { rest, carries: true };
    throw fail(
      'config-invalid',
      `The code in these settings is not that of ${entry.title}.`,
      'Choose the environment anew.',
      `env.${CODE_SETTING}`,
    );
  };
  const rest = (config: unknown): unknown => split(config).rest;
  const { schema } = entry;
  return {
    ...entry,
    schema: { ...schema, properties: { ...schema.properties, [CODE_SETTING]: field } },
    parse(config): JsonObject {
      const { rest: own, carries } = split(config);
      const whole = entry.parse(own);
      return carries ? { ...whole, [CODE_SETTING]: code } : whole;
    },
    meta: (config) => entry.meta(rest(config)),
    create: (config, batch, options) => entry.create(rest(config), batch, options),
    check: (name, config, inputs, memory) => entry.check(name, rest(config), inputs, memory),
    policies: (config) => entry.policies(rest(config)),
    skills: (config) => entry.skills(rest(config)),
    lookAhead: (config) => entry.lookAhead(rest(config)),
  };
}
