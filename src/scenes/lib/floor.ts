/** A faint line grid on the floor with a step of 1, 2 or 5 times a power of ten, so that it can be read as units (metres). */
import {
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  RingGeometry,
} from 'three';
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

/** An open floor reaches so many times as far as what it lies under. */
const REACH = 3.2;
const RINGS = 12;

/** A floor whose lines may be shifted under what moves over it. */
export interface OpenFloor {
  readonly root: Group;
  readonly lines: LineSegments;
  /** Distance between lines. */
  readonly step: number;
}

/**
 * A floor without an edge under [minX, minZ, maxX, maxZ]: it fades out all around, as far as things up to `high` may stray over it. `cover`
 * 0..1 is how much of what is below it hides: things fall through it where nothing holds them up, and stay in sight.
 */
export function openFloor(...place: Parameters<typeof openFloorWithLines>): Group {
  return openFloorWithLines(...place).root;
}

/** The same, with its lines at hand. */
export function openFloorWithLines(
  [minX, minZ, maxX, maxZ]: readonly [number, number, number, number],
  y: number,
  high: number,
  cover: number,
  palette: Palette,
): OpenFloor {
  const root = new Group();
  const [cx, cz] = [(minX + maxX) / 2, (minZ + maxZ) / 2];
  const half = Math.max(maxX - minX, maxZ - minZ) / 2;
  const radius = REACH * Math.max(half, high);
  const fade = (x: number, z: number): number => {
    const share = Math.min(1, Math.hypot(x, z) / radius);
    return (1 - share) ** 2 * (1 + 2 * share);
  };
  // Of rings, so that it can fade outwards.
  const geometry = new RingGeometry(0, radius, 64, RINGS).rotateX(-Math.PI / 2);
  const place = geometry.getAttribute('position');
  const tint = colour(palette.plate);
  const colours: number[] = [];
  for (let i = 0; i < place.count; i++) colours.push(tint.r, tint.g, tint.b, cover * fade(place.getX(i), place.getZ(i)));
  geometry.setAttribute('color', new Float32BufferAttribute(colours, 4));
  const plate = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
  plate.position.set(cx, y, cz);
  plate.receiveShadow = true;
  plate.renderOrder = -2;
  const step = niceStep(2 * half, 10);
  const points: number[] = [];
  const alphas: number[] = [];
  const line = colour(palette.muted);
  const put = (x: number, z: number): void => {
    points.push(x, 0, z);
    alphas.push(line.r, line.g, line.b, (palette.dark ? 0.4 : 0.3) * fade(x - cx, z - cz));
  };
  const [fromX, fromZ] = [Math.ceil((cx - radius) / step), Math.ceil((cz - radius) / step)];
  const count = Math.floor((2 * radius) / step);
  for (let i = 0; i <= count; i++) {
    for (let k = 0; k < count; k++) {
      put((fromX + i) * step, (fromZ + k) * step);
      put((fromX + i) * step, (fromZ + k + 1) * step);
      put((fromX + k) * step, (fromZ + i) * step);
      put((fromX + k + 1) * step, (fromZ + i) * step);
    }
  }
  const lines = new BufferGeometry();
  lines.setAttribute('position', new Float32BufferAttribute(points, 3));
  lines.setAttribute('color', new Float32BufferAttribute(alphas, 4));
  const grid = new LineSegments(lines, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
  grid.position.y = y;
  grid.renderOrder = -1;
  root.add(plate, grid);
  return { root, lines: grid, step };
}
