/**
 * What a second thread is worth to one seed in the page: whole runs in two profiles of one Chromium, with the service worker, which isolates the page
 * from its second load on, and without it. They take turns; both learn the same parameters.
 */
import type { BrowserContext, Page } from '@playwright/test';
import type { Json } from '#contract/kit/json.ts';
import { median } from '#math/stats.ts';
import { withBrowser } from './browser.ts';

const CASES: Readonly<Record<string, string>> = {
  'SAC 256-256, batch 256':
    'env=pendulum&algo=sac&steps=1500&algo.hidden=[256,256]&algo.criticHidden=[256,256]&algo.batchSize=256&algo.learningStarts=100',
  'transformer 96 x 3, groups of 16': 'env=t-reason&algo=group-rl&steps=80000&algo.width=96&algo.layers=3&algo.heads=6',
};
const TARGET = 1.4;
/** ms: of one run on a busy machine. */
const LONGEST = 600_000;

interface Ran {
  readonly speed: number;
  readonly hash: string;
  readonly threads: number;
}

interface Lab {
  readonly activeRun: { readonly seeds: readonly SeedNow[] } | null;
}
interface SeedNow {
  readonly seed: number;
  readonly state: string;
  readonly usage?: { readonly threads?: number } | null;
  readonly result: { readonly stepsPerSecond: number; readonly parameterHash: string } | null;
}

/** `seed`: one that this profile has not run, since runs of before are there again after a load. */
async function train(page: Page, url: string, link: string, seed: number): Promise<Ran> {
  await page.goto('about:blank');
  await page.goto(`${url}#${link}&seeds=1&run.seedStart=${seed}&run.evalEpisodes=1`);
  await page.getByRole('group', { name: 'Training' }).getByRole('button', { name: 'Train', exact: true }).click({ timeout: 60_000 });
  // another page lies over the scene: where no graphics card draws it, drawing takes the core that the second thread would have
  await page.evaluate(() => {
    location.hash = '#/runs';
  });
  const over = (asked: number): boolean => {
    const { activeRun } = (window as unknown as { __lab: Lab }).__lab;
    return activeRun?.seeds.every((one) => one.seed === asked && one.state === 'done' && one.result !== null) ?? false;
  };
  await page.waitForFunction(over, seed, { timeout: LONGEST, polling: 500 });
  return page.evaluate(() => {
    const [seed] = (window as unknown as { __lab: Lab }).__lab.activeRun?.seeds ?? [];
    return { speed: seed?.result?.stepsPerSecond ?? 0, hash: seed?.result?.parameterHash ?? '', threads: seed?.usage?.threads ?? 1 };
  });
}

/** A profile whose page has been opened once: with a service worker its next load is isolated. */
async function opened(context: BrowserContext, url: string, isolated: boolean): Promise<Page> {
  const page = await context.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${url}#env=cartpole`);
  if (isolated) {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await page.waitForFunction(() => crossOriginIsolated, null, { timeout: 60_000 });
  }
  return page;
}

/** Medians of ratios of whole runs, and the steps per second of one thread. Throws Error where two threads learn something else. */
export function threadsInPage(rounds: number, log: (line: string) => void): Promise<Json> {
  return withBrowser(async ({ browser, url }) => {
    const one = await opened(await browser.newContext({ serviceWorkers: 'block' }), url, false);
    const two = await opened(await browser.newContext({ serviceWorkers: 'allow' }), url, true);
    const results: Record<string, Json> = {};
    let seed = 0;
    for (const [name, link] of Object.entries(CASES)) {
      const pairs: (readonly [Ran, Ran])[] = [];
      for (let i = 0; i < rounds; i++) {
        seed++;
        const first = i % 2 === 0 ? await train(one, url, link, seed) : null;
        const both = await train(two, url, link, seed);
        const alone = first ?? (await train(one, url, link, seed));
        if (alone.hash !== both.hash) throw new Error(`${name}: two threads learned something else`);
        pairs.push([alone, both]);
      }
      const times = Number(median(pairs.map(([alone, both]) => both.speed / alone.speed)).toPrecision(3));
      const steps = Number(median(pairs.map(([alone]) => alone.speed)).toPrecision(3));
      const threads = Math.max(...pairs.map(([, both]) => both.threads));
      results[name] = { times, one: steps, threads, target: TARGET, met: times >= TARGET };
      log(`${`in the page: ${name}`.padEnd(54)} ${times} x on ${threads} threads`);
    }
    return results;
  });
}
