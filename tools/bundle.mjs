/**
 * Bundles the command line (cli/), the benchmarks (bench/), the fuzzers (tools/fuzz/), the trainer of the stories' model (tools/stories/) or the front page's clips (tools/film/) for Node into node_modules/.cache/rl-workbench/<name>-<project>/<time>/ and answers the folder.
 * Rebuilt when a source is newer; a lock keeps parallel commands from building at once; nothing is written to stdout.
 * Old builds stay for an hour, because commands that started from them may still load a lazy chunk.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { poPlugin } from './po.mjs';
import { newestChange } from './sources.mjs';

const CACHE = 'node_modules/.cache/rl-workbench';
const SHARED = [
  'src/contract',
  'src/math',
  'src/report',
  'src/core',
  'src/claims',
  'src/worlds',
  'cli',
  'package.json',
  'tools/bundle.mjs',
  'tools/facts',
  'tools/rows.mjs',
];
const TARGETS = {
  cli: {
    sources: SHARED,
    entries: () => ({
      main: 'cli/main.ts',
      seed: 'cli/train/seed-worker.ts',
      thread: 'cli/train/kernel-thread.ts',
      gym: 'cli/gym/link-thread.ts',
      // what own modules import: cli/own/module.ts
      'kit-algo': 'src/core/kit/algo.ts',
      'kit-math': 'src/core/kit/math.ts',
      'kit-zod': 'zod',
      'kit-ppo': 'src/core/algos/on-policy/ppo.ts',
      'kit-dqn': 'src/core/algos/value/dqn.ts',
      'kit-sac': 'src/core/algos/off-policy/sac.ts',
      catalog: 'tools/facts/catalog.ts',
      documents: 'cli/pages/documents.ts',
    }),
  },
  bench: {
    sources: [...SHARED, 'bench'],
    entries: () =>
      Object.fromEntries([
        ...readdirSync('bench')
          .filter((file) => file.endsWith('.bench.ts'))
          .map((file) => [file.replace('.bench.ts', ''), `bench/${file}`]),
        ['thread', 'cli/train/kernel-thread.ts'],
      ]),
  },
  fuzz: {
    sources: [...SHARED, 'src/storage', 'src/client', 'src/stores', 'tools/fuzz'],
    entries: () => ({ main: 'tools/fuzz/main.ts' }),
  },
  texts: {
    sources: [...SHARED, 'src', 'tools/texts', 'tools/po.mjs'],
    entries: () => ({ main: 'tools/texts/main.ts' }),
  },
  stories: {
    sources: [...SHARED, 'tools/stories'],
    entries: () => ({ train: 'tools/stories/train.ts', measure: 'tools/stories/measure.ts' }),
  },
  film: {
    sources: [...SHARED, 'src/storage', 'src/client', 'src/stores', 'workers', 'tools/film'],
    entries: () => ({ main: 'tools/film/main.ts' }),
  },
};

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Runs `work` while holding a lock folder. A lock whose owner is gone is taken over. */
async function locked(path, work) {
  const owner = join(path, 'pid');
  for (;;) {
    try {
      mkdirSync(path);
      writeFileSync(owner, String(process.pid));
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (abandoned(path, owner)) rmSync(path, { recursive: true, force: true });
      else await sleep(100);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

function abandoned(path, owner) {
  try {
    process.kill(Number(readFileSync(owner, 'utf8')), 0);
    return false;
  } catch (error) {
    if (error.code === 'EPERM') return false;
    if (error.code === 'ESRCH') return true;
    // No owner written yet: give it a moment.
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    return age > 5000;
  }
}

function current(home, sources) {
  try {
    const { folder, builtAt } = JSON.parse(readFileSync(join(home, 'current.json'), 'utf8'));
    return builtAt > newestChange(sources) && existsSync(join(home, folder)) ? join(home, folder) : null;
  } catch {
    return null;
  }
}

async function build(home, entries) {
  const builtAt = Date.now();
  const folder = String(builtAt);
  const { build: vite } = await import('vite');
  await vite({
    configFile: false,
    logLevel: 'error',
    plugins: [poPlugin()],
    build: {
      ssr: true,
      target: 'node20',
      outDir: join(home, folder),
      emptyOutDir: false,
      minify: false,
      copyPublicDir: false,
      rollupOptions: {
        input: entries,
        output: { format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
        onwarn: () => {},
      },
    },
    ssr: { noExternal: true, external: ['@playwright/test', 'vite', 'bullmq', 'ioredis', '@mujoco/mujoco'] },
  });
  writeFileSync(join(home, 'next.json'), JSON.stringify({ folder, builtAt }));
  renameSync(join(home, 'next.json'), join(home, 'current.json'));
  for (const old of readdirSync(home)) {
    if (/^\d+$/.test(old) && Number(old) < builtAt - 3_600_000) rmSync(join(home, old), { recursive: true, force: true });
  }
  return join(home, folder);
}

/** Where the builds of a project stand. Checkouts may share node_modules by a link: each has a folder of its own. */
export function bundleHome(name, project) {
  return join(project, CACHE, `${name}-${createHash('sha256').update(project).digest('hex').slice(0, 12)}`);
}

/** Folder of an up-to-date bundle of 'cli', 'bench', 'fuzz', 'stories' or 'film'. */
export async function bundle(name) {
  const { sources, entries } = TARGETS[name];
  const home = bundleHome(name, resolve('.'));
  mkdirSync(home, { recursive: true });
  const ready = current(home, sources);
  if (ready) return ready;
  return locked(join(home, 'lock'), async () => current(home, sources) ?? build(home, entries()));
}
