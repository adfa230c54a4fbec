/** A policy and a state as values that can be compared and named: every setting, and the SHA-256 of every array. */

import { LabError } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { sha256 } from '#contract/run/config-hash.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { flatConfig } from '#contract/run/flat-settings.ts';
import { bytesOf, typeOf } from '#contract/run/saved.ts';
import { getAlgo } from '#core/algos/all.ts';
import { getEnv } from '#core/envs/all.ts';

/** Hex digits of a SHA-256 that are compared. */
const DIGITS = 32;

const arraysPrint = ({ arrays }: Saved, loose: boolean): object =>
  Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [
      name,
      `${array.length} x ${typeOf(array)}${loose ? '' : `, ${sha256(bytesOf(array)).slice(0, DIGITS)}`}`,
    ]),
  );

/** Settings of an environment or a method in the fields of today, so that those of an older file have the same names. */
function settings(find: (id: string) => { parse(config: unknown): JsonObject }, id: string, config: JsonObject): JsonObject {
  try {
    return flatConfig(id, find(id).parse(config), true);
  } catch (error) {
    if (error instanceof LabError) return config; // of no environment or method that there is
    throw error;
  }
}

/** A version from that of the run on, which a page that went on with it may have raised. */
const versionPrint = (version: number, asked: number | undefined, now: number): string =>
  version >= (asked ?? 1) && version <= now ? 'of the run' : String(version);

/** `asked`: the config of its run. */
export function policyPrint(policy: PolicySnapshot, { env: world, algo: method }: RunConfig, loose: boolean): object {
  const { env, algo, seed, step, executor, saved } = policy;
  const now = { env: getEnv(world.id).version, algo: getAlgo(method.id).version };
  return {
    versions: [versionPrint(env.version, world.version, now.env), versionPrint(algo.version, method.version, now.algo)],
    env: { id: env.id, config: settings(getEnv, env.id, env.config) },
    algo: { id: algo.id, config: settings(getAlgo, algo.id, algo.config) },
    seed,
    step,
    ...(!loose && { executor, meta: saved.meta }),
    arrays: arraysPrint(saved, loose),
  };
}

const without = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** The member of a state's print that holds the counts of the watch over a run. */
export const WATCH = 'watch';

/** `resumed`: the run was, or it is not known whether it was: its watch has begun anew. */
export function statePrint(saved: Saved, loose: boolean, resumed: boolean): object {
  const { session, coreSeconds: _, ...meta } = saved.meta as JsonObject & { readonly session?: Json };
  const { live, env, ...rest } = without(objectOf(session), ['seconds', 'health']);
  const ids = { algo: String(meta.algo), env: String(meta.env) };
  return {
    ...(loose ? {} : meta),
    session: {
      ...(loose ? { step: rest.step ?? null } : rest),
      ...(isObject(live) && { live: flatConfig(ids.algo, live, true) }),
      ...(isObject(env) && { env: flatConfig(ids.env, env, true) }),
    },
    ...(!loose && !resumed && { [WATCH]: objectOf(session).health ?? null }),
    arrays: arraysPrint(saved, loose),
  };
}
