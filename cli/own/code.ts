/**
 * Worlds, rewards, players and methods that a person wrote (core/own), from files on this machine: they run with the user's rights, without a
 * sandbox. A run folder keeps the code as world.js, that of a method as method.js; threads that train are given what the command was given.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { OWN_SCOPE } from '#contract/own/text.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { worldId } from '#contract/run/config-hash.ts';
import { CODE_SETTING, LONGEST_WORLD, plainLines } from '#contract/run/own-world.ts';
import { giveAlgo } from '#core/algos/index.ts';
import { giveWorld, loadEnv } from '#core/envs/index.ts';
import { carrying } from '#core/own/carried.ts';
import { type Definition, define } from '#core/own/definition.ts';
import { scopeOf } from '#core/own/scope.ts';
import { giveTitle } from '../kit/own-titles.ts';
import { writeWhole } from '../kit/seed-folder.ts';
import { isModule, methodOfModule } from './module.ts';

/** A person's code as it travels between threads. */
export interface CodeFile {
  /** As messages name it. */
  readonly name: string;
  readonly code: string;
}

/** Names of files that hold code beside a run: of its environment, and of its method. Folders of earlier versions have either in the first. */
export const CODE_FILES = { env: 'world.js', algo: 'method.js' } as const;

const known = new Map<string, CodeFile>();

/** What this process runs; new threads are given the same. */
export const givenCode = (): readonly CodeFile[] => [...known.values()];

/** The code of an environment or method of this id, where it runs here. */
export const codeOf = (id: string): CodeFile | undefined => known.get(id);

/**
 * Runs the code and makes what it defines known by its id: an environment, whose settings may carry the code as those of the page do, or a method. Throws LabError('world-invalid') naming file and line,
 * and 'unknown-id' for an environment that is none of the catalogue.
 */
export async function runCode(file: CodeFile): Promise<Definition> {
  const code = plainLines(file.code);
  if (code.length > LONGEST_WORLD)
    throw fail('world-invalid', `"${file.name}" has ${code.length} characters.`, `A file has at most ${LONGEST_WORLD}.`);
  const id = worldId(code);
  const made = isModule(code) ? await ofModule(file.name, code, id) : await ofCall(file.name, code, id);
  known.set(id, { name: file.name, code });
  giveTitle(id, (made.algo ?? made.env).title);
  if (made.algo !== undefined) {
    giveAlgo(made.algo);
    return made;
  }
  const env = carrying(made.env, code);
  giveWorld(env);
  return { ...made, env };
}

/** What one of the define functions is called with. */
async function ofCall(name: string, code: string, id: string): Promise<Definition> {
  const lineOf = (error: unknown): number | null => {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const at = stack.indexOf(`${name}:`);
    const line = at < 0 ? null : /^(\d+)/.exec(stack.slice(at + name.length + 1));
    return line === null ? null : Number(line[1]);
  };
  const scope = scopeOf();
  try {
    const run = compileFunction(`'use strict';${code}`, [...OWN_SCOPE], { filename: name });
    Reflect.apply(run, undefined, scope.values);
  } catch (error) {
    const line = lineOf(error);
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw fail('world-invalid', `"${name}"${line === null ? '' : `, line ${line}`}: ${what}.`, 'Correct the code there.', 'code');
  }
  return define(scope.given(), id, lineOf, loadEnv);
}

/** The method that a module exports, to be tried where its trial is. */
async function ofModule(name: string, code: string, id: string): Promise<Definition> {
  const algo = await methodOfModule(name, code, id);
  const base = await loadEnv(algo.trial.env);
  return { kind: 'method', env: base, base, algo };
}

/**
 * Settings with the code of a world or a reward: what is trained with them, its policies too, opens in the page, which shows the code and asks. Players and
 * methods open there where they are written.
 */
export function codeSettings({ kind, env }: Definition): JsonObject {
  const file = known.get(env.id);
  return file !== undefined && (kind === 'world' || kind === 'reward') ? { [CODE_SETTING]: file.code } : {};
}

/** Keeps the code of a run in its folder, in files of the names in CODE_FILES; nothing where environment and method are of the catalogue. */
export function keepCode(folder: string, config: Pick<RunConfig, 'env' | 'algo'>): void {
  for (const part of ['env', 'algo'] as const) {
    const file = known.get(config[part].id);
    if (file !== undefined) writeWhole(join(folder, CODE_FILES[part]), file.code);
  }
}

/** The code that lies in these folders. */
export const codeIn = (...folders: readonly string[]): readonly CodeFile[] =>
  folders.flatMap((folder) =>
    Object.values(CODE_FILES)
      .map((file) => join(folder, file))
      .filter((path) => existsSync(path))
      .map((path) => ({ name: path, code: readFileSync(path, 'utf8') })),
  );
