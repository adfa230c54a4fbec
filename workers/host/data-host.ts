/** The watch worker's side of DataApi: records, checks, shows and changes datasets. Bytes in, bytes out. */

import {
  bestEpisodes,
  cardOf,
  type Dataset,
  decodeDataset,
  encodeDataset,
  episodeBounds,
  episodesAbove,
  mergeDatasets,
  selectEpisodes,
} from '#contract/files/dataset.ts';
import { datasetFromNpz, datasetToNpz } from '#contract/files/dataset-npz.ts';
import { fail } from '#contract/kit/errors.ts';
import { isZip } from '#contract/kit/zip.ts';
import { sha256 } from '#contract/run/config-hash.ts';
import type { DataApi, DatasetFile, DatasetView, RecordAsk } from '#contract/session/data-api.ts';
import { SCRIPTED } from '#contract/session/session.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { loadEnv } from '#core/envs/index.ts';
import { answered, coverageOf, datasetOfReplays, pairsOf, type RecordedPlayer, recordDataset, replayOf } from '#core/run/record.ts';
import type { Policies } from './policies.ts';
import type { Stopping } from './stopping.ts';
import { withEnv } from './with-env.ts';

function fileOf(data: Dataset): DatasetFile {
  const bytes = encodeDataset(data);
  return { bytes, card: cardOf(data, sha256(bytes), bytes.length) };
}

/** Throws LabError('file-invalid') for datasets of environments that are not here or have changed since. */
async function known(data: Dataset): Promise<Dataset> {
  const { env, agents, obsSize, actionSize, actionCount } = data.header;
  const meta = (await loadEnv(env.id)).meta(env.config);
  if (meta.agentCount === agents && meta.obsSize === obsSize && meta.actionSize === actionSize && meta.actionCount === actionCount)
    return data;
  throw fail('file-invalid', `This dataset says it is of ${env.id}, but its rows have other sizes.`, 'Record it again.');
}

export function createDataHost(policies: Policies, stopping: Stopping): DataApi {
  const playerOf = async ({ key, name }: RecordAsk['players'][number], env: RecordAsk['env']): Promise<RecordedPlayer> => {
    if (key === null) return { kind: 'random' };
    if (key.startsWith(SCRIPTED)) return { kind: 'script', name: key.slice(SCRIPTED.length) };
    return { kind: 'policy', name, policy: await policies.get(key, env) };
  };
  return {
    async dataRecord({ env, players: asked, ...rest }) {
      const players: RecordedPlayer[] = [];
      for (const player of asked) players.push(await playerOf(player, env));
      const cut = stopping.begin();
      return withEnv(env.id, async (entry) =>
        fileOf(await recordDataset({ entry, config: entry.parse(env.config), players, greedy: true, ...rest }, cut)),
      );
    },
    async dataOfReplays(replays, what) {
      const [first] = replays;
      if (first === undefined) throw fail('config-invalid', 'Nothing was played yet.', 'Play at least one step.');
      return withEnv(first.env.id, (entry) => fileOf(datasetOfReplays(entry, replays, what)));
    },
    async dataOfFile(bytes, name, env) {
      const entry = await loadEnv(env.id);
      const { agentCount: agents, obsSize, actionSize, actionCount } = entry.meta(env.config);
      const target = { env: { id: env.id, version: entry.version, config: env.config }, agents, obsSize, actionSize, actionCount };
      return fileOf(await known(isZip(bytes) ? datasetFromNpz(bytes, name, target) : decodeDataset(bytes)));
    },
    dataView: async (bytes) => viewOf(decodeDataset(bytes)),
    dataEpisode: async (bytes, episode) => replayOf(decodeDataset(bytes), episode),
    async dataFilter(bytes, { least, best }) {
      const data = decodeDataset(bytes);
      const kept = best !== undefined ? bestEpisodes(data, best) : episodesAbove(data, least ?? Number.NEGATIVE_INFINITY);
      if (kept.length === 0) throw fail('config-invalid', 'No episode is left.', 'Choose a lower return.', 'least');
      const what = best !== undefined ? `best ${Math.round(100 * best)} %` : `return ${least} or more`;
      return fileOf(selectEpisodes(data, kept, `${data.header.title}, ${what}`));
    },
    dataMerge: async (parts, title) => fileOf(mergeDatasets(parts.map(decodeDataset), title)),
    dataPairs: async (bytes, pairs, length, seed) => {
      const data = decodeDataset(bytes);
      return withEnv(data.header.env.id, (entry) => encodeDataset(pairsOf(entry, data, pairs, length, seed)));
    },
    dataAnswers: async (pairs, choices, title) => fileOf(answered(decodeDataset(pairs), choices, title)),
    dataNpz: async (bytes) => datasetToNpz(decodeDataset(bytes)),
  };
}

const BINS = 32;

async function viewOf(data: Dataset): Promise<DatasetView> {
  const bounds = episodeBounds(data);
  const lengths = Int32Array.from({ length: data.header.episodes }, (_, e) => bounds[e + 1]! - bounds[e]!);
  const coverage = await withEnv(data.header.env.id, (entry) => {
    const cells = coverageOf(entry, data);
    return cells === null ? spreadOf(data, entry) : { ...cells, axes: null };
  });
  return { returns: data.returns, lengths, coverage };
}

/** Where there is no map: how often the first two numbers of the first agent's observation that vary were seen together. */
function spreadOf(data: Dataset, entry: EnvEntry): DatasetView['coverage'] {
  const { agents, obsSize, steps, env } = data.header;
  const width = agents * obsSize;
  const ranges = Array.from({ length: obsSize }, (_, j) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let t = 0; t < steps; t++) {
      const value = data.observations[t * width + j]!;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return { j, low, high };
  });
  const [x, y] = ranges.filter(({ low, high }) => high > low);
  if (x === undefined || y === undefined) return null;
  const obs = entry.meta(env.config).agents[0]?.obs;
  const labels = obs?.kind === 'box' ? (obs.labels ?? []) : [];
  const bin = (value: number, { low, high }: typeof x): number => Math.min(BINS - 1, Math.floor((BINS * (value - low)) / (high - low)));
  const counts = new Float64Array(BINS * BINS);
  for (let t = 0; t < steps; t++) {
    const at = (BINS - 1 - bin(data.observations[t * width + y.j]!, y)) * BINS + bin(data.observations[t * width + x.j]!, x);
    counts[at] = counts[at]! + 1;
  }
  const axis = ({ j, low, high }: typeof x) => ({ label: labels[j] ?? `observation ${j + 1}`, low, high });
  return { width: BINS, height: BINS, counts, axes: [axis(x), axis(y)] };
}
