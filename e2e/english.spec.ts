/**
 * The page in four languages: on some twenty states of it nothing is in English but what is marked so (texts of data that no one has translated yet,
 * titles of papers, pages that say it). By day a few states in German; at night all in every language.
 */
import type { Page } from '@playwright/test';
import { englishIn, englishOn } from './english.ts';
import { expect, type LabWindow, test } from './lab.ts';

const LANGUAGES = ['de', 'es', 'fr', 'zh-Hans'] as const;
const TRAIN = /^(Trainieren|Entrenar|Entraîner|训练)$/;
const SMALL = '#env=frozen-lake&algo=q-learning&steps=3000&seeds=2';

type Go = (page: Page, id: string) => Promise<void>;

const at =
  (address: string): Go =>
  async (page, id) => {
    await page.goto(`?lang=${id}${address}`);
    await expect(page.locator('html')).toHaveAttribute('lang', id);
    await expect(page.locator('h1, #lesson-title, dialog[open], [data-scene]').filter({ visible: true }).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
  };
const trained =
  (address: string): Go =>
  async (page, id) => {
    await at(address)(page, id);
    await page.getByRole('button', { name: TRAIN }).first().click();
    await expect
      .poll(() => page.evaluate(() => (window as LabWindow).__lab?.activeRun?.seeds.every(({ state }) => state === 'done') ?? false), {
        timeout: 60_000,
      })
      .toBe(true);
  };
const then =
  (first: Go, address: string): Go =>
  async (page, id) => {
    await first(page, id);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, address);
    await expect(page.locator('h1').filter({ visible: true }).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
  };
const pressed =
  (key: string): Go =>
  async (page, id) => {
    await at(SMALL)(page, id);
    await page.locator('body').click({ position: { x: 3, y: 3 } });
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
  };
/** Each panel beside the scene, one after the other. */
const panels: Go = async (page, id) => {
  await trained(SMALL)(page, id);
  for (const tab of await page.getByRole('tab').all()) {
    if (!(await tab.isVisible())) continue;
    await tab.click();
    await expect.poll(() => englishOn(page, id), { message: (await tab.textContent()) ?? '' }).toEqual([]);
  }
};

const STATES: readonly (readonly [name: string, go: Go, day?: 'day'])[] = [
  ['front page', at('#/'), 'day'],
  ['lessons', at('#/lessons')],
  ['lesson on a cliff', at('#/lessons/cliff?step=2'), 'day'],
  ['lesson on forgetting', at('#/lessons/forgets?step=5')],
  ['lesson with rewards of one’s own', at('#/lessons/write-reward')],
  ['make a lesson', at('#/lessons/new')],
  ['class', at('#/class/bandit?class=K7Q2')],
  ['challenge', at('#/challenge')],
  ['methods', at('#/methods')],
  ['scores', at('#/scores')],
  ['ready policies', at('#/zoo')],
  ['sweeps', at('#/sweeps')],
  ['speed', at('#/bench')],
  ['no runs', at('#/runs')],
  ['nothing to compare', at('#/compare')],
  ['nothing side by side', at('#/side')],
  ['data', at('#/data')],
  ['write your own', at('#/write')],
  ['a link that fails', at('#env=catpole')],
  ['simple, mountain car', at('#env=mountain-car')],
  ['simple, boids', at('#env=boids')],
  ['simple, after a run', trained('#env=frozen-lake&steps=3000&seeds=2&depth=teach'), 'day'],
  ['all settings, at rest', at(SMALL)],
  ['all settings, after a run', trained(SMALL), 'day'],
  ['all settings, a team', at('#env=mpe-simple-spread&algo=ippo')],
  ['every panel', panels],
  ['my runs', then(trained(SMALL), '#/runs')],
  ['gallery', pressed('g')],
  ['share', pressed('s')],
  ['help', pressed('?')],
];

for (const id of LANGUAGES)
  for (const [name, go, day] of STATES)
    test(`${id}: nothing in English: ${name}`, { tag: id === 'de' && day !== undefined ? [] : ['@night'] }, async ({
      page,
      complaints,
    }) => {
      complaints.expected.push(/frame-ancestors/);
      await go(page, id);
      await expect.poll(() => englishOn(page, id), { timeout: 5000 }).toEqual([]);
    });

test('English is told from the language of the page', () => {
  const german = englishIn('de');
  expect(['Trainieren', 'Q-learning auf Klippenwanderung', 'Agent', 'was es lernt'].filter(german)).toEqual([]);
  expect(['Save the curves', 'the farthest action there', 'PPO is done'].filter(german)).toHaveLength(3);
  const french = englishIn('fr');
  expect(['Particules : forêts et un chef', 'Une itération d’entraînement en pause'].filter(french)).toEqual([]);
  const chinese = englishIn('zh-Hans');
  expect(['Q-learning', 'n = 5', 'wasm', '用 wasm 训练'].filter(chinese)).toEqual([]);
  expect(['safe path', '500 environment steps', 'episodes'].filter(chinese)).toHaveLength(3);
});
