/**
 * What is shown acts: every field of every kind of a variant changes what is trained. Fields that say where they act (FieldMeta.actsWhere) are
 * not shown elsewhere: there they must have no effect indeed.
 */
import { describe, expect, it } from 'vitest';
import { acts } from '#contract/acts.ts';
import type { FieldSchema } from '#contract/catalog.ts';
import { type Json, type JsonObject, objectOf } from '#contract/json.ts';
import { kindsOf, switchedTo } from '#contract/variants.ts';
import { Rng } from '#math/rng.ts';
import { algos } from './algos/all.ts';
import { getEnv } from './envs/all.ts';
import { createActions } from './envs/api/buffers.ts';
import type { EnvEntry } from './envs/api/types.ts';
import { createVectorEnv } from './envs/api/vector-env.ts';
import { randomActions } from './testing/env-suite.ts';
import { envs } from './testing/ready.ts';
import { trained } from './testing/trained.ts';

type Fields = { readonly [name: string]: FieldSchema };
type Where = NonNullable<FieldSchema['actsWhere']>;

const fieldsOf = ({ schema }: { readonly schema: FieldSchema }): Fields => schema.properties ?? {};
const conditional = (fields: Fields): readonly (readonly [string, FieldSchema, Where])[] =>
  Object.entries(fields).flatMap(([name, field]) => (field.actsWhere === undefined ? [] : [[name, field, field.actsWhere] as const]));
const valuesOf = (field: FieldSchema): readonly Json[] => field.enum ?? (field.type === 'boolean' ? [true, false] : []);
const actsIn = (field: FieldSchema, config: JsonObject): boolean => acts(field, (name) => config[name]);

/** Another value than the one it has. */
function another(field: FieldSchema, value: Json | undefined): Json {
  const [other] = valuesOf(field).filter((one) => one !== value);
  if (other !== undefined) return other;
  if (field.type === 'string') return `${String(value)}x`;
  const { minimum = field.exclusiveMinimum ?? 0, maximum = minimum + 1 } = field;
  if (field.type === 'integer') return value === minimum ? minimum + 1 : Number(value) - 1;
  return value === maximum ? (minimum + maximum) / 2 : (Number(value) + maximum) / 2;
}

const marked = envs.filter((entry) => conditional(fieldsOf(entry)).length > 0);

it('there are such fields', () => {
  expect(marked.length).toBeGreaterThan(5);
});

it.each(marked)('$id: what a field depends on stands beside it, and can be otherwise', (entry) => {
  const fields = fieldsOf(entry);
  for (const [name, , where] of conditional(fields)) {
    expect(Object.keys(where).length).toBeGreaterThan(0);
    for (const [on, wanted] of Object.entries(where)) {
      const beside = fields[on];
      expect(beside, `${name} depends on ${on}`).toBeDefined();
      if ('above' in wanted) expect(['number', 'integer']).toContain(beside?.type);
      else {
        // methods that share a field may offer fewer values of what it depends on
        const known = marked.flatMap((other) => valuesOf(fieldsOf(other)[on] ?? {}));
        for (const value of wanted) expect(known, name).toContain(value);
        expect(
          valuesOf(beside ?? {}).some((value) => !wanted.includes(value)),
          `${name} can be without effect`,
        ).toBe(true);
      }
    }
  }
});

/** Everything that a few episodes of chance and of each script say, for the same seeds. */
function played(entry: EnvEntry, config: JsonObject): readonly unknown[] {
  const parsed = entry.parse(config);
  const said: unknown[] = [];
  for (const script of [null, ...Object.values(entry.policies(parsed))]) {
    const vector = createVectorEnv(entry, parsed, 4, Rng.from(5));
    const actions = createActions(vector.meta, 4);
    const rng = Rng.from(6);
    vector.reset();
    for (let t = 0; t < 40; t++) {
      if (script === null) randomActions(vector.meta, 4, vector.buffers, rng, actions);
      else script.act(vector.env, vector.buffers, actions);
      vector.step(actions);
      said.push([...vector.buffers.obs], [...vector.buffers.reward], [...vector.buffers.terminated], [...actions]);
    }
  }
  return said;
}

describe.each(marked)('$id', (entry) => {
  const fields = fieldsOf(entry);
  const switches = [...new Set(conditional(fields).flatMap(([, , where]) => Object.keys(where)))];
  const idleIn = (setting: JsonObject) => conditional(fields).filter(([, field]) => !actsIn(field, entry.parse(setting) as JsonObject));
  const settings = switches
    .flatMap((name): readonly JsonObject[] => {
      const values = valuesOf(fields[name] ?? {});
      return (values.length > 0 ? values : [fields[name]?.minimum ?? 0]).map((value) => ({ [name]: value }));
    })
    .filter((setting) => idleIn(setting).length > 0);

  it.each(settings)('with %j the fields that are not shown change nothing', (setting) => {
    const config = entry.parse(setting) as JsonObject;
    const changed = Object.fromEntries(idleIn(setting).map(([name, field]) => [name, another(field, config[name])]));
    expect(played(entry, { ...config, ...changed })).toEqual(played(entry, config));
  });
});

/** Values to try in the place of one: farther off than `another`, for a small run must notice; the first that fits is taken. */
function others({ type, minimum = 0, maximum = 1, ...field }: FieldSchema, value: Json | undefined): readonly Json[] {
  const now = Number(value);
  if (type === 'integer')
    return [Math.floor((now + minimum) / 2), now * 2, now + 1, now - 1].filter((one) => one >= minimum && one <= maximum);
  return type === 'number' ? [(now + maximum) / 2, (now + minimum) / 2, now + 1] : [another({ ...field, ...(type && { type }) }, value)];
}

/** Settings with which the field of a kind has something to do in a short run. */
const NOTICED: { readonly [id: string]: JsonObject } = {
  // consolidated often, and fewer transitions kept than there are
  dqn: { bonus: { bits: 16 }, forgetting: { every: 200, samples: 8, capacity: 50 } },
  // the place that is chosen changes as the learner learns
  'designed-rewards': { design: { places: 1 } },
  // ratios leave these limits, and lie between them; entropies leave the band
  'group-rl': { surrogate: { low: 0.1, high: 0.9 } },
  'group-worlds': { band: { coef: 5, low: 1, high: 1 } },
  mansa: { recurrent: { sequence: 2 } },
  ppo: { bonus: { bits: 16 }, forgetting: { every: 320, samples: 8, capacity: 50 } },
  psro: { responses: { updates: 3 } },
  sac: { forgetting: { every: 200, samples: 8, capacity: 50, cloning: 0.1, valueCloning: 0.1 } },
  // four chunks of two steps fit into an episode
  'recurrent-ppo': { memory: { window: 8, chunk: 2, topK: 3, slots: 4 } },
};

/** Settings beside the variant for the same reason. */
const BESIDE: { readonly [path: string]: JsonObject } = {
  'group-rl surrogate': { lr: 0.05, epochs: 4 },
  'group-worlds branching': { group: 8 },
};

/** Other values of texts that must be one of some names. */
const NAMES: { readonly [path: string]: string } = { 'strategist strategy.skill of fixed': 'attack left' };

const varied = algos.flatMap((algo) =>
  Object.entries(fieldsOf(algo)).flatMap(([key, field]) =>
    kindsOf(field).flatMap(({ name, fields }) =>
      Object.entries(fields).map(([inner, own]) => ({ algo, key, field, name, inner, own, path: `${algo.id} ${key}.${inner} of ${name}` })),
    ),
  ),
);

it('there are fields of variants', () => {
  expect(varied.length).toBeGreaterThan(40);
});

/** Two tasks of which agents are told, each packed in its own block. */
const told = (list: readonly JsonObject[]): JsonObject => ({
  contexts: { list: [...list], order: { by: 'blocks', steps: 320 }, tell: true },
});
const PENDULA = { id: 'pendulum', config: told([{ gravity: 10 }, { gravity: 5 }]) };

/** Environments in place of the trial's. */
const WORLDS: { readonly [kind: string]: { readonly id: string; readonly config?: JsonObject } } = {
  // few planes must already tell its observations apart
  'hash counts': { id: 'deep-sea' },
  // where some actions are illegal
  'sac-discrete autoTemperature.of of on': { id: 'snake', config: { actionMask: true } },
  // whose novice makes mistakes
  'group-rl cloning.teacher of on': { id: 't-reason', config: { mistakes: 1 } },
  // where a short run earns something, and there is a novice
  'group-worlds stateGroups': { id: 'tool-worlds' },
  'group-worlds band': { id: 'tool-worlds' },
  'group-worlds cloning': { id: 'tool-worlds' },
  // a way that chance finds in a short run
  'designed-rewards design': { id: 'key-grid', config: { map: ['S....G'] } },
  // with tasks to be packed
  'packed masks': { id: 'cartpole', config: told([{ force: 10 }, { force: -10 }]) },
  'sac forgetting.keep of packed masks': PENDULA,
  'sac forgetting.retrain of packed masks': PENDULA,
  // with goals
  'dqn hindsight': { id: 'bit-flip' },
  'crossq hindsight': { id: 'mujoco-table-reach' },
  'droq hindsight': { id: 'mujoco-table-reach' },
  'sac hindsight': { id: 'mujoco-table-reach' },
  'td3 hindsight': { id: 'mujoco-table-reach' },
  // where agents are paid differently
  'dial teamReward': { id: 'mpe-simple-spread' },
  'hammer teamReward': { id: 'mpe-simple-spread' },
  'recurrent-ppo teamReward': { id: 'coin-game' },
  // a game too large for exact responses
  'psro responses.updates of auto': { id: 'tic-tac-toe' },
  'psro responses.start of auto': { id: 'tic-tac-toe' },
};

/** Those of DQN are tried on every push, all at night. */
const cases = varied.map((one) => ({ ...one, path: `${one.algo.id === 'dqn' ? '' : '@night '}${one.path}` }));

it.each(cases)('$path changes what is trained', async ({ algo, key, field, name, inner, own }) => {
  const { env, ...trial } = algo.trial;
  const path = `${algo.id} ${key}.${inner} of ${name}`;
  const world = WORLDS[path] ?? WORLDS[`${algo.id} ${key}`] ?? WORLDS[name];
  const given = { ...objectOf(trial.config), ...BESIDE[`${algo.id} ${key}`] };
  const start = switchedTo(field, { ...objectOf(given[key]), ...objectOf(NOTICED[algo.id]?.[key]) }, name);
  const task = { ...trial, algo, env: getEnv(world?.id ?? env), ...(world?.config && { envConfig: world.config }) };
  const meta = task.env.meta(task.env.parse(task.envConfig ?? {}));
  const config = (value: Json | undefined): JsonObject => ({
    ...given,
    [key]: { ...start, ...(value !== undefined && { [inner]: value }) },
  });
  const fits = (value: Json): boolean => {
    try {
      algo.fits(meta, algo.parse(config(value)));
      return true;
    } catch {
      return false; // the next one is tried
    }
  };
  const value = [...others(own, start[inner]), NAMES[path] ?? null].find((one) => one !== start[inner] && fits(one));
  expect(value).toBeDefined();
  const plain = await trained({ ...task, config: config(undefined) });
  const changed = await trained({ ...task, config: config(value) });
  expect([changed.hash, changed.rows]).not.toEqual([plain.hash, plain.rows]);
});
