/**
 * `npm start`: installs if needed, builds if a source is newer than dist/, compresses what was built, serves it and opens the page.
 * PORT chooses the port (default 4173, the next free one if it is taken). No browser is opened when CI or NO_OPEN is set.
 */
import { spawn } from 'node:child_process';
import { ensureInstalled } from './install.mjs';
import { servePage } from './page-build.mjs';

async function listen() {
  if (process.env.PORT) return servePage({ port: Number(process.env.PORT) });
  for (let port = 4173; port < 4193; port++) {
    try {
      return await servePage({ port });
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
  }
  return servePage({ port: 0 });
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
try {
  const { url } = await listen();
  console.log(`RL Workbench is at ${url} (Ctrl+C ends it)`);
  open(url);
} catch (error) {
  console.error(error.code === 'EADDRINUSE' ? `Port ${process.env.PORT} is taken: choose another with PORT=…` : String(error.message));
  process.exit(1);
}
