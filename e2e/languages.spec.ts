import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { configHash, expect, open, test } from './lab.ts';

const MENU = /Language of this page|Idioma de esta página|Langue de cette page|Sprache dieser Seite|本页语言/;
const PHONE = { width: 390, height: 844 };

const chosen = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: MENU }).click();
  await page.getByRole('button', { name, exact: true }).click();
};

/** Words of buttons, links, headings and labels that are wider than what shows of them. */
const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, h1, h2, label, legend, p')]
      .filter((element) => element.checkVisibility() && element.clientWidth > 2 && element.scrollWidth > element.clientWidth + 1)
      // A name that ends in dots has the whole of it in its title or in another place.
      .filter(
        (element) => ![element, ...element.querySelectorAll<HTMLElement>('*')].some((e) => getComputedStyle(e).textOverflow === 'ellipsis'),
      )
      .map((element) => (element.textContent ?? '').trim())
      .filter((text) => text !== ''),
  );
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('a language is chosen, remembered, carried by the link, and changes no run', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&depth=teach');
  const hash = await configHash(page);
  await chosen(page, 'Deutsch');
  await expect(page.getByRole('button', { name: 'Trainieren', exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  expect(await configHash(page)).toBe(hash);
  expect(new URL(page.url()).search).toBe('?lang=de');
  await expect(page.locator('canvas')).toBeVisible();

  // Another visit of this device, by a link without a language; then by one with another.
  const { origin, pathname } = new URL(page.url());
  await page.goto('about:blank');
  await page.goto(`${origin}${pathname}`);
  await expect(page.getByRole('heading', { name: 'Drücke auf eine Welt, und ihr Agent beginnt zu lernen.' })).toBeVisible();
  await page.goto('about:blank');
  await page.goto(`${origin}${pathname}?lang=zh-Hans#/lessons`);
  await expect(page.getByRole('link', { name: '学习', exact: true })).toBeVisible();
  await page.goto('about:blank');
  await page.goto(`${origin}${pathname}#/lab`);
  await expect(page.getByRole('button', { name: 'Trainieren', exact: true })).toBeVisible();
  await chosen(page, 'English');
  await expect(page.getByRole('button', { name: 'Train', exact: true })).toBeVisible();
});

const LANGUAGES = ['es', 'fr', 'de', 'zh-Hans'];
for (const id of LANGUAGES) {
  // One language in every run, the longest one; the others at night.
  test(`${id}: front page and simple laboratory on a phone, nothing is cut off, axe finds nothing`, {
    tag: id === 'de' ? [] : ['@night'],
  }, async ({ page }) => {
    await page.setViewportSize(PHONE);
    for (const hash of ['#/', '#/lab', '#/lessons']) {
      await page.goto('about:blank');
      await page.goto(`?lang=${id}${hash}`);
      await expect(page.locator('html')).toHaveAttribute('lang', id);
      await expect(page.locator('h1')).toBeVisible();
      await expect(page.getByRole('button', { name: MENU })).toBeVisible();
      expect(await sideways(page), hash).toBeLessThanOrEqual(0);
      expect(await cutOff(page), hash).toEqual([]);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
        hash,
      ).toEqual([]);
    }
  });
}
