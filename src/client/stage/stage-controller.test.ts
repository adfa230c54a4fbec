import { beforeEach, expect, test, vi } from 'vitest';
import { addPolicy, dropPolicies } from '#client/runs/policies.ts';
import type { AlgoCard, Catalog, EnvCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { preferencesStore } from '#stores/preferences.ts';
import { newSeed, runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { RunGroup } from '#stores/types.ts';
import { Inspector } from './inspector.ts';
import { StageController } from './stage-controller.ts';

const layout = { kind: 'grid', width: 2, height: 1, agents: 1, headings: true, looks: [], colours: [], view: 0 } as const;
const FRAME = 2 * 3 + 6;
const card = (id: string): EnvCard =>
  ({ id, agents: 1, frame: layout, fps: 10, policies: [], action: { kind: 'discrete', n: 2, labels: [] } }) as unknown as EnvCard;
const config = (env: string) => runConfigSchema.parse({ env: { id: env }, algo: { id: 'a' } });
const policy = (step: number, seed = 1): PolicySnapshot => ({ seed, step, saved: { meta: {}, arrays: {} } }) as unknown as PolicySnapshot;

function rig() {
  const log: string[] = [];
  const waiting: (() => void)[] = [];
  let slow = false;
  const held = new Set<string>();
  const watch = {
    play: async (env: { id: string }, key: string | null, { seed, greedy }: { seed: number; greedy: boolean }): Promise<Replay> => {
      log.push(`play ${env.id} ${key ?? 'random'} ${greedy ? 'greedy' : 'exploring'}`);
      if (slow) await new Promise<void>((resolve) => waiting.push(resolve));
      return { env: { id: env.id, version: 1, config: {} }, seed, reward: Float32Array.of(1, 2, 3) } as unknown as Replay;
    },
    stopPlaying: async () => void log.push('stop'),
    frames: async (_: Replay, from: number, count: number) => ({
      from,
      frames: new Float32Array(Math.min(4, count) * FRAME),
      rewards: [],
      total: 4,
    }),
    preview: async (env: { id: string }) => {
      log.push(`preview ${env.id}`);
      return { from: 0, frames: new Float32Array(FRAME), rewards: [], total: 1 };
    },
    setPolicy: async (key: string) => void held.add(key),
    dropPolicy: async (key: string) => void held.delete(key),
    inspect: async (_: Replay, t: number, key: string) => {
      log.push(`inspect ${t}`);
      if (!held.has(key)) throw fail('internal', 'gone', '');
      return { value: t };
    },
    valueMap: async (_: Replay, t: number) => {
      log.push(`map ${t}`);
      return { values: Float32Array.of(t) };
    },
  } as unknown as WatchApi;
  const clock = { now: 0 };
  const stageController = new StageController({ watch: () => watch, autoplay: () => true, now: () => clock.now });
  return {
    stageController,
    clock,
    log,
    held,
    watch,
    slowDown: (): void => {
      slow = true;
    },
    answer: (i: number): void => waiting[i]?.(),
  };
}

function open(env: string): void {
  draftStore.getState().open(config(env));
  draftStore.setState({ env: card(env), problems: [] });
}

function addRun(id: string, env: string, state: 'running' | 'done' = 'running'): void {
  const group = { id, config: config(env), seeds: [{ ...newSeed(1), state }, newSeed(2)] } as unknown as RunGroup;
  runsStore.setState({ groups: [group], activeId: id });
}

beforeEach(() => {
  stageStore.setState(stageStore.getInitialState(), true);
  runsStore.setState({ groups: [], activeId: null });
  dropPolicies('r');
  preferencesStore.setState({ weights: {} });
});

test('before training random actions play; the first policy takes the stage at once, newer ones at the next episode', async () => {
  const { stageController, log } = rig();
  open('x');
  await stageController.refresh();
  expect(stageStore.getState()).toMatchObject({ mode: 'live', length: 4, playing: true, policy: null });
  addRun('r', 'x');
  addPolicy('r', policy(512), false);
  await stageController.refresh();
  expect(stageStore.getState().policy).toMatchObject({ runId: 'r', step: 512 });
  addPolicy('r', policy(1024), false);
  await stageController.refresh();
  expect(stageStore.getState().policy?.step).toBe(512);
  stageController.atEnd();
  await new Promise((resolve) => setImmediate(resolve));
  expect(stageStore.getState().policy?.step).toBe(1024);
  expect(log).toEqual(['play x random greedy', 'play x r/1/512 exploring', 'play x r/1/1024 exploring']);
});

test('the result of a finished game gives way to what plays; what a person chose to look at stays', async () => {
  const { stageController, log } = rig();
  open('x');
  await stageController.refresh();
  const { replay } = stageStore.getState();
  await stageController.leaveGame();
  expect(log).toEqual(['play x random greedy']);
  await stageController.showReplay(replay!, 'You scored 1 in 3 steps.', { rivals: [], score: 1, steps: 3, rounds: null, best: null });
  expect(stageStore.getState().mode).toBe('replay');
  await stageController.leaveGame();
  expect(stageStore.getState()).toMatchObject({ mode: 'live', game: null });
  expect(log).toEqual(['play x random greedy', 'play x random greedy']);
});

test('while a run trains an old policy gives way after three seconds, however slow its episode plays, but not while it is paused', async () => {
  const { stageController, clock } = rig();
  open('x');
  addRun('r', 'x');
  addPolicy('r', policy(512), true);
  await stageController.refresh();
  addPolicy('r', policy(1024), true);
  const at = async (ms: number, playing: boolean): Promise<number | undefined> => {
    clock.now = ms;
    stageStore.setState({ t: 1, playing });
    stageController.renew();
    await new Promise((resolve) => setImmediate(resolve));
    return stageStore.getState().policy?.step;
  };
  expect(await at(2900, true)).toBe(512);
  expect(await at(3100, false)).toBe(512);
  expect(await at(3100, true)).toBe(1024);
});

test('an episode that comes by itself leaves a frame that a person has paused at meanwhile; one that is asked for does not', async () => {
  const { stageController, log, slowDown, answer } = rig();
  open('x');
  addRun('r', 'x');
  addPolicy('r', policy(100), true);
  await stageController.refresh();
  const before = stageStore.getState().replay;
  slowDown();
  // The run ends: its best actions are on their way when a person pauses at a frame.
  addRun('r', 'x', 'done');
  stageController.renew();
  await vi.waitFor(() => expect(log.at(-1)).toMatch(/^play x .* greedy$/));
  stageStore.getState().setPlaying(false);
  stageStore.getState().seek(2);
  answer(0);
  await new Promise((resolve) => setTimeout(resolve));
  expect(stageStore.getState()).toMatchObject({ t: 2, playing: false, replay: before });
  const asked = stageController.anotherEpisode();
  await new Promise((resolve) => setTimeout(resolve));
  answer(1);
  await asked;
  expect(stageStore.getState().t).toBe(0);
  expect(stageStore.getState().replay).not.toBe(before);
});

test('when the run ends the trained policy takes the stage at once, with its best actions', async () => {
  const { stageController, log } = rig();
  open('x');
  addRun('r', 'x');
  addPolicy('r', policy(512), true);
  await stageController.refresh();
  addRun('r', 'x', 'done');
  stageController.renew();
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual(['play x r/1/512 exploring', 'play x r/1/512 greedy']);
  stageController.renew(); // nothing newer: it stays
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toHaveLength(2);
});

test('a seed that learned before the first one gives way to it, also on a stage that stands still', async () => {
  const { stageController, log } = rig();
  open('x');
  addRun('r', 'x');
  addPolicy('r', policy(512, 2), true);
  await stageController.refresh();
  stageStore.getState().setPlaying(false); // with reduced motion episodes wait at their first frame
  expect(stageStore.getState().policy).toMatchObject({ seed: 2, step: 512 });
  addPolicy('r', policy(4096), true);
  addRun('r', 'x', 'done');
  stageController.renew();
  await vi.waitFor(() => expect(stageStore.getState().policy).toMatchObject({ seed: 1, step: 4096 }));
  stageController.renew(); // the one that is followed: it stays
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.filter((line) => line.startsWith('play'))).toEqual(['play x r/2/512 greedy', 'play x r/1/4096 greedy']);
});

test('the first frame of an episode that stands still stays while it is asked about, and gives way when it plays on', async () => {
  const { stageController, log } = rig();
  open('x');
  addRun('r', 'x');
  addPolicy('r', policy(512), true);
  await stageController.refresh();
  stageStore.getState().setPlaying(false);
  stageStore.getState().question();
  addPolicy('r', policy(4096), true);
  addRun('r', 'x', 'done');
  stageController.renew();
  await new Promise((resolve) => setTimeout(resolve));
  expect(stageStore.getState()).toMatchObject({ t: 0, policy: { step: 512 } });
  stageStore.getState().setPlaying(true);
  stageController.renew();
  await vi.waitFor(() => expect(stageStore.getState().policy?.step).toBe(4096));
  expect(stageStore.getState().questioned).toBe(false);
  expect(log.filter((line) => line.startsWith('play'))).toHaveLength(2);
});

test('a run that ends while its first policy is on its way to a stage that stands still: the trained one follows by itself', async () => {
  const { stageController, log, slowDown, answer } = rig();
  open('x');
  await stageController.refresh();
  stageStore.getState().setPlaying(false);
  slowDown();
  addRun('r', 'x');
  addPolicy('r', policy(512), true);
  const first = stageController.refresh();
  await vi.waitFor(() => expect(log.at(-1)).toMatch(/^play x .*exploring$/));
  addRun('r', 'x', 'done');
  addPolicy('r', policy(4096), true);
  stageController.renew();
  answer(0);
  await first;
  await vi.waitFor(() => expect(log.at(-1)).toMatch(/^play x .*4096.* greedy$/));
  answer(1);
  await vi.waitFor(() => expect(stageStore.getState().policy?.step).toBe(4096));
  await new Promise((resolve) => setTimeout(resolve));
  expect(log.filter((line) => line.startsWith('play'))).toHaveLength(3);
});

test('captions say who acts: chance, a rule where nobody decides, a policy that explores, one that takes its best action', async () => {
  const { stageController } = rig();
  const caption = (): string => stageStore.getState().message;
  open('x');
  await stageController.refresh();
  expect(caption()).toContain('random actions, before any learning');
  const ruled = { ...card('x'), action: { kind: 'box', size: 0, low: [], high: [], labels: [] } } as unknown as EnvCard;
  draftStore.setState({ env: ruled });
  await stageController.refresh();
  expect(caption()).toContain('every member follows the built-in rule');
  draftStore.setState({ env: card('x') });
  addRun('r', 'x');
  addPolicy('r', policy(512), true);
  await stageController.refresh();
  expect(caption()).toContain('the policy at step 512, exploring');
  addRun('r', 'x', 'done');
  stageController.renew();
  await new Promise((resolve) => setImmediate(resolve));
  expect(caption()).toContain('the policy at step 512, always its best action');
});

test('a method whose policy is a mixture is not said to take its best action', async () => {
  const { stageController } = rig();
  const mixes = { id: 'a', mixed: 'sampled' } as unknown as AlgoCard;
  catalogStore.setState({ catalog: { envs: [], algos: [mixes] } as unknown as Catalog });
  open('x');
  addRun('r', 'x', 'done');
  addPolicy('r', policy(64), false);
  await stageController.watch('r', 1);
  expect(stageStore.getState().message).toContain('always its best action');
  runsStore.setState(({ groups }) => ({
    groups: groups.map((group) => ({ ...group, config: { ...group.config, algo: { ...group.config.algo, config: { sampled: true } } } })),
  }));
  await stageController.watch('r', 1);
  expect(stageStore.getState().message).toContain('actions drawn by their probabilities');
  catalogStore.setState({ catalog: null });
});

test('a changed world keeps the agent, and says what differs', async () => {
  const { stageController, log } = rig();
  open('x');
  addRun('r', 'x', 'done');
  addPolicy('r', policy(512), true);
  await stageController.refresh();
  draftStore.setState({ config: runConfigSchema.parse({ env: { id: 'x', config: { gravity: 30 } }, algo: { id: 'a' } }), env: card('x') });
  await stageController.refresh();
  expect(stageStore.getState()).toMatchObject({ policy: { runId: 'r', step: 512 } });
  expect(stageStore.getState().message).toContain('another gravity');
  expect(log.at(-1)).toBe('play x r/1/512 greedy');
});

test('an agent that cannot act in the changed world leaves the stage to random actions, with the reason, and is not tried with every policy', async () => {
  const { stageController, log, watch } = rig();
  open('x');
  addRun('r', 'x');
  addPolicy('r', policy(512), true);
  await stageController.refresh();
  const { play } = watch;
  watch.play = async (env, key, options) => {
    if (key !== null) throw fail('incompatible', 'It was trained with 3 agents.', 'Train anew.');
    return play(env, key, options);
  };
  draftStore.setState({ config: runConfigSchema.parse({ env: { id: 'x', config: { n: 5 } }, algo: { id: 'a' } }), env: card('x') });
  await stageController.refresh();
  expect(stageStore.getState()).toMatchObject({ policy: null, message: 'It was trained with 3 agents.' });
  const before = log.length;
  addPolicy('r', policy(1024), true);
  await stageController.refresh();
  expect(log).toHaveLength(before);
});

test('another environment in the draft takes the stage from the run; coming back gives it back', async () => {
  const { stageController } = rig();
  open('x');
  addRun('r', 'x', 'done');
  addPolicy('r', policy(512), true);
  await stageController.refresh();
  expect(stageStore.getState().policy?.runId).toBe('r');
  open('y');
  await stageController.refresh();
  expect(stageStore.getState().policy).toBeNull();
  open('x');
  await stageController.refresh();
  expect(stageStore.getState().policy?.runId).toBe('r');
});

test('a chosen point of the run stays until another is chosen, and ends as a replay that can be looked at', async () => {
  const { stageController } = rig();
  open('x');
  addRun('r', 'x');
  for (const step of [100, 200, 300]) addPolicy('r', policy(step), true);
  await stageController.watch('r', 1, 250);
  expect(stageStore.getState()).toMatchObject({ mode: 'replay', policy: { step: 200 } });
  addPolicy('r', policy(400), true);
  await stageController.refresh();
  stageController.atEnd();
  expect(stageStore.getState()).toMatchObject({ mode: 'replay', playing: false, policy: { step: 200 } });
  expect(stageStore.getState().checkpoints.map(({ step }) => step)).toEqual([100, 200, 300, 400]);
  await stageController.watch('r', 1);
  expect(stageStore.getState()).toMatchObject({ mode: 'live', policy: { step: 400 } });
});

test('policies from files are told apart, also where seed and step are the same; each is given to the worker once', async () => {
  const { stageController, watch, log } = rig();
  const given = vi.spyOn(watch, 'setPolicy');
  open('x');
  const [one, other] = [policy(600), policy(600)];
  for (const file of [one, other, other]) await stageController.showPolicy(file);
  expect(given.mock.calls.map(([, snapshot]) => snapshot)).toEqual([one, other]);
  expect(given.mock.calls[1]?.[1]).toBe(other);
  const names = given.mock.calls.map(([key]) => key);
  expect(log).toEqual([names[0], names[1], names[1]].map((key) => `play x ${key} greedy`));
  expect(stageStore.getState().policy).toMatchObject({ key: names[1], runId: '', seed: 1, step: 600 });
  expect(names[0]).not.toBe(names[1]);
});

test('an answer for an older scene is dropped', async () => {
  const { stageController, slowDown, answer } = rig();
  slowDown();
  open('x');
  const first = stageController.nextEpisode();
  open('y');
  const second = stageController.nextEpisode();
  answer(1);
  await second;
  answer(0);
  await first;
  expect(stageStore.getState().replay?.env.id).toBe('y');
});

test('the policy of another run that is on its way is not asked for again: its caller waits until the stage shows it', async () => {
  const { stageController, log, slowDown, answer } = rig();
  open('x');
  addRun('r', 'x', 'done');
  addPolicy('r', policy(512), false);
  await stageController.refresh();
  addRun('other', 'x', 'done');
  addPolicy('other', policy(64), false);
  slowDown();
  const watched = stageController.watch('other', 1);
  await vi.waitFor(() => expect(log.at(-1)).toBe('play x other/1/64 greedy'));
  void stageController.refresh();
  await new Promise((resolve) => setImmediate(resolve));
  answer(0);
  await watched;
  dropPolicies('other');
  expect(stageStore.getState().policy).toMatchObject({ runId: 'other', step: 64 });
  expect(log.filter((line) => line.includes('other'))).toHaveLength(1);
});

test('editing the map shows its first frame, and leaving it plays again', async () => {
  const { stageController, log } = rig();
  open('x');
  await stageController.refresh();
  await stageController.editMap(true);
  expect(stageStore.getState()).toMatchObject({ mode: 'edit', length: 1, playing: false });
  await stageController.refresh();
  await stageController.editMap(false);
  expect(stageStore.getState()).toMatchObject({ mode: 'live', length: 4 });
  expect(log).toEqual(['play x random greedy', 'preview x', 'preview x', 'play x random greedy']);
});

test('the return beside the scene is the sum up to the frame', async () => {
  const { stageController } = rig();
  open('x');
  await stageController.refresh();
  stageStore.setState({ t: 2 });
  stageController.updateReturn();
  expect(stageStore.getState().returnSoFar).toBe(3);
});

test('the watch worker holds only the last few policies', async () => {
  const { stageController, held } = rig();
  open('x');
  addRun('r', 'x');
  for (let step = 1; step <= 14; step++) {
    addPolicy('r', policy(step), true);
    await stageController.nextEpisode();
  }
  expect(held.size).toBe(12);
  expect(held.has('r/1/14')).toBe(true);
});

test('paused, the shown frame is explained at once; playing, five times a second; the map only while it is shown', async () => {
  const { stageController, log, watch } = rig();
  open('x');
  addRun('r', 'x', 'done');
  addPolicy('r', policy(5), true);
  await stageController.refresh();
  let now = 1000;
  const inspector = new Inspector(
    () => watch,
    () => now,
  );
  const tick = async (t: number, ms: number): Promise<void> => {
    now += ms;
    stageStore.setState({ t });
    inspector.tick();
    await new Promise((resolve) => setImmediate(resolve));
  };
  log.length = 0;
  await tick(0, 0);
  await tick(0, 1000);
  for (let i = 1; i <= 3; i++) await tick(i, 50);
  expect(log).toEqual(['inspect 0', 'inspect 1']);
  stageStore.setState({ playing: false });
  stageStore.getState().setOverlay('values', true);
  await tick(3, 10);
  expect(log.slice(2)).toEqual(['inspect 3', 'map 3']);
  expect(stageStore.getState()).toMatchObject({ inspection: { value: 3 }, valueMap: { values: Float32Array.of(3) } });
});

test('a chosen script plays on, episode after episode, until another run or a point of one is chosen', async () => {
  const { stageController, log } = rig();
  open('a');
  draftStore.setState({ env: { ...card('a'), policies: ['optimal'] } as EnvCard });
  await stageController.watchScripted('optimal');
  await stageController.nextEpisode();
  expect(log.slice(-2)).toEqual(['play a scripted:optimal greedy', 'play a scripted:optimal greedy']);
  expect(stageStore.getState()).toMatchObject({ mode: 'live', scripted: 'optimal', policy: null });
  await stageController.watchScripted('random');
  expect(log.at(-1)).toBe('play a random greedy');
  addRun('r', 'a');
  addPolicy('r', policy(100), true);
  await stageController.refresh();
  expect(stageStore.getState()).toMatchObject({ scripted: null, policy: { step: 100 } });
  await stageController.watchScripted('optimal');
  await stageController.watch('r', 1, 100);
  expect(log.at(-1)).toBe('play a r/1/100 greedy');
  await stageController.watchScripted('unheard of');
  expect(stageStore.getState().scripted).toBeNull();
});

test('of policies for several rewards the preferred one plays, greedily, and goes on being the one', async () => {
  const { stageController, log } = rig();
  const front = { objectives: ['a', 'b'], points: [], known: [], reference: [0, 0] };
  const many = (step: number): PolicySnapshot =>
    ({ ...policy(step), algo: { config: {} }, saved: { meta: { front }, arrays: {} } }) as unknown as PolicySnapshot;
  open('x');
  addRun('r', 'x');
  addPolicy('r', many(512), false);
  await stageController.refresh();
  preferencesStore.getState().prefer('r', [0.25, 0.75]);
  await stageController.prefer();
  expect(stageStore.getState().message).toContain('for weights 0.25 : 0.75, always its best action');
  addPolicy('r', many(1024), false);
  await stageController.nextEpisode();
  expect(log).toEqual(['play x r/1/512 exploring', 'play x r/1/512#0.25,0.75 greedy', 'play x r/1/1024#0.25,0.75 greedy']);
});

test('an episode that takes long says so, is stopped by a request for another, and by a press', async () => {
  vi.useFakeTimers();
  try {
    const { stageController, log, slowDown, answer } = rig();
    open('x');
    slowDown();
    const first = stageController.nextEpisode();
    await vi.advanceTimersByTimeAsync(400);
    expect(stageStore.getState().computing).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(stageStore.getState().computing).toBe(true);
    expect(log).not.toContain('stop');
    await stageController.stopComputing();
    expect(log.filter((line) => line === 'stop')).toHaveLength(1);
    const second = stageController.nextEpisode();
    await vi.advanceTimersByTimeAsync(0);
    expect(log.filter((line) => line === 'stop')).toHaveLength(2);
    answer(0);
    answer(1);
    await first;
    await second;
    expect(stageStore.getState().computing).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test('with the same start every policy of the timeline plays from it and comes in at the same moment; another episode is another start', async () => {
  const { stageController } = rig();
  open('x');
  addRun('r', 'x', 'done');
  for (const step of [100, 200, 300]) addPolicy('r', policy(step), true);
  await stageController.watch('r', 1, 100);
  stageController.keepStart(true);
  const start = stageStore.getState().replay?.seed;
  stageStore.getState().seek(2);
  for (const step of [200, 300]) {
    await stageController.watch('r', 1, step);
    const { replay, t, policy: shown } = stageStore.getState();
    expect([replay?.seed, t, shown?.step]).toEqual([start, 2, step]);
  }
  await stageController.anotherEpisode();
  expect(stageStore.getState().t).toBe(0);
  expect(stageStore.getState().replay?.seed).not.toBe(start);
  const other = stageStore.getState().replay?.seed;
  await stageController.watch('r', 1, 100);
  expect(stageStore.getState().replay?.seed).toBe(other);
  stageController.keepStart(false);
  await stageController.watch('r', 1, 100);
  expect(stageStore.getState().replay?.seed).not.toBe(other);
});
