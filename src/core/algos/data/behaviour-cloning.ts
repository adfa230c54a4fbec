/**
 * Behaviour cloning (Pomerleau 1989; Bain and Sammut 1995): the actions of a recorded player are learned as answers to what it saw.
 *   discrete    L = -mean ln pi(a | s)
 *   continuous  L = mean ||pi(s) - a||^2 over actions in [-1, 1]
 * With only the best episodes kept it is the comparator of offline methods, "10 % BC". A step is one update. Several agents that are
 * alike share the network.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade; keep the best `share` of its episodes
 *   repeat until the budget is spent
 *     draw a minibatch of rows (s, a) with replacement
 *     discrete: L = -mean ln pi(a | s); continuous: L = mean ||pi(s) - a||^2
 *     descend L with Adam; if annealLr: the step size falls in a straight line to 0
 *     every 64 updates: play the greedy policy 32 steps in 4 copies, for measuring alone
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Engine } from '#core/engine/types.ts';
import { descend } from '#core/nets/target.ts';
import { saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { checkRecordable } from '../lib/box.ts';
import { compileCloning, dataActor, savedActor } from '../lib/data/networks.ts';
import { agreementMetric, type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import { type DataRows, sourceFields } from '../lib/data/source.ts';

const source = 'CORL any_percent_bc.py';

const config = z.strictObject({
  ...sourceFields(source),
  lr: fields.lr(3e-4, source),
  annealLr: fields.annealLr(false, source),
  batchSize: fields.batchSize(256, source),
  hidden: fields.hidden([256, 256], source, { description: 'Units of each layer; ReLU between them.' }),
});
type Config = z.infer<typeof config>;

function learner({ config: c, meta, rng, steps }: Run<Config>, engine: Engine, rows: DataRows): OfflineLearner {
  const actor = dataActor(engine, meta, c.hidden, rng.split('init'));
  const learn = compileCloning(engine, actor, meta, c.batchSize);
  const drawing = rng.split('replay');
  const means = new RowMeans<string>(['loss', 'agreement', 'gradNorm']);
  const counters = { step: 0 };
  return {
    state: { counters, arrays: { drawing } },
    means,
    async update() {
      rows.sample(drawing, c.batchSize, 1, learn.in);
      const pending = descend(learn, c.annealLr ? c.lr * (1 - counters.step / steps) : c.lr);
      if (pending) await pending;
      means.add('loss', learn.out.loss[0]!);
      means.add('agreement', learn.out.agreement[0]!);
      means.add('gradNorm', learn.out.gradNorm[0]!);
    },
    snapshot: () => saveGroups(engine, { actor: actor.group }),
    policy: () => actor.policy(),
  };
}

export const behaviourCloning = defineAlgo<Config>({
  spec: {
    id: 'behaviour-cloning',
    version: 2,
    changes: [{ version: 2, what: 'The step size may fall to 0 over the run.', before: { annealLr: false }, rerun: false }],
    title: 'Behaviour cloning',
    summary: 'Learns to do what a recorded player did, without any reward. A step is one update.',
    source: {
      title: 'ALVINN: An Autonomous Land Vehicle in a Neural Network',
      authors: 'Pomerleau',
      year: 1989,
      url: 'https://papers.nips.cc/paper/95-alvinn-an-autonomous-land-vehicle-in-a-neural-network',
    },
    config,
    presets: [
      { id: 'best-tenth', title: '10 % BC: the best tenth of the episodes (CORL)', config: { dataset: 'mixed', share: 0.1 } },
      { id: 'small', title: '64-64, batch 64: quick on any machine', config: { hidden: [64, 64], batchSize: 64, lr: 1e-3 } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    shown: true,
    trial: { env: 'cartpole', steps: 256, config: { hidden: [16], batchSize: 32, recordSteps: 500, lr: 3e-3 } },
    // The probes have no expert: the best episodes of random play show what is right.
    probes: [
      { on: ['bandit', 'cued'], steps: 512, config: { dataset: 'random', share: 0.4 } },
      { on: ['pointing'], steps: 2000, config: { dataset: 'random', share: 0.1 }, atLeast: 0.95 },
    ],
    probeConfig: { hidden: [32], batchSize: 64, lr: 3e-3, recordSteps: 1000 },
    metrics: [
      ...offlineMetrics,
      { id: 'loss', title: 'loss', description: 'Minus the log-probability of the recorded actions, or the squared distance to them.' },
      agreementMetric,
      { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient.' },
    ],
  },

  fits: (meta) => checkRecordable(meta, 'Behaviour cloning'),

  train: (run, resume) => trainOffline(run, resume, learner),

  policy: savedActor,

  benchmark({ config: c, meta, engine }) {
    const learn = compileCloning(engine, dataActor(engine, meta, c.hidden, Rng.from(0)), meta, c.batchSize);
    return { run: () => learn.run() };
  },
});
