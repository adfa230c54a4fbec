/** A Chromium with the built page, for the browser halves of benchmarks: own server, fresh profile, closed afterwards. */
import { spawnSync } from 'node:child_process';
import { type Browser, chromium, type Page } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser, HOW_TO_GET_ONE } from '../tools/browser.mjs';
import { serve } from '../tools/serve.mjs';
import { changedAt, newestChange } from '../tools/sources.mjs';

/** The page is built first if a source is newer: a benchmark of an old page would be quoted with a new commit. */
function build(): void {
  if (changedAt('dist/index.html') > newestChange(['index.html', 'vite.config.ts', 'package-lock.json', 'public', 'src', 'workers']))
    return;
  const { status } = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the page could not be built');
}

export interface Visit {
  readonly browser: Browser;
  readonly url: string;
  /** A page in a profile of its own. */
  newPage(): Promise<Page>;
}

export async function withBrowser<T>(work: (visit: Visit) => Promise<T>, flags: readonly string[] = BROWSER_FLAGS): Promise<T> {
  const executablePath = await findBrowser();
  if (executablePath === null) throw new Error(HOW_TO_GET_ONE);
  build();
  const { server, url } = await serve({ port: 0 });
  const browser = await chromium.launch({ executablePath, args: [...flags] });
  try {
    return await work({
      browser,
      url,
      newPage: async () => (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage(),
    });
  } finally {
    await browser.close();
    server.close();
  }
}
