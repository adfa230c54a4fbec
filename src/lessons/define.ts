/**
 * A lesson: a prepared set-up, a few steps of text beside the scene, and what a run of each step shows. `expect` is held by a test that
 * runs every arm (lessons.test.ts), so that no lesson promises what the workbench does not do. Rules and their evidence: docs/lessons.md.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import { mean } from '#math/stats.ts';

/** What is measured of each finished seed. */
export type Measure = 'finalReturn' | 'evalReturn';

/** `each`: every seed must be in the range; a number: at least so many of them; `mean`: their mean. */
export interface Expectation {
  readonly measure: Measure;
  readonly of: 'each' | 'mean' | number;
  readonly min?: number;
  readonly max?: number;
}

/** A run that the step starts: `config` is merged over the lesson's own. */
export interface Arm {
  readonly label: string;
  readonly config: JsonObject;
  /** What the test holds it to; missing where the pupil's own settings decide. */
  readonly expect?: readonly Expectation[];
}

/** A choice's place, a number, or the heights of a sketch. */
export type Answer = number | readonly number[];

/**
 * How the runs of a step tell which option of a choice came out. `least`, `most`: options stand for the runs in order, and it is the run with the
 * least or the most.
 * Otherwise the mean over seeds of one run's measure, or with `reach` the share of its seeds that measured at least that, falls among `bounds`:
 * option i lies between bounds i - 1 and i, which rise or fall with the options.
 */
export type CameOut =
  | { readonly least: true }
  | { readonly most: true }
  | { readonly arm: number; readonly measure?: Measure; readonly reach?: number; readonly bounds: readonly number[] };

export type Prediction =
  | {
      readonly kind: 'choice';
      readonly ask: string;
      readonly options: readonly string[];
      /** Missing: no number of the step's runs answers it. */
      readonly answer?: CameOut;
    }
  | {
      readonly kind: 'number';
      readonly ask: string;
      readonly unit: string;
      readonly min: number;
      readonly max: number;
      /** Which of the step's runs answers it, by what it measured, times `times`; missing: no run does. */
      readonly answer?: { readonly arm: number; readonly times?: number };
    }
  /** A line drawn over the plot before anything runs: of a curve over steps, or of one value for each of the named settings. */
  | {
      readonly kind: 'sketch';
      readonly ask: string;
      readonly x: readonly string[];
      readonly y: string;
      readonly min: number;
      readonly max: number;
    };

/** What the run of the pupil's own settings must reach. `than`: measured is by how much the mean exceeds that of this other arm of `own`. */
export interface Check extends Expectation {
  readonly say: string;
  readonly than?: string;
}

/** A reward that the pupil writes over the world of the lesson, trained with its method in the sandbox of code of one's own. */
export interface WrittenReward {
  /** What stands in the editor at first: a file that calls defineReward. */
  readonly code: string;
  readonly steps: number;
  /** What the greedy policy of every seed must be paid by the world itself. */
  readonly goal?: { readonly say: string; readonly min: number; readonly max: number };
}

export interface Step {
  readonly title: string;
  /** Two or three short sentences. */
  readonly say: string;
  /** Paths of the controls that are shown ('algo.epsilon', 'env.map'); all others are hidden and out of the tab order. */
  readonly show: readonly string[];
  readonly overlays?: readonly ('values' | 'policy' | 'visits')[];
  /** The stage shows sixteen answers of the learned policy to one prompt in place of an episode, for worlds of tokens. */
  readonly group?: true;
  /** The panel of explanations stands beside the scene; without it a lesson shows the scene and its curve. */
  readonly why?: true;
  /** What the levers of a bandit pay stays hidden; 'predicted': until a run of the step began, from when what was predicted stays. */
  readonly hidePayouts?: true | 'predicted';
  /** A picture of a world above the text. */
  readonly picture?: { readonly env: string; readonly preset: string };
  /** What its runs are judged by; missing: what its check or its first expectation says. */
  readonly measure?: Measure;
  /** Played by hand first: no run is needed. */
  readonly play?: true;
  /** A view of its own below the text: its folder in src/ui/lessons/views. */
  readonly view?: string;
  /** What the view `reward` begins with. */
  readonly reward?: WrittenReward;
  readonly predict?: Prediction;
  /** Runs that the step shows, started together, as they are. */
  readonly arms?: readonly Arm[];
  /** The runs of the last step that has some stand here too, to be shown one after the other. */
  readonly again?: true;
  /** Runs of the pupil's own: the values of the shown controls go over each of them. The first one is judged by `check`. */
  readonly own?: readonly Arm[];
  /** Asked where prediction and outcome differ. */
  readonly surprise?: string;
  readonly check?: Check;
}

export interface Lesson {
  readonly id: string;
  /** Raised when what it runs changes: result codes name it. */
  readonly version: number;
  readonly title: string;
  /** What is understood at the end, in a sentence. */
  readonly goal: string;
  /** The misconception it works on. */
  readonly belief: string;
  readonly minutes: readonly [number, number];
  readonly age: string;
  /** The set-up of every step, as far as it differs from the defaults. */
  readonly config: { readonly env: JsonObject; readonly algo: JsonObject; readonly run: JsonObject };
  readonly steps: readonly Step[];
  /** The curves beside the return show too: the lesson is about them. */
  readonly curves?: 'all';
  /** One way through the lesson with a class, in order, with minutes. */
  readonly plan?: readonly string[];
  /** What a teacher should know before. */
  readonly teacher: readonly string[];
  readonly extend: string;
}

export function defineLesson(lesson: Lesson): Lesson {
  return lesson;
}

/** Measures of the seeds of one run; null: not measured. */
export type Outcome = readonly { readonly [M in Measure]: number | null }[];

/** Whether the seeds of a run are as expected, and the number that decided it; null where a seed has no measure yet. */
export function meets(
  expected: Expectation,
  run: Outcome,
  rival: Outcome | null = null,
): { readonly met: boolean; readonly value: number } | null {
  const values = measured(run, expected.measure);
  const against = rival === null ? [] : measured(rival, expected.measure);
  if (values === null || against === null || values.length === 0) return null;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, of } = expected;
  const inside = (value: number): boolean => value >= min && value <= max;
  if (rival !== null || of === 'mean') {
    const value = mean(values) - (rival === null ? 0 : mean(against));
    return { met: inside(value), value };
  }
  const wanted = of === 'each' ? values.length : of;
  // The seed that decides: the worst of those that count, from the side that is bounded.
  const sorted = values.toSorted((a, b) => (expected.min === undefined ? a - b : b - a));
  const value = sorted[Math.min(wanted, sorted.length) - 1]!;
  return { met: values.filter(inside).length >= wanted, value };
}

/** Which option of a choice came out, from 0; null: not all runs have finished, or none answers it. */
export function optionOf(ask: Prediction, runs: readonly (Outcome | null)[], stepMeasure: Measure): number | null {
  if (ask.kind !== 'choice' || ask.answer === undefined || runs.length === 0) return null;
  const { answer } = ask;
  const all = runs.map((run) => (run === null ? null : measured(run, ('measure' in answer ? answer.measure : undefined) ?? stepMeasure)));
  if ('least' in answer || 'most' in answer) {
    const means = all.map((values) => (values === null || values.length === 0 ? null : mean(values)));
    const known = means.filter((value) => value !== null);
    return known.length < means.length ? null : means.indexOf('least' in answer ? Math.min(...known) : Math.max(...known));
  }
  const { arm, reach, bounds } = answer;
  const values = all[arm] ?? null;
  if (values === null || values.length === 0) return null;
  const value = reach === undefined ? mean(values) : values.filter((one) => one >= reach).length / values.length;
  const [first = 0, last = first] = [bounds[0], bounds.at(-1)];
  const place = bounds.findIndex((bound) => (first <= last ? value < bound : value >= bound));
  return place < 0 ? bounds.length : place;
}

function measured(run: Outcome, measure: Measure): readonly number[] | null {
  const values = run.map((seed) => seed[measure]);
  return values.some((value) => value === null || !Number.isFinite(value)) ? null : (values as readonly number[]);
}
