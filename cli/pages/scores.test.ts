import { expect, test } from 'vitest';
import { buildCatalog } from '#core/catalog.ts';
import { hiddenWords, type ScoreFact, scoreRows } from '#report/scores.ts';
import { scoreFacts } from '../../tools/facts/scores.ts';
import { scoresPage } from './scores.ts';

const catalog = buildCatalog();

test('the list has a row for every score of an environment and a method that exist', () => {
  const rows = scoresPage(scoreFacts('.'), catalog)
    .split('\n')
    .filter((line) => /^\| (?!environment|---)/.test(line));
  expect(rows.length).toBe(scoreRows(scoreFacts('.'), catalog).length);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => row.split(' | ').length !== 12)).toEqual([]);
});

const fact = (change: Partial<ScoreFact>): ScoreFact => ({
  env: { id: 'cartpole', version: 1, config: {} },
  algo: { id: 'ppo', version: null, config: {} },
  steps: 1000,
  quantity: 'evalReturn',
  scores: [100, 200, 300],
  seeds: [1, 3],
  claim: null,
  ...change,
});

test('what is offered first has come furthest: nothing measured over as many steps or fewer comes a tenth of the way further', () => {
  const rows = scoreRows(scoreFacts('.'), catalog).filter(({ fact, older }) => fact.quantity === 'evalReturn' && !older);
  const further = rows.flatMap(({ fact, share }) => {
    const offer = rows.find((row) => row.fact.claim === null && row.fact.env.id === fact.env.id);
    if (offer?.share == null || share === null || fact.steps > 1.01 * offer.fact.steps) return []; // whole rollouts may end a little later
    return share > offer.share + 0.1 ? [`${fact.env.id}: ${fact.algo.id} (${fact.claim}) ${share}, offered ${offer.share}`] : [];
  });
  expect(further).toEqual([]);
});

test('a score has an interval from five seeds on, and a share only where its references are of the same environment', () => {
  const [few] = scoreRows([fact({})], catalog);
  expect(few).toMatchObject({ iqm: 200, interval: null, setting: '', older: false });
  const best = few?.best?.value ?? Number.NaN;
  expect(few?.share).toBeCloseTo((200 - (few?.nothing?.value ?? Number.NaN)) / (best - (few?.nothing?.value ?? Number.NaN)), 12);
  const [many] = scoreRows([fact({ scores: [1, 2, 3, 4, 5] })], catalog);
  expect(many?.interval?.[0]).toBeLessThan(3);
  const [other] = scoreRows([fact({ env: { id: 'cartpole', version: 1, config: { maxSteps: 50 } } })], catalog);
  expect(other).toMatchObject({ setting: 'maxSteps 50', nothing: null, best: null, share: null, below: null });
});

test('the best of an environment stands first; what the catalogue does not have is left out', () => {
  const rows = scoreRows([fact({ scores: [1] }), fact({ scores: [9] }), fact({ env: { id: 'gone', version: 1, config: {} } })], catalog);
  expect(rows.map(({ iqm }) => iqm)).toEqual([9, 1]);
});

test('what is offered first and learns little is marked; a claim says for itself what it found', () => {
  const lines = (change: Partial<ScoreFact>) =>
    scoresPage([fact(change)], catalog)
      .trim()
      .split('\n')
      .at(-1) ?? '';
  expect(lines({ scores: [30, 30, 30] })).toMatch(/ \d %, not solved \| 3 of 3 \| \d\d % \| offered first \|$/);
  expect(lines({ scores: [400, 400, 400] })).not.toContain('not solved');
  expect(lines({ scores: [30, 30, 30], claim: 'low' })).not.toContain('not solved');
});

const rowOf = (change: Partial<ScoreFact>, others: readonly ScoreFact[] = []) => scoreRows([fact(change), ...others], catalog)[0];

test.each([
  ['alike seeds', { scores: [490, 495, 500, 500, 500] }, []],
  [
    'a quarter of failing seeds, which the interquartile mean leaves out',
    { scores: [20, 20, 497, 498, 499, 499, 500, 500] },
    ['2 of 8 seeds below half of the way', 'two humps: 2 at 20, 6 at 498.8'],
  ],
  ['scattered seeds', { scores: [100, 200, 300, 400, 500] }, ['2 of 5 seeds below half of the way']],
  ['a run that was cut short', { scores: [500, 500, 500], cutFrom: 5000 }, ['cut short: 1,000 of 5,000 steps']],
  [
    'settings without a reference',
    { env: { id: 'cartpole', version: 1, config: { maxSteps: 50 } }, scores: [1, 1, 50, 50, 50] },
    ['two humps: 2 at 1, 3 at 50'],
  ],
] as const)('what the interquartile mean hides of %s is said', (_, change, words) => {
  const row = rowOf(change);
  expect(row === undefined ? null : hiddenWords(row)).toEqual(words);
});

test('the gap counts every seed, and a seed beyond the best known as there', () => {
  const { value = Number.NaN } = rowOf({})?.nothing ?? {};
  const middle = (value + 500) / 2;
  expect(rowOf({ scores: [500, middle, 500, middle] })?.gap).toBeCloseTo(0.25, 12);
  expect(rowOf({ scores: [500, 500] })?.gap).toBe(0);
});

test('the best known is the best of references and of what was measured here, with its source', () => {
  const env = { id: 'minatar-seaquest', version: null, config: {} };
  const [card] = catalog.envs.filter(({ id }) => id === env.id);
  const most = 10 * Math.max(...(card?.references ?? []).map(({ value }) => value));
  const found = rowOf({ env, scores: [most] });
  expect(found?.best).toEqual({ name: 'ppo here', value: most, source: 'what is offered first' });
  expect(found?.share).toBe(1);
  // What is measured while training is no test: it sets no yardstick.
  const trained = fact({ env, algo: { id: 'dqn', version: null, config: {} }, quantity: 'finalReturn', scores: [2 * most] });
  expect(scoreRows([fact({ env, scores: [most] }), trained], catalog).map(({ best }) => best?.value)).toEqual([most, most]);
  // No row of the whole table is far beyond its own yardstick.
  const beyond = scoreRows(scoreFacts('.'), catalog).filter(
    ({ fact: { quantity }, share }) => quantity === 'evalReturn' && (share ?? 0) > 1 + 1e-9,
  );
  expect(beyond.map(({ env: title, share }) => `${title} ${share}`)).toEqual([]);
});

test('where doing nothing scores more than random play, shares are counted from there', () => {
  const row = rowOf({ env: { id: 'cleanup', version: null, config: {} }, scores: [0, 0, 0] });
  expect(row).toMatchObject({ nothing: { name: 'free riders', value: 0 }, share: 0, below: 3 });
});

test('the known cases are told: seeds that fail, and a run that was cut', () => {
  const rows = scoreRows(scoreFacts('.'), catalog);
  const said = (claim: string) => rows.flatMap((row) => (row.fact.claim === claim ? hiddenWords(row) : [])).join('; ');
  expect(said('sarsa-cliff')).toMatch(/two humps: 2 at −1000, 18 at −1/);
  expect(said('ppo-doorkey-8')).toMatch(/of 40 seeds below half of the way|two humps/);
});
