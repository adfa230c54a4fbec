/** What a person's code defines: a world, a reward, a player or a method, and what is run of it. */
import type { OwnKind } from '#contract/own/text.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import type { LineOf } from './call.ts';
import { worldEntry } from './entry.ts';
import { methodEntry, readMethod } from './method.ts';
import { playerEntry, readPlayer } from './player.ts';
import { readReward, rewardEntry } from './reward.ts';

/** What one of the define functions was called with. */
export interface Given {
  readonly kind: OwnKind;
  readonly form: unknown;
}

export interface Definition {
  readonly kind: OwnKind;
  /** The environment of the run: the user's own, or the named one of the catalogue with the user's parts over it. */
  readonly env: EnvEntry;
  /** The environment of the catalogue as it is; null: the world is the person's. */
  readonly base: EnvEntry | null;
  /** Of an own method. */
  readonly algo?: AlgoEntry;
}

/** `loadBase` finds the environment that the code names. Throws LabError('world-invalid'), and what loadBase throws. */
export async function define(
  { kind, form }: Given,
  id: string,
  lineOf: LineOf,
  loadBase: (id: string) => Promise<EnvEntry>,
): Promise<Definition> {
  if (kind === 'world') return { kind, env: worldEntry(form, id, lineOf), base: null };
  if (kind === 'reward') {
    const base = await loadBase(readReward(form).env);
    return { kind, env: rewardEntry(form, base, id, lineOf), base };
  }
  if (kind === 'player') {
    const base = await loadBase(readPlayer(form).env);
    return { kind, env: playerEntry(form, base, id, lineOf), base };
  }
  const base = await loadBase(readMethod(form).env);
  return { kind, env: base, base, algo: methodEntry(form, id, lineOf) };
}
