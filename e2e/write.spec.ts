import { deflateSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';

/** A world that walks on a line, with other members, and lines before it. */
const walk = (members: string, before = ''): string => `${before}
defineEnv({
  title: 'Walk',
  observation: { labels: ['place'], low: 0, high: 1 },
  actions: ['left', 'right'],
  maxSteps: 20,
  reset: (settings, random) => ({ place: random.int(5) }),
  step: (state, action) => { state.place = Math.max(0, state.place + 2 * action - 1); return { reward: state.place / 10, ended: state.place === 8 }; },
  observe: (state) => [state.place / 8],
  ...{ ${members} }
});`;

const packed = (code: string): string => deflateRaw(code).toString('base64url');
function deflateRaw(code: string): Buffer {
  // zlib wraps the deflated bytes in two before and four behind
  return deflateSync(code, { level: 9 }).subarray(2, -4);
}

async function runLink(page: Page, code: string): Promise<void> {
  await page.goto(`/#/write?code=${packed(code)}`);
  await page.reload();
  await page.getByRole('button', { name: 'Run this code' }).click();
}

test('a world is written, checked and trained', async ({ page }) => {
  await page.goto('/#/write');
  await expect(page.getByText(/My world: sees 1 numbers/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('img', { name: /played by random actions/ })).toBeVisible();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Checks' })).toContainText('the same seed gives the same episode', { timeout: 30_000 });
  await page.getByRole('spinbutton', { name: 'Steps' }).fill('4000');
  await page.getByRole('button', { name: 'Train 3 seeds' }).click();
  await expect(page.getByText('Training has ended.')).toBeAttached({ timeout: 90_000 });
  await expect(page.getByRole('row', { name: /^1 / }).getByRole('cell').last()).toHaveText(/^[0-9a-f]{16}$/);
  await expect(page.getByRole('img', { name: /played by what was learned/ })).toBeVisible({ timeout: 30_000 });
});

test('an error stands at its line, and the code is there after a reload', async ({ page }) => {
  await page.goto('/#/write');
  const editor = page.getByRole('textbox', { name: /Code of the world/ });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(walk('step(state) {\n  return state.missing.length;\n}'));
  await expect(page.getByRole('alert')).toContainText('step failed in line 11', { timeout: 60_000 });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('\nconst = 5; // state.missing.length');
  await expect(page.getByRole('alert')).toContainText(/^Line 2\. SyntaxError/, { timeout: 60_000 });
  await page.waitForTimeout(2000); // a version is kept when nothing was typed for a while
  await page.reload();
  await expect(page.getByRole('textbox', { name: /Code of the world/ })).toContainText('state.missing.length');
});

/** What the code tries, and what the page says. Each runs in the sandbox or is refused; none reaches anything. */
const HOSTILE: readonly (readonly [what: string, code: string, says: RegExp])[] = [
  ['fetch', walk('step: () => fetch("https://example.org/")'), /step failed/],
  [
    'its constructor',
    walk('step: () => (() => {}).constructor("return self")()'),
    /step failed.*(EvalError|unsafe-eval|Content Security)/s,
  ],
  [
    'breaking out of its function',
    `}; self.name = 'x'; indexedDB.open('a'); self.z = function () {\n${walk('')}`,
    /SecurityError|denied|no world|not answer|cannot/i,
  ],
  [
    'scripts from elsewhere',
    `}; importScripts('https://example.org/x.js'); self.z = function () {\n${walk('')}`,
    /importScripts|Failed|NetworkError/,
  ],
  ['an endless loop', walk('reset() { for (;;); }'), /did not answer for \d+ seconds/],
  [
    'messages without end',
    `}; for (let i = 0; i < 100000; i++) postMessage('x'.repeat(1000)); self.z = function () {\n${walk('')}`,
    /said too much|none of the workbench/,
  ],
  ['a message that is no text', `}; postMessage({ kind: 'ready' }); self.z = function () {\n${walk('')}`, /said something that is no text/],
  [
    'a false message',
    `}; postMessage('{"kind":"ready","world":{"title":"<img src=x>"}}'); self.z = function () {\n${walk('')}`,
    /none of the workbench/,
  ],
  ['prototypes', walk('', 'Object.prototype.polluted = 1; Array.prototype.map = null;'), /Walk: sees|failed|not a function|cannot/],
];

for (const [what, code, says] of HOSTILE) {
  test(`hostile: ${what}`, async ({ page }) => {
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith('http://localhost') && !request.url().startsWith('http://127.') && /^https?:/.test(request.url()))
        outside.push(request.url());
    });
    await runLink(page, code);
    await expect(
      page
        .getByRole('alert')
        .or(page.getByText(/Walk: sees/))
        .first(),
    ).toContainText(says, { timeout: 60_000 });
    expect(outside).toEqual([]);
    expect(await page.evaluate(() => ({ polluted: Reflect.get({}, 'polluted'), map: typeof [].map }))).toEqual({
      polluted: undefined,
      map: 'function',
    });
    await expect(page.getByRole('heading', { name: 'Write a world' })).toBeVisible(); // the page answers
  });
}

test('a link shows its code and runs nothing before it is asked to', async ({ page }) => {
  await page.goto(`/#/write?code=${packed(walk(''))}`);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Code of the link' })).toHaveValue(/title: 'Walk'/);
  await expect(page.locator('iframe')).toHaveCount(0);
});
