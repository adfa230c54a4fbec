/** The task of a step can be failed and can be done: the untouched set-up misses its check, a pupil's change meets it, every control acts. */
import { describe, expect, test } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { type JsonObject, mergeJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { writePath } from '#contract/run/paths.ts';
import { getAlgo } from '#core/algos/all.ts';
import { getEnv } from '#core/envs/all.ts';
import { completeRun } from '#core/run/loaded.ts';
import { trainSeeds } from '#core/testing/seeds.ts';
import { CORRIDOR } from './cliff.ts';
import { type Lesson, meets, type Step } from './define.ts';
import { lessons } from './index.ts';

interface Pupil {
  /** What is set to meet the check; put over every run of the pupil's own. */
  readonly set: JsonObject;
  /** Another value of each control that shows, tried beside `set`. */
  readonly other: { readonly [path: string]: RunConfig['algo']['config'][string] };
}

const PUPILS: { readonly [task: string]: Pupil } = {
  'bandit: Your own settings': {
    set: { algo: { config: { epsilon: 1, decay: { kind: 'linear', epsilonFinal: 0, episodes: 500 }, alpha: 0.5 } } },
    other: { 'algo.epsilon': 0.5, 'algo.decay.epsilonFinal': 0.4, 'algo.decay.episodes': 200, 'algo.alpha': 0.2, 'algo.initialValue': 2 },
  },
  'cliff: Draw a map': { set: { env: { config: { map: CORRIDOR } } }, other: { 'env.map': ['SG'] } },
  'cartpole: The doctor': {
    set: { algo: { config: { lr: 0.0025 } } },
    other: { 'algo.lr': 0.001, 'algo.gamma': 0.5, 'algo.entropyCoef': 0.5, 'algo.clip': 0.01 },
  },
  'cartpole: Only 20,000 steps': {
    set: { algo: { config: { lr: 0.0025 } } },
    other: { 'algo.lr': 0.001, 'algo.gamma': 0.5, 'algo.entropyCoef': 0.5, 'algo.clip': 0.01, 'algo.epochs': 1 },
  },
  'dilemma: A table of your own': {
    set: { env: { config: { payoffs: [-1, -6, 1, -2] } } },
    other: { 'env.game': 'stag-hunt', 'env.payoffs': [-1, -3, 0, -2], 'env.rowPayoffs': [[1], [0]], 'env.columnPayoffs': [[1], [0]] },
  },
  'copy-me: Copy the luckiest': { set: { algo: { config: { share: 0.1 } } }, other: { 'algo.share': 0.5 } },
  'faults: First patient': {
    set: { algo: { config: { lr: 0.001 } } },
    other: { 'algo.lr': 0.01, 'algo.targetEvery': 50, 'algo.epsilonEnd': 0.5 },
  },
  'faults: Second patient': {
    set: { algo: { config: { gamma: 0.99 } } },
    other: { 'algo.lr': 0.01, 'algo.targetEvery': 50, 'algo.gamma': 0.5 },
  },
  'forgets: Let it remember': {
    set: { algo: { config: { bufferSize: 32_000 } } },
    other: {
      'algo.forgetting': { kind: 'rehearsal', capacity: 250, share: 0.5, cloning: 0 },
      'algo.bufferSize': 1000,
      'algo.lr': 3e-4,
      'algo.hidden': [8],
    },
  },
  'limits: What is it worth?': {
    set: { algo: { config: { lagrangian: { kind: 'ascent', limit: 60, rate: 0.02, start: 0, gamma: 0.95 } } } },
    other: { 'algo.lagrangian.limit': 1 },
  },
  'prefer: How few are enough?': {
    set: { algo: { config: { answers: 700, raterErrors: 0 } } },
    other: { 'algo.answers': 100, 'algo.raterErrors': 0.4 },
  },
  'reward: Mend it': {
    set: { algo: { config: { klCoef: 0.1 } } },
    other: { 'algo.reference': 1, 'env.partialReward': 0.5, 'algo.cloning': 20, 'algo.lr': 0.01 },
  },
  'group: Make it begin': {
    set: { algo: { config: { cloning: { kind: 'on', steps: 46, lr: 3e-3 } } } },
    other: { 'algo.group': 8, 'algo.entropyCoef': 0.05, 'env.partialReward': 0.5, 'algo.cloning': 20 },
  },
  'unseen: Or show it more': {
    set: { algo: { config: { dataset: 'mixed', recordSteps: 10_000 } } },
    other: { 'algo.dataset': 'random', 'algo.recordSteps': 500 },
  },
};
/** Minutes of training: @night. */
const LONG = ['faults', 'forgets', 'group', 'limits', 'prefer', 'reward', 'unseen'];
/** Steps after which two settings are compared by what they learned: enough that each of them has acted; tokens are cloned first, and a limit acts when an episode has ended. */
const short = ({ id }: Lesson): number => (id === 'reward' || id === 'group' ? 60_000 : id === 'limits' ? 40_000 : 3000);

const tasks = lessons.flatMap((lesson) =>
  lesson.steps.flatMap((step) => {
    const name = `${lesson.id}: ${step.title}`;
    return step.check === undefined ? [] : [{ name, title: `${LONG.includes(lesson.id) ? '@night ' : ''}${name}`, lesson, step }];
  }),
);
const completed = (lesson: Lesson, change: JsonObject): RunConfig => completeRun(mergeJson({ v: 1, ...lesson.config }, change));

/** The check of a step over its own runs with this change. */
async function outcome(lesson: Lesson, { own = [], check }: Step, change: JsonObject): Promise<ReturnType<typeof meets>> {
  if (check === undefined) return null;
  const runs = await Promise.all(own.map(({ config }) => trainSeeds(completed(lesson, mergeJson(config, change)))));
  const rival = check.than === undefined ? null : (runs[own.findIndex(({ label }) => label === check.than)] ?? null);
  return meets(check, runs[0] ?? [], rival);
}

test('every task has a pupil', () => {
  expect(Object.keys(PUPILS).sort()).toEqual(tasks.map(({ name }) => name).sort());
});

describe.each(tasks)('$title', ({ name, lesson, step }) => {
  const { set, other } = PUPILS[name]!;
  test('the untouched set-up misses the check', { timeout: 600_000 }, async () => {
    expect(await outcome(lesson, step, {})).toMatchObject({ met: false });
  });
  test('a pupil meets it', { timeout: 600_000 }, async () => {
    expect(await outcome(lesson, step, set)).toMatchObject({ met: true });
  });
  test('each of its controls changes what is learned @night', { timeout: 600_000 }, async () => {
    expect(Object.keys(other).sort()).toEqual([...step.show].sort());
    const [arm] = step.own ?? [];
    const untouched = mergeJson(arm?.config ?? {}, { run: { steps: short(lesson), evalEpisodes: 1 } });
    // A table of one's own hides which game it was, so a control may also act on the untouched set-up.
    const starts = [mergeJson(untouched, set), untouched].map((change) => completed(lesson, change));
    const learned = async (config: RunConfig) => (await trainSeeds(config, 1)).map(({ parameterHash }) => parameterHash);
    const before = await Promise.all(starts.map(learned));
    for (const [path, value] of Object.entries(other)) {
      const after = await Promise.all(starts.map((start) => learned(completeRun(writePath(start, path, value)))));
      expect(after, path).not.toEqual(before);
    }
  });
});

const steps = lessons.flatMap((lesson) => lesson.steps.map((step) => ({ name: `${lesson.id}: ${step.title}`, lesson, step })));
test.each(steps)('$name: the form shows its controls', ({ lesson, step }) => {
  for (const { config } of [{ config: {} }, ...(step.own ?? [])]) {
    const { env, algo } = completed(lesson, config);
    const fields = { env: getEnv(env.id).schema.properties, algo: getAlgo(algo.id).schema.properties };
    const fieldOf = (path: string): FieldSchema | undefined => {
      const [room, key] = path.split('.') as ['env' | 'algo', string];
      return fields[room]?.[key];
    };
    // What the table of a game writes has no control of its own.
    const written = step.show.flatMap((path) => {
      const { symmetric, row, column } = fieldOf(path)?.payoffs ?? {};
      return [symmetric, row, column].flatMap((key) => (key === undefined ? [] : [`env.${key}`]));
    });
    for (const path of step.show)
      if (path !== 'env.seats') expect(fieldOf(path)?.editor === 'hidden' && !written.includes(path), path).toBe(false);
  }
});
