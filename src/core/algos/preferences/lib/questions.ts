/**
 * Scripted raters, who answer in a person's place, what they know of play beside its rewards, and the questions that they are asked about pairs
 * of segments of the newest rollout.
 *   cyclic   knows no reward at all: with p_k, q_k the shares of two segments' steps that are action k of 0, 1, 2, the first is preferred where
 *            sum_k (p_k q_{k-1} - q_k p_{k-1}) + sum_k (p_k - q_k) > 0: 1 beats 0, 2 beats 1, 0 beats 2, and they beat all others alike. No
 *            reward explains that; who cannot be beaten mixes the three (the von Neumann winner of a dueling bandit)
 *   grouped  as many groups of raters as the reward has terms; each counts its own term OWN times, and a pair is answered by a group drawn at
 *            random: no one reward explains the answers, which are those of a crowd that wants different things
 *   regret   the larger sum of advantages Q(s, a) - V(s) is preferred (Knox et al. 2022): a segment is judged by how well was decided in it, not
 *            by what was paid there. The optimal ones, from the world's exact model; of recorded play in worlds without one those against
 *            their scripted player, r + V(s') - V(s), where V is what it still gets from there to the end of the episode, played once
 */
import { type Dataset, episodeBounds } from '#contract/files/dataset.ts';
import { fail } from '#contract/kit/errors.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvEntry, Environment, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import { actionValue, optimalValues } from '#core/envs/lib/tabular/values.ts';
import { exp } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import type { Run } from '../../api/types.ts';
import type { Played, Watch } from '../../lib/ppo/learned-reward.ts';
import type { Answers, Rater } from './answers.ts';

/** How often a group of raters counts the term that is its own; the others count once. */
export const OWN = 4;

/** What a rater goes by where rewards are not enough, of the rows of one rollout. */
export interface Insight {
  /** [T, rows, K] what each term of the reward added; of a team, to all of it together. */
  readonly terms?: Float32Array;
  /** [T, rows] of what was done; optimal ones are at most 0. */
  readonly advantages?: Float32Array;
}

/** Throws LabError('incompatible') where this rater has nothing to judge by. `recorded`: it is asked about recorded play. */
export function checkInsight(meta: EnvMeta, rater: Rater, recorded = false): void {
  if (rater === 'grouped' && (meta.terms?.length ?? 0) < 2)
    throw fail(
      'incompatible',
      'Groups of raters weigh the terms of the reward differently; here the reward has no terms.',
      'Choose another rater, or an environment with reward weights, such as the pendulum.',
      'algo.rater',
    );
  if (rater !== 'regret') return;
  if (meta.agentCount > 1 || (!recorded && meta.agents[0]?.obs.kind !== 'discrete')) throw withoutModel();
}

const withoutModel = () =>
  fail(
    'incompatible',
    'The regret of a decision is known only where the world’s exact model is: here it is not.',
    'Choose another rater, or a small tabular world, such as the key grid. Of recorded play a scripted player will do.',
    'algo.rater',
  );

/** Q*(s, a) - V*(s) of a small known world, discounted as its literature does: [S, N]. Throws LabError('incompatible') without a model. */
export function optimalAdvantages(env: Environment): Float64Array {
  const model = env.model?.();
  if (model === undefined) throw withoutModel();
  const { gamma } = env.meta;
  const { values } = optimalValues(model, gamma);
  return Float64Array.from({ length: model.states * model.actions }, (_, i) => {
    const s = Math.floor(i / model.actions);
    return Math.min(0, actionValue(model, values, gamma, s, i % model.actions) - values[s]!);
  });
}

/** The advantages of rows: `obs` [rows, S] one-hot, `action` [rows]. */
function advantagesOf(table: Float64Array, meta: EnvMeta, { obs, action }: Pick<Played, 'obs' | 'action'>): Float32Array {
  const { obsSize: S, actionCount: N } = meta;
  return Float32Array.from({ length: action.length }, (_, i) => table[obs.subarray(i * S, (i + 1) * S).indexOf(1) * N + action[i]!]!);
}

/** Gathers what this rater goes by while rollouts of `steps` steps are played: hand `watch` to the loop, then ask for `of` each rollout. */
export function insightInto(
  { meta, envEntry, envConfig }: Pick<Run<unknown>, 'meta' | 'envEntry' | 'envConfig'>,
  rater: Rater,
  steps: number,
  rows: number,
): { readonly watch?: Watch; of(played: Played): Insight } {
  if (rater === 'regret') {
    const table = optimalAdvantages(envEntry.create(envConfig, 1));
    return { of: (played) => ({ advantages: advantagesOf(table, meta, played) }) };
  }
  if (rater !== 'grouped') return { of: () => ({}) };
  const [A, K] = [meta.agentCount, meta.terms?.length ?? 0];
  const terms = new Float32Array(steps * rows * K);
  const added = new Float64Array(K);
  return {
    watch: {
      begin: () => {},
      step({ env }, t) {
        for (let row = 0; row < rows; row++) {
          env.terms?.(Math.floor(row / A), added, 0);
          terms.set(added, (t * rows + row) * K);
        }
      },
    },
    of: () => ({ terms }),
  };
}

/** The same of recorded play, which is played again where its terms are asked for. */
export function recordedInsight(entry: EnvEntry, config: unknown, rater: Rater, data: Dataset, played: Played): Insight {
  const env = entry.create(config, 1);
  const { meta } = env;
  if (rater === 'regret' && env.model !== undefined) return { advantages: advantagesOf(optimalAdvantages(env), meta, played) };
  if (rater === 'regret') return { advantages: advantagesOverScript(entry, config, data) };
  if (rater !== 'grouped') return {};
  const [A, K] = [meta.agentCount, meta.terms?.length ?? 0];
  const terms = new Float32Array(played.steps * A * K);
  const added = new Float64Array(K);
  playAgain(env, data, (t) => {
    env.terms?.(0, added, 0);
    for (let a = 0; a < A; a++) terms.set(added, (t * A + a) * K);
  });
  return { terms };
}

/** Plays a recording again, step by step. Throws LabError('incompatible') where its starts are not known. */
function playAgain(env: Environment, data: Dataset, step: (t: number, buffers: StepBuffers) => void, begin?: () => void): void {
  const { meta } = env;
  const [buffers, actions] = [createBuffers(meta, 1), createActions(meta, 1)];
  const { starts } = data;
  if (starts === undefined)
    throw fail(
      'incompatible',
      `The dataset "${data.header.title}" cannot be played again: it has no starts.`,
      'Choose another.',
      'algo.dataset',
    );
  const bounds = episodeBounds(data);
  for (let e = 0; e < data.header.episodes; e++) {
    env.load(0, starts.slice(e * meta.state.bytes, (e + 1) * meta.state.bytes), buffers);
    begin?.();
    for (let t = bounds[e]!; t < bounds[e + 1]!; t++) {
      actions.set(data.actions.subarray(t * actions.length, (t + 1) * actions.length));
      env.step(actions, buffers);
      step(t, buffers);
    }
  }
}

/** r + V(s') - V(s) of every recorded step of one agent; V: what the world's first scripted policy gets from there. Throws LabError('incompatible') without one. */
function advantagesOverScript(entry: EnvEntry, config: unknown, data: Dataset): Float32Array {
  const script = Object.values(entry.policies(config))[0];
  if (script === undefined) throw withoutModel();
  const [env, other] = [entry.create(config, 1), entry.create(config, 1)];
  const { meta } = env;
  const [buffers, actions] = [createBuffers(meta, 1), createActions(meta, 1)];
  const rest = (): number => {
    other.load(0, env.save(0), buffers);
    let sum = 0;
    for (let t = 0; t < meta.evalMaxSteps; t++) {
      script.act(other, buffers, actions);
      other.step(actions, buffers);
      sum += buffers.reward[0]!;
      if (buffers.terminated[0] !== 0 || buffers.truncated[0] !== 0) break;
    }
    return sum;
  };
  const out = new Float32Array(data.header.steps);
  let value = 0;
  playAgain(
    env,
    data,
    (t, { reward, terminated, truncated }) => {
      const next = terminated[0] !== 0 || truncated[0] !== 0 ? 0 : rest();
      out[t] = reward[0]! + next - value;
      value = next;
    },
    () => {
      value = rest();
    },
  );
  return out;
}

/** Actions that beat each other in a circle. */
const CIRCLE = 3;
const CHECKED_PAIRS = 64;
const FIRST_SHARE = 1 / 3; // of a script's answers come before anything was learned
const ASKED_BY = 0.5; // of the budget all answers have been given

interface Asking {
  /** Share of the answers that are the wrong way round. */
  readonly raterErrors: number;
  /** Steps of a segment. */
  readonly segment: number;
  /** Of so many random pairs the one is asked about on which the networks disagree most. */
  readonly candidates: number;
  /** Networks, K. */
  readonly ensemble: number;
  /** Where a segment may begin: step * rows + row; missing: at every step that leaves room for it. */
  readonly places?: Int32Array;
}

/** A segment of a rollout: its first step, and its row. */
export type Place = readonly [from: number, row: number];

/** 1: the first is preferred; 0: the second; 0.5: both are alike. */
export type Compare = (first: Place, second: Place) => number;

export const preferredOf = (difference: number): number => (difference === 0 ? 0.5 : difference > 0 ? 1 : 0);

/** By how much, above 0 where the first wins: steps of two segments of equal length L in each of the three actions; whole numbers up to 2 L^2. */
export function circleOdds(first: ArrayLike<number>, second: ArrayLike<number>, length: number): number {
  let odds = 0;
  for (let k = 0; k < CIRCLE; k++) {
    const before = (k + CIRCLE - 1) % CIRCLE;
    odds += first[k]! * second[before]! - second[k]! * first[before]! + length * (first[k]! - second[k]!);
  }
  return odds;
}

/** Throws LabError('incompatible') where the cyclic rater has no circle to judge by, or another one not what it knows. */
export function checkRater(meta: EnvMeta, rater: Rater, recorded = false): void {
  checkInsight(meta, rater, recorded);
  if (rater !== 'cyclic' || meta.actionCount >= CIRCLE) return;
  throw fail(
    'incompatible',
    'The cyclic rater judges by the first three actions; here they are fewer, or continuous.',
    'Choose another rater, or the noisy bandit.',
    'algo.rater',
  );
}

/** Answers of `all` that have been asked for by environment step `step` of `steps`. */
export const dueAnswers = (all: number, step: number, steps: number): number =>
  Math.ceil(all * Math.min(1, FIRST_SHARE + ((1 - FIRST_SHARE) * step) / (ASKED_BY * steps)));

/** Asks about pairs of segments of a rollout. */
export class Questions {
  private readonly c: Asking;
  private readonly meta: EnvMeta;
  private readonly seen: Played;
  private readonly rng: Rng;
  private readonly length: number;

  constructor(c: Asking, meta: EnvMeta, seen: Played, rng: Rng) {
    [this.c, this.meta, this.seen, this.rng] = [c, meta, seen, rng];
    this.length = Math.min(c.segment, seen.steps);
  }

  private draw(): Place {
    const { places } = this.c;
    if (places !== undefined) {
      const at = places[this.rng.int(places.length)]!;
      return [Math.floor(at / this.seen.rows), at % this.seen.rows];
    }
    return [this.rng.int(this.seen.steps - this.length + 1), this.rng.int(this.seen.rows)];
  }

  /** Sum of a number per row over a segment. */
  total(of: Float32Array, [from, row]: Place, width = 1, k = 0): number {
    let sum = 0;
    for (let t = from; t < from + this.length; t++) sum += of[(t * this.seen.rows + row) * width + k]!;
    return sum;
  }

  /** How a scripted rater compares, before its errors. */
  by(rater: Rater, { terms, advantages }: Insight = {}): Compare {
    if (rater === 'cyclic') return (first, second) => preferredOf(circleOdds(this.counts(first), this.counts(second), this.length));
    if (terms !== undefined) return this.byGroups(terms);
    const judged = advantages ?? this.seen.reward;
    return (first, second) => {
      const difference = this.total(judged, first) - this.total(judged, second);
      if (rater !== 'boltzmann') return preferredOf(difference);
      return this.rng.uniform() < 1 / (1 + exp(-difference)) ? 1 : 0;
    };
  }

  /** A group that is drawn for every pair; `terms` [T, rows, K]. */
  private byGroups(terms: Float32Array): Compare {
    const K = terms.length / this.seen.reward.length;
    return (first, second) => {
      const group = this.rng.int(K);
      let difference = 0;
      for (let k = 0; k < K; k++)
        difference += (k === group ? OWN : 1) * (this.total(terms, first, K, k) - this.total(terms, second, K, k));
      return preferredOf(difference);
    };
  }

  /** Steps of a segment in each action of the circle. */
  private counts([from, row]: Place): Float64Array {
    const found = new Float64Array(CIRCLE);
    for (let t = from; t < from + this.length; t++) {
      const action = this.seen.action[t * this.seen.rows + row]!;
      if (action < CIRCLE) found[action] = found[action]! + 1;
    }
    return found;
  }

  /** `each` [T, rows, K]: what every network says of the rollout's rows. */
  ask(count: number, answers: Answers, each: Float32Array, compare: Compare): void {
    const { c, rng } = this;
    for (let n = 0; n < count; n++) {
      let [best, most] = [[this.draw(), this.draw()] as const, -1];
      for (let i = 0; i < c.candidates; i++) {
        const pair = i === 0 ? best : ([this.draw(), this.draw()] as const);
        const found = this.disagreement(pair, each);
        if (found > most) [best, most] = [pair, found];
      }
      const right = compare(best[0], best[1]);
      const choice = rng.uniform() < c.raterErrors ? 1 - right : right;
      answers.add(choice, rng, (which, obs, obsAt, action, actionAt) => this.copy(best[which], obs, obsAt, action, actionAt));
    }
  }

  /** Variance over the networks of the probability that the first segment is preferred. */
  private disagreement([a, b]: readonly [Place, Place], each: Float32Array): number {
    const K = this.c.ensemble;
    let [sum, squares] = [0, 0];
    for (let k = 0; k < K; k++) {
      const p = 1 / (1 + exp(this.total(each, b, K, k) - this.total(each, a, K, k)));
      [sum, squares] = [sum + p, squares + p * p];
    }
    return squares / K - (sum / K) ** 2;
  }

  private copy([from, row]: Place, obs: Float32Array, obsAt: number, action: Float32Array, actionAt: number): void {
    const { seen, meta, c } = this;
    const [O, D] = [meta.obsSize, meta.actionCount > 0 ? 1 : meta.actionSize];
    for (let k = 0; k < c.segment; k++) {
      const at = Math.min(from + k, from + this.length - 1) * seen.rows + row;
      obs.set(seen.obs.subarray(at * O, (at + 1) * O), obsAt + k * O);
      action.set(seen.action.subarray(at * D, (at + 1) * D), actionAt + k * D);
    }
  }

  /** Share of random pairs that the learned reward [T, rows] orders as the true one does; those that are truly alike are left out. */
  agreement(learned: Float32Array, rng: Rng): number {
    let [right, counted] = [0, 0];
    for (let i = 0; i < CHECKED_PAIRS; i++) {
      const draw = (): Place => [rng.int(this.seen.steps - this.length + 1), rng.int(this.seen.rows)];
      const [a, b] = [draw(), draw()];
      const truth = this.total(this.seen.reward, a) - this.total(this.seen.reward, b);
      if (truth === 0) continue;
      counted++;
      if (truth * (this.total(learned, a) - this.total(learned, b)) > 0) right++;
    }
    return counted === 0 ? Number.NaN : right / counted;
  }

  /** Adds what the rollout's segments win by the cyclic rater against each fixed action [N], ties as halves; how many segments there are. */
  addWins(wins: Float64Array): number {
    const { steps, rows } = this.seen;
    const rival = new Float64Array(CIRCLE);
    let count = 0;
    for (let from = 0; from + this.length <= steps; from += this.length) {
      for (let row = 0; row < rows; row++) {
        const own = this.counts([from, row]);
        for (let action = 0; action < wins.length; action++) {
          rival.fill(0);
          if (action < CIRCLE) rival[action] = this.length;
          wins[action] = wins[action]! + preferredOf(circleOdds(own, rival, this.length));
        }
        count++;
      }
    }
    return count;
  }
}

/** What all play since the half of the budget, when nothing more is asked, wins against the fixed action that beats it most. */
export function circleRecord(meta: EnvMeta, rater: Rater, budget: number) {
  const wins = new Float64Array(rater === 'cyclic' ? meta.actionCount : 0);
  const counted = new Float64Array(1);
  return {
    arrays: { circleWins: wins, circleCounted: counted },
    /** Share in 0..1/2 for what cannot be beaten; NaN before the half, and for other raters. */
    worst(questions: Questions, step: number): number {
      if (rater !== 'cyclic' || step < ASKED_BY * budget) return Number.NaN;
      counted[0] = counted[0]! + questions.addWins(wins);
      return wins.reduce((a, b) => Math.min(a, b)) / counted[0]!;
    },
  };
}

export const worstWinsMetric = {
  id: 'worstWins',
  title: 'wins against the worst rival',
  description:
    'Cyclic rater only: share of comparisons that all play since half of the budget wins against the fixed action that beats it most; 0.5: none beats it.',
};
