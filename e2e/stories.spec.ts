/** Little stories: the weights are fetched when a run begins with them, answers are English from the first policy on. */
import { expect, mainButton, open, test } from './lab.ts';

test('from the link to answers in English at one press', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/stories.bin')) fetched.push(request.url());
  });
  await open(page, '#env=w-stories&seeds=1');
  expect(fetched).toEqual([]);
  await mainButton(page, 'Train').click();
  const group = page.getByRole('region', { name: /^Go on with the story/ });
  await expect(group.getByRole('row')).toHaveCount(17, { timeout: 90_000 });
  expect(fetched.length).toBeGreaterThan(0);
});
