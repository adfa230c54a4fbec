/**
 * The environment of docs/adding-an-environment.md, taken out of the page: type-checked like the core, its own tests run, and played
 * with every property checked. Its files lie in the cache; imports of the core are made absolute.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { createActions } from '#core/envs/buffers.ts';
import type { EnvEntry } from '#core/envs/types.ts';
import { Rng } from '#core/math/rng.ts';
import { createSoak } from '#core/run/soak.ts';
import { createVectorEnv } from '#core/run/vector-env.ts';

const PAGE = 'docs/adding-an-environment.md';
const FOLDER = resolve('node_modules/.cache/rl-workbench/walkthrough');

/** Blocks that name a file, those of one file joined in their order. */
function filesOf(page: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [, path, code] of page.matchAll(/^```ts (src\/\S+)\n([\s\S]*?)^```$/gm))
    if (path !== undefined && code !== undefined) files.set(path, `${files.get(path) ?? ''}${code}\n`);
  return files;
}

function absolute(code: string, name: string): string {
  const core = resolve('src/core/envs');
  return code
    .replaceAll(`'./${name}.ts'`, `'${join(FOLDER, `${name}.ts`)}'`)
    .replaceAll("from './", `from '${core}/`)
    .replaceAll("from '#contract/", `from '${resolve('src/contract')}/`);
}

const files = filesOf(readFileSync(PAGE, 'utf8'));
const ID = 'windy-pier';
const collected: { readonly name: string; readonly body: () => void }[] = [];
let entry: EnvEntry;

beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [path, code] of files) writeFileSync(join(FOLDER, path.replace('src/core/envs/', '')), absolute(code, ID));
  writeFileSync(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({
      extends: resolve('tsconfig.base.json'),
      compilerOptions: { lib: ['ES2023'], types: [], noEmit: true, composite: false, incremental: false, emitDeclarationOnly: false },
      files: [`${ID}.ts`, `${ID}.test.ts`],
    }),
  );
  // The page's tests get this file's own `test` and `expect`.
  const shim = join(FOLDER, 'vitest.ts');
  writeFileSync(shim, 'export const { expect, test } = (globalThis as any).walkthrough;\n');
  Object.assign(globalThis, { walkthrough: { expect, test: (name: string, body: () => void) => collected.push({ name, body }) } });
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: [{ find: /^vitest$/, replacement: shim }] },
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir: join(FOLDER, 'built'),
      rollupOptions: {
        input: { env: join(FOLDER, `${ID}.ts`), test: join(FOLDER, `${ID}.test.ts`) },
        output: { entryFileNames: '[name].mjs' },
      },
    },
    ssr: { noExternal: true },
  });
  const module = (await import(pathToFileURL(join(FOLDER, 'built/env.mjs')).href)) as { readonly windyPier: EnvEntry };
  entry = module.windyPier;
  await import(pathToFileURL(join(FOLDER, 'built/test.mjs')).href);
}, 120_000);

describe('the environment of the walk-through', () => {
  test('is there in full, with its tests', () => {
    expect([...files.keys()]).toEqual([`src/core/envs/${ID}.ts`, `src/core/envs/${ID}.test.ts`]);
    expect(entry.id).toBe(ID);
    expect(collected.length).toBeGreaterThanOrEqual(4);
  });

  test('type-checks with the settings of the core', () => {
    expect(() =>
      execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', join(FOLDER, 'tsconfig.json')], {
        encoding: 'utf8',
        stdio: 'pipe',
      }),
    ).not.toThrow();
  }, 120_000);

  test('passes its own tests', () => {
    for (const { body } of collected) body();
  });

  test('keeps the promises of every environment, in every preset', () => {
    for (const preset of entry.presets) {
      const soak = createSoak(entry, preset.config, 4, 1);
      soak.run(4000);
      expect(soak.roundTrips).toBeGreaterThan(2);
      expect(soak.episodes).toBeGreaterThan(100);
    }
  });

  test('reaches what it says: exact returns against play', () => {
    const [random, optimal] = entry.meta({}).references;
    const rng = Rng.from(3);
    for (const [wanted, act] of [
      [random?.value, () => rng.int(3)],
      [optimal?.value, () => 2],
    ] as const) {
      const vector = createVectorEnv(entry, {}, 64, Rng.from(5));
      const actions = createActions(vector.meta, 64);
      vector.reset();
      const scores: number[] = [];
      while (scores.length < 4000) {
        vector.step(actions.map(act));
        scores.push(...vector.episodes.drain().map(({ score }) => score));
      }
      const mean = scores.reduce((a, b) => a + b, 0) / scores.length;
      expect(Math.abs(mean - (wanted ?? Number.NaN))).toBeLessThan(4 / Math.sqrt(scores.length)); // four standard errors of a +-1 game at most
    }
  });

  test('explains each of its settings', () => {
    for (const field of Object.values(entry.schema.properties ?? {})) expect(field.title && field.description && field.source).toBeTruthy();
    expect(() => entry.parse({ nonsense: 1 })).toThrow(/length, wind, maxSteps/);
  });
});
