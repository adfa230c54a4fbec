/**
 * What the camera shows of every environment, at random and by its expert, on a desk and on a phone, at the start, after 3 s and after
 * 10 s: every agent and every goal is in the picture or has an arrow at its edge, and none is a speck.
 */
// @vitest-environment happy-dom
import { Box3, Vector3 } from 'three';
import { beforeAll, expect, it, vi } from 'vitest';
import { type FrameLayout, frameSize } from '#contract/game/frames.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { Actions, EnvEntry, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import { envs } from '#core/testing/ready.ts';
import { Rng } from '#math/rng.ts';
import { sceneOf } from './index.ts';
import { OrbitCamera } from './lib/camera.ts';
import { edgeOf } from './lib/edges.ts';
import { Shot } from './lib/shot.ts';
import { readPalette } from './lib/theme.ts';
import { CROWD, type View } from './lib/view.ts';
import { NO_OVERLAY } from './types.ts';

/** CSS pixels of the picture on a page of 1440 x 900 and on one of 390 x 844, and how much of it buttons cover above. */
const SIZES = [
  { name: 'desk', width: 700, height: 560, above: 44 },
  { name: 'phone', width: 390, height: 302, above: 0 },
] as const;
const MOMENTS = [0, 3, 10]; // s
const LEAST = { agent: 24, goal: 24, thing: 12 }; // CSS pixels across
const PER_SECOND = 10; // frames looked at
const RNG = 3;

beforeAll(() => {
  // A context that draws nothing and reads black.
  const blank = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === 'measureText') return () => ({ width: 10 });
        return name === 'getImageData' ? () => ({ data: new Uint8ClampedArray(4) }) : () => undefined;
      },
      set: () => true,
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => blank as never);
});

function atRandom(meta: EnvMeta, buffers: StepBuffers, rng: Rng, actions: Actions): void {
  const spaces = meta.agents.flatMap(({ count, action }) => Array.from({ length: count }, () => action));
  spaces.forEach((space, agent) => {
    const at = agent * meta.actionSize;
    if (space.kind === 'box') {
      for (let d = 0; d < space.size; d++) actions[at + d] = space.low[d]! + (space.high[d]! - space.low[d]!) * rng.uniform();
      return;
    }
    const legal = Array.from({ length: space.n }, (_, a) => a).filter((a) => buffers.mask?.[agent * meta.actionCount + a] !== 0);
    actions[at] = legal[rng.int(legal.length)] ?? 0;
  });
}

interface Watched {
  readonly layout: FrameLayout;
  readonly frames: readonly Float32Array[];
  /** Places in `frames` of the moments. */
  readonly moments: readonly number[];
}

/** The first seconds of an episode, or all of it where it ends before. */
function watch(entry: EnvEntry, expert: boolean): Watched | null {
  const config = entry.presets[0]?.config ?? {};
  const meta = entry.meta(config);
  const policy = Object.values(entry.policies(config))[0];
  if (expert && policy === undefined) return null;
  const env = entry.create(config, 1);
  const buffers = createBuffers(meta, 1);
  const actions = createActions(meta, 1);
  const rng = Rng.from(RNG);
  env.reset(Uint32Array.of(RNG), buffers);
  const frames: Float32Array[] = [];
  const moments: number[] = [];
  const every = Math.max(1, Math.round(meta.fps / PER_SECOND));
  for (let t = 0; moments.length < MOMENTS.length; t++) {
    const due = t >= MOMENTS[moments.length]! * meta.fps;
    if (t % every === 0 || due) {
      const frame = new Float32Array(frameSize(meta.frame));
      env.frame(0, frame);
      frames.push(frame);
    }
    if (due) moments.push(frames.length - 1);
    if (expert && policy !== undefined) policy.act(env, buffers, actions);
    else atRandom(meta, buffers, rng, actions);
    env.step(actions, buffers);
    if (buffers.terminated[0] === 1 || buffers.truncated[0] === 1) break;
  }
  if (moments.length < MOMENTS.length) moments.push(frames.length - 1);
  return { layout: meta.frame, frames, moments };
}

/** What is wrong with the picture, and how many had to be led to by an arrow. */
function look(
  view: View,
  { frames, moments }: Watched,
  { width, height, above }: (typeof SIZES)[number],
): { wrong: string[]; lost: number } {
  const camera = new OrbitCamera();
  camera.reducedMotion = true;
  camera.frame(view.framing);
  camera.setAspect(width / height, above / height);
  const shot = new Shot(view.framing.bounds);
  const wrong: string[] = [];
  let lost = 0;
  frames.forEach((frame, i) => {
    view.scale?.(camera.unitsPerPixel(height));
    view.update(frame, frame, 0, i, true);
    if (shot.take(view, i === 0)) {
      camera.reframe(shot.box);
      view.scale?.(camera.unitsPerPixel(height));
      view.update(frame, frame, 0, i, false);
    }
    if (!moments.includes(i)) return;
    camera.update(1);
    let agents = 0;
    view.subjects?.(({ kind }) => {
      if (kind === 'agent') agents++;
    });
    view.subjects?.(({ kind, at, radius }) => {
      const { x, y } = at.clone().project(camera.camera);
      const ahead = -at.clone().applyMatrix4(camera.camera.matrixWorldInverse).z;
      if (Math.max(Math.abs(x), Math.abs(y)) > 1) {
        lost++;
        const arrow = edgeOf(at, camera.camera, 44 / width, 44 / height);
        const led = arrow !== null && Math.max(Math.abs(arrow.x), Math.abs(arrow.y)) < 1;
        if (!led || !shot.lost.some((one) => one.at.distanceTo(at) < 1e-6))
          wrong.push(`frame ${i}: ${kind} out of sight at ${x.toFixed(2)}, ${y.toFixed(2)}`);
        return;
      }
      const across = (2 * radius) / ((2 * ahead * Math.tan((camera.camera.fov * Math.PI) / 360)) / height);
      if (agents < CROWD && across < LEAST[kind]) wrong.push(`frame ${i}: ${kind} of ${across.toFixed(1)} px`);
    });
  });
  return { wrong, lost };
}

it.each(envs.map((entry) => [entry.id, entry] as const))('%s: agents and goals are in the picture and can be read', async (_, entry) => {
  for (const expert of [false, true]) {
    const watched = watch(entry, expert);
    if (watched === null) continue;
    const view = (await sceneOf(watched.layout).view()).create(watched.layout, readPalette(document.body));
    view.overlay(NO_OVERLAY);
    for (const size of SIZES) {
      const { wrong, lost } = look(view, watched, size);
      expect(wrong, `${size.name}, ${expert ? 'expert' : 'random'}`).toEqual([]);
      if (expert) expect(lost, `${size.name}: led to by arrows with the expert`).toBe(0);
    }
    view.dispose();
  }
});

it('a body that travels stays where it is looked at, and the ground passes below', async () => {
  const entry = envs.find(({ id }) => id === 'mujoco-half-cheetah');
  const watched = watch(entry!, true);
  const { layout, frames } = watched!;
  const view = (await sceneOf(layout).view()).create(layout, readPalette(document.body));
  view.overlay(NO_OVERLAY);
  const shot = new Shot(view.framing.bounds);
  const from = new Vector3();
  const at = new Vector3();
  for (const [i, frame] of frames.entries()) {
    view.update(frame, frame, 0, i, true);
    view.focus(at);
    if (i === 0) from.copy(at);
    expect(Math.hypot(at.x - from.x, at.z - from.z)).toBeLessThan(1e-6);
    shot.take(view, i === 0);
    expect(shot.lost).toEqual([]); // no frame that jumps after it, and no arrow back to the start
  }
  expect(Math.abs(frames.at(-1)![0]! - frames[0]![0]!)).toBeGreaterThan(5); // m
  view.dispose();
});

it('leads to what is out of sight, also behind the camera', () => {
  const camera = new OrbitCamera();
  camera.frame({ bounds: new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)), azimuth: 0, elevation: 0.1 });
  expect(edgeOf(new Vector3(0, 0, 0), camera.camera, 0.1, 0.1)).toBeNull();
  const right = edgeOf(new Vector3(50, 0, 0), camera.camera, 0.1, 0.1);
  expect(right?.x).toBeCloseTo(0.9);
  expect(Math.abs(right?.turn ?? Math.PI)).toBeLessThan(0.3);
  const behind = edgeOf(new Vector3(50, 0, 400), camera.camera, 0.1, 0.1);
  expect(behind?.x).toBeCloseTo(0.9);
});
