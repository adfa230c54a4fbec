/**
 * MADDPG's networks and programs (equations: maddpg.ts). Rows are [M, A * O] observations, [M, A * D] actions and [M, A] rewards as the
 * replay memory keeps them; every program cuts out what each agent sees and does.
 */
import { add, mean, mul, neg, reshape, sliceAxis, square, sub, tanh } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { maskLogits } from '#core/nets/heads.ts';
import { column, mlp, type Net } from '#core/nets/mlp.ts';
import { log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import * as joint from '../../lib/joint.ts';
import { encodedInputs, encodeRows, type SharedNetwork, shareNetworks } from '../../lib/sharing.ts';
import { boxOf } from './box.ts';
import { bootstrapped } from './losses.ts';
import type { MaddpgConfig } from './maddpg-config.ts';
import { gumbelNoise } from './noise.ts';
import { gumbelSoftmax, hardened, straightThrough } from './relaxed.ts';

export function team(engine: Engine, meta: EnvMeta, c: MaddpgConfig, rng: Rng) {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const members = joint.membersOf(sharing);
  const width = joint.jointObsSize(members) + joint.jointActionSize(members);
  const numbers = ({ agents }: SharedNetwork): number => (agents.length > 1 ? agents.length : 0);
  const layers = { act: 'relu', init: 'torch' } as const;
  const actorsIn = (group: ParamGroup, from: Rng): Net[] =>
    sharing.networks.map((n) => mlp(group, n.name, from, [encodedInputs(n), ...c.hidden, joint.actionColumns(n)], layers));
  const criticsIn = (group: ParamGroup, from: Rng): Net[] =>
    sharing.networks.map((n) => mlp(group, n.name, from, [width + numbers(n), ...c.hidden, 1], layers));
  const groups = {
    actors: engine.group('actors'),
    critics: engine.group('critics'),
    actorTargets: engine.group('actorTargets'),
    criticTargets: engine.group('criticTargets'),
  };
  return {
    ...groups,
    sharing,
    members,
    policies: actorsIn(groups.actors, rng),
    judges: criticsIn(groups.critics, rng),
    // Overwritten by copies before their first use.
    slowPolicies: actorsIn(groups.actorTargets, Rng.from(0)),
    slowJudges: criticsIn(groups.criticTargets, Rng.from(0)),
    /** Q of one agent from everybody's observations and actions: [M]. */
    value(g: Graph, judge: Net, member: joint.Member, rows: Tensor): Tensor {
      const count = numbers(member.network);
      return column(judge(count === 0 ? rows : joint.withNumber(g, rows, count, member.place)));
    },
  };
}
type Team = ReturnType<typeof team>;

/** An agent's raw outputs: logits (masked ones -1e8) or what a tanh squashes. `noise` is the input for its uniform numbers. */
function outputsOf(g: Graph, nets: readonly Net[], member: joint.Member, obs: Tensor, mask: Tensor | null, meta: EnvMeta): Tensor {
  const raw = nets[member.index]!(joint.ownRows(g, obs, member, meta));
  return mask === null || !member.network.discrete ? raw : maskLogits(raw, joint.ownMask(mask, member, meta));
}

/** Gumbel noise for one agent of the input `uniform` [M, A * N]. */
const gumbelFor = (g: Graph, { agent, network }: joint.Member, meta: EnvMeta, rows: number): Tensor =>
  gumbelNoise(sliceAxis(g.input('uniform', [rows, meta.agentCount * meta.actionCount]), 1, agent * meta.actionCount, network.choices));

export function compileCritics(engine: Engine, t: Team, meta: EnvMeta, c: MaddpgConfig): Program {
  const M = c.batchSize;
  const { agentCount: A, obsSize: O, actionSize: D, actionCount: N } = meta;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const nextObs = g.input('nextObs', [M, A * O]);
    const nextMask = meta.masked ? g.input('nextMask', [M, A * N]) : null;
    const nextActions = t.members.map((member) => {
      const out = outputsOf(g, t.slowPolicies, member, nextObs, nextMask, meta);
      return member.network.discrete ? hardened(add(out, gumbelFor(g, member, meta, M))) : tanh(out);
    });
    const next = joint.side([joint.jointObs(g, nextObs, t.members, meta), ...nextActions]);
    const actions = joint.actionsOf(g.input('action', [M, A * D]), t.members, meta);
    const now = joint.side([joint.jointObs(g, g.input('obs', [M, A * O]), t.members, meta), ...actions]);
    const rewards = g.input('reward', [M, A]);
    const values = t.members.map((member) => {
      const y = bootstrapped(
        reshape(sliceAxis(rewards, 1, member.agent, 1), [M]),
        g.input('discount', [M]),
        t.value(g, t.slowJudges[member.index]!, member, next),
      );
      const q = t.value(g, t.judges[member.index]!, member, now);
      return { loss: mean(square(sub(q, y))), q: mean(q) };
    });
    const total = values.map(({ loss }) => loss).reduce((a, b) => add(a, b));
    return {
      loss: total,
      qMean: mul(
        values.map(({ q }) => q).reduce((a, b) => add(a, b)),
        1 / A,
      ),
    };
  };
  return engine.compile(build, {
    minimise: 'loss',
    group: t.critics,
    with: adam(),
    maxGradNorm: c.maxGradNorm,
    name: 'maddpg critics',
  });
}

export function compileActors(engine: Engine, t: Team, meta: EnvMeta, c: MaddpgConfig): Program {
  const M = c.batchSize;
  const { agentCount: A, obsSize: O, actionSize: D, actionCount: N } = meta;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = g.input('obs', [M, A * O]);
    const mask = meta.masked ? g.input('mask', [M, A * N]) : null;
    const replayed = joint.actionsOf(g.input('action', [M, A * D]), t.members, meta);
    const seen = joint.jointObs(g, obs, t.members, meta);
    const losses = t.members.map((member) => {
      const raw = outputsOf(g, t.policies, member, obs, null, meta);
      const out = mask !== null && member.network.discrete ? maskLogits(raw, joint.ownMask(mask, member, meta)) : raw;
      const own = member.network.discrete ? straightThrough(gumbelSoftmax(out, gumbelFor(g, member, meta, M), c.relaxation)) : tanh(out);
      const actions = replayed.map((action, agent) => (agent === member.agent ? own : action));
      const value = mean(t.value(g, t.judges[member.index]!, member, joint.side([seen, ...actions])));
      return { climb: neg(value), penalty: mean(square(raw)) };
    });
    const climb = losses.map((l) => l.climb).reduce((a, b) => add(a, b));
    const penalty = losses.map((l) => l.penalty).reduce((a, b) => add(a, b));
    return { loss: reshape(add(climb, mul(penalty, g.input('logitPenalty', [1]))), []), climb: mul(climb, 1 / A) };
  };
  return engine.compile(build, { minimise: 'loss', group: t.actors, with: adam(), maxGradNorm: c.maxGradNorm, name: 'maddpg actors' });
}

/** Everybody's logits or squashed means, `policy0`, `policy1`, ... by agent. */
export function compileActing(engine: Engine, t: Team, meta: EnvMeta, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = g.input('obs', [rows, meta.agentCount * meta.obsSize]);
    const mask = meta.masked ? g.input('mask', [rows, meta.agentCount * meta.actionCount]) : null;
    return Object.fromEntries(
      t.members.map((member) => {
        const out = outputsOf(g, t.policies, member, obs, mask, meta);
        return [`policy${member.agent}`, member.network.discrete ? out : tanh(out)];
      }),
    );
  };
  return engine.compile(build, { name: 'maddpg act' });
}

/** One network's rows for team-policy.ts: logits, or mean and log-deviation in the environment's units. */
export function compilePolicy(engine: Engine, t: Team, meta: EnvMeta, network: number, rows: number, noise: number): Program {
  const shared = t.sharing.networks[network]!;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const out = t.policies[network]!(encodeRows(g, g.input('obs', [rows, shared.inputs]), shared));
    if (shared.discrete) return { logits: meta.masked ? maskLogits(out, g.input('mask', [rows, shared.choices])) : out };
    const { centre, half } = boxOf(meta);
    const at = shared.agents[0]! * meta.actionSize;
    const wide = half.slice(at, at + shared.actionWidth);
    const spread = Float32Array.from({ length: rows * wide.length }, (_, i) => log(Math.max(1e-6, noise * wide[i % wide.length]!)));
    return {
      mean: add(mul(tanh(out), g.constant(wide, [wide.length])), g.constant(centre.slice(at, at + wide.length), [wide.length])),
      logStd: g.constant(spread, [rows, wide.length]),
    };
  };
  return engine.compile(build, { name: 'maddpg policy' });
}
