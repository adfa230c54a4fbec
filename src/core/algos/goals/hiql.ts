/**
 * HIQL (Park et al. 2023): one set of values, learned from recordings without actions or rewards, judges two policies. The upper one says where
 * to be `way` steps later, as a code of a few numbers; the lower one gets there.
 *   V:      lib/goals/learning.ts, over phi(s, g), a code of a goal with length sqrt(numbers of it)
 *   upper:  -min(exp(alpha (V(w, g) - V(s, g))), 100) ln pi_u(phi(s, w) | s, g): w is the recorded state `way` steps later, or g if that is sooner
 *   lower:  -min(exp(beta (V(s', w) - V(s, w))), 100) ln pi_l(a | s, phi(s, w)): w is the recorded state `way` steps later
 * Far goals give single steps hardly any advantage, and noise in V turns its sign; `way` steps have more of it. Both policies are Gaussian with
 * deviation 1, so ln pi is minus half the squared distance. The gradients of the policies do not reach phi (OGBench, hiql.py).
 * Differs from the authors' code: smaller networks and batches by default; a goal is what the environment calls achieved; the distance is not
 * halved. With `jump`, the upper policy is judged by values of its own (goals/ota.ts).
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade
 *   repeat until the budget is spent
 *     V: states with goals of their own episode, of anywhere, or themselves: descend the expectile loss of both values
 *     lower policy: states with what came `way` steps later: descend the weighted cloning loss of the action
 *     upper policy: states with goals that came later: descend the weighted cloning loss of the code of what came `way` steps later
 *     target values <- (1 - tau) target values + tau values
 *   to act: code = upper(s, g), scaled to its length; action = lower(s, code), anew in every step
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { Dataset } from '#contract/files/dataset.ts';
import { present } from '#contract/kit/errors.ts';
import { concat, mean, mul, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { AlgoDef, Policy, Run } from '../api/types.ts';
import { actionShape, checkRecordable } from '../lib/box.ts';
import { advantageWeight } from '../lib/data/losses.ts';
import { agreementMetric, type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import {
  actorGoals,
  addSigns,
  checkGoals,
  codedValues,
  compileGoalValues,
  drawValueRows,
  goalActor,
  goalFields,
  goalMetrics,
  goalPolicy,
  goalPresets,
  goalRows,
  goalStack,
  goalValues,
  OGBENCH,
  ofLength,
  signMeter,
  withoutGoal,
  worth,
} from '../lib/goals/learning.ts';

const source = `${OGBENCH} hiql.py`;

/** Settings of this method and of goals/ota.ts. */
export const twoLevelFields = {
  ...goalFields({ expectile: 0.7, alpha: 3, source }),
  lowerAlpha: fields.real(3, {
    min: 0,
    max: 100,
    title: 'inverse temperature of the lower policy',
    description: 'As the upper one’s, for single steps towards a subgoal.',
    slider: [0, 20],
    source,
    live: true,
  }),
  way: fields.integer(25, {
    min: 1,
    max: 1000,
    title: 'steps to the subgoal',
    description: 'The upper policy proposes where to be so many steps later.',
    unit: 'steps',
    slider: [2, 100],
    source: `${source}; 100 for humanoids`,
    depth: 'teach',
  }),
  code: fields.integer(10, {
    min: 1,
    max: 64,
    title: 'numbers of a subgoal',
    description: 'Length of the code in which the upper policy says where to go.',
    slider: [2, 32],
    source,
    group: 'network',
  }),
};
const config = z.strictObject(twoLevelFields);
type Settings = z.infer<typeof config> & { readonly jump?: number };

function networks(engine: Engine, meta: EnvMeta, c: Settings, rng: Rng) {
  const group = (name: string) => engine.group(name);
  const [value, target, lower, upper] = [group('value'), group('valueTarget'), group('lower'), group('upper')];
  const seen = meta.obsSize - present(meta.goals, 'the goals of an environment').size + c.code;
  const v = codedValues(value, rng, meta, c.hidden, c.code);
  const jumps = c.jump === undefined ? null : jumpValues(engine, meta, c, rng);
  return {
    value,
    target,
    lower,
    upper,
    jumps,
    v: v.values,
    phi: v.phi,
    targetV: codedValues(target, Rng.from(0), meta, c.hidden, c.code).values,
    pi: goalActor(lower, rng, meta, seen, c.hidden),
    proposed: goalStack(upper, 'actor', rng, [meta.obsSize, ...c.hidden, c.code], false),
  };
}
type Networks = ReturnType<typeof networks>;

/** Values of jumps, which read the goal as it stands. */
function jumpValues(engine: Engine, meta: EnvMeta, { hidden }: Settings, rng: Rng) {
  const [value, target] = [engine.group('upperValue'), engine.group('upperValueTarget')];
  const v = goalValues(value, rng, meta, hidden);
  const targetV = goalValues(target, Rng.from(0), meta, hidden); // overwritten by a copy before its first use
  return { value, target, v, targetV };
}

const judgeOf = ({ jumps, v }: Networks) => jumps?.v ?? v;

const policyOf = (engine: Engine, nets: Networks, meta: EnvMeta, dispose?: () => void): Policy =>
  goalPolicy(
    engine,
    meta,
    (g, obs) => ({
      head: nets.pi.head(concat([withoutGoal(meta, obs), ofLength(nets.proposed(obs))], 1)),
      value: worth(judgeOf(nets), g, obs),
    }),
    dispose,
  );

function compileLower(engine: Engine, { v, phi, pi, lower }: Networks, meta: EnvMeta, M: number) {
  const O = meta.obsSize;
  return engine.compile(
    { obs: [M, O], nextObs: [M, O], action: actionShape(meta, M), alpha: [1] },
    (x, g) => {
      const weight = advantageWeight(worth(v, g, x.nextObs), worth(v, g, x.obs), x.alpha);
      const head = pi.head(concat([withoutGoal(meta, x.obs), stopGradient(phi(x.obs))], 1));
      return { loss: mean(mul(weight, pi.cost(head, x.action))), weight: mean(weight), agreement: mean(pi.agreement(head, x.action)) };
    },
    { minimise: 'loss', group: lower, with: adam(), name: 'lower policy' },
  );
}

/** `obs`: state and goal; `wanted`: state and its subgoal; `ahead`: subgoal and goal. */
function compileUpper(engine: Engine, nets: Networks, meta: EnvMeta, M: number) {
  const { phi, proposed, upper } = nets;
  const O = meta.obsSize;
  const judge = judgeOf(nets);
  return engine.compile(
    { obs: [M, O], wanted: [M, O], ahead: [M, O], alpha: [1] },
    (x, g) => {
      const weight = advantageWeight(worth(judge, g, x.ahead), worth(judge, g, x.obs), x.alpha);
      const away = sum(square(sub(proposed(x.obs), stopGradient(phi(x.wanted)))), -1);
      return { loss: mean(mul(weight, away)) };
    },
    { minimise: 'loss', group: upper, with: adam(), name: 'upper policy' },
  );
}

const metrics: readonly MetricCard[] = [
  ...offlineMetrics,
  ...goalMetrics,
  {
    id: 'upperLoss',
    title: 'upper policy loss',
    description: 'Distance of proposed subgoals to recorded ones, weighted by how much nearer these came.',
  },
  agreementMetric,
];

function learner({ config: c, meta, rng, makeEnv }: Run<Settings>, engine: Engine, data: Dataset): OfflineLearner {
  const M = c.batchSize;
  const rows = goalRows(meta, data);
  const nets = networks(engine, meta, c, rng.split('init'));
  const sizes = { rows: M, expectile: c.expectile };
  const values = compileGoalValues(engine, { group: nets.value, values: nets.v, target: nets.targetV }, meta, { ...sizes, name: 'values' });
  const targets = [engine.polyak(nets.target, nets.value)];
  const { jumps } = nets;
  const upperValues =
    jumps &&
    compileGoalValues(engine, { group: jumps.value, values: jumps.v, target: jumps.targetV }, meta, { ...sizes, name: 'upper values' });
  if (jumps !== null) targets.push(engine.polyak(jumps.target, jumps.value));
  const lower = compileLower(engine, nets, meta, M);
  const upper = compileUpper(engine, nets, meta, M);
  const signs = signMeter(engine, judgeOf(nets), meta, rows, makeEnv(1).env, c.way);
  const [drawing, looking] = [rng.split('replay'), rng.split('signs')];
  const means = new RowMeans<string>([...goalMetrics.map(({ id }) => id), 'agreement', 'upperLoss']);
  const counters = { step: 0 };
  const drawActors = () => {
    const shares = actorGoals(c.randomGoals);
    for (let row = 0; row < M; row++) {
      const i = rows.drawStep(drawing);
      const near = Math.min(i + c.way, rows.lastOf(i));
      rows.write(i, near, lower.in.obs, row);
      rows.write(i + 1, near, lower.in.nextObs, row);
      rows.action(i, lower.in.action, row);
      const from = rows.drawStep(drawing);
      const end = rows.lastOf(from);
      const goal = rows.goal(drawing, from, shares);
      const subgoal = Math.min(from + c.way, goal > from && goal < end ? goal : end);
      rows.write(from, goal, upper.in.obs, row);
      rows.write(from, subgoal, upper.in.wanted, row);
      rows.write(subgoal, goal, upper.in.ahead, row);
    }
    lower.in.alpha[0] = c.lowerAlpha;
    upper.in.alpha[0] = c.alpha;
  };
  return {
    state: { counters, arrays: { drawing, looking } },
    means,
    gamma: c.gamma,
    async copyTargets() {
      for (const target of targets) await updateTarget(target, 1);
    },
    async update() {
      drawValueRows(drawing, rows, M, c.gamma, values.in);
      await descend(values, c.lr);
      if (upperValues !== null) {
        drawValueRows(drawing, rows, M, c.gamma, upperValues.in, c.jump);
        await descend(upperValues, c.lr);
      }
      drawActors();
      await descend(lower, c.lr);
      await descend(upper, c.lr);
      for (const target of targets) await updateTarget(target, c.tau);
      means.add('valueLoss', values.out.loss[0]!);
      means.add('value', values.out.value[0]!);
      means.add('actorLoss', lower.out.loss[0]!);
      means.add('weight', lower.out.weight[0]!);
      means.add('agreement', lower.out.agreement[0]!);
      means.add('upperLoss', upper.out.loss[0]!);
      await addSigns(signs, looking, counters.step, means);
    },
    snapshot: () => saveGroups(engine, saved(nets)),
    policy: () => policyOf(engine, nets, meta),
  };
}

/** What a policy needs: the upper values are those that a map shows. */
const saved = ({ lower, upper, value, jumps }: Networks) => ({ lower, upper, value, ...(jumps && { upperValue: jumps.value }) });

/** What both methods share but their names and settings. */
export const twoLevels = <C extends Settings>(title: string): Omit<AlgoDef<C>, 'spec'> => ({
  fits(meta) {
    checkRecordable(meta, title);
    checkGoals(meta, title);
  },

  train: (run, resume) => trainOffline(run, resume, (own, engine, _rows, data) => learner(own, engine, data)),

  async policy({ config: c, meta, makeEngine }, snapshot): Promise<Policy> {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, saved(nets), snapshot);
    return policyOf(engine, nets, meta, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const lower = compileLower(engine, networks(engine, meta, c, Rng.from(0)), meta, c.batchSize);
    return { run: () => lower.run() };
  },
});

/** What their cards share. */
export const twoLevelCard = {
  version: 1,
  presets: goalPresets,
  action: 'any',
  learner: 'network',
  agents: 'one',
  shown: true,
  trial: { env: 'bit-flip', steps: 256, config: { dataset: 'random', hidden: [16], batchSize: 32, recordSteps: 500 } },
  probes: [],
  probeConfig: {},
  metrics,
} as const;

export const hiql = defineAlgo<z.infer<typeof config>>({
  spec: {
    ...twoLevelCard,
    id: 'hiql',
    title: 'HIQL',
    summary: 'Learns from recorded play to reach any goal: an upper policy proposes where to be in some steps, a lower one gets there.',
    source: {
      title: 'HIQL: Offline Goal-Conditioned RL with Latent States as Actions',
      authors: 'Park et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2307.11949',
    },
    config,
  },
  ...twoLevels('HIQL'),
});
