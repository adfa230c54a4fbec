/** Up to four scenes side by side: who plays in each, where, and what there is to choose from. */

import { newestPolicy, policyAt, policySteps } from '#client/runs/policies.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { kindOf } from '#contract/game/seats.ts';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { SCRIPTED } from '#contract/session/session.ts';
import { envCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { findGroup, runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import type { Player } from './clips.ts';

/** Who acts in a scene: a policy of a run at a step (null: the newest), a script, or chance. */
export interface Actor {
  readonly kind: 'learned' | 'script' | 'random';
  readonly runId: string;
  readonly seed: number;
  readonly step: number | null;
  /** Of a script. */
  readonly name: string;
}

export interface Slot {
  readonly actor: Actor;
  /** Who has the second side of a world of two; null: the same. */
  readonly rival: Actor | null;
  /** The world in which the run was trained, or the one of the set-up. */
  readonly world: 'own' | 'set-up';
}

/** Whether a config of an environment gives seats to players. */
export const givesSeats = ({ seats }: JsonObject): boolean => Object.keys(objectOf(seats)).length > 0;

/**
 * The two sides of an environment: agents of its first kind and all others; of two agents alike one each. null: there are no two sides, or its
 * config has given some of their seats to players, whom no policy replaces.
 */
export function sidesOf({ agents, groups }: EnvCard, config: JsonObject): readonly [readonly number[], readonly number[]] | null {
  const names = groups.flatMap((group) => group.names);
  if (agents < 2 || names.length !== agents || givesSeats(config)) return null;
  const all = names.map((_, i) => i);
  const kinds = new Set(names.map(kindOf));
  if (kinds.size === 2) {
    const first = kindOf(names[0] ?? '');
    return [all.filter((i) => kindOf(names[i]!) === first), all.filter((i) => kindOf(names[i]!) !== first)];
  }
  return agents === 2 ? [[0], [1]] : null;
}

/** Seeds of a run that have learned something. */
export function learnedSeeds(group: RunGroup): readonly number[] {
  return group.seeds.filter(({ seed }) => newestPolicy(group.id, seed) !== null).map(({ seed }) => seed);
}

/** The policy that an actor is; a script's name; null: random actions. Throws Error in words where it is not here. */
export function playerOf(actor: Actor): PolicySnapshot | string | null {
  if (actor.kind === 'random') return null;
  if (actor.kind === 'script') return actor.name;
  const { runId, seed, step } = actor;
  const snapshot = step === null ? newestPolicy(runId, seed) : policyAt(runId, seed, step);
  if (snapshot === null) throw new Error(`Seed ${seed} of this run has learned nothing yet.`);
  return snapshot;
}

/** The world of a slot: its environment with settings. null: the run is not here. */
export function worldOf({ actor, world }: Slot): { readonly id: string; readonly config: JsonObject } | null {
  const group = findGroup(actor.runId);
  if (group === null) return null;
  const draft = draftStore.getState().config.env;
  const { id, config } = world === 'set-up' && draft.id === group.config.env.id ? draft : group.config.env;
  return { id, config };
}

/** All policies that play in these slots, once each. */
export function actorsIn(slots: readonly Slot[]): readonly Actor[] {
  const all = slots.flatMap(({ actor, rival }) => (rival === null ? [actor] : [actor, rival]));
  return [...new Map(all.map((actor) => [actorKey(actor), actor])).values()];
}

const actorKey = ({ kind, runId, seed, step, name }: Actor): string =>
  kind === 'learned' ? `${runId}/${seed}/${step ?? newestPolicy(runId, seed)?.step ?? 'none'}` : `${SCRIPTED}${kind} ${name}`;

/** What plays in a slot from this start. Throws Error in words. */
export function matchOf(slot: Slot, start: number): Player {
  const env = worldOf(slot);
  if (env === null) throw new Error('This run is no longer here.');
  const own = playerOf(slot.actor);
  const card = envCard(env.id);
  const sides = slot.rival === null || card === null ? null : sidesOf(card, env.config);
  if (slot.rival === null || sides === null) return { kind: 'match', env, players: [own], start };
  const other = playerOf(slot.rival);
  const players = new Array<PolicySnapshot | string | null>(sides[0].length + sides[1].length).fill(own);
  for (const agent of sides[1]) players[agent] = other;
  return { kind: 'match', env, players, start, counted: sides[0] };
}

/** Names the film of a slot: other policies, worlds and starts have others. */
export function slotKey(slot: Slot, start: number): string {
  const rival = slot.rival === null ? '' : actorKey(slot.rival);
  return `side ${actorKey(slot.actor)} ${rival} ${JSON.stringify(worldOf(slot))} ${start}`;
}

const MOST_FIRST = 2;

/** What is shown first: the first and the newest policy of a run; without one, of the active run, else of the newest that has learned. */
export function firstSlots(runId: string | null): readonly Slot[] {
  const { groups, activeId } = runsStore.getState();
  const learned = groups.filter((group) => learnedSeeds(group).length > 0);
  const group = learned.find(({ id }) => id === runId) ?? learned.find(({ id }) => id === activeId) ?? learned[0];
  const seed = group === undefined ? undefined : learnedSeeds(group)[0];
  if (group === undefined || seed === undefined) return [];
  const steps = policySteps(group.id, seed);
  const some = new Set([steps[0], steps.at(-1)]);
  return [...some]
    .slice(0, MOST_FIRST)
    .flatMap((step): Slot[] =>
      step === undefined ? [] : [{ actor: { kind: 'learned', runId: group.id, seed, step, name: '' }, rival: null, world: 'own' }],
    );
}
