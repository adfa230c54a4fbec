/** Worlds in the simple form: every starting point holds what environments hold; what is wrong is said in words, with the line. */
import { compileFunction } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { OWN_SCOPE } from '#contract/own/text.ts';
import { startingPoints } from '#worlds/index.ts';
import { loadAlgo } from '../algos/index.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { cartpole } from '../envs/classic/cartpole.ts';
import { checkWorld, type Finding } from '../own/check.ts';
import { worldEntry } from '../own/entry.ts';
import { inexact } from '../own/inexact.ts';
import { exactMath, scopeOf } from '../own/scope.ts';
import { candidates, recommend } from '../recommend.ts';
import { completeRun } from '../run/complete.ts';
import { registryOf } from '../run/registry.ts';
import { createSession } from '../run/session.ts';
import { envSuite } from './env-suite.ts';

const lineOf = (error: unknown): number | null => {
  const found = /world\.js:(\d+)/.exec(error instanceof Error ? (error.stack ?? '') : '');
  return found === null ? null : Number(found[1]);
};

function load(code: string, id = 'own-test'): EnvEntry {
  const scope = scopeOf();
  Reflect.apply(compileFunction(`'use strict';${code}`, [...OWN_SCOPE], { filename: 'world.js' }), undefined, scope.values);
  return worldEntry(scope.given().form, id, lineOf);
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof LabError) return `${error.failure.field}: ${error.failure.message}`;
    throw error;
  }
  return 'nothing';
}

/** A world that walks on a line, with some of its members replaced. */
const walk = (members: string): string => `
defineEnv({
  title: 'Walk',
  observation: { labels: ['place'], low: 0, high: 1 },
  actions: ['left', 'right'],
  maxSteps: 20,
  reset: (settings, random) => ({ place: random.int(5) }),
  step(state, action) {
    state.place = Math.max(0, state.place + 2 * action - 1);
    return { reward: state.place / 10, ended: state.place === 8 };
  },
  observe: (state) => [state.place / 8],
  ...{ ${members} }
});`;

/** Findings that do not hold, without the speed, which is this machine's. */
function wrongIn(entry: EnvEntry): string[] {
  return checkWorld(entry, {}, clock())
    .filter(({ verdict, id }: Finding) => verdict !== 'holds' && id !== 'speed')
    .map(({ id, verdict, words }) => `${id} ${verdict}: ${words}`);
}

/** A clock of which every look takes a second. */
function clock(): () => number {
  let t = 0;
  return () => (t += 1000);
}

/** A board, a plane with continuous numbers, and several agents: the others differ from them in rules only. */
const SUITE = ['grid-game', 'fog', 'chase'];
const BOARDS = ['grid-game', 'chase'];

for (const { id, code } of startingPoints) {
  describe(`starting point ${id}`, () => {
    const entry = load(code, `own-${id}`);
    if (SUITE.includes(id)) envSuite(entry);
    it('passes its checks without a fault', () => {
      expect(inexact(code).verdict).toBe('holds');
      expect(entry.meta({}).frame.kind).toBe(BOARDS.includes(id) ? 'grid' : 'points');
      expect(wrongIn(entry).filter((text) => text.includes(' fault: '))).toEqual([]);
    });
  });
}

describe('the form', () => {
  it('equals the environment of the catalogue that it restates, bit for bit, and what learns in it', async () => {
    const entry = load(startingPoints.find(({ id }) => id === 'cartpole')?.code ?? '');
    const [own, built] = [entry.create({}, 3), cartpole.create({}, 3)];
    const [a, b] = [createBuffers(own.meta, 3), createBuffers(built.meta, 3)];
    const actions = createActions(own.meta, 3);
    const ended = new Uint8Array(3);
    own.reset(Uint32Array.of(3, 4, 5), a);
    built.reset(Uint32Array.of(3, 4, 5), b);
    let ends = 0;
    for (let t = 0; t < 2000; t++) {
      for (let row = 0; row < 3; row++) actions[row] = (t * (row + 3)) % 7 < 4 ? (t + row) % 2 : a.obs[row * 4 + 2]! > 0 ? 1 : 0;
      own.step(actions, a);
      built.step(actions, b);
      expect([a.obs, a.reward, a.terminated, a.truncated]).toEqual([b.obs, b.reward, b.terminated, b.truncated]);
      for (let row = 0; row < 3; row++) ends += ended[row] = a.terminated[row]! | a.truncated[row]!;
      own.restart(ended, a);
      built.restart(ended, b);
    }
    expect(ends).toBeGreaterThan(20);
    const learned = async (env: EnvEntry): Promise<string | undefined> => {
      const ppo = await loadAlgo('ppo');
      const config = completeRun({ env: { id: env.id }, algo: { id: 'ppo' }, run: { steps: 4096, seeds: 1 } }, registryOf([env], [ppo]));
      for await (const event of createSession({ config, env, algo: ppo, seed: 1, now: () => 0, sliceMs: 30 }))
        if (event.kind === 'result') return event.result.parameterHash;
      return undefined;
    };
    expect(await learned(entry)).toBe((await learned(cartpole)) ?? 'nothing');
  });

  it('keeps numbers, switches, lists and objects of the state, and gives them back as they were', () => {
    const entry = load(
      walk(`reset: () => ({ place: 0, on: true, grid: [[1, 2], [3, 4]], cars: [{ x: 1, gone: false }, { x: 2, gone: true }] }),
            step(state) { state.on = !state.on; state.grid[1][0] += 1; state.cars[1].gone = !state.cars[1].gone; return state.cars[1].gone ? 1 : 0; }`),
    );
    const env = entry.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    env.step(createActions(env.meta, 1), buffers);
    expect(env.meta.state.toJSON(env.save(0))).toMatchObject({
      on: 0,
      grid: [
        [1, 2],
        [4, 4],
      ],
      'cars.1.gone': 0,
      'cars.0.x': 1,
    });
    expect(wrongIn(entry).filter((text) => text.includes('saves'))).toEqual([]);
  });

  it('shows bars where nothing is drawn', () => {
    expect(load(walk('')).meta({}).frame).toMatchObject({ kind: 'points', upright: true, extra: ['place'] });
  });

  it.each([
    ['title: undefined', 'title: The world has no "title".'],
    ['prizes: 1', 'prizes: A world has no member "prizes".'],
    ['step: 5', 'step: "step" is not a function.'],
    ['actions: []', 'actions: "actions" is a list of 0.'],
    ["actions: { labels: ['push'], low: 1, high: 1 }", 'actions: Continuous actions need labels, and a low below a high.'],
    ['observation: 3', 'observation: "observation" is 3.'],
    ['settings: { speed: { default: 3, min: 0, max: 1 } }', 'settings.speed: The setting "speed" needs a default between min and max.'],
    ['settings: { maxSteps: { default: 3, min: 0, max: 9 } }', 'settings.maxSteps: The step limit is a setting of every world.'],
    [
      `settings: { ${Array.from({ length: 200 }, (_, i) => `s${i}: { default: false }`).join(', ')} }`,
      'settings: There are 200 settings, and 199 fit here.',
    ],
    ["reset: () => ({ name: 'x', place: 0 })", 'reset: state.name is "x".'],
    ['reset: () => 3', 'reset: reset gives 3.'],
    ['step: () => undefined', 'step: step gives undefined.'],
    ["step: () => ({ reward: 1, done: true, ended: 'no' })", 'step: "done" of what step gives is true.'],
    ['observe: () => [1, 2]', 'observe: observe gives a list of 2, the observation has 1 numbers.'],
    ["view: { cells: [3, 3] }, draw: () => [{ cell: [0, 0], look: 'dragon' }]", 'draw: There is no look "dragon".'],
    ['draw: () => [{ star: [0, 0] }], view: { x: [0, 1], y: [0, 1] }', 'draw: Something drawn is of no known kind: star.'],
    ['legal: () => [false, false]', 'legal: legal forbids every action.'],
    ['keys: [["a"]]', 'keys: There are keys for 1 actions; the world has 2.'],
  ])('refuses %s', (members, words) => {
    expect(refusal(() => load(walk(members)))).toBe(words);
  });

  it('names the member that a misspelt one may stand for', () => {
    expect(() => load(walk('observ: () => [0]'))).toThrow('A world has no member "observ". Did you mean observe?');
  });

  it('names the line in which a function fails', () => {
    expect(refusal(() => load(walk('\n\nstep(state) {\n  return state.missing.length;\n}')))).toMatch(
      /^step: step failed in line 16\. TypeError/,
    );
    expect(refusal(() => load(walk('\nstep: () => Math.random()')))).toMatch(/^step: Math\.random\(\) is not there.* \(line 14\)$/);
    expect(refusal(() => load(walk('reset: (settings, random) => ({ place: random.int(0) })')))).toMatch(
      /^reset: random\.int\(0\) has nothing/,
    );
  });

  it.each(['Date.now()', 'setTimeout(() => {}, 1)', 'fetch("x")', 'process.exit()', 'globalThis.x'])('gives the code no %s', (text) => {
    expect(refusal(() => load(walk(`step: () => ${text}`)))).toMatch(/^step: step failed in line \d+\. TypeError/);
  });

  it('needs one call of defineEnv', () => {
    expect(refusal(() => load('const x = 1;'))).toBe('defineEnv: The code defines no world, reward, player or method.');
    expect(refusal(() => load(walk('') + walk('')))).toBe('defineEnv: The code defines 2 things.');
  });

  it('keeps the step limit, and cuts continuous actions to their range', () => {
    const entry = load(walk("actions: { labels: ['push'], low: -1, high: 1 }, step: (state, action) => action"));
    const env = entry.create({ maxSteps: 2 }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    env.step(Float32Array.of(7), buffers);
    expect([buffers.reward[0], buffers.truncated[0]]).toEqual([1, 0]);
    env.step(Float32Array.of(-7), buffers);
    expect([buffers.reward[0], buffers.truncated[0], buffers.terminated[0]]).toEqual([-1, 1, 0]);
  });
});

describe('the checks', () => {
  const OUTSIDE = 'let n = 0;';
  it.each([
    ['spaces', walk('observe: (state) => [state.place]'), /Number 1 \(place\) of the observation was/],
    ['finite', walk("observation: ['place'], observe: (state) => [1 / state.place]"), /was Infinity/],
    ['seeds', OUTSIDE + walk('reset: () => ({ place: n++ % 5 })'), /same seed and actions differ/],
    ['copies', OUTSIDE + walk('step: (state) => (n++ % 7) / 10'), /alone/],
    [
      'saves',
      walk('reset() { const a = [0, 0]; return { a, b: a, place: 0 }; }, step(state) { state.a[0] += 1; return state.b[0]; }'),
      /goes on differently/,
    ],
    ['runs', walk('step(state) { state.extra = 1; return 0; }'), /new member "extra"/],
    ['returns', walk('step: () => 0'), /In all \d+ random episodes the return was 0/],
    [
      'acts',
      walk("step(state, action) { state.place += action === 'right' ? 1 : 0; return 0; }"),
      /^600 steps were the same whatever was done\. step is given the action as a number, 0 for the first \(left\), 1 for the next/,
    ],
    ['acts', walk("actions: ['go'], step: (state) => state.place / 10"), /^There is one action/],
    ['ends', walk('step: (state, action) => action'), /Only the step limit of 20 ended/],
    [
      'picture',
      walk('view: { x: [0, 8], y: [0, 2] }, draw: (state) => [{ bar: [0, 0], height: state.place }]'),
      /^A thing with "bar" has no "height", but size, value, colour: it changes nothing\.$/,
    ],
    [
      'picture',
      walk('view: { cells: [2, 1] }, draw: (state) => [{ agent: [state.place, 0] }]'),
      /^Things at once that are not shown: 1\. They lie/,
    ],
  ])('%s says what is wrong', (id, code, words) => {
    const finding = checkWorld(load(code), {}, clock()).find((each) => each.id === id);
    expect(finding?.verdict).not.toBe('holds');
    expect(finding?.words).toMatch(words);
  });

  it('finds ** outside of comments and texts', () => {
    expect(inexact("// 2 ** 3\nconst a = '**';\nconst b = 2 ** 3;").words).toMatch(/^Line 3 uses \*\*/);
    expect(inexact('/* ** */ `**` "**"').verdict).toBe('holds');
  });

  it('has exact functions that agree with those of the engine', () => {
    for (const name of ['sin', 'cos', 'asin', 'acos', 'atan', 'log2', 'log10', 'sinh', 'cosh', 'cbrt'] as const) {
      const exact = exactMath[name];
      expect(typeof exact === 'function' && exact(0.37)).toBeCloseTo(Math[name](0.37), 12);
    }
    const hypot = exactMath.hypot;
    expect(typeof hypot === 'function' && hypot(3, 4, 12)).toBe(13);
  });
});

describe('what a world recommends', () => {
  it('is what is offered first', () => {
    const { recommended } = load(walk("learn: { method: 'reinforce', steps: 5000, settings: { gamma: 0.9 } }"));
    expect(recommended).toEqual({ algo: 'reinforce', steps: 5000, config: { gamma: 0.9 } });
    expect(load(walk('')).recommended).toBeUndefined();
  });

  it('scales rewards where the returns of random play spread widely, unless the world says otherwise', async () => {
    const paid = (each: string, more = ''): EnvEntry =>
      load(walk(`step: (state, action) => ({ reward: ${each} * (action - 0.5), ended: false }), ${more}`));
    await Promise.all(candidates(paid('1')).map(loadAlgo));
    expect(recommend(paid('1')).config).not.toHaveProperty('normaliseReward');
    expect(recommend(paid('20'))).toMatchObject({ algo: 'ppo', config: { normaliseReward: true } });
    const raw = paid('20', "learn: { method: 'ppo', steps: 5000, settings: { normaliseReward: false } }");
    expect(recommend(raw).config.normaliseReward).toBe(false);
  });

  it.each([
    ["learn: 'ppo'", /^learn: "learn" is "ppo"/],
    ['learn: { method: "ppo", steps: 1 }', /^learn: "learn.steps" is 1/],
    ['learn: { method: "P P O", steps: 5000 }', /^learn: "learn.method" is "P P O"/],
    ['learn: { method: "ppo", steps: 5000, lr: 1 }', /^learn: "learn" has a member "lr"/],
    ['learn: { method: "ppo", steps: 5000, settings: [1] }', /^learn: "learn.settings"/],
  ])('%s is refused', (members, said) => {
    expect(refusal(() => load(walk(members)))).toMatch(said);
  });
});

/** Two walkers who see each other's place, and a guard who sees both and has an action more. */
const PARTY = walk(`
  agents: [{ name: 'walker', count: 2 }, { name: 'guard', observation: { labels: ['first', 'second'], low: 0, high: 8 }, actions: ['wait', 'left', 'right'] }],
  score: 'walker',
  reset: () => ({ places: [0, 1], steps: 0, last: [0, 0, 0] }),
  step(state, actions) {
    state.steps += 1;
    state.last = [...actions];
    for (let i = 0; i < 2; i++) state.places[i] = Math.min(8, state.places[i] + actions[i]);
    return { reward: [1, 2, -3], ended: state.steps === 4 };
  },
  observe: (state, settings, agent) => (agent === 2 ? [...state.places] : [state.places[agent] / 8]),
  legal: (state, settings, agent) => (agent === 2 ? [true, false, true] : [true, state.places[agent] < 8]),
  alive: (state, settings, agent) => agent !== 1 || state.steps < 2,
`);

describe('several agents', () => {
  it('have their own observations, masks, rewards and lives, in groups', () => {
    const entry = load(PARTY);
    const { meta } = entry.create({}, 1);
    expect([meta.agentCount, meta.obsSize, meta.actionCount, meta.score]).toEqual([3, 2, 3, [0, 1]]);
    expect(meta.agents.map(({ names }) => names)).toEqual([['walker 1', 'walker 2'], ['guard']]);
    const env = entry.create({}, 2);
    const buffers = createBuffers(env.meta, 2);
    env.reset(Uint32Array.of(1, 2), buffers);
    expect([...buffers.obs.subarray(0, 6)]).toEqual([0, 0, 0.125, 0, 0, 1]);
    expect([...(buffers.mask ?? [])].slice(0, 9)).toEqual([1, 1, 0, 1, 1, 0, 1, 0, 1]);
    expect([...(buffers.alive ?? [])]).toEqual([1, 1, 1, 1, 1, 1]);
    env.step(Int32Array.of(1, 0, 2, 0, 1, 0), buffers);
    expect([...buffers.reward]).toEqual([1, 2, -3, 1, 2, -3]);
    expect(env.meta.state.toJSON(env.save(0))).toMatchObject({ places: [1, 1], last: [1, 0, 2] });
    expect(env.meta.state.toJSON(env.save(1))).toMatchObject({ places: [0, 2], last: [0, 1, 0] });
    env.step(Int32Array.of(1, 1, 2, 0, 1, 0), buffers);
    expect([...(buffers.alive ?? [])]).toEqual([1, 0, 1, 1, 0, 1]);
    expect(wrongIn(entry).filter((text) => text.includes(' fault: '))).toEqual([]);
  });

  it('are paid a number together, and may be one', () => {
    const entry = load(
      walk("agents: (settings) => ['only'], step: (state, [action]) => action, observe: (state, settings, agent) => [agent]"),
    );
    const env = entry.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    env.step(Int32Array.of(1), buffers);
    expect([buffers.reward[0], buffers.obs[0], env.meta.agentCount]).toEqual([1, 0, 1]);
    expect(load(walk("agents: ['police 1', 'police 2', 'thief'], step: () => 0, score: 'police'")).meta({}).score).toEqual([0, 1]);
    const two = load(walk("agents: ['red', 'blue'], step: () => 5, observe: () => [0]")).create({}, 1);
    const paid = createBuffers(two.meta, 1);
    two.reset(Uint32Array.of(1), paid);
    two.step(Int32Array.of(1, 0), paid);
    expect([...paid.reward]).toEqual([5, 5]);
  });

  it.each([
    ['agents: []', /^agents: "agents" is a list of 0/],
    ["agents: ['a', 'a']", /^agents: Two agents are called "a"/],
    ["agents: [{ name: 'a', count: 0 }]", /^agents: The count of "a" is 0/],
    ["agents: [{ name: 'a', number: 2 }]", /^agents: A group of agents has no member "number"/],
    ["agents: [{ name: 'a', count: 60 }, { name: 'b', count: 60 }]", /^agents: There are 120 agents/],
    ["agents: ['a', { name: 'b', actions: { labels: ['push'], low: -1, high: 1 } }]", /^agents: Some agents choose among actions/],
    ["agents: ['a', 'b'], agent: 'c'", /^agent: The world has "agent" and "agents"/],
    ["agents: ['a', 'b'], score: 'c'", /^score: "score" is "c"/],
    ["agents: ['a', 'b'], step: () => [1, 2, 3]", /^step: The reward that step gives is a list of 3/],
    [
      "agents: ['a', 'b'], observe: (state, settings, agent) => (agent === 0 ? [1] : [1, 2])",
      /^observe: observe gives a list of 2 for agent 1 \(b\)/,
    ],
    ["agents: ['a', 'b'], step: () => 0, alive: () => 1", /^alive: alive gives 1 for agent 0 \(a\)/],
    ['alive: () => true', /^alive: "alive" is for several agents/],
    ['step: () => [1, 2]', /^step: The reward that step gives is a list of 2/],
    ["rewards: ['a']", /^rewards: "rewards" is a list of 1/],
    ["rewards: ['a', 'b'], agents: ['c', 'd']", /^rewards: "rewards" names several rewards, and there are 2 agents/],
    ["rewards: ['a', 'b'], step: () => 3", /^step: The reward that step gives is 3/],
  ])('refuses %s', (members, words) => {
    expect(
      refusal(() => {
        const env = load(walk(members)).create({}, 1);
        env.reset(Uint32Array.of(1), createBuffers(env.meta, 1));
      }),
    ).toMatch(words);
  });

  it('are named where the checks find something', () => {
    const words = (members: string): string => wrongIn(load(PARTY.replace('});', `, ...{ ${members} } });`))).join('\n');
    expect(words('observe: (state, settings, agent) => (agent === 2 ? [9, 0] : [0])')).toMatch(
      /Number 1 \(first\) of the observation of guard was 9/,
    );
    expect(words('step: (state) => ({ reward: [1, 0 / 0, 0], ended: ++state.steps === 4 })')).toMatch(/the reward of walker 2 was NaN/);
    expect(words('alive: () => false')).toMatch(/no agent was alive and the episode went on/);
    expect(words('')).toMatch(/the return of walker was 12.*the return of guard was -12/);
  });

  it('are trained by methods for teams, and several rewards by methods for fronts', async () => {
    const team = load(PARTY);
    await Promise.all(['ippo', 'qmix', 'dqn', 'pareto-dqn'].map(loadAlgo));
    await Promise.all(candidates(team).map(loadAlgo));
    expect(recommend(team).algo).toBe('ippo');
    const several = load(walk("rewards: ['treasure', 'time'], step: (state, action) => ({ reward: [action, -1], ended: action === 0 })"));
    const env = several.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    env.step(Int32Array.of(1), buffers);
    expect([...buffers.reward]).toEqual([1, -1]);
    await Promise.all(candidates(several).map(loadAlgo));
    expect(recommend(several).algo).toBe('pareto-dqn');
    for (const [env, algo] of [
      [team, 'ippo'],
      [several, 'pareto-dqn'],
    ] as const) {
      const method = await loadAlgo(algo);
      const config = completeRun({ env: { id: env.id }, algo: { id: algo }, run: { steps: 2000, seeds: 1 } }, registryOf([env], [method]));
      let returned = Number.NaN;
      for await (const event of createSession({ config, env, algo: method, seed: 1, now: () => 0, sliceMs: 30 }))
        if (event.kind === 'result') returned = event.result.evalReturn;
      expect(Number.isFinite(returned)).toBe(true);
    }
  });
});
