import { describe, expect, test } from 'vitest';
import { judgedPapers as papers } from '#claims/papers/index.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import type { Contrast } from '#math/contrasts.ts';
import { notHeld } from './sentences.ts';
import { besidePublished, citation, differsInWords, howSure, outcomeInSentences, ruleHistory } from './words.ts';

const finding = (state: 'held' | 'smaller' | 'refuted' | 'reversed' | 'open') => ({
  id: state,
  estimate: 1,
  low: 0,
  high: 2,
  level: 0.99484,
  state,
});
const judged = (outcome: PaperResult['outcome'], states: readonly Parameters<typeof finding>[0][], more = {}) => ({
  outcome,
  because: '',
  findings: states.map(finding),
  voids: [],
  decidedOn: 5,
  wanted: null,
  ...more,
});

describe('an outcome in words', () => {
  test.each([
    [
      judged('shown', ['held', 'held']),
      'the method',
      'Shown, on 5 seeds an arm. Every contrast is held: clear of no effect, and the size claimed is not excluded.',
    ],
    [judged('not shown', ['refuted']), 'the method', 'Not shown, on 5 seeds an arm. The size claimed is excluded.'],
    [judged('not shown', ['refuted']), 'a reduced method', 'Our reduced form: not shown, on 5 seeds an arm. The size claimed is excluded.'],
    [
      judged('open', ['open'], { wanted: 10 }),
      'our guess',
      'Open, on 5 seeds an arm. The runs do not tell. 10 seeds an arm could decide what is open.',
    ],
    [judged('open', ['refuted'], { because: 'The deficit is not there.' }), 'our guess', 'The deficit is not there.'],
    [judged('open', []), 'our guess', 'Nothing was judged yet.'],
    [
      judged('open', ['held'], { voids: [{ check: 'steps', text: 'x' }] }),
      'our guess',
      'A check failed, so nothing is concluded from these runs: x',
    ],
    [
      judged('open', ['held'], { voids: ['x.', 'y.', 'z.', 'w.'].map((text) => ({ check: 'steps', text })) }),
      'our guess',
      'A check failed, so nothing is concluded from these runs: x. y. And 2 more, listed below under Checks.',
    ],
  ] as const)('%j', (result, tested, text) => {
    expect(outcomeInSentences(result, tested)).toBe(text);
  });

  test('and how sure: level, look, errors, forms; nothing where nothing was judged', () => {
    expect(howSure(judged('mixed', ['held', 'open']), 1)).toContain('Intervals of 99.48\u00a0% each, on 5 seeds.');
    expect(howSure(judged('mixed', ['held']), 1)).not.toContain('form');
    expect(howSure(judged('mixed', ['held']), 3)).toContain('This is form 3 of this paper');
    expect(howSure(judged('open', []), 1)).toBe('');
  });
});

test('further contrasts that are not held are named, open ones as open, controls and the main one not', () => {
  const of = (id: Parameters<typeof finding>[0], control = false): Contrast => ({
    id,
    kind: 'level',
    arm: id,
    claim: 'above',
    none: 0,
    ...(control && { control }),
  });
  const contrasts = [of('refuted', true), of('reversed'), of('held'), of('smaller'), of('open')];
  const findings = (['refuted', 'reversed', 'held', 'smaller', 'open'] as const).map(finding);
  const card = { ...papers[0]!, contrasts: contrasts as unknown as (typeof papers)[0]['contrasts'] };
  expect(notHeld(card, findings)).toEqual([
    expect.stringMatching(/^Not held: smaller\. .*“smaller” is at 1 \(0 to 2\)\./),
    expect.stringMatching(/^Open: open\. /),
  ]);
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
    expect(beside?.text.includes('More than a factor of two apart')).toBe(apart);
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
  const labelled = { date: '2026-11-28T10:00:00.000Z', rule: 'a', judge: 5, tested: 'our guess', outcome: 'mixed' } as const;
  expect(ruleHistory({ rule: 'b', judge: 5, log: [labelled] })).toContain('judge 5, our guess: mixed');
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
  const result = {
    tested: { label: 'our guess', why: '' },
    outcome: 'mixed',
    rule: '0123456789ab',
    commit: 'abc',
    decidedOn: 5,
  } as const;
  expect(citation(papers[0]!, result)).toContain(`as ${papers[0]!.id}: our guess: mixed on 5 seeds an arm, rule 0123456789ab, commit abc`);
});
