/** Colours of scenes in both themes: what means the same looks the same, and a hole is darker than what it is in. */
// @vitest-environment happy-dom
import { beforeAll, expect, test, vi } from 'vitest';
import { pointRgb } from '../points/tints.ts';
import { luminance, type Palette, readPalette } from './theme.ts';

let themes: readonly { readonly name: string; readonly palette: Palette }[];

/** A canvas that gives back the colour it was filled with, where that is written in hex: the dark page differs by its background alone. */
function fillable(): object {
  let fill = '#000000';
  return {
    clearRect: () => {},
    fillRect: () => {},
    getImageData: () => ({ data: [1, 3, 5].map((at) => Number.parseInt(fill.slice(at, at + 2), 16)) }),
    get fillStyle() {
      return fill;
    },
    set fillStyle(value: string) {
      if (/^#[0-9a-f]{6}$/.test(value)) fill = value;
    },
  };
}

beforeAll(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => fillable() as never);
  themes = ['#f7f8fa', '#14171d'].map((background) => {
    const page = document.createElement('div');
    page.style.setProperty('--bg', background);
    document.body.append(page);
    return { name: background, palette: readPalette(page) };
  });
});

test('both themes are read', () => {
  expect(themes.map(({ palette }) => palette.dark)).toEqual([false, true]);
});

test('goal, hazard, water, metal, lava and what belongs to nobody do not turn over with the theme', () => {
  const [light, dark] = themes.map(({ palette: { goal, hazard, water, metal, lavaCrust, thing } }) => ({
    goal,
    hazard,
    water,
    metal,
    lavaCrust,
    thing,
  }));
  expect(dark).toEqual(light);
});

test('a hole is darker than floor and ice; things stand out from the floor', () => {
  for (const { name, palette } of themes) {
    const of = (key: 'pit' | 'tile' | 'ice' | 'thing' | 'metal'): number => luminance(palette[key]) + 0.05;
    expect(of('pit'), name).toBeLessThan(of('tile') / 1.25);
    expect(of('pit'), name).toBeLessThan(of('ice') / 1.25);
    for (const key of ['thing', 'metal'] as const)
      expect(Math.max(of(key), of('tile')) / Math.min(of(key), of('tile')), `${key}, ${name}`).toBeGreaterThan(2);
  }
});

test('a grey pillar is no agent: it has the colour of things, an agent that of its line', () => {
  for (const { palette } of themes) {
    expect(pointRgb('obstacle', 7, palette)).toEqual(palette.thing);
    expect(pointRgb('landmark', 15, palette)).toEqual(palette.thing);
    expect(pointRgb('disc', 7, palette)).toEqual(palette.series[7]);
    expect(pointRgb('landmark', 2, palette)).toEqual(palette.series[2]);
  }
});
