/** Points and bodies in words: few things one by one, many by their number and order. */
import type { BodiesLayout, PointsLayout } from '#contract/frames.ts';
import { spoken } from '#contract/seats.ts';
import { pointColumns, pointGroups } from './lib/frames.ts';

const MOST_NAMED = 8;

export function describePoints(layout: PointsLayout, frame: Float32Array): string {
  const sentences: string[] = [];
  for (const { from, group } of pointGroups(layout)) {
    const shown = Array.from({ length: group.count }, (_, i) => from + i).filter((i) => frame[i * 6 + 4]! > 0);
    if (shown.length === 0) continue;
    if (shown.length > MOST_NAMED) {
      sentences.push(summary(layout.groups === undefined ? 'agents' : group.name, shown, frame));
      continue;
    }
    for (const i of shown) {
      const name = spoken(layout.names[i] ?? `${group.name} ${i - from}`);
      sentences.push(`${name} at ${metres(frame[i * 6]!)}, ${metres(frame[i * 6 + 1]!)}${saying(layout, frame, i)}.`);
    }
  }
  return [...sentences, numbers(layout.extra ?? [], frame, pointColumns(layout).extra)].filter((part) => part !== '').join(' ');
}

function summary(name: string, points: readonly number[], frame: Float32Array): string {
  let [x, y, cos, sin] = [0, 0, 0, 0];
  for (const i of points) {
    x += frame[i * 6]!;
    y += frame[i * 6 + 1]!;
    cos += Math.cos(frame[i * 6 + 3]!);
    sin += Math.sin(frame[i * 6 + 3]!);
  }
  const n = points.length;
  const order = Math.hypot(cos, sin) / n;
  return `${n} ${name} in the plane, their centre at ${metres(x / n)}, ${metres(y / n)}; headings ${order > 0.8 ? 'aligned' : order > 0.4 ? 'partly aligned' : 'mixed'}.`;
}

function saying(layout: PointsLayout, frame: Float32Array, point: number): string {
  const { messages } = layout;
  if (messages === undefined || point >= messages.agents) return '';
  const symbol = frame[pointColumns(layout).messages + point]!;
  return symbol < 0 ? '' : `, saying ${messages.symbols[symbol] ?? symbol}`;
}

export function describeBodies(layout: BodiesLayout, frame: Float32Array): string {
  const sentences: string[] = [];
  const zUp = layout.up === 'z';
  layout.parts.forEach((part, i) => {
    if (part.colour === 'structure' || part.colour === 'ground' || sentences.length >= MOST_NAMED) return;
    const o = i * 7;
    if (frame.subarray(o + 3, o + 7).every((value) => value === 0)) return;
    if (part.name === 'pole') {
      // Turn about z; positive leans to the left (x is to the right, y up).
      const degrees = (2 * Math.atan2(frame[o + 5]!, frame[o + 6]!) * 180) / Math.PI;
      const lean = Math.abs(degrees).toFixed(1);
      sentences.push(`The pole leans ${lean} degrees to the ${degrees > 0 ? 'left' : 'right'}.`);
    } else if (zUp) {
      sentences.push(`The ${part.name} is at ${metres(frame[o]!)}, ${metres(frame[o + 1]!)}, ${metres(frame[o + 2]!)} up.`);
    } else {
      const side = frame[o]! < 0 ? 'left' : 'right';
      sentences.push(`The ${part.name} is ${Math.abs(frame[o]!).toFixed(2)} metres ${side} of the middle, ${metres(frame[o + 1]!)} up.`);
    }
  });
  return [...sentences, numbers(layout.extra, frame, frame.length - layout.extra.length)].filter((part) => part !== '').join(' ');
}

function numbers(names: readonly string[], frame: Float32Array, from: number): string {
  return names.length === 0 ? '' : `${names.map((name, i) => `${name} ${Number(frame[from + i]!.toFixed(2))}`).join(', ')}.`;
}

function metres(value: number): string {
  return `${value.toFixed(2)} m`;
}
