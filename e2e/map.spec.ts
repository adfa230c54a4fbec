import { activeRun, configHash, expect, open, runs, test, trainToEnd } from './lab.ts';

const LAKE = '#env=frozen-lake&algo=q-learning&steps=3000&seeds=1';

test('a map is drawn by keys, lands in the link, and the link gives the same map', async ({ page, browser, baseURL }) => {
  await open(page, LAKE);
  const before = await configHash(page);
  const grid = page.getByRole('grid').first();
  await grid.focus();
  // Two to the right, one down: row 2, column 3. The second tile of the palette is chosen at first.
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect.poll(() => configHash(page)).not.toBe(before);
  const after = await configHash(page);
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#1\./);

  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await context.newPage();
  await expect
    .poll(async () => {
      await other.goto('about:blank');
      await open(other, await page.evaluate(() => location.hash));
      return configHash(other);
    })
    .toBe(after);
  await trainToEnd(other);
  const map = (await activeRun(other))?.config.env.config.map;
  expect(map).toHaveLength(4);
  expect(map?.join('')).not.toBe('SFFFFHFHFFFHHFFG');
  await context.close();

  // One step back undoes one stroke.
  await page.locator('body').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Control+z');
  await expect.poll(() => configHash(page)).toBe(before);
});

test('a map is painted by mouse, and a goal that cannot be reached is pointed out', { tag: '@night' }, async ({ page }) => {
  await open(page, LAKE);
  const cells = page.getByRole('grid').first().getByRole('gridcell');
  await page
    .getByRole('radio', { name: /hole/i })
    .or(page.getByRole('button', { name: /hole/i }))
    .first()
    .click();
  const before = await configHash(page);
  // Holes across the second row: nothing gets past.
  const [from, to] = [await cells.nth(4).boundingBox(), await cells.nth(7).boundingBox()];
  if (!from || !to) throw new Error('the grid is not in sight');
  const middle = (box: typeof from): [number, number] => [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle(from));
  await page.mouse.down();
  await page.mouse.move(...middle(to), { steps: 12 });
  await page.mouse.up();
  await expect.poll(() => configHash(page)).not.toBe(before);
  await expect(page.getByText(/cannot be reached|no way|unreachable/i).first()).toBeVisible();
  expect(await runs(page)).toEqual([]);
});

test('a shaped map: a potential is painted, stands in the link and on the scene, and is trained with', { tag: '@night' }, async ({
  page,
  browser,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '#env=frozen-lake&algo=q-learning&steps=3000&seeds=1&depth=lab&tab=setup');
  const before = await configHash(page);
  await page.getByRole('button', { name: /painted potential paint one/i }).click();
  const grid = page.getByRole('grid', { name: 'painted potential' });
  await grid.focus();
  // Level 7 in the second cell, level 9 to its right by a press.
  for (const key of ['ArrowRight', '7', 'Enter', '9']) await page.keyboard.press(key);
  await grid.getByRole('gridcell').nth(2).click();
  await expect(grid.getByRole('gridcell', { name: 'level 7' })).toHaveCount(1);
  await expect(grid.getByRole('gridcell', { name: 'level 9' })).toHaveCount(1);
  await page.getByRole('spinbutton', { name: 'worth of a level' }).fill('0.5');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Potential', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('potential', { exact: true })).toBeVisible();
  const shaped = await configHash(page);
  expect(shaped).not.toBe(before);

  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await context.newPage();
  await expect
    .poll(async () => {
      await other.goto('about:blank');
      await open(other, await page.evaluate(() => location.hash));
      return configHash(other);
    })
    .toBe(shaped);
  await trainToEnd(other);
  const run = (await activeRun(other))?.config.run as { readonly shaping?: unknown };
  expect(run.shaping).toEqual({ levels: ['0790', '0000', '0000', '0000'], unit: 0.5 });
  await context.close();

  await page.getByRole('button', { name: 'Remove' }).last().click();
  await expect.poll(() => configHash(page)).toBe(before);
});
