/** What methods share that find the reward a recorded player seems to follow (inverse-soft-q, marginal-soft-q): settings and metrics. */
import type { MetricCard } from '#contract/catalog.ts';
import { sqrt } from '#math/functions.ts';
import * as fields from '../../api/fields.ts';

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
