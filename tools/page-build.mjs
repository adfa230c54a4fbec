/** The page from dist/, built first if a source is newer, compressed and served. `npm start` and `npm run rl -- serve` stand on it. */
import { spawnSync } from 'node:child_process';
import { compress } from './compress.mjs';
import { changedAt, newestChange } from './sources.mjs';

const SOURCES = ['index.html', 'vite.config.ts', 'package-lock.json', 'public', 'src', 'workers'];

/** Ends the process where the build fails: it has said why. */
export async function buildPage() {
  if (changedAt('dist/index.html') <= newestChange(SOURCES)) {
    console.error('building …');
    const { status } = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) process.exit(status ?? 1);
  }
  await compress('dist');
}

/** Serves a built page, dist/ without `dir`; options as serve.mjs has them. */
export async function servePage(options) {
  if (options.dir === undefined) await buildPage();
  const { serve } = await import('./serve.mjs'); // a package that may have just been installed
  return serve({ ...options, dir: options.dir ?? 'dist', compressed: true });
}
