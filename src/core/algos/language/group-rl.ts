/**
 * Group policy gradient on tokens: each prompt is answered by a group of completions, and completions that earn more than their group's mean
 * become more likely; there is no critic (GRPO, Shao et al. 2024). One learning program serves the published methods, which
 * differ in baseline, scale, ratio, clipping and averaging (lib/policy-loss.ts, math/groups.ts): they are presets (lib/group-settings.ts).
 *   A_i = (r_i - mean of the group) / (deviation of the group + 1e-4)
 *   L = sum_t weight_t [-min(rho_t A, clip(rho_t, 1 - low, 1 + high) A) + coef KL_t - entropyCoef H_t],   rho_t = pi / pi_old
 * The policy is a decoder-only transformer that starts from random weights, or from copied demonstrations (extensions/cloning). With one
 * update per rollout the old log-probabilities are those of the learning program itself, so that the ratio is exactly 1; with more they are scored before the first. Sampling at temperature 1 without truncation, with
 * cached keys and values. Steps are tokens written.
 * Pseudo-code:
 *   if there is a reference: a copy of the policy
 *   repeat until the budget is spent
 *     if it moves: every so many updates reference <- (1 - step) reference + step policy
 *     draw new prompts (if starts is partial: half go on where an earlier episode was cut)
 *     write group * oversample completions of each with pi; r: what each earned
 *     if overlong: r falls by up to 1 over the last tokens before the longest length
 *     if oversample > 1: keep the best and the worst of each group
 *     A by baseline and scale (baseline is best: 1 for the best of a group if it earned, 0 for others)
 *     if credit is turn: r of all turns of a group normalised together, A of a token the sum over its turn and those behind it
 *     if dropUniform: groups all right or all wrong (by reward: that all earned the same) get weight 0
 *     ln pi_old of all tokens, unless there is one update only; if there is a reference: its ln of them
 *     for each epoch, for each minibatch of whole groups, shuffled
 *       rho of each token or of the whole completion (ratio); surrogate clip, cap or none
 *       descend L with AdamW, tokens weighed by `averaging`, the gradient norm clipped
 *     if replayUpdates: keep right answers of groups that were not all right
 *       replayUpdates times: draw kept answers uniformly, as many as a rollout has; descend -mean ln pi of their tokens
 * Throws LabError('nan-loss').
 */
import { fail } from '#contract/kit/errors.ts';
import { inParts } from '#core/engine/parts.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { saveGroups } from '#core/state/params.ts';
import { passAtK } from '#math/decoding.ts';
import { isUniform, rowWeights } from '#math/groups.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import { checkFinite, checkTokens } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { tokenExtensionsOf } from '../extensions/index.ts';
import { answerWeights, spreadOver, turnsPaid, weighAnswers } from './lib/answer-weights.ts';
import { createDecoder } from './lib/decoding.ts';
import { type Config, config, metrics, presets } from './lib/group-settings.ts';
import { createStartPool, createSuccessReplay } from './lib/kept-episodes.ts';
import { linePrograms, wholeLines } from './lib/packing.ts';
import { compileLearner, compileScorer, following, savedTokenPolicy, tokenNetwork, tokenPolicy } from './lib/programs.ts';
import { createCollector, createKlProbe, extendedOnTokens, partsOf, sampler, sumOf, UNMOVED, withPart } from './lib/rollouts.ts';

/** Lines of tokens of a training episode. */
const turnsOf = (meta: EnvMeta, { horizon }: Config): number => {
  const rows = meta.tokens?.rows ?? 1;
  return horizon === 0 ? rows : Math.min(horizon, rows);
};

const extensions = tokenExtensionsOf({ loop: 'tokens', networks: 'other', cloned: 'off' });

export const groupRl = defineAlgo<Config>({
  spec: {
    id: 'group-rl',
    version: 4,
    changes: [
      {
        version: 2,
        what: 'Groups may be oversampled or learn from their best alone, episodes cut, starts taken from partial histories, and the anchor of the KL may move; every row copies a demonstration of its own.',
        before: { oversample: 1, horizon: 0, starts: 'fresh', anchorEvery: 0, anchorStep: 0.6, cloneApart: false },
        rerun: false,
      },
      {
        version: 3,
        what: 'Uniform groups are those that the verifier found all right or all wrong, not those that earned more than one half or not.',
        where: { dropUniform: [true] },
        rerun: true,
      },
      {
        version: 4,
        what: 'Own successes are answers that the verifier found right, not those that earned more than one half.',
        whereNot: { replayUpdates: 0 },
        rerun: true,
      },
    ],
    title: 'Group policy gradient',
    summary: 'Answers each prompt many times and makes the answers above their group’s mean reward more likely.',
    source: {
      title: 'DeepSeekMath: Pushing the Limits of Mathematical Reasoning in Open Language Models',
      authors: 'Shao et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2402.03300',
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
      config: {
        prompts: 4,
        group: 4,
        epochs: 2,
        minibatches: 2,
        width: 16,
        layers: 1,
        heads: 2,
        cloning: { kind: 'on', steps: 4 },
        reference: { kind: 'fixed', coef: 0.05 },
      },
    },
    probes: [],
    metrics,
  },

  fits(meta, c) {
    const incompatible = (message: string, fix: string, field: string) => fail('incompatible', message, fix, field);
    checkTokens(meta, 'Group policy gradient', c);
    const rows = meta.tokens?.rows;
    if (rows === undefined && c.horizon > 0)
      throw incompatible(
        'Rows of this task do not begin anew with each turn: nothing can be cut.',
        'Set the horizon to 0.',
        'algo.horizon',
      );
    if (c.starts === 'partial' && turnsOf(meta, c) >= (rows ?? 1))
      throw incompatible(
        'Partial histories are kept where episodes are cut; here none is.',
        'Set a horizon below the turns of a task whose rows begin anew, such as t-steps with exchange.',
        'algo.starts',
      );
    if (c.starts === 'partial' && !c.samePrompt)
      throw incompatible(
        'Members that start each by themselves have no partial history in common.',
        'Start groups alike.',
        'algo.samePrompt',
      );
    if (c.surrogate.kind === 'clip' && c.surrogate.dual > 0 && c.surrogate.dual <= 1)
      throw incompatible(
        `A dual clip of ${c.surrogate.dual} would limit tokens that have not moved at all.`,
        'Set it above 1, usually 3, or to 0 for none.',
        'algo.surrogate.dual',
      );
    if (c.surrogate.kind === 'cap' && c.surrogate.low >= c.surrogate.high)
      throw incompatible(
        `A weight capped from ${c.surrogate.low} to ${c.surrogate.high} is the same for every token.`,
        'Set the clip range below lower than that above, as CISPO does: 0 and 5.',
        'algo.surrogate.low',
      );
    if (c.credit === 'turn' && (c.baseline !== 'mean' || c.scale === 'batch'))
      throw incompatible(
        'Turns are compared with the mean of their group, divided by its deviation or not at all.',
        'Set the baseline to mean and the scale to group or none, or the credit to answer.',
        'algo.credit',
      );
    if (c.prompts % c.minibatches !== 0)
      throw incompatible(
        `${c.prompts} prompts cannot be split into ${c.minibatches} equal minibatches.`,
        'Change either.',
        'algo.minibatches',
      );
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const engine = await run.makeEngine();
    const members = c.group * c.oversample;
    const rows = c.prompts * members; // sampled
    const turns = turnsOf(meta, c);
    const env = run.makeEnv(rows);
    const net = tokenNetwork(engine, 'policy', meta, c, run.rng.split('init'));
    const { shape, group, weights } = net;
    const moving = c.reference.kind === 'moving' ? c.reference : null;
    const reference = c.reference.kind !== 'off' ? tokenNetwork(engine, 'reference', meta, c, Rng.from(0)) : null;
    const P = shape.context;
    const T = P - 1;
    const picked = c.prompts * c.group; // learned from
    const each = picked / c.minibatches;
    const size = each * turns; // lines of a minibatch
    const decoder = createDecoder(engine, shape, weights, rows, P, c.samePrompt ? members : 1);
    const { gradientAccumulation: parts } = c;
    const learning = inParts(engine, parts);
    const held = Math.ceil(each / parts) * turns; // lines of a part
    const learners = linePrograms(engine, held, T, (lines) => compileLearner(learning, shape, group, weights, lossOf(c), lines));
    const successes = c.replayUpdates > 0 ? createSuccessReplay(turns, P) : null;
    const again = new Int32Array(rows);
    const apart = c.credit === 'turn' ? new Float32Array(rows * turns * T) : null; // advantages of tokens
    const once = c.minibatches === 1 && c.epochs === 1;
    const scorers = (by: typeof weights) => linePrograms(engine, held, T, (lines) => compileScorer(engine, shape, by, lines));
    const scorer = scorers(weights);
    const judge = reference === null ? null : scorers(reference.weights);
    const klProbe = createKlProbe(engine, { lines: size, places: T }, (of) => compileScorer(engine, shape, weights, of));
    const moveAnchor = following(engine, reference, group);
    const sampling = run.rng.split('sampling');
    const shuffling = run.rng.split('shuffling');
    const starts = run.rng.split('starts');
    const choosing = run.rng.split('partial starts');
    const replaying = run.rng.split('own successes');
    const pool = c.starts === 'partial' ? createStartPool(c.prompts, members, meta.state.bytes, choosing) : null;
    const collector = createCollector(env, { group: c.samePrompt ? members : 1, seeds: starts, turns, starts: pool });
    const draw = sampler(decoder, shape.vocabulary, sampling);
    const { also, copying } = await extendedOnTokens(extensions, run, {
      engine,
      env,
      net,

      collector,
      lines: rows * turns,
      parts,
      learning,
    });
    const order = Int32Array.from({ length: c.prompts }, (_, i) => i);
    const old = new Float32Array(rows * turns * T);
    const ref = new Float32Array(rows * turns * T);
    const state = registerState(
      {
        counters: { step: 0, anchored: 0 },
        parts: { env, engine },
        arrays: {
          order,
          sampling,
          shuffling,
          starts,
          ...(pool !== null && { choosing, ...pool.arrays }),
          ...(successes !== null && { replaying, ...successes.arrays }),
        },
      },
      ...also.states,
    );
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: group }),
      policy: () => tokenPolicy(engine, meta, { shape, weights }),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);
    const { last } = collector;
    /** Sampled rows that are learned from, group after group: [picked]. */
    let chosen = Int32Array.from({ length: picked }, (_, k) => Math.floor(k / c.group) * members + (k % c.group));

    /** Line `k` of what is learned from, in the order of this epoch. */
    const lineAt = (k: number): number => rowAt(Math.floor(k / turns)) * turns + (k % turns);
    const rowAt = (k: number): number => chosen[placeAt(k)]!;
    /** Episode `k` in the order of this epoch as a place in `chosen`. */
    const placeAt = (k: number): number => order[Math.floor(k / c.group)]! * c.group + (k % c.group);
    const feedLines = (source: Float32Array, into: Float32Array, from: number, count: number): void => {
      for (let k = 0; k < count; k++) into.set(source.subarray(lineAt(from + k) * T, (lineAt(from + k) + 1) * T), k * T);
    };
    /** Log-probabilities of all lines that are learned from under one network, into [lines, T]. */
    const score = async (by: typeof scorer, into: Float32Array): Promise<void> => {
      for (let from = 0; from < picked * turns; from += held) {
        const count = Math.min(held, picked * turns - from);
        const program = by.holding(last, count, (k) => lineAt(from + k));
        const pending = program.run();
        if (pending) await pending;
        for (let k = 0; k < count; k++) into.set(program.out.logProb.subarray(k * T, (k + 1) * T), lineAt(from + k) * T);
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
      // the first time all of it; `anchored` counts updates from then on
      if (counters.anchored === 0) await moveAnchor(1);
      else if (moving !== null && counters.anchored % moving.every === 0) await moveAnchor(moving.step);
      counters.anchored++;

      // 1. One episode in every row.
      decoder.clear();
      const tokens = await collector.collect(draw);

      // 2. Advantages and the weight of each token.
      const longest = meta.maxSteps;
      const written = Float64Array.from({ length: rows }, (_, row) => sumOf(last.count, row * turns, turns));
      const paid = apart === null ? undefined : turnsPaid(last, { turns, places: P });
      const sampled = { rewards: last.rewards, solved: last.solved, lengths: written, longest, ...(paid && { turns: paid }) };
      const { advantages, keep, turns: ofTurns, ...weighed } = answerWeights(c, sampled, { members, group: c.group });
      chosen = weighed.chosen;
      const rewards = Float64Array.from(chosen, (row) => last.rewards[row]!);
      let [teaching, learned] = [0, 0]; // tokens
      chosen.forEach((row, k) => {
        learned += written[row]!;
        const told = apart === null ? (advantages[k] === 0 ? 0 : written[row]!) : spreadOver(apart, paid?.[row], ofTurns?.[k]);
        if (keep === undefined || keep[k] !== 0) teaching += told;
      });
      let uniform = 0;
      for (let from = 0; from < picked; from += c.group) uniform += Number(isUniform(rewards, from, c.group));
      for (let i = 0; i < c.prompts; i++) order[i] = i;
      if (judge !== null) await score(judge, ref);
      if (!once) await score(scorer, old);

      // 3. Epochs over minibatches of whole groups.
      let report = { policyLoss: 0, gradNorm: 0 };
      let updateKl = 0;
      let moved = UNMOVED;
      for (let epoch = 0; epoch < c.epochs; epoch++) {
        if (c.minibatches > 1) shuffling.shuffle(order);
        for (let from = 0; from < picked; from += each) {
          const places = Array.from({ length: each }, (_, k) => placeAt(from + k));
          const counts = places.map((place) => written[chosen[place]!]!);
          const weights = rowWeights(counts, c.averaging, longest, keep === undefined ? undefined : places.map((place) => keep[place]!));
          const tokensHere = Math.max(1, sumOf(counts, 0, each));
          report = { policyLoss: 0, gradNorm: 0 };
          moved = UNMOVED;
          const newest = epoch === c.epochs - 1 && from + each >= picked;
          for (const [start, end] of partsOf(each, parts)) {
            const line = (k: number): number => lineAt((from + start) * turns + k);
            const lines = (end - start) * turns;
            const learn = learners.holding(last, lines, line);
            const feed = learn.in;
            for (const into of [feed.advantage, feed.mask, feed.weight]) into.fill(0); // of lines beyond these
            for (let k = 0; k < lines; k++) {
              const at = start + Math.floor(k / turns);
              if (apart === null) feed.advantage[k] = advantages[places[at]!]!;
              for (let t = 0; t < T; t++) {
                const own = last.written[line(k) * P + t + 1]!;
                feed.mask[k * T + t] = own;
                feed.weight[k * T + t] = own * weights[at]!;
              }
            }
            if (apart !== null) feedLines(apart, feed.advantage, (from + start) * turns, lines);
            if (!once) feedLines(old, feed.old, (from + start) * turns, lines);
            if (feed.reference !== undefined) feedLines(ref, feed.reference, (from + start) * turns, lines);
            feed.first[0] = once ? 1 : 0;
            feed.low[0] = c.surrogate.kind === 'none' ? 0 : c.surrogate.low;
            feed.high[0] = c.surrogate.kind === 'none' ? 0 : c.surrogate.high;
            feed.klCoef[0] = c.reference.kind === 'off' ? 0 : c.reference.coef;
            feed.entropyCoef[0] = c.entropyCoef;
            feed.lr[0] = c.lr;
            const pending = learn.run();
            if (pending) await pending;
            const { loss, gradNorm, logProb } = learn.out;
            report = { policyLoss: report.policyLoss + loss[0]!, gradNorm: gradNorm[0]! };
            const share = parts === 1 ? 1 : sumOf(counts, start, end - start) / tokensHere;
            moved = withPart(moved, learn.out, tokensHere, share);
            // on the one update of a rollout these are the numbers that it was sampled from
            if (once && newest) for (let k = 0; k < lines; k++) old.set(logProb.subarray(k * T, (k + 1) * T), line(k) * T);
          }
          if (!newest) continue;
          const line = (k: number): number => lineAt(from * turns + k);
          updateKl = await klProbe.measure(last, line, (k) => old.subarray(line(k) * T, (line(k) + 1) * T));
        }
      }

      // 4. Own right answers, copied again.
      if (successes !== null) {
        successes.add(last, chosen, advantages);
        const line = (k: number): number => again[Math.floor(k / turns)]! * turns + (k % turns);
        for (let k = 0; k < c.replayUpdates && successes.size > 0; k++) {
          const tokens = successes.draw(replaying, again);
          await copying.copy(successes.lines, tokens, c.lr, line);
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
          reward: sumOf(last.rewards, 0, rows) / rows,
          ...tries(last.solved, members, c.samePrompt),
          tokens: tokens / rows,
          uniformGroups: uniform / c.prompts,
          taught: learned === 0 ? 0 : teaching / learned,
          ...moved,
          updateKl,
          ...(pool !== null && { partialStarts: pool.size }),
          ...(successes !== null && { successes: successes.size }),
        },
        ...point,
      };
    }
  },

  policy: savedTokenPolicy,

  weigh: weighAnswers,

  benchmark({ config: c, meta, engine }) {
    const { shape, group, weights } = tokenNetwork(engine, 'policy', meta, c, Rng.from(0));
    const lines = Math.ceil((c.prompts * c.group) / c.minibatches / c.gradientAccumulation) * turnsOf(meta, c);
    const learn = compileLearner(engine, shape, group, weights, lossOf(c), wholeLines(lines, shape.context - 1));
    return { run: () => learn.run() };
  },
});

/** What the program of the loss is made by. */
const lossOf = ({ reference, surrogate, ...c }: Config) => ({
  ...c,
  surrogate: surrogate.kind,
  ...(surrogate.kind === 'clip' && surrogate.dual > 0 && { dual: surrogate.dual }),
  judged: reference.kind !== 'off',
  perToken: c.credit === 'turn',
  kl: reference.kind === 'off' ? ('k3' as const) : reference.estimate,
});

/** Tries of pass@k. */
const TRIES = 8;

/** Completions that are right, alone and among 8 of one prompt; the second only where a group shares its prompt. */
function tries(solved: ArrayLike<number>, group: number, samePrompt: boolean): { readonly passOne: number; readonly passEight?: number } {
  const right = Array.from({ length: solved.length / group }, (_, g) => sumOf(solved, g * group, group));
  const mean = (values: readonly number[]): number => values.reduce((x, y) => x + y, 0) / values.length;
  return {
    passOne: mean(right) / group,
    ...(samePrompt && group >= TRIES && { passEight: mean(right.map((n) => passAtK(group, n, TRIES))) }),
  };
}
