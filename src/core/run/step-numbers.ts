/**
 * TD error, advantage, return, entropy, ratio and KL at one step of a replay, from the policy itself: values of all frames that follow are
 * asked in one call, so that the advantage is the learner's own sum (math/gae.ts) over this episode.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import type { StepNumbers } from '#contract/run/step-numbers.ts';
import { exp, log } from '#math/functions.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import type { Act, Policy } from '../algos/api/types.ts';
import { nextMasks, nextObservations } from '../envs/api/buffers.ts';
import { Memory, probabilities } from './inspect.ts';
import type { ReplayReader } from './replay.ts';

/** Where a method has no such setting. */
const USUAL = { gamma: 0.99, lambda: 0.95 } as const;
const HALF_LOG_2PI = 0.9189385332046727;

export interface StepQuestion {
  readonly policy: Policy;
  /** Config of its method: `gamma` and `lambda` are read. */
  readonly config: JsonObject;
  readonly reader: ReplayReader;
  readonly t: number;
  readonly agent: number;
  /** The policy it is compared with; null: none. */
  readonly old: Policy | null;
}

/** What each row of an answer says about one agent. */
class Rows {
  private readonly act: Act;
  private readonly n: number;
  private readonly d: number;
  private readonly mask: Uint8Array | undefined;

  constructor(act: Act, n: number, d: number, mask: Uint8Array | undefined) {
    this.act = act;
    this.n = n;
    this.d = d;
    this.mask = mask;
  }

  get kind(): StepNumbers['kind'] {
    const { value, q, logits } = this.act;
    // what chooses by action values learns them, whatever value it also reports
    if (q !== undefined && logits === undefined) return 'Q';
    return value === undefined ? null : 'V';
  }

  /** V, or the greatest legal action value. */
  state(row: number): number {
    const { value, q } = this.act;
    if (this.kind === 'V') return value?.[row] ?? Number.NaN;
    let best = Number.NEGATIVE_INFINITY;
    for (let a = 0; a < this.n; a++) if (this.mask?.[row * this.n + a] !== 0) best = Math.max(best, q?.[row * this.n + a] ?? best);
    return best;
  }

  action(row: number, action: number): number {
    return this.act.q?.[row * this.n + action] ?? Number.NaN;
  }

  probs(row: number): Float32Array | null {
    return this.act.logits === undefined ? null : probabilities(this.act, row, this.n, this.mask);
  }

  gaussian(row: number): { readonly mean: Float32Array; readonly logStd: Float32Array } | null {
    const { mean, logStd } = this.act;
    if (mean === undefined || logStd === undefined) return null;
    return { mean: mean.subarray(row * this.d, (row + 1) * this.d), logStd: logStd.subarray(row * this.d, (row + 1) * this.d) };
  }
}

/** The frames from t to the end and, behind them, what followed the last step before any reset. */
function framesFrom(reader: ReplayReader, t: number) {
  const { meta } = reader.env;
  const { agentCount: A, obsSize: O, actionCount: N } = meta;
  const count = Math.max(1, reader.total - t);
  const obs = new Float32Array(count * A * O);
  const mask = meta.masked ? new Uint8Array(count * A * N) : undefined;
  for (let k = 0; k < count; k++) {
    reader.seek(t + k);
    const last = t + k === reader.total - 1 && reader.total > 1;
    if (last) {
      nextObservations(reader.buffers, meta, obs.subarray(k * A * O, (k + 1) * A * O));
      if (mask !== undefined) {
        const legal = mask.subarray(k * A * N, (k + 1) * A * N);
        if (reader.buffers.mask !== undefined) legal.set(reader.buffers.mask);
        nextMasks(reader.buffers, meta, legal);
      }
    } else {
      obs.set(reader.buffers.obs, k * A * O);
      if (reader.buffers.mask !== undefined) mask?.set(reader.buffers.mask, k * A * N);
    }
  }
  const { terminated, truncated } = reader.buffers;
  const ended = reader.total === 1 ? '' : terminated[0] !== 0 ? 'terminated' : truncated[0] !== 0 ? 'truncated' : '';
  return { count, obs, mask, ended } as const;
}

async function asked(policy: Policy, reader: ReplayReader, t: number, frames: ReturnType<typeof framesFrom>): Promise<Rows> {
  const { agentCount: A, actionCount, actionSize } = reader.env.meta;
  const rows = frames.count * A;
  const memory = new Memory(policy, reader);
  const parts: Float32Array[] = [];
  if (policy.initial(1).length > 0) for (let k = 0; k < frames.count; k++) parts.push((await memory.at(t + k)).slice());
  const width = parts[0]?.length ?? 0;
  const hidden = new Float32Array(parts.length * width);
  parts.forEach((part, k) => {
    hidden.set(part, k * width);
  });
  const { obs, mask } = frames;
  const agent = Int32Array.from({ length: rows }, (_, i) => i % A);
  const query = { obs, agent, hidden, rng: Rng.from(0), rows, greedy: true };
  const act = await policy.act(mask === undefined ? query : { ...query, mask });
  // arrays of an Act are valid until the next call
  const kept: { -readonly [K in keyof Act]: Act[K] } = { actions: act.actions, hidden: act.hidden };
  for (const name of ['logits', 'mean', 'logStd', 'q', 'value'] as const) {
    const values = act[name];
    if (values !== undefined) kept[name] = values.slice();
  }
  return new Rows(kept, actionCount, actionSize, mask);
}

/** Shannon entropy of a row, nats. */
function entropyOf(rows: Rows, row: number): number | null {
  const probs = rows.probs(row);
  if (probs !== null) return probs.reduce((sum, p) => (p > 0 ? sum - p * log(p) : sum), 0);
  const gaussian = rows.gaussian(row);
  return gaussian === null ? null : gaussian.logStd.reduce((sum, s) => sum + s + 0.5 + HALF_LOG_2PI, 0);
}

function logProbOf(rows: Rows, row: number, action: ArrayLike<number>): number | null {
  const probs = rows.probs(row);
  if (probs !== null) return log(probs[action[0] ?? 0] ?? 0);
  const gaussian = rows.gaussian(row);
  if (gaussian === null) return null;
  return gaussian.mean.reduce((sum, mean, d) => {
    const s = gaussian.logStd[d]!;
    return sum - 0.5 * ((action[d]! - mean) / exp(s)) ** 2 - s - HALF_LOG_2PI;
  }, 0);
}

/** KL(old || now) of one row, nats. */
function klOf(old: Rows, now: Rows, row: number): number | null {
  const [p, q] = [old.probs(row), now.probs(row)];
  if (p !== null && q !== null) return p.reduce((sum, x, a) => (x > 0 ? sum + x * (log(x) - log(q[a]!)) : sum), 0);
  const [g, h] = [old.gaussian(row), now.gaussian(row)];
  if (g === null || h === null) return null;
  return g.mean.reduce((sum, mean, d) => {
    const [s, r] = [g.logStd[d]!, h.logStd[d]!];
    return sum + r - s + (exp(2 * s) + (mean - h.mean[d]!) ** 2) / (2 * exp(2 * r)) - 0.5;
  }, 0);
}

/** Throws LabError('state-invalid') where the replay does not have this frame. */
export async function stepNumbers({ policy, config, reader, t, agent, old }: StepQuestion): Promise<StepNumbers> {
  const { agentCount: A, actionSize: D } = reader.env.meta;
  const { reward, actions } = reader.replay;
  const frames = framesFrom(reader, t);
  const rows = await asked(policy, reader, t, frames);
  const steps = frames.count - 1;
  const at = (k: number): number => k * A + agent;
  const setting = (key: 'gamma' | 'lambda'): number | null => (typeof config[key] === 'number' ? config[key] : null);
  const gamma = setting('gamma') ?? USUAL.gamma;
  const lambda = setting('lambda') ?? USUAL.lambda;
  const assumed = (['gamma', 'lambda'] as const).filter((key) => setting(key) === null);
  const rewards = Float64Array.from({ length: steps }, (_, k) => reward[(t + k) * A + agent]!);
  const actionAt = (k: number): Float32Array => actions.subarray(((t + k) * A + agent) * D, ((t + k) * A + agent + 1) * D);
  const value = (k: number): number => (rows.kind === 'Q' ? rows.action(at(k), actionAt(k)[0] ?? 0) : rows.state(at(k)));
  const ends = steps === 1 ? frames.ended : '';
  let advantage: number | null = null;
  let nextValue: number | null = null;
  if (rows.kind !== null && steps > 0) {
    const states = Float64Array.from({ length: frames.count }, (_, k) => rows.state(at(k)));
    const terminated = new Uint8Array(steps);
    const truncated = new Uint8Array(steps);
    if (frames.ended === 'terminated') terminated[steps - 1] = 1;
    if (frames.ended === 'truncated') truncated[steps - 1] = 1;
    const last = states.slice(steps);
    const finalValues = new Float64Array(steps).fill(last[0]!);
    const found = new Float64Array(steps);
    const values = states.subarray(0, steps);
    const input = { rewards, values, terminated, truncated, finalValues, lastValues: last, rows: 1, gamma, lambda };
    if (rows.kind === 'V') {
      gae({ ...input, bootstrapAtTruncation: true }, found, new Float64Array(steps));
      advantage = found[0]!;
    }
    nextValue = ends === 'terminated' ? 0 : states[1]!;
  }
  const now = steps > 0 && rows.kind !== null ? value(0) : rows.kind === 'V' ? rows.state(at(0)) : null;
  const logProb = steps > 0 ? logProbOf(rows, agent, actionAt(0)) : null;
  const before = old === null ? null : await asked(old, reader, t, { ...frames, count: 1 });
  const oldLogProb = before === null || steps === 0 ? null : logProbOf(before, agent, actionAt(0));
  const discounted = rewards.reduceRight((sum, r) => r + gamma * sum, 0);
  return {
    t,
    agent,
    gamma,
    lambda,
    assumed,
    reward: rewards[0] ?? null,
    ended: ends,
    kind: rows.kind,
    value: now,
    nextValue,
    tdError: now === null || nextValue === null ? null : rewards[0]! + gamma * nextValue - now,
    advantage,
    target: advantage === null || now === null ? null : advantage + now,
    discounted,
    undiscounted: rewards.reduce((sum, r) => sum + r, 0),
    entropy: entropyOf(rows, agent),
    logProb,
    oldLogProb,
    ratio: logProb === null || oldLogProb === null ? null : exp(logProb - oldLogProb),
    kl: before === null ? null : klOf(before, rows, agent),
  };
}
