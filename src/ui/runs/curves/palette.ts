/** The chart's colours and type, resolved from the page's tokens whenever the theme changes. */
import { useEffect, useState } from 'react';
import { onThemeChange, resolveColours } from '#ui/kit/theme/theme-change.ts';

export interface ChartPalette {
  readonly surface: string;
  readonly text: string;
  readonly muted: string;
  readonly faint: string;
  readonly line: string;
  readonly series: readonly string[];
  readonly caution: string;
  readonly failed: string;
  readonly font: string;
  /** Of all type: 1, larger for a projector. */
  readonly scale: number;
}

function read(): ChartPalette {
  const names = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`s${i}`, `--series-${i}`]));
  const root = document.documentElement;
  const all = resolveColours<string>(root, {
    surface: '--surface',
    text: '--text',
    muted: '--muted',
    faint: '--line-strong',
    line: '--line',
    caution: '--caution',
    failed: '--failed',
    ...names,
  });
  const { surface = '#fff', text = '#111', muted = '#666', faint = '#999', line = '#ddd', caution = '#a60', failed = '#c30' } = all;
  const font = getComputedStyle(document.body).fontFamily;
  const scale = Number(getComputedStyle(root).getPropertyValue('--scale')) || 1;
  const series = Array.from({ length: 8 }, (_, i) => all[`s${i}`] ?? text);
  return { surface, text, muted, faint, line, caution, failed, font, scale, series };
}

export function usePalette(): ChartPalette {
  const [palette, setPalette] = useState(read);
  useEffect(() => onThemeChange(() => setPalette(read())), []);
  return palette;
}

/** Of a line: grey where a fork is still its parent. */
export function lineColour(
  { muted, series }: ChartPalette,
  { colour, shared }: { readonly colour: number; readonly shared?: true },
): string {
  return shared === true ? muted : series[colour % 8]!;
}

/** `rgb(r, g, b)` with an opacity. */
export function fade(colour: string, opacity: number): string {
  return opacity >= 1 ? colour : colour.replace('rgb(', 'rgba(').replace(')', `, ${opacity})`);
}
