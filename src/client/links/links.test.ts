// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Catalog } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import { type RunConfig, runConfigSchema } from '#contract/run/config.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore, isSettled } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { LAB, routeStore } from '#stores/route.ts';
import { stageStore } from '#stores/stage.ts';
import { Links } from './links.ts';
import { draftAddress } from './writing.ts';

const envDefaults = { size: 4, slippery: true };
const algoDefaults = { lr: 0.001, hidden: [64, 64] };
const catalog = {
  version: 1,
  envs: [
    {
      id: 'lake',
      version: 1,
      changes: [],
      defaults: envDefaults,
      presets: [{ id: 'large', config: { size: 9 } }],
      recommended: { algo: 'ppo', config: {}, steps: 1000 },
    },
  ],
  algos: [{ id: 'ppo', version: 1, changes: [], defaults: algoDefaults, presets: [] }],
  experiments: [{ id: 'first', config: { env: { id: 'lake' }, algo: { id: 'ppo', config: { lr: 0.5 } }, run: { steps: 1000 } } }],
} as unknown as Catalog;

const watch = {
  complete: async (json: Json) => {
    const { env, algo, run } = json as { env: { id: string; config?: object }; algo: { id: string; config?: object }; run?: object };
    if (env.id !== 'lake') throw fail('unknown-id', `There is no environment "${env.id}".`, 'Use lake.');
    return runConfigSchema.parse({
      env: { id: env.id, config: { ...envDefaults, ...env.config } },
      algo: { id: algo.id, config: { ...algoDefaults, ...algo.config } },
      run: run ?? {},
    });
  },
} as unknown as WatchApi;

const links = new Links(() => watch);

/** Milliseconds pass, and what writes an address is loaded by then. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise(setImmediate);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // the address is written a moment after a change
  catalogStore.setState({ catalog });
  layoutStore.setState({ linkFailure: null, dialog: 'none', lock: [], depth: 'lab' });
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

test('the address of a draft opens as the same draft and view', async () => {
  await links.open('#env=lake&algo=ppo&seed=7&algo.lr=0.01&lock=algo.lr&depth=teach&camera=top');
  const { hash } = draftStore.getState();
  const address = draftAddress() ?? '';
  expect(address).toContain('#1.');
  expect(address.length).toBeLessThan(200);
  draftStore.getState().set('algo.lr', 0.9);
  layoutStore.setState({ lock: [], depth: 'lab' });
  stageStore.setState({ camera: 'home' });
  expect(await links.open(new URL(address).hash)).toBe(true);
  expect(draftStore.getState().hash).toBe(hash);
  expect(layoutStore.getState()).toMatchObject({ lock: ['algo.lr'], depth: 'teach' });
  expect(stageStore.getState().camera).toBe('top');
});

test('a refused link explains itself and leaves the draft alone', async () => {
  await links.open('#env=lake&algo=ppo');
  const { config } = draftStore.getState();
  for (const [hash, id] of [
    [new URL(draftAddress() ?? '').hash.slice(0, -10), 'link-damaged'],
    ['#9.abc.defghi', 'link-damaged'],
    ['#json=other', 'link-foreign'],
    ['#env=sea&algo=ppo', 'unknown-id'],
    ['#experiment=none', 'link-foreign'],
  ] as const) {
    layoutStore.setState({ dialog: 'none' });
    expect(await links.open(hash)).toBe(false);
    expect(layoutStore.getState()).toMatchObject({ dialog: 'link-problem', linkFailure: { id } });
    expect(draftStore.getState().config).toBe(config);
  }
  expect(await links.open('')).toBeNull();
});

/** Links whose answers wait to be let go, in the order in which they were asked for. */
function held() {
  const answers: (() => void)[] = [];
  const complete = (json: Json) => new Promise((resolve, reject) => answers.push(() => watch.complete(json).then(resolve, reject)));
  return { answers, slow: new Links(() => ({ complete }) as unknown as WatchApi) };
}

test('a link that is answered after a later one changes nothing, and until then nothing can be trained', async () => {
  const { answers, slow } = held();
  for (const first of ['#env=lake&algo=ppo&seed=1', '#env=sea&algo=ppo']) {
    layoutStore.setState({ dialog: 'none' });
    const both = [slow.open(first), slow.open('#env=lake&algo=ppo&seed=2')];
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    const [early, late] = answers.splice(0) as [() => void, () => void];
    expect(isSettled(draftStore.getState())).toBe(false);
    late();
    expect(await both[1]).toBe(true);
    expect(isSettled(draftStore.getState())).toBe(true);
    early();
    expect(await both[0]).toBe(true);
    expect(draftStore.getState().config.run.seedStart).toBe(2);
    expect(layoutStore.getState()).toMatchObject({ linkFailure: null, dialog: 'none' });
  }
});

test('what was changed while a link was on its way stays, with its own address, and can be trained at once', async () => {
  routeStore.setState({ route: null });
  const { set, setEnv, undo } = draftStore.getState();
  for (const change of [() => set('algo.lr', 0.4), () => setEnv('lake', 'large'), undo]) {
    for (const bad of [false, true]) {
      await links.open('#env=lake&algo=ppo');
      set('algo.lr', 0.3);
      const { answers, slow } = held();
      location.hash = bad ? '#env=sea&algo=ppo' : '#env=lake&algo=ppo&seed=5';
      slow.answer(location.hash);
      const opened = slow.open(location.hash);
      await vi.waitFor(() => expect(answers).toHaveLength(1));
      change();
      const { config } = draftStore.getState();
      expect(isSettled(draftStore.getState())).toBe(true);
      answers[0]?.();
      expect(await opened).toBe(true);
      expect(draftStore.getState().config).toBe(config);
      expect(layoutStore.getState()).toMatchObject({ linkFailure: null, dialog: 'none' });
    }
  }
  await vi.waitFor(() => expect(location.href).toBe(draftAddress()));
  location.hash = '';
});

test('a link that is followed while the page starts takes the place of the first experiment, which the page opens by itself', async () => {
  draftStore.setState(draftStore.getInitialState(), true);
  const { answers, slow } = held();
  const first = slow.open('#env=sea&algo=ppo');
  const second = slow.open('#env=lake&algo=ppo&seed=6');
  expect(await slow.open('')).toBeNull(); // the address that the page has begun with
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[0]?.();
  expect(await first).toBe(false); // the page opens the first experiment, should the second link be refused
  draftStore.getState().openUnasked((await watch.complete(catalog.experiments[0]?.config as Json)) as RunConfig, 'first');
  expect(draftStore.getState()).toMatchObject({ experimentId: 'first', phase: { kind: 'loading', over: 'open' } });
  answers[1]?.();
  expect(await second).toBe(true);
  expect(draftStore.getState()).toMatchObject({ experimentId: null, phase: { kind: 'open' }, config: { run: { seedStart: 6 } } });
  expect(layoutStore.getState().dialog).toBe('none');

  draftStore.setState(draftStore.getInitialState(), true);
  const third = slow.open('#env=lake&algo=ppo&seed=7');
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  draftStore.getState().open(runConfigSchema.parse({ env: { id: 'lake' }, algo: { id: 'ppo' }, run: { seedStart: 8 } })); // chosen by a person
  answers[2]?.();
  await third;
  expect(draftStore.getState().config.run.seedStart).toBe(8);
});

test('a ready-made experiment opens with what the link changes', async () => {
  await links.open('#experiment=first&seed=3');
  expect(draftStore.getState()).toMatchObject({
    experimentId: 'first',
    config: { algo: { config: { lr: 0.5 } }, run: { steps: 1000, seedStart: 3 } },
  });
});

test('the address follows the draft a moment after the last change, and is that of the laboratory where no link can hold it', async () => {
  await links.open('#env=lake&algo=ppo');
  routeStore.setState({ route: null }); // the laboratory; the front page keeps its own address
  links.follow();
  draftStore.getState().set('algo.lr', 0.02);
  vi.advanceTimersByTime(200);
  draftStore.getState().set('algo.lr', 0.03);
  vi.advanceTimersByTime(299);
  expect(location.hash).toBe('');
  await pass(1);
  expect(location.hash).toMatch(/^#1\./);
  expect(links.isForeign(location.hash)).toBe(false);
  expect(links.isForeign('#1.other')).toBe(true);
  const noise = Array.from({ length: 3000 }, (_, i) => (i * 7919 * (i % 13)) % 100_003);
  draftStore.getState().set('env.noise', noise);
  await pass(300);
  expect(location.hash).toBe(LAB);
  expect(draftAddress()).toBeNull();
});

// 299: before the address is written; 300: while the code that writes it is on its way
test.each([299, 300])('a press on a link is not written over by a change of the draft %i ms before it', async (before) => {
  await links.open('#env=lake&algo=ppo');
  routeStore.setState({ route: null });
  links.follow();
  draftStore.getState().set('algo.lr', before / 1e4);
  vi.advanceTimersByTime(before);
  location.hash = '#/papers'; // its hashchange has not been heard yet
  await pass(1000);
  expect(location.hash).toBe('#/papers');
  links.answer('#/papers');
  routeStore.setState({ route: { page: 'papers', id: null, query: {} } });
  await pass(1000);
  expect(location.hash).toBe('#/papers');
  location.hash = '#stage'; // a jump within the page, which has been answered
  links.answer('#stage');
  routeStore.setState({ route: null });
  await pass(300);
  expect(location.hash).toMatch(/^#1\./);
  location.hash = '';
  links.answer('');
});

test('layers that are not as usual travel in the link, those that came later too', async () => {
  const usual = stageStore.getInitialState().overlays;
  const odd = { ...usual, values: true, view: false, rays: false, forces: true, payouts: false };
  await links.open('#env=lake&algo=ppo');
  for (const overlays of [odd, usual, { ...usual, trails: false }]) {
    stageStore.setState({ overlays });
    const { hash } = new URL(draftAddress() ?? '');
    stageStore.setState({ overlays: { ...usual, messages: false, policy: true } });
    await links.open(hash);
    // A link without a word about layers leaves them as they are: a fresh page has the usual ones.
    if (overlays !== usual) expect(stageStore.getState().overlays).toEqual(overlays);
  }
});
