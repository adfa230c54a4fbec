/** The full result of a paper: `results/papers/<id>.json` beside the page, same origin, fetched when its page opens and kept for offline. */
import facts from 'virtual:paper-facts';
import { useEffect, useState } from 'react';
import { type PaperResult, paperResultSchema } from '#contract/results.ts';
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
    const result = paperResultSchema.parse(JSON.parse(text));
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

const MOST_POLICY_BYTES = 200_000;
/** Of what is in it: numbers are written as text, and tables of values compress well. */
const MOST_UNPACKED_BYTES = 4_000_000;

/** Whether the policy that an arm learned is kept beside the page. */
export const hasPolicy = (id: string, arm: string): boolean => Object.hasOwn(facts[id]?.policies ?? {}, arm);

/** Whether its weights are rounded, so that there is room for more arms. */
export const isRounded = (id: string, arm: string): boolean => facts[id]?.policies[arm]?.endsWith('.rounded.policy') ?? false;

/** The policy file of an arm, kept for offline from then on. Rejects with Error in words where it cannot be had. */
export async function policyOf(id: string, arm: string): Promise<Blob> {
  const url = `./results/policies/${facts[id]?.policies[arm] ?? ''}`;
  const response = await fetch(url).catch(() => null);
  if (response === null) throw new Error('This policy is not here without a network: watch it once while you are online.');
  if (!response.ok) throw new Error(`The policy is not beside this page (${response.status}).`);
  const file = await response.blob();
  if (file.size > MOST_POLICY_BYTES) throw new Error('The policy is larger than a kept policy can be.');
  const policy = await unpacked(file);
  keepOffline('papers', url);
  return policy;
}

/** Inflates a kept policy piece by piece, so that a forged file cannot fill the memory. */
async function unpacked(file: Blob): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error('The policy beside this page is damaged: it cannot be unpacked.');
    });
    if (done) return new Blob(pieces);
    bytes += value.length;
    if (bytes > MOST_UNPACKED_BYTES) {
      await reader.cancel();
      throw new Error('The policy is larger than a kept policy can be.');
    }
    pieces.push(value);
  }
}
