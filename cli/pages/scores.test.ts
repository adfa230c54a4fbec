import { expect, test } from 'vitest';
import { buildCatalog } from '#core/catalog.ts';
import { type ScoreFact, scoreRows } from '#report/scores.ts';
import { scoreFacts } from '../../tools/facts/scores.ts';
import { scoresPage } from './scores.ts';

const catalog = buildCatalog();

test('the list has a row for every score of an environment and a method that exist', () => {
  const rows = scoresPage(scoreFacts('.'), catalog)
    .split('\n')
    .filter((line) => /^\| (?!environment|---)/.test(line));
  expect(rows.length).toBe(scoreRows(scoreFacts('.'), catalog).length);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => row.split(' | ').length !== 10)).toEqual([]);
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
  expect(few?.share).toBeCloseTo((200 - (few?.random ?? Number.NaN)) / (best - (few?.random ?? Number.NaN)), 12);
  const [many] = scoreRows([fact({ scores: [1, 2, 3, 4, 5] })], catalog);
  expect(many?.interval?.[0]).toBeLessThan(3);
  const [other] = scoreRows([fact({ env: { id: 'cartpole', version: 1, config: { maxSteps: 50 } } })], catalog);
  expect(other).toMatchObject({ setting: 'maxSteps 50', random: null, best: null, share: null });
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
  expect(lines({ scores: [30, 30, 30] })).toMatch(/ \d %, not solved \| offered first \|$/);
  expect(lines({ scores: [400, 400, 400] })).not.toContain('not solved');
  expect(lines({ scores: [30, 30, 30], claim: 'low' })).not.toContain('not solved');
});
