/**
 * PPO's loss over whole teams (lib/ppo/common.ts, row by row): U teams, L steps in a row each, so that gradients flow from what an agent did
 * to what another one told it, in the same step or up to L - 1 steps before. Rows are [L, U, A]. Inputs: obs, action, mask, noise,
 * `state` [U, A, S] before the first step, `starts` [L, U] 1 where an episode begins, oldLogProb, oldValue, advantage, target,
 * `alive`, and the scalars clip, entropyCoef, valueCoef. Agents that are out of the game count for nothing.
 */

import { gradients } from '#core/engine/autodiff.ts';
import {
  add,
  broadcastTo,
  concat,
  exp,
  logSoftmax,
  mul,
  neg,
  pick,
  reshape,
  sliceAxis,
  square,
  standardise,
  sub,
  sum,
  where,
} from '#core/engine/ops.ts';
import type { Graph, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { HALF_LOG_TWO_PI } from '#math/sampling.ts';
import { clippedSurrogate, clippedValueError, weightedMean } from '../ppo/common.ts';
import type { TeamNetwork } from './parts.ts';

export interface TeamLossOptions {
  readonly normaliseAdvantages: boolean;
  readonly clipValue: boolean;
  readonly silent: boolean;
}

/** Feeds of one step of B teams, from the program's inputs; what the network does not use is left out. */
function stepInput(g: Graph, name: string, shape: readonly number[], used: boolean): Tensor | undefined {
  return used ? g.input(name, shape) : undefined;
}

/** Logits with forbidden actions out of the question. */
function legal(head: Tensor, mask: Tensor | undefined): Tensor {
  return mask === undefined ? head : where(mask, head, -1e8);
}

/** [A, D] 1 where an agent has this number of its action. */
export function usedNumbers(meta: EnvMeta, net: TeamNetwork): Float32Array {
  const { networks, agentToNetwork } = net.sharing;
  const D = meta.actionSize;
  return Float32Array.from({ length: meta.agentCount * D }, (_, i) =>
    Number(i % D < networks[agentToNetwork[Math.floor(i / D)]!]!.actionWidth),
  );
}

/** One acting step of B teams: logits and ln p of every action, or mean and logStd; value, what was said, the next state. */
export function actingStep(g: Graph, net: TeamNetwork, meta: EnvMeta, teams: number, noisy: boolean): { readonly [name: string]: Tensor } {
  const A = meta.agentCount;
  const rows = teams * A;
  const discrete = meta.actionCount > 0;
  const { stateSize: S, noiseSize: Z } = net;
  const state = stepInput(g, 'state', [teams, A, S], S > 0);
  const noise = stepInput(g, 'noise', [teams, A, Z], Z > 0 && (noisy || net.noiseInUse === true));
  const out = net.apply(
    {
      obs: g.input('obs', [teams, A, meta.obsSize]),
      gate: g.input('gate', [teams, A]),
      ...(state && { state }),
      ...(noise && { noise }),
    },
    noisy,
  );
  const mask = stepInput(g, 'mask', [teams, A, meta.actionCount], meta.masked);
  const shared = {
    value: reshape(out.value, [rows]),
    ...(net.messageSize > 0 && { messages: reshape(out.said, [rows, net.messageSize]) }),
    ...(out.state && { state: reshape(out.state, [rows, S]) }),
  };
  if (discrete) {
    const logits = reshape(legal(out.head, mask), [rows, meta.actionCount]);
    return { ...shared, logits, logProbs: logSoftmax(logits) };
  }
  const D = meta.actionSize;
  const spread = broadcastTo(reshape(net.logStd(g), [1, A, D]), [teams, A, D]);
  return { ...shared, mean: reshape(out.head, [rows, D]), logStd: reshape(spread, [rows, D]) };
}

/** Slopes of the surprise at `action`, what an attack climbs: output `slope` [B, A, O], inputs as of an acting step in use. */
export function surpriseSlope(g: Graph, net: TeamNetwork, meta: EnvMeta, teams: number): { readonly [name: string]: Tensor } {
  const { agentCount: A, obsSize: O } = meta;
  const out = actingStep(g, net, meta, teams, false);
  const surprise =
    out.logits === undefined
      ? sum(square(sub(out.mean!, g.input('action', [teams * A, meta.actionSize]))))
      : neg(sum(pick(out.logProbs!, g.input('action', [teams * A]))));
  const [slope] = gradients(surprise, [g.input('obs', [teams, A, O])]);
  return { slope: slope ?? g.constant(new Float32Array(teams * A * O), [teams, A, O]) };
}

/** The loss and its parts over U teams x L steps. */
export function teamLoss(
  g: Graph,
  net: TeamNetwork,
  meta: EnvMeta,
  teams: number,
  steps: number,
  options: TeamLossOptions,
): { readonly [name: string]: Tensor } {
  const { agentCount: A, actionCount: N, actionSize: D, obsSize: O } = meta;
  const { stateSize: S, noiseSize: Z } = net;
  const rows = steps * teams * A;
  const discrete = N > 0;
  const obs = g.input('obs', [steps, teams * A, O]);
  const noise = stepInput(g, 'noise', [steps, teams * A, Z], Z > 0);
  const starts = stepInput(g, 'starts', [steps, teams], S > 0 && steps > 1);
  const gate = g.constant(new Float32Array(teams * A).fill(options.silent ? 0 : 1), [teams, A]);
  const at = (x: Tensor, l: number): Tensor => reshape(sliceAxis(x, 0, l, 1), [teams, A, -1]);

  let state = stepInput(g, 'state', [teams, A, S], S > 0);
  const heads: Tensor[] = [];
  const values: Tensor[] = [];
  for (let l = 0; l < steps; l++) {
    if (state && starts && l > 0) state = mul(state, reshape(sub(1, sliceAxis(starts, 0, l, 1)), [teams, 1, 1]));
    const out = net.apply({ obs: at(obs, l), gate, ...(state && { state }), ...(noise && { noise: at(noise, l) }) }, true);
    heads.push(reshape(out.head, [teams * A, -1]));
    values.push(reshape(out.value, [teams * A]));
    state = out.state;
  }
  const head = concat(heads, 0);
  const value = concat(values, 0);

  const row = (name: string): Tensor => g.input(name, [rows]);
  let logProb: Tensor;
  let entropy: Tensor; // [rows]
  if (discrete) {
    const mask = stepInput(g, 'mask', [rows, N], meta.masked);
    const logp = logSoftmax(legal(head, mask));
    logProb = pick(logp, row('action'));
    entropy = neg(sum(mul(exp(logp), logp), -1));
  } else {
    const used = g.constant(usedNumbers(meta, net), [1, A, D]);
    const spread = reshape(net.logStd(g), [1, A, D]);
    const action = reshape(g.input('action', [rows, D]), [steps * teams, A, D]);
    const z = mul(sub(action, reshape(head, [steps * teams, A, D])), exp(neg(spread)));
    const density = add(mul(square(z), 0.5), add(spread, HALF_LOG_TWO_PI));
    logProb = reshape(neg(sum(mul(density, used), -1)), [rows]);
    const own = sum(mul(add(spread, HALF_LOG_TWO_PI + 0.5), used), -1); // [1, A]
    entropy = reshape(broadcastTo(own, [steps * teams, A]), [rows]);
  }
  const alive = row('alive');
  const advantage = options.normaliseAdvantages ? standardise(row('advantage'), 1, 1e-8) : row('advantage');
  const clip = g.input('clip', [1]);
  const policy = clippedSurrogate(logProb, row('oldLogProb'), advantage, clip, (x) => weightedMean(x, alive));
  const error = clippedValueError(value, row('oldValue'), row('target'), options.clipValue ? clip : null, null);
  const valueTerm = weightedMean(error, alive);
  const surprise = weightedMean(entropy, alive);
  const weighted = sub(mul(g.input('valueCoef', [1]), valueTerm), mul(g.input('entropyCoef', [1]), surprise));
  return {
    loss: reshape(add(policy.loss, weighted), []),
    policyLoss: policy.loss,
    valueLoss: valueTerm,
    entropy: surprise,
    approxKl: policy.kl,
    clipFraction: policy.clipFraction,
  };
}
