/**
 * Networks and programs of IQL, VDN and QMIX. A minibatch is M pieces of L steps, time first: obs [L + 1, M, A * O + G] (G: the global
 * state, behind the observations), action [L, M, A], reward [L, M, K], filled and goesOn [L, M]. A team has one reward (K = 1).
 */
import { abs, add, broadcastTo, mul, pick, reshape, sliceAxis, stopGradient, sub } from '#core/engine/ops.ts';
import type { Engine, Graph, Optimiser, ParamGroup, Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { type ParameterSharing, shareNetworks } from '../../lib/sharing.ts';
import { halfSquares, maskedMean, nextValue } from '../../lib/targets.ts';
import type { Mixer } from './mixing.ts';
import type { ReplayedConfig } from './replayed-config.ts';
import { maskActions, type TeamQ, teamQ } from './team-q.ts';

/** How the agents' values become what is trained. */
export interface Mixing<C> {
  /** Makes the joint value's network: values [R, A] and state [R, S] -> [R]. null: every agent by itself, on its own reward. */
  readonly joint: ((group: ParamGroup, rng: Rng, sizes: { readonly agents: number; readonly stateSize: number }, c: C) => Mixer) | null;
}

export interface Networks {
  readonly engine: Engine;
  readonly sharing: ParameterSharing;
  readonly online: ParamGroup;
  readonly target: ParamGroup;
  readonly q: TeamQ;
  readonly slow: TeamQ;
  readonly mix: Mixer | null;
  readonly slowMix: Mixer | null;
}

/** Steps of a piece. */
export const sequenceLength = (c: ReplayedConfig): number => (c.recurrent ? c.sequence : 1);

/** Groups of parameters are called `<prefix>q` and `<prefix>target`, so that several learners may share an engine. */
export function networks<C extends ReplayedConfig>(
  engine: Engine,
  meta: EnvMeta,
  c: C,
  mixing: Mixing<C>,
  rng: Rng,
  prefix = '',
): Networks {
  const { agentCount: A, obsSize: O, globalSize: G } = meta;
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const options = { hidden: c.hidden, memory: c.recurrent ? c.memoryUnits : 0 };
  const online = engine.group(`${prefix}q`);
  const target = engine.group(`${prefix}target`);
  const any = Rng.from(0); // the target is overwritten by a copy before its first use
  const sizes = { agents: A, stateSize: G > 0 ? G : A * O };
  return {
    engine,
    sharing,
    online,
    target,
    q: teamQ(online, rng, meta, sharing, options),
    slow: teamQ(target, any, meta, sharing, options),
    mix: mixing.joint?.(online, rng, sizes, c) ?? null,
    slowMix: mixing.joint?.(target, any, sizes, c) ?? null,
  };
}

/** q [B, A, N], illegal actions at -1e8, and the memories after the step. */
export function compileActor(engine: Engine, { q }: Networks, meta: EnvMeta, rows: number): Program {
  const { agentCount: A, obsSize: O } = meta;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const state = q.stateSize > 0 ? g.input('state', [rows, A, q.stateSize]) : null;
    const after = q.step(g.input('obs', [rows, A, O]), state);
    const out = { q: maskActions(after.q, meta) };
    return after.state === null ? out : { ...out, state: after.state };
  };
  return engine.compile(build, { name: 'team act' });
}

export function compileLearner(engine: Engine, nets: Networks, meta: EnvMeta, c: ReplayedConfig, optimiser: Optimiser): Program {
  const { agentCount: A, obsSize: O, globalSize: G } = meta;
  const [L, M] = [sequenceLength(c), c.batchSize];
  const team = nets.mix !== null;
  const K = team ? 1 : A;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const rows = g.input('obs', [L + 1, M, A * O + G]);
    const obs = reshape(sliceAxis(rows, 2, 0, A * O), [L + 1, M, A, O]);
    const states = G > 0 ? sliceAxis(rows, 2, A * O, G) : rows; // all observations together are the state where there is no other
    const first = (x: Tensor): Tensor => sliceAxis(x, 0, 0, L);
    const later = (x: Tensor): Tensor => sliceAxis(x, 0, 1, L);
    const mixed = (mixer: Mixer, values: Tensor, state: Tensor): Tensor =>
      reshape(mixer(reshape(values, [L * M, A]), reshape(state, [L * M, state.shape[2]!])), [L, M, 1]);

    const q = nets.q.sequence(obs);
    const slow = later(maskActions(nets.slow.sequence(obs), meta));
    const next = nextValue(slow, c.double ? later(maskActions(q, meta)) : null); // [L, M, A]
    const chosen = pick(first(q), g.input('action', [L, M, A]));
    const value = nets.mix === null ? chosen : mixed(nets.mix, chosen, first(states));
    const future = nets.slowMix === null ? next : mixed(nets.slowMix, next, later(states));
    const discount = mul(g.input('gamma', [1]), reshape(g.input('goesOn', [L, M]), [L, M, 1]));
    const error = sub(value, stopGradient(add(g.input('reward', [L, M, K]), mul(discount, future))));
    const weight = broadcastTo(reshape(g.input('filled', [L, M]), [L, M, 1]), [L, M, K]);
    return { loss: halfSquares(error, weight), errorMean: maskedMean(abs(error), weight), qMean: maskedMean(value, weight) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.online, with: optimiser, maxGradNorm: c.maxGradNorm, name: 'team learn' });
}
