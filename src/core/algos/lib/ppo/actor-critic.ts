/**
 * Policy and value networks on any observation: grid codes become one-hot, everything else passes as it is. Discrete actions get
 * logits (masked ones -1e8), continuous ones the mean of a Gaussian whose log-deviation is a free parameter, 0 at the start.
 */
import type { Activation } from '#core/engine/ops.ts';
import { broadcastTo, logSoftmax } from '#core/engine/ops.ts';
import type { Engine, Graph, ParamGroup, Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { maskLogits } from '#core/nets/heads.ts';
import { zeros } from '#core/nets/init.ts';
import { actorCritic } from '#core/nets/mlp.ts';
import type { Rng } from '#math/rng.ts';

export interface PolicyNetwork {
  readonly group: ParamGroup;
  readonly discrete: boolean;
  /** From the inputs `obs` and `mask` of this program. */
  apply(g: Graph, rows: number): { readonly head: Tensor; readonly value: Tensor };
  /** [D] continuous actions only. */
  logStd(g: Graph): Tensor;
  /** What a policy needs at this many rows: see network-policy.ts. */
  outputs(g: Graph, rows: number): { readonly [name: string]: Tensor };
}

export function policyNetwork(
  engine: Engine,
  meta: EnvMeta,
  options: { readonly hidden: readonly number[]; readonly activation: Activation; readonly sharedTrunk: boolean },
  rng: Rng,
): PolicyNetwork {
  const space = meta.agents[0]!.obs;
  const discrete = meta.actionCount > 0;
  const group = engine.group('policy');
  const net = actorCritic(group, rng, {
    inputs: encodedSize(space),
    outputs: discrete ? meta.actionCount : meta.actionSize,
    hidden: options.hidden,
    act: options.activation,
    shared: options.sharedTrunk,
  });
  const spread = discrete ? undefined : group.param('logStd', [meta.actionSize], zeros(meta.actionSize));
  const apply: PolicyNetwork['apply'] = (g, rows) => {
    const { policy, value } = net(encode(g, g.input('obs', [rows, meta.obsSize]), space));
    const head = meta.masked ? maskLogits(policy, g.input('mask', [rows, meta.actionCount])) : policy;
    return { head, value };
  };
  const logStd = (g: Graph): Tensor => {
    if (spread === undefined) throw new Error('Discrete policies have no deviation.');
    return g.read(spread);
  };
  return {
    group,
    discrete,
    apply,
    logStd,
    outputs(g, rows) {
      const { head, value } = apply(g, rows);
      if (discrete) return { logits: head, value };
      return { mean: head, logStd: broadcastTo(logStd(g), head.shape), value };
    },
  };
}

/** Acting also wants ln p of every action, from the same kernels as the update: its first ratio is then exactly 1. */
export function compileActor(engine: Engine, net: PolicyNetwork, rows: number, name: string): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const out = net.outputs(g, rows);
    return out.logits === undefined ? out : { ...out, logProbs: logSoftmax(out.logits) };
  };
  return engine.compile(build, { name });
}
