/** Every method is started, watched and stopped from the page, as a person would, in an environment it is made for. */
import { activeRun, expect, follow, open, stage, stepsDone, test, train } from './lab.ts';

/** Where each is tried, with what keeps its first update short. */
const TRIED: { readonly [algo: string]: string } = {
  adversary: 'env=mpe-simple-spread',
  cfr: 'env=kuhn-poker',
  coma: 'env=mpe-simple-spread',
  commnet: 'env=mpe-simple-spread',
  dial: 'env=mpe-simple-speaker-listener',
  dqn: 'env=cartpole',
  'fictitious-play': 'env=kuhn-poker',
  follow: 'env=lifelong-mapf&env.agents=4&env.collisionSystem=soft',
  hammer: 'env=mpe-simple-speaker-listener',
  happo: 'env=mpe-simple-spread',
  ippo: 'env=mpe-simple-tag',
  iql: 'env=mpe-simple-spread',
  maddpg: 'env=mpe-simple-tag',
  mansa: 'env=coin-game',
  mappo: 'env=mpe-simple-spread',
  'mean-field': 'env=vicsek-swarm&env.particles=50&env.learners=50',
  'pareto-dqn': 'env=mo-item-gathering',
  'pareto-sweep': 'env=deep-sea-treasure',
  ppo: 'env=cartpole',
  pqn: 'env=cartpole',
  'pqn-vdn': 'env=mpe-simple-spread',
  psro: 'env=kuhn-poker',
  'q-learning': 'env=cliff-walking',
  qmix: 'env=mpe-simple-spread',
  random: 'env=cartpole',
  'recurrent-ppo': 'env=memory-chain',
  replicator: 'env=matrix-games',
  sac: 'env=pendulum',
  'sac-discrete': 'env=cartpole',
  sarsa: 'env=cliff-walking',
  'self-play': 'env=tic-tac-toe',
  strategist: 'env=drone-volleyball',
  td3: 'env=pendulum',
  'value-iteration': 'env=frozen-lake',
  vdn: 'env=mpe-simple-spread',
};

test('every method is started, watched and stopped from the page', async ({ page }) => {
  test.setTimeout(600_000);
  await open(page, '#env=cartpole&algo=ppo');
  const chooser = page.getByRole('combobox', { name: 'Algorithm' });
  await expect(chooser).toBeVisible();
  const offered = await chooser.locator('option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(Object.keys(TRIED).sort()).toEqual(offered.sort());
  for (const [algo, rest] of Object.entries(TRIED)) {
    await test.step(algo, async () => {
      await follow(page, `#${rest}&algo=${algo}&steps=2000000&seeds=1`);
      await train(page);
      await expect.poll(() => stepsDone(page), { timeout: 60_000 }).toBeGreaterThan(0);
      await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(1);
      const state = async () => (await activeRun(page))?.seeds[0]?.state;
      // A method that plans or enumerates may be done before anybody can stop it.
      await expect(async () => {
        if ((await state()) !== 'done') await page.getByRole('button', { name: /Stop and keep/ }).click({ timeout: 2000 });
      }).toPass();
      await expect.poll(state).toMatch(/^(stopped|done)$/);
      expect((await activeRun(page))?.seeds[0]?.failure ?? null).toBeNull();
    });
  }
});
