/**
 * Direct preference optimisation on tokens: of two answers to one prompt, the one with the higher reward is made likelier than the other.
 * Both likelihoods are divided by those under the reference, a copy of the policy from before this learning. There is no reward model, no
 * critic and no ratio to an older policy (DPO, Rafailov et al. 2023). In every group the best answer is paired with the worst, the second
 * best with the second worst and so on; answers with equal rewards make no pair.
 *   dpo    L = -ln sigmoid(beta (D_w - D_l)),   D = ln pi(answer) - ln reference(answer);  w: preferred, l: the other
 *   ipo    L = (D_w - D_l - 1 / (2 beta))^2
 *   simpo  L = -ln sigmoid(beta (ln pi(w) / |w| - ln pi(l) / |l|) - margin)
 *   kto    L = 1 - sigmoid(beta (D - KL)) of a right answer, 1 - sigmoid(beta (KL - D)) of another one
 * The loss is a switch (lib/preference-program.ts): dpo, with a smoothing of the labels (cDPO); ipo (Azar et al. 2024); simpo, without a
 * reference, per token and with a margin (Meng et al. 2024); kto, on single answers, right or not, with as much weight for the right ones
 * as for the others (Ethayarajh et al. 2024; its KL is the mean log-ratio of the minibatch, never below 0). Answers are written by the
 * policy as it learns (online, Guo et al. 2024), or always by the reference, as in the papers. The policy is a decoder-only transformer
 * trained from nothing here. It first copies the environment's scripted novice: where no answer is right there is no pair. Sampling at
 * temperature 1. Steps are tokens written.
 * Pseudo-code:
 *   reference = copy of the policy
 *   repeat until the budget is spent
 *     draw new prompts; write `group` answers to each with pi (writer is reference: with the reference)
 *     the verifier pays each answer; ln reference(answer) of all (but for simpo)
 *     in every group: pair the best answer with the worst and so on inwards, where the first earned more
 *     for each epoch, for each shuffled minibatch of pairs (kto: of single answers)
 *       L of each, if smoothing, for dpo: (1 - smoothing) L + smoothing L of the pair turned round
 *       kto: right answers and the others get half of the weight each
 *       descend the mean of L with AdamW, the gradient norm clipped
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { saveGroups } from '#core/state/params.ts';
import { preferencePairs } from '#math/groups.ts';
import { Rng } from '#math/rng.ts';
import { mean } from '#math/stats.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite, checkTokens } from '../api/guards.ts';
import { episodeMetrics, episodeRow, tokenMetrics } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { tokenExtensionsOf } from '../extensions/index.ts';
import { createDecoder } from './lib/decoding.ts';
import { linePrograms, wholeLines } from './lib/packing.ts';
import { compilePreferenceLearner } from './lib/preference-program.ts';
import { compileScorer, following, savedTokenPolicy, tokenNetwork, tokenPolicy } from './lib/programs.ts';
import { createCollector, extendedOnTokens, sampler, sumOf } from './lib/rollouts.ts';

const measured = 'own measurements at 0.1 M parameters';
const own = 'own choice';

const config = z.strictObject({
  lr: fields.lr(1e-3, measured, { description: 'Step size of AdamW.' }),
  prompts: fields.integer(16, {
    min: 1,
    max: 256,
    title: 'prompts',
    description: 'Different prompts per update.',
    source: measured,
    group: 'rollout',
    depth: 'teach',
  }),
  group: fields.integer(16, {
    min: 2,
    max: 64,
    title: 'group size',
    description: 'Answers to each prompt, an even number: the best is paired with the worst, and so on inwards.',
    source: measured,
    group: 'rollout',
    depth: 'teach',
  }),
  writer: z.enum(['policy', 'reference']).default('policy').meta({
    title: 'writer',
    description: 'Who writes the answers that are compared: the policy as it learns, or for ever the one that learning began with.',
    source: 'the reference in DPO; the policy in online DPO',
    group: 'rollout',
    depth: 'teach',
  }),
  epochs: fields.epochs(1, own),
  minibatches: fields.minibatches(1, own, { max: 64 }),
  loss: variant(
    'dpo',
    [
      kind('dpo', {
        smoothing: fields.real(0, {
          min: 0,
          max: 0.49,
          title: 'label smoothing',
          description: 'Chance that a comparison is the wrong way round (cDPO).',
          source: 'off in DPO',
          group: 'loss',
          depth: 'research',
        }),
      }),
      kind('ipo', {}),
      kind('simpo', {
        margin: fields.real(0.5, {
          min: 0,
          max: 5,
          title: 'margin',
          description: 'By how much the preferred answer should lead.',
          source: 'SimPO',
          group: 'loss',
          depth: 'research',
        }),
      }),
      kind('kto', {}),
    ],
    {
      title: 'loss',
      description:
        'dpo: cross-entropy of the difference. ipo: a fixed difference is aimed at. simpo: per token, no reference. kto: single answers, right or wrong.',
      source: 'DPO',
      group: 'loss',
      depth: 'teach',
    },
  ),
  beta: fields.real(0.1, {
    above: 0,
    max: 10,
    title: 'beta',
    description: 'How dear it is to leave the reference; simpo: a factor of the log-probability per token, 2 to 2.5 there.',
    source: 'DPO',
    group: 'loss',
    depth: 'teach',
    slider: [0.01, 1],
    log: true,
  }),
  maxGradNorm: fields.maxGradNorm(1, own),
  ...fields.transformer(measured),
});
type Config = z.infer<typeof config>;

/** What the program of the loss is made by: fields of other losses are without effect there. */
const lossOf = ({ loss, ...c }: Config) => ({
  ...c,
  loss: loss.kind,
  smoothing: loss.kind === 'dpo' ? loss.smoothing : 0,
  margin: loss.kind === 'simpo' ? loss.margin : 0,
});

const presets: readonly Preset[] = [
  { id: 'offline', title: 'DPO as published: the reference writes', config: { writer: 'reference' } },
  { id: 'cdpo', title: 'cDPO: one comparison in ten may be wrong', config: { loss: { smoothing: 0.1 } } },
  { id: 'ipo', title: 'IPO: no further than a fixed difference', config: { loss: 'ipo' } },
  { id: 'kto', title: 'KTO: single answers', config: { loss: 'kto' } },
  { id: 'simpo', title: 'SimPO: per token, no reference', config: { loss: 'simpo', beta: 2 } },
  {
    id: 'stories',
    title: 'The model of the little stories',
    config: { pretrained: 'stories-2', cloning: 'off', width: 96, layers: 4, heads: 4, prompts: 8, group: 8, lr: 1e-4 },
  },
];

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  tokenMetrics.reward,
  tokenMetrics.tokens,
  { id: 'pairs', title: 'pairs', description: 'Comparisons of the last update; kto: single answers that were judged.' },
  { id: 'preferenceLoss', title: 'preference loss', description: 'The loss of the last update.' },
  {
    id: 'impliedMargin',
    title: 'implied margin',
    description: 'By how much the implied reward of the preferred answers exceeds that of the others, mean of the last update.',
  },
  {
    id: 'likelihoodPreferred',
    title: 'log-probability, preferred',
    description:
      'Mean log-probability of whole preferred answers in the last update. It may fall with the other one: only the difference counts.',
    unit: 'nats',
  },
  {
    id: 'likelihoodOther',
    title: 'log-probability, others',
    description: 'Mean log-probability of the answers that were not preferred, in the last update.',
    unit: 'nats',
  },
  tokenMetrics.taught,
  tokenMetrics.gradNorm,
];

/** simpo alone has none. */
const comparesWithReference = ({ loss }: Config): boolean => loss.kind !== 'simpo';

const extensions = tokenExtensionsOf({ loop: 'tokens', networks: 'other', cloned: 'on' });

export const dpo = defineAlgo<Config>({
  spec: {
    id: 'dpo',
    version: 2,
    changes: [
      {
        version: 2,
        what: 'kto: right is what the verifier found right, not what earned more than one half.',
        where: { loss: ['kto'] },
        rerun: true,
      },
    ],
    title: 'Direct preference optimisation',
    summary:
      'Answers each prompt many times and raises the probability of the answers with more reward over those with less, without a reward model.',
    source: {
      title: 'Direct Preference Optimization: Your Language Model is Secretly a Reward Model',
      authors: 'Rafailov et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2305.18290',
    },
    config,
    extensions,
    presets,
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 't-reason',
      steps: 1500,
      config: { prompts: 4, group: 4, epochs: 2, minibatches: 2, width: 16, layers: 1, heads: 2, cloning: { steps: 4 } },
    },
    probes: [],
    metrics,
  },

  fits(meta, c) {
    const incompatible = (message: string, fix: string, field: string) => fail('incompatible', message, fix, field);
    checkTokens(meta, 'Direct preference optimisation', c);
    if (c.group % 2 === 1)
      throw incompatible(`A group of ${c.group} leaves one answer without a partner.`, 'Take an even number.', 'algo.group');
    if ((c.prompts * c.group) % (2 * c.minibatches) !== 0)
      throw incompatible(
        `${(c.prompts * c.group) / 2} pairs cannot be split into ${c.minibatches} equal minibatches.`,
        'Change the prompts, the group size or the minibatches.',
        'algo.minibatches',
      );
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const engine = await run.makeEngine();
    const rows = c.prompts * c.group;
    const turns = meta.tokens?.rows ?? 1;
    const slots = rows / c.minibatches; // answers of a minibatch, both sides
    const env = run.makeEnv(rows);
    const net = tokenNetwork(engine, 'policy', meta, c, run.rng.split('init'));
    const { shape, group, weights } = net;
    const reference = comparesWithReference(c) || c.writer === 'reference' ? tokenNetwork(engine, 'reference', meta, c, Rng.from(0)) : null;
    const P = shape.context;
    const T = P - 1;
    const decoder = createDecoder(
      engine,
      shape,
      reference !== null && c.writer === 'reference' ? reference.weights : weights,
      rows,
      P,
      c.group,
    );
    const learners = linePrograms(engine, slots * turns, T, (lines) => compilePreferenceLearner(engine, net, lossOf(c), slots, lines));
    const judges =
      reference !== null && comparesWithReference(c)
        ? linePrograms(engine, slots * turns, T, (lines) => compileScorer(engine, shape, reference.weights, lines))
        : null;
    const settle = following(engine, reference, group);
    const sampling = run.rng.split('sampling');
    const pairing = run.rng.split('pairing');
    const starts = run.rng.split('starts');
    const collector = createCollector(env, { group: c.group, seeds: starts, turns });
    const draw = sampler(decoder, shape.vocabulary, sampling);
    const { also } = await extendedOnTokens(extensions, run, { engine, env, net, collector, lines: rows * turns });
    /** Log-probability of every answer under the reference. */
    const against = new Float32Array(rows);
    const state = registerState(
      { counters: { step: 0, settled: 0 }, parts: { env, engine }, arrays: { sampling, pairing, starts } },
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
    const lengthOf = (row: number): number => sumOf(last.count, row * turns, turns);

    const single = c.loss.kind === 'kto';
    const half = slots / 2;
    /** A learning program with the answers `rowOf(slot)` in its places; null: that place stays empty. */
    const put = (rowOf: (slot: number) => number | null): ReturnType<typeof learners.holding> => {
      const learn = learners.holding(last, slots * turns, (k) => {
        const row = rowOf(Math.floor(k / turns));
        return row === null ? -1 : row * turns + (k % turns);
      });
      const feed = learn.in;
      feed.mask.fill(0);
      for (let slot = 0; slot < slots; slot++) {
        const row = rowOf(slot);
        for (let turn = 0; turn < turns && row !== null; turn++) {
          const from = (row * turns + turn) * P;
          feed.mask.set(last.written.subarray(from + 1, from + P), (slot * turns + turn) * T);
        }
        feed.length[slot] = row === null ? 1 : Math.max(1, lengthOf(row));
        if (feed.reference !== undefined) feed.reference[slot] = row === null ? 0 : against[row]!;
      }
      return learn;
    };
    const putPairs = (pairs: readonly (readonly [number, number])[]): Sides => {
      const learn = put((slot) => pairs[slot % half]?.[slot < half ? 0 : 1] ?? null);
      for (let k = 0; k < half; k++) learn.in.weight[k] = pairs[k] === undefined ? 0 : 1 / pairs.length;
      return { learn, preferred: pairs.map((_, k) => k), others: pairs.map((_, k) => half + k) };
    };
    /** Right and other answers weigh as much, however many of each there are. */
    const putSingles = (answers: readonly number[]): Sides => {
      const learn = put((slot) => answers[slot] ?? null);
      const right = answers.map((row) => last.solved[row] === 1);
      const count = right.filter(Boolean).length;
      answers.forEach((_, k) => {
        learn.in.weight[k] = 0.5 / (right[k] ? count : answers.length - count);
        if (learn.in.desirable !== undefined) learn.in.desirable[k] = right[k] ? 1 : 0;
      });
      const places = answers.map((_, k) => k);
      return { learn, preferred: places.filter((k) => right[k]), others: places.filter((k) => !right[k]) };
    };
    /** What the learning program says of the two sides; NaN where there is none. */
    const read = ({ learn, preferred, others }: Sides) => {
      const { length, reference: ref } = learn.in;
      const { logProb } = learn.out;
      const implied = (k: number): number => c.beta * (ref === undefined ? logProb[k]! / length[k]! : logProb[k]! - ref[k]!);
      return {
        impliedMargin: mean(preferred.map(implied)) - mean(others.map(implied)),
        likelihoodPreferred: mean(preferred.map((k) => logProb[k]!)),
        likelihoodOther: mean(others.map((k) => logProb[k]!)),
      };
    };
    const scoreRows = async (by: NonNullable<typeof judges>): Promise<void> => {
      for (let from = 0; from < rows; from += slots) {
        const judge = by.holding(last, slots * turns, (k) => from * turns + k);
        const pending = judge.run();
        if (pending) await pending;
        for (let row = from; row < from + slots; row++) {
          let total = 0;
          for (let turn = 0; turn < turns; turn++)
            for (let t = 0; t < T; t++)
              total += last.written[(row * turns + turn) * P + t + 1]! * judge.out.logProb[((row - from) * turns + turn) * T + t]!;
          against[row] = total;
        }
      }
    };

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

      // 1. One answer in every row, and its log-probability under the reference.
      decoder.clear();
      const tokens = await collector.collect(draw);
      if (judges !== null) await scoreRows(judges);

      // 2. Comparisons, and epochs over minibatches of them.
      const pairs = preferencePairs(last.rewards, c.group, pairing);
      const count = single ? rows : pairs.length;
      const order = Array.from({ length: count }, (_, i) => i);
      let found: Learned | null = null;
      for (let epoch = 0; epoch < c.epochs; epoch++) {
        pairing.shuffle(order);
        for (let part = 0; part < c.minibatches; part++) {
          const own = order.slice(Math.floor((part * count) / c.minibatches), Math.floor(((part + 1) * count) / c.minibatches));
          if (own.length === 0) continue; // nothing to compare
          const sides = single ? putSingles(own) : putPairs(own.map((i) => pairs[i]!));
          const { learn } = sides;
          learn.in.lr[0] = c.lr;
          const pending = learn.run();
          if (pending) await pending;
          found = { ...read(sides), preferenceLoss: learn.out.loss[0]!, gradNorm: learn.out.gradNorm[0]! };
        }
      }
      counters.step += tokens;
      const { step } = counters;
      if (found !== null) checkFinite(step, found);
      yield {
        step,
        metrics: {
          ...episodeRow(env),
          reward: sumOf(last.rewards, 0, rows) / rows,
          tokens: tokens / rows,
          pairs: count,
          taught: single ? 1 : (2 * pairs.length) / rows,
          ...found,
        },
        ...point,
      };
    }
  },

  policy: savedTokenPolicy,

  /** 1 for the preferred answer of a pair, -1 for the other; kto: for what the verifier found right, and the rest. */
  weigh(c, { size, rewards, solved }) {
    const single = c.loss.kind === 'kto';
    const advantages = Float64Array.from(rewards, (_, row) => (single ? (solved[row] === 1 ? 1 : -1) : 0));
    const pairs = single ? [] : preferencePairs(rewards, size, Rng.from(0));
    for (const [better, other] of pairs) [advantages[better], advantages[other]] = [1, -1];
    return { kind: 'pairs', advantages, counts: Uint8Array.from(advantages, (advantage) => (advantage === 0 ? 0 : 1)) };
  },

  benchmark({ config: c, meta, engine }) {
    const net = tokenNetwork(engine, 'policy', meta, c, Rng.from(0));
    const slots = (c.prompts * c.group) / c.minibatches;
    const lines = wholeLines(slots * (meta.tokens?.rows ?? 1), net.shape.context - 1);
    const learn = compilePreferenceLearner(engine, net, lossOf(c), slots, lines);
    return { run: () => learn.run() };
  },
});

/** What an update reports; NaN where a side is empty. */
interface Learned {
  readonly [metric: string]: number;
}

/** Places of a learning program. */
interface Sides {
  readonly learn: ReturnType<typeof compilePreferenceLearner>;
  readonly preferred: readonly number[];
  readonly others: readonly number[];
}
