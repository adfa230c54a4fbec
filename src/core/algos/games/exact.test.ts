/** Exact methods on small games: what they converge to, and that a saved run goes on with the same bits. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { Saved, SessionEvent } from '#contract/run/events.ts';
import { getEnv } from '../../envs/all.ts';
import { createSession } from '../../run/loaded.ts';
import { type Task, trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';

async function play(envId: string, envConfig: JsonObject, algoId: string, settings: JsonObject, steps: number, cut?: number) {
  const env = getEnv(envId);
  const config = runConfigSchema.parse({
    env: { id: envId, config: env.parse(envConfig) },
    algo: { id: algoId, config: getAlgo(algoId).parse(settings) },
    run: { steps, evalEpisodes: 4 },
  });
  const columns: Record<string, number> = {};
  let hash = '';
  let report: Extract<SessionEvent, { kind: 'population' }>['report'] | undefined;
  let resume: Saved | undefined;
  if (cut !== undefined) {
    const first = createSession({ config, seed: 3, now: () => 0, sliceMs: -1 });
    for await (const event of first) {
      if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
      if (first.step >= cut) first.stop();
    }
    resume = await first.save();
  }
  for await (const event of createSession({ config, seed: 3, now: () => 0, ...(resume && { resume }) })) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'population') report = event.report;
    if (event.kind === 'result') hash = event.result.parameterHash;
    if (event.kind !== 'metrics') continue;
    const width = event.columns.length + 1;
    for (let at = 0; at < event.rows.length; at += width)
      event.columns.forEach((name, i) => {
        const v = event.rows[at + 1 + i]!;
        if (!Number.isNaN(v)) columns[name] = v;
      });
  }
  return { last: columns, hash, report };
}

describe('equilibria', () => {
  it.each([
    ['fictitious-play', 'kuhn-poker', {}, {}, 200_000, 0.03, -1 / 18],
    ['cfr', 'kuhn-poker', {}, {}, 100_000, 0.002, -1 / 18],
    ['cfr', 'kuhn-poker', {}, { plus: false }, 400_000, 0.01, -1 / 18],
    ['cfr', 'leduc-poker', {}, {}, 2_000_000, 0.1, -0.0856],
    ['fictitious-play', 'matrix-games', { game: 'rock-paper-scissors' }, {}, 60_000, 0.1, 0],
    ['cfr', 'matrix-games', { game: 'matching-pennies' }, {}, 20_000, 0.01, 0],
    ['psro', 'kuhn-poker', {}, {}, 200_000, 1e-3, -1 / 18],
    ['psro', 'kuhn-poker', {}, { metaSolver: 'prd' }, 60_000, 0.3, -1 / 18],
    ['psro', 'kuhn-poker', {}, { metaSolver: 'uniform' }, 200_000, 0.2, -1 / 18],
    ['psro', 'matrix-games', { game: 'rock-paper-scissors' }, {}, 10_000, 1e-9, 0],
  ] as const)('%s on %s %j', async (algo, env, envConfig, settings, steps, most, value) => {
    const { last } = await play(env, envConfig, algo, settings, steps);
    expect(last.nashConv).toBeLessThan(most);
    expect(Math.abs((last.firstValue as number) - value)).toBeLessThan(0.03);
  });

  it('the dilemma ends in defection, the hunt where it began nearest', async () => {
    const dilemma = await play('matrix-games', {}, 'replicator', {}, 20_000);
    expect(dilemma.last.share2).toBeGreaterThan(0.999);
    expect(dilemma.last.nashConv).toBeLessThan(0.01);
    const hunt = await play('matrix-games', { game: 'stag-hunt' }, 'replicator', {}, 20_000);
    expect(hunt.last.distance).toBeLessThan(0.01);
  });

  it('tells shares over time, the flow around them and where it rests', async () => {
    const { report } = await play('matrix-games', { game: 'rock-paper-scissors' }, 'replicator', {}, 5000);
    expect(report?.shares?.populations).toEqual([{ name: 'row player', strategies: ['rock', 'paper', 'scissors'] }]);
    expect(report?.shares?.states.length).toBeLessThanOrEqual(1025);
    for (const state of report?.shares?.states ?? []) expect(state.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
    expect(report?.shares?.flow).toHaveLength(36);
    expect(report?.shares?.rest[0]).toEqual([1 / 3, 1 / 3, 1 / 3]);
    expect(report?.members.map(({ id }) => id)).toEqual(['rock', 'paper', 'scissors']);
    const two = await play('matrix-games', { game: 'matching-pennies' }, 'replicator', {}, 2000);
    expect(two.report?.shares?.populations).toHaveLength(2);
    expect(two.report?.shares?.flow).toHaveLength(100);
  });
});

it.each([
  ['fictitious-play', 'kuhn-poker', { weighting: 'linear' }, 40_000],
  ['cfr', 'kuhn-poker', { tolerance: 0 }, 40_000],
  ['replicator', 'matrix-games', { mutation: 0.01, tolerance: 0 }, 4000],
  ['psro', 'kuhn-poker', { metaSolver: 'uniform', tolerance: 0 }, 20_000],
  ['psro', 'kuhn-poker', { metaSolver: 'general-nash', startMembers: 3, tolerance: 0 }, 4000],
] as const)('%s goes on from a save with the same bits', async (algo, env, settings, steps) => {
  const whole = await play(env, {}, algo, settings, steps);
  const cut = await play(env, {}, algo, settings, steps, steps / 3);
  expect(cut.hash).toBe(whole.hash);
  expect(cut.last).toEqual(whole.last);
  expect(cut.report).toEqual(whole.report);
});

it.each(['cfr', 'fictitious-play'])(
  '%s opens a checkpoint of before its state was registered, which held its iterations alone',
  async (id) => {
    const task: Task = { algo: getAlgo(id), env: getEnv('kuhn-poker'), config: { tolerance: 0 }, steps: 40_000 };
    const whole = await trained(task);
    const half = await trained(task, { stopAt: whole.steps / 2 });
    const { iterations = null } = half.saved.meta;
    expect(iterations).toBeGreaterThan(0);
    const rest = await trained(task, { resume: { meta: { iterations }, arrays: half.saved.arrays } });
    expect([rest.steps, rest.hash]).toEqual([whole.steps, whole.hash]);
    expect(rest.saved.arrays).toEqual(whole.saved.arrays);
  },
);

it('PSRO: who shuns risk plays safe in the trust dilemma', async () => {
  const { report, last } = await play(
    'matrix-games',
    { game: 'trust-dilemma' },
    'psro',
    { metaSolver: 'risk-averse', tolerance: 0 },
    20_000,
  );
  expect(last.firstValue).toBeGreaterThan(1.9); // both get 2 by playing safe
  expect(last.firstValue).toBeLessThan(2.1);
  expect(report?.members[0]?.id).toBe('start');
  expect(report?.payoffs.length).toBe(report?.members.length);
});

it('PSRO: of random mixtures the general-sum solver goes where most is paid, the one for zero-sum games plays safe', async () => {
  const from = (metaSolver: string) =>
    play('matrix-games', { game: 'stag-hunt' }, 'psro', { metaSolver, startMembers: 8, tolerance: 0 }, 20_000);
  const general = await from('general-nash');
  expect(general.report?.members.slice(0, 9).map(({ id }) => id)).toEqual([
    ...Array.from({ length: 8 }, (_, i) => `start ${i + 1}`),
    'response 1',
  ]);
  expect(general.last.firstValue).toBeCloseTo(4, 9);
  expect(general.last.payoffVariance).toBeCloseTo(4, 9); // the stag: 4 or 0, each half of the time
  const difference = await from('nash');
  expect(difference.last.firstValue).toBeCloseTo(2, 9);
  expect(difference.last.payoffVariance).toBeCloseTo(0, 9); // the hare: 2 whatever the other does
  expect(difference.hash).not.toBe(general.hash);
});

it('says what it cannot do', () => {
  const meta = (id: string, config: JsonObject = {}) => getEnv(id).meta(config);
  expect(() => getAlgo('cfr').fits(meta('tic-tac-toe'), {})).toThrow(/small enough/);
  expect(() => getAlgo('replicator').fits(meta('kuhn-poker'), {})).toThrow(/one table/);
  expect(() => getAlgo('replicator').fits(meta('matrix-games', { game: 'matching-pennies' }), { populations: 'one' })).toThrow(/same game/);
});
