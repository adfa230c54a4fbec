/** Every registered kind over the environments that use it: it draws, is described, lists its things, places points, offers layers. */
// @vitest-environment happy-dom
import { Ray, Vector3 } from 'three';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type FrameLayout, frameSize } from '#contract/game/frames.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { envs } from '#core/testing/ready.ts';
import { describeFrame, sceneKinds, sceneOf } from './index.ts';
import type { GlyphShape } from './lib/define.ts';
import { readPalette } from './lib/theme.ts';
import { NO_OVERLAY } from './types.ts';

interface Case {
  readonly env: string;
  readonly layout: FrameLayout;
  /** Two frames one step apart. */
  readonly a: Float32Array;
  readonly b: Float32Array;
}

/** The first two frames of every environment's defaults. */
const cases: readonly Case[] = envs.map((entry) => {
  const { frame: layout, ...meta } = entry.meta({});
  const env = entry.create({}, 1);
  const buffers = createBuffers({ frame: layout, ...meta }, 1);
  env.reset(Uint32Array.of(3), buffers);
  const a = new Float32Array(frameSize(layout));
  env.frame(0, a);
  const actions = createActions({ frame: layout, ...meta }, 1);
  for (let agent = 0; agent < meta.agentCount; agent++) {
    const legal = buffers.mask?.subarray(agent * meta.actionCount, (agent + 1) * meta.actionCount).indexOf(1) ?? 0;
    actions[agent * meta.actionSize] = Math.max(0, legal);
  }
  env.step(actions, buffers);
  const b = new Float32Array(frameSize(layout));
  env.frame(0, b);
  return { env: entry.id, layout, a, b };
});
// Environments in Python alone have these.
const drawn = (shift: number): Float32Array => Float32Array.from({ length: 6 }, (_, i) => (((40 * i + shift) << 16) | 0x1020) >>> 0);
const all: readonly Case[] = [...cases, { env: 'gym', layout: { kind: 'picture', width: 3, height: 2 }, a: drawn(0), b: drawn(7) }];

/** A 2D context that counts what reaches the canvas and keeps every number it is given. */
function recorder(): { readonly context: CanvasRenderingContext2D; readonly numbers: number[]; marks(): number } {
  const numbers: number[] = [];
  let marks = 0;
  const context = new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === 'measureText') return () => ({ width: 10 });
        if (name === 'createLinearGradient' || name === 'createRadialGradient') return () => ({ addColorStop: () => {} });
        if (name === 'getImageData') return (_x: number, _y: number, w: number, h: number) => ({ data: new Uint8ClampedArray(4 * w * h) });
        return (...args: unknown[]) => {
          if (['fill', 'fillRect', 'stroke', 'fillText', 'strokeRect'].includes(String(name))) marks++;
          numbers.push(...args.filter((arg) => typeof arg === 'number'));
        };
      },
      set: () => true,
    },
  );
  return { context: context as CanvasRenderingContext2D, numbers, marks: () => marks };
}

beforeAll(() => {
  // the test document draws nothing: labels and textures get a context that only counts
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => recorder().context as never);
});

it('every kind is drawn for an environment', () => {
  expect(new Set(all.map(({ layout }) => layout.kind))).toEqual(new Set(sceneKinds.map(({ kind }) => kind)));
});

describe.each(sceneKinds)('$kind', (kind) => {
  const own = all.filter(({ layout }) => layout.kind === kind.kind);

  it('draws in three dimensions', async () => {
    const part = await kind.view();
    const palette = readPalette(document.body);
    for (const { env, layout, a, b } of own) {
      const view = part.create(layout, palette);
      view.overlay(NO_OVERLAY);
      view.update(a, b, 0.5, 0.5, true);
      let meshes = 0;
      view.root.traverse((object) => {
        if ('isMesh' in object || 'isSprite' in object || 'isLine' in object) meshes++;
        expect(object.position.toArray().every(Number.isFinite), env).toBe(true);
      });
      expect(meshes, env).toBeGreaterThan(0);
      expect(view.framing.bounds.isEmpty(), env).toBe(false);
      expect(view.pick(new Ray(new Vector3(1e6, 1e6, 1e6), new Vector3(0, 1, 0))), env).toBe(-1);
      view.dispose();
    }
  });

  it('draws on a 2D canvas', async () => {
    const part = await kind.flat();
    const palette = readPalette(document.body);
    for (const { env, layout, a, b } of own) {
      const { context, numbers, marks } = recorder();
      part.create().draw(context, { layout, a, b, alpha: 0.5, overlay: NO_OVERLAY, palette });
      expect(marks(), env).toBeGreaterThan(0);
      expect(numbers.every(Number.isFinite), env).toBe(true);
    }
  });

  it('is described', () => {
    for (const { env, layout, a } of own) expect(describeFrame(layout, a), env).toMatch(/^[^.]*\w.*\.$/);
  });

  it('lists its things and where they are', () => {
    for (const { env, layout, a } of own) {
      const things = kind.things(layout);
      const [width, height] = kind.extent(layout);
      expect(width * height, env).toBeGreaterThan(0);
      let shown = 0;
      for (let thing = 0; thing < things.count; thing++) {
        expect(things.name(thing), env).not.toBe('');
        const spot = kind.spot(layout, a, a, 0, thing);
        if (spot === null) continue;
        shown++;
        expect([spot.x, spot.y, spot.radius].every(Number.isFinite), env).toBe(true);
        expect(spot.radius, env).toBeGreaterThan(0);
      }
      if (things.count > 0) expect(shown, env).toBeGreaterThan(0);
      expect(kind.spot(layout, a, a, 0, things.count), env).toBeNull();
    }
  });

  it('finds the point of a place again', () => {
    for (const { env, layout } of own) {
      const [width, height] = kind.extent(layout);
      const point = kind.point(layout, 0.3 * width, 0.7 * height);
      const [x, y] = kind.place(layout, point.x, point.y);
      const again = kind.point(layout, x, y);
      expect(again.x, env).toBeCloseTo(point.x);
      expect(again.y, env).toBeCloseTo(point.y);
      expect(again.cell, env).toBe(point.cell);
      expect(point.cell >= 0, env).toBe(kind.contents !== undefined);
    }
  });

  it('has a small picture of its own', () => {
    const numbers = (shape: GlyphShape): number[] => Object.values(shape).filter((value) => typeof value === 'number');
    for (const { env, layout } of own) {
      const shapes = sceneOf(layout).glyph(layout, {});
      expect(shapes.length, env).toBeGreaterThan(0);
      for (const shape of shapes)
        expect(
          numbers(shape).every((value) => value >= 0 && value <= 64),
          env,
        ).toBe(true);
    }
  });
});
