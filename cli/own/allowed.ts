/**
 * Code that was given by its file on this machine, by the whole SHA-256 of it: what lies in a folder, a file or a queue is run where it is
 * among these. A line each in a file of the user's, so that it counts for every copy of the workbench.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeHash } from '#contract/run/config-hash.ts';

/** Where programs of this user keep what they remember. */
const file = (): string => join(process.env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'rl-workbench', 'allowed-code');

export function isAllowed(code: string): boolean {
  return existsSync(file()) && readFileSync(file(), 'utf8').split('\n').includes(codeHash(code));
}

/** Remembers it. Where that cannot be written the code is allowed for this command alone, which stderr says. */
export function allow(code: string): void {
  if (isAllowed(code)) return;
  try {
    mkdirSync(dirname(file()), { recursive: true });
    appendFileSync(file(), `${codeHash(code)}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`That this code may run here cannot be remembered, so the next command asks for its file again: ${why}\n`);
  }
}
