/** Texts that come later than the first view: those of the lessons, of the panel Why, and of a paper’s page. */
import { useEffect, useState } from 'react';
import type { Part } from '#text/languages.ts';
import { add, t } from '#text/text.ts';
import { languageStore } from './language.ts';
import { toast } from './toasts.ts';

const loaded = new Set<string>();
const nameOf = (id: string, part: Part): string => `${id} ${part}`;

function here(part: Part): boolean {
  const { id, load } = languageStore.getState().language;
  return load === null || loaded.has(nameOf(id, part));
}

/** The texts of a part, in the language of the page. Without a network a part that was never opened here stays English, and this is said. */
export async function loadTexts(part: Part): Promise<void> {
  const { id, load } = languageStore.getState().language;
  if (load === null || loaded.has(nameOf(id, part))) return;
  try {
    await add(id, (await load(part)).default);
    loaded.add(nameOf(id, part));
  } catch {
    toast(t('This language could not be loaded. Connect to the network once and try again.'), { tone: 'caution' });
  }
}

/** Whether the texts of a part are there, or cannot be had; a view that shows them waits for it. */
export function useTexts(part: Part): boolean {
  const [ready, setReady] = useState(() => here(part));
  useEffect(() => {
    let live = true;
    void loadTexts(part).then(() => live && setReady(true));
    return () => {
      live = false;
    };
  }, [part]);
  return ready;
}
