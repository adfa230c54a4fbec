/**
 * B copies with same-step auto-reset: when a row ends, its last observation and mask go to finalObs and finalMask and the row starts again, so `obs`
 * always belongs to the state the next action meets. Keeps episode statistics and, on grids, visit counts.
 */

import { cellsOf } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import type { Rng } from '#math/rng.ts';
import { createBuffers } from './buffers.ts';
import { createEpisodeStats, type EpisodeStats } from './episode-stats.ts';
import { createShaper, type Shaping } from './shaping.ts';
import { createStarter, type Starts } from './starts.ts';
import type { Actions, EnvEntry, Environment, EnvMeta, StepBuffers } from './types.ts';

export interface VectorEnv {
  readonly env: Environment;
  readonly meta: EnvMeta;
  readonly batch: number;
  readonly buffers: StepBuffers;
  /** Seeds every row from the run's generator and fills the first observations. */
  reset(): void;
  /**
   * Steps all rows, restarts those that ended. Rows where `playing` is 0 take part because all rows step together: their rewards and flags
   * are cleared and no episode of theirs is counted.
   */
  step(actions: Actions, playing?: Uint8Array): void;
  /** Puts a saved state into a row; its episode counts as one that has had this score and length so far. */
  goOnFrom(row: number, state: Uint8Array, behind: { readonly score: number; readonly length: number }): void;
  /** Counts the running episodes of the rows marked 1 as over; the caller starts the rows again. */
  cut(rows: Uint8Array): void;
  /** Counts a step that was made elsewhere: what it gave and how it ended stand in the buffers. The copies stay as they are. */
  count(): void;
  readonly episodes: EpisodeStats;
  /** [H*W] how often agent 0 stood in each cell; empty where the environment has no cells. */
  readonly visits: Float64Array;
  save(): Saved;
  load(saved: Saved): void;
}

/** The fields of StepBuffers that save() keeps; finalMask and shaped are read in the step that fills them and never across a checkpoint. */
const BUFFER_NAMES = [
  'obs',
  'reward',
  'cost',
  'terminated',
  'truncated',
  'finalObs',
  'alive',
  'mask',
  'toMove',
  'state',
  'finalState',
] as const satisfies readonly (keyof StepBuffers)[];

/** `rng` is advanced by reset() only: each row then draws from its own generator, which is part of its state. `shaping` is paid to learners, and left out of the episode statistics. `starts`: where a share of the episodes begins. */
export function createVectorEnv(entry: EnvEntry, config: unknown, batch: number, rng: Rng, shaping?: Shaping, starts?: Starts): VectorEnv {
  const env = entry.create(config, batch);
  const { meta } = env;
  const buffers = createBuffers(meta, batch);
  const stats = createEpisodeStats(meta, batch, env.measure?.bind(env));
  const starter = starts === undefined ? null : createStarter(env, starts, rng.split('starts'));
  const all = new Uint8Array(batch).fill(1);
  const shaper = shaping === undefined ? null : createShaper(env, shaping);
  const ended = new Uint8Array(batch);
  const seeds = new Uint32Array(batch);
  const obsWidth = meta.agentCount * meta.obsSize;
  const cells = env.cellOf === undefined ? null : cellsOf(meta.frame);
  const visits = new Float64Array(cells === null ? 0 : cells.width * cells.height);
  const countVisits = () => {
    for (let row = 0; row < batch; row++) {
      const cell = env.cellOf?.(row) ?? -1;
      if (cell >= 0) visits[cell] = visits[cell]! + 1;
    }
  };

  /** Clears what rows that do not play were given, and restarts those of them that ended. */
  const letGo = (playing: Uint8Array) => {
    const width = meta.agentCount * meta.rewards.length;
    let any = 0;
    for (let row = 0; row < batch; row++) {
      const over = playing[row] === 0 ? buffers.terminated[row]! | buffers.truncated[row]! : 0;
      ended[row] = over;
      any |= over;
      if (playing[row] === 1) continue;
      buffers.terminated[row] = 0;
      buffers.truncated[row] = 0;
      buffers.reward.fill(0, row * width, (row + 1) * width);
    }
    if (any === 0) return;
    env.restart(ended, buffers);
    starter?.begin(ended, buffers);
  };

  return {
    env,
    meta,
    batch,
    buffers,
    episodes: stats,
    visits,
    reset() {
      for (let row = 0; row < batch; row++) seeds[row] = rng.next();
      env.reset(seeds, buffers);
      starter?.begin(all, buffers);
      stats.clear();
      visits.fill(0);
      if (cells !== null) countVisits();
    },
    step(actions, playing) {
      shaper?.before();
      env.step(actions, buffers);
      if (playing !== undefined) letGo(playing);
      const anyEnded = stats.add(buffers, ended, playing);
      shaper?.pay(buffers, playing);
      if (!anyEnded) {
        if (cells !== null) countVisits();
        return;
      }
      const { obs, finalObs, mask, finalMask, state, finalState } = buffers;
      const maskWidth = meta.agentCount * meta.actionCount;
      const stateWidth = meta.globalSize;
      for (let row = 0; row < batch; row++) {
        if (ended[row] === 0) continue;
        const from = row * obsWidth;
        for (let i = from; i < from + obsWidth; i++) finalObs[i] = obs[i]!;
        if (mask !== undefined && finalMask !== undefined)
          for (let i = row * maskWidth; i < (row + 1) * maskWidth; i++) finalMask[i] = mask[i]!;
        if (state === undefined || finalState === undefined) continue;
        for (let i = row * stateWidth; i < (row + 1) * stateWidth; i++) finalState[i] = state[i]!;
      }
      env.restart(ended, buffers);
      starter?.begin(ended, buffers);
      if (cells !== null) countVisits();
    },
    goOnFrom(row, state, { score, length }) {
      env.load(row, state, buffers);
      stats.goOn(row, score, length);
    },
    cut: (marked) => stats.cut(marked),
    count: () => void stats.add(buffers, ended),
    save() {
      const arrays: { [name: string]: Saved['arrays'][string] } = { rng: rng.state.slice(), visits: visits.slice() };
      const rows = new Uint8Array(batch * meta.state.bytes);
      for (let row = 0; row < batch; row++) rows.set(env.save(row), row * meta.state.bytes);
      arrays.rows = rows;
      if (starter !== null) arrays.starts = starter.rng.state.slice();
      for (const name of BUFFER_NAMES) {
        const data = buffers[name];
        if (data !== undefined) arrays[`buffer.${name}`] = data.slice();
      }
      const kept = stats.save();
      for (const [name, data] of Object.entries(kept.arrays)) arrays[`stats.${name}`] = data;
      return { meta: { env: meta.id, version: meta.version, batch, ...kept.meta }, arrays };
    },
    load(saved) {
      const { arrays } = saved;
      const rows = arrays.rows;
      if (saved.meta.env !== meta.id || saved.meta.batch !== batch || rows?.length !== batch * meta.state.bytes)
        throw fail(
          'state-invalid',
          `These rows belong to ${String(saved.meta.batch)} copies of ${String(saved.meta.env)}.`,
          `Load them into the run that saved them; this one has ${batch} copies of ${meta.id}.`,
        );
      for (let row = 0; row < batch; row++)
        env.load(row, (rows as Uint8Array).slice(row * meta.state.bytes, (row + 1) * meta.state.bytes), buffers);
      for (const name of BUFFER_NAMES) buffers[name]?.set(arrays[`buffer.${name}`] as never);
      rng.state.set(arrays.rng as Uint32Array);
      rng.refresh();
      if (starter !== null && arrays.starts !== undefined) {
        starter.rng.state.set(arrays.starts as Uint32Array);
        starter.rng.refresh();
      }
      visits.set(arrays.visits as Float64Array);
      stats.load(saved);
    },
  };
}
