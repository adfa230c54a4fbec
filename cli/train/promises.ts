/**
 * Whether the page keeps what its tiles promise: one seed of what is offered first for a world, over all steps, and what the page says of it then. The
 * same scores, tests and rule of words as there (src/math/standing.ts).
 */
import { performance } from 'node:perf_hooks';
import { cpuUsage } from 'node:process';
import { setImmediate } from 'node:timers/promises';
import type { EnvCard, Strength } from '#contract/catalog/catalog.ts';
import { strengthOf } from '#contract/catalog/strength.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { getAlgo } from '#core/algos/all.ts';
import { algoCard } from '#core/cards.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { buildPolicy, createSession } from '#core/run/loaded.ts';
import { measureStrength } from '#core/run/yardstick.ts';
import { finiteOrNull } from '#math/finite.ts';
import { type Scores, standingOf } from '#math/standing.ts';
import { testedBy } from '#math/tested.ts';
import type { Kept } from '../../tools/facts/promises.ts';
import { offeredRun, offerHash } from './learn.ts';
import { readWeights } from './weights.ts';

/** Policies of the one seed that are tested, and episodes of each. The page tests as many of the first and the newest in the end. */
const POINTS = 12;
const EPISODES = 64;

interface Run {
  readonly policies: readonly PolicySnapshot[];
  /** [step, return, episodes] */
  readonly rows: readonly (readonly [number, number, number])[];
  /** [step, nashConv] */
  readonly distances: readonly (readonly [number, number])[];
  readonly cpuSeconds: number;
}

async function trained(card: EnvCard, stopped: () => boolean): Promise<Run | null> {
  const config = offeredRun(card, 1);
  const from = cpuUsage();
  const session = createSession({ config, seed: config.run.seedStart, now: () => performance.now(), weights: readWeights });
  const policies: PolicySnapshot[] = [];
  const rows: (readonly [number, number, number])[] = [];
  const distances: (readonly [number, number])[] = [];
  let over = false;
  for await (const event of session) {
    if (event.kind === 'policy' && event.keep === true) policies.push(event.snapshot);
    else if (event.kind === 'result') over = true;
    else if (event.kind === 'state' && event.error) throw Object.assign(new Error(event.error.message), { failure: event.error });
    else if (event.kind === 'metrics') {
      const at = (name: string): number => event.columns.indexOf(name) + 1;
      const [score, episodes, distance] = [at('episodicReturn'), at('episodes'), at('nashConv')];
      const width = event.columns.length + 1;
      for (let row = 0; row < event.rows.length; row += width) {
        const read = (column: number): number => (column === 0 ? Number.NaN : event.rows[row + column]!);
        const step = event.rows[row]!;
        if (Number.isFinite(read(score))) rows.push([step, read(score), read(episodes)]);
        if (Number.isFinite(read(distance))) distances.push([step, read(distance)]);
      }
    }
    if (stopped()) session.stop();
    await setImmediate();
  }
  const { user, system } = cpuUsage(from);
  return over ? { policies, rows, distances, cpuSeconds: (user + system) / 1e6 } : null;
}

/** At even distances, the first and the last among them. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))]!);
}

async function tests(entry: EnvEntry, kind: Strength, policies: readonly PolicySnapshot[]): Promise<Scores> {
  const points: { readonly step: number; readonly value: number; readonly error: number }[] = [];
  for (const snapshot of spread(policies, POINTS)) {
    const built = await buildPolicy(snapshot);
    try {
      const scores = await measureStrength(built.policy, entry, snapshot.env.config, { episodes: EPISODES });
      points.push({ step: snapshot.step, ...testedBy(scores, kind === 'share of wins against random') });
    } finally {
      built.free();
    }
  }
  return { steps: points.map(({ step }) => step), values: points.map(({ value }) => value), errors: points.map(({ error }) => error) };
}

/** Trains one seed of the first offer of a world, whole. null: `stopped` said so. */
export async function keeps(entry: EnvEntry, card: EnvCard, stopped: () => boolean): Promise<Kept | null> {
  const method = algoCard(getAlgo(card.recommended.algo));
  const run = await trained(card, stopped);
  if (run === null) return null;
  const config = offeredRun(card, 1);
  const kind = strengthOf(card, method, config.algo.config as JsonObject);
  const exact = method.metrics.some(({ id }) => id === 'nashConv');
  const scores: Scores =
    kind !== null
      ? await tests(entry, kind, run.policies)
      : exact
        ? { steps: run.distances.map(([step]) => step), values: run.distances.map(([, distance]) => -distance) }
        : { steps: run.rows.map(([step]) => step), values: run.rows.map(([, value]) => value), episodes: run.rows.map(([, , n]) => n) };
  const standing = standingOf([scores], config.run.steps);
  const shows = kind ?? (exact ? 'distance from an equilibrium' : 'return while exploring');
  return {
    algo: method.id,
    steps: config.run.steps,
    cpuSeconds: run.cpuSeconds,
    shows,
    start: finiteOrNull(standing?.start),
    end: finiteOrNull(standing?.now),
    course: standing?.course ?? 'same',
    offer: offerHash(card, 1),
  };
}
