import { describe, expect, it } from 'vitest';
import { type BodiesLayout, frameSize, type GridLayout } from '#contract/frames.ts';
import { describeFrame } from './describe.ts';

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
