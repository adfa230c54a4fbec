/**
 * What `levels` does in a rollout loop. Pseudo-code of `replay`, per rollout:
 *   with the replay probability, once enough levels are kept: every copy begins on a kept level, drawn by LevelBuffer.weights
 *   else every copy begins on a new one, as the environment draws it
 *   an episode that ends within the rollout is followed by another one on the same level, with other chances
 *   of each copy, over its finished episodes: what its level is worth (math/level-replay.ts); frontier: p (1 - p), p = (solved + 1) / (played + 2)
 *     new levels are offered to the buffer; kept ones get the new score, where an episode ended
 *   an update is made if the levels are kept ones, or if new ones may be learned from
 * `edited`: the same, and after a rollout of kept levels every copy begins on the level it has just played, some edits later; these count as new
 * `fixed`: the first `count` levels, drawn evenly for each copy and rollout; every rollout is learned from.
 */
import { frameSize } from '#contract/game/frames.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import { beginAt } from '#core/envs/api/starts.ts';
import { withSeed } from '#core/envs/api/state.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { LevelBuffer, type LevelFacts, levelFacts, maxMonteCarlo } from '#math/level-replay.ts';
import type { Places, Rollout, RolloutHost } from '../../api/extension.ts';
import { RowMeans } from '../../api/metrics.ts';
import { createEdits } from './edits.ts';
import type { LevelSetting } from './settings.ts';

/** Levels that a snapshot takes along. */
const SHOWN = 16;

export function levelPlaces({ env, meta, rng }: RolloutHost, setting: Exclude<LevelSetting, { kind: 'not used' }>): Places {
  const { batch: B, buffers } = env;
  const { bytes } = meta.state;
  const replay = setting.kind === 'fixed' ? null : setting;
  const capacity = setting.kind === 'fixed' ? setting.count : setting.capacity;
  const draws = rng.split('levels');
  const buffer = new LevelBuffer(replay ?? { capacity, temperature: 1, staleness: 0 });
  const kept = new Uint8Array(capacity * bytes); // states of the buffer's levels
  const best = new Float64Array(capacity); // the largest return seen on each
  const solved = new Float64Array(capacity); // episodes of each that were solved, and that were played; older ones count less
  const played = new Float64Array(capacity);
  const current = new Uint8Array(B * bytes); // the level of each copy
  const slots = new Int32Array(B).fill(-1); // its slot; -1: it is new
  const counters = { begun: 0, replayed: 0 };
  const edits = setting.kind === 'edited' ? createEdits(env.env, setting.edits, { capacity, copies: B }) : null;
  const all = new Uint8Array(B).fill(1);
  const aside = createBuffers(meta, B); // what a row is loaded into to be drawn: the loop's own buffers stay as they are
  const means = new RowMeans(['newLevelReturn']);

  const stateOf = (of: Uint8Array, at: number): Uint8Array => of.subarray(at * bytes, (at + 1) * bytes);
  const note = (): void => {
    for (let row = 0; row < B; row++) current.set(env.env.save(row), row * bytes);
    slots.fill(-1);
  };
  const drawNew = (): void => {
    env.env.restart(all, buffers);
    note();
  };
  const keep = (row: number, slot: number, facts: LevelFacts | null): void => {
    kept.set(stateOf(current, row), slot * bytes);
    best[slot] = facts?.maxReturn ?? 0;
    solved[slot] = facts?.solved ?? 0;
    played[slot] = facts?.episodes ?? 0;
    edits?.keep(row, slot);
  };

  const worth = (facts: LevelFacts, highest: number, wins: number, episodes: number): number => {
    if (replay === null || facts.episodes === 0) return Number.NEGATIVE_INFINITY;
    if (replay.score === 'regret') return maxMonteCarlo(facts, highest);
    if (replay.score === 'positive value loss') return facts.positiveValueLoss;
    const p = (wins + 1) / (episodes + 2);
    return p * (1 - p);
  };

  /** The levels of the next rollout, in `current` and `slots`. */
  const choose = (): void => {
    if (edits !== null && counters.replayed === 1) {
      counters.replayed = 0;
      for (let row = 0; row < B; row++) current.set(edits.childOf(row, stateOf(current, row), slots[row]!, draws), row * bytes);
      slots.fill(-1);
      return;
    }
    const again = replay === null || (buffer.filled >= replay.fill && buffer.counts.size > 0 && draws.uniform() < replay.probability);
    counters.replayed = again ? 1 : 0;
    edits?.drawn();
    if (!again) {
      drawNew();
      return;
    }
    for (let row = 0; row < B; row++) {
      const slot = replay === null ? draws.int(capacity) : buffer.draw(draws.uniform());
      slots[row] = slot;
      current.set(stateOf(kept, slot), row * bytes);
    }
  };

  /** Of `fixed`: the levels that the copies began on, then those that follow. */
  const drawAll = (): void => {
    while (buffer.counts.size < capacity) {
      for (let row = 0; row < B && buffer.counts.size < capacity; row++) keep(row, buffer.offer(0), null);
      drawNew();
    }
  };

  const score = ({ rewards, values, advantages, terminated, truncated }: Rollout): void => {
    const ended = terminated.map((flag, i) => flag | truncated[i]!);
    for (let row = 0; row < B; row++) {
      const facts = levelFacts({ copies: B, ended, rewards, values, advantages }, row);
      const slot = slots[row]!;
      if (slot < 0) {
        if (facts.episodes > 0 && !edits?.isChild(row)) means.add('newLevelReturn', facts.meanReturn);
        if (replay === null) continue;
        const found = buffer.offer(worth(facts, facts.maxReturn, facts.solved, facts.episodes));
        if (found >= 0) keep(row, found, facts);
        continue;
      }
      if (facts.episodes === 0) continue;
      best[slot] = Math.max(best[slot]!, facts.maxReturn);
      solved[slot] = solved[slot]! / 2 + facts.solved;
      played[slot] = played[slot]! / 2 + facts.episodes;
      if (replay !== null) buffer.rescore(slot, worth(facts, best[slot]!, solved[slot]!, played[slot]!));
    }
  };

  return {
    state: {
      parts: {
        levels: registerState(
          { counters, arrays: { draws, kept, best, solved, played, current, slots, scores: buffer.scores, lastPlayed: buffer.played } },
          { counters: buffer.counts },
          ...(edits === null ? [] : [edits.state]),
        ),
      },
    },
    beforeStep(t) {
      if (t > 0 || counters.begun === 1) return;
      note(); // the first rollout plays what the environment drew
      counters.begun = 1;
    },
    afterStep() {
      for (let row = 0; row < B; row++)
        if (buffers.terminated[row] === 1 || buffers.truncated[row] === 1)
          beginAt(env.env, row, withSeed(stateOf(current, row), draws.next()), buffers);
    },
    advantages: score,
    schedule(numbers) {
      if (replay !== null && counters.replayed === 0 && !replay.learnFromNew) numbers.epochs = 0;
    },
    afterUpdates() {
      if (setting.kind === 'fixed' && buffer.counts.size < capacity) drawAll();
      env.cut(all); // episodes that did not end within the rollout count as they stand, or only those that were soon won would
      choose();
      for (let row = 0; row < B; row++) {
        const drawn = slots[row]! < 0 && !edits?.isChild(row); // with the generator that it was drawn by
        const state = drawn ? stateOf(current, row) : withSeed(stateOf(current, row), draws.next());
        env.goOnFrom(row, state, { score: 0, length: 0 });
      }
    },
    shown() {
      const { size } = buffer.counts;
      const weights = buffer.weights();
      const first = Array.from({ length: size }, (_, slot) => slot)
        .sort((a, b) => buffer.scores[b]! - buffer.scores[a]! || weights[b]! - weights[a]! || a - b)
        .slice(0, SHOWN);
      const F = frameSize(meta.frame);
      const states = new Uint8Array(first.length * bytes);
      const frames = new Float32Array(first.length * F);
      const own = env.env.save(0);
      first.forEach((slot, i) => {
        states.set(stateOf(kept, slot), i * bytes);
        env.env.load(0, stateOf(kept, slot), aside);
        env.env.frame(0, frames.subarray(i * F, (i + 1) * F));
      });
      env.env.load(0, own, aside);
      return {
        meta: {
          levels: {
            kept: size,
            by: replay === null ? null : replay.score,
            scores: first.map((slot) => (replay === null ? null : buffer.scores[slot]!)),
            solved: first.map((slot) => (played[slot]! > 0 ? solved[slot]! / played[slot]! : null)),
            ...edits?.shown(first),
          },
        },
        arrays: { levelStates: states, levelFrames: frames },
      };
    },
    metrics: () => {
      const scores = buffer.scores.subarray(0, buffer.counts.size);
      return {
        levelsKept: buffer.counts.size,
        levelScore: setting.kind === 'fixed' || scores.length === 0 ? Number.NaN : scores.reduce((sum, x) => sum + x, 0) / scores.length,
        levelReplay: counters.replayed,
        ...means.take(0),
      };
    },
  };
}
