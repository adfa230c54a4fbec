/**
 * Whether the workbench learns what it offers first: one environment with its recommended method over some seeds, what it reached and
 * what it cost. Costs are CPU seconds of this process, which a busy machine changes little, so nothing else may run in it.
 */

import { performance } from 'node:perf_hooks';
import { cpuUsage } from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { bestKnown } from '#contract/catalog/best-known.ts';
import type { EnvCard, Judged } from '#contract/catalog/catalog.ts';
import { HELD_OUT } from '#contract/game/metrics.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { PolicySnapshot, SeedResult } from '#contract/run/events.ts';
import { randomPolicy } from '#core/algos/lib/random-policy.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { scoreOf } from '#core/envs/api/score.ts';
import type { EnvEntry, EnvMeta } from '#core/envs/api/types.ts';
import { evaluate } from '#core/run/evaluate.ts';
import { buildPolicy, completeRun, createSession } from '#core/run/loaded.ts';
import { measureStrength, opponentsOf } from '#core/run/yardstick.ts';
import { exploitability } from '#math/exploitability.ts';
import { finiteOrNull } from '#math/finite.ts';
import { uniform } from '#math/game-tree.ts';
import { mean, std } from '#math/stats.ts';
import type { Learned, LearnedSeed } from '../../tools/facts/learned.ts';
import { readWeights } from './weights.ts';

export interface LearnOptions {
  readonly seeds: number;
  /** Number of the first seed; that of the offered run without it. */
  readonly firstSeed?: number | undefined;
  /** CPU seconds for all seeds of an environment together. */
  readonly budget: number;
  /** Called between slices of training; true ends the measurement. */
  readonly stopped: () => boolean;
  readonly say: (text: string) => void;
  /** Told the policy of every seed that counts. */
  readonly learned?: (seed: LearnedSeed, policy: PolicySnapshot) => void;
}

const EPISODES = 50;
/** Before so many CPU seconds of a seed its speed is that of compiling. */
const PROBE = 2;
/** Part of the budget that a shortened run is planned for: speed changes while a policy learns. */
const MARGIN = 0.85;

/** The run that the page offers first for an environment. */
export function offeredRun({ id, recommended }: Pick<EnvCard, 'id' | 'recommended'>, seeds: number): RunConfig {
  const { algo, config, steps, env = {}, evalEvery } = recommended;
  const run = { steps, seeds, evalEpisodes: EPISODES, ...(evalEvery !== undefined && { evalEvery }) };
  return completeRun({ env: { id, config: env }, algo: { id: algo, config }, run });
}

export const offerHash = (card: Pick<EnvCard, 'id' | 'recommended'>, seeds: number): string => configHash(offeredRun(card, seeds));

/** Whether `found` is what this offer reached, on the seeds from `firstSeed` on if one is given. */
export const isOf = (found: Learned | undefined, offer: string, firstSeed: number | undefined): boolean =>
  found?.offer === offer && (firstSeed === undefined || found.seeds[0]?.seed === firstSeed);

/** CPU seconds of this process since `from`. */
function cpuSince(from: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(from);
  return (user + system) / 1e6;
}

interface Trained {
  readonly result: SeedResult;
  readonly policy: PolicySnapshot;
  readonly cpuSeconds: number;
  /** The newest value of every metric. */
  readonly metrics: ReadonlyMap<string, number>;
}

/** Runs one seed. A number instead of a result: it would cost more than `limit` CPU seconds, and this is its speed in steps per CPU second. */
async function trainSeed(config: RunConfig, seed: number, limit: number, stopped: () => boolean): Promise<Trained | number | null> {
  const from = cpuUsage();
  const session = createSession({ config, seed, now: () => performance.now(), weights: readWeights });
  const metrics = new Map<string, number>();
  let policy: PolicySnapshot | null = null;
  let result: SeedResult | null = null;
  let cpuSeconds = 0;
  let step = 0;
  let speed: number | null = null;
  /** At the first reported step: the time before it, in which a method may make its dataset, is no part of the time per step. */
  let begun: { readonly step: number; readonly cpuSeconds: number } | null = null;
  for await (const event of session) {
    if (event.kind === 'metrics') newest(metrics, event.columns, event.rows);
    else if (event.kind === 'policy') policy = event.snapshot;
    else if (event.kind === 'result') result = event.result;
    else if (event.kind === 'state' && event.error) throw Object.assign(new Error(event.error.message), { failure: event.error });
    else if (event.kind === 'progress' && event.step > step) {
      step = event.step;
      cpuSeconds = cpuSince(from);
      begun ??= { step, cpuSeconds };
      const spent = cpuSeconds - begun.cpuSeconds;
      const whole = begun.cpuSeconds + (spent / (step - begun.step)) * config.run.steps;
      if (speed === null && step < config.run.steps && spent > PROBE && whole > limit) {
        speed = config.run.steps / whole;
        session.stop();
      }
    }
    if (stopped()) session.stop();
    await setImmediate();
  }
  if (speed !== null) return speed;
  return result !== null && policy !== null ? { result, policy, cpuSeconds, metrics } : null;
}

function newest(into: Map<string, number>, columns: readonly string[], rows: Float64Array): void {
  const width = columns.length + 1;
  for (let at = 0; at < rows.length; at += width) {
    columns.forEach((metric, i) => {
      const value = rows[at + 1 + i]!;
      if (!Number.isNaN(value)) into.set(metric, value);
    });
  }
}

/** What random play and the best known play reach, and how the learned policy is measured beside them. */
export interface Yardstick {
  readonly judged: Judged;
  readonly random: number | null;
  readonly best: number | null;
  readonly bestIs: string;
  measure(trained: Trained): number | Promise<number>;
}

export async function yardstickOf(entry: EnvEntry, card: Pick<EnvCard, 'references' | 'recommended'>): Promise<Yardstick> {
  const world = card.recommended.env ?? {};
  const env = entry.create(world, 1);
  const game = env.game?.();
  if (game !== undefined && card.recommended.algo === 'cfr') {
    const random = exploitability(game.tree, uniform(game.tree)).nashConv;
    const measure = ({ metrics }: Trained): number => metrics.get('nashConv') ?? Number.NaN;
    return { judged: 'exploitability', random, best: 0, bestIs: 'equilibrium', measure };
  }
  if (card.recommended.algo === 'self-play') {
    const measure = ({ metrics }: Trained): number => metrics.get('randomScore') ?? Number.NaN;
    return { judged: 'share of wins against random', random: 0.5, best: 1, bestIs: 'every game', measure };
  }
  const others = opponentsOf(env.meta);
  if (others.length > 0) return againstRandom(entry, env.meta, others);
  const random = card.references.find(({ name }) => name === 'random')?.value ?? null;
  const best = bestKnown(card.references);
  const way = random === null || best === undefined ? 0 : Math.abs(best.value - random);
  const measure = async ({ result, policy }: Trained): Promise<number> => {
    if (!(way > 0)) return result.evalReturn;
    const built = await buildPolicy(policy);
    try {
      const { scores } = await evaluate(built.policy, entry, world, { episodes: EPISODES });
      const episodes = episodesFor(scores, way);
      return episodes === EPISODES ? result.evalReturn : (await evaluate(built.policy, entry, world, { episodes })).score;
    } finally {
      built.free();
    }
  };
  return { judged: 'return', random, best: best?.value ?? null, bestIs: best?.name ?? '', measure };
}

/** Standard error of a mean return, as part of the way from random to the best known, that needs no further episodes. */
const ERROR = 0.05;
const MOST_EPISODES = 4000;

/** Episodes whose mean return is known to a twentieth of the way: the given ones, or as many as their spread asks for. Rewards may be mostly noise. */
export function episodesFor(scores: Float64Array, way: number): number {
  const wanted = (std(scores) / (ERROR * way)) ** 2;
  return Math.max(scores.length, Math.min(MOST_EPISODES, Math.ceil(wanted)));
}

/** All three with the side that is not scored acting at random: the learned policy met one that learned as well. */
async function againstRandom(entry: EnvEntry, meta: EnvMeta, others: readonly string[]): Promise<Yardstick> {
  const seats = Object.fromEntries(others.map((name) => [name, 'random']));
  const options = { episodes: 4 * EPISODES };
  const random = (await evaluate(randomPolicy(meta), entry, {}, options)).score;
  const bestIs = entry.policyNames[0] ?? '';
  return {
    judged: 'return against random',
    random,
    best: bestIs === '' ? null : scriptedScore(entry, { seats }, bestIs, options.episodes),
    bestIs,
    async measure({ policy }) {
      const built = await buildPolicy(policy);
      try {
        return mean(await measureStrength(built.policy, entry, {}, { episodes: EPISODES }));
      } finally {
        built.free();
      }
    },
  };
}

/** Mean score of a scripted policy over whole episodes. */
function scriptedScore(entry: EnvEntry, config: JsonObject, name: string, episodes: number): number {
  const env = entry.create(config, 1);
  const { meta } = env;
  const policy = entry.policies(config)[name];
  if (policy === undefined) throw new Error(`${entry.id} has no policy "${name}"`);
  const buffers = createBuffers(meta, 1);
  const actions = createActions(meta, 1);
  const scores = Array.from({ length: episodes }, (_, episode) => {
    env.reset(Uint32Array.of(episode), buffers);
    const returns = new Float64Array(meta.agentCount);
    for (let t = 0; t < meta.evalMaxSteps; t++) {
      policy.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let a = 0; a < meta.agentCount; a++) returns[a]! += buffers.reward[a * meta.rewards.length]!;
      if (buffers.terminated[0] !== 0 || buffers.truncated[0] !== 0) break;
    }
    return scoreOf(meta.score, returns);
  });
  return mean(scores);
}

/** Trains and measures one environment; null: `stopped` said so. */
export async function learn(entry: EnvEntry, card: EnvCard, commit: string, options: LearnOptions): Promise<Learned | null> {
  const { seeds: count, budget, stopped, say } = options;
  const offered = offeredRun(card, count);
  const firstSeed = options.firstSeed ?? offered.run.seedStart;
  const yardstick = await yardstickOf(entry, card);
  const limit = budget / count;
  let config = offered;
  let seeds: LearnedSeed[] = [];
  while (seeds.length < count) {
    const seed = firstSeed + seeds.length;
    const trained = await trainSeed(config, seed, limit, stopped);
    if (trained === null) return null;
    if (typeof trained === 'number') {
      const steps = shortened(trained * limit, config.run.steps);
      say(`${card.id}: ${steps} of ${offered.run.steps} steps, at ${Math.round(trained)} a CPU second`);
      config = completeRun({ ...offered, run: { ...offered.run, steps } });
      seeds = []; // all seeds of an environment run as far
      continue;
    }
    const { result, cpuSeconds, metrics, policy } = trained;
    const heldOut = metrics.get(HELD_OUT);
    const reached = finiteOrNull(await yardstick.measure(trained));
    const one: LearnedSeed = {
      seed,
      reached,
      training: finiteOrNull(result.finalReturn),
      ...(heldOut !== undefined && { heldOut }),
      cpuSeconds,
      parameterHash: result.parameterHash,
    };
    seeds.push(one);
    options.learned?.(one, policy);
    say(`${card.id}: seed ${seed} reached ${reached ?? 'nothing'} in ${cpuSeconds.toFixed(1)} CPU seconds`);
  }
  const reached = meanOf(seeds.map((seed) => seed.reached));
  const { judged, random, best, bestIs } = yardstick;
  return {
    algo: config.algo.id,
    steps: config.run.steps,
    offered: offered.run.steps,
    cpuSeconds: seeds.reduce((sum, seed) => sum + seed.cpuSeconds, 0),
    judged,
    reached,
    training: meanOf(seeds.map((seed) => seed.training)),
    random,
    best,
    bestIs,
    fraction: fractionOf(reached, random, best),
    seeds,
    offer: configHash(offered),
    commit,
    date: new Date().toISOString(),
  };
}

/** Steps that fit, with some room, in two digits; always fewer than before. */
export function shortened(fits: number, before: number): number {
  const wanted = Math.min(fits * MARGIN, before * MARGIN);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(wanted)) - 1);
  return Math.max(1, Math.floor(wanted / unit) * unit);
}

/** How far from random play (0) to the best known (1); null where one is not known or both are equal. */
export function fractionOf(reached: number | null, random: number | null, best: number | null): number | null {
  if (reached === null || random === null || best === null || best === random) return null;
  return (reached - random) / (best - random);
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length && known.length > 0 ? mean(known) : null;
}
