/**
 * States in which a share of a run's training episodes begins (RunOptions.starts): those that a script, or random play, comes to within so
 * many steps, or those of a recording. The same run makes the same states. Evaluation begins at normal starts.
 */

import { type Dataset, episodeBounds } from '#contract/files/dataset.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import type { RunOptions } from '#contract/run/config.ts';
import { Rng } from '#math/rng.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import type { EnvEntry, EnvMeta } from '../envs/api/types.ts';

type Options = NonNullable<RunOptions['starts']>;

export interface MadeStarts {
  readonly states: readonly Uint8Array[];
  /** Environment steps that made them; those of a recording count up to the last state that was taken. */
  readonly steps: number;
}

/** The column of the steps of training together with those that made the states. */
export const START_STEPS = 'startSteps';

const HASH = /^[0-9a-f]{64}$/;

/** Whether `from` names a recording by the SHA-256 of its file. */
export const isRecording = (from: string): boolean => HASH.test(from);

/** Throws LabError('config-invalid') for a source that this environment does not have, 'incompatible' where no method would notice. */
export function checkStarts({ starts, executor }: RunOptions, env: EnvEntry): void {
  if (starts === undefined) return;
  const { from } = starts;
  if (executor === 'webgpu-rollouts')
    throw fail(
      'incompatible',
      'Rollouts on the graphics device begin at normal starts.',
      'Choose the executor "webgpu" or "wasm".',
      'run.starts',
    );
  if (from === 'random' || env.policyNames.includes(from) || isRecording(from)) return;
  throw fail(
    'config-invalid',
    `${env.title} has no script "${from}" to make starts with.`,
    whichOf(from, ['random', ...env.policyNames, 'the SHA-256 of a recording']),
    'run.starts.from',
  );
}

/** Plays `from` from normal starts, each time for a drawn number of steps; an episode that ends before is taken up to there. */
async function played(entry: EnvEntry, config: JsonObject, { from, steps, states }: Options, rng: Rng): Promise<MadeStarts> {
  const env = entry.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const { agentCount: rows } = env.meta;
  const script = entry.policies(config)[from];
  const chance = randomPolicy(env.meta);
  const agent = Int32Array.from({ length: rows }, (_, i) => i);
  const query = {
    obs: buffers.obs,
    ...(buffers.mask && { mask: buffers.mask }),
    agent,
    hidden: chance.initial(rows),
    rng,
    rows,
    greedy: false,
  };
  const made: Uint8Array[] = [];
  let total = 0;
  try {
    while (made.length < states) {
      env.reset(Uint32Array.of(rng.next()), buffers);
      let state = env.save(0);
      const length = rng.int(steps + 1);
      for (let t = 0; t < length; t++) {
        if (script === undefined) actions.set((await chance.act(query)).actions);
        else script.act(env, buffers, actions);
        env.step(actions, buffers);
        total++;
        if (buffers.terminated[0] === 1 || buffers.truncated[0] === 1) break;
        state = env.save(0);
      }
      made.push(state);
    }
  } finally {
    env.dispose?.();
  }
  return { states: made, steps: total };
}

/** States of a recording at drawn steps of drawn episodes, found by playing it again. Throws LabError('incompatible') where it cannot be. */
function recorded(entry: EnvEntry, config: JsonObject, meta: EnvMeta, { steps, states }: Options, data: Dataset, rng: Rng): MadeStarts {
  const { header, starts } = data;
  const size = meta.state.bytes;
  if (header.env.id !== entry.id || starts === undefined || starts.length !== header.episodes * size)
    throw fail(
      'incompatible',
      `The recording "${header.title}" has no states of ${entry.title} with these settings.`,
      'Record play of this environment with the same settings.',
      'run.starts.from',
    );
  const env = entry.create(config, 1);
  const buffers = createBuffers(meta, 1);
  const actions = createActions(meta, 1);
  const bounds = episodeBounds(data);
  const width = meta.agentCount * meta.actionSize;
  const made: Uint8Array[] = [];
  let total = 0;
  try {
    while (made.length < states) {
      const episode = rng.int(header.episodes);
      const first = bounds[episode]!;
      const length = rng.int(Math.min(steps, bounds[episode + 1]! - first - 1) + 1); // not the state after the end
      env.load(0, starts.slice(episode * size, (episode + 1) * size), buffers);
      for (let t = first; t < first + length; t++) {
        for (let d = 0; d < width; d++) actions[d] = data.actions[t * width + d]!;
        env.step(actions, buffers);
      }
      total += length;
      made.push(env.save(0));
    }
  } finally {
    env.dispose?.();
  }
  return { states: made, steps: total };
}

/** `dataset` finds a recording by its hash. Throws what that throws, and LabError('incompatible') for one of other states. */
export async function makeStarts(
  entry: EnvEntry,
  config: JsonObject,
  options: Options,
  seed: number,
  dataset: (hash: string) => Promise<Dataset>,
): Promise<MadeStarts> {
  const rng = Rng.from(seed).split('start states');
  if (!isRecording(options.from)) return played(entry, config, options, rng);
  return recorded(entry, config, entry.meta(config), options, await dataset(options.from), rng);
}
