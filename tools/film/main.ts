/**
 * Plays the clip that the front page shows first, by the code that would play it there: the same frames. `node main.mjs POLICY FILE`: the policy is
 * a kept one, packed; FILE gets the numbers, and what they show is printed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { playShow } from '#client/stage/clips.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { createWatchHost } from '../../workers/host/watch-host.ts';
import { encodeFilm } from './encode.ts';

const [policy = '', file = ''] = process.argv.slice(2);
const snapshot = decodePolicyFile(gunzipSync(readFileSync(policy)).toString());
const { shown, bytes } = encodeFilm(await playShow(createWatchHost(), 'first', { kind: 'policy', snapshot }));
writeFileSync(file, bytes);
process.stdout.write(JSON.stringify(shown), () => process.exit(0)); // the host's message port would keep the process
