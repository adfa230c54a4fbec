/**
 * Episodes of worlds, played in groups: members of a group start from one saved state of the world, each with random numbers of its own.
 * Rows play in lockstep until all of them have ended or were cut; those that are done are not asked any more, and the policy runs on as many
 * rows as still play, in programs of a few sizes.
 */
import { present } from '#contract/errors.ts';
import type { Engine } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import { withSeed } from '#core/envs/api/state.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import type { Rng } from '#math/rng.ts';
import { takeRows } from '#math/rows.ts';
import { categorical } from '#math/sampling.ts';
import { exactKey } from '../../lib/intrinsic/counts.ts';
import { compileWorldActor, type WorldNetwork } from './world-network.ts';

/** One episode a row; step t of row r stands at place r * longest + t. */
export interface WorldEpisodes {
  readonly longest: number;
  /** [rows * longest, O] */
  readonly obs: Float32Array;
  /** [rows * longest, N] legal actions; empty where none is forbidden. */
  readonly masks: Float32Array;
  /** [rows * longest] actions, their ln p when they were drawn, and what they earned. */
  readonly actions: Float32Array;
  readonly logProbs: Float32Array;
  readonly rewards: Float64Array;
  /** [rows * longest] equal where the agent stood in the same place and saw the same. */
  readonly keys: Float64Array;
  /** [rows] */
  readonly lengths: Int32Array;
  readonly returns: Float64Array;
}

export interface WorldCollector {
  readonly last: WorldEpisodes;
  /** One episode in every row, cut after `horizon` steps, `help` times its shaped reward counted in; gives the number of steps. */
  collect(horizon: number, help: number): Promise<number>;
}

export interface WorldCollectorOptions {
  /** So many rows in a row start alike. */
  readonly group: number;
  readonly longest: number;
  readonly sampling: Rng;
  /** Seeds of the members of a group. */
  readonly seeds: Rng;
}

/** The policy in programs of all, a quarter and a sixteenth of the rows; the smallest that holds so many is used. */
function actors(engine: Engine, net: WorldNetwork, rows: number) {
  const sizes = [...new Set([rows, Math.ceil(rows / 4), Math.ceil(rows / 16)])];
  const programs = sizes.map((size) => ({ size, program: compileWorldActor(engine, net, size) })).reverse();
  return (count: number) =>
    present(
      programs.find(({ size }) => size >= count),
      'a program of as many rows',
    ).program;
}

export function createWorldCollector(
  engine: Engine,
  env: VectorEnv,
  net: WorldNetwork,
  { group, longest, sampling, seeds }: WorldCollectorOptions,
): WorldCollector {
  const { meta, batch: rows, buffers } = env;
  const { obsSize: O, actionCount: N } = meta;
  const places = rows * longest;
  const last: WorldEpisodes = {
    longest,
    obs: new Float32Array(places * O),
    masks: new Float32Array(meta.masked ? places * N : 0),
    actions: new Float32Array(places),
    logProbs: new Float32Array(places),
    rewards: new Float64Array(places),
    keys: new Float64Array(places),
    lengths: new Int32Array(rows),
    returns: new Float64Array(rows),
  };
  const actorOf = actors(engine, net, rows);
  const actions = createActions(meta, rows);
  const playing = new Uint8Array(rows);
  const all = new Uint8Array(rows).fill(1);
  const cut = new Uint8Array(rows);
  const asked = new Int32Array(rows);
  const stood = new Float32Array(O + 1);
  const keyOf = (row: number): number => {
    stood.set(buffers.obs.subarray(row * O, (row + 1) * O));
    stood[O] = env.env.cellOf?.(row) ?? -1;
    return exactKey(stood, 0, O + 1);
  };
  const begin = (): void => {
    env.env.restart(all, buffers);
    for (let first = 0; first < rows; first += group) {
      const start = env.env.save(first);
      for (let row = first + 1; row < first + group; row++) env.env.load(row, withSeed(start, seeds.next()), buffers);
    }
    playing.fill(1);
    last.lengths.fill(0);
    last.returns.fill(0);
  };
  /** Draws an action for each of the first `count` rows of `asked`, and keeps what it was drawn from. */
  const act = async (count: number): Promise<void> => {
    const program = actorOf(count);
    takeRows(asked, 0, count, buffers.obs, O, program.in.obs);
    if (program.in.mask !== undefined && buffers.mask !== undefined) takeRows(asked, 0, count, buffers.mask, N, program.in.mask);
    const pending = program.run();
    if (pending) await pending;
    const { logProbs } = program.out;
    for (let k = 0; k < count; k++) {
      const row = asked[k]!;
      const at = row * longest + last.lengths[row]!;
      const action = categorical(logProbs, k * N, N, sampling.uniform());
      actions[row] = action;
      last.actions[at] = action;
      last.logProbs[at] = logProbs[k * N + action]!;
      last.keys[at] = keyOf(row);
      last.obs.set(buffers.obs.subarray(row * O, (row + 1) * O), at * O);
      if (buffers.mask !== undefined) last.masks.set(buffers.mask.subarray(row * N, (row + 1) * N), at * N);
    }
  };
  return {
    last,
    async collect(horizon, help) {
      begin();
      let steps = 0;
      for (let count = rows; count > 0; ) {
        count = 0;
        for (let row = 0; row < rows; row++) if (playing[row] === 1) asked[count++] = row;
        if (count === 0) break;
        await act(count);
        env.step(actions, playing);
        steps += count;
        cut.fill(0);
        for (let k = 0; k < count; k++) {
          const row = asked[k]!;
          const length = last.lengths[row]!;
          const reward = help === 0 ? buffers.reward[row]! : buffers.reward[row]! + help * (buffers.shaped?.[row] ?? 0);
          last.rewards[row * longest + length] = reward;
          last.returns[row] = last.returns[row]! + reward;
          last.lengths[row] = length + 1;
          const over = buffers.terminated[row] === 1 || buffers.truncated[row] === 1;
          if (!over && length + 1 < horizon) continue;
          playing[row] = 0;
          if (!over) cut[row] = 1;
        }
        if (cut.includes(1)) env.cut(cut);
      }
      return steps;
    },
  };
}
