/** Cards without an outcome: what they need, and what their earlier judged forms keep. */
import { describe, expect, test } from 'vitest';
import { cameOutOf, isJudged, type MapCard } from '#contract/papers/forms.ts';
import { envFamilies } from '#core/envs/index.ts';
import { definePaper } from './define.ts';
import { askedScores, defineBuilt, defineIdea, defineMap } from './define-forms.ts';
import { cardOf, paperOf } from './index.ts';
import { papers } from './papers/index.ts';

const of = (form: string): readonly string[] => papers.filter((card) => card.form === form).map(({ id }) => id);

test('the papers whose claim a tab cannot decide have a form without an outcome; three sweep a size', () => {
  expect(of('idea')).toEqual(['P007', 'P060', 'P061', 'P101', 'P145']);
  expect(of('map')).toEqual(['P051', 'P113']);
  expect(of('built')).toEqual(['P003', 'P015', 'P039', 'P119']);
  expect(of('dose')).toEqual(['P006', 'P059', 'P184']);
});

test('what was judged before stays under its id, the same rule and the same arms', () => {
  for (const card of papers) if (!isJudged(card)) expect(paperOf(card.id), card.id).toBe(card.earlier);
});

test('every environment of a table is there, and its question is about a row', () => {
  const envs = envFamilies.flatMap(({ envs: family }) => Object.keys(family));
  for (const card of papers)
    if (card.form === 'built') {
      for (const { env } of card.tasks) expect(envs, card.id).toContain(env);
      expect(askedScores(card).length).toBeGreaterThan(1);
    }
});

describe('what came out', () => {
  const asked = { ask: 'Which?', choices: ['a', 'b', 'alike'], most: 'more', alike: 0.1 } as const;
  test.each([
    [[1, 0.5], 'more', 0],
    [[0.5, 1], 'more', 1],
    [[0.5, 1], 'less', 0],
    [[1, 0.95], 'more', 2],
    [[1, null], 'more', null],
    [[1], 'more', null],
  ] as const)('%j, %s: %s', (values, most, came) => {
    expect(cameOutOf({ ...asked, most }, values)).toBe(came);
  });
});

describe('refused', () => {
  const idea = cardOf('P060');
  const map = cardOf('P113');
  const built = cardOf('P003');
  if (idea?.form !== 'idea' || map?.form !== 'map' || built?.form !== 'built') throw new Error('Other forms than this test is about.');
  const closed: MapCard['branches'] = [
    { title: 'one', leaves: map.branches[0]!.leaves.map(({ title, says }) => ({ title, says, waitsFor: 'time' })) },
  ];
  test.each([
    [() => defineIdea({ ...idea, noVerdict: '' }), 'noVerdict is a sentence'],
    [() => defineIdea({ ...idea, asked: { ...idea.asked, choices: ['a', 'b'] } }), 'three choices or more'],
    [() => defineIdea({ ...idea, asked: { ...idea.asked, choices: ['a', 'b', 'c', 'd'] } }), '2 things are measured: 3 choices'],
    [() => defineIdea({ ...idea, earlier: paperOf('P033') ?? null }), 'its earlier form is that of P033'],
    [() => defineIdea({ ...idea, earlier: null }), 'no arm "said"'],
    [
      () =>
        defineIdea({
          ...idea,
          touch: {
            kind: 'trained',
            players: [
              { arm: 'said', title: '' },
              { arm: 'direct', title: '' },
            ],
            measured: '',
          },
        }),
      'no quick form',
    ],
    [() => defineMap({ ...map, branches: closed }), '0 of 3 leaves open something'],
    [() => defineBuilt({ ...built, methods: ['one'] }), 'scores for 1 methods'],
    [() => defineBuilt({ ...built, about: 'no such task' }), '0 things are measured'],
  ] as const)('%#: %s', (make, why) => {
    expect(make).toThrow(why);
  });
});

describe('a dose', () => {
  const dose = paperOf('P059')?.dose;
  const told = paperOf('P059');
  const leftOut = told?.tested.why ?? '';
  if (dose == null || told === undefined) throw new Error('P059 sweeps nothing.');
  test('is swept over three to five rising places, and judged by a slope over the same arms', () => {
    expect(definePaper({ ...told, leftOut, dose }).form).toBe('dose');
    const points = dose.points;
    expect(() => definePaper({ ...told, leftOut, dose: { ...dose, points: points.slice(0, 2) } })).toThrow('three to five points');
    expect(() => definePaper({ ...told, leftOut, dose: { ...dose, points: points.toReversed() } })).toThrow('rise');
    expect(() => definePaper({ ...told, leftOut, dose: { ...dose, points: points.slice(0, 3) } })).toThrow('judged by a slope');
  });
});
