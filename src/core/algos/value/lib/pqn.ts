/**
 * Parallelised Q-network (Gallici et al. 2024), config and loop of PQN and PQN-VDN: no replay buffer and no target network. T steps
 * of B environments, Q(lambda) targets backwards through them, some epochs of shuffled minibatches with RAdam; layer normalisation
 * keeps it stable.
 *   G_t = r_t + gamma (lambda G_{t+1} + (1 - lambda) max_b Q(s_{t+1}, b)) (1 - terminated)
 * A team (VDN) has one stream of rewards and values, their sums over agents; otherwise every agent has its own.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { mean, mul, pick, reshape, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { radam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { maxQ } from '#core/nets/q-values.ts';
import { registerState, savedNumber } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { lambdaReturns } from '#math/returns.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { annealed, linear } from '#math/schedules.ts';
import { convolution, finalMasks } from '../../api/changes.ts';
import { defineAlgo } from '../../api/define.ts';
import * as fields from '../../api/fields.ts';
import { checkFilters, checkFinite } from '../../api/guards.ts';
import { episodeMetrics, episodeRow } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { AlgoEntry, AlgoSpec } from '../../api/types.ts';
import { shareNetworks } from '../../lib/sharing.ts';
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
    lr: fields.lr(d.lr, source, { description: 'Step size of RAdam at the start.' }),
    annealLr: fields.annealLr(d.annealLr, source),
    maxGradNorm: fields.maxGradNorm(d.maxGradNorm, source),
    gamma: fields.gamma(d.gamma, source),
    lambda: fields.real(d.lambda, {
      min: 0,
      max: 1,
      title: 'Q(lambda)',
      description: '0 bootstraps from the next state, 1 sums only the rewards seen.',
      source,
      live: true,
      slider: [0, 1],
      group: 'returns',
    }),
    bootstrapAtTruncation: fields.bootstrapAtTruncation(true, 'Pardo et al. 2018; off in PureJaxQL and CleanRL pqn.py', {
      description: 'Adds the value of the last state when only the time limit ended the episode. Off: as the papers’ code.',
    }),
    rewardScale: fields.real(1, {
      above: 0,
      max: 1000,
      title: 'reward scale',
      description: 'Rewards are multiplied by this before learning; PureJaxQL uses 0.1 on CartPole.',
      source,
      depth: 'research',
      group: 'returns',
    }),
    epsilonStart: fields.epsilonStart(1, source),
    epsilonEnd: fields.epsilonEnd(d.epsilonEnd, source),
    epsilonFraction: fields.epsilonFraction(d.epsilonFraction, source),
    envs: fields.numEnvs(d.envs, source, { slider: [1, 512], log: true }),
    rolloutSteps: fields.rolloutSteps(d.steps, source, { max: 2048, slider: [1, 256] }),
    minibatches: fields.minibatches(d.minibatches, source, { description: 'Equal parts of a rollout, one update each.', slider: [1, 64] }),
    epochs: fields.epochs(d.epochs, source, { live: false, slider: [1, 16] }),
    hidden: fields.hidden(d.hidden, source, {
      description: 'Units of each layer; layer normalisation keeps learning stable without a target network.',
    }),
    filters: fields.filters(0, '16 in MinAtar (Young & Tian 2019)'),
    layerNorm: fields.layerNorm(true, source, { description: 'Of hidden layers; off shows what it is there for.' }),
    sharing: fields.sharing(),
    agentId: fields.agentId(d.agentId, source),
  });
};
export type PqnConfig = z.infer<ReturnType<typeof pqnFields>>;

const pqnMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'loss', title: 'loss', description: 'Half the squared error of the value predictions, mean over the last epoch.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the actions taken: runs away when values are over-estimated.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient before clipping.' },
  { id: 'epsilon', title: 'epsilon', description: 'Share of uniformly random actions now.' },
  { id: 'learningRate', title: 'learning rate', description: 'Step size of the optimiser now.' },
];

interface Networks {
  readonly group: ReturnType<Engine['group']>;
  readonly sharing: ReturnType<typeof shareNetworks>;
  readonly q: TeamQ;
}

function networks(engine: Engine, meta: EnvMeta, c: PqnConfig, rng: Rng): Networks {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const group = engine.group('q');
  return { group, sharing, q: teamQ(group, rng, meta, sharing, { hidden: c.hidden, layerNorm: c.layerNorm, filters: c.filters }) };
}

/** Outputs q [B, A, N], illegal actions at -1e8, and value [B, K]: greedy value of each reward stream. */
function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, rows: number, team: boolean) {
  const { agentCount: A, obsSize: O, actionCount: N } = meta;
  return engine.compile(
    { obs: [rows, A, O], mask: meta.masked ? [rows, A, N] : null },
    (x) => {
      const q = maskActions(nets.q.step(x.obs, null).q, x.mask);
      const best = maxQ(q);
      return { q, value: team ? sum(best, -1) : best };
    },
    { name: 'pqn act' },
  );
}

function compileLearner(engine: Engine, nets: Networks, meta: EnvMeta, c: PqnConfig, rows: number, team: boolean) {
  const { agentCount: A, obsSize: O } = meta;
  return engine.compile(
    { obs: [rows, A, O], action: [rows, A], target: [rows, team ? 1 : A] },
    (x) => {
      const { q } = nets.q.step(x.obs, null);
      const chosen = pick(q, x.action);
      const value = team ? reshape(sum(chosen, -1), [rows, 1]) : chosen;
      const error = sub(value, stopGradient(x.target));
      return { loss: mul(mean(square(error)), 0.5), qMean: mean(value) };
    },
    { minimise: 'loss', group: nets.group, with: radam(), maxGradNorm: c.maxGradNorm, name: 'pqn learn' },
  );
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

type Own = Pick<AlgoSpec<PqnConfig>, 'id' | 'title' | 'summary' | 'config' | 'presets' | 'probes'> & { readonly trialEnv: string };

/** A method from what it has of its own. `team`: one value for all (VDN). */
export function pqnMethod({ trialEnv, ...own }: Own, team: boolean): AlgoEntry {
  return defineAlgo<PqnConfig>({
    spec: {
      ...own,
      version: 3,
      changes: [finalMasks(2), convolution(3)],
      source: {
        title: 'Simplifying Deep Temporal Difference Learning',
        authors: 'Gallici et al.',
        year: 2024,
        url: 'https://arxiv.org/abs/2407.04811',
      },
      action: 'discrete',
      learner: 'network',
      agents: 'many',
      trial: { env: trialEnv, steps: 1024, config: { envs: 4, rolloutSteps: 8, minibatches: 2, hidden: [16] } },
      probeConfig: {
        envs: 8,
        rolloutSteps: 8,
        minibatches: 2,
        lr: 3e-3,
        gamma: 0.9,
        hidden: [16],
        epsilonFraction: 0.5,
        epsilonEnd: 0.1,
        annealLr: false,
      },
      metrics: pqnMetrics,
    },

    fits(meta, c) {
      checkDiscreteTeam(meta, own.title);
      checkSplit(c.envs * c.rolloutSteps, c.minibatches);
      checkFilters(meta, c.filters);
    },

    async *train(run, resume) {
      const c = run.config; // fields marked live may change between iterations
      const { meta } = run;
      const engine = await run.makeEngine();
      const env = run.makeEnv(c.envs);
      const { buffers, batch: B } = env;
      const T = c.rolloutSteps;
      const { agentCount: A, obsSize: O } = meta;
      const K = team ? 1 : A; // reward streams
      const total = T * B;
      const size = total / c.minibatches;
      const nets = networks(engine, meta, c, run.rng.split('init'));
      const act = compileActor(engine, nets, meta, B, team);
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
      const chosen = new Int32Array(B * A);
      const state = registerState({
        counters: { step: 0 },
        parts: { env, engine },
        arrays: { order, exploring, shuffling },
      });
      const progress = state.counters;
      const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, progress.step);
      const point = safePoint({
        state,
        engine,
        snapshot: () => saveGroups(engine, { net: nets.group }, { epsilon: epsilon() }),
        policy: () => teamQPolicy(engine, nets.q, nets.sharing, meta, epsilon),
      });
      if (resume === undefined) env.reset();
      else state.load(resume);

      /** Runs the network on these observations; results are in act.out. */
      const forward = async (observations: Float32Array, mask: Uint8Array | undefined): Promise<void> => {
        act.in.obs.set(observations);
        if (mask !== undefined) act.in.mask?.set(mask);
        const pending = act.run();
        if (pending) await pending;
      };

      while (progress.step < run.steps) {
        // 1. Collect T steps of every environment, epsilon-greedily.
        const eps = epsilon();
        for (let t = 0; t < T; t++) {
          const at = t * B;
          await forward(buffers.obs, buffers.mask);
          // This state's value is the bootstrap of the step before, unless the episode ended there.
          if (t > 0) setUnlessEnded(act.out.value, at - B, nextValues, terminated, truncated, B * K, K);
          obs.set(buffers.obs, at * A * O);
          selectActions({ q: act.out.q, mask: buffers.mask, epsilon: eps, rng: exploring, sharing: nets.sharing, meta }, chosen);
          actions.set(chosen, at * A);
          env.step(chosen);
          let anyTruncated = false;
          for (let b = 0; b < B; b++) {
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
            await forward(buffers.finalObs, buffers.finalMask); // the value beyond the time limit
            nextValues.set(act.out.value, at * K);
          }
        }
        await forward(buffers.obs, buffers.mask);
        setUnlessEnded(act.out.value, total - B, nextValues, terminated, truncated, B * K, K);

        // 2. Targets.
        lambdaReturns({ rewards, nextValues, terminated, truncated, rows: B * K, gamma: c.gamma, lambda: c.lambda }, targets);

        // 3. Epochs of shuffled minibatches.
        const learningRate = c.annealLr ? annealed(c.lr, run.steps, progress.step) : c.lr;
        const feed = learn.in;
        const out = learn.out;
        feed.lr[0] = learningRate;
        const sums = { loss: 0, qMean: 0, gradNorm: 0 }; // of the last epoch
        for (let epoch = 0; epoch < c.epochs; epoch++) {
          shuffling.shuffle(order);
          const read = epoch === c.epochs - 1; // reading is a round trip on a GPU
          for (let from = 0; from < total; from += size) {
            gatherRows(order, from, size, obs, A * O, feed.obs);
            gatherRows(order, from, size, actions, A, feed.action);
            gatherRows(order, from, size, targets, K, feed.target);
            const pending = learn.run({ read });
            if (pending) await pending;
            if (read) for (const name of AVERAGED) sums[name] += out[name][0]! / c.minibatches;
          }
        }
        progress.step += total;
        const { step } = progress;
        checkFinite(step, sums);

        yield { step, metrics: { ...episodeRow(env), ...sums, epsilon: epsilon(), learningRate }, ...point };
      }
    },

    async policy({ config, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const nets = networks(engine, meta, config, Rng.from(0));
      loadGroups(engine, { net: nets.group }, saved);
      const epsilon = savedNumber(saved, 'epsilon');
      return teamQPolicy(engine, nets.q, nets.sharing, meta, () => epsilon, true);
    },

    benchmark({ config, meta, engine }) {
      const nets = networks(engine, meta, config, Rng.from(0));
      const learn = compileLearner(engine, nets, meta, config, (config.envs * config.rolloutSteps) / config.minibatches, team);
      return { run: () => learn.run(), seen: () => [learn.in.obs] };
    },
  });
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
