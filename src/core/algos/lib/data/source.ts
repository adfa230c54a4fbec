/**
 * What a method learns from when it does not learn from its own play: the settings that name a dataset, and its rows as minibatches.
 * A dataset is named by the SHA-256 of its file, so that a link says exactly what was learned from; or it is a grade of the
 * environment's own player, which the run records for itself before it begins.
 */
import { z } from 'zod';
import { bestEpisodes, type Dataset, episodeBounds, nextObservations, selectEpisodes } from '#contract/files/dataset.ts';
import { fail } from '#contract/kit/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Rng } from '#math/rng.ts';
import * as fields from '../../api/fields.ts';
import { datasetOf } from '../../api/guards.ts';
import type { Run } from '../../api/types.ts';
import { learnerActions } from '../box.ts';
import { OWN_GRADES, type OwnGrade, recordGrade } from './recording.ts';

/** Settings that name what is learned from. */
export const sourceFields = (source: string, grade: OwnGrade = 'expert') => ({
  dataset: z
    .string()
    .regex(
      new RegExp(`^(${OWN_GRADES.join('|')}|[0-9a-f]{64})$`),
      `${OWN_GRADES.join(', ')}, or the 64 digits of a dataset on the Data page`,
    )
    .default(grade)
    .meta({
      title: 'dataset',
      description: 'What is learned from: a recorded dataset, or a grade that the environment’s own player records first.',
      source: 'own choice',
      editor: 'dataset',
      depth: 'teach',
      group: 'data',
    }),
  recordSteps: fields.integer(10_000, {
    min: 100,
    max: 1_000_000,
    title: 'recorded steps',
    description: 'Of a grade that the run records for itself; a chosen dataset is taken whole.',
    unit: 'steps',
    log: true,
    slider: [1000, 100_000],
    source: 'own choice; D4RL has 1,000,000',
    group: 'data',
  }),
  errors: fields.real(0.3, {
    min: 0,
    max: 1,
    title: 'errors of the player',
    description: 'Share of the steps in which a medium player acts at random.',
    slider: [0, 1],
    source: 'own choice',
    depth: 'teach',
    group: 'data',
  }),
  share: fields.real(1, {
    above: 0,
    max: 1,
    title: 'best episodes kept',
    description: 'Share of the episodes with the highest returns that is learned from; 0.1 is "the best tenth".',
    slider: [0.05, 1],
    source,
    group: 'data',
  }),
});

/** Setting of methods whose policy is also evaluated from the data. */
export const fittedField = z.boolean().default(true).meta({
  title: 'fitted Q evaluation',
  description: 'What the policy is worth is also learned from the data alone, to be seen beside what it really gets.',
  source: 'Le et al. 2019',
  group: 'evaluation',
});

/** Setting of methods that learn values. */
export const cutField = fields.bootstrapAtTruncation(true, 'CORL', {
  description:
    'Where a recording was cut, by a time limit or because the player left the room, values go on behind it; off: nothing follows.',
});

export interface SourceSettings {
  readonly dataset: string;
  readonly recordSteps: number;
  readonly errors: number;
  /** Missing: all episodes are kept. */
  readonly share?: number;
  readonly bootstrapAtTruncation?: boolean;
}

/** Throws LabError('incompatible') where actions are continuous. */
export function checkDiscrete(meta: EnvMeta, title: string): void {
  if (meta.actionCount > 0) return;
  throw fail(
    'incompatible',
    `${title} compares the values of all actions; here they are continuous.`,
    'Choose TD3+BC or implicit Q-learning.',
    'algo.id',
  );
}

/** Throws LabError('incompatible') where actions are discrete. */
export function checkContinuous(meta: EnvMeta, title: string): void {
  if (meta.actionCount === 0) return;
  throw fail('incompatible', `${title} moves actions in a box; here they are discrete.`, 'Choose CQL or implicit Q-learning.', 'algo.id');
}

/** The dataset of a run, its best episodes alone where that is asked for. Throws LabError naming what is missing or does not fit. */
export async function openSource(run: Run<SourceSettings>): Promise<Dataset> {
  const { config: c, envEntry: entry, envConfig: config, meta, rng } = run;
  const grade = OWN_GRADES.find((known) => known === c.dataset);
  const whole =
    grade === undefined
      ? await datasetOf(run, c.dataset)
      : await recordGrade({ entry, config, steps: c.recordSteps, seed: rng.split('record').next() }, grade, c.errors);
  checkFits(meta, whole);
  const { share = 1 } = c;
  return share === 1 ? whole : selectEpisodes(whole, bestEpisodes(whole, share), whole.header.title);
}

function checkFits(meta: EnvMeta, { header }: Dataset): void {
  const sizes = (x: { readonly obsSize: number; readonly actionSize: number; readonly actionCount: number }, agents: number): string =>
    JSON.stringify([agents, x.obsSize, x.actionSize, x.actionCount]);
  if (header.steps === 0) throw fail('config-invalid', `The dataset "${header.title}" is empty.`, 'Choose another.', 'algo.dataset');
  if (header.env.id === meta.id && sizes(header, header.agents) === sizes(meta, meta.agentCount)) return;
  throw fail(
    'incompatible',
    `The dataset "${header.title}" was recorded in ${header.env.id} with other observations or actions.`,
    `Choose one of ${meta.id}, or the environment of the dataset.`,
    'algo.dataset',
  );
}

/** The inputs of a program that learns from a minibatch of M rows; those that it does not declare are left out. */
export interface RowBatch {
  readonly obs: Float32Array; // [M, O]
  readonly action: Float32Array; // [M] whole numbers or [M, D] in [-1, 1]
  readonly reward?: Float32Array; // [M], of a team [M, A]
  readonly discount?: Float32Array; // [M] gamma, 0 where the episode is over
  readonly nextObs?: Float32Array; // [M, O]
}

/** A dataset as rows: one per step and agent, in order; of a team one per step, agents side by side. */
export interface DataRows {
  readonly count: number;
  /** Fills a batch with `size` rows drawn with replacement. */
  sample(rng: Rng, size: number, gamma: number, batch: RowBatch): void;
  /** Observations at the starts of episodes, [starts, O]. */
  readonly starts: Float32Array;
  readonly obs: Float32Array; // [count, O]
  readonly action: Float32Array; // [count, 1 or D] in units of the learner
  /** Mean return of the episodes. */
  readonly meanReturn: number;
}

/** `team`: a row is a step of the whole team, [A * O] and [A * D] wide. `cutEnds`: nothing follows where an episode was cut, as after a termination. */
export function dataRows(meta: EnvMeta, data: Dataset, team = false, cutEnds = false): DataRows {
  const { steps: T, agents, obsSize, episodes } = data.header;
  const members = team ? agents : 1; // of a row
  const A = agents / members; // rows of a step
  const O = obsSize * members;
  const D = (meta.actionCount > 0 ? 1 : meta.actionSize) * members;
  const count = T * A;
  const action = learnerActions(meta, data.actions);
  const next = nextObservations(data);
  const bounds = episodeBounds(data);
  const starts = new Float32Array(episodes * A * O);
  for (let e = 0; e < episodes; e++) starts.set(data.observations.subarray(bounds[e]! * A * O, (bounds[e]! + 1) * A * O), e * A * O);
  const { observations: obs, rewards, returns } = data;
  const over = cutEnds ? data.terminals.map((end, t) => end | data.timeouts[t]!) : data.terminals;
  return {
    count,
    starts,
    obs,
    action,
    meanReturn: returns.reduce((a, b) => a + b, 0) / Math.max(1, returns.length),
    sample(rng, size, gamma, batch) {
      for (let row = 0; row < size; row++) {
        const i = rng.int(count);
        for (let j = 0; j < O; j++) batch.obs[row * O + j] = obs[i * O + j]!;
        for (let d = 0; d < D; d++) batch.action[row * D + d] = action[i * D + d]!;
        if (batch.reward !== undefined) for (let k = 0; k < members; k++) batch.reward[row * members + k] = rewards[i * members + k]!;
        if (batch.discount !== undefined) batch.discount[row] = over[Math.floor(i / A)] === 0 ? gamma : 0;
        if (batch.nextObs !== undefined) for (let j = 0; j < O; j++) batch.nextObs[row * O + j] = next[i * O + j]!;
      }
    },
  };
}
