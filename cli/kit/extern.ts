/** Gives the core the data files of the folder RL_DATA that environments may ask for, and says what their bytes are. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectOf, readJson } from '#contract/kit/json.ts';
import { giveExtern } from '#core/envs/api/extern.ts';

const FILES = ['slimevolley_baseline.json'];

export interface ExternFile {
  readonly name: string;
  readonly sha256: string;
}

/** Reads what is there; nothing without RL_DATA. Threads call it too: what they know is their own. */
export function loadExtern(): readonly ExternFile[] {
  const folder = process.env.RL_DATA;
  if (!folder) return [];
  return FILES.filter((name) => existsSync(join(folder, name))).map((name) => {
    const bytes = readFileSync(join(folder, name));
    giveExtern(name, objectOf(readJson(bytes)));
    return { name, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
}
