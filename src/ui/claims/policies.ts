/** The policies that arms of papers learned: files beside the page, same origin, fetched when they are watched and kept for offline. */
import facts from 'virtual:paper-facts';
import { keepOffline } from '#ui/kit/keep.ts';

const MOST_POLICY_BYTES = 200_000;
/** Of what is in it: numbers are written as text, and tables of values compress well. */
const MOST_UNPACKED_BYTES = 4_000_000;

/** The file beside the page with the policy that an arm learned, which arms of the same runs share; null: none is kept. */
export const policyFile = (id: string, arm: string): string | null => facts[id]?.policies[arm] ?? null;

/** Whether the policy that an arm learned is kept beside the page. */
export const hasPolicy = (id: string, arm: string): boolean => policyFile(id, arm) !== null;

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
