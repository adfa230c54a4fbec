/** Script time of frames of a wandering swarm, on a canvas of its own: what bench/scenes.bench.ts measures, on the visitor's machine. */
import { type FrameLayout, type FrameSource, frameSize } from '#contract/game/frames.ts';

const FRAMES = 30;
const ROUNDS = 2;

function swarm(count: number): FrameSource {
  const side = Math.max(2, Math.sqrt(count) * 0.4);
  const layout: FrameLayout = {
    kind: 'points',
    count,
    bounds: [0, 0, side, side],
    names: [],
    groups: [{ name: 'members', count, shape: 'wedge' }],
    periodic: true,
  };
  // Where members are does not matter to the cost, so there is no generator: a golden-ratio scatter that moves.
  const at = (i: number, t: number): number => (((i * 0.6180339887 + t * 0.013) % 1) + 1) % 1;
  const frames = Array.from({ length: FRAMES }, (_, t) => {
    const frame = new Float32Array(frameSize(layout));
    for (let i = 0; i < count; i++) frame.set([side * at(i, t), side * at(i * 7 + 3, -t), 0, 6.28 * at(i, 2 * t), 0.1, i % 8], i * 6);
    return frame;
  });
  return {
    layout,
    length: FRAMES,
    dt: 0.05,
    action: () => undefined,
    read(t, out) {
      const frame = frames[t];
      if (frame === undefined) return false;
      out.set(frame);
      return true;
    },
  };
}

/** Median, ms. `host` must be in the document. Throws Error where there is no WebGL. */
export async function sceneCost(members: number, host: HTMLElement): Promise<number> {
  const { createScene } = await import('#scenes/scene.ts');
  const canvas = document.createElement('canvas');
  host.append(canvas);
  try {
    const scene = await createScene(canvas, { reducedMotion: true, lean: false });
    const times: number[] = [];
    scene.setSource(swarm(members));
    scene.resize(320, 200, 1);
    // The first round compiles shaders and is thrown away.
    for (let round = 0; round < ROUNDS; round++)
      for (let t = 0; t + 1 < FRAMES; t++) {
        const before = performance.now();
        scene.show(t, 0.5);
        scene.drawNow();
        if (round > 0) times.push(performance.now() - before);
      }
    scene.dispose();
    return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
  } finally {
    canvas.remove();
  }
}
