/** Who acts in an explanation: the policy on the stage or its script, and who stands in for absent agents. */

import { policyAt, policySteps } from '#client/runs/policies.ts';
import { currentSubject } from '#client/runs/subject.ts';
import { numberOf } from '#client/stage/number-of.ts';
import type { AgentQuestion } from '#contract/explain/explain.ts';
import type { ExplainRequest, Team } from '#contract/explain/explain-api.ts';
import { fail } from '#contract/kit/errors.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { sameSettings } from '#contract/run/flat-settings.ts';
import { SCRIPTED } from '#contract/session/session.ts';
import { stageStore } from '#stores/stage.ts';

interface Acting {
  readonly who: Pick<ExplainRequest, 'team' | 'other'> & { readonly env: NonNullable<ExplainRequest['env']> };
  /** In words. */
  readonly about: string;
}

/** The learned policy on the stage; null: none. */
function shownPolicy(): PolicySnapshot | null {
  const { policy } = stageStore.getState();
  return policy === null ? null : policyAt(policy.runId, policy.seed, policy.step);
}

/** `orScript`: the first script where nothing is learned. Throws LabError where the stage has no learned policy, or the replacing policy is missing. */
export function actors({ replacement }: Partial<AgentQuestion>, snapshot: PolicySnapshot | null = null, orScript = false): Acting {
  const subject = currentSubject();
  const { scripted } = stageStore.getState();
  if (subject === null) throw fail('incompatible', 'Nothing is on the stage.', 'Choose an environment first.');
  const learned = snapshot ?? shownPolicy() ?? subject.policy;
  const watched = snapshot === null && scripted !== null && scripted !== 'random' ? scripted.replace(SCRIPTED, '') : null;
  const script = watched ?? (orScript && learned === null ? (subject.env.policies[0] ?? null) : null);
  const team: Team | null = script !== null ? { scripted: script } : learned === null ? null : { snapshot: learned, key: keyOf(learned) };
  if (team === null) throw fail('incompatible', 'There is no learned policy on this stage.', 'Train first, or watch a scripted policy.');
  let other: Team | null = null;
  if (replacement?.kind === 'policy') {
    const { group, seed } = subject;
    const steps = group === null ? [] : policySteps(group.id, seed);
    const early = group === null ? null : policyAt(group.id, seed, steps[0] ?? 0);
    if (early === null) throw fail('incompatible', 'There is no early policy of this run.', 'Train first, or choose another stand-in.');
    other = { snapshot: early };
  }
  const about =
    'scripted' in team
      ? `the scripted policy "${team.scripted}"`
      : `seed ${team.snapshot.seed} at step ${team.snapshot.step.toLocaleString('en')}`;
  return { who: { env: subject.ref, team, other }, about };
}

/** A name for each snapshot object: a policy that is asked about again is kept built. */
const keyOf = (snapshot: PolicySnapshot): string => `policy ${numberOf(snapshot)}`;

/** Other episodes that have been on the stage, for more moments to compare with. */
const KEPT = 3;
let seen: readonly Replay[] = [];
stageStore.subscribe((stage, before) => {
  const { replay } = before;
  if (replay === null || replay === stage.replay) return;
  seen = [replay, ...seen.filter((other) => other !== replay)].slice(0, KEPT + 1);
});

export function otherEpisodes(replay: Replay): readonly Replay[] {
  return seen.filter((other) => other !== replay && sameSettings(other.env, replay.env)).slice(0, KEPT);
}
