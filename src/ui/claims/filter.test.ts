import { describe, expect, test } from 'vitest';
import { definePaper } from '#claims/define.ts';
import type { JudgedCard, ListedPaper } from '#contract/papers/papers.ts';
import { entriesOf, filtered, filtersOf, titleOfGroup, unknownIn } from './filter.ts';

const listed: readonly ListedPaper[] = [
  { id: 'P001', name: 'One', title: 'First words', tier: 1, topics: ['memory'], idea: 'Forget nothing.', waitsFor: ['a world'] },
  { id: 'P002', name: 'Two', title: 'Second words', tier: 2, topics: ['memory', 'communication'], idea: 'Talk.', waitsFor: [] },
  { id: 'P003', name: 'Three', title: 'Third', tier: 2, topics: ['communication'], idea: 'Listen.', waitsFor: [] },
];
const card = (id: string, sign: JudgedCard['sign'] = null): JudgedCard =>
  definePaper({
    id,
    sign,
    claim: 'Talk pays.',
    source: { guess: { searches: ['its title, among public code'] } },
    differs: ['small'],
    title: 'words',
    authors: 'Ada Author',
    year: 2026,
    link: '',
    question: 'Does talk pay?',
    idea: '',
    equation: '',
    config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: {} },
    arms: [
      { id: 'a', title: 'a', trials: 0 },
      { id: 'b', title: 'b', trials: 0, differs: { env: { id: 'pendulum' }, algo: { id: 'sac' } } },
      { id: 'c', title: 'c', trials: 0, script: 'expert', differs: { algo: { id: 'random' } } },
    ],
    quantity: { title: 'q', of: 'evalReturn' },
    contrasts: [{ id: 'd', kind: 'difference', arm: 'a', over: 'b', claim: 'above', size: 1 }],
    scale: { better: 'more' },
    scaledDown: '',
    dishonest: '',
    next: '',
  });
const built = new Map(['P002', 'P003'].map((id) => [id, card(id)]));
const entries = entriesOf(
  listed,
  (id) => built.get(id),
  {
    P003: { outcome: 'mixed', confirmed: true, outdated: false, coreMinutes: 12 },
  },
  ({ id }) => id === 'P003',
);
const ids = (filters: Parameters<typeof filtered>[1]) => filtered(entries, filters).map(({ id }) => id);

test('an outcome of an older version is no outcome of today', () => {
  const facts = { P003: { outcome: 'shown', confirmed: null, outdated: true, coreMinutes: 1 } } as const;
  const [old] = entriesOf(
    listed,
    (id) => built.get(id),
    facts,
    () => true,
  ).filter(({ id }) => id === 'P003');
  expect([old?.outcome, old?.found]).toEqual(['older version', null]);
  expect(titleOfGroup('older version')).toBe('to be run again');
});

test('what was tested is a filter of its own; a negative outcome says of whom', () => {
  const [own] = entriesOf(
    listed.slice(1, 2),
    (id) => card(id, 'ours'),
    {
      P002: { outcome: 'not shown', confirmed: null, outdated: false, coreMinutes: 1 },
    },
    () => true,
  );
  expect([own?.outcome, own?.tested]).toEqual(['not shown', 'our question']);
  expect(titleOfGroup('not shown', 'our question')).toBe('our question: not shown');
  expect(titleOfGroup('not shown', 'the method')).toBe('not shown');
  expect(filtered(own === undefined ? [] : [own], { tested: 'our question', verdict: 'not shown' })).toEqual([own]);
  expect(filtered(own === undefined ? [] : [own], { tested: 'our guess' })).toEqual([]);
});

test('an address with the one word of an older judge opens with the outcome that it stands for', () => {
  expect(filtersOf({ verdict: 'reproduced' })).toEqual({ verdict: 'shown' });
  expect(filtersOf({ verdict: 'mixed' })).toEqual({ verdict: 'mixed' });
});

test('built papers stand first; worlds and methods are those of every arm, scripts are no method', () => {
  expect(entries.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['P002', 'not run'],
    ['P003', 'mixed'],
    ['P001', 'planned'],
  ]);
  expect(entries[0]).toMatchObject({ envs: ['cartpole', 'pendulum'], methods: ['ppo', 'sac'], minutes: null });
  expect(entries[2]).toMatchObject({ envs: [], methods: [] });
});

test('a form without an outcome is built, has no verdict, and no minutes of what was judged before', () => {
  const { form: _, ...judged } = card('P002');
  const idea = {
    ...judged,
    form: 'idea',
    noVerdict: 'None.',
    asked: { ask: 'Which?', choices: ['a', 'b', 'same'], most: 'more', alike: 0 },
  } as const;
  const touch = { kind: 'widget', id: 'none', measured: '' } as const;
  const facts = { P002: { outcome: 'shown', confirmed: true, outdated: false, coreMinutes: 3 } } as const;
  const [entry] = entriesOf(
    listed.slice(1, 2),
    () => ({ ...idea, quoted: { text: '' }, touch, earlier: card('P002') }),
    facts,
    () => true,
  );
  expect(entry).toMatchObject({
    outcome: 'no verdict',
    tested: null,
    found: null,
    confirmed: null,
    minutes: null,
    envs: ['cartpole', 'pendulum'],
  });
  expect(filtered(entry === undefined ? [] : [entry], { form: 'idea', verdict: 'no verdict' })).toEqual([entry]);
});

describe('filters', () => {
  test.each([
    [{}, ['P002', 'P003', 'P001']],
    [{ topic: 'memory' }, ['P002', 'P001']],
    [{ topic: 'memory', tier: '2' }, ['P002']],
    [{ env: 'pendulum', method: 'sac' }, ['P002', 'P003']],
    [{ method: 'random' }, []],
    [{ verdict: 'planned' }, ['P001']],
    [{ form: 'comparison' }, ['P002', 'P003']],
    [{ form: 'map' }, []],
    [{ here: 'yes' }, ['P003']],
    [{ time: '15' }, ['P003']],
    [{ time: '5' }, []],
    [{ q: 'WORDS second' }, ['P002']],
    [{ q: 'ada 2026' }, ['P002', 'P003']],
    [{ q: 'p001' }, ['P001']],
    [{ q: '.*' }, []],
  ])('%j', (filters, found) => {
    expect(ids(filters)).toEqual(found);
  });
});

test('a value of the address that no paper has is named, with what there is', () => {
  const [unknown] = unknownIn(entries, { topic: 'memry', tier: '2', q: 'anything' });
  expect(unknown).toMatchObject({ filter: 'topic', value: 'memry', known: expect.arrayContaining(['memory', 'communication']) });
  expect(unknownIn(entries, { topic: 'memory', verdict: 'planned', time: '15' })).toEqual([]);
});

test('of an address only filters are read, cut to a length', () => {
  expect(filtersOf({ q: 'x'.repeat(500), topic: '', other: 'y', tier: '1' })).toEqual({ q: 'x'.repeat(100), tier: '1' });
});
