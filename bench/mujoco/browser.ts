/** Raw steps in a Chromium worker: page.ts and worker.ts bundled alone, in a fresh browser. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { findBrowser, HOW_TO_GET_ONE, NO_GPU_FLAGS } from '../../tools/browser.mjs';
import { mujocoPlugin } from '../../tools/mujoco-plugin.mjs';
import { serve } from '../../tools/serve.mjs';
import type { Measuring } from './page.ts';
import type { RawRates } from './raw.ts';

const FOLDER = resolve('node_modules/.cache/rl-workbench/bench-mujoco');

/** Gives `work` a measure of one body after the other. */
export async function withRawWorker(work: (measure: (id: string, rounds: number) => Promise<RawRates>) => Promise<void>): Promise<void> {
  const executablePath = await findBrowser();
  if (executablePath === null) throw new Error(HOW_TO_GET_ONE);
  await build({
    configFile: false,
    base: './',
    logLevel: 'error',
    worker: { format: 'es', plugins: () => [mujocoPlugin()] },
    build: {
      outDir: FOLDER,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'esnext',
      rollupOptions: { input: 'bench/mujoco/page.ts', output: { entryFileNames: 'page.js' } },
    },
  });
  writeFileSync(`${FOLDER}/index.html`, '<!doctype html><title>bench</title><script type="module" src="page.js"></script>');
  const { server, url } = await serve({ dir: FOLDER, port: 0 });
  const browser = await chromium.launch({ executablePath, args: [...NO_GPU_FLAGS] });
  try {
    await work(async (id, rounds) => {
      const page = await browser.newPage();
      await page.goto(url);
      await page.waitForFunction(() => (globalThis as Measuring).measure !== undefined);
      const answer = await page.evaluate((asked) => (globalThis as Measuring).measure?.(asked.id, asked.rounds), { id, rounds });
      await page.close();
      if (answer === undefined || 'error' in answer) throw new Error(answer?.error ?? 'the page gave no answer');
      return answer;
    });
  } finally {
    await browser.close();
    server.close();
  }
}
