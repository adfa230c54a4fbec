/**
 * A reward that is learned from comparisons (Christiano et al. 2017): K networks r_k(s, a), each on a resample of the answers.
 *   P(1 > 2) = sigmoid(sum r(1) - sum r(2)) over the steps of two segments (Bradley and Terry 1952), cross-entropy with the answer
 * Where a share e of the answers is thought to be wrong: e + (1 - 2 e) P; the paper has 0.9 P + 0.05, one answer in ten at random.
 * Rewards are the mean over the networks, shifted and scaled so that those of the compared segments have mean 0 and deviation 1.
 */
import { add, concat, log as logOf, mean, mul, neg, oneHot, reshape, sigmoid, sliceAxis, softplus, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { mlp } from '#core/nets/mlp.ts';
import { exp, log } from '#math/functions.ts';
import type { RunningMoments } from '#math/normalise.ts';
import type { Rng } from '#math/rng.ts';
import * as fields from '../../api/fields.ts';
import { actionShape } from '../../lib/box.ts';
import { CLIP_NORMALISED } from '../../lib/ppo/common.ts';
import { CHUNK, overChunks } from '../../lib/ppo/learned-reward.ts';
import { type Answers, fitAnswers, PAIRS } from './answers.ts';

const STD_FLOOR = 1e-3;
const LEAST = 1e-6; // probability of an answer, where its logarithm is taken

/** How many networks there are; `from`: what each learns from a resample of. */
export const ensembleField = (from: string, source: string) =>
  fields.integer(3, {
    min: 1,
    max: 8,
    title: 'reward networks',
    description: `Each learns from a resample of the ${from}; the reward is their mean.`,
    slider: [1, 5],
    source,
    depth: source === 'own choice' ? 'stored' : 'research',
    group: 'reward',
  });

export interface RewardEnsemble {
  /** Minibatches of gradient on the answers so far; the mean loss of the last tenth, NaN without answers. `push` [2 answers]: EnsembleOptions. */
  fit(answers: Answers, updates: number, lr: number, rng: Rng, push?: Float32Array): Promise<number>;
  /** What every answer costs by the mean of the networks, [answers]. */
  losses(answers: Answers): Promise<Float64Array>;
  /** Rewards [count] of rows, shifted and scaled. `each` [count * K] gets those of every network as they are. */
  predict(obs: Float32Array, action: Float32Array, count: number, each?: Float32Array): Promise<Float32Array>;
  /** Shift and scale, for checkpoints. */
  readonly scale: Float64Array; // [2]
}

export interface EnsembleOptions {
  readonly size: number; // K
  readonly hidden: readonly number[];
  readonly segment: number; // L steps
  /** Share of the answers that is thought to be wrong; 0 without it. */
  readonly errors?: number;
  /** L2 regularisation of the networks; 0 without it. */
  readonly decay?: number;
  /** Weight of the mean over segments of their return times `push`, beside the cross-entropy; 0 without it. */
  readonly pushed?: number;
  /** What observations are standardised by. */
  readonly moments?: RunningMoments | null;
}

/**
 * Cross-entropy of an answer `choice` [P] in 0..1 with the difference of two segments' returns; ties count half each way. With a share `errors` of
 * wrong answers (Christiano et al. 2017, 2.2.3) no answer costs more than -ln errors.
 */
export function comparisonLoss(first: Tensor, second: Tensor, choice: Tensor, errors = 0): Tensor {
  const wins = (ahead: Tensor): Tensor =>
    errors === 0 ? softplus(neg(ahead)) : neg(logOf(add(mul(sigmoid(ahead), 1 - 2 * errors), errors)));
  return add(mul(choice, wins(sub(first, second))), mul(sub(1, choice), wins(sub(second, first))));
}

export function rewardEnsemble(engine: Engine, meta: EnvMeta, options: EnsembleOptions, rng: Rng): RewardEnsemble {
  const { size: K, hidden, segment: L, errors = 0, decay = 0, pushed = 0, moments = null } = options;
  const space = meta.agents[0]!.obs;
  const discrete = meta.actionCount > 0;
  const D = discrete ? 1 : meta.actionSize;
  const O = meta.obsSize;
  const group = engine.group('reward');
  const inputs = encodedSize(space) + (discrete ? meta.actionCount : D);
  const nets = Array.from({ length: K }, (_, k) => mlp(group, `reward${k}`, rng, [inputs, ...hidden, 1], { act: 'relu', init: 'torch' }));
  const features = (g: Graph, obs: Tensor, action: Tensor): Tensor =>
    concat([encode(g, obs, space), discrete ? oneHot(action, meta.actionCount) : action], 1);
  const rows = 2 * PAIRS * L;
  const learn = engine.compile(
    { obs: [rows, O], action: actionShape(meta, rows), choice: [PAIRS], weight: [K, PAIRS], push: pushed === 0 ? null : [2 * PAIRS] },
    (x, g) => {
      const seen = features(g, x.obs, x.action);
      const losses = nets.map((net, k) => {
        const returns = sum(reshape(net(seen), [2 * PAIRS, L]), 1);
        const each = comparisonLoss(sliceAxis(returns, 0, 0, PAIRS), sliceAxis(returns, 0, PAIRS, PAIRS), x.choice, errors);
        const loss = mean(mul(each, reshape(sliceAxis(x.weight, 0, k, 1), [PAIRS])));
        return x.push === undefined ? loss : add(loss, mul(mean(mul(returns, x.push)), pushed));
      });
      return {
        loss: mul(
          losses.reduce((a, b) => add(a, b)),
          1 / K,
        ),
      };
    },
    { minimise: 'loss', group, with: adam({ weightDecay: decay }), name: 'reward' },
  );
  const act = engine.compile(
    { obs: [CHUNK, O], action: actionShape(meta, CHUNK) },
    (x, g) => {
      const seen = features(g, x.obs, x.action);
      return {
        each: concat(
          nets.map((net) => net(seen)),
          1,
        ),
      }; // [CHUNK, K]
    },
    { name: 'reward of rows' },
  );
  const scale = Float64Array.of(0, 1);
  const prepare = moments === null ? undefined : (rows: Float32Array): void => moments.normalise(rows, rows, CLIP_NORMALISED);

  async function predict(obs: Float32Array, action: Float32Array, count: number, each?: Float32Array): Promise<Float32Array> {
    const out = new Float32Array(count);
    await overChunks(
      act,
      { obs, action },
      count,
      (from, some) => {
        const found = act.out.each;
        for (let i = 0; i < some; i++) {
          let total = 0;
          for (let k = 0; k < K; k++) total += found[i * K + k]!;
          out[from + i] = (total / K - scale[0]!) / scale[1]!;
        }
        each?.set(found.subarray(0, some * K), from * K);
      },
      prepare,
    );
    return out;
  }

  return {
    scale,
    predict,
    async losses(answers) {
      const each = new Float32Array(answers.count * 2 * L * K);
      await predict(answers.obs, answers.action, answers.count * 2 * L, each);
      return Float64Array.from({ length: answers.count }, (_, i) => {
        let ahead = 0; // of the first segment
        for (let j = 0; j < 2 * L * K; j++) ahead += (j < L * K ? 1 : -1) * each[i * 2 * L * K + j]!;
        const first = errors + (1 - 2 * errors) / (1 + exp(-ahead / K));
        const choice = answers.choices[i]!;
        return -(choice * log(Math.max(first, LEAST)) + (1 - choice) * log(Math.max(1 - first, LEAST)));
      });
    },
    async fit(answers, updates, lr, drawing, push) {
      if (answers.count === 0) return Number.NaN;
      const loss = await fitAnswers(learn, answers, updates, lr, drawing, { prepare, push });
      scale.set([0, 1]);
      const steps = answers.count * 2 * L;
      const found = await predict(answers.obs, answers.action, steps);
      const centre = found.reduce((a, b) => a + b, 0) / steps;
      const spread = Math.sqrt(found.reduce((a, b) => a + (b - centre) ** 2, 0) / steps);
      scale.set([centre, spread + STD_FLOOR]);
      return loss;
    },
  };
}
