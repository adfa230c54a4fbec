/** What a person's code defines: a world, a reward, a player or a method, and what is run of it. */
import type { AlgoEntry } from '../algos/api/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import type { LineOf } from './call.ts';
import { worldEntry } from './entry.ts';
import { methodEntry, readMethod } from './method.ts';
import { playerEntry, readPlayer } from './player.ts';
import { readReward, rewardEntry } from './reward.ts';

export type OwnKind = 'world' | 'reward' | 'player' | 'method';

/** What one of the define functions was called with. */
export interface Given {
  readonly kind: OwnKind;
  readonly form: unknown;
}

export interface Definition {
  readonly kind: OwnKind;
  /** Where it is run: the person's world, or the environment of the catalogue that is named, with what is the person's over it. */
  readonly env: EnvEntry;
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
  switch (kind) {
    case 'world':
      return { kind, env: worldEntry(form, id, lineOf) };
    case 'reward':
      return { kind, env: rewardEntry(form, await loadBase(readReward(form).env), id, lineOf) };
    case 'player':
      return { kind, env: playerEntry(form, await loadBase(readPlayer(form).env), id, lineOf) };
    case 'method': {
      const { env } = readMethod(form);
      return { kind, env: await loadBase(env), algo: methodEntry(form, id, lineOf) };
    }
  }
}
