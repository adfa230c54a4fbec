/** What both pictures of points share: shapes, colours. Colours: agents have those of their lines and bars, things that belong to none have that of things in both themes. */
import type { PointShape } from '#contract/game/frames.ts';
import type { Palette, Rgb } from '../lib/theme.ts';

/** Share of a block in a city that its houses take; the rest is street. */
export const BUILT = 0.66;

/** From the middle to a corner of a regular outline with the area of a circle of radius 1. */
export const cornerReach = (corners: number): number => Math.sqrt((2 * Math.PI) / (corners * Math.sin((2 * Math.PI) / corners)));

/** Stripes across a zone of radius 1: their middles and width, their angle (rad, from the x axis), and half the length of one. */
export const STRIPES: readonly number[] = [-0.66, -0.33, 0, 0.33, 0.66];
export const STRIPE = 0.11;
export const STRIPE_ANGLE = Math.PI / 4;
export const stripeHalf = (middle: number): number => Math.sqrt(1 - (Math.abs(middle) + STRIPE / 2) ** 2);

/** The grey of a series: where it is no agent's it would be light on a dark floor and dark on a light one. */
const GREY = 7;
const AGENTS: ReadonlySet<PointShape> = new Set(['disc', 'wedge']);

export function pointRgb(shape: PointShape, code: number, palette: Palette): Rgb {
  return code % 8 === GREY && !AGENTS.has(shape) ? palette.thing : palette.series[code % 8]!;
}
