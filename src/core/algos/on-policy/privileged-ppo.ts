/**
 * PPO with a privileged teacher (after HIB: He et al. 2024; in two stages RMA: Kumar et al. 2021). The last `told` numbers of an observation are known only
 * while it learns: those of hidden dynamics, say. The policy acts on the rest and on a code z; where it is used, z comes from the last
 * `history` steps: what was seen, how it changed, what was done. All kinds of learner have the same networks and a critic that is told.
 *   pi(a | o, z),   V(o, c);   h: the last steps;   z_t = e(c), or z = mu(h) + s(h) noise
 *   told         z = e(c): an oracle, also where it is used
 *   blind        z = 0
 *   history      z = mu(h), learned from PPO's loss alone
 *   two stages   first z = e(c); then, all else frozen, mu(h) learns e(c) on its own play: descends |mu(h) - e(c)|^2
 *   bottleneck   z is drawn, and beside PPO's loss descends distil [ |d(z) - c|^2 + rate KL(N(mu, s) || N(0, 1)) ]
 * The last is the information bottleneck: the first term bounds what z says of c from below, the second what z says of h from above
 * (Barber and Agakov 2003; Alemi et al. 2017). Differs from HIB: c itself is predicted, in place of a code of it that is learned too.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments with pi(a | o, z); z by the kind of learner, with noise for the bottleneck
 *     two stages, behind teacherShare of the budget
 *       for each epoch, for each shuffled minibatch: descend |mu(h) - e(c)|^2
 *     else
 *       advantages by GAE(lambda) with V(o, c), targets = advantages + V
 *       for each epoch, for each shuffled minibatch
 *         PPO's step on all networks; bottleneck: with its two terms
 *   where it is used: z = mu(h), and the told numbers are not read; told: z = e(c)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { fail, present } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { add, concat, exp, mean, mul, reshape, sliceAxis, square, standardise, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Tensor } from '#core/engine/types.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { zeros } from '#core/nets/init.ts';
import { column, mlp } from '#core/nets/mlp.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { freshOptimiser, loadGroups, saveGroups } from '#core/state/params.ts';
import { gae } from '#math/gae.ts';
import { RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { normal } from '#math/sampling.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import { compileActor, type PolicyNetwork, policyOfNetwork, readingOf } from '../lib/network-policy.ts';
import * as ppo from '../lib/ppo/common.ts';
import { createRollout, type Rollout, valuesBy } from './lib/actor-critic.ts';
import { Histories, type Layout, layoutFor, metaOfWidth } from './lib/histories.ts';

const source = 'He et al. 2024';
const own = 'own choice';
const group = 'privileged';
const config = z.strictObject({
  learner: z
    .enum(['bottleneck', 'two stages', 'history', 'blind', 'told'])
    .default('bottleneck')
    .meta({
      title: 'learner',
      description:
        'A code of the last steps through a bottleneck; one that copies a teacher’s in a second stage; one from the return alone; no code; or told, also where it is used.',
      source: `${source}; two stages: Kumar et al. 2021`,
      depth: 'teach',
      group,
    }),
  told: fields.integer(1, {
    min: 1,
    max: 64,
    title: 'privileged numbers',
    description: 'The last ones of the observation, which are known only while it learns.',
    source: own,
    slider: [1, 8],
    depth: 'teach',
    group,
  }),
  history: fields.integer(8, {
    min: 1,
    max: 64,
    title: 'history',
    unit: 'steps',
    description: 'Last steps from which the code is made.',
    source: own,
    slider: [1, 32],
    depth: 'teach',
    group,
  }),
  code: fields.integer(4, {
    min: 1,
    max: 64,
    title: 'numbers of the code',
    description: 'Of the code z.',
    source: own,
    slider: [1, 16],
    group,
    depth: 'stored',
  }),
  distil: fields.real(1, {
    min: 0,
    max: 1000,
    title: 'weight of the bottleneck',
    description: 'Of both terms beside PPO’s loss; 0: history alone, with noise.',
    source: own,
    slider: [0, 5],
    live: true,
    group,
    depth: 'stored',
  }),
  rate: fields.real(0.01, {
    min: 0,
    max: 100,
    title: 'price of information',
    description: 'A nat that the code says of the history costs so much beside the squared error of the privileged numbers.',
    source: own,
    slider: [0, 1],
    live: true,
    depth: 'teach',
    group,
  }),
  teacherShare: fields.real(0.5, {
    above: 0,
    max: 0.95,
    title: 'teacher’s training fraction',
    description: 'Of two stages: share of the steps in which the teacher learns.',
    source: own,
    slider: [0.2, 0.9],
    group,
    depth: 'stored',
  }),
  ...ppo.commonFields,
});
type Config = z.infer<typeof config>;

export const layoutOf = (meta: EnvMeta, c: Pick<Config, 'told' | 'code' | 'history'>): Layout =>
  layoutFor(meta, { told: c.told, code: c.code, steps: c.history, marked: false });

/** The same copies, whose observations are wide, and normalised where there are moments; what is kept between steps stands in `state`. */
function withHistory(inner: VectorEnv, layout: Layout, moments: RunningMoments | null, noise: Rng | null) {
  const { meta, batch } = inner;
  const now = new Float32Array(batch * meta.obsSize); // as the networks see it
  const normalise = (from: Float32Array): void => {
    if (moments === null) now.set(from);
    else moments.normalise(from, now, ppo.CLIP_NORMALISED);
  };
  const begin = (): void => {
    moments?.update(inner.buffers.obs, batch);
    normalise(inner.buffers.obs);
    histories.widen(rows, batch, now, obs);
    if (noise === null) return;
    for (let row = 0; row < batch; row++) for (let k = 0; k < layout.code; k++) obs[row * layout.width + meta.obsSize + k] = normal(noise);
  };
  const histories = new Histories(meta, layout);
  const rows = new Float32Array(batch * histories.size);
  const wide = metaOfWidth(meta, layout.width);
  const { obs, finalObs } = createBuffers(wide, batch);
  const buffers = { ...inner.buffers, obs, finalObs };
  const env: VectorEnv = {
    ...inner,
    meta: wide,
    buffers,
    reset() {
      inner.reset();
      rows.fill(0);
      begin();
    },
    step(actions) {
      for (let row = 0; row < batch; row++) histories.act(rows, row, actions);
      inner.step(actions);
      const { terminated, truncated } = inner.buffers;
      normalise(inner.buffers.finalObs);
      for (let row = 0; row < batch; row++) {
        if ((terminated[row]! | truncated[row]!) === 0) continue;
        // only the critic reads it, which needs no history
        finalObs.set(now.subarray(row * meta.obsSize, (row + 1) * meta.obsSize), row * layout.width);
        rows.fill(0, row * histories.size, (row + 1) * histories.size);
      }
      begin();
    },
  };
  return { env, state: { histories: rows, wideObs: obs } };
}

/** Where the code of an actor comes from. */
type Code = 'told' | 'history' | 'none';

function createNetworks(engine: Engine, meta: EnvMeta, layout: Layout, c: Config, rng: Rng) {
  const { seen: S, told: K, code: Z, past: P, width } = layout;
  const discrete = meta.actionCount > 0;
  const outputs = discrete ? meta.actionCount : meta.actionSize;
  const policy = engine.group('policy');
  const act = c.activation;
  const teacher = mlp(policy, 'teacher', rng, [K, 32, Z], { act, outAct: 'tanh' });
  const actor = mlp(policy, 'actor', rng, [S + Z, ...c.hidden, outputs], { act, outGain: 0.01 });
  const critic = mlp(policy, 'critic', rng, [S + K, ...c.hidden, 1], { act, outGain: 1 });
  const spread = discrete ? null : policy.param('logStd', [outputs], zeros(outputs));
  const encoder = mlp(policy, 'encoder', rng, [P, 64, 2 * Z], { act, outGain: 0.1 });
  const decoder = mlp(policy, 'decoder', rng, [Z, 32, K], { act, outGain: 1 });

  const part = (x: Tensor, from: number, size: number): Tensor => sliceAxis(x, 1, from, size);
  const seen = (x: Tensor): Tensor => part(x, 0, S);
  const told = (x: Tensor): Tensor => part(x, S, K);
  /** Mean and log deviation of the code of the history. */
  const encoded = (x: Tensor) => {
    const both = encoder(part(x, width - P, P));
    return { mu: part(both, 0, Z), logS: part(both, Z, Z) };
  };
  /** The noise of rows without any is 0. */
  const drawn = (x: Tensor, { mu, logS }: ReturnType<typeof encoded>): Tensor => add(mu, mul(exp(logS), part(x, S + K, Z)));
  const codeOf = (x: Tensor, from: Code): Tensor =>
    from === 'told' ? teacher(told(x)) : from === 'history' ? drawn(x, encoded(x)) : x.graph.constant(0, [x.shape[0]!, Z]);

  /** The policy whose code comes from there. */
  function acting(from: Code): PolicyNetwork {
    const apply: PolicyNetwork['apply'] = ({ obs }) => ({
      head: actor(concat([seen(obs), codeOf(obs, from)], 1)),
      value: column(critic(part(obs, 0, S + K))),
    });
    return {
      group: policy,
      discrete,
      inputs: (rows) => ({ obs: [rows, width], mask: null }),
      actionShape: (rows) => (discrete ? [rows] : [rows, outputs]),
      apply,
      ...readingOf(apply, spread),
    };
  }

  return {
    policy,
    acting,
    /** The two terms of the bottleneck, []: squared error of the told numbers, nats. */
    bottleneck(x: Tensor) {
      const found = encoded(x);
      const { mu, logS } = found;
      const error = mean(sum(square(sub(decoder(drawn(x, found)), told(x))), 1));
      const nats = mul(mean(sum(sub(add(square(mu), exp(mul(logS, 2))), add(mul(logS, 2), 1)), 1)), 0.5);
      return { error, nats };
    },
    /** |mu(h) - e(c)|^2, []. */
    imitation: (x: Tensor): Tensor => mean(sum(square(sub(encoded(x).mu, stopGradient(teacher(told(x))))), 1)),
  };
}
type Networks = ReturnType<typeof createNetworks>;

/** Where the code comes from: in the second of two stages from the history, in the first from the teacher. */
const codeFrom = (learner: Config['learner'], teaching: boolean): Code =>
  learner === 'blind' ? 'none' : learner === 'told' || (learner === 'two stages' && teaching) ? 'told' : 'history';

function compileLearner(engine: Engine, nets: Networks, from: Code, c: Config, rows: number) {
  const net = nets.acting(from);
  const bottleneck = c.learner === 'bottleneck';
  return engine.compile(
    {
      ...net.inputs(rows),
      ...ppo.lossInputs(rows, c.clipValue),
      action: net.actionShape(rows),
      distil: bottleneck ? [1] : null,
      rate: bottleneck ? [1] : null,
    },
    (x, g) => {
      const found = ppo.ppoLoss(x, net.evaluate(x, x.action, g), { advantage: standardise(x.advantage, 1, 1e-8) });
      if (x.distil === undefined || x.rate === undefined) return found;
      const { error, nats } = nets.bottleneck(x.obs);
      return { ...found, loss: reshape(add(found.loss, mul(x.distil, add(error, mul(x.rate, nats)))), []), error, nats };
    },
    { minimise: 'loss', group: nets.policy, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'privileged ppo' },
  );
}

/** The second stage: only what the code is made from by the history has a slope. */
const compileStudent = (engine: Engine, nets: Networks, layout: Layout, c: Config, rows: number) =>
  engine.compile({ obs: [rows, layout.width] }, (x) => ({ loss: reshape(nets.imitation(x.obs), []) }), {
    minimise: 'loss',
    group: nets.policy,
    with: adam({ eps: c.adamEps }),
    name: 'privileged student',
  });

/** The policy alone: it makes the history itself, and is not given noise. */
function policyOf(
  engine: Engine,
  meta: EnvMeta,
  layout: Layout,
  net: PolicyNetwork,
  moments: RunningMoments | null,
  dispose?: () => void,
): Policy {
  const histories = new Histories(meta, layout);
  const inner = policyOfNetwork(engine, metaOfWidth(meta, layout.width), net, null, ppo.CLIP_NORMALISED);
  return {
    initial: (rows) => new Float32Array(rows * histories.size),
    async act(query) {
      const { rows } = query;
      const obs = query.obs.slice(0, rows * meta.obsSize);
      moments?.normalise(obs, obs, ppo.CLIP_NORMALISED);
      const hidden = query.hidden.slice();
      const wide = histories.widen(hidden, rows, obs);
      const act = await inner.act({ ...query, obs: wide });
      for (let row = 0; row < rows; row++) histories.act(hidden, row, act.actions);
      return { ...act, hidden };
    },
    dispose: () => dispose?.(),
  };
}

export const privilegedPpo = defineAlgo<Config>({
  spec: {
    id: 'privileged-ppo',
    version: 1,
    title: 'PPO with a privileged teacher',
    summary: 'Teacher with privileged inputs; a student infers them from its history.',
    source: {
      title: 'Bridging the Sim-to-Real Gap from the Information Bottleneck Perspective',
      authors: 'He et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2305.18464',
    },
    config,
    presets: [
      { id: 'two-stages', title: 'a teacher, then a student (RMA)', config: { learner: 'two stages' } },
      { id: 'history', title: 'history alone', config: { learner: 'history' } },
      { id: 'blind', title: 'neither told nor with a history', config: { learner: 'blind' } },
      { id: 'told', title: 'told, also where it is used', config: { learner: 'told' } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 'pendulum',
      envConfig: { contexts: { draw: { mass: { from: 0.5, to: 2 } }, tell: true } },
      steps: 1280,
      config: { envs: 4, rolloutSteps: 64, minibatches: 4, epochs: 2, hidden: [8], history: 2, code: 2 },
    },
    probes: [],
    metrics: [
      ...ppo.ppoMetrics,
      { id: 'toldError', title: 'error of the told numbers', description: 'Squared, of what the code says about them; bottleneck only.' },
      {
        id: 'codeNats',
        title: 'information of the code',
        description: 'An upper bound of what it says of the history; bottleneck only.',
        unit: 'nats',
      },
      { id: 'studentError', title: 'distance from the teacher’s code', description: 'Squared; two stages, while the student learns.' },
    ],
  },

  fits(meta, c) {
    const [one] = meta.agents;
    if (meta.agentCount > 1 || meta.masked || one?.obs.kind !== 'box' || one.obs.shape.length !== 1)
      throw fail(
        'incompatible',
        'A privileged teacher needs one agent that sees plain numbers and whose actions are all legal.',
        'Choose another environment, such as the pendulum.',
        'env.id',
      );
    if (c.told >= meta.obsSize)
      throw fail('config-invalid', `Of ${meta.obsSize} numbers ${c.told} cannot be privileged.`, 'Leave some to be seen.', 'algo.told');
    ppo.checkMinibatches(c.envs * c.rolloutSteps, c.minibatches);
  },

  async *train(run, resume) {
    const c = run.config; // fields marked live may change between iterations
    const { meta } = run;
    const layout = layoutOf(meta, c);
    const engine = await run.makeEngine();
    const noise = c.learner === 'bottleneck' ? run.rng.split('noise') : null;
    const moments = c.normaliseObs ? new RunningMoments(meta.obsSize) : null;
    const { env, state: seen } = withHistory(run.makeEnv(c.envs), layout, moments, noise);
    const [W, D] = [layout.width, meta.actionSize];
    const total = c.rolloutSteps * c.envs;
    const size = total / c.minibatches;
    const nets = createNetworks(engine, meta, layout, c, run.rng.split('init'));
    const [sampling, shuffling] = [run.rng.split('sampling'), run.rng.split('shuffling')];
    const teacherSteps = c.learner === 'two stages' ? c.teacherShare * run.steps : run.steps;
    const twoStages = c.learner === 'two stages';

    /** A rollout by the policy whose code comes from there, and what learns from it. */
    const stage = (teaching: boolean) => {
      const from = codeFrom(c.learner, teaching);
      const net = nets.acting(from);
      const act = compileActor(engine, net, c.envs, 'privileged act');
      const rollout = createRollout({ env, net, act, valuesAt: valuesBy(act), steps: c.rolloutSteps, sampling });
      return { net, rollout, policy: policyOf(engine, meta, layout, net, moments) };
    };
    const first = stage(true);
    const second = twoStages ? stage(false) : first;
    const learn = compileLearner(engine, nets, codeFrom(c.learner, true), c, size);
    const copy = twoStages ? compileStudent(engine, nets, layout, c, size) : null;
    const [advantages, targets] = [new Float32Array(total), new Float32Array(total)];
    const order = Int32Array.from({ length: total }, (_row, i) => i);
    const state = registerState({
      counters: { step: 0, taught: 0 },
      parts: { env, engine },
      arrays: { order, sampling, shuffling, moments, ...seen, ...(noise !== null && { noise }) },
    });
    const { counters } = state;
    const packed = () => (moments === null ? {} : { moments: moments.pack() });
    const snapshot = () => saveGroups(engine, { policy: nets.policy }, { taught: counters.taught }, packed());
    const parts = { state, engine, snapshot };
    const points = [first, second].map(({ policy }) => safePoint({ ...parts, policy: () => policy }));
    if (resume === undefined) env.reset();
    else state.load(resume);

    async function improve(rollout: Rollout, lr: number) {
      const { gamma, lambda, bootstrapAtTruncation } = c;
      gae({ ...rollout, rows: c.envs, gamma, lambda, bootstrapAtTruncation }, advantages, targets);
      learn.in.distil?.fill(c.distil);
      learn.in.rate?.fill(c.rate);
      const report = await ppo.minibatchEpochs(
        learn,
        size,
        { ...c, lr },
        () => shuffling.shuffle(order),
        (from) => {
          const batch = learn.in;
          gatherRows(order, from, size, rollout.obs, W, batch.obs);
          gatherRows(order, from, size, rollout.actions, D, batch.action);
          gatherRows(order, from, size, rollout.logProbs, 1, batch.oldLogProb);
          gatherRows(order, from, size, advantages, 1, batch.advantage);
          gatherRows(order, from, size, targets, 1, batch.target);
          if (batch.oldValue !== undefined) gatherRows(order, from, size, rollout.values, 1, batch.oldValue);
        },
      );
      const { out } = learn;
      const [toldError, codeNats] = 'error' in out ? [out.error[0]!, out.nats[0]!] : [Number.NaN, Number.NaN];
      return { ...report, explainedVariance: explainedVariance(rollout.values, targets), toldError, codeNats };
    }

    async function imitate({ obs }: Rollout, program: NonNullable<typeof copy>, lr: number) {
      let [loss, gradNorm] = [0, 0];
      for (let epoch = 0; epoch < c.epochs; epoch++) {
        shuffling.shuffle(order);
        for (let from = 0; from < total; from += size) {
          gatherRows(order, from, size, obs, W, program.in.obs);
          program.in.lr[0] = lr;
          const pending = program.run();
          if (pending) await pending;
          if (epoch < c.epochs - 1) continue;
          loss += program.out.loss[0]! / c.minibatches;
          gradNorm += program.out.gradNorm[0]! / c.minibatches;
        }
      }
      return { studentError: loss, gradNorm };
    }

    while (counters.step < run.steps) {
      const teaching = counters.step < teacherSteps;
      if (!teaching && counters.taught === 0) {
        counters.taught = 1;
        await freshOptimiser(engine); // without moments what has no slope stays as it is
      }
      const { rollout } = teaching ? first : second;
      await rollout.collect();
      const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
      const report = teaching || copy === null ? await improve(rollout, lr) : await imitate(rollout, copy, lr);
      counters.step += total;
      const { step } = counters;
      ppo.checkUpdate(step, report);
      yield { step, metrics: { ...episodeRow(env), ...report, learningRate: lr }, ...present(points[teaching ? 0 : 1], 'a safe point') };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved: Saved) {
    const engine = await makeEngine();
    const layout = layoutOf(meta, c);
    const nets = createNetworks(engine, meta, layout, c, Rng.from(0));
    loadGroups(engine, { policy: nets.policy }, saved);
    const net = nets.acting(codeFrom(c.learner, saved.meta.taught !== 1));
    const moments = ppo.savedPacked(saved, 'moments', new RunningMoments(meta.obsSize));
    return policyOf(engine, meta, layout, net, moments, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const layout = layoutOf(meta, c);
    const nets = createNetworks(engine, meta, layout, c, Rng.from(0));
    const learn = compileLearner(engine, nets, codeFrom(c.learner, true), c, (c.envs * c.rolloutSteps) / c.minibatches);
    return { run: () => learn.run() };
  },
});
