/** The critic of costs, what episodes cost, and the advantages that the multiplier mixes (extension.ts). */
import { present } from '#contract/kit/errors.ts';
import { gae } from '#math/gae.ts';
import { gatherRows } from '#math/rows.ts';
import { mean, std } from '#math/stats.ts';
import type { Places, RolloutHost } from '../../api/extension.ts';
import { secondCritic } from '../second-critic.ts';
import { limitedAdvantage, Multiplier } from './multiplier.ts';
import type { Limit } from './settings.ts';

export function limitPlaces(host: RolloutHost, setting: Limit): Places {
  const { meta, env, rows, steps, size, config: c } = host;
  const { buffers } = env;
  const rng = host.rng.split('lagrangian');
  const O = meta.obsSize;
  const kinds = meta.costs.length;
  const total = rows * steps;
  const shuffling = rng.split('shuffling');
  const critic = secondCritic(host, 'cost', rng.split('critic'));
  const order = Int32Array.from({ length: total }, (_, i) => i);
  const floats = () => new Float32Array(total);
  const [costs, values, finalValues, ofCost, targets] = [floats(), floats(), floats(), floats(), floats()] as const;
  const finals = new Float32Array(total * O); // [T, N, O] the last observation where a time limit ended an episode
  const cut = new Uint8Array(total);
  const multiplier = new Multiplier(setting.start);
  const running = new Float64Array(rows); // what the running episode of each row cost so far
  let [sum, ended] = [0, 0]; // of episodes that ended in this rollout
  let updateCost = Number.NaN;
  let seen: Float32Array = new Float32Array(0);

  const valued = async (obs: Float32Array, into: Float32Array): Promise<void> => {
    for (let from = 0; from < total; from += size) into.set(await critic.values(obs.subarray(from * O, (from + size) * O)), from);
  };

  return {
    state: { arrays: { limitOrder: order, limitShuffling: shuffling, limitMultiplier: multiplier.kept, limitRunning: running } },
    afterStep(t) {
      const { cost, terminated, truncated } = buffers;
      for (let row = 0; row < rows; row++) {
        let paid = 0;
        for (let k = 0; k < kinds; k++) paid += cost?.[row * kinds + k] ?? 0;
        costs[t * rows + row] = paid;
        running[row] = running[row]! + paid;
        const b = Math.floor(row / meta.agentCount);
        if ((terminated[b]! | truncated[b]!) === 0) continue;
        sum += running[row]!;
        ended++;
        running[row] = 0;
      }
    },
    recorded({ t, next }) {
      for (let row = 0; row < rows; row++) {
        const at = t * rows + row;
        const b = Math.floor(row / meta.agentCount);
        cut[at] = buffers.terminated[b] === 0 ? buffers.truncated[b]! : 0;
        if (cut[at] === 1) next(row, finals.subarray(at * O, (at + 1) * O));
      }
    },
    async advantages({ obs, lastObs, terminated, truncated, advantages }) {
      seen = obs;
      await valued(obs, values);
      if (cut.includes(1)) await valued(finals, finalValues);
      const lastValues = await critic.lastValues(lastObs);
      gae(
        {
          ...{ rewards: costs, values, terminated, truncated, finalValues, lastValues, rows },
          ...{ gamma: setting.gamma, lambda: c.lambda, bootstrapAtTruncation: true },
        },
        ofCost,
        targets,
      );
      updateCost = ended === 0 ? Number.NaN : sum / ended;
      if (ended > 0) multiplier.climb(updateCost - setting.limit, setting.rate, setting.kind);
      [sum, ended] = [0, 0];
      const [middle, spread, costMiddle] = [mean(advantages), std(advantages), mean(ofCost)];
      for (let i = 0; i < total; i++) {
        const standard = (advantages[i]! - middle) / (spread + 1e-8);
        advantages[i] = limitedAdvantage(standard, ofCost[i]! - costMiddle, multiplier.value);
      }
    },
    /** The critic learns as many epochs over the rollout as the method. */
    async afterUpdates(_passed, numbers) {
      const { lr } = present(numbers, 'the numbers of an update');
      for (let epoch = 0; epoch < c.epochs; epoch++) {
        shuffling.shuffle(order);
        for (let from = 0; from < total; from += size) {
          await critic.learn((into) => {
            gatherRows(order, from, size, seen, O, into.obs);
            gatherRows(order, from, size, targets, 1, into.target);
          }, lr);
        }
      }
    },
    metrics: () => ({ multiplier: multiplier.value, updateCost, costLimit: setting.limit }),
  };
}
