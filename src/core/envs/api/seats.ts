/**
 * Players of seats. A config may give seats to players that do not learn, `seats: { adversary: 'random', agent_0: 'expert' }`:
 * they become part of the environment, and the learner meets a world with fewer agents. So opponents and teammates need no
 * support from any algorithm, and links, replays, evaluations and explanations carry them like any other setting.
 *
 * A key is an agent's name, or the part of it before the number for all of that kind. A value is 'random' (uniform over legal
 * actions), 'idle' (the action that does nothing) or one of the environment's own policies. Random players draw from a generator of
 * their own, four words at the end of each row's state, so that a state continues with the same bits.
 *
 * A value may also be a pool, `{ pool: ['random', 'expert'] }`: one of its players is drawn for each seat, row and episode, all alike
 * likely. Draws come from the generator above; who was drawn stands behind it in the state, one word a seat. Learners find out by
 * watching, unless `tell: true` adds to what they see one number for each player of the pool: 1 for the one that plays, 0 for others.
 *
 * A player, alone or in a pool, may also be a frozen policy of an earlier run, `{ frozen, title, net }` (contract/run/frozen.ts): it acts on what
 * its seat sees and learns nothing more. Among the members of a pool it is called "frozen HASH".
 */

import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { kindOf, MOST_IN_POOL, spoken } from '#contract/game/seats.ts';
import { actionSize, obsSize } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import { type Frozen, frozenName, isFrozen } from '#contract/run/frozen.ts';
import { Rng } from '#math/rng.ts';
import { randomAction } from '#math/sampling.ts';
import { createActions, createBuffers } from './buffers.ts';
import { checkFrozen, frozenPlayer } from './frozen.ts';
import { perAgent, told } from './meta.ts';
import { badConfig } from './parse.ts';
import type { Actions, AgentGroup, Environment, EnvMeta, Score, ScriptedPolicy, StateSpec, StepBuffers } from './types.ts';

/** Players of which one is drawn for each episode. `tell`: learners are told which. */
interface Pool {
  readonly pool: readonly (string | Frozen)[];
  readonly tell?: boolean;
}
export type Seats = { readonly [seat: string]: string | Frozen | Pool };

/** Who may play an agent: one player, those of a pool, or none, so that it learns. */
export interface SeatPlan {
  readonly name: string;
  readonly members: readonly string[];
  readonly drawn: boolean;
  readonly told: boolean;
  /** Those of the members that are frozen policies, by name. */
  readonly frozen: ReadonlyMap<string, Frozen>;
}

const BUILT_IN = ['random', 'idle'] as const;
const WORDS = 4;
const GENERATOR = 'seatRng';
const DRAWN = 'seatPlayers';

/** The field of the config, for environments where more than one agent acts. */
export function seatsField(policyNames: readonly string[]): FieldSchema {
  const players = [...BUILT_IN, ...policyNames];
  const frozen: FieldSchema = {
    type: 'object',
    properties: { frozen: { type: 'string' }, title: { type: 'string' }, net: { type: 'object' } },
    additionalProperties: false,
  };
  return {
    type: 'object',
    title: 'seats',
    description: 'Seats given to players that do not learn; the others are trained.',
    group: 'seats',
    editor: 'seats',
    additionalProperties: {
      anyOf: [
        { type: 'string', enum: players },
        {
          type: 'object',
          properties: {
            pool: {
              type: 'array',
              items: { anyOf: [{ type: 'string', enum: players }, frozen] },
              minItems: 2,
              maxItems: MOST_IN_POOL,
            },
            tell: { type: 'boolean' },
          },
          additionalProperties: false,
        },
        frozen,
      ],
    },
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

/** Who may play each agent. Throws LabError('config-invalid'). */
export function playersOf(meta: EnvMeta, taken: Seats, policyNames: readonly string[]): readonly SeatPlan[] {
  const names = meta.agents.flatMap((group) => group.names);
  const kinds = [...new Set(names.map(kindOf))];
  const allowed = [...BUILT_IN, ...policyNames];
  const groups = perAgent(meta, (group) => group);
  const checkPlayer = (player: unknown, field: string, seat: string): void => {
    if (isFrozen(player)) {
      for (const [agent, name] of names.entries()) {
        const group = groups[agent];
        if (group !== undefined && (name === seat || (taken[name] === undefined && kindOf(name) === seat)))
          checkFrozen(player, field, group);
      }
      return;
    }
    if (typeof player !== 'string' || !allowed.includes(player)) {
      throw badConfig(field, `There is no player ${JSON.stringify(player)} here.`, `Use one of: ${allowed.join(', ')}.`);
    }
    if (player === 'idle' && meta.actionCount > 0 && idleOf(meta) === null) {
      throw badConfig(field, 'This environment has no action that does nothing.', 'Choose "random" or a scripted player.');
    }
  };
  for (const [key, value] of Object.entries(taken)) {
    const field = `seats.${key}`;
    if (!names.includes(key) && !kinds.includes(key)) {
      throw badConfig(field, `There is no seat called "${key}".`, `Seats: ${names.slice(0, 12).join(', ')}; kinds: ${kinds.join(', ')}.`);
    }
    if (!isObject(value) || isFrozen(value)) checkPlayer(value, field, key);
    else for (const [i, player] of checkPool(value, field).entries()) checkPlayer(player, `${field}.pool.${i}`, key);
  }
  const plans = names.map((name): SeatPlan => {
    const value = taken[name] ?? taken[kindOf(name)];
    const pool = value === undefined ? [] : typeof value === 'string' || isFrozen(value) ? [value] : value.pool;
    const drawn = isObject(value) && !isFrozen(value);
    return {
      ...{ name, drawn },
      members: pool.map((player) => (typeof player === 'string' ? player : frozenName(player))),
      told: drawn && (value as Pool).tell === true,
      frozen: new Map(pool.flatMap((player) => (typeof player === 'string' ? [] : [[frozenName(player), player]]))),
    };
  });
  if (plans.some(({ members }) => members.length === 0)) return plans;
  throw badConfig('seats', 'Every seat has a player, so no agent is left to learn.', 'Leave at least one seat open.');
}

/** The players of a pool, not yet checked one by one. */
function checkPool(value: object, field: string): readonly unknown[] {
  const { pool, tell, ...rest } = value as { readonly [key: string]: unknown };
  const other = Object.keys(rest)[0];
  if (other !== undefined)
    throw badConfig(
      `${field}.${other}`,
      `A pool of players has no setting "${other}".`,
      'Write { "pool": ["random", "idle"] }, with "tell": true where learners are told who plays.',
    );
  if (!Array.isArray(pool) || pool.length < 2 || pool.length > MOST_IN_POOL)
    throw badConfig(
      `${field}.pool`,
      `A pool is a list of 2 to ${MOST_IN_POOL} players.`,
      'Write it like { "pool": ["random", "idle"] }, and a single player as "random".',
    );
  const called = pool.map((player: unknown) => (isFrozen(player) ? frozenName(player) : player));
  const twice = called.find((player, i) => called.indexOf(player) !== i);
  if (twice !== undefined)
    throw badConfig(
      `${field}.pool`,
      `${JSON.stringify(twice)} is twice in this pool.`,
      'Name each player once: all are drawn alike often.',
    );
  if (tell !== undefined && typeof tell !== 'boolean')
    throw badConfig(`${field}.tell`, `${field}.tell is neither true nor false.`, 'Use true where learners are told who plays.');
  return pool;
}

const idleOf = (meta: EnvMeta): number | null => meta.noopAction ?? meta.idleAction;

/** The same world as its learners see it. Its reward is not taken apart: the terms are sums over the whole team. */
export function seatedMeta({ terms: _, goals: __, ...meta }: EnvMeta, players: readonly SeatPlan[]): EnvMeta {
  const labels = toldLabels(players);
  const seen: AgentGroup[] = [];
  let from = 0;
  for (const group of meta.agents) {
    const names = group.names.filter((_, i) => players[from + i]?.members.length === 0);
    if (names.length > 0) seen.push({ ...group, count: names.length, names });
    from += group.count;
  }
  if (labels.length > 0 && meta.tokens !== undefined)
    throw badConfig('seats', 'Agents read tokens here, to which no numbers can be added.', 'Leave "tell" off.');
  const agents = labels.length === 0 ? seen : seen.map((group) => told(group, labels, [0, 1], 'seats'));
  const open = openSeats(players);
  const actions = agents.map((group) => group.action);
  const partners = players.filter(({ drawn }) => drawn);
  return {
    ...meta,
    agents,
    agentCount: open.length,
    obsSize: Math.max(...agents.map((group) => obsSize(group.obs))),
    actionSize: Math.max(...actions.map(actionSize)),
    actionCount: Math.max(...actions.map((action) => (action.kind === 'discrete' ? action.n : 0))),
    score: scoreOfOpen(meta.score, open),
    state: withGenerator(meta.state, partners),
    references: [], // those are for the whole team
    ...(partners.length > 0 && { partners: partners.map(({ name, members, told: tell }) => ({ seat: name, members, told: tell })) }),
  };
}

const openSeats = (players: readonly SeatPlan[]): readonly number[] =>
  players.flatMap(({ members }, agent) => (members.length === 0 ? [agent] : []));

/** What is appended to the observations of learners: who was drawn from pools that are told. */
const toldLabels = (players: readonly SeatPlan[]): readonly string[] =>
  players.flatMap((plan) => (plan.told ? plan.members.map((member) => `${spoken(plan.name)} is ${member}`) : []));

function scoreOfOpen(score: Score, open: readonly number[]): Score {
  if (typeof score === 'string') return score;
  const kept = open.flatMap((agent, i) => (score.includes(agent) ? [i] : []));
  return kept.length > 0 ? kept : 'mean';
}

/** The state with the players' generator behind it, and who was drawn for each seat with a pool. */
function withGenerator(inner: StateSpec, drawn: readonly SeatPlan[]): StateSpec {
  const words = WORDS + drawn.length;
  const bytes = inner.bytes + 4 * words;
  return {
    version: inner.version,
    fields: [
      ...inner.fields,
      { name: GENERATOR, type: 'u32', shape: [WORDS], doc: 'generator of random players: key (2 words) and position' },
      ...(drawn.length === 0
        ? []
        : [
            {
              name: DRAWN,
              type: 'u32',
              shape: [drawn.length],
              doc: `number, in its pool, of who plays ${drawn.map(({ name }) => name).join(', ')}`,
            } as const,
          ]),
    ],
    bytes,
    toJSON(state) {
      const view = new DataView(state.buffer, state.byteOffset + inner.bytes, 4 * words);
      const all = Array.from({ length: words }, (_, i) => view.getUint32(4 * i, true));
      return {
        ...inner.toJSON(state.subarray(0, inner.bytes)),
        [GENERATOR]: all.slice(0, WORDS),
        ...(drawn.length > 0 && { [DRAWN]: all.slice(WORDS) }),
      };
    },
    fromJSON(json) {
      const { [GENERATOR]: given, [DRAWN]: who, ...rest } = json as { readonly [field: string]: Json };
      const state = new Uint8Array(bytes);
      state.set(inner.fromJSON(rest));
      const view = new DataView(state.buffer, inner.bytes, 4 * words);
      const all = [
        ...(Array.isArray(given) ? given.slice(0, WORDS) : new Array<number>(WORDS).fill(0)),
        ...(Array.isArray(who) ? who : []),
      ];
      for (let i = 0; i < words; i++) view.setUint32(4 * i, Number(all[i] ?? 0), true);
      return state;
    },
  };
}

/** What the whole world behind an environment with players looks like: its own policies act on that. */
const whole = new WeakMap<Environment, { readonly env: Environment; readonly buffers: StepBuffers; readonly open: readonly number[] }>();

export interface Seating {
  readonly inner: Environment;
  readonly meta: EnvMeta; // seatedMeta
  readonly players: readonly SeatPlan[]; // playersOf
  readonly policies: { readonly [name: string]: ScriptedPolicy };
}

/** `inner` with some of its seats taken. */
export function seatedEnv({ inner, meta, players, policies }: Seating): Environment {
  const { batch } = inner;
  const full = createBuffers(inner.meta, batch);
  const actions = createActions(inner.meta, batch);
  const scratch = createActions(inner.meta, batch);
  const open = openSeats(players);
  const taken = [...new Set(players.flatMap(({ members }) => members))];
  const agentsOf = new Map(
    taken.map((player) => [player, players.flatMap(({ members }, agent) => (members.includes(player) ? [agent] : []))]),
  );
  const pools = players.flatMap((plan, agent) => (plan.drawn ? [{ ...plan, agent }] : []));
  const poolOf = players.map((_, agent) => pools.findIndex((pool) => pool.agent === agent));
  const who = new Uint32Array(batch * pools.length); // drawn of each pool
  const draw = (b: number): void => {
    for (const [k, { members }] of pools.entries()) who[b * pools.length + k] = rngs[b]!.int(members.length);
  };
  /** Whether this player, one of those who may play the agent, plays it now. */
  const plays = (player: string, b: number, agent: number): boolean => {
    const k = poolOf[agent]!;
    return k < 0 || pools[k]!.members[who[b * pools.length + k]!] === player;
  };
  const spaces = perAgent(inner.meta, (group) => group.action);
  const state = new Uint32Array(batch * WORDS);
  const rngs = Array.from({ length: batch }, (_, row) => new Rng(state.subarray(row * WORDS, (row + 1) * WORDS)));
  const { agentCount: A, obsSize: O, actionSize: D, actionCount: N, rewards, costs } = inner.meta;
  const toldSize = toldLabels(players).length;
  const seenSize = meta.obsSize - toldSize;
  const ends = perAgent(meta, ({ obs }) => obsSize(obs));
  const tell = (b: number, out: Float32Array, at: number): void => {
    let to = at;
    for (const [k, { members, told: tells }] of pools.entries()) {
      if (!tells) continue;
      for (let m = 0; m < members.length; m++) out[to++] = who[b * pools.length + k] === m ? 1 : 0;
    }
  };

  /** Rows that `rows` marks (all without it), one seat after the other. */
  const show = (out: StepBuffers, rows: Uint8Array | null): void => {
    for (let b = 0; b < batch; b++) {
      if (rows !== null && rows[b] === 0) continue;
      for (let i = 0; i < open.length; i++) {
        const from = b * A + open[i]!;
        const to = b * open.length + i;
        copy(full.obs, from * O, out.obs, to * meta.obsSize, seenSize);
        if (toldSize > 0) tell(b, out.obs, to * meta.obsSize + ends[i]! - toldSize);
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

  const playsSomewhere = (player: string, agents: readonly number[]): boolean => {
    for (let b = 0; b < batch; b++) for (const agent of agents) if (plays(player, b, agent)) return true;
    return false;
  };
  const frozen = new Map(players.flatMap((plan) => [...plan.frozen].map(([name, each]) => [name, frozenPlayer(each)])));
  const idle = idleOf(inner.meta); // playersOf has refused idle players where there is none
  const play = (player: string, agents: readonly number[]): void => {
    const scripted = policies[player];
    if (scripted !== undefined && playsSomewhere(player, agents)) scripted.act(inner, full, scratch);
    for (let b = 0; b < batch; b++) {
      for (const agent of agents) {
        if (!plays(player, b, agent)) continue;
        const at = (b * A + agent) * D;
        const space = spaces[agent]!;
        const learned = frozen.get(player);
        if (learned !== undefined) learned(full.obs, (b * A + agent) * O, full.mask, (b * A + agent) * N, actions, at);
        else if (scripted !== undefined) copy(scratch, at, actions, at, D);
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
        draw(b);
      }
      show(out, rows ?? null);
    },
    restart(rows, out) {
      inner.restart(rows, full);
      for (let b = 0; b < batch; b++) if (rows[b] !== 0) draw(b);
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
      for (let k = 0; k < pools.length; k++) words.setUint32(4 * (WORDS + k), who[row * pools.length + k]!, true);
      return saved;
    },
    load(row, saved, out) {
      const { bytes } = inner.meta.state;
      const words = new DataView(saved.buffer, saved.byteOffset + bytes, 4 * (WORDS + pools.length));
      for (const [k, { name, members }] of pools.entries()) {
        const member = words.getUint32(4 * (WORDS + k), true);
        if (member >= members.length)
          throw fail('state-invalid', `The pool of ${name} has no player ${member}.`, `Use 0 to ${members.length - 1}.`, DRAWN);
        who[row * pools.length + k] = member;
      }
      inner.load(row, saved.slice(0, bytes), full);
      for (let i = 0; i < WORDS; i++) state[row * WORDS + i] = words.getUint32(4 * i, true);
      rngs[row]!.refresh();
      const only = new Uint8Array(batch);
      only[row] = 1;
      show(out, only);
    },
    ...(pools.length > 0 && { partner: (row: number, seat: number) => who[row * pools.length + seat]! }),
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
