/**
 * Recorded datasets: made from runs, scripts and a person's games in the watch worker, kept on this device until they are exported or
 * deleted. Loaded when it is first needed. Nothing here throws: failures go into the store.
 */

import { heldPolicies } from '#client/runs/policies.ts';
import { checkDatasetFile, DATASET_BEGINNING, type DatasetCard } from '#contract/files/dataset.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { Replay } from '#contract/run/events.ts';
import type { DatasetFile, DatasetView, EpisodeFilter, RecordAsk } from '#contract/session/data-api.ts';
import { SCRIPTED, type WatchApi } from '#contract/session/session.ts';
import { putDataset, readDataset, removeDataset, listDatasets as storedDatasets } from '#storage/datasets.ts';
import type { Library } from '#storage/library.ts';
import { countGames, datasetsFailed, datasetsRest, datasetsStore, datasetsWork, listDatasets } from '#stores/datasets.ts';

export interface DatasetsOptions {
  readonly watch: () => WatchApi;
  readonly library: Promise<Library>;
  readonly now: () => number;
  readonly complete: (config: JsonObject) => Promise<RunConfig>;
}

/** Who is to be recorded. */
export type Who =
  | { readonly kind: 'random' }
  | { readonly kind: 'script'; readonly name: string }
  /** The newest policy of a seed, or all that were kept on its way, best for learning what training itself saw. */
  | { readonly kind: 'run'; readonly runId: string; readonly seed: number; readonly name: string; readonly all: boolean };

export interface RecordForm {
  readonly env: RecordAsk['env'];
  readonly envTitle: string;
  readonly who: Who;
  readonly steps: number;
  readonly errors: number;
  readonly seed: number;
}

/** Policies of a run that play, spread over what it kept. */
const MOST_POLICIES = 12;
const LICENCE = 'CC0-1.0';
/** People err as well: what sixty answers were learned from best where one in ten was wrong (docs/guide.md). */
const ANSWERED = { assumedErrors: 0.1, rewardDecay: 0.03, rewardNormaliseObs: true };

export class Datasets {
  private readonly options: DatasetsOptions;

  constructor(options: DatasetsOptions) {
    this.options = options;
  }

  /** Reads the list. */
  async refresh(): Promise<void> {
    await this.doing('', async () => {
      const { driver } = await this.options.library;
      listDatasets(await storedDatasets(driver));
    });
  }

  /** Plays and keeps; answers the hash of what was kept, null where that failed. */
  async record({ env, envTitle, who, steps, errors, seed }: RecordForm): Promise<string | null> {
    return this.doing(`Recording ${steps.toLocaleString('en')} steps`, async () => {
      const watch = this.options.watch();
      const given: string[] = [];
      try {
        const players: RecordAsk['players'][number][] = [];
        if (who.kind === 'random') players.push({ key: null, name: 'random actions' });
        else if (who.kind === 'script') players.push({ key: SCRIPTED + who.name, name: who.name });
        else
          for (const snapshot of policiesOf(who)) {
            const key = `record ${who.runId} ${snapshot.step}`;
            await watch.setPolicy(key, snapshot);
            given.push(key);
            players.push({ key, name: `${who.name}, seed ${who.seed}, step ${snapshot.step}` });
          }
        const what = who.kind === 'random' ? 'random actions' : who.kind === 'script' ? who.name : who.name;
        const erring = errors > 0 ? `, ${Math.round(100 * errors)} % errors` : '';
        const title = `${envTitle}: ${what}${erring}`;
        return await this.keep(await watch.dataRecord({ env, players, steps, seed, errors, title, licence: LICENCE }));
      } finally {
        for (const key of given) await watch.dropPolicy(key);
      }
    });
  }

  /** Ends the recording after the episode that is being played: what there is is kept. */
  stop(): void {
    void this.options.watch().stopPlaying();
  }

  /** What a person played in this visit becomes a dataset. Answers its hash. */
  async keepGames(envTitle: string): Promise<string | null> {
    const { games } = datasetsStore.getState();
    return this.doing('Keeping what you played', async () => {
      const count = countGames(games);
      const parts = [
        count.games > 0 ? counted(count.games, 'game') : '',
        count.corrections > 0 ? counted(count.corrections, 'correction') : '',
      ];
      const title = `${envTitle}: played by hand, ${parts.filter((part) => part !== '').join(' and ')}`;
      const what = { title, who: 'human', player: 'a person on this device', grade: 'ungraded', licence: 'the player’s own' } as const;
      return this.keep(await this.options.watch().dataOfReplays(games, what));
    });
  }

  /** `env`: what rows of other programs are taken for. */
  async importFile(file: File, env: RecordAsk['env']): Promise<string | null> {
    return this.doing(`Reading ${file.name}`, async () => {
      checkDatasetFile(new Uint8Array(await file.slice(0, DATASET_BEGINNING).arrayBuffer()), file.size);
      const bytes = new Uint8Array(await file.arrayBuffer());
      return this.keep(await this.options.watch().dataOfFile(bytes, file.name, env));
    });
  }

  /** The file as it is, or for other programs. Rejects with a LabError. */
  async exportFile(hash: string, form: 'rlds' | 'npz'): Promise<Blob> {
    const bytes = await this.bytes(hash);
    return new Blob([(form === 'npz' ? await this.options.watch().dataNpz(bytes) : bytes) as Uint8Array<ArrayBuffer>]);
  }

  async filter(hash: string, filter: EpisodeFilter): Promise<string | null> {
    return this.doing('Choosing episodes', async () => this.keep(await this.options.watch().dataFilter(await this.bytes(hash), filter)));
  }

  async merge(hashes: readonly string[], title: string): Promise<string | null> {
    return this.doing('Merging', async () => {
      const parts = await Promise.all(hashes.map((hash) => this.bytes(hash)));
      return this.keep(await this.options.watch().dataMerge(parts, title));
    });
  }

  /** Answers the undo. */
  async remove(card: DatasetCard): Promise<() => void> {
    const bytes = await this.bytes(card.hash).catch(() => null); // what cannot be read cannot come back either
    await this.doing('', async () => removeDataset((await this.options.library).driver, card.hash));
    await this.refresh();
    return () => {
      if (bytes !== null) void this.keep({ card, bytes });
    };
  }

  /** Returns, lengths and coverage. Rejects with a LabError. */
  async view(hash: string): Promise<DatasetView> {
    return this.options.watch().dataView(await this.bytes(hash));
  }

  /** Rejects with a LabError. */
  async episode(hash: string, episode: number): Promise<Replay> {
    return this.options.watch().dataEpisode(await this.bytes(hash), episode);
  }

  /** A complete run that learns from it, in the world it was recorded in, small enough for any machine. Rejects with a LabError. */
  runOf({ hash, header, answers }: DatasetCard, algo: string, steps: number): Promise<RunConfig> {
    const env = { id: header.env.id, version: header.env.version, config: header.env.config };
    const small = { dataset: hash, hidden: [64, 64], batchSize: 64, lr: 1e-3 };
    const segment = Math.max(1, Math.round(header.steps / header.episodes)); // of answers, an episode is one moment that was shown
    const config = answers > 0 ? { comparisons: hash, segment, ...ANSWERED, ...(header.actionCount === 0 && ZOO_PENDULUM) } : small;
    return this.options.complete({ env, algo: { id: algo, config }, run: { steps, seeds: 1, evalEpisodes: 20 } });
  }

  /** Pairs of moments of a dataset to be compared, as a file that is not kept. Rejects with a LabError. */
  async pairs(hash: string, count: number, length: number, seed: number): Promise<Uint8Array> {
    return this.options.watch().dataPairs(await this.bytes(hash), count, length, seed);
  }

  /** One side of a pair for the scene. Rejects with a LabError. */
  side(pairs: Uint8Array, episode: number): Promise<Replay> {
    return this.options.watch().dataEpisode(pairs, episode);
  }

  /** Keeps the answers with their pairs. Answers the hash. */
  async answer(pairs: Uint8Array, choices: readonly number[], title: string): Promise<string | null> {
    return this.doing('Keeping your answers', async () => this.keep(await this.options.watch().dataAnswers(pairs, choices, title)));
  }

  private async bytes(hash: string): Promise<Uint8Array> {
    const bytes = await readDataset((await this.options.library).driver, hash);
    if (bytes !== null) return bytes;
    throw fail('dataset-missing', 'This dataset is no longer on this device.', 'Import its file again.');
  }

  private async keep({ card, bytes }: DatasetFile): Promise<string> {
    await putDataset((await this.options.library).driver, card, bytes, this.options.now());
    await this.refresh();
    return card.hash;
  }

  private async doing<T>(busy: string, action: () => Promise<T>): Promise<T | null> {
    if (busy !== '') datasetsWork(busy);
    try {
      return await action();
    } catch (error) {
      datasetsFailed(toFailure(error));
      return null;
    } finally {
      if (busy !== '') datasetsRest();
    }
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Throws LabError('config-invalid') where the run has learned nothing yet. */
function policiesOf({ runId, seed, all }: Extract<Who, { kind: 'run' }>) {
  const held = heldPolicies(runId, seed).map(({ snapshot }) => snapshot);
  const newest = held.at(-1);
  if (newest === undefined) throw fail('config-invalid', 'This run has no policy yet.', 'Train it first.');
  if (!all) return [newest];
  const count = Math.min(MOST_POLICIES, held.length);
  return Array.from({ length: count }, (_, i) => held[Math.round((i * (held.length - 1)) / Math.max(1, count - 1))] ?? newest);
}
