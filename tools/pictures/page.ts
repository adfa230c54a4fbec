/**
 * Inside the browser of `npm run pictures`: plays an environment for a while with its expert (or at random) and draws one moment
 * of it with the page's own scenes. Pixels; times in steps.
 */
import type { FrameLayout, FrameSource } from '#contract/game/frames.ts';
import { frameSize } from '#contract/game/frames.ts';
import { envs, type getEnv, loadEnv } from '#core/envs/all.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { Actions, EnvMeta, ScriptedPolicy, StepBuffers } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { createScene, type GlScene } from '#scenes/scene.ts';
import type { CameraPreset } from '#scenes/types.ts';
import { hostMujocoFile } from '../../workers/host/mujoco-file.ts';
import '../../src/ui/kit/theme/tokens.css';

interface Wish {
  readonly steps: number;
  readonly seed: number;
  readonly policy: string; // 'random', 'expert' (the first scripted one), or the name of a scripted one
  readonly camera: CameraPreset;
  readonly turn: readonly [azimuth: number, elevation: number, zoom: number];
  readonly width: number;
  readonly height: number;
  readonly quality: number;
  readonly themes?: readonly string[]; // one picture for each; else one in the theme of the page
}

interface Picture {
  readonly image: string; // data URL, webp
  readonly images: readonly string[]; // by theme
  readonly steps: number;
  readonly policy: string;
}

hostMujocoFile();

const FINE = 2; // drawn this much larger, then scaled down
let stage: { canvas: HTMLCanvasElement; scene: GlScene } | null = null;

/** What can be drawn: every preset of every environment. */
function list(): { env: string; title: string; preset: string; presetTitle: string; fps: number }[] {
  return envs.flatMap((entry) =>
    entry.presets.map((preset) => ({
      env: entry.id,
      title: entry.title,
      preset: preset.id,
      presetTitle: preset.title,
      fps: entry.meta(preset.config).fps,
    })),
  );
}

async function draw(env: string, preset: string, wish: Wish): Promise<Picture> {
  const entry = await loadEnv(env);
  const config = entry.presets.find(({ id }) => id === preset)?.config ?? {};
  const meta = entry.meta(config);
  const policies = entry.policies(config);
  const name = wish.policy === 'expert' ? (Object.keys(policies)[0] ?? 'random') : wish.policy;
  const { frames, actions } = play(entry.create(config, 1), meta, policies[name], wish);
  const source = fixed(meta.frame, frames, 1 / meta.fps, actions);
  const images: string[] = [];
  for (const theme of wish.themes ?? [document.documentElement.dataset.theme ?? 'light']) {
    if (document.documentElement.dataset.theme !== theme) {
      document.documentElement.dataset.theme = theme;
      stage?.scene.refreshTheme();
    }
    images.push(await paint(source, wish));
  }
  return { image: images[0] ?? '', images, steps: frames.length - 2, policy: policies[name] === undefined ? 'random' : name };
}

/** Draws the last but one of some frames: what happens on the way to the last is shown. */
async function paint(source: FrameSource, wish: Wish): Promise<string> {
  stage ??= await open();
  const { canvas, scene } = stage;
  scene.setSource(source);
  scene.setCamera(wish.camera);
  scene.orbit(...wish.turn);
  scene.show(Math.max(0, source.length - 2), 0);
  // Resizing draws at once, and the picture can be read until the browser shows it.
  scene.resize(wish.width, wish.height, FINE);
  const target = document.createElement('canvas');
  target.width = wish.width;
  target.height = wish.height;
  const g = target.getContext('2d')!;
  const style = getComputedStyle(document.documentElement);
  const sky = g.createLinearGradient(0, 0, 0, wish.height);
  sky.addColorStop(0, style.getPropertyValue('--stage-top'));
  sky.addColorStop(1, style.getPropertyValue('--stage-bottom'));
  g.fillStyle = sky;
  g.fillRect(0, 0, wish.width, wish.height);
  g.imageSmoothingQuality = 'high';
  g.drawImage(canvas, 0, 0, wish.width, wish.height);
  return target.toDataURL('image/webp', wish.quality);
}

function fixed(layout: FrameLayout, frames: readonly ArrayLike<number>[], dt: number, actions: readonly number[] = []): FrameSource {
  return {
    layout,
    length: frames.length,
    dt,
    action: (t) => actions[t],
    read(t, out) {
      const frame = frames[t];
      if (frame === undefined) return false;
      out.set(frame);
      return true;
    },
  };
}

async function open(): Promise<{ canvas: HTMLCanvasElement; scene: GlScene }> {
  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  return { canvas, scene: await createScene(canvas, { reducedMotion: true, lean: false }) };
}

/** Frames of one episode up to `wish.steps` or the step before its end. */
function play(
  env: ReturnType<ReturnType<typeof getEnv>['create']>,
  meta: EnvMeta,
  policy: ScriptedPolicy | undefined,
  wish: Wish,
): { frames: Float32Array[]; actions: number[] } {
  const buffers = createBuffers(meta, 1);
  const actions = createActions(meta, 1);
  const rng = Rng.from(wish.seed);
  env.reset(Uint32Array.of(wish.seed), buffers);
  const frames: Float32Array[] = [];
  const taken: number[] = [];
  // The last frame stands twice, with the action that led to it: its arrow is part of the picture.
  const ended = (): { frames: Float32Array[]; actions: number[] } => ({
    frames: [...frames, frames.at(-1)!],
    actions: [...taken.slice(0, frames.length - 1), taken[frames.length - 2] ?? 0],
  });
  for (let t = 0; ; t++) {
    const frame = new Float32Array(frameSize(meta.frame));
    env.frame(0, frame);
    frames.push(frame);
    if (t >= wish.steps) return ended();
    if (policy === undefined) atRandom(meta, buffers, rng, actions);
    else policy.act(env, buffers, actions);
    env.step(actions, buffers);
    // The end itself is shown only where there is nothing else: games of one round.
    const over = buffers.terminated[0] === 1 || buffers.truncated[0] === 1;
    taken.push(actions[0] ?? 0);
    if (over && t > 0) return ended();
    if (over) wish = { ...wish, steps: 1 };
  }
}

function atRandom(meta: EnvMeta, buffers: StepBuffers, rng: Rng, actions: Actions): void {
  let agent = 0;
  for (const group of meta.agents) {
    for (let i = 0; i < group.count; i++, agent++) {
      const at = agent * meta.actionSize;
      const space = group.action;
      if (space.kind === 'box') {
        for (let d = 0; d < space.size; d++) actions[at + d] = space.low[d]! + (space.high[d]! - space.low[d]!) * rng.uniform();
        continue;
      }
      const legal = Array.from({ length: space.n }, (_, a) => a).filter((a) => buffers.mask?.[agent * meta.actionCount + a] !== 0);
      actions[at] = legal[rng.int(legal.length)] ?? 0;
    }
  }
}

/** Draw calls of a picture, and the script time of showing each of its frames and giving it to the graphics card, ms. */
async function cost(layout: FrameLayout, frames: readonly ArrayLike<number>[]): Promise<{ calls: number; script: number[] }> {
  stage ??= await open();
  const { scene } = stage;
  scene.setSource(fixed(layout, frames, 0.05));
  scene.resize(320, 200, 1);
  const script = frames.map((_, t) => {
    const before = performance.now();
    scene.show(t, t + 1 < frames.length ? 0.5 : 0);
    scene.drawNow();
    return performance.now() - before;
  });
  return { calls: scene.drawCalls(), script };
}

/** What a wandering swarm of wedges costs. */
function swarmCost(count: number): Promise<{ calls: number; script: number[] }> {
  const rng = Rng.from(1);
  const side = Math.max(2, Math.sqrt(count) * 0.4);
  const layout: FrameLayout = {
    kind: 'points',
    count,
    bounds: [0, 0, side, side],
    names: [],
    groups: [{ name: 'members', count, shape: 'wedge' }],
    periodic: true,
  };
  const frames = Array.from({ length: 30 }, () => {
    const frame = new Float32Array(frameSize(layout));
    for (let i = 0; i < count; i++) frame.set([side * rng.uniform(), side * rng.uniform(), 0, 6.28 * rng.uniform(), 0.1, i % 8], i * 6);
    return frame;
  });
  return cost(layout, frames);
}

Object.assign(globalThis, {
  pictures: {
    list,
    draw,
    cost,
    swarmCost,
    frames: (layout: FrameLayout, frames: readonly (readonly number[])[], wish: Wish): Promise<string> =>
      paint(fixed(layout, frames, 0.05), wish),
  },
});
