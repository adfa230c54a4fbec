/** A faint line grid on the floor with a step of 1, 2 or 5 times a power of ten, so that it can be read as units (metres). */
import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments } from 'three';
import type { Palette } from './theme.ts';
import { colour } from './view.ts';

/** The nicest step that gives about `lines` lines over `span`. */
export function niceStep(span: number, lines: number): number {
  const raw = span / lines;
  const power = 10 ** Math.floor(Math.log10(raw));
  const digit = raw / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

export function floorGrid(minX: number, minZ: number, maxX: number, maxZ: number, y: number, palette: Palette): LineSegments {
  const step = niceStep(Math.max(maxX - minX, maxZ - minZ), 10);
  const points: number[] = [];
  for (let x = Math.ceil(minX / step) * step; x <= maxX + 1e-9; x += step) points.push(x, y, minZ, x, y, maxZ);
  for (let z = Math.ceil(minZ / step) * step; z <= maxZ + 1e-9; z += step) points.push(minX, y, z, maxX, y, z);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  return new LineSegments(
    geometry,
    new LineBasicMaterial({ color: colour(palette.muted), transparent: true, opacity: palette.dark ? 0.36 : 0.22, depthWrite: false }),
  );
}
