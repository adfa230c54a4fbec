/** The return that each action of one agent leads to, by continuations of an episode (Monte Carlo). */

import type { Payoff } from '#contract/explain/explain.ts';
import { fail } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import { withSeed } from '../../envs/api/state.ts';
import type { EnvEntry, EnvMeta } from '../../envs/api/types.ts';
import { spreadOf } from '../api/estimate.ts';
import { noReplacement } from '../api/replacement.ts';
import type { SceneOptions, TeamFactory } from '../api/scene.ts';
import { CoalitionEpisodes } from './episodes.ts';

/** Rows of the batch that plays. */
const ROWS = 128;

interface ActionReturnsOptions {
  readonly entry: EnvEntry;
  readonly config: unknown;
  readonly meta: EnvMeta;
  readonly payoff: Payoff;
  readonly seed: number;
  readonly team: TeamFactory;
  /** The state that the continuations start from. */
  readonly from: Uint8Array;
  /** What the team remembers there, [A, ...]. */
  readonly memory?: Float32Array;
  readonly pace?: SceneOptions['pace'];
}

/**
 * Mean return of each action of an agent from a state on, with the same random numbers for all actions: [actionCount], NaN where the mask
 * forbids the action. `mask` [actionCount]. Throws LabError('incompatible') where actions are continuous.
 */
export async function actionReturns(
  options: ActionReturnsOptions,
  agent: number,
  continuations: number,
  mask: Uint8Array | undefined,
): Promise<{ readonly mean: number[]; readonly halfWidth: number[] }> {
  const { entry, config, meta, from } = options;
  if (meta.actionCount === 0)
    throw fail(
      'incompatible',
      'The outcome is only explained where actions can be counted.',
      'Ask what it does, or what it expects.',
      'about',
    );
  const legal = Array.from({ length: meta.actionCount }, (_, a) => a).filter((a) => mask?.[a] !== 0);
  const rng = Rng.from(options.seed).split('actions');
  const chance = Uint32Array.from({ length: continuations }, () => rng.next());
  const jobs = legal.length * continuations;
  const batch = Math.min(ROWS, jobs);
  const game = new CoalitionEpisodes({
    entry,
    config,
    batch,
    team: options.team(batch, options.memory),
    absent: noReplacement,
    players: [],
    payoff: options.payoff,
    start: (job) => withSeed(from, chance[job % continuations]!),
    intervene(job, step, actions, at) {
      if (step === 0) actions[at + agent * meta.actionSize] = legal[Math.floor(job / continuations)]!;
    },
    ...(options.pace && { pace: options.pace }),
  });
  const worth = new Float64Array(jobs);
  await game.play(
    Uint32Array.from({ length: jobs }, (_, job) => chance[job % continuations]!),
    new Uint8Array(0),
    worth,
  );
  const mean = new Array<number>(meta.actionCount).fill(Number.NaN);
  const halfWidth = new Array<number>(meta.actionCount).fill(Number.NaN);
  legal.forEach((a, i) => {
    const spread = spreadOf(Array.from(worth.subarray(i * continuations, (i + 1) * continuations)));
    mean[a] = spread.mean;
    halfWidth[a] = spread.halfWidth;
  });
  return { mean, halfWidth };
}
