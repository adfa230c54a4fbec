/**
 * Rewards that a learner gives itself for what is new, beside those of the environment, for methods that learn from rollouts of T steps of
 * N rows. They have a value of their own, which goes on through the ends of episodes (Burda et al. 2018: else a good find at the price of an
 * early end looks bad), and join where advantages meet:
 *   A = A_environment + weight A_bonus,   A_bonus by GAE over bonuses and their own values, gamma of their own, no ends
 * Bonuses: counts.ts (1 / sqrt(N)) and novelty.ts (RND, ICM). The learned ones are divided by the running deviation of their discounted
 * sum, without subtracting a mean, and see observations that are numbers normalised and clipped to +-5.
 */
import { present } from '#contract/kit/errors.ts';
import { nextObservations } from '#core/envs/api/buffers.ts';
import { gae } from '#math/gae.ts';
import { exactKey } from '#math/hash.ts';
import { RunningMoments } from '#math/normalise.ts';
import { gatherRows } from '#math/rows.ts';
import type { Places, RolloutHost } from '../../api/extension.ts';
import { secondCritic } from '../second-critic.ts';
import { countBonus, simHashKey, VisitCounts } from './counts.ts';
import { icm, type Novelty, rnd } from './novelty.ts';
import type { BonusSettings } from './settings.ts';

/** Share of the rollout that RND learns from: more, and it forgets too fast what is new (Burda et al. 2018: 32 of 128 environments). */
const RND_SHARE = 0.25;
/** Normalised observations are clipped to +- this (Burda et al. 2018). */
const CLIP = 5;
const LAMBDA = 0.95;

/** Divides bonuses by the deviation of their discounted sum over the rollouts so far; the sum runs through the ends of episodes. */
export class BonusScale {
  readonly moments = new RunningMoments(1);
  readonly filter: Float64Array; // [N]
  private readonly gamma: number;

  constructor(rows: number, gamma: number) {
    this.filter = new Float64Array(rows);
    this.gamma = gamma;
    this.moments.count = 0; // the first rollout alone decides
  }

  /** In place, [T, N]; the discounted sums. */
  scale(bonus: Float32Array | Float64Array): Float64Array {
    const rows = this.filter.length;
    const sums = new Float64Array(bonus.length);
    for (let i = 0; i < bonus.length; i++) {
      const row = i % rows;
      sums[i] = this.filter[row] = this.filter[row]! * this.gamma + bonus[i]!;
    }
    this.moments.update(sums, sums.length);
    const deviation = Math.max(this.deviation, 1e-8);
    for (let i = 0; i < bonus.length; i++) bonus[i]! /= deviation;
    return sums;
  }

  get deviation(): number {
    return Math.sqrt(this.moments.variance[0]!);
  }
}

/** Programs and what they keep: made behind those of the loop. */
export function intrinsicReward(host: RolloutHost, settings: Exclude<BonusSettings, { kind: 'none' }>): Places {
  const { engine, meta, env, rows, steps, size, config: c } = host;
  const { buffers } = env;
  const rng = host.rng.split('bonus');
  const [O, D] = [meta.obsSize, meta.actionSize];
  const total = rows * steps;
  const space = meta.agents[0]!.obs;
  const shuffling = rng.split('shuffling');
  const reached = new Float32Array(total * O); // [T, N, O], the last observation where an episode ended
  const learned = settings.kind === 'RND' || settings.kind === 'ICM' ? settings : null;
  const counting = learned === null ? new VisitCounts() : null;
  const keyOf = settings.kind === 'hash counts' ? simHashKey(space, O, settings.bits, rng.split('planes')) : exactKey;
  const learnRows = settings.kind === 'RND' ? Math.max(1, Math.floor(size * RND_SHARE)) : size;
  const judges = (features: number): Novelty => {
    const sizes = { rows: size, learnRows, hidden: c.hidden, features };
    return (settings.kind === 'RND' ? rnd : icm)(engine, meta, sizes, rng.split('novelty'));
  };
  const novelty = learned === null ? null : judges(learned.features);
  const seen = new Float32Array(novelty?.pairs === true ? total * O : 0); // as `reached`, before the action
  const moments = learned !== null && space.kind === 'box' ? new RunningMoments(O) : null;
  const scale = learned === null ? null : new BonusScale(rows, settings.gamma);
  const critic = secondCritic(host, 'bonus', rng.split('critic'));
  const order = Int32Array.from({ length: total }, (_, i) => i);
  const floats = () => new Float32Array(total);
  const [bonus, values, bonusAdvantages, targets] = [floats(), floats(), floats(), floats()];
  const never = new Uint8Array(total);
  const batch = {
    obs: new Float32Array(novelty?.pairs === true ? learnRows * O : 0),
    reached: new Float32Array(learned === null ? 0 : learnRows * O),
    action: new Float32Array(novelty?.pairs === true ? learnRows * D : 0),
  };
  let bonusLoss = Number.NaN;
  let bonusMean = Number.NaN;
  let rollout: RolloutRows = { obs: new Float32Array(0), actions: new Float32Array(0) };

  async function judge(actions: Float32Array): Promise<void> {
    if (counting !== null) {
      for (let i = 0; i < total; i++) bonus[i] = countBonus(counting.visit(keyOf(reached, i, O)));
      return;
    }
    if (novelty === null || scale === null) return;
    if (moments !== null) {
      moments.update(reached, total);
      moments.normalise(reached, reached, CLIP);
      if (seen.length > 0) moments.normalise(seen, seen, CLIP);
    }
    for (let from = 0; from < total; from += size) {
      const part = (of: Float32Array, width: number): Float32Array => of.subarray(from * width, (from + size) * width);
      bonus.set(await novelty.judge({ obs: part(seen, O), reached: part(reached, O), action: part(actions, D) }), from);
    }
    scale.scale(bonus);
  }

  return {
    state: {
      parts: { visits: counting },
      arrays: {
        bonusOrder: order,
        bonusShuffling: shuffling,
        bonusMoments: moments,
        bonusSpread: scale?.moments ?? null,
        bonusFilter: scale?.filter ?? null,
      },
    },
    beforeStep(t) {
      if (seen.length > 0) seen.set(buffers.obs, t * rows * O);
    },
    afterStep(t) {
      nextObservations(buffers, meta, reached.subarray(t * rows * O, (t + 1) * rows * O));
    },
    /** Adds the advantages, by the weight of now, of the bonuses. */
    async advantages({ obs, lastObs, actions, advantages }) {
      rollout = { obs, actions };
      await judge(actions);
      bonusMean = bonus.reduce((a, b) => a + b, 0) / total;
      for (let from = 0; from < total; from += size) values.set(await critic.values(obs.subarray(from * O, (from + size) * O)), from);
      const lastValues = await critic.lastValues(lastObs);
      gae(
        {
          rewards: bonus,
          values,
          terminated: never,
          truncated: never,
          finalValues: values, // read at ends only
          lastValues,
          rows,
          gamma: settings.gamma,
          lambda: LAMBDA,
          bootstrapAtTruncation: true,
        },
        bonusAdvantages,
        targets,
      );
      for (let i = 0; i < total; i++) advantages[i]! += settings.weight * bonusAdvantages[i]!;
    },
    /** Learns what novelty and bonuses to expect, as many epochs over the rollout as the method. */
    async afterUpdates(_passed, numbers) {
      const { obs, actions } = rollout;
      const { lr } = present(numbers, 'the numbers of an update');
      let [sum, count] = [0, 0];
      for (let epoch = 0; epoch < c.epochs; epoch++) {
        shuffling.shuffle(order);
        for (let from = 0; from < total; from += size) {
          await critic.learn((into) => {
            gatherRows(order, from, size, obs, O, into.obs);
            gatherRows(order, from, size, targets, 1, into.target);
          }, lr);
          if (novelty === null) continue;
          gatherRows(order, from, learnRows, reached, O, batch.reached);
          if (novelty.pairs) {
            gatherRows(order, from, learnRows, seen, O, batch.obs);
            gatherRows(order, from, learnRows, actions, D, batch.action);
          }
          sum += await novelty.learn(batch, lr);
          count++;
        }
      }
      bonusLoss = count === 0 ? Number.NaN : sum / count;
    },
    metrics: () => ({ bonus: bonusMean, bonusLoss, statesSeen: counting?.size ?? Number.NaN }),
  };
}

interface RolloutRows {
  readonly obs: Float32Array;
  readonly actions: Float32Array;
}
