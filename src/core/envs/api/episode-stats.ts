/**
 * Returns, lengths and measures of finished episodes: the last 100 for the means, and those since the last drain. Arrays are made
 * once; a hundred thousand undrained episodes are kept at most, the oldest go first.
 */

import { agentMetric } from '#contract/game/metrics.ts';
import type { Saved } from '#contract/run/events.ts';
import { equality } from '#math/measures.ts';
import { measuredAgents, sharedMeasures } from './team-measures.ts';
import type { Environment, EnvMeta, StepBuffers } from './types.ts';

const WINDOW = 100;
const PENDING = 100_000;

export interface EpisodeStats {
  /** Episodes finished so far. */
  readonly finished: number;
  /** Mean score (EnvMeta.score) of the last 100 finished episodes; NaN before the first. */
  meanReturn(): number;
  meanLength(): number;
  /** Per agent, mean return of the last 100. [A] */
  perAgent(): Float64Array;
  /** The columns of teamMeasures(): means of the last 100, of those episodes where a measure has a meaning. Empty for a single agent. */
  measures(): Readonly<Record<string, number>>;
  /** The measure `id` (EnvMeta.measures) of the row's episode that ended last; NaN before the first, and where it has none. */
  measureOf(row: number, id: string): number;
  /** Score and length of the episodes that ended since the last call, oldest first. */
  drain(): readonly { readonly score: number; readonly length: number }[];
  /** What was played so far was not the policy's, but that of a player it copies: means begin anew, the count goes on. */
  forget(): void;
}

export interface EpisodeCounter extends EpisodeStats {
  clear(): void;
  /** The episode of a row is one of which so much is behind: a single agent's. */
  goOn(row: number, score: number, length: number): void;
  /** Adds the rewards of a step (all reward components count alike), marks the rows that ended, says whether any did. Rows with `playing` 0 have no episode. */
  add(buffers: StepBuffers, ended: Uint8Array, playing?: Uint8Array): boolean;
  /** Counts the running episodes of the rows marked 1 as they stand: the collector has cut them. */
  cut(rows: Uint8Array): void;
  save(): Saved;
  load(saved: Saved): void;
}

// The two loops of every step stand outside the closures: V8 makes better code where arrays come in as arguments (measured 1.3x).
function accumulate(
  returns: Float64Array,
  lengths: Float64Array,
  reward: Float32Array,
  batch: number,
  agents: number,
  kinds: number,
): void {
  const width = agents * kinds;
  if (width === 1) for (let row = 0; row < batch; row++) returns[row] = returns[row]! + reward[row]!;
  else
    for (let i = 0; i < batch * width; i++) {
      const agent = (i / kinds) | 0;
      returns[agent] = returns[agent]! + reward[i]!;
    }
  for (let row = 0; row < batch; row++) lengths[row] = lengths[row]! + 1;
}

function markEnded(terminated: Uint8Array, truncated: Uint8Array, ended: Uint8Array, batch: number): boolean {
  let any = 0;
  for (let row = 0; row < batch; row++) {
    const over = terminated[row]! | truncated[row]!;
    ended[row] = over;
    any |= over;
  }
  return any !== 0;
}

/** `measure` is Environment.measure of the rows that are counted; it is asked before they start again. */
export function createEpisodeStats(meta: EnvMeta, batch: number, measure?: Environment['measure']): EpisodeCounter {
  const agents = meta.agentCount;
  const kinds = meta.rewards.length;
  const returns = new Float64Array(batch * agents); // [B, A] of the running episodes
  const lengths = new Float64Array(batch);
  const scores = new Float64Array(WINDOW);
  const windowLengths = new Float64Array(WINDOW);
  const windowReturns = new Float64Array(WINDOW * agents);
  const shared = sharedMeasures(meta).length;
  const measured = [...sharedMeasures(meta), ...(meta.measures ?? [])].map(({ id }) => id);
  const named = measuredAgents(meta).map((name, agent) => agentMetric(agent, name));
  const M = measured.length;
  const windowMeasures = new Float64Array(WINDOW * M); // [100, M] NaN: no meaning in that episode
  const lastMeasures = new Float64Array(batch * M).fill(Number.NaN); // [B, M] read in the step that ends an episode, never across a checkpoint
  let finished = 0;
  let forgotten = 0; // of `finished`
  let pendingScores = new Float64Array(256);
  let pendingLengths = new Float64Array(256);
  let pending = 0;

  const counted = typeof meta.score === 'string' ? null : meta.score;
  const scoreOf = (row: number): number => {
    const from = row * agents;
    if (meta.score === 'shared') return returns[from]!;
    let sum = 0;
    if (counted !== null) {
      for (const agent of counted) sum += returns[from + agent]!;
      return sum / counted.length;
    }
    for (let i = from; i < from + agents; i++) sum += returns[i]!;
    return meta.score === 'sum' ? sum : sum / agents;
  };
  const keep = (score: number, length: number) => {
    if (pending === PENDING) {
      pendingScores.copyWithin(0, PENDING / 2);
      pendingLengths.copyWithin(0, PENDING / 2);
      pending = PENDING / 2;
    } else if (pending === pendingScores.length) {
      const size = Math.min(PENDING, 2 * pending);
      const a = new Float64Array(size);
      const b = new Float64Array(size);
      a.set(pendingScores);
      b.set(pendingLengths);
      pendingScores = a;
      pendingLengths = b;
    }
    pendingScores[pending] = score;
    pendingLengths[pending] = length;
    pending++;
  };
  const inWindow = (): number => Math.min(finished - forgotten, WINDOW);
  /** The i-th slot of the window that counts. */
  const slotAt = (i: number): number => (forgotten + i) % WINDOW;
  const mean = (values: Float64Array): number => {
    const n = inWindow();
    let sum = 0;
    for (let i = 0; i < n; i++) sum += values[slotAt(i)]!;
    return n === 0 ? Number.NaN : sum / n;
  };

  const perAgent = (): Float64Array => {
    const n = inWindow();
    const out = new Float64Array(agents);
    for (let agent = 0; agent < agents; agent++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += windowReturns[slotAt(i) * agents + agent]!;
      out[agent] = n === 0 ? Number.NaN : sum / n;
    }
    return out;
  };
  const meanMeasure = (k: number): number => {
    const n = inWindow();
    let sum = 0;
    let count = 0;
    for (let i = 0; i < n; i++) {
      const value = windowMeasures[slotAt(i) * M + k]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    return count === 0 ? Number.NaN : sum / count;
  };

  const finish = (row: number) => {
    const score = scoreOf(row);
    const length = lengths[row]!;
    const slot = finished % WINDOW;
    scores[slot] = score;
    windowLengths[slot] = length;
    if (shared > 0) {
      let sum = 0;
      for (let i = row * agents; i < (row + 1) * agents; i++) sum += returns[i]!;
      windowMeasures[slot * M] = sum / length;
      windowMeasures[slot * M + 1] = equality(returns, row * agents, agents);
    }
    measure?.(row, windowMeasures, slot * M + shared);
    for (let k = 0; k < M; k++) lastMeasures[row * M + k] = windowMeasures[slot * M + k]!;
    for (let agent = 0; agent < agents; agent++) {
      windowReturns[slot * agents + agent] = returns[row * agents + agent]!;
      returns[row * agents + agent] = 0;
    }
    lengths[row] = 0;
    finished++;
    keep(score, length);
  };

  return {
    get finished() {
      return finished;
    },
    meanReturn: () => mean(scores),
    meanLength: () => mean(windowLengths),
    perAgent,
    measures() {
      const out: Record<string, number> = {};
      measured.forEach((id, k) => {
        out[id] = meanMeasure(k);
      });
      if (named.length === 0) return out;
      const own = perAgent();
      named.forEach((id, agent) => {
        out[id] = own[agent]!;
      });
      return out;
    },
    measureOf: (row, id) => lastMeasures[row * M + measured.indexOf(id)] ?? Number.NaN,
    drain() {
      const out = Array.from({ length: pending }, (_, i) => ({ score: pendingScores[i]!, length: pendingLengths[i]! }));
      pending = 0;
      return out;
    },
    forget() {
      forgotten = finished;
      pending = 0;
    },
    goOn(row, score, length) {
      returns[row * agents] = score;
      lengths[row] = length;
    },
    clear() {
      returns.fill(0);
      lengths.fill(0);
      scores.fill(0);
      windowLengths.fill(0);
      windowReturns.fill(0);
      windowMeasures.fill(0);
      finished = 0;
      forgotten = 0;
      pending = 0;
    },
    add({ reward, terminated, truncated }, ended, playing) {
      accumulate(returns, lengths, reward, batch, agents, kinds);
      if (playing !== undefined) for (let row = 0; row < batch; row++) if (playing[row] === 0) lengths[row] = 0;
      if (!markEnded(terminated, truncated, ended, batch)) return false;
      for (let row = 0; row < batch; row++) if (ended[row] !== 0) finish(row);
      return true;
    },
    cut(rows) {
      for (let row = 0; row < batch; row++) if (rows[row] === 1) finish(row);
    },
    save: () => ({
      meta: { finished, ...(forgotten > 0 && { forgotten }) },
      arrays: {
        returns: returns.slice(),
        lengths: lengths.slice(),
        scores: scores.slice(),
        windowLengths: windowLengths.slice(),
        windowReturns: windowReturns.slice(),
        windowMeasures: windowMeasures.slice(),
        pendingScores: pendingScores.slice(0, pending),
        pendingLengths: pendingLengths.slice(0, pending),
      },
    }),
    load({ meta: kept, arrays }) {
      const take = (name: string) => arrays[`stats.${name}`] as Float64Array;
      returns.set(take('returns'));
      lengths.set(take('lengths'));
      scores.set(take('scores'));
      windowLengths.set(take('windowLengths'));
      windowReturns.set(take('windowReturns'));
      const measuresKept = arrays['stats.windowMeasures']; // older checkpoints have none, or those of fewer measures
      if (measuresKept?.length === windowMeasures.length) windowMeasures.set(measuresKept);
      else windowMeasures.fill(Number.NaN);
      finished = Number(kept.finished);
      forgotten = Number(kept.forgotten ?? 0);
      pending = 0;
      const lengthsKept = take('pendingLengths');
      for (const [i, score] of take('pendingScores').entries()) keep(score, lengthsKept[i]!);
    },
  };
}
