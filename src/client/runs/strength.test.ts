import { beforeEach, expect, test } from 'vitest';
import type { AlgoCard, Catalog, EnvCard } from '#contract/catalog/catalog.ts';
import { type RunConfig, runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { StrengthAsk, StrengthFound } from '#contract/session/session.ts';
import { catalogCame } from '#stores/catalog.ts';
import { strengths } from '#stores/strength.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { addPolicy, dropPolicies } from './policies.ts';
import { SHARES, type StrengthOptions, Strengths, strengthWanted, testedRuns } from './strength.ts';

const episodic = [{ id: 'episodicReturn', title: '', description: '' }];
const algo = (id: string, more: Partial<AlgoCard> = {}): Partial<AlgoCard> => ({
  id,
  defaults: {},
  learner: 'network',
  metrics: episodic,
  ...more,
});
catalogCame({
  envs: [
    { id: 'four', judged: 'share of wins against random' } as EnvCard,
    { id: 'tag', judged: 'return against random' } as EnvCard,
    { id: 'pole' } as EnvCard,
  ],
  algos: [algo('ppo'), algo('clone', { shown: true }), algo('random', { learner: 'none' })],
} as unknown as Catalog);

const configOf = (env: string, method = 'ppo'): RunConfig =>
  runConfigSchema.parse({ env: { id: env }, algo: { id: method }, run: { steps: 1600, seeds: 1, seedStart: 1 } });
const groupOf = (id: string, config: RunConfig, state: SeedRun['state'] = 'done', visible = true): RunGroup =>
  ({ id, config, visible, seeds: [{ seed: 1, state } as SeedRun] }) as unknown as RunGroup;
const policyOf = (step: number): PolicySnapshot =>
  ({ kind: 'policy', seed: 1, step, saved: { meta: {}, arrays: {} }, env: { id: 'four', config: {} } }) as unknown as PolicySnapshot;

interface Rig {
  readonly asked: StrengthAsk[];
  readonly waited: number[];
  readonly tests: Strengths;
}

function rig(groups: readonly RunGroup[], more: Partial<StrengthOptions> = {}, answer?: (ask: StrengthAsk) => StrengthFound): Rig {
  const asked: StrengthAsk[] = [];
  const waited: number[] = [];
  let now = 0;
  const tests = new Strengths({
    api: () => ({
      strength: async (ask) => {
        asked.push(ask);
        now += 100;
        if (answer !== undefined) return answer(ask);
        return { kind: 'share of wins against random', scores: new Float64Array(ask.episodes).fill(0.5) };
      },
    }),
    runs: () => ({ groups, activeId: groups[0]?.id ?? null }),
    load: () => 'crowded',
    resting: () => false,
    now: () => now,
    wait: async (ms) => {
      waited.push(ms);
      now += ms;
    },
    ...more,
  });
  return { asked, waited, tests };
}

const RUNS = ['a', 'b', 'c'];
beforeEach(() => {
  for (const id of RUNS) dropPolicies(id);
});

test('own worlds and worlds in Python are played elsewhere: nothing is tested there', () => {
  expect(strengthWanted(configOf('four'))).toBe('share of wins against random');
  expect(strengthWanted(configOf('pole'))).toBeNull();
  expect(strengthWanted(configOf('pole', 'clone'))).toBe('return');
  expect(strengthWanted(configOf('four', 'random'))).toBeNull();
  expect(strengthWanted(configOf('mine/four', 'clone'))).toBeNull();
  expect(strengthWanted(configOf('gym/CartPole-v1', 'clone'))).toBeNull();
});

test('beside a run that needs tests the other visible ones of its world are tested too; the active one first', () => {
  const [plain, cloned] = [groupOf('a', configOf('pole')), groupOf('b', configOf('pole', 'clone'))];
  expect(testedRuns([plain], 'a')).toEqual([]);
  expect(testedRuns([plain, cloned], 'b').map(({ id }) => id)).toEqual(['b', 'a']);
  expect(testedRuns([plain, { ...cloned, visible: false }], 'a')).toEqual([]);
  expect(testedRuns([plain, cloned, groupOf('c', configOf('four'))], 'c').map(({ id }) => id)).toEqual(['c']);
});

test('kept policies of a stored run are tested to the end, each ask for a small part of the time', async () => {
  for (const step of [1, 400, 1600]) addPolicy('a', policyOf(step), true);
  const { asked, waited, tests } = rig([groupOf('a', configOf('four'))]);
  await tests.wake();
  const series = strengths.series('a', 1);
  expect([...(series?.steps ?? [])]).toEqual([1, 400, 1600]);
  expect(series?.episodes[0]).toBe(64);
  expect(series?.episodes[2]).toBe(64);
  expect(asked.every(({ episodes }) => episodes <= 32)).toBe(true);
  // Training may lose a twentieth of two cores.
  expect(SHARES.crowded / 2).toBeLessThanOrEqual(0.05);
  const played = 100 * asked.length;
  expect(played / (played + waited.reduce((sum, ms) => sum + ms, 0))).toBeCloseTo(SHARES.crowded, 10);
  const before = asked.length;
  await tests.wake(); // nothing new, nothing asked
  expect(asked.length).toBe(before);
});

test('of a run that goes on, the newest policy that is not kept is not tested; of one that ended it is', async () => {
  addPolicy('a', policyOf(1), true);
  addPolicy('a', policyOf(900), false);
  const going = rig([groupOf('a', configOf('four'), 'running')]);
  await going.tests.wake();
  expect([...strengths.tested('a', 1).keys()]).toEqual([1]);
  const ended = rig([groupOf('a', configOf('four'), 'stopped')]);
  await ended.tests.wake();
  expect([...strengths.tested('a', 1).keys()].sort()).toEqual([1, 900]);
});

test('against random play, random play itself is measured once', async () => {
  for (const step of [1, 1600]) addPolicy('a', policyOf(step), true);
  const { asked, tests } = rig([groupOf('a', configOf('tag'))], {}, ({ of, episodes }) => ({
    kind: 'return against random',
    scores: new Float64Array(episodes).fill('saved' in of ? 5 : -5),
  }));
  await tests.wake();
  expect(strengths.random('a')?.value).toBe(-5);
  expect(asked.filter(({ of }) => !('saved' in of))).toHaveLength(1);
});

test('a test that fails ends the tests of its run and says why', async () => {
  addPolicy('a', policyOf(1), true);
  const { asked, tests } = rig([groupOf('a', configOf('four'))], {}, () => {
    throw new Error('It cannot act.');
  });
  await tests.wake();
  await tests.wake();
  expect(strengths.problem('a')).toMatch(/It cannot act\.$/);
  expect(asked).toHaveLength(1);
});

test('starting the worker is no measure of what tests take', async () => {
  addPolicy('a', policyOf(1), true);
  let clock = 0;
  let asks = 0;
  const found: StrengthFound = { kind: 'share of wins against random', scores: new Float64Array(8) };
  const { waited, tests } = rig(
    [groupOf('a', configOf('four'), 'running')],
    {
      now: () => clock,
      wait: async (ms) => {
        clock += ms;
        waited.push(ms);
      },
    },
    () => {
      clock += asks++ === 0 ? 4000 : 10;
      return found;
    },
  );
  await tests.wake();
  // of the four seconds of the first ask 250 ms count
  expect(waited.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(9 * (250 + 10 * asks) + 1);
});

test('a pause ends early where training does', async () => {
  for (const step of [1, 1600]) addPolicy('a', policyOf(step), true);
  let looks = 0;
  const { asked, waited, tests } = rig([groupOf('a', configOf('four'))], { load: () => (looks++ < 2 ? 'crowded' : 'idle') });
  await tests.wake();
  expect(asked.length).toBeGreaterThan(2);
  expect(waited.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1000); // two pauses beside training would take 1800
});

test('nothing is tested while the page is hidden', async () => {
  addPolicy('a', policyOf(1), true);
  const { asked, tests } = rig([groupOf('a', configOf('four'))], { resting: () => true });
  await tests.wake();
  expect(asked).toHaveLength(0);
});

test('a run that was removed while its policy was tested leaves nothing behind', async () => {
  addPolicy('a', policyOf(1), true);
  const { tests } = rig([groupOf('a', configOf('four'))], {}, ({ episodes }) => {
    dropPolicies('a');
    return { kind: 'share of wins against random', scores: new Float64Array(episodes) };
  });
  await tests.wake();
  expect(strengths.kind('a')).toBeNull();
});
