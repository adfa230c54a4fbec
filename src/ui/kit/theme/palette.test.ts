/** Laws of the colours: lines are seen on both backgrounds, text is read on all of them, runs stay apart for colour-blind eyes. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Rgb = readonly [number, number, number]; // linear

const css = readFileSync('src/ui/kit/theme/tokens.css', 'utf8');
const light = css.slice(css.indexOf(':root {'), css.indexOf(':root[data-theme="dark"]'));
const dark = css.slice(css.indexOf(':root[data-theme="dark"]'), css.indexOf(':root[data-projector'));

function oklch(l: number, c: number, h: number): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (v: number) => Math.min(1, Math.max(0, v));
  return [
    clip(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z),
    clip(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z),
    clip(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z),
  ];
}

function token(theme: string, name: string): Rgb {
  const found = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(theme);
  if (found === null) throw new Error(`no token ${name}`);
  return oklch(Number(found[1]), Number(found[2]), Number(found[3]));
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB. */
const SIGHT: { readonly [name: string]: readonly number[] } = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
};
function lab(rgb: Rgb, matrix: readonly number[]): readonly number[] {
  const [r, g, b] = [0, 3, 6].map((i) =>
    Math.min(1, Math.max(0, matrix[i]! * rgb[0] + matrix[i + 1]! * rgb[1] + matrix[i + 2]! * rgb[2])),
  ) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((v, i) => v - b[i]!));

const themes = [
  ['light', light],
  ['dark', dark],
] as const;

test.each(themes)('%s: every series is at least 3:1 on page and panel', (_, theme) => {
  for (let i = 0; i < 8; i++) {
    for (const ground of ['bg', 'surface']) expect(contrast(token(theme, `series-${i}`), token(theme, ground))).toBeGreaterThanOrEqual(3);
  }
});

test.each(themes)('%s: text is at least 4.5:1 wherever it stands', (_, theme) => {
  for (const text of ['text', 'muted', 'caution', 'failed', 'accent-text']) {
    for (const ground of ['bg', 'surface', 'raised'])
      expect(contrast(token(theme, text), token(theme, ground))).toBeGreaterThanOrEqual(4.5);
  }
  expect(contrast(token(theme, 'on-accent'), token(theme, 'accent'))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(token(theme, 'accent-text'), token(theme, 'accent-soft'))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(token(theme, 'muted'), token(theme, 'accent-soft'))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(token(theme, 'line-strong'), token(theme, 'surface'))).toBeGreaterThanOrEqual(3);
});

test.each(themes.flatMap(([name, theme]) => Object.keys(SIGHT).map((sight) => [name, sight, theme] as const)))(
  '%s, %s: no two of the first six series look alike',
  (_, sight, theme) => {
    const seen = Array.from({ length: 6 }, (_unused, i) => lab(token(theme, `series-${i}`), SIGHT[sight]!));
    for (let i = 0; i < 6; i++) for (let j = i + 1; j < 6; j++) expect(distance(seen[i]!, seen[j]!), `${i} and ${j}`).toBeGreaterThan(0.06);
  },
);

test('what means the same in a scene has one colour for both themes, at least 3:1 on both floors', () => {
  for (const name of ['stage-goal', 'stage-hazard', 'stage-thing']) {
    expect(dark, name).not.toContain(`--${name}:`);
    for (const [theme, own] of themes)
      expect(contrast(token(light, name), token(own, 'stage-floor')), `${name}, ${theme}`).toBeGreaterThanOrEqual(3);
  }
});
