/**
 * MANSA (Mguni et al. 2023): agents that learn independently act, and a switch that sees everybody calls a central learner where it
 * expects the call to be worth its cost. All three learn from everything that is done, whoever did it:
 *   independent   IQL: q_i(o_i, a_i) from agent i's own reward
 *   central       QMIX: Q_tot(s, q_1 .. q_A) from the team's reward; when called, every agent acts by its own part of it
 *   the switch    Q(s, g), g in {0, 1}, from R - c g; optionally no more than a share of an episode's steps may be calls
 * In a call all agents act by the central learner's values, otherwise by their own; both explore alike. `never` is IQL and `always`
 * is QMIX, bit for bit: the same loop (value/lib/replayed-loop.ts), with the cost of its calls reported beside it.
 * Differs from the paper: the switch sees all observations (policies are not shown the state), and is a double, dueling Q-network.
 * Throws LabError('nan-loss').
 */

import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { annealed, linear } from '#math/schedules.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { joinSaved, partOf, restoreRng } from '../../state/saved.ts';
import { defineAlgo, liveConfig } from '../api/define.ts';
import { episodeRow } from '../api/metrics.ts';
import type { AlgoDef, Policy, Progress, Run } from '../api/types.ts';
import { chooseActions } from './lib/acting.ts';
import { checkMemory, checkTeamOfValues } from './lib/fits.ts';
import { type MansaConfig, mansaConfig, mansaMetrics, mansaPresets } from './lib/mansa-config.ts';
import { switchedPolicy } from './lib/mansa-policy.ts';
import { callsAllowed, learnedSwitch, type SwitchNetworks, switchNetworks } from './lib/mansa-switch.ts';
import { monotoneMixing } from './lib/mixer-config.ts';
import { memoryShape, replayedLearner } from './lib/replayed-learner.ts';
import { policyOf, replayedDef, STEPS_PER_ROW } from './lib/replayed-loop.ts';
import { compileLearner, type Mixing, type Networks, networks } from './lib/replayed-nets.ts';

const title = 'MANSA';
const PREFIX = 'central ';
const apart: Mixing<MansaConfig> = { joint: null };
const extremes: { readonly [switching: string]: Omit<AlgoDef<MansaConfig>, 'spec'> } = {
  never: replayedDef<MansaConfig>(title, apart),
  always: replayedDef<MansaConfig>(title, monotoneMixing),
};

interface Parts {
  readonly independent: Networks;
  readonly central: Networks;
  readonly nets: SwitchNetworks;
}

/** An extreme's own training, with what its calls (none, or every step) cost. */
async function* extreme(run: Run<MansaConfig>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const { switching, switchCost } = run.config;
  const share = switching === 'always' ? 1 : 0;
  const c = liveConfig(run);
  for await (const progress of extremes[switching]!.train(run, resume)) {
    const { episodicReturn = Number.NaN, episodeLength = Number.NaN } = progress.metrics;
    const callCost = share === 0 ? 0 : (c.switchCost ?? switchCost) * episodeLength;
    yield { ...progress, metrics: { ...progress.metrics, centralShare: share, callCost, netReturn: episodicReturn - callCost } };
  }
}

async function* learned(run: Run<MansaConfig>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = liveConfig(run); // fields marked live may change between iterations
  const { meta } = run;
  const { agentCount: A, actionCount: N } = meta;
  const engine = await run.makeEngine();
  const env = run.makeEnv(c.envs);
  const { buffers } = env;
  const independent = replayedLearner(engine, env, c, apart, run.rng);
  const central = replayedLearner(engine, env, c, monotoneMixing, run.rng.split('central'), PREFIX);
  const choice = learnedSwitch(engine, env, c, run.rng.split('switch'));
  const exploring = run.rng.split('exploration');
  const actions = new Int32Array(c.envs * A);
  const q = new Float32Array(c.envs * A * N);
  let step = 0;
  const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, step);
  const switchEpsilon = (): number => linear(1, c.switchEpsilonEnd, c.switchEpsilonFraction * run.steps, step);

  if (resume === undefined) {
    env.reset();
    await independent.start();
    await central.start();
    await choice.start();
  } else {
    env.load(partOf(resume, 'env'));
    engine.load(partOf(resume, 'engine'));
    independent.load(partOf(resume, 'independent'));
    central.load(partOf(resume, 'central'));
    choice.load(partOf(resume, 'switch'));
    restoreRng(exploring, resume.arrays.exploring);
    step = resume.meta.step as number;
  }
  const parts = { independent: independent.nets, central: central.nets, nets: choice.nets };
  let shared: Policy | undefined;

  while (step < run.steps) {
    let lr = c.lr;
    const until = Math.min(run.steps, step + STEPS_PER_ROW);
    while (step < until) {
      // 1. Act, whoever is to, and let everybody remember.
      const eps = epsilon();
      const tosses = switchEpsilon();
      for (let t = 0; t < c.rolloutSteps; t++) {
        for (const looking of [independent.look(), central.look(), choice.look()]) if (looking) await looking;
        const own = independent.values();
        const joint = central.values();
        const called = choice.decide(tosses);
        for (let i = 0; i < q.length; i++) q[i] = called[Math.floor(i / (A * N))] === 1 ? joint[i]! : own[i]!;
        chooseActions({ q, mask: buffers.mask, epsilon: eps, rng: exploring, sharing: independent.nets.sharing, meta }, actions);
        env.step(actions);
        independent.remember(actions);
        central.remember(actions);
        choice.remember();
        step += c.envs;
      }

      // 2. Learn from what was done: each learner from all of it, the switch from whom it called.
      if (step <= c.learningStarts || !independent.ready) continue;
      lr = c.annealLr ? annealed(c.lr, run.steps, step) : c.lr;
      await independent.learn(lr);
      await central.learn(lr);
      await choice.learn();
    }
    const episode = episodeRow(env);
    const { callsPerEpisode, ...said } = choice.report(step);
    const callCost = c.switchCost * callsPerEpisode;

    yield {
      step,
      metrics: {
        ...episode,
        ...independent.report(step),
        epsilon: epsilon(),
        learningRate: lr,
        callCost,
        netReturn: episode.episodicReturn - callCost,
        ...said,
        centralLoss: central.report(step).loss,
        switchEpsilon: switchEpsilon(),
      },
      snapshot: async () =>
        joinSaved(
          { epsilon: epsilon(), switchEpsilon: switchEpsilon() },
          {
            independent: await readParams(engine, parts.independent.online),
            central: await readParams(engine, parts.central.online),
            switch: await readParams(engine, parts.nets.online),
          },
        ),
      save: async () => {
        const part = (kept: {
          readonly meta: Saved['meta'];
          readonly parts: { readonly [name: string]: Saved };
          readonly arrays: Saved['arrays'];
        }) => joinSaved(kept.meta, kept.parts, kept.arrays);
        return joinSaved(
          { step },
          {
            env: env.save(),
            engine: await engine.save(),
            independent: part(independent.kept()),
            central: part(central.kept()),
            switch: part(choice.kept()),
          },
          { exploring: exploring.state.slice() },
        );
      },
      policy: () => (shared ??= policyFrom(engine, meta, c, parts, epsilon, switchEpsilon)),
      hash: () => engine.hash(),
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
    independent: policyOf(independent, meta, epsilon),
    central: policyOf(central, meta, epsilon),
    nets,
    epsilon: switchEpsilon,
    ...(owned && { dispose: () => engine.dispose() }),
  });
}

export const mansa = defineAlgo<MansaConfig>({
  spec: {
    id: 'mansa',
    version: 1,
    title,
    summary: 'Agents learn by themselves, and a switch learns where it is worth its cost to let a central learner act.',
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
    metrics: mansaMetrics,
  },

  fits(meta, c) {
    if (c.switching !== 'learned') {
      extremes[c.switching]!.fits?.(meta, c);
      return;
    }
    checkTeamOfValues(meta, title);
    const [own, joint] = [memoryShape(meta, c, false), memoryShape(meta, c, true)];
    checkMemory({
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

  train: (run, resume) => (run.config.switching === 'learned' ? learned(run, resume) : extreme(run, resume)),

  async policy(context, saved) {
    const { config, meta, makeEngine } = context;
    if (config.switching !== 'learned') return extremes[config.switching]!.policy(context, saved);
    const engine = await makeEngine();
    const any = Rng.from(0);
    const independent = networks(engine, meta, config, apart, any);
    const central = networks(engine, meta, config, monotoneMixing, any, PREFIX);
    const nets = switchNetworks(engine, meta, config, any);
    writeParams(engine, independent.online, partOf(saved, 'independent'));
    writeParams(engine, central.online, partOf(saved, 'central'));
    writeParams(engine, nets.online, partOf(saved, 'switch'));
    const { epsilon, switchEpsilon } = saved.meta as { readonly epsilon: number; readonly switchEpsilon: number };
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
    if (config.switching !== 'learned') return extremes[config.switching]!.benchmark!({ config, meta, engine });
    const programs = [apart, monotoneMixing].map((mixing: Mixing<MansaConfig>, i) => {
      const nets = networks(engine, meta, config, mixing, Rng.from(0), i === 0 ? '' : PREFIX);
      return compileLearner(engine, nets, meta, config, adam());
    });
    return {
      async run() {
        for (const program of programs) await program.run();
      },
    };
  },
});
