/** A policy without a critic on what a world shows, and its programs: acting, one update, and the policy that others ask. */
import type { Saved } from '#contract/run/events.ts';
import { logSoftmax, mul, neg, reshape, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { categoricalEntropy, categoricalLogProb, maskLogits } from '#core/nets/heads.ts';
import { mlp } from '#core/nets/mlp.ts';
import { loadGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import type { ExtendedPrograms } from '../../api/standing.ts';
import type { Policy, PolicyContext } from '../../api/types.ts';
import { type NetworkInputs, networkPolicy } from '../../lib/network-policy.ts';
import { policyLoss } from './policy-loss.ts';

export interface WorldNetwork {
  readonly group: ParamGroup;
  inputs(rows: number): { readonly obs: readonly [number, number]; readonly mask: readonly [number, number] | null };
  /** [rows, N]; forbidden actions -1e8. */
  logits(x: NetworkInputs, g: Graph): Tensor;
}

export function worldNetwork(engine: Engine, meta: EnvMeta, hidden: readonly number[], rng: Rng): WorldNetwork {
  const space = meta.agents[0]!.obs;
  const group = engine.group('policy');
  const net = mlp(group, 'actor', rng, [encodedSize(space), ...hidden, meta.actionCount], { outGain: 0.01 });
  return {
    group,
    inputs: (rows) => ({ obs: [rows, meta.obsSize], mask: meta.masked ? [rows, meta.actionCount] : null }),
    logits({ obs, mask }, g) {
      const logits = net(encode(g, obs, space));
      return mask === undefined ? logits : maskLogits(logits, mask);
    },
  };
}

/** ln p of every action, from the kernels of the update: its first ratio is then exactly 1. */
export const compileWorldActor = (engine: Engine, net: WorldNetwork, rows: number) =>
  engine.compile(net.inputs(rows), (x, g) => ({ logProbs: logSoftmax(net.logits(x, g)) }), { name: 'group act' });

export const compileWorldPolicy = (engine: Engine, net: WorldNetwork, rows: number) =>
  engine.compile(net.inputs(rows), (x, g) => ({ logits: net.logits(x, g) }), { name: 'policy' });

/**
 * One update on `rows` steps: clipped ratios and an entropy bonus (policy-loss.ts), each step weighing `weight`, 0 where there is none. Extensions
 * may add to the loss, and get the entropies [rows].
 */
export function compileWorldLearner(
  engine: Engine,
  net: WorldNetwork,
  c: { readonly preserve: boolean; readonly maxGradNorm: number },
  rows: number,
  added: ExtendedPrograms,
) {
  return engine.compile(
    {
      ...net.inputs(rows),
      action: [rows],
      old: [rows],
      advantage: [rows],
      present: [rows],
      weight: [rows],
      low: [1],
      high: [1],
      entropyCoef: [1],
      ...added.inputs('policy'),
    },
    (x, g) => {
      const logits = net.logits(x, g);
      const entropy = categoricalEntropy(logits);
      const { old, advantage, present: mask, weight, low, high, entropyCoef } = x;
      const found = policyLoss(
        { logProb: categoricalLogProb(logits, x.action), old, entropy, advantage, mask, weight, low, high, entropyCoef },
        { ratio: 'token', surrogate: 'clip', preserve: c.preserve },
      );
      const terms = { ...found, loss: reshape(found.loss, []), entropySum: sum(mul(entropy, mask)) };
      return added.join('policy', terms, x, g, { entropy });
    },
    { minimise: 'loss', group: net.group, with: adam(), maxGradNorm: c.maxGradNorm, name: 'group learn' },
  );
}

/** One update on `rows` demonstrated steps: the sum of -weight ln p of their actions. */
export const compileWorldCloner = (engine: Engine, net: WorldNetwork, c: { readonly maxGradNorm: number }, rows: number) =>
  engine.compile(
    { ...net.inputs(rows), action: [rows], weight: [rows] },
    (x, g) => ({ loss: reshape(neg(sum(mul(x.weight, categoricalLogProb(net.logits(x, g), x.action)))), []) }),
    { minimise: 'loss', group: net.group, with: adam(), maxGradNorm: c.maxGradNorm, name: 'group clone' },
  );

/** The policy of a snapshot that holds such a network as `net`. */
export async function savedWorldPolicy(
  { config, meta, makeEngine }: PolicyContext<{ readonly hidden: readonly number[] }>,
  saved: Saved,
): Promise<Policy> {
  const engine = await makeEngine();
  const net = worldNetwork(engine, meta, config.hidden, Rng.from(0));
  loadGroups(engine, { net: net.group }, saved);
  return networkPolicy({ meta, compile: (n) => compileWorldPolicy(engine, net, n), dispose: () => engine.dispose() });
}
