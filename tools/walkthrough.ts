/** Takes the code out of a page of docs/, type-checks it like the core, and loads it. Imports are made absolute; files lie in the cache. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { codeOf } from './page-code.mjs';

export interface Walkthrough {
  /** Paths that the page names, in order. */
  readonly paths: readonly string[];
  /** Throws with the compiler's words. */
  typeCheck(): void;
  /** The module built from the file of this name. */
  load(name: string): Promise<unknown>;
}

/** `room`: the folder the files would stand in. `instead`: names of imports, and the file to load in their place. */
export function openWalkthrough(page: string, room: string, instead: Readonly<Record<string, string>> = {}): Walkthrough {
  const folder = resolve('node_modules/.cache/rl-workbench/walkthrough', basename(page, '.md'));
  const files = codeOf(readFileSync(page, 'utf8'));
  const names = [...files.keys()].map((path) => basename(path));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [path, code] of files) {
    const own = names.reduce((text, name) => text.replaceAll(`'./${name}'`, `'${join(folder, name)}'`), code);
    const absolute = own
      .replace(/from '(\.{1,2}\/[^']+)'/g, (_, relative: string) => `from '${resolve(room, relative)}'`)
      .replace(/from '#(contract|math|core)\//g, (_, alias: string) => `from '${resolve('src', alias)}/`);
    const loaded = Object.entries(instead).reduce((text, [name, file]) => text.replaceAll(`from '${name}'`, `from '${file}'`), absolute);
    writeFileSync(join(folder, basename(path)), loaded);
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: resolve('tsconfig.base.json'),
      compilerOptions: { lib: ['ES2023'], types: [], noEmit: true, composite: false, incremental: false, emitDeclarationOnly: false },
      files: names,
    }),
  );
  return {
    paths: [...files.keys()],
    typeCheck() {
      const tsc = ['node_modules/typescript/bin/tsc', '--checkers', '1', '-p', join(folder, 'tsconfig.json')];
      execFileSync(process.execPath, tsc, { encoding: 'utf8', stdio: 'pipe' });
    },
    load: (name) => import(/* @vite-ignore */ join(folder, `${name}.ts`)),
  };
}
