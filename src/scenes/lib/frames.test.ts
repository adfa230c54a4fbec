import { Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { type BodiesLayout, frameSize, type GridLayout, type NetworkLayout, type PointsLayout } from '#contract/game/frames.ts';
import { bodyColumns, sceneBounds, toScene } from '../bodies/axes.ts';
import { driveStrength } from '../bodies/drive.ts';
import {
  agentExtra,
  agentOffset,
  bodyAt,
  doorOpening,
  gridAgent,
  headingAt,
  layerAt,
  lerpAngle,
  linkAt,
  pointAt,
  pointColumns,
  pointGroups,
  sameLayout,
  slides,
} from './frames.ts';

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

describe('what follows the first columns', () => {
  it('finds groups, rays, links and messages of points', () => {
    const layout: PointsLayout = {
      kind: 'points',
      count: 5,
      bounds: [0, 0, 1, 1],
      names: [],
      groups: [
        { name: 'a', count: 3, shape: 'disc' },
        { name: 'b', count: 2, shape: 'goal' },
      ],
      rays: { agents: 2, count: 12, range: 1 },
      lines: 1,
      messages: { agents: 3, symbols: [] },
      extra: ['r'],
    };
    expect(pointGroups(layout).map(({ from }) => from)).toEqual([0, 3]);
    expect(pointColumns(layout)).toEqual({ rays: 30, lines: 54, messages: 60, extra: 63 });
    expect(frameSize(layout)).toBe(64);
  });

  it('finds rotors, arrows, contacts and their forces of bodies, and turns z up into y up', () => {
    const layout: BodiesLayout = {
      kind: 'bodies',
      up: 'z',
      parts: [
        { name: 'd', shape: 'box', size: [1, 1], colour: 0, model: 'drone' },
        { name: 'ball', shape: 'sphere', size: [1], colour: 1 },
      ],
      rotors: { count: 4, hover: 1 },
      arrows: 1,
      contacts: 2,
      contactForces: 1,
      extra: ['x'],
      bounds: [-1, -2, 0, 1, 2, 3],
    };
    expect(bodyColumns(layout)).toEqual({ rotors: 14, arrows: 18, contacts: 24, contactForces: 32, profile: 38, extra: 38 });
    expect(frameSize(layout)).toBe(39);
    expect(toScene(layout, 1, 2, 3, new Vector3()).toArray()).toEqual([1, 3, -2]);
    expect(sceneBounds(layout).max.toArray()).toEqual([1, 3, 2]);
  });

  it('finds layers of cells and extra numbers of agents', () => {
    const layout: GridLayout = { ...grid, layers: ['beam', 'visible'], agentExtras: ['level', 'message'] };
    expect(frameSize(layout)).toBe(18 + 12 + 12 + 4);
    expect(layerAt(layout, 'visible')).toBe(36);
    expect(layerAt(layout, 'heat')).toBeUndefined();
    const frame = new Float32Array(frameSize(layout));
    frame.set([5, -1, 7, 2], 42);
    expect(agentExtra(layout, frame, 1, 'level')).toBe(7);
    expect(agentExtra(layout, frame, 1, 'message')).toBe(2);
    expect(agentExtra(layout, frame, 0, 'score')).toBeUndefined();
  });

  it('knows a link that is not there', () => {
    const layout: NetworkLayout = { kind: 'network', nodes: 1, links: 2, states: [], linkKinds: [], extra: [] };
    const frame = new Float32Array([0, 0, 0, 0, 1, -1, 0, 0]);
    expect(linkAt(layout, frame, 0)).toEqual({ from: 0, to: 0, kind: 1 });
    expect(linkAt(layout, frame, 1)).toBeNull();
  });
});

describe('things on cells', () => {
  const world: GridLayout = { ...grid, width: 3, height: 2, agents: 0, looks: ['empty', 'box', 'trail', 'car'], stage: 'arcade' };
  const cells = (codes: readonly number[]): Float32Array => Float32Array.from(codes.flatMap((code) => [code, 0, 0]));

  it('slide to the next cell, each only once, and not across the board', () => {
    const looks = new Set(['box'] as const);
    expect([...slides(world, cells([1, 0, 0, 0, 0, 0]), cells([0, 1, 0, 0, 0, 0]), looks)]).toEqual([[1, 0]]);
    expect(slides(world, cells([1, 0, 0, 0, 0, 0]), cells([0, 0, 1, 0, 0, 0]), looks).size).toBe(0);
    expect(slides(world, cells([0, 0, 1, 0, 0, 0]), cells([0, 0, 0, 1, 0, 0]), looks).size).toBe(0);
    expect([...slides(world, cells([0, 1, 0, 0, 0, 0]), cells([1, 0, 1, 0, 0, 0]), looks)]).toEqual([[0, 1]]);
  });

  it('look away from their trail', () => {
    expect(headingAt(world, cells([3, 2, 0, 0, 0, 0]), 0)).toBe(2);
    expect(headingAt(world, cells([2, 3, 0, 0, 0, 0]), 1)).toBe(0);
    expect(headingAt({ ...world, stage: 'world' }, cells([3, 2, 0, 0, 0, 0]), 0)).toBe(0);
  });
});

describe('driveStrength', () => {
  it('looks up discrete actions and divides continuous ones, within -1..1', () => {
    expect(driveStrength({ part: 0, kind: 'push', values: [-1, 0, 1] }, 2)).toBe(1);
    expect(driveStrength({ part: 0, kind: 'torque', full: -2 }, 1)).toBe(-0.5);
    expect(driveStrength({ part: 0, kind: 'torque', full: 2 }, 9)).toBe(1);
    expect(driveStrength({ part: 0, kind: 'push', values: [-1, 1] }, undefined)).toBe(0);
  });
});
