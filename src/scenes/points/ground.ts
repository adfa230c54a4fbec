/** The plane under points: a plate with a metre grid, with lines of a pitch, a ring of phases or walls round it. */
import { Group, Mesh, MeshBasicMaterial, MeshLambertMaterial } from 'three';
import type { PointsLayout } from '#contract/game/frames.ts';
import { floorGrid, openFloor } from '../lib/floor.ts';
import { Pool } from '../lib/pool.ts';
import { block, ring, square } from '../lib/shapes.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import { BUILT } from './tints.ts';

const GRASS: Rgb = [88, 148, 96];

export function pointsGround(layout: PointsLayout, palette: Palette): Group {
  const root = new Group();
  const [minX, minY, maxX, maxY] = layout.bounds;
  const w = maxX - minX;
  const h = maxY - minY;
  const unit = Math.max(w, h);
  const [cx, cz] = [(minX + maxX) / 2, -(minY + maxY) / 2];
  const pitch = layout.ground === 'pitch';
  const tint = pitch ? mix(GRASS, palette.tile, palette.dark ? 0.55 : 0.3) : palette.plate;
  if (layout.upright === true) return wallAndGround(layout, palette);
  if ((layout.ground ?? 'floor') === 'floor' && layout.periodic !== true) {
    root.add(openFloor([minX, -maxY, maxX, -minY], -unit * 0.001, 0, 1, palette));
    return root;
  }
  const plate = new Mesh(block(w * 1.02, unit * 0.02, h * 1.02, unit * 0.006), new MeshLambertMaterial({ color: colour(tint) }));
  plate.position.set(cx, -unit * 0.02, cz);
  plate.receiveShadow = true;
  root.add(plate);
  if (layout.ground === 'streets') {
    root.add(houses(Math.floor(maxX), Math.floor(maxY), palette));
    return root;
  }
  if (pitch) root.add(pitchLines(w, h, cx, cz, unit, palette));
  else root.add(floorGrid(minX, -maxY, maxX, -minY, unit * 0.0006, palette));
  if (layout.ground === 'phases') {
    const circle = new Mesh(ring(0.985, 1.015, 96), new MeshLambertMaterial({ color: colour(palette.muted) }));
    circle.position.set(0, unit * 0.001, 0);
    root.add(circle);
  }
  if (layout.ground === 'walled') {
    const thick = unit * 0.014;
    for (const side of [-1, 1]) {
      const along = new Mesh(
        block(w + 2 * thick, unit * 0.035, thick, unit * 0.003),
        new MeshLambertMaterial({ color: colour(palette.wall) }),
      );
      along.position.set(cx, 0, cz + side * (h / 2 + thick / 2));
      const across = new Mesh(block(thick, unit * 0.035, h, unit * 0.003), new MeshLambertMaterial({ color: colour(palette.wall) }));
      across.position.set(cx + side * (w / 2 + thick / 2), 0, cz);
      for (const mesh of [along, across]) {
        mesh.castShadow = true;
        mesh.receiveShadow = true;
        root.add(mesh);
      }
    }
  }
  return root;
}

/** A wall with a metre grid behind things that gravity pulls down the page, and the ground they may fall to. In the axes of a floor. */
function wallAndGround(layout: PointsLayout, palette: Palette): Group {
  const root = new Group();
  const [minX, minY, maxX, maxY] = layout.bounds;
  const unit = Math.max(maxX - minX, maxY - minY);
  // It stands in the sun's lee and would be darker than any floor.
  const tint = colour(palette.plate);
  const wall = new Mesh(
    block(maxX - minX, unit * 0.02, maxY - minY, unit * 0.006),
    new MeshLambertMaterial({ color: tint, emissive: tint, emissiveIntensity: palette.dark ? 0.5 : 0.3 }),
  );
  wall.position.set((minX + maxX) / 2, -unit * 0.03, -(minY + maxY) / 2);
  wall.receiveShadow = true;
  const ground = new Mesh(
    block(1.04 * (maxX - minX), unit * 0.2, unit * 0.03, unit * 0.004),
    new MeshLambertMaterial({ color: colour(palette.base) }),
  );
  ground.position.set((minX + maxX) / 2, -unit * 0.04, -minY + unit * 0.012);
  ground.receiveShadow = true;
  root.add(wall, ground, floorGrid(minX, -maxY, maxX, -minY, -unit * 0.009, palette));
  return root;
}

/** Flat blocks between the streets 0, 1, .. of a city, the streets left free. */
function houses(across: number, along: number, palette: Palette): Group {
  const pool = new Pool(block(BUILT, 0.08, BUILT, 0.02), new MeshLambertMaterial(), { receive: true }, Math.max(1, across * along));
  const tint = colour(mix(palette.plate, palette.muted, 0.16));
  pool.begin();
  for (let x = 0; x < across; x++) for (let y = 0; y < along; y++) pool.put(x + 0.5, 0, -y - 0.5, tint, 0, 1);
  pool.end();
  return pool.root;
}

/** Side lines, middle line, circle, and a goal of a fifth of the width at both ends. */
function pitchLines(w: number, h: number, cx: number, cz: number, unit: number, palette: Palette): Group {
  const root = new Group();
  const white = new MeshBasicMaterial({ color: colour([255, 255, 255]), transparent: true, opacity: 0.75, depthWrite: false });
  const line = unit * 0.005;
  const strip = (length: number, width: number, x: number, z: number): void => {
    const mesh = new Mesh(square(1), white);
    mesh.scale.set(length, 1, width);
    mesh.position.set(cx + x, unit * 0.0008, cz + z);
    root.add(mesh);
  };
  const [l, b] = [w * 0.9, h * 0.94];
  strip(l, line, 0, b / 2);
  strip(l, line, 0, -b / 2);
  for (const x of [-l / 2, 0, l / 2]) strip(line, b, x, 0);
  const circle = new Mesh(ring(b * 0.16 - line, b * 0.16, 48), white);
  circle.position.set(cx, unit * 0.0008, cz);
  root.add(circle);
  for (const side of [-1, 1]) {
    for (const edge of [-1, 1]) {
      const post = new Mesh(
        block(unit * 0.008, unit * 0.05, unit * 0.008, unit * 0.001),
        new MeshLambertMaterial({ color: colour(palette.paper) }),
      );
      post.position.set(cx + side * (l / 2), 0, cz + edge * b * 0.117);
      post.castShadow = true;
      root.add(post);
    }
    strip(w * 0.035, line, side * (l / 2 + w * 0.0175), b * 0.117);
    strip(w * 0.035, line, side * (l / 2 + w * 0.0175), -b * 0.117);
    strip(line, b * 0.234, side * (l / 2 + w * 0.035), 0);
  }
  return root;
}
