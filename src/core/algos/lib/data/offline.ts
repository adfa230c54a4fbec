/**
 * The loop of methods that learn from recorded rows and never from their own play. A step is one update on one minibatch. Between updates
 * the policy plays a few copies of the environment: nothing is learned from them, they tell what the policy is really worth. Beside that
 * stands what the data alone says of it, by fitted Q evaluation (Le et al. 2019):
 *   Q <- r + gamma Q'(s', pi(s')),  and the policy is worth mean Q(s_0, pi(s_0)) over the starts of the recorded episodes
 */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { Dataset } from '#contract/files/dataset.ts';
import type { Saved } from '#contract/run/events.ts';
import { add, mean as meanOf, mul, square, stopGradient, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import { paidOf } from '#core/envs/api/score.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { type Counters, registerState, type StateLayout } from '#core/state/checkpoint.ts';
import { Rng } from '#math/rng.ts';
import { mean } from '#math/stats.ts';
import { episodeRow, type RowMeans } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { Policy, Progress, Run } from '../../api/types.ts';
import { actionShape } from '../box.ts';
import { dataCritic } from './networks.ts';
import { type DataRows, dataRows, openSource, type SourceSettings } from './source.ts';

const UPDATES_PER_ROW = 64;
const WATCHED = 4; // copies
const WATCH_STEPS = 32; // of each, for every row
const WINDOW = 100; // episodes

export const offlineMetrics: readonly MetricCard[] = [
  {
    id: 'episodicReturn',
    title: 'return',
    description: 'Mean score of the last 100 episodes played for show; nothing is learned from them.',
  },
  { id: 'episodeLength', title: 'episode length', description: 'Mean length of those episodes.', unit: 'steps' },
  { id: 'episodes', title: 'episodes', description: 'Episodes played for show so far.' },
  { id: 'dataReturn', title: 'return of the data', description: 'Mean return of the recorded episodes that are learned from.' },
];

export const agreementMetric: MetricCard = {
  id: 'agreement',
  title: 'agreement',
  description: 'Share of recorded actions that are also the policy’s; minus the squared distance where actions are continuous.',
};

export const fittedMetrics: readonly MetricCard[] = [
  {
    id: 'fittedValue',
    title: 'fitted value',
    description: 'What fitted Q evaluation says the policy is worth at the start, discounted, from the data alone.',
  },
  { id: 'onlineValue', title: 'online value', description: 'Mean discounted return of the last 100 episodes really played.' },
];

export interface OfflineLearner {
  /** State that the method saves beside engine and environment; `counters.step`: updates so far. */
  readonly state: StateLayout<Counters & { step: number }>;
  readonly means: RowMeans<string>;
  /** Copies networks into their targets, when a run begins. */
  copyTargets?(): Promise<void>;
  update(): Promise<void>;
  /** Evaluates the policy from the data; missing: not asked for. */
  readonly fitted?: FittedQ | undefined;
  readonly gamma?: number;
  snapshot(): Saved | Promise<Saved>;
  policy(): Policy;
}

/** `team`: a row is a step of the whole team. Throws LabError('nan-loss'), and what opening the dataset throws. */
export async function* trainOffline<C extends SourceSettings>(
  run: Run<C>,
  resume: Saved | undefined,
  makeLearner: (run: Run<C>, engine: Engine, rows: DataRows, data: Dataset) => OfflineLearner,
  team = false,
): AsyncGenerator<Progress, void, void> {
  const data = await openSource(run);
  const rows = dataRows(run.meta, data, team, run.config.bootstrapAtTruncation === false);
  const engine = await run.makeEngine();
  const learner = makeLearner(run, engine, rows, data);
  const env = run.makeEnv(WATCHED);
  const watching = run.rng.split('watching');
  const truth = new DiscountedReturns(env);
  const player = learner.policy();
  const count = env.batch * run.meta.agentCount;
  const hidden = player.initial(count); // what a recurrent player remembers; empty without a memory
  const remembered = hidden.length > 0 ? { hidden } : {};
  const state = registerState(learner.state, { parts: { env, engine }, arrays: { watching, ...truth.arrays, ...remembered } });
  const { counters } = state;
  const point = safePoint({ state, engine, snapshot: () => learner.snapshot(), policy: () => learner.policy() });
  if (resume === undefined) {
    env.reset();
    await learner.copyTargets?.();
    await learner.fitted?.copyTarget();
  } else state.load(resume);
  const agent = Int32Array.from({ length: count }, (_, i) => i % run.meta.agentCount);

  while (counters.step < run.steps) {
    const until = Math.min(run.steps, counters.step + UPDATES_PER_ROW);
    for (; counters.step < until; counters.step++) await learner.update();
    for (let t = 0; t < WATCH_STEPS; t++) {
      const act = await player.act({
        obs: env.buffers.obs,
        agent,
        hidden,
        rng: watching,
        rows: count,
        greedy: true,
        valueless: true,
        paid: paidOf(run.meta, env.buffers),
      });
      env.step(act.actions);
      hidden.set(act.hidden);
      forgetEnded(hidden, env);
      truth.add(learner.gamma ?? 1);
    }
    const { step } = counters;
    const values = learner.fitted === undefined ? {} : { fittedValue: await learner.fitted.value(), onlineValue: truth.mean() };
    yield { step, metrics: { ...episodeRow(env), dataReturn: rows.meanReturn, ...learner.means.take(step), ...values }, ...point };
  }
}

/** Rows of copies whose episode has ended begin from an empty memory. */
function forgetEnded(hidden: Float32Array, { buffers, batch }: VectorEnv): void {
  const width = hidden.length / batch;
  for (let b = 0; b < batch; b++) if (buffers.terminated[b] !== 0 || buffers.truncated[b] !== 0) hidden.fill(0, b * width, (b + 1) * width);
}

/** Discounted returns of the last episodes, mean over agents. */
class DiscountedReturns {
  readonly arrays: {
    readonly running: Float64Array;
    readonly discounts: Float64Array;
    readonly ended: Float64Array;
    readonly endedCount: Float64Array;
  };
  private readonly env: VectorEnv;

  constructor(env: VectorEnv) {
    this.env = env;
    this.arrays = {
      running: new Float64Array(env.batch),
      discounts: new Float64Array(env.batch).fill(1),
      ended: new Float64Array(WINDOW),
      endedCount: new Float64Array(1),
    };
  }

  /** After env.step(). */
  add(gamma: number): void {
    const { running, discounts, ended, endedCount } = this.arrays;
    const { buffers, batch, meta } = this.env;
    for (let b = 0; b < batch; b++) {
      let reward = 0;
      for (let a = 0; a < meta.agentCount; a++) reward += buffers.reward[b * meta.agentCount + a]! / meta.agentCount;
      running[b] = running[b]! + discounts[b]! * reward;
      discounts[b] = discounts[b]! * gamma;
      if (buffers.terminated[b] === 0 && buffers.truncated[b] === 0) continue;
      ended[endedCount[0]! % WINDOW] = running[b]!;
      endedCount[0] = endedCount[0]! + 1;
      running[b] = 0;
      discounts[b] = 1;
    }
  }

  /** NaN before the first. */
  mean(): number {
    const { ended, endedCount } = this.arrays;
    return endedCount[0] === 0 ? Number.NaN : mean(ended.subarray(0, Math.min(WINDOW, endedCount[0]!)));
  }
}

const MOST_STARTS = 256;

export interface FittedQ {
  copyTarget(): Promise<void>;
  /** One step of gradient on a minibatch. */
  update(rng: Rng, gamma: number, lr: number, tau: number): Promise<void>;
  /** What the policy is worth at the starts, discounted. */
  value(): Promise<number>;
}

/** `head` gives the policy's logits or actions, `rng` the first weights. Nothing where the settings do not ask for it. */
export function fittedQ(
  engine: Engine,
  meta: EnvMeta,
  rows: DataRows,
  { fitted, hidden, batchSize: M }: { readonly fitted: boolean; readonly hidden: readonly number[]; readonly batchSize: number },
  head: (g: Graph, obs: Tensor) => Tensor,
  rng: Rng,
): FittedQ | undefined {
  if (!fitted) return undefined;
  const [online, target] = [engine.group('fitted'), engine.group('fittedTarget')];
  const q = dataCritic(online, 'q', rng, meta, hidden);
  const targetQ = dataCritic(target, 'q', Rng.from(0), meta, hidden); // overwritten by a copy before its first use
  const { obsSize: O } = meta;
  const learn = engine.compile(
    { obs: [M, O], action: actionShape(meta, M), reward: [M], discount: [M], nextObs: [M, O] },
    (x, g) => {
      const next = targetQ.greedy(g, x.nextObs, head(g, x.nextObs));
      const y = stopGradient(add(x.reward, mul(x.discount, next)));
      return { loss: meanOf(square(sub(q.of(g, x.obs, x.action), y))) };
    },
    { minimise: 'loss', group: online, with: adam(), name: 'fitted Q' },
  );
  const count = Math.min(MOST_STARTS, rows.starts.length / O);
  const worth = engine.compile({ obs: [count, O] }, (x, g) => ({ value: q.greedy(g, x.obs, head(g, x.obs)) }), { name: 'fitted value' });
  const copy = engine.polyak(target, online);
  return {
    copyTarget: async () => void (await updateTarget(copy, 1)),
    async update(from, gamma, lr, tau) {
      rows.sample(from, M, gamma, learn.in);
      const pending = descend(learn, lr);
      if (pending) await pending;
      await updateTarget(copy, tau);
    },
    async value() {
      worth.in.obs.set(rows.starts.subarray(0, count * O));
      const pending = worth.run();
      if (pending) await pending;
      return worth.out.value.reduce((a, b) => a + b, 0) / count;
    },
  };
}
