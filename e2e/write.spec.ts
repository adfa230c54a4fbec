import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { HOSTILE, OWN_CODE, OWN_STEPS, openTrap, walk, writeLink } from '../tools/own-cases.mjs';
import { ENDLESS } from '../tools/own-endless.mjs';
import { type LabWindow, open as openLab, trainToEnd } from './lab.ts';

async function runLink(page: Page, code: string): Promise<void> {
  await page.goto(`/${writeLink(code)}`);
  await page.reload();
  await page.getByRole('button', { name: 'Run this code' }).click();
}

test('a world is written, checked and trained', { tag: '@road' }, async ({ page }) => {
  await page.goto('/#/write');
  await expect(page.getByText(/My world: sees 1 number/)).toBeVisible({ timeout: 60_000 });
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
  const editor = page.getByRole('textbox', { name: /^Your code/ });
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
  await expect(page.getByRole('textbox', { name: /^Your code/ })).toContainText('state.missing.length');
});

test('what was written stands under Mine in the laboratory, is set up there, and opened from there where it is written', async ({
  page,
}) => {
  await page.goto('/#/write?from=doors');
  await expect(page.getByText(/Three doors: sees 10 numbered states/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('combobox', { name: 'Method' })).toHaveValue('q-learning');
  await expect(page).toHaveURL(/#\/write$/);
  const editor = page.getByRole('textbox', { name: /^Your code/ });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(walk('title: "My walk"'));
  await expect(page.getByText(/My walk: sees 1 number/)).toBeVisible({ timeout: 60_000 });
  await page.waitForTimeout(2000); // a version is kept when nothing was typed for a while
  await page.goto('/#/write?from=ferry');
  await expect(page.getByText(/Ferry: sees 3 numbers/)).toBeVisible({ timeout: 60_000 });
  await page.goto('/#/lab');
  await page.getByRole('radio', { name: 'All settings' }).check({ force: true });
  const chooser = page.getByRole('combobox', { name: 'Environment', exact: true });
  const mine = chooser.locator('optgroup[label="Mine"]');
  await expect(mine.locator('option', { hasText: 'My walk' })).toBeAttached({ timeout: 60_000 });
  await expect(mine.locator('option', { hasText: /Ferry|Three doors/ })).toHaveCount(0); // nothing of them was changed
  await chooser.selectOption({ label: 'My walk' });
  await expect(chooser.locator('option:checked')).toHaveText('My walk', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Edit its code' }).click();
  await expect(editor).toContainText('My walk', { timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Train 3 seeds' })).toBeVisible({ timeout: 60_000 });
});

test('every key types into the editor, those of shortcuts too', async ({ page }) => {
  await page.goto('/#/write');
  const editor = page.getByRole('textbox', { name: /^Your code/ });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  const text = '// abcdefghijklmnopqrstuvwxyz 0123456789 ? / . ,';
  await page.keyboard.type(text);
  await expect(editor).toContainText(text);
});

test('versions are stored once something is written, and their database can be deleted while the page is open', { tag: '@night' }, async ({
  page,
}) => {
  const stored = () =>
    page.evaluate(async () => (await indexedDB.databases()).some(({ name }) => name?.startsWith('rl-workbench-worlds:')));
  await page.goto('./#/lab');
  await page.getByRole('radio', { name: 'All settings' }).check({ force: true });
  await expect(page.getByRole('combobox', { name: 'Environment', exact: true })).toBeAttached();
  expect(await stored()).toBe(false);
  await page.goto('./#/write?from=doors');
  const editor = page.getByRole('textbox', { name: /^Your code/ });
  await editor.click();
  await page.keyboard.insertText('// mine\n');
  await expect.poll(stored).toBe(true);
  await page.evaluate(async () => {
    const found = (await indexedDB.databases()).find(({ name }) => name?.startsWith('rl-workbench-worlds:'));
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(found?.name ?? '');
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
    });
  });
  expect(await stored()).toBe(false);
  await page.keyboard.insertText('// again\n');
  await expect.poll(stored).toBe(true);
});

test('an address that names no starting point says which there are', async ({ page }) => {
  await page.goto('/#/write?from=nothing');
  await expect(page.getByRole('alert')).toContainText(/no starting point "nothing".*doors.*ferry/);
});

/** Files of one's own, with the method and steps of the command line. */
const OTHERS: readonly (readonly [kind: string, code: string, algo: readonly string[], steps: number])[] = [
  // the same file in Firefox: tools/firefox.mjs
  ['world', OWN_CODE, [], OWN_STEPS],
  ['reward', "defineReward({ title: 'Speed', env: 'mountain-car', reward: ({ next }) => 100 * Math.abs(next.velocity) });", [], 8192],
  [
    'player',
    "definePlayer({ title: 'Rule', env: 'cartpole', act: (seen) => (seen.angle + 0.5 * seen.angularSpeed > 0 ? 1 : 0) });",
    ['dagger'],
    4096,
  ],
  [
    'method',
    `defineMethod({
  title: 'Table', env: 'cliff-walking', sees: 'states', acts: 'discrete', metrics: ['error'],
  settings: { stepSize: { default: 0.5, min: 0.01, max: 1 } },
  start: ({ states, actions }) => ({ n: actions, q: new Float64Array(states * actions) }),
  act(memory, seen, settings, random) {
    const row = Array.from({ length: memory.n }, (_, a) => memory.q[seen * memory.n + a]);
    return random.chance(0.1) ? random.int(memory.n) : row.indexOf(Math.max(...row));
  },
  learn(memory, { seen, action, reward, next, ended }, { stepSize }) {
    const best = ended ? 0 : Math.max(...memory.q.slice(next * memory.n, (next + 1) * memory.n));
    const error = reward + best - memory.q[seen * memory.n + action];
    memory.q[seen * memory.n + action] += stepSize * error;
    return { error };
  },
});`,
    [],
    6000,
  ],
];

for (const [kind, code, algo, steps] of OTHERS) {
  test(`a ${kind} of one's own: the same parameters in Node and in the page`, { tag: '@night' }, async ({ page }) => {
    test.slow();
    const file = join(mkdtempSync(join(tmpdir(), 'own-')), 'mine.js');
    writeFileSync(file, code);
    const args = ['--env-file', file, ...algo.flatMap((id) => ['--algo', id]), '--steps', `${steps}`, '--seeds', '3', '--json'];
    const out = execFileSync(process.execPath, ['tools/rl.mjs', 'train', ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
    const { seeds } = JSON.parse(out.trim().split('\n').at(-1) ?? '') as { seeds: readonly { readonly parameterHash: string }[] };
    await runLink(page, code);
    await page.getByRole('spinbutton', { name: 'Steps' }).fill(`${steps}`, { timeout: 60_000 });
    for (const id of algo) await page.getByRole('combobox', { name: 'Method' }).selectOption(id);
    await page.getByRole('button', { name: 'Train 3 seeds' }).click();
    await expect(page.getByText('Training has ended.')).toBeAttached({ timeout: 180_000 });
    const hashes = await page
      .getByRole('row', { name: /^[123] / })
      .evaluateAll((rows) => rows.map((row) => row.lastElementChild?.textContent));
    expect(hashes).toEqual(seeds.map(({ parameterHash }) => parameterHash));
    if (kind === 'reward') await expect(page.getByRole('columnheader', { name: 'Policy: old reward' })).toBeVisible();
    if (kind !== 'method') return;
    // saved, opened again and gone on with: the state travels in the file, and the code is shown before it runs
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the run' }).click()]);
    const saved = readFileSync((await download.path()) ?? '', 'utf8');
    await page.goto('/#/write');
    await page.reload();
    await page.locator('input[type=file]').setInputFiles({ name: 'run.json', mimeType: 'application/json', buffer: Buffer.from(saved) });
    await expect(page.getByRole('textbox', { name: 'Code of the file' })).toHaveValue(/defineMethod/);
    await page.getByRole('button', { name: 'Run this code' }).click();
    await page.getByRole('spinbutton', { name: 'Steps' }).fill('9000', { timeout: 60_000 });
    await page.getByRole('button', { name: /^Go on from step/ }).click();
    await expect(page.getByText('Training has ended.')).toBeAttached({ timeout: 120_000 });
    await expect(page.getByRole('row', { name: /^1 / }).getByRole('cell').first()).toHaveText(/^9\D000$/); // the digits are grouped as the browser's language does
  });
}

test('all four kinds are chosen by keyboard, and the environment of a reward from the catalogue', async ({ page }) => {
  await page.goto('/#/write');
  await page.getByRole('radio', { name: 'World' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(/CartPole.*: sees 4 numbers/)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('combobox', { name: 'Environment' }).selectOption('pendulum');
  await expect(page.getByRole('alert')).toContainText(/Seen by name/, { timeout: 60_000 });
  await expect(page.getByRole('textbox', { name: /^Your code/ })).toContainText("env: 'pendulum'");
  for (const kind of ['Player', 'Method', 'World']) {
    await page.getByRole('radio', { name: kind }).click();
    await expect(page.getByRole('radio', { name: kind })).toBeChecked();
  }
});

/** ms for which code in a sandbox may keep the page from answering. */
const MOST_TASK_MS = 1000;
/** Tried on every push; the others at night. */
const EVERY_PUSH = ['every way to the network', 'fetch', 'its constructor', 'prototypes', 'a reward that fetches', 'an endless loop'];

test('a frame like that of the sandbox, but without its policy, is heard by the server that stands for the outside', async ({ page }) => {
  const [other, trap] = [await openTrap(), await openTrap()];
  await page.goto(other.url);
  await page.setContent(`<iframe sandbox="allow-scripts" srcdoc="<script>fetch('${trap.url}')</script>"></iframe>`);
  await expect.poll(() => trap.calls()).toBeGreaterThan(0);
  other.close();
  trap.close();
});

for (const { what, code, says } of [...HOSTILE, ...ENDLESS]) {
  test(`hostile: ${what}`, { tag: EVERY_PUSH.includes(what) ? [] : ['@night'] }, async ({ page }) => {
    const trap = await openTrap();
    await runLink(page, trap.aim(code));
    await page.evaluate(() => {
      const longest = { ms: 0 };
      Object.assign(window, { longestTask: longest });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration);
      }).observe({ type: 'longtask' });
    });
    // what stands beside the scene and what went wrong: code that can be read may fail only when it plays
    const words = page.getByRole('alert').or(page.getByText(/(Walk|[RPM]( \(.*\))?): sees/));
    await expect.poll(async () => (await words.allTextContents()).join(' '), { timeout: 60_000 }).toMatch(says);
    await page.waitForTimeout(300); // what it asks for may come later than its words
    expect(trap.calls()).toBe(0);
    trap.close();
    const state = await page.evaluate(() => ({
      polluted: Reflect.get({}, 'polluted'),
      map: typeof [].map,
      kept: (window as unknown as { longestTask: { ms: number } }).longestTask.ms,
    }));
    expect(state).toMatchObject({ polluted: undefined, map: 'function' });
    test.info().annotations.push({ type: 'longest task of the page, ms', description: `${Math.round(state.kept)}` });
    expect(state.kept).toBeLessThan(MOST_TASK_MS);
    await expect(page.getByRole('heading', { name: 'Write your own' })).toBeVisible(); // the page answers
  });
}

test('a link shows its code and runs nothing before it is asked to', async ({ page }) => {
  await page.goto(`/${writeLink(walk(''))}`);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Code of the link' })).toHaveValue(/title: 'Walk'/);
  await expect(page.locator('iframe')).toHaveCount(0);
});

/** Asks a page past the driver, which takes the loss of a frame for that of its page and answers nothing of it from then on. */
async function besideDriver(browser: Browser, address: RegExp): Promise<(expression: string) => Promise<unknown>> {
  const cdp = await browser.newBrowserCDPSession();
  const { targetInfos } = await cdp.send('Target.getTargets');
  const target = targetInfos.find(({ type, url }) => type === 'page' && address.test(url));
  if (target === undefined) throw new Error('there is no such page');
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId: target.targetId, flatten: false });
  const open = new Map<number, (value: unknown) => void>();
  cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message) as { id: number; result?: { result?: { value?: unknown } } };
    open.get(id)?.(result?.result?.value);
  });
  let next = 1;
  return async (expression) => {
    const id = next++;
    const answer = new Promise<unknown>((resolve) => open.set(id, resolve));
    const message = JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression, returnByValue: true } });
    await cdp.send('Target.sendMessageToTarget', { sessionId, message });
    return answer;
  };
}

const MEMORY: readonly (readonly [what: string, code: string])[] = [
  ['lists', 'reset() { const all = []; for (;;) all.push(new Array(1e6).fill(Math.PI)); }'],
  ['while it plays', 'step(state) { for (;;) (state.all ??= []).push(new Array(1e6).fill(Math.PI)); }'],
];
for (const [what, code] of MEMORY) {
  test(`hostile: all memory, ${what}, costs its frame and neither the page nor a stored run`, { tag: '@night' }, async ({
    page,
    browser,
  }) => {
    test.slow();
    await openLab(page, '#env=cartpole&algo=ppo&steps=4096&seeds=1');
    const { id } = await trainToEnd(page);
    await runLink(page, walk(code));
    const ask = await besideDriver(browser, /#\/write/);
    const words = `[...document.querySelectorAll('[role="alert"]')].map((e) => e.textContent).join(' ')`;
    await expect.poll(() => ask(words), { timeout: 90_000 }).toMatch(/ended the frame|did not answer for|RangeError|allocation/);
    expect(await ask('document.querySelector("h1").textContent')).toBe('Write your own');
    const later = await page.context().newPage();
    await openLab(later);
    await expect
      .poll(() => later.evaluate(() => (window as LabWindow).__lab?.runs.map((run) => run.id)), { timeout: 60_000 })
      .toContain(id);
  });
}
