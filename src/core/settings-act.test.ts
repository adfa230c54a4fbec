/** What is shown acts: every field of every kind of a variant of an environment changes what is played (of methods: tools/settings-act.test.ts). */
import { expect, it } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { kindsOf, switchedTo } from '#contract/catalog/variants.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { createActions } from './envs/api/buffers.ts';
import type { EnvEntry } from './envs/api/types.ts';
import { createVectorEnv } from './envs/api/vector-env.ts';
import { characterOf, EOS } from './envs/language/lib/tokens.ts';
import { randomActions } from './testing/env-suite.ts';
import { envs } from './testing/ready.ts';

type Fields = { readonly [name: string]: FieldSchema };
const fieldsOf = ({ schema }: { readonly schema: FieldSchema }): Fields => schema.properties ?? {};
const valuesOf = (field: FieldSchema): readonly Json[] => field.enum ?? (field.type === 'boolean' ? [true, false] : []);
/** Another value than the one it has. */
function another(field: FieldSchema, value: Json | undefined): Json {
  const [other] = valuesOf(field).filter((one) => one !== value);
  if (other !== undefined) return other;
  if (field.type === 'string') return `${String(value)}x`;
  const { minimum = field.exclusiveMinimum ?? 0, maximum = minimum + 1 } = field;
  if (field.type === 'integer') return value === minimum ? minimum + 1 : Number(value) - 1;
  return value === maximum ? (minimum + maximum) / 2 : (Number(value) + maximum) / 2;
}

/** Everything that a few episodes of chance and of each script say, for the same seeds. */
function played(entry: EnvEntry, config: JsonObject): readonly unknown[] {
  const parsed = entry.parse(config);
  const said: unknown[] = [];
  for (const script of [null, ...Object.values(entry.policies(parsed))]) {
    const vector = createVectorEnv(entry, parsed, 4, Rng.from(5));
    const actions = createActions(vector.meta, 4);
    const rng = Rng.from(6);
    vector.reset();
    const { obs } = vector.buffers;
    // of worlds on tokens also what the first row asks, in words: its prompt stands behind BOS
    const prompt = Array.from(obs.subarray(1, obs.length / 4)).filter((id) => id > EOS);
    if (entry.question !== undefined) said.push(entry.question(parsed, prompt.map(characterOf).join('')));
    for (let t = 0; t < 40; t++) {
      if (script === null) randomActions(vector.meta, 4, vector.buffers, rng, actions);
      else script.act(vector.env, vector.buffers, actions);
      vector.step(actions);
      said.push([...vector.buffers.obs], [...vector.buffers.reward], [...vector.buffers.terminated], [...actions]);
    }
  }
  return said;
}

/** Values to try in the place of one: farther off than `another`, for a small run must notice; the first that fits is taken. */
function others({ anyOf, ...schema }: FieldSchema, value: Json | undefined): readonly Json[] {
  // one that may be empty and is: a few values that it may have
  const inner = anyOf?.find(({ type }) => type !== undefined && String(type) !== 'null');
  if (inner !== undefined) {
    const { minimum = 0, maximum = 1 } = inner;
    return value === null ? [minimum, minimum + 1].filter((one) => one <= maximum) : [null];
  }
  const { type, minimum = 0, maximum = 1, ...field } = schema;
  if (Array.isArray(value)) return [value.slice(0, -1), changedFirst(value)].filter(({ length }) => length >= (field.minItems ?? 0));
  const now = Number(value);
  if (type === 'integer')
    return [Math.floor((now + minimum) / 2), now * 2, now + 1, now - 1].filter((one) => one >= minimum && one <= maximum);
  return type === 'number' ? [(now + maximum) / 2, (now + minimum) / 2, now + 1] : [another({ ...field, ...(type && { type }) }, value)];
}

/** A list of which the first number is another one. */
function changedFirst([first = 0, ...rest]: readonly Json[]): readonly Json[] {
  return [Array.isArray(first) ? changedFirst(first as readonly Json[]) : Number(first) + 1, ...rest];
}

/** Settings with which the field of a kind has something to do in a short run. */
const NOTICED: { readonly [id: string]: JsonObject } = {
  // values that come near to the limit; enough to draw for some to be held out
  't-reason': { task: { largest: 20 } },
  't-turns': { game: { attributes: 6 } },
  // a tree of rules that can be pruned
  'xland-minigrid': { task: { benchmark: 'small' } },
};

const kinds = envs.flatMap((entry) =>
  Object.entries(fieldsOf(entry)).flatMap(([key, field]) =>
    kindsOf(field).flatMap(({ name, fields }) =>
      Object.entries(fields).map(([inner, own]) => ({
        entry,
        key,
        field,
        name,
        inner,
        own,
        path: `${entry.id} ${key}.${inner} of ${name}`,
      })),
    ),
  ),
);

it('there are fields of variants of environments', () => {
  expect(new Set(kinds.map(({ entry }) => entry.id)).size).toBeGreaterThan(7);
});

it.each(kinds)('$path changes what is played', ({ entry, key, field, name, inner, own }) => {
  const start = switchedTo(field, NOTICED[entry.id]?.[key], name);
  const values = [...(own.enum ?? others(own, start[inner]))].filter((one) => one !== start[inner]);
  const before = JSON.stringify(played(entry, { [key]: start }));
  expect(values.some((value) => JSON.stringify(played(entry, { [key]: { ...start, [inner]: value } })) !== before)).toBe(true);
});
