/** The page draws what a sandbox says of the catalogue's environments: their pictures fit the bounded schema, and their frames stay as they are. */
import { expect, it } from 'vitest';
import { frameSize } from '#contract/game/frames.ts';
import { needsMujoco } from '#contract/own/outside.ts';
import { layoutSchema, tameFrames } from '#contract/own/sandbox-layouts.ts';
import { envFamilies, loadEnv } from '../envs/index.ts';
import { Play } from '../own/check.ts';

const ids = envFamilies.flatMap(({ envs }) => Object.keys(envs)).filter((id) => !needsMujoco(id));

it.each(ids)('%s', async (id) => {
  const entry = await loadEnv(id);
  const meta = entry.meta(entry.parse({}));
  expect(layoutSchema.parse(meta.frame)).toEqual(meta.frame);
  if (meta.actionSize === 0) return;
  const play = new Play(entry, entry.parse({}), [1]);
  const frame = new Float32Array(frameSize(meta.frame));
  for (let t = 0; t < 30; t++) {
    play.step();
    play.env.frame(0, frame);
    expect([...tameFrames(meta.frame, frame.slice())]).toEqual([...frame]);
    play.restart();
  }
});
