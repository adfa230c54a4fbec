/** What the page asks its second worker about recorded datasets: files are bytes (dataset.ts), and nothing is kept between calls. */
import type { DatasetCard, DatasetHeader, Grade } from '../files/dataset.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Replay } from '../run/events.ts';

export interface DatasetFile {
  readonly bytes: Uint8Array;
  readonly card: DatasetCard;
}

/** Who is to be recorded: a key of setPolicy, SCRIPTED and a name, or null for random actions; `name` says who that is in the file. */
export interface RecordAsk {
  readonly env: { readonly id: string; readonly config: JsonObject };
  readonly players: readonly { readonly key: string | null; readonly name: string }[];
  /** Of all players together, in whole episodes. */
  readonly steps: number;
  readonly seed: number;
  /** Share of the steps in which players act at random. */
  readonly errors: number;
  readonly grade?: Grade;
  readonly title: string;
  readonly licence: string;
}

/** How often something happened in each field of a table of `width` x `height`, row by row. */
export interface Coverage {
  readonly width: number;
  readonly height: number;
  readonly counts: Float64Array;
  /** Columns and rows of the picture: cells of the map, or two numbers of the observation with their ranges. */
  readonly axes: readonly [x: CoverageAxis, y: CoverageAxis] | null;
}

interface CoverageAxis {
  readonly label: string;
  readonly low: number;
  readonly high: number;
}

export interface DatasetView {
  readonly returns: Float64Array; // [E]
  readonly lengths: Int32Array; // [E]
  readonly coverage: Coverage | null;
}

/** Which episodes are kept: those of at least this return, or this share of the best. */
export interface EpisodeFilter {
  readonly least?: number;
  readonly best?: number;
}

export interface DataApi {
  /** Plays and records. stopPlaying() ends it after the episode that is being played. */
  dataRecord(ask: RecordAsk): Promise<DatasetFile>;
  /** Episodes that were played before, by a person for instance. Throws LabError('config-invalid') where nothing was played. */
  dataOfReplays(
    replays: readonly Replay[],
    what: Pick<DatasetHeader, 'title' | 'who' | 'player' | 'grade' | 'licence'>,
  ): Promise<DatasetFile>;
  /** Checks a file, ours or .npz, whose rows are taken for those of `env` where it does not say what it is of. Throws LabError. */
  dataOfFile(bytes: Uint8Array, name: string, env: RecordAsk['env']): Promise<DatasetFile>;
  dataView(bytes: Uint8Array): Promise<DatasetView>;
  /** One episode for the scene. Throws LabError('incompatible') where its rows came without start states. */
  dataEpisode(bytes: Uint8Array, episode: number): Promise<Replay>;
  dataFilter(bytes: Uint8Array, filter: EpisodeFilter): Promise<DatasetFile>;
  dataMerge(parts: readonly Uint8Array[], title: string): Promise<DatasetFile>;
  /** Pairs of segments of at most `length` steps, to be compared: episodes 2k and 2k + 1. */
  dataPairs(bytes: Uint8Array, pairs: number, length: number, seed: number): Promise<Uint8Array>;
  /** The first of those pairs with the answers, 1, 0 or 0.5 each (Dataset.choices). */
  dataAnswers(pairs: Uint8Array, choices: readonly number[], title: string): Promise<DatasetFile>;
  /** With D4RL's names. */
  dataNpz(bytes: Uint8Array): Promise<Uint8Array>;
}
