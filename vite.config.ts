import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import type { Catalog } from './src/contract/catalog/catalog.ts';
import type { Json } from './src/contract/kit/json.ts';
import { bundle } from './tools/bundle.mjs';
import { writeDocuments } from './tools/docs.mjs';
import { benchRecords } from './tools/facts/bench.ts';
import { envFacts } from './tools/facts/envs.ts';
import { type FrontFacts, frontFacts } from './tools/facts/front.ts';
import { methodsCode, methodsFacts } from './tools/facts/methods.ts';
import { claimFacts, paperFacts } from './tools/facts/papers.ts';
import { scoreFacts } from './tools/facts/scores.ts';
import { zooFacts } from './tools/facts/zoo.ts';
import { frontFilmsPlugin } from './tools/film/plugin.ts';
import { firstLoad, importsAtOnce } from './tools/first-load.ts';
import { mujocoPlugin } from './tools/mujoco-plugin.mjs';
import { notices } from './tools/notices.mjs';
import { builtChunks, lateFiles, writeOfflineList } from './tools/offline.ts';
import { pack } from './tools/pack.ts';
import { poPlugin } from './tools/po.mjs';
import { sandboxPlugin } from './tools/sandbox-plugin.mjs';

/**
 * The page's policy forbids eval, and zod tries it once to find out; without this line the browser reports a violation.
 * In every chunk, because any of them may be the first to make a schema.
 */
const intro = 'globalThis.__zod_globalConfig ??= { jitless: true };';

/**
 * Writes which modules went into which chunk: chunks.json for the page, workers.json for its workers, which are built one by one.
 * tools/budget.mjs and tools/notices.mjs read them.
 */
function chunkReport(name: string): Plugin {
  const folder = 'node_modules/.cache/rl-workbench';
  const chunks = new Map<string, object>();
  return {
    name: 'chunk-report',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const item of Object.values(bundle)) {
        if (item.type !== 'chunk') continue;
        const { fileName, isEntry, imports, dynamicImports, moduleIds } = item;
        chunks.set(fileName, { fileName, isEntry, imports, dynamicImports, moduleIds });
      }
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}/${name}.json`, JSON.stringify([...chunks.values()]));
    },
  };
}
const workerChunks = chunkReport('workers');

/** The dev server injects inline scripts and styles, which the page's policy forbids: it applies to builds only. */
const policyInBuildsOnly: Plugin = {
  name: 'policy-in-builds-only',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
};

/** Which pictures of environments there are, by the names of their files: the page asks for no file that is not there. */
const PICTURES = 'public/pictures';
/** Worlds for which a trained policy lies beside the page: learning there takes minutes. */
const KEPT = 'public/results/worlds';
const keptPolicies = existsSync(KEPT) ? readdirSync(KEPT).flatMap((name) => (name.endsWith('.policy') ? [name.slice(0, -7)] : [])) : [];
const pictures = existsSync(PICTURES) ? readdirSync(PICTURES).flatMap((name) => (name.endsWith('.webp') ? [name.slice(0, -5)] : [])) : [];

/** Version and, in a git checkout, commit: what a report of a fault must say. */
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const commit = spawnSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() ?? '';
const build = commit === '' ? version : `${version} (${commit})`;

/** A module whose default is what the build reads from the project's files. Browsers read large data faster from a text than from a literal. */
function facts(name: string, read: (building: boolean) => object | Promise<object>): Plugin {
  let building = false;
  return {
    name,
    configResolved: ({ command }) => {
      building = command === 'build';
    },
    resolveId: (id) => (id === `virtual:${name}` ? `\0${id}` : undefined),
    load: async (id) =>
      id === `\0virtual:${name}` ? `export default JSON.parse(${JSON.stringify(JSON.stringify(await read(building)))})` : undefined,
  };
}

/** Everything that can be run, as the core says: the page need not wait for a worker that knows it. */
async function builtCatalog(): Promise<Catalog> {
  const folder = await bundle('cli');
  return ((await import(pathToFileURL(`${folder}/catalog.mjs`).href)) as { catalog: () => Catalog }).catalog();
}

/** Its methods share settings, which are written once. */
const catalog = facts('catalog', async () => pack(JSON.parse(JSON.stringify(await builtCatalog())) as Json));

/** What its methods and worlds are called, for a page that shows one of them before anything is loaded. */
const titles = facts('titles', async () => {
  const { algos, envs } = await builtCatalog();
  const byId = (cards: readonly { readonly id: string; readonly title: string }[]) =>
    Object.fromEntries(cards.map(({ id, title }) => [id, title]));
  return { algos: byId(algos), envs: byId(envs) };
});

/** What the environments' own files say about them, for their pages: headers, golden cases, measured speed. */
const factsOfEnvironments = facts('env-facts', () => envFacts('.'));

/** The tiles of the front page: it waits neither for the catalogue nor for the papers or those files. The development server has no catalogue: its page waits. */
let built: Promise<FrontFacts> | null = null;
const frontOfBuild = (): Promise<FrontFacts> => {
  built ??= builtCatalog().then(({ envs }) => frontFacts('.', envs));
  return built;
};
const factsOfFront = facts('front-facts', (building) => (building ? frontOfBuild() : frontFacts('.', [])));
const frontFilms = frontFilmsPlugin(frontOfBuild, keptPolicies);

/** What the full results of papers came to: the gallery needs no request for each. */
const factsOfPapers = facts('paper-facts', () => paperFacts('.'));

/** What claims of experiments came to, and on which seeds. */
const factsOfClaims = facts('claim-facts', () => claimFacts('.'));

/** Which method reached what in which environment. */
const factsOfScores = facts('score-facts', () => scoreFacts('.'));

/** Policies that lie beside the page, with what their offers reach on fresh seeds. */
const factsOfZoo = facts('zoo-facts', () => zooFacts('.'));

/** What the methods' own files say about them, for their pages, and their code. */
const factsOfMethods = facts('method-facts', () => methodsFacts('.'));
const codeOfMethods = facts('method-code', () => methodsCode('.'));

/** Committed results of the bench page. */
const recordsOfBenches = facts('bench-records', () => benchRecords('.'));

/** What is generated stands beside the page: lists, results, licences. None of it is asked for by the page itself, so none is in offline.json. */
const documents: Plugin = {
  name: 'documents',
  apply: 'build',
  async closeBundle() {
    await writeDocuments('dist/docs');
    writeFileSync('dist/docs/THIRD_PARTY_NOTICES.md', notices() ?? '');
  },
};

/**
 * The longest test files begin first: otherwise one core waits for the last of them. Those that ask for the elements of a page come last: a process
 * begins anew, and reads its modules anew, whenever the next file asks for another environment.
 */
const LONG = [
  'src/core/algos/algos.test.ts',
  'cli/verify/verify.test.ts',
  'cli/cli.test.ts',
  'src/core/envs/registry.test.ts',
  'tools/package.test.ts',
  'cli/own-things.test.ts',
  'tools/document-commands.test.ts',
  'src/core/envs/soak.test.ts',
];
class LongestFirst {
  sort(files: TestSpecification[]): TestSpecification[] {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((file) => moduleId.endsWith(file));
      if (at >= 0) return at;
      return readFileSync(moduleId, 'utf8').includes('@vitest-environment') ? LONG.length + 1 : LONG.length;
    };
    const ranks = new Map(files.map((file) => [file, rank(file)]));
    return files.slice().sort((a, b) => ranks.get(a)! - ranks.get(b)!);
  }
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

/** Folders of tests whose modules hold no state between calls, and the rest. */
const WITHOUT_STATE = '{src/{contract,claims,core,lessons,math,report,scenes},cli,tools}';
const WITH_STATE = 'src/{client,storage,stores,ui}';
/** tfjs registers its backends once for all in a process, and takes its files only before: each file of tests has a process of its own. */
const TFJS = 'src/core/engine/tfjs/**/*.test.ts';

/** Newer versions of Node have a storage of their own, which would stand before that of the tests' page. */
const NO_STORAGE = ['--no-experimental-webstorage'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));

export default defineConfig({
  base: './',
  define: { PICTURES: JSON.stringify(pictures), KEPT_POLICIES: JSON.stringify(keptPolicies), BUILD: JSON.stringify(build) },
  plugins: [
    react(),
    policyInBuildsOnly,
    mujocoPlugin(),
    poPlugin(),
    sandboxPlugin(),
    catalog,
    titles,
    factsOfEnvironments,
    factsOfFront,
    frontFilms,
    factsOfPapers,
    factsOfClaims,
    factsOfScores,
    factsOfZoo,
    factsOfMethods,
    codeOfMethods,
    recordsOfBenches,
    chunkReport('chunks'),
    { name: 'offline-list', apply: 'build', closeBundle: () => writeOfflineList('dist') },
    documents,
    VitePWA({
      registerType: 'prompt',
      injectRegister: false,
      strategies: 'injectManifest',
      srcDir: 'workers',
      filename: 'sw.ts',
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,svg,png,wasm,json,webmanifest}'],
        // Results, pictures, MuJoCo and large parts that few visits need are kept when they are used, or all of them where a person asks for it.
        globIgnores: ['results/**', 'pictures/**', 'offline.json', 'assets/mujoco-????????.{js,wasm}'],
        manifestTransforms: [
          async (entries) => {
            const late = lateFiles(builtChunks());
            return { manifest: entries.filter(({ url }) => !late(url)) };
          },
        ],
        maximumFileSizeToCacheInBytes: 8 * 1024 * 1024,
      },
      manifest: {
        id: './',
        name: 'RL Workbench',
        short_name: 'RL Workbench',
        description: 'A reinforcement-learning laboratory in a browser tab.',
        start_url: './',
        display: 'standalone',
        launch_handler: { client_mode: 'focus-existing' },
        file_handlers: [{ action: './', accept: { 'application/x-rl-workbench': ['.lab'] } }],
        categories: ['education', 'science'],
        background_color: '#f6f7f9',
        theme_color: '#2c57cd',
        icons: [
          { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
    }),
  ],
  // Each worker is built by itself: what it imports before its first question comes in two files in place of thirty.
  worker: {
    format: 'es',
    plugins: () => [mujocoPlugin(), importsAtOnce, workerChunks],
    rolldownOptions: { output: { intro, codeSplitting: { groups: firstLoad('many') } } },
  },
  build: {
    target: 'esnext',
    sourcemap: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { output: { intro, codeSplitting: { groups: firstLoad() } } },
  },
  test: {
    // Loading the rooms below takes longer than most of their tests: their files share one set of modules in each worker process.
    // The rooms of the page hold stores, so each of their files starts with modules of its own.
    projects: [
      { extends: true, test: { name: 'core', include: [`${WITHOUT_STATE}/**/*.test.{ts,tsx}`, `!${TFJS}`], isolate: false } },
      {
        extends: true,
        test: {
          name: 'page',
          isolate: false,
          setupFiles: ['tools/leftovers.ts', 'tools/fresh-modules.ts'],
          include: [`${WITH_STATE}/**/*.test.{ts,tsx}`, 'workers/**/*.test.ts'],
          execArgv: NO_STORAGE,
        },
      },
      { extends: true, test: { name: 'tfjs', include: [TFJS] } },
    ],
    restoreMocks: true,
    setupFiles: ['tools/leftovers.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000, // what a whole file stands on, the catalogue for instance, is built in hooks
    maxWorkers: '100%', // vitest would leave one of two cores idle
    sequence: { sequencer: LongestFirst },
    server: { deps: { inline: [/rl-workbench\/walkthrough/] } }, // code of docs/, checked in the cache, with the project's own modules
  },
});
