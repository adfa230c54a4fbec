import { beforeEach, expect, test } from 'vitest';
import type { EnvCard } from '#contract/catalog.ts';
import { runConfigSchema } from '#contract/config.ts';
import type { WatchApi } from '#contract/session.ts';
import { draftStore } from '#stores/draft.ts';
import { stageStore } from '#stores/stage.ts';
import { Director } from './director.ts';
import { HumanGame } from './human.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const layout = { kind: 'points', count: 1, bounds: [0, 0, 1, 1], names: [] } as const;

function card(idleAction: number | null, fps: number): EnvCard {
  return {
    id: 'e',
    agents: 1,
    frame: layout,
    fps,
    idleAction,
    keys: [
      ['ArrowLeft', 'a'],
      ['ArrowRight', 'd'],
    ],
  } as unknown as EnvCard;
}

async function opened(idleAction: number | null, fps: number): Promise<{ game: HumanGame; acted: number[] }> {
  const acted: number[] = [];
  let length = 1;
  const window = (): { from: number; frames: Float32Array; rewards: Float32Array; total: number } => ({
    from: length,
    frames: new Float32Array(6),
    rewards: new Float32Array(1),
    total: length,
  });
  const watch = {
    openPlay: async () => window(),
    playStep: async (action: readonly number[]) => {
      acted.push(action[0] as number);
      length++;
      return { window: window(), reward: 1, terminated: acted.length === 50, truncated: false };
    },
    closePlay: async () => ({ env: {}, reward: new Float32Array(acted.length) }),
    frames: async () => window(),
  } as unknown as WatchApi;
  const director = new Director({ watch: () => watch, autoplay: () => true });
  const game = new HumanGame(() => watch, director);
  draftStore.getState().open(runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } }));
  draftStore.setState({ env: card(idleAction, fps), problems: [] });
  await game.open();
  return { game, acted };
}

async function pass(game: HumanGame, seconds: number): Promise<void> {
  for (let t = 0; t < seconds; t += 0.02) {
    game.tick(0.02);
    await settle();
  }
}

beforeEach(() => stageStore.setState({ mode: 'idle', held: [], speed: 1 }));

test('a game that waits: a short press is one step, a held key repeats at the frame rate after a moment', async () => {
  const { game, acted } = await opened(null, 5);
  await pass(game, 1);
  expect(acted).toEqual([]);
  stageStore.setState({ held: ['ArrowRight'] });
  void game.act([1]); // the view says the same press twice
  await pass(game, 0.2);
  expect(acted).toEqual([1]);
  await pass(game, 1);
  expect(acted.length).toBeGreaterThanOrEqual(4);
  expect(acted.length).toBeLessThanOrEqual(6);
  stageStore.setState({ held: [] });
  const count = acted.length;
  await pass(game, 1);
  expect(acted.length).toBe(count);
});

test('a press without a key acts once', async () => {
  const { game, acted } = await opened(null, 5);
  await game.act([0]);
  expect(acted).toEqual([0]);
  expect(stageStore.getState()).toMatchObject({ length: 2, t: 1, returnSoFar: 1 });
});

test('a game with an idle action runs by itself at its frame rate, and the newest key steers', async () => {
  const { game, acted } = await opened(0, 10);
  await pass(game, 0.5);
  expect(acted.length).toBeGreaterThanOrEqual(4);
  expect(acted.length).toBeLessThanOrEqual(6);
  expect(new Set(acted)).toEqual(new Set([0]));
  stageStore.setState({ held: ['a', 'D'] });
  acted.length = 0;
  await pass(game, 0.5);
  expect(new Set(acted)).toEqual(new Set([1]));
});

test('the end of the episode ends the game with its score, as a replay', async () => {
  const { game, acted } = await opened(0, 1000);
  for (let i = 0; i < 60; i++) await pass(game, 0.02);
  expect(acted).toHaveLength(50);
  expect(stageStore.getState()).toMatchObject({ mode: 'replay', length: 51, message: 'You scored 50 in 50 steps.' });
});
