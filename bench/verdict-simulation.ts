/**
 * How often the rule of verdicts errs and finds, on scores that are drawn: no effect, a reversed main contrast beside a true control, and true
 * effects; scores that are normal, skewed, two-humped and cut short; every kind of contrast.
 */
import type { Json } from '#contract/kit/json.ts';
import { isNegative } from '#contract/papers/labels.ts';
import { type Contrast, type Scores, seedsBeside } from '#math/contrasts.ts';
import { exp } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { type JudgeOptions, judge, type Outcome } from '#math/rule.ts';
import { normal } from '#math/sampling.ts';
import { iqm, mean, std } from '#math/stats.ts';
import { EFFECTS, NULLS } from './verdict-nulls.ts';

type Draw = (rng: Rng) => number;
/** Ends of runs. "Fails 0.3": at 0 with probability 0.3, else at 1, with a deviation of 0.05. */
const ENDS: { readonly [name: string]: Draw } = {
  normal,
  skewed: (rng) => exp(normal(rng)),
  'two humps': (rng) => (rng.uniform() < 0.5 ? -2 : 2) + 0.5 * normal(rng),
  'fails 0.1': (rng) => (rng.uniform() < 0.1 ? 0 : 1) + 0.05 * normal(rng),
  'fails 0.3': (rng) => (rng.uniform() < 0.3 ? 0 : 1) + 0.05 * normal(rng),
  'fails 0.7': (rng) => (rng.uniform() < 0.7 ? 0 : 1) + 0.05 * normal(rng),
};
const SEEDS = 40;
const NEVER = 1000;

interface Paper {
  readonly contrasts: readonly Contrast[];
  readonly scores: Scores;
  readonly options?: JudgeOptions;
}
type Make = (rng: Rng) => Paper;

/** Whether an outcome is that the claimed effect is there. */
export const isClaimed = (outcome: Outcome): boolean => outcome === 'shown' || outcome === 'smaller' || outcome === 'mixed';

const seedsOf = (rng: Rng, draw: Draw, shift = 0, count = SEEDS): readonly number[] =>
  Array.from({ length: count }, () => draw(rng) + shift);
const main = (more: object = {}): Contrast => ({ id: 'main', kind: 'difference', arm: 'a', over: 'b', claim: 'above', size: 1, ...more });

/** The seed of every line's scores: not the one (7) with which the numbers of the rule were chosen. */
export const SEED = 20_261_128;

/** Share of papers with such an outcome. */
function share(make: Make, papers: number, counts = isClaimed): number {
  const rng = Rng.from(SEED);
  let counted = 0;
  for (let k = 0; k < papers; k++) {
    const { contrasts, scores, options } = make(rng);
    if (counts(judge(contrasts, scores, options).outcome)) counted++;
  }
  return counted / papers;
}

const armsAlike =
  (names: readonly string[], draw: Draw, shifts: readonly number[] = []) =>
  (rng: Rng): Scores =>
    Object.fromEntries(names.map((name, k) => [name, seedsOf(rng, draw, shifts[k] ?? 0)]));

/** Kinds of contrasts without an effect, with these ends. */
function nullsOf(draw: Draw): { readonly [name: string]: Make } {
  const bar = iqm(seedsOf(Rng.from(99), draw, 0, 100_001));
  const cell = (k: number, of: number) => Array.from({ length: of }, (_, i) => `${k}-${i}`);
  const cells = [0, 1, 2, 3].map((k) => cell(k, 2));
  const level =
    (claim: 'above' | 'below'): Make =>
    (rng) => ({
      contrasts: [{ id: 'main', kind: 'level', arm: 'a', claim, none: bar }],
      scores: { a: seedsOf(rng, draw) },
    });
  return {
    difference: (rng) => ({ contrasts: [main()], scores: armsAlike(['a', 'b'], draw)(rng) }),
    'three contrasts': (rng) => ({
      contrasts: [main(), main({ id: 'second', over: 'c' }), main({ id: 'third', over: 'd' })],
      scores: armsAlike(['a', 'b', 'c', 'd'], draw)(rng),
    }),
    'reversed by two, control true': (rng) => ({
      contrasts: [main(), main({ id: 'learns', over: 'random', control: true })],
      scores: armsAlike(['a', 'b', 'random'], draw, [0, 2, -50])(rng),
    }),
    'level, claimed above': level('above'),
    'level, claimed below': level('below'),
    'two of four cells, one true': (rng) => ({
      contrasts: [{ id: 'main', kind: 'cells', cells, of: 2, claim: 'above', size: 1 }],
      scores: armsAlike(cells.flat(), draw, [9])(rng),
    }),
    'order, one step true': (rng) => ({
      contrasts: [{ id: 'main', kind: 'order', arms: ['a', 'b', 'c'], claim: 'above', size: 1 }],
      scores: armsAlike(['a', 'b', 'c'], draw, [9])(rng),
    }),
    slope: (rng) => ({
      contrasts: [{ id: 'main', kind: 'slope', arms: ['a', 'b', 'c'], x: [0, 1, 2], claim: 'above', size: 1 }],
      scores: armsAlike(['a', 'b', 'c'], draw)(rng),
    }),
    rank: (rng) => ({
      contrasts: [{ id: 'main', kind: 'rank', arms: ['a', 'b', 'c'], x: [0, 1, 2], claim: 'above', size: 0.6 }],
      scores: armsAlike(['a', 'b', 'c'], draw)(rng),
    }),
    'share of seeds': (rng) => ({
      contrasts: [main({ share: { atLeast: 0.5 }, size: 0.3 })],
      scores: armsAlike(['a', 'b'], draw)(rng),
    }),
    'pairs over runs': (rng) => ({
      contrasts: [{ id: 'main', kind: 'pairs', arms: ['a'], others: ['b'], claim: 'above', size: 0.5 }],
      scores: armsAlike(['a', 'b'], draw)(rng),
    }),
  };
}

/** Two quantities over worlds that correlate by `rho`, ten seeds in each with a deviation of 0.3; two looks. */
const overWorlds =
  (kind: 'agree' | 'pairs', worlds: number, rho: number): Make =>
  (rng) => {
    const scores: Record<string, readonly number[]> = {};
    const places = Array.from({ length: worlds }, (_, k) => k);
    for (const k of places) {
      const x = normal(rng);
      const y = rho * x + Math.sqrt(1 - rho * rho) * normal(rng);
      for (const [name, at] of [
        [`a${k}`, x],
        [`b${k}`, y],
      ] as const)
        scores[name] = seedsOf(rng, (r) => 0.3 * normal(r), at, 10);
    }
    const [arms, others] = [places.map((k) => `a${k}`), places.map((k) => `b${k}`)];
    return { contrasts: [{ id: 'main', kind, arms, others, claim: 'above', size: 0.6 }], scores, options: { looks: [5, 10] } };
  };

/** Steps to a level that are cut short at `budget`, in units of their median. */
const cutShort =
  (budget: number, shift: number): Make =>
  (rng) => {
    const arm = (more: number) => {
      const raw = seedsOf(rng, (r) => exp(normal(r) + more));
      return { scores: raw.map((value) => Math.min(value, budget)), upTo: raw.map((value) => (value >= budget ? NEVER * budget : null)) };
    };
    const [a, b] = [arm(shift), arm(0)];
    return {
      contrasts: [{ id: 'main', kind: 'ratio', arm: 'a', over: 'b', claim: 'below', size: 0.5 }],
      scores: { a: a.scores, b: b.scores },
      options: { upTo: { a: a.upTo, b: b.upTo } },
    };
  };

/** Logarithms of steps that are cut short: never is far behind any budget. */
const NEVER_LOG = 6;
const cutAt = (values: readonly number[], budget: number) => ({
  scores: values.map((value) => Math.min(value, budget)),
  upTo: values.map((value) => (value >= budget ? budget + NEVER_LOG : null)),
});

/**
 * Runs that never arrive, read by a correlation or a slope: logarithms of steps over three settings, of which each adds `shift`, or of two
 * quantities over eight worlds that correlate by `rho`; all cut short at `budget`, in deviations over seeds, or over worlds, from the middle.
 */
const cutShortAcross = (kind: 'slope' | 'rank' | 'agree' | 'pairs', budget: number, reversed: boolean): Make => {
  if (kind === 'agree' || kind === 'pairs') {
    const make = overWorlds(kind, 8, reversed ? -0.6 : 0);
    return (rng) => {
      const paper = make(rng);
      const cut = Object.entries(paper.scores).map(([arm, values]) => [arm, cutAt(values, budget)] as const);
      return {
        ...paper,
        scores: Object.fromEntries(cut.map(([arm, { scores }]) => [arm, scores])),
        options: { ...paper.options, upTo: Object.fromEntries(cut.map(([arm, { upTo }]) => [arm, upTo])) },
      };
    };
  }
  const arms = ['a', 'b', 'c'];
  return (rng) => {
    const cut = arms.map((arm, k) => [arm, cutAt(seedsOf(rng, normal, reversed ? k : 0), budget)] as const);
    const claim = { id: 'main', claim: 'below', arms, x: [0, 1, 2] } as const;
    return {
      contrasts: [kind === 'slope' ? { ...claim, kind, size: -1 } : { ...claim, kind, size: -0.6 }],
      scores: Object.fromEntries(cut.map(([arm, { scores }]) => [arm, scores])),
      options: { upTo: Object.fromEntries(cut.map(([arm, { upTo }]) => [arm, upTo])) },
    };
  };
};

/** Scores that are worse than a published mean by just the margin, whose few seeds come from the same ends. As many looks as it allows. */
const besidePublished =
  (draw: Draw, published: number): Make =>
  (rng) => {
    const found = seedsOf(rng, draw, 0, published);
    const theirs = { mean: mean(found), deviation: std(found, 1), seeds: published };
    return {
      contrasts: [{ id: 'main', kind: 'published', arm: 'a', theirs, claim: 'above', none: -1, middle: 'mean' }],
      scores: { a: seedsOf(rng, draw, -1, seedsBeside(theirs)) },
      options: { looks: [5, 10].filter((look) => look <= seedsBeside(theirs)) },
    };
  };

const rounded = (value: number): number => Math.round(1000 * value) / 1000;

type Note = (name: string, make: Make, times: number, counts?: typeof isClaimed) => void;
/** Papers of each line of hard ends (verdict-nulls.ts): more than of the others, because these lines lie nearest to the bar of 5 %. */
const HARD = 4;

/** What is asked where the claim is false, in parts that can be simulated apart. */
const ERRORS: { readonly [part: string]: (note: Note, papers: number) => void } = {
  hard(note, papers) {
    for (const [name, make] of Object.entries(NULLS)) note(name, make, HARD * papers);
    for (const [name, make] of Object.entries(EFFECTS)) note(`not shown though it is there: ${name}`, make, HARD * papers, isNegative);
  },
  kinds(note, papers) {
    for (const [ends, draw] of Object.entries(ENDS))
      for (const [kind, make] of Object.entries(nullsOf(draw)))
        note(`${kind}, ${ends}`, make, kind.includes('cells') ? papers / 2 : papers);
  },
  published(note, papers) {
    for (const [ends, draw] of Object.entries(ENDS))
      for (const seeds of [3, 10]) note(`published mean of ${seeds} seeds, ${ends}`, besidePublished(draw, seeds), papers);
  },
  worlds(note, papers) {
    for (const worlds of [8, 25])
      for (const kind of ['agree', 'pairs'] as const)
        for (const rho of [0, -0.6]) note(`${kind} over ${worlds} worlds, correlation ${rho}`, overWorlds(kind, worlds, rho), papers / 2);
  },
  'cut-short'(note, papers) {
    for (const budget of [1, 2, 4]) {
      note(`steps cut short at ${budget}`, cutShort(budget, 0), papers);
      note(`steps cut short at ${budget}, reversed`, cutShort(budget, 1), papers);
    }
  },
  'cut-short-across'(note, papers) {
    for (const kind of ['slope', 'rank', 'agree', 'pairs'] as const)
      for (const budget of [0.5, 1, 2])
        for (const reversed of [false, true])
          note(
            `${kind}, cut short ${budget} deviations above the middle${reversed ? ', reversed' : ''}`,
            cutShortAcross(kind, budget, reversed),
            papers / 2,
          );
  },
};
const POWER = 'power';
/** What can be simulated apart. */
export const PARTS: readonly string[] = [...Object.keys(ERRORS), POWER];

export interface Simulated {
  readonly papers: number;
  readonly errors: { readonly [name: string]: number };
  readonly worst: number;
  readonly power: { readonly [effect: string]: Json };
}

/**
 * False "shown", "smaller" or "mixed" by kind and ends, and what is found of effects of 0.5, 1 and 2 deviations with 5 to 40 seeds.
 * @param only of PARTS; none: all
 * @param before what stands where a part is left out
 */
export function simulate(
  papers: number,
  log: (line: string) => void,
  only: readonly string[] = [],
  before?: Pick<Simulated, 'errors' | 'power'>,
): Simulated {
  const isAsked = (part: string): boolean => only.length === 0 || only.includes(part);
  const errors: Record<string, number> = { ...before?.errors };
  const note: Note = (name, make, times, counts) => {
    errors[name] = rounded(share(make, times, counts));
    log(`false: ${name}: ${errors[name]}`);
  };
  for (const [part, run] of Object.entries(ERRORS)) if (isAsked(part)) run(note, papers);
  const power: Record<string, Json> = { ...before?.power };
  for (const effect of isAsked(POWER) ? [0.5, 1, 2] : []) {
    const found: Record<string, number> = {};
    for (const seeds of [5, 10, 20, 40]) {
      const looks = [5, 10, 20, 40].filter((look) => look <= seeds);
      const make: Make = (rng) => ({
        contrasts: [main({ size: effect })],
        scores: { a: seedsOf(rng, normal, effect, seeds), b: seedsOf(rng, normal, 0, seeds) },
        options: { looks },
      });
      found[seeds] = rounded(share(make, papers));
    }
    power[effect] = found;
    log(`found: ${effect} deviations: ${JSON.stringify(found)}`);
  }
  return { papers, errors, worst: Math.max(...Object.values(errors)), power };
}
