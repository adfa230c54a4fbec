import { describe, expect, it } from 'vitest';
import {
  type BodiesLayout,
  frameSize,
  type GridLayout,
  type NetworkLayout,
  type PointsLayout,
  type TableLayout,
} from '#contract/game/frames.ts';
import { describeFrame } from './index.ts';
import { article, plural } from './lib/words.ts';

describe('describeFrame', () => {
  it('says where the agent is, what it carries and what is in front of it', () => {
    const layout: GridLayout = {
      kind: 'grid',
      width: 3,
      height: 1,
      agents: 1,
      headings: true,
      looks: ['unseen', 'empty', 'wall', 'door', 'key', 'goal'],
      colours: ['red', 'yellow'],
      view: 0,
    };
    const frame = new Float32Array(frameSize(layout));
    frame.set([1, 0, 0, 3, 1, 2, 5, 0, 0, 0, 0, 0, 4, 1, 1]);
    const text = describeFrame(layout, frame);
    expect(text).toContain('column 0, row 0, facing right, carrying a yellow key.');
    expect(text).toContain('In front of it: locked yellow door.');
    expect(text).toContain('goal at column 2, row 0');
  });

  it('names the lean of a pole and the side of a cart', () => {
    const layout: BodiesLayout = {
      kind: 'bodies',
      parts: [
        { name: 'rail', shape: 'box', size: [1, 1, 1], colour: 'structure' },
        { name: 'cart', shape: 'box', size: [1, 1, 1], colour: 0 },
        { name: 'pole', shape: 'capsule', size: [0.1, 1], colour: 'accent' },
      ],
      extra: [],
      bounds: [-1, 0, -1, 1, 1, 1],
    };
    const half = (5 * Math.PI) / 360;
    const frame = new Float32Array([0, 0, 0, 0, 0, 0, 1, -0.5, 0.1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, -Math.sin(half), Math.cos(half)]);
    expect(describeFrame(layout, frame)).toBe(
      'The cart is 0.50 metres left of the middle, 0.10 m up. The pole leans 5.0 degrees to the right.',
    );
  });
});

describe('describeFrame of the other kinds', () => {
  it('names few points one by one with what they say, many by their order', () => {
    const few: PointsLayout = {
      kind: 'points',
      count: 2,
      bounds: [-1, -1, 1, 1],
      names: ['lead', 'landmark'],
      groups: [
        { name: 'agent', count: 1, shape: 'disc' },
        { name: 'landmark', count: 1, shape: 'landmark' },
      ],
      messages: { agents: 1, symbols: ['A', 'B'] },
    };
    const text = describeFrame(few, new Float32Array([0.5, -0.25, 0, 0, 0.1, 0, 0, 0, 0, 0, 0.1, 0, 1]));
    expect(text).toBe('lead at 0.50 m, -0.25 m, saying B. landmark at 0.00 m, 0.00 m.');
    const many: PointsLayout = { kind: 'points', count: 9, bounds: [0, 0, 1, 1], names: [], extra: ['order'] };
    const frame = new Float32Array(9 * 6 + 1);
    for (let i = 0; i < 9; i++) frame.set([i, 0, 0, 1, 0.1, 0], i * 6);
    frame[54] = 0.75;
    expect(describeFrame(many, frame)).toBe('9 agents in the plane, their centre at 4.00 m, 0.00 m; headings aligned. order 0.75.');
  });

  it('tells how high a drone is, and nothing of parts that are not shown', () => {
    const layout: BodiesLayout = {
      kind: 'bodies',
      up: 'z',
      parts: [
        { name: 'drone 1', shape: 'box', size: [0.04, 0.02], colour: 0, model: 'drone' },
        { name: 'ball', shape: 'sphere', size: [0.1], colour: 'accent', model: 'ball' },
      ],
      rotors: { count: 4, hover: 1 },
      extra: ['score'],
      bounds: [-1, -1, 0, 1, 1, 2],
    };
    const frame = new Float32Array(frameSize(layout));
    frame.set([0.1, 0.2, 1.5, 0, 0, 0, 1], 0);
    frame[frame.length - 1] = 3;
    expect(describeFrame(layout, frame)).toBe('The drone 1 is at 0.10 m, 0.20 m, 1.50 m up. score 3.');
    frame[2] = -0.13;
    expect(describeFrame(layout, frame)).toBe('The drone 1 is at 0.10 m, 0.20 m, 0.13 m down. score 3.');
    const floored: BodiesLayout = { ...layout, extra: ['distance (m)'], fixtures: [{ kind: 'floor' }] };
    expect(describeFrame(floored, frame)).toBe('The drone 1 is at 0.10 m, 0.20 m, 0.13 m below the floor. distance 3 m.');
  });

  it('speaks of many in the plural, and of one with the right article', () => {
    const flock: PointsLayout = {
      kind: 'points',
      count: 9,
      bounds: [0, 0, 1, 1],
      names: [],
      groups: [{ name: 'boid', count: 9, shape: 'wedge' }],
    };
    const frame = new Float32Array(frameSize(flock)).fill(0.1);
    expect(describeFrame(flock, frame)).toMatch(/^9 boids in the plane/);
    expect([plural('fish'), plural('cross'), plural('box'), plural('bird')]).toEqual(['fish', 'cross', 'boxes', 'birds']);
    expect([article('onion'), article('yellow key')]).toEqual(['an onion', 'a yellow key']);
  });

  it('reads cards, chips, seats and payoffs from a table', () => {
    const layout: TableLayout = {
      kind: 'table',
      bounds: [-1, -1, 1, 1],
      items: [
        { kind: 'card', x: 0, y: 0, faces: ['J', 'Q'] },
        { kind: 'card', x: 0, y: 0, faces: ['J', 'Q'] },
        { kind: 'chips', x: 0, y: 0, team: 1 },
        { kind: 'seat', x: 0, y: 0, name: 'first', team: 0 },
        {
          kind: 'payoff',
          x: 0,
          y: 0,
          rows: ['c', 'd'],
          columns: ['c', 'd'],
          payoffs: [
            [
              [3, 3],
              [0, 5],
            ],
            [
              [5, 0],
              [1, 1],
            ],
          ],
        },
      ],
    };
    expect(describeFrame(layout, new Float32Array([1, -2, 2, 1, 0, 1, 0]))).toBe(
      'On the table: the card Q, a card face down. 2 chips of player 2. first is to move. Row d, column c: 5 and 0.',
    );
  });

  it('counts nodes and links of a network', () => {
    const layout: NetworkLayout = {
      kind: 'network',
      nodes: 2,
      links: 2,
      states: [
        { name: 'normal', colour: 'blue' },
        { name: 'radical', colour: 'orange' },
      ],
      linkKinds: [{ name: 'neighbours', colour: 'grey' }],
      extra: ['share'],
    };
    expect(describeFrame(layout, new Float32Array([0, 0, 1, 1, 0, 1, 0, -1, 0, 0, 0.5]))).toBe(
      'A ring of 2: 1 normal, 1 radical. Links: 1 neighbours. share 0.5.',
    );
  });
});
