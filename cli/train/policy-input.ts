/** A policy that a command was given: policy.json, or policies.rlwb of a project file, whose newest is taken. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodePolicyFile } from '#contract/files/files.ts';
import { decodePolicies } from '#contract/files/policies-file.ts';
import { textOf } from '#contract/kit/bytes.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { isSaved } from '#contract/run/saved.ts';
import type { Context } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { checkFile } from '../kit/files.ts';
import { codeIn } from '../own/code.ts';
import { openStored } from '../own/open.ts';

/**
 * The policy, with what it needs open: code of one's own is looked for in its settings, beside it, and in the folder of the run above it. Throws UsageError
 * where there is no such file, LabError('file-invalid') for one that is no policy, and what openStored throws.
 */
export async function openPolicy(context: Pick<Context, 'typedIn'>, path: string): Promise<PolicySnapshot> {
  const file = checkFile(context, path, 'policy file');
  const snapshot = policyIn(new Uint8Array(readFileSync(file)), path);
  await openStored(snapshot, { file: path, codes: codeIn(dirname(file), dirname(dirname(file))) });
  return snapshot;
}

function policyIn(bytes: Uint8Array, path: string): PolicySnapshot {
  if (!isSaved(bytes)) return decodePolicyFile(textOf(bytes));
  const newest = decodePolicies(bytes).at(-1);
  if (newest === undefined) throw new UsageError(`"${path}" holds no policy.`);
  return newest;
}
