import { expect, test } from 'vitest';
import { nextTest, type TestedSeed } from './strength-plan.ts';

const OPTIONS = { budget: 1600, piece: 8, whole: 64 };
/** Rungs of a ladder of 40: step k^2. */
const ladder = (rungs: number): number[] => Array.from({ length: rungs }, (_, k) => (k + 1) ** 2);
const seed = (more: Partial<TestedSeed>): TestedSeed => ({ seed: 1, kept: ladder(40), tested: new Map(), ended: true, ...more });

/** Makes every test that is asked for, until none is. */
function played(seeds: readonly TestedSeed[]): readonly string[] {
  const tested = new Map(seeds.map((one) => [one.seed, new Map(one.tested)]));
  const log: string[] = [];
  for (;;) {
    const now = seeds.map((one) => ({ ...one, tested: tested.get(one.seed)! }));
    const next = nextTest(now, OPTIONS);
    if (next === null) return log;
    const of = tested.get(next.seed)!;
    expect(next.after).toBe(of.get(next.step) ?? 0);
    of.set(next.step, next.after + next.episodes);
    log.push(`${next.seed}@${next.step}`);
    expect(log.length).toBeLessThan(500);
  }
}

test('the start of every seed comes first, then where each is, then what lies between', () => {
  const log = played([seed({}), seed({ seed: 2, kept: ladder(30), ended: false })]);
  expect(log.slice(0, 4).sort()).toEqual(['1@1', '1@1600', '2@1', '2@900']);
  expect(log.slice(0, 2).sort()).toEqual(['1@1', '2@1']);
  // the first between two ends lies in the middle of the ladder
  expect(log.slice(4, 6).sort()).toEqual(['1@400', '2@225']);
});

test('a finished seed has a line of sixteen points, and its two ends, which are compared, are tested whole', () => {
  const log = played([seed({})]);
  expect(new Set(log).size).toBe(16);
  expect(log.filter((one) => one === '1@1')).toHaveLength(8); // 8 times 8 episodes
  expect(log.filter((one) => one === '1@1600')).toHaveLength(8);
});

test('while it goes on the newest is tested only where it has come a point further', () => {
  const tested = new Map([
    [1, 64],
    [100, 64],
  ]);
  const few = seed({ kept: [1, 100, 121], tested, ended: false }); // rungs 1, 10, 11 of 40
  expect(nextTest([few], OPTIONS)).toBeNull();
  expect(nextTest([{ ...few, kept: [1, 100, 169] }], OPTIONS)?.step).toBe(169);
  expect(nextTest([{ ...few, ended: true }], OPTIONS)?.step).toBe(121);
});

test('nothing is asked of a seed that has kept nothing', () => {
  expect(nextTest([seed({ kept: [], ended: false })], OPTIONS)).toBeNull();
});
