/**
 * Pictures of the built page, for the README and for looking at it: at rest, training, explaining, failed, offline; desktop and phone; both themes.
 *   node tools/screenshots.mjs [--dir dist] [--out docs/images] [NAME ...]
 * `training` is a moving picture: a run from its first step to its last, beside stills of single moments.
 * Everything shown comes from a fixed seed; only the moment at which a run is caught may differ a little.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser, HOW_TO_GET_ONE } from './browser.mjs';
import { movingWebp } from './moving.mjs';
import { serve } from './serve.mjs';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const CARTPOLE = '#env=cartpole&algo=ppo&steps=800000&seeds=5';
const DOORKEY =
  '#env=minigrid-doorkey&algo=ppo&env.width=5&env.height=5&algo.envs=8&algo.minibatches=8&algo.lr=0.0005&steps=120000&seeds=1';

const press = (page, name) => page.getByRole('group', { name: 'Training' }).getByRole('button', { name, exact: true }).click();
const share = (page, part) =>
  page.waitForFunction(
    (wanted) => {
      const run = window.__lab?.activeRun;
      if (!run) return false;
      const done = run.seeds.reduce((sum, seed) => sum + seed.step, 0);
      return done >= wanted * run.config.run.steps * run.seeds.length;
    },
    part,
    { timeout: 300_000 },
  );

async function trained(page) {
  await press(page, 'Train');
  const ended = () => window.__lab?.activeRun?.seeds.every((seed) => /done|failed/.test(seed.state));
  await page.waitForFunction(ended, undefined, { timeout: 300_000 });
}

/** A moving picture: so many pictures over the whole run, as wide in the file, each shown for `ms`. */
const FILM = { pictures: 24, width: 900, height: 562, ms: 220, lastMs: 2000, quality: 0.6 };

const SHOTS = {
  training: { hash: '#env=cartpole&algo=ppo&steps=200000&seeds=3', scheme: 'dark', film: FILM },
  'rest-dark': { hash: '', scheme: 'dark' },
  'rest-light': { hash: '', scheme: 'light' },
  'training-dark': {
    hash: CARTPOLE,
    scheme: 'dark',
    async act(page) {
      await press(page, 'Train');
      await share(page, 0.55);
    },
  },
  'training-light': {
    hash: CARTPOLE,
    scheme: 'light',
    async act(page) {
      await press(page, 'Train');
      await share(page, 0.55);
    },
  },
  'explain-dark': {
    hash: DOORKEY,
    scheme: 'dark',
    async act(page) {
      await trained(page);
      for (const name of [/value/i, /polic/i]) {
        const layer = page.getByRole('group', { name: 'Layers over the map' }).getByRole('button', { name }).first();
        if ((await layer.count()) > 0 && (await layer.getAttribute('aria-pressed')) === 'false') await layer.click();
      }
    },
  },
  'done-light': { hash: CARTPOLE.replace('800000', '100000'), scheme: 'light', act: trained },
  'failed-dark': {
    hash: '#env=cartpole&algo=ppo&steps=200000&seeds=1&algo.lr=1&algo.maxGradNorm=1000000&algo.annealLr=false&algo.clipValue=false',
    scheme: 'dark',
    act: trained,
  },
  'link-refused-dark': { hash: '#1.cut', scheme: 'dark' },
  'offline-dark': {
    hash: CARTPOLE,
    scheme: 'dark',
    async act(page) {
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await page.reload();
      await page.context().setOffline(true);
      await page.reload();
      await page.waitForFunction(() => window.__lab !== undefined);
      await press(page, 'Train');
      await share(page, 0.3);
    },
  },
  'phone-light': {
    hash: CARTPOLE,
    scheme: 'light',
    size: PHONE,
    async act(page) {
      await press(page, 'Train');
      await share(page, 0.4);
      await page.getByRole('tab', { name: 'Curves' }).click();
    },
  },
  'phone-dark': { hash: '', scheme: 'dark', size: PHONE },
};

/** Pictures of the page while it trains, as still WebP files: the canvas of an empty page makes them smaller and encodes them. */
async function pictures(page, pen, { pictures: count, width, height, quality }) {
  const found = [];
  await press(page, 'Train');
  for (let i = 0; i < count; i++) {
    await share(page, (i + 0.2) / (count - 0.8));
    const png = (await page.screenshot()).toString('base64');
    const url = await pen.evaluate(
      async ([data, w, h, q]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
        const context = canvas.getContext('2d', { alpha: false });
        context.imageSmoothingQuality = 'high';
        context.drawImage(image, 0, 0, w, h);
        return canvas.toDataURL('image/webp', q);
      },
      [png, width, height, quality],
    );
    found.push(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
  }
  return found;
}

const option = (name, fallback) => {
  const at = process.argv.indexOf(name);
  return at > 0 ? process.argv[at + 1] : fallback;
};
const out = option('--out', 'docs/images');
const names = process.argv.slice(2).filter((word, i, all) => !word.startsWith('--') && !all[i - 1]?.startsWith('--'));
const unknown = names.filter((name) => !(name in SHOTS));
if (unknown.length > 0) {
  console.error(`There is no picture "${unknown[0]}". Use any of: ${Object.keys(SHOTS).join(', ')}.`);
  process.exit(2);
}

const executablePath = await findBrowser();
if (!executablePath) {
  console.error(HOW_TO_GET_ONE);
  process.exit(1);
}
const { server, url } = await serve({ dir: option('--dir', 'dist'), port: 0 });
const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS });
mkdirSync(out, { recursive: true });
try {
  for (const name of names.length > 0 ? names : Object.keys(SHOTS)) {
    const { hash, scheme, size = DESKTOP, act, film } = SHOTS[name];
    const context = await browser.newContext({ viewport: size, colorScheme: scheme, deviceScaleFactor: 1 });
    const page = await context.newPage();
    await page.goto(`${url}${hash}`);
    await page.waitForFunction(() => window.__lab !== undefined && window.__lab.configHash !== undefined);
    if (film !== undefined) {
      const file = movingWebp(await pictures(page, await context.newPage(), film), film);
      writeFileSync(`${out}/${name}.webp`, file);
      console.log(`${out}/${name}.webp: ${Math.round(file.length / 1000)} kB`);
      await context.close();
      continue;
    }
    await act?.(page);
    await page.waitForTimeout(1500); // the scene and the curves draw what has arrived
    await page.screenshot({ path: `${out}/${name}.png` });
    console.log(`${out}/${name}.png`);
    await context.close();
  }
} finally {
  await browser.close();
  server.close();
}
