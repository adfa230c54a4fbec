/**
 * Quasimetric RL (Wang et al. 2023): the distance from one place to another is learned as large as can be while no recorded step is longer than 1.
 * A distance that goes by way of other places cannot exceed the sum of their steps, so it becomes the fewest steps, with no values passed on.
 *   d(s, g):  ||x(s) - x(g)|| + max_k (y_k(s) - y_k(g))+ of one code (x, y); the second part may differ there and back
 *   d:        100 mean softplus(5 - d(s, g) / 100) + l mean (d(s, s') - 1)+^2,  g any recorded state
 *   l:        exp(b), b descends l (eps - mean (d(s, s') - 1)+^2): the larger, the more steps are too long
 *   pi:       -min(exp(alpha (d(s, g) - d(s', g))), 100) ln pi(a | s, g)
 * Differs from the authors' code: the policy clones recorded steps by how much nearer they came, as OGBench's qrl.py does where actions are discrete,
 * there by a model of codes too; the distance is its MRN, there IQE is the default; smaller networks and batches; a code reads what the environment
 * calls achieved.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade
 *   repeat until the budget is spent
 *     d: recorded steps and goals from anywhere: descend what draws places apart and what holds steps together
 *     l: ascends while steps are longer than they may be
 *     pi: states with goals that came later: descend the weighted cloning loss
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { present } from '#contract/kit/errors.ts';
import {
  add,
  amax,
  exp,
  maximum,
  mean,
  mul,
  neg,
  relu,
  sliceAxis,
  softplus,
  sqrt,
  square,
  stopGradient,
  sub,
  sum,
} from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { descend } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Run } from '../api/types.ts';
import { checkRecordable } from '../lib/box.ts';
import { agreementMetric, type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import {
  ANYWHERE,
  achievedIn,
  actorGoals,
  addSigns,
  checkGoals,
  compileNearerActor,
  drawStepRow,
  type GoalValues,
  goalActor,
  goalFields,
  goalMetrics,
  goalPolicy,
  goalPresets,
  goalRows,
  goalStack,
  OGBENCH,
  signMeter,
  WAY,
  wantedIn,
  worth,
} from '../lib/goals/learning.ts';

const source = `${OGBENCH} qrl.py`;
const { tau: _tau, expectile: _expectile, gamma: _gamma, ...shared } = goalFields({ expectile: 0.5, alpha: 3, source });
const config = z.strictObject({
  ...shared,
  code: fields.integer(64, {
    min: 2,
    max: 512,
    title: 'numbers of a place',
    description: 'Length of the code between which distances are taken: one half there and back alike, one half not.',
    slider: [4, 128],
    source: `${source}: 512`,
    group: 'network',
  }),
  slack: fields.real(0.05, {
    min: 0,
    max: 1,
    title: 'slack of a step',
    description: 'So much may the squared excess of a recorded step over 1 be on average before steps are held together more.',
    slider: [0, 0.5],
    source,
    live: true,
    depth: 'teach',
  }),
});
type Config = z.infer<typeof config>;

/** Distances beyond some 500 steps are drawn apart less and less. */
const SCALE = 100;
const FAR = 5;

/** d of two lists of codes, [M, L] and [M, L] to [M]. */
export function quasi(from: Tensor, to: Tensor): Tensor {
  const L = present(from.shape[1], 'the length of a code');
  const half = Math.floor(L / 2);
  const both = sub(from, to);
  const alike = sqrt(maximum(sum(square(sliceAxis(both, 1, 0, half)), -1), 1e-12));
  return add(alike, relu(amax(sliceAxis(both, 1, half, L - half), -1)));
}

/** What draws places apart, and how much too long recorded steps are, both over rows [M]. */
export const drawnApart = (far: Tensor): Tensor => mul(mean(softplus(sub(FAR, mul(far, 1 / SCALE)))), SCALE);
export const tooLong = (step: Tensor): Tensor => mean(square(relu(sub(step, 1))));

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const { size } = present(meta.goals, 'the goals of an environment');
  const [distance, actor] = [engine.group('distance'), engine.group('actor')];
  const code = goalStack(distance, 'code', rng, [size, ...c.hidden, c.code], true);
  const values: GoalValues = (_, obs) => {
    const value = neg(quasi(code(achievedIn(meta, obs)), code(wantedIn(meta, obs))));
    return [value, value];
  };
  const hold = engine.group('hold');
  return {
    distance,
    actor,
    hold,
    code,
    values,
    weight: hold.param('log weight', [1], new Float32Array(1)),
    pi: goalActor(actor, rng, meta, meta.obsSize, c.hidden),
  };
}
type Networks = ReturnType<typeof networks>;

function compileDistance(engine: Engine, { distance, code, weight }: Networks, meta: EnvMeta, M: number) {
  const O = meta.obsSize;
  return engine.compile(
    { obs: [M, O], nextObs: [M, O] },
    (x, g) => {
      const from = code(achievedIn(meta, x.obs));
      const far = quasi(from, code(wantedIn(meta, x.obs)));
      const excess = tooLong(quasi(from, code(achievedIn(meta, x.nextObs))));
      const held = mean(stopGradient(exp(g.read(weight))));
      return { loss: add(drawnApart(far), mul(held, excess)), value: neg(mean(far)), excess, held };
    },
    { minimise: 'loss', group: distance, with: adam(), name: 'qrl distance' },
  );
}

/** The multiplier of steps that are too long. */
const compileHold = (engine: Engine, { hold, weight }: Networks) =>
  engine.compile({ room: [1] }, ({ room }, g) => ({ loss: mean(mul(exp(g.read(weight)), room)) }), {
    minimise: 'loss',
    group: hold,
    with: adam(),
    name: 'qrl multiplier',
  });

const compileActor = (engine: Engine, { values, pi, actor }: Networks, meta: EnvMeta, M: number) =>
  compileNearerActor(engine, { group: actor, values, pi }, meta, { rows: M, name: 'qrl actor' });

const policyOf = (engine: Engine, { values, pi }: Networks, meta: EnvMeta, dispose?: () => void) =>
  goalPolicy(engine, meta, (g, obs) => ({ head: pi.head(obs), value: worth(values, g, obs) }), dispose);

const metrics: readonly MetricCard[] = [
  ...offlineMetrics,
  ...goalMetrics,
  { id: 'excess', title: 'excess of a step', description: 'Mean square of how much longer than 1 recorded steps are.' },
  { id: 'held', title: 'weight of the excess', description: 'The multiplier that holds recorded steps together.' },
  agreementMetric,
];

export const qrl = defineAlgo<Config>({
  spec: {
    id: 'qrl',
    version: 1,
    title: 'Quasimetric RL',
    summary: 'Learns from recorded play how many steps it takes from any place to any other, and one policy that comes nearer.',
    source: {
      title: 'Optimal Goal-Reaching Reinforcement Learning via Quasimetric Learning',
      authors: 'Wang et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2304.01203',
    },
    config,
    presets: goalPresets.map(({ config: { tau: _, ...own }, ...preset }) => ({ ...preset, config: own })),
    action: 'any',
    learner: 'network',
    agents: 'one',
    shown: true,
    trial: { env: 'bit-flip', steps: 256, config: { dataset: 'random', hidden: [16], code: 8, batchSize: 32, recordSteps: 500 } },
    probes: [],
    probeConfig: {},
    metrics,
  },

  fits(meta) {
    checkRecordable(meta, 'Quasimetric RL');
    checkGoals(meta, 'Quasimetric RL');
  },

  train: (run, resume) =>
    trainOffline(run, resume, ({ config: c, meta, rng, makeEnv }: Run<Config>, engine, _rows, data): OfflineLearner => {
      const M = c.batchSize;
      const rows = goalRows(meta, data);
      const nets = networks(engine, meta, c, rng.split('init'));
      const distance = compileDistance(engine, nets, meta, M);
      const hold = compileHold(engine, nets);
      const actor = compileActor(engine, nets, meta, M);
      const signs = signMeter(engine, nets.values, meta, rows, makeEnv(1).env, WAY);
      const [drawing, looking] = [rng.split('replay'), rng.split('signs')];
      const means = new RowMeans<string>([...goalMetrics.map(({ id }) => id), 'agreement', 'excess', 'held']);
      const counters = { step: 0 };
      return {
        state: { counters, arrays: { drawing, looking } },
        means,
        async update() {
          const shares = actorGoals(c.randomGoals);
          for (let row = 0; row < M; row++) {
            drawStepRow(drawing, rows, ANYWHERE, distance.in, row);
            rows.action(drawStepRow(drawing, rows, shares, actor.in, row), actor.in.action, row);
          }
          actor.in.alpha[0] = c.alpha;
          await descend(distance, c.lr);
          hold.in.room[0] = c.slack - distance.out.excess[0]!;
          await descend(hold, c.lr);
          await descend(actor, c.lr);
          means.add('valueLoss', distance.out.loss[0]!);
          means.add('value', distance.out.value[0]!);
          means.add('excess', distance.out.excess[0]!);
          means.add('held', distance.out.held[0]!);
          means.add('actorLoss', actor.out.loss[0]!);
          means.add('weight', actor.out.weight[0]!);
          means.add('agreement', actor.out.agreement[0]!);
          await addSigns(signs, looking, counters.step, means);
        },
        snapshot: () => saveGroups(engine, { actor: nets.actor, distance: nets.distance }),
        policy: () => policyOf(engine, nets, meta),
      };
    }),

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { actor: nets.actor, distance: nets.distance }, saved);
    return policyOf(engine, nets, meta, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const distance = compileDistance(engine, networks(engine, meta, c, Rng.from(0)), meta, c.batchSize);
    return { run: () => distance.run() };
  },
});
