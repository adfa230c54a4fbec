/**
 * Clips of the front page that were played when the page was built: the first one, which is here before a worker could begin to play, and those of
 * bodies, whose simulator is larger than all else that the front page needs.
 */
import films from 'virtual:front-films';
import type { Episode, Film, Filmed } from '#client/stage/clips.ts';
import { keepOffline } from '#ui/kit/keep.ts';

/** As tools/film writes it. */
interface StoredFilm {
  readonly env: Filmed;
  /** How many numbers of the file are frames and rewards of each. */
  readonly episodes: readonly { readonly frames: number; readonly reward: number }[];
  readonly url: string;
}

/** The clip of this name; null: it was not played then, or its file is not to be had. */
export async function filmOf(clip: string): Promise<Film | null> {
  const stored = films[clip];
  if (stored === undefined) return null;
  const film = await readFilm(stored);
  if (film !== null) keepOffline('parts', stored.url);
  return film;
}

/** null: the file is not to be had, or is another one. */
export async function readFilm({ env, episodes, url }: StoredFilm): Promise<Film | null> {
  const response = await fetch(url).catch(() => null);
  if (response?.body == null || !response.ok) return null;
  const bytes = await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer().catch(() => null);
  if (bytes?.byteLength !== 4 * episodes.reduce((sum, { frames, reward }) => sum + frames + reward, 0)) return null;
  let at = 0;
  const next = (count: number): Float32Array => {
    at += count;
    return new Float32Array(bytes, 4 * (at - count), count);
  };
  return { env, episodes: episodes.map(({ frames, reward }): Episode => ({ frames: next(frames), reward: next(reward) })) };
}
