/**
 * Heterogeneous-agent PPO (Kuba et al. 2022; Zhong et al. 2024): agents that share nothing are improved one after the other in
 * random order, and the surrogate of each is weighted by what those before have changed: the product of their new / old
 * probabilities of what they did. One critic values the whole team, on the global state, and gives all the same advantage.
 * Defaults are HARL's happo.yaml. Networks that serve several agents (`grouped`) take their turn together. Throws LabError('nan-loss').
 */

import { z } from 'zod';
import type { Preset } from '#contract/catalog.ts';
import type { Saved } from '#contract/events.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { exp } from '#math/functions.ts';
import { RunningMoments, ValueNorm } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { annealed } from '#math/schedules.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, Program } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { joinSaved, partOf, restoreRng } from '../../state/saved.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeRow } from '../api/metrics.ts';
import { collect, createCollector, createRollout, createValueRollout, type TeamCritic } from '../lib/ppo/collect.ts';
import { commonFields, ppoMetrics, type UpdateReport } from '../lib/ppo/common.ts';
import { type Actor, createActor, createCritic, teamCriticInput } from '../lib/ppo/networks.ts';
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
  teamReward: z.enum(['mean', 'sum']).default('mean').meta({
    title: 'team reward',
    description: 'All agents learn from one reward: the team’s mean or sum.',
    source: 'the agents of a cooperative game share one reward',
    group: 'team',
  }),
  advantages: team.advantagesField('rollout', source),
  valueNorm: team.valueNormField(true, source),
  huberDelta: team.huberDeltaField(10, source),
});
type Config = z.infer<typeof config>;

const presets: readonly Preset[] = [
  {
    id: 'simple-spread',
    title: 'Spread: discount 0.9, 16 x 128, step size 0.001',
    config: { gamma: 0.9, lr: 1e-3, annealLr: true, envs: 16, rolloutSteps: 128, minibatches: 4, hidden: [64, 64], activation: 'tanh' },
  },
];

function buildActors(engine: Engine, meta: EnvMeta, sharing: ParameterSharing, c: Config, rng: Rng): Actor[] {
  return sharing.networks.map((network, k) => createActor(engine.group(network.name), network, meta.masked, c, rng.split('network', k)));
}

function compileActorLearner(engine: Engine, actor: Actor, c: Config, rows: number): Program {
  const options = { minimise: 'loss', group: actor.group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm };
  return engine.compile((g) => team.policyObjective(g, actor, rows, true), { ...options, name: 'learn' });
}

/** One network with its programs and its rollout. */
function openLearner(engine: Engine, actor: Actor, c: Config) {
  const rollout = createRollout(c.rolloutSteps, c.envs, actor.network, null, actor.masked);
  const total = rollout.steps * rollout.rows;
  return {
    network: actor.network,
    rollout,
    input: null,
    act: team.compileActor(engine, actor, null, rollout.rows),
    learn: compileActorLearner(engine, actor, c, total / c.minibatches),
    evaluate: engine.compile((g) => ({ logProb: actor.evaluate(g, rollout.rows).logProb }), { name: 'log-probabilities' }),
    order: Int32Array.from({ length: total }, (_, i) => i),
    factor: new Float32Array(total),
    norm: null,
    moments: c.normaliseObs ? new RunningMoments(actor.network.inputs) : null,
    criticMoments: null,
    memory: null,
  };
}
type Learner = ReturnType<typeof openLearner>;

/** The critic of the whole team; its rows are environments. */
function openCritic(
  engine: Engine,
  meta: EnvMeta,
  c: Config,
  rng: Rng,
): TeamCritic & team.MinibatchSource & { readonly network: { name: string } } {
  const input = teamCriticInput(meta);
  const rollout = createValueRollout(c.rolloutSteps, c.envs, input);
  const group = engine.group('critic');
  const critic = createCritic(group, input, null, c, rng.split('critic'));
  const total = c.rolloutSteps * c.envs;
  const options = { minimise: 'valueLoss', group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'learn values' };
  return {
    network: { name: 'critic' },
    input,
    rollout,
    act: engine.compile((g) => ({ value: critic.value(g, c.envs) }), { name: 'values' }),
    learn: engine.compile((g) => ({ valueLoss: team.valueObjective(g, critic, total / c.minibatches, c) }), options),
    order: Int32Array.from({ length: total }, (_, i) => i),
    norm: c.valueNorm ? new ValueNorm() : null,
    criticMoments: c.normaliseObs ? new RunningMoments(input.width) : null,
  };
}

/** One number per environment for each of its rows: [T, B] -> [T, B, M]. */
function repeatPerAgent(perEnv: ArrayLike<number>, agents: number, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = perEnv[Math.floor(i / agents)]!;
}

/** ratios [T, B] *= new / old probability of the actions of this network's agents. */
async function compoundRatios({ evaluate, rollout, network }: Learner, ratios: Float64Array): Promise<void> {
  const { rows, logProbs, policyMask } = rollout;
  const feed = evaluate.in;
  for (let t = 0; t < rollout.steps; t++) {
    const take = (source: Float32Array, into: Float32Array | undefined): void => {
      into?.set(source.subarray(t * into.length, (t + 1) * into.length));
    };
    take(rollout.obs, feed.obs);
    take(rollout.masks, feed.mask);
    take(rollout.actions, feed.action);
    const pending = evaluate.run();
    if (pending) await pending;
    for (let row = 0; row < rows; row++) {
      const i = t * rows + row;
      if (policyMask[i] === 0) continue; // agents that could not act changed nothing
      ratios[Math.floor(i / network.agents.length)]! *= exp(evaluate.out.logProb![row]! - logProbs[i]!);
    }
  }
}

export const happo = defineAlgo<Config>({
  spec: {
    id: 'happo',
    version: 1,
    title: 'HAPPO',
    summary: 'Agents with networks of their own improve one after the other, each knowing what those before have changed.',
    source: {
      title: 'Trust Region Policy Optimisation in Multi-Agent Reinforcement Learning',
      authors: 'Kuba et al.',
      year: 2022,
      url: 'https://arxiv.org/abs/2109.11251',
    },
    config,
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
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: ppoMetrics,
  },

  fits(meta, c) {
    team.checkTeam(meta, { ...c, orientation: 0, envy: 0, guilt: 0 }, 'HAPPO');
    team.checkTeam(meta, { ...c, sharing: 'independent' }, 'HAPPO'); // the critic's rows are as many as one agent's
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
    const kept = [...learners, { ...critic, moments: null, memory: null }];
    const collector = createCollector(env, learners, critic, sampling);
    const turns = Int32Array.from(learners, (_, k) => k);
    const ratios = new Float64Array(c.rolloutSteps * c.envs);
    const policy = team.pairsPolicy(
      engine,
      meta,
      sharing,
      actors.map((actor) => ({ actor, critic: null })),
      (k) => learners[k]!,
    );
    let step = 0;
    if (resume === undefined) env.reset();
    else {
      env.load(partOf(resume, 'env'));
      engine.load(partOf(resume, 'engine'));
      restoreRng(sampling, resume.arrays.sampling);
      restoreRng(shuffling, resume.arrays.shuffling);
      turns.set(resume.arrays.turns as Int32Array);
      for (const part of kept) team.loadLearner(part, resume);
      step = resume.meta.step as number;
    }

    while (step < run.steps) {
      // 1. All agents act; the team's critic values each environment.
      await collect(collector, { ...c, shaping: team.shapingAt(c.shapingUntil, run.steps, step) });

      // 2. One advantage for all agents of an environment.
      team.computeAdvantages(critic.rollout, critic.norm, c);

      // 3. Sequential update in random order; `ratios` weighs each surrogate by the changes of the agents before.
      const lr = c.annealLr ? annealed(c.lr, run.steps, step) : c.lr;
      const reports: UpdateReport[] = [];
      shuffling.shuffle(turns);
      ratios.fill(1);
      for (const k of turns) {
        const learner = learners[k]!;
        const agents = learner.network.agents.length;
        repeatPerAgent(critic.rollout.advantages, agents, learner.rollout.advantages);
        repeatPerAgent(ratios, agents, learner.factor);
        reports.push(await team.updateEpochs(learner, { ...c, lr }, shuffling));
        await compoundRatios(learner, ratios);
      }

      // 4. The critic.
      reports.push(await team.updateEpochs(critic, { ...c, lr }, shuffling));
      step += c.rolloutSteps * c.envs;
      const learned = team.reportOf(step, reports, [critic.rollout]);

      yield {
        step,
        metrics: { ...episodeRow(env), ...learned, learningRate: lr },
        async snapshot() {
          const parts: Record<string, Saved> = {};
          let arrays: Saved['arrays'] = {};
          for (const [k, learner] of learners.entries()) {
            parts[learner.network.name] = await readParams(engine, actors[k]!.group);
            arrays = { ...arrays, ...team.normaliserArrays(learner.network.name, learner) };
          }
          return joinSaved({}, parts, arrays);
        },
        async save() {
          const generators = { sampling: sampling.state.slice(), shuffling: shuffling.state.slice(), turns: turns.slice() };
          const arrays = Object.assign(generators, ...kept.map(team.learnerArrays)) as Saved['arrays'];
          return joinSaved({ step }, { env: env.save(), engine: await engine.save() }, arrays);
        },
        policy: () => policy,
        hash: () => engine.hash(),
      };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const sharing = shareNetworks(meta, c.sharing, c.agentId);
    const actors = buildActors(engine, meta, sharing, c, Rng.from(0));
    const kept = sharing.networks.map(({ name, inputs }, k) => {
      writeParams(engine, actors[k]!.group, partOf(saved, name));
      return team.loadNormalisers(name, inputs, saved);
    });
    const pairs = actors.map((actor) => ({ actor, critic: null }));
    return team.pairsPolicy(
      engine,
      meta,
      sharing,
      pairs,
      (k) => kept[k]!,
      () => engine.dispose(),
    );
  },

  benchmark({ config: c, meta, engine }) {
    const [actor] = buildActors(engine, meta, shareNetworks(meta, c.sharing, c.agentId), c, Rng.from(0));
    const rows = (c.rolloutSteps * c.envs * actor!.network.agents.length) / c.minibatches;
    const learn = compileActorLearner(engine, actor!, c, rows);
    return { run: () => learn.run() };
  },
});
