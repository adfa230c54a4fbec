/**
 * Worlds in the simple form (core/own) from files on this machine: the user's own code, run as such, without a sandbox. A run folder keeps the
 * code as world.js; threads that train are given what the command was given.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { worldId } from '#contract/config-hash.ts';
import { fail } from '#contract/errors.ts';
import { LONGEST_WORLD, OWN_SCOPE, plainLines } from '#contract/own-world.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { giveWorld } from '#core/envs/index.ts';
import { worldEntry } from '#core/own/entry.ts';
import { scopeOf } from '#core/own/scope.ts';
import { writeWhole } from './run-folder.ts';

/** A world as it travels between threads. */
export interface WorldFile {
  /** As messages name it. */
  readonly name: string;
  readonly code: string;
}

const FILE = 'world.js';
const known = new Map<string, WorldFile>();

/** What this process was given; new threads are given the same. */
export const givenWorlds = (): readonly WorldFile[] => [...known.values()];

/** Runs the code and makes its environment known by its id. Throws LabError('world-invalid') naming file and line. */
export function runWorld(file: WorldFile): EnvEntry {
  const code = plainLines(file.code);
  if (code.length > LONGEST_WORLD)
    throw fail('world-invalid', `"${file.name}" has ${code.length} characters.`, `A world has at most ${LONGEST_WORLD}.`);
  const lineOf = (error: unknown): number | null => {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const at = stack.indexOf(`${file.name}:`);
    const line = at < 0 ? null : /^(\d+)/.exec(stack.slice(at + file.name.length + 1));
    return line === null ? null : Number(line[1]);
  };
  const scope = scopeOf();
  try {
    const run = compileFunction(`'use strict';${code}`, [...OWN_SCOPE], { filename: file.name });
    Reflect.apply(run, undefined, scope.values);
  } catch (error) {
    const line = lineOf(error);
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw fail('world-invalid', `"${file.name}"${line === null ? '' : `, line ${line}`}: ${what}.`, 'Correct the code there.', 'code');
  }
  const entry = worldEntry(scope.given(), worldId(code), lineOf);
  giveWorld(entry);
  known.set(entry.id, { name: file.name, code });
  return entry;
}

/** Keeps the code of a run's world in its folder; nothing for environments of the catalogue. */
export function keepWorld(folder: string, id: string): void {
  const file = known.get(id);
  if (file !== undefined) writeWhole(join(folder, FILE), file.code);
}

/** Makes the world of a run folder known, if it keeps one. */
export function reopenWorld(folder: string): void {
  const path = join(folder, FILE);
  if (existsSync(path)) runWorld({ name: path, code: readFileSync(path, 'utf8') });
}
