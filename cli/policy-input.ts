/** A policy that a command was given: policy.json, or policies.rlwb of a project file, whose newest is taken. */
import { readFileSync } from 'node:fs';
import { textOf } from '#contract/bytes.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import { decodePolicyFile } from '#contract/files.ts';
import { decodePolicies } from '#contract/policies-file.ts';
import { isSaved } from '#contract/saved.ts';
import { checkFile } from './config.ts';
import type { Context } from './context.ts';
import { UsageError } from './failure.ts';

/** Throws UsageError where there is no such file, and LabError('file-invalid') for one that is no policy. */
export function readPolicy(context: Pick<Context, 'typedIn'>, path: string): PolicySnapshot {
  const bytes = new Uint8Array(readFileSync(checkFile(context, path, 'policy file')));
  if (!isSaved(bytes)) return decodePolicyFile(textOf(bytes));
  const newest = decodePolicies(bytes).at(-1);
  if (newest === undefined) throw new UsageError(`"${path}" holds no policy.`);
  return newest;
}
