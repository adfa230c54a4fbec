/**
 * Heterogeneous-agent PPO (Kuba et al. 2022; Zhong et al. 2024): agents with separate networks are updated one after the other in
 * random order. The surrogate of each is weighted by F, the product of the probability ratios (new / old) of the agents updated before it.
 * One critic estimates the value of the whole team from the global state, or from all observations where there is none, or over things; all
 * agents get the same advantage. Over things the value is read from the first agent after it has looked at the others, and from the mean of all.
 *   L_i = -mean F min(r_i A, clip(r_i, 1 - e, 1 + e) A) - entropyCoef mean H(pi_i),   r_i = pi_i(a_i|o_i) / pi_i,old(a_i|o_i)
 *   F = product of r_j over the agents j that were updated before i
 * Defaults are HARL's happo.yaml. Networks that serve several agents (`grouped`) take their turn together.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments, every agent by its own policy; the critic values each state
 *     reward of a step: the mean or sum of the agents' rewards, the same for all
 *     advantages A by GAE(lambda), returns = A + V
 *     F = 1 for every step
 *     for each network, in an order drawn anew
 *       for each epoch, for each shuffled minibatch
 *         one step of Adam on L_i, A standardised (over the rollout by default)
 *       F *= new / old probability of what its agents did
 *     if valueNorm: the critic learns returns standardised by their running mean and deviation
 *     for each epoch, for each shuffled minibatch
 *       one step of Adam on valueCoef times the critic's clipped error against the returns, Huber's by default
 * Throws LabError('nan-loss').
 */

import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { exp } from '#math/functions.ts';
import { RunningMoments, ValueNorm } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { annealed } from '#math/schedules.ts';
import { mul, reshape } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, Tensor } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { registerState } from '../../state/checkpoint.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { teamExtensionsOf } from '../extensions/index.ts';
import { collect, createCollector, createMemory, createRollout, createValueRollout, updateEpochs } from '../lib/ppo/collect.ts';
import {
  commonFields,
  policyInputs,
  policyObjective,
  ppoMetrics,
  type UpdateReport,
  valueInputs,
  valueObjective,
  weightedMean,
} from '../lib/ppo/common.ts';
import { type Actor, createActor, createCritic, teamCriticInput } from '../lib/ppo/networks.ts';
import { createRecurrentActor } from '../lib/ppo/recurrent-actor.ts';
import * as team from '../lib/ppo/team.ts';
import { type ParameterSharing, shareNetworks } from '../lib/sharing.ts';

const source = 'HARL happo.yaml';
const config = z.strictObject({
  ...commonFields,
  lr: fields.lr(5e-4, source),
  annealLr: fields.annealLr(false, source),
  envs: fields.numEnvs(20, source),
  rolloutSteps: fields.rolloutSteps(200, source),
  minibatches: fields.minibatches(1, source),
  epochs: fields.epochs(5, source),
  valueCoef: fields.valueCoef(1, source),
  maxGradNorm: fields.maxGradNorm(10, source),
  hidden: fields.hidden([128, 128], source),
  activation: fields.activation('relu', source),
  ...team.teamFields,
  sharing: fields.sharing('independent', source),
  deathEnds: team.deathEndsField('stored'), // acts on agents' own rewards alone, which this method has not
  advantages: team.advantagesField('rollout', source),
  valueNorm: team.valueNormField(true, source),
  huberDelta: team.huberDeltaField(10, source),
  body: fields.body(),
  memory: variant('none', [kind('none', {}), kind('gru', team.memoryFields), kind('lstm', team.memoryFields)], {
    title: 'recurrent cell of the actors',
    description: 'Each actor keeps what it saw, behind its body; none: feed-forward networks. The critic keeps nothing.',
    source: 'none in happo.yaml',
    group: 'network',
  }),
});
type Config = z.infer<typeof config>;

/** A team without a recurrent cell has no `memory`. */
function asTeam({ memory, ...c }: Config): Omit<Config, 'memory'> & team.TeamConfig {
  return memory.kind === 'none' ? c : { ...c, memory };
}

const extensions = teamExtensionsOf({ loop: 'team', networks: 'other', reward: 'shared' });

const presets: readonly Preset[] = [
  {
    id: 'simple-spread',
    title: 'Spread: discount 0.9, 16 x 128, step size 0.001',
    config: { gamma: 0.9, lr: 1e-3, annealLr: true, envs: 16, rolloutSteps: 128, minibatches: 4, hidden: [64, 64], activation: 'tanh' },
  },
];

function buildActors(engine: Engine, meta: EnvMeta, sharing: ParameterSharing, c: Config, rng: Rng): Actor[] {
  const { memory } = asTeam(c);
  return sharing.networks.map((network, k) => {
    const group = engine.group(network.name);
    const own = rng.split('network', k);
    if (memory === undefined) return createActor(group, network, meta.masked, c, own);
    return createRecurrentActor(group, network, meta.masked, c, memory, own);
  });
}

function compileActorLearner(engine: Engine, actor: Actor, c: Config, rows: number) {
  return engine.compile(
    { ...actor.learnInputs(rows), ...policyInputs(rows), policyMask: [rows], factor: [rows] },
    (x, g) => {
      const average = (values: Tensor): Tensor => weightedMean(values, x.policyMask);
      return policyObjective(x, actor.evaluate(x, x.action, g), { average, factor: x.factor });
    },
    { minimise: 'loss', group: actor.group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'learn' },
  );
}

/** One network with its programs and its rollout. */
function openLearner(engine: Engine, actor: Actor, c: Config) {
  const rollout = createRollout(c.rolloutSteps, c.envs, actor.network, null, actor.masked);
  const total = rollout.steps * rollout.rows;
  const { memory } = asTeam(c);
  const span = memory === undefined ? rollout.rows : rollout.rows * memory.sequence;
  return {
    network: actor.network,
    rollout,
    input: null,
    act: team.compileActor(engine, actor, null, rollout.rows),
    learn: compileActorLearner(engine, actor, c, total / c.minibatches),
    evaluate: engine.compile(actor.learnInputs(span), (x, g) => ({ logProb: actor.evaluate(x, x.action, g).logProb }), {
      name: 'log-probabilities',
    }),
    order: Int32Array.from({ length: total }, (_, i) => i),
    factor: new Float32Array(total),
    norm: null,
    moments: c.normaliseObs ? new RunningMoments(actor.network.inputs) : null,
    criticMoments: null,
    memory: memory === undefined ? null : createMemory(c.rolloutSteps, rollout.rows, actor.stateSize, memory.sequence),
    envOrder: Int32Array.from({ length: rollout.rows }, (_, i) => i),
  };
}
type Learner = ReturnType<typeof openLearner>;

/** The critic of the whole team; its rows are environments. */
function openCritic(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const input = teamCriticInput(meta, c.body.kind !== 'dense');
  const group = engine.group('critic');
  const critic = createCritic(group, input, null, c, rng.split('critic'));
  const total = c.rolloutSteps * c.envs;
  const rows = total / c.minibatches;
  return {
    network: { name: 'critic' },
    input,
    rollout: createValueRollout(c.rolloutSteps, c.envs, input),
    act: engine.compile({ critic: [c.envs, input.width] }, (x) => ({ value: critic.value(x.critic) }), { name: 'values' }),
    learn: engine.compile(
      { ...valueInputs(rows, c.clipValue), critic: [rows, input.width], valueMask: [rows], valueCoef: [1] },
      (x) => {
        const valueAverage = (values: Tensor): Tensor => weightedMean(values, x.valueMask);
        const valueLoss = valueObjective(x, critic.value(x.critic), { valueAverage, huberDelta: c.huberDelta });
        return { valueLoss, loss: reshape(mul(x.valueCoef, valueLoss), []) };
      },
      { minimise: 'loss', group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'learn values' },
    ),
    order: Int32Array.from({ length: total }, (_, i) => i),
    norm: c.valueNorm ? new ValueNorm() : null,
    moments: null,
    criticMoments: c.normaliseObs ? new RunningMoments(input.width) : null,
    memory: null,
  };
}

/** One number per environment for each of its rows: [T, B] -> [T, B, M]. */
function repeatPerAgent(perEnv: ArrayLike<number>, agents: number, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = perEnv[Math.floor(i / agents)]!;
}

/** ratios [T, B] *= new / old probability of the actions of this network's agents. */
async function compoundRatios({ evaluate, rollout, network, memory }: Learner, ratios: Float64Array): Promise<void> {
  const { logProbs, policyMask } = rollout;
  const feed = evaluate.in;
  const span = evaluate.out.logProb.length; // the rows of a step, or of the steps of a sequence
  for (let from = 0; from < logProbs.length; from += span) {
    const take = (source: Float32Array | undefined, into: Float32Array | undefined): void => {
      if (into !== undefined && source !== undefined)
        into.set(source.subarray((from / span) * into.length, (from / span + 1) * into.length));
    };
    take(rollout.obs, feed.obs);
    take(rollout.masks, feed.mask);
    take(rollout.actions, feed.action);
    take(memory?.states, feed.state);
    take(memory?.starts, feed.starts);
    const pending = evaluate.run();
    if (pending) await pending;
    for (let row = 0; row < span; row++) {
      const i = from + row;
      if (policyMask[i] === 0) continue; // agents that could not act changed nothing
      ratios[Math.floor(i / network.agents.length)]! *= exp(evaluate.out.logProb[row]! - logProbs[i]!);
    }
  }
}

export const happo = defineAlgo<Config>({
  spec: {
    id: 'happo',
    version: 2,
    changes: [
      {
        version: 2,
        what: 'The value coefficient weighs the critic’s loss; before, it had no effect.',
        whereNot: { valueCoef: 1 },
        rerun: true,
      },
    ],
    title: 'HAPPO',
    summary: 'Agents with separate networks improve one after the other, each corrected for the changes of those before it.',
    source: {
      title: 'Trust Region Policy Optimisation in Multi-Agent Reinforcement Learning',
      authors: 'Kuba et al.',
      year: 2022,
      url: 'https://arxiv.org/abs/2109.11251',
    },
    config,
    extensions,
    presets,
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mpe-simple-spread', steps: 1280, config: { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8] } },
    probes: [
      { on: ['cued', 'masked', 'climbing'], steps: 6000 },
      { on: ['delayed'], steps: 8000 },
      { on: ['team', 'roles', 'xorTeam'], steps: 10_000 },
      { on: ['pointingTeam'], steps: 12_000, atLeast: 0.97 },
      { on: ['memoryOne'], steps: 10_000, config: { lr: 1e-2, memory: { kind: 'gru', units: 16 } } },
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: ppoMetrics,
  },

  fits(meta, c) {
    team.checkTeam(meta, asTeam(c), 'HAPPO');
    team.checkTeam(meta, { ...asTeam(c), sharing: 'independent' }, 'HAPPO'); // the critic's rows are as many as one agent's
    if (c.memory.kind === 'none' || !c.layerNorm) return;
    throw fail('config-invalid', 'The memory cell keeps its own scale.', 'Switch one of the two off.', 'algo.layerNorm');
  },

  async *train(run, resume) {
    const c = run.config; // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const sharing = shareNetworks(meta, c.sharing, c.agentId);
    const [sampling, shuffling, init] = [run.rng.split('sampling'), run.rng.split('shuffling'), run.rng.split('init')];
    const actors = buildActors(engine, meta, sharing, c, init);
    const learners = actors.map((actor) => openLearner(engine, actor, c));
    const critic = openCritic(engine, meta, c, init);
    const collector = createCollector(env, learners, critic, sampling);
    const also = (await extensions.begin(c, { engine, meta }))
      .attach({ loop: 'team', networks: 'other', engine, meta, env, rng: run.rng, learned: [] })
      .places();
    const turns = Int32Array.from(learners, (_, k) => k);
    const ratios = new Float64Array(c.rolloutSteps * c.envs);
    const pairs = actors.map((actor) => ({ actor, critic: null }));
    const layouts = [...learners, critic].map(team.learnerState);
    const state = registerState(
      { counters: { step: 0 }, parts: { env, engine }, arrays: { sampling, shuffling, turns } },
      ...layouts,
      ...also.states,
    );
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => team.snapshotOf(engine, pairs, learners),
      policy: () => team.pairsPolicy(engine, meta, sharing, pairs, learners),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);

    while (counters.step < run.steps) {
      // 1. All agents act; the team's critic values each environment.
      await collect(collector, { ...c, rewards: also.rewards, shaping: team.shapingAt(c.shapingUntil, run.steps, counters.step) });

      // 2. One advantage for all agents of an environment.
      team.computeAdvantages(critic.rollout, critic.norm, c);

      // 3. Sequential update in random order; `ratios` weighs each surrogate by the changes of the agents before.
      const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
      const reports: UpdateReport[] = [];
      shuffling.shuffle(turns);
      ratios.fill(1);
      for (const k of turns) {
        const learner = learners[k]!;
        const agents = learner.network.agents.length;
        repeatPerAgent(critic.rollout.advantages, agents, learner.rollout.advantages);
        repeatPerAgent(ratios, agents, learner.factor);
        reports.push(await updateEpochs(learner, { ...c, lr }, shuffling));
        await compoundRatios(learner, ratios);
      }

      // 4. The critic.
      reports.push(await updateEpochs(critic, { ...c, lr }, shuffling));
      counters.step += c.rolloutSteps * c.envs;
      const { step } = counters;
      const learned = team.reportOf(step, reports, [critic.rollout]);
      yield { step, metrics: { ...episodeRow(env), ...learned, learningRate: lr }, ...point };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const sharing = shareNetworks(meta, c.sharing, c.agentId);
    const pairs = buildActors(engine, meta, sharing, c, Rng.from(0)).map((actor) => ({ actor, critic: null }));
    return team.restoredPolicy(engine, meta, sharing, pairs, saved);
  },

  benchmark({ config: c, meta, engine }) {
    const actor = buildActors(engine, meta, shareNetworks(meta, c.sharing, c.agentId), c, Rng.from(0))[0]!;
    const learn = compileActorLearner(engine, actor, c, (c.rolloutSteps * c.envs * actor.network.agents.length) / c.minibatches);
    return { run: () => learn.run() };
  },
});
