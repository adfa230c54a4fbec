/** See the network, edit a state, formulas with the numbers of a step, and links pinned to an explanation. */
import type { NetworkView } from '../src/contract/game/network-view.ts';
import { expect, open, test, trainToEnd } from './lab.ts';

interface Answer {
  readonly view: NetworkView;
  readonly obs: readonly number[];
  readonly probs: readonly number[];
}

interface Hook {
  readonly network: {
    readonly view: unknown;
    readonly look: { readonly inspection: { readonly obs: Float32Array; readonly probs: Float32Array } } | null;
  };
  readonly stage: {
    readonly t: number;
    readonly replay: { readonly reward: Float32Array } | null;
    readonly inspection: { readonly value: number; readonly probs: Float32Array } | null;
  };
}

/** The drawn network with its last answer, as plain data. */
const answered = (page: Parameters<typeof open>[0]): Promise<Answer> =>
  page.evaluate(() => {
    const { view, look } = (window as unknown as { __lab: Hook }).__lab.network;
    const plain = JSON.parse(
      JSON.stringify(view, (_, value: unknown) => (value instanceof Float32Array ? Array.from(value) : value)),
    ) as NetworkView;
    return { view: plain, obs: Array.from(look?.inspection.obs ?? []), probs: Array.from(look?.inspection.probs ?? []) };
  });

/** Probabilities by a forward pass of the drawn weights. */
function forward({ view, obs }: Answer): number[] {
  const done: number[][] = [];
  for (const layer of view.layers) {
    const [w] = layer.weights;
    if (w === undefined) {
      done.push([...obs]);
      continue;
    }
    const from = done[w.from[0]?.layer ?? 0] ?? [];
    done.push(
      Array.from({ length: w.outputs }, (_, u) => {
        const sum = from.reduce((total, x, k) => total + x * (w.weights[k * w.outputs + u] ?? 0), w.bias?.[u] ?? 0);
        return layer.activation === 'tanh' ? Math.tanh(sum) : sum;
      }),
    );
  }
  const logits = done[view.outputs.find(({ name }) => name === 'logits')?.layer ?? 0] ?? [];
  const total = logits.reduce((sum, z) => sum + Math.exp(z), 0);
  return logits.map((z) => Math.exp(z) / total);
}

const SMALL = '#env=cartpole&algo=ppo&steps=4096&seeds=1&run.evalEpisodes=2';

test('a weight is read exactly, an edited state moves the bars, a formula holds the numbers of the step', async ({ page }) => {
  await open(page, SMALL);
  await trainToEnd(page);
  await expect(page.getByText(/the policy at step 4,096, always its best action/)).toBeVisible();
  await page.getByRole('radio', { name: 'Network' }).check();
  const drawing = page.getByRole('group', { name: 'The network, layer by layer' });
  await expect(drawing.getByRole('button').first()).toBeVisible();
  await expect(drawing.getByText(/^\+ \d+ not drawn$/).first()).toBeVisible(); // 64 units a layer

  // by keys from unit to unit, and its words
  await drawing
    .getByRole('button', { name: /^input, / })
    .first()
    .focus();
  await page.keyboard.press('ArrowRight');
  await expect(
    page
      .getByText(/^hidden 1, unit \d+ gives/)
      .or(page.locator('output', { hasText: /hidden 1, unit \d+ gives/ }))
      .first(),
  ).toBeVisible();

  // a weight of the matrix is the exported one
  await page.getByRole('radio', { name: 'Matrix' }).check();
  const matrix = page.getByRole('img', { name: /^Weights, 4 inputs by 64 columns/ });
  await matrix.focus();
  await page.keyboard.press('ArrowDown');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  const said = Number(await page.locator('#network-cell b').textContent());
  const first = await answered(page);
  const weights = first.view.layers[1]?.weights[0];
  expect(Math.fround(said)).toBe(weights?.weights[1 * 64 + 3]);
  forward(first).forEach((p, a) => {
    expect(first.probs[a]).toBeCloseTo(p, 5);
  });

  // the bars of an edited state are the policy's own there
  await page.getByRole('radio', { name: 'Edit', exact: true }).check();
  const bars = page.getByRole('region', { name: 'Edit state' }).getByRole('table').first();
  const before = await bars.innerText();
  await page.getByRole('spinbutton', { name: 'angle, exactly' }).fill('0.4');
  await expect(bars).not.toHaveText(before);
  await expect.poll(async () => (await answered(page)).obs[2]).toBeCloseTo(0.4, 6);
  const now = await answered(page);
  const expected = forward({ ...now, view: first.view });
  expect(Math.abs(expected[0]! - forward(first)[0]!)).toBeGreaterThan(1e-3);
  for (const [a, p] of expected.entries()) {
    expect(now.probs[a]).toBeCloseTo(p, 5);
    await expect(bars).toContainText(`${(100 * now.probs[a]!).toFixed(1)}`);
  }

  // TD error of frame 0: reward + gamma V(next) - V(this), from the worker's own values of both frames
  await page.getByRole('radio', { name: 'Decision' }).check();
  const moment = page.getByRole('slider', { name: 'episode', exact: true });
  const valueAt = async (key: 'Home' | 'ArrowRight', t: number): Promise<number> => {
    const old = await page.evaluate(() => (window as unknown as { __lab: Hook }).__lab.stage.inspection?.value);
    await moment.press(key);
    await page.waitForFunction(
      ([at, last]) => {
        const { stage } = (window as unknown as { __lab: Hook }).__lab;
        return stage.t === at && stage.inspection !== null && (at === 0 || stage.inspection.value !== last);
      },
      [t, old] as const,
    );
    return page.evaluate(() => (window as unknown as { __lab: Hook }).__lab.stage.inspection?.value ?? Number.NaN);
  };
  await moment.press('End');
  await valueAt('Home', 0);
  await page.getByRole('button', { name: 'TD error', exact: true }).click();
  const shown = page.getByRole('region', { name: 'At this step' });
  await expect(shown.getByText(/frame 0, policy/)).toBeVisible();
  const delta = Number(await shown.locator('output').textContent());
  await page.keyboard.press('Escape');
  const v0 = await page.evaluate(() => (window as unknown as { __lab: Hook }).__lab.stage.inspection?.value ?? Number.NaN);
  const reward = await page.evaluate(() => (window as unknown as { __lab: Hook }).__lab.stage.replay?.reward[0] ?? Number.NaN);
  const v1 = await valueAt('ArrowRight', 1);
  const gamma = 0.99;
  expect(Math.abs(delta - (reward + gamma * v1 - v0))).toBeLessThan(1e-6 * Math.max(1, Math.abs(delta)));
});

test('a pole is dragged, the network follows, and other networks are drawn', { tag: '@night' }, async ({ page }) => {
  await open(page, SMALL);
  await trainToEnd(page);
  await page.getByRole('radio', { name: 'Edit', exact: true }).check();
  const plan = page.getByRole('img', { name: /drag what should stand elsewhere/ });
  const pole = plan.locator('g').nth(2);
  const box = await pole.boundingBox();
  if (box === null) throw new Error('the pole is not drawn');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 15, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByText('Changed by hand: one change.')).toBeVisible();
  await expect.poll(async () => Math.abs((await answered(page)).obs[2] ?? 0)).toBeGreaterThan(0.02);
  await page.getByRole('radio', { name: 'Network' }).check();
  await expect(page.getByText(/, edited: /)).toBeVisible();
  await page.getByRole('button', { name: 'Back to the frame' }).click();
  await expect(page.getByText(/, edited: /)).toHaveCount(0);
  await page.getByRole('radio', { name: 'Value', exact: true }).check();
  await expect(page.getByRole('combobox', { name: 'saliency of' })).toContainText('the state value');
  await page.getByRole('radio', { name: 'Table', exact: true }).check();
  await expect(page.getByRole('table', { name: /What value of state value weighs/ })).toBeVisible();

  for (const [hash, words] of [
    ['#env=minatar-breakout&algo=dqn&steps=2000&seeds=1&run.evalEpisodes=1&algo.filters=4', /4 filters/],
    ['#env=memory-chain&algo=recurrent-ppo&steps=4096&seeds=1&run.evalEpisodes=1', /^GRU$/],
  ] as const) {
    await open(page, hash);
    await page.reload();
    await trainToEnd(page);
    await page.getByRole('radio', { name: 'Network' }).check();
    await expect(page.getByText(words).first()).toBeVisible();
  }

  await open(page, '#env=cliff-walking&algo=q-learning&steps=2000&seeds=1&run.evalEpisodes=1');
  await page.reload();
  await trainToEnd(page);
  await page.getByRole('radio', { name: 'Network' }).check();
  await expect(page.getByText(/This policy is not one network/)).toBeVisible();
});

test('a link to an explanation gives the same bars on another device', { tag: '@night' }, async ({ page, browser, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, SMALL);
  await trainToEnd(page);
  await expect(page.getByText(/the policy at step 4,096, always its best action/)).toBeVisible();
  const moment = page.getByRole('slider', { name: 'episode', exact: true });
  await moment.press('Home');
  for (let i = 0; i < 5; i++) await moment.press('ArrowRight');
  await page.getByRole('radio', { name: 'Edit', exact: true }).check();
  await page.getByRole('spinbutton', { name: 'angle, exactly' }).fill('0.1');
  await expect.poll(async () => (await answered(page)).obs[2]).toBeCloseTo(0.1, 6);
  const here = await answered(page);
  await page.getByRole('button', { name: /Copy a link to this explanation/ }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link.length).toBeLessThan(1900);

  const other = await browser.newContext({ reducedMotion: 'reduce', ...(baseURL !== undefined && { baseURL }) });
  const there = await other.newPage();
  await there.goto(link);
  await there.getByRole('button', { name: 'Train it again' }).click();
  await expect(there.getByText('It is on the stage, with the same bits.')).toBeVisible({ timeout: 60_000 });
  await expect.poll(async () => (await answered(there)).obs[2]).toBeCloseTo(0.1, 6);
  const same = await answered(there);
  expect(same.obs).toEqual(here.obs);
  expect(same.probs).toEqual(here.probs);
  await other.close();
});
