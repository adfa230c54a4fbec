/** What Gymnasium calls our environments: `rlw/MiniGridDoorKey-v0` is minigrid-doorkey, version 1. */
import type { EnvEntry } from '#core/envs/api/types.ts';

/** Letters of the title in one word; names of the first version end with v0, as Gymnasium counts. */
const nameOf = ({ title, version }: EnvEntry): string => {
  const words = title.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? [];
  return `${words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}-v${version - 1}`;
};

/** Ids by their names, of environments in which one agent acts. */
export function gymNames(envs: readonly EnvEntry[]): { readonly [name: string]: string } {
  const solo = envs.filter((entry) => {
    const { agentCount, turns } = entry.meta({});
    return agentCount === 1 && turns !== true;
  });
  const names = new Map<string, string>();
  for (const entry of solo) {
    const name = nameOf(entry);
    if (names.has(name)) throw new Error(`${names.get(name)} and ${entry.id} are both called ${name}.`);
    names.set(name, entry.id);
  }
  return Object.fromEntries(names);
}
