/** Whom a person may seat on the stage: what the active run has learned and kept, other runs of the same environment, scripts, chance. */

import { newestPolicy, policyAt, policySteps } from '#client/runs/policies.ts';
import { currentSubject } from '#client/runs/subject.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { sameRef } from '#contract/run/flat-settings.ts';
import { SCRIPTED } from '#contract/session/session.ts';
import { NEWEST, RANDOM } from '#stores/lineup.ts';
import { runsStore } from '#stores/runs.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

const LEARNED = 'policy:';
/** Kept points of the active run that are offered. */
const POINTS = 5;

export function choicesFor(env: EnvCard): readonly Choice[] {
  const subject = currentSubject();
  const out: Choice[] = [{ value: NEWEST, label: subject?.policy == null ? 'as usual' : 'learned, the newest' }];
  if (subject?.group != null) {
    const { group, seed } = subject;
    const steps = policySteps(group.id, seed);
    const some = new Set(Array.from({ length: POINTS }, (_, i) => steps[Math.round((i * (steps.length - 1)) / (POINTS - 1))]));
    for (const step of some) {
      if (step !== undefined)
        out.push({ value: `${LEARNED}${group.id}/${seed}/${step}`, label: `learned, step ${step.toLocaleString('en')}` });
    }
    for (const other of runsStore.getState().groups) {
      if (other.id === group.id || !sameRef(other.config.env, group.config.env)) continue;
      for (const run of other.seeds) {
        const newest = newestPolicy(other.id, run.seed);
        if (newest !== null)
          out.push({ value: `${LEARNED}${other.id}/${run.seed}/${newest.step}`, label: `${other.name}, seed ${run.seed}` });
      }
    }
  }
  for (const name of env.policies) out.push({ value: `${SCRIPTED}${name}`, label: `scripted: ${name}` });
  out.push({ value: RANDOM, label: 'random' });
  return out;
}

/** The names the watch worker knows them by; `hold` gives it a policy. A policy that is gone acts at random. */
export function resolvePlayers(
  players: readonly string[],
  newest: { readonly runId: string; readonly snapshot: PolicySnapshot } | null,
  hold: (runId: string, snapshot: PolicySnapshot) => Promise<string>,
): Promise<readonly (string | null)[]> {
  const known = new Map<string, Promise<string | null>>();
  const find = async (player: string): Promise<string | null> => {
    if (player.startsWith(SCRIPTED)) return player;
    if (player === NEWEST) return newest === null ? null : hold(newest.runId, newest.snapshot);
    if (!player.startsWith(LEARNED)) return null;
    const [runId = '', seed, step] = player.slice(LEARNED.length).split('/');
    const snapshot = policyAt(runId, Number(seed), Number(step));
    return snapshot === null ? null : hold(runId, snapshot);
  };
  return Promise.all(
    players.map((player) => {
      const found = known.get(player) ?? find(player);
      known.set(player, found);
      return found;
    }),
  );
}
