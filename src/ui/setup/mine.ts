/** What a person wrote on this device and has changed: the newest version under each title, for choosers. It is opened where it is written, and runs only there, in its sandbox. */
import { useEffect, useState } from 'react';
import { kindIn, type OwnKind } from '#contract/own-world.ts';
import { hashOf } from '#stores/route.ts';

/** The family of the catalogue that holds own worlds and robots. */
export const MINE = 'Mine';

export interface Mine {
  readonly at: number;
  readonly title: string;
  readonly kind: OwnKind;
}

/** Newest first. What is only a starting point is left out. */
export async function listMine(): Promise<readonly Mine[]> {
  const versions = await (await import('#client/own/versions.ts')).worldVersions.list();
  if (versions.length === 0) return []; // as on most devices: the starting points are not fetched
  const { allPoints } = await import('#worlds/index.ts');
  const given = new Set(allPoints.map(({ code }) => code));
  const found = new Map<string, Mine>();
  for (const { at, title, code } of versions) {
    const kind = kindIn(code);
    const name = `${kind} ${title}`;
    if (!given.has(code) && !found.has(name)) found.set(name, { at, title, kind });
  }
  return [...found.values()];
}

/** Worlds, and rewards over worlds of the catalogue: what can stand among environments. */
const trainable = ({ kind }: Mine): boolean => kind === 'world' || kind === 'reward';

export function openMine({ at }: Mine): void {
  location.hash = hashOf({ page: 'write', id: null, query: { mine: String(at) } });
}

/** Empty until they are read; `again`: they are read anew when it changes. */
export function useMine(again: unknown): readonly Mine[] {
  const [mine, setMine] = useState<readonly Mine[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: says when to look again
  useEffect(() => {
    let live = true;
    void listMine().then((found) => {
      if (live) setMine(found.filter(trainable));
    });
    return () => {
      live = false;
    };
  }, [again]);
  return mine;
}
