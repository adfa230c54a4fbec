/** Scripted ways to play `pairs`: what to do in each phase, read from the observation (social/lib/population/pairs.ts). */

import type { ScriptedPolicy } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { type Config, sizeOf } from './config.ts';
import { CHOOSE, COOPERATE, DEFECT, OWN, PHASE_CHOOSE, PHASE_PLAY, PHASE_PUNISH, PHASES, PUNISH, SPARE } from './pairs.ts';

/** Plays by phase: what to play, whether to punish, whom to name (an action from CHOOSE on). */
function byPhase(
  c: Config,
  play: (obs: Float32Array, at: number) => boolean,
  punishes: (obs: Float32Array, at: number, phase: number) => boolean,
  choose: (obs: Float32Array, at: number, agent: number) => number,
): ScriptedPolicy {
  const n = sizeOf(c);
  return {
    act(env, { obs }, out) {
      const O = env.meta.obsSize;
      for (let slot = 0; slot < env.batch * n; slot++) {
        const at = slot * O;
        const phase = obs.subarray(at, at + PHASES.length).indexOf(1);
        if (phase === PHASE_CHOOSE) out[slot] = CHOOSE + choose(obs, at, slot % n);
        else if (phase === PHASE_PLAY) out[slot] = play(obs, at) ? COOPERATE : DEFECT;
        else out[slot] = punishes(obs, at, phase) ? PUNISH : SPARE;
      }
    },
  };
}

/** The agent from which the own one received most, then the best reputation, then the next in number. */
function bestKnown(n: number) {
  return (obs: Float32Array, at: number, agent: number): number => {
    let best = -Infinity;
    let pick = 0;
    for (let k = 1; k < n; k++) {
      const j = (agent + k) % n;
      const worth = 2 * obs[at + OWN + 2 * j + 1]! + obs[at + OWN + 2 * j]!;
      if (worth > best) {
        best = worth;
        pick = j;
      }
    }
    return pick;
  };
}

export const pairsPolicies = {
  'always-cooperate': (c: Config) =>
    byPhase(
      c,
      () => true,
      () => false,
      bestKnown(sizeOf(c)),
    ),
  'always-defect': (c: Config) =>
    byPhase(
      c,
      () => false,
      () => false,
      bestKnown(sizeOf(c)),
    ),
  /** Cooperates half the time, never punishes. */
  fixed: (c: Config) => {
    const rng = Rng.from(0).split('fixed');
    return byPhase(
      c,
      () => rng.uniform() < 0.5,
      () => false,
      bestKnown(sizeOf(c)),
    );
  },
  /** Does to a partner what it did last time, cooperates with strangers of at least middling reputation, punishes defectors. */
  reactive: (c: Config) =>
    byPhase(
      c,
      (obs, at) => {
        const before = obs[at + 7]!;
        if (before !== 0) return before > 0;
        return !c.reputation || obs[at + 6]! >= 0.4;
      },
      (obs, at, phase) => obs[at + (phase === PHASE_PUNISH ? 8 : 10)]! < 0,
      bestKnown(sizeOf(c)),
    ),
} as const;
