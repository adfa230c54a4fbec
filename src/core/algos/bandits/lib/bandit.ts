/**
 * What all bandit methods share: pull an arm, learn from what it paid, and keep count of what the best arm would have paid more. Methods say which
 * arm to pull and what to learn (Sutton and Barto 2018, chapter 2; Lattimore and Szepesvari 2020).
 */
import type { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { registerState, type StateLayout } from '#core/state/checkpoint.ts';
import { hashBytes } from '#math/hash.ts';
import type { Rng } from '#math/rng.ts';
import type { EnvMeta } from '../../../envs/api/types.ts';
import { defineAlgo } from '../../api/define.ts';
import { episodeMetrics, episodeRow } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { AlgoEntry, AlgoSpec, Policy } from '../../api/types.ts';
import { saveTable, stepsPerRow, type Table, tablePolicy, tablePolicyFrom } from '../../lib/table.ts';

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'regret', title: 'regret', description: 'What the best arm would have paid more, on average, added up over all pulls so far.' },
  {
    id: 'regretPerPull',
    title: 'regret per pull',
    description: 'The same for one pull, mean since the last row; 0: the best arm every time.',
  },
];

export interface BanditRun<C> {
  readonly c: C;
  readonly meta: EnvMeta;
  readonly rng: Rng;
}

export interface BanditLearner {
  /** What the method has learned: part of every checkpoint. */
  readonly state: StateLayout;
  /** Numbers that tell one learner from another. */
  readonly learned: Float64Array;
  /** `obs` [O] is what is shown before the pull. */
  choose(obs: Float32Array): number;
  learn(arm: number, reward: number, obs: Float32Array): void;
  snapshot(): Saved;
  policy(): Policy;
}

export type Own<C> = Pick<AlgoSpec<C>, 'id' | 'version' | 'title' | 'summary' | 'source' | 'presets'> &
  Partial<Pick<AlgoSpec<C>, 'probes' | 'trial' | 'learner'>> & {
    readonly config: z.ZodType<C>;
    /** It reads what is shown before a pull; others need a bandit that shows nothing. */
    readonly contextual?: boolean;
  };

export function banditMethod<C extends object>(
  { contextual = false, ...own }: Own<C>,
  makeLearner: (run: BanditRun<C>) => BanditLearner,
  policyFrom: (saved: Saved) => Policy = tablePolicyFrom,
): AlgoEntry {
  return defineAlgo<C>({
    spec: {
      action: 'discrete',
      learner: 'table',
      agents: 'one',
      metrics,
      trial: { env: 'noisy-bandit', steps: 2000 },
      probes: [],
      ...own,
    },

    fits(meta) {
      if (contextual || (meta.agents[0]?.obs.kind === 'discrete' && meta.obsSize === 1)) return;
      throw fail(
        'incompatible',
        `${own.title} learns which arm is best where nothing is shown; here what is best depends on what is seen.`,
        contextual ? 'Choose another environment.' : 'Choose LinUCB for a contextual bandit, Q-learning or PPO elsewhere.',
        'algo.id',
      );
    },

    async *train(run, resume) {
      const env = run.makeEnv(1);
      const { buffers } = env;
      const learner = makeLearner({ c: run.config, meta: run.meta, rng: run.rng.split('exploration') });
      const state = registerState({ counters: { step: 0, regret: 0 }, parts: { env } }, learner.state);
      const { counters } = state;
      const point = safePoint({
        state,
        engine: { hash: () => hashBytes(learner.learned) },
        snapshot: () => learner.snapshot(),
        policy: () => learner.policy(),
      });
      // Without noise the best mean is known, and what was paid is the mean of the arm.
      const best = run.meta.references.find(({ name }) => name === 'optimal')?.value ?? Number.NaN;
      const told = run.meta.costs.indexOf('regret');
      const single = run.meta.evalMaxSteps === 1;
      if (resume === undefined) env.reset();
      else state.load(resume);
      const action = new Int32Array(1);
      const obs = new Float32Array(run.meta.obsSize);
      const every = stepsPerRow(run.steps);
      while (counters.step < run.steps) {
        const before = counters.regret;
        let count = 0;
        for (; count < every && counters.step < run.steps; count++, counters.step++) {
          obs.set(buffers.obs);
          action[0] = learner.choose(obs);
          env.step(action);
          const reward = buffers.reward[0]!;
          learner.learn(action[0]!, reward, obs);
          counters.regret += told >= 0 ? (buffers.cost?.[told] ?? 0) : single ? best - reward : 0;
        }
        const known = told >= 0 || (single && Number.isFinite(best));
        const regret = known ? counters.regret : Number.NaN;
        const { step } = counters;
        yield { step, metrics: { ...episodeRow(env), regret, regretPerPull: (regret - before) / count }, ...point };
      }
    },

    policy: async (_, saved) => policyFrom(saved),
  });
}

/** Mean reward of every arm and how often it was pulled. */
export interface Estimates {
  readonly table: Table;
  readonly counts: Float64Array; // [N]
  readonly layout: StateLayout;
}

export function estimates({ actionCount }: EnvMeta, initial = 0): Estimates {
  const table: Table = { states: 1, actions: actionCount, q: new Float64Array(actionCount).fill(initial) };
  const counts = new Float64Array(actionCount);
  return { table, counts, layout: { arrays: { q: table.q, counts } } };
}

/** Counts the pull and moves the arm's mean towards what it paid: by 1 / n, so that it stays the mean of all, or by a constant share. */
export function estimate({ table, counts }: Estimates, arm: number, reward: number, alpha: number | null = null): void {
  counts[arm]!++;
  table.q[arm]! += (alpha ?? 1 / counts[arm]!) * (reward - table.q[arm]!);
}

/** Acts and is saved by the means: greedily, or with this share of random pulls. */
export const byMeans = ({ table }: Estimates, epsilon: () => number) => ({
  learned: table.q,
  snapshot: () => saveTable(table, epsilon()),
  policy: () => tablePolicy(table, epsilon),
});
