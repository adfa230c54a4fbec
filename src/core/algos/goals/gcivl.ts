/**
 * Goal-conditioned implicit V-learning (Park et al. 2025, OGBench, gcivl.py): to get from any recorded state to any other, learned without rewards.
 *   V:   lib/goals/learning.ts; the values of getting to a goal, by an upper expectile of recorded steps
 *   pi:  -min(exp(alpha (V(s', g) - V(s, g))), 100) ln pi(a | s, g): recorded actions are cloned the more, the nearer they came
 * One policy for all goals, near and far: what hierarchical methods are compared with.
 * Differs from OGBench: smaller networks and batches by default; a goal is what the environment calls achieved, not the whole observation.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade
 *   repeat until the budget is spent
 *     V: states with goals of their own episode, of anywhere, or themselves: descend the expectile loss of both values
 *     pi: states with goals that came later: descend the weighted cloning loss
 *     target values <- (1 - tau) target values + tau values
 *     every 64 updates: play the greedy policy 32 steps in 4 copies, for measuring alone
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { checkRecordable } from '../lib/box.ts';
import { agreementMetric, type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import {
  actorGoals,
  addSigns,
  checkGoals,
  compileGoalValues,
  compileNearerActor,
  drawStepRow,
  drawValueRows,
  goalActor,
  goalFields,
  goalMetrics,
  goalPolicy,
  goalPresets,
  goalRows,
  goalValues,
  OGBENCH,
  signMeter,
  WAY,
  worth,
} from '../lib/goals/learning.ts';

const config = z.strictObject(goalFields({ expectile: 0.9, alpha: 10, source: `${OGBENCH} gcivl.py` }));
type Config = z.infer<typeof config>;

function networks(engine: Engine, meta: EnvMeta, { hidden }: Config, rng: Rng) {
  const [value, target, actor] = [engine.group('value'), engine.group('valueTarget'), engine.group('actor')];
  return {
    value,
    target,
    actor,
    v: goalValues(value, rng, meta, hidden),
    targetV: goalValues(target, Rng.from(0), meta, hidden), // overwritten by a copy before its first use
    pi: goalActor(actor, rng, meta, meta.obsSize, hidden),
  };
}
type Networks = ReturnType<typeof networks>;

const policyOf = (engine: Engine, { v, pi }: Networks, meta: EnvMeta, dispose?: () => void) =>
  goalPolicy(engine, meta, (g, obs) => ({ head: pi.head(obs), value: worth(v, g, obs) }), dispose);

const compileActor = (engine: Engine, { v, pi, actor }: Networks, meta: EnvMeta, M: number) =>
  compileNearerActor(engine, { group: actor, values: v, pi }, meta, { rows: M, name: 'gcivl actor' });

export const gcivl = defineAlgo<Config>({
  spec: {
    id: 'gcivl',
    version: 1,
    title: 'Goal-conditioned implicit V-learning',
    summary: 'Learns from recorded play without rewards to get from any place to any other, with one policy for near and far goals.',
    source: {
      title: 'OGBench: Benchmarking Offline Goal-Conditioned RL',
      authors: 'Park et al.',
      year: 2025,
      url: 'https://arxiv.org/abs/2410.20092',
    },
    config,
    presets: goalPresets,
    action: 'any',
    learner: 'network',
    agents: 'one',
    shown: true,
    trial: { env: 'bit-flip', steps: 256, config: { dataset: 'random', hidden: [16], batchSize: 32, recordSteps: 500 } },
    probes: [],
    probeConfig: {},
    metrics: [...offlineMetrics, ...goalMetrics, agreementMetric],
  },

  fits(meta) {
    checkRecordable(meta, 'Goal-conditioned implicit V-learning');
    checkGoals(meta, 'Goal-conditioned implicit V-learning');
  },

  train: (run, resume) =>
    trainOffline(run, resume, ({ config: c, meta, rng, makeEnv }: Run<Config>, engine, _rows, data): OfflineLearner => {
      const M = c.batchSize;
      const rows = goalRows(meta, data);
      const nets = networks(engine, meta, c, rng.split('init'));
      const values = compileGoalValues(engine, { group: nets.value, values: nets.v, target: nets.targetV }, meta, {
        rows: M,
        expectile: c.expectile,
        name: 'gcivl values',
      });
      const actor = compileActor(engine, nets, meta, M);
      const target = engine.polyak(nets.target, nets.value);
      const signs = signMeter(engine, nets.v, meta, rows, makeEnv(1).env, WAY);
      const [drawing, looking] = [rng.split('replay'), rng.split('signs')];
      const means = new RowMeans<string>(goalMetrics.map(({ id }) => id).concat('agreement'));
      const counters = { step: 0 };
      return {
        state: { counters, arrays: { drawing, looking } },
        means,
        gamma: c.gamma,
        copyTargets: async () => void (await updateTarget(target, 1)),
        async update() {
          drawValueRows(drawing, rows, M, c.gamma, values.in);
          const shares = actorGoals(c.randomGoals);
          for (let row = 0; row < M; row++) {
            rows.action(drawStepRow(drawing, rows, shares, actor.in, row), actor.in.action, row);
          }
          actor.in.alpha[0] = c.alpha;
          await descend(values, c.lr);
          await descend(actor, c.lr);
          await updateTarget(target, c.tau);
          means.add('valueLoss', values.out.loss[0]!);
          means.add('value', values.out.value[0]!);
          means.add('actorLoss', actor.out.loss[0]!);
          means.add('weight', actor.out.weight[0]!);
          means.add('agreement', actor.out.agreement[0]!);
          await addSigns(signs, looking, counters.step, means);
        },
        snapshot: () => saveGroups(engine, { actor: nets.actor, value: nets.value }),
        policy: () => policyOf(engine, nets, meta),
      };
    }),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { actor: nets.actor, value: nets.value }, saved);
    return policyOf(engine, nets, meta, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const actor = compileActor(engine, networks(engine, meta, c, Rng.from(0)), meta, c.batchSize);
    return { run: () => actor.run() };
  },
});
