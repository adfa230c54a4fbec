/**
 * Colour scales for values, as anchor tables with linear interpolation in sRGB: viridis and cividis (Smith, van der Walt;
 * Nuñez, Anderton, Renslow 2018), sampled at nine points. Output 0..255.
 */
const VIRIDIS = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'] as const;
const CIVIDIS = ['#00224e', '#123570', '#3b496c', '#575d6d', '#707173', '#8a8678', '#a59c74', '#c3b369', '#fee838'] as const;

export type ScaleName = 'viridis' | 'cividis';

function channels(hex: string): readonly [number, number, number] {
  const n = Number.parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

const TABLES: { readonly [name in ScaleName]: readonly (readonly [number, number, number])[] } = {
  viridis: VIRIDIS.map(channels),
  cividis: CIVIDIS.map(channels),
};

/** Colour at u in 0..1 (clamped) as [r, g, b], 0..255. */
export function scaleColour(name: ScaleName, u: number): [number, number, number] {
  const table = TABLES[name];
  const at = Math.min(1, Math.max(0, Number.isFinite(u) ? u : 0)) * (table.length - 1);
  const i = Math.min(table.length - 2, Math.floor(at));
  const f = at - i;
  const a = table[i]!;
  const b = table[i + 1]!;
  return [a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f, a[2] + (b[2] - a[2]) * f];
}

/** The scale as a CSS gradient, left to right: for legends. */
export function scaleGradient(name: ScaleName): string {
  return `linear-gradient(to right, ${(name === 'viridis' ? VIRIDIS : CIVIDIS).join(', ')})`;
}

/** Smallest and largest finite value; [0, 1] where there is none, widened where they are equal. */
export function finiteRange(values: ArrayLike<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const v = values[i]!;
    if (!Number.isFinite(v)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low > high) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}
