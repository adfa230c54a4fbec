/** The door rl-workbench/data: recorded play as a dataset and its file (`npm run rl -- record` also reads and writes .npz). A run names a dataset by the SHA-256 of its file. */
export {
  bestEpisodes,
  type Dataset,
  type DatasetHeader,
  decodeDataset,
  encodeDataset,
  mergeDatasets,
  selectEpisodes,
} from '#contract/files/dataset.ts';
export { type RecordedPlayer, type RecordRequest, recordDataset } from '../run/record.ts';
