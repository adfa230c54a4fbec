/** A run of a person's code as one file: the code, how it was set up, and the state of each seed. Only a sandbox reads the states. */
import { z } from 'zod';
import { FIRST_ISSUE, recordOf } from '../kit/bounded.ts';
import { fail } from '../kit/errors.ts';
import { readJson } from '../kit/json.ts';
import { LONGEST_WORLD } from '../run/own-world.ts';
import { LONGEST_MESSAGE } from './sandbox.ts';

const MOST_SEEDS = 10;
/** Settings of the environment and the method, and the seeds. */
const MOST_VALUES = 10_000;
/** Characters of a file. */
export const LONGEST_RUN_FILE = (MOST_SEEDS + 1) * LONGEST_MESSAGE;

const settings = recordOf(z.union([z.number(), z.boolean(), z.string().max(100)]), 1000, z.string().max(60));

const schema = z.strictObject({
  kind: z.literal('rl-own-run'),
  version: z.literal(1),
  code: z.string().max(LONGEST_WORLD),
  setup: z.strictObject({ settings, method: settings, seat: z.string().max(60) }),
  algo: z.string().max(60),
  steps: z.int().min(1).max(1e10),
  seeds: z
    .array(
      z.strictObject({ seed: z.int().min(0).max(0xffff_ffff), step: z.int().min(0).max(1e10), state: z.string().max(LONGEST_MESSAGE) }),
    )
    .min(1)
    .max(MOST_SEEDS),
});
export type OwnRunFile = z.infer<typeof schema>;

export const ownRunText = (run: Omit<OwnRunFile, 'kind' | 'version'>): string =>
  JSON.stringify({ kind: 'rl-own-run', version: 1, ...run } satisfies OwnRunFile);

/** null: the text is no such file, but may be code. Throws LabError('file-invalid') for one that is damaged. */
export function readOwnRun(text: string): OwnRunFile | null {
  if (!/^\s*\{\s*"kind"\s*:\s*"rl-own-run"/.test(text)) return null;
  try {
    if (text.length <= LONGEST_RUN_FILE) return schema.parse(readJson(text, MOST_VALUES), FIRST_ISSUE);
  } catch {
    // said below
  }
  throw fail('file-invalid', 'This saved run is damaged, or of a newer version.', 'Save the run again.');
}
