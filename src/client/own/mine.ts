/** Worlds that were written on this device, brought into the laboratory, and back to where they are written. */

import { fail } from '#contract/kit/errors.ts';
import { worldId } from '#contract/run/config-hash.ts';
import { CODE_SETTING, plainLines } from '#contract/run/own-world.ts';
import { ask } from './lab.ts';
import { worldVersions } from './versions.ts';

/**
 * Opens the version that was kept at this time in a sandbox and lists its environment in the catalogue of this visit. Answers its id; rejects with the
 * LabError of what is wrong with the code.
 */
export async function listWritten(at: number): Promise<string> {
  const version = (await worldVersions.list()).find((one) => one.at === at);
  if (version === undefined)
    throw fail('unknown-id', 'This version is not on this device any more.', 'Choose the world again: its newest version is listed.');
  const code = plainLines(version.code);
  const id = worldId(code);
  const env = { id, config: { [CODE_SETTING]: code } };
  await ask('player', env, 'describe', [env]);
  return id;
}

/** Keeps this code as the newest version on this device; answers when it was kept, by which it is found again. */
export async function keepWritten(title: string, code: string): Promise<number> {
  const at = Date.now();
  await worldVersions.keep({ at, title, code });
  return (await worldVersions.list()).find((one) => one.code === code)?.at ?? at;
}
