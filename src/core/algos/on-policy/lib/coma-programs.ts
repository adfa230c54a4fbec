/**
 * COMA's networks and programs (equations: coma.ts). Rows are [M, A * O] observations and [M, A] actions, weights and targets; every
 * program cuts out what each agent sees and does. A weight of 0 leaves out an agent that was not alive.
 */
import * as ops from '#core/engine/ops.ts';
import { concat, mul, reshape, sliceAxis, square, stack, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { categoricalEntropy, categoricalLogProb, maskLogits } from '#core/nets/heads.ts';
import { mlp, type Net } from '#core/nets/mlp.ts';
import { Rng } from '#math/rng.ts';
import * as joint from '../../lib/joint.ts';
import { encodedInputs, encodeRows, shareNetworks } from '../../lib/sharing.ts';
import type { ComaConfig } from './coma-config.ts';
import { counterfactual } from './counterfactual.ts';

export function networks(engine: Engine, meta: EnvMeta, c: ComaConfig, rng: Rng) {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const members = joint.membersOf(sharing);
  const actors = engine.group('actors');
  const critics = engine.group('critics');
  const targets = engine.group('targets');
  const policies = sharing.networks.map((n) => mlp(actors, n.name, rng, [encodedInputs(n), ...c.hidden, n.choices], { outGain: 0.01 }));
  const everything = joint.jointObsSize(members) + joint.jointActionSize(members);
  const judgesIn = (group: ParamGroup, from: Rng): Net[] =>
    sharing.networks.map((n) => {
      const own = members.length > 1 ? encodedSize(n.obs) + n.agents.length : 0;
      return mlp(group, n.name, from, [everything + own, ...c.criticHidden, n.choices], { act: 'relu', outGain: 1 });
    });
  return {
    sharing,
    members,
    actors,
    critics,
    targets,
    policies,
    judges: judgesIn(critics, rng),
    slowJudges: judgesIn(targets, Rng.from(0)),
  };
}
type Networks = ReturnType<typeof networks>;

/** Logits of one agent, masked ones -1e8: [M, choices]. */
function logitsOf(g: Graph, nets: Networks, member: joint.Member, obs: Tensor, meta: EnvMeta): Tensor {
  const logits = nets.policies[member.index]!(joint.ownRows(g, obs, member, meta));
  if (!meta.masked) return logits;
  return maskLogits(logits, joint.ownMask(g.input('mask', [obs.shape[0]!, meta.agentCount * meta.actionCount]), member, meta));
}

/** For every agent, what each of its actions would be worth while the others do what they did: [M, choices]. */
function valuesOf(g: Graph, judges: readonly Net[], nets: Networks, obs: Tensor, action: Tensor, meta: EnvMeta): Tensor[] {
  const M = obs.shape[0]!;
  const seen = joint.jointObs(g, obs, nets.members, meta);
  const done = joint.actionsOf(action, nets.members, meta);
  return nets.members.map((member) => {
    const { agent, network, place } = member;
    const others = done.map((a, other) => (other === agent ? g.constant(0, [M, network.choices]) : a));
    const rows = joint.side([seen, ...others]);
    if (nets.members.length === 1) return judges[member.index]!(rows);
    const own = encode(g, sliceAxis(obs, 1, agent * meta.obsSize, meta.obsSize), network.obs);
    return judges[member.index]!(joint.withNumber(g, concat([rows, own], 1), network.agents.length, place));
  });
}

const columnOf = (x: Tensor, i: number): Tensor => reshape(sliceAxis(x, 1, i, 1), [x.shape[0]!]);

export function compileActing(engine: Engine, nets: Networks, meta: EnvMeta, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = g.input('obs', [rows, meta.agentCount * meta.obsSize]);
    return Object.fromEntries(nets.members.map((member) => [`policy${member.agent}`, logitsOf(g, nets, member, obs, meta)]));
  };
  return engine.compile(build, { name: 'coma act' });
}

/** The target network's value of what each agent did: [rows, A]. */
export function compileValues(engine: Engine, nets: Networks, meta: EnvMeta, rows: number): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = g.input('obs', [rows, meta.agentCount * meta.obsSize]);
    const action = g.input('action', [rows, meta.agentCount]);
    const q = valuesOf(g, nets.slowJudges, nets, obs, action, meta);
    return {
      value: stack(
        q.map((x, i) => ops.pick(x, columnOf(action, i))),
        1,
      ),
    };
  };
  return engine.compile(build, { name: 'coma values' });
}

export function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, c: ComaConfig): Program {
  const M = (c.envs * c.rolloutSteps) / c.criticMinibatches;
  const A = meta.agentCount;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const action = g.input('action', [M, A]);
    const q = valuesOf(g, nets.judges, nets, g.input('obs', [M, A * meta.obsSize]), action, meta);
    const taken = stack(
      q.map((x, i) => ops.pick(x, columnOf(action, i))),
      1,
    ); // [M, A]
    const weight = g.input('weight', [M, A]);
    const count = ops.maximum(sum(weight), 1);
    const loss = ops.div(sum(mul(square(sub(taken, g.input('target', [M, A]))), weight)), count);
    return { loss, qMean: ops.div(sum(mul(taken, weight)), count) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.critics, with: adam(), maxGradNorm: c.maxGradNorm, name: 'coma critics' });
}

export function compileActors(engine: Engine, nets: Networks, meta: EnvMeta, c: ComaConfig): Program {
  const M = c.envs * c.rolloutSteps;
  const A = meta.agentCount;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const obs = g.input('obs', [M, A * meta.obsSize]);
    const action = g.input('action', [M, A]);
    const q = valuesOf(g, nets.judges, nets, obs, action, meta);
    const agents = nets.members.map((member, i) => {
      const logits = logitsOf(g, nets, member, obs, meta);
      const did = columnOf(action, i);
      const { advantage } = counterfactual(ops.softmax(logits), q[i]!, did);
      return { advantage: ops.stopGradient(advantage), logProb: categoricalLogProb(logits, did), entropy: categoricalEntropy(logits) };
    });
    const weight = g.input('weight', [M, A]);
    const average = (x: Tensor): Tensor => ops.div(sum(mul(x, weight)), ops.maximum(sum(weight), 1));
    const raw = stack(
      agents.map((a) => a.advantage),
      1,
    );
    const advantage = c.normaliseAdvantages ? ops.standardise(raw, 0, 1e-8) : raw;
    const policy = ops.neg(
      average(
        mul(
          advantage,
          stack(
            agents.map((a) => a.logProb),
            1,
          ),
        ),
      ),
    );
    const entropy = average(
      stack(
        agents.map((a) => a.entropy),
        1,
      ),
    );
    const loss = reshape(sub(policy, mul(entropy, g.input('entropyCoef', [1]))), []);
    return { loss, policyLoss: policy, entropy, advantage: average(ops.abs(raw)) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.actors, with: adam(), maxGradNorm: c.maxGradNorm, name: 'coma actors' });
}

export function compilePolicy(engine: Engine, nets: Networks, meta: EnvMeta, network: number, rows: number): Program {
  const shared = nets.sharing.networks[network]!;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const logits = nets.policies[network]!(encodeRows(g, g.input('obs', [rows, shared.inputs]), shared));
    return { logits: meta.masked ? maskLogits(logits, g.input('mask', [rows, shared.choices])) : logits };
  };
  return engine.compile(build, { name: 'coma policy' });
}
