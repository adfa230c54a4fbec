/**
 * An explanation that a link is pinned to: the policy of one seed at one step, one moment of one episode, and what was changed there by
 * hand. No weights travel: the link's config and seed give the same policy again, bit for bit on wasm, and its hash says whether they did.
 */
import { z } from 'zod';
import { MOST_EDITS } from '../game/network-view.ts';
import { crc32 } from '../kit/bytes.ts';
import { utf8 } from '../kit/canonical.ts';
import type { PolicySnapshot } from '../run/events.ts';

const LARGEST = 1e6;
const MOST_NUMBERS = 256;
const number = z.number().min(-LARGEST).max(LARGEST);
const index = z.int().min(0).max(LARGEST);

const edit = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('move'), thing: index, x: number, y: number }),
  z.strictObject({ kind: z.literal('swap'), from: index, to: index }),
  z.strictObject({ kind: z.literal('observe'), obs: z.array(number).max(MOST_NUMBERS) }),
]);

export const pinSchema = z.strictObject({
  seed: z.int().min(0).max(0xffff_ffff),
  /** Environment steps at which the policy was kept. */
  step: z.int().min(0).max(1e10),
  /** policyHash() */
  policy: z.string().regex(/^[0-9a-f]{8}$/),
  /** Seed of the episode, which is played greedily. */
  start: z.int().min(0).max(0xffff_ffff),
  t: index,
  agent: z.int().min(0).max(4095),
  view: z.enum(['decision', 'edit', 'network']),
  edits: z.array(edit).max(MOST_EDITS),
});
export type Pin = z.infer<typeof pinSchema>;

/** CRC-32 over names and bytes of everything a policy holds, 8 hex digits: tells one policy of a run from another, no more. */
export function policyHash({ saved }: Pick<PolicySnapshot, 'saved'>): string {
  const names = Object.keys(saved.arrays).toSorted();
  const parts = names.flatMap((name) => {
    const array = saved.arrays[name];
    return array === undefined ? [] : [utf8(`${name}:`), new Uint8Array(array.buffer, array.byteOffset, array.byteLength)];
  });
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return crc32(all).toString(16).padStart(8, '0');
}
