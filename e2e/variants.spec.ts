/** A setting that is one of several kinds: the form shows what acts, and a link of the time before, with flat names, says the same. */
import { configHash, expect, open, test } from './lab.ts';

test('the fields of the kind that is chosen stand below it', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&algo.bonus=RND&algo.bonusWeight=0.5&seeds=1&depth=research');
  const before = await configHash(page);
  const choice = page.getByRole('combobox', { name: 'exploration bonus' });
  const fields = page.getByRole('group', { name: /^exploration bonus: / });
  await choice.scrollIntoViewIfNeeded();
  await expect(choice).toHaveValue('"RND"');
  await expect(fields.getByRole('spinbutton', { name: 'bonus weight' })).toHaveValue('0.5');
  await expect(fields.getByRole('spinbutton', { name: /bits of the hash/ })).toHaveCount(0);
  if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/rnd.png` });

  await choice.selectOption('hash counts');
  await expect(page.getByRole('group', { name: 'exploration bonus: hash counts' })).toBeVisible();
  await expect(fields.getByRole('spinbutton', { name: /bits of the hash/ })).toHaveValue('32');
  await expect(fields.getByRole('spinbutton', { name: 'bonus weight' })).toHaveValue('0.5'); // both kinds have it
  await expect.poll(() => configHash(page)).not.toBe(before);
  await expect.poll(() => decodeURIComponent(page.url())).toContain('#1.');

  await choice.selectOption('none');
  await expect(fields).toHaveCount(0);
  await page.getByRole('button', { name: 'Reset exploration bonus' }).click();
  await expect(choice).toHaveValue('"RND"');
  await expect.poll(() => configHash(page)).toBe(before);
});
