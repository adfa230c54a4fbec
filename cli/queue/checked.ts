/** A result from the queue, looked at before it is written into a folder: others write there too. */

import { curvesFromCsv } from '#contract/files/curves-csv.ts';
import { decodePolicyFile, parse, seedResultSchema } from '#contract/files/files.ts';
import { textOf } from '#contract/kit/bytes.ts';
import { fail } from '#contract/kit/errors.ts';
import type { SeedBlob } from './blobs.ts';

/** Throws LabError('file-invalid') where these files are not the result of a run on this seed: its numbers, its curves, its policy. */
export function checkResult(files: SeedBlob, seed: number): void {
  const text = (name: string): string => {
    const bytes = files.get(name);
    if (bytes === undefined) throw fail('file-invalid', `A result of the queue has no ${name}.`, 'It is trained again.', name);
    return textOf(bytes);
  };
  const result = parse(seedResultSchema, text('result.json'), 'a result');
  if (!/^[0-9a-f]{1,64}$/.test(result.parameterHash))
    throw fail('file-invalid', 'A result of the queue has no hash of what was learned.', 'It is trained again.', 'parameterHash');
  if (result.seed !== seed)
    throw fail(
      'file-invalid',
      `A result of the queue is of seed ${result.seed}, and seed ${seed} was asked for.`,
      'It is trained again.',
      'seed',
    );
  const other = curvesFromCsv(text('curve.csv')).find((column) => column.seed !== seed);
  if (other !== undefined)
    throw fail(
      'file-invalid',
      `The curves of a result of the queue are of seed ${other.seed}, not ${seed}.`,
      'It is trained again.',
      'curve.csv',
    );
  if (files.has('policy.json')) decodePolicyFile(text('policy.json'));
}
