import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { OneGroup } from '#contract/run/group.ts';
import { begun } from '#core/testing/trained.ts';
import { groupWorlds } from '../algos/language/group-worlds.ts';
import { getEnv } from '../envs/all.ts';
import { completeRun } from './complete.ts';
import { playGroup } from './one-group.ts';
import { registryOf } from './registry.ts';
import { ReplayReader } from './replay.ts';

const configOf = (id: string, env: JsonObject, algo: JsonObject) =>
  completeRun({ env: { id, config: env }, algo: { id: groupWorlds.id, config: algo }, run: {} }, registryOf([getEnv(id)], [groupWorlds]));

/** Start, ice, ice, goal; what moves off the map stays. */
const four = { slippery: false, map: ['SF', 'FG'] };
const settings = { starts: 1, group: 4, horizon: 4, hidden: [8], stateGroups: { kind: 'on', weight: 1, gamma: 0.5 } };
const lake = configOf('frozen-lake', four, settings);
const untrained = (seed: number): Promise<OneGroup> => playGroup(getEnv('frozen-lake'), { config: lake, policy: { seed, steps: 0 }, seed });
const column = <K extends keyof OneGroup['episodes'][number]['steps'][number]>(group: OneGroup, key: K) =>
  group.episodes.map(({ steps }) => steps.map((step) => step[key]));

it('states, what followed and both advantages are those worked out by hand', async () => {
  const found = await untrained(6);
  expect(found).toEqual(await untrained(6));
  expect(column(found, 'action')).toEqual([
    [2, 1],
    [1, 1, 0, 1],
    [1, 0, 1, 3],
    [3, 1, 2],
  ]);
  expect(column(found, 'state')).toEqual([
    [0, 1],
    [0, 2, 2, 2],
    [0, 2, 2, 2],
    [0, 0, 2],
  ]);
  expect(found.episodes.map((one) => one.return)).toEqual([1, 0, 0, 1]);
  expect(column(found, 'following')).toEqual([
    [0.5, 1],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0.25, 0.5, 1],
  ]);
  // returns 1, 0, 0, 1: mean 1/2, deviation sqrt(1/3)
  const episode = 0.5 / (Math.sqrt(1 / 3) + 1e-4);
  found.episodes.forEach(({ advantage }, row) => {
    expect(advantage).toBeCloseTo([episode, -episode, -episode, episode][row]!, 12);
  });
  // state 0: 1/2, 0, 0, 1/4, 1/2, mean and deviation 1/4; state 2: six times 0 and once 1, deviation sqrt(1/7); state 1: alone
  const [a, b, c] = [0.25 / 0.2501, -1 / 7 / (Math.sqrt(1 / 7) + 1e-4), 6 / 7 / (Math.sqrt(1 / 7) + 1e-4)];
  const among = [
    [a, 0],
    [-a, b, b, b],
    [-a, b, b, b],
    [0, a, c],
  ];
  column(found, 'among').forEach((steps, row) => {
    steps.forEach((value, t) => {
      expect(value).toBeCloseTo(among[row]![t]!, 9);
    });
  });
  expect(found.sharedStates).toBeCloseTo(12 / 13, 12);
});

it('an untrained group is the first one of training: the same share of shared states, the same return', async () => {
  for (const seed of [4, 6, 7]) {
    const found = await untrained(seed);
    const task = { algo: groupWorlds, env: getEnv('frozen-lake'), envConfig: four, config: settings, steps: 100, seed };
    const { training, end } = begun(task);
    const first = await training.next();
    await end();
    const metrics = first.done === true ? {} : first.value.metrics;
    expect(metrics.sharedStates).toBe(found.sharedStates);
    expect(metrics.earned).toBe(found.episodes.filter((one) => one.return > 0).length / 4);
    expect(first.done === true ? 0 : first.value.step).toBe(column(found, 'action').flat().length);
  }
});

it('a policy that is trained for it is the one that training has at that step', async () => {
  const env = getEnv('frozen-lake');
  const { training, end } = begun({ algo: groupWorlds, env, envConfig: four, config: settings, steps: 1e6, seed: 2 });
  let kept: PolicySnapshot | null = null;
  for await (const progress of training) {
    if (progress.step < 300) continue;
    const { id, version } = env;
    const algo = { id: groupWorlds.id, version: groupWorlds.version, config: lake.algo.config };
    const saved = await progress.snapshot();
    kept = {
      kind: 'policy',
      version: 1,
      env: { id, version, config: lake.env.config },
      algo,
      seed: 2,
      step: progress.step,
      executor: 'wasm',
      saved,
    };
    break;
  }
  await end();
  const here = await playGroup(env, { config: lake, policy: { seed: 2, steps: 300 }, seed: 9 });
  expect(here).toEqual(await playGroup(env, { config: lake, policy: kept!, seed: 9 }));
  expect(column(here, 'entropy')).not.toEqual(
    column(await playGroup(env, { config: lake, policy: { seed: 2, steps: 0 }, seed: 9 }), 'entropy'),
  );
  await expect(playGroup(env, { config: lake, policy: { ...kept!, algo: { ...kept!.algo, id: 'ppo' } }, seed: 9 })).rejects.toThrow(
    'groups',
  );
});

it('each episode can be played again, and equal states are equal places', async () => {
  const places = new Map<number, Set<number>>();
  for (const { steps, replay } of (await untrained(6)).episodes) {
    const reader = new ReplayReader(replay!, getEnv('frozen-lake'));
    steps.forEach(({ state, reward }, t) => {
      reader.seek(t);
      places.set(state, (places.get(state) ?? new Set()).add(reader.env.cellOf!(0)));
      reader.seek(t + 1);
      expect(reader.buffers.reward[0]).toBe(reward);
    });
    reader.dispose();
  }
  expect([...places.entries()].map(([state, cells]) => [state, ...cells])).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
});

const branching = (chance: number, penalty: number) =>
  configOf(
    'lookup-worlds',
    { hops: 3, leastHops: 3, lookups: 6 },
    { group: 16, horizon: 7, hidden: [8], branching: { kind: 'on', chance, penalty } },
  );

it('branched episodes have the steps of their parent before, and the chance is the one of the rule', async () => {
  const [chance, penalty] = [0.9, 0.25];
  let [children, again] = [0, 0];
  for (let seed = 1; seed <= 12; seed++) {
    const ask = { config: branching(chance, penalty), policy: { seed: 3, steps: 0 }, seed };
    const { episodes, startEntropy } = await playGroup(getEnv('lookup-worlds'), ask);
    for (const { parent, steps, replay } of episodes) {
      expect([steps[0]!.branch, steps[0]!.entropy, replay]).toEqual([null, startEntropy, null]);
      if (parent === null) continue;
      children++;
      const before = episodes[parent.row]!.steps;
      expect(parent.step).toBeGreaterThan(0);
      const seen = ({ state, action, reward, entropy }: (typeof steps)[number]) => [state, action, reward, entropy];
      expect(steps.slice(0, parent.step).map(seen)).toEqual(before.slice(0, parent.step).map(seen));
      expect(steps[parent.step]!.state).toBe(before[parent.step]!.state);
      expect(before[parent.step]!.branch!.chance).toBeGreaterThan(0);
    }
    for (const { entropy, branch } of episodes.flatMap(({ steps }) => steps)) {
      if (branch === null) continue;
      again += Number(branch.before > 0);
      const held = Math.max(0, 1 - penalty * branch.before);
      expect(branch.chance).toBeCloseTo(Math.min(1, Math.max(0, chance + entropy - startEntropy)) * held, 12);
    }
  }
  expect(children).toBeGreaterThan(5);
  expect(again).toBeGreaterThan(0);
});

it('with no chance to branch, rows that wait begin at the start', async () => {
  const config = branching(0, 1);
  const { episodes } = await playGroup(getEnv('lookup-worlds'), { config, policy: { seed: 3, steps: 0 }, seed: 5 });
  expect(episodes).toHaveLength(16);
  expect(episodes.slice(8).some(({ parent }) => parent === null)).toBe(true);
});
