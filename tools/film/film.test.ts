/** The front page's first clip comes from its file as it was played; a file that is not the one it should be is none. */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { playShow } from '#client/stage/clips.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { readFilm } from '../../src/ui/home/first-film.ts';
import { createWatchHost } from '../../workers/host/watch-host.ts';
import { encodeFilm } from './encode.ts';

const POLICIES = 'public/results/policies';
const urlOf = (bytes: Uint8Array): string => `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;

test('a film is read as it was played', async () => {
  const name = readdirSync(POLICIES).find((file) => file.startsWith('P014')); // a small world
  const snapshot = decodePolicyFile(gunzipSync(readFileSync(`${POLICIES}/${name}`)).toString());
  const film = await playShow(createWatchHost(), 'played', { kind: 'policy', snapshot });
  expect(film.episodes[0]?.frames.length).toBeGreaterThan(20);
  const { shown, bytes } = encodeFilm(film);
  const read = await readFilm({ ...shown, url: urlOf(bytes) });
  expect(read?.episodes).toEqual(film.episodes);
  expect(read?.env.frame).toEqual(film.env.frame);
  expect(read?.env.groups.flatMap(({ names }) => names)).toEqual(film.env.groups.flatMap(({ names }) => names));

  expect(await readFilm({ ...shown, url: urlOf(bytes.subarray(0, bytes.length - 20)) })).toBeNull();
  const [first, ...others] = shown.episodes;
  const shorter = { ...shown, episodes: [{ ...first!, frames: first!.frames - 1 }, ...others] };
  expect(await readFilm({ ...shorter, url: urlOf(bytes) })).toBeNull();
});
