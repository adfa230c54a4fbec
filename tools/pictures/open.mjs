/** Bundles page.ts (every environment, every scene), serves it and opens it in a browser: { page, browser, close }. Throws where there is no browser. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { BROWSER_FLAGS, findBrowser, HOW_TO_GET_ONE } from '../browser.mjs';
import { mujocoPlugin } from '../mujoco-plugin.mjs';
import { serve } from '../serve.mjs';

const WORK = resolve('node_modules/.cache/rl-workbench/pictures');

export async function openPictures(theme = 'light') {
  const executablePath = await findBrowser();
  if (!executablePath) throw new Error(HOW_TO_GET_ONE);
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [mujocoPlugin()],
    build: {
      outDir: WORK,
      emptyOutDir: true,
      minify: false,
      copyPublicDir: false,
      target: 'es2022',
      rollupOptions: { input: 'tools/pictures/page.ts', output: { entryFileNames: 'page.js', assetFileNames: 'page[extname]' } },
    },
  });
  writeFileSync(
    `${WORK}/index.html`,
    `<!doctype html><html data-theme="${theme}"><link rel="stylesheet" href="page.css"><script type="module" src="page.js"></script></html>`,
  );
  const { server, url } = await serve({ dir: WORK, port: 0 });
  const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS });
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(url);
  await page.waitForFunction(() => globalThis.pictures !== undefined);
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { page, browser, close };
}
