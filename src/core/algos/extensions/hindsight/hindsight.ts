/**
 * Hindsight experience replay (Andrychowicz et al. 2017, strategy "future"): of the transitions drawn for an update, k in k + 1 are judged by
 * another goal, one that was reached later in their own episode:
 *   g' = what the observation after step j shows as achieved, j drawn uniformly from this step and those that follow it in the episode
 *   s, s' with g' in the place of the goal;  r' = the environment's own rule (Environment.goalReward)
 * Goals are exchanged as transitions are drawn and the buffer keeps what happened, so nothing more is saved. Of an episode that is still
 * going on, the steps stored so far count. Where episodes end at their goal, nothing follows a step that reaches the other goal. Differs from the
 * paper: k is a share of what is replayed, not a number of copies that are stored (as in OpenAI Baselines and Stable-Baselines3).
 */
import { present } from '#contract/kit/errors.ts';
import type { Environment, EnvMeta, GoalPlaces } from '#core/envs/api/types.ts';
import type { ReplayBatch, ReplayBuffer } from '#core/state/replay-buffer.ts';
import type { Rng } from '#math/rng.ts';

/** Of one agent and one reward. */
export class Hindsight {
  private readonly judge: NonNullable<Environment['goalReward']>;
  private readonly places: GoalPlaces;
  private readonly obsSize: number;
  /** How many of the drawn transitions get another goal, k / (k + 1). */
  readonly share: number;
  private readonly goal: Float32Array; // [G]
  private readonly reached: Float32Array; // [G]

  constructor(env: Pick<Environment, 'goalReward'>, { goals, obsSize }: Pick<EnvMeta, 'goals' | 'obsSize'>, k: number) {
    this.judge = present(env.goalReward, 'the reward of a goal, for hindsight');
    this.places = present(goals, 'the goals of an environment, for hindsight');
    this.obsSize = obsSize;
    this.share = k / (k + 1);
    this.goal = new Float32Array(this.places.size);
    this.reached = new Float32Array(this.places.size);
  }

  /** Row `row` of `out` holds transition `id` of `buffer` with its window of n steps; k times in k + 1 it gets another goal. */
  relabel(rng: Rng, buffer: ReplayBuffer, id: number, row: number, n: number, gamma: number, out: ReplayBatch): void {
    if (rng.uniform() < this.share) this.exchange(rng.int(buffer.following(id) + 1), buffer, id, row, n, gamma, out);
  }

  /** As `relabel`, with what was achieved `ahead` steps behind this one (0: in it) as the goal. */
  exchange(ahead: number, buffer: ReplayBuffer, id: number, row: number, n: number, gamma: number, out: ReplayBatch): void {
    const { goal, reached, obsSize } = this;
    const { achieved, desired, ends } = this.places;
    const { rows } = buffer.shape;
    const later = buffer.following(id);
    buffer.readAfter(id + rows * ahead, achieved, goal);
    const at = row * obsSize + desired;
    out.obs.set(goal, at);
    out.nextObs.set(goal, at);
    let [sum, power] = [0, 1];
    for (let m = 0; m < n && m <= later; m++) {
      buffer.readAfter(id + m * rows, achieved, reached);
      const paid = this.judge(reached, 0, goal, 0);
      sum += power * paid;
      power *= gamma;
      if (paid !== ends) continue;
      out.discount[row] = 0;
      break;
    }
    out.reward[row] = sum;
  }
}
