/**
 * Roads through the page by keys alone, for any browser: the page of Playwright and that of puppeteer-core both press keys and evaluate. Walked by
 * e2e/access.spec.ts in Chromium and by tools/firefox.mjs. Each throws where a stop is missing, is not seen, or does not do what it says.
 */

const PATIENCE_MS = 60_000;
/** Stops of the Tab key from one control to any other of a view, at most. */
const MOST_STOPS = 220;

/** In the page: the name of an element as it is read out, its kind and whether it is in sight. */
const STOP = `(at) => {
  if (at === null || at === document.body) return { name: '', role: 'body', seen: true };
  const named = at.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  // Firefox also stops at boxes that scroll, whose text is that of all that is in them.
  const inner = ['DIV', 'MAIN', 'SECTION', 'UL'].includes(at.tagName) ? '' : at.textContent;
  const name = named ?? at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? inner ?? '';
  const box = at.getBoundingClientRect();
  return {
    name: name.trim().replace(/\\s+/g, ' '),
    role: at.getAttribute('role') ?? (at.tagName === 'INPUT' ? at.type : at.tagName.toLowerCase()),
    seen: box.width > 0 && box.height > 0 && getComputedStyle(at).visibility !== 'hidden' && box.bottom > 0 && box.top < innerHeight,
  };
}`;
const FOCUSED = `(${STOP})(document.activeElement)`;

/**
 * In the page: which way what is called so is from what has the focus, null while nothing is or it cannot be pressed yet. The end of a page is never
 * crossed: the bars of the browser come then.
 */
const WAY = (name) => `(() => {
  const within = document.querySelector('dialog[open]') ?? document;
  const stops = [...within.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')];
  const wanted = stops.filter((one) => ${name}.test((${STOP})(one).name) && one.disabled !== true && one.getClientRects().length > 0);
  const { activeElement: at } = document;
  const follows = (one) => (at.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  if (wanted.length === 0) return null;
  return at === null || at === document.body || wanted.some(follows) ? 'on' : 'back';
})()`;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(page, expression, what) {
  const end = performance.now() + PATIENCE_MS;
  while (!(await page.evaluate(expression))) {
    if (performance.now() > end) throw new Error(`${what} does not come`);
    await wait(100);
  }
}

/** Waits for a control and presses Tab, or Shift and Tab where it stands before, until what has the focus is called this. A stop on the way that is out of sight ends it. */
async function tabTo(page, name) {
  const stops = [];
  await until(page, `${WAY(name)} !== null`, `a control called ${name}`);
  const back = (await page.evaluate(WAY(name))) === 'back';
  for (let i = 0; i < MOST_STOPS; i++) {
    if (back) await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    if (back) await page.keyboard.up('Shift');
    const at = await page.evaluate(FOCUSED);
    stops.push(`${at.role} ${at.name.slice(0, 40)}`);
    if (!at.seen) throw new Error(`the focus is on "${at.name}", which is not in sight`);
    if (name.test(at.name)) return;
  }
  throw new Error(`no stop called ${name}: ${stops.slice(-12).join(' | ')}`);
}

/** Goes to it and presses it. */
async function choose(page, name, key = 'Enter') {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

const says = (text) => `(document.body.innerText ?? '').includes(${JSON.stringify(text)})`;

/** Goes to a group of options, of which one has this name, and chooses another by the arrow keys. */
async function option(page, any, wanted) {
  await tabTo(page, any);
  await page.keyboard.press(' ');
  for (let i = 0; i < 12; i++) {
    if (wanted.test((await page.evaluate(FOCUSED)).name)) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`no option called ${wanted}`);
}

/** Types another value into a field. */
async function replace(page, name, text) {
  await tabTo(page, name);
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** From the front page to a run that is trained, asked why, and shared. */
async function frontToShared(page, url) {
  await page.goto(`${url}#/home`);
  await until(page, `document.querySelector('h1') !== null`, 'the front page');
  await choose(page, /Frozen lake/);
  await until(
    page,
    `(window.__lab?.activeRun?.seeds ?? []).length > 0 && window.__lab.activeRun.seeds.every(({ state }) => state === 'done')`,
    'the end of the training',
  );
  await page.keyboard.press('Escape'); // the tour
  await choose(page, /^Back to the scene/);
  await choose(page, /^Why\?/);
  await tabTo(page, /^TD error/); // numbers of the decision, each with its formula
  await choose(page, /^Share$/);
  await until(page, `document.querySelector('dialog[open]') !== null`, 'the dialog');
  await choose(page, /^Copy (the )?link/i);
  await wait(500);
  await page.keyboard.press('Escape');
  await until(page, `document.querySelector('dialog[open]') === null`, 'the end of the dialog');
  const { name } = await page.evaluate(FOCUSED);
  if (name !== 'Share') throw new Error(`after the dialog the focus is on "${name}"`);
}

/** The first lesson from its card to the answer of its task: played, predicted, run, sketched, compared, written, reached. */
async function wholeLesson(page, url) {
  await page.goto(`${url}#/lessons`);
  await until(page, `document.querySelector('h1') !== null`, 'the lessons');
  await choose(page, /^(?!For a class).*The lever nobody pulled/);
  await until(page, says('Play it'), 'the first step');
  await choose(page, /^Play it yourself/);
  await until(page, `window.__lab?.stage?.mode === 'play'`, 'the game');
  for (const [rounds, key] of ['1', '2', '3'].entries()) {
    await page.keyboard.press(key);
    await until(page, `window.__lab?.stage?.length === 2`, `round ${rounds + 1}`);
    await wait(300);
  }
  await page.keyboard.press('Escape');
  await until(page, says(' in 3 rounds.'), 'the end of the game');

  await choose(page, /^Next$/);
  await until(page, says('First your prediction'), 'the second step');
  await option(page, /^less than 0.25/, /^about 0.5/);
  await choose(page, /^Run it$/);
  await until(page, says('Return of “epsilon 0”'), 'what came out');

  await choose(page, /^Next$/);
  await tabTo(page, /^pay per pull at 0.1/);
  for (let i = 0; i < 6; i++) await page.keyboard.press('PageUp');
  await choose(page, /^This is my sketch/);
  await choose(page, /^Run all 5/);
  await until(page, says('Highest return:'), 'the comparison');
  await tabTo(page, /differs most from your line/);
  await page.keyboard.type('0.01: it never looked.');

  await choose(page, /^Next$/);
  await choose(page, /^yes, on every seed/, ' ');
  await choose(page, /^Run (it|all)/);
  await until(page, says('Return of “'), 'what came out of the fourth step');

  await choose(page, /^Next$/);
  await replace(page, /^initial value$/, '2');
  await replace(page, /^epsilon start$/, '0');
  await choose(page, /^Train my settings/);
  await until(page, says('Reached'), 'the goal of the task');
  await choose(page, /^Leave the lesson/);
}

export const ROADS = { 'front page to a shared run': frontToShared, 'a whole lesson': wholeLesson };
