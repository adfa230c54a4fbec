import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { Pull } from '#contract/game/frames.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { draftStore } from '#stores/draft.ts';
import { stageStore } from '#stores/stage.ts';
import { HumanGame, inputOf, takenOver } from './human.ts';
import { cardOfSeat } from './human-seat.ts';
import { StageController } from './stage-controller.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const layout = { kind: 'points', count: 1, bounds: [0, 0, 1, 1], names: [] } as const;

function card(idleAction: number | null, fps: number): EnvCard {
  return {
    id: 'e',
    agents: 1,
    groups: [],
    frame: layout,
    policies: ['expert'],
    fps,
    idleAction,
    keys: [
      ['ArrowLeft', 'a'],
      ['ArrowRight', 'd'],
    ],
  } as unknown as EnvCard;
}

/** A step that is left to the policy. */
const POLICY = -7;

/** Ended after their test: one that goes on would hear the keys of the next. */
const begun: HumanGame[] = [];
afterEach(async () => {
  for (const game of begun.splice(0)) await game.end();
});

/** `play`: how others play, where it is not at once. */
async function opened(
  idleAction: number | null,
  fps: number,
  more: Partial<EnvCard> = {},
  play: (name: string | null, seed: number) => Promise<unknown> = async (name) => ({
    env: {},
    reward: Float32Array.of(name === null ? 2 : 9),
  }),
  ends = 50,
): Promise<{ game: HumanGame; acted: number[]; pulls: (Pull | null)[] }> {
  const acted: number[] = [];
  const pulls: (Pull | null)[] = [];
  let length = 1;
  const window = (): { from: number; frames: Float32Array; rewards: Float32Array; total: number } => ({
    from: length,
    frames: new Float32Array(6),
    rewards: new Float32Array(1),
    total: length,
  });
  const watch = {
    openPlay: async () => {
      length = 1;
      return window();
    },
    playStep: async (action: readonly number[] | null, _seat: number | undefined, pull: Pull | null) => {
      acted.push(action?.[0] ?? POLICY);
      pulls.push(pull);
      length++;
      return { window: window(), reward: 1, terminated: acted.length % ends === 0, truncated: false };
    },
    closePlay: async () => ({ env: {}, reward: new Float32Array(acted.length) }),
    frames: async () => window(),
    play: (_env: unknown, name: string | null, { seed }: { readonly seed: number }) => play(name, seed),
    stopPlaying: async () => {},
    tokenStrip: async ({ reward }: { readonly reward: Float32Array }) => ({ asked: `Asked of who scores ${reward[0]}?` }),
  } as unknown as WatchApi;
  const stageController = new StageController({ watch: () => watch, autoplay: () => true, now: () => 0 });
  const game = new HumanGame(() => watch, stageController);
  draftStore.getState().open(runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } }));
  draftStore.setState({ env: { ...card(idleAction, fps), ...more }, problems: [] });
  await game.open();
  begun.push(game);
  return { game, acted, pulls };
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

test('keys held together are one action, before each of them alone', () => {
  const env = { ...card(0, 30), keys: [[], ['ArrowLeft'], ['ArrowUp'], ['ArrowUp+ArrowLeft']] } as EnvCard;
  expect(inputOf(env, ['ArrowUp', 'ArrowLeft'], [])).toEqual([3]);
  expect(inputOf(env, ['ArrowUp'], [])).toEqual([2]);
  expect(inputOf(env, [], [])).toEqual([0]);
});

test('axes are pushed by keys and sticks from their rest, as far as their ends', () => {
  const axis = { name: 'up', component: 1, less: ['s'], more: ['w'], low: 0, high: 4, rest: 1 };
  const env = { ...card(null, 30), action: { kind: 'box', size: 3, low: [], high: [], labels: [] }, axes: [axis] } as EnvCard;
  expect(inputOf(env, [], [])).toEqual([0, 1, 0]);
  expect(inputOf(env, ['W'], [])).toEqual([0, 4, 0]);
  expect(inputOf(env, ['s', 'w'], [])).toEqual([0, 1, 0]);
  expect(inputOf(env, [], [0.5])).toEqual([0, 2.5, 0]);
  expect(inputOf(env, ['w'], [0.5])).toEqual([0, 4, 0]);
  expect(inputOf(env, [], [-1])).toEqual([0, 0, 0]);
});

test('a game with axes runs by itself', async () => {
  const { game, acted } = await opened(null, 10);
  const env = { ...card(null, 10), action: { kind: 'box', size: 1, low: [-1], high: [1], labels: [] } } as EnvCard;
  draftStore.setState({ env: { ...env, axes: [{ name: 'x', component: 0, less: ['a'], more: ['d'], low: -1, high: 1, rest: 0 }] } });
  await game.open();
  await pass(game, 1);
  expect(acted.length).toBeGreaterThanOrEqual(9);
  stageStore.setState({ held: ['d'] });
  await pass(game, 0.3);
  expect(acted.at(-1)).toBe(1);
});

test('a fast game that waits begins with the first press; the side pressed last stays pressed', async () => {
  const { game, acted } = await opened(null, 30);
  await pass(game, 0.5);
  expect(acted).toEqual([]);
  stageStore.setState({ held: ['ArrowRight'] });
  stageStore.setState({ held: [] });
  await pass(game, 0.5);
  expect(acted.length).toBeGreaterThanOrEqual(12);
  expect(new Set(acted)).toEqual(new Set([1]));
  await game.act([0]);
  acted.length = 0;
  await pass(game, 0.2);
  expect(new Set(acted)).toEqual(new Set([0]));
  // Slow motion: a quarter of the steps.
  stageStore.setState({ speed: 0.25 });
  acted.length = 0;
  await pass(game, 0.5);
  expect(acted.length).toBeGreaterThanOrEqual(2);
  expect(acted.length).toBeLessThanOrEqual(5);
});

test('others play from the same start; the result stands beside theirs, and the best is remembered for the rematch', async () => {
  const { game, acted } = await opened(0, 1000);
  await settle();
  expect(stageStore.getState().game).toEqual({
    rivals: [
      { name: 'random', score: 2 },
      { name: 'expert', score: 9 },
    ],
    score: null,
    steps: 0,
    rounds: null,
    best: null,
  });
  for (let i = 0; i < 60; i++) await pass(game, 0.02);
  expect(acted).toHaveLength(50);
  expect(stageStore.getState().game).toMatchObject({ score: 50, steps: 50, best: null, rivals: [{ name: 'random' }, { name: 'expert' }] });
  await game.open();
  expect(stageStore.getState().game).toMatchObject({ score: null, best: 50 });
});

test('where an episode is one step, presses are rounds of one game: scores are sums, those of others too, until it is ended', async () => {
  const { game, acted } = await opened(null, 2, { maxSteps: 0, evalMaxSteps: 1 }, undefined, 1);
  for (let round = 1; round <= 3; round++) {
    stageStore.setState({ held: ['ArrowRight'] });
    await settle();
    await settle();
    stageStore.setState({ held: [] });
    await settle();
    expect(stageStore.getState()).toMatchObject({ mode: 'play', returnSoFar: round, game: { rounds: round, score: null } });
  }
  expect(acted).toEqual([1, 1, 1]);
  await game.end();
  expect(stageStore.getState()).toMatchObject({
    mode: 'replay',
    message: 'You scored 3 in 3 rounds.',
    game: {
      score: 3,
      rounds: 3,
      best: null,
      rivals: [
        { name: 'random', score: 6 },
        { name: 'expert', score: 27 },
      ],
    },
  });
  // Ended before the first press.
  await game.open();
  await game.end();
  expect(stageStore.getState().message).toBe('You scored 0 in 0 rounds.');
});

test('a rival of the game before does not stand in the result of this one; its own do, also when it is over', async () => {
  const answers: (() => void)[] = [];
  const late = (_: string | null, seed: number): Promise<unknown> =>
    new Promise((resolve) => answers.push(() => resolve({ env: {}, reward: Float32Array.of(100 * seed) })));
  const { game } = await opened(0, 10, { policies: [] }, late);
  await game.end();
  await game.open();
  await game.end();
  expect(answers).toHaveLength(2);
  expect(stageStore.getState().game).toMatchObject({ score: 0, rivals: [] });
  answers[0]?.();
  await settle();
  expect(stageStore.getState().game?.rivals).toEqual([]);
  answers[1]?.();
  await settle();
  expect(stageStore.getState().game?.rivals).toEqual([{ name: 'random', score: 200 }]);
});

test('who takes over acts while a key is held, or was tapped; the policy acts in all other steps', async () => {
  const { game, acted } = await opened(0, 10);
  acted.length = 0;
  await game.takeOver();
  expect(stageStore.getState()).toMatchObject({ mode: 'play', takeover: { steps: 0 } });
  await pass(game, 0.5);
  expect(acted.length).toBeGreaterThanOrEqual(4);
  expect(new Set(acted)).toEqual(new Set([POLICY])); // not the idle action
  acted.length = 0;
  stageStore.setState({ held: ['d'] });
  await pass(game, 0.5);
  stageStore.setState({ held: [] });
  expect(new Set(acted)).toEqual(new Set([1]));
  expect(stageStore.getState().takeover).toEqual({ steps: acted.length });
  acted.length = 0;
  stageStore.setState({ held: ['ArrowLeft'] });
  stageStore.setState({ held: [] }); // let go before the next step
  await pass(game, 0.5);
  expect(acted.filter((action) => action === 0)).toHaveLength(1);
  expect(acted.at(-1)).toBe(POLICY);
  for (let i = 0; i < 60; i++) await pass(game, 0.1);
  expect(stageStore.getState().message).toMatch(/^You acted in \d of \d+ steps/);
});

test('a press that is let go before the game is open or a step was taken acts in one step', async () => {
  const { game, pulls } = await opened(null, 20);
  const at = (x: number): Pull => ({ part: 0, at: [0, 0, 0], to: [x, 0, 0] });
  await game.end();
  const opening = game.pull(at(1)); // opens a game in which the policy goes on
  await game.pull(null);
  await opening;
  for (let i = 0; i < 3; i++) {
    game.tick(0.05);
    await settle();
  }
  expect(pulls).toEqual([at(1), null, null]);
  // held over several steps, and moved while it is held: until it is let go
  await game.pull(at(2));
  game.tick(0.05);
  await settle();
  await game.pull(at(3));
  game.tick(0.05);
  await settle();
  game.tick(0.05);
  await settle();
  await game.pull(null);
  game.tick(0.05);
  await settle();
  expect(pulls.slice(3)).toEqual([at(2), at(3), at(3), null]);
});

test('an agent whose actions are not those of the first one gets keys of its own', () => {
  const group = (action: EnvCard['action'], ...names: string[]) => ({ names, action, obs: { kind: 'discrete', n: 1 } }) as const;
  const words = { kind: 'discrete', n: 3, labels: ['red', 'green', 'blue'] } as const;
  const force = { kind: 'box', size: 2, low: [-1, -1], high: [1, 1], labels: ['x', 'y'] } as const;
  const env = { ...card(0, 10), action: words, groups: [group(words, 'a'), group(force, 'b', 'c')], agents: 3 } as EnvCard;
  expect(cardOfSeat(env, 0)).toBe(env);
  const other = cardOfSeat(env, 2);
  expect(takenOver(other, ['ArrowRight', 'ArrowDown'], [])).toEqual([1, -1]);
  expect(takenOver(other, [], [])).toBeNull();
  expect(takenOver(other, [], [0, 0.5])).toEqual([0, 0.5]);
  const turned = { ...env, action: force, groups: [group(force, 'b'), group(words, 'a')] } as EnvCard;
  expect(takenOver(cardOfSeat(turned, 1), ['2'], [])).toEqual([1]);
});

test('a task in tokens says in words what it asks while a person plays it; other worlds say nothing', async () => {
  await opened(null, 5, { tokens: { begin: 0, end: 1 } });
  await settle();
  expect(stageStore.getState()).toMatchObject({ mode: 'play', told: 'Asked of who scores 2?' });
  await opened(null, 5);
  await settle();
  expect(stageStore.getState()).toMatchObject({ mode: 'play', told: '' });
});
