/**
 * Plays clips of the front page by the code that would play them there: the same frames. `node main.mjs LIST`: JSON, a list of who plays and the file
 * that gets the numbers; what they show is printed, a list too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { playShow } from '#client/stage/clips.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { createWatchHost } from '../../workers/host/watch-host.ts';
import { encodeFilm } from './encode.ts';

/** A kept policy, packed, or a script of a world. */
export type ToPlay =
  | { readonly policy: string }
  | { readonly env: { readonly id: string; readonly config: JsonObject }; readonly script: string };

const [asked = '[]'] = process.argv.slice(2);
const host = createWatchHost();
const all: object[] = [];
for (const [player, file] of JSON.parse(asked) as (readonly [ToPlay, string])[]) {
  const film = await playShow(
    host,
    file,
    'policy' in player
      ? { kind: 'policy', snapshot: decodePolicyFile(gunzipSync(readFileSync(player.policy)).toString()) }
      : { kind: 'script', ...player },
  );
  const { shown, bytes } = encodeFilm(film);
  writeFileSync(file, bytes);
  all.push(shown);
}
process.stdout.write(JSON.stringify(all), () => process.exit(0)); // the host's message port would keep the process
