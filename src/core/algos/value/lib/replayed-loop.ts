/**
 * Q-learning of a team from replayed episodes: IQL, VDN and QMIX differ only in how the agents' values become what is trained.
 * Copies act epsilon-greedily for some steps, then the learner (replayed-learner.ts) takes minibatches of whole episodes (single
 * steps without a memory). With double Q the online network chooses the next actions. Throws LabError('nan-loss').
 */

import type { Saved } from '#contract/events.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { joinSaved, partOf, restoreRng } from '#core/state/saved.ts';
import { Rng } from '#math/rng.ts';
import { annealed, linear } from '#math/schedules.ts';
import { liveConfig } from '../../api/define.ts';
import { episodeRow } from '../../api/metrics.ts';
import type { AlgoDef, Policy } from '../../api/types.ts';
import { teamPolicy } from '../../lib/sharing.ts';
import { chooseActions } from './acting.ts';
import { checkMemory, checkTeamOfValues } from './fits.ts';
import type { ReplayedConfig } from './replayed-config.ts';
import { memoryShape, replayedLearner } from './replayed-learner.ts';
import { compileLearner, type Mixing, type Networks, networks } from './replayed-nets.ts';

/** Steps of every copy between two rows of metrics. */
export const STEPS_PER_ROW = 1000;

/** Everything of an algorithm but its spec. */
export function replayedDef<C extends ReplayedConfig>(title: string, mixing: Mixing<C>): Omit<AlgoDef<C>, 'spec'> {
  const team = mixing.joint !== null;
  return {
    fits(meta, c) {
      checkTeamOfValues(meta, title);
      checkMemory(memoryShape(meta, c, team));
    },

    async *train(run, resume) {
      const c = liveConfig(run); // fields marked live may change between iterations
      const { meta } = run;
      const engine = await run.makeEngine();
      const env = run.makeEnv(c.envs);
      const { buffers } = env;
      const learner = replayedLearner(engine, env, c, mixing, run.rng);
      const { nets } = learner;
      const exploring = run.rng.split('exploration');
      const actions = new Int32Array(c.envs * meta.agentCount);
      let step = 0;
      const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, step);

      if (resume === undefined) {
        env.reset();
        await learner.start();
      } else {
        env.load(partOf(resume, 'env'));
        engine.load(partOf(resume, 'engine'));
        learner.load(resume);
        restoreRng(exploring, resume.arrays.exploring);
        step = resume.meta.step as number;
      }
      let shared: Policy | undefined;

      while (step < run.steps) {
        let lr = c.lr;
        const until = Math.min(run.steps, step + STEPS_PER_ROW);
        while (step < until) {
          // 1. Act, and remember.
          const eps = epsilon();
          for (let t = 0; t < c.rolloutSteps; t++) {
            const looked = learner.look();
            if (looked) await looked;
            const q = learner.values();
            chooseActions({ q, mask: buffers.mask, epsilon: eps, rng: exploring, sharing: nets.sharing, meta }, actions);
            env.step(actions);
            learner.remember(actions);
            step += c.envs;
          }

          // 2. Learn from replayed episodes.
          if (step <= c.learningStarts || !learner.ready) continue;
          lr = c.annealLr ? annealed(c.lr, run.steps, step) : c.lr;
          await learner.learn(lr);
        }
        const said = learner.report(step);

        yield {
          step,
          metrics: { ...episodeRow(env), ...said, epsilon: epsilon(), learningRate: lr },
          snapshot: async () => joinSaved({ epsilon: epsilon() }, { net: await readParams(engine, nets.online) }),
          save: async (): Promise<Saved> => {
            const { meta: counts, parts, arrays } = learner.kept();
            const streams = { exploring: exploring.state.slice(), ...arrays };
            return joinSaved({ step, ...counts }, { env: env.save(), engine: await engine.save(), ...parts }, streams);
          },
          policy: () => (shared ??= policyOf(nets, meta, epsilon)),
          hash: () => engine.hash(),
        };
      }
    },

    async policy({ config, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const nets = networks(engine, meta, config, mixing, Rng.from(0));
      writeParams(engine, nets.online, partOf(saved, 'net'));
      const epsilon = saved.meta.epsilon as number;
      return policyOf(nets, meta, () => epsilon, true);
    },

    benchmark({ config, meta, engine }) {
      const nets = networks(engine, meta, config, mixing, Rng.from(0));
      const learn = compileLearner(engine, nets, meta, config, adam());
      return { run: () => learn.run() };
    },
  };
}

/** The policy of these networks; `owned`: it frees their engine. */
export function policyOf({ engine, q, sharing }: Networks, meta: EnvMeta, epsilon: () => number, owned = false): Policy {
  return teamPolicy({
    meta,
    sharing,
    epsilon,
    stateSize: q.stateSize,
    compile: (k, rows) => engine.compile((g) => q.outputs(g, k, rows), { name: 'team policy' }),
    ...(owned && { dispose: () => engine.dispose() }),
  });
}
