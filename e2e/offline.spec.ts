import { serve } from '../tools/serve.mjs';
import { expect, open, outcome, ready, test, trainToEnd } from './lab.ts';

test.use({ serviceWorkers: 'allow' });

/** Pages and worlds whose code comes at their first use. */
const LATE_PARTS = [
  '#/papers/p058',
  '#/compare',
  '#/data',
  '#/write',
  '#/scores',
  '#/zoo',
  '#/side',
  '#/sweeps',
  '#/transfer',
  '#/bench',
  '#/methods/ppo',
  '#/class/bandit',
  '#env=mujoco-ant',
];

test('after one visit the page reloads and trains without a network', { tag: '@road' }, async ({ page, context, complaints }) => {
  // The browser itself reports what it cannot fetch while offline; the page must do without.
  complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch dynamically|importing a module script/);
  const hash = '#env=cartpole&algo=ppo&steps=8192&seeds=1';
  await open(page, hash);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await ready(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true); // threads.spec.ts trains on them at night
  const online = await trainToEnd(page);

  await context.setOffline(true);
  await page.reload();
  await ready(page);
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  expect(outcome(await trainToEnd(page))).toEqual(outcome(online));

  // Why says what it can; of what is not on this device it says that.
  const why = page.getByRole('region', { name: 'Why' });
  await expect(why.getByRole('heading', { name: 'Why' })).toBeVisible();
  await expect(page.getByText('stopped working')).toHaveCount(0);
  await page.evaluate(() => {
    location.hash = '#/write';
  });
  await expect(page.getByText('This page: not on this device.')).toBeVisible();

  // Another family as well: tables on a grid.
  await page.goto('about:blank');
  await open(page, '#env=frozen-lake&algo=q-learning&steps=5000&seeds=1');
  await trainToEnd(page);
});

test('who has only seen the front page can train without a network', { tag: '@night' }, async ({ page, context, complaints }) => {
  complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch dynamically|importing a module script/);
  await page.goto('./');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await open(page, '#env=cartpole&algo=ppo&steps=8192&seeds=1&depth=teach');
  await trainToEnd(page);
  // What stands below a run that has ended comes by itself: it is there as well.
  await expect(page.getByRole('region', { name: 'Then what?' })).toBeVisible();
  await expect(page.getByText('This part of the page is not on this device')).toHaveCount(0);
});

test('a body of MuJoCo that was only watched trains without a network', { tag: '@night' }, async ({ page, context, complaints }) => {
  complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  const hash = '#env=mujoco-inverted-pendulum&algo=ppo&steps=4096&seeds=1';
  await open(page, hash);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          const { training } = (await (await fetch('offline.json')).json()) as { training: Record<string, string[]> };
          const files = training['mujoco-inverted-pendulum'] ?? [];
          return files.length > 0 && (await Promise.all(files.map((url) => caches.match(`./${url}`)))).every((kept) => kept !== undefined);
        }),
      { timeout: 90_000 },
    )
    .toBe(true);
  await context.setOffline(true);
  await page.goto('about:blank');
  await open(page, hash);
  await trainToEnd(page);
});

test('pictures seen on the first visit are there without a network', { tag: '@night' }, async ({ page, context, complaints }) => {
  // Offline the browser reports the pictures further down that were never in sight: their signs are drawn.
  complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  const choose = page.locator('h1 [aria-haspopup=dialog]');
  const pictures = page.getByRole('dialog').locator('img[src*="pictures/"]');
  const drawn = (): Promise<string[]> =>
    pictures.evaluateAll((all) => (all as HTMLImageElement[]).filter((one) => one.naturalWidth > 0).map((one) => one.src));
  await open(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await choose.click();
  await expect.poll(async () => (await drawn()).length).toBeGreaterThan(3);
  const online = await drawn();
  const kept = (): Promise<string[]> =>
    page.evaluate(async () => (await (await caches.open('pictures')).keys()).map((request) => request.url));
  const without = (some: readonly string[]): string[] => online.filter((url) => !some.includes(url));
  await expect.poll(async () => without(await kept())).toEqual([]);

  await context.setOffline(true);
  await page.reload();
  await ready(page);
  await choose.click();
  await expect.poll(async () => without(await drawn())).toEqual([]);
});

test('what is not on this device says so; everything is kept when a person asks for it', { tag: '@night' }, async ({
  page,
  context,
  complaints,
}) => {
  complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch dynamically|importing a module script/);
  await open(page, '#env=cartpole&algo=ppo&steps=8192&seeds=1');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  await page.evaluate(() => {
    location.hash = '#/write';
  });
  await expect(page.getByText('This page: not on this device.')).toBeVisible();
  await context.setOffline(false); // and comes when the network does
  await expect(page.getByRole('heading', { level: 1, name: 'Write your own' })).toBeVisible();

  await page.goto('about:blank');
  await open(page, '#env=cartpole&algo=ppo&steps=8192&seeds=1');
  await page.getByRole('button', { name: 'View and files' }).click();
  await page.getByRole('button', { name: 'Storage' }).click();
  const dialog = page.getByRole('dialog');
  const keep = dialog.getByRole('button', { name: /Keep everything for offline/ });
  const size = async (): Promise<number> => Number.parseFloat(/[\d.]+/.exec((await keep.textContent()) ?? '')?.[0] ?? '');
  const before = await size();
  await keep.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(keep).toBeVisible();
  expect(before).toBeGreaterThan(5); // MB
  expect(await size()).toBeLessThanOrEqual(before); // what was fetched before it was cancelled stays
  await keep.click();
  await expect(dialog.getByText('All of the page is on this device')).toBeVisible({ timeout: 90_000 });

  await context.setOffline(true);
  for (const [hash, heading] of [
    ['#/write', 'Write your own'],
    ['#/methods/ppo', 'PPO'],
    ['#/papers/p033', 'MANSA'],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`./${hash}`);
    await expect(page.getByRole('heading', { level: 1, name: new RegExp(heading) })).toBeVisible();
  }
});

test('a network without a way to the server: every late part says that it is not on this device, and comes when the server answers', {
  tag: '@night',
}, async ({ page, complaints }) => {
  const dir = process.env.E2E_DIST ?? 'dist';
  const { server, port } = await serve({ dir, port: 0, base: '/lab/' });
  const home = `http://127.0.0.1:${port}/lab/`;
  complaints.expected.push(/ERR_CONNECTION_REFUSED|ERR_FAILED|Failed to fetch dynamically|importing a module script/);
  complaints.expected.push(new RegExp(`request to another origin: ${home}`)); // a server of this test alone, which it closes
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  try {
    await page.goto(`${home}#env=cartpole&algo=ppo&steps=8192&seeds=1`);
    await ready(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  } finally {
    await close();
  }
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  const missing = page.getByText(/not on this device/);
  for (const hash of LATE_PARTS) {
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await expect(missing.first(), hash).toBeVisible();
    await expect(page.getByText('stopped working'), hash).toHaveCount(0);
    await expect(page.getByText('Internal error'), hash).toHaveCount(0);
  }
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();

  await page.evaluate(() => {
    location.hash = '#/write';
  });
  await expect(missing).toBeVisible();
  const back = await serve({ dir, port, base: '/lab/' });
  try {
    await expect(page.getByRole('heading', { level: 1, name: 'Write your own' })).toBeVisible({ timeout: 60_000 });
  } finally {
    back.server.close();
    back.server.closeAllConnections();
  }
});

test('a lesson and a paper that were kept open without a way to the server, the lesson in its language', { tag: '@night' }, async ({
  page,
  complaints,
}) => {
  test.setTimeout(240_000); // six visits
  const dir = process.env.E2E_DIST ?? 'dist';
  const { server, port } = await serve({ dir, port: 0, base: '/lab/' });
  const home = `http://127.0.0.1:${port}/lab/`;
  complaints.expected.push(/ERR_CONNECTION_REFUSED|ERR_FAILED|Failed to fetch dynamically|importing a module script/);
  complaints.expected.push(new RegExp(`request to another origin: ${home}`)); // a server of this test alone, which it closes
  try {
    await page.goto(`${home}#/lessons`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.goto(`${home}?lang=de#/lessons`);
    const entry = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: /niemand zog/ }) })
      .first();
    const keep = entry.getByRole('button', { name: /^Für offline behalten/ });
    await expect(keep).toContainText(/\d\s(kB|MB)/);
    await keep.click();
    await expect(entry.getByRole('status')).toHaveText(/\S/, { timeout: 30_000 });
    await expect(keep).toHaveCount(0);
    await page.goto('about:blank');
    await page.goto(`${home}#/papers`);
    await page.evaluate(() => {
      location.hash = '#/papers/p058';
    });
    await page.getByRole('button', { name: /^Keep for offline/ }).click();
    await expect(page.getByText('Kept for offline')).toBeVisible({ timeout: 30_000 });
  } finally {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  await page.goto('about:blank');
  await page.goto(`${home}?lang=de#/lessons/bandit`);
  await expect(page.getByRole('button', { name: 'Weiter' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /niemand zog/ })).toBeVisible();
  await page.goto('about:blank');
  await page.goto(`${home}#/papers/p058`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(/not on this device|not here without a network/)).toHaveCount(0);
});
