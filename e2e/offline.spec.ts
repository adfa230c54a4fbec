import { expect, open, outcome, ready, test, trainToEnd } from './lab.ts';

test('after one visit the page reloads and trains without a network', async ({ page, context, complaints }) => {
  // The browser itself reports what it cannot fetch while offline; the page must do without.
  complaints.expected.push(/ERR_INTERNET_DISCONNECTED/);
  const hash = '#env=cartpole&algo=ppo&steps=8192&seeds=1';
  await open(page, hash);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await ready(page);
  const online = await trainToEnd(page);

  await context.setOffline(true);
  await page.reload();
  await ready(page);
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  expect(outcome(await trainToEnd(page))).toEqual(outcome(online));

  // Another family as well: tables on a grid.
  await page.goto('about:blank');
  await open(page, '#env=frozen-lake&algo=q-learning&steps=5000&seeds=1');
  await trainToEnd(page);
});
