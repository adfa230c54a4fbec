import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judgedPapers } from '#claims/papers/index.ts';
import { type Contrast, faultOf } from '#math/contrasts.ts';
import { STATES, type State, stateOf } from '#math/rule.ts';
import { parse } from '../files/files.ts';
import { measure } from '../kit/numbers.ts';
import { claimed, compared, distinctName, findingSaid, inEnglish, type Names, namesOf, part, WORDS, written } from './finding-words.ts';
import { paperResultSchema } from './results.ts';

const plain = inEnglish((value) => measure(value, 3));
const names: Names = {
  title: (arm) => arm.replace('-', ', '),
  quantity: (arm) => (arm.startsWith('q') ? 'emergence' : 'score'),
  sameWorld: (one, other) => one.split('-')[1] === other.split('-')[1],
};
const says = (contrast: Contrast, found: { estimate: number; low: number; high: number; state: State; failsBelow?: number }): string =>
  written(findingSaid(contrast, found, names, plain), plain);

const arms = ['a', 'b', 'c'];
const x = [1, 2, 3];
const cells = [
  ['tern-pole', 'float-pole'],
  ['tern-catch', 'float-catch'],
  ['tern-maze', 'float-maze'],
];
const sized = { claim: 'above', size: 0.2 } as const;
/** A contrast of every kind, with a size where it may have one. */
const KINDS = {
  difference: { id: 'x', kind: 'difference', arm: 'a', over: 'b', ...sized },
  ratio: { id: 'x', kind: 'ratio', arm: 'a', over: 'b', claim: 'above', size: 1.5 },
  order: { id: 'x', kind: 'order', arms, ...sized },
  slope: { id: 'x', kind: 'slope', arms, x, ...sized },
  'slope of a lead': { id: 'x', kind: 'slope', arms, over: ['d', 'e', 'f'], x, ...sized },
  rank: { id: 'x', kind: 'rank', arms, x, ...sized },
  cells: { id: 'x', kind: 'cells', cells, of: 3, ...sized },
  'some cells': { id: 'x', kind: 'cells', cells, of: 2, ...sized },
  'one cell': { id: 'x', kind: 'cells', cells: [['a', 'b', 'c']], of: 1, ...sized },
  'cells below': { id: 'x', kind: 'cells', cells, of: 3, claim: 'below', size: -0.2 },
  'cells with a margin': { id: 'x', kind: 'cells', cells, of: 3, claim: 'above', none: -0.15, units: [1, 1, 1] },
  margin: { id: 'x', kind: 'difference', arm: 'a', over: 'b', claim: 'above', none: -0.15 },
  agree: { id: 'x', kind: 'agree', arms: ['a', 'b', 'c', 'd'], others: ['e', 'f', 'g', 'h'], ...sized },
  pairs: { id: 'x', kind: 'pairs', arms: ['qa'], others: ['a'], ...sized },
  'pairs of places': { id: 'x', kind: 'pairs', arms: ['qa', 'qb', 'qc', 'qd'], others: ['a', 'b', 'c', 'd'], ...sized },
  level: { id: 'x', kind: 'level', arm: 'a', claim: 'above', none: 0.1 },
  every: { id: 'x', kind: 'every', arm: 'a', claim: 'above', none: 0.1 },
  published: { id: 'x', kind: 'published', arm: 'a', theirs: { mean: 1, deviation: 0.1, seeds: 5 }, claim: 'above', none: -0.15 },
  control: { id: 'x', kind: 'difference', arm: 'a', over: 'b', claim: 'above', control: true },
} as const satisfies { readonly [name: string]: Contrast };

/** An interval that gives a state to a contrast of size 0.2, or 1.5 of a ratio. */
function numbers(contrast: Contrast, state: State) {
  const by: { readonly [S in State]: readonly [number, number, number] } = {
    held: [0.1, 0.3, 0.5],
    smaller: [0.01, 0.05, 0.15],
    'no effect of that size': [-0.05, 0.01, 0.05],
    refuted: [-0.3, -0.05, 0.15],
    reversed: [-0.5, -0.3, -0.1],
    open: [-0.1, 0.1, 0.4],
  };
  const flip = contrast.claim === 'below' ? -1 : 1;
  const [low, estimate, high] = [...by[state]].map((value) => (contrast.kind === 'ratio' ? Math.exp(2 * value) : flip * value));
  const ends = [low!, high!].sort((a, b) => a - b) as [number, number];
  return { estimate: estimate!, low: ends[0], high: ends[1], state };
}

/** What a reader must find, whatever the kind. */
const TOLD: { readonly [S in State]: RegExp } = {
  held: /Clear, and (?!the other)|Clear; the size|it is so|loses at most/,
  smaller: /Clear, but/,
  'no effect of that size': /No effect half as large as claimed/,
  refuted: /is excluded|it is not so/,
  reversed: /the other way round/,
  open: /Open:|: open,/,
};
const noSize = ['cells with a margin', 'margin', 'level', 'every', 'published', 'control'];

describe.each(Object.entries(KINDS))('%s', (name, contrast: Contrast) => {
  test('is a contrast that can be judged', () => {
    expect(faultOf(contrast)).toBeNull();
  });
  test.each(STATES)('%s: says the number, what it is of, and what that says of the claim', (state) => {
    if (noSize.includes(name) && (state === 'smaller' || state === 'no effect of that size' || state === 'reversed')) return;
    const found = numbers(contrast, state);
    const text = says(contrast, found);
    expect(text).not.toMatch(/[{}]|undefined|NaN/);
    expect(text).toMatch(/^[A-Z“]/);
    expect(text).toMatch(/[.]$/);
    expect(text).toMatch(TOLD[state]);
    for (const [other, told] of Object.entries(TOLD)) {
      if (other !== state && !(other === 'held' && contrast.kind === 'cells')) expect(text).not.toMatch(told);
    }
  });
  test('what is compared and claimed can stand in a sentence', () => {
    expect(part(compared(contrast, names, plain), plain)).not.toMatch(/[{}]|undefined/);
    expect(part(claimed(contrast), plain)).toMatch(/\d/);
  });
});

test('cells say in how many worlds, against what, and the worst of them', () => {
  const found = { estimate: 0, low: -0.0014, high: 0, state: 'held' } as const;
  expect(says(KINDS['cells with a margin'], found)).toBe(
    'Score: “tern” loses at most 15\u00a0% against “float” in each of 3 worlds: 0\u00a0% at worst (0\u00a0% to 0.14\u00a0%).',
  );
  expect(says(KINDS['some cells'], { estimate: 0.3, low: 0.2, high: 0.4, state: 'held' })).toContain(
    '“tern” leads “float” in 2 of 3 worlds: by 0.3 or more (0.2 to 0.4).',
  );
  expect(says(KINDS['cells below'], { estimate: -0.3, low: -0.4, high: -0.25, state: 'held' })).toContain(
    'stays below “float” in each of 3 worlds: by 0.3 or more',
  );
  expect(says(KINDS['one cell'], { estimate: -0.1, low: -0.4, high: 0.3, state: 'open' })).toContain(
    '“a” lies 0.1 below the best of the others',
  );
});

test('a lead in the sample is told by its number, not by the claim', () => {
  expect(says(KINDS.cells, { estimate: 0.1, low: -0.2, high: 0.3, state: 'open' })).toContain('not clearly, “tern” leads');
  expect(says(KINDS['cells below'], { estimate: -0.1, low: -0.3, high: 0.2, state: 'open' })).toContain('not clearly, “tern” stays below');
  expect(says(KINDS.order, { estimate: 0.1, low: -0.2, high: 0.3, state: 'open' })).toContain('not clearly, each of');
  expect(says(KINDS.cells, { estimate: -0.1, low: -0.2, high: 0.3, state: 'open' })).toContain('does not lead');
  expect(says(KINDS.difference, { estimate: 0, low: -0.2, high: 0.3, state: 'open' })).toContain('lie at the same height');
  expect(says(KINDS.order, { estimate: -0.1, low: -0.2, high: 0.3, state: 'open' })).toContain('one does not lie above the next');
});

test('a correlation is a direction only where its interval is on one side of none', () => {
  expect(says(KINDS.pairs, { estimate: 0.3, low: 0.1, high: 0.5, state: 'held' })).toContain(
    'with a higher “emergence” have a higher “score”',
  );
  expect(says(KINDS.pairs, { estimate: -0.3, low: -0.5, high: -0.1, state: 'reversed' })).toContain('have a lower “score”');
  expect(says(KINDS.pairs, { estimate: 0.3, low: -0.1, high: 0.5, state: 'open' })).toContain('neither a clearly higher nor');
  expect(says(KINDS.agree, { estimate: 0.8, low: -0.9, high: 1, state: 'open' })).toContain('neither clearly high nor clearly low');
});

test('held says as large as claimed only where the estimate is', () => {
  const at = (estimate: number, low: number) => says(KINDS.difference, { estimate, low, high: 0.5, state: 'held' });
  expect(at(0.15, 0.05)).toContain('the size claimed (0.2 or more) is not excluded');
  expect(at(0.25, 0.05)).toContain('Clear, and as large as claimed');
  expect(at(0.3, 0.22)).toContain('all of the interval is as large');
});

test('a share of seeds and every seed name what they count', () => {
  expect(says({ ...KINDS.difference, share: { atLeast: 1 } }, numbers(KINDS.difference, 'held'))).toMatch(
    /^Share of seeds with 1 or more, score: /,
  );
  expect(says(KINDS.every, { estimate: 3, low: 3, high: 3, state: 'held', failsBelow: 0.45 })).toBe(
    'Score: the worst seed of “a” is at 3. Asked for was at least 0.1: it is so on every seed; that 45\u00a0% of seeds or more fail is excluded at 95\u00a0%.',
  );
});

test('names keep what sets arms apart, and what all have', () => {
  const one = (named: readonly string[], beside: readonly string[]) =>
    distinctName(
      named,
      beside.map((name) => [name]),
    );
  expect(one(['Pole: ternary trunk', 'Catch: ternary trunk'], ['Pole: float trunk', 'Catch: float trunk'])).toBe('ternary trunk');
  expect(one(['exact, with, room 1', 'exact, with, room 2'], ['exact, without, room 1', 'exact, without, room 2'])).toBe('exact, with');
  expect(one(['GRU, new', 'LSTM, new'], ['flat, new', 'flat, new'])).toBe('GRU, new / LSTM, new');
  expect(one(['a', 'b'], ['c', 'c'])).toBe('a / b');
});

test('every wording is said somewhere: none is left over', () => {
  const source = readFileSync('src/contract/papers/finding-words.ts', 'utf8');
  const [, code = ''] = source.split('} as const;\n');
  for (const word of Object.keys(WORDS)) expect(code, word).toContain(`'${word}'`);
});

test('every published finding is a sentence; open beside a clear interval means few seeds', () => {
  const files = readdirSync('public/results/papers');
  let said = 0;
  for (const card of judgedPapers) {
    if (!files.includes(`${card.id}.json`)) continue;
    const result = parse(paperResultSchema, readFileSync(`public/results/papers/${card.id}.json`, 'utf8'), card.id);
    for (const contrast of card.contrasts) {
      const found = result.findings.find(({ id }) => id === contrast.id);
      if (found === undefined) continue;
      said++;
      const text = written(findingSaid(contrast, found, namesOf(card), plain), plain);
      expect(text, card.id).not.toMatch(/[{}]|undefined|NaN|–/);
      if (found.state === 'open' && stateOf(contrast, found) !== 'open') expect(result.decidedOn, `${card.id} ${text}`).toBeLessThan(40);
    }
  }
  expect(said).toBeGreaterThan(100);
});
