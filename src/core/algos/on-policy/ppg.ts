/**
 * Phasic policy gradient (PPG; Cobbe et al. 2021): policy and value learn in networks of their own, so neither disturbs the other, and now
 * and then what values need is distilled into the policy's layers by a second value head on them, while the policy is held where it is.
 *   policy   -mean min(r A, clip(r, 1 - e, 1 + e) A) - entropyCoef mean H(pi),   r = pi(a|s) / pi_old(a|s)
 *   value    L_V = mean (V(s) - R)^2 / 2
 *   joint    L_joint = mean (V_aux(s) - R)^2 / 2 + betaClone mean KL(pi_old(.|s) || pi(.|s))
 * A by GAE(lambda), standardised over the rollout; R = A + V of the time the rollout was played, kept with its observations. pi_old of the
 * joint loss is the policy at the beginning of its phase. pi and V_aux share their hidden layers, V has a network of its own (the paper;
 * CleanRL has one network and cuts the gradient of V off in the policy phase); each network has one Adam for both phases, its gradient
 * clipped (CleanRL; OpenAI's code takes a second Adam for the auxiliary phase and clips nothing).
 * Differs: 8 x 128 instead of 64 x 256 steps an iteration and gamma 0.99 instead of 0.999, since small worlds are learned within some
 * hundred thousand steps and their episodes are short; dense layers unless there are filters; time limits bootstrap; auxiliary minibatches
 * have the rows of those of the policy phase (OpenAI: 1,024 against 2,048). Rewards are not normalised: where returns differ by hundreds
 * (Pendulum), the KL weighs little against the error of V_aux unless betaClone is larger.
 * Any action space, any number of alike agents, which share the networks and are rows like environments.
 * Rows of dead agents do not count.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     policy phase, phaseIterations times (N_pi)
 *       play T steps of B environments with pi
 *       A by GAE(lambda) on V, returns R = A + V; keep s and R for the auxiliary phase
 *       for each policy epoch (E_pi), for each shuffled minibatch: one step of Adam on the policy's loss
 *       for each value epoch (E_V), for each shuffled minibatch: one step of Adam on L_V
 *     auxiliary phase, over all s and R kept
 *       pi_old(.|s): what the policy says now
 *       for each auxiliary epoch (E_aux), for each shuffled minibatch: one step of Adam on L_joint
 *       for each auxiliary epoch (E_aux), for each shuffled minibatch: one step of Adam on L_V
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { present } from '#contract/kit/errors.ts';
import { add, mul, reshape, square, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { convFront } from '#core/nets/conv.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { categoricalKl, gaussianKl } from '#core/nets/heads.ts';
import { column, mlp } from '#core/nets/mlp.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { gae } from '#math/gae.ts';
import { standardiseWeighted } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance, mean as meanOf, std } from '#math/stats.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkBufferSize, checkFilters, checkSameAgents } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { compileActor, type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import {
  averagesOf,
  CLIP_NORMALISED,
  checkMinibatches,
  checkUpdate,
  type EpochOptions,
  minibatchEpochs,
  policyInputs,
  policyObjective,
  ppoMetrics,
  valueInputs,
  valueObjective,
} from '../lib/ppo/common.ts';
import { gatherMasks, type Living, livingInputs } from '../lib/ppo/living.ts';
import { createRollout, valuesBy } from './lib/actor-critic.ts';

const source = 'CleanRL ppg_procgen.py';
const paper = 'Cobbe et al. 2021';
const small = 'own choice: small worlds';
const config = z.strictObject({
  lr: fields.lr(5e-4, source, { description: 'Initial step size of Adam.' }),
  annealLr: fields.annealLr(false, source),
  gamma: fields.gamma(0.99, small),
  lambda: fields.gaeLambda(0.95, source),
  envs: fields.numEnvs(8, small),
  rolloutSteps: fields.rolloutSteps(128, small),
  minibatches: fields.minibatches(16, small),
  phaseIterations: fields.integer(32, {
    min: 1,
    max: 1024,
    title: 'iterations per phase (N_pi)',
    description: 'Rollouts between two auxiliary phases.',
    source: paper,
    slider: [1, 64],
    depth: 'teach',
    group: 'rollout',
  }),
  policyEpochs: fields.epochs(1, paper, { title: 'policy epochs (E_pi)', description: 'Passes of the policy over each rollout.' }),
  valueEpochs: fields.epochs(1, paper, { title: 'value epochs (E_V)', description: 'Passes of the value network over each rollout.' }),
  auxEpochs: fields.epochs(6, paper, {
    min: 0,
    title: 'auxiliary epochs (E_aux)',
    description: 'Passes over all that a phase has kept; 0: PPO with two networks.',
  }),
  betaClone: fields.real(1, {
    min: 0,
    max: 1000,
    title: 'cloning coefficient (beta_clone)',
    description: 'How firmly the auxiliary phase holds the policy where it is.',
    source: paper,
    live: true,
    slider: [0, 5],
    group: 'loss',
  }),
  clip: fields.clipRange(0.2, source),
  entropyCoef: fields.entropyCoef(0.01, source),
  maxGradNorm: fields.maxGradNorm(0.5, source, { slider: [0.1, 10], log: true }),
  adamEps: fields.adamEps(1e-8, source),
  hidden: fields.hidden([64, 64], 'as in PPO', { description: 'Units of each layer, the same for both networks.' }),
  activation: fields.activation('tanh', 'as in PPO'),
  filters: fields.filters(0, '16 in MinAtar (Young & Tian 2019)'),
});
type Config = z.infer<typeof config>;

interface Networks {
  /** The policy; its value is V_aux, a second head on its layers. */
  readonly policy: PolicyNetwork;
  /** The policy with the values of the value network, which the loop reckons with. */
  readonly acting: PolicyNetwork;
  /** Of the value network. */
  readonly values: ParamGroup;
}

function createNetworks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng): Networks {
  const policy = policyNetwork(engine, meta, { ...c, sharedTrunk: true }, rng);
  const values = engine.group('value');
  const space = meta.agents[0]!.obs;
  const inputs = encodedSize(space);
  const front = convFront(space, c.filters, { act: c.activation })?.(values, 'value', rng, inputs) ?? null;
  const layers = mlp(values, 'value', rng, [front?.size ?? inputs, ...c.hidden, 1], { act: c.activation, outGain: 1 });
  const value = (obs: Tensor): Tensor => {
    const encoded = encode(obs.graph, obs, space);
    return column(layers(front === null ? encoded : front.net(encoded)));
  };
  const acting: PolicyNetwork = {
    ...policy,
    apply: (x, g) => ({ ...policy.apply(x, g), value: value(x.obs) }),
    outputs: (x, g) => ({ ...policy.outputs(x, g), value: value(x.obs) }),
    evaluate: (x, action, g) => ({ ...policy.evaluate(x, action, g), value: value(x.obs) }),
  };
  return { policy, acting, values };
}

const groupsOf = ({ policy, values }: Networks) => ({ policy: policy.group, value: values });

/** KL(pi_old || pi) of rows [M]; `logStd` where the actions are continuous. */
function cloneKl(head: Tensor, logStd: Tensor | undefined, now: ReturnType<PolicyNetwork['outputs']>): Tensor {
  if ('logits' in now) return categoricalKl(head, now.logits);
  return gaussianKl(head, present(logStd, 'the spread of the old policy'), now.mean, now.logStd);
}

/** The learning programs on minibatches of so many rows, and `old`: the policy's distribution of as many. */
function compileLearners(engine: Engine, { policy, acting, values }: Networks, meta: EnvMeta, c: Config, rows: number) {
  const trains = <Name extends string>(group: ParamGroup, name: Name) =>
    ({ minimise: 'loss', group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name }) as const;
  const seen = policy.inputs(rows);
  const { policyMask, valueMask } = livingInputs(rows, meta.agentCount > 1);
  return {
    policy: engine.compile(
      { ...seen, ...policyInputs(rows), policyMask, action: policy.actionShape(rows) },
      (x, g) => policyObjective(x, policy.evaluate(x, x.action, g), averagesOf(x)),
      trains(policy.group, 'ppg policy'),
    ),
    value: engine.compile(
      { ...seen, ...valueInputs(rows, false), valueMask },
      (x, g) => {
        const valueLoss = valueObjective(x, acting.apply(x, g).value, averagesOf(x));
        return { loss: reshape(valueLoss, []), valueLoss };
      },
      trains(values, 'ppg value'),
    ),
    joint: engine.compile(
      {
        ...seen,
        policyMask,
        valueMask,
        target: [rows],
        head: [rows, policy.discrete ? meta.actionCount : meta.actionSize],
        logStd: policy.discrete ? null : [rows, meta.actionSize],
        betaClone: [1],
      },
      (x, g) => {
        const now = policy.outputs(x, g);
        const { average, valueAverage } = averagesOf(x);
        const valueLoss = mul(valueAverage(square(sub(now.value, x.target))), 0.5);
        const approxKl = average(cloneKl(x.head, x.logStd, now));
        return { loss: reshape(add(valueLoss, mul(x.betaClone, approxKl)), []), valueLoss, approxKl };
      },
      trains(policy.group, 'ppg joint'),
    ),
    old: engine.compile(seen, policy.outputs, { name: 'ppg old policy' }),
  };
}

/** (A - mean) / std over the whole rollout, of several agents over the living, in place. */
function standardiseRollout(advantages: Float32Array, living: Living | null): void {
  if (living !== null) {
    standardiseWeighted(advantages, living.policyMask, 1e-8, advantages);
    return;
  }
  const middle = meanOf(advantages);
  const spread = std(advantages, 1) + 1e-8;
  for (let i = 0; i < advantages.length; i++) advantages[i] = (advantages[i]! - middle) / spread;
}

const places = (count: number): Int32Array => Int32Array.from({ length: count }, (_, i) => i);

export const ppg = defineAlgo<Config>({
  spec: {
    id: 'ppg',
    version: 2,
    changes: [livingRows(2)],
    title: 'PPG',
    summary: 'PPO with two networks; an auxiliary phase trains the policy network on values while its actions stay the same.',
    source: {
      title: 'Phasic Policy Gradient',
      authors: 'Cobbe et al.',
      year: 2021,
      url: 'https://arxiv.org/abs/2009.04416',
    },
    config,
    presets: [
      {
        id: 'procgen',
        title: 'Sizes for Procgen (OpenAI’s train.py: 64 x 256, gamma 0.999)',
        config: { envs: 64, rolloutSteps: 256, minibatches: 8, gamma: 0.999 },
      },
      { id: 'no-auxiliary', title: 'Without the auxiliary phase', config: { auxEpochs: 0 } },
      {
        id: 'pendulum',
        title: 'Pendulum (200,000 steps)',
        config: { envs: 4, rolloutSteps: 256, lr: 1e-3, gamma: 0.9, entropyCoef: 0, phaseIterations: 16 },
      },
      {
        id: 'minatar',
        title: 'MinAtar: convolution of 16 filters, 128 units',
        config: { envs: 32, lr: 1e-3, filters: 16, hidden: [128], activation: 'relu', phaseIterations: 16 },
      },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'cartpole', steps: 1280, config: { envs: 4, rolloutSteps: 16, minibatches: 2, phaseIterations: 4, hidden: [8] } },
    probes: [
      { on: ['bandit', 'cued', 'masked', 'team'], steps: 8000 },
      { on: ['delayed'], steps: 12_000 },
      { on: ['pointing'], steps: 16_000, atLeast: 0.98 },
    ],
    probeConfig: { rolloutSteps: 16, minibatches: 8, phaseIterations: 8, lr: 3e-3, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: [
      ...ppoMetrics,
      {
        id: 'auxValueLoss',
        title: 'auxiliary value loss',
        description: 'Half the mean squared error of the value on the policy’s layers, over the last epoch of an auxiliary phase.',
      },
      {
        id: 'cloneKl',
        title: 'cloning KL',
        description: 'From the policy at the beginning of the auxiliary phase to that of its last epoch; near 0: it is held.',
        unit: 'nats',
      },
    ],
  },

  fits(meta, c) {
    checkSameAgents(meta, 'PPG');
    checkFilters(meta, c.filters);
    const rows = c.envs * c.rolloutSteps * meta.agentCount;
    checkMinibatches(rows, c.minibatches);
    const kept = meta.obsSize + (meta.masked ? meta.actionCount : 0) + 1;
    checkBufferSize(c.phaseIterations * rows, kept, { what: 'A phase', items: 'observations', field: 'phaseIterations' });
  },

  async *train(run, resume) {
    const c = run.config; // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const [O, D, N] = [meta.obsSize, meta.actionSize, meta.actionCount];
    const rows = c.envs * meta.agentCount;
    const total = c.rolloutSteps * rows;
    const size = total / c.minibatches;
    const phase = c.phaseIterations * total;
    const nets = createNetworks(engine, meta, c, run.rng.split('init'));
    const act = compileActor(engine, nets.acting, rows, 'ppg act');
    const learn = compileLearners(engine, nets, meta, c, size);
    const sampling = run.rng.split('sampling');
    const shuffling = run.rng.split('shuffling');
    const rollout = createRollout({
      env,
      net: nets.acting,
      act,
      valuesAt: valuesBy(act),
      steps: c.rolloutSteps,
      sampling,
      masksDead: true,
    });
    const { living } = rollout;
    const [advantages, targets] = [new Float32Array(total), new Float32Array(total)];
    const order = places(total);
    // What the phase has kept so far, in the order it was played.
    const keptObs = new Float32Array(phase * O);
    const keptMasks = new Float32Array(meta.masked ? phase * N : 0);
    const keptTargets = new Float32Array(phase);
    const keptPolicyMasks = new Float32Array(living === null ? 0 : phase);
    const keptValueMasks = new Float32Array(living === null ? 0 : phase);
    const state = registerState({
      counters: { step: 0, iterations: 0 },
      parts: { env, engine },
      arrays: {
        order,
        sampling,
        shuffling,
        keptObs,
        keptMasks,
        keptTargets,
        ...(living !== null && { keptPolicyMasks, keptValueMasks }),
      },
    });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, groupsOf(nets)),
      policy: () => policyOfNetwork(engine, meta, nets.acting, null, CLIP_NORMALISED),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);

    async function policyPhase(options: EpochOptions) {
      const { obs, masks, actions, logProbs } = rollout;
      const shuffle = () => shuffling.shuffle(order);
      const seen = (feed: { readonly obs: Float32Array; readonly mask: Float32Array | undefined }, from: number): void => {
        gatherRows(order, from, size, obs, O, feed.obs);
        if (feed.mask !== undefined) gatherRows(order, from, size, masks, N, feed.mask);
      };
      const improved = await minibatchEpochs(learn.policy, size, { ...options, epochs: c.policyEpochs }, shuffle, (from) => {
        const feed = learn.policy.in;
        seen(feed, from);
        gatherRows(order, from, size, actions, D, feed.action);
        gatherRows(order, from, size, logProbs, 1, feed.oldLogProb);
        gatherRows(order, from, size, advantages, 1, feed.advantage);
        gatherMasks(living, order, from, size, feed);
      });
      const valued = await minibatchEpochs(learn.value, size, { ...options, epochs: c.valueEpochs }, shuffle, (from) => {
        seen(learn.value.in, from);
        gatherRows(order, from, size, targets, 1, learn.value.in.target);
        gatherMasks(living, order, from, size, learn.value.in);
      });
      return { ...valued, ...improved };
    }

    /** The policy's distribution of all that was kept: logits, or means and log std. */
    async function currentPolicy() {
      const width = learn.joint.in.head.length / size;
      const heads = new Float32Array(phase * width);
      const logStds = learn.joint.in.logStd === undefined ? null : new Float32Array(phase * width);
      for (let from = 0; from < phase; from += size) {
        const { in: feed, out } = learn.old;
        feed.obs.set(keptObs.subarray(from * O, (from + size) * O));
        feed.mask?.set(keptMasks.subarray(from * N, (from + size) * N));
        const pending = learn.old.run();
        if (pending) await pending;
        heads.set('logits' in out ? out.logits : out.mean, from * width);
        if ('logStd' in out) logStds?.set(out.logStd, from * width);
      }
      return { heads, logStds, width };
    }

    async function auxiliaryPhase(options: EpochOptions) {
      const { heads, logStds, width } = await currentPolicy();
      const all = places(phase);
      const shuffle = () => shuffling.shuffle(all);
      const epochs = { ...options, epochs: c.auxEpochs, minibatches: phase / size };
      const gather = (feed: typeof learn.value.in | typeof learn.joint.in, from: number): void => {
        gatherRows(all, from, size, keptObs, O, feed.obs);
        if (feed.mask !== undefined) gatherRows(all, from, size, keptMasks, N, feed.mask);
        gatherRows(all, from, size, keptTargets, 1, feed.target);
        if (feed.valueMask !== undefined) gatherRows(all, from, size, keptValueMasks, 1, feed.valueMask);
      };
      learn.joint.in.betaClone[0] = c.betaClone;
      const distilled = await minibatchEpochs(learn.joint, size, epochs, shuffle, (from) => {
        const feed = learn.joint.in;
        gather(feed, from);
        gatherRows(all, from, size, heads, width, feed.head);
        if (feed.policyMask !== undefined) gatherRows(all, from, size, keptPolicyMasks, 1, feed.policyMask);
        if (feed.logStd !== undefined && logStds !== null) gatherRows(all, from, size, logStds, width, feed.logStd);
      });
      const valued = await minibatchEpochs(learn.value, size, epochs, shuffle, (from) => gather(learn.value.in, from));
      checkUpdate(counters.step, distilled);
      checkUpdate(counters.step, valued);
      const { valueLoss: auxValueLoss = Number.NaN, approxKl: cloneKl = Number.NaN } = distilled;
      return { auxValueLoss, cloneKl };
    }

    while (counters.step < run.steps) {
      await rollout.collect();
      const { gamma, lambda } = c;
      gae({ ...rollout, rows, gamma, lambda, bootstrapAtTruncation: true }, advantages, targets);
      standardiseRollout(advantages, rollout.living);
      const slot = counters.iterations % c.phaseIterations;
      keptObs.set(rollout.obs, slot * total * O);
      keptMasks.set(rollout.masks, slot * rollout.masks.length);
      keptTargets.set(targets, slot * total);
      if (living !== null) {
        keptPolicyMasks.set(living.policyMask, slot * total);
        keptValueMasks.set(living.valueMask, slot * total);
      }

      const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
      const options = { ...c, lr, epochs: 1, valueCoef: 1 };
      const report = await policyPhase(options);
      counters.iterations++;
      counters.step += c.rolloutSteps * c.envs;
      const { step } = counters;
      checkUpdate(step, report);
      const full = slot === c.phaseIterations - 1 && c.auxEpochs > 0;
      const auxiliary = full ? await auxiliaryPhase(options) : {};
      yield {
        step,
        metrics: {
          ...episodeRow(env),
          ...report,
          explainedVariance: explainedVariance(rollout.values, targets),
          learningRate: lr,
          ...auxiliary,
        },
        ...point,
      };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = createNetworks(engine, meta, c, Rng.from(0));
    loadGroups(engine, groupsOf(nets), saved);
    return policyOfNetwork(engine, meta, nets.acting, null, CLIP_NORMALISED, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const nets = createNetworks(engine, meta, c, Rng.from(0));
    const learn = compileLearners(engine, nets, meta, c, (c.envs * meta.agentCount * c.rolloutSteps) / c.minibatches);
    return { run: () => learn.policy.run(), seen: () => [learn.policy.in.obs] };
  },
});
