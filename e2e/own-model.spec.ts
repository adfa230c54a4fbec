/** A small language model in the form of llama2.c: dropped, looked at while it writes, refused with its size or the field that is wrong. */
import { dropFile, expect, open, test } from './lab.ts';

const TEXTS = [
  '<unk>',
  '<s>',
  '</s>',
  ...Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`),
  ' ',
  ...'Onceupatim',
];

/** Drawn weights: what it writes is nonsense. */
function checkpoint(vocabulary = TEXTS.length, heads = 4): Buffer {
  const [dim, hidden, layers, kvHeads, places] = [16, 24, 2, 2, 64];
  const floats =
    vocabulary * dim +
    2 * layers * dim +
    2 * layers * dim * dim +
    layers * dim * dim +
    3 * layers * dim * hidden +
    dim +
    places * (dim / 4);
  const bytes = Buffer.alloc(28 + 4 * floats);
  for (const [i, value] of [dim, hidden, layers, heads, kvHeads, vocabulary, places].entries()) bytes.writeInt32LE(value, 4 * i);
  for (let i = 0, x = 7; i < floats; i++) {
    x = (x * 48271) % 2147483647;
    bytes.writeFloatLE((x / 2147483647 - 0.5) * 0.8, 28 + 4 * i);
  }
  return bytes;
}

function tokenizer(): Buffer {
  const parts = [Buffer.from([8, 0, 0, 0])];
  for (const [i, text] of TEXTS.entries()) {
    const head = Buffer.alloc(8);
    head.writeFloatLE(-i, 0);
    head.writeInt32LE(text.length, 4);
    parts.push(head, Buffer.from(text, 'latin1'));
  }
  return Buffer.concat(parts);
}

for (const [where, viewport, tag] of [
  ['a desk', { width: 1440, height: 900 }, []],
  ['a phone', { width: 390, height: 844 }, ['@night']],
] as const)
  test(`a model is dropped, writes, and each token says what else could have stood there, on ${where}`, { tag: [...tag] }, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await open(page);
    await dropFile(page, 'tiny.bin', checkpoint());
    await expect(page.getByRole('heading', { name: 'A model of your own', level: 1 })).toBeVisible();
    await expect(
      page.getByRole('status').filter({ hasText: /tiny\.bin: .* 16 wide, 2 layers, 4 heads, 270 tokens, rows of 64\./ }),
    ).toContainText('tokens are numbers');
    await dropFile(page, 'tok270.bin', tokenizer());
    await expect(page.getByText('tokens are numbers')).toBeHidden();
    await page.getByRole('textbox', { name: 'Text to go on from' }).fill('Once');
    await page.getByRole('button', { name: 'Write', exact: true }).press('Enter');
    const text = page.getByRole('region', { name: 'What it writes' });
    await expect(text.getByRole('button').first()).toHaveAttribute('title', 'given');
    await expect(page.getByRole('button', { name: 'Write', exact: true })).toBeVisible();
    const tokens = text.getByRole('button');
    expect(await tokens.count()).toBeGreaterThan(5);
    await tokens.nth(5).press('Enter');
    const likely = page.getByRole('table', { name: 'What could have stood there' });
    await expect(likely.getByRole('row')).toHaveCount(8);
    // the same seed writes the same again
    const before = await text.textContent();
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await expect(text).not.toHaveAttribute('aria-busy', 'true');
    await expect.poll(() => text.textContent()).toBe(before);
  });

test('what cannot be read is refused in words: too large by its size, a wrong field by its name', { tag: '@night' }, async ({ page }) => {
  await open(page);
  const large = checkpoint(TEXTS.length);
  await dropFile(page, 'stories15M.bin', Buffer.concat([large, Buffer.alloc(17_000_000)]));
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText(/^The model has 17\.\d MB; up to 16\.8 MB is read here\./);
  await dropFile(page, 'odd.bin', checkpoint(TEXTS.length, 3));
  await expect(alert).toContainText('n_heads is 3');
  await dropFile(page, 'cut.bin', checkpoint().subarray(0, 4000));
  await expect(alert).toContainText('By its header the file should have');
  await expect(page.getByText('There is no model yet.')).toBeVisible();
});
