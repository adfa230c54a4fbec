/**
 * Learns what it cannot see: fits a hidden Markov model to its play by expectation maximisation (Baum et al. 1970), keeps a belief about
 * the hidden place, and takes the action that is best if the place were seen from the next step on (QMDP: Littman et al. 1995).
 *   belief'(s') ~ show(symbol | s') sum_s belief(s) move(s' | s, action);   action = argmax sum_s belief(s) Q(s, action)
 * Where the observation tells one of several tasks and a symbol, each task has places and moves of its own, and what a place shows is
 * learned together or for each task alone (Huang et al. 2023 ask when that saves samples). A fit begins anew several times and from the
 * last one, and the likeliest stays.
 * Pseudo-code:
 *   start, move and show = chances near even, tilted at random
 *   repeat until the budget is spent
 *     act for some steps (the steps between two rows of the curves)
 *       belief(s) ~ start(s) show(symbol | s) at the start of an episode, else belief' as above
 *       with chance epsilon (1 before the first fit): a random action
 *       else: action = argmax sum_s belief(s) Q(s, action) for the task that is seen
 *       take it;   record action, reward and what was seen, up to `memory` entries
 *     if the record holds 100 entries, and `growth` times as many as at the last fit
 *       for the model as it is, and for `restarts` models begun at random
 *         `iterations` steps of expectation maximisation on the record
 *       keep the one under which the record is likeliest
 *       Q(s, action) = values in it where the place is seen from the next step on, 300 sweeps
 *   if there was no fit by the end of the run: fit once
 * Throws LabError('config-invalid') where the observations do not divide into tasks.
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { registerState, savedNumber } from '#core/state/checkpoint.ts';
import { hashBytes } from '#math/hash.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import { createActions, createBuffers } from '../../envs/api/buffers.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy, Run } from '../api/types.ts';
import { stateOf, stepsPerRow } from '../lib/table.ts';
import { HiddenModels, maximiseOnce, placeValues, type Recorded, type Sizes, surprise } from './lib/hidden-markov.ts';

const source = 'own choice';
const config = z.strictObject({
  gamma: fields.gamma(0.95, source, { max: 0.999, live: false, slider: [0.5, 0.99] }),
  epsilon: fields.epsilonStart(0.2, source, { depth: 'teach' }),
  places: fields.integer(4, {
    min: 1,
    max: 16,
    title: 'hidden places',
    description: 'How many places each task is assumed to have.',
    source,
    group: 'belief',
  }),
  tasks: fields.integer(4, {
    min: 1,
    max: 64,
    title: 'tasks',
    description: 'Of how many tasks the observation tells: the first part of its number.',
    source,
    group: 'belief',
  }),
  joint: z.boolean().default(true).meta({
    title: 'learn symbols together',
    description: 'What a place shows is the same in all tasks and learned from all; off: for each task alone.',
    source: 'Huang et al. 2023',
    group: 'belief',
  }),
  iterations: fields.integer(20, {
    min: 1,
    max: 1000,
    title: 'iterations',
    description: 'Steps of expectation maximisation in a fit.',
    source,
    depth: 'stored',
    group: 'learning',
  }),
  restarts: fields.integer(3, {
    min: 0,
    max: 100,
    title: 'new starts',
    description: 'Fits that begin anew at random beside the one that goes on from the last; the likeliest stays.',
    source,
    depth: 'stored',
    group: 'learning',
  }),
  growth: fields.real(1.5, {
    min: 1.01,
    max: 10,
    title: 'fit anew after',
    unit: 'times the data',
    description: 'A new fit is made when there is so much more recorded play.',
    source,
    group: 'learning',
  }),
  memory: fields.integer(50_000, {
    min: 100,
    max: 1_000_000,
    title: 'memory',
    unit: 'steps',
    description: 'Recorded steps; later ones are not learned from.',
    source,
    log: true,
    group: 'learning',
  }),
});
type Config = z.infer<typeof config>;

const FIRST_FIT = 100;
/** Episodes of random play that are never learned from: what `surprise` is measured on. */
const HELD_OUT = 200;
const HELD_OUT_SEED = 2_000_003;

const sizesOf = (meta: EnvMeta, { tasks, places, joint }: Pick<Config, 'tasks' | 'places' | 'joint'>): Sizes => ({
  tasks,
  places,
  actions: meta.actionCount,
  symbols: meta.obsSize / tasks,
  shared: joint,
});

/** Recorded play that grows up to `capacity` entries. */
class Recording implements Recorded {
  readonly first: Uint8Array;
  readonly task: Int32Array;
  readonly symbol: Int32Array;
  readonly action: Uint8Array;
  readonly reward: Float64Array;
  readonly counters = { size: 0 };
  private readonly symbols: number;

  constructor(capacity: number, symbols: number) {
    this.symbols = symbols;
    this.first = new Uint8Array(capacity);
    this.task = new Int32Array(capacity);
    this.symbol = new Int32Array(capacity);
    this.action = new Uint8Array(capacity);
    this.reward = new Float64Array(capacity);
  }

  get size(): number {
    return this.counters.size;
  }

  /** `seen` is the number of the observation, `action` and `reward` those of the step that led to it. */
  add(seen: number, first: boolean, action: number, reward: number): void {
    const at = this.counters.size;
    if (at === this.first.length) return;
    this.first[at] = first ? 1 : 0;
    this.task[at] = Math.floor(seen / this.symbols);
    this.symbol[at] = seen % this.symbols;
    this.action[at] = action;
    this.reward[at] = reward;
    this.counters.size++;
  }
}

/** Whole episodes of random play on seeds of their own, one behind the other. */
function heldOut({ meta, envEntry, envConfig, rng }: Run<Config>, symbols: number): Recorded {
  const draws = rng.split('held out');
  const env = envEntry.create(envConfig, 1);
  const buffers = createBuffers(meta, 1);
  const actions = createActions(meta, 1);
  const limit = Math.min(meta.evalMaxSteps, 1000);
  const record = new Recording(HELD_OUT * (limit + 1), symbols);
  for (let episode = 0; episode < HELD_OUT; episode++) {
    env.reset(Uint32Array.of(HELD_OUT_SEED + episode), buffers);
    record.add(stateOf(buffers.obs, meta.obsSize), true, 0, 0);
    for (let t = 0; t < limit; t++) {
      actions[0] = randomAction(draws, meta.actionCount, buffers.mask);
      env.step(actions, buffers);
      record.add(stateOf(buffers.obs, meta.obsSize), false, actions[0]!, buffers.reward[0]!);
      if (buffers.terminated[0] === 1 || buffers.truncated[0] === 1) break;
    }
  }
  return record;
}

/** Acts by the belief: hidden [rows, L + 2] holds it, then 1 once something was seen, then the last action. */
function beliefPolicy(models: HiddenModels, values: () => Float64Array, epsilon: () => number): Policy {
  const { places: L, actions: N, symbols: O, tasks } = models.sizes;
  const width = L + 2;
  return {
    initial: (rows) => new Float32Array(rows * width),
    act({ obs, rows, rng, greedy, mask, hidden }) {
      const actions = new Int32Array(rows);
      const q = new Float32Array(rows * N);
      const value = new Float32Array(rows);
      const after = new Float32Array(rows * width);
      const table = values();
      const belief = new Float64Array(L);
      for (let row = 0; row < rows; row++) {
        const seen = stateOf(obs, tasks * O, row);
        const task = Math.floor(seen / O);
        const began = hidden[row * width + L] === 1;
        belief.set(hidden.subarray(row * width, row * width + L));
        models.update(began ? belief : null, task, hidden[row * width + L + 1]!, seen % O, belief);
        actionValues(belief, table, task, N, q, row * N);
        const legal = mask?.subarray(row * N, (row + 1) * N);
        const best = argmax(q, row * N, N, legal);
        actions[row] = !greedy && rng.uniform() < epsilon() ? randomAction(rng, N, legal) : best;
        value[row] = q[row * N + best]!;
        after.set(belief, row * width);
        after[row * width + L] = 1;
        after[row * width + L + 1] = actions[row]!;
      }
      return { actions, hidden: after, q, value };
    },
    dispose() {},
  };
}

/** sum_s belief(s) Q(s, a) of a task, [N] to out[at ..]. */
function actionValues(belief: Float64Array, values: Float64Array, task: number, actions: number, out: Float32Array, at: number): void {
  for (let a = 0; a < actions; a++) {
    let sum = 0;
    for (let s = 0; s < belief.length; s++) sum += belief[s]! * values[(task * belief.length + s) * actions + a]!;
    out[at + a] = sum;
  }
}

export const hiddenModel = defineAlgo<Config>({
  spec: {
    id: 'hidden-model',
    version: 1,
    title: 'Hidden model (EM and belief)',
    summary: 'Learns a model with hidden states from observations, and acts on the probability of being in each state.',
    source: {
      title: 'Learning policies for partially observable environments: Scaling up',
      authors: 'Littman, Cassandra and Kaelbling',
      year: 1995,
      url: 'https://doi.org/10.1016/B978-1-55860-377-6.50052-9',
    },
    config,
    presets: [{ id: 'alone', title: 'Each task learned alone', config: { joint: false } }],
    action: 'discrete',
    learner: 'table',
    agents: 'one',
    trial: { env: 'hidden-chain', steps: 1000 },
    probes: [{ on: ['cuedTable'], steps: 1000, config: { tasks: 1, places: 3, epsilon: 1, gamma: 0 } }],
    metrics: [
      ...episodeMetrics,
      {
        id: 'surprise',
        title: 'surprise',
        description: 'Mean of -log of the chance that the model gave to what came next, in random play that it never learned from.',
        unit: 'nats',
      },
      { id: 'fits', title: 'fits', description: 'How often it fitted its model.' },
      { id: 'recorded', title: 'recorded', description: 'Observations that it learns from.' },
    ],
  },

  fits(meta, { tasks }) {
    if (meta.agents[0]?.obs.kind === 'discrete' && meta.obsSize % tasks !== 0)
      throw fail(
        'config-invalid',
        `${meta.obsSize} observations do not divide into ${tasks} tasks.`,
        'Set it to the number of tasks of the environment; 1 where there are none.',
        'algo.tasks',
      );
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const env = run.makeEnv(1);
    const { buffers } = env;
    const sizes = sizesOf(meta, c);
    const models = new HiddenModels(sizes);
    const rng = run.rng.split('exploration');
    const starts = run.rng.split('starts');
    models.scatter(starts);
    const record = new Recording(c.memory, sizes.symbols);
    const belief = new Float64Array(c.places);
    const counters = { step: 0, began: 0, action: 0, fits: 0, fitted: 0, surprise: 0 };
    const test = heldOut(run, sizes.symbols);
    let values: Float64Array | null = null;
    const valuesNow = (): Float64Array => (values ??= placeValues(models, c.gamma));
    const state = registerState(
      { counters, parts: { env }, arrays: { rng, starts, numbers: models.numbers, belief } },
      {
        counters: record.counters,
        arrays: { first: record.first, task: record.task, symbol: record.symbol, done: record.action, paid: record.reward },
      },
    );
    const epsilon = (): number => (counters.fits === 0 ? 1 : c.epsilon);
    const point = safePoint({
      state,
      engine: { hash: () => hashBytes(models.numbers) },
      snapshot: () => saveModels(models, c),
      policy: () => beliefPolicy(models, valuesNow, () => c.epsilon),
    });
    counters.surprise = surprise(models, test);
    if (resume === undefined) env.reset();
    else state.load(resume);

    const refit = (): void => {
      const [best, trial] = [models.numbers.slice(), new HiddenModels(sizes)];
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k <= c.restarts; k++) {
        if (k === 0) trial.numbers.set(models.numbers);
        else trial.scatter(starts);
        for (let i = 0; i < c.iterations; i++) maximiseOnce(trial, record);
        const now = surprise(trial, record);
        if (now >= least) continue;
        least = now;
        best.set(trial.numbers);
      }
      models.numbers.set(best);
      values = null;
      counters.fits++;
      counters.fitted = record.size;
      counters.surprise = surprise(models, test);
    };

    const action = new Int32Array(1);
    const q = new Float32Array(meta.actionCount);
    const every = stepsPerRow(run.steps);
    while (counters.step < run.steps) {
      for (let k = 0; k < every && counters.step < run.steps; k++, counters.step++) {
        const seen = stateOf(buffers.obs, meta.obsSize);
        const task = Math.floor(seen / sizes.symbols);
        if (counters.began === 0) record.add(seen, true, 0, 0);
        models.update(counters.began === 1 ? belief : null, task, counters.action, seen % sizes.symbols, belief);
        if (rng.uniform() < epsilon()) action[0] = randomAction(rng, meta.actionCount, buffers.mask);
        else {
          actionValues(belief, valuesNow(), task, meta.actionCount, q, 0);
          action[0] = argmax(q, 0, meta.actionCount, buffers.mask);
        }
        env.step(action);
        const ended = buffers.terminated[0] !== 0 || buffers.truncated[0] !== 0;
        record.add(stateOf(ended ? buffers.finalObs : buffers.obs, meta.obsSize), false, action[0]!, buffers.reward[0]!);
        counters.began = ended ? 0 : 1;
        counters.action = action[0]!;
      }
      if (record.size >= Math.max(FIRST_FIT, c.growth * counters.fitted) || (counters.fits === 0 && counters.step >= run.steps)) refit();
      const { step, fits } = counters;
      yield { step, metrics: { ...episodeRow(env), surprise: counters.surprise, fits, recorded: record.size }, ...point };
    }
  },

  async policy({ config: c, meta }, saved) {
    const models = new HiddenModels(sizesOf(meta, c));
    const { numbers } = saved.arrays;
    if (!(numbers instanceof Float64Array) || numbers.length !== models.numbers.length)
      throw fail('file-invalid', 'This policy is no whole hidden model.', 'Save it again.');
    models.numbers.set(numbers);
    const values = placeValues(models, savedNumber(saved, 'gamma'));
    const epsilon = savedNumber(saved, 'epsilon');
    return beliefPolicy(
      models,
      () => values,
      () => epsilon,
    );
  },
});

function saveModels(models: HiddenModels, { gamma, epsilon }: Config): Saved {
  return { meta: { gamma, epsilon }, arrays: { numbers: models.numbers.slice() } };
}
