/**
 * Tests of kept policies against a yardstick (contract/catalog/strength.ts), of every run that was tested on this visit: outside the curves, which are
 * the rows of a run and go into files, results and comparisons. Views redraw when `strengthStore.version` ticks.
 */
import { createStore } from 'zustand/vanilla';
import type { Strength } from '#contract/catalog/catalog.ts';
import { type Tested, testedBy } from '#math/tested.ts';

/** Tests of a seed's policies, by the step at which they were kept. */
export interface TestedSeries {
  readonly steps: Float64Array;
  readonly values: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly errors: Float64Array;
  /** Played at each step. */
  readonly episodes: Float64Array;
}

export const strengthStore = createStore<{ readonly version: number }>(() => ({ version: 0 }));

function changed(): void {
  strengthStore.setState(({ version }) => ({ version: version + 1 }));
}

interface Tests {
  readonly kind: Strength;
  /** Of random actions in the same world. */
  random: Tested | null;
  /** Scores by seed and step. */
  readonly seeds: Map<number, Map<number, readonly number[]>>;
  /** Why no further tests are made; null: they are. */
  problem: string | null;
}

const runs = new Map<string, Tests>();
const drawn = new Map<string, TestedSeries>();

const shares = (kind: Strength): boolean => kind === 'share of wins against random';

function testsOf(runId: string, kind: Strength): Tests {
  const known = runs.get(runId);
  if (known !== undefined && known.kind === kind) return known;
  const random = shares(kind) ? { value: 0.5, low: 0.5, high: 0.5, error: 0, episodes: 0 } : null; // even, by symmetry
  const fresh: Tests = { kind, random, seeds: new Map(), problem: null };
  runs.set(runId, fresh);
  return fresh;
}

export const strengths = {
  /** What is measured of this run; null: nothing was yet. */
  kind: (runId: string): Strength | null => runs.get(runId)?.kind ?? null,

  /** What random actions give in its world; null: not measured. */
  random: (runId: string): Tested | null => runs.get(runId)?.random ?? null,

  problem: (runId: string): string | null => runs.get(runId)?.problem ?? null,

  /** How many episodes each policy of a seed was tested by, by its step. */
  tested(runId: string, seed: number): ReadonlyMap<number, number> {
    const seeds = runs.get(runId)?.seeds.get(seed);
    return new Map([...(seeds ?? [])].map(([step, scores]) => [step, scores.length]));
  },

  /** The policy of every seed was tested as it is now: lines and words may speak of an end. */
  reached: (runId: string, seeds: readonly { readonly seed: number; readonly step: number }[]): boolean =>
    seeds.every(({ seed, step }) => (strengths.series(runId, seed)?.steps.at(-1) ?? -1) >= step),

  /** null: nothing was tested. */
  series(runId: string, seed: number): TestedSeries | null {
    const key = `${runId}/${seed}`;
    const known = drawn.get(key);
    if (known !== undefined) return known;
    const tests = runs.get(runId);
    const steps = tests?.seeds.get(seed);
    if (tests === undefined || steps === undefined || steps.size === 0) return null;
    const points = [...steps].toSorted(([a], [b]) => a - b).map(([step, scores]) => ({ step, ...testedBy(scores, shares(tests.kind)) }));
    const of = (name: keyof Tested): Float64Array => Float64Array.from(points, (point) => point[name]);
    const series: TestedSeries = {
      steps: Float64Array.from(points, ({ step }) => step),
      values: of('value'),
      low: of('low'),
      high: of('high'),
      errors: of('error'),
      episodes: of('episodes'),
    };
    drawn.set(key, series);
    return series;
  },

  /** Further episodes of the policy that a seed had at this step. */
  add(runId: string, seed: number, step: number, kind: Strength, scores: Float64Array): void {
    const { seeds } = testsOf(runId, kind);
    const steps = seeds.get(seed) ?? new Map<number, readonly number[]>();
    seeds.set(seed, steps.set(step, [...(steps.get(step) ?? []), ...scores]));
    drawn.delete(`${runId}/${seed}`);
    changed();
  },

  setRandom(runId: string, kind: Strength, scores: Float64Array): void {
    testsOf(runId, kind).random = testedBy(scores, shares(kind));
    changed();
  },

  failed(runId: string, kind: Strength, problem: string): void {
    testsOf(runId, kind).problem = problem;
    changed();
  },

  /** Forgets tests of policies that were made after this step. */
  cut(runId: string, seed: number, afterStep: number): void {
    const steps = runs.get(runId)?.seeds.get(seed);
    for (const step of [...(steps?.keys() ?? [])]) if (step > afterStep) steps?.delete(step);
    drawn.delete(`${runId}/${seed}`);
    changed();
  },

  drop(runId: string): void {
    runs.delete(runId);
    for (const key of [...drawn.keys()]) if (key.startsWith(`${runId}/`)) drawn.delete(key);
    changed();
  },
};
