/** End-to-end tests on the built page (run `npm run build` first; `npm test` does), in a real Chromium. */
import { createHash } from 'node:crypto';
import { defineConfig } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser, HOW_TO_GET_ONE, NO_GPU_FLAGS } from './tools/browser.mjs';

const executablePath = await findBrowser();
if (!executablePath) throw new Error(HOW_TO_GET_ONE);
// A port of this checkout's own, and never another server's page: two checkouts on one machine must not test each other's build.
// Browsers open every port from 7000 to 9999; of those below some are reserved for other services.
const port = Number(process.env.E2E_PORT ?? 7000 + (createHash('sha256').update(process.cwd()).digest().readUInt16LE() % 3000));

/**
 * Tests that look at a drawn picture or compute on the graphics card, which the processor plays here. All others run as on a machine that
 * has none, where the page draws flat: that card would take a third of their time, and a core from the test beside them.
 */
const GRAPHICS = /(first-visit|forks|mujoco|papers|pictures|scenes|stage|trouble|webgpu)\.spec\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  workers: 2,
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  expect: { timeout: 30_000 },
  outputDir: 'test-results',
  use: {
    // Below a sub-path, as on a static host: nothing may assume that it stands at the root.
    baseURL: `http://127.0.0.1:${port}/lab/`,
    viewport: { width: 1440, height: 900 },
    // A worker that keeps 8 MB for offline use in every fresh profile takes a quarter of the processor of an opened page; tests of it allow it.
    serviceWorkers: 'block',
    // A scene drawn in software at full rate would take the cores from the trainers; tests about motion switch it on.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'on-first-retry', // recording every test would take a good part of its time
  },
  projects: [
    { name: 'graphics', testMatch: GRAPHICS, workers: 1, use: { launchOptions: { executablePath, args: BROWSER_FLAGS } } },
    { name: 'flat', testIgnore: GRAPHICS, use: { launchOptions: { executablePath, args: NO_GPU_FLAGS } } },
  ],
  webServer: {
    command: `node tools/serve.mjs --dir ${process.env.E2E_DIST ?? 'dist'} --port ${port} --base /lab/`,
    url: `http://127.0.0.1:${port}/lab/`,
    reuseExistingServer: false,
  },
});
