/**
 * MANSA (Mguni et al. 2023): agents learn independently, and a switch that observes all of them calls a central learner where it
 * expects the call to be worth its cost. All three learn from all steps, whichever of them acted:
 *   independent   IQL: q_i(o_i, a_i) from agent i's own reward
 *   central       QMIX: Q_tot(s, q_1 .. q_A) from the team's reward; when called, every agent acts by its own q_i of it
 *   the switch    Q(s, g), g in {0, 1}, from R - c g; optionally at most a share of an episode's steps may be calls
 * In a call all agents act by the central learner's values, otherwise by their own; both explore with the same epsilon. `never` is
 * IQL and `always` is QMIX, bit for bit: the same loop (value/lib/q-learning-team.ts), with the cost of the calls reported beside it.
 * Differs from the paper: the switch sees all observations (policies are not given the state), and is a double, dueling Q-network.
 * Pseudo-code:
 *   target networks of all three learners = networks
 *   repeat until the budget is spent (if switching is never or always: the loop of IQL or QMIX)
 *     for rolloutSteps steps of B environments
 *       g = argmax_g Q(s, g), random with the switch's epsilon; 0 once the call budget is used up
 *       every agent acts epsilon-greedily by its central q_i if g = 1, its independent q_i if g = 0
 *       store the step for IQL with own rewards, for QMIX with their sum, for the switch with R - c g
 *     once learningStarts steps are played and a minibatch of episodes is there
 *       gradientSteps updates of the independent learner, as IQL
 *       gradientSteps updates of the central learner, as QMIX
 *       gradientSteps updates of the switch from steps of its own memory
 *         y = R - c g + gamma Qtarget(s', argmax_g' Q(s', g')), loss: mean of (Q(s, g) - y)^2
 *       each learner every targetEvery of its updates: target += tau (network - target)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { annealed, linear } from '#math/schedules.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { type MakeMixer, monotoneMixer } from '../../nets/mixing.ts';
import { registerState, savedNumber } from '../../state/checkpoint.ts';
import { loadGroups, saveGroups } from '../../state/params.ts';
import { finalMasks } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy, Progress, Run } from '../api/types.ts';
import { callsAllowed, learnedSwitch, type SwitchNetworks, switchedPolicy, switchNetworks } from './lib/mansa-switch.ts';
import {
  checkFits,
  checkReplaySize,
  loadTeamPolicy,
  qLearningTeamFields,
  qLearningTeamMetrics,
  replayShape,
  STEPS_PER_ROW,
  teamBenchmark,
  teamLearner,
  trainTeam,
} from './lib/q-learning-team.ts';
import { checkDiscreteTeam, compileLearner, selectActions, type TeamNetworks, teamNetworks, teamQPolicy } from './lib/team-q.ts';
import { qmixPresets, qmixProbeConfig } from './qmix.ts';

const title = 'MANSA';
const own = 'own choice';

export const mansaConfig = z.strictObject({
  switching: z.enum(['learned', 'never', 'always']).default('learned').meta({
    title: 'switching',
    description: 'Learned, or one of its two extremes: independent learners alone, or the central learner alone.',
    source: 'Mguni et al. 2023',
    depth: 'teach',
    group: 'switch',
  }),
  switchCost: fields.real(0.01, {
    min: 0,
    max: 1000,
    title: 'cost of a call',
    unit: 'return',
    description: 'What a step in which the central learner acts costs, in units of the return.',
    source: 'Mguni et al. 2023: chosen by task',
    live: true,
    depth: 'teach',
    slider: [0, 1],
    group: 'switch',
  }),
  callBudget: z.number().gt(0).max(1).nullable().default(null).meta({
    title: 'call budget',
    description: 'Share of an episode’s longest length in which the central learner may be called at most; empty: no limit.',
    empty: 'no limit',
    source: 'Mguni et al. 2023 (MANSA-B)',
    depth: 'teach',
    group: 'switch',
  }),
  switchLr: fields.lr(1e-3, own, {
    title: 'switch learning rate',
    description: 'Step size of its Adam.',
    depth: 'stored',
    group: 'switch',
  }),
  switchEpsilonEnd: fields.epsilonEnd(0.05, own, {
    title: 'switch epsilon end',
    description: 'Share of its choices that are uniformly random after the decay; at the start all are.',
    depth: 'lab',
    group: 'switch',
  }),
  switchEpsilonFraction: fields.epsilonFraction(0.5, own, { title: 'switch epsilon decay fraction', depth: 'stored', group: 'switch' }),
  switchHidden: fields.hidden([64, 64], own, { title: 'switch hidden layers', depth: 'stored', group: 'switch' }),
  switchMemory: fields.bufferSize(20_000, own, {
    title: 'switch replay buffer size',
    unit: 'steps',
    description: 'The newest steps that are kept. The value of a call changes as both learners learn, so old steps are stale.',
    slider: [1000, 100_000],
    depth: 'stored',
    group: 'switch',
  }),
  switchBatch: fields.batchSize(128, own, {
    title: 'switch batch size',
    unit: 'steps',
    description: 'Steps per update.',
    depth: 'stored',
    group: 'switch',
  }),
  switchNStep: fields.integer(1, {
    min: 1,
    max: 64,
    title: 'switch n-step returns',
    unit: 'steps',
    description: 'Rewards summed before the bootstrap.',
    source: own,
    depth: 'stored',
    group: 'switch',
  }),
  ...qLearningTeamFields,
  ...fields.mixer('JaxMARL ql_rnn, MPE'),
});
export type MansaConfig = z.infer<typeof mansaConfig>;

export const mansaPresets: readonly Preset[] = [
  { id: 'never', title: 'never central: IQL', config: { switching: 'never' } },
  { id: 'always', title: 'always central: QMIX', config: { switching: 'always' } },
  ...qmixPresets,
];

export const mansaMetrics: readonly MetricCard[] = [
  ...qLearningTeamMetrics,
  { id: 'centralShare', title: 'central calls', description: 'Share of steps since the last row in which the central learner acted.' },
  { id: 'callCost', title: 'cost of calls', description: 'Cost of the calls per episode, mean of the last 100 training episodes.' },
  {
    id: 'netReturn',
    title: 'return net of calls',
    description: 'Return minus the cost of its calls, mean of the last 100 training episodes.',
  },
  { id: 'switchValue', title: 'switch value', description: 'Mean predicted return, net of costs, of the choices the switch made.' },
  {
    id: 'switchGain',
    title: 'advantage of switching',
    description: 'Mean predicted advantage of calling the central learner now, net of the cost.',
  },
  { id: 'switchLoss', title: 'switch loss', description: 'Mean squared error of its predictions.' },
  { id: 'centralLoss', title: 'central learner loss', description: 'Half the squared error of its value predictions.' },
  { id: 'switchEpsilon', title: 'switch epsilon', description: 'Share of its choices that are uniformly random now.' },
];

const PREFIX = 'central ';

/** Without a learned switch: IQL or QMIX. */
const extremeMixer = (c: MansaConfig): MakeMixer | null => (c.switching === 'always' ? monotoneMixer(c) : null);

interface Parts {
  readonly independent: TeamNetworks;
  readonly central: TeamNetworks;
  readonly nets: SwitchNetworks;
}

/** IQL's or QMIX's training with the cost of its calls: none, or one in every step. */
async function* trainExtreme(run: Run<MansaConfig>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = run.config;
  const share = c.switching === 'always' ? 1 : 0;
  for await (const progress of trainTeam(run, resume, extremeMixer(c))) {
    const { episodicReturn = Number.NaN, episodeLength = Number.NaN } = progress.metrics;
    const callCost = share === 0 ? 0 : c.switchCost * episodeLength;
    yield { ...progress, metrics: { ...progress.metrics, centralShare: share, callCost, netReturn: episodicReturn - callCost } };
  }
}

async function* trainSwitched(run: Run<MansaConfig>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = run.config; // fields marked live may change between iterations
  const { meta } = run;
  const { agentCount: A, actionCount: N } = meta;
  const engine = await run.makeEngine();
  const env = run.makeEnv(c.envs);
  const { buffers } = env;
  const independent = teamLearner(engine, env, c, null, run.rng);
  const central = teamLearner(engine, env, c, monotoneMixer(c), run.rng.split('central'), PREFIX);
  const choice = learnedSwitch(engine, env, c, run.rng.split('switch'));
  const exploring = run.rng.split('exploration');
  const actions = new Int32Array(env.batch * A);
  const q = new Float32Array(env.batch * A * N);
  const parts = { independent: independent.nets, central: central.nets, nets: choice.nets };
  const learners = {
    independent: registerState(independent.state),
    central: registerState(central.state),
    switch: registerState(choice.state),
  };
  const state = registerState({ counters: { step: 0 }, parts: { env, engine, ...learners }, arrays: { exploring } });
  const progress = state.counters;
  const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, progress.step);
  const switchEpsilon = (): number => linear(1, c.switchEpsilonEnd, c.switchEpsilonFraction * run.steps, progress.step);
  const point = safePoint({
    state,
    engine,
    snapshot: () => {
      const groups = { independent: parts.independent.online, central: parts.central.online, switch: parts.nets.online };
      return saveGroups(engine, groups, { epsilon: epsilon(), switchEpsilon: switchEpsilon() });
    },
    policy: () => policyFrom(engine, meta, c, parts, epsilon, switchEpsilon),
  });

  if (resume === undefined) {
    env.reset();
    await independent.start();
    await central.start();
    await choice.start();
  } else state.load(resume);

  while (progress.step < run.steps) {
    let learningRate = c.lr;
    const until = Math.min(run.steps, progress.step + STEPS_PER_ROW);
    while (progress.step < until) {
      // 1. Act by the learner that the switch selects; all three store the step.
      const eps = epsilon();
      const switchEps = switchEpsilon();
      for (let t = 0; t < c.rolloutSteps; t++) {
        for (const pending of [independent.forward(), central.forward(), choice.forward()]) if (pending) await pending;
        const own = independent.qValues();
        const joint = central.qValues();
        const called = choice.selectCalls(switchEps);
        for (let i = 0; i < q.length; i++) q[i] = called[Math.floor(i / (A * N))] === 1 ? joint[i]! : own[i]!;
        selectActions({ q, mask: buffers.mask, epsilon: eps, rng: exploring, sharing: independent.nets.sharing, meta }, actions);
        env.step(actions);
        independent.add(actions);
        central.add(actions);
        choice.add();
        progress.step += env.batch;
      }

      // 2. Learn: each learner from all steps, whichever acted.
      if (progress.step <= c.learningStarts || !independent.ready) continue;
      learningRate = c.annealLr ? annealed(c.lr, run.steps, progress.step) : c.lr;
      await independent.update(learningRate);
      await central.update(learningRate);
      await choice.update();
    }
    const { step } = progress;
    const episode = episodeRow(env);
    const { callsPerEpisode, ...switchMetrics } = choice.metrics(step);
    const callCost = c.switchCost * callsPerEpisode;

    yield {
      step,
      metrics: {
        ...episode,
        ...independent.means.take(step),
        epsilon: epsilon(),
        learningRate,
        callCost,
        netReturn: episode.episodicReturn - callCost,
        ...switchMetrics,
        centralLoss: central.means.take(step).loss,
        switchEpsilon: switchEpsilon(),
      },
      ...point,
    };
  }
}

function policyFrom(
  engine: Engine,
  meta: EnvMeta,
  config: MansaConfig,
  { independent, central, nets }: Parts,
  epsilon: () => number,
  switchEpsilon: () => number,
  owned = false,
): Policy {
  return switchedPolicy({
    engine,
    meta,
    config,
    independent: teamQPolicy(engine, independent.q, independent.sharing, meta, epsilon),
    central: teamQPolicy(engine, central.q, central.sharing, meta, epsilon),
    nets,
    epsilon: switchEpsilon,
    ...(owned && { dispose: () => engine.dispose() }),
  });
}

export const mansa = defineAlgo<MansaConfig>({
  spec: {
    id: 'mansa',
    version: 2,
    changes: [finalMasks(2)],
    title,
    summary: 'Agents learn by themselves; a switch learns in which states a central learner is worth its cost.',
    source: {
      title: 'MANSA: Learning Fast and Slow in Multi-Agent Systems',
      authors: 'Mguni et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2302.05910',
    },
    config: mansaConfig,
    presets: mansaPresets,
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'coin-game',
      steps: 2080,
      config: { envs: 4, hidden: [16], recurrent: { kind: 'on', units: 8 }, batchSize: 16, bufferSize: 500, learningStarts: 100 },
    },
    probes: [
      { on: ['team'], steps: 6000, config: { recurrent: { kind: 'off' } } },
      { on: ['roles'], steps: 6000, config: { callBudget: 1 } },
      { on: ['memoryOne'], steps: 6000 },
    ],
    probeConfig: qmixProbeConfig,
    metrics: mansaMetrics,
  },

  fits(meta, c) {
    if (c.switching !== 'learned') {
      checkFits(meta, c, title, c.switching === 'always');
      return;
    }
    checkDiscreteTeam(meta, title);
    const [own, joint] = [replayShape(meta, c, false), replayShape(meta, c, true)];
    checkReplaySize({
      ...own,
      obsSize: own.obsSize + joint.obsSize,
      actionSize: own.actionSize + joint.actionSize,
      rewardSize: own.rewardSize + joint.rewardSize,
      maskSize: own.maskSize + joint.maskSize,
    });
    if (callsAllowed(meta, c) >= 1) return;
    const limit = meta.maxSteps || meta.evalMaxSteps;
    const why = `A budget of ${c.callBudget} of an episode’s ${limit} steps allows no call.`;
    throw fail('config-invalid', why, `Allow at least ${1 / limit}, or leave it empty for no limit.`, 'algo.callBudget');
  },

  train: (run, resume) => (run.config.switching === 'learned' ? trainSwitched(run, resume) : trainExtreme(run, resume)),

  async policy(context, saved) {
    const { config, meta, makeEngine } = context;
    if (config.switching !== 'learned') return loadTeamPolicy(context, saved);
    const engine = await makeEngine();
    const unused = Rng.from(0);
    const independent = teamNetworks(engine, meta, config, null, unused);
    const central = teamNetworks(engine, meta, config, null, unused, PREFIX);
    const nets = switchNetworks(engine, meta, config, unused);
    loadGroups(engine, { independent: independent.online, central: central.online, switch: nets.online }, saved);
    const [epsilon, switchEpsilon] = [savedNumber(saved, 'epsilon'), savedNumber(saved, 'switchEpsilon')];
    return policyFrom(
      engine,
      meta,
      config,
      { independent, central, nets },
      () => epsilon,
      () => switchEpsilon,
      true,
    );
  },

  benchmark({ config, meta, engine }) {
    if (config.switching !== 'learned') return teamBenchmark(engine, meta, config, extremeMixer(config));
    const programs = [null, monotoneMixer(config)].map((makeMixer, i) => {
      const nets = teamNetworks(engine, meta, config, makeMixer, Rng.from(0), i === 0 ? '' : PREFIX);
      return compileLearner(engine, nets, meta, config, adam());
    });
    return {
      async run() {
        for (const program of programs) await program.run();
      },
    };
  },
});
