/** The inside of a sandbox, run without one: cards of all four kinds, episodes, scores, training, saving and going on with the same bits. */
import { compileFunction } from 'node:vm';
import { expect, it } from 'vitest';
import { type Ask, type OwnSetup, readEpisode, readSaid, type Said } from '#contract/own/sandbox.ts';
import { OWN_SCOPE } from '#contract/own/text.ts';
import { scopeOf } from '#core/own/scope.ts';
import { createOwnHost, type OwnHost } from './own-host.ts';

const PLAIN: OwnSetup = { settings: {}, method: {}, seat: '' };
const LIVING = "defineReward({ title: 'Living', env: 'cliff-walking', reward: ({ reward }) => (reward < -1 ? reward : 1) });";
const BY_HAND = `definePlayer({
  title: 'By hand',
  env: 'cartpole',
  settings: { lead: { default: 0.5, min: 0, max: 2 } },
  act: (seen, { lead }) => (seen.angle + lead * seen.angularSpeed > 0 ? 1 : 0),
});`;
const TABLE = `defineMethod({
  title: 'Table',
  env: 'cliff-walking',
  sees: 'states',
  acts: 'discrete',
  metrics: ['error'],
  settings: { stepSize: { default: 0.5, min: 0.01, max: 1 } },
  start: ({ states, actions }) => ({ n: actions, q: new Float64Array(states * actions) }),
  act(memory, seen, settings, random) {
    const row = Array.from({ length: memory.n }, (_, a) => memory.q[seen * memory.n + a]);
    return random.chance(0.1) ? random.int(memory.n) : row.indexOf(Math.max(...row));
  },
  learn(memory, { seen, action, reward, next, ended }, { stepSize }) {
    const best = ended ? 0 : Math.max(...memory.q.slice(next * memory.n, (next + 1) * memory.n));
    const error = reward + best - memory.q[seen * memory.n + action];
    memory.q[seen * memory.n + action] += stepSize * error;
    return { error };
  },
});`;

/** A host with this code open; what it says is read as the page reads it. */
async function opened(code: string): Promise<{ readonly host: OwnHost; readonly said: Said[] }> {
  const said: Said[] = [];
  let clock = 0;
  const host = createOwnHost({
    post: (message) =>
      said.push(readSaid(JSON.stringify(message)) ?? expect.fail(`the page does not read ${JSON.stringify(message).slice(0, 200)}`)),
    now: () => (clock += 5),
    turn: () => Promise.resolve(),
  });
  const scope = scopeOf();
  Reflect.apply(compileFunction(`'use strict';${code}`, [...OWN_SCOPE]), undefined, scope.values);
  await host.open(scope.given(), 'own-0123456789ab', () => null);
  return { host, said };
}

const last = <K extends Said['kind']>(said: readonly Said[], kind: K): Extract<Said, { kind: K }> => {
  const found = said.findLast((each) => each.kind === kind);
  return (
    (found as Extract<Said, { kind: K }> | undefined) ??
    expect.fail(`no ${kind} among ${said.map((each) => JSON.stringify(each).slice(0, 300)).join('\n')}`)
  );
};

const train = (changes: Partial<Extract<Ask, { kind: 'train' }>>): Ask => ({
  kind: 'train',
  id: 1,
  setup: PLAIN,
  algo: 'q-learning',
  steps: 4000,
  seed: 1,
  state: '',
  ...changes,
});

it('a reward: its environment, both returns, scores under both', async () => {
  const { host, said } = await opened(LIVING);
  const { world } = last(said, 'ready');
  expect([world.kind, world.base?.id, world.names]).toEqual(['reward', 'cliff-walking', ['state']]);
  expect(world.settings.every(({ of }) => of === 'base')).toBe(true);
  await host.ask(train({ algo: world.recommended.algo }));
  const { result } = last(said, 'trained');
  expect(result.oldReturn).toBeLessThan(0);
  await host.ask({ kind: 'score', id: 2, setup: PLAIN, episodes: 5 });
  const { scores } = last(said, 'scored');
  expect(scores.map(({ who }) => who)).toEqual(['random', 'learned']);
  expect(scores.every(({ old }) => old !== null && old < 0)).toBe(true);
  await host.ask({ kind: 'check', id: 3, setup: PLAIN });
  expect(last(said, 'checked').findings.find(({ id }) => id === 'best')?.verdict).toBe('note');
});

it('a reward of twice the old one: every return is twice the old return', async () => {
  const { host, said } = await opened("defineReward({ title: 'Twice', env: 'cartpole', reward: ({ reward }) => 2 * reward });");
  await host.ask(train({ algo: 'ppo', steps: 2048 }));
  const { evalReturn, oldReturn } = last(said, 'trained').result;
  expect(evalReturn).toBe(2 * (oldReturn ?? Number.NaN));
  const { return: paid, old } = last(said, 'progress');
  expect(paid).toBeCloseTo(2 * (old ?? Number.NaN), 6);
});

it.each([
  ['state.all.push(1); return 0;', /After step, state.all is a list of 1/],
  ['return { reward: 1, done: true };', /Nothing reads "done" of what step gives/],
  ['return { rewards: 1 };', /step gives an object with "rewards" and no "reward"/],
])('a world with %s: playing it says what training would stop at or never say', async (body, words) => {
  const { host, said } = await opened(
    `defineEnv({
  title: 'Walk', observation: ['place'], actions: ['left', 'right'],
  reset: () => ({ place: 0, all: [] }),
  step(state) { if (state.place++ > 250) { ${body} } return 0; },
  observe: (state) => [state.place],
});`.replace('state.place++ > 250', body.includes('rewards') ? 'state.place++ > 250' : 'state.place++ > 20'),
  );
  expect(last(said, 'ready').world.title).toBe('Walk');
  await host.ask({ kind: 'play', id: 1, setup: PLAIN, seed: 1, player: 'random' });
  expect(last(said, 'failed').failure.message).toMatch(words);
});

it('a world: what fits it best comes first, and what needs a model that it has not is not offered', async () => {
  const walk = (members: string) => `defineEnv({
  title: 'Walk', observation: { states: 9 }, actions: ['left', 'right'], maxSteps: 20,
  reset: () => ({ place: 4 }),
  step(state, action) { state.place += 2 * action - 1; return { reward: state.place / 8, ended: state.place % 8 === 0 }; },
  observe: (state) => state.place, ${members}
});`;
  const { world } = last((await opened(walk(''))).said, 'ready');
  const ids = world.methods.map(({ id }) => id);
  expect(ids[0]).toBe('q-learning');
  expect(ids).toEqual(expect.arrayContaining(['sarsa', 'ppo', 'dqn']));
  expect(ids.filter((id) => ['value-iteration', 'policy-iteration', 'random'].includes(id))).toEqual([]);
  const { world: named } = last((await opened(walk("learn: { method: 'sarsa', steps: 30_000 },"))).said, 'ready');
  expect([named.methods[0]?.id, named.recommended]).toEqual(['sarsa', { algo: 'sarsa', steps: 30_000 }]);
});

it('a player: plays, is compared, and is copied', async () => {
  const { host, said } = await opened(BY_HAND);
  const { world } = last(said, 'ready');
  expect([world.kind, world.policies[0], world.settings[0]?.of]).toEqual(['player', 'mine', 'own']);
  await host.ask({ kind: 'play', id: 1, setup: PLAIN, seed: 1, player: { script: 'mine' } });
  const episode = readEpisode(last(said, 'played').episode);
  expect(episode?.rewards.length).toBe(500);
  expect(episode?.layout.kind).toBe('bodies');
  await host.ask({ kind: 'score', id: 2, setup: PLAIN, episodes: 5 });
  const { scores } = last(said, 'scored');
  const mine = scores.find(({ who }) => who === 'mine')?.returns ?? [];
  expect(Math.min(...mine)).toBeGreaterThan(Math.max(...(scores.find(({ who }) => who === 'random')?.returns ?? [])));
  await host.ask(train({ algo: 'dagger', steps: 2048 }));
  expect(last(said, 'trained').result.parameterHash).toMatch(/^[0-9a-f]{16}$/);
});

it('a player takes the seat of an opponent', async () => {
  const { host, said } = await opened(
    `definePlayer({ title: 'First free', env: 'tic-tac-toe', act: (seen, settings, legal) => legal.indexOf(true) });`,
  );
  const { world } = last(said, 'ready');
  expect(world.seats).toBe(true);
  const setup = { ...PLAIN, seat: world.agentNames[1] ?? '' };
  await host.ask({ kind: 'play', id: 1, setup, seed: 1, player: 'random' });
  expect(last(said, 'played').episode.layout.kind).toBe('grid');
  await host.ask(train({ algo: 'ppo', steps: 1024, setup }));
  expect(last(said, 'trained').result.steps).toBeGreaterThanOrEqual(1024);
});

it('a method: its settings, its curves; saved and gone on with, it ends with the same bits', async () => {
  const { host, said } = await opened(TABLE);
  const { world } = last(said, 'ready');
  expect(world.settings.some(({ of }) => of === 'method')).toBe(true);
  const algo = world.id;
  await host.ask(train({ algo, steps: 6000 }));
  const whole = last(said, 'trained').result.parameterHash;
  await host.ask(train({ algo, steps: 3000 }));
  expect(last(said, 'trained').result.parameterHash).not.toBe(whole);
  await host.ask({ kind: 'save', id: 5 });
  const { state } = last(said, 'saved');
  await host.ask(train({ algo, steps: 6000, state }));
  expect(last(said, 'trained').result.parameterHash).toBe(whole);
  await host.ask({ kind: 'check', id: 6, setup: PLAIN });
  expect(last(said, 'checked').findings.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['runs', 'holds'],
    ['seeds', 'holds'],
    ['saves', 'holds'],
  ]);
});

it.each([
  ['a damaged state', '!!!', /damaged/],
  ['a state of another run', btoa('RLWB'), /./],
])('refuses %s', async (_, state, words) => {
  const { host, said } = await opened(TABLE);
  await host.ask(train({ algo: last(said, 'ready').world.id, state }));
  expect(last(said, 'failed').failure.message).toMatch(words);
});

it('potential: the best policy stays the best; a multiple of the old reward as well', async () => {
  for (const [code, verdict] of [
    [`defineReward({ title: 'A', env: 'cliff-walking', potential: (seen) => seen.state / 10 });`, 'holds'],
    [`defineReward({ title: 'A', env: 'cliff-walking', reward: ({ reward }) => 3 * reward });`, 'holds'],
    [`defineReward({ title: 'A', env: 'cliff-walking', reward: ({ reward, next }) => reward + next.state / 10 });`, 'note'],
  ] as const) {
    const { host, said } = await opened(code);
    await host.ask({ kind: 'check', id: 1, setup: PLAIN });
    expect(last(said, 'checked').findings.find(({ id }) => id === 'best')?.verdict).toBe(verdict);
  }
});

it('names of numbers that are not seen are said to be none', async () => {
  const { host, said } = await opened(`defineReward({ title: 'A', env: 'cartpole', reward: ({ next }) => next.altitude });`);
  await host.ask({ kind: 'play', id: 1, setup: PLAIN, seed: 1, player: 'random' });
  expect(last(said, 'failed').failure.fix).toMatch(/angularSpeed/);
});
