/**
 * The package as it is packed, built once for all of this: its contents and size, what an import and a bundle load, docs/api.md, the walkthroughs
 * of docs/ and the examples against it, type-checked and run.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extensionPoints } from '#cli/own/extension-points.ts';
import { algoFamilies } from '#core/algos/index.ts';
import { codeOf } from './page-code.mjs';

const home = mkdtempSync(join(tmpdir(), 'rl-package-'));
const inside = join(home, 'node_modules', 'rl-workbench');
const blocks = [...readFileSync('docs/api.md', 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '');
let packed: {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
};

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
  execFileSync('tar', ['xzf', packed.filename], { cwd: home });
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
  const documents = packed.files.filter(({ path }) => path.startsWith('docs/')).reduce((sum, { size }) => sum + size, 0);
  expect(documents).toBeLessThan(700_000); // bytes: lists and results that the build writes
  expect(packed.unpackedSize - documents).toBeLessThan(5_880_000); // some 5 kB a method, world or extension, 265 of them
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => /\.test\.|\.json$/.test(path) && path !== 'package.json')).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'CITATION.cff',
      'core/index.js',
      'core/index.d.ts',
      'docs/algorithms.md',
      'docs/results/papers.md',
    ]),
  );
});

it('every door leads to a file with declarations', () => {
  const { exports } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'));
  expect(Object.keys(exports).length).toBeGreaterThan(130);
  for (const code of Object.values(exports as Record<string, string>))
    for (const path of [code, code.replace(/\.js$/, '.d.ts')]) expect(existsSync(join(inside, path)), path).toBe(true);
  const methods = Object.keys(exports).flatMap((name) => /^\.\/algos\/(.+)$/.exec(name)?.[1] ?? []);
  expect(methods.sort()).toEqual(algoFamilies.flatMap(({ algos }) => Object.keys(algos)).sort());
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
    .filter((file) => /^core\/(envs|algos)\/(?!api|lib|extensions)[\w-]+\/[\w-]+\.js$/.test(file));
  expect(tops.sort()).toEqual(['core/algos/on-policy/ppo.js', 'core/envs/classic/cartpole.js']);
});

/** What stands for an import of the repository in a program outside of it. */
const KITS: readonly (readonly [page: string, door: string])[] = [
  ['adding-an-environment', 'env-kit'],
  ['adding-an-algorithm', 'algo-kit'],
];

function walkthroughs(): void {
  for (const [page, door] of KITS) {
    for (const [path, code] of codeOf(readFileSync(`docs/${page}.md`, 'utf8'))) {
      if (path.endsWith('.test.ts')) continue;
      const outside = code
        .replaceAll(/from '#math\/[^']+'/g, "from 'rl-workbench/math'")
        .replace("import * as fields from '../api/fields.ts'", `import { fields } from 'rl-workbench/${door}'`)
        .replaceAll(/from '(#(core|contract)|\.\.\/(api|lib))\/[^']+'/g, `from 'rl-workbench/${door}'`);
      writeFileSync(join(home, basename(path)), outside);
    }
  }
  writeFileSync(
    join(home, 'check-walkthroughs.ts'),
    `import { train } from 'rl-workbench';
import { checkAlgo, checkEnv } from 'rl-workbench/testing';
import { cartpole } from 'rl-workbench/envs/cartpole';
import { policyGradient } from './policy-gradient.js';
import { windyPier } from './windy-pier.js';
const env = await checkEnv(windyPier);
const algo = await checkAlgo(policyGradient, { env: cartpole, steps: 4096, config: { envs: 8 } });
console.log(JSON.stringify([...env, ...algo].map(({ id, verdict }) => [id, verdict])));
for await (const { result } of train({ env: windyPier, algo: policyGradient, steps: 20_000 })) if (result !== null) console.log(result.evalReturn);
`,
  );
}

it('the code of docs/api.md and of the walkthroughs is type-checked against it', () => {
  blocks.forEach((code, i) => {
    writeFileSync(join(home, `block-${i}.ts`), code);
  });
  walkthroughs();
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.base.json', 'utf8'));
  const { noUnusedLocals: _, jsx: __, allowImportingTsExtensions: ___, ...rest } = compilerOptions;
  const options = {
    ...rest,
    noEmit: false,
    emitDeclarationOnly: false,
    composite: false,
    incremental: false,
    declaration: false,
    outDir: 'out',
  };
  writeFileSync(
    join(home, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, skipLibCheck: false, lib: ['ES2023', 'DOM'], types: ['node'] }, include: ['*.ts'] }),
  );
  const { status, stdout } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '--checkers', '1', '-p', home], {
    encoding: 'utf8',
  });
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

it('the other blocks run @night', () => {
  for (const code of blocks.slice(1)) {
    const plain = code
      .replace(/, type \w+/g, '')
      .replace(/\((\w+)\?: \w+\)/g, '($1)')
      .replaceAll(']!', ']');
    writeFileSync(join(home, 'block.js'), plain);
    expect(node(['block.js'], home)).not.toBe('');
  }
}, 120_000);

it('what the walkthroughs build holds what the kit checks, and learns', () => {
  const [findings = '[]', score = ''] = node([join('out', 'check-walkthroughs.js')], home)
    .trim()
    .split('\n');
  const verdicts: readonly (readonly [id: string, verdict: string])[] = JSON.parse(findings);
  expect(verdicts.length).toBeGreaterThan(15);
  expect(verdicts.filter(([, verdict]) => verdict === 'fault')).toEqual([]);
  expect(Number(score)).toBeGreaterThan(0.9);
}, 120_000);

it('checkEnv and checkAlgo name what does not hold', () => {
  writeFileSync(
    join(home, 'faults.js'),
    `import { checkAlgo, checkEnv } from 'rl-workbench/testing';
import { defineEnv } from 'rl-workbench/own-env';
import { makeEnv } from 'rl-workbench';
import { ppo } from 'rl-workbench/algos/ppo';
import { cartpole } from 'rl-workbench/envs/cartpole';
const ask = async (check) => { try { await check; console.log('holds'); } catch (error) { console.log(error.failure.field, error.message); } };
const form = { id: 'line', title: 'Line', observation: { labels: ['x'], low: 0, high: 1 }, actions: ['a', 'b'], reset: () => ({ x: 0 }) };
let outside = 0;
await ask(checkEnv(defineEnv({ ...form, step: (s, a) => { s.x += a; return { reward: a, ended: s.x > 9 }; }, observe: (s) => [s.x] })));
await ask(checkEnv(defineEnv({ ...form, step: (s, a) => { outside++; s.x = (outside % 7) / 10; return { reward: 1, ended: outside % 5 === 0 }; }, observe: (s) => [s.x] })));
await ask(checkEnv({ ...cartpole, meta: (config) => ({ ...cartpole.meta(config), obsSize: 3 }) }));
const forgetful = { ...ppo, probes: [], async *train(run, resume) { for await (const p of ppo.train(run)) yield p; } };
await ask(checkAlgo(forgetful, { env: cartpole, steps: 8192, config: { envs: 8 } }));
`,
  );
  const [range, leak, size, resume] = node(['faults.js'], home).trim().split('\n');
  expect(range).toMatch(/^spaces .*outside 0 to 1/);
  expect(leak).toMatch(/same seed and actions differ/);
  expect(size).toMatch(/^meta .*obsSize is 3, its spaces say 4/);
  expect(resume).toMatch(/^resume .*saved half-way and resumed differ/);
}, 120_000);

const SCRIPTS = readdirSync('examples').filter((file) => file.endsWith('.js'));
const SAYS: Readonly<Record<string, RegExp>> = {
  'explain.js': /Shapley value of each agent/,
  'offline.js': /episodes, \d+ steps\ngreedy return/,
  'own-environment.js': /holds: .*\ngreedy return 1/,
  'own-method.js': /holds a resumed run goes on bit for bit[\s\S]*greedy return \d{3}/,
  'self-play.js': /against expert: mean result/,
  'sweep.js': /'ppo'.*0\.003/,
  'tokens.js': /it writes: .* end/,
  'train.js': /parameters [0-9a-f]{16}\n20 episodes: mean return \d{3}/,
  'worker.js': /[0-9a-f]{16}/,
};

it('there are ten examples, each of them short', () => {
  expect(SCRIPTS).toEqual(Object.keys(SAYS));
  expect(readdirSync('examples').length).toBeGreaterThanOrEqual(10);
  // a notebook is JSON, with its cells' lines as strings
  for (const file of readdirSync('examples').filter((name) => name !== 'own-method.js' && !name.endsWith('.ipynb')))
    expect(readFileSync(join('examples', file), 'utf8').split('\n').length, file).toBeLessThanOrEqual(41);
});

/** The others run at night. */
const BY_DAY = ['own-environment.js', 'worker.js'];
it.each(SCRIPTS.map((file) => ({ file, title: `${file}${BY_DAY.includes(file) ? '' : ' @night'}` })))(
  'example $title runs',
  ({ file }) => {
    cpSync(join('examples', file), join(home, file));
    expect(node([file], home)).toMatch(SAYS[file] ?? /^never$/);
  },
  120_000,
);

it.each(extensionPoints.map(({ id }, i) => ({ id, title: i === 0 ? id : `@night ${id}` })))(
  'the extension $title of the documents changes PPO where it is installed',
  ({ id }) => {
    writeFileSync(join(home, `${id}.js`), extensionPoints.find((point) => point.id === id)?.code ?? '');
    writeFileSync(
      join(home, `${id}-trains.js`),
      [
        `import mine from './${id}.js';`,
        "import { train } from 'rl-workbench';",
        "import { ppo } from 'rl-workbench/algos/ppo';",
        "import { cartpole } from 'rl-workbench/envs/cartpole';",
        'for (const algo of [ppo, mine]) {',
        '  let hash = null;',
        '  for await (const { result } of train({ env: cartpole, algo, steps: 2000, evalEpisodes: 2 })) hash = result?.parameterHash ?? hash;',
        '  console.log(hash);',
        '}',
      ].join('\n'),
    );
    const [plain, changed] = node([`${id}-trains.js`], home)
      .trim()
      .split('\n');
    expect(changed).toMatch(/^[0-9a-f]{16}$/);
    expect(changed).not.toBe(plain);
  },
  120_000,
);

it('the plain page maps every name it imports to a file of the package', () => {
  const page = readFileSync('examples/plain-page.html', 'utf8');
  const { imports } = JSON.parse(/<script type="importmap">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '{}') as {
    readonly imports: Readonly<Record<string, string>>;
  };
  for (const [, name = ''] of page.matchAll(/from '([^']+)'/g)) expect(imports[name], name).toBeDefined();
  for (const path of Object.values(imports)) expect(existsSync(join(home, path)), path).toBe(true);
});

it('a bundle of one environment and one method needs no tfjs, is under 376 kB, and trains alike in one file and in several', async () => {
  writeFileSync(join(home, 'entry.js'), blocks[0]?.replace('steps: 2e5', 'steps: 8192') ?? '');
  const unbundled = node(['entry.js'], home);
  for (const codeSplitting of [true, false]) {
    const outDir = join(home, codeSplitting ? 'bundle' : 'one-file');
    const made = await build({
      root: home,
      configFile: false,
      logLevel: 'error',
      build: {
        outDir,
        target: 'es2023',
        minify: true,
        modulePreload: false,
        rollupOptions: {
          input: join(home, 'entry.js'),
          output: { format: 'es', entryFileNames: 'entry.js', codeSplitting },
        },
      },
    });
    const [{ output }] = [made].flat() as unknown as readonly [
      {
        readonly output: readonly {
          readonly fileName: string;
          readonly code?: string;
          readonly isEntry?: boolean;
          readonly imports?: readonly string[];
        }[];
      },
    ];
    const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
    const first = new Set(output.filter(({ isEntry }) => isEntry === true).map(({ fileName }) => fileName));
    for (const name of first) for (const other of chunks.get(name)?.imports ?? []) first.add(other);
    const bytes = [...first].reduce((sum, name) => sum + (chunks.get(name)?.code?.length ?? 0), 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(codeSplitting ? 376_000 : 535_000);
    expect(node([join(outDir, 'entry.js')], home)).toBe(unbundled);
  }
}, 120_000);
