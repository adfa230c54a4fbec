/** Recorded datasets on this device: a record each for lists, and the bytes of its file, named by their SHA-256. */
import { type Dataset, type DatasetCard, datasetHeaderSchema, decodeDataset } from '#contract/files/dataset.ts';
import type { Driver } from './driver.ts';

export interface StoredDataset extends DatasetCard {
  readonly savedAt: number; // ms since epoch
}

const fileOf = (hash: string): string => `datasets/${hash}.rlds`;

/** Newest first; records that cannot be read are left out. */
export async function listDatasets(driver: Driver): Promise<readonly StoredDataset[]> {
  const rows = await driver.all('datasets');
  const known = rows.flatMap(({ value }) => {
    const card = value as StoredDataset;
    return datasetHeaderSchema.safeParse(card.header).success ? [card] : [];
  });
  return known.sort((a, b) => b.savedAt - a.savedAt);
}

/** The file first: a record never names bytes that are not there. */
export async function putDataset(driver: Driver, card: DatasetCard, bytes: Uint8Array, savedAt: number): Promise<void> {
  await driver.writeFile(fileOf(card.hash), bytes);
  await driver.put('datasets', card.hash, { ...card, savedAt } satisfies StoredDataset);
}

/** null: it is not here. */
export const readDataset = (driver: Driver, hash: string): Promise<Uint8Array | null> => driver.readFile(fileOf(hash));

/** What a run learns from; null: it is not here. Throws LabError('file-invalid') where its bytes are broken. */
export async function openDataset(driver: Driver, hash: string): Promise<Dataset | null> {
  const bytes = await readDataset(driver, hash);
  return bytes === null ? null : decodeDataset(bytes);
}

export async function removeDataset(driver: Driver, hash: string): Promise<void> {
  await driver.remove('datasets', hash);
  await driver.removeFile(fileOf(hash));
}
