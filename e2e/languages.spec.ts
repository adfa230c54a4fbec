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
const DESKTOP = { width: 1440, height: 900 };
const PAGES = ['#/', '#/lab', '#/lessons', '#/lessons/bandit?step=3', '#/class/bandit?class=K7Q2'];
const BY_DAY = ['#/lab', '#/lessons/bandit?step=3'];
/** At night every lesson at the step with most in it. */
const LESSON_PAGES = [
  ...['bandit?step=5', 'cliff?step=2', 'cartpole?step=3', 'faults?step=6', 'reward?step=5', 'dilemma?step=4', 'shapley?step=3'],
  ...['copy-me?step=1', 'prefer?step=3', 'unseen?step=5', 'forgets?step=5'],
].map((lesson) => `#/lessons/${lesson}`);

/** Opens each page; nothing may be cut off, axe may find nothing, and nothing on a lesson may be in English. */
async function lookAt(page: Page, id: string, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) {
    await page.goto('about:blank');
    await page.goto(`?lang=${id}${hash}`);
    await expect(page.locator('html')).toHaveAttribute('lang', id);
    await expect(page.locator('h1, #lesson-title').first()).toBeVisible();
    if (hash.includes('step=')) await expect(page.locator('#lesson-title')).toBeVisible();
    await expect(page.getByRole('button', { name: MENU })).toBeVisible();
    await expect(page.locator('[lang=en]:not(button)')).toHaveCount(0);
    expect(await sideways(page), hash).toBeLessThanOrEqual(0);
    expect(await cutOff(page), hash).toEqual([]);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
      hash,
    ).toEqual([]);
  }
}

for (const id of LANGUAGES) {
  // One language in every run, the longest one; the others at night.
  test(`${id}: simple laboratory and lesson on a phone, nothing is cut off, axe finds nothing`, {
    tag: id === 'de' ? [] : ['@night'],
  }, async ({ page }) => {
    await page.setViewportSize(PHONE);
    await lookAt(page, id, BY_DAY);
  });
  test(`${id}: every lesson, front page and class, on a phone and on a desk, nothing is cut off, axe finds nothing`, {
    tag: '@night',
  }, async ({ page }) => {
    test.setTimeout(600_000);
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await lookAt(page, id, LESSON_PAGES);
    }
    await lookAt(page, id, PAGES);
  });
}

test('a lesson in another language: its task is done there, its controls keep their values when the language changes', {
  tag: '@night',
}, async ({ page }) => {
  await page.goto('?lang=de#/lessons/bandit?step=5');
  await expect(page.getByRole('heading', { name: 'Deine eigenen Einstellungen' })).toBeVisible();
  await page.getByRole('spinbutton', { name: 'Epsilon am Anfang' }).fill('0');
  await page.getByRole('spinbutton', { name: 'Anfangswert' }).fill('2');
  await chosen(page, 'Français');
  await expect(page.getByRole('spinbutton', { name: 'valeur initiale' })).toHaveValue('2');
  await page.getByRole('button', { name: 'Entraîner avec mes réglages' }).click();
  await expect(page.getByText('✓ Atteint : au moins 0,95 par tirage sur chaque graine.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('textbox', { name: 'Code de résultat' })).toHaveValue(/^RL1:/);
});
