/** What is shown acts: every field of every kind of a variant changes what is played or trained. */
import { expect, it } from 'vitest';
import type { FieldSchema } from '#contract/catalog.ts';
import { type Json, type JsonObject, objectOf } from '#contract/json.ts';
import { kindsOf, switchedTo } from '#contract/variants.ts';
import { Rng } from '#math/rng.ts';
import { algos } from './algos/all.ts';
import { getEnv } from './envs/all.ts';
import { createActions } from './envs/api/buffers.ts';
import type { EnvEntry } from './envs/api/types.ts';
import { createVectorEnv } from './envs/api/vector-env.ts';
import { characterOf, EOS } from './envs/language/lib/tokens.ts';
import { randomActions } from './testing/env-suite.ts';
import { envs } from './testing/ready.ts';
import { trained } from './testing/trained.ts';

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
function others({ type, minimum = 0, maximum = 1, ...field }: FieldSchema, value: Json | undefined): readonly Json[] {
  const now = Number(value);
  if (type === 'integer')
    return [Math.floor((now + minimum) / 2), now * 2, now + 1, now - 1].filter((one) => one >= minimum && one <= maximum);
  return type === 'number' ? [(now + maximum) / 2, (now + minimum) / 2, now + 1] : [another({ ...field, ...(type && { type }) }, value)];
}

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
  const start = switchedTo(field, objectOf(NOTICED[entry.id]?.[key]), name);
  const values = [...(own.enum ?? others(own, start[inner]))].filter((one) => one !== start[inner]);
  const before = JSON.stringify(played(entry, { [key]: start }));
  expect(values.some((value) => JSON.stringify(played(entry, { [key]: { ...start, [inner]: value } })) !== before)).toBe(true);
});

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
  // values that come near to the limit; enough to draw for some to be held out
  't-reason': { task: { largest: 20 } },
  't-turns': { game: { attributes: 6 } },
  sac: { forgetting: { every: 200, samples: 8, capacity: 50, cloning: 0.1, valueCloning: 0.1 } },
  // four chunks of two steps fit into an episode
  'recurrent-ppo': { memory: { window: 8, chunk: 2, topK: 3, slots: 4 } },
};

/** Settings beside the variant for the same reason. */
const BESIDE: { readonly [path: string]: JsonObject } = {
  'adversary influence': { influenceCoef: 1 },
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
