import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Replay } from '#contract/run/events.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { networkStore, openNetworkView } from '#stores/network.ts';
import { stageStore } from '#stores/stage.ts';
import type { StageState } from '#stores/types.ts';
import { Inspector } from './inspector.ts';
import { NetworkReader } from './network.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const layout = { kind: 'grid', width: 2, height: 1, agents: 1, headings: true, looks: [], colours: [], view: 0 } as const;

/** Answers name the world they are about, and come one by one. */
function rig() {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const about = ({ env }: Replay): Promise<unknown> => {
    asked.push(env.id);
    return new Promise((resolve) => answers.push(() => resolve({ of: env.id })));
  };
  const watch = {
    inspect: about,
    valueMap: about,
    network: async () => ({}),
    look: ({ replay }: { readonly replay: Replay }) => about(replay),
  } as unknown as WatchApi;
  const answer = async (): Promise<void> => {
    for (const give of answers.splice(0)) give();
    await settle();
  };
  return { watch: () => watch, asked, answer };
}

/** From the same start, by the same policy. */
function show(world: string): void {
  stageStore.setState({
    replay: { env: { id: world }, seed: 1001 } as unknown as Replay,
    policy: { key: 'r/1/100', runId: 'r', seed: 1, step: 100 },
    source: { layout } as unknown as StageState['source'],
    t: 0,
    playing: false,
  });
}

let stop = (): void => {};
afterEach(() => stop());
beforeEach(() => {
  stageStore.setState(stageStore.getInitialState(), true);
  networkStore.setState(networkStore.getInitialState(), true);
});

test('a changed world is asked about anew, with the same start and policy', async () => {
  const { watch, asked, answer } = rig();
  const inspector = new Inspector(watch, () => 0);
  stop = stageStore.subscribe(() => inspector.tick());
  stageStore.getState().setOverlay('values', true);
  show('old');
  await answer();
  expect(stageStore.getState()).toMatchObject({ inspection: { of: 'old' }, valueMap: { of: 'old' } });
  show('new');
  await answer();
  expect(stageStore.getState()).toMatchObject({ inspection: { of: 'new' }, valueMap: { of: 'new' } });
  expect(asked).toEqual(['old', 'old', 'new', 'new']);
});

test('so is one that comes while a question is on its way', async () => {
  const { watch, asked, answer } = rig();
  const inspector = new Inspector(watch, () => 0);
  stop = stageStore.subscribe(() => inspector.tick());
  show('old');
  show('new');
  await answer();
  expect(stageStore.getState().inspection).toBeNull();
  await answer();
  expect(stageStore.getState().inspection).toMatchObject({ of: 'new' });
  expect(asked).toEqual(['old', 'new']);
});

test('the drawn network is read in a changed world, with the same start and policy', async () => {
  const { watch, answer } = rig();
  new NetworkReader(watch, { hold: async () => 'held' }, () => 0);
  const close = openNetworkView(false);
  show('old');
  show('new');
  await answer();
  expect(networkStore.getState().look).toBeNull();
  await answer();
  expect(networkStore.getState().look).toMatchObject({ of: 'new' });
  show('third');
  await answer();
  expect(networkStore.getState().look).toMatchObject({ of: 'third' });
  close();
});
