/** Pictures in a plane, as frames of the points layout. */

import type { PointGroup, PointShape, PointsLayout } from '#contract/game/frames.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { atan2, cos, sin } from '#math/functions.ts';
import { isNumber, show, type ViewForm, wrong } from './form.ts';
import { type Drawing, type Item, type Members, numberOr, pair, room } from './items.ts';

/** In the order of the palette. */
const COLOURS = ['blue', 'orange', 'green', 'purple', 'yellow', 'cyan', 'olive', 'grey'];

/** Members of items that stand at one place, in the order in which they cover each other, and their shapes. */
const SHAPES: readonly (readonly [member: string, shape: PointShape])[] = [
  ['zone', 'zone'],
  ['goal', 'goal'],
  ['ring', 'landmark'],
  ['box', 'box'],
  ['food', 'food'],
  ['disc', 'disc'],
  ['ball', 'ball'],
  ['pointer', 'wedge'],
];
const MEMBERS: Members = {
  ...Object.fromEntries(SHAPES.map(([member]) => [member, ['radius', 'colour']])),
  box: ['size', 'turn', 'colour'],
  pointer: ['radius', 'heading', 'colour'],
  line: ['colour', 'strength'],
  arrow: ['colour', 'strength'],
  bar: ['size', 'value', 'colour'],
  text: ['at', 'size'],
  number: ['value'],
};
const MOST_TEXTS = 60;

const TEXT = 'text ';

/** The same words may stand at several places: each has a group of its own, numbered in two digits. */
function textKey(text: string, points: ReadonlyMap<string, unknown>): string {
  for (let n = 0; n < 100; n++) {
    const key = `${TEXT}${String(n).padStart(2, '0')} ${text}`;
    if (!points.has(key)) return key;
  }
  throw wrong('draw', `"${text}" stands at more than 100 places.`, 'Draw fewer words.');
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
  readonly radius: number;
  /** Half the width of a box; of words how high they stand over the floor, or before the wall. */
  readonly half: number;
  readonly colour: number;
}

type Line = readonly [x1: number, y1: number, x2: number, y2: number, colour: number, strength: number];

/** A picture, sorted by what the layout keeps apart. Keys of points: a member of SHAPES, or what textKey gives. */
interface Sorted {
  readonly points: Map<string, Point[]>;
  readonly lines: Line[];
  readonly numbers: Map<string, number>;
}

function colourOf(item: Item, usual: number): number {
  const { colour = usual } = item;
  const index = typeof colour === 'string' ? COLOURS.indexOf(colour) : isNumber(colour) ? colour : -1;
  if (Number.isInteger(index) && index >= 0 && index < 8) return index;
  throw wrong('draw', `There is no colour ${show(colour)}.`, whichOf(colour, COLOURS));
}

function four(value: unknown, what: string): readonly [number, number, number, number] {
  if (Array.isArray(value) && value.length === 4 && value.every(isNumber)) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = value;
    return [x1, y1, x2, y2];
  }
  throw wrong('draw', `"${what}" is ${show(value)}.`, 'Give four finite numbers: [x1, y1, x2, y2].');
}

function sort(items: readonly Item[], unit: number): Sorted {
  const sorted: Sorted = { points: new Map(), lines: [], numbers: new Map() };
  for (const item of items) sortOne(item, unit, sorted);
  return sorted;
}

function sortOne(item: Item, unit: number, { points, lines, numbers }: Sorted): void {
  const add = (key: string, point: Point): void => {
    const list = points.get(key);
    if (list === undefined) points.set(key, [point]);
    else list.push(point);
  };
  const strength = Math.min(1, Math.max(0, numberOr(item, 'strength', 1)));
  for (const [member] of SHAPES) {
    if (!(member in item)) continue;
    const [x, y] = pair(item[member], member);
    const [w, h] = member === 'box' ? pair(item.size ?? [0.1 * unit, 0.1 * unit], 'size') : [0, 0];
    const radius = member === 'box' ? w / 2 : numberOr(item, 'radius', 0.03 * unit);
    add(member, {
      x,
      y,
      heading: numberOr(item, member === 'box' ? 'turn' : 'heading', 0),
      radius,
      half: h / 2,
      colour: colourOf(item, 0),
    });
    return;
  }
  if ('line' in item) lines.push([...four(item.line, 'line'), colourOf(item, 7), strength]);
  else if ('arrow' in item) {
    const [x1, y1, x2, y2] = four(item.arrow, 'arrow');
    const colour = colourOf(item, 1);
    const heading = atan2(y2 - y1, x2 - x1);
    const barb = 0.03 * unit;
    lines.push([x1, y1, x2, y2, colour, strength]);
    for (const side of [-0.5, 0.5])
      lines.push([x2, y2, x2 - barb * cos(heading + side), y2 - barb * sin(heading + side), colour, x1 === x2 && y1 === y2 ? 0 : strength]);
  } else if ('bar' in item) {
    const [x, y] = pair(item.bar, 'bar');
    const [w, h] = pair(item.size ?? [0.04 * unit, 0.3 * unit], 'size');
    const full = Math.min(1, Math.max(0, numberOr(item, 'value', 0)));
    const corners: readonly (readonly [number, number])[] = [
      [x, y],
      [x + w, y],
      [x + w, y + h],
      [x, y + h],
    ];
    corners.forEach(([x1, y1], i) => {
      const [x2, y2] = corners[(i + 1) % 4] ?? [x1, y1];
      lines.push([x1, y1, x2, y2, 7, 0.4]);
    });
    add('box', { x: x + w / 2, y: y + (full * h) / 2, heading: 0, radius: w / 2, half: (full * h) / 2, colour: colourOf(item, 0) });
  } else if ('text' in item) {
    const { text } = item;
    if (typeof text !== 'string' || text === '' || text.length > 60)
      throw wrong('draw', `"text" is ${show(text)}.`, "Give words of 1 to 60 characters: { text: 'exit', at: [x, y] }.");
    const [x, y] = pair(item.at, 'at');
    add(textKey(text, points), { x, y, heading: 0, radius: numberOr(item, 'size', 0.05 * unit) / 2, half: 0.06 * unit, colour: 7 });
  } else if ('number' in item) {
    const { number } = item;
    if (typeof number !== 'string' || number === '' || number.length > 40)
      throw wrong('draw', `"number" is ${show(number)}.`, "Give its name: { number: 'money', value: 3 }.");
    numbers.set(number, numberOr(item, 'value', 0));
  } else {
    throw wrong(
      'draw',
      `Something drawn is of no known kind: ${Object.keys(item).slice(0, 4).join(', ') || 'nothing'}.`,
      whichOf(Object.keys(item)[0] ?? '', Object.keys(MEMBERS)),
    );
  }
}

export function planeOf(view: Extract<ViewForm, { x: unknown }>, samples: readonly (readonly Item[])[]): Drawing {
  const { x, y, side } = view;
  const unit = Math.max(x[1] - x[0], y[1] - y[0]);
  const seen = samples.map((items) => sort(items, unit));
  const most = (key: string): number => Math.max(0, ...seen.map(({ points }) => points.get(key)?.length ?? 0));
  const texts = [...new Set(seen.flatMap(({ points }) => [...points.keys()].filter((key) => key.startsWith(TEXT))))].slice(0, MOST_TEXTS);
  const kept = [
    ...SHAPES.map(([member, shape]) => ({ key: member, shape, count: room(most(member)) })),
    ...texts.map((key) => ({ key, shape: 'words' as const, count: most(key) })),
  ];
  const found = kept.filter(({ count }) => count > 0);
  const used = found.length > 0 ? found : [{ key: 'nothing', shape: 'disc' as const, count: 1 }]; // a scene of points has at least one
  const groups = used.map(
    ({ key, shape, count }): PointGroup => ({
      name: key,
      count,
      shape,
      ...(shape === 'words' && { tag: key.slice(TEXT.length + 3) }),
      ...(shape === 'box' && { sized: true }),
    }),
  );
  const lines = room(Math.max(0, ...seen.map((picture) => picture.lines.length)));
  const extra = [...new Set(seen.flatMap(({ numbers }) => [...numbers.keys()]))];
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const layout: PointsLayout = {
    kind: 'points',
    count,
    bounds: [x[0], y[0], x[1], y[1]],
    names: [],
    groups,
    ...(lines > 0 && { lines }),
    ...(extra.length > 0 && { extra }),
    ...(side === true && { upright: true }),
  };
  return {
    layout,
    members: MEMBERS,
    write(items, out) {
      const picture = sort(items, unit);
      out.fill(0);
      let at = 0;
      let shown = 0;
      for (const { key, count: places } of used) {
        const points = picture.points.get(key) ?? [];
        points.slice(0, places).forEach((point, i) => {
          out.set([point.x, point.y, point.half, point.heading, point.radius, point.colour], at + i * 6);
        });
        shown += Math.min(points.length, places);
        at += places * 6;
      }
      picture.lines.slice(0, lines).forEach((line, i) => {
        out.set(line, at + i * 6);
      });
      extra.forEach((name, i) => {
        out[at + lines * 6 + i] = picture.numbers.get(name) ?? 0;
      });
      const all = [...picture.points.values()].reduce((sum, points) => sum + points.length, 0);
      return all - shown + Math.max(0, picture.lines.length - lines);
    },
  };
}
