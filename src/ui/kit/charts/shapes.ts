/** Small figures that tell lines apart where colours cannot: on the lines, in the legend and in files. Polygons in px about a centre. */

const turned = (corners: number, from: number): readonly (readonly [number, number])[] =>
  Array.from({ length: corners }, (_, i) => {
    const angle = from + (2 * Math.PI * i) / corners;
    return [Math.cos(angle), Math.sin(angle)] as const;
  });
const star: readonly (readonly [number, number])[] = turned(10, -Math.PI / 2).map(([x, y], i) =>
  i % 2 === 0 ? [1.25 * x, 1.25 * y] : [0.5 * x, 0.5 * y],
);
const a = 0.36;
const cross: readonly (readonly [number, number])[] = [
  [-a, -1],
  [a, -1],
  [a, -a],
  [1, -a],
  [1, a],
  [a, a],
  [a, 1],
  [-a, 1],
  [-a, a],
  [-1, a],
  [-1, -a],
  [-a, -a],
];

/** Circle, square, triangle, diamond, cross, triangle upside down, star: apart at 6 px. */
const SHAPES: readonly (readonly (readonly [number, number])[])[] = [
  turned(14, 0),
  turned(4, Math.PI / 4).map(([x, y]) => [1.2 * x, 1.2 * y] as const),
  turned(3, -Math.PI / 2).map(([x, y]) => [1.25 * x, 1.25 * y] as const),
  turned(4, 0).map(([x, y]) => [1.25 * x, 1.25 * y] as const),
  cross,
  turned(3, Math.PI / 2).map(([x, y]) => [1.25 * x, 1.25 * y] as const),
  star,
];

export const SHAPE_COUNT = SHAPES.length;

export function shapeAt(shape: number, x: number, y: number, radius: number): [number, number][] {
  return SHAPES[shape % SHAPE_COUNT]!.map(([dx, dy]) => [x + radius * dx, y + radius * dy]);
}

/** Where along a line of this width its figures stand, px: some five, those of different lines beside each other. */
export function shapePlaces(width: number, line: number, lines: number): number[] {
  const count = Math.max(1, Math.min(5, Math.floor(width / 60)));
  return Array.from({ length: count }, (_, i) => ((i + (line + 0.5) / lines) / count) * width);
}
