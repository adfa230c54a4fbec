/**
 * Which code may run in a sandbox without a question: what was written on this device, and what a person has looked at and allowed, which this
 * device remembers by its id.
 */
import { namespaceHere } from '#client/workers/workers.ts';
import { worldId } from '#contract/config-hash.ts';
import { worldVersions } from './versions.ts';

const KEY = `rl-workbench:allowed-code:${namespaceHere()}`;
const KEPT = 200;
/** Of this visit: storage may be blocked. */
const here = new Set<string>();

function kept(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.map(String) : [];
  } catch {
    return []; // blocked, or not what this page wrote: it is asked again
  }
}

export async function isAllowed(id: string): Promise<boolean> {
  if (here.has(id) || kept().includes(id)) return true;
  const written = await worldVersions.list();
  for (const { code } of written) here.add(worldId(code));
  return here.has(id);
}

export function allow(id: string): void {
  here.add(id);
  try {
    localStorage.setItem(KEY, JSON.stringify([id, ...kept().filter((other) => other !== id)].slice(0, KEPT)));
  } catch {
    // blocked: it is allowed for this visit
  }
}
