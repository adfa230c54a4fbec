/**
 * Answers about pairs of segments: the settings of methods that learn from them, the store, the scripted raters who answer in a person's
 * place, and the questions that these are asked about the newest rollout.
 */
import { z } from 'zod';
import type { Dataset } from '#contract/dataset.ts';
import { fail } from '#contract/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { descend } from '#core/nets/target.ts';
import { exp } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import * as fields from '../../api/fields.ts';
import type { Run } from '../../api/types.ts';
import { dataRows, datasetOf } from '../../lib/data/source.ts';
import type { Played } from '../../lib/ppo/learned-reward.ts';

const source = 'Christiano et al. 2017';
const own = 'own choice';

export const askingFields = {
  comparisons: z
    .string()
    .regex(/^(rater|[0-9a-f]{64})$/, 'rater, or the 64 digits of a dataset with answers on the Data page')
    .default('rater')
    .meta({
      title: 'answers',
      description: 'Who says what is better: the script, or a dataset in which a person answered.',
      source: own,
      depth: 'teach',
      editor: 'answers',
      group: 'preferences',
    }),
  rater: z.enum(['return', 'boltzmann']).default('return').meta({
    title: 'scripted rater',
    description: 'return: always the larger true return; boltzmann: the likelier, the larger it is.',
    source,
    group: 'preferences',
  }),
  raterErrors: fields.real(0.1, {
    min: 0,
    max: 0.5,
    title: 'errors of the rater',
    description: 'Share of the answers that are the wrong way round.',
    slider: [0, 0.5],
    source,
    depth: 'teach',
    group: 'preferences',
  }),
  answers: fields.integer(60, {
    min: 1,
    max: 5000,
    title: 'answers asked for',
    description: 'Of the script, over the whole run.',
    log: true,
    slider: [10, 1000],
    source: `${own}; 700 in ${source}`,
    depth: 'teach',
    group: 'preferences',
  }),
  segment: fields.integer(25, {
    min: 1,
    max: 500,
    title: 'segment length',
    unit: 'steps',
    description: 'Of each of the two that are compared.',
    slider: [5, 60],
    source,
    group: 'preferences',
  }),
};

/** Segments of L steps, two per answer, first and second; a shorter one repeats its last step. */
export interface Answers {
  readonly count: number;
  readonly obs: Float32Array; // [capacity, 2, L, O]
  readonly action: Float32Array; // [capacity, 2, L, D] in units of learners
  /** What is to be saved. */
  readonly arrays: { readonly [name: string]: Float32Array | Float64Array };
  /** `write` fills a segment: its rows' observations and actions from these places on. Weights of K networks are drawn. */
  add(
    choice: number,
    rng: Rng,
    write: (which: 0 | 1, obs: Float32Array, obsAt: number, action: Float32Array, actionAt: number) => void,
  ): void;
  /** A minibatch: all first segments, then all second ones. */
  sample(
    rng: Rng,
    pairs: number,
    into: { readonly obs: Float32Array; readonly action: Float32Array; readonly choice: Float32Array; readonly weight?: Float32Array },
  ): void;
}

export function createAnswers(meta: EnvMeta, capacity: number, segment: number, networks: number): Answers {
  const [O, D] = [meta.obsSize, meta.actionCount > 0 ? 1 : meta.actionSize];
  const [obs, action] = [new Float32Array(capacity * 2 * segment * O), new Float32Array(capacity * 2 * segment * D)];
  const [choices, weights] = [new Float32Array(capacity), new Float32Array(capacity * networks)];
  const counted = new Float64Array(1);
  return {
    get count() {
      return counted[0]!;
    },
    obs,
    action,
    arrays: { answerObs: obs, answerActions: action, answerChoices: choices, answerWeights: weights, answersCounted: counted },
    add(choice, rng, write) {
      const at = counted[0]!;
      if (at >= capacity) return;
      for (const which of [0, 1] as const) write(which, obs, (2 * at + which) * segment * O, action, (2 * at + which) * segment * D);
      choices[at] = choice;
      // Every network learns from a resample of its own: how often an answer is in it is near a Poisson number of mean 1.
      for (let k = 0; k < networks; k++) weights[at * networks + k] = poisson(rng.uniform());
      counted[0] = at + 1;
    },
    sample(rng, pairs, into) {
      for (let p = 0; p < pairs; p++) {
        const i = rng.int(counted[0]!);
        for (const which of [0, 1]) {
          const [from, to] = [2 * i + which, which * pairs + p];
          into.obs.set(obs.subarray(from * segment * O, (from + 1) * segment * O), to * segment * O);
          into.action.set(action.subarray(from * segment * D, (from + 1) * segment * D), to * segment * D);
        }
        into.choice[p] = choices[i]!;
        for (let k = 0; k < networks && into.weight !== undefined; k++) into.weight[k * pairs + p] = weights[i * networks + k]!;
      }
    },
  };
}

/** A Poisson number of mean 1 by inverse CDF: 0, 1, 2, 3, 4 from a uniform one. */
function poisson(u: number): number {
  return [0.3679, 0.7358, 0.9197, 0.981].filter((bound) => u >= bound).length;
}

/** Answers that a person or a rater gave about pairs of episodes of a dataset. Throws LabError('incompatible') where there are none. */
export function answersOf(meta: EnvMeta, data: Dataset, segment: number, networks: number, rng: Rng): Answers {
  const { choices, header } = data;
  if (choices === undefined)
    throw fail(
      'incompatible',
      `Nobody was asked about the dataset "${header.title}".`,
      'Answer pairs of it on the Data page first.',
      'algo.comparisons',
    );
  const [O, D] = [meta.obsSize, meta.actionCount > 0 ? 1 : meta.actionSize];
  const rows = dataRows(meta, data);
  const answers = createAnswers(meta, choices.length, segment, networks);
  const ends = Array.from(data.terminals.keys()).filter((t) => data.terminals[t] === 1 || data.timeouts[t] === 1);
  choices.forEach((choice, pair) => {
    answers.add(choice, rng, (which, obs, obsAt, action, actionAt) => {
      const e = 2 * pair + which;
      const [first, last] = [e === 0 ? 0 : ends[e - 1]! + 1, ends[e]!];
      for (let k = 0; k < segment; k++) {
        const row = Math.min(first + k, last) * meta.agentCount;
        obs.set(rows.obs.subarray(row * O, (row + 1) * O), obsAt + k * O);
        action.set(rows.action.subarray(row * D, (row + 1) * D), actionAt + k * D);
      }
    });
  });
  return answers;
}

/** Comparisons of a minibatch. */
export const PAIRS = 16;

/** Minibatches of gradient on the answers so far; the mean loss of the last tenth. */
export async function fitAnswers(
  learn: Parameters<typeof descend>[0] & { readonly in: Parameters<Answers['sample']>[2]; readonly out: { readonly loss: Float32Array } },
  answers: Answers,
  updates: number,
  lr: number,
  drawing: Rng,
): Promise<number> {
  let [loss, counted] = [0, 0];
  for (let u = 0; u < updates; u++) {
    answers.sample(drawing, PAIRS, learn.in);
    const pending = descend(learn, lr);
    if (pending) await pending;
    if (u < 0.9 * updates) continue;
    loss += learn.out.loss[0]!;
    counted++;
  }
  return loss / Math.max(1, counted);
}

/** Room for the answers of a script, or those of the dataset that the settings name: then nobody else is asked. */
export async function openAnswers(
  run: Run<{ readonly comparisons: string; readonly answers: number; readonly segment: number }>,
  networks: number,
): Promise<{ readonly answers: Answers; readonly given: boolean }> {
  const { config: c, meta, rng } = run;
  if (c.comparisons === 'rater') return { answers: createAnswers(meta, c.answers, c.segment, networks), given: false };
  const data = await datasetOf(run, c.comparisons);
  return { answers: answersOf(meta, data, c.segment, networks, rng.split('resamples')), given: true };
}

/** Who answers by script. `return`: always the segment of the larger true return; `boltzmann`: the likelier, the larger it is. */
type Rater = 'return' | 'boltzmann';

/** 1: the first; 0: the second; 0.5: both are alike. A share `errors` of the answers is the wrong way round. */
function rate(rater: Rater, first: number, second: number, errors: number, rng: Rng): number {
  const difference = first - second;
  const right = rater === 'return' ? (difference === 0 ? 0.5 : difference > 0 ? 1 : 0) : rng.uniform() < 1 / (1 + exp(-difference)) ? 1 : 0;
  return rng.uniform() < errors ? 1 - right : right;
}

const CHECKED_PAIRS = 64;
const FIRST_SHARE = 1 / 3; // of a script's answers come before anything was learned
const ASKED_BY = 0.5; // of the budget all answers have been given

interface Asking {
  readonly rater: Rater;
  /** Share of the answers that are the wrong way round. */
  readonly raterErrors: number;
  /** Steps of a segment. */
  readonly segment: number;
  /** Of so many random pairs the one is asked about on which the networks disagree most. */
  readonly candidates: number;
  /** Networks, K. */
  readonly ensemble: number;
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

  private draw(): readonly [number, number] {
    return [this.rng.int(this.seen.steps - this.length + 1), this.rng.int(this.seen.rows)];
  }

  /** Sum of a number per row over a segment. */
  private total(of: Float32Array, [from, row]: readonly [number, number], width = 1, k = 0): number {
    let sum = 0;
    for (let t = from; t < from + this.length; t++) sum += of[(t * this.seen.rows + row) * width + k]!;
    return sum;
  }

  /** `each` [T, rows, K]: what every network says of the rollout's rows. */
  ask(count: number, answers: Answers, each: Float32Array): void {
    const { c, rng, seen } = this;
    for (let n = 0; n < count; n++) {
      let [best, most] = [[this.draw(), this.draw()] as const, -1];
      for (let i = 0; i < c.candidates; i++) {
        const pair = i === 0 ? best : ([this.draw(), this.draw()] as const);
        const found = this.disagreement(pair, each);
        if (found > most) [best, most] = [pair, found];
      }
      const choice = rate(c.rater, this.total(seen.reward, best[0]), this.total(seen.reward, best[1]), c.raterErrors, rng);
      answers.add(choice, rng, (which, obs, obsAt, action, actionAt) => this.copy(best[which], obs, obsAt, action, actionAt));
    }
  }

  /** Variance over the networks of the probability that the first segment is preferred. */
  private disagreement([a, b]: readonly [readonly [number, number], readonly [number, number]], each: Float32Array): number {
    const K = this.c.ensemble;
    let [sum, squares] = [0, 0];
    for (let k = 0; k < K; k++) {
      const p = 1 / (1 + exp(this.total(each, b, K, k) - this.total(each, a, K, k)));
      [sum, squares] = [sum + p, squares + p * p];
    }
    return squares / K - (sum / K) ** 2;
  }

  private copy([from, row]: readonly [number, number], obs: Float32Array, obsAt: number, action: Float32Array, actionAt: number): void {
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
      const draw = (): readonly [number, number] => [rng.int(this.seen.steps - this.length + 1), rng.int(this.seen.rows)];
      const [a, b] = [draw(), draw()];
      const truth = this.total(this.seen.reward, a) - this.total(this.seen.reward, b);
      if (truth === 0) continue;
      counted++;
      if (truth * (this.total(learned, a) - this.total(learned, b)) > 0) right++;
    }
    return counted === 0 ? Number.NaN : right / counted;
  }
}
