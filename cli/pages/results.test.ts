import { expect, test } from 'vitest';
import { experiments } from '#claims/experiments/index.ts';
import { aboutChecks, changedRules, readPaperResults, resultsPages } from './results.ts';
import { cardOf } from './suites.ts';

test('the head of the results page says how returns are measured, for drawn actions too', () => {
  const head = resultsPages('a-project-without-results').get('results.md');
  expect(head).not.toContain('100 greedy episodes');
  expect(head).toContain('FOLLOW with `sampled`');
  // what the sentence is about: claims that evaluate on fewer episodes
  const counts = experiments.map(({ config }) => (config.run as { evalEpisodes?: number } | undefined)?.evalEpisodes);
  expect(counts.some((count) => count !== undefined && count !== 100)).toBe(true);
});

test('a result of older rules says so; one whose version changed nothing of its run does not', () => {
  const ran = (algo: string, version: number, env = 'mpe-simple-spread') => ({
    env: { id: env, version: 1, config: {} },
    algo: { id: algo, version, config: {} },
  });
  expect(changedRules(ran('adversary', 1))).toEqual([expect.stringContaining('standardised without those of the frozen team')]);
  expect(changedRules(ran('adversary', 2))).toEqual([]);
  expect(changedRules(ran('psro', 1, 'kuhn-poker'))).toEqual([]); // a new setting, the same bits
  expect(changedRules({ ...ran('', 1), algo: null })).toEqual([]); // a script
});

test('a card that lost an arm since its runs says that it changed, and stops no other section', () => {
  const result = readPaperResults('.').find(({ id }) => id === 'P033')!;
  const card = cardOf('P033')!;
  expect(aboutChecks({ ...card, arms: card.arms.slice(0, -1) }, result)).toContain('The card of P033 has changed since');
  expect(aboutChecks(card, result)).not.toContain('has changed since');
  expect(aboutChecks(undefined, result)).toBe('');
});
