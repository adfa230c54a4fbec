/** Ways through the page: the front page, the four doors, the open run, the titles of tabs, Back, and one box that finds everything. */
import AxeBuilder from '@axe-core/playwright';
import { activeRun, expect, mainButton, open, ready, test, trainToEnd } from './lab.ts';

const SMALL = '#env=frozen-lake&algo=q-learning&steps=3000&seeds=1';

test('four doors on every screen, tabs that are told apart, the open run one press away', async ({ page }) => {
  await page.goto('./');
  const doors = page.getByRole('navigation', { name: 'Main' });
  await expect(doors.getByRole('link')).toHaveText(['Worlds', 'Learn', 'Papers', 'My runs']);
  await expect(doors.getByRole('link', { name: 'Worlds' })).toHaveAttribute('aria-current', 'page');
  await expect(page).toHaveTitle('Worlds · RL Workbench');

  await doors.getByRole('link', { name: 'My runs' }).click();
  await expect(page.getByText(/No runs on this device yet/)).toBeVisible();
  await page.getByRole('button', { name: 'Open the laboratory' }).click();
  await ready(page);
  await expect(page).toHaveTitle('PPO on CartPole · RL Workbench');

  await open(page, SMALL);
  await trainToEnd(page);
  await doors.getByRole('link', { name: 'Papers' }).click();
  await expect(page).toHaveTitle('Papers · RL Workbench');
  await page.goto('./#/papers/p064');
  await expect(page).toHaveTitle('P064 · Papers · RL Workbench');
  await expect(doors.getByRole('link', { name: 'Papers' })).toHaveAttribute('aria-current', 'true');
  const back = page.getByRole('button', { name: /^Laboratory: Q-learning on Frozen lake, done/ });
  await back.click();
  await expect(mainButton(page, 'Train')).toBeVisible();
  await doors.getByRole('link', { name: 'My runs' }).click();
  await expect(mainButton(page, 'Train')).toBeHidden(); // the laboratory has a table of runs, too
  await expect(page.getByRole('row', { name: /Q-learning on Frozen lake/ })).toBeVisible();
  await page.getByRole('button', { name: 'Q-learning on Frozen lake', exact: true }).click();
  await expect(mainButton(page, 'Train')).toBeVisible();
});

test('Back goes from step to step in a lesson', async ({ page }) => {
  await page.goto('./#/lessons/bandit');
  await expect(page.getByRole('heading', { name: 'Play it' })).toBeVisible();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page).toHaveTitle(/^The lever nobody pulled, step 2 · Lessons · /);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Play it' })).toBeVisible();
});

test('what is misspelt is answered with what was probably meant', { tag: '@night' }, async ({ page }) => {
  await page.goto('./#env=catpole');
  await expect(page.getByText('Did you mean cartpole?')).toBeVisible();
  await page.goto('./#env=volleyball');
  await expect(page.getByText('Did you mean drone-volleyball?')).toBeVisible();
  await page.goto('./#/methods');
  await expect(page.getByRole('dialog')).toHaveCount(0); // it was about the address before
  await page.goto('./#/paper');
  await expect(page.getByText('Did you mean #/papers?')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveTitle(/^Methods · /);
  await page.goto('about:blank');
  await page.goto('./#/methods?q=q-lerning');
  await page.getByRole('button', { name: 'q-learning' }).click();
  await expect(page.getByRole('link', { name: 'Q-learning', exact: true })).toBeVisible();
});

test('a link to an environment opens at the simple depth, with the tour on a first visit; one that says more, with all settings', async ({
  page,
}) => {
  await page.goto('./#env=mountain-car');
  await ready(page);
  await expect(page.getByRole('heading', { name: 'The world' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'First steps' })).toBeVisible();
  await page.goto('about:blank');
  await page.goto('./#env=boids');
  await ready(page);
  // the three rules of the flock can be moved
  for (const rule of ['separation', 'alignment', 'cohesion'])
    await expect(page.getByRole('spinbutton', { name: rule, exact: true })).toBeVisible();
  await page.goto('about:blank');
  await page.goto('./#env=mountain-car&algo=dqn');
  await ready(page);
  await expect(page.getByRole('heading', { name: 'Set up' })).toBeVisible();
});

test('the command box: by keyboard to a paper, a world, a setting and an action, also misspelt', async ({ page }) => {
  await open(page, SMALL);
  const box = page.getByRole('combobox', { name: /^Search worlds/ });
  // The form below has lists with options of its own.
  const found = page.getByRole('listbox', { name: 'Found' });
  const search = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await box.fill(text);
    await expect(found.getByRole('option').first()).toBeVisible();
  };
  await search('p064');
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await expect(found.getByRole('option', { selected: true })).toContainText('P064');
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle(/^P064/);

  await search('montain car');
  await expect(page.getByText('Shown for mountain car')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle(/Mountain car/);

  await search('discount');
  await expect(found.getByRole('option', { selected: true })).toContainText('Setting');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-field="algo.gamma"]').locator(':focus')).toHaveCount(1);

  await search('train, pause');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await activeRun(page))?.name).toContain('Mountain car');
  const share = page.getByRole('button', { name: 'Share', exact: true });
  await share.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);
  await expect(share).toBeFocused();
});

test('phone: the first stop of the keyboard leads past everything to the doors, which stand last', { tag: '@night' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const hash of ['#/', '#/lab']) {
    await page.goto('about:blank');
    await page.goto(`./${hash}`);
    const doors = page.getByRole('navigation', { name: 'Main' });
    await expect(doors).toBeVisible();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('button', { name: 'Skip to the menu below' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(doors.getByRole('link', { name: 'Worlds' })).toBeFocused();
    expect(new URL(page.url()).hash).toBe(hash);
  }
});
