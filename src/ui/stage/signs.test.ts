import { describe, expect, it } from 'vitest';
import type { GridLayout } from '#contract/game/frames.ts';
import { signOf, signsOf } from './signs.ts';

const layout: GridLayout = { kind: 'grid', width: 2, height: 1, agents: 1, headings: false, looks: [], colours: [], view: 0 };

describe('signs', () => {
  it('reads compass words without headings and turns with them', () => {
    expect(signOf('up', layout, 0)).toEqual({ kind: 'move', dir: 3 });
    expect(signOf('left', layout, 0)).toEqual({ kind: 'move', dir: 2 });
    const turning = { ...layout, headings: true };
    expect(signOf('left', turning, 1)).toEqual({ kind: 'turn-left', dir: 1 });
    expect(signOf('forward', turning, 1)).toEqual({ kind: 'move', dir: 1 });
    expect(signOf('pickup', turning, 1)).toEqual({ kind: 'act', dir: 1 });
    expect(signOf('done', turning, 1).kind).toBe('stay');
  });

  const map = {
    values: Float32Array.of(1, Number.NaN),
    actions: Int32Array.of(1, -1),
    probs: Float32Array.of(0.25, 0.7, 0.03, 0.02, 0, 0, 0, 0),
  };
  const labels = ['left', 'down', 'right', 'up'];

  it('draws likely moves by probability and nothing where nothing can stand', () => {
    const signs = signsOf(map, layout, labels, 0);
    expect(signs.map(({ cell, dir, main }) => [cell, dir, main])).toEqual([
      [0, 2, false],
      [0, 1, true],
    ]);
    expect(signs[1]!.weight).toBeCloseTo(0.7);
  });

  it('draws a single highlighted action alone', () => {
    const signs = signsOf(map, layout, labels, 0, 3);
    expect(signs).toHaveLength(1);
    expect(signs[0]!.dir).toBe(3);
    expect(signs[0]!.weight).toBeCloseTo(0.02);
  });

  it('with headings shows only the preferred action', () => {
    expect(signsOf(map, { ...layout, headings: true }, ['left', 'right', 'forward', 'pickup'], 2)).toEqual([
      { cell: 0, kind: 'turn-right', dir: 2, weight: expect.closeTo(0.7), main: true },
    ]);
  });
});
