/** A lesson from its list to a check that is met: prediction first, runs of its own, the answers there after a reload. */
import { encodeLesson } from '../src/contract/link/lesson.ts';
import { expect, open, test } from './lab.ts';

test('a whole lesson: predict, run, compare, reach the goal of its task', { tag: '@road' }, async ({ page }) => {
  await page.goto('./#/lessons');
  await page.getByRole('link', { name: /^(?!For a class).*The lever nobody pulled/ }).click();
  await expect(page.getByRole('heading', { name: 'Play it' })).toBeVisible();

  await page.getByRole('button', { name: 'Next', exact: true }).click();
  const run = page.getByRole('button', { name: 'Run it' });
  await expect(run).toBeDisabled();
  await expect(page.getByText('First your prediction')).toBeVisible();
  await page.getByLabel('about 0.5').check();
  await run.click();
  await expect(page.getByRole('row', { name: 'epsilon 0 0.5' })).toBeVisible();

  await page.goto(`${page.url().split('?')[0]}?step=3`);
  const handle = page.getByRole('slider', { name: 'pay per pull at 0.1' });
  await handle.focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('PageUp');
  await expect(handle).toHaveAttribute('aria-valuenow', '1');
  await page.getByRole('button', { name: 'This is my sketch' }).click();
  await page.getByRole('button', { name: 'Run all 5' }).click();
  await expect(page.getByRole('row', { name: /epsilon 0.1 0.96 \(10 seeds, 0.94 to 0.97\)/ })).toBeVisible();

  // One sentence sums the runs up, and each of them can be shown in the scene; no panel of explanations stands beside the lesson.
  await expect(page.getByText(/^Highest return: .* with “epsilon .*”\. Lowest: /)).toBeVisible();
  const shown = page.getByRole('radio', { name: 'Show the agent of epsilon 0 in the scene' });
  await shown.check();
  await expect(shown).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Show the agent of epsilon 0.1 in the scene' })).not.toBeChecked();
  await expect(page.locator('#panel-why')).toBeHidden();
  await expect(page.getByRole('group', { name: 'How much to show' })).toHaveCount(0);

  // What a pupil writes where the outcome surprises is still there when they come back.
  await page.getByRole('textbox', { name: /differs most from your line/ }).fill('0.01: it never looked.');
  await page.getByRole('button', { name: /Step 2/ }).click();
  await page.getByRole('button', { name: /Step 3/ }).click();
  await expect(page.getByRole('textbox', { name: /differs most from your line/ })).toHaveValue('0.01: it never looked.');

  await page.getByRole('button', { name: /Step 5/ }).click();
  const check = page.getByRole('status').filter({ hasText: /at least 0.95 per pull on every seed/ });
  await page.getByRole('spinbutton', { name: 'initial value' }).fill('2');
  await page.getByRole('spinbutton', { name: 'epsilon start' }).fill('0');
  await page.getByRole('button', { name: 'Train my settings' }).click();
  await expect(check).toContainText('Reached');
  await expect(page.getByRole('region', { name: 'What was measured' })).toContainText(
    'Predicted: about 0.5. Came out: about 0.5. Return of “epsilon 0”: 0.5',
  );

  await page.reload();
  await expect(page.getByRole('button', { name: 'Step 5: Your own settings, met' })).toBeVisible();
  await page.getByRole('button', { name: /Step 2/ }).click();
  await expect(page.getByLabel('about 0.5')).toBeChecked();

  // The next pupil at this machine.
  await page.getByRole('button', { name: /Step 1/ }).click();
  await page.getByRole('button', { name: 'Start the lesson over' }).click();
  await expect(page.getByRole('heading', { name: 'Play it' })).toBeFocused();
  await page.getByRole('button', { name: /Step 2/ }).click();
  await expect(page.getByLabel('about 0.5')).not.toBeChecked();
  // The same settings again: the earlier run does not count, and a new one is trained.
  await page.getByRole('button', { name: /Step 5/ }).click();
  await page.getByRole('spinbutton', { name: 'initial value' }).fill('2');
  await page.getByRole('spinbutton', { name: 'epsilon start' }).fill('0');
  await expect(page.getByRole('button', { name: 'Train my settings' })).toBeEnabled();
  await expect(check).toContainText('To reach');
  await page.getByRole('button', { name: 'Train my settings' }).click();
  await expect(check).toContainText('Reached');

  await page.getByRole('button', { name: 'Leave the lesson' }).click();
  await expect(page.getByRole('heading', { name: 'The lever nobody pulled' })).toBeHidden();
  await expect(page.getByRole('group', { name: 'Training' }).getByRole('button').first()).toBeEnabled();

  // Every run says where it was started, and leads back there.
  await page.goto('./#/runs');
  const from = page.getByRole('link', { name: 'lesson: The lever nobody pulled, step 2' }).first();
  await expect(from).toHaveAttribute('href', '#/lessons/bandit?step=2');
  await from.click();
  await expect(page.getByRole('heading', { name: 'The lever nobody pulled' })).toBeVisible();
});

test('a step that answers late does not take the place of the one after it', { tag: '@night' }, async ({ page }) => {
  // The first question about the lesson's world reaches its worker two seconds late; the ones behind it go at once.
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    let held = false;
    Worker.prototype.postMessage = function (...sent: [unknown, ...unknown[]]): void {
      const send = (): void => Reflect.apply(post, this, sent);
      const text = held ? '' : JSON.stringify(sent[0]);
      if (!text.includes('"complete"') || !text.includes('"bandit"')) send();
      else {
        held = true;
        setTimeout(() => {
          send();
          document.documentElement.dataset.late = 'sent';
        }, 2000);
      }
    };
  });
  await page.goto('./#/lessons/bandit');
  await expect(page.getByRole('heading', { name: 'Play it' })).toBeVisible();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Run it' })).toBeVisible();
  await expect(page.locator('html[data-late]')).toBeAttached();
  await page.waitForTimeout(500); // its answer
  await expect(page.getByRole('button', { name: 'Run it' })).toBeVisible();
});

test('a lesson that does not exist and a page that does not exist say so', async ({ page }) => {
  await page.goto('./#/lessons/nothing');
  await expect(page.getByRole('heading', { name: 'There is no lesson “nothing”.' })).toBeVisible();
  await page.goto('./#/nowhere');
  await expect(page.getByText('There is no page at "#/nowhere".')).toBeVisible();
});

test('the two runs of a step play side by side from the same start; the step that compares them shows one after the other', {
  tag: '@night',
}, async ({ page }) => {
  await page.goto('./#/lessons/cliff?step=2');
  await page.getByLabel('both along the edge').check();
  await page.getByRole('button', { name: 'Run all 2' }).click();
  const pair = page.getByRole('region', { name: 'Both runs, from the same start' });
  await expect(pair.getByRole('listitem')).toHaveText([/^Q-learning/, /^SARSA/], { timeout: 60_000 });
  await pair.getByRole('button', { name: 'Back to the scene' }).click();
  await expect(pair).toBeHidden();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('radio', { name: 'Show the agent of Q-learning in the scene' }).check();
  await expect(page.getByText(/^Q-learning, seed \d+: episode/)).toBeVisible();
  await page.getByRole('radio', { name: 'Show the agent of SARSA in the scene' }).check();
  await expect(page.getByText(/^SARSA, seed \d+: episode/)).toBeVisible();
});

test('while a lesson is being loaded the scene of the world before it is not on the stage', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo');
  await expect(page.locator('canvas')).toBeVisible();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => {
    location.hash = '#/lessons/cliff';
  });
  await expect(page.locator('canvas')).toBeHidden();
  await expect(page.locator('#lesson-title')).toHaveCount(0); // its world is not known yet
  // From here on no frame of the page shows the stored picture of the new world together with the scene of the old one.
  await page.evaluate(() => {
    const look = (): void => {
      const poster = document.querySelector('#stage img[src*="pictures/"]');
      const canvas = document.querySelector('#stage canvas');
      if (poster !== null && canvas?.checkVisibility({ visibilityProperty: true }) === true) document.body.dataset.both = 'seen';
      requestAnimationFrame(look);
    };
    look();
  });
  release();
  await expect(page.getByRole('heading', { name: 'Two walkers, one cliff' })).toBeVisible();
  await expect(page.locator('#stage img[src*="cliff-walking"]')).toHaveCount(0);
  await expect(page.locator('canvas')).toBeVisible();
  await expect(page.locator('body')).not.toHaveAttribute('data-both');

  // An address without a lesson leaves the scene where it is.
  await page.evaluate(() => {
    location.hash = '#/lessons/clif';
  });
  await expect(page.getByRole('heading', { name: /There is no lesson/ })).toBeVisible();
  await expect(page.locator('canvas')).toBeVisible();
});

test('by keys alone: an answer keeps the focus, and a button that goes when it is pressed hands it on', { tag: '@night' }, async ({
  page,
}) => {
  await page.goto('./#/lessons/bandit?step=2');
  await page.getByLabel('less than 0.25').focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('about 0.5')).toBeChecked();
  await expect(page.getByText('First your prediction')).toHaveCount(0); // drawn again with the answer
  await expect(page.getByLabel('about 0.5')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Run it' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: 'epsilon 0 0.5' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Runs' })).toBeFocused();

  await page.goto('./#/lessons/bandit?step=3');
  await page.getByRole('slider', { name: 'pay per pull at 0.1' }).focus();
  await page.keyboard.press('PageUp');
  await page.getByRole('button', { name: 'This is my sketch' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Your prediction' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Run all 5' })).toBeFocused();
});

test('a choice stays once its run began, what came out is marked, and the lesson prints whole', { tag: '@night' }, async ({ page }) => {
  await page.goto('./#/lessons/bandit?step=2');
  const half = page.getByRole('radio', { name: 'about 0.5' });
  const most = page.getByRole('radio', { name: 'almost 1' });
  await half.check();
  await most.check(); // nothing ran yet
  await page.getByRole('button', { name: 'Run it' }).click();
  await expect(half).toBeDisabled();
  await expect(most).toBeChecked();
  await expect(page.getByText('you said')).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('label').filter({ hasText: 'about 0.5' })).toContainText('came out');

  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const sheet = page.getByRole('article');
  await expect(sheet.getByRole('heading', { level: 2 })).toHaveCount(5);
  await expect(sheet).toContainText('☑ almost 1');
  await expect(page.getByRole('region', { name: 'The lever nobody pulled' })).toBeHidden(); // the page itself is not printed
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(sheet).toHaveCount(0);
});

test('a reward of one’s own plays on the stage, as large as a scene, and the prediction stays once it trains', { tag: '@night' }, async ({
  page,
}) => {
  await page.goto('./#/lessons/write-reward?step=3');
  const episode = page.getByRole('region', { name: 'Scene' }).locator('[data-scenes="1"] canvas');
  await expect(episode).toBeVisible({ timeout: 30_000 });
  expect((await episode.boundingBox())?.height).toBeGreaterThan(300);
  await page.getByRole('radio', { name: 'a longer way to the goal' }).check();
  await page.getByRole('button', { name: 'Train 3 seeds' }).click();
  await expect(page.getByRole('radio', { name: 'the shortest way' })).toBeDisabled();
  // Another step has the stage to itself again.
  await page.getByRole('button', { name: 'Step 1: Paid by the world' }).click();
  await expect(episode).toHaveCount(0);
});

test('a lesson of one’s own hides what levers pay until a run of its step began, from when the prediction stays', async ({ page }) => {
  const lesson = encodeLesson({
    title: 'Levers',
    goal: '',
    env: { id: 'bandit' },
    algo: { id: 'q-learning' },
    run: { steps: 2000, seeds: 1 },
    show: [],
    steps: [
      { title: 'One', say: 'Which lever?', run: true, hides: 'predicted', ask: { ask: 'Which?', options: ['the first', 'the last'] } },
    ],
  });
  await page.goto(`./#/lessons/own?lesson=${lesson}`);
  await expect(page.getByRole('heading', { name: 'One' })).toBeVisible();
  // The picture without graphics: bars of what a lever pays stand on it in the colour of what is good.
  const canvas = page.locator('[data-drawn] canvas');
  const green = () =>
    canvas.evaluate((element) => {
      const g = element instanceof HTMLCanvasElement ? element.getContext('2d') : null;
      if (g === null) return -1;
      const { data } = g.getImageData(0, 0, g.canvas.width, g.canvas.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4)
        if ((data[at + 1] ?? 0) > (data[at] ?? 0) + 60 && (data[at + 1] ?? 0) > (data[at + 2] ?? 0) + 20) count++;
      return count;
    });
  await expect(canvas).toBeVisible();
  await expect(page.getByText('First your prediction')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await green()).toBe(0);
  const option = page.locator('#panel-left').getByRole('radio').first();
  await option.check();
  expect(await green()).toBe(0);
  await page
    .getByRole('button', { name: 'Train my settings' })
    .or(page.getByRole('button', { name: 'Run it' }))
    .first()
    .click();
  await expect(option).toBeDisabled();
  await expect.poll(green, { timeout: 30_000 }).toBeGreaterThan(100);
});

test('in a lesson there is no button that no one can press, and the scene has the room until its first run', async ({ page }) => {
  await page.goto('./#/lessons/cliff?step=2');
  await expect(page.getByText('In a lesson its steps start the runs.')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Training' }).getByRole('button')).toHaveCount(0);
  await expect(page.locator('#panel-curves')).toBeHidden();
  await page.locator('#panel-left').getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Run all 2' }).click();
  await expect(page.locator('#panel-curves')).toBeVisible();
});
