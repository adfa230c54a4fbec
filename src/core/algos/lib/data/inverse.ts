/** What methods share that find the reward a recorded player seems to follow (inverse-soft-q, marginal-soft-q): settings, metrics, the learner. */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { Saved } from '#contract/run/events.ts';
import type { PolyakProgram, Program } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { sqrt } from '#math/functions.ts';
import { categorical, randomAction } from '#math/sampling.ts';
import * as fields from '../../api/fields.ts';
import { RowMeans } from '../../api/metrics.ts';
import type { Policy, Run } from '../../api/types.ts';
import { type ReplayLearner, TransitionStore } from '../replay/transitions.ts';
import type { DataRows } from './source.ts';

const own = 'own choice';

/** Settings of values learned from a player and from replayed own play. */
export const inverseFields = (source: string) => ({
  lr: fields.lr(1e-3, own),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.01, own),
  temperature: fields.real(0.1, {
    above: 0,
    max: 100,
    title: 'temperature',
    description: 'How much better an action must be for the player to take it e times as often.',
    slider: [0.01, 1],
    log: true,
    source: own,
    depth: 'teach',
    group: 'reward',
  }),
  penalty: fields.real(0.5, {
    above: 0,
    max: 100,
    title: 'size of rewards',
    description: 'Recovered rewards are held near 0: alone, a row of the player would get twice this.',
    slider: [0.05, 5],
    log: true,
    source: `${source}: the weight of chi-squared is 1 / (4 x 0.5)`,
    group: 'reward',
  }),
  ...fields.replay(own, { batchSize: 64, learningStarts: 500, trainEvery: 2, bufferSize: 50_000 }),
  hidden: fields.hidden([64, 64], own, { description: 'Units of each layer; ReLU between them.' }),
});

export const inverseMetrics: readonly MetricCard[] = [
  { id: 'dataReturn', title: 'return of the data', description: 'Mean return of the recorded episodes that are learned from.' },
  { id: 'loss', title: 'loss', description: 'Of the action values, mean since the last row.' },
  {
    id: 'logProb',
    title: 'log-probability of the player',
    description: 'Mean of ln pi of what the player did, in his rows.',
    unit: 'nats',
  },
  { id: 'recoveredReward', title: 'recovered reward', description: 'Mean reward a step that the values answer to, in rows of the player.' },
  {
    id: 'rewardAgreement',
    title: 'reward agreement',
    description:
      'Correlation of the recovered reward with what the environment paid, over the rows since the last row; never learned from. Missing where it paid the same everywhere.',
  },
  { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient.' },
];

/** Pearson's correlation of two series that come in pieces. */
export class Agreement {
  private count = 0;
  private x = 0;
  private y = 0;
  private xx = 0;
  private yy = 0;
  private xy = 0;

  add(xs: ArrayLike<number>, ys: ArrayLike<number>): void {
    for (let i = 0; i < xs.length; i++) {
      const [x, y] = [xs[i]!, ys[i]!];
      this.count++;
      this.x += x;
      this.y += y;
      this.xx += x * x;
      this.yy += y * y;
      this.xy += x * y;
    }
  }

  /** NaN where either does not vary; starts over. */
  take(): number {
    const { count: n, x, y } = this;
    const [a, b, both] = [n * this.xx - x * x, n * this.yy - y * y, n * this.xy - x * y];
    this.count = this.x = this.y = this.xx = this.yy = this.xy = 0;
    return a > 0 && b > 0 ? both / sqrt(a * b) : Number.NaN;
  }
}

/** Rows of own play, and behind `player` those of the recorded player. */
type LearnInputs = {
  readonly [name in
    | 'lr'
    | 'obs'
    | 'action'
    | 'discount'
    | 'nextObs'
    | 'playerObs'
    | 'playerAction'
    | 'playerDiscount'
    | 'playerNextObs']: Float32Array;
};

/** The programs of one method, and what it saves. */
export interface InverseParts {
  /** Logits [rows, N] of what is seen. */
  readonly act: Program<{ readonly obs: Float32Array }, { readonly logits: Float32Array }>;
  /** The critics; rewards of own play and of the player, one for each agent. */
  readonly learn: Program<LearnInputs, { readonly [name in 'loss' | 'reward' | 'playerReward' | 'gradNorm']: Float32Array }>;
  readonly target: PolyakProgram;
  /** Between the critics' step and that of their targets. */
  follow?(): Promise<void>;
  /** Mean of ln pi of what the player did. */
  logProb(): number;
  snapshot(): Saved | Promise<Saved>;
  policy(): Policy;
}

interface Settings {
  readonly lr: number;
  readonly gamma: number;
  readonly tau: number;
  readonly batchSize: number;
  readonly bufferSize: number;
}

/** Acts by its logits, learns from as many rows of its own play as of the player. `joint`: a row is a step of the whole team. */
export function inverseLearner(
  { config: c, meta, rng }: Pick<Run<Settings>, 'config' | 'meta' | 'rng'>,
  env: VectorEnv,
  recorded: DataRows,
  parts: InverseParts,
  joint: boolean,
): ReplayLearner {
  const { buffers, batch: numEnvs } = env;
  const { actionCount: N, agentCount: A } = meta;
  const { act, learn, target } = parts;
  const rows = numEnvs * A;
  const [acting, replaying, drawing] = [rng.split('acting'), rng.split('replay'), rng.split('drawing')];
  // recordings hold rows of dead agents too: both sides are compared on the same kind of rows
  const store = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs, joint, deadToo: true });
  const actions = createActions(meta, numEnvs);
  const means = new RowMeans<string>(['loss', 'logProb', 'recoveredReward', 'gradNorm']);
  const agreement = new Agreement();
  const drawn = joint ? c.batchSize * A : c.batchSize;
  const paid = { own: new Float32Array(drawn), player: new Float32Array(drawn) };
  return {
    store,
    state: { counters: { step: 0 }, arrays: { acting, replaying, drawing } },
    means,
    stored: actions,
    copyTargets: async () => updateTarget(target, 1),
    async act(warmUp) {
      if (!warmUp) {
        act.in.obs.set(buffers.obs);
        const pending = act.run();
        if (pending) await pending;
      }
      for (let row = 0; row < rows; row++)
        actions[row] = warmUp ? randomAction(acting, N) : categorical(act.out.logits, row * N, N, acting.uniform());
      return actions;
    },
    async update() {
      const { obs, action, discount, nextObs, playerObs, playerAction, playerDiscount, playerNextObs } = learn.in;
      store.sample(replaying, c.batchSize, c.gamma, { obs, action, discount, nextObs, reward: paid.own });
      recorded.sample(drawing, c.batchSize, c.gamma, {
        obs: playerObs,
        action: playerAction,
        discount: playerDiscount,
        nextObs: playerNextObs,
        reward: paid.player,
      });
      const pending = descend(learn, c.lr);
      if (pending) await pending;
      await parts.follow?.();
      await updateTarget(target, c.tau);
      const { out } = learn;
      agreement.add(out.reward, paid.own);
      agreement.add(out.playerReward, paid.player);
      means.add('loss', out.loss[0]!);
      means.add('logProb', parts.logProb());
      means.add('recoveredReward', out.playerReward.reduce((a, b) => a + b, 0) / out.playerReward.length);
      means.add('gradNorm', out.gradNorm[0]!);
    },
    metrics: () => ({ rewardAgreement: agreement.take(), dataReturn: recorded.meanReturn }),
    snapshot: parts.snapshot,
    policy: parts.policy,
  };
}
