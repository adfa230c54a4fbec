/**
 * `npm start`: installs if needed, builds if a source is newer than dist/, compresses what was built, serves it and opens the page.
 * PORT chooses the port (default 4173, the next free one if it is taken). No browser is opened when CI or NO_OPEN is set.
 */
import { spawn, spawnSync } from 'node:child_process';
import { compress } from './compress.mjs';
import { ensureInstalled } from './install.mjs';
import { changedAt, newestChange } from './sources.mjs';

const SOURCES = ['index.html', 'vite.config.ts', 'package-lock.json', 'public', 'src', 'workers'];

function build() {
  if (changedAt('dist/index.html') > newestChange(SOURCES)) return;
  console.log('building …');
  const { status } = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function listen() {
  const { serve } = await import('./serve.mjs'); // a package that may have just been installed
  if (process.env.PORT) return serve({ port: Number(process.env.PORT), compressed: true });
  for (let port = 4173; port < 4193; port++) {
    try {
      return await serve({ port, compressed: true });
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
  }
  return serve({ port: 0, compressed: true });
}

function open(url) {
  if (process.env.CI || process.env.NO_OPEN) return;
  const [command, ...args] =
    process.platform === 'darwin' ? ['open', url] : process.platform === 'win32' ? ['cmd', '/c', 'start', '', url] : ['xdg-open', url];
  // No desktop, no harm: the address is printed.
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

ensureInstalled();
build();
await compress('dist');
try {
  const { url } = await listen();
  console.log(`RL Workbench is at ${url} (Ctrl+C ends it)`);
  open(url);
} catch (error) {
  console.error(error.code === 'EADDRINUSE' ? `Port ${process.env.PORT} is taken: choose another with PORT=…` : String(error.message));
  process.exit(1);
}
