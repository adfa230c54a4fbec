/** Policies of earlier runs as partners: `--frozen SEAT=FILE` puts the network of a policy file into the settings of the environment. */

import { isObject, type Json, type JsonObject, readJson } from '#contract/kit/json.ts';
import { isFrozen } from '#contract/run/frozen.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import { freeze } from '#core/run/freeze.ts';
import type { Context } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { openPolicy } from './policy-input.ts';

export const FROZEN_OPTION = {
  kind: 'list',
  value: 'SEAT=FILE',
  help: 'a policy file of an earlier run that plays this seat and learns nothing; of several, or beside players of --set env.seats.SEAT, one is drawn for each episode',
} as const;

/** The value of a `--set` for this path; undefined: there is none. */
function givenTo(sets: readonly string[], path: string): Json | undefined {
  const given = sets.findLast((text) => text.startsWith(`${path}=`))?.slice(path.length + 1);
  if (given === undefined) return undefined;
  try {
    return readJson(given);
  } catch {
    return given;
  }
}

/** `sets` with what seats the frozen policies. Throws UsageError for names and files, LabError('incompatible') for policies that cannot be frozen. */
export async function withFrozen(
  frozen: readonly string[],
  sets: readonly string[],
  context: Pick<Context, 'typedIn'>,
): Promise<readonly string[]> {
  const pools = new Map<string, { readonly players: Json[]; readonly more: JsonObject }>();
  for (const text of frozen) {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--frozen takes SEAT=FILE, for example --frozen "player 2=runs/a/policy.json", not "${text}".`);
    const seat = text.slice(0, at);
    const snapshot = await openPolicy(context, text.slice(at + 1));
    const built = await buildPolicy(snapshot);
    try {
      const pool = pools.get(seat) ?? poolOf(givenTo(sets, `env.seats.${seat}`));
      pool.players.push({ ...freeze(built, snapshot, seat) } as unknown as JsonObject);
      pools.set(seat, pool);
    } finally {
      built.free();
    }
  }
  const values = [...pools].map(([seat, { players, more }]) => {
    const value = players.length === 1 && Object.keys(more).length === 0 ? players[0] : { ...more, pool: players };
    return `env.seats.${seat}=${JSON.stringify(value)}`;
  });
  return [...sets, ...values];
}

/** Players that a seat has already. */
function poolOf(value: Json | undefined): { readonly players: Json[]; readonly more: JsonObject } {
  if (value === undefined) return { players: [], more: {} };
  if (!isObject(value) || isFrozen(value)) return { players: [value], more: {} };
  const { pool, ...more } = value;
  return { players: Array.isArray(pool) ? [...pool] : [], more };
}
