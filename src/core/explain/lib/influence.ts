/**
 * Influence of one agent on another at a frame of a replay: every action it might have taken is tried in a copy of the world, and the
 * other's next choices are compared (Jaques et al. 2019, with the steps that let the other see what was done).
 */
import type { Coordination, CoordinationQuestion } from '#contract/explain/coordination.ts';
import { present } from '#contract/kit/errors.ts';
import type { Replay } from '#contract/run/events.ts';
import { exp, log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../../envs/api/buffers.ts';
import type { Actions, EnvEntry, EnvMeta, StepBuffers } from '../../envs/api/types.ts';
import { probabilities } from '../../run/inspect.ts';
import { ReplayReader } from '../../run/replay.ts';
import type { Actor } from '../api/actors.ts';

export interface CoordinationOptions {
  readonly entry: EnvEntry;
  readonly config: unknown;
  readonly meta: EnvMeta;
  readonly question: Pick<CoordinationQuestion, 'episodes' | 'frames'>;
  readonly team: (batch: number, memory?: Float32Array) => Actor;
  readonly replay: Replay;
  readonly t: number;
  readonly seed: number;
  readonly pace?: () => Promise<void> | undefined;
}

/** Actions tried for an agent whose actions are numbers. */
const TRIED = 12;
const MOST_ACTIONS = 40;
/** Choices that are compared: in worlds with momentum a push is seen as another place only two steps later. */
const LAGS = 3;

/** What an agent's choices are made of, one for every row, as far as they can be compared. */
type Choices =
  | { readonly kind: 'probs'; readonly probs: readonly Float32Array[] }
  | { readonly kind: 'normal'; readonly mean: readonly Float64Array[]; readonly deviation: readonly Float64Array[] }
  | { readonly kind: 'taken'; readonly taken: readonly (readonly number[])[] };

export class Influence {
  steps = 0;
  private readonly options: CoordinationOptions;
  private readonly reader: ReplayReader;

  constructor(options: CoordinationOptions) {
    this.options = options;
    this.reader = new ReplayReader(options.replay, options.entry);
  }

  async at(t: number): Promise<{ readonly influence: Float64Array; readonly unit: Coordination['unit'] }> {
    const { entry, config, meta, team, replay, pace } = this.options;
    const n = meta.agentCount;
    const D = meta.actionSize;
    const taken = replay.actions.subarray(t * n * D, (t + 1) * n * D);
    const watcher = team(1);
    const ignored = createActions(meta, 1);
    const clock = { seed: Uint32Array.of(replay.seed), step: Int32Array.of(t) };
    // a team that remembers has watched the episode up to here
    for (let frame = watcher.memory.length > 0 ? 0 : t; frame <= t; frame++) {
      this.reader.seek(frame);
      await watcher.act(this.reader.env, this.reader.buffers, clock, ignored);
    }
    const memory = watcher.memory.slice();
    const said = watcher.lastAct;
    const state = this.reader.env.save(0);
    const mask = this.reader.buffers.mask?.slice();
    // read at once: what a policy said is gone when it acts again
    const weightsOf = Array.from({ length: n }, (_, i) =>
      said === null || meta.actionCount === 0 || said.logits === undefined ? null : probabilities(said, i, meta.actionCount, mask),
    );
    const influence = new Float64Array(n * n);
    let unit: Coordination['unit'] = 'nats';
    for (let i = 0; i < n; i++) {
      const wait = pace?.();
      if (wait !== undefined) await wait;
      const own = Array.from(taken.subarray(i * D, (i + 1) * D));
      const tried = this.alternatives(i, own, mask);
      const weight = weightsOf[i]!;
      const weights = tried.map((action) => (weight === null ? 1 / tried.length : weight[action[0]!]!));
      const env = entry.create(config, tried.length);
      const buffers = createBuffers(meta, tried.length);
      const actions = createActions(meta, tried.length);
      env.reset(new Uint32Array(tried.length).fill(1), buffers);
      tried.forEach((action, row) => {
        env.load(row, state, buffers);
        actions.set(taken, row * n * D);
        actions.set(action, (row * n + i) * D);
      });
      const alive = tried.map(() => true);
      const actor = team(tried.length, memory);
      const after = { seed: new Uint32Array(tried.length).fill(replay.seed), step: new Int32Array(tried.length) };
      actor.begin(new Uint8Array(tried.length).fill(1));
      for (let lag = 1; lag <= LAGS; lag++) {
        env.step(actions, buffers);
        this.steps += tried.length;
        const ended = Uint8Array.from(tried, (_, row) => Math.max(buffers.terminated[row]!, buffers.truncated[row]!));
        for (let row = 0; row < tried.length; row++) if (ended[row] === 1) alive[row] = false;
        if (!alive[0]) break;
        if (ended.includes(1)) env.reset(after.seed, buffers, ended); // only because an ended row must not be stepped
        after.step.fill(t + lag);
        await actor.act(env, buffers, after, actions);
        for (let j = 0; j < n; j++) {
          if (j === i) continue;
          const choices = this.choices(
            actor,
            actions,
            tried.map((_, row) => row * n + j),
            buffers,
          );
          const [value, measured] = divergence(choices, weights, alive);
          influence[i * n + j]! += measured === 'change' ? value / LAGS : value;
          unit = measured;
        }
      }
    }
    return { influence, unit };
  }

  /** What the agent might have done; its own action first. */
  private alternatives(agent: number, own: readonly number[], mask: Uint8Array | undefined): (readonly number[])[] {
    const { meta, seed } = this.options;
    if (meta.actionCount > 0) {
      const legal = Array.from({ length: meta.actionCount }, (_, a) => a).filter(
        (a) => a !== own[0] && mask?.[agent * meta.actionCount + a] !== 0,
      );
      return [own, ...legal.slice(0, MOST_ACTIONS).map((a) => [a])];
    }
    const rng = Rng.from(seed).split('tried', agent);
    const space = spaceOf(meta, agent);
    const draw = (d: number): number => (space === null ? 0 : space.low[d]! + (space.high[d]! - space.low[d]!) * rng.uniform());
    return [own, ...Array.from({ length: TRIED }, () => own.map((_, d) => draw(d)))];
  }

  private choices(actor: Actor, actions: Actions, rows: readonly number[], { mask }: StepBuffers): Choices {
    const { actionCount, actionSize: D } = this.options.meta;
    const said = actor.lastAct;
    if (said?.logits !== undefined)
      return { kind: 'probs', probs: rows.map((row) => present(probabilities(said, row, actionCount, mask), 'probabilities')) };
    const numbers = (of: Float32Array): Float64Array[] => rows.map((row) => Float64Array.from(of.subarray(row * D, (row + 1) * D)));
    if (said?.mean !== undefined && said.logStd !== undefined)
      return { kind: 'normal', mean: numbers(said.mean), deviation: numbers(said.logStd).map((row) => row.map(exp)) };
    return { kind: 'taken', taken: rows.map((row) => Array.from(actions.subarray(row * D, (row + 1) * D))) };
  }
}

/** The range of an agent's numbers; null: its actions are counted. */
export function spaceOf(meta: EnvMeta, agent: number): { readonly low: readonly number[]; readonly high: readonly number[] } | null {
  let left = agent;
  for (const { count, action } of meta.agents) {
    if (left < count) return action.kind === 'box' ? action : null;
    left -= count;
  }
  return null;
}

/** Of the first choice from the mixture of all (rows after which the episode is over are left out). */
function divergence(choices: Choices, weights: readonly number[], alive: readonly boolean[]): readonly [number, Coordination['unit']] {
  const rows = weights.map((_, row) => row).filter((row) => alive[row]);
  const total = rows.reduce((sum, row) => sum + weights[row]!, 0);
  if (!alive[0] || rows.length < 2 || total <= 0) return [0, choices.kind === 'taken' ? 'change' : 'nats'];
  const share = (row: number): number => weights[row]! / total;
  if (choices.kind === 'probs') {
    const { probs } = choices;
    let sum = 0;
    probs[0]!.forEach((p, a) => {
      if (p <= 0) return;
      const mixed = rows.reduce((m, row) => m + share(row) * probs[row]![a]!, 0);
      sum += p * log(p / Math.max(mixed, 1e-12));
    });
    return [Math.max(0, sum), 'nats'];
  }
  if (choices.kind === 'normal') {
    // against the normal distribution with the mixture's mean and variance
    const { mean: means, deviation } = choices;
    let sum = 0;
    for (let d = 0; d < means[0]!.length; d++) {
      const mean = rows.reduce((m, row) => m + share(row) * means[row]![d]!, 0);
      const square = rows.reduce((m, row) => m + share(row) * (deviation[row]![d]! ** 2 + means[row]![d]! ** 2), 0);
      const variance = Math.max(1e-12, square - mean * mean);
      const own = deviation[0]![d]! ** 2;
      sum += 0.5 * (log(variance / own) + (own + (means[0]![d]! - mean) ** 2) / variance - 1);
    }
    return [Math.max(0, sum), 'nats'];
  }
  const { taken } = choices;
  const others = rows.filter((row) => row > 0);
  const differs = others.filter((row) => taken[row]!.some((x, d) => Math.abs(x - taken[0]![d]!) > 1e-9));
  return [others.length === 0 ? 0 : differs.length / others.length, 'change'];
}
