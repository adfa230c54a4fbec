/**
 * Episodes of worlds, played in groups: members of a group start from one saved state of the world, each with random numbers of its own.
 * Rows play in lockstep until all of them have ended or were cut; those that are done are not asked any more, and the policy runs on as many
 * rows as still play, in programs of a few sizes.
 *
 * Branching (AEPO, Dong et al. 2025, after ARPO): some rows of a group wait, and begin where the episode of another is undecided, from its saved state
 * and with the steps that led there, so that these are played once and learned from in both. With H of the policy at this step, H_0 at the
 * group's start, both as shares of ln N, and l steps just before that branched on the same way:
 *   P(branch) = clip(chance + H - H_0, 0, 1) max(0, 1 - penalty l)
 * Nothing branches at the start. Rows that still wait when all others of their group are done begin at its start.
 */
import { present } from '#contract/kit/errors.ts';
import type { Engine } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import { withSeed } from '#core/envs/api/state.ts';
import type { Actions } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { exp, log } from '#math/functions.ts';
import { exactKey } from '#math/hash.ts';
import type { Rng } from '#math/rng.ts';
import { takeRows } from '#math/rows.ts';
import { categorical } from '#math/sampling.ts';
import type { GroupEpisodes } from '../../api/extension.ts';
import { compileWorldActor, type WorldNetwork } from './world-network.ts';

export interface WorldCollector {
  readonly last: GroupEpisodes;
  /**
   * One episode in every row, cut after `horizon` steps, `help` times its shaped reward counted in; gives the number of steps. `teacher`: it
   * plays, each row from a start of its own.
   */
  collect(horizon: number, help: number, teacher?: (actions: Actions) => void): Promise<number>;
}

export interface Branching {
  /** Share of the rows of a group that wait for a branch. */
  readonly share: number;
  readonly chance: number;
  readonly penalty: number;
  readonly rng: Rng;
}

/** Told what a group decides while it is played, for views of it: nothing is drawn for them, and nothing changes. */
export interface GroupWatcher {
  /** Before a row steps: the entropy of its policy there, as a share of ln N. */
  asked(row: number, open: number): void;
  /** Where rows wait: the chance of a branch before this step of a row, after `before` steps that branched just before. */
  weighed(row: number, before: number, chance: number): void;
  branched(parent: number, child: number): void;
}

export interface WorldCollectorOptions {
  /** So many rows in a row start alike. */
  readonly group: number;
  readonly longest: number;
  readonly sampling: Rng;
  /** Seeds of the members of a group. */
  readonly seeds: Rng;
  /** null: every row begins at the start of its group. */
  readonly branching?: Branching | null;
  readonly watcher?: GroupWatcher;
}

/** Entropy of the distribution whose logarithms stand from place `from` on, as a share of that of the uniform one. */
function undecided(logProbs: ArrayLike<number>, from: number, count: number): number {
  let sum = 0;
  for (let i = from; i < from + count; i++) if (logProbs[i]! > -50) sum -= exp(logProbs[i]!) * logProbs[i]!;
  return sum / log(count);
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
  { group, longest, sampling, seeds, branching = null, watcher }: WorldCollectorOptions,
): WorldCollector {
  const { meta, batch: rows, buffers } = env;
  const { obsSize: O, actionCount: N } = meta;
  const places = rows * longest;
  const last: GroupEpisodes = {
    longest,
    obs: new Float32Array(places * O),
    masks: new Float32Array(meta.masked ? places * N : 0),
    actions: new Float32Array(places),
    logProbs: new Float32Array(places),
    rewards: new Float64Array(places),
    keys: new Float64Array(places),
    lengths: new Int32Array(rows),
    returns: new Float64Array(rows),
    shared: new Int32Array(rows),
  };
  const actorOf = actors(engine, net, rows);
  const actions = createActions(meta, rows);
  /** What a teacher does in every row. Apart from `actions`: rows at rest step on by what they did last, see vector-env.ts. */
  const shown = createActions(meta, rows);
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
  const waitingRows = branching === null ? 0 : Math.min(group - 1, Math.floor(branching.share * group));
  /** By group: where it starts, how undecided the policy is there, rows that wait (its last ones), steps that branched just before, by row. */
  const starts: Uint8Array[] = [];
  const atStart = new Float64Array(rows / group);
  const waiting = new Int32Array(rows / group);
  const streak = new Int32Array(rows);
  /** What each row earned without the shaped reward. */
  const scores = new Float64Array(rows);
  /** [rows] the row of the program whose distribution the k-th row that is asked draws from. */
  const drawnFrom = new Int32Array(rows);
  const begin = (apart: boolean): void => {
    env.env.restart(all, buffers);
    for (let first = 0; first < rows && !apart; first += group) {
      const start = env.env.save(first);
      starts[first / group] = start;
      for (let row = first + 1; row < first + group; row++) env.env.load(row, withSeed(start, seeds.next()), buffers);
    }
    playing.fill(1);
    last.lengths.fill(0);
    last.returns.fill(0);
    last.shared.fill(0);
    waiting.fill(apart ? 0 : waitingRows);
    streak.fill(0);
    scores.fill(0);
    for (let row = 0; row < rows && !apart; row++) if (row % group >= group - waitingRows) playing[row] = 0;
  };
  /** Makes `child` an episode that has come as far as that of `parent`. */
  const branch = (parent: number, child: number): void => {
    const [from, to, length] = [parent * longest, child * longest, last.lengths[parent]!];
    for (const [list, width] of [
      [last.obs, O],
      [last.masks, meta.masked ? N : 0],
      [last.actions, 1],
      [last.logProbs, 1],
      [last.rewards, 1],
      [last.keys, 1],
    ] as const)
      list.copyWithin(to * width, from * width, (from + length) * width);
    last.lengths[child] = length;
    last.shared[child] = length;
    last.returns[child] = last.returns[parent]!;
    scores[child] = scores[parent]!;
    streak[child] = streak[parent]!;
    playing[child] = 1;
    env.goOnFrom(child, withSeed(env.env.save(parent), seeds.next()), { score: scores[parent]!, length });
  };
  /** Adds rows that branch off the `count` that were asked to `asked`; gives how many are asked then. */
  const branchOff = ({ chance, penalty, rng }: Branching, count: number, logProbs: ArrayLike<number>): number => {
    let now = count;
    for (let k = 0; k < count; k++) {
      const row = asked[k]!;
      const g = Math.floor(row / group);
      const open = undecided(logProbs, k * N, N);
      if (last.lengths[row] === 0) atStart[g] = open;
      else if (waiting[g]! > 0) {
        const likely = Math.min(1, Math.max(0, chance + open - atStart[g]!)) * Math.max(0, 1 - penalty * streak[row]!);
        watcher?.weighed(row, streak[row]!, likely);
        if (rng.uniform() < likely) {
          const child = (g + 1) * group - waiting[g]!;
          waiting[g] = waiting[g]! - 1;
          streak[row] = streak[row]! + 1;
          branch(row, child);
          watcher?.branched(row, child);
          drawnFrom[now] = k;
          asked[now++] = child;
        } else streak[row] = 0;
      }
    }
    return now;
  };
  /** Rows that still wait where all others of their group are done begin at its start. */
  const letBegin = (): void => {
    for (let g = 0; g < waiting.length; g++) {
      if (waiting[g] === 0 || playing.subarray(g * group, (g + 1) * group).includes(1)) continue;
      for (let row = (g + 1) * group - waiting[g]!; row < (g + 1) * group; row++) {
        env.goOnFrom(row, withSeed(starts[g]!, seeds.next()), { score: 0, length: 0 });
        playing[row] = 1;
      }
      waiting[g] = 0;
    }
  };
  /** Writes down what is done in a row and the log-probability that it was drawn with. */
  const keep = (row: number, action: number, logProb: number): void => {
    const at = row * longest + last.lengths[row]!;
    actions[row] = action;
    last.actions[at] = action;
    last.logProbs[at] = logProb;
    last.keys[at] = keyOf(row);
    last.obs.set(buffers.obs.subarray(row * O, (row + 1) * O), at * O);
    if (buffers.mask !== undefined) last.masks.set(buffers.mask.subarray(row * N, (row + 1) * N), at * N);
  };
  /** Draws an action for each of the first `count` rows of `asked` and those that branch off them, and keeps what it was drawn from; gives how many. */
  const act = async (count: number): Promise<number> => {
    const program = actorOf(count);
    takeRows(asked, 0, count, buffers.obs, O, program.in.obs);
    if (program.in.mask !== undefined && buffers.mask !== undefined) takeRows(asked, 0, count, buffers.mask, N, program.in.mask);
    const pending = program.run();
    if (pending) await pending;
    const { logProbs } = program.out;
    for (let k = 0; k < count; k++) {
      drawnFrom[k] = k;
      watcher?.asked(asked[k]!, undecided(logProbs, k * N, N));
    }
    const now = branching === null ? count : branchOff(branching, count, logProbs);
    for (let k = 0; k < now; k++) {
      const from = drawnFrom[k]! * N;
      const action = categorical(logProbs, from, N, sampling.uniform());
      keep(asked[k]!, action, logProbs[from + action]!);
    }
    return now;
  };
  /** The same where a teacher plays: no network is asked, and log-probabilities are 0. */
  const demonstrate = (count: number, teacher: (actions: Actions) => void): number => {
    teacher(shown);
    for (let k = 0; k < count; k++) keep(asked[k]!, shown[asked[k]!]!, 0);
    return count;
  };
  return {
    last,
    async collect(horizon, help, teacher) {
      begin(teacher !== undefined);
      let steps = 0;
      for (let count = rows; count > 0; ) {
        count = 0;
        for (let row = 0; row < rows; row++) if (playing[row] === 1) asked[count++] = row;
        if (count === 0) break;
        count = teacher === undefined ? await act(count) : demonstrate(count, teacher);
        env.step(actions, playing);
        steps += count;
        cut.fill(0);
        for (let k = 0; k < count; k++) {
          const row = asked[k]!;
          const length = last.lengths[row]!;
          const reward = help === 0 ? buffers.reward[row]! : buffers.reward[row]! + help * (buffers.shaped?.[row] ?? 0);
          scores[row] = scores[row]! + buffers.reward[row]!;
          last.rewards[row * longest + length] = reward;
          last.returns[row] = last.returns[row]! + reward;
          last.lengths[row] = length + 1;
          const over = buffers.terminated[row] === 1 || buffers.truncated[row] === 1;
          if (!over && length + 1 < horizon) continue;
          playing[row] = 0;
          if (!over) cut[row] = 1;
        }
        if (cut.includes(1)) env.cut(cut);
        letBegin();
      }
      return steps;
    },
  };
}
