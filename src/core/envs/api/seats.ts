/**
 * Players of seats. A config may give seats to players that do not learn, `seats: { adversary: 'random', agent_0: 'expert' }`:
 * they become part of the environment, and the learner meets a world with fewer agents. So opponents and teammates need no
 * support from any algorithm, and links, replays, evaluations and explanations carry them like any other setting.
 *
 * A key is an agent's name, or the part of it before the number for all of that kind. A value is 'random' (uniform over legal
 * actions), 'idle' (the action that does nothing) or one of the environment's own policies. Random players draw from a generator of
 * their own, four words at the end of each row's state, so that a state continues with the same bits.
 */

import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { kindOf } from '#contract/game/seats.ts';
import { actionSize, obsSize } from '#contract/game/spaces.ts';
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { randomAction } from '#math/sampling.ts';
import { createActions, createBuffers } from './buffers.ts';
import { perAgent } from './meta.ts';
import { badConfig } from './parse.ts';
import type { Actions, AgentGroup, Environment, EnvMeta, Score, ScriptedPolicy, StateSpec, StepBuffers } from './types.ts';

export type Seats = { readonly [seat: string]: string };

const BUILT_IN = ['random', 'idle'] as const;
const WORDS = 4;
const GENERATOR = 'seatRng';

/** The field of the config, for environments where more than one agent acts. */
export function seatsField(policyNames: readonly string[]): FieldSchema {
  return {
    type: 'object',
    title: 'seats',
    description: 'Seats given to players that do not learn; the others are trained.',
    group: 'seats',
    editor: 'seats',
    additionalProperties: { type: 'string', enum: [...BUILT_IN, ...policyNames] },
  };
}

/** Takes `seats` out of a config; an empty one is none. Throws LabError('config-invalid') for other shapes. */
export function splitSeats(config: unknown): { readonly rest: unknown; readonly seats: Seats | null } {
  if (typeof config !== 'object' || config === null || !('seats' in config)) return { rest: config, seats: null };
  const { seats, ...rest } = config as { readonly seats: Json };
  if (!isObject(seats)) {
    throw badConfig('seats', 'env.seats must name seats and who plays them.', 'Write it like { "agent_0": "random" }.');
  }
  return { rest, seats: Object.keys(seats).length === 0 ? null : (seats as Seats) };
}

/** Which player each agent has, '' for those that learn. Throws LabError('config-invalid'). */
export function playersOf(meta: EnvMeta, taken: Seats, policyNames: readonly string[]): readonly string[] {
  const names = meta.agents.flatMap((group) => group.names);
  const kinds = [...new Set(names.map(kindOf))];
  const allowed = [...BUILT_IN, ...policyNames];
  for (const [key, player] of Object.entries(taken)) {
    const field = `seats.${key}`;
    if (!names.includes(key) && !kinds.includes(key)) {
      throw badConfig(field, `There is no seat called "${key}".`, `Seats: ${names.slice(0, 12).join(', ')}; kinds: ${kinds.join(', ')}.`);
    }
    if (typeof player !== 'string' || !allowed.includes(player)) {
      throw badConfig(field, `There is no player ${JSON.stringify(player)} here.`, `Use one of: ${allowed.join(', ')}.`);
    }
    if (player === 'idle' && meta.actionCount > 0 && idleOf(meta) === null) {
      throw badConfig(field, 'This environment has no action that does nothing.', 'Choose "random" or a scripted player.');
    }
  }
  const players = names.map((name) => taken[name] ?? taken[kindOf(name)] ?? '');
  if (players.includes('')) return players;
  throw badConfig('seats', 'Every seat has a player, so no agent is left to learn.', 'Leave at least one seat open.');
}

const idleOf = (meta: EnvMeta): number | null => meta.noopAction ?? meta.idleAction;

/** The same world as its learners see it. Its reward is not taken apart: the terms are sums over the whole team. */
export function seatedMeta({ terms: _, goals: __, ...meta }: EnvMeta, players: readonly string[]): EnvMeta {
  const agents: AgentGroup[] = [];
  let from = 0;
  for (const group of meta.agents) {
    const names = group.names.filter((_, i) => players[from + i] === '');
    if (names.length > 0) agents.push({ ...group, count: names.length, names });
    from += group.count;
  }
  const open = openSeats(players);
  const actions = agents.map((group) => group.action);
  return {
    ...meta,
    agents,
    agentCount: open.length,
    obsSize: Math.max(...agents.map((group) => obsSize(group.obs))),
    actionSize: Math.max(...actions.map(actionSize)),
    actionCount: Math.max(...actions.map((action) => (action.kind === 'discrete' ? action.n : 0))),
    score: scoreOfOpen(meta.score, open),
    state: withGenerator(meta.state),
    references: [], // those are for the whole team
  };
}

const openSeats = (players: readonly string[]): readonly number[] => players.flatMap((player, agent) => (player === '' ? [agent] : []));

function scoreOfOpen(score: Score, open: readonly number[]): Score {
  if (typeof score === 'string') return score;
  const kept = open.flatMap((agent, i) => (score.includes(agent) ? [i] : []));
  return kept.length > 0 ? kept : 'mean';
}

/** The state with the players' generator behind it. */
function withGenerator(inner: StateSpec): StateSpec {
  const bytes = inner.bytes + 4 * WORDS;
  return {
    version: inner.version,
    fields: [
      ...inner.fields,
      { name: GENERATOR, type: 'u32', shape: [WORDS], doc: 'generator of random players: key (2 words) and position' },
    ],
    bytes,
    toJSON(state) {
      const words = new DataView(state.buffer, state.byteOffset + inner.bytes, 4 * WORDS);
      return {
        ...inner.toJSON(state.subarray(0, inner.bytes)),
        [GENERATOR]: Array.from({ length: WORDS }, (_, i) => words.getUint32(4 * i, true)),
      };
    },
    fromJSON(json) {
      const { [GENERATOR]: given, ...rest } = json as { readonly [field: string]: Json };
      const state = new Uint8Array(bytes);
      state.set(inner.fromJSON(rest));
      const words = new DataView(state.buffer, inner.bytes, 4 * WORDS);
      if (Array.isArray(given)) for (let i = 0; i < WORDS; i++) words.setUint32(4 * i, Number(given[i] ?? 0), true);
      return state;
    },
  };
}

/** What the whole world behind an environment with players looks like: its own policies act on that. */
const whole = new WeakMap<Environment, { readonly env: Environment; readonly buffers: StepBuffers; readonly open: readonly number[] }>();

export interface Seating {
  readonly inner: Environment;
  readonly meta: EnvMeta; // seatedMeta
  readonly players: readonly string[]; // playersOf
  readonly policies: { readonly [name: string]: ScriptedPolicy };
}

/** `inner` with some of its seats taken. */
export function seatedEnv({ inner, meta, players, policies }: Seating): Environment {
  const { batch } = inner;
  const full = createBuffers(inner.meta, batch);
  const actions = createActions(inner.meta, batch);
  const scratch = createActions(inner.meta, batch);
  const open = openSeats(players);
  const taken = [...new Set(players)].filter((player) => player !== '');
  const agentsOf = new Map(taken.map((player) => [player, players.flatMap((p, agent) => (p === player ? [agent] : []))]));
  const spaces = perAgent(inner.meta, (group) => group.action);
  const state = new Uint32Array(batch * WORDS);
  const rngs = Array.from({ length: batch }, (_, row) => new Rng(state.subarray(row * WORDS, (row + 1) * WORDS)));
  const { agentCount: A, obsSize: O, actionSize: D, actionCount: N, rewards, costs } = inner.meta;

  /** Rows that `rows` marks (all without it), one seat after the other. */
  const show = (out: StepBuffers, rows: Uint8Array | null): void => {
    for (let b = 0; b < batch; b++) {
      if (rows !== null && rows[b] === 0) continue;
      for (let i = 0; i < open.length; i++) {
        const from = b * A + open[i]!;
        const to = b * open.length + i;
        copy(full.obs, from * O, out.obs, to * meta.obsSize, meta.obsSize);
        copy(full.reward, from * rewards.length, out.reward, to * rewards.length, rewards.length);
        if (full.cost && out.cost) copy(full.cost, from * costs.length, out.cost, to * costs.length, costs.length);
        if (full.alive && out.alive) out.alive[to] = full.alive[from]!;
        if (full.shaped && out.shaped) out.shaped[to] = full.shaped[from]!;
        if (full.mask && out.mask) copy(full.mask, from * N, out.mask, to * meta.actionCount, meta.actionCount);
      }
      out.terminated[b] = full.terminated[b]!;
      out.truncated[b] = full.truncated[b]!;
      if (full.toMove && out.toMove) out.toMove[b] = open.indexOf(full.toMove[b]!);
    }
    if (full.state && out.state) out.state.set(full.state);
  };

  const idle = idleOf(inner.meta); // playersOf has refused idle players where there is none
  const play = (player: string, agents: readonly number[]): void => {
    const scripted = policies[player];
    if (scripted !== undefined) scripted.act(inner, full, scratch);
    for (let b = 0; b < batch; b++) {
      for (const agent of agents) {
        const at = (b * A + agent) * D;
        const space = spaces[agent]!;
        if (scripted !== undefined) copy(scratch, at, actions, at, D);
        else if (player === 'idle') actions.fill(space.kind === 'discrete' ? (idle ?? 0) : 0, at, at + D);
        else if (space.kind === 'discrete') actions[at] = randomAction(rngs[b]!, full.mask ? N : space.n, full.mask, (b * A + agent) * N);
        else for (let d = 0; d < D; d++) actions[at + d] = space.low[d]! + (space.high[d]! - space.low[d]!) * rngs[b]!.uniform();
      }
    }
  };

  const configure = inner.configure?.bind(inner);
  const extras = inner.extras?.bind(inner);
  const measure = inner.measure?.bind(inner);
  const cellOf = inner.cellOf?.bind(inner);
  const dispose = inner.dispose?.bind(inner);
  const env: Environment = {
    meta,
    batch,
    reset(seeds, out, rows) {
      inner.reset(seeds, full, rows);
      for (let b = 0; b < batch; b++) {
        if (rows !== undefined && rows[b] === 0) continue;
        rngs[b]!.state.set(Rng.from(seeds[b]!).split('seats').state);
        rngs[b]!.refresh();
      }
      show(out, rows ?? null);
    },
    restart(rows, out) {
      inner.restart(rows, full);
      show(out, rows);
    },
    step(chosen, out) {
      for (let b = 0; b < batch; b++) {
        for (let i = 0; i < open.length; i++) {
          copy(chosen, (b * open.length + i) * meta.actionSize, actions, (b * A + open[i]!) * D, meta.actionSize);
        }
      }
      for (const [player, agents] of agentsOf) play(player, agents);
      inner.step(actions, full);
      show(out, null);
    },
    frame: (row, out) => inner.frame(row, out),
    save(row) {
      const saved = new Uint8Array(meta.state.bytes);
      saved.set(inner.save(row));
      const words = new DataView(saved.buffer, inner.meta.state.bytes);
      for (let i = 0; i < WORDS; i++) words.setUint32(4 * i, state[row * WORDS + i]!, true);
      return saved;
    },
    load(row, saved, out) {
      const { bytes } = inner.meta.state;
      inner.load(row, saved.slice(0, bytes), full);
      const words = new DataView(saved.buffer, saved.byteOffset + bytes, 4 * WORDS);
      for (let i = 0; i < WORDS; i++) state[row * WORDS + i] = words.getUint32(4 * i, true);
      rngs[row]!.refresh();
      const only = new Uint8Array(batch);
      only[row] = 1;
      show(out, only);
    },
    ...(configure && { configure: ({ seats: _, ...rest }: JsonObject) => configure(rest) }),
    ...(extras && { extras }),
    ...(measure && { measure }),
    ...(cellOf && open[0] === 0 && { cellOf }),
    ...(dispose && { dispose }),
  };
  whole.set(env, { env: inner, buffers: full, open });
  return env;
}

/** A policy of the whole world, as the open seats of an environment with players use it. */
export function seatedPolicy(policy: ScriptedPolicy): ScriptedPolicy {
  let all: Actions | null = null;
  return {
    act(env, _, out) {
      const world = whole.get(env);
      if (world === undefined) throw new Error('This environment has no players.');
      const { meta } = world.env;
      all ??= createActions(meta, env.batch);
      policy.act(world.env, world.buffers, all);
      const { open } = world;
      const D = env.meta.actionSize;
      for (let b = 0; b < env.batch; b++) {
        for (let i = 0; i < open.length; i++)
          copy(all, (b * meta.agentCount + open[i]!) * meta.actionSize, out, (b * open.length + i) * D, D);
      }
    },
  };
}

function copy(from: ArrayLike<number>, at: number, to: { [i: number]: number }, into: number, count: number): void {
  for (let k = 0; k < count; k++) to[into + k] = from[at + k]!;
}

/** The whole config again. */
export function joinSeats(config: object, seats: Seats | null): JsonObject {
  return (seats === null ? config : { ...config, seats }) as JsonObject;
}
