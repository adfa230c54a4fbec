import { expect, test } from 'vitest';
import { judgedPapers as papers } from '#claims/papers/index.ts';
import { objectOf } from '#contract/kit/json.ts';
import { settingsInWords } from './settings.ts';

test('settings are phrases: groups by their fields, long lists by their length', () => {
  expect(settingsInWords(undefined)).toEqual([]);
  expect(
    settingsInWords({
      lr: 0.1,
      mode: 'fast',
      off: null,
      hidden: [64, 64],
      map: ['SFFFFFG', 'HHHHHHH', 'FFFFFFF', 'HHHHHHH', 'FFFFFFF', 'HHHHHHH', 'FFFFFFF'],
      forgetting: { kind: 'several', strength: 1000, jump: 5 },
      seats: { far: 'rally' },
    }),
  ).toEqual([
    'lr 0.1',
    'mode fast',
    'off null',
    'hidden [64, 64]',
    'map a list of 7',
    'forgetting several (strength 1000, jump 5)',
    'seats (far rally)',
  ]);
});

test('contexts say what is drawn, from what, and in which order', () => {
  const list = [{ map: ['SG'] }, { map: ['GS'] }];
  expect(settingsInWords({ contexts: { draw: { mass: { from: 0.5, to: 2 }, size: [4, 5] }, tell: true } })).toEqual([
    'mass drawn in each episode: 0.5..2',
    'size drawn in each episode: [4, 5]',
    'the drawn numbers are seen',
  ]);
  expect(settingsInWords({ contexts: { list, order: { by: 'blocks', steps: 16_000 } } })).toEqual([
    '2 tasks, which differ in map, in blocks of 16,000 steps',
  ]);
  expect(settingsInWords({ contexts: { list, order: { by: 'turns' } } })).toEqual([
    '2 tasks, which differ in map, the next one in each episode',
  ]);
  expect(settingsInWords({ contexts: { list } })).toEqual(['2 tasks, which differ in map, one drawn in each episode']);
});

test('no paper shows its settings as JSON', () => {
  const all = papers.flatMap(({ config, arms }) => [config, ...arms.flatMap(({ differs }) => differs ?? [])]);
  const phrases = all.flatMap(({ env, algo, run }) =>
    [objectOf(objectOf(env).config), objectOf(objectOf(algo).config), objectOf(run)].flatMap(settingsInWords),
  );
  expect(phrases.length).toBeGreaterThan(500);
  expect(phrases.filter((phrase) => /[{}"]/.test(phrase))).toEqual([]);
});
