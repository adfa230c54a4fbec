/** One `trajectory` case of a golden file: set the state, apply the actions, compare what is listed. */

import type { ActionSpace } from '#contract/game/spaces.ts';
import { obsSize } from '#contract/game/spaces.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import { perAgent } from '../envs/api/meta.ts';
import { nest } from '../envs/api/state.ts';
import type { Actions, DrawSource, EnvEntry, Environment, EnvMeta, GoldenExtras, ScriptedPolicy, StepBuffers } from '../envs/api/types.ts';
import { type Comparison, FLOAT32_ROUNDING, type Tolerance } from './golden-compare.ts';

interface Totals {
  readonly returns: Float64Array; // [A]
  readonly magnitude: Float64Array; // [A] sum of |reward|: bounds what float32 rewards can lose
  readonly rewards: number[]; // of agent 0, per step
  readonly shaped: number[];
  /** Sum of all costs, where the environment has some. */
  cost: number;
  steps: number;
}

export function runTrajectory(
  entry: EnvEntry,
  c: JsonObject,
  rawConfig: JsonObject,
  extern: GoldenExtras,
  tolerance: Tolerance,
  comparison: Comparison,
): void {
  const state = c.state as JsonObject | undefined;
  if (state === undefined) throw new Error('a trajectory needs a state');
  const config = entry.golden.config?.(rawConfig, state) ?? rawConfig;
  const draws = scriptOf(entry, c);
  const env = entry.create(config, 1, draws === undefined ? {} : { draws });
  const { meta } = env;
  const buffers = createBuffers(meta, 1);
  const complete = entry.parse(config);
  const toJson = (bytes: Uint8Array): JsonObject => entry.golden.toJson?.(bytes, complete) ?? meta.state.toJSON(bytes);
  const fromJson = (json: JsonObject): Uint8Array => entry.golden.fromJson?.(json, complete) ?? meta.state.fromJSON(json);
  if (state.from !== undefined) {
    if (state.from !== 'reset') throw new Error(`a state from "${String(state.from)}" is not supported`);
    env.reset(Uint32Array.of(1), buffers);
    const { from: _, ...fields } = state;
    if (Object.keys(fields).length > 0) env.load(0, fromJson({ ...toJson(env.save(0)), ...fields }), buffers);
  } else env.load(0, fromJson(state), buffers);

  const observed = entry.golden.observed?.(complete);

  const expected = (Array.isArray(c.expected) ? c.expected : []) as readonly JsonObject[];
  const hold = typeof c.holdActions === 'number' ? c.holdActions : 1;
  const actionRows = (Array.isArray(c.actions) ? c.actions : []) as readonly (readonly Json[])[];
  const listed = expected.length > 0 ? (expected.at(-1)?.t as number) : actionRows.length * hold;
  // totals are over the whole run, which may go on after the last listed step
  const wholeRun = tolerance.totals === false ? undefined : (c.totals as JsonObject | undefined)?.steps;
  const last = typeof wholeRun === 'number' ? Math.max(listed, wholeRun) : listed;
  const act = actor(entry, c, config, extern, env, buffers, actionRows, hold);
  const totals: Totals = {
    returns: new Float64Array(meta.agentCount),
    magnitude: new Float64Array(meta.agentCount),
    rewards: [],
    shaped: [],
    cost: 0,
    steps: 0,
  };
  let next = 0;
  for (let t = 0; t <= last; t++) {
    if (t > 0) {
      env.step(act(t), buffers);
      addTotals(totals, env, buffers);
    }
    for (; next < expected.length && (expected[next] as JsonObject).t === t; next++)
      compareStep(expected[next] as JsonObject, t, env, buffers, toJson, observed, comparison);
  }
  if (next < expected.length) throw new Error('expected steps are not in ascending order of t');
  if (c.totals !== undefined && tolerance.totals !== false) compareTotals(c.totals as JsonObject, totals, buffers, comparison);
}

function scriptOf(entry: EnvEntry, c: JsonObject): DrawSource | undefined {
  if (c.draws === undefined) return undefined;
  if (entry.golden.draws === undefined) throw new Error(`${entry.id} does not support draws`);
  return entry.golden.draws(c.draws as JsonObject);
}

/** Gives the actions of step t, from the listed rows and from policies. */
function actor(
  entry: EnvEntry,
  c: JsonObject,
  config: JsonObject,
  extern: GoldenExtras,
  env: Environment,
  buffers: StepBuffers,
  rows: readonly (readonly Json[])[],
  hold: number,
): (t: number) => Actions {
  const { meta } = env;
  const actions = exactActions(meta);
  if (c.controller !== undefined) {
    const controller = entry.golden.controller?.(c.controller as JsonObject, entry.parse(config));
    if (controller === undefined) throw new Error(`the controller ${JSON.stringify((c.controller as JsonObject).type)} is not supported`);
    return () => {
      controller.act(env, buffers, actions);
      return actions;
    };
  }
  const spaces = perAgent(meta, (group) => group.action);
  const names = (Array.isArray(c.policies) ? c.policies : []) as readonly (string | null)[];
  const known = names.some((n) => n !== null) ? { ...entry.policies(config), ...extern.policies } : {};
  const scripted = names.map((name): ScriptedPolicy | null => {
    if (name === null) return null;
    const policy = known[name];
    if (policy === undefined) throw new Error(`${entry.id} has no policy "${name}"`);
    return policy;
  });
  const own = exactActions(meta);
  const allScripted = scripted.length === meta.agentCount && scripted.every((policy) => policy !== null);
  return (t) => {
    if (rows.length === 0 && meta.actionSize === 0) return actions;
    if (rows.length === 0 && !allScripted) throw new Error('no actions are listed, but the environment takes some');
    const row = rows.length === 0 ? scripted.map(() => null) : rows[Math.floor((t - 1) / hold)];
    if (row === undefined) throw new Error(`no action is listed for step ${t}`);
    if (row.length !== meta.agentCount) throw new Error(`step ${t} lists ${row.length} actions for ${meta.agentCount} agents`);
    row.forEach((value, agent) => {
      if (!scripted[agent]) setAction(actions, agent * meta.actionSize, value as Json, spaces[agent] as ActionSpace, t);
    });
    // a policy acts for all agents at once and may have a memory: once per step each
    for (const policy of new Set(scripted)) {
      if (!policy) continue;
      policy.act(env, buffers, own);
      scripted.forEach((other, agent) => {
        if (other !== policy) return;
        const at = agent * meta.actionSize;
        for (let d = 0; d < meta.actionSize; d++) actions[at + d] = own[at + d]!;
      });
    }
    return actions;
  };
}

/** Actions as the reference was given them: numbers of a box in float64. Environments only read them by index. */
function exactActions(meta: EnvMeta): Actions {
  const actions = createActions(meta, 1);
  return meta.actionCount > 0 ? actions : (new Float64Array(actions.length) as unknown as Float32Array);
}

function setAction(actions: Actions, at: number, value: Json, space: ActionSpace, t: number): void {
  if (space.kind === 'discrete') {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= space.n)
      throw new Error(`action ${JSON.stringify(value)} of step ${t} is not in 0..${space.n - 1}`);
    actions[at] = value;
    return;
  }
  const list = typeof value === 'number' ? [value] : value;
  if (!Array.isArray(list) || list.length !== space.size || list.some((x) => typeof x !== 'number'))
    throw new Error(`action ${JSON.stringify(value)} of step ${t} does not have ${space.size} numbers`);
  list.forEach((x, d) => {
    actions[at + d] = x as number;
  });
}

function addTotals(totals: Totals, env: Environment, { reward, cost = new Float32Array(0) }: StepBuffers): void {
  totals.cost += cost.reduce((a, b) => a + b, 0);
  const kinds = env.meta.rewards.length;
  for (let agent = 0; agent < env.meta.agentCount; agent++) {
    const r = reward[agent * kinds]!;
    totals.returns[agent] = totals.returns[agent]! + r;
    totals.magnitude[agent] = totals.magnitude[agent]! + Math.abs(r);
  }
  totals.rewards.push(reward[0]!);
  const shaped = env.extras?.(0).shapedReward;
  if (Array.isArray(shaped))
    (shaped as readonly number[]).forEach((r, agent) => {
      totals.shaped[agent] = (totals.shaped[agent] ?? 0) + r;
    });
  totals.steps++;
}

function compareStep(
  wanted: JsonObject,
  t: number,
  env: Environment,
  buffers: StepBuffers,
  toJson: (bytes: Uint8Array) => JsonObject,
  observed: number | undefined,
  comparison: Comparison,
): void {
  const ignored = new Set((Array.isArray(wanted.ignore) ? wanted.ignore : []).map(String));
  const extras = env.extras?.(0) ?? {};
  for (const [key, value] of Object.entries(wanted)) {
    if (key === 't' || key === 'ignore') continue;
    const at = { path: `t=${t}/${key}`, t, ignored, below: key };
    if (key === 'state') comparison.check({ ...toJson(env.save(0)), ...(extras.state as JsonObject | undefined) }, value, at);
    else if (key === 'obs')
      comparison.check(observations(env.meta, buffers, value, observed), value, { ...at, rounding: FLOAT32_ROUNDING });
    else if (key === 'reward') comparison.check(rewards(env.meta, buffers, value), value, { ...at, rounding: FLOAT32_ROUNDING });
    else if (key === 'terminated' || key === 'truncated') {
      const flag = buffers[key][0] === 1;
      comparison.check(Array.isArray(value) ? (extras[key] ?? value.map(() => flag)) : flag, value, at);
    } else comparison.check(extras[key], value, at);
  }
}

function observations(meta: EnvMeta, { obs }: StepBuffers, wanted: Json, observed: number | undefined): Json {
  const spaces = perAgent(meta, (group) => group.obs);
  return spaces.map((space, agent) => {
    const from = agent * meta.obsSize;
    const row = Array.from(obs.subarray(from, from + (observed ?? obsSize(space))));
    // a discrete observation may be listed as its number
    const listed = Array.isArray(wanted) ? (wanted[agent] as Json) : null;
    if (space.kind === 'discrete') return typeof listed === 'number' ? row.indexOf(1) : row;
    return Array.isArray(listed) && Array.isArray(listed[0]) ? nest(row, space.shape) : row;
  });
}

function rewards(meta: EnvMeta, { reward }: StepBuffers, wanted: Json): Json {
  const kinds = meta.rewards.length;
  const list = Array.from({ length: meta.agentCount }, (_, agent): Json => {
    const row = Array.from(reward.subarray(agent * kinds, (agent + 1) * kinds));
    return kinds === 1 ? row[0]! : row;
  });
  return Array.isArray(wanted) ? list : (list[0] as Json);
}

function compareTotals(wanted: JsonObject, totals: Totals, buffers: StepBuffers, comparison: Comparison): void {
  const nonzero = totals.rewards.flatMap((r, i) => (r === 0 ? [] : [[i + 1, r]]));
  for (const [key, value] of Object.entries(wanted)) {
    const at = { path: `totals/${key}`, below: key, totals: true };
    if (key === 'return') {
      if (!Array.isArray(value) || value.length !== totals.returns.length) {
        comparison.fail(at.path, `there are ${totals.returns.length} agents`);
        continue;
      }
      value.forEach((w, agent) => {
        const sum = totals.returns[agent]!;
        // float32 rewards: every one may be off by half a unit in its last place
        const rounding = (FLOAT32_ROUNDING * totals.magnitude[agent]!) / Math.max(Math.abs(Number(w)), 1e-300);
        comparison.check(sum, w, { ...at, path: `${at.path}/${agent}`, rounding });
      });
    } else if (key === 'steps') comparison.check(totals.steps, value, at);
    else if (key === 'cost') comparison.check(totals.cost, value, at);
    else if (key === 'terminated' || key === 'truncated') comparison.check(buffers[key][0] === 1, value, at);
    else if (key === 'nonzeroRewards' || key === 'points') comparison.check(nonzero, value, { ...at, rounding: FLOAT32_ROUNDING });
    else if (key === 'shapedReturn') comparison.check(totals.shaped, value, at);
    else throw new Error(`totals.${key} is not supported`);
  }
}
