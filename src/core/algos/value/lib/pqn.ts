/**
 * Parallelised Q-network (Gallici et al. 2024), config and loop of PQN and PQN-VDN: no replay buffer and no target network. T steps
 * of B environments, Q(lambda) targets backwards through them, some epochs of shuffled minibatches with RAdam; layer normalisation
 * keeps it stable.
 *   G_t = r_t + gamma (lambda G_{t+1} + (1 - lambda) max_b Q(s_{t+1}, b)) (1 - terminated)
 * A team (VDN) has one stream of rewards and values, their sums over agents; otherwise every agent has its own.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog.ts';
import { fail } from '#contract/errors.ts';
import { mean, mul, pick, reshape, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { radam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { maxQ } from '#core/nets/q-values.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { joinSaved, partOf, restoreRng } from '#core/state/saved.ts';
import { lambdaReturns } from '#math/returns.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { annealed, linear } from '#math/schedules.ts';
import { liveConfig } from '../../api/define.ts';
import { checkFinite } from '../../api/guards.ts';
import { episodeMetrics, episodeRow } from '../../api/metrics.ts';
import type { AlgoDef, Policy } from '../../api/types.ts';
import { agentIdConfig, shareNetworks, sharingConfig } from '../../lib/sharing.ts';
import { checkDiscreteTeam, maskActions, selectActions, type TeamQ, teamQ, teamQPolicy, teamReward } from './team-q.ts';

/** What differs between PQN and PQN-VDN, by the code that each follows. */
interface Defaults {
  readonly source: string;
  readonly lr: number;
  readonly annealLr: boolean;
  readonly gamma: number;
  readonly lambda: number;
  readonly envs: number;
  readonly steps: number;
  readonly minibatches: number;
  readonly epochs: number;
  readonly epsilonEnd: number;
  readonly epsilonFraction: number;
  readonly maxGradNorm: number;
  readonly hidden: readonly number[];
  readonly agentId: boolean;
}

export const pqnFields = (d: Defaults) => {
  const { source } = d;
  return z.strictObject({
    lr: z
      .number()
      .gt(0)
      .max(1)
      .default(d.lr)
      .meta({
        title: 'learning rate',
        description: 'Step size of RAdam at the start.',
        source,
        live: true,
        log: true,
        slider: [1e-5, 1e-2],
        depth: 'teach',
        group: 'optimisation',
      }),
    annealLr: z.boolean().default(d.annealLr).meta({
      title: 'anneal',
      description: 'The learning rate falls in a straight line to 0 at the end of the budget.',
      source,
      group: 'optimisation',
    }),
    maxGradNorm: z
      .number()
      .gt(0)
      .max(1e6)
      .default(d.maxGradNorm)
      .meta({ title: 'gradient norm limit', description: 'Longer gradients are shortened to this.', source, group: 'optimisation' }),
    gamma: z
      .number()
      .min(0)
      .max(1)
      .default(d.gamma)
      .meta({
        title: 'discount',
        description: 'What a reward one step later is worth.',
        source,
        live: true,
        depth: 'teach',
        slider: [0.9, 1],
        group: 'returns',
      }),
    lambda: z
      .number()
      .min(0)
      .max(1)
      .default(d.lambda)
      .meta({
        title: 'Q(lambda)',
        description: '0 trusts the value of the next state, 1 only the rewards seen.',
        source,
        live: true,
        slider: [0, 1],
        group: 'returns',
      }),
    bootstrapAtTruncation: z.boolean().default(true).meta({
      title: 'bootstrap at time limits',
      description: 'Counts on the value of the last state when only the clock ended the episode. Off: as the papers’ code.',
      source: 'Pardo et al. 2018; off in PureJaxQL and CleanRL pqn.py',
      group: 'returns',
    }),
    rewardScale: z.number().gt(0).max(1000).default(1).meta({
      title: 'reward scale',
      description: 'Rewards are multiplied by this before learning; PureJaxQL uses 0.1 on CartPole.',
      source,
      depth: 'research',
      group: 'returns',
    }),
    epsilonStart: z.number().min(0).max(1).default(1).meta({
      title: 'exploration at the start',
      description: 'Share of actions taken at random at first.',
      source,
      live: true,
      group: 'exploration',
    }),
    epsilonEnd: z.number().min(0).max(1).default(d.epsilonEnd).meta({
      title: 'exploration at the end',
      description: 'Share of actions taken at random after the decay.',
      source,
      live: true,
      depth: 'teach',
      group: 'exploration',
    }),
    epsilonFraction: z.number().gt(0).max(1).default(d.epsilonFraction).meta({
      title: 'exploration decay',
      description: 'Share of the budget over which exploration falls in a straight line.',
      source,
      live: true,
      group: 'exploration',
    }),
    envs: z
      .int()
      .min(1)
      .max(1024)
      .default(d.envs)
      .meta({
        title: 'parallel copies',
        description: 'Environments stepped together.',
        source,
        slider: [1, 512],
        log: true,
        group: 'rollout',
      }),
    rolloutSteps: z
      .int()
      .min(1)
      .max(2048)
      .default(d.steps)
      .meta({
        title: 'rollout length',
        unit: 'steps',
        description: 'Steps of every copy between two updates.',
        source,
        slider: [1, 256],
        log: true,
        group: 'rollout',
      }),
    minibatches: z
      .int()
      .min(1)
      .max(1024)
      .default(d.minibatches)
      .meta({ title: 'minibatches', description: 'Equal parts of a rollout, one update each.', source, slider: [1, 64], group: 'rollout' }),
    epochs: z
      .int()
      .min(1)
      .max(100)
      .default(d.epochs)
      .meta({ title: 'epochs', description: 'Times that each rollout is learned from.', source, slider: [1, 16], group: 'rollout' }),
    hidden: z
      .array(z.int().min(1).max(2048))
      .min(1)
      .max(6)
      .default([...d.hidden])
      .meta({
        title: 'hidden layers',
        description: 'Units of each layer; every layer is normalised, which is what keeps learning stable without a target network.',
        source,
        group: 'network',
      }),
    layerNorm: z.boolean().default(true).meta({
      title: 'layer normalisation',
      description: 'Off shows what it is there for.',
      source,
      depth: 'research',
      group: 'network',
    }),
    sharing: sharingConfig,
    agentId: agentIdConfig
      .unwrap()
      .default(d.agentId)
      .meta({ ...agentIdConfig.meta(), source }),
  });
};
export type PqnConfig = z.infer<ReturnType<typeof pqnFields>>;

export const pqnMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'loss', title: 'loss', description: 'Half the squared error of the value predictions, mean over the last epoch.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the actions taken: runs away when values are over-estimated.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Length of the gradient before any limit.' },
  { id: 'epsilon', title: 'exploration', description: 'Share of random actions now.' },
  { id: 'learningRate', title: 'learning rate', description: 'Step size now.' },
];

interface Networks {
  readonly group: ReturnType<Engine['group']>;
  readonly sharing: ReturnType<typeof shareNetworks>;
  readonly q: TeamQ;
}

function networks(engine: Engine, meta: EnvMeta, c: PqnConfig, rng: Rng): Networks {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const group = engine.group('q');
  return { group, sharing, q: teamQ(group, rng, meta, sharing, { hidden: c.hidden, layerNorm: c.layerNorm }) };
}

/** Outputs q [B, A, N], illegal actions at -1e8, and value [B, K]: greedy value of each reward stream. */
function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, rows: number, team: boolean): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const { q } = nets.q.step(g.input('obs', [rows, meta.agentCount, meta.obsSize]), null);
    const legal = maskActions(q, meta);
    const best = maxQ(legal);
    return { q: legal, value: team ? sum(best, -1) : best };
  };
  return engine.compile(build, { name: 'pqn act' });
}

function compileLearner(engine: Engine, nets: Networks, meta: EnvMeta, c: PqnConfig, rows: number, team: boolean): Program {
  const { agentCount: A, obsSize: O } = meta;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const { q } = nets.q.step(g.input('obs', [rows, A, O]), null);
    const chosen = pick(q, g.input('action', [rows, A]));
    const value = team ? reshape(sum(chosen, -1), [rows, 1]) : chosen;
    const error = sub(value, stopGradient(g.input('target', [rows, team ? 1 : A])));
    return { loss: mul(mean(square(error)), 0.5), qMean: mean(value) };
  };
  const options = { minimise: 'loss', group: nets.group, with: radam(), maxGradNorm: c.maxGradNorm, name: 'pqn learn' };
  return engine.compile(build, options);
}
/** Throws LabError('config-invalid') unless the rollout divides into equal minibatches. */
function checkSplit(rows: number, minibatches: number): void {
  if (rows % minibatches === 0) return;
  throw fail(
    'config-invalid',
    `A rollout of ${rows} rows cannot be split into ${minibatches} equal minibatches.`,
    `Choose minibatches that divide ${rows}.`,
    'algo.minibatches',
  );
}

const AVERAGED = ['loss', 'qMean', 'gradNorm'] as const;

/** Everything of an algorithm but its spec. `team`: one value for all (VDN). */
export function pqnDef(title: string, team: boolean): Omit<AlgoDef<PqnConfig>, 'spec'> {
  return {
    fits(meta, c) {
      checkDiscreteTeam(meta, title);
      checkSplit(c.envs * c.rolloutSteps, c.minibatches);
    },

    async *train(run, resume) {
      const c = liveConfig(run); // fields marked live may change between iterations
      const { meta } = run;
      const [numEnvs, T] = [c.envs, c.rolloutSteps];
      const engine = await run.makeEngine();
      const env = run.makeEnv(numEnvs);
      const { buffers } = env;
      const { agentCount: A, obsSize: O } = meta;
      const K = team ? 1 : A; // reward streams
      const total = T * numEnvs;
      const size = total / c.minibatches;
      const nets = networks(engine, meta, c, run.rng.split('init'));
      const act = compileActor(engine, nets, meta, numEnvs, team);
      const learn = compileLearner(engine, nets, meta, c, size, team);
      const exploring = run.rng.split('exploration');
      const shuffling = run.rng.split('shuffling');

      const obs = new Float32Array(total * A * O); // [T, B, A, O]
      const actions = new Float32Array(total * A);
      const rewards = new Float32Array(total * K);
      const nextValues = new Float32Array(total * K);
      const terminated = new Uint8Array(total * K);
      const truncated = new Uint8Array(total * K);
      const targets = new Float32Array(total * K);
      const order = Int32Array.from({ length: total }, (_, i) => i);
      const chosen = new Int32Array(numEnvs * A);
      let step = 0;
      const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, step);

      if (resume === undefined) env.reset();
      else {
        env.load(partOf(resume, 'env'));
        engine.load(partOf(resume, 'engine'));
        order.set(resume.arrays.order as Int32Array);
        restoreRng(exploring, resume.arrays.exploring);
        restoreRng(shuffling, resume.arrays.shuffling);
        step = resume.meta.step as number;
      }
      let shared: Policy | undefined;

      /** Runs the network on these observations; results are in act.out. */
      const forward = async (observations: Float32Array): Promise<void> => {
        act.in.obs!.set(observations);
        if (meta.masked) act.in.mask!.set(buffers.mask!);
        const pending = act.run();
        if (pending) await pending;
      };

      while (step < run.steps) {
        // 1. Collect T steps of every environment, epsilon-greedily.
        const eps = epsilon();
        for (let t = 0; t < T; t++) {
          const at = t * numEnvs;
          await forward(buffers.obs);
          // This state's value is the bootstrap of the step before, unless the episode ended there.
          if (t > 0) setUnlessEnded(act.out.value!, at - numEnvs, nextValues, terminated, truncated, numEnvs * K, K);
          obs.set(buffers.obs, at * A * O);
          selectActions({ q: act.out.q!, mask: buffers.mask, epsilon: eps, rng: exploring, sharing: nets.sharing, meta }, chosen);
          actions.set(chosen, at * A);
          env.step(chosen);
          let anyTruncated = false;
          for (let b = 0; b < numEnvs; b++) {
            const ended = buffers.terminated[b]!;
            const timeLimit = ended === 0 ? buffers.truncated[b]! : 0;
            if (timeLimit !== 0) anyTruncated = true;
            for (let k = 0; k < K; k++) {
              const i = (at + b) * K + k;
              terminated[i] = ended !== 0 || (timeLimit !== 0 && !c.bootstrapAtTruncation) ? 1 : 0;
              truncated[i] = timeLimit !== 0 && c.bootstrapAtTruncation ? 1 : 0;
              rewards[i] = c.rewardScale * (team ? teamReward(buffers.reward, b * A, A) : buffers.reward[b * A + k]!);
            }
          }
          if (anyTruncated && c.bootstrapAtTruncation) {
            await forward(buffers.finalObs); // the value beyond the time limit
            nextValues.set(act.out.value!, at * K);
          }
        }
        await forward(buffers.obs);
        setUnlessEnded(act.out.value!, total - numEnvs, nextValues, terminated, truncated, numEnvs * K, K);

        // 2. Targets.
        lambdaReturns({ rewards, nextValues, terminated, truncated, rows: numEnvs * K, gamma: c.gamma, lambda: c.lambda }, targets);

        // 3. Epochs of shuffled minibatches.
        const lr = c.annealLr ? annealed(c.lr, run.steps, step) : c.lr;
        const feed = learn.in;
        const out = learn.out;
        feed.lr![0] = lr;
        const sums = { loss: 0, qMean: 0, gradNorm: 0 }; // of the last epoch
        for (let epoch = 0; epoch < c.epochs; epoch++) {
          shuffling.shuffle(order);
          const read = epoch === c.epochs - 1; // reading is a round trip on a GPU
          for (let from = 0; from < total; from += size) {
            gatherRows(order, from, size, obs, A * O, feed.obs!);
            gatherRows(order, from, size, actions, A, feed.action!);
            gatherRows(order, from, size, targets, K, feed.target!);
            const pending = learn.run({ read });
            if (pending) await pending;
            if (read) for (const name of AVERAGED) sums[name] += out[name]![0]! / c.minibatches;
          }
        }
        step += total;
        checkFinite(step, sums);

        yield {
          step,
          metrics: { ...episodeRow(env), ...sums, epsilon: epsilon(), learningRate: lr },
          snapshot: async () => joinSaved({ epsilon: epsilon() }, { net: await readParams(engine, nets.group) }),
          save: async () =>
            joinSaved(
              { step },
              { env: env.save(), engine: await engine.save() },
              { order: order.slice(), exploring: exploring.state.slice(), shuffling: shuffling.state.slice() },
            ),
          policy: () => (shared ??= teamQPolicy(engine, nets.q, nets.sharing, meta, epsilon)),
          hash: () => engine.hash(),
        };
      }
    },

    async policy({ config, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const nets = networks(engine, meta, config, Rng.from(0));
      writeParams(engine, nets.group, partOf(saved, 'net'));
      const epsilon = saved.meta.epsilon as number;
      return teamQPolicy(engine, nets.q, nets.sharing, meta, () => epsilon, true);
    },

    benchmark({ config, meta, engine }) {
      const nets = networks(engine, meta, config, Rng.from(0));
      const learn = compileLearner(engine, nets, meta, config, (config.envs * config.rolloutSteps) / config.minibatches, team);
      return { run: () => learn.run() };
    },
  };
}

/** Copies values [B, K] to nextValues from row `at` on, except where the episode ended. */
function setUnlessEnded(
  values: Float32Array,
  at: number,
  nextValues: Float32Array,
  terminated: Uint8Array,
  truncated: Uint8Array,
  count: number,
  K: number,
): void {
  for (let j = 0; j < count; j++) {
    const i = at * K + j;
    if (terminated[i] === 0 && truncated[i] === 0) nextValues[i] = values[j]!;
  }
}
