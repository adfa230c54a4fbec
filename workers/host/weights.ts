/** Files of trained weights in a worker: the page keeps them beside itself. */
import { fetchLarge } from './download.ts';

/** What the files hold unpacked, about: for the news of how far a download is. */
const BYTES = 1_000_000;

/** Throws LabError('engine-missing'). */
export async function fetchWeights(file: string): Promise<Uint8Array> {
  // a worker stands one folder below the page
  return new Uint8Array(
    await fetchLarge({ url: new URL(`../${file}`, self.location.href).href, title: 'The trained model', total: BYTES }),
  );
}
