/**
 * Methods over a table that learn one step at a time: all but what happens in a step. Step sizes and epsilon may decay over episodes.
 */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { registerState, type StateLayout } from '#core/state/checkpoint.ts';
import type { Rng } from '#math/rng.ts';
import type { VectorEnv } from '../../../envs/api/vector-env.ts';
import { defineAlgo } from '../../api/define.ts';
import * as fields from '../../api/fields.ts';
import { episodeMetrics, episodeRow } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { AlgoEntry, AlgoSpec, Run } from '../../api/types.ts';
import { createTable, saveTable, stepsPerRow, type Table, tableHash, tablePolicy, tablePolicyFrom } from '../../lib/table.ts';
import { decayed, decayOf } from './decay.ts';

const source = 'Sutton and Barto 2018, example 6.6';

const alpha = fields.lr(0.5, source, {
  title: 'step size (alpha)',
  description: 'Share of the TD error that is added to the value.',
  log: false,
  slider: [0.01, 1],
  group: 'learning',
});

const shared = {
  gamma: fields.gamma(1, source, { slider: [0.5, 1], group: 'learning' }),
  epsilon: fields.epsilonStart(0.1, source, { depth: 'teach' }),
  maxEpisodes: fields.integer(0, {
    min: 0,
    max: 1e8,
    title: 'stop after',
    unit: 'episodes',
    description: 'Ends the run after this many episodes; 0: only the number of steps counts.',
    group: 'length',
  }),
  initialValue: fields.real(0, {
    min: -1e6,
    max: 1e6,
    title: 'initial value',
    description: 'Optimistic values make the agent try everything once.',
    depth: 'lab',
    group: 'learning',
  }),
};
type Config = { readonly [K in keyof typeof shared]: z.infer<(typeof shared)[K]> } & {
  /** Missing where the method says its step size itself. */
  readonly alpha?: number;
  readonly decay: z.infer<ReturnType<typeof decayOf>>;
};

/** Of methods that name none of their own. */
export const tabularPresets: readonly Preset[] = [
  {
    id: 'cliff-walking',
    title: 'Cliff walking (Sutton and Barto, example 6.6)',
    config: { alpha: 0.5, gamma: 1, epsilon: 0.1, maxEpisodes: 500 },
  },
  {
    id: 'frozen-lake',
    title: 'Slippery frozen lake, 10,000 episodes',
    config: { alpha: 0.1, gamma: 0.99, epsilon: 1, decay: { kind: 'linear', epsilonFinal: 0.05, episodes: 5000 }, maxEpisodes: 10_000 },
  },
];

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'tdError', title: 'TD error', description: 'Mean absolute TD error since the last row.' },
  { id: 'epsilon', title: 'epsilon', description: 'Share of uniformly random actions now.' },
  { id: 'alpha', title: 'step size', description: 'Step size now.' },
];

/** One environment and a table; step size and epsilon as they are now. */
export interface TabularRun<More = object> {
  readonly c: Config & More;
  readonly run: Run<Config & More>;
  readonly env: VectorEnv;
  readonly table: Table;
  readonly rng: Rng;
  alpha(): number;
  epsilon(): number;
}

/** What methods differ in. */
export interface TabularLearner {
  /** State that is saved besides the table. */
  readonly state?: StateLayout;
  /** After the reset that begins a run. */
  start?(): void;
  /** One step of the environment, and what is learned from it; answers the TD error. */
  step(): number;
  /** Its own metrics, at every row. */
  report?(): { readonly [metric: string]: number };
}

type Own<More> = Pick<AlgoSpec<Config>, 'id' | 'version' | 'changes' | 'title' | 'summary' | 'source'> &
  Partial<Pick<AlgoSpec<Config>, 'trial' | 'probes' | 'probeConfig' | 'presets' | 'needsModel' | 'metrics'>> & {
    /** Settings of its own, beside the shared ones. */
    readonly fields?: { readonly [K in keyof More]: z.ZodType<More[K]> };
    /** Its step size before any decay, in place of the setting `alpha`; NaN: it has none. */
    readonly stepSize?: (c: More) => number;
  };

export function tabularMethod<More extends object = object>(
  { fields: more, metrics: ownMetrics = [], stepSize, ...own }: Own<More>,
  makeLearner: (run: TabularRun<More>) => TabularLearner,
): AlgoEntry {
  const config: z.ZodType<Config & More> = withShared<More>(more, stepSize === undefined);
  return defineAlgo<Config & More>({
    spec: {
      config,
      presets: tabularPresets,
      action: 'discrete',
      learner: 'table',
      agents: 'one',
      trial: { env: 'cliff-walking', steps: 4000 },
      probes: [
        { on: ['cuedTable'], steps: 2000 },
        { on: ['delayed'], steps: 4000 },
      ],
      probeConfig: { alpha: 0.2, gamma: 0.9, epsilon: 0.2 },
      metrics: [...metrics, ...ownMetrics],
      ...own,
    },

    async *train(run, resume) {
      const c = run.config;
      const env = run.makeEnv(1);
      const { episodes } = env;
      const rng = run.rng.split('exploration');
      const table = createTable(run.meta, c.initialValue);
      const epsilon = (): number => decayed(c.epsilon, c.decay, 'epsilonFinal', episodes.finished);
      const alpha = (): number => decayed(stepSize?.(c) ?? c.alpha ?? Number.NaN, c.decay, 'alphaFinal', episodes.finished);
      const learner = makeLearner({ c, run, env, table, rng, alpha, epsilon });
      const layout = { counters: { step: 0 }, parts: { env }, arrays: { q: table.q, rng } };
      const state = registerState(layout, learner.state ?? {});
      const { counters } = state;
      const point = safePoint({
        state,
        engine: { hash: () => tableHash(table) },
        snapshot: () => saveTable(table, epsilon()),
        policy: () => tablePolicy(table, epsilon),
      });
      if (resume === undefined) {
        env.reset();
        learner.start?.();
      } else state.load(resume);

      const every = stepsPerRow(run.steps);
      const goesOn = (): boolean => counters.step < run.steps && (c.maxEpisodes === 0 || episodes.finished < c.maxEpisodes);
      while (goesOn()) {
        let tdError = 0;
        let count = 0;
        for (; count < every && goesOn(); count++, counters.step++) tdError += Math.abs(learner.step());
        const metrics = { ...episodeRow(env), tdError: tdError / count, epsilon: epsilon(), alpha: alpha(), ...learner.report?.() };
        yield { step: counters.step, metrics, ...point };
      }
    },

    policy: async (_, saved) => tablePolicyFrom(saved),
  });
}

/** One strict object of both: zod cannot say the sum of a fixed shape and a generic one. */
function withShared<More>(more: Own<More>['fields'], constant: boolean): z.ZodType<Config & More> {
  const own = more as { readonly [name: string]: z.ZodType } | undefined;
  const all: z.ZodType<unknown> = z.strictObject({ ...(constant && { alpha }), ...shared, decay: decayOf(constant), ...own });
  return all as z.ZodType<Config & More>;
}
