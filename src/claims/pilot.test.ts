/** What a pilot says: cost and looks, seeds needed, humps, checks that would fail, and why a form may not start. */
import { describe, expect, test } from 'vitest';
import { ruleHash } from '#contract/papers/papers.ts';
import { pilotSchema } from '#contract/papers/pilots.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { definePaper } from './define.ts';
import { formHash, looksFor, pilotInWords, pilotOf, withPilot } from './pilot.ts';

const told = {
  id: 'test-paper',
  title: 'A test',
  authors: 'Doe',
  year: 2026,
  link: 'https://example.org',
  question: 'Is it?',
  idea: 'It is.',
  equation: '',
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 1000 } },
  arms: [
    { id: 'a', title: 'a', trials: 0 },
    { id: 'b', title: 'b', trials: 0 },
  ],
  quantity: { title: 'return', of: 'evalReturn' },
  contrasts: [{ id: 'a over b', kind: 'difference', arm: 'a', over: 'b', claim: 'above', size: 20 }],
  scale: { better: 'more', random: 0, ceiling: 100 },
  scaledDown: '',
  dishonest: '',
  next: '',
} as const satisfies Parameters<typeof definePaper>[0];

const arm = (id: string, scores: readonly (number | null)[], more: Partial<ArmResult> = {}): ArmResult => ({
  id,
  title: id,
  config: id.repeat(12),
  env: { id: 'e', version: 1, config: {} },
  algo: { id: 'x', version: 1, config: {} },
  trials: 0,
  steps: 1000,
  parameters: 10,
  scores: [...scores],
  parameterHashes: scores.map((_, i) => `${id}${i}`),
  seconds: 60,
  curve: null,
  ...more,
});
const about = (seeds: number, coreMinutes: number) => ({
  commit: 'x',
  date: new Date(0).toISOString(),
  machine: { cpu: 'x', cores: 2, os: 'o', runtime: 'r' },
  seeds: Array.from({ length: seeds }, (_, i) => 901 + i),
  coreMinutes,
});
const pilot = (a: readonly (number | null)[], b: readonly (number | null)[], more: object = {}, minutes = 5) =>
  pilotOf(
    definePaper({ ...told, ...more }),
    [arm('a', a), arm('b', b)].map((one) => ({ arm: { ...one, config: '0'.repeat(12) }, tokens: null })),
    about(Math.max(a.length, b.length), minutes),
  );

const a = [72, 68, 70, 71, 69];
const b = [42, 38, 40, 41, 39];

describe('a pilot', () => {
  test('says how far up arms are, what they spread, how many seeds the size needs, and is a file that can be read', () => {
    const found = pilot(a, b);
    expect(found.arms.map(({ height }) => height)).toEqual([0.7, 0.4]);
    expect(found.arms[0]).toMatchObject({ spread: Math.sqrt(2.5), humps: false, censored: 0 });
    expect(found.contrasts[0]).toMatchObject({ estimate: 30, seeds: 5, most: 60 });
    expect(found).toMatchObject({ minutesPerSeed: 1, looks: [5, 10, 20, 40], refused: [] });
    expect(found.warnings).toEqual([]);
    expect(pilotSchema.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
  });

  test('counts seeds by the spread: 16 (s / e)^2 an arm', () => {
    const wide = (middle: number) => [middle - 30, middle - 10, middle, middle + 10, middle + 30];
    const found = pilot(wide(60), wide(45));
    expect(found.contrasts[0]!.seeds).toBe(Math.ceil((16 * 500) / 400));
    expect(pilot(wide(60), wide(45), {}, 20).warnings.join(' ')).toContain('there is room for 10');
  });

  test('warns of two humps from five seeds on, and says with fewer that it cannot see them', () => {
    expect(pilot([70, 71, 5, 70, 72], b).warnings.join(' ')).toContain('a ends on two humps');
    const few = pilot(a.slice(0, 2), b.slice(0, 2));
    expect(few.arms[0]!.humps).toBeNull();
    expect(few.warnings.join(' ')).toContain('On 2 seeds two humps cannot be seen');
  });

  test('warns of a rival near the ceiling, and of each check that would fail', () => {
    const found = pilot([99, 98, 99, 98, 97], [96, 97, 96, 97, 98], { contrasts: [{ ...told.contrasts[0], size: 2 }] });
    expect(found.warnings.join(' ')).toContain('A check would fail: b alone is at');
    expect(pilot([2, 1, 2, 3, 2], b).warnings.join(' ')).toContain('A check would fail: a plays no better than at random.');
  });

  test('refuses what cannot come out, cannot be paid or gave no number', () => {
    expect(pilot(a, b, { contrasts: [{ ...told.contrasts[0], size: 70 }] }).refused[0]).toContain('can be at most 60');
    expect(pilot(a, b, {}, 50).refused[0]).toContain('Five seeds take 50 core-minutes');
    expect(pilot(a, b, { minutes: 60 }, 50).refused).toEqual([]);
    expect(pilot([1, null, 1, 1, 1], b).refused[0]).toContain('Not every run gave a number: a');
    expect(pilot([], b).refused[0]).toContain('Not every run gave a number: a');
  });
});

test('looks are those that fit into 45 core-minutes, and stand in the rule; a card’s own stay', () => {
  expect([1, 2, 4, 8, 10].map((minutes) => looksFor(minutes).at(-1))).toEqual([40, 20, 10, 5, undefined]);
  expect([22, 45, 46].map((minutes) => looksFor(minutes, 225).at(-1))).toEqual([10, 5, undefined]);
  const paper = definePaper(told);
  const form = withPilot(paper, { looks: [5, 10, 20] });
  expect(form.looks).toEqual([5, 10, 20]);
  expect(ruleHash(form)).not.toBe(ruleHash(paper));
  expect(formHash(form)).toBe(formHash(paper));
  expect(formHash(definePaper({ ...told, contrasts: [{ ...told.contrasts[0], size: 21 }] }))).not.toBe(formHash(paper));
  expect(withPilot(definePaper({ ...told, looks: [5] }), { looks: [5, 10] }).looks).toEqual([5]);
  expect(withPilot(definePaper({ ...told, tenSeeds: true }), { looks: [5, 10, 20] }).looks).toEqual([10]);
});

test('a result says in a sentence whether it had a pilot', () => {
  expect(pilotInWords(null)).toBe('No pilot: these runs are older than pilots, and were only judged anew.');
  expect(pilotInWords({ seeds: [901, 902], coreMinutes: 2.345, looks: [5, 10] })).toBe(
    'Pilot on seeds 901 to 902, 2.35 core-minutes: room for looks at 5, 10 seeds.',
  );
});
