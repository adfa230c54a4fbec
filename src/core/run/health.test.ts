import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { rules } from './diagnoses/index.ts';
import type { Tally } from './diagnoses/types.ts';
import { examine, type HealthReport, type HealthState, healthFrom, healthy, NO_TALLY } from './health.ts';

interface Row {
  readonly metrics: Readonly<Record<string, number>>;
  readonly tally?: Partial<Tally>;
}

const BUDGET = 40_000;
const EVERY = 500; // steps between two rows

/** What is told of these rows, as "id" and "id over", with the step. */
function watch(
  rows: readonly Row[],
  {
    env = 'cartpole',
    algo = 'ppo',
    config = {},
    state = healthy,
  }: { env?: string; algo?: string; config?: JsonObject; state?: HealthState } = {},
): { readonly told: string[]; readonly reports: HealthReport[] } {
  const entry = getEnv(env);
  const method = getAlgo(algo);
  const settings = {
    budget: BUDGET,
    algo: method.parse(config),
    algoDefaults: method.parse({}),
    algoSchema: method.schema,
    env: entry.parse({}),
    envDefaults: entry.parse({}),
    meta: entry.meta({}),
  };
  let now = state;
  const reports: HealthReport[] = [];
  const told = rows.flatMap(({ metrics, tally }, i) => {
    const row = { step: (i + 1) * EVERY, episodes: 20 * i, tally: { ...NO_TALLY, ...tally }, settings, edits: [] };
    const report = examine(rules, now, metrics, row);
    reports.push(report);
    now = healthFrom(JSON.parse(JSON.stringify(report.state)) as HealthState); // as a checkpoint keeps it
    return [...report.findings.map(({ id }) => id), ...report.over.map(({ id }) => `${id} over`)];
  });
  return { told, reports };
}

const same = (count: number, metrics: Row['metrics']): Row[] => Array.from({ length: count }, () => ({ metrics }));

/** Rows whose return differs a little from one to the next. */
const repeat = (count: number, { episodicReturn = 0, ...metrics }: Row['metrics'], tally: Partial<Tally> = {}): Row[] =>
  Array.from({ length: count }, (_, i) => ({ metrics: { ...metrics, episodicReturn: episodicReturn + 0.01 * (i % 2) }, tally }));

it('a policy that stops exploring while its return is low is told once, with its numbers and a setting to change', () => {
  const { told, reports } = watch([
    ...repeat(6, { entropy: 0.69, episodicReturn: 20 }),
    ...repeat(30, { entropy: 0.001, episodicReturn: 20 }),
  ]);
  expect(told).toEqual(['entropy']);
  const finding = reports.flatMap(({ findings }) => findings)[0];
  expect(finding?.evidence.join(' ')).toContain('0.001 of at most 0.693 nats');
  expect(finding?.ways[0]).toMatchObject({ path: 'algo.entropyCoef', value: 0.1 });
});

it('a policy that is sure because it is good is left alone', () => {
  expect(watch([...repeat(6, { entropy: 0.69, episodicReturn: 20 }), ...repeat(30, { entropy: 0.001, episodicReturn: 500 })]).told).toEqual(
    [],
  );
});

it('large updates are a fault only while the return stays low; when it rises the finding is withdrawn', () => {
  const large = { approxKl: 0.5, clipFraction: 0.6 };
  const low = repeat(20, { ...large, episodicReturn: 20 });
  expect(watch(low).told).toEqual(['learning-rate']);
  expect(watch([...low, ...repeat(10, { ...large, episodicReturn: 400 })]).told).toEqual(['learning-rate', 'learning-rate over']);
  expect(watch(repeat(20, { ...large, episodicReturn: 500 })).told).toEqual(['learning-rate']); // it has not risen by itself
  expect(watch(repeat(20, { approxKl: 0.02, clipFraction: 0.1, episodicReturn: 20 })).told).toEqual([]);
});

it('updates that hardly change the policy are told where the learning rate is far below the default and the return stays low', () => {
  const rows = (approxKl: number, episodicReturn = 20): Row[] => repeat(20, { approxKl, entropy: 0.69, episodicReturn });
  const { told, reports } = watch(rows(7e-9), { config: { lr: 1e-8 } });
  expect(told).toEqual(['small-updates']);
  const finding = reports.flatMap(({ findings }) => findings)[0];
  expect(finding?.evidence.join(' ')).toContain('a KL divergence of 7.0e-9');
  expect(finding?.ways).toMatchObject([{ path: 'algo.lr', value: 2.5e-4 }]);
  expect(watch(rows(7e-9)).told).toEqual([]); // at the default something else keeps it still
  expect(watch(rows(0.005), { config: { lr: 1e-8 } }).told).toEqual([]);
  expect(watch([...rows(7e-9), ...rows(7e-9, 450)], { config: { lr: 1e-8 } }).told).toEqual(['small-updates', 'small-updates over']);
  expect(watch(rows(0), { config: { lr: 1e-8, epochs: 1, minibatches: 1 } }).told).toEqual([]); // measured before the only step
});

it('states kept before the evidence are good: with a setting at fault none is, in a fork those from before it', () => {
  const rows = repeat(20, { approxKl: 0.5, clipFraction: 0.6, episodicReturn: 20 });
  const since = (state: HealthState): number | undefined => watch(rows, { state }).reports.flatMap(({ findings }) => findings)[0]?.since;
  expect(since(healthy)).toBe(0);
  expect(since({ ...healthy, begun: 250 })).toBe(250);
});

it('values that no future can be worth are the learning rate', () => {
  const rows = (qMean: number): Row[] => repeat(20, { qMean, tdError: 1, episodicReturn: 9 }, { rewards: 500, squares: 500, largest: 1 });
  expect(watch(rows(5000), { algo: 'dqn' }).told).toEqual(['learning-rate']);
  expect(watch(rows(90), { algo: 'dqn' }).told).toEqual([]);
});

it('a target network without copies is told when it is old; one that is copied is not', () => {
  const rows = (targetCopies: number): Row[] => repeat(40, { qMean: 1, targetCopies, episodicReturn: 20 });
  expect(watch(rows(0), { algo: 'dqn', config: { learningStarts: 1000 } }).told).toEqual(['target']);
  expect(watch(rows(1), { algo: 'dqn', config: { learningStarts: 1000 } }).told).toEqual([]);
});

it('values are cut where episodes return more than the largest return that is set, or targets leave the atoms', () => {
  const returns = repeat(10, { episodicReturn: 9 });
  const table = { env: 'random-mdp', algo: 'ucbvi' };
  const { told, reports } = watch(returns, { ...table, config: { maxValue: 1 } });
  expect(told).toEqual(['value-range']);
  expect(reports.flatMap(({ findings }) => findings)[0]?.ways).toMatchObject([{ path: 'algo.maxValue', value: null }]);
  expect(watch(returns, { ...table, config: { maxValue: 20 } }).told).toEqual([]);
  expect(watch(returns, table).told).toEqual([]);
  const atoms = (targetsClipped: number) =>
    watch(repeat(10, { targetsClipped, episodicReturn: 20 }), { algo: 'dqn', config: { distribution: { kind: 'categorical' } } }).told;
  expect(atoms(0.3)).toEqual(['value-range']);
  expect(atoms(0.01)).toEqual([]);
});

it('observations of a recording that hardly vary are told where they are stretched', () => {
  const rows = (steadyObs: number): Row[] => repeat(20, { steadyObs, loss: 1, episodicReturn: 20 });
  const { told, reports } = watch(rows(3), { env: 'pendulum', algo: 'td3-bc' });
  expect(told).toEqual(['steady-data']);
  const [finding] = reports.flatMap(({ findings }) => findings);
  expect(finding?.evidence.join(' ')).toContain('3 numbers of the observation vary by less than 0.01');
  expect(finding?.ways).toMatchObject([
    { path: 'algo.normaliseObs.kind', value: 'off' },
    { path: 'algo.normaliseObs.floor', value: 1 },
  ]);
  expect(watch(rows(0), { env: 'pendulum', algo: 'td3-bc' }).told).toEqual([]);
  expect(watch(rows(3), { env: 'pendulum', algo: 'td3-bc', config: { normaliseObs: { kind: 'off' } } }).told).toEqual([]);
});

it('a time limit without bootstrapping counts by the share of episodes it ends and by the discount', () => {
  const rows = (truncated: number): Row[] => repeat(10, { episodeLength: 200, episodicReturn: 200 }, { ended: 4, truncated });
  const off = { bootstrapAtTruncation: false };
  expect(watch(rows(4), { config: off }).told).toEqual(['time-limit']);
  expect(watch(rows(4)).told).toEqual([]);
  expect(watch(rows(0), { config: off }).told).toEqual([]);
  expect(watch(rows(4), { config: { ...off, gamma: 0.5 } }).told).toEqual([]); // one step from the end and the cut no longer counts
});

it('rewards are too large where nearly all of the gradient is clipped away and the values predict nothing', () => {
  const rows = (size: number, explainedVariance: number): Row[] =>
    repeat(
      20,
      { gradNorm: 5000, valueLoss: 1e6, explainedVariance, episodicReturn: 20 },
      { rewards: 10, squares: 10 * size * size, largest: size },
    );
  expect(watch(rows(1000, 0)).told).toEqual(['reward-scale']);
  expect(watch(rows(1000, 0.9)).told).toEqual([]);
  expect(watch(rows(10, 0)).told).toEqual([]);
});

it('returns that never differ are told after half of the budget, and withdrawn when one differs', () => {
  expect(watch(same(38, { episodicReturn: 0 })).told).toEqual([]);
  const { told } = watch([...same(60, { episodicReturn: 0 }), ...same(5, { episodicReturn: 0.1 })]);
  expect(told).toEqual(['same-return', 'same-return over']);
  const copied = { algo: 'behaviour-cloning', config: { dataset: 'random' } };
  expect(watch(same(60, { episodicReturn: 0 }), copied).told).toEqual([]); // recordings teach it, not the return
});

it('returns that never differ are no finding where nothing known is better', () => {
  const best = Math.max(
    ...getEnv('cartpole')
      .meta({})
      .references.map(({ value }) => value),
  );
  expect(watch(same(60, { episodicReturn: best })).told).toEqual([]);
  expect(watch(same(60, { episodicReturn: best - 1 })).told).toEqual(['same-return']);
});

it('the state of an older checkpoint opens: what it warned of stands, what it did not keep begins anew', () => {
  const old = { firstEntropy: 0.69, warned: ['reward'], rows: 40, low: 0, high: 0 }; // of the first version
  const state = healthFrom(old);
  expect(state).toMatchObject({ warned: ['same-return'], first: 0, recent: {}, begun: 0 });
  expect(watch(same(5, { episodicReturn: 0.2 }), { state }).told).toEqual(['same-return over']);
});

it('updates that teach nothing are told, with the change that mends it; those of a policy that has learned, or copies its successes, are not', () => {
  const run = { env: 't-reason', algo: 'group-rl' };
  const idle = repeat(30, { taught: 0, episodicReturn: 0 });
  const { told, reports } = watch(idle, { ...run, config: { dropUniform: { kind: 'on', by: 'verifier' } } });
  expect(told[0]).toBe('nothing-taught');
  const finding = reports.flatMap(({ findings }) => findings)[0];
  expect(finding?.ways.map(({ path, value }) => [path, value])).toEqual([
    ['algo.dropUniform.by', 'reward'],
    ['algo.cloning.kind', 'on'],
  ]);
  expect(
    watch(idle, run)
      .reports.flatMap(({ findings }) => findings)[0]
      ?.ways.map(({ path }) => path),
  ).toEqual(['algo.cloning.kind']);
  expect(watch(idle, { env: 't-reason', algo: 'token-ppo' }).told[0]).toBe('nothing-taught');
  for (const more of [{ taught: 0.2 }, { taught: 0, successes: 4 }])
    expect(watch(repeat(30, { ...more, episodicReturn: 0 }), run).told).not.toContain('nothing-taught');
  const learned = [...repeat(6, { taught: 1, episodicReturn: 0 }), ...repeat(30, { taught: 0, episodicReturn: 1 })];
  expect(watch(learned, run).told).not.toContain('nothing-taught');
});
