/**
 * Two learned measures of how new an observation is, for observations as rows [M, O] of what `see` makes of them.
 *   RND (Burda et al. 2018)    1/2 |f(s') - fhat(s')|^2: fhat learns what a fixed random network f says; seldom seen, badly learned
 *   ICM (Pathak et al. 2017)   eta/2 |phi(s') - phihat(phi(s), a)|^2: features phi that tell which action led from s to s' (inverse model),
 *                              and a forward model of them; loss (1 - beta) inverse + beta forward, eta 0.01, beta 0.2
 * Networks: orthogonal, ReLU, the method's hidden layers; the network that learns f has one layer more than f, as in the source.
 */
import { add, concat, mean, mul, oneHot, reshape, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { categoricalLogProb } from '#core/nets/heads.ts';
import { mlp } from '#core/nets/mlp.ts';
import type { Rng } from '#math/rng.ts';

/** Of each row: half the squared distance of what a network says [M, F] from what it should. */
export const surprise = (target: Tensor, predicted: Tensor): Tensor => mul(sum(square(sub(target, predicted)), -1), 0.5);

/** ICM's reward, and the shares of its two losses. */
export const ETA = 0.01;
export const FORWARD_SHARE = 0.2;

export interface Transitions {
  readonly obs: Float32Array; // [M, O]
  readonly reached: Float32Array; // [M, O]
  readonly action: Float32Array; // [M, D]
}

/** What both measures offer. Programs take `rows` rows to judge and `learnRows` to learn from. */
export interface Novelty {
  /** Whether it looks at more than the observation that was reached. */
  readonly pairs: boolean;
  /** Of `rows` transitions; valid until the next call. */
  judge(of: Transitions): Promise<Float32Array>;
  /** One step of Adam on `learnRows` transitions; the loss. */
  learn(from: Transitions, lr: number): Promise<number>;
}

interface Sizes {
  readonly rows: number;
  readonly learnRows: number;
  readonly hidden: readonly number[];
  readonly features: number;
}

const act = { act: 'relu', gain: Math.SQRT2 } as const;

export function rnd(engine: Engine, meta: EnvMeta, { rows, learnRows, hidden, features }: Sizes, rng: Rng): Novelty {
  const space = meta.agents[0]!.obs;
  const [fixed, learned] = [engine.group('rnd target'), engine.group('rnd')];
  const inputs = encodedSize(space);
  const last = hidden.at(-1) ?? features;
  const target = mlp(fixed, 'target', rng, [inputs, ...hidden, features], act);
  const predictor = mlp(learned, 'predictor', rng, [inputs, ...hidden, last, features], act);
  const error = (obs: Tensor): Tensor => {
    const seen = encode(obs.graph, obs, space);
    return surprise(stopGradient(target(seen)), predictor(seen));
  };
  const judge = engine.compile({ reached: [rows, meta.obsSize] }, ({ reached }) => ({ bonus: error(reached) }), { name: 'rnd judge' });
  const learn = engine.compile(
    { reached: [learnRows, meta.obsSize] },
    ({ reached }) => ({ loss: mul(mean(error(reached)), 2 / features) }), // the mean over features, as the source learns
    { minimise: 'loss', group: learned, with: adam({ eps: 1e-5 }), name: 'rnd learn' },
  );
  return {
    pairs: false,
    async judge({ reached }) {
      judge.in.reached.set(reached);
      const pending = judge.run();
      if (pending) await pending;
      return judge.out.bonus;
    },
    async learn({ reached }, lr) {
      learn.in.reached.set(reached);
      learn.in.lr[0] = lr;
      const pending = learn.run();
      if (pending) await pending;
      return learn.out.loss[0]!;
    },
  };
}

export function icm(engine: Engine, meta: EnvMeta, { rows, learnRows, hidden, features }: Sizes, rng: Rng): Novelty {
  const space = meta.agents[0]!.obs;
  const group = engine.group('icm');
  const discrete = meta.actionCount > 0;
  const acts = discrete ? meta.actionCount : meta.actionSize;
  const width = hidden.at(-1) ?? features;
  const phi = mlp(group, 'features', rng, [encodedSize(space), ...hidden, features], act);
  const inverse = mlp(group, 'inverse', rng, [2 * features, width, acts], { ...act, outGain: 1 });
  const forward = mlp(group, 'forward', rng, [features + acts, width, features], { ...act, outGain: 1 });
  const shapes = (M: number) =>
    ({ obs: [M, meta.obsSize], reached: [M, meta.obsSize], action: discrete ? [M] : [M, meta.actionSize] }) as const;
  type Inputs = { readonly obs: Tensor; readonly reached: Tensor; readonly action: Tensor };
  const models = ({ obs, reached, action }: Inputs) => {
    const M = obs.shape[0]!;
    const [before, after] = [phi(encode(obs.graph, obs, space)), phi(encode(obs.graph, reached, space))];
    const done = discrete ? reshape(oneHot(action, acts), [M, acts]) : action;
    const guess = inverse(concat([before, after], -1));
    const missed = discrete ? mul(mean(categoricalLogProb(guess, action)), -1) : mean(sum(square(sub(guess, action)), -1));
    return { error: surprise(after, forward(concat([before, done], -1))), missed };
  };
  const judge = engine.compile(shapes(rows), (x) => ({ bonus: mul(models(x).error, ETA) }), { name: 'icm judge' });
  const learn = engine.compile(
    shapes(learnRows),
    (x) => {
      const { error, missed } = models(x);
      return { loss: add(mul(missed, 1 - FORWARD_SHARE), mul(mean(error), FORWARD_SHARE)) };
    },
    { minimise: 'loss', group, with: adam(), name: 'icm learn' },
  );
  const feed = (into: Transitions, of: Transitions): void => {
    into.obs.set(of.obs);
    into.reached.set(of.reached);
    into.action.set(of.action);
  };
  return {
    pairs: true,
    async judge(of) {
      feed(judge.in, of);
      const pending = judge.run();
      if (pending) await pending;
      return judge.out.bonus;
    },
    async learn(from, lr) {
      feed(learn.in, from);
      learn.in.lr[0] = lr;
      const pending = learn.run();
      if (pending) await pending;
      return learn.out.loss[0]!;
    },
  };
}
