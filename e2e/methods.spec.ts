/** Methods are started, watched and stopped from the page, as a person would, where their files say they are tried. */
import type { Page } from '@playwright/test';
import { activeRun, catalogue, expect, follow, open, stage, stepsDone, test, train } from './lab.ts';

/** `few`: one of every fourth family, in CI. */
async function startMethods(page: Page, few: boolean): Promise<void> {
  await open(page, '#env=cartpole&algo=ppo');
  const chooser = page.getByRole('combobox', { name: 'Algorithm' });
  await expect(chooser).toBeVisible();
  const { algos } = await catalogue(page);
  // The code of all methods is loaded when one is to be chosen.
  await chooser.hover();
  // What fits is offered, the first choice first; how many do not stands below.
  await expect(page.getByText(/^1 of \d+ that fit here: the first choice here/)).toBeVisible();
  const offered = await chooser.locator('option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(offered[0]).toBe('ppo');
  expect(algos.map(({ id }) => id)).toEqual(expect.arrayContaining(offered));
  expect(offered).not.toContain('sac');
  await page.getByText(`${algos.length - offered.length} do not fit, and why`).click();
  await expect(page.getByText(/SAC .*continuous actions/).first()).toBeVisible();
  const first = algos.filter(({ family }, i) => algos.findIndex((one) => one.family === family) === i);
  const chosen = few ? first.filter((_, i) => i % 4 === 0) : algos;
  expect(chosen.length).toBeGreaterThan(few ? 2 : 40);
  for (const { id, trial } of chosen) {
    await test.step(id, async () => {
      const settings = Object.entries(trial.envConfig ?? {}).map(
        ([name, value]) => `&env.${name}=${typeof value === 'object' ? encodeURIComponent(JSON.stringify(value)) : value}`,
      );
      await follow(page, `#env=${trial.env}${settings.join('')}&algo=${id}&steps=2000000&seeds=1`);
      await train(page);
      await expect.poll(() => stepsDone(page), { timeout: 60_000 }).toBeGreaterThan(0);
      await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(1);
      const state = async () => (await activeRun(page))?.seeds[0]?.state;
      // A method that plans or enumerates may be done before it can be stopped.
      await expect(async () => {
        if ((await state()) !== 'done') await page.getByRole('button', { name: /Stop and keep/ }).click({ timeout: 2000 });
      }).toPass();
      await expect.poll(state).toMatch(/^(stopped|done)$/);
      expect((await activeRun(page))?.seeds[0]?.failure ?? null).toBeNull();
    });
  }
}

test('a method of every fourth family is started, watched and stopped from the page', { tag: '@night' }, async ({ page }) => {
  test.setTimeout(600_000);
  await startMethods(page, true);
});

test('every method is started, watched and stopped from the page', { tag: '@night' }, async ({ page }) => {
  test.setTimeout(900_000);
  await startMethods(page, false);
});
