/** A person leads units of a battle: by keys and by a press in the scene. */
import type { Page } from '@playwright/test';
import { expect, type LabWindow, open, test } from './lab.ts';

/** Of the replay on the stage: for each step the unit that acted by an order first, or -1; null: there is none, or it was pulled at. */
const led = (page: Page) =>
  page.evaluate(() => {
    const replay = (window as LabWindow).__lab?.stage.replay;
    return replay?.human === undefined || replay.pulls !== undefined ? null : Array.from(replay.human);
  });

test('units follow orders, those without one do as what plays, and the replay holds what they did', async ({ page }) => {
  await open(page, '#env=smax&env.scenario=3m&env.enemyShoots=false&algo=ippo&steps=4096&seeds=1');
  await expect(page.locator('[data-drawn]')).toBeVisible();
  const steps = () => page.evaluate(() => (window as LabWindow).__lab?.stage.length ?? 0);
  await expect.poll(steps).toBeGreaterThan(1);
  const who = page.getByRole('combobox', { name: 'Who goes' });
  await expect(who.locator('option:checked')).toHaveText('whole team');
  await who.selectOption({ label: 'ally 2' });
  await page.getByRole('button', { name: 'upwards' }).click();
  await expect(page.getByText('Your orders come first')).toBeVisible();
  const before = await steps();
  await expect.poll(steps).toBeGreaterThan(before + 2);
  // near the upper edge of the map, far from all units
  const box = (await page.locator('[data-drawn]').boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + 0.25 * box.height);
  await expect.poll(steps).toBeGreaterThan(before + 5);
  await page.keyboard.press('Escape');
  await expect.poll(() => led(page)).toContain(1);
  expect(await led(page)).toContain(0); // of the whole team the first
});
