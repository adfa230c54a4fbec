/**
 * Low-poly geometry made in code, one unit = one grid cell or one metre, base at y = 0 unless said otherwise, +x is ahead.
 * Vertex counts are kept low on purpose: on a software rasteriser frame time is linear in them.
 */
import {
  BufferGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Float32BufferAttribute,
  LatheGeometry,
  Shape,
  ShapeGeometry,
  SphereGeometry,
  TorusGeometry,
  Vector2,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

/** A box without a bottom whose top edges are cut at 45 degrees: 36 vertices. */
export function block(width: number, height: number, depth: number, chamfer: number): BufferGeometry {
  const x = width / 2;
  const z = depth / 2;
  const c = chamfer;
  const positions: number[] = [];
  const quad = (...p: readonly (readonly [number, number, number])[]): void => {
    for (const i of [0, 1, 2, 0, 2, 3]) positions.push(...p[i]!);
  };
  const h = height;
  const lower = h - c;
  quad([-x + c, h, z - c], [x - c, h, z - c], [x - c, h, -z + c], [-x + c, h, -z + c]);
  quad([-x, lower, z], [x, lower, z], [x - c, h, z - c], [-x + c, h, z - c]);
  quad([x, lower, z], [x, lower, -z], [x - c, h, -z + c], [x - c, h, z - c]);
  quad([x, lower, -z], [-x, lower, -z], [-x + c, h, -z + c], [x - c, h, -z + c]);
  quad([-x, lower, -z], [-x, lower, z], [-x + c, h, z - c], [-x + c, h, -z + c]);
  if (lower > 0) {
    quad([-x, 0, z], [x, 0, z], [x, lower, z], [-x, lower, z]);
    quad([x, 0, z], [x, 0, -z], [x, lower, -z], [x, lower, z]);
    quad([x, 0, -z], [-x, 0, -z], [-x, lower, -z], [x, lower, -z]);
    quad([-x, 0, -z], [-x, 0, z], [-x, lower, z], [-x, lower, -z]);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** A flat outline lying on the floor, drawn in the x-z plane with +x ahead. */
export function flat(points: readonly (readonly [number, number])[]): BufferGeometry {
  const shape = new Shape(points.map(([x, z]) => new Vector2(x, -z)));
  return new ShapeGeometry(shape, 6).rotateX(-Math.PI / 2);
}

/** Slab with the given outline (x, z), rounded at the top edge. */
function slab(outline: Shape, height: number, bevel: number): BufferGeometry {
  return new ExtrudeGeometry(outline, {
    depth: height - bevel,
    bevelEnabled: true,
    bevelThickness: bevel,
    bevelSize: bevel,
    bevelOffset: -bevel,
    bevelSegments: 1,
    curveSegments: 10,
  })
    .rotateX(-Math.PI / 2)
    .translate(0, bevel / 2, 0);
}

/** The foot of an agent: a drop whose point is the heading, so that the direction is readable from straight above. */
export function agentFoot(): BufferGeometry {
  const s = new Shape();
  s.absarc(-0.03, 0, 0.3, 0.72, Math.PI * 2 - 0.72, false);
  s.lineTo(0.42, 0);
  s.closePath();
  return slab(s, 0.12, 0.03);
}

/** The body of an agent: a rounded bell. */
export function agentBody(): BufferGeometry {
  const profile: [number, number][] = [
    [0.0, 0.66],
    [0.08, 0.652],
    [0.15, 0.62],
    [0.205, 0.56],
    [0.23, 0.48],
    [0.235, 0.36],
    [0.245, 0.22],
    [0.26, 0.1],
  ];
  return new LatheGeometry(
    profile.reverse().map(([r, y]) => new Vector2(r, y)),
    20,
  ).translate(-0.03, 0, 0);
}

/** A dark visor on the front of the body. */
export function agentVisor(): BufferGeometry {
  const arc = 1.25;
  return new CylinderGeometry(0.246, 0.25, 0.13, 12, 1, true, Math.PI / 2 - arc / 2, arc).translate(-0.03, 0.455, 0);
}

/** Two eyes in the visor: they are what says "this way" to people. */
export function agentEyes(): BufferGeometry {
  const eye = (side: number): BufferGeometry =>
    new SphereGeometry(0.033, 8, 6).scale(0.5, 1, 1).translate(-0.03 + 0.247 * Math.cos(side * 0.34), 0.46, 0.247 * Math.sin(side * 0.34));
  return merge([eye(1), eye(-1)]);
}

/** A key, bow up, leaning back so that it reads from the front and from above. */
export function key(): BufferGeometry {
  const bow = new TorusGeometry(0.125, 0.042, 6, 16).translate(0, 0.5, 0);
  const shaft = new CylinderGeometry(0.038, 0.038, 0.32, 8).translate(0, 0.24, 0);
  const tooth = (y: number, w: number): BufferGeometry => solid(w, 0.06, 0.06).translate(w / 2, y, 0);
  return merge([bow, shaft, tooth(0.09, 0.15), tooth(0.2, 0.11)])
    .rotateX(-0.75)
    .translate(0, 0.03, 0.2);
}

/** A star with five points, lying, one point up the page. */
export function starSlab(outer: number, inner: number, height: number): BufferGeometry {
  const outline = new Shape(
    Array.from({ length: 10 }, (_, i) => {
      const r = i % 2 === 0 ? outer : inner;
      const angle = Math.PI / 2 + (i * Math.PI) / 5;
      return new Vector2(r * Math.cos(angle), r * Math.sin(angle));
    }),
  );
  return slab(outline, height, 0.03);
}

/** A crate: chamfered, with a band around it. */
export function crate(): BufferGeometry {
  return merge([block(0.56, 0.5, 0.56, 0.04), block(0.6, 0.09, 0.6, 0.015).translate(0, 0.22, 0)]);
}

export function ball(): BufferGeometry {
  return new SphereGeometry(0.26, 18, 12).translate(0, 0.27, 0);
}

/** Food: an apple with a stalk. */
export function apple(): BufferGeometry {
  const body = new SphereGeometry(0.2, 14, 10).scale(1, 0.9, 1).translate(0, 0.19, 0);
  const stalk = new CylinderGeometry(0.014, 0.02, 0.12, 5).rotateZ(-0.3).translate(0.02, 0.41, 0);
  const leaf = new SphereGeometry(0.06, 6, 4).scale(1.5, 0.3, 0.7).translate(0.1, 0.44, 0);
  return merge([body, stalk, leaf]);
}

/** Two posts and a lintel for a door that spans x; the panel is separate because it swings. */
export function doorFrame(): BufferGeometry {
  return merge([block(0.1, 0.62, 0.22, 0.02).translate(-0.45, 0, 0), block(0.1, 0.62, 0.22, 0.02).translate(0.45, 0, 0)]);
}

/** Door panel hinged at x = 0, reaching to x = 0.8. */
export function doorPanel(): BufferGeometry {
  return block(0.78, 0.54, 0.09, 0.02).translate(0.4, 0.015, 0);
}

/** Lock plate on both faces of the panel. */
export function doorLock(): BufferGeometry {
  const plate = new CylinderGeometry(0.085, 0.085, 0.13, 12).rotateX(Math.PI / 2).translate(0.62, 0.29, 0);
  return merge([plate]);
}

export function doorKnob(): BufferGeometry {
  return new SphereGeometry(0.045, 8, 6).scale(1, 1, 1.8).translate(0.66, 0.28, 0);
}

/** An arrow on the floor centred at the origin, pointing to +x, length 1. */
export function arrow(): BufferGeometry {
  return flat([
    [0.5, 0],
    [0.12, -0.26],
    [0.12, -0.09],
    [-0.5, -0.09],
    [-0.5, 0.09],
    [0.12, 0.09],
    [0.12, 0.26],
  ]);
}

/** A quarter-circle arrow for "turn right" seen from above by an agent that looks to +x; mirror z for left. */
export function turnArrow(): BufferGeometry {
  const outline: [number, number][] = [];
  const steps = 8;
  const angle = (i: number): number => (-Math.PI / 2) * (1 - i / steps);
  for (let i = 0; i <= steps; i++) outline.push([-0.32 + 0.62 * Math.cos(angle(i)), 0.3 + 0.62 * Math.sin(angle(i))]);
  outline.push([0.44, 0.3], [0.2, 0.56], [-0.04, 0.3]);
  for (let i = steps; i >= 0; i--) outline.push([-0.32 + 0.44 * Math.cos(angle(i)), 0.3 + 0.44 * Math.sin(angle(i))]);
  return flat(outline);
}

/** A ring on the floor. */
export function ring(inner: number, outer: number, segments = 28): BufferGeometry {
  const s = new Shape().absarc(0, 0, outer, 0, Math.PI * 2, false);
  const hole = new Shape().absarc(0, 0, inner, 0, Math.PI * 2, true);
  s.holes.push(hole);
  return new ShapeGeometry(s, segments).rotateX(-Math.PI / 2);
}

export function disc(radius: number, segments = 24): BufferGeometry {
  return new ShapeGeometry(new Shape().absarc(0, 0, radius, 0, Math.PI * 2, false), segments).rotateX(-Math.PI / 2);
}

/** A floor square at y = 0. */
export function square(side: number): BufferGeometry {
  const r = side / 2;
  return flat([
    [-r, -r],
    [-r, r],
    [r, r],
    [r, -r],
  ]);
}

/** A tile with a round hole through it, top at y = 0. */
export function holeTile(side: number, thickness: number, radius: number): BufferGeometry {
  const r = side / 2;
  const s = new Shape([new Vector2(-r, -r), new Vector2(r, -r), new Vector2(r, r), new Vector2(-r, r)]);
  s.holes.push(new Shape().absarc(0, 0, radius, 0, Math.PI * 2, true));
  return new ExtrudeGeometry(s, { depth: thickness, bevelEnabled: false, curveSegments: 14 })
    .rotateX(-Math.PI / 2)
    .translate(0, -thickness, 0);
}

/** An oriented wedge for swarms: a flat dart, 14 triangles, length 2 and width 1.3 so that `radius` scales it. */
export function wedge(): BufferGeometry {
  const top: readonly [number, number, number] = [-0.35, 0.55, 0];
  const nose: readonly [number, number, number] = [1.1, 0.18, 0];
  const left: readonly [number, number, number] = [-0.8, 0.12, -0.7];
  const right: readonly [number, number, number] = [-0.8, 0.12, 0.7];
  const notch: readonly [number, number, number] = [-0.45, 0.15, 0];
  const low = (p: readonly [number, number, number]): readonly [number, number, number] => [p[0], 0, p[2]];
  const faces = [
    [top, nose, left],
    [top, right, nose],
    [top, left, notch],
    [top, notch, right],
    [nose, low(nose), left],
    [left, low(nose), low(left)],
    [nose, right, low(nose)],
    [right, low(right), low(nose)],
    [left, low(left), notch],
    [notch, low(left), low(notch)],
    [notch, low(right), right],
    [notch, low(notch), low(right)],
  ];
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(faces.flat(2), 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** A closed box with its centre at the origin, 24 vertices. */
function solid(width: number, height: number, depth: number): BufferGeometry {
  const top = block(width, height, depth, 0.001).translate(0, -height / 2, 0);
  return top;
}

/** One geometry of several, without texture coordinates (nothing here is textured). */
export function merge(parts: readonly BufferGeometry[]): BufferGeometry {
  const plain = parts.map((part) => {
    const g = part.index === null ? part : part.toNonIndexed();
    g.deleteAttribute('uv');
    return g;
  });
  const merged = mergeGeometries(plain);
  for (const part of parts) part.dispose();
  return merged;
}
