/**
 * Data that are not part of this project but may be on the user's disk, for example published players. The command line reads them from the
 * folder RL_DATA; the page has none. Environments ask by file name when they are created, not before.
 */
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';

const known = new Map<string, JsonObject>();

export function giveExtern(name: string, data: JsonObject): void {
  known.set(name, data);
}

/** Throws LabError('incompatible') naming the file where it is not at hand. */
export function externData(name: string, what: string): JsonObject {
  const data = known.get(name);
  if (data !== undefined) return data;
  throw fail(
    'incompatible',
    `${what} needs data that are not part of this project.`,
    `On the command line, set RL_DATA to a folder with ${name}; or choose another opponent.`,
    'env.opponent',
  );
}
