/** Things that stand on a grid cell, low-poly, one unit = one cell, base at y = 0, +x is ahead where there is an ahead. */
import { BoxGeometry, type BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, SphereGeometry, TorusGeometry } from 'three';
import { block, disc, merge, ring, starSlab } from '../lib/shapes.ts';

/** Where a crate belongs: a ring with a cross inside. */
export function targetMark(): BufferGeometry {
  const bar = (turn: number): BufferGeometry => block(0.34, 0.012, 0.07, 0.001).rotateY(turn);
  return merge([ring(0.3, 0.38), bar(Math.PI / 4), bar(-Math.PI / 4)]);
}

/** A heap of waste: lumps of different size. */
export function waste(): BufferGeometry {
  const lump = (x: number, z: number, r: number): BufferGeometry => new SphereGeometry(r, 8, 5).scale(1, 0.55, 1).translate(x, r * 0.3, z);
  return merge([lump(0, 0, 0.26), lump(0.22, 0.12, 0.15), lump(-0.2, 0.16, 0.17), lump(-0.05, -0.24, 0.16), lump(0.2, -0.18, 0.12)]);
}

/** Blades of grass. */
export function grass(): BufferGeometry {
  const places = Array.from(
    { length: 9 },
    (_, i) => [0.34 * Math.cos(i * 2.4) * Math.sqrt((i + 1) / 9), 0.34 * Math.sin(i * 2.4) * Math.sqrt((i + 1) / 9)] as const,
  );
  return merge(
    places.map(([x, z], i) => new ConeGeometry(0.035, 0.14 + 0.04 * (i % 3), 4).rotateZ(0.25 * Math.sin(i * 5)).translate(x, 0.07, z)),
  );
}

export function coin(): BufferGeometry {
  const rim = new TorusGeometry(0.2, 0.035, 8, 28);
  const face = new CylinderGeometry(0.2, 0.2, 0.045, 28).rotateX(Math.PI / 2);
  return merge([rim, face]).rotateX(-0.5).translate(0, 0.26, 0);
}

/** A chest with a rounded lid. */
export function chest(): BufferGeometry {
  const lid = new CylinderGeometry(0.17, 0.17, 0.52, 14, 1, false, -Math.PI / 2, Math.PI)
    .rotateZ(Math.PI / 2)
    .rotateX(0)
    .translate(0, 0.22, 0);
  return merge([block(0.54, 0.23, 0.36, 0.02), lid]);
}

export function chestBands(): BufferGeometry {
  const band = (x: number): BufferGeometry =>
    merge([
      block(0.05, 0.24, 0.38, 0.005).translate(x, 0, 0),
      new CylinderGeometry(0.178, 0.178, 0.05, 14, 1, false).rotateZ(Math.PI / 2).translate(x, 0.22, 0),
    ]);
  return merge([band(-0.18), band(0.18), block(0.1, 0.12, 0.05, 0.01).translate(0, 0.16, 0.18)]);
}

/** A stewing pot with two handles on a hob. */
export function pot(): BufferGeometry {
  const handle = (side: number): BufferGeometry =>
    new TorusGeometry(0.07, 0.022, 6, 12).rotateX(Math.PI / 2).translate(side * 0.32, 0.27, 0);
  return merge([
    new CylinderGeometry(0.3, 0.26, 0.32, 22, 1, true).translate(0, 0.18, 0),
    new TorusGeometry(0.3, 0.025, 6, 22).rotateX(Math.PI / 2).translate(0, 0.34, 0),
    handle(1),
    handle(-1),
  ]);
}

/** What is in a pot or on a dish: a disc of radius 0.26. */
export function broth(): BufferGeometry {
  return disc(0.27, 20);
}

export function onion(): BufferGeometry {
  return merge([
    new SphereGeometry(0.17, 12, 9).scale(1, 0.9, 1).translate(0, 0.15, 0),
    new ConeGeometry(0.07, 0.16, 8).translate(0, 0.35, 0),
  ]);
}

export function tomato(): BufferGeometry {
  return merge([
    new SphereGeometry(0.18, 12, 9).scale(1, 0.82, 1).translate(0, 0.15, 0),
    new ConeGeometry(0.08, 0.06, 5).translate(0, 0.32, 0),
  ]);
}

export function dish(): BufferGeometry {
  return merge([
    new CylinderGeometry(0.27, 0.16, 0.06, 24).translate(0, 0.03, 0),
    new TorusGeometry(0.26, 0.018, 6, 28).rotateX(Math.PI / 2).translate(0, 0.06, 0),
  ]);
}

/** A cube with cut edges. */
export function cube(): BufferGeometry {
  return block(0.5, 0.4, 0.5, 0.05);
}

/** Three sides up to a tip: from above a triangle, where four would be a square. */
export function pyramid(): BufferGeometry {
  return new ConeGeometry(0.46, 0.6, 3).rotateY(Math.PI).translate(0, 0.3, 0.04);
}

/** A column with six sides. */
export function hexPrism(): BufferGeometry {
  return merge([
    new CylinderGeometry(0.31, 0.31, 0.26, 6).translate(0, 0.13, 0),
    new CylinderGeometry(0.24, 0.31, 0.06, 6).translate(0, 0.29, 0),
  ]);
}

/** A star with five points, lying. */
export function star(): BufferGeometry {
  return starSlab(0.4, 0.17, 0.2);
}

/** A square to stand on, with a frame. */
export function pad(): BufferGeometry {
  const bar = (turn: number): BufferGeometry => new BoxGeometry(0.84, 0.03, 0.07).translate(0, 0.015, 0.385).rotateY(turn);
  return merge([0, 1, 2, 3].map((k) => bar((k * Math.PI) / 2)).concat([new BoxGeometry(0.5, 0.02, 0.5).translate(0, 0.01, 0)]));
}

/** Two crossed bars lying. */
export function cross(): BufferGeometry {
  return merge([block(0.84, 0.13, 0.17, 0.035).rotateY(Math.PI / 4), block(0.84, 0.13, 0.17, 0.035).rotateY(-Math.PI / 4)]);
}

export function nought(): BufferGeometry {
  return new TorusGeometry(0.27, 0.085, 10, 36).rotateX(Math.PI / 2).translate(0, 0.085, 0);
}

/** A flat round piece. */
export function piece(): BufferGeometry {
  return merge([
    new CylinderGeometry(0.37, 0.39, 0.14, 32).translate(0, 0.07, 0),
    new TorusGeometry(0.26, 0.022, 6, 32).rotateX(Math.PI / 2).translate(0, 0.14, 0),
  ]);
}

export function fish(): BufferGeometry {
  const body = new SphereGeometry(0.22, 14, 10).scale(1.35, 0.85, 0.6).translate(0.03, 0.3, 0);
  const tail = new ConeGeometry(0.15, 0.2, 4)
    .rotateZ(-Math.PI / 2)
    .scale(1, 1.25, 0.35)
    .translate(-0.33, 0.3, 0);
  const fin = new ConeGeometry(0.08, 0.16, 4).scale(1, 1, 0.4).translate(0, 0.52, 0);
  return merge([body, tail, fin]);
}

/** A person who waits: a body and a head. */
export function person(): BufferGeometry {
  return merge([new CylinderGeometry(0.1, 0.2, 0.4, 16).translate(0, 0.2, 0), new SphereGeometry(0.14, 16, 12).translate(0, 0.5, 0)]);
}

/** A swimmer: head, body, flippers. */
export function diver(): BufferGeometry {
  return merge([
    new CapsuleGeometry(0.09, 0.24, 4, 10).rotateZ(Math.PI / 2).translate(-0.04, 0.26, 0),
    new SphereGeometry(0.11, 12, 9).translate(0.24, 0.3, 0),
    new BoxGeometry(0.16, 0.03, 0.22).translate(-0.32, 0.26, 0),
    new CapsuleGeometry(0.05, 0.14, 3, 8).rotateZ(Math.PI / 2).translate(-0.05, 0.38, 0),
  ]);
}

export function submarine(): BufferGeometry {
  return merge([
    new CapsuleGeometry(0.17, 0.44, 5, 14).rotateZ(Math.PI / 2).translate(0, 0.26, 0),
    block(0.2, 0.18, 0.16, 0.03).translate(0.04, 0.38, 0),
    new CylinderGeometry(0.018, 0.018, 0.18, 6).translate(0.1, 0.62, 0),
    new BoxGeometry(0.04, 0.3, 0.05).translate(-0.42, 0.26, 0),
    new BoxGeometry(0.04, 0.05, 0.3).translate(-0.42, 0.26, 0),
  ]);
}

/** A visitor from a game of 1978, in blocks. */
export function alien(): BufferGeometry {
  const rows = ['..#...#..', '...###...', '..#####..', '.##.#.##.', '#########', '#.#####.#', '#.#...#.#', '...#.#...'];
  const cell = 0.088;
  const cubes = rows.flatMap((row, y) =>
    [...row].flatMap((sign, x) =>
      sign === '#' ? [new BoxGeometry(cell, 0.16, cell).translate((x - 4) * cell, 0.08, (y - 3.5) * cell)] : [],
    ),
  );
  return merge(cubes);
}

/** A gun on a carriage, pointing up the page. */
export function ship(): BufferGeometry {
  return merge([
    block(0.78, 0.2, 0.34, 0.05).translate(0, 0, 0.16),
    block(0.34, 0.26, 0.28, 0.05).translate(0, 0, 0),
    block(0.1, 0.2, 0.36, 0.02).translate(0, 0.04, -0.22),
  ]);
}

export function carBody(): BufferGeometry {
  return merge([block(0.84, 0.2, 0.46, 0.06).translate(0, 0.08, 0), block(0.42, 0.16, 0.4, 0.07).translate(-0.04, 0.27, 0)]);
}

/** Wheels and windows of a car. */
export function carTrim(): BufferGeometry {
  const wheels = [-0.26, 0.26].flatMap((x) =>
    [-0.22, 0.22].map((z) => new CylinderGeometry(0.1, 0.1, 0.1, 12).rotateX(Math.PI / 2).translate(x, 0.1, z)),
  );
  return merge([...wheels, block(0.32, 0.1, 0.42, 0.02).translate(-0.04, 0.29, 0)]);
}

export function bullet(): BufferGeometry {
  return new CapsuleGeometry(0.06, 0.3, 4, 10).rotateZ(Math.PI / 2).translate(0, 0.2, 0);
}

export function chicken(): BufferGeometry {
  return merge([
    new SphereGeometry(0.2, 14, 10).scale(1.15, 0.95, 0.85).translate(-0.03, 0.24, 0),
    new SphereGeometry(0.12, 12, 9).translate(0.17, 0.46, 0),
    new ConeGeometry(0.1, 0.22, 6).rotateZ(0.9).translate(-0.24, 0.36, 0),
  ]);
}

/** Beak, comb and feet. */
export function chickenTrim(): BufferGeometry {
  return merge([
    new ConeGeometry(0.045, 0.12, 6).rotateZ(-Math.PI / 2).translate(0.32, 0.45, 0),
    new BoxGeometry(0.12, 0.08, 0.03).translate(0.16, 0.59, 0),
    new CylinderGeometry(0.015, 0.015, 0.12, 5).translate(0, 0.05, 0.06),
    new CylinderGeometry(0.015, 0.015, 0.12, 5).translate(0, 0.05, -0.06),
  ]);
}

/** A joint of a snake's body, and the piece that reaches to the next cell ahead (+x). */
export function snakeJoint(): BufferGeometry {
  return new SphereGeometry(0.33, 16, 10).scale(1, 0.72, 1).translate(0, 0.22, 0);
}

export function snakeReach(): BufferGeometry {
  return new CylinderGeometry(0.33, 0.33, 0.52, 16, 1, true)
    .rotateZ(Math.PI / 2)
    .scale(1, 0.72, 1)
    .translate(0.26, 0.22, 0);
}
