/** What a person wrote on this device and has changed: the newest version under each title, for choosers. It runs only in sandboxes. */
import { useEffect, useState } from 'react';
import { toFailure } from '#contract/kit/errors.ts';
import { kindIn, type OwnKind } from '#contract/own/text.ts';
import { worldId } from '#contract/run/config-hash.ts';
import { hashOf, LAB } from '#stores/route.ts';
import { remedy } from '#ui/kit/format/failure.ts';
import { toast } from '#ui/kit/toasts.ts';
import { chooseEnv } from './choose-env.ts';

/** The family of the catalogue that holds own worlds and robots. */
export const MINE = 'Mine';

export interface Mine {
  readonly at: number;
  /** Of its environment. */
  readonly id: string;
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
    if (!given.has(code) && !found.has(name)) found.set(name, { at, id: worldId(code), title, kind });
  }
  return [...found.values()];
}

/** Worlds, and rewards over worlds of the catalogue: what can stand among environments. */
const isTrainable = ({ kind }: Mine): boolean => kind === 'world' || kind === 'reward';

/** Opens the editor in which the definition was written. */
export function editMine({ at }: Pick<Mine, 'at'>): void {
  location.hash = hashOf({ page: 'write', id: null, query: { mine: String(at) } });
}

/** Code that is not the newest of its title here, or came from elsewhere and was allowed: it is kept as the newest version, and opened to be changed. */
export async function editCopy(title: string, code: string): Promise<void> {
  const { keepWritten } = await import('#client/own/mine.ts');
  editMine({ at: await keepWritten(title, code) });
}

/** Code that is being written becomes the environment of the laboratory, which opens. */
export async function trainWritten(id: string, title: string, code: string): Promise<void> {
  const { keepWritten } = await import('#client/own/mine.ts');
  const at = await keepWritten(title, code);
  location.hash = LAB;
  await chooseMine({ at, id, title, kind: kindIn(code) });
}

/** A world or a reward becomes the environment of the laboratory; a player or a method is opened where it was written, and trained there. */
export async function chooseMine(mine: Mine): Promise<void> {
  if (!isTrainable(mine)) {
    editMine(mine);
    return;
  }
  try {
    chooseEnv(await (await import('#client/own/mine.ts')).listWritten(mine.at));
  } catch (error) {
    const failure = toFailure(error);
    toast(`${failure.message} ${remedy(failure)}`, { tone: 'caution', action: { label: 'Edit the code', run: () => editMine(mine) } });
  }
}

/** Empty until they are read; `again`: they are read anew when it changes. */
export function useMine(again: unknown): readonly Mine[] {
  const [mine, setMine] = useState<readonly Mine[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: says when to look again
  useEffect(() => {
    let live = true;
    void listMine().then((found) => {
      if (live) setMine(found.filter(isTrainable));
    });
    return () => {
      live = false;
    };
  }, [again]);
  return mine;
}
