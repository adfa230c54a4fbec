import { describe, expect, it } from 'vitest';
import { type BodiesLayout, frameSize, type GridLayout, type PointsLayout } from '#contract/frames.ts';
import { agentOffset, bodyAt, doorOpening, gridAgent, lerpAngle, pointAt, sameLayout } from './frames.ts';

const grid: GridLayout = {
  kind: 'grid',
  width: 3,
  height: 2,
  agents: 2,
  headings: true,
  looks: ['unseen', 'empty', 'wall'],
  colours: ['red', 'green'],
  view: 0,
};

function gridFrame(agents: readonly (readonly number[])[]): Float32Array {
  const frame = new Float32Array(frameSize(grid));
  agents.forEach((row, i) => {
    frame.set(row, agentOffset(grid) + i * 6);
  });
  return frame;
}

describe('gridAgent', () => {
  const a = gridFrame([
    [0, 0, 0, 0, 0, 1],
    [2, 1, 3, 5, 1, 1],
  ]);
  const b = gridFrame([
    [1, 0, 0, 0, 0, 1],
    [2, 1, 0, 0, 0, 0],
  ]);

  it('reads the row of the agent asked for', () => {
    const agent = gridAgent(grid, a, a, 1, 0);
    expect([agent.x, agent.y, agent.carried, agent.carriedColour, agent.alive]).toEqual([2, 1, 5, 1, 1]);
    expect(agent.angle).toBeCloseTo((3 * Math.PI) / 2);
  });

  it('stands half way in the middle of a step', () => {
    expect(gridAgent(grid, a, b, 0, 0.5).x).toBeCloseTo(0.5);
    expect(gridAgent(grid, a, b, 0, 1).x).toBe(1);
  });

  it('turns the short way from up (3) to right (0)', () => {
    const angle = gridAgent(grid, a, b, 1, 0.5).angle;
    expect(Math.cos(angle)).toBeCloseTo(Math.SQRT1_2);
    expect(Math.sin(angle)).toBeCloseTo(-Math.SQRT1_2);
  });

  it('drops what is carried half way and fades out', () => {
    expect(gridAgent(grid, a, b, 1, 0.4).carried).toBe(5);
    expect(gridAgent(grid, a, b, 1, 0.6).carried).toBe(0);
    expect(gridAgent(grid, a, b, 1, 0.5).alive).toBeCloseTo(0.5);
  });

  it('does not slide over a teleport', () => {
    const far = gridFrame([
      [2, 1, 0, 0, 0, 1],
      [2, 1, 0, 0, 0, 1],
    ]);
    const agent = gridAgent(grid, a, far, 0, 0.9);
    expect(agent.jumped).toBe(true);
    expect([agent.x, agent.y]).toEqual([0, 0]);
    expect(gridAgent(grid, a, far, 0, 1).x).toBe(2);
  });

  it('without headings looks where it last moved', () => {
    const plain: GridLayout = { ...grid, headings: false };
    expect(gridAgent(plain, a, b, 0, 1, 2).angle).toBeCloseTo(0);
    expect(gridAgent(plain, a, a, 0, 1, 2).angle).toBe(2);
  });
});

describe('doors, points and bodies', () => {
  it('opens a door from closed or locked', () => {
    expect(doorOpening(2, 0, 1)).toBe(1);
    expect(doorOpening(1, 1, 0.5)).toBe(0);
    expect(doorOpening(0, 1, 0.5)).toBeCloseTo(0.5);
  });

  it('interpolates points but not their wrap round a torus', () => {
    const layout: PointsLayout = { kind: 'points', count: 1, bounds: [0, 0, 10, 10], names: ['p'] };
    const out = new Float32Array(4);
    pointAt(layout, new Float32Array([1, 1, 0, 0, 0.1, 0]), new Float32Array([2, 1, 0, 1, 0.1, 0]), 0, 0.5, out);
    expect([...out]).toEqual([1.5, 1, 0, 0.5]);
    pointAt(layout, new Float32Array([9.9, 1, 0, 0, 0.1, 0]), new Float32Array([0.1, 1, 0, 0, 0.1, 0]), 0, 0.5, out);
    expect(out[0]).toBeCloseTo(9.9);
  });

  it('keeps quaternions of unit length and takes the short side', () => {
    const layout: BodiesLayout = {
      kind: 'bodies',
      parts: [{ name: 'p', shape: 'box', size: [1, 1, 1], colour: 0 }],
      extra: [],
      bounds: [0, 0, 0, 9, 9, 9],
    };
    const half = Math.SQRT1_2;
    const out = new Float32Array(7);
    bodyAt(layout, new Float32Array([0, 0, 0, 0, 0, 0, 1]), new Float32Array([1, 2, 3, 0, 0, -half, -half]), 0, 0.5, out);
    expect(Math.hypot(out[3]!, out[4]!, out[5]!, out[6]!)).toBeCloseTo(1);
    expect(out[5]).toBeCloseTo(Math.sin(Math.PI / 8));
    expect(out[1]).toBeCloseTo(1);
  });

  it('lerpAngle crosses ±π without going round', () => {
    expect(Math.abs(lerpAngle(3, -3, 0.5))).toBeCloseTo(Math.PI, 5);
  });

  it('compares layouts by content', () => {
    expect(sameLayout({ ...grid }, grid)).toBe(true);
    expect(sameLayout({ ...grid, width: 4 }, grid)).toBe(false);
  });
});
