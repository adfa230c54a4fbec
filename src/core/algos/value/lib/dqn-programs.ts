/** Programs of DQN and its variants: networks, the values that actions are chosen by, and one step on the loss. */
import { abs, add, huber, mean, mul, pick, square, stopGradient, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import { lastSize } from '#core/engine/shapes.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { midpoints } from '#core/nets/distribution.ts';
import { encode } from '#core/nets/encoder.ts';
import { maskLogits } from '#core/nets/heads.ts';
import { greedyAction, maxQ, nextValue } from '#core/nets/q-values.ts';
import { type ValueDraws, type ValueNetwork, type ValueNetworkConfig, valueNetwork } from '#core/nets/value-network.ts';
import { Rng } from '#math/rng.ts';
import type { NetworkParts } from '../../api/extension.ts';
import { type ExtendedPrograms, NOTHING_ADDED } from '../../api/standing.ts';
import { categoricalTerms, type DqnTerms, munchausenBonus, ofAction, quantileTerms, softNext, weighted } from './dqn-variants.ts';

/** The settings of DQN that its programs are made from. */
export interface ProgramSettings extends ValueNetworkConfig {
  readonly batchSize: number;
  readonly double: boolean;
  readonly loss: 'mse' | 'huber';
  readonly prioritised: { readonly kind: 'on' | 'off' };
  readonly munchausen: { readonly kind: 'off' } | { readonly kind: 'on'; readonly alpha: number; readonly temperature: number };
  readonly maxGradNorm: number | null;
}

/**
 * y = reward + discount * max_b Qtarget(s', b) [M]; `discount` is 0 after a termination. Next values [M, N] of the target network and,
 * for double Q, of the online network, which then selects b; illegal actions already at -1e8.
 */
export function dqnTarget(reward: Tensor, discount: Tensor, targetQ: Tensor, onlineQ: Tensor | null): Tensor {
  return stopGradient(add(reward, mul(discount, nextValue(targetQ, onlineQ))));
}

/** Loss of q [M, N] at action [M] towards target [M]; weight [M]: importance of each row, null: 1. */
export function dqnLoss(q: Tensor, action: Tensor, target: Tensor, kind: 'mse' | 'huber', weight: Tensor | null): DqnTerms {
  const chosen = pick(q, action);
  const error = sub(chosen, target);
  const each = kind === 'mse' ? square(error) : huber(error, 1);
  return { loss: weighted(each, weight), error, qMean: mean(chosen), errorMean: mean(abs(error)) };
}

/** Online and target network. */
export function networks(engine: Engine, meta: EnvMeta, c: ProgramSettings, rng: Rng, parts: NetworkParts | null = null) {
  const space = meta.agents[0]!.obs;
  const online = engine.group('q');
  const target = engine.group('target');
  const outputs = meta.actionCount * (parts?.heads ?? 1);
  const q = valueNetwork(online, rng, space, outputs, c);
  const targetQ = valueNetwork(target, Rng.from(0), space, outputs, c); // overwritten by a copy before its first use
  const bound = parts?.bind(online) ?? null;
  /** The outputs that each row is to take. */
  const ofRows = (net: ValueNetwork, params: ParamGroup['params']): ValueNetwork =>
    bound === null
      ? net
      : {
          noise: net.noise,
          apply: (obs, draws) => {
            const seen = encode(obs.graph, obs, space);
            return { q: bound.read(seen, () => [net.apply(obs, draws).q], params)[0]!, out: null };
          },
        };
  return { online, target, parts: bound, q: ofRows(q, online.params), targetQ: ofRows(targetQ, target.params) };
}
export type Networks = ReturnType<typeof networks>;

/** What a policy is saved with. */
export const savedGroups = ({ online, parts }: Networks) => ({ net: online, ...(parts?.group && { packed: parts.group }) });

/** `noisy`: actions are chosen with the noise that is fed; without it by the mean weights. */
export function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, rows: number, noisy = false) {
  return engine.compile(
    {
      obs: [rows, meta.obsSize],
      mask: meta.masked ? [rows, meta.actionCount] : null,
      noise: noisy && nets.q.noise > 0 ? [nets.q.noise] : null,
    },
    (x) => {
      const { q } = nets.q.apply(x.obs, { noise: x.noise ?? null, taus: null });
      return { q, value: maxQ(x.mask === undefined ? q : maskLogits(q, x.mask)) };
    },
    { name: 'dqn act' },
  );
}

/** Levels drawn for each transition and for its target (N and N' of Dabney et al. 2018b). */
const LEVELS = 8;

export function compileLearner(engine: Engine, nets: Networks, meta: EnvMeta, c: ProgramSettings, added: ExtendedPrograms = NOTHING_ADDED) {
  const M = c.batchSize;
  const obs: [number, number] = [M, meta.obsSize];
  const mask: [number, number] | null = meta.masked ? [M, meta.actionCount] : null;
  const noise: [number] | null = nets.q.noise > 0 ? [nets.q.noise] : null;
  const { distribution, munchausen } = c;
  const taus: [number, number] | null = distribution.kind === 'implicit quantile' ? [M, LEVELS] : null;
  return engine.compile(
    {
      obs,
      action: [M],
      reward: [M],
      discount: [M],
      nextObs: obs,
      nextMask: mask,
      mask: munchausen.kind === 'on' ? mask : null,
      weight: c.prioritised.kind === 'on' ? [M] : null,
      noise,
      targetNoise: noise,
      taus,
      targetTaus: taus,
      ...added.inputs('q'),
    },
    (x, g) => {
      const legal = (q: Tensor, at: Tensor | undefined): Tensor => (at === undefined ? q : maskLogits(q, at));
      const draws: ValueDraws = { noise: x.noise ?? null, taus: x.taus ?? null };
      const targetDraws: ValueDraws = { noise: x.targetNoise ?? null, taus: x.targetTaus ?? null };
      const next = nets.targetQ.apply(x.nextObs, targetDraws);
      const targetQ = legal(next.q, x.nextMask);
      const onlineQ = c.double ? legal(nets.q.apply(x.nextObs, draws).q, x.nextMask) : null;
      const soft = munchausen.kind === 'on' ? munchausen : null;
      const reward =
        soft === null
          ? x.reward
          : add(x.reward, munchausenBonus(legal(nets.targetQ.apply(x.obs, targetDraws).q, x.mask), x.action, soft.alpha, soft.temperature));
      const weight = x.weight ?? null;
      const now = nets.q.apply(x.obs, draws);
      const join = (terms: DqnTerms): DqnTerms => added.join('q', terms, x, g, { q: now.q });
      if (now.out === null || next.out === null) {
        const y =
          soft === null
            ? dqnTarget(reward, x.discount, targetQ, onlineQ)
            : stopGradient(add(reward, mul(x.discount, softNext(targetQ, targetQ, soft.temperature))));
        return join(dqnLoss(now.q, x.action, y, c.loss, weight));
      }
      const chosen = ofAction(now.out, x.action);
      const best = greedyAction(onlineQ ?? targetQ);
      if (distribution.kind === 'categorical') {
        const { low, high } = distribution;
        return join(categoricalTerms(chosen, ofAction(next.out, best), { reward, discount: x.discount, weight }, [low, high]));
      }
      const samples = soft === null ? ofAction(next.out, best) : softNext(targetQ, next.out, soft.temperature);
      const levels = x.taus ?? midpoints(x.obs.graph, lastSize('quantiles', chosen.shape));
      return join(quantileTerms(chosen, levels, samples, { reward, discount: x.discount, weight }));
    },
    {
      minimise: 'loss',
      group: nets.online,
      with: adam(),
      name: 'dqn learn',
      ...(c.maxGradNorm === null ? {} : { maxGradNorm: c.maxGradNorm }),
    },
  );
}
