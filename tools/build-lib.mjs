/**
 * `npm run build:lib`: the core as a package in dist-lib/, every module on its own, so that a program loads what it imports and no more.
 *   rl-workbench             src/core/index.ts
 *   rl-workbench/explain     src/core/explain.ts
 *   rl-workbench/env-kit, algo-kit, math, data, own-env, testing   what environments and methods of one's own are written and checked with
 *   rl-workbench/tfjs        tfjs's executors, for programs that ask for them
 *   rl-workbench/envs/ID     the environment of this name, rl-workbench/algos/ID the algorithm
 * Declarations by tsc; `#room/...` becomes a relative path in them. The package depends on zod; tfjs (for its executors) and MuJoCo (for its environments) are optional.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeDocuments } from './docs.mjs';

const OUT = 'dist-lib';
const TYPES = 'node_modules/.cache/rl-workbench/lib-types';
const tops = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['api', 'lib', 'extensions'].includes(entry.name))
    .flatMap((family) => readdirSync(join(folder, family.name)).map((file) => posix.join(folder, family.name, file)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

/** Public name -> source file. */
export function doors() {
  const all = {
    '.': 'src/core/index.ts',
    './explain': 'src/core/explain.ts',
    './env-kit': 'src/core/kit/env.ts',
    './algo-kit': 'src/core/kit/algo.ts',
    './own-env': 'src/core/kit/own.ts',
    './math': 'src/core/kit/math.ts',
    './data': 'src/core/kit/data.ts',
    './testing': 'src/core/testing/kit.ts',
    './tfjs': 'src/core/engine/tfjs/package.ts',
  };
  for (const room of ['envs', 'algos']) for (const file of tops(`src/core/${room}`)) all[`./${room}/${basename(file, '.ts')}`] = file;
  return all;
}

/** Path in the package of what is built from a source file. */
const built = (source, ending) => source.replace(/^src\//, './').replace(/\.ts$/, ending);

function manifest(entries) {
  const { version, license, description, homepage, repository, keywords, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const optional = Object.fromEntries(Object.entries(dependencies).filter(([name]) => /^@(tensorflow|mujoco)\//.test(name)));
  return {
    name: 'rl-workbench',
    version,
    license,
    type: 'module',
    description,
    ...(homepage !== undefined && { homepage }),
    ...(repository !== undefined && { repository }),
    keywords,
    engines: { node: '>=20' },
    sideEffects: false,
    types: './core/index.d.ts',
    files: ['**/*.js', '**/*.d.ts', 'docs/**/*.md', 'CITATION.cff'],
    // TypeScript finds the declarations beside each file
    exports: Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, built(source, '.js')])),
    dependencies: { zod: dependencies.zod },
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((name) => [name, { optional: true }])),
  };
}

/** Declarations of everything that the entries' types reach. */
function declare(entries) {
  rmSync(TYPES, { recursive: true, force: true });
  const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--checkers', '1', '-p', 'tsconfig.lib.json'], {
    encoding: 'utf8',
  });
  if (tsc.status !== 0) throw new Error(`tsc: ${tsc.stdout}${tsc.stderr}`);
  const open = Object.values(entries).map((source) => built(source, '').slice(2));
  const reached = new Set(open);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const here = posix.dirname(name);
    const text = readFileSync(join(TYPES, `${name}.d.ts`), 'utf8').replace(
      /(from |import\()['"](#|\.{1,2}\/)([^'"]+)\.ts['"]/g,
      (_, word, root, path) => {
        const target = root === '#' ? path : posix.join(here, root, path);
        if (!reached.has(target)) open.push(target);
        reached.add(target);
        const own = posix.relative(here, target);
        return `${word}'${own.startsWith('.') ? own : `./${own}`}.js'`;
      },
    );
    mkdirSync(join(OUT, here), { recursive: true });
    writeFileSync(join(OUT, `${name}.d.ts`), text);
  }
}

/** The one lazy import of tfjs leads to what rl-workbench/tfjs offers: bundlers follow lazy imports too (src/core/engine/offered.ts). */
const tfjsOnRequest = {
  name: 'tfjs-on-request',
  enforce: 'pre',
  resolveId(id, from) {
    return id === './tfjs/engine.ts' && from?.endsWith('/core/engine/index.ts') ? resolve('src/core/engine/offered.ts') : null;
  },
};

/** The bundler writes the name of its source over each module; the file has that name already. */
const withoutNames = {
  name: 'modules-without-their-names',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/^\/\/ src\/\S+\.ts\n/gm, '');
  },
};

/** A comment at the top level and the name of what it stands before. */
const DESCRIBED = /^\/\*\*(?:[^*]|\*(?!\/))*\*\/\n(?=(?:async )?(?:function\*?|var|let|const|class) (\w+))/gm;

/** What a module exports is described in the declarations beside it, which editors read: once is enough. */
const describedOnce = {
  name: 'descriptions-in-declarations-alone',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = chunk.code.replace(DESCRIBED, (text, name) => (chunk.exports.includes(name) ? '' : text));
  },
};

export async function buildLib() {
  rmSync(OUT, { recursive: true, force: true });
  const entries = doors();
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [tfjsOnRequest, withoutNames, describedOnce],
    build: {
      ssr: true, // plain modules: packages stay imports, nothing is minified
      target: 'es2023',
      outDir: OUT,
      minify: false,
      copyPublicDir: false,
      rollupOptions: {
        input: Object.values(entries),
        external: [/^zod(\/|$)/, /^@tensorflow\//, /^@mujoco\//],
        preserveEntrySignatures: 'strict',
        output: { format: 'esm', preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
      },
    },
  });
  declare(entries);
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest(entries), null, 2)}\n`);
  for (const file of ['LICENSE', 'CITATION.cff']) cpSync(file, join(OUT, file));
  cpSync('docs/api.md', join(OUT, 'README.md'));
  await writeDocuments(join(OUT, 'docs'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), '..'));
  await buildLib();
  console.log(`${OUT}/ is built: npm pack ./${OUT}`);
}
