/** A policy that lies beside the page: compressed by gzip, fetched when it is watched and kept for offline from then on. */
import { keepOffline } from './keep.ts';

const MOST_POLICY_BYTES = 240_000;
/** Of what is in it: numbers are written as text, and tables of values compress well. */
const MOST_UNPACKED_BYTES = 4_000_000;

/** Of the policy that was trained for a world where training takes minutes (KEPT_POLICIES). */
export const keptUrl = (env: string): string => `./results/worlds/${env}.policy`;

/** Of the policy that what is offered first for a world learned on fresh seeds (bench/results/fresh.json). */
export const zooUrl = (env: string): string => `./results/zoo/${env}.policy`;

/** Rejects with Error in words where it cannot be had. */
export async function policyAt(url: string): Promise<Blob> {
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
