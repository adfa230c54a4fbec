/**
 * What agents do at the same time and what they say, counted over whole episodes: mutual information of actions, and of messages with the
 * actions that follow (speaker consistency, Lowe et al. 2019), each less its mean over pairings shifted in time, which keep each agent's
 * habits and break what they share. Nats.
 */
import type { Coordination, MessageUse } from '#contract/explain/coordination.ts';
import { type FrameLayout, frameSize, messageColumns } from '#contract/game/frames.ts';
import { log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../../envs/api/buffers.ts';
import type { Actions, EnvMeta } from '../../envs/api/types.ts';
import { type CoordinationOptions, spaceOf } from './influence.ts';

/** Pairings shifted in time that chance is measured with. */
const SHIFTS = 40;

/** Actions and messages, episode by episode: per step [agents] codes. */
export interface Played {
  readonly acts: readonly (readonly Int32Array[])[]; // [episode][agent] codes over steps
  readonly words: readonly (readonly Int32Array[])[]; // [episode][agent] symbols over steps, -1: silent
  readonly actionKinds: number;
  steps: number;
}

/** Plays whole episodes and keeps actions and messages. */
export async function playEpisodes({ entry, config, meta, question, team, seed, pace }: CoordinationOptions): Promise<Played> {
  const n = meta.agentCount;
  const batch = question.episodes;
  const env = entry.create(config, batch);
  const buffers = createBuffers(meta, batch);
  const actions = createActions(meta, batch);
  const rng = Rng.from(seed).split('watch');
  const clock = { seed: Uint32Array.from({ length: batch }, () => rng.next()), step: new Int32Array(batch) };
  const actor = team(batch);
  const frame = new Float32Array(frameSize(meta.frame));
  const read = wordsIn(meta.frame);
  const acts: number[][][] = Array.from({ length: batch }, () => Array.from({ length: n }, () => []));
  const words: number[][][] = Array.from({ length: batch }, () => Array.from({ length: n }, () => []));
  const over = new Uint8Array(batch);
  let steps = 0;
  env.reset(clock.seed, buffers);
  actor.begin(new Uint8Array(batch).fill(1));
  for (let t = 0; t < meta.evalMaxSteps && over.includes(0); t++) {
    const wait = pace?.();
    if (wait !== undefined) await wait;
    clock.step.fill(t);
    await actor.act(env, buffers, clock, actions);
    for (let b = 0; b < batch; b++) {
      if (over[b] === 1) continue;
      env.frame(b, frame);
      for (let a = 0; a < n; a++) {
        acts[b]![a]!.push(codeOf(meta, a, actions, b * n + a));
        words[b]![a]!.push(read?.(frame, a) ?? -1);
      }
      steps++;
    }
    env.step(actions, buffers);
    const ended = new Uint8Array(batch);
    for (let b = 0; b < batch; b++) {
      if (buffers.terminated[b] === 0 && buffers.truncated[b] === 0) continue;
      over[b] = 1;
      ended[b] = 1; // restarted only because an ended row must not be stepped
    }
    if (ended.includes(1) && over.includes(0)) {
      env.reset(clock.seed, buffers, ended);
      actor.begin(ended);
    }
  }
  const typed = (all: number[][][]): Int32Array[][] => all.map((episode) => episode.map((codes) => Int32Array.from(codes)));
  return { acts: typed(acts), words: typed(words), actionKinds: meta.actionCount > 0 ? meta.actionCount : 9, steps };
}

/** An action as a number: itself, or thirds of the range of the first two dimensions. */
function codeOf(meta: EnvMeta, agent: number, actions: Actions, row: number): number {
  if (meta.actionCount > 0) return actions[row]!;
  const space = spaceOf(meta, agent);
  const third = (d: number): number => {
    if (space === null || d >= meta.actionSize) return 1;
    const share = (actions[row * meta.actionSize + d]! - space.low[d]!) / (space.high[d]! - space.low[d]!);
    return Math.min(2, Math.max(0, Math.floor(share * 3)));
  };
  return third(0) * 3 + third(1);
}

/** Reads an agent's symbol from a frame, -1: silent. null: no messages here. */
function wordsIn(layout: FrameLayout): ((frame: Float32Array, agent: number) => number) | null {
  const columns = messageColumns(layout);
  return columns === null ? null : (frame, agent) => (agent < columns.agents ? frame[columns.column(agent)]! : -1);
}

/** Plug-in mutual information of paired codes, nats; `shift` pairs each with one that many steps later in the same episode, round the end. */
export function mutualInformation(xs: readonly Int32Array[], ys: readonly Int32Array[], kindsX: number, kindsY: number, shift = 0): number {
  const joint = new Float64Array(kindsX * kindsY);
  let total = 0;
  xs.forEach((x, e) => {
    const y = ys[e]!;
    for (let t = 0; t < x.length; t++) {
      const other = y[(t + shift) % x.length]!;
      if (x[t]! < 0 || other < 0) continue;
      joint[x[t]! * kindsY + other]!++;
      total++;
    }
  });
  if (total === 0) return 0;
  let sum = 0;
  for (let a = 0; a < kindsX; a++) {
    let row = 0;
    for (let b = 0; b < kindsY; b++) row += joint[a * kindsY + b]!;
    for (let b = 0; b < kindsY; b++) {
      const here = joint[a * kindsY + b]!;
      if (here === 0) continue;
      let column = 0;
      for (let c = 0; c < kindsX; c++) column += joint[c * kindsY + b]!;
      sum += (here / total) * log((here * total) / (row * column));
    }
  }
  return sum;
}

/** Mutual information beyond chance, and how much chance may show on top of its mean in one case of twenty. */
function beyondChance(
  xs: readonly Int32Array[],
  ys: readonly Int32Array[],
  kindsX: number,
  kindsY: number,
  rng: Rng,
): { readonly value: number; readonly chance: number } {
  const longest = Math.max(...xs.map((x) => x.length));
  const shifted = Array.from({ length: SHIFTS }, () => {
    const shift = 1 + rng.int(Math.max(1, longest - 1));
    return mutualInformation(xs, ys, kindsX, kindsY, shift);
  }).sort((a, b) => a - b);
  const mean = shifted.reduce((sum, v) => sum + v, 0) / SHIFTS;
  return { value: mutualInformation(xs, ys, kindsX, kindsY) - mean, chance: shifted[Math.floor(0.95 * SHIFTS)]! - mean };
}

export function together({ acts, actionKinds }: Played, n: number, seed: number): Pick<Coordination, 'together' | 'chance'> {
  const rng = Rng.from(seed).split('shifts');
  const value = new Array<number>(n * n).fill(0);
  const chance = new Array<number>(n * n).fill(0);
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const got = beyondChance(
        acts.map((episode) => episode[i]!),
        acts.map((episode) => episode[j]!),
        actionKinds,
        actionKinds,
        rng,
      );
      for (const at of [i * n + j, j * n + i]) {
        value[at] = got.value;
        chance[at] = got.chance;
      }
    }
  return { together: value, chance };
}

export function messagesOf(layout: FrameLayout, { acts, words, actionKinds }: Played, n: number, seed: number): MessageUse[] {
  if (wordsIn(layout) === null) return [];
  const kinds =
    1 + Math.max(0, ...words.flatMap((episode) => episode.map((said) => said.reduce((most, word) => Math.max(most, word), -1))));
  const symbols = messageColumns(layout)?.symbols ?? [];
  const rng = Rng.from(seed).split('words');
  const out: MessageUse[] = [];
  for (let agent = 0; agent < n; agent++) {
    const said = words.map((episode) => episode[agent]!);
    const counts = new Float64Array(kinds);
    for (const row of said) for (const word of row) if (word >= 0) counts[word]!++;
    const total = counts.reduce((sum, v) => sum + v, 0);
    if (total === 0) continue;
    const share = Array.from(counts, (count) => count / total);
    out.push({
      agent,
      entropy: share.reduce((sum, p) => (p > 0 ? sum - p * log(p) : sum), 0),
      symbols: share.map((_, k) => symbols[k] ?? String.fromCharCode(65 + k)),
      share,
      heard: Array.from({ length: n }, (_, j) => {
        if (j === agent) return 0;
        const heard = beyondChance(
          said,
          acts.map((episode) => episode[j]!),
          kinds,
          actionKinds,
          rng,
        );
        return heard.value > heard.chance ? heard.value : 0;
      }),
    });
  }
  return out;
}
