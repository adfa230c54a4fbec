/** The full result of a paper: `results/papers/<id>.json` beside the page, same origin, fetched when its page opens and kept for offline. */

import facts from 'virtual:paper-facts';
import { useEffect, useState } from 'react';
import { readJson } from '#contract/kit/json.ts';
import type { ScoreRef } from '#contract/papers/forms.ts';
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

/** Results by id, those that have been read. */
export type Results = { readonly [id: string]: PaperResult | undefined };

/** Several results at once, as they come; and what could not be read, in words. `ids` null: they are not asked for yet. */
export function useResults(ids: readonly string[] | null): {
  readonly results: Results;
  readonly problems: readonly string[];
  readonly done: boolean;
} {
  const [found, setFound] = useState<{ readonly [id: string]: Stored }>({});
  const key = ids?.join(' ') ?? '';
  useEffect(() => {
    if (key === '') return;
    let live = true;
    for (const id of key.split(' ')) void read(id).then((stored) => live && setFound((before) => ({ ...before, [id]: stored })));
    return () => {
      live = false;
    };
  }, [key]);
  const all = Object.entries(found);
  return {
    results: Object.fromEntries(all.flatMap(([id, stored]) => (stored.state === 'here' ? [[id, stored.result]] : []))),
    problems: all.flatMap(([, stored]) => (stored.state === 'failed' ? [stored.why] : [])),
    done: ids?.every((id) => found[id] !== undefined) ?? false,
  };
}

/** The scores of an arm, those that were measured; null: its result is not there, or has no such arm. */
export function scoresIn(results: Results, { result, arm }: ScoreRef): readonly number[] | null {
  const scores = results[result]?.arms.find(({ id }) => id === arm)?.scores;
  return scores === undefined ? null : scores.flatMap((score) => score ?? []);
}
