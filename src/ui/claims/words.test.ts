import { describe, expect, test } from 'vitest';
import { papers } from '#claims/papers/index.ts';
import type { PaperResult } from '#contract/results.ts';
import type { Contrast } from '#math/contrasts.ts';
import {
  besidePublished,
  cameOut,
  citation,
  claimInWords,
  contrastInWords,
  differsInWords,
  howSure,
  notHeld,
  ruleHistory,
  verdictInWords,
} from './words.ts';

const finding = (state: 'held' | 'smaller' | 'refuted' | 'open') => ({ id: state, estimate: 1, low: 0, high: 2, level: 0.99484, state });
const judged = (verdict: PaperResult['verdict'], states: readonly Parameters<typeof finding>[0][], more = {}) => ({
  verdict,
  findings: states.map(finding),
  voids: [],
  decidedOn: 5,
  parts: [] as PaperResult['parts'],
  wanted: null,
  ...more,
});
const limit = { verdict: 'partly', why: 'One world of two.' } as const;

describe('a verdict in words', () => {
  test.each([
    [judged('reproduced', ['held', 'held']), null, 'The claim holds in all 2 contrasts, on 5 seeds an arm.'],
    [judged('partly', ['held']), limit, 'What could be tested here holds in its contrast, on 5 seeds an arm. One world of two.'],
    [
      judged('partly', ['held', 'open', 'smaller']),
      limit,
      'The main contrast lies on the side of the claim; of the 3 contrasts 1 is as large as claimed and 1 is smaller, on 5 seeds an arm.',
    ],
    [
      judged('partly', ['smaller'], { parts: ['smaller'] }),
      null,
      'The main contrast lies on the side of the claim and is smaller, on 5 seeds an arm.',
    ],
    [
      judged('partly', ['held', 'open'], { parts: ['not all', 'not all tested'], wanted: 80 }),
      limit,
      'The main contrast lies on the side of the claim; of the 2 contrasts 1 is as large as claimed, on 5 seeds an arm. 80 seeds an arm could decide what is open. One world of two.',
    ],
    [judged('not reproduced', ['refuted']), null, 'The main contrast ends short of the size claimed, on 5 seeds an arm.'],
    [
      judged('inconclusive', ['open'], { wanted: 10 }),
      null,
      'The runs leave it open, on 5 seeds an arm. 10 seeds an arm could decide what is open.',
    ],
    [judged('inconclusive', []), null, 'Nothing was judged yet.'],
    [
      judged('inconclusive', ['held'], { voids: [{ check: 'steps', text: 'x' }] }),
      null,
      'A check failed, so nothing is concluded from these runs: x',
    ],
    [
      judged('inconclusive', ['held'], { voids: ['x.', 'y.', 'z.', 'w.'].map((text) => ({ check: 'steps', text })) }),
      null,
      'A check failed, so nothing is concluded from these runs: x. y. And 2 more, listed below under Checks.',
    ],
  ] as const)('%j', (result, atMost, text) => {
    expect(verdictInWords(result, atMost)).toBe(text);
  });

  test('and how sure: level, look, errors; nothing where nothing was judged', () => {
    expect(howSure(judged('partly', ['held', 'open']))).toContain('Intervals of 99.5\u00a0% each, on 5 seeds.');
    expect(howSure(judged('partly', ['held'], { decidedOn: 10 }))).toContain('99.5\u00a0%, on 10 seeds.');
    expect(howSure(judged('inconclusive', []))).toBe('');
  });
});

test.each([
  [{ id: 'x', kind: 'difference', arm: 'a', over: 'b', claim: 'above', size: 1 }, '“A”, less “B”', '1 or more'],
  [{ id: 'x', kind: 'difference', arm: 'a', over: 'b', claim: 'below' }, '“A”, less “B”', 'below 0'],
  [{ id: 'x', kind: 'ratio', arm: 'a', over: 'b', claim: 'above', size: 1.5 }, '“A”, divided by “B”', '1.5 times or more'],
  [{ id: 'x', kind: 'level', arm: 'a', claim: 'above', none: 475 }, '“A”', 'at least 475'],
  [{ id: 'x', kind: 'every', arm: 'a', claim: 'below', none: 3 }, 'worst seed of “A”', 'at most 3'],
  [{ id: 'x', kind: 'order', arms: ['a', 'b'], claim: 'above' }, 'smallest step down: “A” > “B”', 'above 0'],
  [{ id: 'x', kind: 'slope', arms: ['a', 'b'], x: [1, 2], claim: 'above' }, 'slope over 1, 2: from “A” to “B”', 'above 0'],
  [
    { id: 'x', kind: 'cells', cells: [['a', 'b']], of: 1, none: -0.1, claim: 'above' },
    '“A”, less the best of the other arms',
    'above −0.1',
  ],
  [
    {
      id: 'x',
      kind: 'cells',
      cells: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      of: 1,
      none: -0.1,
      claim: 'above',
    },
    'in at least 1 of 2 worlds, the arm that should lead (in the first: “A”) less the best of the others',
    'above −0.1',
  ],
] as const satisfies readonly (readonly [Contrast, string, string])[])('%j', (contrast, what, claim) => {
  expect(contrastInWords(contrast, (arm) => arm.toUpperCase())).toBe(what);
  expect(claimInWords(contrast)).toBe(claim);
});

test('the main contrast is a sentence with its interval', () => {
  const contrast = { id: 'held', kind: 'difference', arm: 'a', over: 'b', claim: 'above' } as const;
  expect(cameOut(contrast, finding('held'), (arm) => `arm ${arm}`)).toBe('“arm a”, less “arm b”: 1 (0 to 2), held; claimed: above 0.');
  expect(cameOut(contrast, undefined, (arm) => arm)).toBe('');
});

test('further contrasts that are not held are named, controls and the main one not', () => {
  const of = (id: Parameters<typeof finding>[0], control = false): Contrast => ({
    id,
    kind: 'level',
    arm: id,
    claim: 'above',
    none: 0,
    ...(control && { control }),
  });
  const contrasts = [of('refuted', true), of('open'), of('held'), of('smaller')];
  const findings = (['refuted', 'open', 'held', 'smaller'] as const).map(finding);
  expect(notHeld(contrasts, findings)).toEqual(['Smaller: 1 (0 to 2), clear, but smaller than claimed; claimed: at least 0.']);
});

describe('a published number beside the one here', () => {
  const published = (value: number, of = 'held') => ({ value, text: 'a number', of });
  const result = { findings: [finding('held')], arms: [{ id: 'a', scores: [0.1, null, 0.3] }] as unknown as PaperResult['arms'] };
  test.each([
    [published(1.9), false],
    [published(2.1), true],
    [published(0.4), true],
    [published(-1), true],
    [published(0.3, 'a'), false],
    [published(0.66, 'a'), true],
  ])('%j', (number, apart) => {
    const beside = besidePublished(number, result);
    expect(beside?.apart).toBe(apart);
    expect(beside?.text).toContain(apart ? 'More than a factor of two apart' : 'Within a factor of two');
  });
  test('is left out where the paper gives none or nothing was measured', () => {
    expect(besidePublished(null, result)).toBeNull();
    expect(besidePublished(published(1, 'other'), result)).toBeNull();
  });
});

test('a rule that was changed after a first result is not called fixed', () => {
  const entry = (rule: string, judge: number) => ({
    date: '2026-11-20T10:00:00.000Z',
    rule,
    judge,
    parts: [],
    verdict: 'inconclusive' as const,
  });
  expect(ruleHistory({ rule: 'b', judge: 1, log: [entry('a', 1)] })).toBe(
    'It was changed after a first result. Before: 2026-11-20: rule a, judge 1, inconclusive.',
  );
  expect(ruleHistory({ rule: 'b', judge: 2, log: [entry('a', 1)] })).toContain('this card was not');
  expect(ruleHistory({ rule: 'c', judge: 2, log: [entry('a', 1), entry('b', 1)] })).toContain('It was changed');
  expect(ruleHistory({ rule: 'b', judge: 2, log: [entry('b', 2)] })).toContain('has not changed');
  expect(ruleHistory({ rule: 'b', judge: 2, log: [] })).toContain('has not changed');
});

test('an arm says what differs', () => {
  const title = (kind: string, id: string) => `${kind} ${id}`;
  expect(differsInWords({ id: 'a', title: 'a', trials: 0 }, title)).toEqual([]);
  const differs = {
    env: { id: 'pendulum', config: { gravity: 9 } },
    algo: { config: { switching: 'always', hidden: [64, 64] } },
    run: { steps: 10 },
  };
  expect(differsInWords({ id: 'a', title: 'a', trials: 0, differs }, title)).toEqual([
    'env pendulum',
    'gravity 9',
    'switching always',
    'hidden [64, 64]',
    'steps 10',
  ]);
  expect(differsInWords({ id: 'a', title: 'a', trials: 0, script: 'greedy' }, title)).toEqual([
    'scripted policy “greedy”, nothing is trained',
  ]);
});

test('an arm that reads the runs of one before it names that one, and what it is attacked with', () => {
  const differs = { algo: { config: { lr: 0.1 } } };
  const explain = (aim: 'any other' | 'farthest') => ({ judge: 'attack', question: { eps: 0.3, aim } }) as const;
  const [first, second, third] = [
    { id: 'a', title: 'one', trials: 0, differs, explain: explain('any other') },
    { id: 'b', title: 'two', trials: 0, differs, explain: explain('farthest') },
    { id: 'c', title: 'three', trials: 0 },
  ];
  const all = [first, second, third];
  const title = (): string => '';
  expect(differsInWords(first, title, all)).toEqual(['then attacked (eps 0.3, aim any other)', 'lr 0.1']);
  expect(differsInWords(second, title, all)).toEqual(['the same runs as “one”', 'then attacked (eps 0.3, aim farthest)']);
  expect(differsInWords(third, title, all)).toEqual([]);
});

test('every built paper can be cited, with what was run where there is a result', () => {
  for (const paper of papers) expect(citation(paper, null)).toMatch(/^@misc\{[a-z]+\d{4}p\d{3},\n {2}title {2}= \{.+\},[\s\S]+\n\}$/);
  const result = { verdict: 'partly', rule: '0123456789ab', commit: 'abc', decidedOn: 5 } as const;
  expect(citation(papers[0]!, result)).toContain(`as ${papers[0]!.id}: partly on 5 seeds an arm, rule 0123456789ab, commit abc`);
});
