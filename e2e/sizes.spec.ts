/**
 * The page at every size: about forty states, each resized to seven sizes in both themes without a reload. Nowhere may text lie on text or be cut
 * without a way to read it, a target be too small to press, the scene lose its share of the height, or anything scroll sideways (boxes.ts).
 */
import type { Page } from '@playwright/test';
import { faultsIn } from './boxes.ts';
import { expect, mainButton, open, stepsDone, test, train, trainToEnd } from './lab.ts';

const SIZES = ['320x568', '390x844', '760x520', '1024x600', '1440x900', '1920x1080', '2560x1440'] as const;
const THEMES = ['light', 'dark'] as const;

const SMALL = '#env=frozen-lake&algo=q-learning&steps=3000&seeds=2';
const TEAM = '#env=mpe-simple-spread&steps=20000&seeds=1';

type Go = (page: Page) => Promise<void>;

const at =
  (address: string): Go =>
  async (page) => {
    await page.goto(`./${address}`);
    await expect(page.locator('h1, #lesson-title, dialog[open]').filter({ visible: true }).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
  };
const lab =
  (address: string): Go =>
  async (page) => {
    await open(page, address);
    await page.waitForLoadState('networkidle');
  };
const trained =
  (address: string): Go =>
  async (page) => {
    await lab(address)(page);
    await trainToEnd(page);
  };
const pressed =
  (address: string, key: string): Go =>
  async (page) => {
    await lab(address)(page);
    await page.locator('body').click({ position: { x: 3, y: 3 } });
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
  };
/** A team that has learned a little, at the simple depth. */
const team: Go = async (page) => {
  await lab(`${TEAM}&depth=teach`)(page);
  await trainToEnd(page);
};

/** Those of each push are marked. */
const STATES: readonly (readonly [name: string, go: Go, day?: 'day'])[] = [
  ['front page', at(''), 'day'],
  ['lessons', at('#/lessons')],
  ['make a lesson', at('#/lessons/new')],
  ['methods', at('#/methods')],
  [
    'a method',
    async (page) => {
      await at('#/methods/ppo')(page);
      await expect(page.getByRole('region', { name: 'Presets' }).getByRole('button').first()).toBeVisible();
    },
  ],
  ['papers', at('#/papers')],
  ['a paper', at('#/papers/P064')],
  ['scores', at('#/scores')],
  ['ready policies', at('#/zoo')],
  ['no runs', at('#/runs')],
  ['compare nothing', at('#/compare')],
  ['nothing side by side', at('#/side')],
  ['sweeps', at('#/sweeps')],
  ['transfer grid', at('#/transfer')],
  ['data', at('#/data')],
  ['speed', at('#/bench')],
  ['write your own', at('#/write')],
  ['swarm', at('#/swarm')],
  ['class', at('#/class/bandit?class=K7Q2')],
  ['a link that fails', at('#env=catpole')],
  ['lesson on a cliff', at('#/lessons/cliff?step=2')],
  ['lesson on levers', at('#/lessons/bandit')],
  ['lesson with rewards of one’s own', at('#/lessons/write-reward')],
  ['lesson on a team', at('#/lessons/shapley')],
  ['first visit', lab('#env=mountain-car')],
  ['simple, boids', lab('#env=boids')],
  ['simple, before and after', trained('#env=frozen-lake'), 'day'],
  ['simple, a team', team],
  [
    'simple, who did it',
    async (page) => {
      await team(page);
      await page.getByRole('region', { name: 'Scene' }).getByRole('button', { name: 'Who did it?' }).first().click();
      await expect(page.getByRole('region', { name: 'Scene' }).getByRole('table')).toBeVisible({ timeout: 60_000 });
    },
  ],
  [
    'simple, own game',
    async (page) => {
      await lab('#env=cartpole')(page);
      await page.getByRole('radio', { name: 'Play yourself' }).check();
      await expect(page.getByRole('button', { name: 'End the game' })).toBeVisible();
    },
  ],
  ['all settings, at rest', lab(SMALL), 'day'],
  ['all settings, a run with a finding', trained(SMALL), 'day'],
  ['all settings, curves', trained('#env=cartpole&algo=ppo&steps=8000&seeds=2')],
  [
    'all settings, a run that is paused',
    async (page) => {
      await lab('#env=cartpole&algo=ppo&steps=3000000&seeds=1')(page);
      await train(page);
      await expect.poll(() => stepsDone(page), { timeout: 60_000 }).toBeGreaterThan(2000);
      await mainButton(page, 'Pause').click();
      await expect(mainButton(page, 'Resume')).toBeVisible();
    },
  ],
  ['all settings, a team', lab(`${TEAM}&algo=ippo`)],
  ['all settings, drones', lab('#env=drone-volleyball&algo=ippo')],
  ['everything', lab('#env=cartpole&algo=ppo&depth=research')],
  [
    'a map is edited',
    async (page) => {
      await lab(SMALL)(page);
      await page.getByRole('button', { name: 'Edit map' }).click();
    },
  ],
  [
    'projector',
    async (page) => {
      await trained(SMALL)(page);
      await page.keyboard.press('p');
    },
  ],
  ['gallery', pressed(SMALL, 'g')],
  ['share', pressed(SMALL, 's')],
  ['help', pressed(SMALL, '?')],
  [
    'a run beside others',
    async (page) => {
      await trained(SMALL)(page);
      await at('#/compare')(page);
    },
  ],
];

/** Every size in every theme; `some` of the sizes only. */
async function walk(
  page: Page,
  name: string,
  sizes: readonly string[] = SIZES,
  themes: readonly (typeof THEMES)[number][] = THEMES,
): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of sizes) {
      const [width = 0, height = 0] = size.split('x').map(Number);
      await page.setViewportSize({ width, height });
      // Panels arrange themselves, and what scrolls in comes a moment later.
      await expect.poll(() => faultsIn(page), { message: `${name} at ${size}, ${colorScheme}`, timeout: 5000 }).toEqual([]);
    }
  }
}

for (const [name, go] of STATES)
  test(`room for everything: ${name}`, { tag: '@night' }, async ({ page, complaints }) => {
    test.setTimeout(300_000);
    complaints.expected.push(/frame-ancestors/, /localStorage/);
    await go(page);
    await walk(page, name);
  });

test('room for everything: four states at the three tightest sizes', { tag: '@night' }, async ({ page }) => {
  for (const [name, go, day] of STATES) {
    if (day === undefined) continue;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('about:blank');
    await go(page);
    await walk(page, name, ['320x568', '760x520', '1024x600'], ['light']);
  }
});

test('what the walk looks for is found where it is wrong', async ({ page }) => {
  await page.setViewportSize({ width: 400, height: 900 });
  await page.setContent(`<!doctype html><main style="overflow: auto; inline-size: 300px">
    <div data-tour="bar" style="block-size: 40px"></div>
    <div data-scene style="block-size: 100px"></div>
    <p style="inline-size: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">cut without a way to read it</p>
    <p style="block-size: 20px">below another</p>
    <p style="margin-top: -36px; block-size: 20px">upon another</p>
    <p style="block-size: 20px">hidden below</p>
    <div style="margin-top: -40px; block-size: 20px; background: white; transform: translateZ(0)"></div>
    <button style="inline-size: 18px; block-size: 18px; padding: 0; margin-top: 40px">x</button>
    <div style="inline-size: 380px">wide</div>
    <div style="block-size: 1000px"></div>
    <span style="position: absolute">read aloud alone</span>
  </main>`);
  const found = (await faultsIn(page)).join('\n');
  for (const fault of [
    /^cut: "cut without/m,
    /^overlap: "below another" and "upon another"/m,
    /^covered: "hidden below"/m,
    /^target: button "x" 18 x 18/m,
  ])
    expect(found).toMatch(fault);
  for (const fault of [
    /^stage: 100 of 8\d\d px/m,
    /^sideways: .*by 80 px/m,
    /^empty below: the page/m,
    /^stays while its part scrolls: read aloud/m,
  ])
    expect(found).toMatch(fault);
});
