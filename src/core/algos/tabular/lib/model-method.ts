/**
 * Methods that learn a model of the world and plan on it: all but how they estimate, plan and choose. Where the world says what every action loses
 * (the cost "regret" of random-mdp), they report what they lost so far and how fast that grows.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { registerState, type StateLayout } from '#core/state/checkpoint.ts';
import { log } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { randomAction } from '#math/sampling.ts';
import type { EnvMeta } from '../../../envs/api/types.ts';
import { startValue } from '../../../envs/lib/tabular/values.ts';
import { defineAlgo } from '../../api/define.ts';
import * as fields from '../../api/fields.ts';
import { episodeMetrics, episodeRow } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { AlgoEntry, AlgoSpec, Run } from '../../api/types.ts';
import {
  createTable,
  greedyAction,
  type Outcome,
  outcomeOf,
  saveTable,
  stateOf,
  stepsPerRow,
  type Table,
  tableHash,
  tablePolicy,
  tablePolicyFrom,
} from '../../lib/table.ts';
import { evaluatePolicy } from './evaluation.ts';
import { LearnedModel } from './learned-model.ts';

const REPLAN = ['episode', 'doubling', 'step', 'once'] as const;
type Replan = (typeof REPLAN)[number];

/** Settings of all of them. */
export const modelFields = {
  gamma: fields.gamma(0.99, 'own choice', {
    max: 0.9999,
    live: false,
    slider: [0.5, 0.999],
    description: 'Weight of a reward one step later, when planning; near 1 where episodes end by chance.',
  }),
  replan: z.enum(REPLAN).default('episode').meta({
    title: 'plan anew',
    description:
      'When: at every episode, when some action was tried twice as often as at the last plan, at every step, or once, after the warm-up.',
    source: 'Osband et al. 2013; Ouyang et al. 2017',
    group: 'planning',
  }),
  warmUp: fields.integer(0, {
    min: 0,
    max: 1e8,
    title: 'warm-up',
    unit: 'steps',
    description: 'Random steps before the first plan; the model learns from them.',
    source: 'own choice',
    group: 'exploration',
  }),
};
interface ModelConfig {
  readonly gamma: number;
  /** Missing: the learner says when it plans (`due`). */
  readonly replan?: Replan;
  readonly warmUp?: number;
}

const modelMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  {
    id: 'regret',
    title: 'regret',
    description: 'What the best actions would have earned more, on average, added up over all steps so far, by the exact values.',
  },
  {
    id: 'regretGrowth',
    title: 'growth of the regret',
    description: 'Power of the number of steps by which regret grew since a quarter of them: 1 is in a line, 0.5 as the square root.',
  },
  {
    id: 'optimalityGap',
    title: 'gap to the optimum',
    description: 'What the best policy would earn more in an episode than that of now, exactly.',
  },
  { id: 'known', title: 'tried pairs', description: 'Pairs of state and action that were tried.' },
  { id: 'plans', title: 'plans', description: 'How often it planned.' },
  { id: 'sweeps', title: 'sweeps', description: 'Passes over all states when it last planned.' },
  {
    id: 'aboveBound',
    title: 'reward above its bound',
    description: 'Largest mean reward of a pair, where it is more than the method takes a reward to be at most.',
  },
];

interface ModelRun<C> {
  readonly c: C;
  readonly run: Run<C>;
  readonly meta: EnvMeta;
  readonly table: Table;
  readonly model: LearnedModel;
  readonly rng: Rng;
}

/** What methods differ in. */
interface ModelLearner {
  /** The most that a step is taken to pay; missing: anything. */
  readonly most?: number;
  /** State that is saved besides table and model. */
  readonly state?: StateLayout;
  /** Before the first step of a run that begins. */
  start?(): void;
  /** Writes the table from the estimates of the model now; answers the number of sweeps. */
  plan(step: number): number;
  /** Whether it plans before the next step, where its settings have no rule for that. `time`: steps done in this episode. */
  due?(time: number): boolean;
  /** By default the best action of the table, and random ones before the first plan. */
  choose?(state: number, time: number, mask: Uint8Array | undefined): number;
  /** The chances of the actions it draws from, [N] to out[at ..], where it does not take the best one of the table. */
  chances?(state: number, out: Float64Array, at: number): void;
  /** After every step. */
  learned?(pair: number, reward: number, outcome: Outcome): void;
}

type Own<C> = Pick<AlgoSpec<C>, 'id' | 'version' | 'changes' | 'title' | 'summary' | 'source' | 'config' | 'presets'> &
  Partial<Pick<AlgoSpec<C>, 'trial' | 'probes' | 'probeConfig' | 'needsModel'>>;

/** More rows than a run has (stepsPerRow). */
const ROWS = 2002;

/** Regret of a run at its rows, for how fast it grows. */
class RegretRecord {
  readonly rows = new Float64Array(2 * ROWS); // [rows, 2] step, regret
  readonly counters = { regret: 0, rows: 0 };

  /** Notes a row; the power of growth since a quarter of these steps, NaN before there is any regret. */
  note(step: number): number {
    const { rows, counters } = this;
    if (counters.rows === ROWS) return Number.NaN; // a run that was made longer
    const at = counters.rows++;
    rows[2 * at] = step;
    rows[2 * at + 1] = counters.regret;
    let then = 0;
    while (then < at && rows[2 * then]! < step / 4) then++;
    const [early, late] = [rows[2 * then + 1]!, counters.regret];
    return then < at && early > 0 ? log(late / early) / log(step / rows[2 * then]!) : Number.NaN;
  }
}

export function modelMethod<C extends ModelConfig>(own: Own<C>, makeLearner: (run: ModelRun<C>) => ModelLearner): AlgoEntry {
  return defineAlgo<C>({
    spec: {
      action: 'discrete',
      learner: 'table',
      agents: 'one',
      trial: { env: 'random-mdp', steps: 1000 },
      probes: [
        { on: ['cuedTable'], steps: 2000 },
        { on: ['delayed'], steps: 4000 },
      ],
      metrics: modelMetrics,
      ...own,
    },

    async *train(run, resume) {
      const c = run.config;
      const env = run.makeEnv(1);
      const { buffers } = env;
      const table = createTable(run.meta);
      const model = new LearnedModel(run.meta);
      const rng = run.rng.split('exploration');
      const learner = makeLearner({ c, run, meta: run.meta, table, model, rng });
      const told = run.meta.costs.indexOf('regret');
      const gap = gapMeter(run, table, learner);
      const every = stepsPerRow(run.steps);
      const record = new RegretRecord();
      const counters = { step: 0, time: 0, plans: 0, sweeps: 0, due: 1 };
      const layout = { counters, parts: { env }, arrays: { q: table.q, rng } };
      const recorded = { counters: record.counters, arrays: { regretRows: record.rows } };
      const state = registerState(layout, model.layout, recorded, learner.state ?? {});
      const point = safePoint({
        state,
        engine: { hash: () => tableHash(table) },
        snapshot: () => saveTable(table, 0),
        policy: () => tablePolicy(table, () => 0),
      });
      if (resume === undefined) {
        env.reset();
        learner.start?.();
      } else state.load(resume);

      const isDue = (): boolean => {
        if (learner.due) return learner.due(counters.time);
        if (counters.step < (c.warmUp ?? 0)) return false;
        if (c.replan === 'step' || counters.plans === 0) return true;
        return c.replan === 'episode' ? counters.time === 0 : counters.due === 1;
      };
      const action = new Int32Array(1);
      while (counters.step < run.steps) {
        for (let k = 0; k < every && counters.step < run.steps; k++, counters.step++) {
          const s = stateOf(buffers.obs, table.states);
          model.allow(s, buffers.mask);
          if (isDue()) {
            counters.sweeps = learner.plan(counters.step);
            counters.plans++;
            counters.due = 0;
            model.markPlanned();
          }
          const random = counters.plans === 0;
          action[0] = random
            ? randomAction(rng, table.actions, buffers.mask)
            : (learner.choose?.(s, counters.time, buffers.mask) ?? greedyAction(table, s, buffers.mask));
          const pair = s * table.actions + action[0]!;
          env.step(action);
          const reward = buffers.reward[0]!;
          const outcome = outcomeOf(buffers, table.states);
          model.learn(pair, reward, outcome);
          learner.learned?.(pair, reward, outcome);
          if (told >= 0) record.counters.regret += buffers.cost?.[told] ?? 0;
          if (c.replan === 'doubling' && model.doubled(pair)) counters.due = 1;
          counters.time = outcome.ended ? 0 : counters.time + 1;
        }
        const { step, plans, sweeps } = counters;
        const growth = record.note(step);
        const regret = told >= 0 ? record.counters.regret : Number.NaN;
        const paid = model.mostPaid();
        const above = paid > (learner.most ?? Number.POSITIVE_INFINITY) ? { aboveBound: paid } : {};
        const metrics = {
          ...above,
          ...episodeRow(env),
          regret,
          regretGrowth: growth,
          optimalityGap: gap(),
          known: model.known(),
          plans,
          sweeps,
        };
        yield { step, metrics, ...point };
      }
    },

    policy: async (_, saved) => tablePolicyFrom(saved),
  });
}

/** What the policy that learns loses against the optimum in an episode, exactly; NaN where the world does not say. */
function gapMeter(
  { meta, envEntry, envConfig }: Pick<Run<unknown>, 'meta' | 'envEntry' | 'envConfig'>,
  table: Table,
  learner: ModelLearner,
) {
  const model = meta.costs.includes('regret') ? envEntry.create(envConfig, 1).model?.() : undefined;
  const optimum = meta.references.find(({ name }) => name === 'optimal')?.value;
  if (model === undefined || optimum === undefined) return () => Number.NaN;
  const values = new Float64Array(model.states);
  const before = new Float64Array(model.states * model.actions);
  const chances = new Float64Array(model.states * model.actions);
  let gap = Number.NaN;
  return (): number => {
    for (let s = 0; s < model.states; s++) {
      const row = s * model.actions;
      chances.fill(0, row, row + model.actions);
      if (learner.chances) learner.chances(s, chances, row);
      else chances[row + greedyAction(table, s)] = 1;
    }
    if (chances.every((chance, pair) => chance === before[pair])) return gap;
    before.set(chances);
    // From zero, so that the number depends on nothing but the policy.
    evaluatePolicy(model, chances, 1, 1e-9, values.fill(0));
    gap = Math.max(0, optimum - startValue(model, values));
    return gap;
  };
}
