/**
 * A player's episodes become a dataset: random actions, a scripted player, policies of runs, each for an equal part of the steps, or episodes
 * that were played before, by a person for instance. The same request gives the same bytes.
 */
import { type Dataset, type DatasetHeader, episodeBounds, type Grade, selectEpisodes } from '#contract/files/dataset.ts';
import { cellsOf } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Replay } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import type { Policy } from '../algos/api/types.ts';
import { DatasetRecorder, erring, type Mover, randomMover, recordPlay, scriptedMover } from '../algos/lib/data/recording.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { Lineup } from './lineup.ts';
import { ReplayReader } from './replay.ts';

/** One who plays; `name` says who that is: a run and its step, a script. */
export type RecordedPlayer =
  | { readonly kind: 'random' }
  | { readonly kind: 'script'; readonly name: string }
  | { readonly kind: 'policy'; readonly name: string; readonly policy: Policy };

export interface RecordRequest {
  readonly entry: EnvEntry;
  /** Complete. */
  readonly config: JsonObject;
  readonly players: readonly RecordedPlayer[];
  /** Of all players together. */
  readonly steps: number;
  readonly seed: number;
  /** Share of the steps in which a player acts at random. */
  readonly errors: number;
  /** Policies take their best action in place of drawing one. */
  readonly greedy: boolean;
  /** Without it, what follows from the players. */
  readonly grade?: Grade;
  readonly title: string;
  readonly licence: string;
}

/** `stop` is asked after every episode; true: what there is is enough. */
export async function recordDataset(request: RecordRequest, stop?: () => boolean | Promise<boolean>): Promise<Dataset> {
  const { entry, config, players, steps, seed, errors, greedy, grade = gradeOf(players, errors), title, licence } = request;
  if (players.length === 0) throw fail('config-invalid', 'There is no player.', 'Choose at least one player.', 'players');
  const meta = entry.meta(config);
  const rng = Rng.from(seed).split('recording');
  const recorder = new DatasetRecorder(entry, config, meta);
  for (const player of players) {
    const own = moverOf(player, entry, config, rng, seed, greedy);
    const move = player.kind === 'random' ? own : erring(own, errors, meta, rng);
    await recordPlay({ entry, config, steps: Math.ceil(steps / players.length), seed: seed + recorder.episodes }, move, recorder, stop);
  }
  const names = players.map((player) => (player.kind === 'random' ? 'random actions' : player.name));
  return recorder.finish({ title, who: whoOf(players), player: names.join(', ').slice(0, 200), grade, licence, seed });
}

function moverOf(player: RecordedPlayer, entry: EnvEntry, config: JsonObject, rng: Rng, seed: number, greedy: boolean): Mover {
  const meta = entry.meta(config);
  if (player.kind === 'random') return randomMover(meta, rng);
  if (player.kind === 'script') return scriptedMover(entry, config, player.name);
  const seats = Array.from({ length: meta.agentCount }, () => ({ kind: 'policy', policy: player.policy }) as const);
  let lineup: Lineup | null = null;
  let episode = 0;
  return (env, buffers, actions, first) => {
    if (first || lineup === null) lineup = new Lineup(seats, { seed: (seed + episode++) >>> 0, greedy }); // each episode with a memory of its own
    return lineup.act(env, buffers, actions);
  };
}

function whoOf(players: readonly RecordedPlayer[]): DatasetHeader['who'] {
  const kinds = new Set(players.map(({ kind }) => kind));
  if (kinds.size > 1) return 'several';
  const [player] = players;
  if (player?.kind === 'policy') return players.length > 1 ? 'population' : 'run';
  return player?.kind === 'script' ? 'script' : 'random';
}

function gradeOf(players: readonly RecordedPlayer[], errors: number): Grade {
  const kinds = new Set(players.map(({ kind }) => kind));
  if (kinds.size > 1) return 'mixed';
  if (kinds.has('random')) return 'random';
  if (kinds.has('policy')) return players.length > 1 ? 'replay' : 'ungraded';
  return errors > 0 ? 'medium' : 'expert';
}

/** The dataset of episodes that were played before; those without a step are left out. Of one that a person took over,
 * what the person did alone: each stretch is an episode. Throws LabError where they do not repeat themselves. */
export function datasetOfReplays(
  entry: EnvEntry,
  replays: readonly Replay[],
  what: Pick<DatasetHeader, 'title' | 'who' | 'player' | 'grade' | 'licence'>,
): Dataset {
  const played = replays.filter(({ reward }) => reward.length > 0);
  const [first] = played;
  if (first === undefined) throw fail('config-invalid', 'Nothing was played yet.', 'Play at least one step.');
  const recorder = new DatasetRecorder(entry, first.env.config, entry.meta(first.env.config));
  for (const replay of played) {
    const reader = new ReplayReader(replay, entry);
    const played = (t: number): boolean => replay.human === undefined || (t + 1 < reader.total && replay.human[t]! >= 0);
    for (let t = 0; t + 1 < reader.total; t++) {
      if (!played(t)) continue;
      reader.seek(t);
      if (t === 0 || !played(t - 1)) recorder.begin(reader.env);
      recorder.seen(reader.buffers, actionsAt(replay, t, reader.env.meta.agentCount * reader.env.meta.actionSize));
      reader.seek(t + 1);
      recorder.step(reader.buffers, t + 2 === reader.total || !played(t + 1));
    }
  }
  return recorder.finish({ ...what, seed: first.seed });
}

const actionsAt = (replay: Replay, t: number, width: number): Float32Array => replay.actions.subarray(t * width, (t + 1) * width);

/** One episode as a replay, for the scene. Throws LabError('incompatible') where the dataset has no start states. */
export function replayOf(data: Dataset, episode: number): Replay {
  const { header } = data;
  const one = selectEpisodes(data, [episode], header.title);
  if (one.starts === undefined)
    throw fail(
      'incompatible',
      'These rows came without the states they began in, so they cannot be shown.',
      'Look at their returns and coverage.',
    );
  const end = one.header.steps - 1;
  return {
    env: header.env,
    seed: header.seed,
    start: one.starts,
    actions: one.actions,
    reward: one.rewards,
    ended: one.terminals[end] === 1 ? 'terminated' : one.timeouts[end] === 1 ? 'truncated' : 'cut',
  };
}

/**
 * Pairs of segments of a dataset to be compared: episodes 2k and 2k + 1 of what comes back, each of at most `length` steps from a random
 * moment of a random episode. Throws LabError('incompatible') where the dataset has no start states.
 */
export function pairsOf(entry: EnvEntry, data: Dataset, pairs: number, length: number, seed: number): Dataset {
  const { header } = data;
  const rng = Rng.from(seed).split('pairs');
  const recorder = new DatasetRecorder(entry, header.env.config, entry.meta(header.env.config));
  const bounds = episodeBounds(data);
  for (let i = 0; i < 2 * pairs; i++) {
    const at = rng.int(header.steps); // long episodes are drawn more often
    const episode = bounds.findLastIndex((first) => first <= at);
    const steps = bounds[episode + 1]! - bounds[episode]!;
    const from = Math.max(0, Math.min(at - bounds[episode]!, steps - length));
    const replay = replayOf(data, episode);
    const reader = new ReplayReader(replay, entry);
    const until = Math.min(steps, from + length);
    reader.seek(from);
    recorder.begin(reader.env);
    for (let t = from; t < until; t++) {
      recorder.seen(reader.buffers, actionsAt(replay, t, header.agents * header.actionSize));
      reader.seek(t + 1);
      recorder.step(reader.buffers, t + 1 === until);
    }
  }
  const { title, who, player, grade, licence } = header;
  return recorder.finish({ title: `${title}, pairs`.slice(0, 200), who, player, grade, licence, seed });
}

/** The first pairs with the answers about them (Dataset.choices). */
export function answered(pairs: Dataset, choices: readonly number[], title: string): Dataset {
  const episodes = Array.from({ length: 2 * choices.length }, (_, e) => e);
  return { ...selectEpisodes(pairs, episodes, title), choices: Float32Array.from(choices) };
}

/** How often agent 0 stood in each cell, [H * W]; null: the environment has no cells, or the rows have no start states. */
export function coverageOf(
  entry: EnvEntry,
  data: Dataset,
  most = 20_000,
): { readonly width: number; readonly height: number; readonly counts: Float64Array } | null {
  const cells = cellsOf(entry.meta(data.header.env.config).frame);
  if (data.starts === undefined || cells === null) return null;
  const counts = new Float64Array(cells.width * cells.height);
  for (let e = 0, steps = 0; e < data.header.episodes && steps < most; e++) {
    const reader = new ReplayReader(replayOf(data, e), entry);
    for (let t = 0; t < reader.total; t++, steps++) {
      reader.seek(t);
      const cell = reader.env.cellOf?.(0) ?? -1;
      if (cell >= 0) counts[cell] = counts[cell]! + 1;
    }
  }
  return { ...cells, counts };
}
