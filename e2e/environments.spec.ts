/**
 * Every environment of the catalogue on the page: opened, watched at random and by its first scripted policy, played by keys where a
 * person can play. One page for all of them, so that it takes a second or two each; what is wrong is named with its environment.
 */
import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { catalogue, configHash, expect, open, test } from './lab.ts';

interface Shown {
  readonly mode: string;
  readonly t: number;
  readonly length: number;
  readonly scripted: string | null;
  readonly message: string;
  readonly replay: { readonly env: { readonly id: string } } | null;
}

const shown = (page: Page): Promise<Shown> =>
  page.evaluate(() => {
    const { mode, t, length, scripted, message, replay } = (window as unknown as { __lab: { stage: Shown } }).__lab.stage;
    return { mode, t, length, scripted, message, replay: replay === null ? null : { env: { id: replay.env.id } } };
  });

const until = (page: Page, what: string, holds: (stage: Shown) => boolean): Promise<void> =>
  expect.poll(async () => holds(await shown(page)), { message: what, timeout: 20_000, intervals: [50, 100, 200] }).toBe(true);

/** The buttons and words under and over the scene. */
const scene = (page: Page) => page.locator('#stage').getByRole('img').first();
const readout = (page: Page) => page.getByTitle('Frame and return so far');

/** One of each kind of map: terrain, rooms, layouts, agents and items, regrowth. */
const WITH_MAPS = [
  'cleanup',
  'cliff-walking',
  'commons-harvest',
  'frozen-lake',
  'gathering',
  'level-based-foraging',
  'lifelong-mapf',
  'minigrid-custom',
  'mo-item-gathering',
  'overcooked',
  'predator-prey',
  'sokoban',
];

const KEYS: { readonly [sign: string]: string } = {
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  Space: ' ',
  Enter: 'Enter',
};

async function watched(page: Page, id: string, scripted: string | null): Promise<void> {
  await until(page, 'an episode is there', (now) => now.replay?.env.id === id && now.length > 1 && now.scripted === scripted);
  const before = await readout(page).textContent();
  await page.getByRole('button', { name: 'Next frame' }).click();
  await expect.poll(() => readout(page).textContent(), { message: 'the readout moves' }).not.toBe(before);
  await expect
    .poll(async () => ((await scene(page).getAttribute('aria-label')) ?? '').length, { message: 'the scene says what it shows' })
    .toBeGreaterThan(5);
}

async function played(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Play yourself' }).check();
  await until(page, 'a game is open', (now) => now.mode === 'play');
  const sign = (await page.locator('#stage kbd').first().textContent({ timeout: 5000 })) ?? '';
  const key = KEYS[sign] ?? sign.toLowerCase();
  const before = (await shown(page)).length;
  await page.keyboard.down(key);
  await until(page, `the key ${key} makes a step`, (now) => now.mode !== 'play' || now.length > before);
  await page.keyboard.up(key);
  await pressAll(page);
  if ((await shown(page)).mode === 'play') await page.keyboard.press('Escape');
  await until(page, 'the game ends', (now) => now.mode !== 'play');
}

/** Every key of a game, and those by which focused controls are pressed and moved: they play, or do nothing once it is over. */
async function pressAll(page: Page): Promise<void> {
  const state = (): Promise<unknown> =>
    page.evaluate(() => ({
      hash: (window as unknown as { __lab: { configHash: string } }).__lab.configHash,
      runs: (window as unknown as { __lab: { runs: readonly unknown[] } }).__lab.runs.length,
      scrolled: [document.scrollingElement?.scrollTop, document.getElementById('stage')?.scrollTop],
      dialogs: document.querySelectorAll('dialog[open]').length,
    }));
  const before = await state();
  const signs = await page.locator('#stage kbd').allTextContents();
  const keys = new Set([...signs.map((sign) => KEYS[sign] ?? sign.toLowerCase()), ...Object.values(KEYS)]);
  let over = false;
  for (const key of keys) {
    await page.keyboard.press(key);
    const now = await shown(page);
    over = now.mode !== 'play';
    if (over) break;
  }
  // Presses of the first moment after the end were meant for the game.
  if (over) {
    await expect(page.getByRole('button', { name: 'Rematch' })).toBeFocused();
    for (const key of Object.values(KEYS)) await page.keyboard.press(key);
    expect((await shown(page)).mode, 'a game that is over stays over').not.toBe('play');
  }
  await expect(page.getByRole('radio', { name: 'Take over' }), 'the keys choose nothing').not.toBeChecked();
  expect(await state(), 'the keys of a game change nothing else').toEqual(before);
}

/** What the page offers, which is what the registry has: the build puts a list made from it beside the page. */
async function everyEnvironment(choice: Locator): Promise<readonly string[]> {
  await expect(choice).toHaveValue('cartpole'); // the catalogue is there
  const ids = await choice.locator('option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  const registered = [...readFileSync(`${process.env.E2E_DIST ?? 'dist'}/docs/environments.md`, 'utf8').matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, id]) => id,
  );
  expect([...ids].sort()).toEqual(registered.sort());
  const only = process.env.E2E_ENVS?.split(',');
  return ids.filter((one) => only === undefined || only.includes(one));
}

/** Where a map is drawn on: a button over the scene, or a grid in the form. */
const mapOf = (page: Page): { readonly begin: Locator; readonly grid: Locator } => ({
  begin: page.getByRole('button', { name: /Edit this map/ }),
  grid: page.getByRole('grid').first(),
});

/** `few`: one of every other family, in CI. */
async function playEnvironments(page: Page, few: boolean): Promise<void> {
  const complaints: string[] = [];
  const mapped: string[] = [];
  let current = '';
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${current}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${current}: ${error.message}`));
  await open(page, '#env=cartpole&algo=random');
  const choice = page.getByRole('combobox', { name: 'Environment', exact: true });
  const all = await everyEnvironment(choice);
  const { envs } = await catalogue(page);
  const firsts = envs.filter(({ family }, i) => envs.findIndex((one) => one.family === family) === i);
  const heads = new Set(firsts.filter((_, i) => i % 2 === 0).map(({ id }) => id));
  expect(heads.size).toBeGreaterThan(4);
  for (const id of few ? all.filter((one) => heads.has(one)) : all) {
    current = id;
    await test.step(id, async () => {
      try {
        await choice.selectOption(id);
        await watched(page, id, envs.find((one) => one.id === id)?.before ?? null);
        const { begin, grid } = mapOf(page);
        if ((await begin.count()) + (await grid.count()) > 0) mapped.push(id);
        const actor = page.getByLabel('Policy to watch');
        const scripts =
          (await actor.count()) === 0
            ? []
            : await actor.locator('option').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
        const [script] = scripts.filter((name) => name !== '' && name !== 'random');
        if (script !== undefined) {
          await actor.selectOption(script);
          await watched(page, id, script);
        }
        if ((await page.getByRole('radio', { name: 'Play yourself' }).count()) > 0) await played(page);
      } catch (error) {
        complaints.push(`${id}: ${(error as Error).message.split('\n').slice(0, 4).join(' ')}`);
      }
    });
  }
  expect(complaints).toEqual([]);
  if (!few && process.env.E2E_ENVS === undefined) expect(mapped).toEqual(expect.arrayContaining(WITH_MAPS));
}

test('an environment of every other family is opened, watched and played', { tag: '@night' }, async ({ page }) => {
  test.setTimeout(5 * 60_000);
  await playEnvironments(page, true);
});

test('every environment is opened, watched and played', { tag: '@night' }, async ({ page }) => {
  test.setTimeout(15 * 60_000);
  await playEnvironments(page, false);
});

test('the page of an environment tells about it, and its buttons act on the stage', async ({ page }) => {
  await open(page, '#env=frozen-lake&algo=q-learning');
  await page.getByRole('button', { name: 'About this environment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Frozen lake' });
  for (const text of ['Observation', 'Actions', 'Settings', 'State', 'What is reached'])
    await expect(dialog.getByRole('heading', { name: text })).toBeVisible();
  await expect(dialog.getByText('0.7442', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Watch optimal' }).click();
  await expect(dialog).toBeHidden();
  await until(page, 'the plan plays', (now) => now.scripted === 'optimal' && now.length > 1);

  // Another one from the list, found by typing.
  await page.getByRole('button', { name: 'All environments' }).click();
  await page.getByRole('searchbox', { name: 'Find an environment' }).fill('taxi');
  await page.getByRole('dialog').getByRole('button', { name: /^Taxi/ }).click();
  await page.getByRole('dialog', { name: 'Taxi' }).getByRole('button', { name: 'Watch optimal' }).click();
  await until(page, 'the taxi drives', (now) => now.replay?.env.id === 'taxi' && now.scripted === 'optimal');
});

test('payoffs are changed in the table: equilibria follow, and the table is in the link', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=matrix-games&algo=random');
  const found = page.getByRole('region', { name: 'Nash equilibria of one round' });
  await expect(found.getByRole('listitem')).toHaveText([/defect against defect/]);
  // Temptation goes: 0 becomes -2 for both, and cooperating is stable as well.
  const cell = page.getByRole('spinbutton', { name: /^Row player: defect against cooperate/ });
  await cell.fill('-2');
  await cell.press('Enter');
  await expect(found.getByRole('listitem')).toHaveText([/cooperate against cooperate/, /defect against defect/, /1\/2/]);
  await expect(page.getByRole('spinbutton', { name: /^Column player: defect against cooperate/ })).toHaveValue('-2');
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#1\./);
  const link = await page.evaluate(() => location.hash);
  await page.goto('about:blank');
  await open(page, link);
  await expect(page.getByRole('spinbutton', { name: /^Row player: defect against cooperate/ })).toHaveValue('-2');
  await page.getByRole('combobox', { name: 'game' }).selectOption('matching-pennies');
  await expect(found.getByRole('listitem')).toHaveText([/heads 1\/2, tails 1\/2 against heads 1\/2, tails 1\/2/]);
});

const labels = (cells: readonly Element[]): readonly string[] =>
  cells.map((cell) => cell.getAttribute('aria-label') ?? cell.textContent ?? '');

const count = (all: readonly string[], one: string): number => all.filter((other) => other === one).length;
const repeated = (key: string, times: number): readonly string[] => Array.from({ length: Math.ceil(times) }, () => key);

test('every map there is can be drawn on, and lands in the link', { tag: '@night' }, async ({ page }) => {
  test.setTimeout(10 * 60_000);
  await open(page, '#env=cartpole&algo=random');
  const choice = page.getByRole('combobox', { name: 'Environment', exact: true });
  const complaints: string[] = [];
  for (const id of WITH_MAPS) {
    await test.step(id, async () => {
      try {
        await choice.selectOption(id);
        await until(page, 'an episode is there', (now) => now.replay?.env.id === id && now.length > 1);
        const { begin, grid } = mapOf(page);
        if ((await begin.count()) > 0) await begin.click();
        await expect(grid).toBeVisible();
        const before = await configHash(page);
        await grid.focus();
        const cells = grid.getByRole('gridcell');
        const shown = await cells.evaluateAll(labels);
        const columns = await grid.getByRole('row').first().getByRole('gridcell').count();
        // Painting what is there already changes nothing: first a cell of the commonest kind, then one of the next.
        const kinds = [...new Set(shown)].sort((x, y) => count(shown, y) - count(shown, x));
        for (const kind of kinds) {
          const at = shown.indexOf(kind);
          const walk = [
            ...repeated('ArrowUp', shown.length / columns),
            ...repeated('ArrowLeft', columns),
            ...repeated('ArrowDown', Math.floor(at / columns)),
            ...repeated('ArrowRight', at % columns),
            'Enter',
          ];
          for (const key of walk) await page.keyboard.press(key);
          if (shown.join() !== (await cells.evaluateAll(labels)).join()) break;
        }
        await expect.poll(() => configHash(page), { message: 'painting changes the configuration' }).not.toBe(before);
        await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#1\./);
      } catch (error) {
        complaints.push(`${id}: ${(error as Error).message.split('\n').slice(0, 4).join(' ')}`);
      }
    });
  }
  expect(complaints).toEqual([]);
});

test('a kitchen is drawn from the layout in use; what it lacks is said', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=overcooked&algo=random');
  await page.getByRole('button', { name: /Edit this map/ }).click();
  const grid = page.getByRole('grid').first();
  await expect(grid.getByRole('gridcell', { name: 'pot' })).toHaveCount(1);
  await grid.focus();
  for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'x', 'Enter']) await page.keyboard.press(key);
  await expect(page.getByText('There is no pot on this map')).toBeVisible();
  for (const key of ['p', 'Enter']) await page.keyboard.press(key);
  await expect(page.getByText('There is no pot on this map')).toBeHidden();
});

for (const colorScheme of ['dark', 'light'] as const) {
  test(`axe finds nothing in editors and pages of environments, ${colorScheme}`, { tag: '@night' }, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const check = async (view: string): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${view}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
    };
    await open(page, '#env=matrix-games&algo=random');
    await check('payoffs');
    await page.getByRole('button', { name: 'About this environment' }).click();
    await expect(page.getByRole('dialog', { name: 'Matrix games' })).toBeVisible();
    await check('page of an environment');
    await page.getByRole('button', { name: 'All environments' }).last().click();
    await expect(page.getByRole('searchbox')).toBeVisible();
    await check('all environments');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Environment', exact: true }).selectOption('overcooked');
    await page.getByRole('button', { name: /Edit this map/ }).click();
    await expect(page.getByRole('grid').first()).toBeVisible();
    await check('a kitchen');
    await page.getByRole('button', { name: 'Draw in a large window' }).click();
    await expect(page.getByRole('dialog', { name: 'Draw the map' })).toBeVisible();
    await check('a kitchen, large');
  });
}
