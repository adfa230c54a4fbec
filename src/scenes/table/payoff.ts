/**
 * A board of payoffs: rows are the first player's actions, columns the second's. Each cell shows both payoffs in their players' colours,
 * the first player's in the near left corner; the cell both have chosen rises and glows. Columns: row and column chosen, -1 none.
 */
import { type BufferGeometry, CylinderGeometry, Group, Mesh, MeshLambertMaterial, Shape, ShapeGeometry, Vector2 } from 'three';
import type { TableItem } from '#contract/game/frames.ts';
import { ease } from '../lib/frames.ts';
import { FloorLabel, type Labels } from '../lib/labels.ts';
import { glowPlain } from '../lib/materials.ts';
import { block } from '../lib/shapes.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import type { Thing } from './thing.ts';

const CELL = 1.5;
const RISE = 0.16;

export function makePayoffBoard(item: Extract<TableItem, { kind: 'payoff' }>, palette: Palette, labels: Labels): Thing {
  const root = new Group();
  const { rows, columns, payoffs } = item;
  const sums = payoffs.flat().map(([r, c]) => r + c);
  const most = Math.max(1e-9, ...sums.map(Math.abs));
  const low = Math.min(...sums);
  const high = Math.max(...sums);
  const good = mix(palette.goal, palette.tile, 0.45);
  const bad = mix(palette.hazard, palette.tile, 0.5);
  const x = (c: number): number => (c - (columns.length - 1) / 2) * CELL;
  const z = (r: number): number => (r - (rows.length - 1) / 2) * CELL;
  const first = palette.series[0]!;
  const second = palette.series[1]!;
  const cells = rows.map((_, r) =>
    columns.map((_unused, c) => {
      const [mine, theirs] = payoffs[r]![c]!;
      const share = high > low ? ((mine + theirs - low) / (high - low)) * 2 - 1 : (mine + theirs) / most;
      const tint: Rgb = mix(palette.tile, share >= 0 ? good : bad, 0.55 * Math.abs(share));
      const cell = new Group();
      const slab = new Mesh(block(CELL * 0.95, 0.3, CELL * 0.95, 0.04), new MeshLambertMaterial({ color: colour(tint) }));
      slab.castShadow = true;
      slab.receiveShadow = true;
      slab.position.y = -0.2;
      cell.add(slab);
      const put = (text: string, ink: Rgb, px: number, pz: number): void => {
        const label = new FloorLabel(labels, { ink, weight: 650 }, 0.46).set(text).mesh;
        label.position.set(px, 0.108, pz);
        cell.add(label);
      };
      put(figure(mine), legible(first, palette), -0.34, 0.32);
      put(figure(theirs), legible(second, palette), 0.34, -0.32);
      cell.position.set(x(c), 0, z(r));
      root.add(cell);
      return cell;
    }),
  );
  const header = (text: string, ink: Rgb, px: number, pz: number, turned: boolean): void => {
    const label = new FloorLabel(labels, { ink: legible(ink, palette), weight: 600 }, 0.34).set(text).mesh;
    label.position.set(px, 0.02, pz);
    if (turned) label.rotation.y = Math.PI / 2;
    root.add(label);
  };
  rows.forEach((name, r) => {
    header(name, first, x(0) - CELL * 0.5 - 0.28, z(r), true);
  });
  columns.forEach((name, c) => {
    header(name, second, x(c), z(0) - CELL * 0.5 - 0.28, false);
  });
  const halo = new Mesh(
    squareFrame(CELL * 0.43, CELL * 0.475),
    new MeshLambertMaterial({ color: colour(palette.goal), emissive: colour(palette.goal), emissiveIntensity: 0.25 }),
  );
  const light = new Mesh(walls(CELL * 0.475), glowPlain(palette));
  root.add(halo, light);
  return {
    root,
    update([r0 = -1, c0 = -1], [r1 = -1, c1 = -1], alpha) {
      const s = ease(alpha);
      cells.forEach((row, r) => {
        row.forEach((cell, c) => {
          const before = r === r0 && c === c0 ? 1 : 0;
          const after = r === r1 && c === c1 ? 1 : 0;
          cell.position.y = RISE * (before + (after - before) * s);
        });
      });
      const [r, c] = s >= 0.5 || r0 < 0 ? [r1, c1] : [r0, c0];
      const strength = r0 === r1 && c0 === c1 ? 1 : Math.abs(2 * s - 1);
      const shown = r >= 0 && c >= 0;
      halo.visible = shown;
      light.visible = shown && strength > 0.05;
      if (!shown) return;
      halo.position.set(x(c), RISE * strength + 0.115, z(r));
      light.position.set(x(c), RISE * strength + 0.11, z(r));
      light.scale.y = 0.55 * strength;
    },
  };
}

function squareFrame(inner: number, outer: number): BufferGeometry {
  const corners = (r: number): Vector2[] => [new Vector2(-r, -r), new Vector2(r, -r), new Vector2(r, r), new Vector2(-r, r)];
  const shape = new Shape(corners(outer));
  shape.holes.push(new Shape(corners(inner).reverse()));
  return new ShapeGeometry(shape).rotateX(-Math.PI / 2);
}

/** Four upright sides around a square. */
function walls(r: number): BufferGeometry {
  return new CylinderGeometry(r * Math.SQRT2, r * Math.SQRT2, 1, 4, 1, true).rotateY(Math.PI / 4).translate(0, 0.5, 0);
}

function figure(value: number): string {
  return (Number.isInteger(value) ? String(value) : String(Number(value.toFixed(2)))).replace('-', '−');
}

/** Agents' colours as ink: darker on the light board. */
function legible(rgb: Rgb, palette: Palette): Rgb {
  return palette.dark ? mix(rgb, [255, 255, 255], 0.2) : mix(rgb, [0, 0, 0], 0.22);
}
