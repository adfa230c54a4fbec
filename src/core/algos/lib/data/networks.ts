/**
 * Networks of methods that learn from recorded rows, all of ReLU layers with torch's initialisation, as in the methods' references; several
 * agents that are alike share them. Policies: logits of discrete actions, or one point of the box by a tanh. Action values: one head of N
 * values for discrete actions, else a network over observation and action.
 */
import type { Saved } from '#contract/run/events.ts';
import { concat, eq, mean, neg, pick, square, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { categoricalLogProb } from '#core/nets/heads.ts';
import { column, mlp } from '#core/nets/mlp.ts';
import { greedyAction } from '#core/nets/q-values.ts';
import { loadGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import type { Policy, PolicyContext } from '../../api/types.ts';
import { actionShape, boxPolicy } from '../box.ts';
import { networkPolicy } from '../network-policy.ts';

export interface DataActor {
  readonly group: ParamGroup;
  readonly discrete: boolean;
  /** Logits [M, N], or the action [M, D] in [-1, 1]. */
  head(g: Graph, obs: Tensor): Tensor;
  /** What a row costs whose recorded action is not the policy's, [M]: -ln pi(a | s), or the squared distance over the dimensions. */
  cost(head: Tensor, action: Tensor): Tensor;
  /** How well a row is repeated, [M]: 1 where the most probable action is the recorded one; of continuous actions minus their distance. */
  agreement(head: Tensor, action: Tensor): Tensor;
  compile(rows: number): ReturnType<typeof compileHead>;
  policy(dispose?: () => void): Policy;
}

/** How far what a network answers is from recorded actions. */
export function likeness(discrete: boolean): Pick<DataActor, 'cost' | 'agreement'> {
  const distance = (out: Tensor, action: Tensor): Tensor => sum(square(sub(out, action)), -1);
  return {
    cost: (out, action) => (discrete ? neg(categoricalLogProb(out, action)) : distance(out, action)),
    agreement: (out, action) => (discrete ? eq(greedyAction(out), action) : neg(distance(out, action))),
  };
}

function compileHead(engine: Engine, meta: EnvMeta, rows: number, head: DataActor['head']) {
  return engine.compile(
    { obs: [rows, meta.obsSize] },
    ({ obs }, g) => (meta.actionCount > 0 ? { logits: head(g, obs) } : { mean: head(g, obs) }),
    {
      name: 'policy',
    },
  );
}

/** `rng` draws the first weights. `normalise` maps encoded observations to what the network reads. */
export function dataActor(
  engine: Engine,
  meta: EnvMeta,
  hidden: readonly number[],
  rng: Rng,
  normalise: (g: Graph, x: Tensor) => Tensor = (_, x) => x,
  name = 'actor',
): DataActor {
  const space = meta.agents[0]!.obs;
  const discrete = meta.actionCount > 0;
  const group = engine.group(name);
  const sizes = [encodedSize(space), ...hidden, discrete ? meta.actionCount : meta.actionSize];
  const net = mlp(group, 'actor', rng, sizes, { act: 'relu', init: 'torch', ...(!discrete && { outAct: 'tanh' }) });
  const head: DataActor['head'] = (g, obs) => net(normalise(g, encode(g, obs, space)));
  const compile = (rows: number) => compileHead(engine, meta, rows, head);
  return {
    group,
    discrete,
    head,
    ...likeness(discrete),
    compile,
    policy: (dispose) =>
      discrete ? networkPolicy({ meta, compile, ...(dispose && { dispose }) }) : boxPolicy({ meta, compile, ...(dispose && { dispose }) }),
  };
}

/** One update of cloning on `rows` recorded rows: their mean cost, and how well they are repeated. */
export const compileCloning = (engine: Engine, actor: DataActor, meta: EnvMeta, rows: number) =>
  engine.compile(
    { obs: [rows, meta.obsSize], action: actionShape(meta, rows) },
    (x, g) => {
      const head = actor.head(g, x.obs);
      return { loss: mean(actor.cost(head, x.action)), agreement: mean(actor.agreement(head, x.action)) };
    },
    { minimise: 'loss', group: actor.group, with: adam(), name: 'cloning' },
  );

/** The policy of a snapshot that holds such an actor as `actor`. */
export async function savedActor(
  { config, meta, makeEngine }: PolicyContext<{ readonly hidden: readonly number[] }>,
  saved: Saved,
): Promise<Policy> {
  const engine = await makeEngine();
  const actor = dataActor(engine, meta, config.hidden, Rng.from(0));
  loadGroups(engine, { actor: actor.group }, saved);
  return actor.policy(() => engine.dispose());
}

export interface DataCritic {
  /** Of all discrete actions, [M, N]. Continuous ones have no such list: throws Error. */
  all(g: Graph, obs: Tensor): Tensor;
  /** Q(s, a) [M] of recorded actions. */
  of(g: Graph, obs: Tensor, action: Tensor): Tensor;
  /** [M] of what a policy does whose head is [M, N] logits or [M, D] actions: the most probable one. */
  greedy(g: Graph, obs: Tensor, head: Tensor): Tensor;
}

/** `normalise` maps encoded observations to what the network reads. */
export function dataCritic(
  group: ParamGroup,
  name: string,
  rng: Rng,
  meta: EnvMeta,
  hidden: readonly number[],
  normalise: (g: Graph, x: Tensor) => Tensor = (_, x) => x,
): DataCritic {
  const space = meta.agents[0]!.obs;
  const discrete = meta.actionCount > 0;
  const inputs = encodedSize(space) + (discrete ? 0 : meta.actionSize);
  const net = mlp(group, name, rng, [inputs, ...hidden, discrete ? meta.actionCount : 1], { act: 'relu', init: 'torch' });
  const features = (g: Graph, obs: Tensor): Tensor => normalise(g, encode(g, obs, space));
  const all: DataCritic['all'] = (g, obs) => {
    if (!discrete) throw new Error('continuous actions cannot be listed');
    return net(features(g, obs));
  };
  const of: DataCritic['of'] = (g, obs, action) =>
    discrete ? pick(all(g, obs), action) : column(net(concat([features(g, obs), action], 1)));
  return { all, of, greedy: (g, obs, head) => of(g, obs, discrete ? greedyAction(head) : head) };
}

/** Two that differ in their first weights only. */
export const dataCritics = (...args: Parameters<typeof dataCritic>): readonly [DataCritic, DataCritic] => {
  const [group, name, ...rest] = args;
  return [dataCritic(group, `${name}1`, ...rest), dataCritic(group, `${name}2`, ...rest)];
};
