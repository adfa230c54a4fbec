/** Drawings of networks: small ones whole, large ones by their strongest units with a count of the rest; keys and pointer find what is there. */
import { expect, test } from 'vitest';
import type { LayerView, NetworkView } from '#contract/game/network-view.ts';
import { leastHeight, lineAt, neighbour, pictureOf } from './layout.ts';
import { halvesOf, inputsOf, layersOf, layerTitle, unitName } from './model.ts';

const action = { kind: 'discrete', n: 2, labels: ['left', 'right'] } as const;

function dense(from: number, inputs: number, outputs: number, activation: string): LayerView {
  const weights = Float32Array.from({ length: inputs * outputs }, (_, i) => Math.sin(i) * (i % outputs === 1 ? 5 : 1));
  const matrix = {
    name: `policy/l${from}.w`,
    weights,
    inputs,
    outputs,
    from: [{ layer: from, offset: 0, count: inputs }],
    gates: [],
    bias: new Float32Array(outputs),
  };
  return { kind: 'dense', units: outputs, map: null, activation, normed: false, labels: [], weights: [matrix], from: [] };
}
const input: LayerView = {
  kind: 'input',
  units: 2,
  map: null,
  activation: '',
  normed: false,
  labels: ['angle', 'speed'],
  weights: [],
  from: [],
};

function network(hidden: number): NetworkView {
  return {
    layers: [input, dense(0, 2, hidden, 'tanh'), dense(1, hidden, 2, ''), dense(0, 2, hidden, 'tanh'), dense(3, hidden, 1, '')],
    outputs: [
      { name: 'logits', layer: 2, offset: 0, count: 2 },
      { name: 'value', layer: 4, offset: 0, count: 1 },
    ],
    parameters: 0,
    normalised: false,
  };
}
const options = { width: 400, height: 340, half: 'policy', left: 80, right: 80, lines: 'weights' } as const;

test('a small network is drawn whole, half by half', () => {
  const view = network(4);
  expect(halvesOf(view)).toEqual(['policy', 'value']);
  expect(layersOf(view, 'policy')).toEqual([0, 1, 2]);
  expect(layersOf(view, 'value')).toEqual([0, 3, 4]);
  const picture = pictureOf(view, null, options);
  expect(picture.spots).toHaveLength(8);
  expect(picture.lines).toHaveLength(2 * 4 + 4 * 2);
  expect(picture.blocks.map(({ hidden }) => hidden)).toEqual([0, 0, 0]);
  for (const { x, y } of picture.spots) expect(x >= 80 && x <= 320 && y > 0 && y < 340).toBe(true);
  const strongest = picture.lines.at(-1)!;
  expect(Math.abs(strongest.share)).toBe(1);
});

test('in a low panel five units of every layer stand there, inside of the picture', () => {
  const height = leastHeight(1);
  const { spots, blocks } = pictureOf(network(64), null, { ...options, height });
  expect(blocks.map(({ hidden }) => hidden)).toEqual([0, 59, 0]);
  for (const { y } of spots) expect(y > 0 && y < height).toBe(true);
});

test('of a large layer the strongest units stand there, and how many do not', () => {
  const picture = pictureOf(network(64), null, options);
  const shown = picture.spots.filter(({ layer }) => layer === 1);
  expect(shown.length).toBeLessThan(20);
  expect(shown.map(({ unit }) => unit)).toContain(1); // five times the weights of the others
  expect(picture.blocks.find(({ layer }) => layer === 1)?.hidden).toBe(64 - shown.length);
});

test('pointer and arrow keys find lines and units', () => {
  const view = network(4);
  const picture = pictureOf(view, null, options);
  const line = picture.lines[0]!;
  const near = lineAt([line], (line.from.x + line.to.x) / 2, (line.from.y + line.to.y) / 2 + 2, 6);
  expect(near).toBe(line);
  expect(lineAt([line], line.from.x, line.from.y + 90, 6)).toBeNull();
  const first = { layer: 0, unit: 0 };
  expect(neighbour(picture, first, 'ArrowDown')).toMatchObject({ layer: 0, unit: 1 });
  expect(neighbour(picture, first, 'ArrowRight')?.layer).toBe(1);
  expect(neighbour(picture, first, 'ArrowLeft')).toBeNull();
});

test('names and exact weights', () => {
  const view = network(4);
  const layers = layersOf(view, 'policy');
  expect(layers.map((layer) => layerTitle(view, layer, layers))).toEqual(['input', 'hidden 1', 'action logits']);
  expect(unitName(view, action, { layer: 0, unit: 1 })).toBe('speed');
  expect(unitName(view, action, { layer: 2, unit: 1 })).toBe('right');
  const rows = inputsOf(view, null, action, { layer: 1, unit: 3 });
  expect(rows.map(({ name, weight }) => [name, weight])).toEqual([
    ['angle', Math.fround(Math.sin(3))],
    ['speed', Math.fround(Math.sin(7))],
  ]);
});
