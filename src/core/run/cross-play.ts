/**
 * Cross-play: how well policies do with partners they were not trained with, zero-shot. A partner takes the seats that a policy does not: a script of
 * the environment, chance, none (idle), or a policy that was trained apart and is frozen. All pairings have the same starts.
 */

import { obsSize } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { meanInterval } from '#math/stats-compare.ts';
import type { Hidden } from '../algos/api/types.ts';
import { namesOf, perAgent } from '../envs/api/meta.ts';
import { scoreOf } from '../envs/api/score.ts';
import type { Actions, EnvEntry, EnvMeta, Score, StepBuffers } from '../envs/api/types.ts';
import { evaluateMoved } from './evaluate.ts';
import type { BuiltPolicy } from './policy.ts';

/** A policy with the environment's config that it was trained with. */
export interface Ego {
  readonly built: Pick<BuiltPolicy, 'policy' | 'meta'>;
  readonly config: JsonObject;
}

/** A script of the environment, 'random' or 'idle'; or a frozen policy. */
export type Partner = string | Ego['built'];

export interface CrossPlayOptions {
  /** The seats that partners take; those that the policy was trained without if missing. */
  readonly seats?: readonly string[];
  readonly episodes: number;
  readonly greedy?: boolean;
  readonly firstSeed?: number;
  /** Only so many first steps of each episode are counted. */
  readonly steps?: number;
}

export interface Pairing {
  /** Score of each episode: of the agents that the policy moves. */
  readonly scores: Float64Array;
  readonly mean: number;
  /** 95 %, Student's t over episodes; null: one episode. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** Throws LabError('incompatible' | 'config-invalid') where the two cannot play together. */
export async function playTogether(
  { built: ego, config: trained }: Ego,
  partner: Partner,
  entry: EnvEntry,
  options: CrossPlayOptions,
): Promise<Pairing> {
  const { seats: _, ...whole } = entry.parse(trained);
  const all = namesOf(entry.meta(whole));
  const known = namesOf(ego.meta);
  const taken = options.seats ?? all.filter((name) => !known.includes(name));
  const [script, other] = typeof partner === 'string' ? [partner, null] : [null, partner];
  checkSeats(taken, all, known, other === null ? null : namesOf(other.meta));
  const moved = all.filter((name) => !taken.includes(name));
  const config: JsonObject = script === null ? whole : { ...whole, seats: Object.fromEntries(taken.map((name) => [name, script])) };
  const world = entry.meta(config);
  const rng = Rng.from(options.firstSeed ?? 0).split('cross-play');
  const moving = { copies: options.episodes, greedy: options.greedy ?? true, rng };
  const movers = [
    mover(ego, moved, world, { ...moving, member: script }),
    ...(other === null ? [] : [mover(other, taken, world, { ...moving, member: null })]),
  ];
  const { returns } = await evaluateMoved(entry, config, options, async (_env, buffers, actions) => {
    for (const move of movers) await move(buffers, actions);
  });
  return pairingOf(returns, namesOf(world), moved, ego.meta, options.episodes);
}

function checkSeats(taken: readonly string[], all: readonly string[], known: readonly string[], others: readonly string[] | null): void {
  const stranger = taken.find((name) => !all.includes(name));
  if (stranger !== undefined) throw fail('config-invalid', `There is no seat "${stranger}" here.`, `Seats: ${all.join(', ')}.`, 'seats');
  if (taken.length === 0)
    throw fail(
      'config-invalid',
      'This policy plays every seat, so none is left for a partner.',
      `Name the partner's seat, such as "${all.at(-1)}".`,
      'seats',
    );
  const left = all.find((name) => !taken.includes(name) && !known.includes(name));
  if (left !== undefined)
    throw fail(
      'incompatible',
      `The policy does not play ${left}, and the partner is not to.`,
      'Give that seat to the partner as well.',
      'seats',
    );
  if (taken.length === all.length)
    throw fail('config-invalid', 'The partner has every seat, so none is left for the policy.', 'Leave one out.', 'seats');
  const missing = others === null ? undefined : taken.find((name) => !others.includes(name));
  if (missing !== undefined)
    throw fail(
      'incompatible',
      `The partner has not learned to play ${missing}.`,
      'Take a policy that was trained in this seat.',
      'partner',
    );
}

interface Moving {
  readonly copies: number;
  /** Who is met, where the policy was told that. */
  readonly member: string | null;
  readonly greedy: boolean;
  readonly rng: Rng;
}

/**
 * Moves the agents of these names in every copy by a policy that was trained in seats of its own. What it was told there about partners it is told
 * here: the number of the partner it meets, zeros for one that its pool did not have.
 */
export function mover(
  { policy, meta: own }: Ego['built'],
  moved: readonly string[],
  world: EnvMeta,
  { copies, member, greedy, rng }: Moving,
) {
  const [here, there] = [namesOf(world), namesOf(own)];
  const places = moved.map((name) => here.indexOf(name));
  const numbers = moved.map((name) => there.indexOf(name));
  const widths = perAgent(own, ({ obs }) => obsSize(obs));
  const told = (own.partners ?? []).flatMap((pool) => (pool.told ? pool.members.map((one) => (one === member ? 1 : 0)) : []));
  const many = copies * moved.length;
  const obs = new Float32Array(many * own.obsSize);
  const mask = own.masked ? new Uint8Array(many * own.actionCount) : undefined;
  const agent = Int32Array.from({ length: many }, (_, row) => numbers[row % moved.length]!);
  const shared = Math.min(own.obsSize - told.length, world.obsSize);
  let hidden: Hidden = policy.initial(many);
  return async (buffers: StepBuffers, actions: Actions): Promise<void> => {
    for (let row = 0; row < many; row++) {
      const from = Math.floor(row / moved.length) * world.agentCount + places[row % moved.length]!;
      obs.set(buffers.obs.subarray(from * world.obsSize, from * world.obsSize + shared), row * own.obsSize);
      if (told.length > 0) obs.set(told, row * own.obsSize + widths[agent[row]!]! - told.length);
      if (mask === undefined) continue;
      for (let a = 0; a < own.actionCount; a++)
        mask[row * own.actionCount + a] = a < world.actionCount ? (buffers.mask?.[from * world.actionCount + a] ?? 1) : 0;
    }
    const query = { obs, agent, hidden, rng, rows: many, greedy, valueless: true };
    const act = await policy.act(mask === undefined ? query : { ...query, mask });
    hidden = act.hidden;
    for (let row = 0; row < many; row++) {
      const to = Math.floor(row / moved.length) * world.agentCount + places[row % moved.length]!;
      for (let d = 0; d < Math.min(own.actionSize, world.actionSize); d++)
        actions[to * world.actionSize + d] = act.actions[row * own.actionSize + d]!;
    }
  };
}

function pairingOf(returns: Float64Array, here: readonly string[], moved: readonly string[], own: EnvMeta, episodes: number): Pairing {
  const places = moved.map((name) => here.indexOf(name));
  const score = scoreAmong(
    own.score,
    moved.map((name) => namesOf(own).indexOf(name)),
  );
  const scores = Float64Array.from({ length: episodes }, (_, b) =>
    scoreOf(
      score,
      places.map((place) => returns[b * here.length + place]!),
    ),
  );
  const { mean, halfWidth } = meanInterval(scores);
  return { scores, mean, interval: episodes < 2 ? null : [mean - halfWidth, mean + halfWidth] };
}

/** The score of a team among these of its agents. */
function scoreAmong(score: Score, agents: readonly number[]): Score {
  if (typeof score === 'string') return score;
  const kept = agents.flatMap((agent, i) => (score.includes(agent) ? [i] : []));
  return kept.length > 0 ? kept : 'mean';
}
