/** Files of trained weights of the command line: those of the project, in public/. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '#contract/kit/errors.ts';

/** Throws LabError('engine-missing'). */
export async function readWeights(file: string): Promise<Uint8Array> {
  const path = join('public', file);
  if (!existsSync(path))
    throw fail('engine-missing', `"${path}" is not there.`, 'Run the command inside of the project.', 'algo.pretrained.kind');
  return new Uint8Array(readFileSync(path));
}
