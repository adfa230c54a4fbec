/**
 * HILP (Park et al. 2024): states get places phi in a space in which the straight distance is how long it takes from one to the other. A policy then
 * learns to move along any direction z of that space, from recordings without rewards; the direction to a goal leads to the goal.
 *   V:    lib/goals/learning.ts, with V_j(s, g) = -||phi_j(s) - phi_j(g)||, two of them; phi is the first
 *   r_z:  (phi(s') - phi(s)) . z,  z of length 1
 *   U:    mean |k - 1{u < 0}| u^2,  u = min Q'(s, a, z) - U(s, z);   Q: y = r_z + gamma U(s', z), squared errors of two, added
 *   pi:   -min(exp(alpha (min Q'(s, a, z) - U(s, z))), 100) ln pi(a | s, z): implicit Q-learning for every direction
 *   act:  z = (phi(g) - phi(s)) / ||phi(g) - phi(s)||, anew in every step
 * With `midpoints`, g is replaced so many times by the recorded state w with the least max(||phi(s) - phi(w)||, ||phi(w) - phi(g)||).
 * Differs from the authors' code (hilp_gcrl): smaller networks and batches by default; phi reads what the environment calls achieved; the policy has
 * deviation 1; one of 512 recorded states is a midpoint, there the mean of 50 of 50,000. `aimed` is from their hilp_zsrl.
 * Pseudo-code:
 *   load the dataset, or record play of the chosen grade
 *   repeat until the budget is spent
 *     phi: states with goals of their own episode or of anywhere: descend the expectile loss of both values
 *     draw directions z evenly, a share `aimed` of them towards recorded states; r_z of every step
 *     U and Q: descend the losses of implicit Q-learning; pi: descend the weighted cloning loss
 *     target networks <- (1 - tau) target networks + tau networks
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { Dataset } from '#contract/files/dataset.ts';
import { present } from '#contract/kit/errors.ts';
import {
  add,
  concat,
  div,
  gather,
  maximum,
  mean,
  minimum,
  mul,
  neg,
  pick,
  reshape,
  sqrt,
  square,
  stopGradient,
  sub,
  sum,
  where,
} from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { column, type Net } from '#core/nets/mlp.ts';
import { greedyAction } from '#core/nets/q-values.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { RowMeans } from '../api/metrics.ts';
import type { Policy, Run } from '../api/types.ts';
import { actionShape, checkRecordable } from '../lib/box.ts';
import { advantageWeight, expectileLoss } from '../lib/data/losses.ts';
import { agreementMetric, type OfflineLearner, offlineMetrics, trainOffline } from '../lib/data/offline.ts';
import {
  ANYWHERE,
  achievedIn,
  addSigns,
  checkGoals,
  compileGoalValues,
  drawStepRow,
  drawValueRows,
  type GoalRows,
  type GoalShares,
  type GoalValues,
  goalActor,
  goalFields,
  goalMetrics,
  goalPolicy,
  goalPresets,
  goalRows,
  goalStack,
  signMeter,
  WAY,
  wantedIn,
  withoutGoal,
  worth,
} from '../lib/goals/learning.ts';

const source = 'HILP hilp_gcrl';
const { randomGoals: _none, ...shared } = goalFields({ expectile: 0.95, alpha: 10, source });
const config = z.strictObject({
  ...shared,
  code: fields.integer(32, {
    min: 2,
    max: 64,
    title: 'numbers of a place',
    description: 'Dimensions of the space in which the distance of two states is how long it takes from one to the other.',
    slider: [2, 64],
    source,
    group: 'network',
    depth: 'teach',
  }),
  skillExpectile: fields.real(0.9, {
    min: 0.5,
    max: 0.999,
    title: 'expectile of a direction',
    description: '0.5: what recorded actions gain along a direction on average; towards 1 the best of them counts.',
    slider: [0.5, 0.99],
    source,
  }),
  aimed: fields.real(0, {
    min: 0,
    max: 1,
    title: 'directions to recorded states',
    description:
      'Share of the learned directions that point from the state to a recorded one, as when acting; the others are drawn evenly.',
    slider: [0, 1],
    source: `${source}: 0; hilp_zsrl takes half of its own from recorded states`,
    depth: 'teach',
  }),
  midpoints: fields.integer(0, {
    min: 0,
    max: 6,
    title: 'midpoints',
    description: 'How often the way to the goal is halved by a recorded state before a direction is chosen; 0 goes straight for the goal.',
    source: `${source}: 0, and 3 with planning`,
    depth: 'teach',
  }),
});
type Config = z.infer<typeof config>;

/** Goals of the distance in hilp_gcrl. */
const distanceGoals = (gamma: number): GoalShares => ({ current: 0, later: 0.625, random: 0.375, how: gamma });
const SMALL = present(goalPresets.at(-1), 'the preset of small mazes');
/** Recorded states of which one is a midpoint. */
const PLACES = 512;
/** Of the squared distance, under the root. */
const LEAST = 1e-6;

/** Rows [M, C] of length 1. */
export const ofLengthOne = (x: Tensor): Tensor => div(x, sqrt(add(sum(square(x), -1, true), 1e-12)));

/** Distance of two lists of places, [M, L] and [M, L] to [M] (or broadcast). */
export const apart = (a: Tensor, b: Tensor): Tensor => sqrt(maximum(sum(square(sub(a, b)), -1), LEAST));

/** phi_1 and phi_2, of what was achieved and what is wanted in observations [M, O]. */
export function embedding(group: ParamGroup, rng: Rng, meta: EnvMeta, { hidden, code }: Pick<Config, 'hidden' | 'code'>) {
  const { size } = present(meta.goals, 'the goals of an environment');
  const nets = [1, 2].map((j) => goalStack(group, `phi${j}`, rng, [size, ...hidden, code], true)) as [Net, Net];
  const here = (obs: Tensor): Tensor => achievedIn(meta, obs);
  const wanted = (obs: Tensor): Tensor => wantedIn(meta, obs);
  const values: GoalValues = (_, obs) => {
    const [a, b] = nets.map((net) => neg(apart(net(here(obs)), net(wanted(obs))))) as [Tensor, Tensor];
    return [a, b];
  };
  const phi = nets[0];
  return { phi, values, here: (obs: Tensor) => phi(here(obs)), wanted: (obs: Tensor) => phi(wanted(obs)) };
}

/** Q(s, a, z) [M] of two networks: what a recorded action gains along z from there on. */
function alongValues(group: ParamGroup, rng: Rng, meta: EnvMeta, seen: number, hidden: readonly number[]) {
  const N = meta.actionCount;
  const nets = [1, 2].map((j) => goalStack(group, `q${j}`, rng, [seen + (N > 0 ? 0 : meta.actionSize), ...hidden, Math.max(N, 1)], true));
  return (rows: Tensor, action: Tensor): readonly Tensor[] =>
    nets.map((net) => (N > 0 ? pick(net(rows), action) : column(net(concat([rows, action], 1)))));
}

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const [distance, distanceTarget, along, critic, criticTarget, actor, places] = (
    ['distance', 'distanceTarget', 'along', 'critic', 'criticTarget', 'actor', 'places'] as const
  ).map((name) => engine.group(name)) as [ParamGroup, ParamGroup, ParamGroup, ParamGroup, ParamGroup, ParamGroup, ParamGroup];
  const { size } = present(meta.goals, 'the goals of an environment');
  const seen = meta.obsSize - size + c.code;
  const u = goalStack(along, 'u', rng, [seen, ...c.hidden, 1], true);
  const found = embedding(distance, rng, meta, c);
  return {
    distance,
    distanceTarget,
    along,
    critic,
    criticTarget,
    actor,
    places,
    ...found,
    targetValues: embedding(distanceTarget, Rng.from(0), meta, c).values, // overwritten by a copy before its first use
    u: (rows: Tensor): Tensor => column(u(rows)),
    q: alongValues(critic, rng, meta, seen, c.hidden),
    targetQ: alongValues(criticTarget, Rng.from(0), meta, seen, c.hidden), // as above
    pi: goalActor(actor, rng, meta, seen, c.hidden),
    /** Recorded goals [512, size], which nothing trains. */
    known: c.midpoints > 0 ? places.param('places', [PLACES, size], new Float32Array(PLACES * size)) : null,
  };
}
type Networks = ReturnType<typeof networks>;

/** Where to go [M, L] on the way from `from` to `to`: halved so many times by places [K, L]. */
export function halved(from: Tensor, to: Tensor, places: Tensor, times: number): Tensor {
  const [K, L] = places.shape as [number, number];
  const M = from.shape[0]!;
  const all = reshape(places, [1, K, L]);
  const far = (x: Tensor): Tensor => apart(reshape(x, [M, 1, L]), all);
  const fromHere = far(from);
  let until = to;
  for (let k = 0; k < times; k++) until = gather(places, greedyAction(neg(maximum(fromHere, far(until)))));
  return until;
}

/** What the policy reads: the observation without its goal, and a direction. */
const readBy = (meta: EnvMeta, obs: Tensor, z: Tensor): Tensor => concat([withoutGoal(meta, obs), z], 1);

const policyOf = (engine: Engine, nets: Networks, meta: EnvMeta, c: Config, dispose?: () => void): Policy =>
  goalPolicy(
    engine,
    meta,
    (g, obs) => {
      const from = nets.here(obs);
      const to = nets.known === null ? nets.wanted(obs) : halved(from, nets.wanted(obs), nets.phi(g.read(nets.known)), c.midpoints);
      return { head: nets.pi.head(readBy(meta, obs, ofLengthOne(sub(to, from)))), value: worth(nets.values, g, obs) };
    },
    dispose,
  );

/** Directions [M, L] of length 1 and what recorded steps gain along them [M]. `aimed` [M] 1: towards the observation's goal; else `draw` [M, L]. */
function compileDirections(engine: Engine, nets: Networks, { obsSize: O }: EnvMeta, { batchSize: M, code: L }: Config) {
  return engine.compile(
    { obs: [M, O], nextObs: [M, O], draw: [M, L], aimed: [M] },
    (x) => {
      const from = nets.here(x.obs);
      const z = ofLengthOne(where(reshape(x.aimed, [M, 1]), sub(nets.wanted(x.obs), from), x.draw));
      return { z, reward: sum(mul(sub(nets.here(x.nextObs), from), z), -1) };
    },
    { name: 'hilp directions' },
  );
}

const least = ([a, b]: readonly Tensor[]): Tensor => minimum(present(a, 'a value'), present(b, 'a value'));

function compileAlong(engine: Engine, nets: Networks, meta: EnvMeta, { batchSize: M, code, skillExpectile }: Config) {
  return engine.compile(
    { obs: [M, meta.obsSize], z: [M, code], action: actionShape(meta, M) },
    (x) => {
      const rows = readBy(meta, x.obs, x.z);
      return { loss: mean(expectileLoss(stopGradient(least(nets.targetQ(rows, x.action))), nets.u(rows), skillExpectile)) };
    },
    { minimise: 'loss', group: nets.along, with: adam(), name: 'hilp values of directions' },
  );
}

function compileCritics(engine: Engine, nets: Networks, meta: EnvMeta, { batchSize: M, code }: Config) {
  const O = meta.obsSize;
  return engine.compile(
    { obs: [M, O], nextObs: [M, O], z: [M, code], action: actionShape(meta, M), reward: [M], discount: [1] },
    (x) => {
      const y = stopGradient(add(x.reward, mul(x.discount, nets.u(readBy(meta, x.nextObs, x.z)))));
      const off = nets.q(readBy(meta, x.obs, x.z), x.action).map((q) => mean(square(sub(q, y))));
      return { loss: add(present(off[0], 'a loss'), present(off[1], 'a loss')) };
    },
    { minimise: 'loss', group: nets.critic, with: adam(), name: 'hilp critics' },
  );
}

function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, { batchSize: M, code }: Config) {
  const { pi } = nets;
  return engine.compile(
    { obs: [M, meta.obsSize], z: [M, code], action: actionShape(meta, M), alpha: [1] },
    (x) => {
      const rows = readBy(meta, x.obs, x.z);
      const weight = advantageWeight(least(nets.targetQ(rows, x.action)), nets.u(rows), x.alpha);
      const head = pi.head(rows);
      return { loss: mean(mul(weight, pi.cost(head, x.action))), weight: mean(weight), agreement: mean(pi.agreement(head, x.action)) };
    },
    { minimise: 'loss', group: nets.actor, with: adam(), name: 'hilp actor' },
  );
}

/** Recorded states, evenly over the recording, as midpoints. */
function fillPlaces(engine: Engine, { known }: Networks, meta: EnvMeta, rows: GoalRows): void {
  if (known === null) return;
  const { size, achieved } = present(meta.goals, 'the goals of an environment');
  const obs = new Float32Array(meta.obsSize);
  const places = new Float32Array(PLACES * size);
  for (let k = 0; k < PLACES; k++) {
    rows.write(Math.floor((k * rows.states) / PLACES), 0, obs, 0);
    places.set(obs.subarray(achieved, achieved + size), k * size);
  }
  engine.write(known, places);
}

const metrics: readonly MetricCard[] = [
  ...offlineMetrics,
  ...goalMetrics,
  { id: 'alongLoss', title: 'direction value loss', description: 'Expectile loss of what the policy expects to gain along directions.' },
  { id: 'criticLoss', title: 'critic loss', description: 'Squared error of what recorded actions gain along directions.' },
  agreementMetric,
];

function learner({ config: c, meta, rng, makeEnv }: Run<Config>, engine: Engine, data: Dataset): OfflineLearner {
  const M = c.batchSize;
  const rows = goalRows(meta, data);
  const nets = networks(engine, meta, c, rng.split('init'));
  fillPlaces(engine, nets, meta, rows);
  const found = { group: nets.distance, values: nets.values, target: nets.targetValues };
  const distances = compileGoalValues(engine, found, meta, { rows: M, expectile: c.expectile, name: 'hilp distances' });
  const directions = compileDirections(engine, nets, meta, c);
  const along = compileAlong(engine, nets, meta, c);
  const critics = compileCritics(engine, nets, meta, c);
  const actor = compileActor(engine, nets, meta, c);
  const targets = [engine.polyak(nets.distanceTarget, nets.distance), engine.polyak(nets.criticTarget, nets.critic)];
  const signs = signMeter(engine, nets.values, meta, rows, makeEnv(1).env, WAY);
  const [drawing, looking] = [rng.split('replay'), rng.split('signs')];
  const means = new RowMeans<string>([...goalMetrics.map(({ id }) => id), 'agreement', 'alongLoss', 'criticLoss']);
  const counters = { step: 0 };
  async function drawDirections(): Promise<void> {
    for (let row = 0; row < M; row++) {
      rows.action(drawStepRow(drawing, rows, ANYWHERE, directions.in, row), critics.in.action, row);
      directions.in.aimed[row] = drawing.uniform() < c.aimed ? 1 : 0;
      for (let d = 0; d < c.code; d++) directions.in.draw[row * c.code + d] = normal(drawing);
    }
    const pending = directions.run();
    if (pending) await pending;
    critics.in.nextObs.set(directions.in.nextObs);
    critics.in.reward.set(directions.out.reward);
    critics.in.discount[0] = c.gamma;
    for (const program of [along, critics, actor]) {
      program.in.obs.set(directions.in.obs);
      program.in.z.set(directions.out.z);
      if (program !== critics) program.in.action.set(critics.in.action);
    }
    actor.in.alpha[0] = c.alpha;
  }
  return {
    state: { counters, arrays: { drawing, looking } },
    means,
    gamma: c.gamma,
    async copyTargets() {
      for (const target of targets) await updateTarget(target, 1);
    },
    async update() {
      drawValueRows(drawing, rows, M, c.gamma, distances.in, 1, distanceGoals(c.gamma));
      await drawDirections();
      for (const program of [distances, along, critics, actor]) await descend(program, c.lr);
      for (const target of targets) await updateTarget(target, c.tau);
      means.add('valueLoss', distances.out.loss[0]!);
      means.add('value', distances.out.value[0]!);
      means.add('alongLoss', along.out.loss[0]!);
      means.add('criticLoss', critics.out.loss[0]!);
      means.add('actorLoss', actor.out.loss[0]!);
      means.add('weight', actor.out.weight[0]!);
      means.add('agreement', actor.out.agreement[0]!);
      await addSigns(signs, looking, counters.step, means);
    },
    snapshot: () => saveGroups(engine, saved(nets)),
    policy: () => policyOf(engine, nets, meta, c),
  };
}

/** What a policy needs. */
const saved = ({ distance, actor, places, known }: Networks) => ({ distance, actor, ...(known !== null && { places }) });

export const hilp = defineAlgo<Config>({
  spec: {
    id: 'hilp',
    version: 1,
    title: 'HILP',
    summary:
      'Learns from recorded play how far apart all places are, as a straight distance, and to move along any direction of that space.',
    source: {
      title: 'Foundation Policies with Hilbert Representations',
      authors: 'Park et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2402.15567',
    },
    config,
    presets: [
      { ...SMALL, config: { ...SMALL.config, aimed: 0.5 } },
      { id: 'planning', title: 'three midpoints on the way to the goal (HILP-Plan)', config: { midpoints: 3 } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'one',
    shown: true,
    trial: {
      env: 'bit-flip',
      steps: 256,
      config: { dataset: 'random', hidden: [16], code: 4, batchSize: 32, recordSteps: 500, aimed: 0.5 },
    },
    probes: [],
    probeConfig: {},
    metrics,
  },

  fits(meta) {
    checkRecordable(meta, 'HILP');
    checkGoals(meta, 'HILP');
  },

  train: (run, resume) => trainOffline(run, resume, (own, engine, _rows, data) => learner(own, engine, data)),

  async policy({ config: c, meta, makeEngine }, snapshot) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, saved(nets), snapshot);
    return policyOf(engine, nets, meta, c, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, c, Rng.from(0)), meta, c);
    return { run: () => critics.run() };
  },
});
