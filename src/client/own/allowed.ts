/**
 * Which code may run in a sandbox without a question: what was written on this device, and what a person has looked at and allowed. This device
 * remembers it by its whole SHA-256, which is compared at every start: ids are short, and two programs with one id are found in seconds.
 */

import { namespaceHere } from '#client/workers/workers.ts';
import { readJson } from '#contract/kit/json.ts';
import { codeHash } from '#contract/run/config-hash.ts';
import { worldVersions } from './versions.ts';

const KEY = `rl-workbench:allowed-code:${namespaceHere()}`;
const KEPT = 200;
/** Earlier versions remembered ids: what they allowed is asked about again. */
const WHOLE = /^[0-9a-f]{64}$/;
/** Of this visit: storage may be blocked. */
const here = new Set<string>();

function kept(): readonly string[] {
  try {
    const hashes: unknown = readJson(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(hashes) ? hashes.map(String).filter((hash) => WHOLE.test(hash)) : [];
  } catch {
    return []; // blocked, or not what this page wrote: it is asked again
  }
}

export async function isAllowed(code: string): Promise<boolean> {
  const hash = codeHash(code);
  if (here.has(hash) || kept().includes(hash)) return true;
  for (const written of await worldVersions.list()) here.add(codeHash(written.code));
  return here.has(hash);
}

export function allow(code: string): void {
  const hash = codeHash(code);
  here.add(hash);
  try {
    localStorage.setItem(KEY, JSON.stringify([hash, ...kept().filter((other) => other !== hash)].slice(0, KEPT)));
  } catch {
    // blocked: it is allowed for this visit
  }
}
