/** The policies beside the page of worlds in which learning takes minutes (public/results/worlds): they play there, well, and are small. */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodePolicyFile } from '#contract/files/files.ts';
import { createWatchHost } from './watch-host.ts';

const FOLDER = 'public/results/worlds';
/** Return of one episode that each reaches at least: of PPO with a million steps as recommended, seed 102 of bench/results/learn.json (5353 over 100). */
const LEAST: { readonly [world: string]: number } = { 'mujoco-walker2d': 4000 };
const MOST_BYTES = 40_000;

test.each(readdirSync(FOLDER))(
  '%s walks',
  async (name) => {
    const file = readFileSync(`${FOLDER}/${name}`);
    expect(file.length).toBeLessThan(MOST_BYTES);
    const snapshot = decodePolicyFile(gunzipSync(file).toString());
    const world = name.replace(/\.policy$/, '');
    expect(snapshot.env.id).toBe(world);
    const watch = createWatchHost();
    await watch.setPolicy('kept', snapshot);
    const { reward } = await watch.play(snapshot.env, 'kept', { seed: 1001, greedy: true });
    expect(reward.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(LEAST[world] ?? Number.POSITIVE_INFINITY);
  },
  240_000,
);
