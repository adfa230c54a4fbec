/** A policy that a command was given: policy.json, or policies.rlwb of a project file, whose newest is taken. */
import { readFileSync } from 'node:fs';
import { decodePolicyFile } from '#contract/files/files.ts';
import { decodePolicies } from '#contract/files/policies-file.ts';
import { textOf } from '#contract/kit/bytes.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { isSaved } from '#contract/run/saved.ts';
import { checkFile } from '../kit/config.ts';
import type { Context } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';

/** Throws UsageError where there is no such file, and LabError('file-invalid') for one that is no policy. */
export function readPolicy(context: Pick<Context, 'typedIn'>, path: string): PolicySnapshot {
  const bytes = new Uint8Array(readFileSync(checkFile(context, path, 'policy file')));
  if (!isSaved(bytes)) return decodePolicyFile(textOf(bytes));
  const newest = decodePolicies(bytes).at(-1);
  if (newest === undefined) throw new UsageError(`"${path}" holds no policy.`);
  return newest;
}
