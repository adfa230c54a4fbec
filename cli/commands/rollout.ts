/**
 * `rollout`: given actions in an environment from a seed or a state, one line per step. Actions are JSON [t][agent]: a number for
 * discrete actions, a list of numbers for continuous ones; one agent may leave the inner list out. Ends when the episode ends.
 */
import { dirname } from 'node:path';
import { isObject, type Json, type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { Actions, AgentGroup, EnvEntry, EnvMeta } from '#core/envs/api/types.ts';
import { loadEnv } from '#core/envs/index.ts';
import { agentRewards } from '#core/run/replay.ts';
import { GYM_OPTIONS } from '../gym/gyms.ts';
import { type Command, type Context, pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { readInput } from '../kit/files.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number } from '../kit/output.ts';
import { codeIn } from '../own/code.ts';
import { listedEnv } from '../own/config.ts';
import { CODE_OPTIONS, type Found, namedBy, openGiven, openStored } from '../own/open.ts';

const OPTIONS = {
  env: { kind: 'text', value: 'ID', help: 'environment' },
  ...CODE_OPTIONS,
  ...GYM_OPTIONS,
  config: { kind: 'text', value: 'FILE|PRESET', help: 'its config: a JSON object, a run config, or the name of a preset' },
  seed: { kind: 'count', value: 'N', min: 0, help: 'start from a reset with this seed' },
  state: { kind: 'text', value: 'FILE', help: 'start from this state: JSON with named fields' },
  actions: { kind: 'text', value: 'FILE', help: 'JSON [t][agent]' },
  json: { kind: 'flag', help: 'JSON lines with observations and states; the last one is the summary' },
} as const;

function readFile(context: Pick<Context, 'typedIn'>, path: string, what: string): Json {
  try {
    return readJson(readInput(context, path, what));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`"${path}" is not JSON: ${error.message}.`);
    throw error;
  }
}

interface Place {
  readonly entry: EnvEntry;
  readonly config: JsonObject;
}

/** The environment and its settings, with what they need open. A run config names its own environment. */
async function placeOf(
  context: Pick<Context, 'typedIn'>,
  name: string | undefined,
  { env: asked, envConfig = {} }: { readonly env?: string | undefined; readonly envConfig?: JsonObject },
): Promise<Place> {
  const of = async (id: string, config: JsonObject, found?: Found): Promise<Place> => {
    await openStored({ env: { id, config } }, found);
    const entry = await loadEnv(id);
    return { entry, config: entry.parse(config) };
  };
  const unnamed = 'Which environment? rollout --env ID (see "list envs"), or --env-file FILE.';
  if (name === undefined) {
    if (asked === undefined) throw new UsageError(unnamed);
    return of(asked, envConfig);
  }
  const presets = (await listedEnv(asked))?.presets ?? [];
  const preset = presets.find(({ id }) => id === name);
  if (asked !== undefined && preset !== undefined) return of(asked, preset.config);
  const json = readFile(context, name, `config file (presets: ${presets.map((p) => p.id).join(', ') || 'none'})`);
  if (!isObject(json)) throw new UsageError(`"${name}" must hold a JSON object.`);
  // A whole run config has the environment's inside.
  const env = isObject(json.config) && isObject(json.config.env) ? json.config.env : json.env;
  const id = asked ?? (isObject(env) && typeof env.id === 'string' ? env.id : undefined);
  if (id === undefined) throw new UsageError(unnamed);
  return of(id, isObject(env) ? objectOf(env.config) : json, { file: name, codes: codeIn(dirname(pathFrom(context, name))) });
}

function agentsOf(meta: EnvMeta): readonly AgentGroup['action'][] {
  return meta.agents.flatMap((group) => Array.from({ length: group.count }, () => group.action));
}

/** One step's actions into the buffer [A, D]; says where a wrong one stands. */
function fill(step: Json, t: number, spaces: readonly AgentGroup['action'][], size: number, out: Actions): void {
  const bare = spaces.length === 1 && (!Array.isArray(step) || (spaces[0]?.kind === 'box' && typeof step[0] === 'number'));
  const row: readonly Json[] = bare ? [step] : Array.isArray(step) ? step : [];
  if (row.length !== spaces.length) throw new UsageError(`Step ${t} needs ${spaces.length} actions, one per agent; it has ${row.length}.`);
  spaces.forEach((space, agent) => {
    const action = row[agent] as Json;
    const where = `Step ${t}, agent ${agent}:`;
    if (space.kind === 'discrete') {
      const choice = Array.isArray(action) && action.length === 1 ? (action[0] as Json) : action;
      if (typeof choice !== 'number' || !Number.isInteger(choice) || choice < 0 || choice >= space.n) {
        throw new UsageError(`${where} an action is an integer from 0 to ${space.n - 1}, not ${JSON.stringify(action)}.`);
      }
      out[agent * size] = choice;
    } else {
      const values = typeof action === 'number' ? [action] : action;
      if (!Array.isArray(values) || values.length !== space.size || !values.every((x) => typeof x === 'number' && Number.isFinite(x))) {
        throw new UsageError(`${where} an action is a list of ${space.size} numbers, not ${JSON.stringify(action)}.`);
      }
      out.set(values as number[], agent * size);
    }
  });
}

export const rollout: Command = {
  usage: 'rollout --env ID | --env-file FILE | --config FILE (--seed N | --state FILE) --actions FILE',
  summary: 'Applies given actions in an environment, step by step.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (rest.length > 0) throw new UsageError(`rollout takes only options, not "${rest[0]}".`);
    if (options.actions === undefined) throw new UsageError('Which actions? rollout --actions FILE, JSON [t][agent].');
    if (options.seed === undefined && options.state === undefined) throw new UsageError('Start where? rollout --seed N, or --state FILE.');
    const output = createOutput(options.json);
    const named = namedBy(await openGiven(options, context), options);
    const { entry, config } = await placeOf(context, options.config, { env: options.env, ...named });
    const env = entry.create(config, 1);
    const { meta } = env;
    const actions = readFile(context, options.actions, 'actions file');
    if (!Array.isArray(actions)) throw new UsageError(`"${options.actions}" must hold a list: one entry per step.`);

    const buffers = createBuffers(meta, 1);
    const row = createActions(meta, 1);
    env.reset(Uint32Array.of(options.seed ?? 0), buffers);
    if (options.state !== undefined) env.load(0, meta.state.fromJSON(readFile(context, options.state, 'state file')), buffers);

    const spaces = agentsOf(meta);
    const obs = (): number[][] => spaces.map((_, a) => Array.from(buffers.obs.subarray(a * meta.obsSize, (a + 1) * meta.obsSize)));
    const state = (): JsonObject => meta.state.toJSON(env.save(0));
    const returns = spaces.map(() => 0);
    let t = 0;
    let terminated = false;
    let truncated = false;
    output.record({ type: 'step', t, obs: obs(), state: state() });
    while (t < actions.length && !terminated && !truncated) {
      fill(actions[t] as Json, t, spaces, meta.actionSize, row);
      env.step(row, buffers);
      t++;
      const reward = Array.from(agentRewards(env, buffers));
      reward.forEach((value, agent) => {
        returns[agent] = returns[agent]! + value;
      });
      terminated = buffers.terminated[0] === 1;
      truncated = buffers.truncated[0] === 1;
      output.record({ type: 'step', t, action: actions[t - 1], reward, terminated, truncated, obs: obs(), state: state() });
      const end = terminated ? '  terminated' : truncated ? '  truncated' : '';
      output.text(`${String(t).padStart(5)}  action ${JSON.stringify(actions[t - 1])}  reward ${reward.map(number).join(' ')}${end}`);
    }
    output.record({
      type: 'summary',
      env: entry.id,
      config: env.meta.id,
      steps: t,
      return: returns,
      terminated,
      truncated,
      state: state(),
    });
    output.text(`${t} steps, return ${returns.map(number).join(' ')}${terminated ? ', terminated' : truncated ? ', truncated' : ''}`);
    if (t < actions.length) output.text(`the episode ended: ${actions.length - t} actions were not used`);
  },
};
