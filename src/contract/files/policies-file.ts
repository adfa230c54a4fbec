/**
 * Policies of one seed in one file, `policies.rlwb`: a Saved (saved.ts) whose meta lists them by step and whose arrays are named
 * `<place in the list>/<name>`. Decoding throws LabError('file-invalid').
 */
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject } from '../kit/bounded.ts';
import { fail } from '../kit/errors.ts';
import type { PolicySnapshot, Saved } from '../run/events.ts';
import { decodeSaved, encodeSaved } from '../run/saved.ts';
import { MOST_ARRAYS, policyFileSchema } from './files.ts';

/** A seed's ladder of kept policies has forty rungs, and the newest stands beside it. */
const MOST_POLICIES = 1000;

const listSchema = z.object({
  kind: z.literal('policies'),
  version: z.literal(1),
  policies: z
    .array(
      policyFileSchema.omit({ saved: true, checksum: true }).extend({ meta: jsonObject, arrays: z.array(z.string()).max(MOST_ARRAYS) }),
    )
    .max(MOST_POLICIES),
});

export function encodePolicies(policies: readonly PolicySnapshot[]): Uint8Array {
  const arrays: Record<string, Saved['arrays'][string]> = {};
  const listed = policies.map(({ saved, ...rest }, i) => {
    for (const [name, array] of Object.entries(saved.arrays)) arrays[`${i}/${name}`] = array;
    return { ...rest, env: { ...rest.env }, algo: { ...rest.algo }, meta: saved.meta, arrays: Object.keys(saved.arrays) };
  });
  return encodeSaved({ meta: { kind: 'policies', version: 1, policies: listed }, arrays });
}

const broken = (why: string): Error =>
  fail('file-invalid', `The policies of this file cannot be read: ${why}.`, 'Save the file again from where it came.');

export function decodePolicies(bytes: Uint8Array): readonly PolicySnapshot[] {
  const { meta, arrays } = decodeSaved(bytes);
  const list = listSchema.safeParse(meta, FIRST_ISSUE);
  if (!list.success) throw broken(`"${list.error.issues[0]?.path.join('.') ?? ''}" is missing or has a value that is not allowed`);
  return list.data.policies.map(({ meta: own, arrays: names, ...rest }, i): PolicySnapshot => {
    const found = names.map((name) => {
      const array = Object.hasOwn(arrays, `${i}/${name}`) ? arrays[`${i}/${name}`] : undefined;
      if (array === undefined) throw broken(`the array "${name}" of policy ${i} is missing`);
      if (array instanceof Float32Array && !array.every(Number.isFinite))
        throw broken(`the array "${name}" of policy ${i} holds numbers that are not finite`);
      return [name, array] as const;
    });
    return { ...rest, saved: { meta: own, arrays: Object.fromEntries(found) } };
  });
}
