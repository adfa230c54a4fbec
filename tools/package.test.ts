/** The package as it is packed: its contents and size, what an import loads, and docs/api.md against it, type-checked and run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'rl-package-'));
const inside = join(home, 'node_modules', 'rl-workbench');
const blocks = [...readFileSync('docs/api.md', 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '');
let packed: { readonly unpackedSize: number; readonly files: readonly { readonly path: string }[] };

const node = (args: readonly string[], cwd: string): string =>
  execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe' });

beforeAll(() => {
  node(['tools/build-lib.mjs'], '.');
  const answer = execFileSync('npm', ['pack', resolve('dist-lib'), '--json', '--offline', '--loglevel=error'], {
    cwd: home,
    encoding: 'utf8',
  });
  packed = JSON.parse(answer)[0];
  mkdirSync(join(home, 'node_modules'));
  execFileSync('tar', ['xzf', 'rl-workbench-0.1.0.tgz'], { cwd: home });
  cpSync(join(home, 'package'), inside, { recursive: true });
  symlinkSync(resolve('node_modules/zod'), join(home, 'node_modules', 'zod'));
  symlinkSync(resolve('node_modules/@types'), join(home, 'node_modules', '@types'));
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module' }));
}, 300_000);

afterAll(() => rmSync(home, { recursive: true, force: true }));

it('is small and asks for zod alone', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies)).toEqual(['zod']);
  for (const peer of Object.keys(peerDependencies)) expect(peerDependenciesMeta[peer]).toEqual({ optional: true });
  expect(packed.unpackedSize).toBeLessThan(5_000_000);
  expect(packed.files.map(({ path }) => path).filter((path) => /\.test\.|testing\/|\.json$/.test(path) && path !== 'package.json')).toEqual(
    [],
  );
});

it('every door leads to a file with declarations', () => {
  const { exports } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
  expect(Object.keys(exports).length).toBeGreaterThan(130);
  for (const { types, default: code } of Object.values(exports as Record<string, { types: string; default: string }>))
    for (const path of [types, code]) expect(existsSync(join(inside, path)), path).toBe(true);
});

/** Every module that this one imports, itself included; lazy imports left out. */
function loaded(file: string, all = new Set<string>()): Set<string> {
  if (all.has(file)) return all;
  all.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;]*?"(\.{1,2}\/[^"]+)";$/gm))
    loaded(join(dirname(file), path as string), all);
  return all;
}

it('one environment and one algorithm load no other', () => {
  const files = ['core/index.js', 'core/envs/classic/cartpole.js', 'core/algos/on-policy/ppo.js'].flatMap((file) => [
    ...loaded(join(inside, file)),
  ]);
  const tops = [...new Set(files)]
    .map((file) => file.slice(inside.length + 1))
    .filter((file) => /^core\/(envs|algos)\/(?!api|lib)[\w-]+\/[\w-]+\.js$/.test(file));
  expect(tops.sort()).toEqual(['core/algos/on-policy/ppo.js', 'core/envs/classic/cartpole.js']);
});

it('the code of docs/api.md is type-checked against it', () => {
  blocks.forEach((code, i) => {
    writeFileSync(join(home, `block-${i}.ts`), code);
  });
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.base.json', 'utf8'));
  const { noUnusedLocals: _, jsx: __, ...options } = compilerOptions;
  writeFileSync(
    join(home, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, skipLibCheck: false, lib: ['ES2023', 'DOM'], types: ['node'] }, include: ['*.ts'] }),
  );
  const { status, stdout } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', home], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
}, 120_000);

it('the quick start trains, and says what a run of the command line says', () => {
  expect(blocks[0]).toContain('for await (const p of train({ env: cartpole, algo: ppo, steps: 2e5, seed: 1 }))');
  expect((blocks[0] as string).trim().split('\n').length).toBeLessThanOrEqual(11);
  writeFileSync(join(home, 'quick-start.js'), blocks[0] as string);
  const [line = '', score = ''] = node(['quick-start.js'], home).trim().split('\n');
  const [evalReturn, hash] = line.split(' ');
  expect(Number(evalReturn)).toBeGreaterThan(300);
  expect(hash).toMatch(/^[0-9a-f]{16}$/);
  expect(Number(score)).toBeGreaterThan(300);
}, 120_000);

it('the other blocks run', () => {
  for (const code of blocks.slice(1)) {
    const plain = code
      .replace(/, type \w+/g, '')
      .replace(/\((\w+)\?: \w+\)/g, '($1)')
      .replaceAll(']!', ']');
    writeFileSync(join(home, 'block.js'), plain);
    expect(node(['block.js'], home)).not.toBe('');
  }
}, 120_000);
