/** What somebody answered about pairs of segments, and the scripted raters who answer in a person's place. */
import type { Dataset } from '#contract/dataset.ts';
import { fail } from '#contract/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { exp } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import { dataRows } from '../../lib/data/source.ts';

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
    into: { readonly obs: Float32Array; readonly action: Float32Array; readonly choice: Float32Array; readonly weight: Float32Array },
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
        for (let k = 0; k < networks; k++) into.weight[k * pairs + p] = weights[i * networks + k]!;
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

/** Who answers by script. `return`: always the segment of the larger true return; `boltzmann`: the likelier, the larger it is. */
export type Rater = 'return' | 'boltzmann';

/** 1: the first; 0: the second; 0.5: both are alike. A share `errors` of the answers is the wrong way round. */
export function rate(rater: Rater, first: number, second: number, errors: number, rng: Rng): number {
  const difference = first - second;
  const right = rater === 'return' ? (difference === 0 ? 0.5 : difference > 0 ? 1 : 0) : rng.uniform() < 1 / (1 + exp(-difference)) ? 1 : 0;
  return rng.uniform() < errors ? 1 - right : right;
}
