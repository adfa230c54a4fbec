/** Clips of the front page come from their files as they were played; a file that is not the one it should be is none. */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { playShow } from '#client/stage/clips.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { readFilm } from '../../src/ui/home/front-films.ts';
import { createWatchHost } from '../../workers/host/watch-host.ts';
import { encodeFilm } from './encode.ts';
import { clipsToPlay } from './plugin.ts';

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

test('who was kept or is first plays in a file, and so does every body: its simulator is not loaded to look at it', () => {
  const tile = (id: string, script: string | null) => ({
    family: '',
    count: 1,
    id,
    title: '',
    preset: '',
    decides: true,
    learnable: true,
    script: script === null ? null : { name: script, config: {} },
  });
  const played = (paper: string, arm: string) => ({ learned: null, played: { paper, arm } });
  const tiles = [tile('a', null), tile('b', null), tile('c', 'expert'), tile('mujoco-x', 'stance'), tile('mujoco-y', 'expert')];
  const clips = clipsToPlay({ tiles, worlds: { a: played('P014', 'tabular'), b: played('P014', 'tabular') } }, ['mujoco-y']);
  expect(clips.map(({ clip }) => clip)).toEqual(['P014 tabular', 'world mujoco-x', 'kept mujoco-y']);
  expect(clips[1]?.player).toEqual({ env: { id: 'mujoco-x', config: {} }, script: 'stance' });
});
