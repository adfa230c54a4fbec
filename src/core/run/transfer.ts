/** Whether a policy that was trained in one setting of an environment can act in another setting of it. */

import { actionSize, obsSize } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import type { AgentGroup, EnvMeta } from '../envs/api/types.ts';

/** Throws LabError('incompatible') naming the first difference of agents, observation or action. */
export function checkTransfer(trained: EnvMeta, here: EnvMeta): void {
  const differ = (what: string, then: string | number, now: string | number): never => {
    throw fail(
      'incompatible',
      `The trained agent cannot act in the changed world: it was trained with ${then} ${what}, here there are ${now}.`,
      'Train a new run in this world.',
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
