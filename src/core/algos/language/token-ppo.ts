/**
 * PPO on tokens: a critic says before every token what the rest of the answer will earn, and tokens that do better than that are made more
 * likely (Schulman et al. 2017; on text Ouyang et al. 2022). The critic is a head on the states of the policy. Its value may stand for
 * every token, or for every turn, whose tokens then share one advantage (Zhou et al. 2024).
 *   L = mean over tokens of -min(rho A, clip(rho, 1 - clip, 1 + clip) A) - entropyCoef H + valueCoef / 2 mean (V - return)^2
 *   A = GAE(gamma, lambda) of r - klCoef (ln pi_old - ln ref), whitened;  rho = pi / pi_old of a token
 * ref is the policy that learning by reward began with, as in text; with klCoef 0, the default, there is none. Values are not clipped.
 * Collected as group-rl collects; no two rows need start alike. The policy is a decoder-only transformer trained from nothing here, and may
 * first copy the environment's scripted novice. Sampling at temperature 1. Steps are tokens written.
 * Pseudo-code:
 *   if klCoef: ref = copy of the policy
 *   repeat until the budget is spent
 *     write one episode in every row with pi, each from a start of its own
 *     ln pi_old and V before every token; if klCoef: every token pays klCoef (ln pi_old - ln ref)
 *     a step is a token; if critic is turn: the tokens of a turn, rewards summed, V before the first
 *     A by GAE(lambda) over steps, V = 0 behind the episode; returns = A + V; a token has its step's A
 *     whiten A over all tokens written
 *     for each epoch, for each shuffled minibatch of whole episodes
 *       clipped objective and entropy bonus over the tokens; squared error of V where a step begins
 *       descend L with AdamW, the gradient norm clipped
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { inParts } from '#core/engine/parts.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { whitened } from '#math/groups.ts';
import { Rng } from '#math/rng.ts';
import { mean } from '#math/stats.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite, checkTokens } from '../api/guards.ts';
import { episodeMetrics, episodeRow, tokenMetrics } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { tokenExtensionsOf } from '../extensions/index.ts';
import { createDecoder } from './lib/decoding.ts';
import { linePrograms, wholeLines } from './lib/packing.ts';
import {
  type ActorCritic,
  compileCritic,
  compileCriticLearner,
  compileScorer,
  criticValues,
  following,
  tokenNetwork,
  tokenPolicy,
  valueHead,
} from './lib/programs.ts';
import {
  type Completions,
  createCollector,
  createKlProbe,
  extendedOnTokens,
  partsOf,
  sampler,
  stepsOf,
  sumOf,
  UNMOVED,
  withPart,
} from './lib/rollouts.ts';
import { stepAdvantages, weighTokens } from './lib/token-advantages.ts';

const measured = 'own measurements at 0.1 M parameters';
const trl = 'TRL PPOConfig';

const config = z.strictObject({
  lr: fields.lr(1e-3, measured),
  rows: fields.integer(256, {
    min: 8,
    max: 2048,
    title: 'episodes per update',
    description: 'Episodes sampled between two updates.',
    source: measured,
    group: 'rollout',
    depth: 'teach',
  }),
  epochs: fields.epochs(2, 'own choice'),
  minibatches: fields.minibatches(1, 'own choice', { max: 64 }),
  gradientAccumulation: fields.gradientAccumulation('episodes of a minibatch'),
  critic: z.enum(['token', 'turn']).default('token').meta({
    title: 'critic',
    description: 'A value before every token, or one before every turn, whose tokens share its advantage.',
    source: 'InstructGPT; ArCHer',
    group: 'returns',
    depth: 'teach',
  }),
  gamma: fields.gamma(1, trl),
  lambda: fields.gaeLambda(0.95, trl),
  clip: fields.clipRange(0.2, trl),
  valueCoef: fields.valueCoef(0.5, 'own choice'),
  entropyCoef: fields.entropyCoef(0, trl),
  klCoef: fields.real(0, {
    min: 0,
    max: 1,
    title: 'KL coefficient',
    description:
      'Price, in reward, of each nat by which a token is likelier than under the policy that learning by reward began with; cannot change from 0 while a run goes on.',
    source: 'InstructGPT has 0.02, TRL 0.05',
    group: 'loss',
  }),
  maxGradNorm: fields.maxGradNorm(1, trl),
  ...fields.transformer(measured),
});
type Config = z.infer<typeof config>;

const presets: readonly Preset[] = [
  { id: 'scratch', title: 'From nothing: an entropy bonus against collapse', config: { entropyCoef: 0.05 } },
  { id: 'grid', title: 'Text grid: cloned from random moves, a value per turn', config: { cloneSteps: 60, critic: 'turn' } },
  { id: 'cloned', title: 'Cloned start, 180 updates', config: { cloneSteps: 180 } },
  {
    id: 'stories',
    title: 'The model of the little stories',
    config: { pretrained: 'stories-2', width: 96, layers: 4, heads: 4, rows: 64, lr: 3e-4, klCoef: 0.1 },
  },
];

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  tokenMetrics.reward,
  tokenMetrics.tokens,
  tokenMetrics.entropy,
  { id: 'policyLoss', title: 'policy loss', description: 'The policy term of the loss of the last update.' },
  { id: 'valueLoss', title: 'value loss', description: 'Half the mean squared error of the values, in the last update.' },
  { id: 'explained', title: 'explained variance', description: 'Share of the spread of returns that the critic foresaw: 1 all, 0 none.' },
  tokenMetrics.clipFraction,
  tokenMetrics.updateKl,
  tokenMetrics.approxKl,
  tokenMetrics.taught,
  {
    id: 'startKl',
    title: 'KL to the start',
    description: 'Mean of ln pi - ln ref over the tokens of the last update, where a KL coefficient is set.',
    unit: 'nats',
  },
  tokenMetrics.gradNorm,
];

function network(engine: Engine, meta: EnvMeta, c: Config, rng: Rng, name = 'policy'): ActorCritic {
  const net = tokenNetwork(engine, name, meta, c, rng);
  return { ...net, value: valueHead(net.group, net.shape) };
}

const extensions = tokenExtensionsOf({ loop: 'tokens', networks: 'other', cloned: 'steps' });

export const tokenPpo = defineAlgo<Config>({
  spec: {
    id: 'token-ppo',
    version: 2,
    changes: [{ version: 2, what: 'A KL to the start of learning by reward can be paid.', before: { klCoef: 0 }, rerun: false }],
    title: 'PPO on tokens',
    summary: 'Writes answers, and learns with a critic that predicts, before each token or turn, the reward still to come.',
    source: {
      title: 'Training language models to follow instructions with human feedback',
      authors: 'Ouyang et al.',
      year: 2022,
      url: 'https://arxiv.org/abs/2203.02155',
    },
    config,
    extensions,
    presets,
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 't-turns',
      steps: 700,
      config: { rows: 16, minibatches: 2, width: 16, layers: 1, heads: 2, cloneSteps: 4, critic: 'turn' },
    },
    probes: [],
    metrics,
  },

  fits(meta, c) {
    checkTokens(meta, 'PPO on tokens', c);
    if (c.rows % c.minibatches !== 0)
      throw fail(
        'incompatible',
        `${c.rows} episodes cannot be split into ${c.minibatches} equal minibatches.`,
        'Change either.',
        'algo.minibatches',
      );
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const engine = await run.makeEngine();
    const { rows } = c;
    const turns = meta.tokens?.rows ?? 1;
    const env = run.makeEnv(rows);
    const net = network(engine, meta, c, run.rng.split('init'));
    const { shape, group, weights } = net;
    const P = shape.context;
    const T = P - 1;
    const lines = rows * turns;
    const size = lines / c.minibatches;
    const decoder = createDecoder(engine, shape, weights, rows, P);
    const { gradientAccumulation: parts } = c;
    const learning = inParts(engine, parts);
    const held = Math.ceil(rows / c.minibatches / parts) * turns; // lines of a part
    const learners = linePrograms(engine, held, T, (shape) => compileCriticLearner(learning, net, c.maxGradNorm, shape));
    const klProbe = createKlProbe(engine, { lines: size, places: T }, (of) => compileScorer(engine, shape, weights, of));
    const critics = linePrograms(engine, held, T, (shape) => compileCritic(engine, net, shape));
    const reference = c.klCoef > 0 ? network(engine, meta, c, Rng.from(0), 'reference') : null;
    const judges = reference === null ? null : linePrograms(engine, held, T, (of) => compileScorer(engine, shape, reference.weights, of));
    const settle = following(engine, reference, group);
    const sampling = run.rng.split('sampling');
    const shuffling = run.rng.split('shuffling');
    const starts = run.rng.split('starts');
    const collector = createCollector(env, { group: 1, seeds: starts, turns });
    const draw = sampler(decoder, shape.vocabulary, sampling);
    const { also } = await extendedOnTokens(extensions, run, {
      engine,
      env,
      net,

      collector,
      lines,
      parts,
      learning,
    });
    /** Episodes in the order of this epoch. */
    const order = Int32Array.from({ length: rows }, (_, i) => i);
    const each = (): Float32Array => new Float32Array(lines * T);
    const [old, against, values, advantages, returns, valued] = [each(), each(), each(), each(), each(), each()];
    const state = registerState(
      {
        counters: { step: 0, ...(reference !== null && { settled: 0 }) },
        parts: { env, engine },
        arrays: { order, sampling, shuffling, starts },
      },
      ...also.states,
    );
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: group }),
      policy: () => tokenPolicy(engine, meta, net),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);
    const { last } = collector;
    const lineAt = (k: number): number => order[Math.floor(k / turns)]! * turns + (k % turns);

    while (counters.step < run.steps) {
      const first = await also.before?.();
      if (first != null) {
        counters.step += first.steps;
        checkFinite(counters.step, first.metrics);
        yield { step: counters.step, metrics: { ...episodeRow(env), ...first.metrics }, ...point };
        continue;
      }

      if (counters.settled === 0) {
        await settle(1);
        counters.settled = 1;
      }

      // 1. One episode in every row, the log-probabilities and values of its tokens.
      decoder.clear();
      const tokens = await collector.collect(draw);
      for (let i = 0; i < rows; i++) order[i] = i;
      for (let from = 0; from < lines; from += held) {
        const count = Math.min(held, lines - from);
        const line = (k: number): number => lineAt(from + k);
        const critic = critics.holding(last, count, line);
        const pending = critic.run();
        if (pending) await pending;
        old.set(critic.out.logProb.subarray(0, count * T), from * T);
        values.set(critic.out.value.subarray(0, count * T), from * T);
        if (judges === null) continue;
        const judge = judges.holding(last, count, line);
        const scored = judge.run();
        if (scored) await scored;
        against.set(judge.out.logProb.subarray(0, count * T), from * T);
      }
      const { paid, startKl } = judges === null ? { paid: last.paid, startKl: undefined } : priced(last, P, { old, against }, c.klCoef);

      // 2. Advantages: over tokens, or over turns whose tokens share one.
      const explained = estimate({ ...last, paid }, { turns, places: P, perTurn: c.critic === 'turn', ...c }, values, {
        advantages,
        returns,
        valued,
      });
      const mask = each();
      for (let line = 0; line < lines; line++) mask.set(last.written.subarray(line * P + 1, (line + 1) * P), line * T);
      advantages.set(whitened(advantages, { mask }));
      let teaching = 0;
      for (let i = 0; i < mask.length; i++) teaching += mask[i] !== 0 && advantages[i] !== 0 ? 1 : 0;

      // 3. Epochs over minibatches of whole episodes.
      let report = { policyLoss: 0, valueLoss: 0, gradNorm: 0 };
      let updateKl = 0;
      let moved = UNMOVED;
      for (let epoch = 0; epoch < c.epochs; epoch++) {
        shuffling.shuffle(order);
        for (let from = 0; from < lines; from += size) {
          const countOf = (source: Float32Array, [first, end]: readonly [number, number]): number => {
            let total = 0;
            for (let k = first; k < end; k++) total += sumOf(source, lineAt(from + k) * T, T);
            return total;
          };
          const written = Math.max(1, countOf(mask, [0, size]));
          const asked = Math.max(1, countOf(valued, [0, size]));
          report = { policyLoss: 0, valueLoss: 0, gradNorm: 0 };
          moved = UNMOVED;
          for (const [start, stop] of partsOf(size / turns, parts)) {
            const [first, end] = [start * turns, stop * turns];
            const learn = learners.holding(last, end - first, (k) => lineAt(from + first + k));
            const feed = learn.in;
            for (const into of [feed.mask, feed.valueWeight]) into.fill(0); // of lines beyond these
            for (let k = first; k < end; k++) {
              const at = lineAt(from + k) * T;
              const put = (source: Float32Array, into: Float32Array): void => into.set(source.subarray(at, at + T), (k - first) * T);
              put(mask, feed.mask);
              put(advantages, feed.advantage);
              put(old, feed.old);
              put(returns, feed.returns);
              put(valued, feed.valueWeight);
            }
            for (let i = 0; i < feed.mask.length; i++) {
              feed.weight[i] = feed.mask[i]! / written;
              feed.valueWeight[i] = feed.valueWeight[i]! / asked;
            }
            feed.low[0] = c.clip;
            feed.high[0] = c.clip;
            feed.entropyCoef[0] = c.entropyCoef;
            feed.valueCoef[0] = c.valueCoef;
            feed.lr[0] = c.lr;
            const pending = learn.run();
            if (pending) await pending;
            const { out } = learn;
            const share = parts === 1 ? 1 : countOf(mask, [first, end]) / written;
            report = {
              policyLoss: report.policyLoss + out.policyLoss[0]!,
              valueLoss: report.valueLoss + out.valueLoss[0]!,
              gradNorm: out.gradNorm[0]!,
            };
            moved = withPart(moved, out, written, share);
          }
          if (epoch < c.epochs - 1 || from + size < lines) continue;
          const line = (k: number): number => lineAt(from + k);
          updateKl = await klProbe.measure(last, line, (k) => old.subarray(line(k) * T, (line(k) + 1) * T));
        }
      }
      counters.step += tokens;
      const { step } = counters;
      checkFinite(step, report);
      yield {
        step,
        metrics: {
          ...episodeRow(env),
          ...report,
          reward: sumOf(last.rewards) / rows,
          tokens: tokens / rows,
          taught: tokens === 0 ? 0 : teaching / tokens,
          ...moved,
          updateKl,
          explained,
          ...(startKl !== undefined && { startKl }),
        },
        ...point,
      };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const net = network(engine, meta, c, Rng.from(0));
    loadGroups(engine, { net: net.group }, saved);
    return { ...tokenPolicy(engine, meta, net, () => engine.dispose()), values: criticValues(engine, net) };
  },

  weigh: weighTokens,

  benchmark({ config: c, meta, engine }) {
    const net = network(engine, meta, c, Rng.from(0));
    const lines = Math.ceil(c.rows / c.minibatches / c.gradientAccumulation) * (meta.tokens?.rows ?? 1);
    const learn = compileCriticLearner(engine, net, c.maxGradNorm, wholeLines(lines, net.shape.context - 1));
    return { run: () => learn.run() };
  },
});

/**
 * What every token was paid [lines, places], less its price for leaving the reference: klCoef (ln pi_old - ln ref), both [lines, places - 1] at
 * the place before the token. `startKl`: the mean of that difference over the tokens written.
 */
export function priced(
  { written, paid }: Pick<Completions, 'written' | 'paid'>,
  places: number,
  { old, against }: { readonly old: Float32Array; readonly against: Float32Array },
  klCoef: number,
): { readonly paid: Float32Array; readonly startKl: number } {
  const out = paid.slice();
  let [sum, count] = [0, 0];
  for (let i = 0; i < written.length; i++) {
    if (written[i] !== 1) continue;
    const at = Math.floor(i / places) * (places - 1) + (i % places) - 1;
    const apart = old[at]! - against[at]!;
    out[i] = out[i]! - klCoef * apart;
    sum += apart;
    count++;
  }
  return { paid: out, startKl: count === 0 ? 0 : sum / count };
}

/**
 * Generalised advantages of every episode (Schulman et al. 2016), and what its values should have been: all [lines, places - 1], at the place
 * before the token. A step is a token, or with `perTurn` the tokens of a turn, which stand next to each other: their reward is the sum, their
 * value that before the first, whose place alone is learned. After an episode the value is 0, also where its room ran out, which scores
 * nothing. Gives the share of the variance of returns that the values explain; 0 where there is none.
 */
export function estimate(
  { written, paid, rewards }: Completions,
  c: { readonly turns: number; readonly places: number; readonly perTurn: boolean; readonly gamma: number; readonly lambda: number },
  values: Float32Array,
  out: { readonly advantages: Float32Array; readonly returns: Float32Array; readonly valued: Float32Array },
): number {
  for (const array of [out.advantages, out.returns, out.valued]) array.fill(0);
  const episodes = Array.from(rewards, (_, row) => stepsOf({ written, paid }, row, c));
  const found = stepAdvantages(episodes, (_, place) => values[place]!, c);
  const errors: number[] = [];
  const targets: number[] = [];
  episodes.forEach((steps, row) => {
    steps.forEach(({ at }, k) => {
      const advantage = found.advantages[row]![k]!;
      for (const place of at) out.advantages[place] = advantage;
      out.returns[at[0]!] = found.returns[row]![k]!;
      out.valued[at[0]!] = 1;
      errors.push(advantage);
      targets.push(found.returns[row]![k]!);
    });
  });
  const middle = mean(targets);
  const spread = sumOf(targets.map((target) => (target - middle) ** 2));
  return spread <= 1e-9 ? 0 : 1 - sumOf(errors.map((error) => error ** 2)) / spread;
}
