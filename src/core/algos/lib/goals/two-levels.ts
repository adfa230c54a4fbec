/**
 * Two policies from recordings without rewards (Park et al. 2023, HIQL; equations: goals/hiql.ts). The upper one says where to be `way` steps
 * later, as a code of a few numbers; the lower one gets there. `upper` values of its own (goals/ota.ts) judge the upper policy; without them the
 * values of single steps judge both.
 */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { Dataset } from '#contract/files/dataset.ts';
import { present } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { concat, mean, mul, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { RowMeans } from '../../api/metrics.ts';
import type { Policy, PolicyContext, Run } from '../../api/types.ts';
import { actionShape } from '../box.ts';
import { advantageWeight } from '../data/losses.ts';
import { type OfflineLearner, trainOffline } from '../data/offline.ts';
import type { SourceSettings } from '../data/source.ts';
import { goalActor, goalPolicy } from './actor.ts';
import { actorGoals, drawValueRows, goalMetrics, SIGNS_EVERY } from './learning.ts';
import { goalRows } from './rows.ts';
import { signMeter } from './signs.ts';
import { codedValues, compileGoalValues, goalStack, goalValues, ofLength, withoutGoal, worth } from './values.ts';

export interface TwoLevelSettings extends SourceSettings {
  readonly lr: number;
  readonly gamma: number;
  readonly tau: number;
  readonly expectile: number;
  readonly alpha: number;
  readonly lowerAlpha: number;
  readonly randomGoals: number;
  readonly batchSize: number;
  readonly hidden: readonly number[];
  readonly way: number;
  readonly code: number;
  /** Steps of a jump of the upper values; missing: there are none. */
  readonly jump?: number;
}

function networks(engine: Engine, meta: EnvMeta, c: TwoLevelSettings, rng: Rng) {
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
function jumpValues(engine: Engine, meta: EnvMeta, { hidden }: TwoLevelSettings, rng: Rng) {
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

export const twoLevelMetrics: readonly MetricCard[] = [
  ...goalMetrics,
  {
    id: 'upperLoss',
    title: 'upper policy loss',
    description: 'Distance of proposed subgoals to recorded ones, weighted by how much nearer these came.',
  },
];

function learner({ config: c, meta, rng, makeEnv }: Run<TwoLevelSettings>, engine: Engine, data: Dataset): OfflineLearner {
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
      if (signs === null || counters.step % SIGNS_EVERY !== SIGNS_EVERY - 1) return;
      const wrong = await signs(looking);
      if (!Number.isNaN(wrong)) means.add('wrongSigns', wrong);
    },
    snapshot: () => saveGroups(engine, saved(nets)),
    policy: () => policyOf(engine, nets, meta),
  };
}

/** What a policy needs: the upper values are those that a map shows. */
const saved = ({ lower, upper, value, jumps }: Networks) => ({ lower, upper, value, ...(jumps && { upperValue: jumps.value }) });

export const trainTwoLevels = <C extends TwoLevelSettings>(run: Run<C>, resume: Saved | undefined) =>
  trainOffline(run, resume, (own, engine, _rows, data) => learner(own, engine, data));

export async function twoLevelPolicy({ config, meta, makeEngine }: PolicyContext<TwoLevelSettings>, snapshot: Saved): Promise<Policy> {
  const engine = await makeEngine();
  const nets = networks(engine, meta, config, Rng.from(0));
  loadGroups(engine, saved(nets), snapshot);
  return policyOf(engine, nets, meta, () => engine.dispose());
}

export function twoLevelBenchmark(engine: Engine, meta: EnvMeta, config: TwoLevelSettings): { run(): Promise<void> | undefined } {
  const lower = compileLower(engine, networks(engine, meta, config, Rng.from(0)), meta, config.batchSize);
  return { run: () => lower.run() };
}
