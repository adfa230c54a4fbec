/** Whether a policy that was trained in one setting of an environment can act in another setting of it. */

import { actionSize, entitiesOf, obsSize } from '#contract/game/spaces.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { takesAnyTeam } from '#contract/run/any-team.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { upgrade } from '#contract/run/versions.ts';
import type { AgentGroup, EnvEntry, EnvMeta } from '../envs/api/types.ts';

/** Throws LabError('incompatible') naming the first difference of agents, observation or action. */
export function checkTransfer(trained: EnvMeta, here: EnvMeta): void {
  const differ = (what: string, then: string | number, now: string | number): never => {
    throw fail(
      'incompatible',
      `The trained agent cannot act in the changed world: it was trained with ${then} ${what}, here there are ${now}.`,
      here.agents.every(({ obs }) => entitiesOf(obs) !== null)
        ? 'Train a new run in this world. One with a body of entities and shared networks acts in teams of any size.'
        : 'Train a new run in this world.',
    );
  };
  if (trained.agentCount !== here.agentCount) differ('agents', trained.agentCount, here.agentCount);
  const [before, after] = [seats(trained), seats(here)];
  for (const [i, then] of before.entries()) {
    const now = after[i]!;
    if (then.obs.kind !== now.obs.kind) differ('observations', then.obs.kind, now.obs.kind);
    if (obsSize(then.obs) !== obsSize(now.obs)) differ('numbers per observation', obsSize(then.obs), obsSize(now.obs));
    if (then.action.kind !== now.action.kind) differ('actions', then.action.kind, now.action.kind);
    if (choices(then) !== choices(now)) {
      differ(then.action.kind === 'discrete' ? 'actions' : 'numbers per action', choices(then), choices(now));
    }
  }
}

/** The group of every agent, in the order of the agents. */
const seats = (meta: EnvMeta): readonly AgentGroup[] => meta.agents.flatMap((group) => group.names.map(() => group));

const choices = ({ action }: AgentGroup): number => (action.kind === 'discrete' ? action.n : actionSize(action));

/** What agents see and do, whatever their number and that of the things they see. */
const kindsIn = ({ agents }: EnvMeta): Json =>
  agents.map(({ obs, action }) => [
    (entitiesOf(obs) ?? []).map(({ name, width, presence = -1 }) => [name, width, presence]),
    JSON.stringify(action),
  ]);

/**
 * The policy as it acts in another setting of its environment: the same, or, where its network takes teams of any size, made for that setting.
 * Throws LabError('incompatible') where it cannot act there.
 */
export function movedTo(snapshot: PolicySnapshot, entry: EnvEntry, config: JsonObject): PolicySnapshot {
  const trained = entry.meta(entry.parse(upgrade(entry, snapshot.env.version, snapshot.env.config, 'env.version').config));
  const here = entry.meta(config);
  if (!takesAnyTeam(snapshot.algo.config)) {
    checkTransfer(trained, here);
    return snapshot;
  }
  if (JSON.stringify(trained.agents) === JSON.stringify(here.agents)) return snapshot;
  if (!sameJson(kindsIn(trained), kindsIn(here))) {
    const why = 'The trained agent cannot act in the changed world: agents see other kinds of things there, or have other actions.';
    throw fail('incompatible', why, 'Train a new run in this world.');
  }
  return { ...snapshot, env: { ...snapshot.env, version: entry.version, config: entry.parse(config) } };
}
