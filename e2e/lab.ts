/**
 * What every end-to-end test stands on: a page that must not complain (no request to another origin, no policy violation, no error in
 * the console), and words for what a person does. Numbers are read through `window.__lab`, everything else as a person sees it.
 */
import { test as base, expect, type Page } from '@playwright/test';
import type { Catalog } from '../src/contract/catalog/catalog.ts';

export { expect };

interface SeedView {
  readonly seed: number;
  readonly state: string;
  readonly step: number;
  readonly stepsPerSecond: number;
  readonly checkpointStep: number;
  readonly points?: readonly number[];
  readonly result: { readonly parameterHash: string; readonly finalReturn: number; readonly evalReturn: number } | null;
  readonly failure: { readonly id: string; readonly message: string } | null;
  readonly marks: readonly { readonly type: string; readonly text: string; readonly step: number }[];
}

export interface RunView {
  /** Where the run came from. */
  readonly origin?: unknown;
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly createdAt: number;
  readonly colour: number;
  readonly dash: number;
  readonly parent: { readonly id: string; readonly step: number } | null;
  readonly config: {
    readonly env: { readonly config: { readonly map?: readonly string[] } };
    readonly run: { readonly executor: string; readonly seeds: number };
  };
  readonly seeds: readonly SeedView[];
}

export interface CurveView {
  readonly steps: readonly number[];
  readonly values: readonly number[];
}

interface Hook {
  readonly configHash: string;
  readonly state: string;
  readonly activeRun: RunView | null;
  readonly runs: readonly RunView[];
  readonly catalog: Catalog | null;
  readonly stage: {
    readonly mode: string;
    readonly t: number;
    readonly length: number;
    readonly returnSoFar: number;
    readonly camera: string;
    readonly replay: { readonly human?: Int16Array; readonly pulls?: Float32Array } | null;
  };
  curve(runId: string, seed: number, metric: string): CurveView | null;
}

interface Complaints {
  /** Texts that this test provokes on purpose. */
  readonly expected: RegExp[];
}

/** Reasons a browser gives for itself, not for the page. */
const NOISE = [/GPU stall due to ReadPixels/, /Automatic fallback to software WebGL/, /GL Driver Message/, /powerPreference option/];

export const test = base.extend<{ complaints: Complaints }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
  complaints: async ({}, use) => {
    await use({ expected: [] });
  },
  page: async ({ page, complaints, baseURL }, use) => {
    const found: string[] = [];
    const origin = new URL(baseURL ?? '').origin;
    const own = (url: string): boolean => url.startsWith(`${origin}/`) || /^(blob|data|about):/.test(url);
    page.context().on('request', (request) => {
      if (!own(request.url())) found.push(`request to another origin: ${request.url()}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') found.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => found.push(`error: ${error.message}`));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    await use(page);
    const left = found.filter((text) => ![...NOISE, ...complaints.expected].some((pattern) => pattern.test(text)));
    expect(left, 'the page complained').toEqual([]);
  },
});

export interface LabWindow {
  readonly __lab?: Hook;
}

/** Opens the laboratory (with a hash such as "#env=cartpole&algo=ppo") and waits until its buttons are there. */
export async function open(page: Page, hash = '#/lab'): Promise<void> {
  await page.goto(`./${hash}`);
  await ready(page);
}

/** Follows a link to another experiment on the page that is open. */
export async function follow(page: Page, hash: string): Promise<void> {
  const before = await configHash(page);
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await expect.poll(() => configHash(page)).not.toBe(before);
}

export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => (window as LabWindow).__lab !== undefined);
  await expect(page.getByRole('group', { name: 'Training' })).toBeVisible();
}

export const mainButton = (page: Page, name: 'Train' | 'Pause' | 'Resume'): ReturnType<Page['getByRole']> =>
  page.getByRole('group', { name: 'Training' }).getByRole('button', { name, exact: true });

/** A number in the set-up form. */
export const field = (page: Page, name: RegExp): ReturnType<Page['getByRole']> =>
  page.getByRole('textbox', { name }).or(page.getByRole('spinbutton', { name })).first();

export async function train(page: Page): Promise<void> {
  const button = mainButton(page, 'Train');
  await expect(button).toBeEnabled();
  const pressed = await page.evaluate(() => Date.now());
  const newest = async (): Promise<number> => (await activeRun(page))?.createdAt ?? 0;
  // A press just as an earlier run ended is one on Pause (src/ui/runs/ended.ts): it is made again.
  await expect(async () => {
    if ((await newest()) < pressed) await button.click({ timeout: 2000 });
    // An earlier run, perhaps one that a reload is still bringing back, stays the active one until the new one is there.
    await expect.poll(newest, { timeout: 5000 }).toBeGreaterThanOrEqual(pressed);
  }).toPass();
}

/** Drops a file on the page, as from the desktop. */
export async function dropFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  const base64 = Buffer.from(content).toString('base64');
  const data = await page.evaluateHandle(
    ([file, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))], file));
      return transfer;
    },
    [name, base64] as const,
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
}

export const activeRun = (page: Page): Promise<RunView | null> =>
  page.evaluate(() => {
    const run = (window as LabWindow).__lab?.activeRun ?? null;
    return run === null ? null : (JSON.parse(JSON.stringify(run)) as RunView);
  });

export const runs = (page: Page): Promise<readonly RunView[]> =>
  page.evaluate(() => JSON.parse(JSON.stringify((window as LabWindow).__lab?.runs ?? [])) as RunView[]);

/** Of the set-up as it stands; waits while it is being checked for the first time. */
export async function configHash(page: Page): Promise<string> {
  await page.waitForFunction(() => ((window as LabWindow).__lab?.configHash ?? '') !== '');
  return page.evaluate(() => (window as LabWindow).__lab?.configHash ?? '');
}

/** What the page offers: environments, methods and experiments, as their files declare them. */
export const catalogue = (page: Page): Promise<Catalog> =>
  page.evaluate(() => {
    const catalog = (window as LabWindow).__lab?.catalog ?? null;
    if (catalog === null) throw new Error('The page has no catalogue yet.');
    return catalog;
  });

export const stage = (page: Page): Promise<Omit<Hook['stage'], 'replay'>> =>
  page.evaluate(() => {
    const { mode, t, length, returnSoFar, camera } = (window as unknown as Required<LabWindow>).__lab.stage;
    return { mode, t, length, returnSoFar, camera };
  });

/** For each step of the shown episode the agent that a person moved, -1: none. */
export const humanLog = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => Array.from((window as LabWindow).__lab?.stage.replay?.human ?? []));

/** Measured rows of the active run. */
export const curve = (page: Page, seed: number, metric = 'episodicReturn'): Promise<CurveView | null> =>
  page.evaluate(
    ([at, name]) => {
      const hook = (window as LabWindow).__lab;
      return hook?.activeRun ? hook.curve(hook.activeRun.id, at, name) : null;
    },
    [seed, metric] as const,
  );

/** Steps done so far, summed over seeds. */
export const stepsDone = async (page: Page): Promise<number> =>
  ((await activeRun(page))?.seeds ?? []).reduce((sum, seed) => sum + seed.step, 0);

/** Waits until every seed of the active run is in this state; answers the run. */
export async function allSeeds(page: Page, state: string, timeout = 60_000): Promise<RunView> {
  await expect
    .poll(async () => (await activeRun(page))?.seeds.map((seed) => seed.state), { timeout })
    .toEqual((await activeRun(page))?.seeds.map(() => state));
  return (await activeRun(page)) as RunView;
}

/** What must be equal in two runs that are the same run. */
export const outcome = ({ seeds }: RunView): unknown =>
  seeds.map(({ seed, step, result }) => ({
    seed,
    step,
    hash: result?.parameterHash,
    final: result?.finalReturn,
    greedy: result?.evalReturn,
  }));

/** Trains the draft to the end and answers what it gave. */
export async function trainToEnd(page: Page, timeout?: number): Promise<RunView> {
  await train(page);
  return allSeeds(page, 'done', timeout);
}
