/**
 * One adversary in a team (after AMI: Li et al. 2025). First a team learns to cooperate (PPO, one critic that reads all observations). Then
 * it is frozen, and one of its agents is replaced by a learner of its own, which sees what that agent sees and is rewarded with the
 * negative mean reward of the others. What evaluations measure is the team's return with that agent: learned, acting at random, or as it
 * was.
 *   r_k = influenceCoef I - mean over i != k of r_i,   k: the adversary
 *   I = mean over i != k of KL(p_i(. | a_k) || mean over legal b of p_i(. | b)),   p_i(. | b): what i does next if k does b
 * `influenceCoef` adds its one-way influence on what they do next to that reward: of any change (games/lib/one-way.ts), for which their
 * policies are asked, or G in place of I, how far it leads each to a target action that a second policy names (games/lib/targets.ts), for
 * which nothing is asked: a model of what they do next is fitted to what they did. Any change needs actions from a list; targets take numbers too.
 * Differs: the authors' code pays what the model gives the named action in the mean over ten draws of the adversary's policy; here G is
 * what its own action adds to all its legal ones alike, or to ten drawn evenly. There the second policy is credited for the actions it named (`credit: 'named'`).
 * Pseudo-code:
 *   for the share teamShare of the budget, all agents: PPO with GAE(lambda) on own or shared rewards
 *   attack is none: stop here; random: stop here, agent k acts at random in evaluations
 *   freeze the team; make a new actor for agent k, and a critic that reads all observations
 *   repeat until the budget is spent
 *     for each of T steps of B environments
 *       k draws from its actor, which sees o_k; the others draw from the frozen team
 *       any change, influenceCoef > 0: step copies of the world once for every action of k, and ask the others: I
 *       targets: the oracle names an action for each of the others; the model says G
 *       r_k = influenceCoef (I or G) - mean reward of the others
 *     targets: fit the model to what the others did next, by cross entropy or squared error, for each epoch and shuffled minibatch
 *       advantages of the mean loss of the others by GAE(lambda) with the oracle's critic, which reads all observations
 *       for each epoch, for each shuffled minibatch: ascend the oracle's clipped objective and entropy, over the actions the others took
 *         next (credit is named: over those it named), each with the advantage of that next step; descend its value loss
 *     advantages of k by GAE(lambda), targets = advantages + V
 *     for each epoch, for each shuffled minibatch
 *       ascend the clipped objective and the entropy bonus of k alone; descend its value loss
 */

import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { writeParams } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { broadcastTo, concat, reshape, sliceAxis, stopGradient } from '../../engine/ops.ts';
import type { Engine, ParamGroup, Tensor } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { encode, encodedSize } from '../../nets/encoder.ts';
import { zeros } from '../../nets/init.ts';
import { mlp } from '../../nets/mlp.ts';
import { joinSaved, partOf } from '../../state/saved.ts';
import { defineAlgo } from '../api/define.ts';
import type { Policy, Progress } from '../api/types.ts';
import { teamExtensionsOf } from '../extensions/index.ts';
import { type CommsConfig, checkTeam, commsFields, commsMetrics, type Phase, trainTeam } from '../lib/messages/learner.ts';
import { actionHeads, body, pooledCritic, seenBy, type TeamNetwork } from '../lib/messages/networks.ts';
import { communicatingPolicy } from '../lib/messages/policy.ts';
import { randomPolicy } from '../lib/random-policy.ts';
import { encodedInputs, shareNetworks } from '../lib/sharing.ts';
import { createForesight } from './lib/one-way.ts';
import { createTargets, type Targets } from './lib/targets.ts';

const config = z.strictObject({
  attack: z.enum(['learned', 'random', 'none']).default('learned').meta({
    title: 'attack',
    description: 'Learns to harm the others, acts at random, or stays a member of the team.',
    source: 'Li et al. 2025',
    depth: 'teach',
    group: 'attack',
  }),
  agent: z.int().min(0).max(255).default(0).meta({
    title: 'replaced agent',
    description: 'Index of the agent that is replaced, from 0.',
    depth: 'teach',
    group: 'attack',
  }),
  teamShare: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.5)
    .meta({
      title: 'team training fraction',
      description: 'Share of the steps in which the team learns, before it is frozen; the rest is the adversary’s.',
      source: 'own choice',
      slider: [0.2, 0.8],
      depth: 'stored',
      group: 'attack',
    }),
  influenceCoef: z
    .number()
    .min(0)
    .max(1000)
    .default(0)
    .meta({
      title: 'influence reward weight',
      description: 'Weight of how far its action moves what the others do next, beside their loss; any change needs discrete actions.',
      source: 'Li et al. 2025; off, since changes of mind alone need not harm: on spread they cost the team less than their loss alone',
      slider: [0, 5],
      group: 'attack',
    }),
  influence: variant(
    'any change',
    [
      kind('any change', {}),
      kind('targets', {
        credit: z.enum(['taken', 'named']).default('taken').meta({
          title: 'credit of targets',
          description: 'Targets are learned from the actions that the others took, or from those that were named but not taken.',
          source: 'own choice; named in the authors’ code',
          depth: 'research',
          group: 'attack',
        }),
      }),
    ],
    {
      title: 'rewarded influence',
      description: 'Any change of what the others do next, or how far it leads each of them to an action that a second policy names.',
      source: 'Li et al. 2025: targets',
      group: 'attack',
    },
  ),
  ...commsFields,
});
type Config = z.infer<typeof config>;

/** Teams here do not communicate. */
const silent = (c: Config): CommsConfig => ({ ...c, channel: 'silent' });

function teamNetwork(engine: Engine, meta: EnvMeta, c: Config, rng: Rng): TeamNetwork {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const group = engine.group('team');
  const think = body(group, 'think', rng, sharing, encodedInputs, c.width);
  const heads = actionHeads(group, rng, sharing, meta, c.width);
  const critic = pooledCritic(group, rng, sharing, c.width);
  return {
    group,
    sharing,
    messageSize: 0,
    stateSize: 0,
    noiseSize: 0,
    logStd: heads.logStd,
    apply({ obs }) {
      const seen = seenBy(obs, sharing);
      const head = heads.head(think(seen));
      return { head, value: critic(seen), messages: head };
    },
  };
}

/** The team with one of them replaced: only the adversary's parameters learn. */
function attackedNetwork(engine: Engine, meta: EnvMeta, c: Config, rng: Rng): TeamNetwork & { readonly frozen: ParamGroup } {
  const team = teamNetwork(engine, meta, c, rng.split('team'));
  const group = engine.group('adversary');
  const { agentCount: A } = meta;
  const own = team.sharing.networks[team.sharing.agentToNetwork[c.agent]!]!;
  const wide = meta.actionCount > 0 ? meta.actionCount : meta.actionSize;
  const narrow = own.discrete ? own.choices : own.actionWidth;
  const act = mlp(group, 'actor', rng, [encodedSize(own.obs), c.width, c.width, narrow], { outGain: 0.01 });
  const critic = mlp(group, 'critic', rng, [A * meta.obsSize, 2 * c.width, c.width, 1], { outGain: 1 });
  const spread = own.discrete ? undefined : group.param('logStd', [narrow], zeros(narrow));
  const padded = (x: Tensor, by: number): Tensor =>
    narrow === wide ? x : concat([x, broadcastTo(x.graph.constant(by), [...x.shape.slice(0, -1), wide - narrow])], -1);
  /** [.., A, X] with the adversary's row in its place. */
  const among = (all: Tensor, one: Tensor, axis: number): Tensor => {
    const before = c.agent === 0 ? [] : [sliceAxis(all, axis, 0, c.agent)];
    const after = c.agent === A - 1 ? [] : [sliceAxis(all, axis, c.agent + 1, A - 1 - c.agent)];
    return concat([...before, one, ...after], axis);
  };
  return {
    ...team,
    group,
    frozen: team.group,
    logStd(g) {
      const others = team.logStd(g);
      return spread === undefined ? others : among(others, reshape(padded(g.read(spread), 0), [1, wide]), 0);
    },
    apply(inputs, noisy) {
      const { obs } = inputs;
      const teams = obs.shape[0]!;
      const frozen = stopGradient(team.apply(inputs, noisy).head);
      const view = reshape(sliceAxis(obs, 1, c.agent, 1), [teams, meta.obsSize]);
      const head = padded(act(encode(obs.graph, view, own.obs)), -1e8 * Number(own.discrete));
      const value = critic(reshape(obs, [teams, A * meta.obsSize]));
      return { head: among(frozen, reshape(head, [teams, 1, wide]), 1), value: broadcastTo(value, [teams, A]), messages: frozen };
    },
  };
}

/** The same team with one agent that acts at random. */
function withRandom(policy: Policy, meta: EnvMeta, agent: number): Policy {
  const random = randomPolicy(meta);
  const { actionSize: D } = meta;
  return {
    initial: (rows) => policy.initial(rows),
    async act(query) {
      const act = await policy.act(query);
      const drawn = await random.act(query);
      const actions = act.actions.slice();
      for (let row = 0; row < query.rows; row++)
        if (query.agent[row] === agent) actions.set(drawn.actions.subarray(row * D, (row + 1) * D), row * D);
      return { ...act, actions };
    },
    dispose: () => policy.dispose(),
  };
}

const extensions = teamExtensionsOf({ loop: 'team', networks: 'other', reward: 'own' });

export const adversary = defineAlgo<Config>({
  spec: {
    id: 'adversary',
    version: 2,
    changes: [
      {
        version: 2,
        what: 'The adversary’s advantages are standardised without those of the frozen team; returns end with an agent’s death.',
        rerun: true,
      },
    ],
    title: 'Adversarial teammate',
    summary: 'A team learns, is frozen, and one of its agents learns to harm the others.',
    source: {
      title: 'Attacking Cooperative Multi-Agent Reinforcement Learning by Adversarial Minority Influence',
      authors: 'Li et al.',
      year: 2025,
      url: 'https://arxiv.org/abs/2302.03322',
    },
    config,
    extensions,
    presets: [
      { id: 'random', title: 'one agent acts at random', config: { attack: 'random' } },
      { id: 'none', title: 'no agent is replaced', config: { attack: 'none' } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mpe-simple-spread', steps: 1024, config: { envs: 4, rolloutSteps: 16, width: 8 } },
    probes: [],
    metrics: [
      ...commsMetrics,
      {
        id: 'influence',
        title: 'influence',
        description: 'How far what the adversary does moves what the others do next, mean over them; measured while it is rewarded.',
        unit: 'nats',
      },
      {
        id: 'steering',
        title: 'steering to targets',
        description:
          'How much likelier than after any action of the adversary the others do what is named, by the learned model, or how much nearer to it they come, in shares of half of the range; 0: no more.',
      },
      {
        id: 'victimLoss',
        title: 'loss of the victim model',
        description:
          'Of what the others do next, in the last epoch: cross entropy, ln(number of actions) before anything is learned, or squared error where actions are numbers.',
      },
    ],
  },

  fits(meta, c) {
    checkTeam(meta, 'An adversary in a team', silent(c), 1);
    if (c.agent >= meta.agentCount) {
      throw fail('config-invalid', `There are agents 0 to ${meta.agentCount - 1}.`, 'Choose one of them.', 'algo.agent');
    }
    if (c.influenceCoef > 0 && meta.actionCount === 0 && c.influence.kind === 'any change') {
      const why = 'Any change is measured over a list of actions; here they are continuous.';
      throw fail('config-invalid', why, 'Choose targets, or set influenceCoef to 0.', 'algo.influence');
    }
    const sizes = new Set(meta.agents.map(({ action }) => (action.kind === 'box' ? action.size : 1)));
    if (c.influenceCoef > 0 && sizes.size > 1) {
      const why = 'Targets need actions of as many numbers for all; here they differ.';
      throw fail('config-invalid', why, 'Set influenceCoef to 0, or choose another environment.', 'algo.influence');
    }
    if (meta.agents.some(({ obs }) => obs.kind === 'grid')) {
      throw fail(
        'incompatible',
        'The adversary’s critic reads plain numbers; here agents see codes.',
        'Choose another environment.',
        'env.id',
      );
    }
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const A = meta.agentCount;
    const perUpdate = c.envs * c.rolloutSteps;
    const teamSteps = Math.max(1, Math.round((run.steps * c.teamShare) / perUpdate)) * perUpdate;
    const silentRun = { ...run, config: silent(c) };
    const marked = (progress: Progress, stage: string, dressed: (policy: Policy) => Policy): Progress => ({
      ...progress,
      snapshot: async () => joinSaved({ stage }, { inner: await progress.snapshot() }),
      save: async () => joinSaved({ stage }, { inner: await progress.save(), team: team ?? partOf(await progress.snapshot(), 'net') }),
      policy: async () => dressed(await progress.policy()),
    });
    const inner = resume === undefined ? undefined : partOf(resume, 'inner');
    let team: Saved | null = null;

    if (resume === undefined || resume.meta.stage === 'team') {
      let last: Progress | null = null;
      const learner = trainTeam(
        { ...silentRun, steps: teamSteps },
        inner,
        (engine, rng) => teamNetwork(engine, meta, c, rng),
        1,
        extensions,
      );
      for await (const progress of learner) {
        last = progress;
        yield marked(progress, 'team', (policy) => (c.attack === 'random' ? withRandom(policy, meta, c.agent) : policy));
      }
      // A run saved at the last step of this stage has nothing left to train here.
      if (last !== null) team = partOf(await last.snapshot(), 'net');
      else if (resume !== undefined && Object.keys(partOf(resume, 'team').arrays).length > 0) team = partOf(resume, 'team');
    } else team = partOf(resume, 'team');
    if (c.attack !== 'learned' || team === null) return;

    const victims = team;
    const learns = Array.from({ length: A }, (_, i) => i === c.agent);
    const moved = new Float32Array(c.envs); // what its action moves in the next state, per environment
    const loss = new Float32Array(c.envs); // minus the mean reward of the others
    let influenceSum = 0; // over a rollout
    const rewards = (mixed: Float32Array): void => {
      for (let b = 0; b < c.envs; b++) {
        const from = b * A;
        let sum = 0;
        for (let i = 0; i < A; i++) if (i !== c.agent) sum += mixed[from + i]!;
        loss[b] = -sum / (A - 1);
        mixed[from + c.agent] = c.influenceCoef * moved[b]! - sum / (A - 1);
      }
    };
    const influence: Pick<Phase, 'beside' | 'metrics'> = {
      beside({ engine, net, env }) {
        const foresight = createForesight(engine, net, env, run.makeEnv(c.envs * meta.actionCount), c.agent);
        return {
          async before(actions) {
            moved.set(await foresight(actions));
            for (const nats of moved) influenceSum += nats;
          },
        };
      },
      metrics() {
        const mean = influenceSum / perUpdate;
        influenceSum = 0;
        return { influence: mean };
      },
    };
    let targets: Targets | null = null;
    const steering: Pick<Phase, 'beside' | 'metrics'> = {
      beside({ engine, net, env }) {
        const { influence: how } = c;
        const credit = how.kind === 'targets' ? how.credit : 'taken';
        const made = createTargets(engine, net, env, silent(c), { agent: c.agent, credit }, run.rng.split('targets'));
        targets = made;
        return {
          state: made.state,
          async before(actions) {
            await made.before(actions);
            moved.set(made.gain);
          },
          after: () => made.after(loss),
          learn: (lr) => made.learn(lr),
        };
      },
      metrics: () => targets?.metrics() ?? {},
    };
    const build = (engine: Engine, rng: Rng): TeamNetwork => {
      const net = attackedNetwork(engine, meta, c, rng);
      writeParams(engine, net.frozen, victims);
      return net;
    };
    const attackRun = { ...silentRun, rng: run.rng.split('attack') };
    const state = resume?.meta.stage === 'attack' ? inner : undefined;
    const paid = c.influence.kind === 'targets' ? steering : influence;
    const phase: Phase = { from: teamSteps, learns, rewards, ...(c.influenceCoef > 0 && paid) };
    for await (const progress of trainTeam(attackRun, state, build, 1, extensions, phase))
      yield marked(progress, 'attack', (policy) => policy);
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const parts = partOf(saved, 'inner');
    const attacked = saved.meta.stage === 'attack';
    const net = attacked ? attackedNetwork(engine, meta, c, Rng.from(0)) : teamNetwork(engine, meta, c, Rng.from(0));
    writeParams(engine, net.group, partOf(parts, 'net'));
    if (net.frozen !== undefined) writeParams(engine, net.frozen, partOf(parts, 'frozen'));
    const policy = communicatingPolicy({ engine, meta, net, silent: true, dispose: () => engine.dispose() });
    return c.attack === 'random' ? withRandom(policy, meta, c.agent) : policy;
  },
});
