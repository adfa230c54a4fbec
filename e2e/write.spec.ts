import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { type LabWindow, open as openLab, trainToEnd } from './lab.ts';

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

test('what was written stands under Mine in the laboratory and opens where it is written', async ({ page }) => {
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
  await expect(editor).toContainText('My walk', { timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Train 3 seeds' })).toBeVisible({ timeout: 60_000 });
});

test('versions are stored once something is written, and their database can be deleted while the page is open', async ({ page }) => {
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
  ['world', walk('settings: { a: { default: 1, min: 0, max: 2 } }'), [], 8192],
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
  test(`a ${kind} of one's own: the same parameters in Node and in the page`, async ({ page }) => {
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

const reward = (body: string): string => `defineReward({ title: 'R', env: 'cartpole', reward: ${body} });`;
const player = (body: string): string => `definePlayer({ title: 'P', env: 'cartpole', act: ${body} });`;
const method = (members: string): string =>
  `defineMethod({ title: 'M', env: 'frozen-lake', start: () => ({}), act: () => 0, learn() {}, ...{ ${members} } });`;
/** Code that breaks out of its function and then defines nothing. */
const outside = (code: string): string => `}; ${code}; self.z = function () {\n${walk('')}`;

const REFUSED =
  /SecurityError|denied|not defined|undefined|no world|defines no|not answer|cannot|failed|Failed|blocked|Content Security|not a constructor|not a function|null/i;

/** Each tries one door to the outside. All end in words. */
const DOORS: readonly (readonly [what: string, code: string, says?: RegExp])[] = [
  ['a reward that fetches', reward('() => fetch("https://example.org/")'), /reward failed/],
  ['a reward that never ends', reward('() => { for (;;); }'), /did not answer for \d+ seconds/],
  ['a reward that gives a text', reward('() => "<img src=x onerror=alert(1)>"'), /reward gives/],
  ['a reward that gives an object with a getter', reward('() => ({ get valueOf() { throw 1; } })'), /reward gives/],
  ['a reward that throws a proxy', reward('() => { throw new Proxy({}, { get() { throw 1; } }); }'), /./],
  ['a reward that throws its own error class', reward('() => { throw Object.assign(new Error("x"), { failure: { id: 1 } }); }'), /./],
  ['a reward that changes what is seen', reward('({ next }) => { next.x = 5; return 1; }'), /reward failed/],
  [
    'a reward over an environment that is none',
    "defineReward({ title: 'R', env: '../../etc', reward: () => 1 });",
    /no environment|There is no/,
  ],
  ['a reward over a prototype', "defineReward({ title: 'R', env: '__proto__', reward: () => 1 });", /There is no/],
  [
    'a reward with parts without end',
    "defineReward({ title: 'R', env: 'cartpole', parts: Array(1e6).fill('a'), reward: () => 1 });",
    /parts/,
  ],
  ['a title of a million characters', "defineReward({ title: 'x'.repeat(1e6), env: 'cartpole', reward: () => 1 });", /./],
  [
    'settings without end',
    "defineReward({ title: 'R', env: 'cartpole', settings: Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ['s' + i, { default: 1, min: 0, max: 1 }])), reward: () => 1 });",
    /./,
  ],
  ['a player that sends', player('() => { new WebSocket("wss://example.org"); return 0; }'), /act failed/],
  ['a player that never ends', player('() => { while (true); }'), /did not answer for \d+ seconds/],
  ['a player with an action that is none', player('() => 99'), /act gives/],
  ['a player that gives NaN', player('() => NaN'), /act gives/],
  [
    'a player that remembers too much',
    player('(() => { const all = []; return () => { all.push(new Float64Array(10)); return 0; }; })()'),
    /P.*: sees/,
  ],
  ['a method with its settings as code', method('settings: { a: { default: "x", options: ["<script>"] } }'), /setting/],
  [
    'a method without memory',
    "defineMethod({ title: 'M', env: 'frozen-lake', start() { return () => 0; }, act: () => 0, learn() {} });",
    /M.*: sees/,
  ],
  [
    'a method over a missing environment',
    "defineMethod({ title: 'M', env: 'nothing', start: () => ({}), act: () => 0, learn() {} });",
    /There is no/,
  ],
  ['two definitions', `${reward('() => 1')}${player('() => 0')}`, /defines 2 things/],
  ['no definition', 'const nothing = 1;', /defines no world/],
  [
    'XMLHttpRequest',
    outside("const x = new XMLHttpRequest(); x.open('GET', 'https://example.org'); x.send(); throw new Error('sent ' + x.status)"),
    /sent 0/,
  ],
  ['a beacon', outside("throw new Error('beacon ' + navigator.sendBeacon('https://example.org', 'x'))"), /./],
  ['an EventSource', outside("new EventSource('https://example.org')"), /./],
  ['a WebSocket', outside("new WebSocket('wss://example.org')"), /./],
  ['WebTransport', outside("new WebTransport('https://example.org')"), /./],
  ['a peer connection', outside('new RTCPeerConnection()'), /./],
  ['a worker in the worker', outside("new Worker('https://example.org/x.js')"), /./],
  ['a worker from a text', outside('new Worker(URL.createObjectURL(new Blob([\'fetch("https://example.org")\'])))'), /./],
  ['a module', outside("import('https://example.org/x.js')"), /./],
  ['a module from a text', outside("import('data:text/javascript,1')"), /./],
  ['caches', outside("caches.open('a').then((c) => c.add('https://example.org'))"), /./],
  ['storage', outside("localStorage.setItem('a', 'b')"), REFUSED],
  ['cookies', outside("document.cookie = 'a=b'"), REFUSED],
  ['the parent page', outside("parent.document.title = 'taken'"), REFUSED],
  ['the top page', outside("top.location = 'https://example.org'"), REFUSED],
  ['a broadcast to other tabs', outside("new BroadcastChannel('rl-workbench').postMessage('x')"), /./],
  ['a lock that others wait for', outside("navigator.locks.request('rl-workbench', () => new Promise(() => {}))"), /./],
  ['the file system', outside("navigator.storage.getDirectory().then((d) => d.getFileHandle('a', { create: true }))"), /./],
  ['a font', outside("new FontFace('a', 'url(https://example.org/a.woff)').load()"), /./],
  ['a notification', outside("new Notification('x')"), /./],
  ['code made from a text', outside("eval('1')"), /EvalError|unsafe-eval|Content Security/],
  ['a function from a text', outside("new Function('return 1')()"), /EvalError|unsafe-eval|Content Security/],
  ['a timer from a text', outside("setTimeout('self.x = 1', 0)"), /./],
  ['shared memory', outside('new SharedArrayBuffer(1024)'), /./],
  [
    'a message that claims a training',
    outside("postMessage(JSON.stringify({ kind: 'trained', id: 1, result: { evalReturn: 1e9 } }))"),
    /none of the workbench/,
  ],
  [
    'a state of a million characters too many',
    outside("postMessage(JSON.stringify({ kind: 'saved', id: 1, step: 1, state: 'x'.repeat(9e6) }))"),
    /said too much|none of the workbench/,
  ],
  [
    'a picture with a link',
    outside(
      "postMessage(JSON.stringify({ kind: 'ready', world: { kind: 'world', layout: { kind: 'bodies', texture: 'https://example.org/a.png' } } }))",
    ),
    /none of the workbench/,
  ],
  ['closing itself', outside('self.close()'), /not answer|./],
  [
    'other lists',
    walk('', 'Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; };'),
    /not answer|failed|cannot|Walk: sees|./,
  ],
  ['JSON of its own', outside('JSON.stringify = () => \'{"kind":"eval"}\''), /none of the workbench|./],
  ['numbers of its own', walk('', 'Number.isFinite = () => true; Number.isInteger = () => true;'), /./],
];

/** Tried on every push; the others at night. */
const EVERY_PUSH = ['fetch', 'its constructor', 'prototypes', 'a reward that fetches', 'an endless loop'];

for (const [what, code, says = REFUSED] of [...HOSTILE, ...DOORS]) {
  test(`hostile: ${what}`, { tag: EVERY_PUSH.includes(what) ? [] : ['@night'] }, async ({ page }) => {
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith('http://localhost') && !request.url().startsWith('http://127.') && /^https?:/.test(request.url()))
        outside.push(request.url());
    });
    await runLink(page, code);
    // what stands beside the scene and what went wrong: code that can be read may fail only when it plays
    const words = page.getByRole('alert').or(page.getByText(/(Walk|[RPM]( \(.*\))?): sees/));
    await expect.poll(async () => (await words.allTextContents()).join(' '), { timeout: 60_000 }).toMatch(says);
    expect(outside).toEqual([]);
    expect(await page.evaluate(() => ({ polluted: Reflect.get({}, 'polluted'), map: typeof [].map }))).toEqual({
      polluted: undefined,
      map: 'function',
    });
    await expect(page.getByRole('heading', { name: 'Write your own' })).toBeVisible(); // the page answers
  });
}

test('a link shows its code and runs nothing before it is asked to', async ({ page }) => {
  await page.goto(`/#/write?code=${packed(walk(''))}`);
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
