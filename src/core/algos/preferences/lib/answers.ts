/**
 * Answers about pairs of segments: the settings of methods that learn from them, the store, and learning from it. Who answers by script, and
 * what is asked: questions.ts.
 */
import { z } from 'zod';
import type { Dataset } from '#contract/files/dataset.ts';
import { fail } from '#contract/kit/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { descend } from '#core/nets/target.ts';
import type { Rng } from '#math/rng.ts';
import * as fields from '../../api/fields.ts';
import { datasetOf } from '../../api/guards.ts';
import type { Run } from '../../api/types.ts';
import { learnerActions } from '../../lib/box.ts';

const source = 'Christiano et al. 2017';
const own = 'own choice';

/**
 * Who answers by script. `return`: always the segment of the larger true return; `boltzmann`: the likelier, the larger it is; cyclic, grouped and regret:
 * questions.ts.
 */
export const RATERS = ['return', 'boltzmann', 'cyclic', 'grouped', 'regret'] as const;
export type Rater = (typeof RATERS)[number];

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
  rater: z
    .enum(RATERS)
    .default('return')
    .meta({
      title: 'scripted rater',
      description:
        'return: always the larger true return; boltzmann: the likelier, the larger it is; cyclic: of the first three actions each beats another in a circle, and all three beat the rest; grouped: one of several groups answers, each with a term of the reward of its own that it counts four times; regret: the better decisions, by the world’s exact model or, of recorded play, against its scripted player.',
      source: `${source}; regret: Knox et al. 2022; cyclic and grouped: own choice`,
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
  readonly choices: Float32Array; // [capacity] 1: the first is preferred, 0: the second, 0.5: neither
  /** What is to be saved. */
  readonly arrays: { readonly [name: string]: Float32Array | Float64Array };
  /** `write` fills a segment: its rows' observations and actions from these places on. Weights of K networks are drawn. */
  add(
    choice: number,
    rng: Rng,
    write: (which: 0 | 1, obs: Float32Array, obsAt: number, action: Float32Array, actionAt: number) => void,
  ): void;
  /** A minibatch: all first segments, then all second ones; `push` as they have it in [count, 2]. */
  sample(
    rng: Rng,
    pairs: number,
    into: {
      readonly obs: Float32Array;
      readonly action: Float32Array;
      readonly choice: Float32Array;
      readonly weight?: Float32Array;
      readonly push?: Float32Array | undefined;
    },
    push?: Float32Array,
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
    choices,
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
    sample(rng, pairs, into, push) {
      for (let p = 0; p < pairs; p++) {
        const i = rng.int(counted[0]!);
        for (const which of [0, 1]) {
          const [from, to] = [2 * i + which, which * pairs + p];
          into.obs.set(obs.subarray(from * segment * O, (from + 1) * segment * O), to * segment * O);
          into.action.set(action.subarray(from * segment * D, (from + 1) * segment * D), to * segment * D);
          if (push !== undefined && into.push !== undefined) into.push[to] = push[from]!;
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
      `The dataset "${header.title}" has no answers.`,
      'Answer pairs of it on the Data page first.',
      'algo.comparisons',
    );
  const [O, D] = [meta.obsSize, meta.actionCount > 0 ? 1 : meta.actionSize];
  const taken = learnerActions(meta, data.actions);
  const answers = createAnswers(meta, choices.length, segment, networks);
  const ends = Array.from(data.terminals.keys()).filter((t) => data.terminals[t] === 1 || data.timeouts[t] === 1);
  choices.forEach((choice, pair) => {
    answers.add(choice, rng, (which, obs, obsAt, action, actionAt) => {
      const e = 2 * pair + which;
      const [first, last] = [e === 0 ? 0 : ends[e - 1]! + 1, ends[e]!];
      for (let k = 0; k < segment; k++) {
        const row = Math.min(first + k, last) * meta.agentCount;
        obs.set(data.observations.subarray(row * O, (row + 1) * O), obsAt + k * O);
        action.set(taken.subarray(row * D, (row + 1) * D), actionAt + k * D);
      }
    });
  });
  return answers;
}

/** Comparisons of a minibatch. */
export const PAIRS = 16;

/** Minibatches of gradient on the answers so far, their observations changed by `prepare`, and with `push`; the mean loss of the last tenth. */
export async function fitAnswers(
  learn: Parameters<typeof descend>[0] & { readonly in: Parameters<Answers['sample']>[2]; readonly out: { readonly loss: Float32Array } },
  answers: Answers,
  updates: number,
  lr: number,
  drawing: Rng,
  more: { readonly prepare?: ((obs: Float32Array) => void) | undefined; readonly push?: Float32Array | undefined } = {},
): Promise<number> {
  let [loss, counted] = [0, 0];
  for (let u = 0; u < updates; u++) {
    answers.sample(drawing, PAIRS, learn.in, more.push);
    more.prepare?.(learn.in.obs);
    const pending = descend(learn, lr);
    if (pending) await pending;
    if (u < 0.9 * updates) continue;
    loss += learn.out.loss[0]!;
    counted++;
  }
  return loss / Math.max(1, counted);
}

/** Room for the answers of a script, or those of the dataset that the settings name: then no rater is asked. */
export async function openAnswers(
  run: Run<{ readonly comparisons: string; readonly answers: number; readonly segment: number }>,
  networks: number,
): Promise<{ readonly answers: Answers; readonly given: boolean }> {
  const { config: c, meta, rng } = run;
  if (c.comparisons === 'rater') return { answers: createAnswers(meta, c.answers, c.segment, networks), given: false };
  const data = await datasetOf(run, c.comparisons);
  return { answers: answersOf(meta, data, c.segment, networks, rng.split('resamples')), given: true };
}
