import { expect, test } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import { present } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { completeRun, createSession } from '#core/run/loaded.ts';
import { createWatchHost } from './watch-host.ts';

const lake: { readonly id: string; readonly config: JsonObject } = { id: 'frozen-lake', config: { slippery: false } };

async function trained(env = lake, steps = 5000): Promise<PolicySnapshot> {
  const config = completeRun({ env, algo: { id: 'q-learning' }, run: { steps, evalEpisodes: 1 } });
  let newest: PolicySnapshot | null = null;
  for await (const event of createSession({ config, seed: 1, now: () => performance.now() })) {
    if (event.kind === 'policy') newest = event.snapshot;
  }
  if (newest === null) throw new Error('no policy came');
  return newest;
}

test('the catalogue names environments, algorithms and experiments, and survives the trip to the page', async () => {
  const catalog = structuredClone(await createWatchHost().catalog());
  expect(catalog.envs.map(({ id }) => id)).toContain('cartpole');
  expect(catalog.algos.map(({ id }) => id)).toContain('ppo');
  expect(catalog.experiments.length).toBeGreaterThan(0);
});

test('a policy is checked before it is shown', async () => {
  const watch = createWatchHost();
  const snapshot = await trained();
  await watch.checkPolicy(snapshot);
  const [first = ''] = Object.keys(snapshot.saved.arrays);
  const { [first]: _, ...arrays } = snapshot.saved.arrays;
  await expect(watch.checkPolicy({ ...snapshot, saved: { ...snapshot.saved, arrays } })).rejects.toThrow();
});

test('an episode is the same frames each time it is read, in any order', async () => {
  const watch = createWatchHost();
  const replay = await watch.play({ id: 'cartpole', config: {} }, null, { seed: 7, greedy: false });
  const card = await watch.describe({ id: 'cartpole', config: {} });
  const whole = await watch.frames(structuredClone(replay), 0, 1000);
  expect(whole.total).toBe(replay.reward.length + 1);
  const size = frameSize(card.frame);
  for (const t of [5, 0, whole.total - 1]) {
    const one = await watch.frames(structuredClone(replay), t, 1);
    expect(Array.from(one.frames)).toEqual(Array.from(whole.frames.subarray(t * size, (t + 1) * size)));
  }
});

test('a policy is kept by name, plays, and is inspected; a dropped one is refused', async () => {
  const watch = createWatchHost();
  await watch.setPolicy('p', await trained());
  const replay = await watch.play(lake, 'p', { seed: 1, greedy: true });
  const inspection = await watch.inspect(replay, 0, 'p');
  expect(inspection.chosen[0]).toBe(replay.actions[0]);
  const map = await watch.valueMap(replay, 0, 'p');
  expect(map?.values).toHaveLength(16);
  await watch.dropPolicy('p');
  await expect(watch.inspect(replay, 0, 'p')).rejects.toThrow('no longer in memory');
});

test('a person takes over from the shown frame, for some steps, and the policy does the others', async () => {
  const watch = createWatchHost();
  const [script = ''] = (await watch.describe(lake)).policies;
  const p = `scripted:${script}`;
  const before = await watch.play(lake, p, { seed: 1, greedy: true });
  const window = await watch.openPlay(lake, 1, { agent: 0, players: [p], takeover: true, from: { replay: before, t: 2 } });
  expect(window.total).toBe(3);
  const other = ((before.actions[2] ?? 0) + 1) % 4;
  await watch.playStep([other], 0);
  for (let over = false; !over; ) {
    const { terminated, truncated } = await watch.playStep(null);
    over = terminated || truncated;
  }
  const replay = await watch.closePlay();
  expect(Array.from(replay.human ?? [])).toEqual(Array.from(replay.reward, (_, t) => (t === 2 ? 0 : -1)));
  expect(replay.actions[2]).toBe(other);
  expect([...replay.actions.slice(0, 2)]).toEqual([...before.actions.slice(0, 2)]);
  expect((await watch.frames(replay, 0, 100)).total).toBe(replay.reward.length + 1);
  await watch.openPlay(lake, 1, { agent: 0, players: [p] });
  await expect(watch.playStep(null)).rejects.toMatchObject({ failure: { id: 'action-invalid' } });
});

test('any agent of a team is taken over, from step to step, with actions of its own kind', async () => {
  const watch = createWatchHost();
  const env = { id: 'mpe-simple-speaker-listener', config: {} };
  const card = await watch.describe(env);
  await watch.openPlay(env, 3, { agent: 0, players: new Array<null>(card.agents).fill(null), takeover: true });
  for (const agent of [1, 0]) await watch.playStep([2], agent);
  await watch.playStep(null);
  await expect(watch.playStep([4], 0)).rejects.toMatchObject({ failure: { id: 'action-invalid' } }); // the speaker has three words
  await expect(watch.playStep([0], 2)).rejects.toMatchObject({ failure: { field: 'seat' } });
  const replay = await watch.closePlay();
  expect(Array.from(replay.human ?? [])).toEqual([1, 0, -1]);
  expect([replay.actions[1], replay.actions[2]]).toEqual([2, 2]);
  const pendulum = { id: 'pendulum', config: {} };
  await watch.openPlay(pendulum, 1, { agent: 0, players: [null], takeover: true });
  await watch.playStep([0.5], 0);
  await watch.playStep(null);
  const swung = await watch.closePlay();
  expect(Array.from(swung.human ?? [])).toEqual([0, -1]);
  expect(swung.actions[0]).toBe(0.5);
});

test('a person pulls at a body while the policy acts: the replay tells of it and repeats itself', async () => {
  const watch = createWatchHost();
  const hopper = { id: 'mujoco-hopper', config: {} };
  const { policies, frame } = await watch.describe(hopper);
  const part = frame.kind === 'bodies' && frame.pulls === true ? frame.parts.length - 1 : -1;
  const play = async (pulled: boolean) => {
    await watch.openPlay(hopper, 1, { agent: 0, players: [`scripted:${policies[0]}`], takeover: true });
    await watch.playStep(null);
    for (let t = 0; t < 5; t++) await watch.playStep(null, 0, pulled ? { part, at: [0.01, 0, 0], to: [0.7, 0, 0.4] } : null);
    await watch.playStep(null);
    return watch.closePlay();
  };
  const [left, drawn] = [await play(false), await play(true)];
  expect(left.pulls).toBeUndefined();
  expect(Array.from(drawn.pulls ?? []).filter((_, i) => i % 7 === 0)).toEqual([-1, part, part, part, part, part, -1]);
  expect(drawn.reward[0]).toBe(left.reward[0]);
  expect(drawn.reward[6]).not.toBe(left.reward[6]);
  const { frames } = await watch.frames(drawn, 0, 8);
  expect(frames).not.toEqual((await watch.frames(left, 0, 8)).frames);
  await expect(watch.frames({ ...drawn, pulls: new Float32Array(49).fill(-1) }, 0, 8)).rejects.toThrow('does not repeat itself');
});

test('a person orders units about while the script plays the others: the replay holds what they did and repeats itself', async () => {
  const watch = createWatchHost();
  const battle = { id: 'smax', config: { scenario: '3m' } };
  await watch.openPlay(battle, 1, { agent: 0, players: new Array<string>(3).fill('scripted:heuristic'), takeover: true });
  await watch.playStep(null);
  await watch.playStep(null, 0, { part: 2, at: [0, 0, 0], to: [2, 30, 0] });
  for (let t = 0; t < 3; t++) await watch.playStep(null);
  const replay = await watch.closePlay();
  expect(replay.pulls).toBeUndefined();
  expect([...(replay.human ?? [])]).toEqual([-1, 2, 2, 2, 2]);
  expect([0, 3]).toContain(replay.actions[5]);
  const { frames, rewards } = await watch.frames(replay, 0, 6);
  expect(frames.length).toBeGreaterThan(0);
  expect(rewards.length).toBe(6);
});

test('a person plays with the dynamics of the replay that comes of it', async () => {
  const watch = createWatchHost();
  const config = { slippery: false };
  await watch.openPlay({ id: 'frozen-lake', config }, 1);
  await expect(watch.playStep([9])).rejects.toMatchObject({ failure: { id: 'action-invalid' } });
  const seen: number[][] = [];
  let ended = false;
  for (const action of [1, 1, 2, 1, 2, 2]) {
    const { window, terminated } = await watch.playStep([action]);
    seen.push(Array.from(window.frames));
    ended = terminated;
  }
  expect(ended).toBe(true);
  await expect(watch.playStep([0])).rejects.toThrow('ended');
  const replay = await watch.closePlay();
  expect(replay.ended).toBe('terminated');
  const window = await watch.frames(replay, 1, seen.length);
  expect(Array.from(window.frames)).toEqual(seen.flat());
  expect(window.rewards.at(-1)).toBe(1);
  await expect(watch.playStep([0])).rejects.toThrow('No game is open');
});

test('a scripted policy plays by its name; another name is refused with the ones there are', async () => {
  const watch = createWatchHost();
  expect((await watch.describe(lake)).policies).toEqual(['optimal']);
  const replay = await watch.play(lake, 'scripted:optimal', { seed: 1, greedy: true });
  expect(replay.ended).toBe('terminated');
  expect(replay.reward.reduce((sum, value) => sum + value, 0)).toBe(1);
  await expect(watch.play(lake, 'scripted:clever', { seed: 1, greedy: true })).rejects.toThrow('no scripted policy "clever"');
});

test('a wrong config is refused with its field', async () => {
  const watch = createWatchHost();
  await expect(watch.complete({ env: { id: 'cartpole' }, algo: { id: 'ppo', config: { lr: -1 } } })).rejects.toMatchObject({
    failure: { id: 'config-invalid', field: 'algo.lr' },
  });
});

test('a policy is tested against its yardstick, episode by episode, and random actions are', async () => {
  const watch = createWatchHost();
  const cliff = { id: 'cliff-walking', config: {} };
  const snapshot = await trained(cliff);
  const { kind, scores } = await watch.strength({ of: snapshot, episodes: 6, after: 0 });
  expect(kind).toBe('return');
  await watch.setPolicy('p', snapshot);
  expect(scores.reduce((sum, score) => sum + score, 0) / 6).toBe(await watch.score(cliff, 'p', 6));
  expect(scores[0]!).toBeLessThan(-12);
  const random = await watch.strength({ of: lake, episodes: 200, after: 0 });
  expect(random.scores.reduce((sum, score) => sum + score, 0)).toBeLessThan(20);
  const further = await watch.strength({ of: lake, episodes: 100, after: 100 });
  expect(further.scores).toHaveLength(100);
  const board = await watch.strength({ of: { id: 'tic-tac-toe', config: {} }, episodes: 7, after: 0 });
  expect(board.kind).toBe('share of wins against random');
  expect(board.scores).toHaveLength(8); // as many from each seat
});

test('a policy is measured after its run: actions drawn, elsewhere, exactly; what is not asked for is null', async () => {
  const watch = createWatchHost();
  const snapshot = await trained({ id: 'cliff-walking', config: {} }, 40_000);
  const nothing = { episodes: 5, drawn: false, exact: false, against: null, explain: null };
  const none = {
    sampledReturn: null,
    drawn: null,
    exactScore: null,
    againstReturn: null,
    elsewhere: null,
    elsewhereDrawn: null,
    explained: null,
  };
  expect(await watch.afterRun(snapshot, nothing)).toEqual(none);
  const found = await watch.afterRun(snapshot, { ...nothing, drawn: true, exact: true, against: [{}] });
  expect(found).toMatchObject({ exactScore: null, againstReturn: -13, elsewhere: { return: -13, solved: 0 }, explained: null }); // its episodes have no limit
  expect(found.sampledReturn).toBeLessThanOrEqual(-13);
  expect(found.elsewhereDrawn?.return).toBeLessThanOrEqual(-13);
  const onLake = await trained();
  expect((await watch.afterRun(onLake, { ...nothing, exact: true })).exactScore).toBeGreaterThanOrEqual(0);
  await expect(watch.afterRun(onLake, { ...nothing, against: [{ map: ['SF', 'FG'] }] })).rejects.toThrow('cannot act');
});

test('a person in the seat of a pool plays beside the policy that learned there: it acts as with a partner that it was never told of', async () => {
  const watch = createWatchHost();
  const world = { foods: 2, maxSteps: 12, fieldSize: [5, 5], playerLevels: [2, 1] };
  const seats = { 'player 2': { pool: ['random', 'modest-patient'], tell: true } };
  const algo = { id: 'ppo', config: { envs: 4, rolloutSteps: 32, hidden: [16] } };
  const config = completeRun({
    env: { id: 'level-based-foraging', config: { ...world, seats } },
    algo,
    run: { steps: 4096, evalEpisodes: 1 },
  });
  let snapshot: PolicySnapshot | undefined;
  for await (const event of createSession({ config, seed: 1, now: () => 0 })) if (event.kind === 'policy') snapshot = event.snapshot;
  if (snapshot === undefined) throw new Error('no policy came');
  await watch.setPolicy('p', snapshot);
  const trained = config.env.config as JsonObject;
  const scores: number[] = [];
  for (const seed of [5, 6, 7, 8]) {
    const beside = { policy: 'p', trained };
    await watch.openPlay({ id: 'level-based-foraging', config: world }, seed, { agent: 1, players: null, beside });
    for (let over = false; !over; ) {
      const { terminated, truncated } = await watch.playStep([0]);
      over = terminated || truncated;
    }
    const { reward, human } = await watch.closePlay();
    expect([...(human ?? [])].every((agent) => agent === 1)).toBe(true);
    scores.push(reward.reduce((sum, value, i) => sum + (i % 2 === 0 ? value : 0), 0));
  }
  const { mean } = await watch.pairing({ id: 'level-based-foraging', config: trained }, 'p', 'idle', { episodes: 4, firstSeed: 5 });
  expect(scores.reduce((sum, score) => sum + score / 4, 0)).toBeCloseTo(mean, 6);
});

test('the code of a person’s moments, by the policy beside them: none before its first decision, and none when the game is over', async () => {
  const watch = createWatchHost();
  const world = { foods: 1, maxSteps: 12, fieldSize: [5, 5], playerLevels: [1, 1] };
  const seats = { 'player 2': { pool: ['random', 'modest-patient'] } };
  const algo = { id: 'agent-modelling', config: { envs: 4, rolloutSteps: 16, hidden: [8], partnerCode: { kind: 'contrastive', size: 3 } } };
  const ref = { id: 'level-based-foraging', config: { ...world, seats } };
  const config = completeRun({ env: ref, algo, run: { steps: 64, evalEpisodes: 1 } });
  let snapshot: PolicySnapshot | undefined;
  for await (const event of createSession({ config, seed: 1, now: () => 0 })) if (event.kind === 'policy') snapshot = event.snapshot;
  await watch.setPolicy('p', present(snapshot, 'a policy'));
  expect(await watch.besideSays()).toBeNull();
  const beside = { policy: 'p', trained: config.env.config as JsonObject };
  await watch.openPlay({ id: ref.id, config: world }, 5, { agent: 1, players: null, beside });
  expect(await watch.besideSays()).toBeNull();
  const codes: number[][] = [];
  for (const action of [1, 2, 3]) {
    await watch.playStep([action]);
    const said = await watch.besideSays();
    expect(said?.policy).toBe('p');
    expect(said?.extras.map(({ card }) => card.plane)).toEqual([true]);
    codes.push([...(said?.extras[0]?.values ?? [])]);
  }
  expect(codes.every((code) => code.length === 3 && code.every(Number.isFinite))).toBe(true);
  expect(codes[2]).not.toEqual(codes[0]);
  await watch.closePlay();
  expect(await watch.besideSays()).toBeNull();
});
