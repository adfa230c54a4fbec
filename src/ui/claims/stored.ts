/** The full result of a paper: `results/papers/<id>.json` beside the page, same origin, fetched when its page opens and kept for offline. */

import facts from 'virtual:paper-facts';
import { useEffect, useState } from 'react';
import { readJson } from '#contract/kit/json.ts';
import { type PaperResult, paperResultSchema } from '#contract/papers/results.ts';
import { keepOffline } from '#ui/kit/keep.ts';

/** 'none': the build found no full result; 'failed': it could not be fetched or read. */
export type Stored =
  | { readonly state: 'reading' | 'none' }
  | { readonly state: 'failed'; readonly why: string }
  | { readonly state: 'here'; readonly result: PaperResult };

const MOST_BYTES = 200_000;

async function read(id: string): Promise<Stored> {
  const url = `./results/papers/${id}.json`;
  try {
    const response = await fetch(url);
    if (!response.ok) return { state: 'failed', why: `The result of ${id} is not beside this page (${response.status}).` };
    const text = await response.text();
    if (text.length > MOST_BYTES) return { state: 'failed', why: `The result of ${id} is larger than a result can be.` };
    const result = paperResultSchema.parse(readJson(text));
    keepOffline('papers', url);
    return { state: 'here', result };
  } catch (error) {
    if (error instanceof TypeError)
      return { state: 'failed', why: 'Its result is not here without a network: open the page once while you are online.' };
    return { state: 'failed', why: `The result of ${id} cannot be read: it does not have the form of a result.` };
  }
}

export function useStored(id: string): Stored {
  const [stored, setStored] = useState<Stored>({ state: id in facts ? 'reading' : 'none' });
  useEffect(() => {
    if (!(id in facts)) return;
    let live = true;
    void read(id).then((found) => live && setStored(found));
    return () => {
      live = false;
    };
  }, [id]);
  return stored;
}
